"""Two systems on different items, or two groups of one test set: nothing is paired, and power is lower."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import OptionError
from assay.measures.declare.bound import Bound
from assay.measures.declare.measure import Measure
from assay.tally.contract.base import Tally
from assay.uncertainty.hypotheses import Hypotheses
from assay.uncertainty.many.groups import Gap, max_gap
from assay.uncertainty.one.estimate import estimate, signature
from assay.uncertainty.one.problem import Limits
from assay.uncertainty.results import Comparison, Estimate, MarginTest
from assay.uncertainty.two.equivalence import check_width, margin_test
from assay.uncertainty.two.pair import How


def difference(a: Estimate, b: Estimate, method: str = "mover") -> tuple[float | None, Limits]:
    """A minus B for two groups of different items: the squares of both errors add up."""
    missing = _missing(a, b)
    if missing is not None:
        return None, Limits(None, None, method, missing)
    assert a.value is not None
    assert b.value is not None
    d = a.value - b.value
    if a.interval is None or b.interval is None:
        return d, Limits(None, None, method, a.reason or b.reason)
    low = d - math.hypot(a.value - a.interval.low, b.interval.high - b.value)
    high = d + math.hypot(a.interval.high - a.value, b.value - b.interval.low)
    errors = (a.standard_error, b.standard_error)
    error = None if errors[0] is None or errors[1] is None else math.hypot(errors[0], errors[1])
    return d, Limits(low, high, method, standard_error=error)


def ratio(a: Estimate, b: Estimate) -> tuple[float | None, Limits]:
    """A over B for two groups of different items: the same on the log scale."""
    missing = _missing(a, b)
    if missing is not None:
        return None, Limits(None, None, "mover", missing)
    assert a.value is not None
    assert b.value is not None
    if a.value < 0 or b.value <= 0:
        return None, Limits(None, None, "mover", "a ratio needs values above 0")
    r = a.value / b.value
    if a.interval is None or b.interval is None:
        return r, Limits(None, None, "mover", a.reason or b.reason)
    if b.interval.low <= 0 or a.interval.high <= 0:
        return r, Limits(None, None, "mover", "the denominator may be 0")
    below = _log(b.value, b.interval.low)
    if a.value == 0:
        # Nothing is left to take logarithms of; both at their worst is a bound.
        return r, Limits(0.0, a.interval.high / b.interval.low, "mover")
    low = (
        0.0
        if a.interval.low <= 0
        else r * math.exp(-math.hypot(_log(a.value, a.interval.low), _log(b.interval.high, b.value)))
    )
    return r, Limits(low, r * math.exp(math.hypot(_log(a.interval.high, a.value), below)), "mover")


def _log(x: float, y: float) -> float:
    return math.log(x / y)


def _missing(a: Estimate, b: Estimate) -> str | None:
    return next((e.reason for e in (a, b) if e.value is None), None)


TEST = "permutation"
SEPARATE = "the systems were evaluated on different items, so nothing is paired: the squares of both errors add up"
STUDENT = "by Student's t with each system's own error, which has less power than shuffling items"


def compared_apart(
    measure: Measure, options: Mapping[str, Any], tallies: Sequence[Tally], names: tuple[str, str], how: How
) -> Comparison:
    """The difference with both intervals combined, and a test that shuffles which system an item belongs to."""
    _refuse_paired_options(how)
    first, second = tallies[0].aligned(tallies[1])
    a, b = (estimate(measure, tally, **how.drawing, **options) for tally in (first, second))
    bound = measure.bind(first, **options)
    ends = _ends(measure, (first, second), (a, b), how, options)
    value, made = difference(*ends, "newcombe" if how.method == "newcombe" else "mover")
    check_width(how.margin, bound.range, measure.name)
    gap = _gap(bound, (first, second), value, how)
    test = "none" if gap.p is None else TEST
    hypotheses = Hypotheses(names, test, how.alternative, first.item, first.item)
    h0, h1 = hypotheses.sentences(bound.spelling)
    draws = None if gap.by == "student" else gap.draws or None
    notes = [f"{name}: {note}" for name, e in zip(names, (a, b), strict=True) for note in e.notes]
    notes += [f"not tested: {gap.reason}"] if gap.reason else []
    return Comparison(
        a=a,
        b=b,
        names=names,
        difference=value,
        low=made.low,
        high=made.high,
        both_sides=(made.low, made.high),
        standard_error=made.standard_error,
        level=how.level,
        method=made.method,
        p_value=gap.p,
        test=test,
        statistic=None,  # the largest of several gaps, which has no value of its own for two systems
        alternative=how.alternative,
        h0=h0,
        h1=h1,
        hypotheses=hypotheses,
        draws=draws,
        extreme=None if gap.p is None or gap.by else gap.extreme,
        n=first.n + second.n,
        item=first.item,
        disagreements=None,
        reason=made.reason,
        signature=_signed(bound, (first, second), made.method, draws, test, how),
        notes=(*notes, SEPARATE),
        higher_is_better=measure.higher_is_better,
        why="the systems were evaluated on different items",
        form=STUDENT if gap.by == "student" else "",
        mde_reason="it is computed only for paired systems",
        margin=_margin(ends, value, measure, how),
    )


def _gap(bound: Bound, sides: tuple[Tally, Tally], value: float | None, how: How) -> Gap:
    """The test of the difference, unless none was asked for or there is no difference to test."""
    if how.test == "none" or value is None:
        return Gap(None, None, None)
    return max_gap(bound, sides, how.n_resamples, how.random_state)


def _signed(bound: Bound, sides: tuple[Tally, Tally], method: str, draws: int | None, test: str, how: How) -> str:
    more = {"test": test, "alternative": how.alternative, "against": sides[1].fingerprint}
    return str(signature(bound, sides[0], method, how.level, draws, how.random_state, **more))


def _ends(
    measure: Measure,
    sides: tuple[Tally, Tally],
    usual: tuple[Estimate, Estimate],
    how: How,
    options: Mapping[str, Any],
) -> tuple[Estimate, Estimate]:
    """The estimates whose limits are combined: for Newcombe's those by Wilson, whatever the usual ones are."""
    if how.method != "newcombe":
        return usual
    a, b = (estimate(measure, side, method="wilson", **how.drawing, **options) for side in sides)
    return a, b


def _margin(ends: tuple[Estimate, Estimate], value: float | None, measure: Measure, how: How) -> MarginTest | None:
    if how.margin is None or value is None:
        return None
    return margin_test(_limits_of(*ends), value, how.margin, measure.higher_is_better, how.level)


def _limits_of(a: Estimate, b: Estimate) -> Any:
    def limits_at(level: float) -> tuple[float | None, float | None]:
        made = difference(a.at_level(level), b.at_level(level))[1]
        return made.low, made.high

    return limits_at


def _refuse_paired_options(how: How) -> None:
    if how.test not in ("auto", "none"):
        raise OptionError(f"the test {how.test} is for the same items; for different ones use 'auto'.")
    if how.method not in ("auto", "mover", "newcombe"):
        raise OptionError(
            f"the method {how.method} is for the same items; for different ones use 'mover', or 'newcombe' for shares."
        )
    if how.alternative != "two-sided":
        raise OptionError("systems on different items can only be tested two-sided; leave out the alternative.")
