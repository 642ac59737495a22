"""Box plots: how a system's values spread over folds or data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import in_plural
from assay.jobs.comparison.contest import Spread
from assay.report.charts.drawing import COLORS, Drawing, color_of
from assay.report.charts.marks import WIDTH, axis, brief, fitted, framed, layer, point, scaled, ticks, width_of, words
from assay.uncertainty.values.spread import FiveNumbers

LINE, BOX, CAP = 64, 22, 10  # pixels of a line, of its box and of the ends of its whiskers
BELOW = 22  # pixels from the middle of a box to the middle of its values
SPREAD = (0, -3, 3, -1.5, 1.5)  # pixels by which values in turn are moved, so that equal ones are seen
LONGEST = 18  # letters of a name
SINGLE = 50  # values up to which each is drawn


@dataclass(frozen=True, eq=False)
class Boxes(Drawing):
    """A box for each system, and its single values below it where they are few."""

    axis: str
    boxes: Mapping[str, FiveNumbers]
    values: Mapping[str, Sequence[float]]

    def layers(self) -> dict[str, Any]:
        """Whiskers, boxes and medians, values beyond the whiskers, then all values."""
        names = [fitted(name, LONGEST) for name in self.boxes]
        left = width_of(names) + 12
        height = float(LINE * len(names))
        drawn: list[dict[str, Any]] = []
        for i, (name, box) in enumerate(self.boxes.items()):
            middle = LINE * i + LINE / 2
            single = self.values[name] if len(self.values[name]) <= SINGLE else ()
            upper = middle - (BELOW / 2 if single else 0)
            drawn += _box(box, upper, i)
            drawn += _single(single, upper + BELOW + 2, i)
            drawn.append(words([{"t": names[i], "y": upper}], "y", x=-left))
        low, high = self._reach()
        shown = axis(self.axis, ticks(low, high, 5))
        return {
            "width": WIDTH - left,
            "height": height,
            "layer": framed(drawn, x=scaled((low, high), shown), y=scaled((0.0, height), None, reverse=True)),
        }

    def _reach(self) -> tuple[float, float]:
        every = [x for box in self.boxes.values() for x in (box.low, box.high, *box.outliers)]
        wide = (max(every) - min(every)) or 1.0
        return min(every) - 0.06 * wide, max(every) + 0.06 * wide


def _box(box: FiveNumbers, y: float, i: int) -> list[dict[str, Any]]:
    color = color_of(i)
    lower, upper = brief(box.lower_quartile), brief(box.upper_quartile)
    ends = [{"x": brief(box.low), "x2": lower, "y": y}, {"x": upper, "x2": brief(box.high), "y": y}]
    caps = [{"x": brief(x), "y": y - CAP / 2, "y2": y + CAP / 2} for x in (box.low, box.high)]
    top, bottom = y - BOX / 2, y + BOX / 2
    inside = {"fill": color, "fillOpacity": 0.25, "stroke": color, "strokeWidth": 1.5}
    beyond = [{"x": brief(x), "y": y} for x in box.outliers]
    return [
        layer("rule", ends, "x x2 y", color=color, strokeWidth=1.5),
        layer("rule", caps, "x y y2", color=color, strokeWidth=1.5),
        layer("rect", [{"x": lower, "x2": upper, "y": top, "y2": bottom}], "x x2 y y2", **inside),
        layer("rule", [{"x": brief(box.median), "y": top, "y2": bottom}], "x y y2", color=COLORS["ink"], strokeWidth=3),
        *([point(beyond, "x y", i, 50, fill=COLORS["paper"], stroke=color, strokeWidth=1.6)] if beyond else []),
    ]


def _single(values: Sequence[float], y: float, i: int) -> list[dict[str, Any]]:
    if not values:
        return []
    rows = [{"x": brief(x), "y": y + SPREAD[k % len(SPREAD)]} for k, x in enumerate(sorted(values))]
    return [point(rows, "x y", i, 22, opacity=0.7)]


def box_plot(spread: Spread, measure: str) -> Boxes:
    """The box plot of every system's values."""
    boxes, n = spread.boxes, len(spread.names)
    return Boxes(
        title=f"{measure} over {n:,} {in_plural(spread.unit)}",
        subtitle=("box: middle half and median; whiskers: the last value within 1.5 times its width",),
        description=". ".join(
            [f"{measure} over {n:,} {in_plural(spread.unit)}"]
            + [f"{name}: {numbers(box)}" for name, box in boxes.items()]
        )
        + ".",
        axis=measure,
        boxes=boxes,
        values=spread.values,
    )


def numbers(box: FiveNumbers) -> str:
    """The five numbers of a box in words."""
    beyond = f", and {', '.join(f'{x:.3f}' for x in box.outliers)} beyond the whiskers" if box.outliers else ""
    return (
        f"median {box.median:.3f}, middle half from {box.lower_quartile:.3f} to {box.upper_quartile:.3f}, "
        f"whiskers from {box.low:.3f} to {box.high:.3f}{beyond}"
    )
