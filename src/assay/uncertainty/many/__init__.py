"""Many systems or many groups: corrected tests, ranks, gaps."""
