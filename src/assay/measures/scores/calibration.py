"""Calibration: bins, curves, the parts of a Brier score, and what chance alone would show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import DataError, OptionError, choose, in_plural, plural
from assay.measures.scores.curves import Curve
from assay.options import BINNINGS, CURVE_BINS, LEVEL, SEED
from assay.sources.given import whole_number
from assay.tables import Cell, Section
from assay.tally.contract.sampling import Floats, Ints, add_up, running
from assay.tally.losses import squared
from assay.tally.scores import ByScore, Scored
from assay.texts import numeral

BINS = 15
MOST = 10_000  # bins that are processed one by one
CLOSE = 1e-12  # shares of items that rounding may keep apart


@dataclass(frozen=True, eq=False)
class Bins:
    """Items in runs of neighboring scores, and sums over them: shape (..., bins)."""

    e: ByScore
    ends: Ints  # where each bin starts among the scores, and where the last one ends: shape (..., bins + 1)

    @cached_property
    def items(self) -> Floats:
        """How many items each bin holds."""
        return _between(self.e.pos + self.e.neg, self.ends)

    @cached_property
    def positive(self) -> Floats:
        """How many of them are positive."""
        return _between(self.e.pos, self.ends)

    @cached_property
    def expected(self) -> Floats:
        """The sum of their scores."""
        return _between((self.e.pos + self.e.neg) * np.clip(self.e.score, 0, 1), self.ends)

    @cached_property
    def gap(self) -> Floats:
        """Positive items minus the number that the scores expect."""
        return _between(self.e.pos - (self.e.pos + self.e.neg) * np.clip(self.e.score, 0, 1), self.ends)

    @property
    def index(self) -> Ints:
        """The bin of each distinct score: shape (..., scores)."""
        size = np.diff(self.ends, axis=-1)
        return np.repeat(np.arange(size.size) % size.shape[-1], size.ravel()).reshape(self.e.pos.shape)


def into_bins(e: ByScore, bins: int | None = BINS, binning: str = "mass") -> Bins:
    """Items in bins of about the same number of items, or of the same width; None gives every score its own bin.

    By mass: items with equal scores stay together, in the bin where their middle falls among all n items in order:
    bin ⌊bins · (items below + half of these) / n⌋. By width: bin b holds the scores above b / bins up to
    (b + 1) / bins; the first bin also holds 0.
    """
    if bins is None:
        return Bins(e, np.broadcast_to(np.arange(len(e.score) + 1), (*e.pos.shape[:-1], len(e.score) + 1)))
    if not whole_number(bins, 1) or bins > MOST:
        raise OptionError(f"bins is {bins!r}; it is a whole number from 1 to {MOST:,}.")
    choose(binning, BINNINGS, "binning")
    if binning == "width":
        return Bins(e, np.broadcast_to(_ends_by_width(e, bins), (*e.pos.shape[:-1], bins + 1)))
    items = e.pos + e.neg
    so_far = running(items)
    return Bins(e, _ends_by_mass(so_far, items, so_far[..., -1], bins))


def _ends_by_width(e: ByScore, bins: int) -> Ints:
    inner = np.searchsorted(e.score, np.arange(1, bins) / bins, side="right")
    return np.concatenate([[0], inner, [len(e.score)]])


def _ends_by_mass(so_far: Floats, items: Floats, total: Floats, bins: int) -> Ints:
    """Where each bin starts: at one of the first scores up to which there are enough items for their middle."""
    wanted, (*shape, scores) = np.arange(1, bins), items.shape
    n = np.maximum(total, np.finfo(np.float64).tiny)[..., None]
    least = wanted * n / bins * (1 - CLOSE)
    least = np.ceil(least).astype(np.int32) if so_far.dtype == np.int32 else least
    rows = zip(so_far.reshape(-1, scores), least.reshape(math.prod(shape), bins - 1), strict=True)
    start = np.concatenate([row.searchsorted(at) for row, at in rows]).reshape(*shape, bins - 1)
    first = scores * np.arange(math.prod(shape)).reshape(*shape, 1)
    for _ in range(2):  # the middle of the second one lies above all items up to the first
        at = first + np.minimum(start, scores - 1)
        before = so_far.ravel()[at] - items.ravel()[at] / 2
        start = start + ((np.floor(bins * (before / n)) < wanted) & (start < scores))
    edge = np.zeros((*shape, 1), np.int64)
    return np.concatenate([edge, start, edge + scores], axis=-1)


def _between(x: Floats, ends: Ints) -> Floats:
    """Sums over the runs between these ends."""
    held = ends[..., :-1] < ends[..., 1:]
    starts = ends[..., :-1] + x.shape[-1] * np.arange(math.prod(x.shape[:-1])).reshape(*x.shape[:-1], 1)
    out = np.zeros(held.shape)
    if x.size:
        out[held] = np.add.reduceat(x.ravel(), starts[held])
    return out


def without_each(e: ByScore, bins: int, binning: str) -> Iterator[Iterator[tuple[Floats, Floats]]]:
    """The items and the gap of one bin after the other, without a positive and without a negative item of each score.

    Below the item everything stays; above it, the middle of every score has one item fewer before it.
    """
    items, place = e.pos + e.neg, np.arange(len(e.score))
    score, so_far, n = np.clip(e.score, 0, 1), running(e.pos + e.neg), (e.pos + e.neg).sum() - 1
    if binning == "mass":
        below, above = (_ends_by_mass(so_far - gone, items, n, bins) for gone in (0, 1))
        own = np.floor(bins * ((so_far - 1 - (items - 1) / 2) / max(n, np.finfo(np.float64).tiny)))
    else:
        below = above = _ends_by_width(e, bins)
        own = np.searchsorted(below[1:-1], place, side="right").astype(np.float64)
    sums = [np.concatenate([[0.0], np.cumsum(x)]) for x in (items, e.pos - items * score)]

    def each(gap: Floats) -> Iterator[tuple[Floats, Floats]]:
        def up_to(b: int) -> tuple[Floats, Floats]:
            end = np.where(below[b] < place, below[b], np.where(own >= b, place, np.maximum(above[b], place + 1)))
            end = np.full_like(place, below[b]) if b in (0, bins) else end
            return sums[0][end] - (end > place), sums[1][end] - np.where(end > place, gap, 0.0)

        start = up_to(0)
        for b in range(1, bins + 1):
            stop = up_to(b)
            yield stop[0] - start[0], stop[1] - start[1]
            start = stop

    return (each(came - score) for came in (1.0, 0.0))


DRAWS = 999
AT_ONCE = 1 << 22  # up to this many numbers labels are drawn score by score, beyond it bin by bin


# ---------------------------------------------------------------------- the parts of the Brier score
@dataclass(frozen=True)
class BrierParts:
    """brier = reliability − resolution + uncertainty + within: Murphy's three parts and the spread within bins.

    `within` is 0 if every score has a bin of its own (bins=None). But if hardly any two items then share a score,
    resolution is at its largest and tells nothing; bins are needed to learn anything.
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
    found = into_bins(e, bins, binning)
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
    """The expected calibration error, and what perfectly calibrated scores would show by chance alone."""

    value: float
    expected: float  # the mean over labels that were drawn from the scores themselves
    low: float  # the error of perfectly calibrated scores lies between these with probability `level`
    high: float
    level: float
    corrected: float  # √(value² − expected²), or 0: in simulations closer to the true value than the raw value
    draws: int
    seed: int

    @property
    def within_luck(self) -> bool:
        """Whether perfectly calibrated scores would often show an error as large."""
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
    """The calibration error, and that of labels drawn from the scores; items are assumed to be independent.

    Labels are drawn score by score; if that takes too many numbers, or rows are weighted, the gap of each bin is
    drawn from the normal distribution with its variance.
    """
    e = _probabilities(tally)
    found = into_bins(e, bins, binning)
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


def mce_by_luck(tally: Scored, bins: int = BINS, binning: str = "mass") -> float:
    """The expected largest gap of a bin if labels come true as often as the scores say."""
    e = _probabilities(tally)
    found = into_bins(e, bins, binning)
    squares = ByScore.of(tally, tally.mass if tally.weights is None else tally.weights.squares)
    some = found.items > 0
    gaps = _drawn(tally, e, squares, found, DRAWS, SEED)[:, some] / found.items[some]
    return float(np.abs(gaps).max(-1).mean())


def _drawn(tally: Scored, e: ByScore, squares: ByScore, found: Bins, draws: int, seed: int) -> Floats:
    """Gaps of the bins if labels come true as often as the scores say: shape (draws, bins)."""
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
    """The parts of the Brier score and the calibration error as a table; None if scores are not probabilities."""
    if not tally.probabilities or tally.n == 0:
        return None
    parts, error = brier_parts(tally, bins, binning), ece_if_calibrated(tally, bins, binning)
    filled = int((into_bins(_probabilities(tally), bins, binning).items > 0).sum())
    luck = f"{error.low:.4f} to {error.high:.4f} in {error.level:.0%} of draws"
    rows = (
        ("Brier score", _cell(parts.brier, "reliability − resolution + uncertainty + within bins")),
        ("  reliability", _cell(parts.reliability, "0 if the share of positives in every bin equals its mean score")),
        ("  resolution", _cell(parts.resolution, "how far the bins differ in what comes true")),
        ("  uncertainty", _cell(parts.uncertainty, "the Brier score of the base rate")),
        ("  within bins", _cell(parts.within, "spread of the scores within bins")),
        ("calibration error", _cell(error.value, plural(filled, "bin"))),
        ("  if calibrated", _cell(error.expected, luck)),
        ("  minus chance", _cell(error.corrected, "√(error² − error if calibrated²)")),
    )
    return Section("calibration", ("value",), rows, _over(filled, bins, binning), beside="explanations")


def _over(filled: int, bins: int, binning: str) -> str:
    """Which bins were used; equal scores stay in one bin, so some bins may be empty."""
    alike = "with about as many items each" if binning == "mass" else "of the same width"
    return f"over {bins} bins {alike}" if filled == bins else f"over the {filled} of {bins} bins that hold items"


def _cell(value: float, note: str) -> tuple[Cell]:
    return (Cell(numeral(value, ".4f"), note, value=value),)


def _probabilities(tally: Scored) -> ByScore:
    given: object = tally
    if not isinstance(given, Scored):
        what = type(given).__name__
        raise DataError(f"a '{what}' is not a tally of scores; use assay.Scored.from_scores(y_true, y_score).")
    if not tally.probabilities:
        raise DataError("scores lie outside [0, 1], so they are not probabilities and have no calibration.")
    if tally.n == 0:
        raise DataError(f"there are no {in_plural(tally.item)}.")
    return ByScore.of(tally, tally.mass)


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Curve):
    """Share of positives against the mean score, in bins of scores; `threshold` is the lowest score of each."""

    mass: Floats  # how many items lie in each bin, or how much they weigh
    into: Ints  # the bin of every unit of the tally
    tally: Scored
    binning: str

    kind: ClassVar[str] = "calibration"
    axes: ClassVar[tuple[str, str]] = ("Mean score in bin", "Share of positives")

    @classmethod
    def of(cls, tally: Scored, bins: int = CURVE_BINS, binning: str = "mass") -> Calibration:
        """The curve of a tally; equal scores stay in one bin, so there may be fewer bins than requested."""
        place = calibration_bins(tally, bins, binning)
        e, start = ByScore.of(tally, tally.mass), np.flatnonzero(np.diff(place, prepend=-1))
        mass, pos = np.add.reduceat(e.pos + e.neg, start), np.add.reduceat(e.pos, start)
        mean = np.add.reduceat((e.pos + e.neg) * e.score, start) / mass
        return cls(mean, pos / mass, e.score[start], mass, place[tally.place], tally, binning)

    @property
    def prob_pred(self) -> Floats:
        """The mean score of each bin."""
        return self.x

    @property
    def prob_true(self) -> Floats:
        """The share of positives in each bin."""
        return self.y

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.prob_true, self.prob_pred))

    def deviations(self) -> Floats:
        """How far each unit differs from the share of its bin."""
        return self.tally.keys["positive"] - self.y[self.into]


def calibration_bins(tally: Scored, bins: int = CURVE_BINS, binning: str = "mass") -> Ints:
    """The bin of every distinct score, from the lowest up, numbered without gaps."""
    scores = tally.scores
    if not tally.probabilities:
        raise DataError(
            f"calibration needs probabilities, but these scores range from {scores[0]:g} to {scores[-1]:g}; "
            "turn them into probabilities from 0 to 1 first."
        )
    e = ByScore.of(tally, tally.mass)
    raw = into_bins(e, bins, binning).index
    # A score whose items have no weight joins its neighbor: it forms no bin.
    some = np.flatnonzero(e.pos + e.neg > 0)
    near = some[np.maximum(np.searchsorted(some, np.arange(len(raw)), side="right") - 1, 0)]
    return np.unique(raw[near], return_inverse=True)[1].astype(np.int64)


def calibration_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object | None = None,
    bins: int = CURVE_BINS,
    binning: str = "mass",
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> Calibration:
    """Share of positives against mean score in bins; unpacks as `prob_true, prob_pred`."""
    how: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight, "cluster": cluster}
    return Calibration.of(Scored.from_scores(y_true, y_score, **how), bins, binning)
