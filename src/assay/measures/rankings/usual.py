"""The family of rankings: what is shown of it, and what follows for a mean over queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.measures.declare.facts import Paired
from assay.measures.declare.family import family
from assay.measures.declare.forms import BoundedMean, Jackknife
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import PerQuery, Ranked

NO_QUERIES = "there are no queries"
SHOWN = ("ndcg@10", "ap", "rr", "p@10", "r@100")


def _shown(tally: Ranked) -> tuple[str, ...]:
    """The usual measures, and the share of judged documents where there are others."""
    lists = tally.lists
    judged = bool((lists.sum_found(lists.grade >= 0) == lists.retrieved).all())
    return SHOWN if judged else (*SHOWN, "judged@10")


family(Ranked, "from_rankings", PerQuery, usual=_shown)


def _each(value: Callable[..., Floats]) -> Callable[..., Floats]:
    """The values of the queries of a tally."""

    def each(tally: Ranked, **options: Any) -> Floats:
        return tally.each(value, **options)

    return each


def endless_mean_of(value: Callable[..., Floats]) -> dict[str, Any]:
    """What follows for a mean over queries of values that have no upper end, of which a few may be far above others."""
    return {"interval": Jackknife(), "paired": Paired(each=_each(value), few_carry=True)}


def mean_of(value: Callable[..., Floats]) -> dict[str, Any]:
    """What follows for a mean over queries of values from 0 to 1: its interval too."""

    def parts(tally: Ranked, **options: Any) -> tuple[Floats, Floats]:
        return tally.each(value, **options), np.ones(len(tally.counts))

    return {"interval": BoundedMean(parts), "paired": Paired(each=_each(value))}
