"""Meaning: what the counts say."""
