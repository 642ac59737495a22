"""Which measures to report and why, from a file, a frame, a mapping of columns, a tally, or facts alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.advice.commands import Columns, Piece, Program, Ways
from assay.advice.facts import Facts
from assay.errors import DataError, plural
from assay.jobs.count import stored_counts
from assay.jobs.question import check_columns, score_columns
from assay.lazily import family_module, family_name
from assay.measures.labels.costs import costs_of
from assay.result import Result
from assay.sources.columns import find
from assay.sources.frames import table_of
from assay.sources.magnitudes import Scores
from assay.sources.read.table import Table
from assay.sources.recognize import (
    ANNOTATION,
    BY_OPTION,
    CLASSIFICATION,
    CLUSTERING,
    RANKING,
    Recognized,
    Role,
    recognize,
)
from assay.tally.contract.base import Tally
from assay.tally.count.counts import Counts

Names = str | Sequence[str] | Mapping[str, str] | None

RULES = {CLASSIFICATION: "labels", CLUSTERING: "clusterings", RANKING: "rankings", ANNOTATION: "ratings"}
AS_LABELS = ("scores", "class_scores", "guesses")  # families that use the rules for labels
HOLDS = {
    CLASSIFICATION: "contains the predictions of a classifier",
    CLUSTERING: "contains a clustering",
    RANKING: "contains rankings",
    ANNOTATION: "contains ratings",
}


@dataclass(frozen=True)
class Advice(Result):
    """What a table was recognized as, the facts about it, and what to report, most important first."""

    source: str
    family: str | None
    summary: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    roles: tuple[Role, ...] = ()
    doubts: tuple[str, ...] = ()
    facts: Any = None

    @property
    def measures(self) -> tuple[str, ...]:
        """The spellings of the measures to report, without those that this version lacks."""
        return tuple(piece.measure for piece in self.pieces if piece.measure is not None)

    def to_dict(self) -> dict[str, Any]:
        """The advice as plain JSON types."""
        return dataclasses.asdict(self)

    def frame_rows(self) -> list[dict[str, Any]]:
        """A row for each measure to report."""
        return [{"report": p.report, "measure": p.measure, "why": p.why, "hides": p.hides} for p in self.pieces]


def advise(
    data: Any,
    *,
    gold: str | None = None,
    pred: Names = None,
    score: Names = None,
    positive: object | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    program: Program | None = None,
) -> Advice:
    """Say which measures to report for a file, frame, mapping of columns or tally, why, and what each hides.

    Roles that are not given are recognized from the names and values of the columns. `program` maps the commands of a
    command line to their options; with it each piece of advice shows a command, otherwise a call in Python.
    """
    costs = _costs(cost_fp, cost_fn)
    tally = _tally(data)
    if tally is not None:
        facts = _facts(tally, costs)
        holds = next(name for name, family in RULES.items() if family == facts.family)
        return Advice("counts as given", holds, (_rules(facts.family).told(facts),), advice_of(facts), facts=facts)
    check_columns(pred, "pred")
    check_columns(score, "score")
    table = table_of(data)
    preds, scores = _columns(pred, table), _score_columns(score, table)
    classes = positive is not None or costs is not None
    known = recognize(table, gold=gold, preds=preds, scores=scores, classes=classes)
    if known.family is None:
        none = f"{table.name} has {plural(len(table.columns), 'column')}, and it is not clear what they contain."
        return Advice(table.name, None, (none,), roles=known.roles, doubts=known.doubts)
    facts = _rules(RULES[known.family]).from_table(table, known, positive, costs)
    ways = Ways(_named(data, known, facts, table.columns), program)
    told = (f"{table.name} {HOLDS[known.family]}{_systems(facts)}.", _rules(facts.family).told(facts))
    doubts = (*known.doubts, *_more_doubts(known, facts, positive))
    return Advice(table.name, known.family, told, advice_of(facts, ways), known.roles, doubts, facts)


def advice_of(known: Any, ways: Ways | None = None, *, most: int | None = None) -> tuple[Piece, ...]:
    """Advice from a tally or from facts, most important first; at most `most` pieces."""
    facts = _facts(known) if isinstance(known, Tally) else known
    ways = ways or Ways()
    pieces = _rules(facts.family).pieces(facts, ways)
    return tuple(pieces[:most])


def advice_for(tallies: Sequence[Tally], *, systems: int = 1, most: int | None = None) -> tuple[Piece, ...]:
    """Advice for a system counted by labels, by scores, or by both; empty if no family has rules."""
    each = (_facts_of(tally, systems=systems) for tally in tallies)
    known = [facts for facts in each if facts is not None]
    if not known:
        return ()
    facts, scored = known[0], next((each for each in known if isinstance(each, Facts) and each.scores), None)
    if isinstance(facts, Facts) and scored is not None and scored is not facts:
        facts = dataclasses.replace(scored, classes=facts.classes, labels=True)
    return advice_of(facts, most=most)


# ---------------------------------------------------------------------- input
def _tally(data: Any) -> Tally | None:
    """The tally given, or the one in a file of counts; with several systems the first, as gold is the same."""
    if isinstance(data, str | Path) and Path(data).suffix.lower() == ".json":
        data = stored_counts(Path(data))
    data = data.first if isinstance(data, Counts) else data
    return data if isinstance(data, Tally) else None


def _facts(tally: Tally, costs: tuple[float, float] | None = None) -> Any:
    facts = _facts_of(tally, costs)
    if facts is None:
        raise DataError(f"there is no advice for a {tally.kind} tally; 'assay measures' lists what can be computed.")
    return facts


def _costs(fp: float | None, fn: float | None) -> tuple[float, float] | None:
    given = {name: float(cost) for name, cost in (("fp", fp), ("fn", fn)) if cost is not None}
    if not given:
        return None
    costs = costs_of(given)
    assert costs.fp is not None
    assert costs.fn is not None
    return costs.fp, costs.fn


def _columns(given: Names, table: Table) -> tuple[str, ...]:
    some = [given] if isinstance(given, str) else given.values() if isinstance(given, Mapping) else given or ()
    return tuple(find("pred", table.columns, column, source=table.name) for column in some)


def _score_columns(given: Names, table: Table) -> tuple[str, ...]:
    """Single columns, and those that match a pattern such as p_{}."""
    each = score_columns(given, table.columns, table.name).values() if given else ()
    return tuple(column for found in each for column in ([found] if isinstance(found, str) else found.values()))


def _named(data: Any, known: Recognized, facts: Any, columns: Sequence[str]) -> Columns:
    """What commands and calls have to name."""
    roles = _by_role(known.roles)
    single = tuple(scores.columns[0] for scores in known.scores if not scores.classes)
    found = () if known.found is None else known.found.columns
    asked = {column for role in ("gold", "pred", "score") for column in roles.get(role, ())}
    return Columns(
        source=str(data) if isinstance(data, str | Path) else None,
        gold=next(iter(roles.get("gold", ())), ""),
        preds=roles.get("pred", ()),
        scores=single,
        class_scores=tuple(pattern for each in known.scores if (pattern := _pattern(each, columns)) is not None),
        positive=facts.positive if isinstance(facts, Facts) else None,
        gaps=any(column.name in asked and column.missing for column in found),
        unified=_unified(known),
        roles=roles,
        asked=_by_role(role for role in known.roles if role.by == BY_OPTION),
    )


def _unified(known: Recognized) -> tuple[str, ...]:
    """The options that unify labels which gold and predictions write differently."""
    differences = () if known.found is None or known.family != CLASSIFICATION else known.found.differences
    return tuple(dict.fromkeys(flag for each in differences for flag in each.flags))


def _pattern(scores: Scores, columns: Sequence[str]) -> str | None:
    """The columns of a system's scores with {} in place of the class, if that matches these columns only."""
    alike = {column for column in columns if column.startswith(scores.system) and column != scores.system}
    return f"{scores.system}{{}}" if scores.system and alike == set(scores.columns) else None


def _by_role(roles: Iterable[Role]) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for role in roles:
        out[role.role] = (*out.get(role.role, ()), role.column)
    return out


# ---------------------------------------------------------------------- in words
def _rules(family: str) -> Any:
    """The rules of a family, or None if it has none."""
    return family_module("advice.rules", "labels" if family in AS_LABELS else family)


def _facts_of(tally: Tally, costs: tuple[float, float] | None = None, systems: int = 1) -> Any:
    """The facts about a tally, or None if its family has no rules."""
    rules = _rules(family_name(type(tally)))
    return None if rules is None else rules.from_tally(tally, costs, systems)


def _systems(facts: Any) -> str:
    if not isinstance(facts, Facts):
        return ""
    scores = "a score for each class" if facts.by_class else "scores"
    what = " and ".join([*(["labels"] if facts.labels else []), *([scores] if facts.scores else [])])
    return f": {what} from {plural(facts.systems, 'system')} for {plural(facts.n, 'row')}"


def _more_doubts(known: Recognized, facts: Any, positive: object | None) -> list[str]:
    """What to know about columns whose role is clear."""
    out = []
    if positive is None and isinstance(facts, Facts) and facts.positive is not None:
        out.append(f"“{facts.positive}” was taken as the positive class by convention; --positive chooses another.")
    for column in () if known.found is None else known.found.columns:
        if column.missing and column.name in {role.column for role in known.roles}:
            out.append(f"'{column.name}' is empty in {plural(column.missing, 'row')}; --missing sets how they count.")
    for each in () if known.found is None or known.family != CLASSIFICATION else known.found.differences:
        if each.only_pred:
            rows = sum(label.rows for label in each.only_pred)
            first = each.only_pred[0].label
            strange = (
                f"In {plural(rows, 'row')} '{each.pred}' has labels that never occur in gold (such as “{first}”); "
            )
            if each.flags:
                out.append(
                    f"{strange}the commands below take them for the same labels, written differently "
                    f"({' '.join(each.flags)}). If they are classes of their own, use --labels observed instead."
                )
                continue
            out.append(f"{strange}they count as classes of their own unless --labels gold is given.")
    single = [scores.system for scores in known.scores if not scores.classes]
    if single and isinstance(facts, Facts) and facts.k > 2:
        out.append(
            f"'{single[0]}' is a single column of scores for {facts.k:,} classes and was ignored; give one column for "
            "each class, such as p_cat and p_dog."
        )
    return out
