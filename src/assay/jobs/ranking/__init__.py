"""From judgments and runs to a report."""
