"""Counting: any table becomes a small, mergeable tally."""
