"""Sentences about ranked lists: how many queries there are, and what was judged."""

from __future__ import annotations

import numpy as np

from assay.errors import plural
from assay.tally.rankings import Ranked
from assay.texts import numeral


def described(tally: Ranked) -> str:
    """How many queries and judgments there are, and which grades."""
    pool = tally.lists.pool
    at = tally.keys["list"]
    n = int(pool.lengths[at].sum())
    if not n:
        return plural(tally.n, tally.item)
    grades = np.asarray(pool.columns[0])
    low, high = (numeral(float(end), "g") for end in (grades.min(), grades.max()))
    which = f"all of grade {low}" if low == high else f"grades {low} to {high}"
    return f"{plural(tally.n, tally.item)}, {plural(n, 'judgment')}, {which}"


def headline(tally: Ranked, system: str) -> str:
    """How many queries were answered, and how many of them begin with a relevant result."""
    first = int(tally.counts[tally.lists.first_relevant[tally.keys["list"]] <= 1].sum())
    where = f"{first:,} {'has' if first == 1 else 'have'} a relevant result at rank 1"
    n = tally.n - tally.unanswered
    of = "" if n == tally.n else f"{n:,} of "
    told = where if first else "none has a relevant result at rank 1"
    return f"{system} answers {of}{plural(tally.n, 'query')}; {told}."
