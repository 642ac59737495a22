"""The measure by how many results count, and precision by recall, each with its bands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.measures.declare.bound import Bound
from assay.measures.declare.catalogue import find, titled
from assay.measures.declare.measure import Measure
from assay.measures.ranked_curves import LEVELS, interpolated
from assay.report.charts.lines import SIDE, Line, Picture, Reference
from assay.report.contents.blocks import Block, Columns, Figure, Part
from assay.report.families.rankings.values import Values, values_of
from assay.report.families.view import Material
from assay.report.names import SHORT, cut_alike
from assay.report.tokens import SYSTEMS
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import Ranked
from assay.texts import numeral, percent
from assay.uncertainty.one.bounded import limits_of_mean

CUTS = (1, 2, 3, 5, 10, 20, 30, 50, 100)
SHARE = (0.0, 1.0)
INSTEAD = "ndcg"  # where the measure of the page has no cut-off
ROOM = 0.06  # of the reach of a band, above and below
SIZE = (SIDE, 300)
CLOSE = 1e-9


@dataclass(frozen=True)
class Cuts:
    """A measure with its options, the cut-offs at which it is drawn, and the one that the page is about."""

    measure: Measure
    options: Mapping[str, Any]
    ks: tuple[int, ...]
    tested: int | None

    @property
    def title(self) -> str:
        """The measure for people, without a cut-off."""
        return titled(self.measure.spelled({**self.options, "k": None}))

    def at(self, tally: Ranked, k: int) -> Bound:
        """The measure with one of the cut-offs."""
        return self.measure.bind(tally, **{**self.options, "k": k})


@dataclass(frozen=True, eq=False)
class Curve:
    """One system's means at every place of a curve, with limits where there are any."""

    name: str
    x: Floats
    mean: Floats
    low: Floats
    high: Floats

    @property
    def known(self) -> tuple[Floats, Floats, Floats] | None:
        """The band, if it has two points or more."""
        some = np.isfinite(self.low) & np.isfinite(self.high)
        return (self.x[some], self.low[some], self.high[some]) if some.sum() > 1 else None


def cutoff_parts(material: Material) -> Iterator[Part]:
    """The measure by cut-off, and precision by recall."""
    tallies = dict(list(material.of(Ranked).items())[:SYSTEMS])
    values = values_of(material)
    if any(not tally.n for tally in tallies.values()):
        return
    blocks: list[Block] = []
    title, lead = "Precision by recall", [f"Bands are {percent(material.level)} intervals for each point by itself."]
    cuts = cuts_of(values, tallies)
    if cuts is not None:
        by_cut = [curve_by_cut(name, tally, cuts, material.level) for name, tally in tallies.items()]
        title = _found(by_cut, cuts.title, lower=cuts.measure.higher_is_better is False)
        blocks.append(Figure("queries-cutoffs", _by_cut(by_cut, cuts)))
    by_recall = [curve_by_recall(name, tally, material.level) for name, tally in tallies.items()]
    blocks.append(Figure("queries-recall", _by_recall(by_recall)))
    left = len(material.of(Ranked)) - len(tallies)
    if left:
        lead.append(f"{left} more systems are not drawn; {SYSTEMS} can be told apart in one chart.")
    yield Part("cutoffs", title, "Cut-offs", (Columns(tuple(blocks)),), (" ".join(lead),))


def cuts_of(values: Values | None, tallies: Mapping[str, Ranked]) -> Cuts | None:
    """The measure of the page, or the usual one if that has no cut-off; None for lists of one."""
    measure, options = (None, {}) if values is None else (values.bound.measure, dict(values.bound.own))
    if not isinstance(measure, Measure) or "k" not in measure.options:
        measure, options = find(INSTEAD), {}
    tested = options.pop("k", None)
    longest = max(int(tally.lists.retrieved.max(initial=0)) for tally in tallies.values())
    last = min(longest, CUTS[-1])
    ks = {k for k in CUTS if k <= last} | {last} | ({int(tested)} if tested else set())
    kept = tuple(sorted(k for k in ks if k >= 1))
    return Cuts(measure, options, kept, tested) if len(kept) > 1 else None


def curve_by_cut(name: str, tally: Ranked, cuts: Cuts, level: float) -> Curve:
    """The mean of a measure at each cut-off."""
    each = []
    for k in cuts.ks:
        mean = cuts.at(tally, k).mean(tally)
        assert mean is not None
        each.append(np.asarray(mean.each, np.float64))
    low, high = cuts.at(tally, cuts.ks[0]).range
    return _curve(name, np.log10(np.array(cuts.ks, np.float64)), each, tally, level, (float(low), float(high)))


def curve_by_recall(name: str, tally: Ranked, level: float) -> Curve:
    """The mean of interpolated precision at each recall."""
    each = tally.each(interpolated)
    return _curve(name, np.linspace(0, 1, LEVELS), list(each.T), tally, level, SHARE)


def _curve(
    name: str, x: Floats, each: Sequence[Floats], tally: Ranked, level: float, within: tuple[float, float]
) -> Curve:
    mean = np.array([np.average(values, weights=tally.mass) for values in each])
    low, high = np.full((2, len(x)), np.nan)
    if tally.weights is None and np.isfinite(within).all():
        for i, values in enumerate(each):
            limits = limits_of_mean(values, tally, level, within)
            if limits.low is not None and limits.high is not None:
                low[i], high[i] = limits.low, limits.high
    return Curve(name, x, mean, low, high)


# ---------------------------------------------------------------------- charts
def _line(curve: Curve) -> Line:
    return Line(curve.name, curve.x, curve.mean, curve.known, marked=True)


def _by_cut(curves: Sequence[Curve], cuts: Cuts) -> Picture:
    ks, tested = cuts.ks, cuts.tested
    y = _reach(curves, cuts.measure)
    x = (0.0, math.log10(ks[-1]))
    reference = None
    if tested is not None:
        at = math.log10(tested)
        reference = Reference(((at, y[0]), (at, y[1])), f"@{tested} is tested", 0.3)
    told = "; ".join(_told(curve, [(f"{k}", i) for i, k in enumerate(ks)]) for curve in curves)
    ticks = tuple((math.log10(k), f"{k}") for k in _apart(ks))
    return Picture(
        title=f"{cuts.title} by cut-off",
        subtitle=(),
        description=f"{cuts.title} of the first k results: {told}.",
        axes=("Results that count (log)", cuts.title),
        lines=tuple(map(_line, curves)),
        reference=reference,
        x=x,
        y=y,
        size=SIZE,
        own=(ticks, None),
    )


def _apart(ks: Sequence[int]) -> list[int]:
    """The cut-offs whose numbers have room below the axis: those of the ends first."""
    kept = [ks[0], ks[-1]]
    for k in ks[1:-1]:
        if all(abs(math.log10(k / other)) > 0.085 * math.log10(ks[-1]) for other in kept):
            kept.append(k)
    return sorted(kept)


def _reach(curves: Sequence[Curve], measure: Measure) -> tuple[float, float]:
    """As far as lines and bands reach, and a little more, within the range of the measure."""
    every = np.concatenate([part for curve in curves for part in (curve.mean, curve.low, curve.high)])
    every = every[np.isfinite(every)]
    low, high = float(every.min()), float(every.max())
    room = ROOM * (high - low) or 0.05
    ends = measure.range
    return max(low - room, float(ends[0])), min(high + room, float(ends[1]))


def _by_recall(curves: Sequence[Curve]) -> Picture:
    told = "; ".join(_told(curve, [(f"{i / 10:g}", i) for i in (0, 2, 5, 8, 10)]) for curve in curves)
    return Picture(
        title="Precision by recall",
        subtitle=(),
        description=f"Interpolated precision at eleven levels of recall, mean over queries: {told}.",
        axes=("Recall", "Highest precision from there on"),
        lines=tuple(map(_line, curves)),
        size=SIZE,
    )


def _told(curve: Curve, places: Sequence[tuple[str, int]]) -> str:
    """A few means of a curve in words."""
    each = (f"{numeral(float(curve.mean[i]), '.3f')} at {name}" for name, i in places)
    return f"{curve.name} {', '.join(each)}"


# ---------------------------------------------------------------------- what they show
def _found(curves: Sequence[Curve], title: str, *, lower: bool) -> str:
    """Which system leads at which cut-offs, or how the only one moves."""
    ks = [round(10**x) for x in curves[0].x.tolist()]
    names = list(cut_alike([curve.name for curve in curves], SHORT).values())
    if len(curves) == 1:
        (curve,) = curves
        first, last = (numeral(x, ".2f") for x in (curve.mean[0], curve.mean[-1]))
        return f"{title} is {first} at rank 1 and {last} at rank {ks[-1]}"
    means = np.stack([curve.mean for curve in curves]) * (-1 if lower else 1)
    leads = np.abs(means - means.max(0)) <= CLOSE
    if (leads.sum(0) > 1).all():
        return f"{'Both' if len(curves) == 2 else 'Several'} systems have the same {title} at every cut-off"
    alone = [i for i in range(len(curves)) if leads[i].all()]
    if alone:
        return f"{names[alone[0]]} has the {'lowest' if lower else 'highest'} {title} at every cut-off"
    best = int(means[:, -1].argmax())
    after = int(np.flatnonzero(~leads[best]).max()) + 1
    if after < len(ks) and not leads[best][:after].any():
        return f"{names[best]} leads from {ks[after]} results on, and not before"
    return f"Who leads in {title} depends on the cut-off"
