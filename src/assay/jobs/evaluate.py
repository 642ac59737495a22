"""From a file, a frame or a tally to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from assay.errors import OptionError, choose
from assay.jobs.answers.results import SAME, Report, Row, System, against_guess
from assay.jobs.answers.row_texts import auc_notes, interval, value_text
from assay.jobs.count import Counted, counted
from assay.jobs.question import Question
from assay.measures.declare.catalogue import check_measures, default_measures, primary_measure, resolve, titled
from assay.measures.declare.family import lacking
from assay.measures.declare.measure import Measure
from assay.measures.labels.costs import Costs, at_least_cost, break_even_threshold, costs_of
from assay.measures.labels.usual import ELSEWHERE
from assay.measures.scores.calibration import calibration_section
from assay.notes import BEATEN, USUAL, Aside, Note, note_of
from assay.options import LEVEL, METHODS, ORIENTATIONS, RESAMPLES, SEED, TABLES
from assay.options.evaluating import EVALUATE, Columns, Measured, Priced, Shown
from assay.options.option import takes, with_defaults
from assay.sources.columns import as_columns
from assay.tables import Cell, Section
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.labels import Confusion
from assay.tally.margins import always
from assay.tally.scores import Scored
from assay.texts import decimals, numeral
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate


def scored_sections(tallies: Sequence[Tally], costs: Costs | None, drawing: Mapping[str, Any]) -> list[Section]:
    """The tables of a system that has scores."""
    out: list[Section] = []
    for tally in tallies:
        if isinstance(tally, Scored):
            out += [section for section in [calibration_section(tally)] if section is not None]
        if isinstance(tally, Scored | ClassScored) and costs is not None:
            out += _decisions(tally, costs, drawing)
    return out


def _decisions(scores: Scored | ClassScored, costs: Costs, drawing: Mapping[str, Any]) -> list[Section]:
    """The cost of labels derived from the scores, by each decision rule."""
    ways = _by_class(scores, costs) if isinstance(scores, ClassScored) else _by_threshold(scores, costs)
    rows = []
    for name, labels in ways.items():
        (spelling,) = costs.spellings(labels)[:1]
        row = Row.of(estimate(spelling, labels, **{**drawing, "method": "auto"}), name)
        rows.append((name, (Cell(value_text(row), interval(row), value=row.value),)))
    if len(rows) < 2:
        return []
    told = "cost per item of labels derived from these scores, taken at face value as probabilities"
    return [Section("decisions by cost", ("mean cost",), tuple(rows), told)]


def _by_class(scores: ClassScored, costs: Costs) -> dict[str, Confusion]:
    if scores.no_probabilities is not None:
        return {}
    return {
        "class of the highest score": scores.labeled(),
        "class of least expected cost": at_least_cost(scores, costs),
    }


def _by_threshold(scores: Scored, costs: Costs) -> dict[str, Confusion]:
    half = scores.at(0.5)
    errors = costs.of_errors(half)
    if not scores.probabilities or errors is None or min(errors) < 0 or not sum(errors):
        return {}
    even = break_even_threshold(*errors)
    return {"from 0.5 up": half, f"from {even:.4g} up (break-even)": scores.at(even)}


Asked = str | Measure | Sequence[str | Measure] | None
Estimates = list[tuple[Estimate, str | None]]


@takes(*EVALUATE)
def evaluate(
    data: Any,
    y_pred: Any = None,
    *,
    measures: Asked = None,
    prevalence: float | None = None,
    costs: Any = None,
    tables: Sequence[str] = (),
    rows: str = "gold",
    level: float = LEVEL,
    method: str = "auto",
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
    **columns: Unpack[Columns],
) -> Report:
    """Evaluate one or more systems on a file, a data frame, a mapping of columns, a tally, or arrays.

    `evaluate(y_true, y_pred)` takes arrays: the gold labels and a system's labels, or a mapping from systems to their
    labels; `scores`, `cluster`, `weight` and `slices` are then arrays as well.

    `gold` and `pred` name columns, or `scores` where a system gives scores. With `systems`, each system's predictions
    are in a table of their own, and `id` names the column they are paired by. `prevalence` adds values at another
    share of positives, and `costs` adds expected costs.
    """
    choose(method, METHODS, "method")
    choose(rows, ORIENTATIONS, "rows")
    for name in tables:
        choose(name, TABLES, "tables")
    check_measures(measures)
    data, named = as_columns(data, y_pred, columns)
    drawing = {"level": level, "method": method, "n_resamples": n_resamples, "random_state": random_state}
    asked = Question(**named)
    found = counted(data, asked)
    priced = None if costs is None else costs_of(plain(costs))
    shown = {"measures": measures, "prevalence": prevalence, "costs": costs, "tables": tables, "rows": rows}
    judge = _Judge(found, measures, prevalence, priced, tuple(tables), rows, drawing)
    return judge.report(_repeat(asked, shown, drawing))


def evaluated(found: Counted, measures: Asked, drawing: Mapping[str, Any], asked: Mapping[str, Any]) -> Report:
    """The report on systems that were counted; `asked` are the options that make it again."""
    return _Judge(found, measures, None, None, (), "gold", drawing).report(asked)


@dataclass(frozen=True)
class _Judge:
    """What is computed for every system."""

    found: Counted
    measures: Asked
    prevalence: float | None
    costs: Costs | None
    tables: tuple[str, ...]
    rows: str
    drawing: Mapping[str, Any]

    def report(self, asked: Mapping[str, Any]) -> Report:
        """Every system, with what makes the report again."""
        judged = [self.system(name) for name in self.found.systems]
        every = [row for _, of_system in judged for row in of_system]
        facts = {**self.found.provenance, **_drawing_of(every, self.drawing)}
        return Report(tuple(every), tuple(system for system, _ in judged), facts, asked, counted=self.found)

    def by_group(self, name: str) -> tuple[list[Row], list[Section], list[str]]:
        """Rows, tables and notes of every column that slices the rows; the code for them is loaded if there is one."""
        if not self.found.slices:
            return [], [], []
        from assay.jobs.slices import sliced

        return sliced(name, self.found.slices, self.measures, self.drawing)

    def system(self, name: str) -> tuple[System, list[Row]]:
        """A system with its notes and tables, and its rows."""
        found, measures, drawing = self.found, self.measures, self.drawing
        tally, tallies = found.systems[name], found.systems.held(name)
        spellings = _spellings(tally, measures, self.prevalence, self.costs)
        if measures is None:
            spellings += [spelling for each in tallies[1:] for spelling in default_measures(each)]
        estimates = _estimates(name, tallies, spellings, drawing, measures is None)
        groups, sections, notes = self.by_group(name)
        remarks = _notes(estimates)
        if self.costs is not None and not isinstance(tally, Scored):
            remarks += self.costs.notes(tally)
        system = System(
            name,
            primary_measure(tally) if measures is None else estimates[0][0].measure,
            tallies,
            rows=self.rows,
            wanted=self.tables,
            level=drawing["level"],
            tables=(*scored_sections(tallies, self.costs, drawing), *_without_a_model(tally, spellings), *sections),
            counting=(*found.notes, *found.notes_of(name)),
            remarks=(*notes, *remarks),  # what was asked about groups comes first
        )
        return system, [*(Row.of(e, name, class_) for e, class_ in estimates), *groups]


def _drawing_of(rows: Sequence[Row], drawing: Mapping[str, Any]) -> dict[str, Any]:
    """How many draws were made from which seed, if anything was drawn at random."""
    if not any("|seed:" in row.signature for row in rows):
        return {}
    return {"resamples": drawing["n_resamples"], "seed": drawing["random_state"]}


def _repeat(asked: Question, shown: Mapping[str, Any], drawing: Mapping[str, Any]) -> dict[str, Any]:
    """The options that make the same report again, in JSON's own types."""
    measures = shown["measures"]
    spelled = {**shown, "measures": [measures] if isinstance(measures, str | Measure) else measures}
    usual = with_defaults({}, Measured, Priced, Shown)
    more = {name: plain(value) for name, value in spelled.items() if value and value != usual[name]}
    return {**repeated(asked), **more, **plain(drawing)}


def repeated(asked: Question) -> dict[str, Any]:
    """The columns, files and ways of counting that were asked for, in JSON's own types."""
    told = {name: plain(value) for name, value in asked.given().items() if name != "systems"}
    if asked.systems:
        # A table in memory cannot be read again; its name is kept.
        told["systems"] = {
            name: str(where) if isinstance(where, str | Path) else None for name, where in asked.systems.items()
        }
    return told


def plain(value: Any) -> Any:
    """An option in JSON's own types."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Measure):
        return value.name
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers, and columns of frames
        return plain(value.tolist())
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


# ---------------------------------------------------------------------- estimates
def _spellings(tally: Tally, measures: Asked, prevalence: float | None, costs: Costs | None) -> list[Any]:
    """Every measure to show: those asked for or the defaults, and what costs and another prevalence add."""
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
    """Every measure asked for, on the tally of its kind; one that needs a class and has none is computed for each."""
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
    """The estimate; where nobody chose the measure, a method that does not fit it gives way to the default."""
    try:
        return estimate(measure, tally, **options)
    except OptionError:
        if not forgiving or options["method"] == "auto":
            raise
    made = estimate(measure, tally, **{**options, "method": "auto"})
    return replace(made, notes=(*made.notes, Aside(f"{options['method']} does not apply; {made.method} was used")))


# ---------------------------------------------------------------------- notes and tables
def _notes(estimates: Estimates) -> list[str]:
    return [
        *beside_guesses(estimates, "behind"),
        *beside_guesses(estimates, "unclear"),
        *(note for e, class_ in estimates for note in _without_interval(e, class_)),
        *(note for e, _ in estimates for note in auc_notes(e)),
        *(note_of([titled(e.measure)], note) for e, _ in estimates for note in e.notes),
    ]


def beside_guesses(estimates: Estimates, stands: str) -> list[Note]:
    """Notes on values that compare so with the no-model baseline; classes that each have their own share one note."""
    classes: dict[str, int] = {}
    for e, class_ in estimates:
        classes[e.measure] = classes.get(e.measure, 0) + (class_ is not None)
    return [
        _of_each_class(e, class_)
        if class_ is not None and classes[e.measure] > 2 and _is_own(e, class_)
        else _of_guess(e, class_)
        for e, class_ in estimates
        if against_guess(e) == stands
    ]


def _is_own(e: Estimate, class_: str) -> bool:
    """Whether the baseline is always predicting the class itself."""
    return e.no_skill_name == always(class_)


def _of_guess(e: Estimate, class_: str | None) -> Note:
    of = "" if class_ is None else f" of “{class_}”"
    if against_guess(e) == "behind":
        beaten = [f"{titled(e.measure)}{of}{_beaten_by(e)}"]
        return Note(beaten, before=f"no better than {e.no_skill_name}: ", urgency=BEATEN)
    inside = f"{titled(e.measure)}{of} ({numeral(e.no_skill or 0.0, '.3g')}, inside the interval)"
    return Note([inside], before=f"not clearly better than {e.no_skill_name}: ")


def _of_each_class(e: Estimate, class_: str) -> Note:
    told, urgency = f"{titled(e.measure)} is no better than always predicting the class", BEATEN
    if against_guess(e) != "behind":
        told = f"{titled(e.measure)} is not clearly better than always predicting the class"
        told, urgency = f"{told}, whose value is inside the interval", USUAL
    return Note([f"'{class_}'"], before=f"{told}: ", several=f"{told}, for {{n}} classes: ", urgency=urgency)


def _beaten_by(e: Estimate) -> str:
    both, places = (e.value or 0.0, e.no_skill or 0.0), decimals(e.low, e.high)
    form = next((form for form in (f".{n}f" for n in range(places, 6)) if _is_told(both, form)), ".6g")
    value, without = (numeral(x, form) for x in both)
    return f" ({value} against {without})"


def _is_told(both: tuple[float, float], form: str) -> bool:
    """Whether numbers in this format differ if they do, and none that is nearly 1 reads as 1."""
    a, b = (format(x, form) for x in both)
    alike = abs(both[0] - both[1]) <= SAME
    return (alike or a != b) and not any(float(format(x, form)) == 1 != x for x in both)


def _without_interval(e: Estimate, class_: str | None) -> list[Note]:
    """Why a value has no interval."""
    if e.value is None or e.low is not None:
        return []
    of = "" if class_ is None else f" of “{class_}”"
    return [Note([f"{titled(e.measure)}{of}"], f": {e.reason or ''}", before="no interval for ")]


def _without_a_model(tally: Tally, spellings: Sequence[Any]) -> list[Section]:
    """What no-model baselines reach, for the first measure of the tally and those of the whole table."""
    columns: dict[str, dict[str, float]] = {}
    for wanted in spellings:
        found, options = resolve(wanted, {})
        if not found.reads_from(tally):
            continue
        cases = found.cases(tally, options)
        if len(cases) > 1 or (cases[0][1] is not None and found.spelled(options) != primary_measure(tally)):
            continue
        bound = found.bind(tally, **cases[0][0])
        if isinstance(found.no_skill, str):
            columns[bound.spelling] = dict(bound.guesses(tally))
    names = list(dict.fromkeys(name for guesses in columns.values() for name in guesses))
    if not names or len(names) > 8:
        # With many classes, only the baselines that are best at something get a line.
        best = {name for guesses in columns.values() for name in _best_three(guesses)}
        names = [name for name in names if name in best]
    if not names:
        return []
    some = _different(columns)[:4]
    rows = tuple((name, tuple(_cell(columns[column].get(name)) for column in some)) for name in names)
    return [Section("no model", tuple(titled(spelling) for spelling in some), rows)]


def _different(columns: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The measures, without those that give every baseline the same value as one before."""
    out: dict[tuple[tuple[str, float], ...], str] = {}
    for spelling, guesses in columns.items():
        out.setdefault(tuple(guesses.items()), spelling)
    return list(out.values())


def _best_three(guesses: Mapping[str, float]) -> list[str]:
    known = [name for name, value in guesses.items() if value == value]
    return [*sorted(known, key=lambda name: -guesses[name])[:1], *list(guesses)[-2:]]


def _cell(value: float | None) -> Cell:
    if value is None or value != value:
        return Cell("–")
    # Nearly 0 or 1 must not read as 0 or 1.
    hidden = value not in (0, 1) and f"{value:.3f}" in ("0.000", "1.000")
    return Cell(numeral(value, ".6f" if hidden else ".3f"), value=value)
