"""Small results, each with a sentence or two and one table, as text and as a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import plural
from assay.jobs.comparison.disagreements import Disagreements
from assay.measures.scores.delong import DeLong
from assay.report.contents.blocks import Page, Part, Table
from assay.report.findings.ending import method
from assay.report.text.lines import section_lines
from assay.report.text.wrapping import wrapped
from assay.tables import Cell, Section, count_text
from assay.tally.matrix import ConfusionMatrix
from assay.texts import numeral, p_number, percent
from assay.uncertainty.many.ranks import CriticalDifference, Friedman, Omnibus, PostHoc
from assay.uncertainty.results import version


@dataclass(frozen=True)
class Small:
    """What there is to show of a result."""

    title: str
    sentences: tuple[str, ...]
    table: Section


def as_text(result: Any, width: int = 100) -> str:
    """The sentences, then the table."""
    small = _small(result)
    lines = [line for sentence in small.sentences for line in wrapped(sentence, width)]
    table = [line.plain.rstrip() for line in section_lines(small.table, width)]
    return "\n".join([*lines, *[""] * bool(lines), *table]) + "\n"


def page_of(result: Any, command: str | None = None) -> Page:
    """The page of the result."""
    small = _small(result)
    return Page(
        title=small.title,
        subtitle="",
        verdict=small.sentences,
        cautions=(),
        parts=(Part("table", small.title, "Table", (Table(small.table),)), method((), command)),
        version=version(),
    )


def _small(result: Any) -> Small:
    return next(KINDS[kind](result) for kind in type(result).__mro__ if kind in KINDS)


def _friedman(found: Friedman) -> Small:
    said = [_test(found.reported)]
    if found.reported.value is not None:
        said.append(f"Mean ranks over {plural(found.n, 'data set')}; rank 1 is the best.")
    return Small("Friedman's test", tuple(said), _ranks(found))


def _test(test: Omnibus) -> str:
    if test.value is None or test.p_value is None:
        return f"Friedman's test has no value: {test.reason}."
    df = ", ".join(map(str, test.df))
    p = p_number(test.p_value)
    return f"{test.name}({df}) = {numeral(test.value, '.4g')}, p {p if p.startswith('<') else f'= {p}'}."


def _ranks(found: Friedman | CriticalDifference) -> Section:
    ranked = sorted(zip(found.mean_ranks, found.systems, strict=True), key=lambda pair: pair[0])
    rows = tuple((system, (_number(rank, ".2f"),)) for rank, system in ranked)
    return Section("system", ("mean rank",), rows)


def _critical(found: CriticalDifference) -> Small:
    if found.critical is None:
        first = f"Mean ranks that Holm's method tells apart differ at level {percent(found.level)}."
    else:
        first = f"Mean ranks that differ by {numeral(found.critical, '.3g')} or more are told apart ({found.method})."
    bars = tuple(f"Not told apart: {', '.join(bar)}." for bar in found.bars)
    return Small("Critical difference", (first, *bars), _ranks(found))


def _post_hoc(found: PostHoc) -> Small:
    rows = tuple(
        (
            f"{pair.a} minus {pair.b}",
            (
                _number(pair.difference, "+.2f"),
                _number(pair.z, ".2f"),
                Cell(p_number(pair.p_adjusted), value=pair.p_adjusted),
            ),
        )
        for pair in found
    )
    columns = ("difference of mean ranks", "z", "adjusted p")
    return Small("Pairs of systems", (), Section("pair", columns, rows, "below 0, the first system ranks better"))


def _delong(found: DeLong) -> Small:
    rows = tuple(
        (
            row["system"] if found.names else f"scores {row['system']}",
            (_number(row["area"], ".4f"), _number(row["standard_error"], ".4f")),
        )
        for row in found.frame_rows()
    )
    return Small("Areas under ROC curves", (), Section("system", ("ROC AUC", "standard error"), rows))


def _disagreements(found: Disagreements) -> Small:
    first = f"{plural(len(found), 'row')} with different answers."
    columns = tuple(name for name in (found[0] if found else {}) if name != "id")
    rows = tuple((row["id"], tuple(Cell(row[name]) for name in columns)) for row in found)
    return Small("Rows with different answers", (first,), Section("id", columns, rows))


def _matrix(found: ConfusionMatrix) -> Small:
    lost = f"{count_text(found.left_out)} {'item has' if found.left_out == 1 else 'items have'} another label"
    said = (f"{lost} and {'is' if found.left_out == 1 else 'are'} left out.",) if found.left_out else ()
    names = [str(label) for label in found.labels]
    rows = tuple((f"gold {name}", tuple(map(_entry, row))) for name, row in zip(names, found.table, strict=True))
    section = Section("", tuple(f"called {name}" for name in names), rows)
    return Small("Confusion matrix", said, section)


def _entry(value: Any) -> Cell:
    if np.isnan(value):
        return Cell("–")
    return Cell.of(value) if float(value).is_integer() else _number(float(value), ".4g")


def _number(value: float, form: str) -> Cell:
    return Cell(numeral(value, form), value=value)


KINDS: Mapping[type, Callable[[Any], Small]] = {
    Friedman: _friedman,
    CriticalDifference: _critical,
    PostHoc: _post_hoc,
    DeLong: _delong,
    Disagreements: _disagreements,
    ConfusionMatrix: _matrix,
}
