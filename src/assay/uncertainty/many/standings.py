"""Several tests at once: ranks and ties of systems, Cochran's Q, cycles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from assay.errors import DataError, plural
from assay.measures.declare.measure import Measure
from assay.options import LEVEL
from assay.tally.contract.base import Tally
from assay.uncertainty.many.corrections import adjust_p_values
from assay.uncertainty.one.inversion import Against, Names, value_test

Pairs = Iterable[tuple[str, str]]


# ---------------------------------------------------------------------- what pairs say about systems
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
        raise DataError(f"the systems {list(systems)} are not all different; name each once.")
    told = set(better)
    for pair in told:
        for name in pair:
            if name not in systems:
                raise DataError(f"a pair names '{name}', which is not one of the systems {list(systems)}.")
        if pair[::-1] in told:
            raise DataError(f"'{pair[0]}' and '{pair[1]}' are each listed as better than the other.")
    return told


@dataclass(frozen=True)
class CochranQ:
    """Cochran's Q with its p-value, and the number of items behind it."""

    value: float
    df: int
    p_value: float
    n: int
    disagreements: int  # items that some systems got right and others wrong; the others do not matter
    note: str | None = None


def cochrans_q(patterns: Any, counts: Any = None) -> CochranQ:
    """Whether systems are right equally often: a row of right and wrong for each pattern, and how many items have it.

    With two systems this is McNemar's χ² without a correction.
    """
    from scipy.special import chdtrc

    right = np.asarray(patterns)
    if np.ma.is_masked(patterns) or np.ma.is_masked(counts):
        raise DataError("patterns or counts contain masked values; leave those items out.")
    if right.ndim != 2 or right.shape[1] < 2:
        raise DataError(f"the patterns have shape {right.shape}; give a row for each, with a column for each system.")
    if right.dtype.kind not in "biuf" or not np.isin(right, (0, 1)).all():
        raise DataError("a pattern contains values other than 1 (right) and 0 (wrong).")
    right = right.astype(np.float64)
    times = np.ones(len(right)) if counts is None else np.asarray(counts)
    if times.shape != (len(right),):
        raise DataError(
            f"there are {plural(times.size, 'count')} for {plural(len(right), 'pattern')}; give one for each."
        )
    if times.dtype.kind not in "iuf" or (times < 0).any() or (times != np.floor(times)).any():
        raise DataError("counts must be whole numbers of at least 0.")
    k = right.shape[1]
    hits = right.sum(axis=1)  # by how many systems
    apart = (hits > 0) & (hits < k)
    n, disagree = int(times.sum()), int(times[apart].sum())
    if disagree == 0:
        return CochranQ(0.0, k - 1, 1.0, n, 0, "all systems are right on the same items, so nothing can differ")
    shares = times[apart] @ right[apart]
    within = float(times[apart] @ (hits[apart] * (k - hits[apart])))
    q = (k - 1) * k * float(((shares - shares.mean()) ** 2).sum()) / within
    return CochranQ(q, k - 1, float(chdtrc(k - 1, q)), n, disagree)


def pair_tests(
    measure: str | Measure,
    views: Mapping[Names, Tally],
    null: float,
    *,
    level: float = LEVEL,
    correction: str = "holm",
    **options: Any,
) -> tuple[Against, ...]:
    """The same for every pair of systems, with p-values corrected for all pairs that were tested."""
    found = {names: value_test(measure, tally, null, level=level, **options) for names, tally in views.items()}
    corrected = adjust_p_values([each.p_value for each in found.values()], correction)
    return tuple(
        Against(each.estimate, null, each.p_value, p, names)
        for (names, each), p in zip(found.items(), corrected, strict=True)
    )


def cycles(better: Iterable[Names]) -> list[tuple[str, str, str]]:
    """Triples of which the first beats the second, the second the third, and the third the first, each listed once.

    Give pairs (better, worse) that were told apart after correction. Among truly transitive systems that were judged
    30 times a pair, a triple of point estimates is cyclic in most samples of eight systems by chance alone.
    """
    beats = list(dict.fromkeys(better))
    known = set(beats)
    systems = list(dict.fromkeys(name for pair in beats for name in pair))
    out = []
    for a, b, c in combinations(systems, 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            if {(x, y), (y, z), (z, x)} <= known:
                out.append((x, y, z))
    return out
