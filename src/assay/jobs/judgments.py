"""The judgments that `assay prefer` reads: which column plays which role, and notes on how they were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, OptionError, listed, plural
from assay.notes import Aside
from assay.sources.arrays import Coded, encode_apart
from assay.sources.columns import find
from assay.sources.frames import raw_columns
from assay.sources.read.table import Table
from assay.tally.contract.codes import spelled
from assay.tally.judgments import TIE, named_like_words, tie_words
from assay.tally.preferences import Preferences

# What people call these columns, in lower case.
USUAL: Final = {
    "item": ("item", "item_id", "prompt", "prompt_id", "question", "question_id", "query", "query_id", "task_id"),
    "a": ("a", "model_a", "system_a", "model a", "system a"),
    "b": ("b", "model_b", "system_b", "model b", "system b"),
    "winner": ("winner", "preferred", "preference", "verdict", "choice"),
    "judge": ("judge", "judge_id", "rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id"),
}
FEW = 10  # judges or items below which an interval over them should not be relied on


@dataclass(frozen=True)
class Columns:
    """Which column plays which role."""

    a: str
    b: str
    winner: str
    item: str | None = None
    judge: str | None = None
    first: str | None = None

    @classmethod
    def of(cls, table: Table, given: Mapping[str, str | None], cluster: str) -> Columns:
        """The columns that were named, and those with a common name where they are needed."""
        needed = ("a", "b", "winner", *((cluster,) if cluster in ("item", "judge") else ()))
        found = {}
        for role in (role for role, column in given.items() if column is not None or role in needed):
            try:
                found[role] = find(role, table.columns, given[role], source=table.name, names=USUAL.get(role, ()))
            except DataError as error:
                if role != "item" or given[role] is not None:
                    raise
                raise DataError(f"{error}, or treat every judgment as independent with --cluster judgment.") from None
        if found["a"] == found["b"]:
            raise OptionError(f"a and b are both column '{found['a']}'; name two columns: --a COL --b COL.")
        return cls(**found)

    @property
    def used(self) -> list[str]:
        """Every column that is read."""
        return [column for column in vars(self).values() if column is not None]


def names_of(without: object) -> tuple[str, ...]:
    """The systems to leave out, each once: one name, or a list of names."""
    if isinstance(without, str):
        return (without,)
    if not isinstance(without, Sequence):
        raise OptionError(f"without is {without!r}; it must be the name of a system, or a list of names.")
    return tuple(dict.fromkeys(spelled(name) for name in without))


def counted(
    table: Table, columns: Columns, cluster: str, missing: str, without: Sequence[str]
) -> tuple[Preferences, dict[str, Any], list[str]]:
    """All judgments, where they came from, and what a reader should know about how they were read."""
    values = raw_columns(table, columns.used)
    by = getattr(columns, cluster, None)
    try:
        every = Preferences.from_judgments(
            *(values[column] for column in (columns.a, columns.b, columns.winner)),
            first=None if columns.first is None else values[columns.first],
            cluster=None if by is None else values[by],
            missing=missing,
        )
        said = list(_apart(every, columns, table))
        kept = _others(values, columns, without)
        every = every.without(without) if without else every
    except DataError as error:
        raise DataError(f"{table.name}: {error}") from None
    facts = {"source": table.name, **{role: column for role, column in vars(columns).items() if column is not None}}
    facts |= {"n": every.n, "gold fingerprint": every.fingerprint}
    if every.clusters is not None:
        facts |= {"cluster": by, "clusters": len(every.clusters.names)}
    if columns.judge is not None:
        facts["judges"] = _different(values[columns.judge], columns.judge, kept)
    left_out = int((~kept).sum())
    skipped = len(kept) - left_out - every.n
    facts |= {name: n for name, n in (("left out", left_out), ("skipped", skipped)) if n}
    (winner,) = encode_apart([values[columns.winner]], [columns.winner])
    said += [*_alone(table, columns, facts, cluster), *_sampled(facts, cluster)]
    said += [*_left_out(facts, without), *_words(winner.only(kept), every)]
    return every, facts, said


def _others(values: Mapping[str, Any], columns: Columns, without: Sequence[str]) -> NDArray[np.bool_]:
    """Which rows are about none of these systems."""
    kept = np.ones(len(values[columns.a]), bool)
    if without:
        for found in encode_apart([values[columns.a], values[columns.b]], ["a", "b"]):
            kept &= ~np.isin(found.codes, [i for i, label in enumerate(found.labels) if label in without])
    return kept


def _different(values: Any, name: str, kept: NDArray[np.bool_]) -> int:
    """How many different values these rows have."""
    (found,) = encode_apart([values], [name])
    codes = found.codes[kept]
    return len(np.unique(codes[codes >= 0]))


# ---------------------------------------------------------------------- notes
def _sampled(facts: Mapping[str, Any], cluster: str) -> Iterator[str]:
    """What the intervals generalize to: other items or other judges."""
    if facts.get("clusters") == 1:
        return
    judges = facts.get("judges")
    if cluster == "judge" and judges is not None:
        few = "; so few make them wide, and their coverage less certain" if 1 < judges < FEW else ""
        yield f"intervals and tests generalize to other judges like these {judges:,}{few}"
    elif cluster == "item" and judges is not None:
        who = "the same judge" if judges == 1 else f"the same {judges:,} judges"
        yield Aside(
            f"intervals and tests generalize to other items judged by {who}; use --cluster judge for other judges"
        )


def _left_out(facts: Mapping[str, Any], without: Sequence[str]) -> Iterator[str]:
    """How many judgments were left out, and why."""
    skipped, left_out = facts.get("skipped", 0), facts.get("left out", 0)
    if skipped:
        yield f"{plural(skipped, 'judgment')} without a winner {'was' if skipped == 1 else 'were'} left out"
    if without:
        were = "was" if left_out == 1 else "were"
        yield f"{plural(left_out, 'judgment')} with {listed(without, 5)} {were} left out"


def _words(winner: Coded, every: Preferences) -> Iterator[str]:
    """Which winners were counted as ties, where it is not the word tie alone, and which words are names of systems."""
    words = tie_words(winner, every.systems)
    empty = int(every.counts[every.keys["result"] == TIE].sum()) - sum(words.values())
    if empty or {word.lower() for word in words} - {"tie"}:
        counted = [f"'{word}' {n:,}" for word, n in words.items()] + [f"no winner {empty:,}"] * bool(empty)
        yield f"{plural(sum(words.values()) + empty, 'judgment')} counted as ties: {', '.join(counted)}"
    for name in named_like_words(winner, every.systems):
        yield f"the winner '{name}' is read as the system of that name, not as a tie or a column"


def _apart(every: Preferences, columns: Columns, table: Table) -> Iterator[str]:
    """A note if no system is in both columns; an error where one of them is usually something else."""
    first, second = (set(every.keys[name].tolist()) for name in ("first", "second"))
    if columns.first not in (None, columns.a) or first & second:
        return
    for role, column in (("a", columns.a), ("b", columns.b)):
        for other in ("item", "winner", "judge"):
            if column.lower() in USUAL[other]:
                usual = next((each for each in table.columns if each.lower() in USUAL[role]), "COL")
                raise DataError(
                    f"column '{column}' ({role}) has no name in common with column "
                    f"'{columns.b if role == 'a' else columns.a}', and a column of this name is usually the {other}; "
                    f"name a column of systems: --{role} {usual}."
                )
    if len(every.systems) > 2:
        yield f"no system appears in both columns, '{columns.a}' and '{columns.b}'"


def _alone(table: Table, columns: Columns, facts: Mapping[str, Any], cluster: str) -> Iterator[str]:
    """What to do where all judgments are of one item, or by one judge, so that there are no intervals."""
    if facts.get("clusters") != 1:
        return
    other = "judge" if cluster == "item" else "item"
    column = getattr(columns, other) or next((each for each in table.columns if each.lower() in USUAL[other]), None)
    of = "of one item" if cluster == "item" else "by one judge"
    several = column is not None and len(set(map(str, raw_columns(table, [column])[column]))) > 1
    yield (
        f"all judgments are {of}, so no interval can generalize to others; use --cluster "
        + (f"{other} to generalize to other {other}s" if several else "judgment to treat judgments as independent")
    )
