"""What is said about a comparison of paired values besides its numbers."""

from __future__ import annotations

import math

import numpy as np

from assay.errors import in_plural, plural
from assay.uncertainty.two.testing import FEW_TO, LIBERAL
from assay.uncertainty.values.folds import Folds, spread_note
from assay.uncertainty.values.pairs import ValuePairs

OF_RANKS = ("wilcoxon", "sign")  # tests that read no mean
FOLD_TESTS = ("corrected_t", "5x2cv", "5x2cv_f")
SKEWED = 1.5  # standard errors of a skewness that is worth a sentence: one in eight normal samples has as much
SEEN_FROM = 10  # values below which skewness can hardly be seen
MATTERS_TO = 50  # values up to which it matters to tests of the mean
LIBERAL_TO = 30  # values up to which the bootstrap test finds too much
FEW = (
    "the bootstrap test of few values finds too much: at 5% it rejected 12% of simulated ties with 8 values and 8% "
    "with 15 to 30; the randomization test and the t test did not"
)
# How often ties of two learners by nearest neighbors were rejected at 5%: their folds hang together more than most.
NEIGHBORS = {
    "5x2cv": "of nearest-neighbor learners this test rejected 13 to 19% of ties at 5%, so it can find too much",
    "5x2cv_f": "of nearest-neighbor learners this test rejected 13 to 19% of ties at 5%, so it can find too much",
    "corrected_t": "of nearest-neighbor learners this test rejected 2 to 9% of ties at 5%",
    "corrected_t over repetitions": "of nearest-neighbor learners this test rejected 6 to 16% of ties at 5% over "
    "repeated folds, so it can find too much; over one division into ten folds 2 to 9%",
}


def hypotheses(pairs: ValuePairs, measure: str, test: str, alternative: str) -> tuple[str, str]:
    """What the test supposes, and what would speak against it, as sentences that name what the test is about."""
    (a, b), noun = pairs.names, pairs.noun
    if test == "none":
        return "no test was made.", "no test was made."
    like = f"over all {in_plural(noun)} like these"
    unit = "cluster" if pairs.cluster is not None else noun
    side = {"two-sided": "not 0", "greater": "above 0", "less": "below 0"}[alternative]
    zero = {"two-sided": "0", "greater": "at most 0", "less": "at least 0"}[alternative]
    who, higher = {
        "two-sided": (f"one of {a} and {b}", "higher"),
        "greater": (a, f"higher than {b}"),
        "less": (a, f"lower than {b}"),
    }[alternative]
    if test == "randomization":
        return (
            f"{a} and {b} are exchangeable {unit} by {unit}, so that their differences lie symmetrically around 0.",
            f"the differences do not lie symmetrically around 0: their mean is {side}.",
        )
    if test == "wilcoxon":
        return (
            f"the differences between {a} and {b} lie symmetrically around 0 {like}.",
            f"the pseudo-median of the differences, the middle of the means of any two, is {side}: "
            f"{who} tends to be {higher}. This is not about their mean.",
        )
    if test == "sign":
        return (
            f"where they differ, {a} and {b} are higher equally often {like}.",
            f"{who} is {higher} more often. This is not about how much higher, nor about the mean.",
        )
    if test in FOLD_TESTS:
        return (
            f"trained on data like these, {a} and {b} have the same expected {measure}.",
            f"the expected difference in {measure} between {a} and {b} is {side}.",
        )
    return (
        f"the mean difference in {measure} between {a} and {b} is {zero} {like}.",
        f"the mean difference in {measure} between {a} and {b} is {side} {like}.",
    )


def notes(pairs: ValuePairs, folds: Folds | None, test: str, alternative: str, level: float) -> list[str]:
    """What a reader should know of the values, whichever test was made."""
    out, (a, b) = [], pairs.names
    if test != "sign":
        wins, losses = int((pairs.d > 0).sum()), int((pairs.d < 0).sum())
        ties = pairs.n - wins - losses
        out.append(f"{a} is higher on {plural(wins, pairs.noun)} and {b} on {losses:,}; {ties:,} equal")
    if folds is not None:
        out.append(f"folds: {folds.note}")
        repeated = test == "corrected_t" and len(set(folds.repeats)) > 1
        known = NEIGHBORS.get("corrected_t over repetitions" if repeated else test)
        out += [] if known is None else [known]
    wide = None if pairs.binary else spread_note(pairs.a, pairs.b, pairs.names)
    more = (unreachable(pairs, test, alternative, level), wide, skewness_note(pairs, test), _liberal(pairs, test))
    return out + [note for note in more if note is not None]


def _liberal(pairs: ValuePairs, test: str) -> str | None:
    """A note where the bootstrap test is known to find too much."""
    if test != "bootstrap" or pairs.identical:
        return None
    if pairs.cluster is not None:
        return LIBERAL if len(np.unique(pairs.cluster)) <= FEW_TO else None
    return FEW if pairs.n <= LIBERAL_TO else None


def skewness_note(pairs: ValuePairs, test: str) -> str | None:
    """A note where the differences look skewed, or are too few to tell: equal means are then told apart too often."""
    if pairs.unit == "fold" or pairs.binary or test == "none" or len(pairs.sums) < 3:
        return None
    of_mean, n = test not in OF_RANKS, len(pairs.sums)
    found, error = skewness(pairs), math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    if found is None or (of_mean and n > MATTERS_TO):
        return None
    if abs(found) <= SKEWED * error:
        few = f"{plural(n, 'difference')} are too few to see whether they are skewed; of skewed ones with a mean of 0 "
        return f"{few}{_how_often(test)}" if n < SEEN_FROM else None
    side = pairs.names[0 if found > 0 else 1]
    return (
        f"the differences are skewed, with a long tail in favor of {side} (skewness {found:+.2g}): of skewed ones with "
        f"a mean of 0 {_how_often(test)}"
    )


def _how_often(test: str) -> str:
    if test not in OF_RANKS:
        often = "12 to 23%" if test == "bootstrap" else "10 to 17%"
        return f"this test rejected {often} in simulations at 5% (8 to 50 lognormal values)"
    often = "this test rejected half of samples of 20 and nearly all of 100 in simulations at 5%"
    return f"{often}, because it asks for something else than the mean"


def skewness(pairs: ValuePairs) -> float | None:
    """The third moment of the differences in their standard deviations; None where they do not spread."""
    off = pairs.sums - pairs.sizes * pairs.difference
    spread = float(np.mean(off**2))
    if spread <= (1e-9 * float(np.abs(pairs.sums).max(initial=0))) ** 2:
        return None
    return float(np.mean(off**3)) / math.sqrt(spread) ** 3


def least_p(pairs: ValuePairs, test: str, alternative: str) -> float | None:
    """The smallest p-value that the test could give with as many values that differ; None where that is not known."""
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
