"""The critical-difference diagram: systems on an axis of mean ranks, with brackets over those not told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import plural
from assay.report.charts.drawing import (
    COLORS,
    TEXT,
    WIDTH,
    Drawing,
    brief,
    framed,
    layer,
    scaled,
    width_of,
    words,
)
from assay.report.names import cut_alike, short
from assay.texts import percent
from assay.uncertainty.many.ranks import CriticalDifference

LONGEST = 22  # characters of a name
NARROWEST, WIDEST = 240, 420  # pixels of the axis
RULER = 34  # pixels for the critical difference, above the axis
TICKS = 24  # pixels for the axis with its numbers
BAR = 9  # pixels from one bracket to the next
LINE = 20  # pixels from one name to the next
END, NUMBER = 14, 42  # pixels from the axis to the end of its lines, twice, and for a mean rank
BRACKET, HOOK = 2, 4  # pixels: how thick a bracket is, and how long its ends are
BEYOND = 3  # pixels by which a bracket reaches past the outermost of its systems
METHODS = {"nemenyi": "Nemenyi's test", "holm": "Holm's method", "bonferroni_dunn": "the Bonferroni–Dunn test"}

Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class RankDiagram(Drawing):
    """Mean ranks from 1, the best, on the left; names at the ends of lines that lead down from the axis."""

    ranks: CriticalDifference

    def layers(self) -> dict[str, Any]:
        """The ruler, the axis, the brackets, then the lines to the names, all measured in pixels."""
        plan = _Plan.of(self.ranks)
        drawn = [*_ruler(self.ranks, plan), *_axis(plan), *_brackets(self.ranks, plan), *_names(self.ranks, plan)]
        wide, high = plan.left + plan.axis + plan.right, plan.height
        frame = framed(drawn, x=scaled((0.0, wide), None), y=scaled((0.0, high), None, reverse=True))
        return {"width": wide, "height": high, "layer": frame, "view": {"stroke": None}}


@dataclass(frozen=True)
class _Plan:
    """Where things are placed."""

    names: tuple[str, ...]  # as written
    left: float
    axis: float
    right: float
    top: float  # of the axis
    rows: tuple[int, ...]  # the row of each bracket
    k: int

    @classmethod
    def of(cls, cd: CriticalDifference) -> _Plan:
        cut = cut_alike(cd.systems, LONGEST)
        names = tuple(short(cut[name], LONGEST) for name in cd.systems)
        left, right = (width_of(some) + END + NUMBER for some in (names[: _half(cd)], names[_half(cd) :]))
        axis = min(max(WIDTH - left - right, NARROWEST), WIDEST)
        top = TICKS + (RULER if cd.critical is not None else 0.0)
        gap = (2 * BEYOND + BAR) / axis * (len(cd.systems) - 1)
        rows = tuple(_rows([_span_of(cd, bar) for bar in cd.bars], gap))
        return cls(names, left, axis, right, top, rows, len(cd.systems))

    def at(self, rank: float) -> float:
        """Where a mean rank lies."""
        return brief(self.left + (rank - 1) / (self.k - 1) * self.axis)

    def bar(self, row: int) -> float:
        """How far down a bracket lies."""
        return self.top + BAR * (row + 1)

    def name(self, place: int) -> float:
        """How far down the name at this place, counted from the nearer end of the axis, is."""
        below = self.top + BAR * (max(self.rows, default=-1) + 1)
        return below + LINE * (place + 1)

    @property
    def height(self) -> float:
        return self.name((self.k + 1) // 2 - 1) + LINE / 2


def _half(cd: CriticalDifference) -> int:
    """How many systems have their names on the left."""
    return (len(cd.systems) + 1) // 2


def _span_of(cd: CriticalDifference, bar: Sequence[str]) -> Span:
    ranks = [rank for name, rank in zip(cd.systems, cd.mean_ranks, strict=True) if name in bar]
    return min(ranks), max(ranks)


def _rows(spans: Sequence[Span], gap: float) -> Iterator[int]:
    """The first row in which each bar keeps this distance from others."""
    taken: list[float] = []  # where the last bar of every row ends
    for low, high in spans:
        row = next((i for i, end in enumerate(taken) if end + gap < low), len(taken))
        taken[row : row + 1] = [high]
        yield row


# ---------------------------------------------------------------------- what is drawn
def _ruler(cd: CriticalDifference, plan: _Plan) -> Iterator[dict[str, Any]]:
    """The critical difference as a length, above the left end of the axis; cut if longer than the axis."""
    if cd.critical is None:
        return
    low, high, y = plan.at(1), min(plan.at(1 + cd.critical), plan.left + plan.axis), 22.0
    ends = [{"x": x, "y": y - 4, "y2": y + 4} for x in (low, high)]
    yield layer("rule", [{"x": low, "x2": high, "y": y}], "x x2 y", color=COLORS["ink"], strokeWidth=1.5)
    yield layer("rule", ends, "x y y2", color=COLORS["ink"], strokeWidth=1.5)
    yield words([{"t": f"critical difference {cd.critical:.2f}", "x": low, "y": 8.0}], "x y")


def _axis(plan: _Plan) -> Iterator[dict[str, Any]]:
    step = 1 if plan.k <= 12 else 2 if plan.k <= 24 else max(plan.k // 10, 5)
    whole = range(1, plan.k + 1, step) if step <= 2 else (1, *range(step, plan.k + 1, step))
    numbers = [{"t": f"{rank}", "x": plan.at(rank), "y": plan.top - 13} for rank in whole]
    ticks = [{"x": plan.at(rank), "y": plan.top - 5, "y2": plan.top} for rank in whole]
    line = [{"x": plan.at(1), "x2": plan.at(plan.k), "y": plan.top}]
    yield layer("rule", line, "x x2 y", color=COLORS["ink"], strokeWidth=1.5)
    yield layer("rule", ticks, "x y y2", color=COLORS["ink"], strokeWidth=1)
    yield words(numbers, "x y", align="center", color=COLORS["muted"], fontSize=TEXT - 1)


def _brackets(cd: CriticalDifference, plan: _Plan) -> Iterator[dict[str, Any]]:
    rows = []
    for bar, row in zip(cd.bars, plan.rows, strict=True):
        low, high = _span_of(cd, bar)
        rows.append({"x": plan.at(low) - BEYOND, "x2": plan.at(high) + BEYOND, "y": plan.bar(row)})
    if rows:
        ends = [{"x": row[end], "y": row["y"] - HOOK, "y2": row["y"]} for row in rows for end in ("x", "x2")]
        yield layer("rule", rows, "x x2 y", color=COLORS["ink"], strokeWidth=BRACKET)
        yield layer("rule", ends, "x y y2", color=COLORS["ink"], strokeWidth=BRACKET)


def _names(cd: CriticalDifference, plan: _Plan) -> Iterator[dict[str, Any]]:
    """A line down from each mean rank and then out to the name, the outermost first, so that no two cross."""
    down, out = [], []
    half = _half(cd)
    texts: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    numbers: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    for i, (rank, name) in enumerate(zip(cd.mean_ranks, plan.names, strict=True)):
        on_left = i < half
        x, y = plan.at(rank), plan.name(i if on_left else plan.k - 1 - i)
        sign, end = (-1, plan.left - END / 2) if on_left else (1, plan.left + plan.axis + END / 2)
        down.append({"x": x, "y": plan.top, "y2": y})
        out.append({"x": min(x, end), "x2": max(x, end), "y": y})
        numbers[on_left].append({"t": f"{rank:.2f}", "x": end + sign * 4, "y": y})
        texts[on_left].append({"t": name, "x": end + sign * NUMBER, "y": y})
    yield layer("rule", down, "x y y2", color=COLORS["muted"], strokeWidth=1)
    yield layer("rule", out, "x x2 y", color=COLORS["muted"], strokeWidth=1)
    for on_left, align in ((True, "right"), (False, "left")):
        yield words(numbers[on_left], "x y", align=align, color=COLORS["muted"])
        yield words(texts[on_left], "x y", align=align)


# ---------------------------------------------------------------------- from ranks to a diagram
def rank_diagram(cd: CriticalDifference, measure: str = "") -> RankDiagram:
    """The diagram of these mean ranks; `measure` is what the systems were ranked by."""
    of = f" by {measure}" if measure else ""
    return RankDiagram(
        title=f"Mean ranks{of} over {plural(cd.n, 'data set')}",
        subtitle=("rank 1 is the best", _bar_words(cd)),
        description=_described(cd, of),
        ranks=cd,
    )


def _bar_words(cd: CriticalDifference) -> str:
    by = f"by {METHODS[cd.method]} at {percent(cd.level)}"
    if not cd.bars:
        return f"every two systems can be told apart {by}"
    if cd.baseline is not None:
        return f"the bracket joins systems that cannot be told apart from {short(cd.baseline, LONGEST)} {by}"
    return f"a bracket joins systems that cannot be told apart {by}"


def _described(cd: CriticalDifference, of: str) -> str:
    ranks = "; ".join(f"{name} {rank:.2f}" for name, rank in zip(cd.systems, cd.mean_ranks, strict=True))
    parts = [f"Mean ranks{of} over {plural(cd.n, 'data set')}, the best first: {ranks}"]
    if cd.critical is not None:
        parts.append(f"The critical difference is {cd.critical:.3f}")
    bars = "; ".join(" and ".join(bar) for bar in cd.bars)
    parts.append(f"Cannot be told apart by {METHODS[cd.method]} at {percent(cd.level)}: {bars or 'none'}")
    return ". ".join(parts) + "."
