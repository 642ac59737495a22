"""What is to be counted: which columns of which files play which role, and what to do with what is missing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.errors import DataError, OptionError, a_type, check_number, listed, written
from assay.options.evaluating import Column, Columns, Names, Scoring
from assay.options.option import options_of
from assay.sources.columns import ALIASES, Roles, called, find

if TYPE_CHECKING:
    from assay.sources.relabel import Relabeling


def check_columns(given: object, option: str) -> None:
    """Refuse what is neither the name of a column nor several of them."""
    if given is not None and not isinstance(given, Iterable):
        raise OptionError(f"{option} is {given!r}; it must name a column, or several in a list.")


@dataclass(frozen=True)
class Question:
    """What is to be counted: the options of the group `Columns`, checked."""

    gold: str | None = None
    pred: Names = None
    systems: Mapping[str, Any] | None = None
    id: str | None = None
    by_position: bool = False
    missing: str = "error"
    positive: object | None = None
    labels: Sequence[object] | str | None = None
    map: Mapping[Any, Any] | str | None = None
    ignore_case: bool = False
    numeric_labels: bool = False
    cluster: Column = None
    weight: Column = None
    count: Column = None
    slices: str | Sequence[str] | Any = ()
    crossed: bool = False
    guesses: Mapping[str, Sequence[str]] | None = None
    scores: Scoring = None
    threshold: float | Mapping[str, float] | None = None
    score_bins: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.systems, Mapping | None):
            raise OptionError(
                f"systems is {a_type(self.systems)}; it must map the name of each system to the table of "
                "its answers, as in {'old': 'v1.csv', 'new': 'v2.csv'}."
            )
        for name, some in (("pred", self.pred), ("scores", self.scores), ("slices", self.slices)):
            check_columns(some, name)
        object.__setattr__(self, "slices", (self.slices,) if isinstance(self.slices, str) else tuple(self.slices))
        if self.map is not None:
            from assay.sources.relabel import map_of

            object.__setattr__(self, "map", map_of(self.map))  # as it is now, even if the file changes later

    @property
    def relabeling(self) -> Relabeling:
        """How labels are written before they are compared."""
        from assay.sources.relabel import relabeling_of

        return relabeling_of(self.map, ignore_case=self.ignore_case, numeric=self.numeric_labels)

    def given(self) -> dict[str, Any]:
        """The options that differ from their defaults; tables and arrays count as different without a look at them."""
        usual = {name: option.default for name, option in options_of(Columns).items()}
        return {
            name: value
            for name, value in vars(self).items()
            if value is not usual[name] and not (isinstance(value, str | bool | tuple) and value == usual[name])
        }


CLASS = "{}"  # stands for the class in the name of its column of scores
ScoreColumns = str | Mapping[str, str]


def table_and_roles(data: Any, asked: Question) -> tuple[Any, Roles, dict[str, Any]]:
    """One table with the answers of every system, the roles of its columns, and how it was put together."""
    from assay.sources.frames import table_of

    table = table_of(data)
    facts: dict[str, Any] = {}
    preds: dict[str, str] = {}
    scores: dict[str, ScoreColumns] = {}
    if asked.systems:
        table, preds, scores, facts = _paired(table, asked)
    gold = find("gold", table.columns, asked.gold, source=table.name)
    if not asked.systems:
        preds, scores = _answers(asked, table.columns, table.name)

    def named(role: str, column: str | None) -> str | None:
        return None if column is None else find(role, table.columns, column, source=table.name)

    roles = Roles(
        gold,
        preds,
        named("cluster", asked.cluster),
        named("weight", asked.weight),
        named("count", asked.count),
        _slices(asked, table),
        _guess_columns(asked.guesses, preds, table),
        {name: column for name, column in scores.items() if isinstance(column, str)},
        {name: columns for name, columns in scores.items() if not isinstance(columns, str)},
    )
    _refuse_gold_as_answer(roles)
    return table, roles, facts


def cuts_of(asked: Question, roles: Roles) -> Any:
    """The thresholds and bins that were asked for, if they make sense here."""
    from assay.tally.count.engine import Cuts

    if asked.threshold is None and asked.score_bins is None:
        return Cuts()
    if not roles.scores and not roles.class_scores:
        raise OptionError("a threshold (--threshold) or bins need scores, but no column of scores is named (--score).")
    if not isinstance(asked.threshold, Mapping):
        cuts = Cuts(_finite_threshold(asked.threshold), {}, asked.score_bins)
    else:
        strangers = [name for name in asked.threshold if name not in roles.scores]
        if strangers:
            raise OptionError(
                f"{written('--threshold', 'threshold=')} names {listed(strangers)}; the systems with scores are "
                f"{listed(roles.scores)}."
            )
        of_systems = {name: _finite_threshold(value) for name, value in asked.threshold.items()}
        cuts = Cuts(None, {name: value for name, value in of_systems.items() if value is not None}, asked.score_bins)
    labeled = [name for name in roles.scores if name in roles.preds and cuts.of(name) is not None]
    if labeled:
        raise OptionError(
            f"the labels of {listed(labeled)} are given ({written('--pred', 'pred=')}), so a threshold would change "
            f"nothing; leave out {written('--pred', 'pred=')} to derive labels from the scores, or leave out "
            f"{written('--threshold', 'threshold=')}."
        )
    return cuts


def _finite_threshold(value: float | None) -> float | None:
    if value is None:
        return None
    check_number(value, "the threshold")
    if not math.isfinite(value):
        raise OptionError(f"the threshold is {value}; it must be a finite number, such as 0.5.")
    return value


# ---------------------------------------------------------------------- columns of one table
def _answers(asked: Question, columns: Sequence[str], source: str) -> tuple[dict[str, str], dict[str, ScoreColumns]]:
    """The columns of labels and of scores, by the names of the systems."""
    scores, usual = asked.scores, called(ALIASES["score"], columns)
    if scores is None and asked.pred is None and not called(ALIASES["pred"], columns) and usual:
        scores = find("score", columns, None, source=source)
    preds = {} if asked.pred is None and scores is not None else _prediction_columns(asked.pred, columns, source)
    found = score_columns(scores, columns, source)
    if _unnamed(asked.pred) and _unnamed(scores):
        # A column of labels and a column of scores, both without a name, belong to one system.
        found = {next(iter(preds)): next(iter(found.values()))}
    return preds, found


def _unnamed(given: Any) -> bool:
    """Whether this is a single column without a name of its own."""
    return isinstance(given, str) or (
        isinstance(given, Mapping) and len(given) == 1 and all(k == v for k, v in given.items())
    )


def score_columns(given: Scoring, columns: Sequence[str], source: str) -> dict[str, ScoreColumns]:
    """Each system's column of scores, or its columns by class."""
    if given is None:
        return {}
    named: Mapping[str, Any]
    if isinstance(given, str):
        named = {_system_of(given, columns): given}
    else:
        each: Iterable[tuple[str, Any]] = (
            given.items() if isinstance(given, Mapping) else ((text, text) for text in given)
        )
        named = {_system_of(text, columns) if name == text else name: text for name, text in each}
    if not named:
        raise DataError("scores names no column; name at least one column of scores.")
    return {name: _score_column(what, columns, source) for name, what in named.items()}


def _score_column(what: Any, columns: Sequence[str], source: str) -> ScoreColumns:
    if isinstance(what, Mapping):
        from assay.tally.contract.codes import spelled

        return {spelled(label): find("score", columns, column, source=source) for label, column in what.items()}
    if not isinstance(what, str) or CLASS not in what or what in columns:
        return find("score", columns, what, source=source)
    before, _, after = what.partition(CLASS)
    found = {
        column[len(before) : len(column) - len(after)]: column
        for column in columns
        if column.startswith(before) and column.endswith(after) and len(column) > len(before) + len(after)
    }
    if len(found) < 2:
        raise DataError(
            f"'{what}' stands for a column of scores for each class, with the class in place of {CLASS}; "
            f"{source} has {listed(found.values()) or 'no such column'}. Its columns are {listed(columns)}."
        )
    return found


def _system_of(text: str, columns: Sequence[str]) -> str:
    """The name of a system whose scores came without one."""
    if CLASS not in text or text in columns:
        return text
    return text.partition(CLASS)[0].rstrip("_-. ") or "system"


def _prediction_columns(pred: Names, columns: Sequence[str], source: str) -> dict[str, str]:
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
    strangers = [name for name in given or {} if name not in preds]
    if strangers:
        raise OptionError(f"guesses= names {listed(strangers)}; the systems are {listed(preds)}.")
    return {
        system: tuple(find("guess", table.columns, column, source=table.name) for column in columns)
        for system, columns in (given or {}).items()
    }


def _slices(asked: Question, table: Any) -> tuple[tuple[str, ...], ...]:
    sliced = [find("slice", table.columns, column, source=table.name) for column in dict.fromkeys(asked.slices)]
    slices: list[tuple[str, ...]] = [(column,) for column in sliced]
    if asked.crossed and len(sliced) < 2:
        raise OptionError("crossing (--crossed) needs at least two slicing columns (--slice A --slice B).")
    if asked.crossed:
        slices.append(tuple(sliced))
    return tuple(slices)


def _refuse_gold_as_answer(roles: Roles) -> None:
    for system, column in [*roles.preds.items(), *roles.scores.items()]:
        if column == roles.gold:
            raise OptionError(f"'{column}' is the column of gold labels; it cannot also be the answers of '{system}'.")


# ---------------------------------------------------------------------- tables of several systems
def _paired(gold: Any, asked: Question) -> tuple[Any, dict[str, str], dict[str, ScoreColumns], dict[str, Any]]:
    """The gold table joined with the predictions and scores from every system's own table."""
    from assay.sources.frames import table_of
    from assay.sources.join import pair_systems

    assert asked.systems is not None
    tables = {name: table_of(data) for name, data in asked.systems.items()}
    labels = _own_columns(asked.pred, asked.systems, "pred")
    scores: dict[str, ScoreColumns] = {}
    for name, what in _own_columns(asked.scores, asked.systems, "scores").items():
        scores[name] = _score_column(what, tables[name].columns, tables[name].name)
    # A system without labels is judged by its scores; the table of a system is joined once for each of its columns.
    lone = [name for name in tables if name not in scores or name in labels]
    wanted: dict[str, tuple[str, str | None]] = {name: (name, labels.get(name)) for name in lone}
    for name, columns in scores.items():
        each = {"": columns} if isinstance(columns, str) else columns
        wanted |= {_beside(name, label, tables): (name, column) for label, column in each.items()}
    paired = pair_systems(
        gold,
        {key: tables[name] for key, (name, _) in wanted.items()},
        id=asked.id,
        pred={key: column for key, (_, column) in wanted.items() if column is not None} or None,
        missing=asked.missing,
        by_position=asked.by_position,
    )
    joined: dict[str, ScoreColumns] = {
        name: paired.preds[_beside(name, "", tables)]
        if isinstance(columns, str)
        else {label: paired.preds[_beside(name, label, tables)] for label in columns}
        for name, columns in scores.items()
    }
    facts: dict[str, Any] = {"systems": {name: table.name for name, table in tables.items()}}
    facts["paired by"] = "position" if asked.by_position else f"id '{paired.id}'"
    strangers = {name: n for key, n in paired.strangers.items() if n for name in [wanted[key][0]]}
    if strangers:
        facts["predictions without gold"] = strangers
    together = " + ".join(dict.fromkeys([gold.name, *(table.name for table in tables.values())]))
    return replace(paired.table, name=together), {name: paired.preds[name] for name in lone}, joined, facts


def _beside(name: str, label: str, tables: Mapping[str, Any]) -> str:
    """The name of a system's column of scores in the joined table; no system may have the same name."""
    called = f"{name} score" if not label else f"{name} score of {label}"
    while called in tables:
        called += " "
    return called


def _own_columns(given: Any, systems: Mapping[str, Any], option: str) -> dict[str, Any]:
    """One column name for all systems, or one for each."""
    if given is None:
        return {}
    if isinstance(given, str):
        return dict.fromkeys(systems, given)
    if not isinstance(given, Mapping):
        if len(given) == 1:
            return dict.fromkeys(systems, next(iter(given)))
        raise OptionError(f"with a file for each system (systems=), {option}= is one column name, or one per system.")
    strangers = [name for name in given if name not in systems]
    if strangers:
        raise OptionError(f"{option}= names {listed(strangers)}; the systems are {listed(systems)}.")
    return dict(given)
