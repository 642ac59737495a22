"""The charts of a plan: what other numbers of items would give, and how many items other aims would need."""

from __future__ import annotations

import math

import numpy as np

from assay.jobs.plan import Needs, Trade
from assay.report.charts.drawing import round_step
from assay.report.charts.lines import SIDE, Line, Picture, Reference, Spot
from assay.uncertainty.planning.plan import SamplePlan

POINTS = 60
SIZE = (SIDE, 215)
TIMES = (0.5, 0.75, 1.0, 1.5, 2.0)  # what was planned for: the aims whose items are named
BETWEEN = 30  # points of the line through them


def plan_chart(trade: Trade, best: SamplePlan) -> Picture:
    """Power, or the half-width of an interval, by the number of items; the planned number is marked."""
    step = round_step(2 * best.items, 4)
    most = step * math.ceil(2 * best.items / step)
    items = np.unique(np.linspace(max(most / POINTS, 1), most, POINTS).round().astype(int))
    items = np.unique([*items.tolist(), best.items])
    values = np.array([trade.at(int(n)) for n in items])
    here = float(trade.at(best.items))
    top = 1.0 if trade.of == "power" else min(3 * here, float(values.max()))
    line = Line("", items.astype(float), np.minimum(values, top), mark=(float(best.items), here))
    wanted = trade.wanted
    return Picture(
        title=f"{trade.of.capitalize()} by the number of items",
        subtitle=(f"the mark is at {best.items:,} items: {here:.3g}",),
        description=f"{trade.of.capitalize()} by the number of items; {best.items:,} items give {here:.3g}.",
        axes=("Items", trade.of.capitalize()),
        lines=(line,),
        reference=None if wanted is None else Reference(((0.0, wanted), (most, wanted)), f"{wanted:g} wanted", 0.8),
        x=(0.0, float(most)),
        y=(0.0, top),
        size=SIZE,
    )


def named_needs(needs: Needs) -> list[tuple[float, int]]:
    """Some aims around the one that was planned for, and the items that each needs, where any number is enough."""
    some = ((round(times * needs.here, 12), needs.at(times * needs.here)) for times in TIMES)
    return [(aim, items) for aim, items in some if items is not None]


def needs_chart(needs: Needs) -> Picture | None:
    """The items that other differences, or other half-widths, would need; the one that was planned for is marked."""
    named = named_needs(needs)
    if len(named) < 2:
        return None
    ends = [times for times in TIMES if needs.at(times * needs.here) is not None]
    aims = np.unique([*np.linspace(ends[0], ends[-1], BETWEEN), *ends]) * needs.here
    known = [(abs(float(aim)), items) for aim in aims if (items := needs.at(float(aim))) is not None]
    x, y = (np.array(each, np.float64) for each in zip(*sorted(known), strict=True))
    here = needs.at(needs.here)
    told = "; ".join(f"{aim:.3g}: {items:,}" for aim, items in named)
    of = "true difference" if needs.of == "difference" else needs.of
    return Picture(
        title=f"Items by {of}",
        subtitle=() if needs.power is None else (f"for a power of {needs.power:g}",),
        description=f"Items by {of}: {told}.",
        axes=(of.capitalize(), "Items"),
        lines=(Line("", x, y, mark=None if here is None else (abs(needs.here), float(here))),),
        x=(0.8 * float(x[0]), 1.13 * float(x[-1])),
        y=(0.0, 1.12 * float(y.max())),
        size=SIZE,
        spots=tuple(Spot(abs(aim), float(items), f"{items:,}") for aim, items in named),
    )
