"""Counting where the table lives: one group-by, then everything is small."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, OptionError, choose, listed, plural
from assay.options import MISSING
from assay.sources.arrays import order_labels
from assay.sources.columns import Roles
from assay.sources.frames import Table, count_rows
from assay.tally.base import Weights
from assay.tally.confusion import Confusion, universe_of
from assay.tally.counting import known_label
from assay.tally.counts import Counts, Slicing, Together
from assay.tally.guessed import Guessed, placed
from assay.tally.sampling import Clusters, Floats, Ints, collect_clusters

NO_ANSWER = "no answer"
MOST_GROUPS = 200  # a column with more values than this is no slicing column
Texts = NDArray[np.object_]


@dataclass(frozen=True)
class Scan:
    """Distinct rows of text with how many rows of the table, and how much weight, each stands for."""

    columns: Mapping[str, Texts]
    counts: Ints
    weights: Weights | None = None

    def only(self, rows: NDArray[np.bool_]) -> Scan:
        """Some of the rows."""
        weights = None
        if self.weights is not None:
            weights = Weights(self.weights.total[rows], self.weights.squares[rows])
        return Scan({name: texts[rows] for name, texts in self.columns.items()}, self.counts[rows], weights)

    def missing(self, column: str) -> NDArray[np.bool_]:
        """Which rows have nothing in this column."""
        return np.fromiter((text is None for text in self.columns[column]), bool, len(self.counts))


def count_predictions(
    table: Table,
    roles: Roles,
    *,
    labels: Sequence[object] | str | None = None,
    positive: object | None = None,
    missing: str = "error",
) -> Counts:
    """One confusion tally per system and per group, over the labels of all of them, from a single scan."""
    choose(missing, MISSING, "missing")
    columns, counts = count_rows(table, roles.used, labels=roles.labels)
    if not counts.sum():
        raise DataError(f"{table.name} has no rows: there is nothing to evaluate.")
    scan = _weighed(_repeated(Scan(columns, counts), roles.count, table.name), roles.weight, table.name)
    scan, skipped = _answered(scan, roles, missing, table.name)
    if roles.cluster is not None:
        _refuse_empty(scan, roles.cluster, table.name, "every row belongs to a cluster")
    unanswered = {system: int(scan.counts[scan.missing(column)].sum()) for system, column in roles.preds.items()}
    counted = _Coder.of(scan, roles, labels, positive)
    slices = tuple(_sliced(scan, columns, counted) for columns in roles.slices)
    lacking = {name: n for name, n in unanswered.items() if n}
    together, guessed = counted.together(scan), counted.guessed(scan)
    return Counts(
        {name: tally.collected() for name, tally in together.items()},
        slices,
        skipped,
        lacking,
        {name: tally.collected() for name, tally in guessed.items()},
        Together(together, guessed),
    )


# ---------------------------------------------------------------------- labels to tallies
@dataclass(frozen=True)
class _Coder:
    """Makes the tallies of any part of a scan, over the same classes."""

    roles: Roles
    classes: tuple[str, ...]
    outside: Mapping[str, str]  # of each system: what its predictions are that are none of the classes
    positive: object | None

    @classmethod
    def of(cls, scan: Scan, roles: Roles, labels: Sequence[object] | str | None, positive: object | None) -> _Coder:
        answers = {text for column in roles.preds.values() for text in scan.columns[column]}
        gold = set(scan.columns[roles.gold])
        seen = tuple(order_labels({str(text) for text in (gold | answers) - {None}}))
        present = np.array([code for code, label in enumerate(seen) if label in gold], np.int64)
        classes, outside = universe_of(seen, present, labels)
        named = {
            system: _outside(set(scan.columns[column]), classes, outside) for system, column in roles.preds.items()
        }
        return cls(roles, classes, named, positive)

    def __call__(self, scan: Scan) -> dict[str, Confusion]:
        return {name: tally.collected() for name, tally in self.together(scan).items()}

    def together(self, scan: Scan) -> dict[str, Confusion]:
        """Each system's tally with a unit for every row of the scan, so that the systems stay paired."""
        gold, clusters = self._codes(scan.columns[self.roles.gold]), self._clusters(scan)
        return {system: self._tally(scan, gold, system, clusters) for system in self.roles.preds}

    def guessed(self, scan: Scan) -> dict[str, Guessed]:
        """Where the gold label stands among the guesses of the systems that give several, row by row."""
        out = {}
        gold, clusters = scan.columns[self.roles.gold], self._clusters(scan)
        for system, more in self.roles.guesses.items():
            columns = [scan.columns[name] for name in (self.roles.preds[system], *more)]
            codes, labels, place = placed(gold, columns)
            keys = {"gold": codes, "place": place}
            out[system] = Guessed(keys, scan.counts, clusters, scan.weights, labels=labels, deepest=len(columns))
        return out

    def _clusters(self, scan: Scan) -> Clusters | None:
        if self.roles.cluster is None:
            return None
        texts = scan.columns[self.roles.cluster]
        place = {name: code for code, name in enumerate(sorted(set(texts)))}
        code = np.fromiter((place[text] for text in texts), np.int64, len(texts))
        units = np.arange(len(texts), dtype=np.int64)
        heavy = None if scan.weights is None else scan.weights.total
        return collect_clusters(tuple(place), code, units, scan.counts, heavy)

    def _codes(self, texts: Texts) -> Ints:
        place = {label: code for code, label in enumerate(self.classes)}
        return np.fromiter((place.get(text, len(place)) for text in texts), np.int64, len(texts))

    def _tally(self, scan: Scan, gold: Ints, system: str, clusters: Clusters | None) -> Confusion:
        column = self.roles.preds[system]
        pred = self._codes(scan.columns[column])
        if len(self.classes) == 2:
            pred = np.where(scan.missing(column), 1 - gold, pred)
        return Confusion(
            {"gold": gold, "pred": pred},
            scan.counts,
            clusters,
            scan.weights,
            labels=self.classes,
            positive=known_label(self.positive, self.classes),
            outside=self.outside[system],
        )


def _outside(answers: Set[str | None], classes: tuple[str, ...], other: str) -> str:
    """What a system's predictions are that are none of the classes, if it has any.

    Of two classes the other one is the wrong answer where there is none; of more, no class is.
    """
    missing = NO_ANSWER if None in answers and len(classes) != 2 else ""
    strange = other if answers - {None, *classes} else ""
    return " or ".join(name for name in (missing, strange) if name)


def _sliced(scan: Scan, columns: tuple[str, ...], counted: _Coder) -> Slicing:
    """The tallies of every group that these columns make together; rows without a value are in none."""
    lost = np.any([scan.missing(column) for column in columns], axis=0)
    texts = list(zip(*(scan.columns[column] for column in columns), strict=True))
    written = _crossed({row for out, row in zip(lost, texts, strict=True) if not out})
    names = np.array([written.get(row) for row in texts], object)
    title = " × ".join(columns)
    groups = order_labels({name for name in names.tolist() if name is not None})
    if len(groups) > MOST_GROUPS:
        raise OptionError(
            f"'{title}' divides the rows into {plural(len(groups), 'group')} ({listed(groups, 3)}); "
            f"a slicing column has at most {MOST_GROUPS}. Group its values first, or name another column."
        )
    if not groups:
        raise DataError(f"no row has a value in '{title}': there are no groups to slice by.")
    return Slicing(title, {name: counted(scan.only(names == name)) for name in groups}, int(scan.counts[lost].sum()))


def _crossed(rows: Set[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The name of every group; in quotation marks where two would be written alike."""
    plain = {row: " × ".join(row) for row in rows}
    if len(set(plain.values())) == len(rows):
        return plain
    return {row: " × ".join(f"“{text}”" for text in row) for row in rows}


# ---------------------------------------------------------------------- what is missing
def _answered(scan: Scan, roles: Roles, missing: str, source: str) -> tuple[Scan, int]:
    """The rows that can be judged: an unlabeled one never can, an unanswered one as wrong."""
    preds = list(dict.fromkeys(roles.preds.values()))
    if missing == "skip":
        lost = np.any([scan.missing(column) for column in (roles.gold, *preds)], axis=0)
        if lost.all():
            raise DataError(f"{source}: every row lacks a label or a prediction, so nothing is left to evaluate.")
        return scan.only(~lost), int(scan.counts[lost].sum())
    _refuse_missing(scan, roles.gold, source)
    if missing == "error":
        for column in preds:
            _refuse_missing(scan, column, source, ", count missing predictions as wrong with --missing wrong")
    elif all(scan.missing(column).all() for column in preds):
        raise DataError(f"{source}: no system predicts anything for any row.")
    return scan, 0


def _refuse_missing(scan: Scan, column: str, source: str, more: str = "") -> None:
    n = int(scan.counts[scan.missing(column)].sum())
    if n:
        raise DataError(
            f"{source}: {n:,} of {int(scan.counts.sum()):,} rows have nothing in column '{column}'. "
            f"A missing label is not a class: fill these rows in{more}, or leave them out with --missing skip."
        )


# ---------------------------------------------------------------------- rows that count more than once
def _repeated(scan: Scan, column: str | None, source: str) -> Scan:
    """Rows as many times as their count says."""
    if column is None:
        return scan
    times = _numbers(scan, column, source, "a count is a whole number from 0 up", lambda x: x >= 0 and x.is_integer())
    counts = scan.counts * times.astype(np.int64)
    if not counts.sum():
        raise DataError(f"{source}: all counts in column '{column}' are 0, so nothing is left to evaluate.")
    return Scan(scan.columns, counts).only(counts > 0)


def _weighed(scan: Scan, column: str | None, source: str) -> Scan:
    """Rows with the sums of their importance weights."""
    if column is None:
        return scan
    w = _numbers(scan, column, source, "a weight is a finite number from 0 up", lambda x: x >= 0)
    if not w.any():
        raise DataError(f"{source}: all weights in column '{column}' are 0, so nothing is left to evaluate.")
    return Scan(scan.columns, scan.counts, Weights(w * scan.counts, w * w * scan.counts))


def _numbers(scan: Scan, column: str, source: str, wanted: str, fits: Callable[[float], bool]) -> Floats:
    """The column as numbers, or an error that shows the first text that is none."""
    _refuse_empty(scan, column, source, wanted)
    known: dict[str, float] = {}
    bad = []
    for text in dict.fromkeys(scan.columns[column]):
        try:
            known[text] = float(text)
        except ValueError:
            known[text] = math.nan
        if not math.isfinite(known[text]) or not fits(known[text]):
            bad.append(text)
    if bad:
        rows = int(scan.counts[np.isin(scan.columns[column], np.array(bad, object))].sum())
        raise DataError(f"{source}: column '{column}' has {listed(bad, 3)} in {plural(rows, 'row')}; {wanted}.")
    return np.fromiter((known[text] for text in scan.columns[column]), np.float64, len(scan.counts))


def _refuse_empty(scan: Scan, column: str, source: str, wanted: str) -> None:
    n = int(scan.counts[scan.missing(column)].sum())
    if n:
        raise DataError(f"{source}: column '{column}' is empty in {plural(n, 'row')}; {wanted}.")
