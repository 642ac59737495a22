"""Is A better than B? The difference with its interval first, then the test."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from assay.errors import OptionError, choose, listed
from assay.measures.catalogue import resolve
from assay.measures.declare import Measure
from assay.options import ALTERNATIVES, LEVEL, PAIRED_METHODS, RESAMPLES, SEED, STATISTICS, TESTS
from assay.tally.joint import Joint
from assay.uncertainty import paired
from assay.uncertainty.estimate import check_drawing, estimate, signature
from assay.uncertainty.intervals import Limits
from assay.uncertainty.paired import Pair
from assay.uncertainty.randomization import TOLERANCE, Tested, is_exchangeable, randomization
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.words import hypotheses


def compare(
    *data: Any,
    measure: str | Measure,
    names: tuple[str, str] = ("A", "B"),
    level: float = LEVEL,
    method: str = "auto",
    test: str = "auto",
    statistic: str = "auto",
    alternative: str = "two-sided",
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
    **options: Any,
) -> Comparison:
    """Compare two systems on the same items: `compare(y_true, a, b, measure="f1")`, or a joint tally.

    The alternative speaks of A minus B: "greater" asks whether A's value is higher.
    """
    check_drawing(level, n_resamples, random_state)
    if len(set(names)) != 2:
        raise OptionError(f"names is {names!r}; it gives two different names, one for each system.")
    choose(method, PAIRED_METHODS, "method")
    choose(test, ("auto", *TESTS), "test")
    choose(statistic, STATISTICS, "statistic")
    choose(alternative, ALTERNATIVES, "alternative")
    found, options = resolve(measure, options)
    joint, options = _joint(data, found, names, options)
    bound = found.bind(joint.a, **options)
    drawing: dict[str, Any] = {"level": level, "n_resamples": n_resamples, "random_state": random_state}
    a, b = (estimate(found, side, **drawing, **options) for side in (joint.a, joint.b))
    pair = Pair(joint, bound, a, b, level, n_resamples, random_state)
    notes = [f"{name}: {note}" for name, e in zip(joint.names, (a, b), strict=True) for note in e.notes]
    if test == "auto":
        test = "randomization" if is_exchangeable(joint.a) else "none"
        if test == "none":
            notes.append(f"not tested by randomization: {joint.a.no_exchange}")
    reason = _undefined(joint.names, a, b)
    if reason is not None:
        made, tested = Limits(None, None, method, reason), None
    else:
        made = paired.limits(pair, method)
        tested = _tested(pair, test, statistic, alternative)
        if tested is not None and tested.undefined:
            notes.append(f"undefined in {tested.undefined:,} exchanged tables, which were counted as extreme")
    item = joint.a.item if joint.a.clusters is None else "cluster"
    h0, h1 = hypotheses(joint.names, bound.spelling, item, test, alternative)
    drawn = made.drawn or (tested is not None and tested.extreme is not None)
    more = {"test": test, "statistic": tested.statistic if tested else "none", "alternative": alternative}
    return Comparison(
        a=a,
        b=b,
        names=joint.names,
        difference=None if reason else pair.difference,
        low=made.low,
        high=made.high,
        level=level,
        method=made.method,
        p_value=None if tested is None else tested.p,
        test=test,
        statistic=more["statistic"],
        alternative=alternative,
        h0=h0,
        h1=h1,
        draws=None if tested is None else tested.draws,
        extreme=None if tested is None else tested.extreme,
        n=joint.n,
        item=joint.a.item,
        disagreements=joint.disagreements,
        reason=reason or made.reason,
        signature=str(
            signature(bound, joint.a, made.method, level, n_resamples if drawn else None, random_state, **more)
        ),
        notes=(*notes, *made.notes),
        higher_is_better=found.higher_is_better,
    )


def _joint(
    data: tuple[Any, ...], measure: Measure, names: tuple[str, str], options: dict[str, Any]
) -> tuple[Joint[Any], dict[str, Any]]:
    """The joint tally of the data, and the options that are left for the measure."""
    if len(data) == 1 and isinstance(data[0], Joint):
        return data[0], options
    kind: Any = measure.kind
    maker = kind.joint
    known = inspect.signature(maker).parameters
    wanted = [name for name, p in known.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
    if len(data) != len(wanted):
        raise OptionError(f"{measure.name} compares {listed(wanted)}, or a joint tally; {len(data)} values came.")
    mine = {name: value for name, value in options.items() if name in known and name not in measure.options}
    return maker(*data, names=names, **mine), {k: v for k, v in options.items() if k not in mine}


def _undefined(names: tuple[str, str], a: Estimate, b: Estimate) -> str | None:
    for name, e in zip(names, (a, b), strict=True):
        if e.value is None:
            return f"{e.measure} is undefined for {name}: {e.reason}"
    return None


def _tested(pair: Pair, test: str, statistic: str, alternative: str) -> Tested | None:
    if test == "randomization":
        return randomization(pair.joint, pair.bound, statistic, alternative, pair.draws, pair.seed)
    return _bootstrap_test(pair, alternative) if test == "bootstrap" else None


def _bootstrap_test(pair: Pair, alternative: str) -> Tested:
    """Resampled differences are centred on the observed one, so a null centred on 0 is reached by a shift."""
    d, draws = pair.difference, pair.drawn()
    slack = TOLERANCE * max(abs(d), 1e-3)
    shifted = draws - d
    if alternative == "two-sided":
        far = np.abs(shifted) >= abs(d) - slack
    else:
        far = shifted >= d - slack if alternative == "greater" else shifted <= d + slack
    extreme = int((far | np.isnan(draws)).sum())
    p = (extreme + 1) / (len(draws) + 1)
    return Tested(p, len(draws), extreme, "raw", int(np.isnan(draws).sum()))
