"""Curves as pictures: what is drawn for each kind, and the words around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import plural
from assay.measures.scores.curves import CostByThreshold, PrecisionRecall, Reached, Roc
from assay.report.charts.lines import Line, Picture, Reference, thinned
from assay.report.text.curves import about, summary_of
from assay.report.text.lines import short
from assay.tally.contract.sampling import Floats
from assay.texts import numeral, percent

if TYPE_CHECKING:
    from assay.jobs.curves import Curves, SystemCurve

TITLES = {
    "roc": "ROC curve",
    "pr": "Precision–recall curve",
    "calibration": "Calibration",
    "cost": "Cost per item by threshold",
    "envelope": "Cost curve",
}
ROOM = 2.5  # times the no-model cost: thresholds that cost more are off the picture
WIDE = 78  # characters in a line above a picture
GAP = 0.01  # of recall, beyond which the line between two points is drawn as a curve


def picture(c: Curves) -> Picture:
    """The curves as they are drawn."""
    x, y = (0.0, 1.0), (0.0, 0.5 if c.kind == "envelope" else 1.0)
    if c.kind == "cost":
        x, y = _frame(c)
    lines = tuple(_line(each, y[1]) for each in c.systems)
    more: dict[str, Any] = {"size": (460, 320)} if c.kind in ("cost", "envelope") else {}
    first = c.systems[0].curve
    said = " ".join(c.sentences)
    return Picture(TITLES[c.kind], _subtitle(c), said, first.axes, lines, _reference(c), x, y, **more)


def _line(each: SystemCurve, top: float) -> Line:
    x, y = _points(each)
    kept = thinned(x, y)
    limits = None
    if each.band is not None:
        limits = (each.band.x, each.band.low, each.band.high)
    calibration = each.curve.kind == "calibration"
    return Line(
        each.name,
        x[kept],
        np.minimum(y[kept], top),
        limits,
        dots=calibration,
        stepped=each.curve.kind == "cost",
        mark=_mark(each),
    )


def _points(each: SystemCurve) -> tuple[Floats, Floats]:
    curve = each.curve
    if isinstance(curve, PrecisionRecall):
        return _bent(curve)
    if isinstance(curve, CostByThreshold):
        finite = np.isfinite(curve.x)
        # From the lowest threshold up; above the highest score there are no alarms.
        x, y = curve.x[finite][::-1], curve.y[finite][::-1]
        end = 1.0 if each.tally.probabilities else float(x[-1])
        return np.append(x, max(end, float(x[-1]))), np.append(y, curve.y[0])
    return curve.x, curve.y


def _bent(curve: PrecisionRecall) -> tuple[Floats, Floats]:
    """The points, and more between those that lie far apart, where the line between them is curved."""
    wide = np.flatnonzero(np.diff(curve.x, prepend=0.0) > GAP)
    if len(wide) == 0:
        return curve.x, curve.y
    begin = np.concatenate([[0.0], curve.x])[wide]
    inner = np.concatenate([np.linspace(a, b, 12)[1:-1] for a, b in zip(begin, curve.x[wide], strict=True)])
    place = np.searchsorted(curve.x, inner)
    return np.insert(curve.x, place, inner), np.insert(curve.y, place, curve.at(inner))


def _mark(each: SystemCurve) -> tuple[float, float] | None:
    """Where the threshold for labels lies on the curve, or the lowest cost."""
    curve, at = each.curve, each.threshold
    if isinstance(curve, CostByThreshold):
        return curve.cheapest if np.isfinite(curve.cheapest[0]) else None
    if at is None or not isinstance(curve, Reached):
        return None
    reached = np.flatnonzero(curve.threshold >= at)
    if len(reached) == 0:
        return None
    return float(curve.x[reached[-1]]), float(curve.y[reached[-1]])


def _dots(c: Curves) -> str:
    """What the dots are."""
    marked = [each for each in c.systems if _mark(each) is not None]
    if not marked:
        return ""
    if c.kind == "cost":
        return "dots: cheapest at " + " and ".join(f"{_mark(each)[0]:.3g}" for each in marked)  # type: ignore[index]
    at = list(dict.fromkeys(numeral(each.threshold or 0.0, ".3g") for each in marked))
    return f"dots: threshold {' and '.join(at)}"


def _reference(c: Curves) -> Reference | None:
    first = c.systems[0].curve
    diagonal = ((0.0, 0.0), (1.0, 1.0))
    if isinstance(first, Roc):
        return Reference(diagonal, "chance", 0.75)
    if isinstance(first, PrecisionRecall):
        share = first.prevalence
        return Reference(((0.0, share), (1.0, share)), f"chance: {about(share)} are positive", 0.01)
    if c.kind == "calibration":
        return Reference(diagonal, "perfect calibration", 0.75)
    if isinstance(first, CostByThreshold):
        cost, (low, high) = _without_model(c), _frame(c)[0]
        return Reference(((low, cost), (high, cost)), "one answer for every item", 0.01)
    return Reference(((0.0, 0.0), (0.5, 0.5), (1.0, 0.0)), "one answer for every item", 0.5)


def _frame(c: Curves) -> tuple[tuple[float, float], tuple[float, float]]:
    points = [_points(each) for each in c.systems]
    low, high = min(float(x.min()) for x, _ in points), max(float(x.max()) for x, _ in points)
    if all(each.tally.probabilities for each in c.systems):
        low, high = 0.0, 1.0
    top = max(float(y.max()) for _, y in points)
    return (low, high if high > low else low + 1.0), (0.0, min(1.05 * top, ROOM * _without_model(c)) or 1.0)


def _without_model(c: Curves) -> float:
    """The no-model cost: the cheaper of never raising an alarm and always raising one."""
    first = c.systems[0].curve
    return float(min(first.y[0], first.y[-1]))


def _subtitle(c: Curves) -> tuple[str, ...]:
    """A summary of the curves, how many items there are, and what is drawn."""
    first = c.systems[0].tally
    positives = int(first.counts[first.keys["positive"]].sum())
    parts = [f"{plural(first.n, 'item')}, {positives:,} of them “{short(first.positive, 30)}”", _bands(c), _dots(c)]
    if c.kind == "cost" and any(float(_points(each)[1].max()) > _frame(c)[1][1] for each in c.systems):
        parts.append(f"lines along the upper edge: costs above {_frame(c)[1][1]:.3g}")
    if any(len(thinned(*points)) < len(points[0]) for points in map(_points, c.systems)):
        parts.append("lines drawn through some of the points; a table (.csv) has all")
    return (*_filled(summary_of(c), ", "), *_filled([part for part in parts if part], " · "))


def _filled(parts: Sequence[str], between: str) -> list[str]:
    """Parts joined into lines that are no longer than a picture is wide."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(between) + len(part) <= WIDE:
            lines[-1] += between + part
        else:
            lines.append(part)
    return lines


def _bands(c: Curves) -> str:
    if all(each.band is None for each in c.systems):
        return ""
    if c.kind == "calibration":
        return f"{percent(c.level)} limits for each bin"
    return f"bands: {percent(c.level)} at each point"
