"""What to label before labeling: every way to plan behind one question, and the answer in words and a table."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Unpack

from assay.errors import DataError, OptionError, listed, plural
from assay.jobs.count import counted
from assay.jobs.question import Question
from assay.measures.declare.catalogue import resolve
from assay.options import LEVEL, POWER, SAMPLES, SEED
from assay.options.evaluating import Columns
from assay.options.option import takes
from assay.options.planning import PLAN
from assay.result import Result
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.texts import percent
from assay.uncertainty.one.estimate import check_drawing
from assay.uncertainty.planning.pilot import pilot_plan
from assay.uncertainty.planning.plan import (
    HALF_WIDTHS,
    SIGN_TESTS,
    SamplePlan,
    difference_plan,
    half_width_plan,
    items_without_pairing,
)

WHAT = """what should be planned? Three things can be:
  an interval of a wanted width     assay plan --half-width 0.05
  finding a difference in a share   assay plan --difference 0.02 --disagreement 0.1
  the same for any measure          assay plan --difference 0.02 --measure f1 --pilot FILE --pred A=new --pred B=old
A difference is named because it would matter, not because it was observed."""


@dataclass(frozen=True)
class Planning(Result):
    """The answer, by every method that applies: the first is the one to use."""

    sentence: str
    plans: tuple[SamplePlan, ...]
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> int:
        """How many items to label."""
        return self.plans[0].items

    @property
    def power(self) -> float | None:
        """The chance that the named difference is found with them."""
        return self.plans[0].power

    def to_dict(self) -> dict[str, Any]:
        """The answer in JSON's own types."""
        return dataclasses.asdict(self)


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
    """How many items to label: for an interval (half_width), or to find a named difference between two systems.

    The disagreement between the systems is a number (disagreement), or comes from a pilot: a joint tally, or a file or
    frame with the columns named as for `evaluate` (gold, pred, cluster, …), and then any measure can be planned for.
    """
    given = {"half_width": half_width, "difference": difference}
    asked = [name for name, value in given.items() if value is not None]
    if not asked:
        raise OptionError(WHAT)
    if len(asked) > 1:
        raise OptionError("plan for one thing at a time: an interval (half_width) or a difference.")
    if pilot is not None:
        _refuse("a pilot", disagreement=disagreement, half_width=half_width, share=share, cluster_size=cluster_size)
    design: dict[str, Any] = {"cluster_size": cluster_size, "icc": icc, "level": level}
    if half_width is not None:
        _refuse("half_width", disagreement=disagreement, items=items, measure=measure, **question)
        return _interval(half_width, 0.5 if share is None else share, design)
    assert difference is not None
    testing: dict[str, Any] = {"items": items, "power": power, "alternative": alternative}
    if pilot is not None:
        _refuse("a pilot, whose cluster column tells it", icc=icc)
        check_drawing(level, n_resamples, random_state)
        drawing = {"samples": n_resamples, "seed": random_state, "level": level}
        return _from_pilot(pilot, difference, measure, question, {**testing, **drawing})
    _refuse("a disagreement; only a pilot has columns and measures", measure=measure, **question)
    if disagreement is None:
        raise OptionError(
            "how many items find a difference depends on how often the systems disagree: give disagreement "
            "(--disagreement 0.1: only one of the two is right on a tenth of the items), or a pilot (--pilot FILE)."
        )
    return _difference(difference, disagreement, share, {**testing, **design})


def _refuse(what: str, **given: Any) -> None:
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise OptionError(f"{extra[0]} (--{extra[0].replace('_', '-')}) does not go with {what}.")


def _interval(half_width: float, share: float, design: dict[str, Any]) -> Planning:
    order = ("wilson", "wald", "clopper_pearson")
    assert set(order) == set(HALF_WIDTHS)
    plans = {method: half_width_plan(half_width, share, method=method, **design) for method in order}
    best, formula = plans["wilson"], plans["wald"]
    inside = "" if best.clusters is None else f" in {best.clusters:,} clusters"
    sentence = (
        f"For a {percent(design['level'])} interval of ±{half_width:g} at a share of {share:g}, label "
        f"{plural(best.items, 'item')}{inside} (Wilson); Wald's formula says {formula.items:,}."
    )
    note = "Clopper–Pearson's is the width of limits that cover at least as often as they say, whatever the share."
    return Planning(sentence, tuple(plans.values()), (note,))


def _difference(difference: float, disagreement: float, share: float | None, how: dict[str, Any]) -> Planning:
    plans = tuple(difference_plan(difference, disagreement, test=test, **how) for test in SIGN_TESTS)
    notes = []
    if how["items"] is None:
        notes.append(
            "Any larger number of items reaches the power too; power rises in steps, so a few smaller ones may."
        )
    if share is not None and how["items"] is None:
        more = {name: how[name] for name in ("power", "level", "alternative")}
        apart = items_without_pairing(share + difference, share, **more)
        notes.append(f"Judged on items of their own, the systems would need {apart:,} items each.")
    return Planning(_found(plans[0], how, ""), plans, tuple(notes))


def _from_pilot(pilot: Any, difference: float, measure: str | None, question: Columns, how: dict[str, Any]) -> Planning:
    if measure is None:
        raise OptionError("which measure is the difference in? Name it, such as measure='f1' (--measure f1).")
    found, options = resolve(measure, {})
    joint = pilot if isinstance(pilot, Joint) else pilot_joint(pilot, Question(**question), found.kind)
    bound, joint = found.bind(joint.a, **options).narrowed_pair(joint)
    made = pilot_plan(joint, bound, difference, **how)
    between = f"{made.power_low:.3f} to {made.power_high:.3f}"
    note = f"The power is simulated on {how['samples']:,} samples: {between} with 95% confidence."
    return Planning(_found(made, how, f" in {bound.spelling}"), (made,), (note,))


def _found(made: SamplePlan, how: dict[str, Any], measure: str) -> str:
    inside = "" if made.clusters is None else f" in {made.clusters:,} clusters"
    what = f"a true difference of {made.difference:g}{measure}"
    if how["items"] is not None:
        return f"With {made.items:,} items{inside}, {what} is found with probability {made.power:.2f}."
    about = "about " if made.power_low is not None else ""
    return f"To find {what} with probability {how['power']:g}, label {about}{made.items:,} items{inside}."


def pilot_joint(data: Any, asked: Question, kind: type[Tally]) -> Joint[Any]:
    """The two systems of a pilot, counted together."""
    if asked.weight is not None or asked.slices:
        raise OptionError("a pilot has rows of equal weight: weights and slices do not go with it.")
    found = counted(data, asked)
    if found.together is None:
        raise OptionError("a pilot is a file of answers; stored counts have lost which belong to the same row.")
    if len(found.systems) != 2:
        raise DataError(
            f"a pilot compares two systems; {listed(found.systems)} came. Name two, as in --pred A=new --pred B=old."
        )
    a, b = found.systems
    joint: Joint[Any] = found.together.joint(a, b, kind)
    return joint
