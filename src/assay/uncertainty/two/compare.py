"""Is A better than B? The difference with its interval first, then the test."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from assay.errors import DataError, OptionError, choose, listed, plural
from assay.measures.declare.bound import Bound
from assay.measures.declare.call import data_names, in_our_words, names_of_data, option_names
from assay.measures.declare.catalogue import resolve
from assay.measures.declare.family import kind_for, positional
from assay.measures.declare.forms import Proportion
from assay.measures.declare.measure import Measure
from assay.options import LEVEL, REPLICATES, RESAMPLES, SEED
from assay.options.option import refuse_misspelt_keywords
from assay.tally.contract.base import Tally
from assay.tally.contract.codes import refuse_clash
from assay.tally.contract.joint import Joint
from assay.uncertainty.hypotheses import Hypotheses
from assay.uncertainty.one.estimate import estimate, signature
from assay.uncertainty.one.inversion import asked_limits
from assay.uncertainty.one.problem import Limits
from assay.uncertainty.one.weights import counted_pair
from assay.uncertainty.results import Comparison, Effect, Estimate, MarginTest
from assay.uncertainty.two import paired
from assay.uncertainty.two.discordant import Tested, discordant
from assay.uncertainty.two.equivalence import check_width, margin_test
from assay.uncertainty.two.pair import How, Pair, check_two_names
from assay.uncertainty.two.power import finer_than, minimum_detectable, more_items
from assay.uncertainty.two.testing import (
    choose_test,
    interval_p,
    least_p,
    null_differences,
    null_values,
    ranks_are_exchanged,
    run_test,
)
from assay.uncertainty.two.unpaired import compared_apart

OWN = (
    *("measure", "names", "level", "method", "test", "statistic", "alternative", "margin", "strict", "raw_p"),
    *("unpaired", "n_resamples", "random_state"),
)
LEAST = 5e-324  # the smallest number above 0: a p-value that is too small to write is not 0


def compare(
    *data: Any,
    measure: str | Measure,
    names: tuple[str, str] = ("A", "B"),
    level: float = LEVEL,
    method: str = "auto",
    test: str = "auto",
    statistic: str = "auto",
    alternative: str = "two-sided",
    margin: float | None = None,
    strict: bool = False,
    raw_p: bool = False,
    unpaired: bool = False,
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
    **options: Any,
) -> Comparison:
    """Compare two systems on the same items: `compare(y_true, a, b, measure="f1")`, or a joint tally.

    The alternative is about A minus B: "greater" asks whether A's value is higher. `margin` also asks whether the
    difference lies within it. `strict` counts only bootstrap draws that are more extreme than the difference, not
    those that equal it, and `raw_p` gives s/b in place of (s + 1)/(b + 1). With `unpaired`, two tallies of different
    items are compared. `method="delong"` also takes the p-value from DeLong's z, unless a test is named, and
    `test="delong"` also gives DeLong's interval, unless a method is named.
    """
    how = How(level, method, test, statistic, alternative, margin, strict, raw_p, n_resamples, random_state)
    check_two_names(names)
    found, options = resolve(measure, options)
    refuse_misspelt_keywords(options, OWN, [*option_names(found), *names_of_data(found), "a", "b"])
    if len(data) == 2 and all(isinstance(tally, Tally) for tally in data):
        _refuse_pairing(*data, unpaired=unpaired)
        return compared_apart(found, options, data, names, how)
    if unpaired:
        raise OptionError("unpaired=True compares two tallies of different items; give compare(tally_a, tally_b, ...).")
    joint, options = _joint(data, found, names, options)
    return compare_joint(joint, found, options, how)


def compare_joint(
    joint: Joint[Any],
    measure: Measure,
    options: dict[str, Any],
    how: How,
    estimates: tuple[Estimate, Estimate] | None = None,
) -> Comparison:
    """The comparison of two systems by one measure; estimates that exist already are not made again."""
    a, b = estimates or (estimate(measure, side, **how.drawing, **options) for side in (joint.a, joint.b))
    # A question about one class needs only the table of that class vs. the rest.
    whole = measure.bind(joint.a, **options)
    check_width(how.margin, whole.range, measure.name)
    bound, small = whole.narrowed_pair(joint)
    small = counted_pair(bound, small)
    pair = Pair(small, bound, a, b, how.level, how.n_resamples, how.random_state)
    if how.test == "delong":
        paired.check_delong(pair)
        # A test that was named has its own interval.
        how = replace(how, method="delong") if how.method == "auto" else how
    test, why = choose_test(pair, how)
    notes = [f"{name}: {note}" for name, e in zip(joint.names, (a, b), strict=True) for note in e.notes]
    reason = _undefined(joint.names, a, b)
    made, outcome = Limits(None, None, how.method, reason), None
    if reason is None:
        made = paired.limits(pair, how.method)
        outcome = run_test(pair, test, how)
        if outcome is None and test in ("interval", "delong"):
            what = "interval" if test == "interval" else "standard error"
            test, why = "none", f"{why}, but the difference has no {what} to base a test on"
        notes += () if outcome is None else outcome.notes
        if outcome is not None and outcome.undefined:
            notes.append(f"undefined in {outcome.undefined:,} draws of the test, which count as extreme")
    base = _described(joint, whole, made, outcome, test, how)
    found = replace(base, a=a, b=b, reason=reason or made.reason, notes=(*notes, *made.notes), why=why)
    found = replace(found, effect=_effect(joint, pair))
    if reason is not None:
        return found
    found = replace(found, difference=pair.difference, margin=_margin(pair, how))
    return _with_power(_with_interval_p(found, pair, how), pair, how)


def _with_interval_p(found: Comparison, pair: Pair, how: How) -> Comparison:
    """The same with the limits that the question asks for, and the p-value at which they would just reach 0."""
    if found.low is None:
        return found
    if how.alternative != "two-sided":
        low, high = asked_limits(paired.limits_by_level(pair, how.method), how.level, how.alternative)
        found = replace(found, low=low, high=high)
    if found.p_value is None:
        return found
    p = found.p_value if found.test == "interval" else interval_p(pair, how)
    least = least_p(pair, found.test, how.alternative)
    return replace(found, p_interval=None if p is None else max(p, LEAST), least_p=least)


def _described(
    joint: Joint[Any], bound: Bound, made: Limits, outcome: Tested | None, test: str, how: How
) -> Comparison:
    """Everything that is known before the values are known to exist."""
    item = joint.a.item
    unit = item if joint.a.clusters is None else "cluster"
    hypotheses = Hypotheses(joint.names, test, how.alternative, item, unit, ranked=ranks_are_exchanged(joint.a, bound))
    h0, h1 = hypotheses.sentences(bound.spelling)
    statistic = None if outcome is None else outcome.statistic
    named = statistic.name if statistic else "none" if outcome is None else test
    more = {"test": test, "statistic": named, "alternative": how.alternative}
    more |= {name: "yes" for name in ("strict", "raw_p") if getattr(how, name)}
    drawn = made.drawn or (outcome is not None and outcome.extreme is not None)
    draws = how.n_resamples if drawn else None
    nothing = Estimate(bound.spelling, None, None, None, how.level, "", 0, None, "")
    return Comparison(
        a=nothing,
        b=nothing,
        names=joint.names,
        difference=None,
        low=made.low,
        high=made.high,
        both_sides=(made.low, made.high),
        standard_error=made.standard_error,
        level=how.level,
        method=made.method,
        p_value=None if outcome is None else max(outcome.p, LEAST),
        test=test,
        statistic=statistic,
        alternative=how.alternative,
        h0=h0,
        h1=h1,
        hypotheses=hypotheses,
        draws=None if outcome is None else outcome.draws,
        extreme=None if outcome is None else outcome.extreme,
        form="" if outcome is None else outcome.form,
        n=joint.n,
        item=item,
        disagreements=joint.apart_as_they_are if bound.measure.paired.as_they_are else joint.disagreements,
        reason=None,
        signature=str(signature(bound, joint.a, made.method, how.level, draws, how.random_state, **more)),
        higher_is_better=bound.measure.higher_is_better,
        effect=Effect(),
    )


def _effect(joint: Joint[Any], pair: Pair) -> Effect:
    """Who was right where: on the items that a share counts, as in its test, or on all of them."""
    bound, small = pair.bound, pair.joint
    hits = pair.hits
    if small.a.weights is not None or small.a.clusters is not None:
        a, b = (replace(side, weights=None) for side in (small.a, small.b))  # rows are counted, whatever they weigh
        hits = discordant(Joint(a, b, small.names), bound)
    hits = None if bound.measure.best is None else hits
    counted = None
    if hits is None:
        if joint.outcomes is None:
            return Effect()
        only_a, only_b, both, neither = joint.outcomes
    else:
        only_a, only_b, both, neither = hits.only_a, hits.only_b, hits.both, hits.neither
        if bound.measure.higher_is_better is False:  # a hit is a mistake
            only_a, only_b, both, neither = only_b, only_a, neither, both
        form = bound.form(small.a)
        counted = form.counted if isinstance(form, Proportion) and hits.trials < joint.n else None
    odds = None if only_a == only_b == 0 else math.inf if only_b == 0 else only_a / only_b
    return Effect(only_a, only_b, both, neither, odds, counted=counted)


def _with_power(found: Comparison, pair: Pair, how: How) -> Comparison:
    """The same with what this test could have detected, and the replicates behind it."""
    statistic = "none" if found.statistic is None else found.statistic.name
    replicates = partial(_replicates, pair, found.test, statistic, found.difference)
    if found.p_value is None:
        return replace(found, mde_reason="no test was made", replicates=replicates)
    alpha = (1 - how.level) / how.family
    share = None if pair.hits is None else (pair.hits.only_a + pair.hits.only_b, pair.hits.trials)
    smallest = minimum_detectable(pair, alpha, how.alternative, share=share, test=found.test)
    finer = None if smallest.value is None else how.margin or finer_than(smallest.value)
    more = None if finer is None else more_items(pair, finer, alpha, how.alternative, share=share, test=found.test)
    return replace(
        found,
        mde=smallest.value,
        mde_reason=smallest.reason,
        finer=finer if more else None,
        more_items=more,
        replicates=replicates,
    )


def _replicates(
    pair: Pair, test: str, statistic: str, difference: float | None, of: str, work: int | None = None
) -> Any:
    """Draws of the difference, of what it would be under H0, or of the test statistic under H0."""
    choose(of, REPLICATES, "of")
    small = pair if work is None else pair.within(work)
    if of == "difference":
        return small.drawn()
    if of == "null difference":
        return null_differences(small, test)
    return null_values(small, test, statistic, difference)


def _margin(pair: Pair, how: How) -> MarginTest | None:
    if how.margin is None:
        return None
    limits_at = paired.limits_by_level(pair, how.method)
    return margin_test(limits_at, pair.difference, how.margin, pair.bound.measure.higher_is_better, how.level)


def _joint(
    data: tuple[Any, ...], measure: Measure, names: tuple[str, str], options: Mapping[str, Any]
) -> tuple[Joint[Any], dict[str, Any]]:
    """The joint tally of the data, and the options that are left for the measure."""
    if len(data) == 1 and isinstance(data[0], Joint):
        return data[0], dict(options)
    names_of_data = [*data_names(measure)[:1], "a", "b"]
    data, options = in_our_words(measure, data, options, names_of_data if len(data_names(measure)) == 2 else [])
    kind: Any = kind_for(measure, *data)
    which = measure.variants.get(kind, measure)
    maker = kind.joint
    known = inspect.signature(maker).parameters
    wanted = positional(maker)
    needed = [name for name in wanted if known[name].default is inspect.Parameter.empty]
    if not len(needed) <= len(data) <= len(wanted):
        raise OptionError(f"{measure.name} compares {listed(wanted)}, or a joint tally; {len(data)} values were given.")
    mine = {name: value for name, value in options.items() if name in known and name not in which.options}
    joint = maker(*data, names=names, **mine)
    if mine.get("labels") is None:
        for side, name in zip((joint.a, joint.b), names, strict=True):
            refuse_clash(side, name)
    return joint, {k: v for k, v in options.items() if k not in mine}


def _undefined(names: tuple[str, str], a: Estimate, b: Estimate) -> str | None:
    for name, e in zip(names, (a, b), strict=True):
        if e.value is None:
            return f"{e.measure} is undefined for {name}: {e.reason}"
    return None


def _refuse_pairing(a: Tally, b: Tally, *, unpaired: bool) -> None:
    """Two tallies do not record which item is which, so they are compared as different items or not at all."""
    if unpaired:
        return
    if a.fingerprint != b.fingerprint:
        raise DataError(
            f"the two tallies have different gold labels ({_identity(a)} and {_identity(b)}), so they "
            "are not of the same items. If they are separate samples, compare them with unpaired=True (--unpaired)."
        )
    raise OptionError(
        "two tallies of the same items do not record which answers belong to the same item; compare the predictions, "
        "as in compare(y_true, a, b, measure=...), or treat them as separate samples with unpaired=True, which has "
        "less power."
    )


def _identity(tally: Tally) -> str:
    """A tally's size and the hash of its gold labels."""
    return f"{plural(tally.n, tally.item)}, fingerprint {tally.fingerprint}"
