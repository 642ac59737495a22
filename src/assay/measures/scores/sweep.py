"""Every measure of labels at every threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import plural
from assay.measures.declare.catalogue import catalogue
from assay.measures.scores.choices import label_measure
from assay.measures.scores.thresholds import four_counts, thresholds_of, two_by_two, values_at
from assay.result import finite
from assay.tables import Cell, Section, count_text
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.scores import ByScore, Scored
from assay.texts import csv_text, json_text, numeral

COUNTS = ("tn", "fp", "fn", "tp")
SHOWN_SHARES = tuple(i / 10 for i in range(11))  # of the items that are called positive, in the table for reading


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """The four counts and every measure at each threshold, from the highest down; nan where a measure is undefined.

    The first threshold is infinite and calls nothing positive; the others are the distinct scores.
    """

    thresholds: Floats
    counts: Floats  # shape (thresholds, 4): TN, FP, FN, TP
    values: Mapping[str, Floats]  # of each measure, by its spelling

    def at(self, threshold: float) -> dict[str, float]:
        """The counts and values at any threshold."""
        place = int(np.searchsorted(-self.thresholds, -threshold, side="right")) - 1
        return {name: float(column[place]) for name, column in self.columns().items() if name != "threshold"}

    def columns(self) -> dict[str, NDArray[Any]]:
        """Every column by name, exact; counts are whole numbers unless rows are weighted."""
        whole = self.counts.astype(np.int64)
        counts = dict(zip(COUNTS, (whole if (whole == self.counts).all() else self.counts).T, strict=True))
        return {"threshold": self.thresholds, **counts, **self.values}

    def rows(self) -> list[dict[str, float | None]]:
        """One row per threshold; None for an undefined measure, and for the threshold that calls nothing positive."""
        columns = self.columns()
        listed = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, map(finite, row), strict=True)) for row in listed]

    def to_csv(self, *, raw: bool = False) -> str:
        """The rows as CSV: an undefined value is empty, and the threshold that calls nothing positive is inf.

        Names of columns are safe to open in a spreadsheet; `raw` leaves them as they are.
        """
        columns = self.columns()
        every = zip(*(column.tolist() for column in columns.values()), strict=True)
        return csv_text([tuple(columns), *(["" if math.isnan(x) else x for x in row] for row in every)], raw=raw)

    def to_json(self) -> str:
        """The rows as JSON, with the reason where a measure is undefined."""
        lacking = [name for name, column in self.values.items() if np.isnan(column).any()]
        why = {name: label_measure(name)[0].undefined for name in lacking}
        return json_text({"rows": self.rows(), "undefined": why})

    def to_frame(self, backend: str | None = None) -> Any:
        """The rows as a data frame: Polars, pandas or PyArrow, whichever is named or installed first."""
        from assay.sources.frames import frame_of

        names = list(self.columns())
        rows = self.rows()
        columns = {name: [row[name] for row in rows] for name in names}
        return frame_of({**columns, "threshold": self.thresholds.tolist()}, backend)

    def section(self, title: str, titles: Mapping[str, str], chosen: float | None = None) -> Section:
        """A table for reading: thresholds that call about 0%, 10%, … of the items positive, and the chosen one.

        `titles` gives the measures to show, by spelling, and the headings of their columns.
        """
        called = self.counts[:, 1] + self.counts[:, 3]
        share = called / self.counts.sum(-1)
        places = {int(np.abs(share - wanted).argmin()) for wanted in SHOWN_SHARES}
        if chosen is not None:
            places.add(int(np.flatnonzero(self.thresholds == chosen)[0]))
        rows = []
        for place in sorted(places):
            at = float(self.thresholds[place])
            mark = " ← chosen" if at == chosen else ""
            cells = [Cell(count_text(float(called[place])), note=f"{100 * share[place]:.0f}%")]
            cells += [_cell(float(self.values[name][place])) for name in titles]
            below = float(self.thresholds[place + 1]) if place + 1 < len(self.thresholds) else -math.inf
            rows.append((f"{'none' if math.isinf(at) else between(below, at)}{mark}", tuple(cells)))
        left_out = len(self.thresholds) - len(rows)
        note = "every threshold"
        if left_out:
            note = (
                f"{len(rows)} of {len(self.thresholds):,}, with about 0%, 10%, … 100% called; --sweep FILE writes all"
            )
        return Section(title, ("called", *titles.values()), tuple(rows), note)

    def __repr__(self) -> str:
        return f"<Sweep of {plural(len(self.values), 'measure')} over {plural(len(self.thresholds), 'threshold')}>"


def between(below: float, at: float) -> str:
    """A threshold in at least six digits, and as many as it takes to give the same labels: above `below`, at most `at`.

    Rounded to fewer, 0.9999999 would read as 1, where other items are positive.
    """
    digits = next((digits for digits in range(6, 17) if below < float(f"{at:.{digits}g}") <= at), 17)
    return numeral(at, f".{digits}g")


def sweep(tally: Scored, measures: Sequence[str] | None = None) -> Sweep:
    """The named measures of labels, or all of them, at every threshold that changes a label."""
    measures = label_measures() if measures is None else measures
    cells, four = two_by_two(tally), four_counts(ByScore.of(tally, tally.mass))
    values = {}
    for spelling in measures:
        measure, options = label_measure(spelling)
        bound = measure.bind(cells, **options)
        values[bound.spelling] = values_at(bound, cells, four)
    return Sweep(thresholds_of(tally), np.stack([getattr(four, name) for name in COUNTS], axis=-1), values)


def label_measures() -> list[str]:
    """All measures of labels, by name."""
    return [name for name, each in catalogue().items() if issubclass(each.kind, Confusion)]


def _cell(value: float) -> Cell:
    return Cell("–") if math.isnan(value) else Cell(numeral(value, ".3f"), value=value)
