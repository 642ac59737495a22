"""A measure on a tally with its interval, and the coverage of such intervals in simulations."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import DataError, OptionError, check_level, check_whole, choose, listed
from assay.measures.declare.bound import Bound
from assay.measures.declare.call import data_names, in_our_words, names_of_data, option_names
from assay.measures.declare.catalogue import resolve
from assay.measures.declare.family import build, in_pair, kind_for
from assay.measures.declare.measure import Measure
from assay.options import LEVEL, METHODS, RESAMPLES, SEED
from assay.options.option import refuse_misspelt_keywords
from assay.tally.contract.base import Tally
from assay.tally.contract.codes import class_names, label_clash, refuse_misspelt
from assay.tally.labels import Confusion
from assay.uncertainty.one.intervals import limits
from assay.uncertainty.one.problem import Limits, Problem
from assay.uncertainty.results import Estimate, Signature, version

OWN = ("level", "method", "n_resamples", "random_state", "strict")
DATA = Path(__file__).parents[2] / "data" / "coverage.json"


@dataclass(frozen=True)
class Simulated:
    """Coverage in percent, over some populations, of one measure's intervals that are made in the same way."""

    methods: tuple[str, ...]  # the most frequent first
    rows: str  # how rows are sampled: "" for single ones of equal weight, "clusters", "weights"
    levels: Mapping[str, tuple[float, float]]  # the level of confidence: mean and lowest coverage
    populations: int
    smallest_n: int


@cache
def _stored() -> Any:
    return json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {"measures": {}}


def coverage_of(spelling: str) -> tuple[Simulated, ...]:
    """The coverage of a measure spelled with its options; nothing for one that was not simulated."""
    rows = _stored()["measures"].get(spelling, [])
    return tuple(
        Simulated(
            tuple(row["methods"]),
            row["rows"],
            {level: tuple(shares) for level, shares in row["levels"].items()},
            row["populations"],
            row["smallest_n"],
        )
        for row in rows
    )


def spellings(name: str) -> list[str]:
    """The spellings of a measure that were simulated, the plain one first."""
    return sorted(each for each in _stored()["measures"] if re.split(r"[(@]", each)[0] == name)


def unseen_note(bound: Bound, tally: Tally, made: Limits) -> tuple[str, ...]:
    """How many classes have no value, and the limits of the mean over all classes even so.

    The limits of the mean over the classes with a value are extended to all classes, with the others at 0, then at 1.
    """
    if not bound.measure.averaged or bound.options["average"] != "macro" or bound.options["undefined"] == "null":
        return ()
    if made.low is None or made.high is None or bound.range != (0, 1):
        return ()
    each = bound.every_class(tally)
    with_value = int((~np.isnan(bound.formula(each))).sum())
    averaged = with_value if bound.options["undefined"] == "exclude" else int((each.tp + each.fp + each.fn > 0).sum())
    k = len(each.tp)
    if with_value == k:
        return ()
    # Measures that are best at 0 count a class without a value as 1, which is in both limits already.
    counted = averaged - with_value if bound.measure.zero == 1 else 0
    low, high = (made.low * averaged - counted) / k, (made.high * averaged - counted + k - with_value) / k
    without, every = k - with_value, "1 class" if k == 1 else f"{k} classes"
    has, it = ("has", "it is") if without == 1 else ("have", "they are")
    return (
        f"{without} of {every} {has} no value; whatever value {it} given, the interval of the mean over all {k} stays "
        f"within {max(low, 0.0):.3f} to {min(high, 1.0):.3f}",
    )


def estimate(
    measure: str | Measure,
    *data: Any,
    level: float = LEVEL,
    method: str = "auto",
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
    strict: bool = False,
    **options: Any,
) -> Estimate:
    """The measure's value with its interval, from arrays or a tally: an `Estimate`.

    Where the measure is undefined, the estimate's `value`, `low` and `high` are None and its `reason` says why.

    `estimate("f1", y_true, y_pred, average="macro")` counts the arrays first; `estimate("f1", tally)` takes them
    already counted. Arrays that share no label stop, unless `labels` declares the classes. A `strict` interval is for
    gates: wider, so that each limit alone has its stated error rate.
    """
    check_drawing(level, n_resamples, random_state)
    choose(method, METHODS, "method")
    found, options = resolve(measure, options)
    refuse_misspelt_keywords(options, OWN, [*option_names(found), *names_of_data(found)])
    tally, options = _counted(found, data, options)
    bound = found.bind(tally, **options)

    value = float(bound.at(tally, tally.mass)) if tally.n else math.nan
    how: dict[str, Any] = {"level": level, "draws": n_resamples, "seed": random_state, "strict": strict}
    problem = None if math.isnan(value) else _problem(bound, tally, value, how)
    floor, remarks = (bound.no_skill(tally), tuple(bound.notes(tally))) if tally.n else (None, ())
    return _Asked(bound, tally, value, method, problem, floor, remarks, n_resamples, random_state)(level)


@dataclass(frozen=True)
class _Asked:
    """What an estimate is made from, but for its level."""

    bound: Bound
    tally: Tally
    value: float
    method: str
    problem: Problem | None
    floor: tuple[float, str] | None
    remarks: tuple[str, ...]
    draws: int
    seed: int

    def __call__(self, level: float) -> Estimate:
        """The value with its limits at this level."""
        check_level(level)
        bound, tally, value, floor = self.bound, self.tally, self.value, self.floor
        if self.problem is None:
            made = Limits(None, None, self.method, bound.why_undefined(tally))
        else:
            made = limits(replace(self.problem, level=level), self.method)
        low, high = (None if limit is None else bound.with_absent(tally, limit) for limit in (made.low, made.high))
        draws, error = self.draws if made.drawn else None, made.standard_error
        return Estimate(
            measure=bound.spelling,
            value=None if math.isnan(value) else value,
            low=low,
            high=high,
            level=level,
            method=made.method,
            n=bound.items(tally) if tally.n else 0,
            reason=made.reason,
            signature=str(signature(bound, tally, made.method, level, draws, self.seed)),
            notes=(*self.remarks, *made.notes, *unseen_note(bound, tally, made)),
            undefined_draws=made.undefined_draws,
            no_skill=None if floor is None else floor[0],
            no_skill_name=None if floor is None else floor[1],
            higher_is_better=bound.measure.higher_is_better,
            standard_error=None if error is None else error * bound.share_that_occurs(tally),
            again=self,
        )


def _problem(bound: Bound, tally: Tally, value: float, how: Mapping[str, Any]) -> Problem:
    """What the interval is made for; a question about one class needs no more than its table against the rest."""
    plain = bound.over_classes_that_occur()
    here = value if plain is bound else float(plain.at(tally, tally.mass))
    return Problem(*plain.narrowed(tally), here, **how)


def _counted(measure: Measure, data: tuple[Any, ...], options: dict[str, Any]) -> tuple[Tally, dict[str, Any]]:
    """The tally, counted from arrays where it is not one, and the options that are left for the measure."""
    names = data_names(measure)
    if len(data) == 1 and not isinstance(data[0], Tally) and not set(names[1:]) & set(options):
        wanted = f"{listed(names)}, or a tally made by assay.{measure.call_of_kind}"
        raise DataError(f"{measure.name} takes {wanted}; got one {type(data[0]).__name__}.")
    if not (len(data) == 1 and isinstance(data[0], Tally)):
        data, options = in_our_words(measure, data, options, names)
    which = measure.variants.get(kind_for(measure, *data), measure)
    mine = {name: options.pop(name) for name in list(options) if name in which.options}
    if len(data) == 1 and isinstance(data[0], Tally):
        return data[0], {**mine, **options}
    if measure.averaged and len(data) == 2 and not isinstance(options.get("labels", ""), str | None):
        _refuse_some(measure, options, *data)
    tally: Tally = build(measure, *data, **options)
    if options.get("labels") is None:
        _refuse_clash(tally, measure)
        tally = in_pair(tally, mine.get("pos_label")) if measure.averaged else tally
    return tally, mine


def _refuse_some(measure: Measure, options: Mapping[str, Any], *data: Any) -> None:
    """Refuse a list of classes that leaves out some of the data's: an average over the others has no interval."""
    declared, (y_true, y_pred) = class_names(options["labels"]), data
    tally = build(measure, y_true, y_pred, **{name: value for name, value in options.items() if name != "labels"})
    refuse_misspelt(declared, tally.labels)
    left_out = [label for label in tally.labels if label not in set(declared)]
    if left_out:
        raise OptionError(
            f"labels= leaves out {listed(left_out, 3)}, and an average over some of the classes has no interval. "
            f"assay.{measure.name}(y_true, y_pred, labels=..., ...) gives its value; for an interval, list every class "
            "or leave labels= out; or name one class with pos_label=."
        )


def _refuse_clash(tally: Tally, measure: Measure) -> None:
    clash = label_clash(tally) if isinstance(tally, Confusion) else None
    if clash is not None and clash.stops:
        said = clash.sentence("y_pred", "assay.evaluate(y_true, y_pred, ...) can unify labels.")
        raise DataError(f"{said} assay.{measure.name}(y_true, y_pred) gives the value as it is.")


def check_drawing(level: float, n_resamples: int, random_state: int) -> None:
    """Refuse invalid levels, numbers of draws and seeds."""
    check_level(level)
    check_whole(n_resamples, "n_resamples (--resamples)")
    check_whole(random_state, "random_state (--seed)")
    if n_resamples < 99:
        raise OptionError(f"n_resamples (--resamples) is {n_resamples}; at least 99 are needed (default: {RESAMPLES}).")
    if random_state < 0:
        raise OptionError(f"random_state (--seed) is {random_state}; it must be a whole number, 0 or more.")


def signature(
    bound: Bound, tally: Tally, method: str, level: float, draws: int | None, seed: int, **more: str
) -> Signature:
    """How this number was made; the seed and the draws only where something was drawn."""
    parts = [("assay", version()), ("measure", bound.spelling)]
    if bound.index is not None:
        parts.append(("class", str(getattr(tally, "labels", ())[bound.index])))
    threshold, bins = (getattr(tally, name, None) for name in ("threshold", "bins"))
    parts += [] if threshold is None else [("threshold", repr(threshold))]
    parts += [("bins", str(bins))] if bins else []
    parts += [("n", str(tally.n)), ("gold", tally.fingerprint), ("method", method), ("level", f"{level:g}")]
    if draws is not None:
        parts += [("draws", str(draws)), ("seed", str(seed))]
    return Signature((*parts, *more.items()))
