"""Populations of scores meant as probabilities: normal or gamma-shaped, calibrated or not, in clusters or not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, gammaln
from scipy.stats import gamma, norm

from assay.measures.declare.measure import Measure
from assay.tally.contract.sampling import Clusters, Floats
from assay.tally.scores import Scored
from scripts.coverage_populations import LARGE, QUANTILES, Sample

SHAPE = 2.0  # of the gamma distribution of negatives


@dataclass(frozen=True, eq=False)
class Probabilities:
    """A signal x is N(0, 1) or Gamma(2) for negatives, and N(shift, 1) or Gamma(2 + shift) for positives.

    The score is the probability of a positive given x, with its log-odds multiplied by `sharp`: 1 is calibrated, 2 too
    sure, ½ too unsure. In clusters, normal signals have an intraclass correlation, and so do the classes of the items.
    """

    name: str
    n: int
    prevalence: float
    shift: float
    sharp: float = 1.0
    shape: str = "normal"
    clusters: int = 0
    icc: float = 0.0

    def samples(self, size: int, rng: np.random.Generator) -> Iterator[Sample]:
        """Scores are continuous, so no two samples are alike."""
        for _ in range(size):
            truth, sign, clusters = self._grouped(rng) if self.clusters else self._alone(rng)
            keys = {"score": self.score(sign), "positive": truth}
            yield Scored(keys, np.ones(len(truth), np.int64), clusters, positive="1"), 1

    def _alone(self, rng: np.random.Generator) -> tuple[Any, Floats, None]:
        truth = rng.random(self.n) < self.prevalence
        if self.shape == "normal":
            return truth, rng.standard_normal(self.n) + self.shift * truth, None
        return truth, rng.standard_gamma(SHAPE + self.shift * truth), None

    def _grouped(self, rng: np.random.Generator) -> tuple[Any, Floats, Clusters]:
        sizes = rng.geometric(self.clusters / self.n, size=self.clusters)
        code = np.repeat(np.arange(self.clusters), sizes)
        concentration = 1 / self.icc - 1
        own = rng.beta(self.prevalence * concentration, (1 - self.prevalence) * concentration, self.clusters)
        truth = rng.random(len(code)) < own[code]
        common, alone = rng.standard_normal(self.clusters), rng.standard_normal(len(code))
        sign = self.shift * truth + math.sqrt(self.icc) * common[code] + math.sqrt(1 - self.icc) * alone
        names = tuple(f"{i:04d}" for i in range(self.clusters))
        return truth, sign, Clusters(names, code, np.arange(len(code)), np.ones(len(code), np.int64))

    def score(self, sign: Floats) -> Floats:
        """The probability that is reported for a signal."""
        if self.shape == "normal":
            known = self.shift * sign - self.shift**2 / 2
        else:
            known = self.shift * np.log(sign) - gammaln(SHAPE + self.shift) + gammaln(SHAPE)
        return np.asarray(expit(self.sharp * (math.log(self.prevalence / (1 - self.prevalence)) + known)))

    def truth(self, measure: Measure, options: dict[str, Any]) -> float:
        """The formula on 20,000 quantiles of each class."""
        at = (np.arange(QUANTILES) + 0.5) / QUANTILES
        if self.shape == "normal":
            signs = [norm.ppf(at), self.shift + norm.ppf(at)]
        else:
            signs = [gamma.ppf(at, SHAPE), gamma.ppf(at, SHAPE + self.shift)]
        positive = np.repeat([False, True], QUANTILES)
        keys = {"score": self.score(np.concatenate(signs)), "positive": positive}
        ideal = Scored(keys, np.ones(2 * QUANTILES, np.int64), positive="1")
        w = LARGE / QUANTILES * np.where(positive, self.prevalence, 1 - self.prevalence)
        return float(measure.bind(ideal, **options).at(ideal, w))
