"""Two systems on the same items and a measure: what is compared, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from assay.errors import OptionError, choose, written
from assay.measures.declare.bound import Bound
from assay.options import ALTERNATIVES, LEVEL, PAIRED_METHODS, RESAMPLES, SEED, STATISTICS, TESTS, VALUE_TESTS
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats
from assay.uncertainty.one.estimate import check_drawing
from assay.uncertainty.one.influence import added_up, few_features, in_columns, influences, is_linear, unit_rows
from assay.uncertainty.one.inversion import check_side
from assay.uncertainty.one.problem import weight_factor
from assay.uncertainty.one.resample import (
    draw_times,
    draws_within,
    in_chunks,
    jackknife_values,
    jackknife_variance,
    refuse_drawing,
)
from assay.uncertainty.one.shares import normal_quantile
from assay.uncertainty.results import Estimate
from assay.uncertainty.two.discordant import Discordant, discordant
from assay.uncertainty.two.equivalence import check_margin
from assay.uncertainty.two.exchange import InSigns

UNDEFINED_WITHOUT = "undefined when one unit is left out"


def check_two_names(names: object) -> None:
    """Refuse names that do not distinguish two systems."""
    if not isinstance(names, list | tuple) or len(names) != 2 or names[0] == names[1]:
        raise OptionError(f"names is {names!r}; give two different names, one for each system.")


@dataclass(frozen=True)
class How:
    """How a comparison is made."""

    level: float = LEVEL
    method: str = "auto"
    test: str = "auto"
    statistic: str = "auto"
    alternative: str = "two-sided"
    margin: float | None = None
    strict: bool = False
    raw_p: bool = False
    n_resamples: int = RESAMPLES
    random_state: int = SEED
    family: int = 1  # how many comparisons are corrected for together

    def __post_init__(self) -> None:
        check_drawing(self.level, self.n_resamples, self.random_state)
        choose(self.method, PAIRED_METHODS, "method")
        if self.test in VALUE_TESTS and self.test not in TESTS:
            use = written("name these with --folds or --datasets", "use compare_values, or compare_repeated for files")
            raise OptionError(f"the test {self.test} is for values of folds or data sets; {use}.")
        choose(self.test, ("auto", *TESTS), "test")
        choose(self.statistic, STATISTICS, "statistic")
        choose(self.alternative, ALTERNATIVES, "alternative")
        check_side(self.level, self.alternative)
        check_margin(self.margin)
        if (self.strict or self.raw_p) and self.test != "bootstrap":
            option = "strict" if self.strict else "raw_p"
            raise OptionError(
                f"'{option}' sets how bootstrap draws are counted; it applies only to the test bootstrap."
            )
        if self.statistic != "auto" and self.test not in ("auto", "randomization"):
            raise OptionError("a statistic can be chosen only for the test randomization; other tests have their own.")

    @property
    def drawing(self) -> dict[str, Any]:
        """The options of a single estimate."""
        return {"level": self.level, "n_resamples": self.n_resamples, "random_state": self.random_state}


@dataclass(frozen=True)
class Pair:
    """Two systems, a measure, and how much drawing is allowed."""

    joint: Joint[Any]
    bound: Bound
    a: Estimate
    b: Estimate
    level: float
    draws: int
    seed: int
    # What does not depend on the level is computed once, for this pair and for the same one at other levels.
    found: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def difference(self) -> float:
        """A minus B."""
        return float(self.a) - float(self.b)

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return normal_quantile(self.level)

    @property
    def width(self) -> float:
        """The largest possible difference."""
        low, high = self.bound.range
        return high - low

    @property
    def apart(self) -> int | None:
        """On how many items the systems differ, as the measure sees them: as probabilities, labels or ranks."""
        return self.joint.apart_as_they_are if self.bound.measure.paired.as_they_are else self.joint.disagreements

    @property
    def hits(self) -> Discordant | None:
        """Items that are a hit for one system only, where the measure is a share of independent items."""
        if "hits" not in self.found:
            self.found["hits"] = None if self.joint.a.clusters is not None else discordant(self.joint, self.bound)
        found: Discordant | None = self.found["hits"]
        return found

    @cached_property
    def factor(self) -> float:
        """By how much unequal weights multiply the variance that the table alone would give the difference."""
        weights = self.joint.a.weights
        return 1.0 if weights is None else weight_factor(weights, self.slopes(self.joint.mass))

    @cached_property
    def signs(self) -> InSigns | None:
        """The signs whose sum is the raw difference under exchange, where it is one."""
        return InSigns.of(self.joint, self.bound)

    def values(self, w: Floats) -> Floats:
        """The difference at multiplicities of joint units."""
        return np.asarray(self.bound.at(self.joint.a, w) - self.bound.at(self.joint.b, w))

    def slopes(self, w: Floats) -> Floats:
        """How much one item of each joint unit moves the difference."""
        return influences(self.bound, self.joint.a, w) - influences(self.bound, self.joint.b, w)

    @property
    def units(self) -> int:
        """How many numbers one draw needs."""
        return max(len(self.joint.counts), len(self.joint.sampling.counts))

    def within(self, work: int) -> Pair:
        """The same pair with few enough draws that no more numbers than this are drawn."""
        return replace(self, draws=draws_within(work, self.units, self.draws))

    def drawn(self) -> Floats:
        """The difference on resampled tallies, both systems resampled together."""
        key = (self.draws, self.seed)
        if key not in self.found:
            self.found[key] = self._drawn()
        return np.asarray(self.found[key])

    def _drawn(self) -> Floats:
        refuse_drawing(self.bound, self.joint.a)
        sampling = self.joint.sampling

        read = self._reader()

        def work(rng: np.random.Generator, size: int) -> Floats:
            return read(sampling.spread(draw_times(sampling, size, rng)))

        return np.concatenate(list(in_chunks(work, self.draws, self.seed, self.units)))

    def _reader(self) -> Callable[[Floats], Floats]:
        """How differences are read from multiplicities: through sums of rows, where the evidence is one."""
        if not is_linear(self.bound) or not few_features(self.bound, self.joint.a):
            return self.values
        like: Any = self.bound.evidence.of(self.joint.a, self.joint.mass)
        a, b = (in_columns(unit_rows(self.bound, side)) for side in (self.joint.a, self.joint.b))

        def read(w: Floats) -> Floats:
            return np.asarray(
                self.bound(like.with_features(added_up(w, a))) - self.bound(like.with_features(added_up(w, b)))
            )

        return read

    def left_out(self) -> tuple[Floats, Floats, Floats]:
        """Each side without one item or cluster, and how often each such value arises."""
        if "left out" not in self.found:
            a, times = jackknife_values(self.bound, self.joint.a)
            b, _ = jackknife_values(self.bound, self.joint.b)
            self.found["left out"] = a, b, times
        left: tuple[Floats, Floats, Floats] = self.found["left out"]
        return left

    def jackknifed(self) -> tuple[Floats, Floats, float] | None:
        """The differences without one unit, how often each arises, and the variance they give; None if undefined."""
        left_a, left_b, times = self.left_out()
        values = left_a - left_b
        if times.sum() < 2 or np.isnan(values).any():
            return None
        return values, times, jackknife_variance(values, times)
