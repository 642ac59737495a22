"""Query by query: who gains where, how values spread, and where the first relevant result stands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.errors import plural
from assay.jobs.answers.row_texts import value_text
from assay.report.charts.queries.against import MOST as MOST_POINTS
from assay.report.charts.queries.against import Against
from assay.report.charts.queries.bars import MOST as MOST_BARS
from assay.report.charts.queries.bars import Bars, largest
from assay.report.charts.queries.spread import Strip, Strips
from assay.report.contents.blocks import Block, Columns, Figure, Part, Stack, Table, Wide
from assay.report.families.rankings.values import Pair, Values, pair_of, row_of, values_of
from assay.report.families.view import Material
from assay.report.names import SHORT, cut_alike
from assay.report.tokens import SYSTEMS
from assay.tables import Cell, Section
from assay.tally.rankings import Ranked
from assay.texts import decimals, numeral, percent, reach, share_text, signed

# Ranks up to which queries are counted together, and what that is called.
STEPS = ((1, "1"), (2, "2"), (3, "3"), (5, "4–5"), (10, "6–10"), (np.inf, "later"))
FEW = 3  # systems whose values are no taller than a chart
NAMES = "show_queries"  # the option that lets a page have the names of queries


def query_parts(material: Material) -> Iterator[Part]:
    """Differences in order, one system against the other, how values spread, and the first relevant results."""
    table = Table(first_relevant(material.of(Ranked)))
    values = values_of(material)
    if values is None:
        yield Part("queries", _soon(material), "Queries", (table,))
        return
    pair, strips = pair_of(material, values), _strips(material, values)
    spread = Figure("queries-spread", strips, _mean_of(material, strips))
    if pair is None:
        yield Part("queries", _soon(material), "Queries", (Columns((spread, table)),), _lead_of_one(values))
        return
    if not pair.gain.any():
        equal = f"Both have the same {values.title} on every query."
        yield Part("queries", heading(pair), "Queries", (Columns((spread, table)),), (equal,))
        return
    bars = _bars(material, values, pair)
    against = Figure("queries-against", _against(material, values, pair), _sizes(pair))
    narrow = bars.narrow()
    wide = Wide(
        "queries-differences",
        bars,
        "" if bars.noted else bars.note,
        narrow,
        bars.note if bars.noted and not narrow.noted else "",
    )
    few = len(strips.systems) <= FEW  # so that the table fits below them
    pairs = (against, Stack((spread, table))) if few else (Stack((against, table)), spread)
    blocks: tuple[Block, ...] = (wide, Columns(pairs))
    yield Part("queries", heading(pair), "Queries", blocks, _lead(material, pair))


def heading(pair: Pair) -> str:
    """On how many queries the first system gains and loses."""
    won, same, lost = pair.wins
    a, b = cut_alike(pair.names, SHORT).values()
    if not won and not lost:
        return f"{a} and {b} are equal on {'the query' if same == 1 else f'all {same:,} queries'}"
    ahead, up, down = (a, won, lost) if pair.mean >= 0 else (b, lost, won)
    queries = plural(up, "query") if up else "no query"
    lost_on = f"{down:,}" if down else "none"
    than = f" against {b}, the runner-up," if pair.runner_up else ""
    return f"{ahead} gains on {queries}{than} and loses on {lost_on}"


def _lead(material: Material, pair: Pair) -> tuple[str, ...]:
    n = len(pair.gain)
    named = "Words are at the largest gains and losses: read these queries first."
    if not material.report.asked.get(NAMES):
        named = "Values are at the largest gains and losses. Pages hold no names of queries unless they are asked for."
    drawn = "A bar per query, sorted." if n <= MOST_BARS else f"{MOST_BARS} of {n:,} queries, evenly spaced in order."
    return (f"{drawn} {named}",)


# ---------------------------------------------------------------------- charts
def _bars(material: Material, values: Values, pair: Pair) -> Bars:
    order = np.argsort(-pair.gain, kind="stable")
    gain, named = pair.gain[order], bool(material.report.asked.get(NAMES))

    def told(place: int) -> tuple[str, str]:
        i = int(order[place])
        return str(pair.queries[i]) if named else "", _both(pair, i)

    gains, losses = largest(gain, told)
    low, high = pair.limits
    a, b = cut_alike(pair.names, SHORT).values()
    won, same, lost = pair.wins
    mean = signed(pair.mean, decimals(low, high))
    level = percent(material.level)
    note = f"mean {mean}" if low is None or high is None else f"mean {mean}, band is its {level} interval"
    within = "" if low is None or high is None else f", with a {level} interval {reach(low, high)}"
    lower = "; lower values are better, and bars above 0 are better" if values.lower else ""
    of = f"{b} − {a}" if values.lower else f"{a} − {b}"
    ends = f"from {signed(float(gain[0]), 3)} to {signed(float(gain[-1]), 3)}"
    return Bars(
        title=f"Difference in {values.title}, {of}",
        subtitle=(),
        description=f"Differences in {values.title} of {plural(len(gain), 'query')}, {of}, sorted: {a} is better on "
        f"{won:,}, {b} on {lost:,}, and {same:,} are the same{lower}. They range {ends}; their mean is {mean}{within}.",
        axis="",
        values=gain,
        mean=pair.mean,
        low=low,
        high=high,
        names=(a, b),
        places=_places(material, pair),
        gains=gains,
        losses=losses,
        note=note,
    )


def _both(pair: Pair, i: int) -> str:
    """Both values of a query."""
    places = 3 if max(abs(pair.first[i]), abs(pair.second[i])) < 0.1 else 2
    return " against ".join(numeral(float(x), f".{places}f") for x in (pair.first[i], pair.second[i]))


def _places(material: Material, pair: Pair) -> tuple[int, int]:
    first, second = (material.systems.index(name) for name in pair.names)
    return first, second


def _against(material: Material, values: Values, pair: Pair) -> Against:
    a, b = cut_alike(pair.names, SHORT).values()
    won, same, lost = pair.wins
    return Against(
        title="Query against query",
        subtitle=(),
        description=f"{values.title} of {plural(len(pair.gain), 'query')}, {a} upward against {b} across: {won:,} lie "
        f"above the line of equal values or are better with {a}, {lost:,} are better with {b}, {same:,} are equal.",
        measure=values.title,
        names=(a, b),
        places=_places(material, pair),
        first=pair.first,
        second=pair.second,
        within=values.within,
        lower=values.lower,
    )


def _sizes(pair: Pair) -> str:
    """What a mark is, where it is not simply a query."""
    n = len(pair.gain)
    if n > MOST_POINTS:
        return f"{n:,} queries in cells; the larger a square, the more queries"
    distinct = len(np.unique(np.stack([pair.first, pair.second], 1).round(9), axis=0))
    return "a mark per query" if distinct == n else "larger marks: several queries with the same values"


def _strips(material: Material, values: Values) -> Strips:
    shown = list(values.each)[:SYSTEMS]
    cut = cut_alike(shown, SHORT)
    systems = []
    for name in shown:
        row = row_of(material.report, name, values.measure)
        mean = values.mean(name)
        text = numeral(mean, ".3f") if row is None or row.value is None else value_text(row)
        low, high = (None, None) if row is None else (row.low, row.high)
        place = material.systems.index(name)
        systems.append(Strip(cut[name], place, values.each[name], mean, text, low, high))
    told = "; ".join(f"{system.name}: {_spread_told(system)}" for system in systems)
    of = f"the first {SYSTEMS} systems" if len(values.each) > SYSTEMS else "single queries"
    return Strips(
        title="How queries spread",
        subtitle=(),
        description=f"{values.title} of {of}, with mean and {percent(material.level)} interval: {told}.",
        axis=values.title,
        systems=tuple(systems),
        within=values.within,
    )


def _mean_of(material: Material, strips: Strips) -> str:
    """What is drawn for each system."""
    dots = "a mark per query" if strips.dotted else "bars: how many queries"
    known = any(system.low is not None for system in strips.systems)
    return f"{dots}; below: mean{f' with {percent(material.level)} interval' if known else ''}"


def _spread_told(system: Strip) -> str:
    low, middle, high = (numeral(float(x), ".3f") for x in np.quantile(system.each, (0.25, 0.5, 0.75)))
    return f"mean {system.text}, median {middle}, middle half from {low} to {high}"


# ---------------------------------------------------------------------- the first relevant result
def first_relevant(tallies: dict[str, Ranked]) -> Section:
    """How many queries have their first relevant result at which rank."""
    found = any(np.isinf(t.lists.first_relevant[t.keys["list"]]).any() for t in tallies.values())
    columns = (*(name for _, name in STEPS), "none")
    rows = tuple((name, tuple(_counted(tally))) for name, tally in tallies.items())
    note = "queries by the rank of their first relevant result" + ("; none: no relevant result in the list" * found)
    return Section("First relevant result at rank", columns, rows, note)


def _counted(tally: Ranked) -> Iterator[Cell]:
    ranks, mass = tally.lists.first_relevant[tally.keys["list"]], tally.mass
    found, low, total = np.isfinite(ranks), 0.0, float(mass.sum())
    for high, _ in STEPS:
        yield _cell(float(mass[found & (ranks > low) & (ranks <= high)].sum()), total)
        low = high
    yield _cell(float(mass[~found].sum()), total)


def _cell(n: float, total: float) -> Cell:
    return Cell.of(n, share_text(n / total) if n else "")


def _soon(material: Material) -> str:
    """How many queries have something relevant at the very top."""
    told = []
    cut = cut_alike(material.systems, SHORT)
    for name, tally in material.of(Ranked).items():
        first = tally.lists.first_relevant[tally.keys["list"]]
        told.append((cut[name], int((first <= 1).sum()), len(first)))
    if len(told) > 2:
        return "Query by query"
    each = "; ".join(f"{name} has a relevant result at rank 1 on {top:,} of {n:,}" for name, top, n in told)
    if len(told) > 1:
        return f"{each} {'query' if told[0][2] == 1 else 'queries'}"
    have = "has" if told[0][1] == 1 else "have"
    return f"{told[0][1]:,} of {plural(told[0][2], 'query')} {have} a relevant result at rank 1"


def _lead_of_one(values: Values) -> tuple[str, ...]:
    return (f"{values.title} of single queries; names of queries are not shown.",)
