"""The chart of a plan: what other numbers of items would give."""

from __future__ import annotations

import math

import numpy as np

from assay.jobs.plan import Trade
from assay.report.charts.drawing import round_step
from assay.report.charts.lines import Line, Picture, Reference
from assay.uncertainty.planning.plan import SamplePlan

POINTS = 60
SIZE = (350, 215)


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
