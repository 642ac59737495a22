"""Measures of pairwise preferences: how often a system wins, how strong it is, and what the place does."""

from __future__ import annotations

import math

import numpy as np

from assay.measures.declare.average import ratio
from assay.measures.declare.facts import Notes, Shortcuts, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import BoundedMean, ModelJackknife
from assay.measures.declare.measure import measure
from assay.measures.preference_fit import fit
from assay.measures.preference_reasons import BY_PLACE, NEVER_MET, NOT_BOTH_WAYS, ONE_WAY, ONLY_TIES, why_no_strengths
from assay.tally.contract.sampling import Floats
from assay.tally.judgments import TIE
from assay.tally.preferences import Contests, Meetings, Places, Preferences

family(Preferences, "from_judgments", Contests, Places, Meetings)

EVEN = (0.4, 0.6)  # how often a system may be shown first before a reader should know

# Three systems: x won 2 and lost 1 against y, y won 2 and lost 1 against z; x and z each won one and tied one.
NINE_JUDGMENTS = Preferences.from_judgments(
    list("xyxyzyzxz"), list("yxyzyzxzx"), ["x", "x", "y", "y", "y", "z", "z", "tie", "x"], focus="x"
)
# Two systems, each shown first five times; x won 4 of 5 when shown first and 3 of 5 when shown second.
TEN_JUDGMENTS = Preferences.from_judgments(["x"] * 5 + ["y"] * 5, ["y"] * 5 + ["x"] * 5, list("xxxxyxxxyy"), focus="x")
NO_STRENGTHS = "; or ".join((NEVER_MET, NOT_BOTH_WAYS, ONLY_TIES, ONE_WAY, BY_PLACE))


# ---------------------------------------------------------------------- shares
def focus_points(tally: Preferences) -> tuple[Floats, Floats]:
    """What the focus gets from one judgment of each unit, and whether it takes part."""
    took_part = ~np.isnan(tally.points)
    return np.where(took_part, tally.points, 0.0), took_part.astype(np.float64)


def place_points(tally: Preferences) -> tuple[Floats, Floats]:
    """What the place shown first gets from one judgment of each unit."""
    return np.asarray(1 - tally.keys["result"] / 2), np.ones(len(tally.counts))


def ties(tally: Preferences) -> tuple[Floats, Floats]:
    """Whether a judgment of each unit is a tie."""
    return (tally.keys["result"] == TIE).astype(np.float64), np.ones(len(tally.counts))


def uneven_places(tally: Preferences) -> list[str]:
    """What to say where a system was mostly shown in one place, which a win rate does not allow for."""
    _, took_part = focus_points(tally)
    first = (took_part > 0) & (tally.keys["first"] == tally.systems.index(str(tally.focus)))
    share = float(tally.mass[first].sum() / (tally.mass * took_part).sum()) if tally.mass @ took_part else 0.5
    if EVEN[0] <= share <= EVEN[1]:
        return []
    return [f"shown first in {share:.0%} of its judgments, which its win rate does not allow for"]


@measure(
    reads=Contests,
    range=(0, 1),
    best=1,
    undefined="no judgment is of this system against its opponent",
    interval=BoundedMean(focus_points),
    notes=Notes(remarks=uneven_places),
    no_skill=None,  # half of all systems are below ½, and that is no reproach to them
    worked=(Worked(NINE_JUDGMENTS, {}, 3.5 / 6, "x won 3 of its 6 judgments and tied 1: (3 + ½) / 6"),),
    cite="bradley1952",
)
def win_rate(e: Contests) -> Floats:
    """Share of its judgments that a system won, a tie counting as half a win.

    (won + tied / 2) / (won + tied + lost)
    """
    return _points(e)


@measure(
    reads=Places,
    range=(0, 1),
    best=None,  # one half is best, and it is no end of the range
    undefined="there are no judgments",
    interval=BoundedMean(place_points),
    no_skill=0.5,
    worked=(Worked(TEN_JUDGMENTS, {}, 6 / 10, "x won 4 and y won 2 when shown first, out of 10"),),
    cite="zheng2023",
    aliases=("position_bias",),
)
def first_place_share(e: Places) -> Floats:
    """Share of judgments won by the answer shown first, a tie counting as half: ½ where the place does nothing.

    (first won + tied / 2) / judgments
    """
    return _points(e)


@measure(
    reads=Places,
    range=(0, 1),
    best=None,
    undefined="there are no judgments",
    interval=BoundedMean(ties),
    no_skill=None,
    worked=(Worked(NINE_JUDGMENTS, {}, 1 / 9, "1 of 9"),),
    cite="davidson1970",
)
def tie_share(e: Places) -> Floats:
    """Share of judgments in which neither answer was preferred.

    tied / judgments
    """
    return ratio(e.tied, e.won + e.tied + e.lost)[..., 0]


def _points(e: Contests | Places) -> Floats:
    return ratio(e.won + e.tied / 2, e.won + e.tied + e.lost)[..., 0]


# ---------------------------------------------------------------------- strengths
def strength_covariance(a: Meetings, b: Meetings, places: bool = True) -> float:
    """The covariance of two strengths by the model itself: from the inverse of the observed information."""
    covariance = fit(a, places).inverse[..., :-2, :-2]
    return float(a.tally.contrast_weights @ covariance @ b.tally.contrast_weights)


def strength_influence(e: Meetings, places: bool = True) -> Floats:
    """What one more judgment of each unit adds to the strength."""
    return _moves(e, e.tally.contrast_weights, places)


def place_covariance(a: Meetings, b: Meetings) -> float:
    """The variance of the place by the model itself, which is the same whichever system is looked at."""
    return float(fit(a).inverse[..., -2, -2])


def place_influence(e: Meetings) -> Floats:
    """What one more judgment of each unit adds to the place."""
    k = len(e.tally.systems)
    return _moves(e, np.eye(k + 2)[k])


def _moves(e: Meetings, contrast: Floats, places: bool = True) -> Floats:
    meeting = e.first * len(e.tally.systems) + e.second
    at = np.searchsorted(meeting, e.tally.keys["first"] * len(e.tally.systems) + e.tally.keys["second"])
    moves = fit(e, places).influence(contrast)
    return np.nan_to_num(moves[..., e.tally.keys["result"], at])


@measure(
    reads=Meetings,
    range=(-math.inf, math.inf),
    best=math.inf,
    undefined=NO_STRENGTHS,
    interval=ModelJackknife(strength_covariance),
    shortcuts=Shortcuts(influence=strength_influence),
    notes=Notes(because=why_no_strengths),
    no_skill=None,
    worked=(
        Worked(
            TEN_JUDGMENTS,
            {},
            math.log((4 / 1) * (3 / 2)) / 4,
            "half the mean of the log odds of x when shown first, log 4, and when shown second, log 3/2",
        ),
    ),
    cite="davidson1977",
    title="Bradley–Terry strength",
    aliases=("bt", "strength"),
)
def bradley_terry(e: Meetings, places: bool = True) -> Floats:
    """Strength of a system on the scale of log odds, where the strengths of all systems add up to 0.

    log odds that i, shown first, wins against j, ties aside = strength i − strength j + place
    """
    return np.asarray(fit(e, places).strengths @ e.tally.contrast_weights)


@measure(
    reads=Meetings,
    range=(-math.inf, math.inf),
    best=None,
    undefined=NO_STRENGTHS,
    notes=Notes(because=why_no_strengths),
    interval=ModelJackknife(place_covariance),
    shortcuts=Shortcuts(influence=place_influence),
    no_skill=None,
    worked=(
        Worked(
            TEN_JUDGMENTS,
            {},
            math.log((4 / 1) * (2 / 3)) / 2,
            "the mean of the log odds of x when shown first, log 4, and of y when shown first, log 2/3",
        ),
    ),
    cite="davidson1977",
    aliases=("place_effect",),
)
def first_place_effect(e: Meetings) -> Floats:
    """What being shown first adds to the log odds of winning, between systems of any strength: 0 where it does nothing.

    log odds that i, shown first, wins against j, ties aside = strength i − strength j + place
    """
    return np.asarray(fit(e).place)


# ---------------------------------------------------------------------- for a report
def pair_views(tally: Preferences) -> dict[tuple[str, str], Preferences]:
    """The judgments of every pair of systems that met, in the order in which the systems are listed."""
    met = {frozenset(pair) for pair in zip(tally.keys["first"].tolist(), tally.keys["second"].tolist(), strict=True)}
    places = sorted(sorted(pair) for pair in met)
    return {(a, b): tally.about((a, b)) for a, b in ((tally.systems[i], tally.systems[j]) for i, j in places)}
