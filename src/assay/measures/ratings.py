"""Measures of agreement between annotators."""

from __future__ import annotations

from assay.measures.declare.average import ratio
from assay.measures.declare.examples import FOUR_UNITS
from assay.measures.declare.facts import Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import Jackknife
from assay.measures.declare.measure import measure
from assay.tally.contract.sampling import Floats
from assay.tally.ratings import Coincidences, Rated

family(Rated, "from_ratings", Coincidences)


@measure(
    reads=Coincidences,
    range=(-1, 1),
    best=1,
    undefined="only one category was used, or no unit has two ratings",
    interval=Jackknife(),
    no_skill=0.0,
    worked=(Worked(FOUR_UNITS, {}, 1 / 12, "1 − 14 · (15 − 23/3) / (15² − 8² − 7²)"),),
    cite="krippendorff2011",
    title="Krippendorff's alpha",
    aliases=("alpha",),
)
def krippendorff_alpha(e: Coincidences) -> Floats:
    """Agreement of raters beyond the chance agreement expected from how often each category was used.

    1 − (n − 1)(n − Σ agreed) / (n² − Σ chosen²), n the number of pairable ratings
    """
    n = e.chosen.sum(-1)
    return 1 - ratio((n - 1) * (n - e.agreed.sum(-1)), n * n - (e.chosen**2).sum(-1))
