"""Tests of paired values, each on the differences alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import plural
from assay.notes import Aside
from assay.tally.contract.sampling import Floats, Ints
from assay.texts import numeral
from assay.uncertainty.one.resample import CHUNK
from assay.uncertainty.one.shares import normal_p, student_p
from assay.uncertainty.results import Statistic
from assay.uncertainty.two import signs as grid
from assay.uncertainty.two.signs import TOLERANCE, tail
from assay.uncertainty.values.all_resamples import LARGE, UNSEEN, AllResamples
from assay.uncertainty.values.pairs import ValuePairs

FORM = "from the distribution of all resamples; nothing was drawn"
EXACT_RANKS = 50  # up to this many signed ranks the distribution is enumerated; beyond, the normal one is close


@dataclass(frozen=True)
class Drawing:
    """How draws are made and counted."""

    draws: int
    seed: int
    exact: bool = True  # enumerate the distribution instead, where that is possible
    strict: bool = False  # the bootstrap counts only draws more extreme than observed, not those equally extreme
    raw: bool = False  # s/b in place of (s + 1)/(b + 1)

    def p(self, extreme: int, draws: int) -> float:
        """The p-value of this many extreme draws."""
        return extreme / draws if self.raw else (extreme + 1) / (draws + 1)


@dataclass(frozen=True)
class Judged:
    """A p-value and what it was computed from; None where the differences do not determine it."""

    p: float | None
    statistic: Statistic | None
    draws: int | None = None
    extreme: int | None = None
    notes: tuple[str, ...] = ()
    form: str = ""  # how p was found, where it was neither drawn nor enumerated
    leaning: int | None = None  # whose values are found higher, where the mean does not decide: 1 for A, −1 for B


# ---------------------------------------------------------------------- sign flips
def flips(pairs: ValuePairs, alternative: str, drawing: Drawing) -> Judged:
    """Exchange A and B by a coin per pair, or per cluster: the share of sums at least as extreme as observed."""
    total = float(pairs.sums.sum())
    found = tail(pairs.sums, None, total, alternative, draws=drawing.draws, seed=drawing.seed, exact=drawing.exact)
    p = found.p if found.extreme is None else drawing.p(found.extreme, drawing.draws)
    return Judged(p, _mean(pairs), found.counted, found.extreme, form=found.words)


def _mean(pairs: ValuePairs) -> Statistic:
    return Statistic("mean difference", pairs.difference)


def _far(values: Any, observed: float, alternative: str, strict: bool = False, part: float = 1.0) -> Any:
    """Which sums are at least as extreme as observed, or more; differences due to rounding count as equal."""
    slack = TOLERANCE * max(abs(observed), part) * (-1 if strict else 1)
    if alternative == "two-sided":
        return np.abs(values) >= abs(observed) - slack
    side = 1 if alternative == "greater" else -1
    return side * values >= side * observed - slack


# ---------------------------------------------------------------------- bootstrap
def shifted_bootstrap(pairs: ValuePairs, alternative: str, drawing: Drawing) -> Judged:
    """Resampled differences lie around the observed one, so δ* ≥ 2δ is δ* − δ ≥ δ: a null around 0 (2δ shift)."""
    if pairs.identical:
        return Judged(1.0, _mean(pairs), draws=1)
    d = pairs.difference
    parts = grid.on_grid(pairs.d) if drawing.exact and pairs.cluster is None else None
    chances = None if parts is None else grid.resampled_chances(parts)
    if parts is not None and chances is not None:
        total = int(parts.sum())
        sums = pairs.n * int(parts.min()) + np.arange(len(chances)) - total
        far = _far(sums, total, alternative, drawing.strict)
        return Judged(min(float(chances[far].sum()), 1.0), _mean(pairs), draws=int((chances > 0).sum()))
    known = all_resamples(pairs, drawing)
    if known is not None:
        sides = {"two-sided": (-1, 1), "greater": (1,), "less": (-1,)}[alternative]
        away = abs(d) if alternative == "two-sided" else d if alternative == "greater" else -d
        p = sum(known.beyond(d + side * away, side, drawing.strict) for side in sides)
        return Judged(min(max(p, UNSEEN), 1.0), _mean(pairs), form=FORM)
    drawn = np.concatenate(list(resampled_means(pairs, drawing))) - d
    extreme = int(_far(drawn, d, alternative, drawing.strict, np.abs(pairs.sums).max() / pairs.n).sum())
    return Judged(drawing.p(extreme, len(drawn)), _mean(pairs), len(drawn), extreme)


def all_resamples(pairs: ValuePairs, drawing: Drawing) -> AllResamples | None:
    """The distribution of the mean difference over all resamples, where many independent pairs make it known."""
    if pairs.cluster is not None or pairs.n < LARGE or not drawing.exact:
        return None
    return AllResamples.of(pairs.d)


def resampled_means(pairs: ValuePairs, drawing: Drawing) -> Iterator[Floats]:
    """The mean difference on pairs, or whole clusters, drawn with replacement, in chunks."""
    if pairs.cluster is None:
        return (totals[:, 0] / pairs.n for totals in _drawn_totals(pairs.sums[:, None], drawing))
    both = np.stack([pairs.sums, pairs.sizes], axis=1)
    return (totals[:, 0] / totals[:, 1] for totals in _drawn_totals(both, drawing))


def resamples(pairs: ValuePairs, drawing: Drawing) -> Iterator[tuple[Floats, Floats]]:
    """Resampled mean differences, and the variance that each resample gives to its mean."""
    sums, sizes = pairs.sums, pairs.sizes
    if pairs.cluster is None:
        for totals in _drawn_totals(np.stack([sums, sums**2], axis=1), drawing):
            mean = totals[:, 0] / pairs.n
            yield mean, (totals[:, 1] - 2 * mean * totals[:, 0] + mean**2 * pairs.n) / pairs.n**2
        return
    moments = np.stack([sums, sizes, sums**2, sums * sizes, sizes**2], axis=1)
    for totals in _drawn_totals(moments, drawing):
        mean = totals[:, 0] / totals[:, 1]
        yield mean, (totals[:, 2] - 2 * mean * totals[:, 3] + mean**2 * totals[:, 4]) / totals[:, 1] ** 2


def _drawn_totals(rows: Floats, drawing: Drawing) -> Iterator[Floats]:
    """Sums of as many rows as there are, drawn with replacement, in chunks.

    Rows that occur often are counted by one multinomial; the others are looked up one by one.
    """
    rng, n = np.random.default_rng(drawing.seed), len(rows)
    kinds, times = np.unique(rows, axis=0, return_counts=True)
    step = max(1, CHUNK // n)
    for start in range(0, drawing.draws, step):
        size = min(step, drawing.draws - start)
        if 2 * len(kinds) < n:
            yield np.asarray(rng.multinomial(n, times / n, size=size) @ kinds)
        else:
            which = rng.integers(0, n, size=(size, n), dtype=np.int32)
            yield np.stack([np.take(column, which).sum(axis=1) for column in rows.T], axis=1)


# ---------------------------------------------------------------------- t, signed ranks, signs
def paired_t(pairs: ValuePairs, alternative: str) -> Judged:
    """Student's t of the differences."""
    d, n = pairs.d, pairs.n
    se = float(d.std(ddof=1)) / math.sqrt(n)
    if pairs.identical:
        return Judged(1.0, Statistic("t", 0.0, (n - 1,)))
    if se <= TOLERANCE * abs(pairs.difference):
        return Judged(None, None, notes=("all differences are the same, so they have no standard error",))
    t = pairs.difference / se
    notes = (f"t = {numeral(t, '.4g')} with {plural(n - 1, 'degree')} of freedom",)
    return Judged(student_p(t, n - 1, alternative), Statistic("t", t, (n - 1,)), notes=notes)


def signed_ranks(pairs: ValuePairs, alternative: str, zeros: str = "wilcox") -> Judged:
    """Wilcoxon's signed-rank test: whether large differences favor one side.

    Equal sizes share the mean of their ranks. Zeros are dropped before ranking ("wilcox"), after it ("pratt"), or
    ranked and split between the sides ("zsplit").
    """
    d = pairs.d if zeros != "wilcox" else pairs.d[pairs.d != 0]
    none, notes = int((pairs.d == 0).sum()), list[str]()
    if none:
        how = {
            "wilcox": "dropped before ranking (Wilcoxon's rule)",
            "pratt": "ranked and then dropped (Pratt's rule)",
            "zsplit": "ranked, with their ranks split between both sides",
        }[zeros]
        notes.append(Aside(f"{plural(none, pairs.noun)} without a difference: {how}"))
    if pairs.identical:
        return Judged(1.0, Statistic("W+", 0.0, sides=(0.0, 0.0)), notes=tuple(notes))
    doubled = _doubled_midranks(np.abs(d))
    plus, minus = (float(doubled[side].sum()) / 2 for side in (d > 0, d < 0))
    split = float(doubled[d == 0].sum()) / 4 if zeros == "zsplit" else 0.0
    sums = (plus + split, minus + split)
    a, b = pairs.names
    notes.append(Aside(f"the ranks of the differences sum to {sums[0]:g} for {a} and {sums[1]:g} for {b}"))
    moved, leaning = doubled[d != 0], int(np.sign(plus - minus))
    if len(moved) <= EXACT_RANKS:
        found = tail(moved, None, 2 * (plus - minus), alternative)
        notes.append(Aside("the signed-rank test is exact, over all signs of these ranks"))
        exact = Statistic("W+", sums[0], sides=sums)
        return Judged(found.p, exact, found.counted, notes=tuple(notes), leaning=leaning)
    z = _rank_z(doubled / 2, d, plus - minus, zeros)
    notes.append(
        Aside(f"z = {numeral(z, '.4g')}: normal, with the variance of tied ranks and without a continuity correction")
    )
    normal = Statistic("W+", sums[0], sides=sums, z=z)
    return Judged(normal_p(z, alternative), normal, notes=tuple(notes), leaning=leaning)


def _doubled_midranks(sizes: Floats) -> Ints:
    """Twice the ranks, which are whole numbers also where ties share the mean of theirs.

    Sizes that differ by rounding alone are tied: 0.3 − 0.2 is as large as 0.2 − 0.1.
    """
    _, back, times = np.unique(np.round(sizes / sizes.max(), 12), return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    return np.asarray((2 * last - times + 1)[back.ravel()], np.int64)


def _rank_z(ranks: Floats, d: Floats, gap: float, zeros: str) -> float:
    """The gap between the rank sums in its standard deviations: each rank is added or taken away by a coin.

    Where zeros are split, their ranks count as if they had been tossed too (as SciPy does).
    """
    tossed = ranks if zeros == "zsplit" else ranks[d != 0]
    return gap / math.sqrt(float((tossed**2).sum()))


def signs(pairs: ValuePairs, alternative: str) -> Judged:
    """The sign test: how many of the pairs that differ favor A."""
    from scipy.special import bdtr, bdtrc

    wins, losses = int((pairs.d > 0).sum()), int((pairs.d < 0).sum())
    n = wins + losses
    notes = [Aside(f"{pairs.names[0]} is higher on {wins:,} and {pairs.names[1]} on {losses:,}")]
    if n < pairs.n:
        notes.append(Aside(f"{plural(pairs.n - n, pairs.noun)} without a difference: dropped"))
    counted = Statistic("wins", wins, sides=(wins, losses))
    if n == 0:
        return Judged(1.0, counted, notes=tuple(notes))
    upper = float(bdtrc(wins - 1, n, 0.5)) if wins else 1.0
    lower = float(bdtr(wins, n, 0.5))
    p = {"two-sided": min(2 * min(lower, upper), 1.0), "greater": upper, "less": lower}[alternative]
    return Judged(p, counted, draws=n + 1, notes=tuple(notes), leaning=int(np.sign(wins - losses)))
