"""What a page shows of rankings: how high each query ranks something relevant."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.errors import plural
from assay.report.contents.blocks import Part, Table
from assay.report.families.view import Material, view
from assay.tables import Cell, Section
from assay.tally.rankings import Ranked

# Ranks up to which queries are counted together, and what that is called.
STEPS = ((1, "rank 1"), (2, "rank 2"), (3, "rank 3"), (5, "4 to 5"), (10, "6 to 10"), (np.inf, "later"))


def headline(tally: Ranked, system: str) -> str:
    """How many queries were answered."""
    return f"{system} answers {plural(tally.n, 'query')}."


@view(Ranked)
def first_relevant(material: Material) -> Iterator[Part]:
    """The rank of the first relevant document of each query, counted over queries."""
    tables = tuple(Table(_section(name, tally)) for name, tally in material.of(Ranked).items())
    lead = "Queries by the rank of the first relevant document; names of queries are not shown."
    yield Part("queries", "Query by query", "Queries", tables, (lead,))


def _section(system: str, tally: Ranked) -> Section:
    ranks, mass = tally.lists.first_relevant[tally.keys["list"]], tally.mass
    found = np.isfinite(ranks)
    cells, low = [], 0.0
    for high, _ in STEPS:
        cells.append(_cell(float(mass[found & (ranks > low) & (ranks <= high)].sum()), float(mass.sum())))
        low = high
    cells.append(_cell(float(mass[~found].sum()), float(mass.sum())))
    columns = (*(name for _, name in STEPS), "none")
    return Section("first relevant document at", columns, ((system, tuple(cells)),))


def _cell(queries: float, total: float) -> Cell:
    return Cell.of(queries, f"{queries / total:.0%}")
