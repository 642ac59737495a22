"""From a file, a frame or a tally to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import OptionError, choose
from assay.jobs.count import counted
from assay.jobs.question import Names, Question, Scoring
from assay.jobs.results import Report, Row, System
from assay.jobs.scores import auc_notes, scored_sections
from assay.jobs.slices import sliced
from assay.measures.declare.catalogue import check_measures, resolve
from assay.measures.declare.defaults import default_measures, primary_measure
from assay.measures.declare.family import lacking
from assay.measures.declare.measure import Measure
from assay.measures.declare.titles import name as titled
from assay.measures.labels.costs import Costs, costs_of
from assay.measures.labels.usual import ELSEWHERE
from assay.options import LEVEL, METHODS, ORIENTATIONS, RESAMPLES, SEED, TABLES
from assay.tables import Cell, Section
from assay.tally.contract.base import Tally
from assay.tally.scores import Scored
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate

Asked = str | Measure | Sequence[str | Measure] | None
Estimates = list[tuple[Estimate, str | None]]


def evaluate(
    data: Any,
    *,
    gold: str | None = None,
    pred: Names = None,
    systems: Mapping[str, Any] | None = None,
    id: str | None = None,
    by_position: bool = False,
    missing: str = "error",
    positive: object | None = None,
    labels: Sequence[object] | str | None = None,
    cluster: str | None = None,
    weight: str | None = None,
    count: str | None = None,
    slices: str | Sequence[str] = (),
    crossed: bool = False,
    guesses: Mapping[str, Sequence[str]] | None = None,
    scores: Scoring = None,
    threshold: float | Mapping[str, float] | None = None,
    score_bins: int | None = None,
    measures: Asked = None,
    prevalence: float | None = None,
    costs: Any = None,
    tables: Sequence[str] = (),
    rows: str = "gold",
    level: float = LEVEL,
    method: str = "auto",
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
) -> Report:
    """Evaluate one or more systems on a file, a data frame, a mapping of columns, or a tally.

    `gold` and `pred` name columns; several predictions are a list of columns, or a mapping of names to columns, and
    `guesses` names the columns of a system's second guess, its third and so on. `scores` names columns of scores: of
    the positive class, or of every class, as in "p_{}" where {} stands for the class. A score that reaches `threshold`
    (0.5 for probabilities) is called positive where there are no predictions. With `systems`, each system's
    predictions are in a table of their own, and `id` names the column they are paired by. `positive`, `labels`,
    `missing`, `cluster`, `weight`, `count`, `slices` and `crossed` say how the rows count. `prevalence` and `costs` add
    what the system would be worth elsewhere; `tables` adds "one-vs-rest" or "pooled", and `rows` says which side of
    the confusion matrix is gold.
    """
    choose(method, METHODS, "method")
    choose(rows, ORIENTATIONS, "rows")
    for name in tables:
        choose(name, TABLES, "tables")
    check_measures(measures)
    asked = Question(
        gold,
        pred,
        systems,
        id,
        by_position,
        missing,
        positive,
        labels,
        cluster,
        weight,
        count,
        slices,
        crossed,
        guesses,
        scores,
        threshold,
        score_bins,
    )
    drawing = {"level": level, "method": method, "n_resamples": n_resamples, "random_state": random_state}
    found = counted(data, asked)
    priced = None if costs is None else costs_of(_plain(costs))
    every: list[Row] = []
    judged = []
    for name, tally in found.systems.items():
        spellings = _spellings(tally, measures, prevalence, priced)
        tallies = found.systems.held(name)
        if measures is None:
            spellings += [spelling for each in tallies[1:] for spelling in default_measures(each)]
        estimates = _estimates(name, tallies, spellings, drawing, measures is None)
        groups, sections, notes = sliced(name, found.slices, measures, drawing)
        every += [*(Row.of(e, name, class_) for e, class_ in estimates), *groups]
        remarks = [*_notes(estimates), *(priced.notes(tally) if priced and not isinstance(tally, Scored) else ())]
        primary = primary_measure(tally) if measures is None else estimates[0][0].measure
        beside = (*scored_sections(tallies, priced, drawing), *_without_a_model(tally, spellings), *sections)
        judged.append(
            System(
                name,
                primary,
                tallies,
                rows=rows,
                wanted=tuple(tables),
                level=level,
                tables=beside,
                counting=(*found.notes, *found.notes_of(name)),
                remarks=(*remarks, *notes),
            )
        )
    repeat = _repeat(asked, measures, prevalence, costs, tables, rows, drawing)
    facts = {**found.provenance, **_drawing_of(every, drawing)}
    return Report(tuple(every), tuple(judged), facts, repeat, counted=found)


def _drawing_of(rows: Sequence[Row], drawing: Mapping[str, Any]) -> dict[str, Any]:
    """How many draws were made from which seed, if anything was drawn at random."""
    if not any("|seed:" in row.signature for row in rows):
        return {}
    return {"resamples": drawing["n_resamples"], "seed": drawing["random_state"]}


def _repeat(
    asked: Question,
    measures: Asked,
    prevalence: float | None,
    costs: Any,
    tables: Sequence[str],
    rows: str,
    drawing: Mapping[str, Any],
) -> dict[str, Any]:
    """The options that make the same report again, in JSON's own types."""
    spelled = [measures] if isinstance(measures, str | Measure) else measures
    more = {"measures": spelled, "prevalence": prevalence, "costs": costs, "tables": tables}
    more["rows"] = None if rows == "gold" else rows
    return {**repeated(asked), **{name: _plain(value) for name, value in more.items() if value}, **_plain(drawing)}


def repeated(asked: Question) -> dict[str, Any]:
    """The columns, files and ways of counting that were asked for, in JSON's own types."""
    told = {name: _plain(value) for name, value in asked.given().items() if name != "systems"}
    if asked.systems:
        # A table in memory cannot be read again; its name is kept.
        told["systems"] = {
            name: str(where) if isinstance(where, str | Path) else None for name, where in asked.systems.items()
        }
    return told


def _plain(value: Any) -> Any:
    """An option in JSON's own types."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Measure):
        return value.name
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers, and columns of frames
        return _plain(value.tolist())
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


# ---------------------------------------------------------------------- estimates
def _spellings(tally: Tally, measures: Asked, prevalence: float | None, costs: Costs | None) -> list[Any]:
    """Every measure to show: those asked for or the usual ones, and what costs and another prevalence add."""
    asked = [measures] if isinstance(measures, str | Measure) else measures
    out: list[Any] = list(default_measures(tally) if asked is None else dict.fromkeys(asked))
    if prevalence is not None:
        out += [f"{name}(prevalence={prevalence!r})" for name in ELSEWHERE]
    if costs is not None:
        out += costs.spellings(tally)
    return out


def _estimates(
    name: str, tallies: Sequence[Tally], spellings: Sequence[Any], drawing: Mapping[str, Any], forgiving: bool
) -> Estimates:
    """Every measure asked for, on the tally of its kind; one that needs a class and has none is given for each."""
    out: Estimates = []
    for wanted in spellings:
        found, options = resolve(wanted, {})
        tally = next((tally for tally in tallies if found.reads_from(tally)), None)
        if tally is None and found.kind.goes_with(tallies[0]):
            raise lacking(name, found.kind, tallies)
        tally = tally or tallies[0]
        for settled, class_ in found.cases(tally, options):
            out.append((_estimate(found, tally, {**drawing, **settled}, forgiving), class_))
    return out


def _estimate(measure: Measure, tally: Tally, options: Mapping[str, Any], forgiving: bool) -> Estimate:
    """The estimate; where nobody chose the measure, a method that does not fit it gives way to the usual one."""
    try:
        return estimate(measure, tally, **options)
    except OptionError:
        if not forgiving or options["method"] == "auto":
            raise
    made = estimate(measure, tally, **{**options, "method": "auto"})
    return replace(made, notes=(*made.notes, f"{options['method']} does not apply; {made.method} was used"))


# ---------------------------------------------------------------------- beside the numbers
def _notes(estimates: Estimates) -> list[str]:
    return [
        *_beaten(estimates),
        *_without_interval(estimates),
        *(note for e, _ in estimates for note in auc_notes(e)),
        *(f"{e.measure}: {note}" for e, _ in estimates for note in e.notes),
    ]


def _beaten(estimates: Estimates) -> list[str]:
    """Measures that do no better than a guess without a model, in words, by the guess."""
    lost: dict[str, list[str]] = {}
    close: dict[str, list[str]] = {}
    for e, class_ in estimates:
        if e.value is None or e.no_skill is None or e.no_skill_name is None or e.higher_is_better is None:
            continue
        low, high = resolve(e.measure, {})[0].range
        if e.no_skill == (low if e.higher_is_better else high):
            continue
        ahead = e.value > e.no_skill + 1e-9 if e.higher_is_better else e.value < e.no_skill - 1e-9
        if not ahead:
            of = "" if class_ is None else f" of “{class_}”"
            side = "above" if e.higher_is_better else "below"
            lost.setdefault(e.no_skill_name, []).append(f"{e.measure}{of} ({e.value:.4g}, not {side} {e.no_skill:.4g})")
        elif e.interval is not None and e.no_skill in e.interval:
            of = "" if class_ is None else f" of “{class_}”"
            close.setdefault(e.no_skill_name, []).append(f"{e.measure}{of}")
    return [
        *(f"does not beat {guess}: {', '.join(names)}" for guess, names in lost.items()),
        *(
            f"not shown to beat {guess}, whose value lies in the interval: {', '.join(names)}"
            for guess, names in close.items()
        ),
    ]


def _without_interval(estimates: Estimates) -> list[str]:
    """Why some values have no interval, once for each reason."""
    bare: dict[str, list[str]] = {}
    for e, class_ in estimates:
        if e.value is not None and e.low is None:
            of = "" if class_ is None else f" of “{class_}”"
            bare.setdefault(e.reason or "", []).append(f"{e.measure}{of}")
    return [f"no interval for {', '.join(names)}: {reason}" for reason, names in bare.items()]


def _without_a_model(tally: Tally, spellings: Sequence[Any]) -> list[Section]:
    """What answers without a model are worth, for the measures of the whole table."""
    columns: dict[str, dict[str, float]] = {}
    for wanted in spellings:
        found, options = resolve(wanted, {})
        if not found.reads_from(tally):
            continue
        if found.averaged and options.get("average", "binary") == "binary":
            continue
        bound = found.bind(tally, **options)
        if isinstance(found.no_skill, str):
            columns[bound.spelling] = dict(bound.guesses(tally))
    names = list(dict.fromkeys(name for guesses in columns.values() for name in guesses))
    if not names or len(names) > 8:
        # With many classes only the guesses that are best at something are worth a line.
        best = {name for guesses in columns.values() for name in _best_three(guesses)}
        names = [name for name in names if name in best]
    if not names:
        return []
    some = list(columns)[:4]
    rows = tuple((name, tuple(_cell(columns[column].get(name)) for column in some)) for name in names)
    return [Section("without a model", tuple(titled(spelling) for spelling in some), rows)]


def _best_three(guesses: Mapping[str, float]) -> list[str]:
    known = [name for name, value in guesses.items() if value == value]
    return [*sorted(known, key=lambda name: -guesses[name])[:1], *list(guesses)[-2:]]


def _cell(value: float | None) -> Cell:
    if value is None or value != value:
        return Cell("–")
    # What is nearly all must not read as all.
    hidden = value not in (0, 1) and f"{value:.3f}" in ("0.000", "1.000")
    return Cell(f"{value:.6f}" if hidden else f"{value:.3f}", value=value)
