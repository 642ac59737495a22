"""Notes on a comparison of paired values."""

from __future__ import annotations

import math

import numpy as np

from assay.errors import plural
from assay.notes import Aside, Headed
from assay.texts import numeral
from assay.uncertainty.hypotheses import OF_RANKS
from assay.uncertainty.two.testing import FEW_TO, LIBERAL
from assay.uncertainty.values.folds import Folds, spread_note
from assay.uncertainty.values.pairs import ValuePairs

SKEWED = 1.5  # standard errors of a skewness that is worth a sentence: one in eight normal samples has as much
SEEN_FROM = 10  # values below which skewness can hardly be seen
MATTERS_TO = 50  # values up to which it matters for tests of the mean
LIBERAL_TO = 30  # values up to which the bootstrap test is liberal
FEW = (
    "the bootstrap test is liberal with few values: at 5% it rejected 12% of simulated ties with 8 values and 8% with "
    "15 to 30; the randomization test and the t test did not"
)
# How often two equally good nearest-neighbor learners were told apart at 5%: their folds are more correlated than most.
EQUAL = "in simulations of two equally good nearest-neighbor learners, this test at 5% found a difference in"
NEIGHBORS = {
    "5x2cv": f"{EQUAL} 13 to 19% of samples, so it can be liberal",
    "5x2cv_f": f"{EQUAL} 13 to 19% of samples, so it can be liberal",
    "corrected_t": f"{EQUAL} 2 to 9% of samples",
    "corrected_t over repetitions": f"{EQUAL} 6 to 16% of samples over repeated folds, so it can be liberal; over one "
    "division into ten folds, in 2 to 9%",
}


def notes(pairs: ValuePairs, folds: Folds | None, test: str, alternative: str, level: float) -> list[str]:
    """What a reader should know about the values, whichever test was made."""
    out: list[str] = []
    a, b = pairs.names
    if test != "sign":
        wins, losses = int((pairs.d > 0).sum()), int((pairs.d < 0).sum())
        ties = pairs.n - wins - losses
        out.append(Aside(f"{a} is higher on {plural(wins, pairs.noun)} and {b} on {losses:,}; {plural(ties, 'tie')}"))
    if pairs.rounded:
        differ = f"{plural(pairs.rounded, pairs.noun)}: the values differ"
        out.append(Aside(f"{differ} by rounding alone, such as 0.1 + 0.2 and 0.3, and count as tied"))
    if folds is not None:
        out.append(Aside(f"folds: {folds.note}"))
        repeated = test == "corrected_t" and len(set(folds.repeats)) > 1
        known = NEIGHBORS.get("corrected_t over repetitions" if repeated else test)
        out += [] if known is None else [Headed(known, "over folds, p is approximate", known)]
    wide = None if pairs.binary else spread_note(pairs.a, pairs.b, pairs.names)
    more = (unreachable(pairs, test, alternative, level), wide, skewness_note(pairs, test), _liberal(pairs, test))
    return out + [note for note in more if note is not None]


def _liberal(pairs: ValuePairs, test: str) -> str | None:
    """A note where the bootstrap test is known to be liberal."""
    if test != "bootstrap" or pairs.identical:
        return None
    if pairs.cluster is not None:
        return LIBERAL if len(np.unique(pairs.cluster)) <= FEW_TO else None
    return FEW if pairs.n <= LIBERAL_TO else None


def skewness_note(pairs: ValuePairs, test: str) -> str | None:
    """A note where the differences look skewed, or are too few to tell: equal means are then rejected too often."""
    if pairs.unit == "fold" or pairs.binary or test == "none" or len(pairs.sums) < 3:
        return None
    of_mean, n = test not in OF_RANKS, len(pairs.sums)
    found, error = skewness(pairs), math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    if found is None or (of_mean and n > MATTERS_TO):
        return None
    if abs(found) <= SKEWED * error:
        few = f"{plural(n, 'difference')} are too few to see whether they are skewed"
        return f"{few}; {_how_often(test)}" if n < SEEN_FROM else None
    side = pairs.names[0 if found > 0 else 1]
    told, short = _how_often(test), "the differences are skewed"
    return Headed(
        f"{short}, with a long tail in favor of {side} (skewness {numeral(found, '+.2g')}); {told}", short, told
    )


def _how_often(test: str) -> str:
    simulated = "in simulations of skewed differences with mean 0, this test rejected"
    if test not in OF_RANKS:
        often = "12 to 23%" if test == "bootstrap" else "10 to 17%"
        return f"{simulated} {often} of samples at 5% (8 to 50 lognormal values)"
    return f"{simulated} half of samples of 20 and nearly all of 100 at 5%, because it is not a test of the mean"


def skewness(pairs: ValuePairs) -> float | None:
    """The third moment of the differences in their standard deviations; None where they do not vary."""
    off = pairs.sums - pairs.sizes * pairs.difference
    spread = float(np.mean(off**2))
    if spread <= (1e-9 * float(np.abs(pairs.sums).max(initial=0))) ** 2:
        return None
    return float(np.mean(off**3)) / math.sqrt(spread) ** 3


def least_p(pairs: ValuePairs, test: str, alternative: str) -> float | None:
    """The smallest p-value that the test could give with this many values that differ; None where that is unknown."""
    if test not in ("randomization", "wilcoxon", "sign") or pairs.identical:
        return None
    moved = int((pairs.sums != 0).sum())
    return min((2.0 if alternative == "two-sided" else 1.0) * 0.5**moved, 1.0)


def unreachable(pairs: ValuePairs, test: str, alternative: str, level: float) -> str | None:
    """A note where no outcome of this test could count as a finding."""
    smallest = least_p(pairs, test, alternative)
    if smallest is None or smallest <= 1 - level + 1e-12:
        return None
    moved = int((pairs.sums != 0).sum())
    differ = plural(moved, pairs.noun if pairs.cluster is None else "cluster")
    return f"only {differ} differ{'s' if moved == 1 else ''}: this test cannot give a p-value below {smallest:.3g}"
