"""Sentences about pairwise preferences: how often a system won, and how many judgments there are."""

from __future__ import annotations

from assay.errors import plural
from assay.tally.preferences import Preferences

LEADS = "is preferred most"  # said of the first of several systems


def described(tally: Preferences) -> str:
    """How many judgments there are, of how many systems."""
    return f"{plural(tally.n, tally.item)} of {plural(len(tally.systems), 'system')}"


def headline(tally: Preferences, system: str) -> str:
    """How many judgments a system won, tied and lost."""
    if tally.focus is None:
        return f"{system}: {described(tally)}."
    won, tied, lost = (int(tally.counts[tally.points == points].sum()) for points in (1, 0.5, 0))
    whom = "the others" if tally.opponent is None else tally.opponent
    return f"{tally.focus} won {won:,}, tied {tied:,} and lost {lost:,} against {whom}, in {described(tally)}."
