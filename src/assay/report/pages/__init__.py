"""The pages of results that are no reports: advice, checks, curves, plans."""
