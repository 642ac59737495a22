"""Sentences about results: verdicts, and what the systems of a comparison are to one another."""
