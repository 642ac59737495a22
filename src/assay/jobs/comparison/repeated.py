"""Systems compared over values that were measured several times: items, folds of one data set, or data sets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from assay.errors import DataError, OptionError, UnknownMeasure, listed, plural, written
from assay.jobs.answers.contest import Contest, Spread, Within
from assay.jobs.answers.results import Report, Row, System, next_to_differences
from assay.jobs.comparison.datasets import mean_over_folds, note_on_folds, rank_tables, ranking_of, value_table
from assay.jobs.comparison.match import Match, adjusted_for, repeated_match
from assay.jobs.comparison.systems import standings_of
from assay.jobs.count import counted
from assay.jobs.evaluate import Asked, repeated
from assay.jobs.question import Question
from assay.measures.declare.catalogue import check_measures, parse, primary_measure
from assay.measures.declare.measure import Measure
from assay.notes import Aside, note_of
from assay.options.evaluating import COMPARE_REPEATED, Columns, ComparingRepeated, Drawing, Matched, Tested
from assay.options.option import part_of, takes, with_defaults
from assay.sources.given import refuse_extreme
from assay.tables import Cell, Section
from assay.tally.contract.sampling import Floats
from assay.texts import decimals_of, numeral
from assay.uncertainty.results import Comparison
from assay.uncertainty.two.pair import How
from assay.uncertainty.values.compare import compare_values
from assay.uncertainty.values.folds import five_numbers

WARNINGS = (
    "cannot give a p-value",
    "medians",
    "dropped",
    "skewed",
    "liberal",
    "nearest-neighbor",
    "rounding",
)  # words in notes that matter even among many comparisons
NOUNS = {"item": "item", "fold": "fold", "dataset": "data set"}


@dataclass(frozen=True)
class Measured:
    """A value of every system for each item, fold or data set."""

    source: str
    unit: str
    values: Mapping[str, Floats]
    measure: str
    higher_is_better: bool
    names: tuple[str, ...]  # of the folds or data sets
    cut: Mapping[str, Any]  # how the folds were cut: repetitions, and sizes where they are known
    cluster: Sequence[str] | None = None
    range: tuple[float, float] | None = None  # of the measure, where it is known by name and holds all values
    within: Within | None = None  # where values are means over the folds of each data set

    def over_data_sets(self, names: Sequence[str]) -> Measured:
        """The means over the folds of each data set; `names` says which data set each fold belongs to."""
        datasets, values, within = mean_over_folds(self.values, names)
        return replace(self, unit="dataset", values=values, names=datasets, cut={}, cluster=None, within=within)


@takes(*COMPARE_REPEATED)
def compare_repeated(
    data: Any,
    *,
    values: Mapping[str, str] | Sequence[str] | None = None,
    folds: str | None = None,
    repeats: str | None = None,
    datasets: str | None = None,
    lower_is_better: bool = False,
    value_range: tuple[float, float] | None = None,
    measures: Asked = None,
    primary: str | Measure | None = None,
    **options: Unpack[ComparingRepeated],
) -> Report:
    """Compare systems by their values per item, per fold of one data set, or per data set.

    With `values`, the table holds a row for each item, fold or data set, and a column of values for each system.
    Otherwise it holds predictions, and the primary measure is computed in each fold or data set. With folds and data
    sets, values are means over the folds of each data set, and data sets are compared. With neither folds nor
    data sets, each value belongs to an item, and `value_range` gives the two numbers between which values must lie; a
    measure that assay knows by name has its own range. Tests and intervals are those of `compare_values`; `baseline`
    and `correction` those of `compare_systems`; gold, pred, positive, cluster and so on are named as for `evaluate`.
    """
    asked = Question(**part_of(options, Columns))
    _refuse_beside_values(asked, given=values is not None)
    named = None if values is None else _value_columns(values)
    check_measures(measures)
    cut = _Cut(folds, repeats, datasets)
    one = measures if isinstance(measures, str | Measure | None) else measures[0]
    one = one if primary is None else primary
    if named is not None:
        found = _read(data, asked, cut, named, one, lower_is_better)
    else:
        found = _computed(data, asked, cut, one)
    how = with_defaults(options, Tested, Drawing)
    match = Match(measures, primary, how=How(level=how["level"]), **part_of(options, Matched))
    more = {"values": named, **vars(cut), "lower_is_better": lower_is_better, "value_range": value_range, **how}
    kept = {name: value for name, value in more.items() if value is not None and value is not False}
    if value_range is not None or (found.unit == "item" and found.range is not None):
        how["range"] = value_range or found.range
    return _contested(found, match, how, {**repeated(asked), **repeated_match(match), **kept})


def _refuse_beside_values(asked: Question, *, given: bool) -> None:
    """Refuse groups, and columns that are not needed where values are given."""
    if asked.slices:
        raise OptionError(
            f"values of items, folds or data sets are compared as a whole, so {written('--slice', 'slices=')} does not "
            "apply; keep the rows of one group, and compare those."
        )
    if given and (asked.gold is not None or asked.pred is not None or asked.systems):
        raise OptionError("values are given, so gold, pred and systems do not apply.")


@dataclass(frozen=True)
class _Cut:
    """Which columns say what a value belongs to."""

    folds: str | None
    repeats: str | None
    datasets: str | None

    def __post_init__(self) -> None:
        if self.folds is not None and self.folds == self.datasets:
            raise OptionError(f"column '{self.folds}' cannot name both the folds and the data sets; name two columns.")
        if self.repeats is not None and self.folds is None:
            raise OptionError("--repeats names the repetition each fold belongs to; name the folds with --folds too.")

    @property
    def unit(self) -> str:
        if self.folds is not None:
            return "fold"
        return "item" if self.datasets is None else "dataset"

    @property
    def nested(self) -> bool:
        """Whether there are several data sets with folds in each."""
        return self.folds is not None and self.datasets is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns whose values together name one fold or data set."""
        return tuple(name for name in (self.datasets, self.repeats, self.folds) if name is not None)


# ---------------------------------------------------------------------- from a table to values
def _read(data: Any, asked: Question, cut: _Cut, values: Mapping[str, str], measure: Any, lower: bool) -> Measured:
    """Values given in the table."""
    from assay.sources.columns import find
    from assay.sources.frames import count_rows, table_of

    table = table_of(data)
    named = {name: find("value", table.columns, column, source=table.name) for name, column in values.items()}
    keys = [find("fold", table.columns, column, source=table.name) for column in cut.columns]
    cluster = None if asked.cluster is None else find("cluster", table.columns, asked.cluster, source=table.name)
    texts, counts = count_rows(table, list(dict.fromkeys([*keys, *named.values(), *([cluster] if cluster else [])])))
    if not counts.sum():
        raise DataError(f"{table.name} has no rows: there is nothing to compare.")
    rows = np.repeat(np.arange(len(counts)), counts)
    rows = rows[np.lexsort([texts[column][rows].astype(str) for column in reversed([*keys, *named.values()])])]
    names = [tuple(str(texts[column][i]) for column in keys) for i in rows]
    if keys and len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        more = "" if cut.repeats is not None or cut.folds is None else " Name the column of repetitions with --repeats."
        raise DataError(
            f"{table.name} has several rows for {cut.unit} '{' '.join(twice)}'; one row for each was expected.{more}"
        )
    spelling, higher = _named(measure, lower)
    found = {name: _numbers(texts[column][rows], column, table.name) for name, column in named.items()}
    made = Measured(
        table.name,
        cut.unit,
        found,
        spelling,
        higher,
        tuple(" ".join(name) for name in names),
        {"repeats": [name[0] for name in names]} if cut.repeats else {},
        None if cluster is None else [str(text) for text in texts[cluster][rows]],
        _range(measure, found),
    )
    return made.over_data_sets([name[0] for name in names]) if cut.nested else made


def _value_columns(given: Any) -> dict[str, str]:
    """The column of each system's values."""
    if isinstance(given, str) or not isinstance(given, Collection) or not len(given):
        raise OptionError(f"values is {given!r}; it must name two or more columns, in a list or a mapping.")
    if isinstance(given, Mapping):
        return dict(given)
    wrong = [column for column in given if not isinstance(column, str)]
    if wrong:
        raise OptionError("values must be names of columns; to compare values in memory, use compare_values.")
    return {column: column for column in given}


def _range(measure: Any, values: Mapping[str, Floats]) -> tuple[float, float] | None:
    """The range of a measure that is known by name, if it has two ends and the values lie between them."""
    try:
        found = parse(measure)[0] if isinstance(measure, str) else measure
    except UnknownMeasure:
        return None
    if found is None or not np.isfinite(found.range).all():
        return None
    low, high = (float(end) for end in found.range)
    return (low, high) if all(low <= each.min() and each.max() <= high for each in values.values()) else None


def _named(measure: Any, lower: bool) -> tuple[str, bool]:
    """What the values are called, and whether more is better."""
    if measure is None:
        return "mean", not lower
    try:
        found, options = parse(measure) if isinstance(measure, str) else (measure, {})
    except UnknownMeasure:
        return str(measure), not lower
    if lower and found.higher_is_better:
        raise OptionError(f"higher values of {found.name} are better; rename the values, or leave out --lower.")
    return found.spelled({**found.options, **options}), found.higher_is_better is not False


def _numbers(texts: Any, column: str, source: str) -> Floats:
    out = np.empty(len(texts))
    for i, text in enumerate(texts):
        try:
            out[i] = float(text)
        except (TypeError, ValueError):
            raise DataError(
                f"{source}: column '{column}' has {text!r} where a number was expected. For predicted labels, name the "
                f"column with {written('--pred', 'pred=')} instead."
            ) from None
        if not np.isfinite(out[i]):
            raise DataError(f"{source}: column '{column}' has {text}, which is not a finite number.")
    refuse_extreme(out, f"{source}: the largest value of column '{column}'")
    return out


def _computed(data: Any, asked: Question, cut: _Cut, measure: Any) -> Measured:
    """Values of a measure in every fold or data set of a table of predictions."""
    if cut.unit == "item":
        raise OptionError("name the columns of values, as in --value old=f1_old --value new=f1_new.")
    found = counted(data, replace(asked, slices=cut.columns, crossed=len(cut.columns) > 1))
    first = next(iter(found.systems.values()))
    spelled, options = parse(measure or primary_measure(first)) if not isinstance(measure, Measure) else (measure, {})
    cases = spelled.cases(first, options)
    if len(cases) > 1:
        raise OptionError(
            f"{spelled.name} has a value for each class; average them, as in --primary '{spelled.name}(average=macro)'."
        )
    groups = found.slices[-1].groups
    values = {
        name: np.array([spelled.of(each[name], **cases[0][0]) for each in groups.values()]) for name in found.systems
    }
    for name, each in values.items():
        lost = [group for group, value in zip(groups, each.tolist(), strict=True) if value != value]
        if lost:
            raise DataError(
                f"{spelled.name} of {name} is undefined in {cut.unit} {listed(lost, 3)}: {spelled.undefined}."
            )
    sizes = [next(iter(each.values())).n for each in groups.values()]
    how: dict[str, Any] = {}
    if cut.unit == "fold":
        how["test_sizes"] = sizes
        if cut.repeats is not None:
            how["repeats"] = _first_names(groups, cut)
    full = spelled.spelled({**spelled.options, **options})
    source = str(found.provenance["source"])
    made = Measured(source, cut.unit, values, full, spelled.higher_is_better is not False, tuple(groups), how)
    return made.over_data_sets(_first_names(groups, cut)) if cut.nested else made


def _first_names(groups: Iterable[str], cut: _Cut) -> list[str]:
    """The repetition or data set of each fold, from names such as “1 × 3”; an ambiguous one is refused."""
    what = "data set" if cut.nested else "repetition"
    for name in groups:
        if name.count(" × ") != len(cut.columns) - 1:
            raise DataError(f"'{name}' does not tell the {what} from the fold; use names without ' × '.")
    return [name.split(" × ")[0] for name in groups]


# ---------------------------------------------------------------------- from values to a report
def _contested(found: Measured, match: Match, how: Mapping[str, Any], asked: Mapping[str, Any]) -> Report:
    pairs = match.pairs(list(found.values))
    shared = {**how, **found.cut, "unit": found.unit, "measure": found.measure}
    shared |= {"higher_is_better": found.higher_is_better, "cluster": found.cluster}
    made = [compare_values(found.values[a], found.values[b], names=(a, b), **shared) for a, b in pairs]
    tested = adjusted_for(made, match.correction)
    if len(tested) > 1 and match.correction != "none":
        tested = [replace(c, mde=None, mde_reason="it is computed only for a single comparison") for c in tested]
    estimates = {name: e for c in tested for name, e in zip(c.names, (c.a, c.b), strict=True)}
    better, spread, ranking = {"higher_is_better": found.higher_is_better}, _spread(found), None
    tables = _spreads(found)
    if found.unit == "dataset" and spread is not None:
        ranking = ranking_of(found.values, match.baseline, how["level"], **better)
        tables += [value_table(spread, found.measure, **better), *([] if ranking is None else rank_tables(ranking))]
    contest = Contest(
        primary=found.measure,
        tested=tuple(tested),
        standings=standings_of(tested, {name: estimates[name] for name in found.values}),
        correction=match.correction if len(tested) > 1 else "none",
        baseline=match.baseline,
        sections=tuple(tables),
        notes=(*([] if found.within is None else [note_on_folds(found.within)]), *_notes(tested)),
        spread=spread,
        ranking=ranking,
    )
    rows = [Row.of(e, name) for name, e in estimates.items()]
    rows += [Row.of_difference(c) for c in tested]
    n = len(next(iter(found.values.values())))
    systems = tuple(
        System(name, found.measure, lead=f"{name}: {plural(n, NOUNS[found.unit])}.") for name in found.values
    )
    facts: dict[str, Any] = {"source": found.source, "n": n, "unit": NOUNS[found.unit]}
    if any(c.extreme is not None for c in tested):
        facts |= {"resamples": how["n_resamples"], "seed": how["random_state"]}
    return Report(next_to_differences(rows), systems, facts, asked, contest)


def _notes(tested: Sequence[Comparison]) -> tuple[str, ...]:
    """Further notes on each comparison; with several, only those that keep a reader from being misled."""
    out = list(tested[0].notes) if len(tested) == 1 else _on_pairs(tested)
    bare = {e.reason: None for c in tested for e in (c.a, c.b) if e.low is None and e.reason}
    out += [f"no interval for a single system: {reason}" for reason in bare]
    out += [f"no interval for the difference: {c.reason}" for c in tested if c.low is None and c.reason]
    if any(c.test.startswith("5x2cv") and c.method == "corrected_t" for c in tested):
        out.append(Aside("the interval is that of the corrected resampled t test; the 5×2cv tests have none"))
    return tuple(dict.fromkeys(out))


def _on_pairs(tested: Sequence[Comparison]) -> list[str]:
    """The notes that warn a reader, each once with the pairs that it is about."""
    about: dict[str, list[str]] = {}
    for c in tested:
        for note in c.notes:
            if any(word in note for word in WARNINGS):
                about.setdefault(note, []).append(f"{c.names[0]} − {c.names[1]}")
    return [note_of(["every pair"] if len(names) == len(tested) else names, note) for note, names in about.items()]


def _spread(found: Measured) -> Spread | None:
    """The values themselves, which are few for folds or data sets."""
    if found.unit == "item":
        return None
    values = {name: tuple(float(x) for x in each) for name, each in found.values.items()}
    return Spread(NOUNS[found.unit], found.names, values, found.within)


def _spreads(found: Measured) -> list[Section]:
    """The five numbers of every system's box plot."""
    if found.unit == "item" or len(found.names) < 4:
        return []
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    form = f".{decimals_of(np.concatenate([*found.values.values()]).tolist())}f"
    for name, values in found.values.items():
        box = five_numbers(values)
        sd = float(np.std(values, ddof=1))
        numbers = (sd, box.low, box.lower_quartile, box.median, box.upper_quartile, box.high)
        cells = [Cell(numeral(x, form), value=float(x)) for x in numbers]
        outliers = ", ".join(numeral(x, form) for x in box.outliers) or "–"
        rows.append((name, (*cells, Cell(outliers))))
    columns: tuple[str, ...] = ("SD", "low", "quartile", "median", "quartile", "high", "outliers")
    if all(cells[-1].text == "–" for _, cells in rows):
        rows, columns = [(name, cells[:-1]) for name, cells in rows], columns[:-1]
    return [
        Section(
            f"over {plural(len(found.names), NOUNS[found.unit])}",
            columns,
            tuple(rows),
            "whiskers reach the last value within 1.5 IQR",
            role="spread",
        )
    ]
