"""Results that are no reports, as text and as pages: advice, checks, curves, plans, measures, chosen thresholds."""
