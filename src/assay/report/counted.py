"""From what the user has to tallies: which columns, which files, and where the numbers came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from assay.errors import DataError, OptionError, listed, nearest
from assay.tally.base import Tally

Names = str | Sequence[str] | Mapping[str, str] | None


@dataclass(frozen=True)
class Question:
    """What is to be counted: columns by their roles, and what to do with what is missing."""

    gold: str | None = None
    pred: Names = None
    systems: Mapping[str, Any] | None = None
    id: str | None = None
    by_position: bool = False
    missing: str = "error"
    positive: object | None = None
    labels: Sequence[object] | str | None = None
    cluster: str | None = None
    weight: str | None = None
    count: str | None = None
    slices: Sequence[str] = ()
    crossed: bool = False
    guesses: Mapping[str, Sequence[str]] | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Question:
        """The question that these keyword arguments ask."""
        known = [f.name for f in fields(cls)]
        for name in options:
            if name not in known:
                close = nearest(name, known)
                raise OptionError(f"there is no option {name}=." + (f" Did you mean {close}=?" if close else ""))
        slices = options.get("slices", ())
        return cls(**{**options, "slices": (slices,) if isinstance(slices, str) else tuple(slices)})

    def given(self) -> dict[str, Any]:
        """What was asked beyond the usual; tables and arrays are not compared, only looked for."""
        usual = vars(Question())
        return {
            name: value
            for name, value in vars(self).items()
            if value is not usual[name] and not (isinstance(value, str | bool | tuple) and value == usual[name])
        }


@dataclass(frozen=True)
class Counted:
    """Tallies of every system and group, where they came from, and what a reader must know of the counting."""

    systems: Mapping[str, Tally]
    slices: Sequence[Any] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    more: Mapping[str, Tally] = field(default_factory=dict)  # further evidence of a system, of another kind
    together: Any = None  # the systems over the same units, where the rows themselves were counted


def counted(data: Any, asked: Question) -> Counted:
    """Count a file, a frame, a mapping of columns or files of several systems; a tally is counted already."""
    from assay.tally.counts import Counts

    if isinstance(data, Tally | Counts):
        _refuse_for_tally(asked)
    if isinstance(data, Tally):
        facts = {"source": "counts as given", "n": data.n, "gold fingerprint": data.fingerprint}
        return Counted({"system": data}, (), facts)
    if isinstance(data, Counts):
        return _of_counts(data, {"source": "a stored tally"})
    if isinstance(data, str | Path) and Path(data).suffix.lower() == ".json":
        counts = stored_counts(Path(data))
        if asked.positive is not None:
            counts, asked = counts.with_positive(asked.positive), replace(asked, positive=None)
        _refuse_for_tally(asked)
        return _of_counts(counts, {"source": Path(data).name})
    return _of_table(data, asked)


def count_file(data: Any, asked: Question) -> Any:
    """The counts of a table, as they are stored."""
    return _counts(data, asked)[0]


def stored_counts(path: Path) -> Any:
    """The counts in a file that 'assay tally' or 'assay merge' wrote."""
    from assay.tally.counts import Counts

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise DataError(f"'{path}' cannot be read: {reason}.") from None
    if text.lstrip().startswith("["):
        raise DataError(f"'{path}' holds a list; rows are read as JSON Lines, an object on each line (.jsonl).")
    return Counts.from_json(text, f"'{path}'")


def _refuse_for_tally(asked: Question) -> None:
    extra = list(asked.given())
    if extra:
        raise OptionError(f"{extra[0]}= does not apply to a tally, which is counted already.")


def _of_table(data: Any, asked: Question) -> Counted:
    from assay.sources.inspect import id_like_repeats

    counts, facts, table, roles = _counts(data, asked)
    found = _of_counts(counts, facts)
    repeats = None if roles.cluster is not None else id_like_repeats(table, roles.used)
    return found if repeats is None else replace(found, notes=(*found.notes, repeats))


def _counts(data: Any, asked: Question) -> tuple[Any, dict[str, Any], Any, Any]:
    """The counts of a table, where they came from, the table itself and the roles of its columns."""
    from assay.tally.engine import count_predictions

    table, roles, facts = table_and_roles(data, asked)
    counts = count_predictions(table, roles, labels=asked.labels, positive=asked.positive, missing=asked.missing)
    facts = {"source": table.name, "gold": roles.gold, "pred": dict(roles.preds), **facts}
    for role in ("cluster", "weight", "count"):
        if getattr(roles, role) is not None:
            facts[role] = getattr(roles, role)
    return counts, facts, table, roles


def table_and_roles(data: Any, asked: Question) -> tuple[Any, Any, dict[str, Any]]:
    """One table with the answers of every system, the roles of its columns, and how it was put together."""
    from assay.sources.columns import Roles, find
    from assay.sources.frames import table_of

    table = table_of(data)
    facts: dict[str, Any] = {}
    preds: dict[str, str] = {}
    if asked.systems:
        table, preds, facts = _paired(table, asked)
    gold = find("gold", table.columns, asked.gold, source=table.name)
    preds = preds or _prediction_columns(asked.pred, table.columns, table.name)

    def named(role: str, column: str | None) -> str | None:
        return None if column is None else find(role, table.columns, column, source=table.name)

    sliced = [find("slice", table.columns, column, source=table.name) for column in dict.fromkeys(asked.slices)]
    slices: list[tuple[str, ...]] = [(column,) for column in sliced]
    if asked.crossed and len(sliced) < 2:
        raise OptionError("crossing (--crossed) needs at least two slicing columns (--slice A --slice B).")
    if asked.crossed:
        slices.append(tuple(sliced))
    roles = Roles(
        gold,
        preds,
        named("cluster", asked.cluster),
        named("weight", asked.weight),
        named("count", asked.count),
        tuple(slices),
        _guess_columns(asked.guesses, preds, table),
    )
    _refuse_gold_as_answer(roles.gold, preds)
    return table, roles, facts


def _of_counts(counts: Any, facts: Mapping[str, Any]) -> Counted:
    """What was counted, with what was left out or counted as wrong said."""
    first, notes = counts.first, []
    more: dict[str, Any] = {"n": first.n, "gold fingerprint": first.fingerprint}
    if first.clusters is not None:
        more["clusters"] = len(first.clusters.names)
    if counts.skipped:
        more["skipped"] = counts.skipped
        notes.append(f"{counts.skipped:,} rows were left out because a label or a prediction is missing")
    if counts.unanswered:
        more["unanswered"] = dict(counts.unanswered)
    for system, n in facts.get("predictions without gold", {}).items():
        notes.append(f"{n:,} predictions of {system} have an id that is not in gold, and were left out")
    for slicing in counts.slices:
        if slicing.without:
            notes.append(f"{slicing.without:,} rows have no value in '{slicing.column}' and are in no group")
    if counts.slices:
        more["slices"] = [slicing.column for slicing in counts.slices]
    return Counted(counts.systems, counts.slices, {**facts, **more}, tuple(notes), counts.guesses, counts.together)


def _paired(gold: Any, asked: Question) -> tuple[Any, dict[str, str], dict[str, Any]]:
    """The gold table with the predictions of every system's own table beside it."""
    from assay.sources.frames import table_of
    from assay.sources.join import pair_systems

    assert asked.systems is not None
    if isinstance(asked.pred, str) or asked.pred is None:
        columns = None if asked.pred is None else dict.fromkeys(asked.systems, str(asked.pred))
    elif isinstance(asked.pred, Mapping):
        columns = dict(asked.pred)
    else:
        raise OptionError("with systems= in files of their own, pred= is one column name, or one for each system.")
    strangers = [name for name in columns or {} if name not in asked.systems]
    if strangers:
        raise OptionError(f"pred= names {listed(strangers)}; the systems are {listed(asked.systems)}.")
    tables = {name: table_of(data) for name, data in asked.systems.items()}
    paired = pair_systems(gold, tables, id=asked.id, pred=columns, missing=asked.missing, by_position=asked.by_position)
    facts: dict[str, Any] = {"systems": {name: table.name for name, table in tables.items()}}
    facts["paired by"] = "position" if asked.by_position else f"id '{paired.id}'"
    if any(paired.strangers.values()):
        facts["predictions without gold"] = {name: n for name, n in paired.strangers.items() if n}
    together = " + ".join(dict.fromkeys([gold.name, *(table.name for table in tables.values())]))
    return replace(paired.table, name=together), dict(paired.preds), facts


def _prediction_columns(pred: Names, columns: Sequence[str], source: str) -> dict[str, str]:
    from assay.sources.columns import find

    if pred is None or isinstance(pred, str):
        column = find("pred", columns, pred, source=source)
        return {column: column}
    named = dict(pred) if isinstance(pred, Mapping) else {column: column for column in pred}
    if not named:
        raise DataError("pred names no column; name at least one column of predictions.")
    return {name: find("pred", columns, column, source=source) for name, column in named.items()}


def _guess_columns(
    given: Mapping[str, Sequence[str]] | None, preds: Mapping[str, str], table: Any
) -> dict[str, tuple[str, ...]]:
    from assay.sources.columns import find

    strangers = [name for name in given or {} if name not in preds]
    if strangers:
        raise OptionError(f"guesses= names {listed(strangers)}; the systems are {listed(preds)}.")
    return {
        system: tuple(find("guess", table.columns, column, source=table.name) for column in columns)
        for system, columns in (given or {}).items()
    }


def _refuse_gold_as_answer(gold: str, preds: Mapping[str, str]) -> None:
    for system, column in preds.items():
        if column == gold:
            raise OptionError(
                f"'{gold}' is the column of the reference labels; it cannot be the answers of '{system}'."
            )
