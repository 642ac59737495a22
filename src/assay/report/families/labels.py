"""What a page shows of labels: the errors, system by system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from assay.jobs.evaluate import with_intervals
from assay.report.families.view import MOST, Material, Matrix, shaded_rows, view
from assay.report.page.blocks import Block, Columns, Part, Prose, Table
from assay.tables import Section
from assay.tally.labels import Confusion

BESIDE = 14  # columns up to which something else fits beside a matrix
WORDS = (("found", "missed"), ("false alarm", "cleared"))


@view(Confusion)
def errors(material: Material) -> Iterator[Part]:
    """The confusion matrix of every system, or the pairs confused most where there are too many classes."""
    turned = material.report.asked.get("rows") == "pred"
    tallies = material.of(Confusion)
    drawn = [
        matrix_of(tally, name, material.systems.index(name), turned=turned)
        for name, tally in tallies.items()
        if tally.k <= MOST
    ]
    many = len(tallies) > 1
    pairs = {
        name: [Table(section, name if many else None) for section in _pairs(tally, material.level)]
        for name, tally in tallies.items()
    }
    blocks = tuple(_arranged(drawn, pairs)) or (Prose(("No system made an error.",)),)
    yield Part("errors", "What kind of errors?", "Errors", blocks, _lead(drawn, turned=turned))


def _lead(drawn: list[Matrix], *, turned: bool) -> tuple[str, ...]:
    if not drawn:
        return ()
    rows = "predicted class" if turned else "true class"
    return (f"Rows are the {rows}; shading is the share of each row. Green is right, red is wrong.",)


def _arranged(drawn: list[Matrix], pairs: Mapping[str, list[Table]]) -> Iterator[Block]:
    """Small matrices beside each other; larger ones each beside the pairs confused most, if both fit."""
    if drawn and drawn[0].size != "tight":
        yield from (Columns(tuple(drawn[i : i + 2])) for i in range(0, len(drawn), 2))
        yield from _beside([table for tables in pairs.values() for table in tables])
        return
    for matrix in drawn:
        own: list[Block] = [matrix, *pairs[matrix.system]]
        yield from (Columns(tuple(own)),) if len(matrix.columns) <= BESIDE else own
    if not drawn:
        yield from _beside([table for tables in pairs.values() for table in tables])


def _beside(tables: list[Table]) -> Iterator[Block]:
    yield from (Columns(tuple(tables[i : i + 2])) for i in range(0, len(tables), 2))


def _pairs(tally: Confusion, level: float) -> list[Section]:
    return [with_intervals(section, level) for section in tally.sections() if section.role == "confused"]


def matrix_of(tally: Confusion, system: str, place: int, *, turned: bool = False) -> Matrix:
    """The table with the positive class first, where there is one; in the order of the labels otherwise."""
    table, order = tally.table, list(range(tally.k))
    positive = tally.positive_label() if tally.k == 2 and not tally.outside else None
    if positive is not None:
        order.sort(key=lambda i: tally.labels[i] != positive)
    across = [*order, *range(tally.k, tally.width)]
    names = [*tally.labels, tally.outside]
    table = table[np.ix_(order, across)]
    down, heads = [names[i] for i in order], [names[i] for i in across]
    if turned:
        table, down, heads = table.T, heads, down
    words = () if positive is None else tuple(zip(*WORDS, strict=True)) if turned else WORDS
    sides = ("called", "truly") if turned else ("truly", "called")
    rows = shaded_rows(table, down, words)
    return Matrix(system, place, f"Confusion matrix of {system}", tuple(heads), rows, *sides)
