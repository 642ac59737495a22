"""Relevance judgments and runs: read, ranked and matched with each other."""
