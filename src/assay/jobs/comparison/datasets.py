"""Values over several data sets: means over the folds of each, a table of them, and the tests of their ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from assay.errors import plural
from assay.jobs.answers.contest import Ranking, Spread, Within
from assay.notes import Aside
from assay.tables import Cell, Section
from assay.tally.contract.sampling import Floats
from assay.texts import decimals_of, numeral, p_number, percent
from assay.uncertainty.many.ranks import Friedman, critical_difference, friedman, midranks, post_hoc

ABOUT_RANKS = (
    "null hypothesis: on each data set every order of the systems is equally likely. These tests, and Nemenyi's, are "
    "about ranks, not means: for systems with equal means and skewed values they rejected 8 to 23% of the time at 5%"
)
RANKED = (
    "below 0, the first has the better mean rank. These use the ranks of all systems at once and the comparisons above "
    "use each pair alone, so they need not agree; the verdict is that of the pairs"
)
SHOWN = 20  # data sets up to which a terminal shows every one
FIRST = 12  # data sets that it shows of more
POST_HOC_NAMES = {"nemenyi": "Nemenyi's test", "holm": "Holm's method", "bonferroni_dunn": "the Bonferroni–Dunn test"}


# ---------------------------------------------------------------------- folds within data sets
def mean_over_folds(
    values: Mapping[str, Floats], datasets: Sequence[str]
) -> tuple[tuple[str, ...], dict[str, Floats], Within]:
    """The names of the data sets, every system's mean over the folds of each, and what lies behind the means.

    `datasets` names the data set of each fold.
    """
    names = tuple(dict.fromkeys(datasets))
    held = np.array(datasets)
    places = [np.flatnonzero(held == name) for name in names]
    # Means that are equal on paper must tie, whatever the last bits of their sums are.
    means = {
        system: np.array([float(f"{math.fsum(each[at]) / len(at):.13g}") for at in places])
        for system, each in values.items()
    }
    spread = {
        system: tuple(float(each[at].std(ddof=1)) if len(at) > 1 else None for at in places)
        for system, each in values.items()
    }
    return names, means, Within(tuple(len(at) for at in places), spread)


def note_on_folds(within: Within) -> str:
    """What the values are, and that data sets count equally however many folds they have."""
    fewest, most = min(within.folds), max(within.folds)
    each = f"{plural(fewest, 'fold')} of each data set"
    uneven = ""
    if fewest < most:
        each = f"folds of each data set, of which there are {fewest:,} to {most:,}"
        uneven = "; every data set counts once, however many folds it has"
    return Aside(
        f"each value is the mean over the {each}{uneven}. The tests compare data sets, because folds of one data set "
        "share training data (Demšar 2006)"
    )


# ---------------------------------------------------------------------- the values themselves
def value_table(spread: Spread, measure: str, *, higher_is_better: bool) -> Section:
    """Data sets in rows and systems in columns, the best of each row marked, and mean ranks in the last row."""
    systems = list(spread.values)
    table = np.stack([np.array(spread.values[name]) for name in systems], axis=1)
    ranks = midranks(-table if higher_is_better else table)
    usual = decimals_of(table.ravel().tolist())
    places = max(_decimals(table, ranks), usual)
    rows = []
    for i, name in enumerate(spread.names):
        first = ranks[i].min()
        sd = {} if spread.within is None else {s: spread.within.sd[s][i] for s in systems}
        cells = [
            Cell(
                numeral(table[i, j], f".{places}f"),
                note=_plus_minus(sd.get(system), usual),
                tone="best" if ranks[i, j] == first else "plain",
                value=float(table[i, j]),
            )
            for j, system in enumerate(systems)
        ]
        rows.append((name, tuple(cells)))
    rows.append(("mean rank", tuple(Cell(f"{rank:.2f}", value=float(rank)) for rank in ranks.mean(axis=0))))
    folds = "" if spread.within is None else "; ± is the standard deviation over its folds"
    shown = (*range(FIRST), len(rows) - 1) if len(spread.names) > SHOWN else None
    return Section(
        f"{'values' if measure == 'mean' else measure} by data set",
        tuple(systems),
        tuple(rows),
        f"marked: the best on its data set{folds}",
        beside="standard deviations over folds",
        brief=shown,
        role="datasets",
    )


def _plus_minus(sd: float | None, places: int) -> str:
    return "" if sd is None else f"±{numeral(sd, f'.{places}f')}"


def _decimals(table: Floats, ranks: Floats) -> int:
    """Three, or four where three would make another value look like the best of its row."""
    shown = np.round(table, 3)
    best = np.take_along_axis(shown, ranks.argmin(axis=1)[:, None], axis=1)
    alike = (shown == best) & (ranks > ranks.min(axis=1, keepdims=True))
    return 4 if alike.any() else 3


# ---------------------------------------------------------------------- ranks
def ranking_of(
    values: Mapping[str, Floats], baseline: str | None, level: float, *, higher_is_better: bool
) -> Ranking | None:
    """Friedman's test and what a diagram of mean ranks draws; None for fewer than three systems.

    All pairs are compared by Nemenyi's critical difference; systems and a baseline, by Holm's method.
    """
    if len(values) < 3:
        return None
    tested = friedman({name: list(each) for name, each in values.items()}, higher_is_better=higher_is_better)
    method = "nemenyi" if baseline is None else "holm"
    return Ranking(tested, critical_difference(tested, level, method, baseline))


def rank_tables(ranking: Ranking) -> list[Section]:
    """Friedman's test in each of its forms, one of them marked as the one to report, and what comes after it."""
    drawn = ranking.drawn
    ranks = tuple(
        (name, (Cell(f"{rank:.2f}", value=rank),)) for name, rank in zip(drawn.systems, drawn.mean_ranks, strict=True)
    )
    after = post_hoc(ranking.tested, "holm", drawn.baseline)
    place = {name: i for i, name in enumerate(drawn.systems)}
    near = tuple(i for i, p in enumerate(after) if abs(place[p.a] - place[p.b]) == 1)
    hoc = tuple(
        (f"{p.a} − {p.b}", (Cell(numeral(p.z, "+.2f"), value=p.z), Cell(p_number(p.p_adjusted), value=p.p_adjusted)))
        for p in after
    )
    return [
        _omnibus(ranking.tested),
        Section("mean rank", ("rank",), ranks, not_told_apart(ranking), role="ranks"),
        Section(
            "after Friedman", ("z", "p, Holm"), hoc, RANKED, brief=near if len(hoc) > SHOWN else None, role="ranks"
        ),
    ]


def _omnibus(tested: Friedman) -> Section:
    rows = []
    for test in tested.tests:
        value = Cell("–") if test.value is None else Cell(f"{test.value:.3f}", value=test.value)
        p = Cell("–") if test.p_value is None else Cell(p_number(test.p_value), value=test.p_value)
        df = Cell(", ".join(str(each) for each in test.df))
        rows.append((test.name, (value, df, p, Cell("use this" if test is tested.reported else ""))))
    columns = ("statistic", "df", "p", "")
    return Section("Friedman over data sets", columns, tuple(rows), ABOUT_RANKS, role="ranks")


def not_told_apart(ranking: Ranking) -> str:
    """Which systems the mean ranks do not tell apart, and by what."""
    drawn = ranking.drawn
    by = f"{POST_HOC_NAMES[drawn.method]} at {percent(drawn.level)}"
    if drawn.critical is not None:
        by = f"critical difference {drawn.critical:.3f} (Nemenyi, {percent(drawn.level)})"
    if drawn.baseline is not None:
        near = [name for bar in drawn.bars for name in bar if name != drawn.baseline]
        return f"not told apart from {drawn.baseline} by {by}: {', '.join(near) or 'none'}"
    return f"{by}; not told apart: {'; '.join(' = '.join(bar) for bar in drawn.bars) or 'none'}"
