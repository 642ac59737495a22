"""Results that nobody judged, which count as not relevant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from assay.measures.ranked_curves import results, unjudged, unjudged_by_rank
from assay.report.charts.lines import SIDE, Line, Picture
from assay.report.contents.blocks import Columns, Figure, Part, Table
from assay.report.families.rankings.values import cut_of, together, values_of
from assay.report.families.view import Material
from assay.report.names import SHORT, cut_alike
from assay.report.tokens import SYSTEMS
from assay.tables import Cell, Section
from assay.tally.rankings import Ranked
from assay.texts import share_text
from assay.uncertainty.one.bounded import limits_of_mean

TICKS = (1, 2, 3, 5, 10, 20, 30, 50, 100)
SIZE = (SIDE, 250)
CLEARLY = 0.02  # of the results: a smaller difference between systems does not matter


@dataclass(frozen=True)
class Unjudged:
    """Of the first k results of each system, how many have no judgment, and how many there are."""

    k: int
    of: Mapping[str, tuple[float, float]]

    @property
    def share(self) -> float:
        """The share of all of them."""
        lost, n = (sum(pair[i] for pair in self.of.values()) for i in (0, 1))
        return lost / n if n else 0.0

    @property
    def shares(self) -> dict[str, float]:
        """The share of each system."""
        return {name: lost / n if n else 0.0 for name, (lost, n) in self.of.items()}


def unjudged_of(material: Material) -> Unjudged:
    """What is not judged among the results that the measure looks at."""
    k = cut_of(values_of(material))
    of = {}
    for name, tally in material.of(Ranked).items():
        lost, n = (float(tally.mass @ tally.each(value, k=k)) for value in (unjudged, results))
        of[name] = lost, n
    return Unjudged(k, of)


def favored(material: Material) -> tuple[str, str] | None:
    """Of two systems, the one with clearly more unjudged results, beyond what chance explains, and the other."""
    tallies, k = material.of(Ranked), cut_of(values_of(material))
    if len(tallies) != 2:
        return None
    (a, one), (b, other) = tallies.items()
    order = together(one, other)
    if order is None or one.weights is not None:
        return None
    apart = np.empty(len(order[0]))
    apart[order[0]] = (one.each(unjudged, k=k)[order[0]] - other.each(unjudged, k=k)[order[1]]) / k
    limits = limits_of_mean(apart, one, material.level, (-1.0, 1.0))
    if limits.low is None or limits.high is None or limits.low <= 0 <= limits.high or abs(apart.mean()) < CLEARLY:
        return None
    return (a, b) if apart.mean() > 0 else (b, a)


def pool_parts(material: Material) -> Iterator[Part]:
    """The share of unjudged results by rank, and what is known about the judgments."""
    found = unjudged_of(material)
    tallies = dict(list(material.of(Ranked).items())[:SYSTEMS])
    if not found.share:
        return
    blocks = (Columns((Figure("queries-unjudged", _by_rank(tallies, found)), Table(_table(material, found)))),)
    lead = "Results that nobody judged count as not relevant. A system whose results went into the pool has fewer."
    yield Part("pool", heading(found), "Pool", blocks, (lead,))


def heading(found: Unjudged) -> str:
    """How many of the results have no judgment."""
    whole = f"{share_text(found.share)} of the {top(found.k)} are unjudged"
    each = each_share(found)
    return f"{whole}: {each}" if each else whole


def each_share(found: Unjudged) -> str:
    """The share of each of two systems, if these are not the same."""
    cut = cut_alike(list(found.of), SHORT)
    told = {cut[name]: share_text(share) if share else "0%" for name, share in found.shares.items()}
    if len(told) != 2 or len({*told.values()}) == 1:
        return ""
    return ", ".join(f"{name} {share}" for name, share in told.items())


def top(k: int) -> str:
    """What the first k results of all queries are called."""
    return "first results" if k == 1 else f"top {k:,} results"


def _by_rank(tallies: Mapping[str, Ranked], found: Unjudged) -> Picture:
    longest = max(int(tally.lists.retrieved.max(initial=1)) for tally in tallies.values())
    k = max(min(found.k, longest), 2)
    ranks = np.arange(1, k + 1, dtype=np.float64)
    lines = []
    for name, tally in tallies.items():
        weight = np.asarray(np.bincount(tally.keys["list"], tally.mass, minlength=len(tally.lists)), np.float64)
        share = unjudged_by_rank(tally.lists, weight, k)
        some = np.isfinite(share)
        lines.append(Line(name, ranks[some], share[some], marked=k <= 30))
    high = max(float(line.y.max(initial=0.0)) for line in lines)
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if high / step <= 5 or step == 0.2)
    end = min(step * np.ceil(high / step + 0.2), 1.0)
    up = tuple((round(i * step, 6), f"{i * step:.0%}") for i in range(round(end / step) + 1))
    each = "; ".join(f"{line.name} {_ends(line)}" for line in lines)
    shown = [rank for rank in TICKS if rank <= k] if k > 10 else range(1, k + 1)
    return Picture(
        title="Unjudged results by rank",
        subtitle=(),
        description=f"The share of results without a judgment at each of the first {k} ranks: {each}.",
        axes=("Rank", "Share of queries"),
        lines=tuple(lines),
        x=(1.0, float(k)),
        y=(0.0, float(end)),
        size=SIZE,
        own=(tuple((float(rank), f"{rank}") for rank in shown), up),
    )


def _ends(line: Line) -> str:
    first, last = (f"{share:.0%} at rank {rank:.0f}" for rank, share in ((line.x[i], line.y[i]) for i in (0, -1)))
    return f"{first}, {last}"


def _table(material: Material, found: Unjudged) -> Section:
    rows = []
    for name, tally in material.of(Ranked).items():
        lost, n = found.of[name]
        at = tally.keys["list"]
        whole = float(tally.mass @ tally.lists.retrieved[at])
        judged = whole - float(tally.mass @ tally.each(unjudged, k=int(tally.lists.retrieved.max(initial=1))))
        pairs = ((lost, n), (whole - judged, whole))
        rows.append((name, tuple(Cell.of(x, share_text(x / of) if x else "") for x, of in pairs)))
    columns = (f"in the top {found.k}", "in the whole list")
    return Section("Unjudged results", columns, tuple(rows))
