"""Curves as pictures: what is drawn for each kind, and the words around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import plural
from assay.measures.declare.catalogue import titled
from assay.measures.scores.curves import CostByThreshold, PrecisionRecall, Reached, Roc
from assay.measures.scores.recalibration import log_odds
from assay.report.charts.inset import Strip, Zoom
from assay.report.charts.lines import COLUMNS, SIDE, Line, Picture, Reference, corners, thinned
from assay.report.charts.logit import FROM, extreme_share, histogram, logit_ticks, lower_end
from assay.report.names import clean, short
from assay.report.words.curves import about, summary_of
from assay.tally.contract.sampling import Floats
from assay.texts import numeral, percent

if TYPE_CHECKING:
    from assay.jobs.curves import Curves, SystemCurve

TITLES = {
    "roc": "ROC curve",
    "pr": "Precision–recall curve",
    "calibration": "Calibration",
    "cost": "Cost per row by threshold",
    "envelope": "Cost curve",
}
ROOM = 2.5  # times the no-model cost: thresholds that cost more are off the picture
WIDE = 64  # characters in a line above a picture
LOW = 250  # pixels of height of a chart that is not square
FEW = 2  # systems of which every detail is drawn, and said in the description of a picture
WORDS = 28  # pixels by which the numbers of log-odds axes are longer than others
STEEP = 0.9  # AUC above which the left part of a ROC curve is enlarged
ENLARGED = 0.1  # false positive rate up to which it is
LOG_ODDS = "log-odds axis"
GAP = 0.01  # of recall, beyond which the line between two points is drawn as a curve


def picture(c: Curves) -> Picture:
    """The curves as they are drawn."""
    x, y = (0.0, 1.0), (0.0, 0.5 if c.kind == "envelope" else 1.0)
    if c.kind == "cost":
        x, y = _frame(c)
    columns = _columns(c)
    lines = tuple(_line(each, y[1], columns) for each in c.systems)
    first = c.systems[0].curve
    made = Picture(TITLES[c.kind], _subtitle(c), " ".join(described(c)), first.axes, lines, _reference(c), x, y)
    if c.kind in ("cost", "envelope"):
        return replace(made, size=(SIDE, LOW))
    if c.kind == "calibration":
        return _calibration(c, made)
    return _zoomed(c, made) if c.kind == "roc" else made


def described(c: Curves) -> tuple[str, ...]:
    """The curves in words; of many systems only the values that sum the curves up, as there is a lot more to say."""
    found = summaries(c)
    return (*found, *(remarks(c) if len(c.systems) <= FEW or not found else ()))


def summaries(c: Curves) -> tuple[str, ...]:
    """What sums the curves up, system by system, in sentences."""
    return tuple(f"{text}." for text in [", ".join(summary_of(c))] if text)


def remarks(c: Curves) -> tuple[str, ...]:
    """The sentences of the curves without the values that sum them up, which a page shows in large figures."""
    told = {
        f"{clean(each.name)}: {e}.".replace(e.measure, titled(e.measure), 1)
        for each in c.systems
        for e in each.summaries
    }
    return tuple(text for text in c.sentences if text not in told)


def _zoomed(c: Curves, made: Picture) -> Picture:
    """The same with its left part enlarged, if a curve is so steep that it cannot be read there."""
    values = [e.value for each in c.systems for e in each.summaries if e.measure == "roc_auc" and e.value is not None]
    if max(values, default=0.0) <= STEEP:
        return made
    zoom = Zoom(ENLARGED, f"FPR 0 to {ENLARGED:g}")
    held = [made.pixels(line.x, line.y) for line in made.lines]
    held += [made.pixels(line.limits[0], line.limits[1]) for line in made.lines if line.limits is not None]
    return replace(made, zoom=zoom) if zoom.fits(held, made.size) else made


def _calibration(c: Curves, made: Picture) -> Picture:
    """The same over a histogram of each system's scores; on axes of log odds if half the scores are extreme."""
    tallies = [each.tally for each in c.systems]
    end = None
    if extreme_share(tallies) >= FROM:
        end = lower_end(np.concatenate([line.x for line in made.lines]))
        far = float(log_odds(np.array(1.0), end))
        across, up = (f"{title} ({LOG_ODDS})" for title in made.axes)
        lines = tuple(_stretched(line, end) for line in made.lines)
        diagonal = replace(made.reference, points=((-far, -far), (far, far))) if made.reference else None
        more: dict[str, Any] = {"axes": (across, up), "ticks": logit_ticks(end), "lines": lines}
        more["size"] = (SIDE - WORDS, SIDE - WORDS)
        made = replace(made, x=(-far, far), y=(-far, far), reference=diagonal, **more)
    strips = (Strip(*histogram(tally, *made.x, end), i) for i, tally in enumerate(tallies))
    return replace(made, strips=tuple(strips))


def _stretched(line: Line, end: float) -> Line:
    """The line with shares as log odds."""
    limits = None
    if line.limits is not None:
        x, low, high = (log_odds(part, end) for part in line.limits)
        limits = (x, low, high)
    return replace(line, x=log_odds(line.x, end), y=log_odds(line.y, end), limits=limits)


def _columns(c: Curves) -> int:
    """In how many columns of pixels lines are drawn: fewer of many lines, which would make a page large."""
    return COLUMNS if len(c.systems) <= FEW else COLUMNS // 2


def _line(each: SystemCurve, top: float, columns: int) -> Line:
    x, y = _points(each)
    kept = thinned(x, y, columns)
    if isinstance(each.curve, Reached):
        kept = kept[corners(x[kept], y[kept])]
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
        return Reference(((low, cost), (high, cost)), "one answer for every row", 0.01)
    return Reference(((0.0, 0.0), (0.5, 0.5), (1.0, 0.0)), "one answer for every row", 0.5)


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
    parts = [items_of(c), *drawn(c)]
    return (*_filled(summary_of(c), ", "), *_filled([part for part in parts if part], " · "))


def items_of(c: Curves) -> str:
    """How many items there are, and how many of them are positive."""
    first = c.systems[0].tally
    positives = first.positives
    return f"{plural(first.n, 'item')}, {positives:,} of them “{short(first.positive, 30)}”"


def drawn(c: Curves) -> tuple[str, ...]:
    """What is drawn besides the lines."""
    parts = [_bands(c), _dots(c)]
    if c.kind == "calibration":
        parts.append("bars below: how many items have each score")
    if c.kind == "cost" and any(float(_points(each)[1].max()) > _frame(c)[1][1] for each in c.systems):
        parts.append(f"lines along the upper edge: costs above {_frame(c)[1][1]:.3g}")
    if any(len(thinned(*points, _columns(c))) < len(points[0]) for points in map(_points, c.systems)):
        parts.append("lines drawn through some of the points; a table (.csv) has all")
    return tuple(part for part in parts if part)


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
