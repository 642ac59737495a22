"""Counting in the table's own engine: one group-by, then everything is small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, OptionError, choose, listed, one_of, plural, written
from assay.options import MISSING
from assay.sources.arrays import Coded, order_labels
from assay.sources.columns import Roles
from assay.sources.read.table import Table
from assay.sources.relabel import Relabeling
from assay.tally.class_scores import ClassScored
from assay.tally.class_scores import column as score_key
from assay.tally.contract.base import Tally, Weights
from assay.tally.contract.codes import known_label, refuse_scores
from assay.tally.contract.sampling import Clusters, Floats, Ints, collect_clusters
from assay.tally.contract.systems import Systems
from assay.tally.count.counts import Counts, Slicing, Together
from assay.tally.count.scan import Scan, scan
from assay.tally.guesses import Guessed, placed
from assay.tally.labels import CONVENTIONAL, Confusion, absent_from, places, universe_of
from assay.tally.scores import HALF, Scored

NO_ANSWER = "no answer"
MOST_GROUPS = 200  # values beyond which a column cannot be sliced by
MOST_CROSSED = 2000  # groups of several columns together, such as ten folds of each of two hundred data sets


def count_predictions(
    table: Table,
    roles: Roles,
    *,
    labels: Sequence[object] | str | None = None,
    positive: object | None = None,
    missing: str = "error",
    cuts: Cuts | None = None,
    relabeling: Relabeling | None = None,
) -> Counts:
    """The tallies of every system and group, over the labels of all of them, from a single scan."""
    choose(missing, MISSING, "missing")
    rows, skipped = scan(table, roles, missing)
    done = None
    if relabeling:
        rows, done = rows.relabeled(roles.labels, relabeling)
        roles, positive = _scored_classes(roles, relabeling), relabeling.named(positive)
        labels = labels if isinstance(labels, str) else relabeling.named(labels)
    if rows.numbers and len(roles.systems) > 1:
        rows = rows.ordered(
            [*roles.labels, *roles.numbers]
        )  # draws for pairs of systems depend on the order of the rows
    unanswered = {system: int(rows.counts[rows.missing(column)].sum()) for system, column in roles.preds.items()}
    counted = _Coder.of(rows, roles, labels, positive, cuts or Cuts())
    together = counted.together(rows)
    systems = _collected(together)
    return Counts(
        systems,
        tuple(_sliced(rows, columns, counted, systems) for columns in roles.slices),
        skipped,
        {name: n for name, n in unanswered.items() if n},
        together,
        done,
    )


def _scored_classes(roles: Roles, relabeling: Relabeling) -> Roles:
    """The roles, with the classes of score columns relabeled as the labels are."""
    every: dict[str, dict[str, str]] = {}
    for system, columns in roles.class_scores.items():
        every[system] = {}
        for label, column in columns.items():
            other = every[system].setdefault(relabeling(label), column)
            if other != column:
                raise OptionError(
                    f"the classes of the columns '{other}' and '{column}' become one label, '{relabeling(label)}', but "
                    f"'{system}' has a score for each; add these up first, or leave one class out of the map."
                )
    return replace(roles, class_scores=every)


def _collected(together: Together) -> Systems:
    """Every tally with equal units merged."""
    return together.systems.mapped(lambda _, tally: tally.collected())


# ---------------------------------------------------------------------- labels to tallies
@dataclass(frozen=True)
class _Coder:
    """Makes the tallies of any part of a scan, over the same classes."""

    roles: Roles
    classes: tuple[str, ...]
    outside: Mapping[str, str]  # by system: the name of its predictions outside the classes
    positive: object | None
    cuts: Cuts
    absent: tuple[str, ...] = ()  # declared classes that no row has

    @classmethod
    def of(
        cls, rows: Scan, roles: Roles, labels: Sequence[object] | str | None, positive: object | None, cuts: Cuts
    ) -> _Coder:
        answers = {text for column in roles.preds.values() for text in rows.seen(column)}
        gold = rows.seen(roles.gold)
        if labels is None or isinstance(labels, str):
            for system, column in roles.preds.items():
                refuse_scores(_texts(gold), _texts(rows.seen(column)), system)
        scored = {label for columns in roles.class_scores.values() for label in columns}
        seen = tuple(order_labels({str(text) for text in (gold | answers | scored) - {None}}))
        present = np.array([code for code, label in enumerate(seen) if label in gold], np.int64)
        classes, outside = universe_of(seen, present, labels)
        if roles.scores and positive is None:
            positive = _spoken_for(classes)
        named = {system: _outside(rows.seen(column), classes, outside) for system, column in roles.preds.items()}
        return cls(roles, classes, named, positive, cuts, absent_from(classes, seen))

    def together(self, rows: Scan) -> Together:
        """Each system's tallies with a unit for every row of the scan, so that the systems stay paired."""
        gold, clusters = self._codes(rows.columns[self.roles.gold]), self._clusters(rows)
        scores, guesses = self._scores(rows, gold, clusters), self._guessed(rows, clusters)
        systems: dict[str, list[Tally]] = {}
        for system in self.roles.systems:
            labels = (
                self._tally(rows, gold, system, clusters)
                if system in self.roles.preds
                else labels_of(scores[system], system, self.classes, self.cuts)
            )
            every = (labels, scores.get(system), guesses.get(system))
            systems[system] = [tally for tally in every if tally is not None]
        return Together(Systems(systems))

    def _scores(self, rows: Scan, gold: Ints, clusters: Clusters | None) -> dict[str, Scores]:
        every = Rows(rows.counts, clusters, rows.weights)
        out: dict[str, Scores] = {}
        for system, column in self.roles.scores.items():
            index = self.classes.index(str(known_label(self.positive, self.classes)))
            out[system] = of_one_class(gold, rows.numbers[column], every, self.classes, index, self.cuts)
        for system, columns in self.roles.class_scores.items():
            scores = {label: rows.numbers[column] for label, column in columns.items()}
            out[system] = of_classes(gold, scores, every, self.classes)
        return out

    def _guessed(self, rows: Scan, clusters: Clusters | None) -> dict[str, Guessed]:
        """The rank of the gold label among the guesses of the systems that give several, row by row."""
        out = {}
        for system, more in self.roles.guesses.items():
            columns = [rows.columns[name].texts for name in (self.roles.preds[system], *more)]
            codes, labels, place = placed(rows.columns[self.roles.gold].texts, columns)
            keys = {"gold": codes, "place": place}
            out[system] = Guessed(keys, rows.counts, clusters, rows.weights, labels=labels, deepest=len(columns))
        return out

    def _clusters(self, rows: Scan) -> Clusters | None:
        if self.roles.cluster is None:
            return None
        coded = rows.columns[self.roles.cluster]
        # Clusters without rows are dropped, and names are in the order of text.
        present = np.unique(coded.codes)
        names = sorted(coded.labels[code] for code in present)
        code = places(coded.labels, names)[coded.codes]
        units = np.arange(len(code), dtype=np.int64)
        heavy = None if rows.weights is None else rows.weights.total
        return collect_clusters(tuple(names), code, units, rows.counts, heavy)

    def _codes(self, coded: Coded) -> Ints:
        """Each row's index among the classes; labels outside them, or missing, come after the last."""
        place = np.append(places(coded.labels, self.classes), len(self.classes))
        return np.asarray(place[coded.codes], np.int64)

    def _tally(self, rows: Scan, gold: Ints, system: str, clusters: Clusters | None) -> Confusion:
        column = self.roles.preds[system]
        pred = self._codes(rows.columns[column])
        if len(self.classes) == 2:
            pred = np.where(rows.missing(column), 1 - gold, pred)
        return Confusion(
            {"gold": gold, "pred": pred},
            rows.counts,
            clusters,
            rows.weights,
            labels=self.classes,
            positive=known_label(self.positive, self.classes),
            outside=self.outside[system],
            absent=self.absent,
        )


def _texts(seen: Set[str | None]) -> list[str]:
    return [text for text in seen if text is not None]


EACH_CLASS = "--score 'NAME=COL{}'", "scores={'NAME': 'COL{}'}"


def _spoken_for(classes: tuple[str, ...]) -> str:
    """The class that a single score is for, if it was named or its name is conventional."""
    if classes in CONVENTIONAL:
        return classes[1]
    raise OptionError(
        f"which class are the scores for: {one_of(classes)}? Name it with {written('--positive', 'positive=')}; if "
        f"there is a column of scores for each class, write {written(*EACH_CLASS)} with {{}} in place of the class."
    )


def _outside(answers: Set[str | None], classes: tuple[str, ...], other: str) -> str:
    """The name of a system's predictions outside the classes, if it has any.

    With two classes, a missing answer counts as the other class; with more, as none of them.
    """
    missing = NO_ANSWER if None in answers and len(classes) != 2 else ""
    strange = other if answers - {None, *classes} else ""
    return " or ".join(name for name in (missing, strange) if name)


# ---------------------------------------------------------------------- groups
def _sliced(rows: Scan, columns: tuple[str, ...], counted: _Coder, whole: Systems) -> Slicing:
    """The tallies of every group that these columns make together; rows without a value are in none."""
    lost = np.any([rows.missing(column) for column in columns], axis=0)
    group, names = _groups([rows.columns[column] for column in columns], lost)
    title = " × ".join(columns)
    most = MOST_GROUPS if len(columns) == 1 else MOST_CROSSED
    if len(names) > most:
        may = "a slicing column has" if len(columns) == 1 else "columns that are crossed have"
        raise OptionError(
            f"'{title}' divides the rows into {plural(len(names), 'group')} ({listed(names, 3)}); "
            f"{may} at most {most:,}. Group its values first, or name another column."
        )
    if not names:
        raise DataError(f"no row has a value in '{title}': there are no groups to slice by.")
    # The scores of a group may all be probabilities when those of all rows are not; then no labels are derived either.
    groups = {
        name: _collected(counted.together(rows.only(group == code))).with_kinds_of(whole)
        for code, name in enumerate(names)
    }
    return Slicing(title, groups, int(rows.counts[lost].sum()), group)


def _groups(columns: Sequence[Coded], lost: NDArray[np.bool_]) -> tuple[Ints, list[str]]:
    """The group of every row, -1 for none, and the names of the groups in order."""
    sizes = tuple(max(len(coded.labels), 1) for coded in columns)
    held = ~lost
    packed = np.ravel_multi_index(tuple(np.where(held, coded.codes, 0) for coded in columns), sizes)
    present, code = np.unique(packed[held], return_inverse=True)
    where = np.unravel_index(present, sizes)
    rows = [tuple(coded.labels[i] for coded, i in zip(columns, at, strict=True)) for at in zip(*where, strict=True)]
    written = _crossed(set(rows))
    names = order_labels(written.values())
    group = np.full(len(lost), -1, np.int64)
    group[held] = np.array([names.index(written[row]) for row in rows], np.int64)[code] if rows else 0
    return group, names


def _crossed(rows: Set[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The name of every group; in quotation marks if two would look the same."""
    plain = {row: " × ".join(row) for row in rows}
    if len(set(plain.values())) == len(rows):
        return plain
    return {row: " × ".join(f"“{text}”" for text in row) for row in rows}


Scores = Scored | ClassScored


@dataclass(frozen=True)
class Cuts:
    """The score at or above which an item is labeled positive, and the number of bins for scores."""

    threshold: float | None = None
    of_systems: Mapping[str, float] = field(default_factory=dict)
    bins: int | None = None

    def of(self, system: str) -> float | None:
        """The threshold that was named for this system."""
        return self.of_systems.get(system, self.threshold)


@dataclass(frozen=True)
class Rows:
    """How rows count: how often, in which clusters, and with which weight."""

    counts: Ints
    clusters: Clusters | None
    weights: Weights | None


def of_one_class(gold: Ints, score: Floats, rows: Rows, classes: tuple[str, ...], index: int, cuts: Cuts) -> Scored:
    """The scores of one class against all others, row by row."""
    positive = classes[index]
    negative = classes[1 - index] if len(classes) == 2 else f"not {positive}"
    keys = {"score": score, "positive": gold == index}
    made = Scored(keys, rows.counts, rows.clusters, rows.weights, positive=positive, negative=negative)
    return made if cuts.bins is None else made.binned(cuts.bins)


def of_classes(gold: Ints, scores: Mapping[str, Floats], rows: Rows, classes: tuple[str, ...]) -> ClassScored:
    """The scores of every class, row by row."""
    lacking = [label for label in classes if label not in scores]
    if lacking:
        raise OptionError(f"there is no column of scores for {listed(lacking, 5)}; every class that occurs needs one.")
    keys = {"gold": gold, **{score_key(i): scores[label] for i, label in enumerate(classes)}}
    return ClassScored(keys, rows.counts, rows.clusters, rows.weights, labels=classes)


def labels_of(scores: Scores, system: str, classes: tuple[str, ...], cuts: Cuts) -> Confusion | None:
    """The labels derived from scores, row by row; None if no threshold was named and 0.5 would be meaningless."""
    named = cuts.of(system)
    if isinstance(scores, ClassScored):
        if named is not None:
            raise OptionError(
                f"a threshold applies to the scores of one class, but '{system}' has a score for each: its labels are "
                f"those with the highest scores. Leave out {written('--threshold', 'threshold=')}, or name one column "
                f"of scores and {written('--positive', 'positive=')}."
            )
        return scores.unmerged_labeled()
    threshold = HALF if named is None and scores.probabilities else named
    if threshold is None:
        return None
    made = scores.unmerged_at(threshold)
    return made.relabeled(classes) if set(classes) == set(made.labels) else made
