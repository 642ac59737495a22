"""Several tests at once: corrected p-values, and what the pairs together say of each system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from assay.errors import DataError, choose
from assay.options import CORRECTIONS

PValues = Sequence[float | None]
Adjusted = list[float | None]
Pairs = Iterable[tuple[str, str]]


def adjusted(p_values: PValues, correction: str) -> Adjusted:
    """The p-values corrected for having been tested together; what was not tested stays None and is not counted."""
    choose(correction, CORRECTIONS, "correction")
    return _CORRECT[correction](p_values)


def holm(p_values: PValues) -> Adjusted:
    """Holm's adjusted p-values: the chance of any false finding is held, however the tests hang together."""
    tested, out = _ascending(p_values)
    floor = 0.0
    for rank, (p, i) in enumerate(tested):
        floor = max(floor, min((len(tested) - rank) * p, 1.0))
        out[i] = floor
    return out


def bonferroni(p_values: PValues) -> Adjusted:
    """Each p-value times the number of tests; never more powerful than Holm's."""
    tested, out = _ascending(p_values)
    for p, i in tested:
        out[i] = min(len(tested) * p, 1.0)
    return out


def benjamini_hochberg(p_values: PValues) -> Adjusted:
    """Benjamini and Hochberg's adjusted p-values, which hold the expected share of false ones among the findings.

    That is proved for independent or positively dependent tests. Comparisons that share a system or items are
    neither in general, so the share is approximate here.
    """
    tested, out = _ascending(p_values)
    ceiling = 1.0
    for rank, (p, i) in reversed(list(enumerate(tested, start=1))):
        ceiling = min(ceiling, len(tested) / rank * p)
        out[i] = ceiling
    return out


def _ascending(p_values: PValues) -> tuple[list[tuple[float, int]], Adjusted]:
    """The p-values that exist, smallest first, each with its place; and as many empty places."""
    for p in p_values:
        if p is not None and not 0 <= p <= 1:
            raise DataError(f"{p} is not a p-value; they lie between 0 and 1, and None stands for a test not made.")
    return sorted((p, i) for i, p in enumerate(p_values) if p is not None), [None] * len(p_values)


_CORRECT: dict[str, Callable[[PValues], Adjusted]] = {
    "holm": holm,
    "benjamini_hochberg": benjamini_hochberg,
    "bonferroni": bonferroni,
    "none": lambda p_values: list(p_values),
}


# ---------------------------------------------------------------------- what pairs say of systems
def rank_ranges(systems: Sequence[str], better: Pairs) -> dict[str, tuple[int, int]]:
    """The best and the worst rank each system can have, given pairs (better, worse) that were told apart."""
    told = _told_apart(systems, better)
    return {
        system: (
            1 + sum((other, system) in told for other in systems),
            len(systems) - sum((system, other) in told for other in systems),
        )
        for system in systems
    }


def tie_groups(systems: Sequence[str], better: Pairs) -> tuple[tuple[str, ...], ...]:
    """All largest groups of systems no two of which were told apart, in the order of the systems.

    Insert and absorb (Piepho 2004): start with everyone in one group; a pair that was told apart splits each group
    that holds both into one without the first and one without the second; a group within another is dropped.
    """
    groups = {frozenset(systems)}
    for one, other in sorted(_told_apart(systems, better)):
        split = {g for g in groups if one in g and other in g}
        made = {g - {x} for g in split for x in (one, other)}
        groups = (groups - split) | made
        groups = {g for g in groups if not any(g < wider for wider in groups)}
    place = {system: i for i, system in enumerate(systems)}
    ordered = sorted(sorted(place[system] for system in g) for g in groups)
    return tuple(tuple(systems[i] for i in g) for g in ordered)


def letters(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """A compact letter display: two systems share a letter exactly when they could not be told apart."""
    out: dict[str, str] = {}
    for i, group in enumerate(groups):
        sign = _ALPHABET[i] if i < len(_ALPHABET) else f"({i + 1})"
        for system in group:
            out[system] = out.get(system, "") + sign
    return out


_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _told_apart(systems: Sequence[str], better: Pairs) -> set[tuple[str, str]]:
    if len(set(systems)) != len(systems):
        raise DataError(f"the systems {list(systems)} are not all different; each is named once.")
    told = set(better)
    for pair in told:
        for name in pair:
            if name not in systems:
                raise DataError(f"a pair names '{name}', which is not one of the systems {list(systems)}.")
        if pair[::-1] in told:
            raise DataError(f"'{pair[0]}' and '{pair[1]}' are each said to be better than the other.")
    return told
