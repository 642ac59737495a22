"""The errors of classifiers on a page: what is found in their confusion matrices, and how these are arranged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from assay.errors import joined, plural
from assay.report.contents.blocks import Block, Columns, Stack, Table
from assay.report.families.matrix import BLOCK, MOST_DRAWN, Matrix
from assay.report.families.view import Material
from assay.tables import count_text
from assay.tally.labels import Confusion
from assay.texts import share_text

BESIDE = 14  # columns up to which something else fits next to a matrix


def ranked(material: Material) -> dict[str, Confusion]:
    """The tables of the systems, the best first if they were ranked."""
    tallies, contest = material.of(Confusion), material.report.contest
    ranks = [] if contest is None or len(tallies) < 3 else [s.system for s in contest.standings]
    return {name: tallies[name] for name in sorted(tallies, key=lambda n: ranks.index(n) if n in ranks else -1)}


def errors_found(tallies: Mapping[str, Confusion]) -> str:
    """How many errors each system makes: misses and false alarms, or wrong answers."""
    first = next(iter(tallies.values()))
    positive = first.positive_label() if first.k == 2 else None
    if len(tallies) > 2 or any(tally.weights is not None for tally in tallies.values()):
        return _worst(tallies) if positive is None else _fewest(tallies)
    if positive is None:
        wrong = (
            f"{name} is wrong on {count_text(float(t.margins.n - t.margins.correct))}" for name, t in tallies.items()
        )
        return f"{'; '.join(wrong)} of {plural(first.n, first.item)}"
    told = []
    for name, tally in tallies.items():
        m, i = tally.margins, tally.labels.index(positive)
        misses = count_text(m.gold[i] - m.hit[i])
        told.append(f"{name} misses {misses} and has {plural(int(m.pred[i] - m.hit[i]), 'false alarm')}")
    return "; ".join(told)


def _worst(tallies: Mapping[str, Confusion]) -> str:
    """The confusion with the largest share of its class."""
    found = []
    for name, tally in tallies.items():
        wrong = tally.table[:, : tally.k] * (1 - np.eye(tally.k))
        share = np.divide(wrong, tally.table.sum(1, keepdims=True), out=np.zeros_like(wrong), where=wrong > 0)
        i, j = np.unravel_index(int(np.argmax(share)), share.shape)
        found.append((float(share[i, j]), name, tally.labels[i], tally.labels[j]))
    share, name, gold, called = max(found, key=lambda each: each[0])
    return f"{name} calls {share_text(share)} of “{gold}” “{called}”" if share else "Errors by class"


def _fewest(tallies: Mapping[str, Confusion]) -> str:
    """Which system is wrong least often."""
    wrong = {name: 1 - float(t.margins.correct) / float(t.margins.n) for name, t in tallies.items()}
    least = min(wrong.values())
    best = [name for name, share in wrong.items() if share <= least + 1e-12]
    makes = "makes" if len(best) == 1 else "make"
    return f"{joined(best)} {makes} the fewest errors, {share_text(least)} of all answers"


def lead_of(drawn: list[Matrix], classes: int, *, turned: bool) -> tuple[str, ...]:
    """How the matrices are read."""
    rows = "class called" if turned else "gold class"
    lead = (
        f"Rows are the {rows}. Blue is correct, stronger for a larger share of the row; red is wrong, stronger the "
        "closer it is to the largest error."
    )
    if classes > MOST_DRAWN:
        return (f"Of {classes:,} classes, these are the {BLOCK} with the most errors. {lead}",)
    return (f"{lead} Empty cells are 0." if any(matrix.size == "dense" for matrix in drawn) else lead,)


def arranged(drawn: list[Matrix], pairs: Mapping[str, list[Table]]) -> Iterator[Block]:
    """Small matrices side by side; larger ones each next to the pairs confused most, if both fit."""
    if drawn and drawn[0].size not in ("tight", "dense"):
        yield from (Columns(tuple(drawn[i : i + 2])) for i in range(0, len(drawn), 2))
        yield from _beside([table for tables in pairs.values() for table in tables])
        return
    fits = all(len(matrix.columns) <= BESIDE for matrix in drawn)
    step = 2 if fits and len(drawn) > 1 else 1
    for i in range(0, len(drawn), step):
        own = drawn[i : i + step]
        each = [(matrix, *pairs[matrix.system]) for matrix in own]
        if step == 2:
            yield Columns(tuple(Stack(blocks) for blocks in each))
        else:
            yield from (Columns(each[0]),) if fits else each[0]
    if not drawn:
        yield from _beside([table for tables in pairs.values() for table in tables])


def _beside(tables: list[Table]) -> Iterator[Block]:
    yield from (Columns(tuple(tables[i : i + 2])) for i in range(0, len(tables), 2))
