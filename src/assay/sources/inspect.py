"""What is in a table, before anything is evaluated: roles, labels, look-alikes, repeated ids, clusters."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from assay.errors import DataError, plural
from assay.sources.columns import ALIASES, find
from assay.sources.profile import MOST, Column, count_columns, sizes
from assay.sources.read.table import Table
from assay.sources.relabel import clash_of
from assay.texts import likeness, looks_missing

FEWEST_ROWS = 10  # in fewer rows anything repeats by chance
MOST_OWNERS = 20  # columns with such a name that are examined
FEWEST_OWNERS = 20  # distinct values of a column that is not named like an owner of rows
DISTINCT = (0.02, 0.8)  # the range of the share of distinct values in a column that may identify clusters
_OWNER = re.compile(
    r"(account|article|author|batch|book|case|client|clinic|conversation|customer|device|dialog|dialogue|doc|document|"
    r"family|group|hospital|house|household|page|participant|patient|person|recording|respondent|school|session|site|"
    r"speaker|student|subject|thread|user|video|visit|worker|writer)s?(id)?|id"
)


@dataclass(frozen=True)
class Label:
    """A label and how many rows have it."""

    label: str
    rows: int


@dataclass(frozen=True)
class Spelling:
    """A label that looks like others, and how many rows have it in each column."""

    label: str
    rows: dict[str, int]


@dataclass(frozen=True)
class ColumnFacts:
    """A column: its distinct and missing values, and the most frequent ones.

    `role` is 'id', 'gold', 'pred' or 'score'; `sure` is False if only its labels suggest that role. `problem` says why
    a column was not counted.
    """

    name: str
    role: str | None
    sure: bool
    distinct: int = 0
    missing: int = 0
    frequent: tuple[Label, ...] = ()
    problem: str | None = None
    ends: tuple[float, float] | None = None  # the least and the greatest of its numbers, if it holds scores
    like_missing: tuple[Label, ...] = ()  # its values that look like missing ones, and count as values
    bars: tuple[int, ...] = ()  # how many of them lie in each of equal parts between the two


@dataclass(frozen=True)
class Difference:
    """The gold labels that a column of predictions never has, and the reverse, with their rows."""

    pred: str
    only_gold: tuple[Label, ...]
    only_pred: tuple[Label, ...]
    strangers: bool = False  # whether they have no label in common
    flags: tuple[str, ...] = ()  # options, as typed, that unify labels written differently


@dataclass(frozen=True)
class Repeats:
    """Ids that occur more than once."""

    column: str
    ids: int
    first: tuple[str, ...]


@dataclass(frozen=True)
class Cluster:
    """A column whose values seem to identify clusters of rows."""

    column: str
    distinct: int
    rows: int

    @property
    def found(self) -> str:
        """What was seen, and the condition under which it matters."""
        values = f"{self.distinct:,} different values in {self.rows:,} rows"
        return f"'{self.column}' has {values}; if rows with the same value belong together"

    def __str__(self) -> str:
        return f"{self.found}, --cluster {shlex.quote(self.column)} makes the intervals allow for it"


@dataclass(frozen=True)
class Inspection:
    """Everything that is known about a table without evaluating it.

    Labels that are `alike` differ only in case, blanks around them, Unicode form, or the way a number is written.
    """

    name: str
    rows: int
    columns: tuple[ColumnFacts, ...]
    gold: str | None
    preds: tuple[str, ...]
    alike: tuple[tuple[Spelling, ...], ...]
    differences: tuple[Difference, ...]
    repeats: Repeats | None
    cluster: Cluster | None

    @property
    def golds(self) -> list[str]:
        """The columns that could hold the gold labels."""
        return [column.name for column in self.columns if column.role == "gold"]


def several_golds(names: str) -> str:
    """That a column has to be chosen."""
    return f"several columns could be gold: {names}. Choose one with --gold COL."


def inspect_table(
    table: Table, *, gold: str | None = None, preds: Sequence[str] = (), id: str | None = None
) -> Inspection:
    """Count each column of the table separately; roles that are not given are inferred from the usual names."""
    roles = _roles(table, {"gold": [gold] if gold else [], "pred": list(preds), "id": [id] if id else []})
    of = {role: [name for name, its in roles.items() if its == role] for role in ALIASES}
    gold = of["gold"][0] if len(of["gold"]) == 1 else None
    counts, problems, likely = _counted(table, gold, roles)
    systems = of["pred"] or [name for name in table.columns if name in likely]
    roles |= dict.fromkeys(likely, "pred")
    labels = {name: counts[name] for name in (*of["gold"], *systems) if name in counts}
    rows = next(iter(counts.values())).rows
    return Inspection(
        name=table.name,
        rows=rows,
        columns=tuple(
            ColumnFacts(name, roles.get(name), name not in likely, problem=problems[name])
            if name in problems
            else _facts(counts[name], name, roles.get(name), name not in likely)
            for name in table.columns
        ),
        gold=gold,
        preds=tuple(systems),
        alike=_alike(labels) if labels else _alike_in_each(counts),
        differences=_differences(counts, gold, systems),
        repeats=next(
            (repeats for name in of["id"] if name in counts and (repeats := _repeats(counts[name], name))), None
        ),
        cluster=_cluster({name: column for name, column in counts.items() if name not in roles}, rows),
    )


def id_like_repeats(table: Table, used_columns: Iterable[str]) -> Cluster | None:
    """A column whose name and counts suggest that it identifies clusters, if there is one.

    Only unused columns with a name such as patient or user_id are examined, and only their values are counted.
    """
    used = set(used_columns)
    owners = (column for column in table.columns if column not in used and _owner(column))
    for column in islice(owners, MOST_OWNERS):
        try:
            rows, distinct = sizes(table, column)
        except DataError:  # a fault in a column that is not used does not matter
            continue
        if _repeating(rows, distinct):
            return Cluster(column, distinct, rows)
    return None


def _roles(table: Table, given: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The role of each column that has one: as given, or by a usual name for a role that is not given."""
    roles = {
        find(role, table.columns, column, source=table.name): role for role, some in given.items() for column in some
    }
    for role, usual in ALIASES.items():
        if not given.get(role):
            alias = [column for column in table.columns if column.strip().lower() in usual and column not in roles]
            roles |= dict.fromkeys(alias, role)
    return roles


def _counted(
    table: Table, gold: str | None, roles: Mapping[str, str]
) -> tuple[dict[str, Column], dict[str, str], set[str]]:
    """Every column that can be counted, why the others cannot, and which look like predictions though not named so."""
    labeled = [name for name, role in roles.items() if role in ("gold", "pred")]
    counts, problems = count_columns(table, labeled)
    predicted = "pred" in roles.values()
    known = {likeness(label) for label in counts[gold].by_label} if gold in counts else set()
    likely: set[str] = set()

    def looks_predicted(name: str, column: Column) -> bool:
        # In a wide table, only these keep all their labels.
        if known and not predicted and name not in roles and _likely_pred(column, known, counts[gold or ""].distinct):
            likely.add(name)
        return name in likely

    others = count_columns(table, [name for name in table.columns if name not in set(labeled)], looks_predicted)
    counts, problems = counts | others[0], problems | others[1]
    if not counts:
        raise DataError(next(iter(problems.values()), f"{table.name} has no columns: there is nothing to check."))
    counts = {name: counts[name] for name in table.columns if name in counts}
    first, expected = next((name, column.rows) for name, column in counts.items())
    for name, found in counts.items():
        if found.rows != expected:
            raise DataError(f"column '{first}' has {plural(expected, 'row')} and column '{name}' has {found.rows:,}.")
    return counts, problems, likely


def _facts(column: Column, name: str, role: str | None, sure: bool) -> ColumnFacts:
    frequent = tuple(Label(label, rows) for label, rows in list(column.by_label.items())[:MOST])
    like_missing = tuple(Label(label, rows) for label, rows in column.by_label.items() if looks_missing(label))
    return ColumnFacts(name, role, sure, column.distinct, column.missing, frequent, like_missing=like_missing)


def _repeats(column: Column, name: str) -> Repeats | None:
    return Repeats(name, column.repeated, column.first) if column.repeated else None


def _likely_pred(column: Column, known: Set[str], most: int) -> bool:
    """Whether a column has at least half of the gold labels, or look-alikes, and little else.

    Half, because a probability that is often 0 or 1 shares these two labels with the ten digits.
    """
    if not 0 < column.distinct <= 2 * most:
        return False
    alike = {label: likeness(label) for label in column.by_label}
    shared = sum(rows for label, rows in column.by_label.items() if alike[label] in known)
    return 2 * len(known & set(alike.values())) >= len(known) and shared >= 0.8 * (column.rows - column.missing)


def _alike(columns: Mapping[str, Column]) -> tuple[tuple[Spelling, ...], ...]:
    """Groups of labels that look alike in these columns together."""
    groups: dict[str, dict[str, dict[str, int]]] = {}
    for name, column in columns.items():
        for label, rows in column.by_label.items():
            groups.setdefault(likeness(label), {}).setdefault(label, {})[name] = rows
    return tuple(
        tuple(
            Spelling(label, group[label])
            for label in sorted(group, key=lambda each: (-sum(group[each].values()), each))
        )
        for _, group in sorted(groups.items())
        if len(group) > 1
    )


def _alike_in_each(columns: Mapping[str, Column]) -> tuple[tuple[Spelling, ...], ...]:
    """The same in each column separately, if none is known to hold labels."""
    few = {name: column for name, column in columns.items() if column.distinct <= 100}
    return tuple(group for name, column in few.items() for group in _alike({name: column}))


def _frequent(labels: Iterable[Label]) -> tuple[Label, ...]:
    return tuple(sorted(labels, key=lambda label: (-label.rows, label.label)))


def _differences(counts: Mapping[str, Column], gold: str | None, preds: Sequence[str]) -> tuple[Difference, ...]:
    if gold is None or gold not in counts:
        return ()
    ours = counts[gold].by_label
    out = []
    for pred in preds:
        theirs = counts[pred].by_label if pred in counts else ours
        only_gold = _frequent(Label(label, rows) for label, rows in ours.items() if label not in theirs)
        only_pred = _frequent(Label(label, rows) for label, rows in theirs.items() if label not in ours)
        if only_gold or only_pred:
            clash = clash_of(set(ours), set(theirs))
            more = () if clash is None else (clash.strangers, clash.flags)
            out.append(Difference(pred, only_gold, only_pred, *more))
    return tuple(out)


def _cluster(columns: Mapping[str, Column], rows: int) -> Cluster | None:
    """The first column that is named like an owner of rows, or else the first text column that repeats."""
    some = [Cluster(name, c.distinct, rows) for name, c in columns.items() if _repeating(rows, c.distinct)]
    named = [cluster for cluster in some if _owner(cluster.column)]
    # Numbers without such a name are measurements, and a few words are a category.
    other = [cluster for cluster in some if cluster.distinct >= FEWEST_OWNERS and not columns[cluster.column].numeric]
    return next(iter(named or other), None)


def _owner(column: str) -> bool:
    """Whether this is a name for what rows belong to, such as patient, userId or doc_id, and not for the row itself."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", column)
    return column.strip().lower() not in ALIASES["id"] and any(_OWNER.fullmatch(word.lower()) for word in words)


def _repeating(rows: int, distinct: int) -> bool:
    return rows >= FEWEST_ROWS and distinct >= 2 and DISTINCT[0] * rows <= distinct <= DISTINCT[1] * rows
