"""Two systems compared by the values of single items, where a measure is their mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import OptionError, in_plural
from assay.measures.declare.bound import Bound
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.uncertainty.results import Comparison
from assay.uncertainty.two.pair import How
from assay.uncertainty.values.compare import compare_values

ITEM_TESTS = ("t", "wilcoxon", "sign")  # of the differences of single items


def item_values(bound: Bound, tally: Tally) -> Floats | None:
    """The value of one item of each unit, if the measure is their mean."""
    mean = bound.mean(tally)
    return None if mean is None else mean.each


def compared_by_item(joint: Joint[Any], bound: Bound, test: str, how: How) -> Comparison:
    """The comparison by a test of the items' values; its interval is that of such values."""
    item, sides = joint.a.item, (joint.a, joint.b)
    values = [item_values(bound, side) for side in sides]
    if values[0] is None or values[1] is None:
        raise OptionError(
            f"{bound.spelling} is not a mean over {in_plural(item)}, so the test {test} does not apply; leave out the "
            "test, or name another measure."
        )
    times = joint.counts
    cluster = None
    if joint.a.clusters is not None:
        cluster = np.empty(len(times), np.int64)
        cluster[joint.a.clusters.unit] = joint.a.clusters.cluster
        cluster = np.repeat(cluster, times)
    a, b = (np.repeat(each, times) for each in values if each is not None)
    low, high = bound.range
    made = compare_values(
        a,
        b,
        names=joint.names,
        measure=bound.spelling,
        unit="query" if item == "query" else "item",
        test=test,
        method="auto" if how.method == "auto" else how.method,
        alternative=how.alternative,
        higher_is_better=bound.measure.higher_is_better is not False,
        level=how.level,
        margin=how.margin,
        cluster=cluster,
        range=(low, high) if np.isfinite([low, high]).all() else None,
        n_resamples=how.n_resamples,
        random_state=how.random_state,
    )
    return replace(made, item=item)
