"""Why strengths have no fit, in words: which systems make it so, and what would mend it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import listed, plural
from assay.measures.preference_fit import has_maximum, reachable, recession
from assay.tally.judgments import FIRST_WON, SECOND_WON, TIE
from assay.tally.preferences import Meetings, Preferences

Bools = NDArray[np.bool_]

SHOWN = 5  # names of a group in a sentence, and groups

NEVER_MET = "some systems never met the others"
NOT_BOTH_WAYS = "wins do not link the systems both ways"
ONLY_TIES = "every judgment is a tie"
ONE_WAY = "apart from ties no result contradicts the others"
BY_PLACE = "strengths cannot be told from places"


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
        return f"{ONLY_TIES}: without a win strengths cannot be told"
    by_strength = recession(e.first, e.second, seen, k, False)
    if by_strength is not None:
        order = np.argsort(-by_strength.strengths, kind="stable")
        return f"{ONE_WAY}: strengths part without end, from {listed((tally.systems[i] for i in order), SHOWN)} down"
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
    """That groups of systems never met, naming the smaller ones."""
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
    """How to leave these systems out, where the others have strengths without them."""
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
    return f". Leave {'it' if len(names) == 1 else 'them'} out with {flags} for strengths of the others"


def _names(tally: Preferences, group: Sequence[int]) -> str:
    return _enumerated([tally.systems[i] for i in group])


def _others(tally: Preferences, group: Sequence[int]) -> str:
    """The larger side: by name where it is one system, and by number otherwise."""
    return tally.systems[group[0]] if len(group) == 1 else f"the other {len(group):,} systems"


def _enumerated(names: Iterable[str]) -> str:
    """Names as in a sentence: a, b and c."""
    every = list(names)
    shown = every if len(every) <= SHOWN + 1 else [*every[:SHOWN], f"{len(every) - SHOWN:,} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
