"""What errors cost, when they do not all cost the same."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import DataError, OptionError, listed
from assay.measures.declare.average import ratio
from assay.measures.declare.classes import COUNTED, IGNORED
from assay.measures.declare.examples import FINDS_MOST, FRAUD, NEVER, SENTIMENT
from assay.measures.declare.facts import Hides, Notes, Paired, Worked, spell_option
from assay.measures.declare.forms import Effective, EffectiveN, Signs
from assay.measures.declare.measure import measure
from assay.measures.labels import closed_forms
from assay.notes import Aside
from assay.options import COSTS_OF
from assay.sources.given import SIZES, extreme
from assay.sources.read.limits import refuse_nul
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats, Ints
from assay.tally.labels import Confusion
from assay.tally.margins import Cells

Matrix = tuple[tuple[float, ...], ...]  # rows are gold classes, columns predicted ones, in the order of the labels


def cost_matrix(cells: Cells, fp: float, fn: float, matrix: Matrix | None) -> Floats:
    """The cost of every cell: as given, or from the costs of the two errors of two classes."""
    _refuse_extreme([fp, fn])
    if matrix is not None:
        costs = np.array(matrix, np.float64)
        _refuse_extreme(costs)
        if costs.shape != (cells.k, cells.width):
            raise OptionError(
                f"the costs are a table of {' × '.join(map(str, costs.shape))}; {cells.k} gold classes and "
                f"{cells.width} kinds of predictions need {cells.k} × {cells.width}."
            )
        return costs
    if fp == fn:
        return fp * (1.0 - np.eye(cells.k, cells.width))
    if cells.k != 2 or cells.positive is None or cells.width != 2:
        raise OptionError(
            "different costs for a false alarm and a miss (fp=, fn=) need two classes, one of them named as "
            "positive (--positive); for other tables give the cost of every cell (--costs FILE, or matrix=)."
        )
    costs = np.zeros((2, 2))
    costs[cells.positive, 1 - cells.positive], costs[1 - cells.positive, cells.positive] = fn, fp
    return costs


def _refuse_extreme(costs: Sequence[float] | Floats) -> None:
    try:
        every = np.ravel(np.asarray(costs, np.float64))
    except (TypeError, ValueError):
        raise OptionError(f"the costs are {costs!r}; a cost is a number, 0 or {SIZES} in size.") from None
    wrong = every[np.isnan(every) | extreme(every)]
    if len(wrong):
        raise OptionError(f"one of the costs is {wrong[0]}; a cost is 0, or {SIZES} in size.")


def costs_reach(fp: float, fn: float, matrix: Matrix | None, of: str) -> tuple[float, float]:
    """From the lowest to the highest possible cost."""
    every = [fp, fn, 0.0] if matrix is None else [x for row in matrix for x in row]
    _refuse_extreme(every)
    if of == "mean":
        return min(every), max(every)
    return (0.0 if min(every) >= 0 else -math.inf), math.inf


def _no_ratio(of: str, **_: object) -> bool:
    """Divided by the cost of the cheapest single answer, the cost is a ratio, which the form does not cover."""
    return of != "normalized"


def _empty_classes(matrix: Matrix | None, **_: object) -> str:
    """A given matrix has a cost for every class that was declared."""
    return IGNORED if matrix is None else COUNTED


def _interval(cells: Cells, fp: float, fn: float, matrix: Matrix | None, of: str) -> Effective | str:
    mean = closed_forms.expected_cost(cells, cost_matrix(cells, fp, fn, matrix))
    if isinstance(mean, str):
        return mean
    n = float(cells.w.sum()) if of == "total" else 1.0
    return replace(mean, back=lambda x: n * mean.back(x))


def _signs(joint: Joint[Any], fp: float, fn: float, matrix: Matrix | None, of: str) -> Signs:
    """How much more an item costs under A than under B; gold labels, and so the cheapest answer, do not change."""
    a, b = (Cells.of(side, side.mass) for side in (joint.a, joint.b))
    costs = cost_matrix(a, fp, fn, matrix)
    cheapest = float((a.margins.gold @ costs[:, : a.k]).min())
    whole = {"mean": float(joint.n), "total": 1.0, "normalized": cheapest}[of]
    return Signs(costs[a.gold, a.pred] - costs[b.gold, b.pred], 1 / whole if whole else math.nan)


@measure(
    reads=Cells,
    range=(0, math.inf),
    best=0,
    undefined="there are no items, or the cheapest baseline with no model costs nothing",
    interval=EffectiveN(
        "effective_n", _interval, reads=Cells, classes=closed_forms.MANY, takes_options=True, when=_no_ratio
    ),
    no_skill="no model",
    notes=Notes(ends="from the cheapest to the most expensive outcome"),
    empty_classes=_empty_classes,
    paired=Paired(signs=_signs),
    worked=(
        Worked(FRAUD, {"fp": 200, "fn": 5000}, 5.0, "(100 · 200 + 6 · 5000) / 10,000"),
        Worked(FRAUD, {"fp": 200, "fn": 5000, "of": "total"}, 50000.0, "100 · 200 + 6 · 5000"),
        Worked(FRAUD, {"fp": 200, "fn": 5000, "of": "normalized"}, 1 / 3, "50,000 over the 150,000 without alarms"),
        Worked(SENTIMENT, {}, 420 / 735, "all errors cost 1: the share of wrong labels"),
    ),
    cite="elkan2001",
    hides=Hides((NEVER, FINDS_MOST), "with equal costs, missing every rare case costs little", "recall"),
    reach=costs_reach,
)
def expected_cost(c: Cells, fp: float = 1.0, fn: float = 1.0, matrix: Matrix | None = None, of: str = "mean") -> Floats:
    """What the answers cost: per item, in total, or relative to the cheapest answer that needs no model.

    Σ cost · items / n; of=total: not divided; of=normalized: divided by the cost of the cheapest single answer
    """
    costs = cost_matrix(c, fp, fn, matrix)
    total = c.w @ costs[c.gold, c.pred]
    if of == "total":
        return np.asarray(total)
    if of == "mean":
        return ratio(total, c.w.sum(-1))
    constant = c.margins.gold @ costs[:, : c.k]
    return ratio(total, constant.min(-1))


# ---------------------------------------------------------------------- what costs imply for thresholds and training
def break_even_threshold(cost_fp: float, cost_fn: float) -> float:
    """The probability at or above which an alarm pays: C_FP / (C_FP + C_FN)."""
    _check(cost_fp, cost_fn)
    return cost_fp / (cost_fp + cost_fn)


def class_weights(cost_fp: float, cost_fn: float) -> dict[str, float]:
    """Class weights for training that are proportional to the costs of errors; their mean is 1."""
    _check(cost_fp, cost_fn)
    both = cost_fp + cost_fn
    return {"negative": 2 * cost_fp / both, "positive": 2 * cost_fn / both}


def _check(cost_fp: Any, cost_fn: Any) -> None:
    for name, cost in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
        if not isinstance(cost, int | float) or not cost >= 0 or extreme(cost):
            raise OptionError(f"{name} is {cost!r}; a cost is 0, or a number {SIZES}.")
    if cost_fp + cost_fn == 0:
        raise OptionError("both costs are 0, so every threshold is as good as any other.")


# ---------------------------------------------------------------------- decisions
def decide(scores: ClassScored, costs: Any) -> Ints:
    """The class of least expected cost for each unit, from the class probabilities; the first of several."""
    if scores.no_probabilities is not None:
        raise DataError(f"the class of least expected cost needs probabilities, but {scores.no_probabilities}.")
    matrix = np.array(costs_of(costs).matrix(scores.labeled()), np.float64)
    expected = scores.scores @ matrix
    # Costs that differ only in their last bits are equal.
    return np.asarray(np.round(expected / (np.abs(matrix).max() or 1.0), 12).argmin(axis=1), np.int64)


def at_least_cost(scores: ClassScored, costs: Any) -> Confusion:
    """The labels of least expected cost; `scores.labeled()` gives those of the highest scores."""
    return scores.labeled(decide(scores, costs))


# ---------------------------------------------------------------------- costs as users write them
@dataclass(frozen=True)
class Costs:
    """What a false alarm and a miss cost, or what every cell of the table costs."""

    fp: float | None = None
    fn: float | None = None
    table: Mapping[str, Mapping[str, float]] | None = None  # by gold class, then by predicted class

    def spellings(self, tally: Tally) -> list[str]:
        """The cost per item, in total, and relative to the cheapest answer that needs no model."""
        if self.table is None:
            options = f"fp={self.fp:.15g},fn={self.fn:.15g}"  # 200 and not 200.0, as one writes it
        else:
            options = f"matrix={spell_option(self.matrix(tally))}"
        return [f"expected_cost({options}{'' if of == 'mean' else f',of={of}'})" for of in COSTS_OF]

    def matrix(self, tally: Tally) -> Matrix:
        """What every cell costs, in the order of the tally's labels."""
        if self.table is None:
            assert isinstance(tally, Confusion)
            assert self.fp is not None
            assert self.fn is not None
            return tuple(map(tuple, cost_matrix(Cells.of(tally, tally.mass), self.fp, self.fn, None).tolist()))
        labels: tuple[str, ...] = getattr(tally, "labels", ())
        outside: str = getattr(tally, "outside", "")
        columns = (*labels, outside) if outside else labels  # a prediction outside the classes has a cost too
        rows = []
        for gold in labels:
            missing = [pred for pred in columns if pred not in self.table.get(gold, {})]
            if missing:
                raise DataError(
                    f"the costs have no entry for “{gold}” called {listed(missing, 3)}; every class needs a row, and "
                    f"each of these needs a column: {listed(columns)}."
                )
            rows.append(tuple(float(self.table[gold][pred]) for pred in columns))
        return tuple(rows)

    def of_errors(self, tally: Any) -> tuple[float, float] | None:
        """How much more a false alarm and a miss cost than the right answers; for two classes only."""
        if self.table is None:
            return None if self.fp is None or self.fn is None else (self.fp, self.fn)
        positive = tally.positive_label()
        if tally.k != 2 or tally.outside or positive is None:
            return None
        other = next(label for label in tally.labels if label != positive)
        cost = {gold: {pred: self.table[gold][pred] for pred in tally.labels} for gold in tally.labels}
        return cost[other][positive] - cost[other][other], cost[positive][other] - cost[positive][positive]

    def notes(self, tally: Any) -> list[str]:
        """The threshold at which an alarm pays, and weights for training; for two classes only."""
        errors = self.of_errors(tally)
        if errors is None or min(errors) < 0 or not sum(errors):
            return []
        at, weights = break_even_threshold(*errors), class_weights(*errors)
        out: list[str] = [Aside(f"with these costs an alarm pays at a probability of {at:.4g} or more (break-even)")]
        if min(errors) > 0:
            times = weights["positive"] / weights["negative"]
            out.append(Aside(f"in training, give a positive {times:.4g} times the weight of a negative"))
        return out


def costs_of(given: Any) -> Costs:
    """Costs from {"fp": …, "fn": …}, from {gold: {pred: …}}, or from a file with such a table."""
    if isinstance(given, Costs):
        return given
    if isinstance(given, str | Path):
        given = read_costs(Path(given))
    if not isinstance(given, Mapping) or not given:
        raise OptionError("costs are {'fp': …, 'fn': …}, a table {gold: {predicted: …}}, or the name of a CSV file.")
    if set(given) <= {"fp", "fn"} and all(isinstance(value, int | float) for value in given.values()):
        missing = {"fp", "fn"} - set(given)
        if missing:
            raise OptionError(f"a cost is missing: {listed(sorted(missing))} (--cost-{min(missing)}).")
        costs = Costs(fp=float(given["fp"]), fn=float(given["fn"]))
        _check(costs.fp, costs.fn)
        return costs
    if not all(isinstance(row, Mapping) for row in given.values()):
        raise OptionError("a table of costs is {gold: {predicted: cost}}.")
    return Costs(table={str(g): {str(p): _cost(x, str(g), str(p)) for p, x in row.items()} for g, row in given.items()})


def _cost(given: Any, gold: str, pred: str) -> float:
    try:
        cost = float(given)
    except (TypeError, ValueError):
        cost = math.nan
    if math.isnan(cost) or extreme(cost):
        raise DataError(f"the cost of “{gold}” called “{pred}” is {given!r}; a cost is 0, or {SIZES} in size.")
    return cost


LARGEST_FILE = 64_000_000  # characters; a table of two thousand classes has as many


def read_costs(path: Path) -> dict[str, dict[str, str]]:
    """A CSV file whose first column is the gold class and whose header names the predicted ones."""
    refuse_nul(str(path))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read(LARGEST_FILE + 1)
        if len(text) > LARGEST_FILE:
            raise DataError(f"'{path}' is not a table of costs: it has more than {LARGEST_FILE:,} characters.")
        lines = [line for line in csv.reader(io.StringIO(text, newline="")) if any(line)]
    except (OSError, UnicodeError, csv.Error) as error:
        raise DataError(f"the costs in '{path}' cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(lines) < 2:
        raise DataError(f"'{path}' is not a table of costs: it needs a header with the predicted classes, and rows.")
    header, *rows = lines
    out: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise DataError(f"'{path}', line {number} has {len(row)} fields; the header has {len(header)}.")
        if row[0] in out:
            raise DataError(f"'{path}' has two rows for “{row[0]}”.")
        out[row[0]] = dict(zip(header[1:], row[1:], strict=True))
    return out
