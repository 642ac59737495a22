"""Sentences about results: verdicts, and how the systems of a comparison relate to one another."""
