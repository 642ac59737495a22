"""Measures of pairwise preferences: how often a system wins, how strong it is, and the effect of the place."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import listed, plural
from assay.measures.declare.average import ratio
from assay.measures.declare.facts import Notes, Shortcuts, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import BoundedMean, ModelJackknife
from assay.measures.declare.measure import measure
from assay.measures.preference_fit import fit, has_maximum, reachable, recession
from assay.notes import Tallied
from assay.tally.contract.sampling import Floats
from assay.tally.judgments import FIRST_WON, SECOND_WON, TIE
from assay.tally.preferences import Contests, Meetings, Places, Preferences

Bools = NDArray[np.bool_]

SHOWN = 5  # names of a group in a sentence, and groups

NEVER_MET = "some systems never met the others"
NOT_BOTH_WAYS = "wins do not link the systems both ways"
ONLY_TIES = "every judgment is a tie"
ONE_WAY = "apart from ties no result contradicts the others"
BY_PLACE = "strengths cannot be told apart from places"


def why_no_strengths(tally: Preferences, places: bool = True) -> str:
    """Why the likelihood has no maximum, with the names of the systems that make it so."""
    e = Meetings.of(tally, tally.mass)
    seen, k = e.counts > 0, len(tally.systems)
    beat = np.zeros((k, k), bool)
    beat[e.first, e.second] |= seen[FIRST_WON] | seen[TIE]
    beat[e.second, e.first] |= seen[SECOND_WON] | seen[TIE]
    groups = _groups(reachable(beat | beat.T))
    if len(groups) > 1:
        return _apart(tally, groups, places)
    ways = reachable(beat)
    groups = _groups(ways & ways.T)
    if len(groups) > 1:
        return _one_sided(tally, beat, ways, groups, places)
    if not (seen[FIRST_WON] | seen[SECOND_WON]).any():
        return f"{ONLY_TIES}: without a win, strengths cannot be estimated"
    by_strength = recession(e.first, e.second, seen, k, False)
    if by_strength is not None:
        order = np.argsort(-by_strength.strengths, kind="stable")
        return f"{ONE_WAY}: strengths diverge, from {listed((tally.systems[i] for i in order), SHOWN)} down"
    found = recession(e.first, e.second, seen, k, places)
    if found is not None and found.flat:
        what = "each is always shown in the same place against the same others"
    elif not seen[FIRST_WON].any() or not seen[SECOND_WON].any():
        what = "the place alone agrees with every result"
    else:
        what = "the place and the strengths together agree with every result"
    return (
        f"{BY_PLACE}: {what}. Show pairs in both orders, or leave the place out with --ignore-place "
        "(ignore_place=True, or the measure bradley_terry(places=False))"
    )


def _groups(together: Bools) -> list[list[int]]:
    """Sets of systems, each of which goes together with itself only; the largest last."""
    found = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in together)
    return sorted((list(group) for group in found), key=len)


def _apart(tally: Preferences, groups: Sequence[Sequence[int]], places: bool) -> str:
    """The reason if groups of systems never met, naming the smaller ones."""
    *smaller, largest = groups
    if len(smaller) == 1:
        said = f"no judgment links {_names(tally, smaller[0])} with {_others(tally, largest)}"
    else:
        each = "; ".join(_names(tally, group) for group in smaller[:SHOWN])
        more = f"; and {plural(len(smaller) - SHOWN, 'group')} more" if len(smaller) > SHOWN else ""
        said = f"no judgment links these groups with one another or with {_others(tally, largest)}: {each}{more}"
    return f"{NEVER_MET}: {said}" + _remedy(tally, [i for group in smaller for i in group], places)


def _one_sided(tally: Preferences, beat: Bools, ways: Bools, groups: Sequence[Sequence[int]], places: bool) -> str:
    """Who never won against or never lost to the rest, naming the smaller side."""
    largest = groups[-1]
    if 2 * len(largest) <= len(beat):
        ends = [(group, "lost to") for group in groups if not np.delete(beat[:, group], group, axis=0).any()]
        ends += [(group, "won against") for group in groups if not np.delete(beat[group], group, axis=1).any()]
        group, never = min(ends, key=lambda end: len(end[0]))
        others = _others(tally, [i for i in range(len(beat)) if i not in group])
        return f"{NOT_BOTH_WAYS}: {_names(tally, group)} never {never} {others}" + _remedy(tally, group, places)
    one = largest[0]
    outside = [i for i in range(len(beat)) if i not in largest]
    above = [i for i in outside if ways[i, one]]
    below = [i for i in outside if ways[one, i]]
    beside = [i for i in outside if i not in above and i not in below]
    rest = _others(tally, largest)
    said = [f"{_names(tally, above)} never lost to {rest}"] if above else []
    said += [f"{_names(tally, below)} never won against {rest}"] if below else []
    said += [f"{_names(tally, beside)} never met {rest}"] if beside else []
    return f"{NOT_BOTH_WAYS}: {'; '.join(said)}" + _remedy(tally, outside, places)


def _remedy(tally: Preferences, left_out: Sequence[int], places: bool) -> str:
    """How to leave these systems out, if the others have strengths without them."""
    gone = np.isin(tally.keys["first"], left_out) | np.isin(tally.keys["second"], left_out)
    if len(left_out) > len(tally.systems) - 2 or gone.all():
        return ""
    names = [tally.systems[i] for i in left_out]
    rest = tally.without(names)
    e = Meetings.of(rest, rest.mass)
    if not has_maximum(e.first, e.second, e.counts[None] > 0, len(rest.systems), places)[0]:
        return ""
    if len(names) > SHOWN:
        return f". The other {len(rest.systems):,} have strengths without them: --without NAME for each"
    flags = " ".join(f"--without{'=' if name.startswith('-') else ' '}{shlex.quote(name)}" for name in names)
    return f". Leave {'it' if len(names) == 1 else 'them'} out with {flags} to get strengths of the others"


def _names(tally: Preferences, group: Sequence[int]) -> str:
    return _enumerated([tally.systems[i] for i in group])


def _others(tally: Preferences, group: Sequence[int]) -> str:
    """The larger side: by name if it is one system, and by number otherwise."""
    return tally.systems[group[0]] if len(group) == 1 else f"the other {len(group):,} systems"


def _enumerated(names: Iterable[str]) -> str:
    """Names as in a sentence: a, b and c."""
    every = list(names)
    shown = every if len(every) <= SHOWN + 1 else [*every[:SHOWN], f"{len(every) - SHOWN:,} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


family(Preferences, "from_judgments", Contests, Places, Meetings)

EVEN = (0.4, 0.6)  # how often a system may be shown first before a note says so

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
    """The note on a system that was mostly shown in one place, which a win rate does not allow for."""
    _, took_part = focus_points(tally)
    first = (took_part > 0) & (tally.keys["first"] == tally.systems.index(str(tally.focus)))
    share = float(tally.mass[first].sum() / (tally.mass * took_part).sum()) if tally.mass @ took_part else 0.5
    if EVEN[0] <= share <= EVEN[1]:
        return []
    told = f"shown first in {share:.0%} of its judgments, which its win rate does not allow for"
    return [Tallied(told, "shown first in a share of judgments that win rates do not allow for", f"{share:.0%}")]


@measure(
    reads=Contests,
    range=(0, 1),
    best=1,
    undefined="no judgment compares this system with its opponent",
    interval=BoundedMean(focus_points),
    notes=Notes(remarks=uneven_places),
    no_skill=None,  # half of all systems are below ½, so a no-model baseline would mean little
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
    """Share of judgments won by the answer shown first, a tie counting as half a win: ½ if the place has no effect.

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
    """The model-based covariance of two strengths: from the inverse of the observed information."""
    covariance = fit(a, places).inverse[..., :-2, :-2]
    return float(a.tally.contrast_weights @ covariance @ b.tally.contrast_weights)


def strength_influence(e: Meetings, places: bool = True) -> Floats:
    """What one more judgment of each unit adds to the strength."""
    return _moves(e, e.tally.contrast_weights, places)


def place_covariance(a: Meetings, b: Meetings) -> float:
    """The model-based variance of the place effect, the same for every system."""
    return float(fit(a).inverse[..., -2, -2])


def place_influence(e: Meetings) -> Floats:
    """What one more judgment of each unit adds to the place effect."""
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
    """Strength of a system in log odds; the strengths of all systems add up to 0.

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
    """What being shown first adds to the log odds of winning, between systems of any strength: 0 if it has no effect.

    log odds that i, shown first, wins against j, ties aside = strength i − strength j + place
    """
    return np.asarray(fit(e).place)


# ---------------------------------------------------------------------- for a report
def pair_views(tally: Preferences) -> dict[tuple[str, str], Preferences]:
    """The judgments of every pair of systems that met, in the order in which the systems are listed."""
    met = {frozenset(pair) for pair in zip(tally.keys["first"].tolist(), tally.keys["second"].tolist(), strict=True)}
    places = sorted(sorted(pair) for pair in met)
    return {(a, b): tally.about((a, b)) for a, b in ((tally.systems[i], tally.systems[j]) for i, j in places)}
