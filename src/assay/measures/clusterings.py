"""Measures of clusterings against classes."""

from __future__ import annotations

from assay.measures.declare.average import ratio
from assay.measures.declare.examples import SIX_ITEMS
from assay.measures.declare.facts import Convention, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import Jackknife
from assay.measures.declare.measure import measure
from assay.tally.clusterings import Contingency, Pairs
from assay.tally.contract.sampling import Floats

family(Contingency, "from_labels", Pairs)


@measure(
    reads=Pairs,
    range=(-0.5, 1),
    best=1,
    undefined="there are no items",
    interval=Jackknife(),
    no_skill=0.0,
    convention=Convention(1.0, "both partitions are the same trivial one"),
    worked=(
        Worked(
            SIX_ITEMS,
            {},
            (4 - 6 * 7 / 15) / ((6 + 7) / 2 - 6 * 7 / 15),
            "4 shared pairs; 6 · 7 / 15 expected",
        ),
    ),
    cite="hubert1985",
    title="Adjusted Rand index",
    aliases=("ari", "adjusted_rand_score"),
)
def adjusted_rand(e: Pairs) -> Floats:
    """Agreement of two partitions on pairs of items, beyond what groups of these sizes would share by chance.

    (shared − expected) / (mean of class pairs and group pairs − expected), expected = class pairs · group pairs / pairs
    """
    expected = ratio(e.gold * e.group, e.all)
    return ratio(e.cell - expected, (e.gold + e.group) / 2 - expected)
