"""Ranked lists with the judgments of their queries, as columns."""
