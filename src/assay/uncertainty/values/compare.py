"""Whether A is better than B, from two values for each item, query, fold or data set."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from assay.errors import OptionError, choose, in_plural, plural
from assay.notes import Aside
from assay.options import (
    ALTERNATIVES,
    LEVEL,
    REPLICATES,
    RESAMPLES,
    SEED,
    VALUE_METHODS,
    VALUE_TESTS,
    VALUE_UNITS,
    ZEROS,
)
from assay.tally.contract.sampling import Floats
from assay.texts import numeral
from assay.uncertainty.hypotheses import FOLD_TESTS, Hypotheses
from assay.uncertainty.one.estimate import check_drawing
from assay.uncertainty.one.inversion import LimitsAt, asked_limits, check_side, p_of_limits
from assay.uncertainty.one.resample import draws_within
from assay.uncertainty.one.shares import smallest_found
from assay.uncertainty.results import Comparison, Effect, Estimate, MarginTest, Signature, Statistic, version
from assay.uncertainty.two.equivalence import check_margin, check_width, margin_test
from assay.uncertainty.two.signs import drawn_sums
from assay.uncertainty.values import folds as of_folds
from assay.uncertainty.values.folds import Folds, describe_folds
from assay.uncertainty.values.intervals import NO_SPREAD, Question, difference_limits, limits_by_level, mean_limits
from assay.uncertainty.values.notes import least_p, notes, unreachable
from assay.uncertainty.values.pairs import ValuePairs, value_pairs
from assay.uncertainty.values.tests import (
    Drawing,
    Judged,
    flips,
    paired_t,
    resampled_means,
    shifted_bootstrap,
    signed_ranks,
    signs,
)

EXCHANGED = "the systems' values can be exchanged {0} by {0}, which assumes only that differences are symmetric"
WHY = {
    "item": ("randomization", EXCHANGED.format("item")),
    "query": ("randomization", EXCHANGED.format("query")),
    "fold": ("corrected_t", "folds share training data, which the corrected resampled t test allows for"),
    "dataset": ("wilcoxon", "data sets differ in scale, and signed ranks keep any single one from dominating"),
}


def compare_values(
    a: Any,
    b: Any,
    *,
    names: tuple[str, str] = ("A", "B"),
    measure: str = "mean",
    unit: str = "item",
    test: str = "auto",
    method: str = "auto",
    alternative: str = "two-sided",
    higher_is_better: bool = True,
    level: float = LEVEL,
    margin: float | None = None,
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
    exact: bool = True,
    strict: bool = False,
    raw_p: bool = False,
    zeros: str = "wilcox",
    cluster: Any = None,
    range: tuple[float, float] | None = None,
    test_train: float | None = None,
    test_sizes: Sequence[float] | None = None,
    train_sizes: Sequence[float] | None = None,
    repeats: int | Sequence[Hashable] | None = None,
) -> Comparison:
    """Compare two systems by paired values: a[i] and b[i] belong to the same item, query, fold or data set.

    `unit` is what each value belongs to: "item", "query", "fold" (of one data set) or "dataset"; the default test
    depends on it. The alternative is about A minus B: "greater" asks whether A's values are higher. `margin` also asks
    whether the difference lies within it. `cluster` names the cluster of each item; items of one cluster are exchanged
    and drawn together. `range` declares the limits of all such values, such as (0, 1): the interval of the mean
    difference of items or queries then allows for large differences that a small sample may not show.

    For folds, `repeats` gives the repetition each belongs to; `test_sizes` and `train_sizes`, or their ratio
    `test_train`, give the numbers of test and training items; without them equal folds are assumed. `zeros` is
    Wilcoxon's rule for pairs without a difference: "wilcox" drops them, "pratt" drops them after ranking, "zsplit"
    counts half of them for each side. `test="t"` also gives Student's interval, unless a method is named.
    `exact=False` always draws. `strict` and `raw_p` set how bootstrap draws are counted, as in `compare`.
    """
    check_drawing(level, n_resamples, random_state)
    _check_choices(unit, test, method, alternative, level, zeros, margin)
    pairs = value_pairs(a, b, names, unit, cluster, range)
    check_width(margin, pairs.range, measure)
    cut = {"test_train": test_train, "test_sizes": test_sizes, "train_sizes": train_sizes, "repeats": repeats}
    chosen, why = WHY[unit] if test == "auto" else (test, "")
    method = _own_method(test, method, pairs)
    drawing = Drawing(n_resamples, random_state, exact, strict, raw_p)
    asked = _Asked(pairs, _folds(pairs, cut), measure, chosen, alternative, level, higher_is_better, drawing, zeros)
    return asked.comparison(method, margin, why)


def _own_method(test: str, method: str, pairs: ValuePairs) -> str:
    """A classical test that was named has its own interval, unless a method was named too."""
    own = (test, method) == ("t", "auto") and pairs.unit != "fold" and pairs.cluster is None
    return "t" if own else method


def _check_choices(
    unit: str, test: str, method: str, alternative: str, level: float, zeros: str, margin: float | None
) -> None:
    choose(unit, VALUE_UNITS, "unit")
    choose(test, ("auto", *VALUE_TESTS), "test")
    choose(method, VALUE_METHODS, "method")
    choose(alternative, ALTERNATIVES, "alternative")
    check_side(level, alternative)
    choose(zeros, ZEROS, "zeros")
    check_margin(margin)


def _folds(pairs: ValuePairs, cut: dict[str, Any]) -> Folds | None:
    if pairs.unit == "fold":
        if pairs.cluster is not None:
            raise OptionError("cluster is for values of items or queries; group folds with repeats= instead.")
        return describe_folds(pairs.n, **cut)
    given = [name for name, value in cut.items() if value is not None]
    if given:
        raise OptionError(
            f"{given[0]} describes folds, but these values are of {in_plural(pairs.noun)}; give unit='fold'."
        )
    return None


def _refuse(pairs: ValuePairs, test: str, alternative: str) -> None:
    """Refuse tests whose assumptions these values do not meet."""
    if test == "none":
        return
    if pairs.unit == "fold" and test not in FOLD_TESTS:
        raise OptionError(
            f"the test {test} assumes independent values, but folds share training data: their variance comes out too "
            "small, and the test finds differences that do not exist. Use the test corrected_t, or 5x2cv for 5 × 2 "
            "folds."
        )
    if pairs.unit != "fold" and test in FOLD_TESTS:
        usual = WHY[pairs.unit][0]
        raise OptionError(f"the test {test} is for values of folds; name the fold of each value, or use {usual}.")
    if pairs.cluster is not None and test not in ("randomization", "bootstrap"):
        raise OptionError(
            f"the test {test} assumes independent values, but values of one cluster are not. "
            "Use randomization, which exchanges whole clusters, or the bootstrap, which draws them."
        )
    if test == "5x2cv_f" and alternative != "two-sided":
        raise OptionError(
            "the combined 5×2cv F test is two-sided only; use the test 5x2cv, or leave out the alternative."
        )


@dataclass(frozen=True)
class _Asked:
    """Everything that a comparison is made from."""

    pairs: ValuePairs
    folds: Folds | None
    measure: str
    test: str
    alternative: str
    level: float
    higher_is_better: bool
    drawing: Drawing
    zeros: str

    def __post_init__(self) -> None:
        _refuse(self.pairs, self.test, self.alternative)

    @property
    def question(self) -> Question:
        return Question(self.pairs, self.level, self.drawing, self.folds)

    def comparison(self, method: str, margin: float | None, why: str) -> Comparison:
        """The difference with its interval first, then the test."""
        pairs = self.pairs
        question = self.question
        made = difference_limits(question, method)
        limits_at = limits_by_level(question, method)
        low, high = (None, None) if made.low is None else asked_limits(limits_at, self.level, self.alternative)
        judged = self.judged()
        h0, h1 = self.hypotheses.sentences(self.measure)
        mde, no_mde = self.mde()
        drawn = made.drawn or judged.extreme is not None
        return Comparison(
            a=self.estimate(pairs.a),
            b=self.estimate(pairs.b),
            names=pairs.names,
            difference=pairs.difference,
            low=low,
            high=high,
            both_sides=(made.low, made.high),
            standard_error=made.standard_error,
            level=self.level,
            method=made.method,
            p_value=judged.p,
            p_interval=self.p_interval(judged, limits_at) if made.low is not None else None,
            least_p=least_p(pairs, self.test, self.alternative),
            test=self.test,
            statistic=judged.statistic,
            alternative=self.alternative,
            h0=h0,
            h1=h1,
            hypotheses=self.hypotheses,
            draws=judged.draws,
            extreme=judged.extreme,
            n=pairs.n,
            item=pairs.noun,
            disagreements=int((pairs.d != 0).sum()),
            reason=made.reason,
            signature=str(self.signature(made.method, self.level, drawn, judged)),
            notes=(*judged.notes, *notes(pairs, self.folds, self.test, self.alternative, self.level), *made.notes),
            higher_is_better=self.higher_is_better,
            why=why,
            effect=_effect(pairs),
            mde=mde,
            mde_reason=no_mde,
            margin=None if margin is None else self.margin(margin, limits_at),
            leaning=judged.leaning,
            form=judged.form,
            replicates=self.replicates,
        )

    # ------------------------------------------------------------------ parts
    @property
    def hypotheses(self) -> Hypotheses:
        """What the test supposes, and its alternative."""
        unit = self.pairs.noun if self.pairs.cluster is None else "cluster"
        return Hypotheses(self.pairs.names, self.test, self.alternative, self.pairs.noun, unit, of_values=True)

    def judged(self) -> Judged:
        """The test that was asked for."""
        pairs, side = self.pairs, self.alternative
        if self.test == "randomization":
            return flips(pairs, side, self.drawing)
        if self.test == "bootstrap":
            return shifted_bootstrap(pairs, side, self.drawing)
        if self.test == "wilcoxon":
            return signed_ranks(pairs, side, self.zeros)
        if self.test in ("t", "sign"):
            return paired_t(pairs, side) if self.test == "t" else signs(pairs, side)
        if self.folds is None or self.test == "none":
            return Judged(None, None)
        if self.test == "corrected_t":
            t, p = of_folds.corrected_t(pairs.d, self.folds, side)
            return _of_folds("t", t, p, (pairs.n - 1,), f"{plural(pairs.n - 1, 'degree')} of freedom")
        if self.test == "5x2cv":
            t, p = of_folds.five_by_two_t(pairs.d, self.folds, side)
            found = _of_folds("t", t, p, (5,), "5 degrees of freedom; its sign is that of the first fold")
            return replace(found, leaning=None if t is None else int(np.sign(t)))
        f, p = of_folds.five_by_two_f(pairs.d, self.folds)
        return _of_folds("F", f, p, (10, 5), "10 and 5 degrees of freedom")

    def estimate(self, values: Floats, level: float | None = None) -> Estimate:
        """The mean of one system's values."""
        level = self.level if level is None else level
        made = mean_limits(self.pairs, values, level)
        sd, noun = float(values.std(ddof=1)), self.pairs.noun
        over = (f"standard deviation over {plural(len(values), noun)}: {sd:.4g}",)
        return Estimate(
            measure=self.measure,
            value=float(values.mean()),
            low=made.low,
            high=made.high,
            level=level,
            method=made.method,
            n=len(values),
            reason=made.reason,
            signature=str(self.signature(made.method, level)),
            notes=over if self.pairs.unit == "fold" else (),
            higher_is_better=self.higher_is_better,
            standard_error=made.standard_error,
            again=partial(self.estimate, values),
        )

    def signature(self, method: str, level: float, drawn: bool = False, judged: Judged | None = None) -> Signature:
        """How a number was made, with a fingerprint of all values; the draws only where something was drawn."""
        pairs = self.pairs
        mark = hashlib.sha256(pairs.a.tobytes() + pairs.b.tobytes()).hexdigest()[:12]
        parts = [("assay", version()), ("measure", self.measure), ("n", str(pairs.n)), ("unit", pairs.unit)]
        parts += [("values", mark), ("method", method), ("level", f"{level:g}")]
        if drawn:
            parts += [("draws", str(self.drawing.draws)), ("seed", str(self.drawing.seed))]
        if judged is not None:
            named = "none" if judged.statistic is None else judged.statistic.name
            parts += [("test", self.test), ("statistic", named), ("alternative", self.alternative)]
        return Signature(tuple(parts))

    def mde(self) -> tuple[float | None, str | None]:
        """The smallest true difference that is detected with 80% power, from the spread of the differences."""
        if self.test in ("none", "wilcoxon", "sign", "5x2cv", "5x2cv_f"):
            return None, {
                "none": "no test was made",
                "wilcoxon": "the power of signed ranks depends on the shape of the differences",
                "sign": "the sign test looks at which system is higher, not by how much",
            }.get(self.test, "the spread within pairs of folds says too little about the power of the 5×2cv tests")
        pairs, se = self.pairs, self.question.se
        if se <= 1e-12 * float(np.abs(pairs.d).max()):
            return None, NO_SPREAD
        if unreachable(pairs, self.test, self.alternative, self.level) is not None:
            return None, "too few values differ for this test to find anything"
        return smallest_found(se, self.question.df, self.level, self.alternative), None

    def margin(self, margin: float, limits_at: LimitsAt) -> MarginTest:
        """Two one-sided tests by the interval of the difference."""
        return margin_test(limits_at, self.pairs.difference, margin, self.higher_is_better, self.level)

    def p_interval(self, judged: Judged, limits_at: LimitsAt) -> float | None:
        """Where the interval just reaches 0; of no use with a test that is not about the mean."""
        if judged.p is None or judged.leaning is not None:
            return None
        return p_of_limits(limits_at, self.pairs.difference, self.level, self.alternative)

    def replicates(self, kind: str, work: int | None = None) -> Floats:
        """Draws of the mean difference ("difference"), or of what it would be under H0 ("null")."""
        choose(kind, REPLICATES, "replicates")
        if self.folds is not None:
            raise OptionError("folds are not resampled: they share training data, so resamples would vary too little.")
        drawing = self.drawing
        if work is not None:
            drawing = replace(drawing, draws=draws_within(work, self.pairs.n, drawing.draws))
        if kind != "difference" and self._flipped(kind):
            return drawn_sums(self.pairs.sums, None, drawing.draws, drawing.seed) / self.pairs.n
        drawn = np.concatenate(list(resampled_means(self.pairs, drawing)))
        return drawn if kind == "difference" else drawn - self.pairs.difference

    def _flipped(self, kind: str) -> bool:
        """Whether differences may change their signs under H0; otherwise they are shifted to a mean of 0.

        The sign test assumes nothing about how large differences are, and so nothing about their mean.
        """
        if kind == "null difference" and self.test in ("sign", "none"):
            raise OptionError(f"the test '{self.test}' assumes nothing about the mean difference.")
        return self.test == "randomization" or (self.test == "wilcoxon" and kind == "null difference")


def _of_folds(name: str, value: float | None, p: float | None, df: tuple[float, ...], degrees: str) -> Judged:
    if value is None:
        return Judged(None, None, notes=(NO_SPREAD,))
    return Judged(p, Statistic(name, value, df), notes=(Aside(f"{name} = {numeral(value, '.4g')} with {degrees}"),))


def _effect(pairs: ValuePairs) -> Effect:
    d = pairs.d
    sd, wins, losses = float(d.std(ddof=1)), int((d > 0).sum()), int((d < 0).sum())
    flat = sd <= 1e-12 * float(np.abs(d).max())
    shares: dict[str, Any] = {}
    if pairs.binary:
        both = int((pairs.a * pairs.b).sum())
        shares = {"only_a": wins, "only_b": losses, "both": both, "neither": pairs.n - wins - losses - both}
        shares["odds_ratio"] = wins / losses if losses else (float("inf") if wins else None)
    return Effect(
        **shares,
        d_z=None if flat else pairs.difference / sd,
        superiority=(wins + (pairs.n - wins - losses) / 2) / pairs.n,
    )
