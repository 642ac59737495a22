"""DeLong's variances and covariances of areas under ROC curves, for any number of systems on the same items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import OptionError, plural
from assay.measures.declare.forms import Effective, Together
from assay.measures.scores.slopes import placements
from assay.options.option import refusing
from assay.result import Result
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.tally.scores import ByScore, Scored, checked_scores, is_positive

NOTHING = 1e-20  # a variance that rounding alone can make
ENDS = 0.1  # of an item, added to each end of each class of each system


@dataclass(frozen=True, eq=False)
class DeLong(Result):
    """The areas of several systems, and how they vary together."""

    areas: Floats
    covariance: Floats
    names: tuple[str, ...] = ()  # of the systems, if they were given

    @property
    def z(self) -> float:
        """The difference of two areas, first minus second, in its standard errors; nan where it does not vary."""
        if len(self.areas) != 2:
            raise AttributeError(self._not_two("z"))
        variance = float(self.covariance[0, 0] + self.covariance[1, 1] - 2 * self.covariance[0, 1])
        difference = float(self.areas[0] - self.areas[1])
        return difference / math.sqrt(variance) if variance > NOTHING else math.nan

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in ("z", "p_value"):
                raise AttributeError(self._not_two(name), name=name)
            return super().__getattr__(name)

    def _not_two(self, name: str) -> str:
        there = f"there {'is' if len(self.areas) == 1 else 'are'} {plural(len(self.areas), 'system')}"
        return f"{name} is for two systems, but {there}. Call delong(y_true, scores, other_scores)."

    @property
    def p_value(self) -> float:
        """The p-value of DeLong's two-sided test that two areas are equal."""
        from scipy.special import ndtr

        return 2 * float(ndtr(-abs(self.z)))

    def to_dict(self) -> dict[str, Any]:
        """The areas and the matrix of their covariances in JSON's own types; of two systems, the test too."""
        plain: dict[str, Any] = {"areas": self.areas.tolist(), "covariance": self.covariance.tolist()}
        plain |= {"names": list(self.names)} if self.names else {}
        if len(self.areas) == 2:
            z, p = self.z, self.p_value
            plain |= {"z": None if math.isnan(z) else z, "p_value": None if math.isnan(p) else p}
        return plain

    def frame_rows(self) -> list[dict[str, Any]]:
        """A row for each system, with its standard error."""
        errors = np.sqrt(np.diagonal(self.covariance)).tolist()
        pairs = zip(self.areas.tolist(), errors, strict=True)
        names = self.names or range(1, len(self.areas) + 1)
        rows = zip(names, pairs, strict=True)
        return [{"system": name, "area": area, "standard_error": se} for name, (area, se) in rows]

    def __str__(self) -> str:
        return self.to_text()


@refusing
def delong(
    y_true: ArrayLike,
    *y_scores: Any,
    pos_label: object | None = None,
    names: Sequence[str] | None = None,
) -> DeLong:
    """The areas of one or more systems on the same items with their covariances, by sorting each system once.

    The variance of a difference is the sum of the two variances minus twice their covariance; systems evaluated on
    different items have no covariance. `names` are those of the systems, in order; or give their scores by name, as in
    `delong(y_true, {"old": old, "new": new})`.
    """
    if len(y_scores) == 1 and isinstance(y_scores[0], Mapping):
        names, y_scores = [*map(str, y_scores[0])], tuple(y_scores[0].values())
    if not y_scores:
        raise OptionError("delong takes y_true and the scores of at least one system.")
    truth, _ = is_positive(y_true, pos_label)
    ones = np.ones(len(truth), np.int64)
    if names is not None and (isinstance(names, str) or len({*names}) != len(y_scores) or len(names) != len(y_scores)):
        raise OptionError(f"names is {names!r}; give {plural(len(y_scores), 'different name')}, one for each system.")
    scores = [checked_scores(s, len(truth), f"scores {i}") for i, s in enumerate(y_scores, start=1)]
    tallies = [Scored({"score": score, "positive": truth}, ones) for score in scores]
    return replace(of_tallies(tallies), names=tuple(names or ()))


def of_tallies(tallies: Sequence[Scored]) -> DeLong:
    """The same for tallies over the same units."""
    positive, counts = tallies[0].keys["positive"], tallies[0].mass
    if min(counts[positive].sum(), counts[~positive].sum()) <= 1:
        raise OptionError("DeLong's variances need more than one item of each class.")
    m, n, share = _shares(tallies)
    areas = share[:, positive] @ counts[positive] / m
    covariance = np.zeros((len(tallies), len(tallies)))
    for side, size in ((positive, m), (~positive, n)):
        off = share[:, side] - areas[:, None]
        covariance += (off * counts[side]) @ off.T / ((size - 1) * size)
    return DeLong(areas, covariance)


def variance_of_difference(joint: Joint[Any]) -> float:
    """DeLong's variance of the difference of two areas; nan where a class has only one item."""
    positive = joint.a.keys["positive"]
    if min(joint.mass[positive].sum(), joint.mass[~positive].sum()) <= 1:
        return math.nan
    found = of_tallies((joint.a, joint.b)).covariance
    return max(float(found[0, 0] + found[1, 1] - 2 * found[0, 1]), 0.0)


def smoothed_variance(joint: Joint[Any]) -> float:
    """The same with a tenth of an item at each end of each class."""
    _, _, variances, covariance = _varying(joint)
    return max(float(variances.sum()) - 2 * covariance, 0.0)


def together(joint: Joint[Any]) -> Together:
    """Both areas as shares of the number of items that gives their variances, and the correlation of their errors."""
    areas, smooth, variances, covariance = _varying(joint)
    a, b = (Effective(float(at), float(s * (1 - s) / v)) for at, s, v in zip(areas, smooth, variances, strict=True))
    return Together(a, b, covariance / float(np.sqrt(variances.prod())))


def _varying(joint: Joint[Any]) -> tuple[Floats, Floats, Floats, float]:
    """Both areas, the same with a tenth of an item at each end of each class, their variances and their covariance.

    The added items keep the variances above zero if a system separates the classes (by simulation); they differ between
    the systems, and so add nothing to the covariance.
    """
    m, n, share = _shares((joint.a, joint.b))
    positive, counts = joint.a.keys["positive"], joint.mass
    areas = share[:, positive] @ counts[positive] / m
    big = {True: m + 2 * ENDS, False: n + 2 * ENDS}
    smooth = (m * (n * areas + ENDS) / big[False] + ENDS) / big[True]
    variances, covariance = np.zeros(2), 0.0
    for side, of_positives, other in ((positive, True, n), (~positive, False, m)):
        size, others = big[of_positives], big[not of_positives]
        off = (other * share[:, side] + ENDS) / others - smooth[:, None]
        ends = np.array([ENDS / 2, other + 1.5 * ENDS]) / others
        divided = max(size - 1, 0.5) * size
        variances += ((off**2) @ counts[side] + ENDS * ((ends - smooth[:, None]) ** 2).sum(1)) / divided
        both = float(((share[:, side] - areas[:, None]).prod(0) * counts[side]).sum())
        covariance += both * (other / others) ** 2 / divided
    return areas, smooth, variances, covariance


def _shares(tallies: Sequence[Scored]) -> tuple[float, float, Floats]:
    """Both class sizes, and for each unit the share of the other class that it is correctly ordered with."""
    out, m, n = np.empty((len(tallies), len(tallies[0].counts))), 0.0, 0.0
    for row, tally in zip(out, tallies, strict=True):
        e = ByScore.of(tally, tally.mass)
        m, n = float(e.pos.sum()), float(e.neg.sum())
        below, above = placements(e)
        row[:] = ByScore.per_unit(tally, (below / n, above / m))
    return m, n, out
