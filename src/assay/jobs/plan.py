"""How much to label, before labeling: every way to plan in one function, with the answer in words and a table."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

from assay.errors import DataError, OptionError, listed, plural, written
from assay.jobs.count import counted
from assay.jobs.question import Question
from assay.measures.declare.catalogue import resolve, single_case, titled
from assay.measures.declare.family import lacking
from assay.measures.declare.measure import Measure
from assay.options import LEVEL, POWER, SAMPLES, SEED
from assay.options.evaluating import Columns
from assay.options.option import part_of, takes
from assay.options.planning import PLAN
from assay.result import Result
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.texts import numeral, percent
from assay.uncertainty.one.estimate import check_drawing
from assay.uncertainty.planning.pilot import pilot_plan
from assay.uncertainty.planning.plan import (
    SIGN_TESTS,
    SamplePlan,
    detectable_plan,
    difference_plan,
    half_width_of,
    half_width_plan,
    items_without_pairing,
    power_of,
    width_plan,
)
from assay.uncertainty.planning.widths import pilot_width_plan

WHAT_AT_A_SHELL = """what should be planned? One of:
  an interval of a given width      assay plan --half-width 0.05
  the same for any measure          assay plan --half-width 0.05 --measure f1 --pilot FILE --pred new
  a difference between two shares   assay plan --difference 0.02 --disagreement 0.1
  the same for any measure          assay plan --difference 0.02 --measure f1 --pilot FILE --pred A=new --pred B=old
  what 500 items can detect         assay plan --items 500 --disagreement 0.1
Name a difference because it would matter, not because it was observed."""
WHAT_IN_PYTHON = """what should be planned? One of:
  an interval of a given width      plan(half_width=0.05)
  the same for any measure          plan(half_width=0.05, measure="f1", pilot=data, pred="new")
  a difference between two shares   plan(difference=0.02, disagreement=0.1)
  the same for any measure          plan(difference=0.02, measure="f1", pilot=data, pred={"A": "new", "B": "old"})
  what 500 items can detect         plan(items=500, disagreement=0.1)
Name a difference because it would matter, not because it was observed."""
TWO = "--pred A=new --pred B=old", "pred={'A': 'new', 'B': 'old'}"
ORDER = ("wilson", "wald", "clopper_pearson")  # the method to use first


@dataclass(frozen=True)
class Trade:
    """What any number of items would give: power, or the half-width of an interval."""

    of: str  # "power" or "half-width"
    at: Callable[[int], float]
    wanted: float | None = None


@dataclass(frozen=True)
class Needs:
    """How many items other differences, or other half-widths, would need; None if no number of items is enough."""

    of: str  # "difference" or "half-width"
    at: Callable[[float], int | None]
    here: float  # the one that was planned for
    power: float | None = None


@dataclass(frozen=True)
class Planning(Result):
    """The answer, by every method that applies: the first is the one to use."""

    sentence: str
    plans: tuple[SamplePlan, ...]
    notes: tuple[str, ...] = ()
    solved: str = "items"  # which of its numbers was asked for: items, power, half_width or difference
    trade: Trade | None = dataclasses.field(default=None, compare=False, repr=False)  # what other numbers would give
    needs: Needs | None = dataclasses.field(default=None, compare=False, repr=False)  # what other aims would need

    @property
    def items(self) -> int:
        """How many items to label."""
        return self.plans[0].items

    @property
    def power(self) -> float | None:
        """The probability that they detect the named difference."""
        return self.plans[0].power

    def to_dict(self) -> dict[str, Any]:
        """The answer in JSON's own types."""
        return {name: value for name, value in dataclasses.asdict(self).items() if name not in ("trade", "needs")}

    def frame_rows(self) -> list[dict[str, Any]]:
        """A row for each method, with its numbers; the first is the one to use."""
        rows = [dataclasses.asdict(each) for each in self.plans]
        return [{**row, "assumptions": " ".join(row["assumptions"]), "solved": self.solved} for row in rows]


@takes(*PLAN)
def plan(
    *,
    half_width: float | None = None,
    share: float | None = None,
    difference: float | None = None,
    disagreement: float | None = None,
    pilot: Any = None,
    measure: str | None = None,
    items: int | None = None,
    power: float = POWER,
    level: float = LEVEL,
    alternative: str = "two-sided",
    cluster_size: float | None = None,
    icc: float | None = None,
    n_resamples: int = SAMPLES,
    random_state: int = SEED,
    **question: Unpack[Columns],
) -> Planning:
    """How many items to label: for an interval (half_width), or to detect a named difference between two systems.

    With `items`, what that many can do: the power for a named difference; or, without one, the smallest difference that
    they detect where the disagreement is known, and how wide an interval will be.

    The disagreement between the systems is a number (disagreement), or comes from a pilot: a joint tally, or a file or
    frame with the columns named as for `evaluate` (gold, pred, cluster, …), and then any measure can be planned for. A
    pilot of one system, or its tally, says how wide the interval of any measure will be.
    """
    _check_asked(half_width, difference, items)
    if half_width is not None:
        _refuse("half_width", disagreement=disagreement, items=items)
    design: dict[str, Any] = {"cluster_size": cluster_size, "icc": icc, "level": level}
    testing: dict[str, Any] = {"items": items, "power": power, "alternative": alternative}
    if pilot is not None:
        _refuse("a pilot", disagreement=disagreement, share=share, cluster_size=cluster_size)
        _refuse("a pilot, whose cluster column determines it", icc=icc)
        check_drawing(level, n_resamples, random_state)
        drawing = {"samples": n_resamples, "seed": random_state, "level": level}
        return _from_pilot(pilot, half_width, difference, measure, question, {**testing, **drawing})
    _refuse_without_pilot(measure=measure, **question)
    if half_width is not None:
        return _interval(half_width, 0.5 if share is None else share, design)
    if difference is None:
        return _with_items(0.5 if share is None else share, disagreement, {**testing, **design})
    if disagreement is None:
        raise OptionError(
            "how many items it takes to detect a difference depends on how often the systems disagree: give "
            "disagreement (--disagreement 0.1: only one of the two is right on a tenth of the items), or a pilot "
            "(--pilot FILE)."
        )
    return _difference(difference, disagreement, share, {**testing, **design})


def _check_asked(half_width: float | None, difference: float | None, items: int | None) -> None:
    """Refuse to plan for nothing, or for an interval and a difference at once."""
    if half_width is None and difference is None and items is None:
        raise OptionError(written(WHAT_AT_A_SHELL, WHAT_IN_PYTHON))
    if half_width is not None and difference is not None:
        raise OptionError("plan for one thing at a time: an interval (half_width) or a difference.")


def _refuse(what: str, **given: Any) -> None:
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise OptionError(f"{extra[0]} (--{extra[0].replace('_', '-')}) cannot be combined with {what}.")


def _refuse_without_pilot(**given: Any) -> None:
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        flag = f"--{extra[0].replace('_', '-')}"
        raise OptionError(f"{extra[0]} ({flag}) needs a pilot: name a file of answers with --pilot (pilot=).")


def _interval(half_width: float, share: float, design: dict[str, Any]) -> Planning:
    plans = {method: half_width_plan(half_width, share, method=method, **design) for method in ORDER}
    best, formula = plans["wilson"], plans["wald"]
    sentence = (
        f"For a {percent(design['level'])} interval of ±{half_width:g} at a share of {share:g}, label "
        f"{plural(best.items, 'item')}{best.inside} (Wilson); Wald's formula gives {formula.items:,}."
    )
    note = "Clopper–Pearson's interval has at least its stated coverage, whatever the share."
    return Planning(
        sentence,
        tuple(plans.values()),
        (note,),
        trade=_widths(share, design["level"], best, half_width),
        needs=_items_by_width(share, best, design),
    )


def _items_by_width(share: float, best: SamplePlan, design: dict[str, Any]) -> Needs:
    """The items that intervals of other half-widths would need."""
    at = partial(_items, partial(half_width_plan, share=share, method=best.method, **design))
    return Needs("half-width", at, best.half_width or 0.0)


def _items(plan_of: Callable[[float], SamplePlan], aim: float) -> int | None:
    """How many items this aim needs; None if no number is enough."""
    try:
        return plan_of(aim).items
    except OptionError:
        return None


def _items_by_difference(best: SamplePlan, disagreement: float, how: dict[str, Any]) -> Needs:
    """The items that other true differences would need to be detected with the same power."""
    wanted = {**how, "items": None, "disagreement": disagreement, "test": best.method}
    at = partial(_items, partial(difference_plan, **wanted))
    return Needs("difference", at, best.difference or 0.0, how["power"])


def _widths(share: float, level: float, best: SamplePlan, wanted: float | None = None) -> Trade:
    """The half-width of Wilson's interval by the number of items."""
    at = partial(_width, best.design_effect or 1.0, share=share, level=level)
    return Trade("half-width", at, wanted)


def _width(design: float, n: int, **how: Any) -> float:
    return half_width_of(items=max(round(n / design), 1), **how)


def _with_items(share: float, disagreement: float | None, how: dict[str, Any]) -> Planning:
    """What this many items can do: the smallest difference that they detect, or the width of an interval."""
    items, level = how["items"], percent(how["level"])
    design = {name: how[name] for name in ("level", "cluster_size", "icc")}
    widths = {method: width_plan(items, share, method=method, **design) for method in ORDER}
    best = widths["wilson"]
    width = f"the {level} interval of a share of {share:g} is ±{best.half_width:.3g}"
    if disagreement is None:
        note = (
            "Which difference between two systems they detect depends on how often the systems disagree: give "
            f"{written('--disagreement 0.1', 'disagreement=0.1')} (only one of the two is right on a tenth of the "
            "items)."
        )
        sentence = f"With {plural(items, 'item')}{best.inside}, {width} (Wilson)."
        trade, needs = _widths(share, how["level"], best), _items_by_width(share, best, design)
        return Planning(sentence, tuple(widths.values()), (note,), "half_width", trade, needs)
    made = [detectable_plan(disagreement=disagreement, test=test, **how) for test in SIGN_TESTS]
    if made[0] is None:
        raise OptionError(
            f"with {plural(items, 'item')}{best.inside} and a disagreement of {disagreement:g}, no "
            f"difference, however large, is detected with probability {how['power']:g}; plan for more items."
        )
    plans, smallest = tuple(each for each in made if each is not None), made[0].difference or 0.0
    sentence = (
        f"With {plural(items, 'item')}{best.inside}, a true difference of {numeral(smallest, '.3g')} is detected with "
        f"probability {how['power']:g}, and {'larger ones' if smallest > 0 else 'ones larger in size'} more often."
    )
    note = f"With these items, {width} (Wilson)."
    trade, needs = _powers(plans[0], disagreement, how), _items_by_difference(plans[0], disagreement, how)
    return Planning(sentence, plans, (note,), "difference", trade, needs)


def _difference(difference: float, disagreement: float, share: float | None, how: dict[str, Any]) -> Planning:
    plans = tuple(difference_plan(difference, disagreement, test=test, **how) for test in SIGN_TESTS)
    notes = []
    if how["items"] is None:
        notes.append(
            "Any larger number of items reaches the power too; power rises in steps, so some smaller ones may as well."
        )
    if share is not None and how["items"] is None:
        more = {name: how[name] for name in ("power", "level", "alternative")}
        apart = items_without_pairing(share + difference, share, **more)
        notes.append(f"On separate items, the systems would need {apart:,} items each.")
    solved = "items" if how["items"] is None else "power"
    trade, needs = _powers(plans[0], disagreement, how), _items_by_difference(plans[0], disagreement, how)
    return Planning(_found(plans[0], how, "", solved), plans, tuple(notes), solved, trade, needs)


def _powers(best: SamplePlan, disagreement: float, how: dict[str, Any]) -> Trade:
    """The power of the test by the number of items."""
    test = {name: how[name] for name in ("level", "alternative")} | {"test": best.method}
    test |= {"difference": best.difference or 0.0, "disagreement": disagreement}
    at = partial(_power, best.design_effect or 1.0, **test)
    return Trade("power", at, how["power"] if how["items"] is None else None)


def _power(design: float, n: int, **how: Any) -> float:
    return power_of(items=max(round(n / design), 1), **how)


def _from_pilot(
    pilot: Any,
    half_width: float | None,
    difference: float | None,
    measure: str | None,
    question: Columns,
    how: dict[str, Any],
) -> Planning:
    if measure is None:
        what = "interval for" if half_width is not None else "difference in"
        raise OptionError(f"which measure is the {what}? Name it, such as measure='f1' (--measure f1).")
    found, options = resolve(measure, {})
    if isinstance(pilot, Joint | Tally):
        counts = pilot
    else:
        counts = _pilot_counts(pilot, Question(**part_of(question, Columns)), found.kind, paired=difference is not None)
    if half_width is not None and isinstance(counts, Joint):
        raise OptionError("an interval is for one system; name one, as in --pred new (pred='new').")
    if isinstance(counts, Tally):
        if difference is not None:
            raise OptionError(f"a difference is between two systems; name two, as in {written(*TWO)}.")
        return _width_from_pilot(counts, found, options, half_width, how)
    bound, joint = found.bind(counts.a, **options).narrowed_pair(counts)
    made = pilot_plan(joint, bound, difference, **how)
    between = f"{made.power_low:.3f} to {made.power_high:.3f}"
    note = f"The power is simulated on {how['samples']:,} samples: {between} with 95% confidence."
    solved = "difference" if difference is None else "items" if how["items"] is None else "power"
    return Planning(_found(made, how, f" in {titled(bound.spelling)}", solved), (made,), (note,), solved)


def _width_from_pilot(
    tally: Tally, measure: Measure, options: dict[str, Any], half_width: float | None, how: dict[str, Any]
) -> Planning:
    settled, _ = single_case(measure, tally, options, "measure")
    drawing = {name: how[name] for name in ("items", "level", "samples", "seed")}
    made = pilot_width_plan(tally, measure, settled, half_width, **drawing)
    spelled = titled(measure.bind(tally, **settled).spelling)
    if half_width is None:
        sentence = f"With {made.items:,} items{made.inside}, a {percent(how['level'])} interval of {spelled} is about "
        return Planning(f"{sentence}±{made.half_width:.2g} on average.", (made,), (), "half_width")
    sentence = (
        f"For a {percent(how['level'])} interval of {spelled} that is ±{half_width:g} on average, label about "
        f"{plural(made.items, 'item')}{made.inside}."
    )
    return Planning(sentence, (made,))


def _found(made: SamplePlan, how: dict[str, Any], measure: str, solved: str) -> str:
    what = f"a true difference of {numeral(made.difference or 0.0, 'g')}{measure}"
    if solved == "difference":
        what = f"a true difference of {numeral(made.difference or 0.0, '.3g')}{measure}"
        return f"With {made.items:,} items{made.inside}, {what} is detected with probability {how['power']:g}."
    if solved == "power":
        return f"With {made.items:,} items{made.inside}, {what} is detected with probability {made.power:.2f}."
    about = "about " if made.power_low is not None else ""
    return f"To detect {what} with probability {how['power']:g}, label {about}{made.items:,} items{made.inside}."


def _pilot_counts(data: Any, asked: Question, kind: type[Tally], *, paired: bool) -> Joint[Any] | Tally:
    """The systems of a pilot: two of them counted together, or one alone."""
    if asked.weight is not None or asked.slices:
        raise OptionError("weights and slices cannot be combined with a pilot, whose rows count equally.")
    found = counted(data, asked)
    names = list(found.systems)
    if len(names) == 1 and not paired:
        alone = found.systems.of(names[0], kind)
        if alone is None:
            raise lacking(names[0], kind, found.systems.held(names[0]))
        return alone
    if found.together is None:
        raise OptionError("a pilot must be a file of answers; stored counts do not say which belong to one row.")
    if len(names) != 2:
        raise DataError(f"a pilot compares two systems; got {listed(names)}. Name two, as in {written(*TWO)}.")
    joint: Joint[Any] = found.together.joint(*names, kind)
    return joint
