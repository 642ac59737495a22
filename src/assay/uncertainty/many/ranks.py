"""Many systems on many data sets: whether their mean ranks differ, and which of them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from assay.errors import DataError, OptionError, a_type, choose, listed, plural
from assay.lazily import shown
from assay.options import LEVEL, POST_HOC
from assay.result import Result
from assay.sources.frames import raw_columns
from assay.sources.given import one_dimensional, refuse_extreme
from assay.sources.read.table import table_of_native
from assay.tally.contract.sampling import Floats
from assay.uncertainty.many.corrections import holm
from assay.uncertainty.ties import differences


@dataclass(frozen=True)
class Omnibus:
    """One statistic of all systems together with its p-value; None with a reason where it has none."""

    name: str
    value: float | None
    df: tuple[int, ...]
    p_value: float | None
    reason: str | None = None


@dataclass(frozen=True)
class Friedman(Result):
    """Mean ranks of systems over data sets, rank 1 the best, and Friedman's test in its four forms."""

    systems: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    n: int  # data sets
    chi2: Omnibus
    chi2_ties: Omnibus
    f: Omnibus
    f_ties: Omnibus

    @property
    def reported(self) -> Omnibus:
        """The form to report: Iman and Davenport's F, corrected where there are ties; χ² where F has no value.

        χ² is conservative: it rejects less often than its level says (Iman and Davenport 1980, Demšar 2006).
        """
        if self.chi2_ties.value is None:  # everything is tied
            return self.chi2_ties
        plain, corrected = (self.f, self.f_ties) if self.f_ties.value is not None else (self.chi2, self.chi2_ties)
        return corrected if self.tied else plain

    @property
    def tied(self) -> bool:
        """Whether systems share a rank on some data set."""
        corrected, plain = self.chi2_ties.value, self.chi2.value
        return corrected is None or plain is None or not math.isclose(corrected, plain, rel_tol=1e-9)

    @property
    def tests(self) -> tuple[Omnibus, ...]:
        """Every form of it, the one to report first; those corrected for ties only where there are some."""
        every = (self.f_ties, self.f, self.chi2_ties, self.chi2) if self.tied else (self.f, self.chi2)
        return tuple(sorted(every, key=lambda test: test is not self.reported))

    @property
    def se(self) -> float:
        """The standard error of the difference of two mean ranks under H0."""
        k = len(self.systems)
        return math.sqrt(k * (k + 1) / (6 * self.n))

    def to_dict(self) -> dict[str, Any]:
        """Mean ranks and every form of the test in JSON's own types, the one to report first."""
        tests = [{**dataclasses.asdict(test), "df": list(test.df)} for test in self.tests]
        return {"n": self.n, "mean_ranks": dict(zip(self.systems, self.mean_ranks, strict=True)), "tests": tests}

    def frame_rows(self) -> list[dict[str, Any]]:
        """A row for each system."""
        return _by_system(self)

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class RankPair:
    """Two systems by their mean ranks: the difference, in standard errors, and its p-value."""

    a: str
    b: str
    difference: float  # mean rank of a minus that of b: below 0, a ranks better
    z: float
    p_value: float | None  # of this pair alone; None where the method gives only the adjusted one
    p_adjusted: float
    q: float | None = None  # Nemenyi's studentized range of the two: |z| √2


class PostHoc(tuple[RankPair, ...], Result):
    """Pairs of systems by their mean ranks: a tuple of `RankPair`."""

    def to_dict(self) -> dict[str, Any]:
        """The pairs in JSON's own types."""
        return {"pairs": self.frame_rows()}

    def frame_rows(self) -> list[dict[str, Any]]:
        """A row for each pair."""
        return [dataclasses.asdict(pair) for pair in self]

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class CriticalDifference(Result):
    """What a critical-difference diagram draws: systems from the best mean rank on, and bars over those not told apart.

    Mean ranks that differ by the critical difference or more are told apart (Demšar 2006). `to_svg` draws it.
    """

    systems: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    critical: float | None  # None for Holm's method, by which it differs from pair to pair
    level: float
    method: str
    bars: tuple[tuple[str, ...], ...]
    n: int  # data sets
    baseline: str | None = None  # the system that all others are compared with; then the bar is about it alone

    @property
    def picture(self) -> Any:
        """The diagram, which draws itself as SVG or PNG."""
        return shown(self, "picture")

    def to_dict(self) -> dict[str, Any]:
        """What the diagram draws in JSON's own types."""
        return {
            **dataclasses.asdict(self),
            "systems": list(self.systems),
            "mean_ranks": list(self.mean_ranks),
            "bars": [list(bar) for bar in self.bars],
        }

    def frame_rows(self) -> list[dict[str, Any]]:
        """A row for each system, the best first."""
        return _by_system(self)

    def __str__(self) -> str:
        return self.to_text()

    def to_svg(self) -> str:
        """The diagram as self-contained SVG."""
        drawn: str = self.picture.svg()
        return drawn


def friedman(values: Any, *, higher_is_better: bool = True) -> Friedman:
    """Friedman's test of systems over the same data sets: `friedman({"A": [.8, .7, …], "B": […], …})`.

    A frame with a column for each system and a row for each data set will do too. Values that differ by rounding alone
    are tied, as they are in `compare_values`.

    The result has the mean ranks and the test in four forms: χ² and Iman and Davenport's F, each plain and corrected
    for ties. `post_hoc` compares the pairs and `critical_difference` gives what a diagram of them draws.

    The null hypothesis is that every order of the systems is equally likely on each data set. That is about ranks:
    systems with equal means and skewed values were told apart in 8 to 23% of samples at 5%, here and by Nemenyi's test.
    """
    values = _columns(values)
    table = _table(values)
    n, k = table.shape
    ranks = midranks(-table if higher_is_better else table)
    mean = ranks.mean(axis=0)
    between = float(((mean - (k + 1) / 2) ** 2).sum())
    plain = 12 * n / (k * (k + 1)) * between
    # Ties leave less variance to explain than ranks 1 to k: that of the ranks actually given.
    spread = float(((ranks - (k + 1) / 2) ** 2).sum()) / (k - 1)
    tied = n**2 * between / spread if spread > 1e-12 else None
    return Friedman(
        systems=tuple(values),
        mean_ranks=tuple(float(m) for m in mean),
        n=n,
        chi2=_chi2("Friedman χ²", plain, k),
        chi2_ties=_chi2("Friedman χ², corrected for ties", tied, k),
        f=_iman_davenport("Iman–Davenport F", plain, n, k),
        f_ties=_iman_davenport("Iman–Davenport F, corrected for ties", tied, n, k),
    )


def _columns(values: Any) -> Mapping[str, Any]:
    """The values of each system."""
    if isinstance(values, Mapping):
        return values
    try:
        table = table_of_native(values, "values")
    except TypeError:
        raise OptionError(
            f"values is {a_type(values)}; give a mapping of each system's name to its values, or a frame "
            "with a column for each system."
        ) from None
    columns = raw_columns(table, table.columns)
    for name, column in columns.items():
        if any(isinstance(value, str) for value in column):
            raise DataError(f"column '{name}' holds text; give a frame with one column of numbers for each system.")
    return columns


def _table(values: Mapping[str, Sequence[float]]) -> Floats:
    """Data sets in rows, systems in columns."""
    if len(values) < 3:
        raise DataError(f"Friedman's test needs at least 3 systems; {len(values)} given.")
    held = {name: one_dimensional(column, f"'{name}'", "value") for name, column in values.items()}
    sizes = {name: len(column) for name, column in held.items()}
    if len(set(sizes.values())) != 1:
        first, *rest = sizes
        other = next(name for name in rest if sizes[name] != sizes[first])
        raise DataError(
            f"'{first}' has {plural(sizes[first], 'value')} and '{other}' has {sizes[other]:,}; "
            "give one for every data set, in the same order."
        )
    if sizes[next(iter(sizes))] < 2:
        raise DataError("Friedman's test needs at least 2 data sets.")
    columns = []
    for name, column in held.items():
        found = np.asarray(column)
        if found.ndim != 1 or found.dtype.kind not in "biuf" or not np.isfinite(found).all() or np.ma.is_masked(column):
            raise DataError(f"'{name}' has a value that is not a finite number; leave that data set out for all.")
        refuse_extreme(found, f"the largest value of '{name}'")
        columns.append(found.astype(np.float64))
    return np.stack(columns, axis=1)


def midranks(table: Floats) -> Floats:
    """Ranks within each row, 1 for the smallest; values that are equal, but for rounding, share their mean rank."""
    columns = range(table.shape[1])
    above = [[np.sign(differences(table[:, i], table[:, j])) for j in columns] for i in columns]
    return np.asarray((table.shape[1] + 1 + np.sum(above, axis=1)) / 2).T


def _chi2(name: str, value: float | None, k: int) -> Omnibus:
    from scipy.special import chdtrc

    if value is None:
        return Omnibus(name, None, (k - 1,), None, "all systems are tied on every data set")
    return Omnibus(name, value, (k - 1,), float(chdtrc(k - 1, value)))


def _iman_davenport(name: str, chi2: float | None, n: int, k: int) -> Omnibus:
    from scipy.special import fdtrc

    df = (k - 1, (k - 1) * (n - 1))
    if chi2 is None:
        return Omnibus(name, None, df, None, "all systems are tied on every data set")
    left = n * (k - 1) - chi2
    if left <= 1e-9 * n * (k - 1):
        return Omnibus(name, None, df, None, "every data set ranks the systems in the same order, so F is unbounded")
    f = (n - 1) * chi2 / left
    return Omnibus(name, f, df, float(fdtrc(*df, f)))


# ---------------------------------------------------------------------- which of them
def post_hoc(found: Friedman, method: str = "nemenyi", baseline: str | None = None) -> PostHoc:
    """Which mean ranks differ: all pairs, or every system vs. a baseline, corrected for how many there are.

    "nemenyi" is for all pairs (studentized range), "bonferroni_dunn" for a baseline, "holm" for both.
    """
    choose(method, POST_HOC, "method")
    _check_found(found)
    _check_baseline(found, method, baseline)
    rank = dict(zip(found.systems, found.mean_ranks, strict=True))
    if baseline is None:
        pairs = [(a, b) for i, a in enumerate(found.systems) for b in found.systems[i + 1 :]]
    else:
        pairs = [(a, baseline) for a in found.systems if a != baseline]
    zs = [(rank[a] - rank[b]) / found.se for a, b in pairs]
    alone = [_two_sided(z) for z in zs]
    if method == "nemenyi":
        k = len(found.systems)
        every = [
            RankPair(a, b, rank[a] - rank[b], z, None, range_tail(q, k), q)
            for (a, b), z in zip(pairs, zs, strict=True)
            for q in [abs(z) * math.sqrt(2)]
        ]
        return PostHoc(every)
    both = holm(alone) if method == "holm" else [min(p * len(pairs), 1.0) for p in alone]
    return PostHoc(
        RankPair(a, b, rank[a] - rank[b], z, p, float(together or 0.0))
        for (a, b), z, p, together in zip(pairs, zs, alone, both, strict=True)
    )


def _check_found(found: object) -> None:
    if not isinstance(found, Friedman):
        raise OptionError(f"found is {a_type(found)}; give the result of assay.friedman.")


def _check_baseline(found: Friedman, method: str, baseline: str | None) -> None:
    if baseline is not None and baseline not in found.systems:
        raise OptionError(f"baseline is '{baseline}'; the systems are {listed(found.systems)}.")
    if method == "nemenyi" and baseline is not None:
        raise OptionError("Nemenyi's test is for all pairs; with a baseline use the method holm.")
    if method == "bonferroni_dunn" and baseline is None:
        raise OptionError("Bonferroni–Dunn compares with a baseline; name one, or use the method nemenyi.")


def critical_difference(
    found: Friedman, level: float = LEVEL, method: str = "nemenyi", baseline: str | None = None
) -> CriticalDifference:
    """How far apart two mean ranks must be to be told apart, and the bars of a diagram, which `to_svg` draws.

    "nemenyi" is for all pairs and "bonferroni_dunn" for a baseline; each has one critical difference. "holm" has none,
    and draws what `post_hoc` finds by it: for all pairs, or with a baseline.
    """
    choose(method, POST_HOC, "method")
    _check_found(found)
    k = len(found.systems)
    order = sorted(range(k), key=lambda i: found.mean_ranks[i])
    systems = tuple(found.systems[i] for i in order)
    ranks = tuple(found.mean_ranks[i] for i in order)
    critical = None
    if method == "holm":
        pairs = post_hoc(found, method, baseline)
        apart = {frozenset((pair.a, pair.b)) for pair in pairs if pair.p_adjusted <= 1 - level + 1e-12}
    else:
        if baseline is not None:
            _check_baseline(found, method, baseline)
        critical = (nemenyi_quantile if method == "nemenyi" else dunn_quantile)(k, level) * found.se
        rank = dict(zip(systems, ranks, strict=True))
        apart = {frozenset((a, b)) for a in systems for b in systems if rank[b] - rank[a] >= critical - 1e-12}
    bars = _bars(systems, apart) if baseline is None else _bar_of(systems, apart, baseline)
    return CriticalDifference(systems, ranks, critical, level, method, bars, found.n, baseline)


def _bars(systems: tuple[str, ...], apart: Set[frozenset[str]]) -> tuple[tuple[str, ...], ...]:
    """The longest runs of two or more systems of which no two can be told apart."""
    bars: list[tuple[int, int]] = []
    for start in range(len(systems)):
        end = start
        while end + 1 < len(systems) and frozenset((systems[start], systems[end + 1])) not in apart:
            end += 1
        if end > start and (not bars or end > bars[-1][1]):
            bars.append((start, end))
    return tuple(systems[start : end + 1] for start, end in bars)


def _bar_of(systems: tuple[str, ...], apart: Set[frozenset[str]], baseline: str) -> tuple[tuple[str, ...], ...]:
    """The systems that cannot be told apart from the baseline, including it."""
    near = tuple(name for name in systems if frozenset((name, baseline)) not in apart)
    return (near,) if len(near) > 1 else ()


@cache
def nemenyi_quantile(k: int, level: float = LEVEL) -> float:
    """Demšar's q: the quantile of the studentized range of k means with infinite degrees of freedom, over √2."""
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if range_tail(middle, k) > 1 - level else (low, middle)
    return (low + high) / 2 / math.sqrt(2)


def dunn_quantile(k: int, level: float = LEVEL) -> float:
    """The same for one baseline: a normal quantile at the level left for each of k − 1 comparisons."""
    from scipy.special import ndtri

    return -float(ndtri((1 - level) / (2 * (k - 1))))


def range_tail(q: float, k: int) -> float:
    """The chance that the range of k independent standard normals is more than q.

    The smaller values all lie within q below the largest: k ∫ φ(z) (Φ(z) − Φ(z − q))^(k−1) dz. The integrand and its
    derivatives vanish at the ends, so that equal steps are as good as any.
    """
    from scipy.special import ndtr

    z, step = np.linspace(-9, 9, 2001, retstep=True)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    inside = k * float((density * (ndtr(z) - ndtr(z - q)) ** (k - 1)).sum()) * float(step)
    return min(max(1 - inside, 0.0), 1.0)


def _two_sided(z: float) -> float:
    from scipy.special import ndtr

    return min(2 * float(ndtr(-abs(z))), 1.0)


def _by_system(found: Friedman | CriticalDifference) -> list[dict[str, Any]]:
    return [{"system": a, "mean_rank": rank} for a, rank in zip(found.systems, found.mean_ranks, strict=True)]
