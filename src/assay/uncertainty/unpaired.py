"""Two systems on different items: nothing is paired, and less can be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import OptionError
from assay.measures.declare import Measure
from assay.tally.base import Tally
from assay.uncertainty.equivalence import margin_test
from assay.uncertainty.estimate import estimate, signature
from assay.uncertainty.gaps import max_gap
from assay.uncertainty.how import How
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.slices import difference
from assay.uncertainty.words import hypotheses

TEST = "permutation"
SEPARATE = "the systems were judged on different items, so nothing is paired: the squares of both errors add up"

STUDENT = "by Student's t with each system's own error, which finds less than shuffled items do"


def compared_apart(
    measure: Measure, options: Mapping[str, Any], tallies: Sequence[Tally], names: tuple[str, str], how: How
) -> Comparison:
    """The difference with both intervals put together, and a test that shuffles which system an item belongs to."""
    _refuse_paired_options(how)
    first, second = tallies[0].aligned(tallies[1])
    a, b = (estimate(measure, tally, **how.drawing, **options) for tally in (first, second))
    value, made = difference(a, b)
    bound = measure.bind(first, **options)
    gap = None
    if how.test != "none" and value is not None:
        gap = max_gap(bound, (first, second), how.n_resamples, how.random_state)
    test = "none" if gap is None or gap.p is None else TEST
    h0, h1 = hypotheses(names, bound.spelling, first.item, test, how.alternative)
    more = {"test": test, "alternative": how.alternative, "against": second.fingerprint}
    draws = None if gap is None or gap.by == "student" else gap.draws or None
    notes = [f"{name}: {note}" for name, e in zip(names, (a, b), strict=True) for note in e.notes]
    if gap is not None and gap.reason:
        notes.append(f"not tested: {gap.reason}")
    return Comparison(
        a=a,
        b=b,
        names=names,
        difference=value,
        low=made.low,
        high=made.high,
        both_sides=(made.low, made.high),
        level=how.level,
        method=made.method,
        p_value=None if gap is None else gap.p,
        test=test,
        statistic="studentized" if test == TEST else "none",
        alternative=how.alternative,
        h0=h0,
        h1=h1,
        draws=draws,
        extreme=None if gap is None or gap.p is None or gap.by else gap.extreme,
        n=first.n + second.n,
        item=first.item,
        disagreements=None,
        reason=made.reason,
        signature=str(signature(bound, first, made.method, how.level, draws, how.random_state, **more)),
        notes=(*notes, SEPARATE),
        higher_is_better=measure.higher_is_better,
        why="the systems were judged on different items",
        form=STUDENT if gap is not None and gap.by == "student" else "",
        mde_reason="it is found for paired systems only",
        margin=None
        if how.margin is None or value is None
        else margin_test(_limits_of(a, b), value, how.margin, measure.higher_is_better, how.level),
    )


def _limits_of(a: Estimate, b: Estimate) -> Any:
    def limits_at(level: float) -> tuple[float | None, float | None]:
        made = difference(a.at_level(level), b.at_level(level))[1]
        return made.low, made.high

    return limits_at


def _refuse_paired_options(how: How) -> None:
    if how.test not in ("auto", "none"):
        raise OptionError(f"test='{how.test}' is for systems on the same items; of different ones only 'auto' is left.")
    if how.method not in ("auto", "mover"):
        raise OptionError(f"method='{how.method}' is for systems on the same items; of different ones 'mover' is left.")
    if how.alternative != "two-sided":
        raise OptionError("systems on different items are tested two-sided only; leave out alternative=.")
