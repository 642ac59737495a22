"""Which measures to report, and why."""
