"""Rows as they come from the engine, before they are tallied: what is missing, repeated or weighted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, OptionError, listed, plural, written
from assay.sources.arrays import Coded
from assay.sources.columns import Roles
from assay.sources.frames import is_missing, raw_column, scan_rows
from assay.sources.given import MOST_ITEMS, SIZES, as_number, extreme, total, whole
from assay.sources.read.table import Table
from assay.sources.relabel import Relabeled, Relabeling
from assay.tally.contract.base import Weights
from assay.tally.contract.sampling import Floats, Ints

COUNT = f"a count is a whole number from 0 to {MOST_ITEMS:,}"
WEIGHT = f"a weight is 0, or a number {SIZES}"


@dataclass(frozen=True)
class Scan:
    """Rows of labels and scores with how many rows of the table, and how much weight, each stands for."""

    columns: Mapping[str, Coded]
    counts: Ints
    numbers: Mapping[str, Floats] = field(default_factory=dict)
    weights: Weights | None = None

    def only(self, rows: NDArray[np.bool_] | Ints) -> Scan:
        """Some of the rows, or all in another order."""
        weights = None if self.weights is None else self.weights.only(rows)
        return Scan(
            {name: coded.only(rows) for name, coded in self.columns.items()},
            self.counts[rows],
            {name: scores[rows] for name, scores in self.numbers.items()},
            weights,
        )

    def ordered(self, first: Sequence[str]) -> Scan:
        """The same rows ordered by their values, whatever order an engine returned them in.

        The first columns decide; others, such as groups, only break ties.
        """
        held = {**{name: coded.codes for name, coded in self.columns.items()}, **self.numbers}
        rest = [held[name] for name in sorted(held) if name not in first]
        if self.weights is not None:
            rest.append(self.weights.total)
        return self.only(np.lexsort([*rest, *(held[name] for name in sorted(held) if name in first)]))

    def missing(self, column: str) -> NDArray[np.bool_]:
        """Which rows have no value in this column."""
        if column in self.columns:
            return np.asarray(self.columns[column].codes < 0)
        return np.isnan(self.numbers[column])

    def relabeled(self, columns: Sequence[str], relabeling: Relabeling) -> tuple[Scan, Relabeled]:
        """The same rows with these columns relabeled, and what that changed."""
        old = {name: self.columns[name] for name in dict.fromkeys(columns)}
        new = {name: relabeling.coded(coded) for name, coded in old.items()}
        done = Relabeled.of(relabeling, list(old.values()), self.counts)
        return Scan({**self.columns, **new}, self.counts, self.numbers, self.weights), done

    def seen(self, column: str) -> set[str | None]:
        """The labels that occur in this column, with None if one is missing."""
        coded = self.columns[column]
        labels: tuple[str | None, ...] = (*coded.labels, None)
        return {labels[code] for code in np.unique(coded.codes)}


def scan(table: Table, roles: Roles, missing: str) -> tuple[Scan, int]:
    """The rows that can be evaluated, and how many were left out."""
    columns, numbers, counts = scan_rows(table, roles.used, labels=roles.labels, numbers=roles.numbers)
    if not counts.sum():
        raise DataError(f"{table.name} has no rows: there is nothing to evaluate.")
    found = _weighed(_repeated(Scan(columns, counts, numbers), roles.count, table.name), roles.weight, table.name)
    found, skipped = _answered(found, roles, missing, table)
    if roles.cluster is not None:
        _refuse_empty(found, roles.cluster, table.name, "every row belongs to a cluster")
    return found, skipped


# ---------------------------------------------------------------------- what is missing
SKIP, WRONG = ("--missing skip", "missing='skip'"), ("--missing wrong", "missing='wrong'")


def _answered(found: Scan, roles: Roles, missing: str, table: Table) -> tuple[Scan, int]:
    """The rows that can be evaluated: not without a label or a score, but as wrong without a prediction."""
    source = table.name
    preds, scores = list(dict.fromkeys(roles.preds.values())), roles.numbers
    if missing == "skip":
        lost = np.any([found.missing(column) for column in (roles.gold, *preds, *scores)], axis=0)
        if lost.all():
            raise DataError(f"{source}: every row lacks a label or a prediction, so there is nothing left to evaluate.")
        return found.only(~lost), int(found.counts[lost].sum())
    _refuse_missing(found, roles.gold, source)
    for column in scores:
        if missing == "wrong" and found.missing(column).any():
            raise OptionError(
                f"{_unscored(found, column, table)} A missing score is neither right nor wrong, so {written(*WRONG)} "
                f"does not apply to scores: leave these rows out with {written(*SKIP)}."
            )
        if found.missing(column).any():
            left_out = f"leave the rows out: {written(*SKIP)}."
            raise DataError(f"{_unscored(found, column, table)} Fill them in, or {left_out}")
    if missing == "error":
        as_wrong = f", count missing predictions as wrong with {written(*WRONG)}"
        for column in preds:
            _refuse_missing(found, column, source, as_wrong)
    elif preds and all(found.missing(column).all() for column in preds):
        raise DataError(f"{source}: no system predicts anything for any row.")
    return found, 0


def _unscored(found: Scan, column: str, table: Table) -> str:
    n, rows = int(found.counts[found.missing(column)].sum()), int(found.counts.sum())
    values = raw_column(table, column)
    if isinstance(values, np.ma.MaskedArray):
        first = int(np.ma.getmaskarray(values).argmax())
    else:
        first = next(i for i, value in enumerate(values) if is_missing(value))
    have = "has" if n == 1 else "have"
    return f"{table.name}: {n:,} of {rows:,} rows {have} no score in column '{column}' (first: row {first + 1})."


def _refuse_missing(found: Scan, column: str, source: str, more: str = "") -> None:
    n = int(found.counts[found.missing(column)].sum())
    if n:
        raise DataError(
            f"{source}: {n:,} of {int(found.counts.sum()):,} rows {'has' if n == 1 else 'have'} no value in column "
            f"'{column}'. "
            f"A missing label is not a class: fill these rows in{more}, or leave them out with {written(*SKIP)}."
        )


# ---------------------------------------------------------------------- rows that count more than once
def _repeated(found: Scan, column: str | None, source: str) -> Scan:
    """Rows as many times as their count says."""
    if column is None:
        return found
    coded = _filled(found, column, source, COUNT)
    times = [whole(text) for text in coded.labels]
    _refuse_wrong(found, column, source, COUNT, [n is None or not 0 <= n <= MOST_ITEMS for n in times])
    # In Python integers, which do not overflow; the few distinct ones are added up.
    rows = np.bincount(coded.codes, weights=found.counts, minlength=len(times)).astype(np.int64).tolist()
    exact = [(n or 0) * held for n, held in zip(times, rows, strict=True)]
    if not total(exact, f"{source}: the rows of column '{column}' stand for"):
        raise DataError(f"{source}: all counts in column '{column}' are 0, so there is nothing left to evaluate.")
    counts = found.counts * np.array(times, np.int64)[coded.codes]
    return Scan(found.columns, counts, found.numbers).only(counts > 0)


def _weighed(found: Scan, column: str | None, source: str) -> Scan:
    """Rows with the sums of their importance weights."""
    if column is None:
        return found
    coded = _filled(found, column, source, WEIGHT)
    read = np.array([as_number(text) for text in coded.labels])
    _refuse_wrong(found, column, source, WEIGHT, ~(read >= 0) | extreme(read))
    w = read[coded.codes]
    if not w.any():
        raise DataError(f"{source}: all weights in column '{column}' are 0, so there is nothing left to evaluate.")
    return Scan(found.columns, found.counts, found.numbers, Weights.of(w, found.counts))


def _filled(found: Scan, column: str, source: str, wanted: str) -> Coded:
    _refuse_empty(found, column, source, wanted)
    return found.columns[column]


def _refuse_wrong(found: Scan, column: str, source: str, wanted: str, bad: ArrayLike) -> None:
    """Refuse rows with one of the bad labels, showing the first of them."""
    coded = found.columns[column]
    wrong = np.asarray(bad, bool)[coded.codes]
    if wrong.any():
        shown = list(dict.fromkeys(coded.labels[code] for code in coded.codes[wrong]))
        rows = int(found.counts[wrong].sum())
        raise DataError(f"{source}: column '{column}' has {listed(shown, 3)} in {plural(rows, 'row')}; {wanted}.")


def _refuse_empty(found: Scan, column: str, source: str, wanted: str) -> None:
    n = int(found.counts[found.missing(column)].sum())
    if n:
        raise DataError(f"{source}: column '{column}' is empty in {plural(n, 'row')}; {wanted}.")
