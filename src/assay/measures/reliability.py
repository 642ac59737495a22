"""What lies behind a Brier score and a calibration error: their parts, and what luck alone would show."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.errors import DataError, plural
from assay.measures.bins import BINS, Bins, binned
from assay.options import LEVEL, SEED
from assay.tally.losses import squared
from assay.tally.sampling import Floats, add_up
from assay.tally.scored import ByScore, Scored
from assay.tally.section import Cell, Section

DRAWS = 999
AT_ONCE = 1 << 22  # labels are drawn score by score up to so many numbers, and bin by bin beyond


# ---------------------------------------------------------------------- the parts of the Brier score
@dataclass(frozen=True)
class BrierParts:
    """brier = reliability − resolution + uncertainty + within: Murphy's three parts and what bins leave of the scores.

    `within` is 0 where every score has a bin of its own (bins=None). But then scores that hardly any two items share
    leave resolution at its largest and say nothing, so that bins are what shows anything.
    """

    brier: float
    reliability: float  # Σ n (p̄ − ȳ)² / n over bins: 0 where every bin has the share of positives that it expects
    resolution: float  # Σ n (ȳ of the bin − ȳ)² / n: how far bins differ in what comes true; at most the uncertainty
    uncertainty: float  # ȳ (1 − ȳ): the Brier score of the base rate
    within: float  # spread of scores within bins, less twice how well it follows what comes true
    bins: int | None
    binning: str


def brier_parts(tally: Scored, bins: int | None = BINS, binning: str = "mass") -> BrierParts:
    """The parts of the Brier score over bins, which add up to it exactly (Murphy, 1973; Stephenson et al., 2008)."""
    e = _probabilities(tally)
    found = binned(e, bins, binning)
    n, items = float(found.items.sum()), np.maximum(found.items, np.finfo(np.float64).tiny)
    expected, came = found.expected / items, found.positive / items
    base = float(found.positive.sum()) / n
    positive, negative = squared(e.score)
    spread, follows = _within(e, found, expected, came)
    return BrierParts(
        brier=float((e.pos * positive + e.neg * negative).sum()) / n,
        reliability=float((found.items * (expected - came) ** 2).sum()) / n,
        resolution=float((found.items * (came - base) ** 2).sum()) / n,
        uncertainty=base * (1 - base),
        within=(spread - 2 * follows) / n,
        bins=bins,
        binning=binning,
    )


def _within(e: ByScore, found: Bins, expected: Floats, came: Floats) -> tuple[float, float]:
    """Sums of squares of scores, and of products of scores and outcomes, around the means of their bins."""
    off = e.score - expected[found.index]
    own = came[found.index]
    return float(((e.pos + e.neg) * off**2).sum()), float((off * (e.pos * (1 - own) - e.neg * own)).sum())


# ---------------------------------------------------------------------- the calibration error if there were none
@dataclass(frozen=True)
class EceIfCalibrated:
    """The expected calibration error beside what perfectly calibrated scores would show by luck alone."""

    value: float
    expected: float  # the mean over labels that were drawn from the scores themselves
    low: float  # between these lies the error of perfectly calibrated scores so often
    high: float
    level: float
    corrected: float  # √(value² − expected²), or 0: by simulation nearer to the truth than the value itself
    draws: int
    seed: int

    @property
    def within_luck(self) -> bool:
        """Whether perfectly calibrated scores would often show as much."""
        return self.value <= self.high


def ece_if_calibrated(
    tally: Scored,
    bins: int = BINS,
    binning: str = "mass",
    *,
    level: float = LEVEL,
    draws: int = DRAWS,
    random_state: int = SEED,
) -> EceIfCalibrated:
    """The calibration error beside that of labels drawn from the scores, items being taken as independent.

    Labels are drawn score by score; where that would be too many numbers, or rows are weighted, the gap of each bin is
    drawn from the normal distribution with its variance.
    """
    e = _probabilities(tally)
    found = binned(e, bins, binning)
    n = float(found.items.sum())
    squares = ByScore.of(tally, tally.mass if tally.weights is None else tally.weights.squares)
    gaps = _drawn(tally, e, squares, found, draws, random_state)
    errors = np.abs(gaps).sum(-1) / n
    low, high = np.quantile(errors, [(1 - level) / 2, (1 + level) / 2])
    value = float(np.abs(found.gap).sum()) / n
    return EceIfCalibrated(
        value=value,
        expected=float(errors.mean()),
        low=float(low),
        high=float(high),
        level=level,
        corrected=math.sqrt(max(value**2 - float(errors.mean()) ** 2, 0.0)),
        draws=draws,
        seed=random_state,
    )


def _drawn(tally: Scored, e: ByScore, squares: ByScore, found: Bins, draws: int, seed: int) -> Floats:
    """Gaps of the bins when labels come true as often as the scores say: shape (draws, bins)."""
    rng = np.random.default_rng(seed)
    if tally.weights is None and draws * len(e.score) <= AT_ONCE:
        items = (e.pos + e.neg).astype(np.int64)
        came = rng.binomial(items, e.score, size=(draws, len(items)))
        in_bin = found.index[:, None] == np.arange(len(found.items))
        return np.asarray((came - items * e.score) @ in_bin)
    variance = _by_bin(found, (squares.pos + squares.neg) * e.score * (1 - e.score))
    return np.asarray(np.sqrt(variance) * rng.standard_normal((draws, len(variance))))


def _by_bin(found: Bins, each: Floats) -> Floats:
    return add_up(found.index, each, len(found.items))


# ---------------------------------------------------------------------- what is shown
def calibration_section(tally: Scored, bins: int = BINS, binning: str = "mass") -> Section | None:
    """The parts of the Brier score and the calibration error as a table; None where scores are no probabilities."""
    if not tally.probabilities or tally.n == 0:
        return None
    parts, error = brier_parts(tally, bins, binning), ece_if_calibrated(tally, bins, binning)
    filled = int((binned(_probabilities(tally), bins, binning).items > 0).sum())
    luck = f"{error.low:.4f} to {error.high:.4f} in {error.level:.0%} of draws"
    rows = (
        ("Brier score", _cell(parts.brier, "reliability − resolution + uncertainty + within bins")),
        ("  reliability", _cell(parts.reliability, "0 where every bin comes true as often as it says")),
        ("  resolution", _cell(parts.resolution, "how far the bins differ in what comes true")),
        ("  uncertainty", _cell(parts.uncertainty, "the Brier score of the base rate")),
        ("  within bins", _cell(parts.within, "what the bins leave of the scores")),
        ("calibration error", _cell(error.value, plural(filled, "bin"))),
        ("  if calibrated", _cell(error.expected, luck)),
        ("  less luck", _cell(error.corrected, "√(error² − error if calibrated²)")),
    )
    return Section("calibration", ("value",), rows, _over(filled, bins, binning), beside="explanations")


def _over(filled: int, bins: int, binning: str) -> str:
    """Which bins were looked at; equal scores stay in one, so that some bins may hold nothing."""
    alike = "with about as many items each" if binning == "mass" else "of the same width"
    return f"over {bins} bins {alike}" if filled == bins else f"over the {filled} of {bins} bins that hold items"


def _cell(value: float, note: str) -> tuple[Cell]:
    return (Cell(f"{value:.4f}", note, value=value),)


def _probabilities(tally: Scored) -> ByScore:
    given: object = tally
    if not isinstance(given, Scored):
        what = type(given).__name__
        raise DataError(f"a '{what}' is no tally of scores; make one with assay.Scored.from_scores(y_true, y_score).")
    if not tally.probabilities:
        raise DataError("scores lie outside [0, 1], so they are not probabilities and have no calibration.")
    if tally.n == 0:
        raise DataError(f"there are no {tally.item}s.")
    return ByScore.of(tally, tally.mass)
