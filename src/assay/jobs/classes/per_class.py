"""Precision, recall and F1 of every class with their intervals: from a report, or from arrays."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from numpy.typing import ArrayLike

from assay.errors import DataError, OptionError, choose, did_you_mean, listed, plural
from assay.jobs.answers.results import Report, Row
from assay.measures.declare.call import undefined_as
from assay.measures.declare.catalogue import find
from assay.options import LEVEL, METHODS, RESAMPLES, SEED, UNDEFINED
from assay.options.evaluating import Drawing
from assay.options.option import part_of, refusing
from assay.result import Result
from assay.tables import whole as counted
from assay.tally.contract.codes import class_names, label_clash, refuse_misspelt
from assay.tally.labels import Confusion, absent_from
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate, version

MEASURES: Final = ("precision", "recall", "f1")
MEANS: Final = ("micro", "macro", "weighted")
SYSTEM: Final = "system"  # the name of a system that came without one


@dataclass(frozen=True)
class Value:
    """A value with its limits; null with a reason where there is none."""

    value: float | None
    low: float | None
    high: float | None
    reason: str | None = None

    @classmethod
    def of(cls, e: Estimate | Row) -> Value:
        """That of an estimate or of a row."""
        return cls(e.value, e.low, e.high, e.reason)


@dataclass(frozen=True)
class ClassRow:
    """One class of one system, or an average over its classes."""

    system: str
    class_: str | None  # None for an average
    average: str | None  # micro, macro or weighted; None for a class
    precision: Value
    recall: Value
    f1: Value
    support: float  # gold rows, or the sum of their weights
    predicted: float  # rows that the system gave this label

    def to_dict(self) -> dict[str, Any]:
        """The row by column name."""
        return {name.rstrip("_"): value for name, value in dataclasses.asdict(self).items()}


COLUMNS: Final = (
    *("system", "class", "average"),
    *(f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")),
    *("support", "predicted"),
)


@dataclass(frozen=True, repr=False)
class PerClass(Result):
    """Every class of every system, in the order of the labels, and then the averages over them."""

    rows: tuple[ClassRow, ...]
    level: float

    def __getitem__(self, key: object) -> ClassRow:
        """The row of a class, or of a system and a class where there are several systems."""
        names = [row.system for row in self.rows]
        system, label = key if isinstance(key, tuple) else (names[0], key)
        if not isinstance(key, tuple) and len(set(names)) > 1:
            some = listed(dict.fromkeys(names), 3)
            raise OptionError(
                f"there are several systems, {some}; ask for a system and a class, as in [system, class]."
            )
        found = [row for row in self.rows if (row.system, row.class_) == (str(system), str(label))]
        if not found:
            classes = [row.class_ for row in self.rows if row.class_ is not None]
            raise OptionError(f"there is no class {label!r}.{did_you_mean(label, classes)}")
        return found[0]

    @property
    def classes(self) -> tuple[ClassRow, ...]:
        """The rows of classes, without the averages."""
        return tuple(row for row in self.rows if row.average is None)

    def averaged(self, average: str, system: str | None = None) -> ClassRow:
        """The row of an average, of the first system unless another is named."""
        name = self.rows[0].system if system is None else system
        found = [row for row in self.rows if (row.system, row.average) == (name, average)]
        if not found:
            raise OptionError(f"there is no average {average!r} of {name!r}; averages are {listed(MEANS)}.")
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """The rows in JSON's own types."""
        return {"assay": version(), "level": self.level, "rows": [row.to_dict() for row in self.rows]}

    def to_frame(self, backend: str | None = None) -> Any:
        """The rows as a data frame: Polars, pandas or PyArrow, whichever is named or installed first."""
        from assay.sources.frames import frame_of

        rows = [_flat(row) for row in self.rows]
        return frame_of({name: [row[name] for row in rows] for name in COLUMNS}, backend)

    def __repr__(self) -> str:
        return f"<PerClass of {len(self.classes):,} classes; print it to read it>"


def _flat(row: ClassRow) -> dict[str, Any]:
    values = ((measure, getattr(row, measure)) for measure in MEASURES)
    each = {f"{name}{end}": x for name, v in values for end, x in (("", v.value), ("_low", v.low), ("_high", v.high))}
    beside = {"system": row.system, "class": row.class_, "average": row.average}
    return {**beside, **each, "support": row.support, "predicted": row.predicted}


@refusing
def classification_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[object] | str | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    level: float = LEVEL,
    method: str = "auto",
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
    zero_division: float | Literal["warn"] = "warn",
    digits: None = None,
    output_dict: Literal[False] = False,
) -> PerClass:
    """Precision, recall and F1 of every class, with intervals, gold rows and predicted rows, and their averages.

    The table of scikit-learn's function of this name. `labels` may be some of the classes: the averages are then over
    these, without an interval. `target_names` are names to show for the classes, in the order of `labels`. A value of
    0/0 is undefined, with a reason, and counts as 0 in the averages; `zero_division=nan` leaves it out. Rows of one
    `cluster` belong together. Gold labels and predictions without a common label are refused, as by `evaluate`.
    """
    choose(method, METHODS, "method")
    if digits is not None:
        raise OptionError(
            "there is no digits=: values have as many digits as their intervals allow; to_frame() has all."
        )
    if output_dict:
        raise OptionError("there is no output_dict=; call .to_dict() or .to_frame() on the result.")
    undefined = undefined_as(zero_division)
    tally, some = _counted(y_true, y_pred, labels, {"sample_weight": sample_weight, "cluster": cluster})
    drawing = {"level": level, "method": method, "n_resamples": n_resamples, "random_state": random_state}
    rows = tuple(_rows(SYSTEM, tally, {}, drawing, some, undefined))
    return PerClass(rows if target_names is None else _renamed(rows, target_names), level)


def _counted(y_true: Any, y_pred: Any, labels: Any, options: Mapping[str, Any]) -> tuple[Confusion, tuple[str, ...]]:
    """The tally, and the classes that were asked for if they are not all: these come first in it."""
    if isinstance(labels, str | None):
        tally = Confusion.from_predictions(y_true, y_pred, labels=labels, **options)
        if labels is None:
            _refuse_clash(tally)
        return tally, ()
    tally = Confusion.from_predictions(y_true, y_pred, **options)
    some = class_names(labels)
    refuse_misspelt(some, tally.labels)
    if set(tally.labels) <= set(some):
        return Confusion.from_predictions(y_true, y_pred, labels=labels, **options), ()
    whole = tally.relabeled((*some, *(label for label in tally.labels if label not in some)))
    return dataclasses.replace(whole, absent=absent_from(some, tally.labels)), some


def _refuse_clash(tally: Confusion) -> None:
    clash = label_clash(tally)
    if clash is not None and clash.stops:
        more = "These are options of assay.evaluate(y_true, y_pred), whose report.per_class is this table."
        raise DataError(f"{clash.sentence('y_pred')} {more}")


def _renamed(rows: Sequence[ClassRow], names: Sequence[str]) -> tuple[ClassRow, ...]:
    """The rows with these names of the classes, in order."""
    given, classes = list(names), [row for row in rows if row.average is None]
    if len(given) != len(classes):
        labels = listed([row.class_ for row in classes])
        raise OptionError(f"target_names has {plural(len(given), 'name')} for {len(classes)} classes: {labels}.")
    if len(set(given)) < len(given):
        raise OptionError(f"target_names has a name twice: {listed(given)}.")
    shown = [dataclasses.replace(row, class_=str(name)) for row, name in zip(classes, given, strict=True)]
    return (*shown, *rows[len(classes) :])


def per_class(report: Report) -> PerClass:
    """The classes of every system in a report; what it has computed already is not computed again."""
    systems = () if report.counted is None else tuple(report.counted.systems)
    tallies = {name: _labels(report.counted.systems.held(name)) for name in systems}
    if not any(tally is not None for tally in tallies.values()):
        raise DataError("this report has no classes: it was not computed from gold and predicted labels.")
    known = {
        (row.system, row.measure, row.class_): row
        for row in report.rows
        if row.slice is None and row.quantity == "value"
    }
    drawing = part_of(report.asked, Drawing)
    if report.contest is not None:
        drawing = {**drawing, "method": "auto"}  # in a comparison the method is that of the differences
    rows = [row for name, tally in tallies.items() if tally is not None for row in _rows(name, tally, known, drawing)]
    return PerClass(tuple(rows), drawing.get("level", LEVEL))


def _labels(held: Sequence[Any]) -> Confusion | None:
    return next((tally for tally in held if isinstance(tally, Confusion)), None)


Known = Mapping[tuple[str, str, str | None], Row]


def _rows(
    system: str,
    tally: Confusion,
    known: Known,
    drawing: Mapping[str, Any],
    some: Sequence[str] = (),
    undefined: str = UNDEFINED[0],
) -> Iterator[ClassRow]:
    """A row for every class, or for `some` of them, which come first in the tally; then the averages over these."""
    gold, pred = tally.margins.gold.tolist(), tally.margins.pred.tolist()
    for i, label in enumerate(tally.labels[: len(some) if some else None]):
        values = {
            name: Value.of(known.get((system, name, label)) or _made(name, tally, drawing, pos_label=label))
            for name in MEASURES
        }
        yield ClassRow(system, label, None, **values, support=counted(gold[i]), predicted=counted(pred[i]))
    if some:
        gold, pred = gold[: len(some)], pred[: len(some)]
    for mean in MEANS:
        values = {
            name: _over(name, tally, some, mean, undefined)
            if some
            else Value.of(
                known.get((system, f"{name}(average={mean})", None))
                or _made(name, tally, drawing, average=mean, undefined=undefined)
            )
            for name in MEASURES
        }
        yield ClassRow(system, None, mean, **values, support=counted(sum(gold)), predicted=counted(sum(pred)))


def _over(name: str, tally: Confusion, some: Sequence[str], mean: str, undefined: str) -> Value:
    """An average over some of the classes, which has no interval."""
    measure = find(name)
    value = measure.over(some, tally, {"average": mean, "undefined": undefined})
    if math.isnan(value):
        return Value(None, None, None, measure.undefined)
    return Value(value, None, None, "no interval is computed for an average over some of the classes")


def _made(name: str, tally: Confusion, drawing: Mapping[str, Any], **options: Any) -> Estimate:
    """The estimate; a method that does not fit the measure gives way to the default."""
    try:
        return estimate(name, tally, **drawing, **options)
    except OptionError:
        if drawing.get("method", "auto") == "auto":
            raise
    return estimate(name, tally, **{**drawing, "method": "auto"}, **options)
