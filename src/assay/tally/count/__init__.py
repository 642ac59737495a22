"""Counting where the table lives, and what one scan of it leaves: tallies by system, kind and group."""
