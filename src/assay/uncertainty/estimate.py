"""A measure on a tally, with how sure one can be."""

from __future__ import annotations

import math
from typing import Any

from assay.errors import DataError, OptionError, choose
from assay.measures.catalogue import resolve
from assay.measures.declare import Bound, Measure
from assay.options import LEVEL, METHODS, RESAMPLES, SEED
from assay.tally.base import Tally
from assay.uncertainty.intervals import Limits, Problem, limits
from assay.uncertainty.results import Estimate, Signature, version
from assay.uncertainty.unseen_classes import unseen_note


def estimate(
    measure: str | Measure,
    tally: Tally,
    *,
    level: float = LEVEL,
    method: str = "auto",
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
    strict: bool = False,
    **options: Any,
) -> Estimate:
    """The measure's value on the tally with its interval; null with a reason where it is undefined.

    A `strict` interval is what gates read: wider, so that each limit alone keeps its promise.
    """
    check_drawing(level, n_resamples, random_state)
    choose(method, METHODS, "method")
    found, options = resolve(measure, options)
    if not isinstance(tally, Tally):
        raise DataError(
            f"a '{type(tally).__name__}' is not a tally; {found.name} takes one made by assay.{found.call_of_kind}."
        )
    bound = found.bind(tally, **options)

    def again(other: float) -> Estimate:
        same: dict[str, Any] = {"n_resamples": n_resamples, "random_state": random_state, "strict": strict, **options}
        return estimate(found, tally, level=other, method=method, **same)

    value = float(bound.at(tally, tally.mass)) if tally.n else math.nan
    if math.isnan(value):
        made = Limits(None, None, method, bound.why_undefined(tally))
    else:
        # A question about one class needs no more than the table of that class against the rest.
        made = limits(Problem(*bound.narrowed(tally), value, level, n_resamples, random_state, strict=strict), method)
    floor = bound.no_skill(tally) if tally.n else None
    return Estimate(
        measure=bound.spelling,
        value=None if math.isnan(value) else value,
        low=made.low,
        high=made.high,
        level=level,
        method=made.method,
        n=tally.n,
        reason=made.reason,
        signature=str(signature(bound, tally, made.method, level, n_resamples if made.drawn else None, random_state)),
        notes=(*(bound.notes(tally) if tally.n else ()), *made.notes, *unseen_note(bound, tally, made)),
        undefined_draws=made.undefined_draws,
        no_skill=None if floor is None else floor[0],
        no_skill_name=None if floor is None else floor[1],
        higher_is_better=found.higher_is_better,
        again=again,
    )


def check_drawing(level: float, n_resamples: int, random_state: int) -> None:
    """Refuse levels, numbers of draws and seeds that make no sense."""
    if not 0 < level < 1:
        raise OptionError(f"level is {level}; it lies between 0 and 1, such as 0.95.")
    if n_resamples < 99:
        raise OptionError(f"n_resamples (--resamples) is {n_resamples}; at least 99 are needed, and 9999 is usual.")
    if random_state < 0:
        raise OptionError(f"random_state (--seed) is {random_state}; it is a whole number from 0 up.")


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
