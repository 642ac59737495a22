"""The public names of assay, for editors and type checkers.

Written by `make docs` from the declarations; a test says when it is out of date.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.advice.advise import Advice as Advice
from assay.advice.advise import advise as advise
from assay.errors import AssayError as AssayError
from assay.errors import DataError as DataError
from assay.errors import OptionError as OptionError
from assay.errors import UnknownMeasure as UnknownMeasure
from assay.jobs.answers.results import Report as Report
from assay.jobs.classes.per_class import PerClass as PerClass
from assay.jobs.comparison.disagreements import disagreements as disagreements
from assay.jobs.comparison.prefer import prefer as prefer
from assay.jobs.comparison.repeated import compare_repeated as compare_repeated
from assay.jobs.curves import curves as curves
from assay.jobs.plan import Planning
from assay.jobs.ranking.rank import rank as rank
from assay.jobs.tune import tune as tune
from assay.measures.declare.measure import Measure as Measure
from assay.measures.labels.costs import break_even_threshold as break_even_threshold
from assay.measures.labels.costs import class_weights as class_weights
from assay.measures.scores.calibration import brier_parts as brier_parts
from assay.measures.scores.calibration import calibration_curve as calibration_curve
from assay.measures.scores.calibration import ece_if_calibrated as ece_if_calibrated
from assay.measures.scores.curves import pr_curve as pr_curve
from assay.measures.scores.curves import roc_curve as roc_curve
from assay.measures.scores.delong import delong as delong
from assay.measures.scores.dominance import dominance as dominance
from assay.protocols.scorers import Scorer
from assay.tally.class_scores import ClassScored as ClassScored
from assay.tally.clusterings import Contingency as Contingency
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint as Joint
from assay.tally.count.counts import Counts as Counts
from assay.tally.guesses import Guessed as Guessed
from assay.tally.labels import Confusion as Confusion
from assay.tally.matrix import ConfusionMatrix as ConfusionMatrix
from assay.tally.preferences import Preferences as Preferences
from assay.tally.rankings import Ranked as Ranked
from assay.tally.ratings import Rated as Rated
from assay.tally.scores import Scored as Scored
from assay.uncertainty.curves.bands import curve_band as curve_band
from assay.uncertainty.many.corrections import benjamini_hochberg as benjamini_hochberg
from assay.uncertainty.many.corrections import benjamini_yekutieli as benjamini_yekutieli
from assay.uncertainty.many.corrections import bonferroni as bonferroni
from assay.uncertainty.many.corrections import hochberg as hochberg
from assay.uncertainty.many.corrections import holm as holm
from assay.uncertainty.many.ranks import CriticalDifference, Friedman, PostHoc
from assay.uncertainty.many.ranks import friedman as friedman
from assay.uncertainty.many.standings import cochrans_q as cochrans_q
from assay.uncertainty.results import Comparison as Comparison
from assay.uncertainty.results import Estimate as Estimate
from assay.uncertainty.results import Interval as Interval
from assay.uncertainty.results import Statistic as Statistic
from assay.uncertainty.values.folds import five_numbers as five_numbers

__version__: str

_Method = Literal[
    "auto",
    "wald",
    "wilson",
    "clopper_pearson",
    "agresti_coull",
    "jeffreys",
    "midp",
    "fisher_z",
    "jaccard",
    "effective_n",
    "mover",
    "delong",
    "logit_delong",
    "newcombe_auc",
    "hanley_mcneil",
    "smoothed_log",
    "robust",
    "midp_draws",
    "dirichlet",
    "percentile",
    "basic",
    "bca",
    "studentized",
    "jackknife",
    "logit_delta",
    "smoothed",
    "cluster_jackknife",
    "cluster_factor",
    "bounded_t",
    "model_jackknife",
]
_Average = Literal["binary", "macro", "micro", "weighted"]
_Labels = Sequence[object] | ArrayLike | Literal["observed", "gold"] | None

class _HasArray(Protocol):
    def __array__(self) -> NDArray[Any]: ...

_Scores = _HasArray | Sequence[float] | Sequence[Sequence[float]] | Sequence[np.floating[Any]]

def compare(
    *data: Any,
    measure: str | Measure,
    names: tuple[str, str] = ("A", "B"),
    level: float = 0.95,
    method: Literal[
        "auto",
        "tango",
        "newcombe",
        "smoothed_delta",
        "delong",
        "smoothed_delong",
        "delong_mover",
        "mover",
        "cluster_mover",
        "percentile",
        "basic",
        "bca",
        "studentized",
        "jackknife",
        "bounded_t",
        "model_jackknife",
    ] = "auto",
    test: Literal[
        "auto",
        "randomization",
        "bootstrap",
        "mcnemar",
        "mcnemar_midp",
        "mcnemar_chi2",
        "mcnemar_chi2_corrected",
        "sign",
        "delong",
        "interval",
        "none",
    ] = "auto",
    statistic: Literal["auto", "studentized", "raw"] = "auto",
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    margin: float | None = None,
    strict: bool = False,
    raw_p: bool = False,
    unpaired: bool = False,
    n_resamples: int = 9999,
    random_state: int = 0,
    y_true: ArrayLike = ...,
    y_pred: ArrayLike = ...,
    prevalence: float | None = ...,
    labels: _Labels = ...,
    sample_weight: ArrayLike | None = ...,
    cluster: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    a: Any = ...,
    b: Any = ...,
    positive: object = ...,
    map: Mapping[Any, Any] | str | None = ...,
    ignore_case: bool = ...,
    numeric_labels: bool = ...,
    weights: Literal["none", "linear", "quadratic"] = ...,
    average: _Average = ...,
    pos_label: object = ...,
    undefined: Literal["zero", "exclude", "null"] = ...,
    beta: float = ...,
    alpha: float | None = ...,
    fp: float = ...,
    fn: float = ...,
    matrix: ArrayLike | None = ...,
    of: Literal["mean", "total", "normalized"] = ...,
    guesses: Sequence[Sequence[object]] | ArrayLike = ...,
    k: int | None = ...,
    y_score: _Scores | Mapping[Any, ArrayLike] = ...,
    max_fpr: float | None = ...,
    standardized: bool = ...,
    multi_class: Literal["ovr", "ovo"] = ...,
    bins: int | None = ...,
    scale_by_half: bool | Literal["auto"] = ...,
    binning: Literal["mass", "width"] = ...,
    qrels: Any = ...,
    run: Any = ...,
    gain: Literal["linear", "exponential"] = ...,
    discount: Literal["log2", "original"] = ...,
    judged_only: bool = ...,
    relevant_from: float | None = ...,
    no_relevant: str | None = ...,
    p: float = ...,
    max_grade: float | None = ...,
    p_break: float = ...,
    recall: float = ...,
    rule: Literal["definition", "trec_eval"] = ...,
    ratings: Any = ...,
    winner: ArrayLike = ...,
    first: ArrayLike | None = ...,
    systems: Sequence[object] | None = ...,
    focus: object = ...,
    missing: str = ...,
    places: bool = ...,
    zero_division: float | Literal["warn"] = ...,
    y_proba: _Scores | Mapping[Any, ArrayLike] = ...,
    y_prob: _Scores | Mapping[Any, ArrayLike] = ...,
) -> Comparison:
    """Compare two systems on the same items: `compare(y_true, a, b, measure="f1")`, or a joint tally."""

def compare_values(
    a: Any,
    b: Any,
    *,
    names: tuple[str, str] = ("A", "B"),
    measure: str = "mean",
    unit: Literal["item", "query", "fold", "dataset"] = "item",
    test: Literal[
        "auto", "randomization", "bootstrap", "t", "wilcoxon", "sign", "corrected_t", "5x2cv", "5x2cv_f", "none"
    ] = "auto",
    method: Literal[
        "auto",
        "t",
        "jackknife",
        "percentile",
        "bca",
        "studentized",
        "tango",
        "bounded_t",
        "cluster_jackknife",
        "corrected_t",
    ] = "auto",
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    higher_is_better: bool = True,
    level: float = 0.95,
    margin: float | None = None,
    n_resamples: int = 9999,
    random_state: int = 0,
    exact: bool = True,
    strict: bool = False,
    raw_p: bool = False,
    zeros: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
    cluster: Any = None,
    range: tuple[float, float] | None = None,
    test_train: float | None = None,
    test_sizes: Sequence[float] | None = None,
    train_sizes: Sequence[float] | None = None,
    repeats: int | Sequence[Hashable] | None = None,
) -> Comparison:
    """Compare two systems by paired values: a[i] and b[i] belong to the same item, query, fold or data set."""

def estimate(
    measure: str | Measure,
    *data: Any,
    level: float = 0.95,
    method: Literal[
        "auto",
        "wald",
        "wilson",
        "clopper_pearson",
        "agresti_coull",
        "jeffreys",
        "midp",
        "fisher_z",
        "jaccard",
        "effective_n",
        "mover",
        "delong",
        "logit_delong",
        "newcombe_auc",
        "hanley_mcneil",
        "smoothed_log",
        "robust",
        "midp_draws",
        "dirichlet",
        "percentile",
        "basic",
        "bca",
        "studentized",
        "jackknife",
        "logit_delta",
        "smoothed",
        "cluster_jackknife",
        "cluster_factor",
        "bounded_t",
        "model_jackknife",
    ] = "auto",
    n_resamples: int = 9999,
    random_state: int = 0,
    strict: bool = False,
    y_true: ArrayLike = ...,
    y_pred: ArrayLike = ...,
    prevalence: float | None = ...,
    labels: _Labels = ...,
    sample_weight: ArrayLike | None = ...,
    cluster: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    weights: Literal["none", "linear", "quadratic"] = ...,
    average: _Average = ...,
    pos_label: object = ...,
    undefined: Literal["zero", "exclude", "null"] = ...,
    beta: float = ...,
    alpha: float | None = ...,
    fp: float = ...,
    fn: float = ...,
    matrix: ArrayLike | None = ...,
    of: Literal["mean", "total", "normalized"] = ...,
    guesses: Sequence[Sequence[object]] | ArrayLike = ...,
    k: int | None = ...,
    y_score: _Scores | Mapping[Any, ArrayLike] = ...,
    max_fpr: float | None = ...,
    standardized: bool = ...,
    multi_class: Literal["ovr", "ovo"] = ...,
    bins: int | None = ...,
    scale_by_half: bool | Literal["auto"] = ...,
    binning: Literal["mass", "width"] = ...,
    qrels: Any = ...,
    run: Any = ...,
    gain: Literal["linear", "exponential"] = ...,
    discount: Literal["log2", "original"] = ...,
    judged_only: bool = ...,
    relevant_from: float | None = ...,
    no_relevant: str | None = ...,
    p: float = ...,
    max_grade: float | None = ...,
    p_break: float = ...,
    recall: float = ...,
    rule: Literal["definition", "trec_eval"] = ...,
    ratings: Any = ...,
    a: Any = ...,
    b: Any = ...,
    winner: ArrayLike = ...,
    first: ArrayLike | None = ...,
    systems: Sequence[object] | None = ...,
    focus: object = ...,
    missing: str = ...,
    places: bool = ...,
    positive: object = ...,
    zero_division: float | Literal["warn"] = ...,
    y_proba: _Scores | Mapping[Any, ArrayLike] = ...,
    y_prob: _Scores | Mapping[Any, ArrayLike] = ...,
) -> Estimate:
    """The measure's value with its interval, from arrays or a tally: an `Estimate`."""

def classification_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[object] | str | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    level: float = 0.95,
    method: Literal[
        "auto",
        "wald",
        "wilson",
        "clopper_pearson",
        "agresti_coull",
        "jeffreys",
        "midp",
        "fisher_z",
        "jaccard",
        "effective_n",
        "mover",
        "delong",
        "logit_delong",
        "newcombe_auc",
        "hanley_mcneil",
        "smoothed_log",
        "robust",
        "midp_draws",
        "dirichlet",
        "percentile",
        "basic",
        "bca",
        "studentized",
        "jackknife",
        "logit_delta",
        "smoothed",
        "cluster_jackknife",
        "cluster_factor",
        "bounded_t",
        "model_jackknife",
    ] = "auto",
    n_resamples: int = 9999,
    random_state: int = 0,
    zero_division: float | Literal["warn"] = "warn",
    digits: None = None,
    output_dict: Literal[False] = False,
) -> PerClass:
    """Precision, recall and F1 of every class, with intervals, gold rows and predicted rows, and their averages."""

def evaluate(
    data: Any,
    y_pred: Any = None,
    *,
    gold: str | None = None,
    pred: str | Sequence[str] | Mapping[str, str] | None = None,
    systems: Mapping[str, Any] | None = None,
    id: str | None = None,
    by_position: bool = False,
    missing: Literal["error", "wrong", "skip"] = "error",
    positive: object | None = None,
    labels: Sequence[object] | str | None = None,
    map: Mapping[Any, Any] | str | None = None,
    ignore_case: bool = False,
    numeric_labels: bool = False,
    cluster: str | Any | None = None,
    weight: str | Any | None = None,
    count: str | Any | None = None,
    slices: str | Sequence[str] | Any = (),
    crossed: bool = False,
    guesses: Mapping[str, Sequence[str]] | None = None,
    scores: str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None = None,
    threshold: float | Mapping[str, float] | None = None,
    score_bins: int | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    costs: Any = None,
    prevalence: float | None = None,
    tables: Sequence[str] = (),
    rows: Literal["gold", "pred"] = "gold",
    level: float = 0.95,
    method: Literal[
        "auto",
        "wald",
        "wilson",
        "clopper_pearson",
        "agresti_coull",
        "jeffreys",
        "midp",
        "fisher_z",
        "jaccard",
        "effective_n",
        "mover",
        "delong",
        "logit_delong",
        "newcombe_auc",
        "hanley_mcneil",
        "smoothed_log",
        "robust",
        "midp_draws",
        "dirichlet",
        "percentile",
        "basic",
        "bca",
        "studentized",
        "jackknife",
        "logit_delta",
        "smoothed",
        "cluster_jackknife",
        "cluster_factor",
        "bounded_t",
        "model_jackknife",
    ] = "auto",
    n_resamples: int = 9999,
    random_state: int = 0,
    pos_label: object | None = ...,
    score: str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None = ...,
    sample_weight: str | Any | None = ...,
) -> Report:
    """Evaluate one or more systems on a file, a data frame, a mapping of columns, a tally, or arrays."""

def compare_systems(
    data: Any = None,
    y_pred: Any = None,
    *,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None,
    costs: Any = None,
    baseline: str | None = None,
    correction: Literal["holm", "hochberg", "bonferroni", "benjamini_hochberg", "benjamini_yekutieli", "none"] = "holm",
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    margin: float | None = None,
    strict: bool = False,
    raw_p: bool = False,
    test: Literal[
        "auto",
        "randomization",
        "bootstrap",
        "mcnemar",
        "mcnemar_midp",
        "mcnemar_chi2",
        "mcnemar_chi2_corrected",
        "sign",
        "delong",
        "interval",
        "none",
    ] = "auto",
    statistic: Literal["auto", "studentized", "raw"] = "auto",
    unpaired: bool = False,
    level: float = 0.95,
    method: Literal[
        "auto",
        "tango",
        "newcombe",
        "smoothed_delta",
        "delong",
        "smoothed_delong",
        "delong_mover",
        "mover",
        "cluster_mover",
        "percentile",
        "basic",
        "bca",
        "studentized",
        "jackknife",
        "bounded_t",
        "model_jackknife",
    ] = "auto",
    n_resamples: int = 9999,
    random_state: int = 0,
    gold: str | None = None,
    pred: str | Sequence[str] | Mapping[str, str] | None = None,
    systems: Mapping[str, Any] | None = None,
    id: str | None = None,
    by_position: bool = False,
    missing: Literal["error", "wrong", "skip"] = "error",
    positive: object | None = None,
    labels: Sequence[object] | str | None = None,
    map: Mapping[Any, Any] | str | None = None,
    ignore_case: bool = False,
    numeric_labels: bool = False,
    cluster: str | Any | None = None,
    weight: str | Any | None = None,
    count: str | Any | None = None,
    slices: str | Sequence[str] | Any = (),
    crossed: bool = False,
    guesses: Mapping[str, Sequence[str]] | None = None,
    scores: str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None = None,
    threshold: float | Mapping[str, float] | None = None,
    score_bins: int | None = None,
    pos_label: object | None = ...,
    score: str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None = ...,
    sample_weight: str | Any | None = ...,
) -> Report:
    """Compare two or more systems on the same rows of a file, a data frame, a mapping of columns, or arrays."""

def plan(
    *,
    half_width: float | None = None,
    share: float | None = None,
    difference: float | None = None,
    disagreement: float | None = None,
    pilot: Any = None,
    measure: str | None = None,
    items: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    cluster_size: float | None = None,
    icc: float | None = None,
    n_resamples: int = 4000,
    random_state: int = 0,
    gold: str | None = None,
    pred: str | Sequence[str] | Mapping[str, str] | None = None,
    systems: Mapping[str, Any] | None = None,
    id: str | None = None,
    by_position: bool = False,
    missing: Literal["error", "wrong", "skip"] = "error",
    positive: object | None = None,
    labels: Sequence[object] | str | None = None,
    map: Mapping[Any, Any] | str | None = None,
    ignore_case: bool = False,
    numeric_labels: bool = False,
    cluster: str | Any | None = None,
    weight: str | Any | None = None,
    count: str | Any | None = None,
    slices: str | Sequence[str] | Any = (),
    crossed: bool = False,
    guesses: Mapping[str, Sequence[str]] | None = None,
    scores: str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None = None,
    threshold: float | Mapping[str, float] | None = None,
    score_bins: int | None = None,
    pos_label: object | None = ...,
    score: str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None = ...,
    sample_weight: str | Any | None = ...,
) -> Planning:
    """How many items to label: for an interval (half_width), or to detect a named difference between two systems."""

def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[object] | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> ConfusionMatrix:
    """How many items of each gold label (row) got each predicted one (column): `confusion_matrix(y_true, y_pred)`."""

def assert_at_least(
    y_true: Any,
    y_pred: Any,
    *,
    measure: str | Measure,
    value: float,
    gate_on: Literal["interval", "estimate"] = "interval",
    undecided: Literal["fail", "pass"] = "fail",
    level: float = ...,
    method: Literal[
        "auto",
        "wald",
        "wilson",
        "clopper_pearson",
        "agresti_coull",
        "jeffreys",
        "midp",
        "fisher_z",
        "jaccard",
        "effective_n",
        "mover",
        "delong",
        "logit_delong",
        "newcombe_auc",
        "hanley_mcneil",
        "smoothed_log",
        "robust",
        "midp_draws",
        "dirichlet",
        "percentile",
        "basic",
        "bca",
        "studentized",
        "jackknife",
        "logit_delta",
        "smoothed",
        "cluster_jackknife",
        "cluster_factor",
        "bounded_t",
        "model_jackknife",
    ] = ...,
    n_resamples: int = ...,
    random_state: int = ...,
    strict: bool = ...,
    prevalence: float | None = ...,
    labels: _Labels = ...,
    sample_weight: ArrayLike | None = ...,
    cluster: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    weights: Literal["none", "linear", "quadratic"] = ...,
    average: _Average = ...,
    pos_label: object = ...,
    undefined: Literal["zero", "exclude", "null"] = ...,
    beta: float = ...,
    alpha: float | None = ...,
    fp: float = ...,
    fn: float = ...,
    matrix: ArrayLike | None = ...,
    of: Literal["mean", "total", "normalized"] = ...,
    guesses: Sequence[Sequence[object]] | ArrayLike = ...,
    k: int | None = ...,
    y_score: _Scores | Mapping[Any, ArrayLike] = ...,
    max_fpr: float | None = ...,
    standardized: bool = ...,
    multi_class: Literal["ovr", "ovo"] = ...,
    bins: int | None = ...,
    scale_by_half: bool | Literal["auto"] = ...,
    binning: Literal["mass", "width"] = ...,
    qrels: Any = ...,
    run: Any = ...,
    gain: Literal["linear", "exponential"] = ...,
    discount: Literal["log2", "original"] = ...,
    judged_only: bool = ...,
    relevant_from: float | None = ...,
    no_relevant: str | None = ...,
    p: float = ...,
    max_grade: float | None = ...,
    p_break: float = ...,
    recall: float = ...,
    rule: Literal["definition", "trec_eval"] = ...,
    ratings: Any = ...,
    a: Any = ...,
    b: Any = ...,
    winner: ArrayLike = ...,
    first: ArrayLike | None = ...,
    systems: Sequence[object] | None = ...,
    focus: object = ...,
    missing: str = ...,
    places: bool = ...,
    positive: object = ...,
    zero_division: float | Literal["warn"] = ...,
    y_proba: _Scores | Mapping[Any, ArrayLike] = ...,
    y_prob: _Scores | Mapping[Any, ArrayLike] = ...,
) -> Estimate:
    """Fail unless the data show that the measure is at least this value; at most, where lower is better."""

def assert_no_worse(
    y_true: Any,
    new: Any,
    old: Any,
    *,
    measure: str | Measure,
    margin: float,
    names: tuple[str, str] = ("new", "old"),
    gate_on: Literal["interval", "estimate"] = "interval",
    undecided: Literal["fail", "pass"] = "fail",
    level: float = ...,
    method: Literal[
        "auto",
        "tango",
        "newcombe",
        "smoothed_delta",
        "delong",
        "smoothed_delong",
        "delong_mover",
        "mover",
        "cluster_mover",
        "percentile",
        "basic",
        "bca",
        "studentized",
        "jackknife",
        "bounded_t",
        "model_jackknife",
    ] = ...,
    test: Literal[
        "auto",
        "randomization",
        "bootstrap",
        "mcnemar",
        "mcnemar_midp",
        "mcnemar_chi2",
        "mcnemar_chi2_corrected",
        "sign",
        "delong",
        "interval",
        "none",
    ] = ...,
    statistic: Literal["auto", "studentized", "raw"] = ...,
    alternative: Literal["two-sided", "greater", "less"] = ...,
    strict: bool = ...,
    raw_p: bool = ...,
    unpaired: bool = ...,
    n_resamples: int = ...,
    random_state: int = ...,
    y_pred: ArrayLike = ...,
    prevalence: float | None = ...,
    labels: _Labels = ...,
    sample_weight: ArrayLike | None = ...,
    cluster: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    weights: Literal["none", "linear", "quadratic"] = ...,
    average: _Average = ...,
    pos_label: object = ...,
    undefined: Literal["zero", "exclude", "null"] = ...,
    beta: float = ...,
    alpha: float | None = ...,
    fp: float = ...,
    fn: float = ...,
    matrix: ArrayLike | None = ...,
    of: Literal["mean", "total", "normalized"] = ...,
    guesses: Sequence[Sequence[object]] | ArrayLike = ...,
    k: int | None = ...,
    y_score: _Scores | Mapping[Any, ArrayLike] = ...,
    max_fpr: float | None = ...,
    standardized: bool = ...,
    multi_class: Literal["ovr", "ovo"] = ...,
    bins: int | None = ...,
    scale_by_half: bool | Literal["auto"] = ...,
    binning: Literal["mass", "width"] = ...,
    qrels: Any = ...,
    run: Any = ...,
    gain: Literal["linear", "exponential"] = ...,
    discount: Literal["log2", "original"] = ...,
    judged_only: bool = ...,
    relevant_from: float | None = ...,
    no_relevant: str | None = ...,
    p: float = ...,
    max_grade: float | None = ...,
    p_break: float = ...,
    recall: float = ...,
    rule: Literal["definition", "trec_eval"] = ...,
    ratings: Any = ...,
    a: Any = ...,
    b: Any = ...,
    winner: ArrayLike = ...,
    first: ArrayLike | None = ...,
    systems: Sequence[object] | None = ...,
    focus: object = ...,
    missing: str = ...,
    places: bool = ...,
    positive: object = ...,
    zero_division: float | Literal["warn"] = ...,
    y_proba: _Scores | Mapping[Any, ArrayLike] = ...,
    y_prob: _Scores | Mapping[Any, ArrayLike] = ...,
) -> Comparison:
    """Fail unless the data rule out that the new system is worse than the old one by more than the margin."""

def post_hoc(
    found: Friedman,
    method: Literal["nemenyi", "holm", "bonferroni_dunn"] = "nemenyi",
    baseline: str | None = None,
) -> PostHoc:
    """Which mean ranks differ: all pairs, or every system vs. a baseline, corrected for how many there are."""

def critical_difference(
    found: Friedman,
    level: float = 0.95,
    method: Literal["nemenyi", "holm", "bonferroni_dunn"] = "nemenyi",
    baseline: str | None = None,
) -> CriticalDifference:
    """How far apart two mean ranks must be to be told apart, and the bars of a diagram, which `to_svg` draws."""

def scorers(
    *measures: str | Measure | Sequence[str | Measure],
    prevalence: float | None = ...,
    labels: _Labels = ...,
    sample_weight: ArrayLike | None = ...,
    cluster: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    weights: Literal["none", "linear", "quadratic"] = ...,
    average: _Average = ...,
    pos_label: object = ...,
    undefined: Literal["zero", "exclude", "null"] = ...,
    beta: float = ...,
    alpha: float | None = ...,
    fp: float = ...,
    fn: float = ...,
    matrix: ArrayLike | None = ...,
    of: Literal["mean", "total", "normalized"] = ...,
    k: int | None = ...,
    max_fpr: float | None = ...,
    standardized: bool = ...,
    multi_class: Literal["ovr", "ovo"] = ...,
    bins: int | None = ...,
    scale_by_half: bool | Literal["auto"] = ...,
    binning: Literal["mass", "width"] = ...,
    run: Any = ...,
    gain: Literal["linear", "exponential"] = ...,
    discount: Literal["log2", "original"] = ...,
    judged_only: bool = ...,
    relevant_from: float | None = ...,
    no_relevant: str | None = ...,
    p: float = ...,
    max_grade: float | None = ...,
    p_break: float = ...,
    recall: float = ...,
    rule: Literal["definition", "trec_eval"] = ...,
    first: ArrayLike | None = ...,
    systems: Sequence[object] | None = ...,
    focus: object = ...,
    missing: str = ...,
    places: bool = ...,
    positive: object = ...,
    zero_division: float | Literal["warn"] = ...,
) -> dict[str, Scorer]:
    """Scorers for scikit-learn's `scoring=`, by each measure as it was given; a default set if none is named."""

class _LikeAccuracy(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        prevalence: float | None = None,
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_pred: ArrayLike = ...,
        *,
        prevalence: float | None = None,
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeCohenKappa(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        weights: Literal["none", "linear", "quadratic"] = "none",
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_pred: ArrayLike = ...,
        *,
        weights: Literal["none", "linear", "quadratic"] = "none",
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikePrecision(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        average: _Average = "binary",
        pos_label: object = None,
        undefined: Literal["zero", "exclude", "null"] = "zero",
        prevalence: float | None = None,
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        positive: object = None,
        zero_division: float | Literal["warn"] = 0,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_pred: ArrayLike = ...,
        *,
        average: _Average = "binary",
        pos_label: object = None,
        undefined: Literal["zero", "exclude", "null"] = "zero",
        prevalence: float | None = None,
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        positive: object = None,
        zero_division: float | Literal["warn"] = 0,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikePrevalence(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        average: _Average = "binary",
        pos_label: object = None,
        undefined: Literal["zero", "exclude", "null"] = "zero",
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        positive: object = None,
        zero_division: float | Literal["warn"] = 0,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_pred: ArrayLike = ...,
        *,
        average: _Average = "binary",
        pos_label: object = None,
        undefined: Literal["zero", "exclude", "null"] = "zero",
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        positive: object = None,
        zero_division: float | Literal["warn"] = 0,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeFBeta(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        average: _Average = "binary",
        pos_label: object = None,
        undefined: Literal["zero", "exclude", "null"] = "zero",
        beta: float = 1.0,
        alpha: float | None = None,
        prevalence: float | None = None,
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        positive: object = None,
        zero_division: float | Literal["warn"] = 0,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_pred: ArrayLike = ...,
        *,
        average: _Average = "binary",
        pos_label: object = None,
        undefined: Literal["zero", "exclude", "null"] = "zero",
        beta: float = 1.0,
        alpha: float | None = None,
        prevalence: float | None = None,
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        positive: object = None,
        zero_division: float | Literal["warn"] = 0,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeExpectedCost(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        fp: float = 1.0,
        fn: float = 1.0,
        matrix: ArrayLike | None = None,
        of: Literal["mean", "total", "normalized"] = "mean",
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_pred: ArrayLike = ...,
        *,
        fp: float = 1.0,
        fn: float = 1.0,
        matrix: ArrayLike | None = None,
        of: Literal["mean", "total", "normalized"] = "mean",
        labels: _Labels = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeTopKAccuracy(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        guesses: Sequence[Sequence[object]] | ArrayLike,
        *,
        k: int | None = 2,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        labels: _Labels = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        guesses: Sequence[Sequence[object]] | ArrayLike = ...,
        *,
        k: int | None = 2,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        labels: _Labels = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeRocAuc(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_score: _Scores | Mapping[Any, ArrayLike],
        *,
        max_fpr: float | None = None,
        standardized: bool = True,
        average: _Average = "macro",
        multi_class: Literal["ovr", "ovo"] = "ovr",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_score: _Scores | Mapping[Any, ArrayLike] = ...,
        *,
        max_fpr: float | None = None,
        standardized: bool = True,
        average: _Average = "macro",
        multi_class: Literal["ovr", "ovo"] = "ovr",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeAveragePrecision(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_score: _Scores | Mapping[Any, ArrayLike],
        *,
        average: _Average = "macro",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_score: _Scores | Mapping[Any, ArrayLike] = ...,
        *,
        average: _Average = "macro",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeInterpolatedPr11(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_score: _Scores | Mapping[Any, ArrayLike],
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        positive: object = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_score: _Scores | Mapping[Any, ArrayLike] = ...,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        positive: object = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeBrier(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_score: _Scores | Mapping[Any, ArrayLike],
        *,
        scale_by_half: bool | Literal["auto"] = "auto",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_score: _Scores | Mapping[Any, ArrayLike] = ...,
        *,
        scale_by_half: bool | Literal["auto"] = "auto",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeLogLoss(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_score: _Scores | Mapping[Any, ArrayLike],
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_score: _Scores | Mapping[Any, ArrayLike] = ...,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        bins: int | None = None,
        labels: _Labels = None,
        positive: object = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeEce(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_score: _Scores | Mapping[Any, ArrayLike],
        *,
        bins: int | None = 15,
        binning: Literal["mass", "width"] = "mass",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        labels: _Labels = None,
        positive: object = None,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_score: _Scores | Mapping[Any, ArrayLike] = ...,
        *,
        bins: int | None = 15,
        binning: Literal["mass", "width"] = "mass",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        labels: _Labels = None,
        positive: object = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeAdjustedRand(Measure):
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
    ) -> float: ...
    def estimate(
        self,
        y_true: ArrayLike | Tally,
        y_pred: ArrayLike = ...,
        *,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeNdcg(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        k: int | None = None,
        gain: Literal["linear", "exponential"] = "linear",
        discount: Literal["log2", "original"] = "log2",
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        k: int | None = None,
        gain: Literal["linear", "exponential"] = "linear",
        discount: Literal["log2", "original"] = "log2",
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeCg(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        k: int | None = None,
        gain: Literal["linear", "exponential"] = "linear",
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        k: int | None = None,
        gain: Literal["linear", "exponential"] = "linear",
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeRbp(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        k: int | None = None,
        p: float = 0.8,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        k: int | None = None,
        p: float = 0.8,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeErr(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        k: int | None = None,
        max_grade: float | None = None,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        k: int | None = None,
        max_grade: float | None = None,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikePfound(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        k: int | None = None,
        p_break: float = 0.15,
        max_grade: float | None = None,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        k: int | None = None,
        p_break: float = 0.15,
        max_grade: float | None = None,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeAp(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        k: int | None = None,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        k: int | None = None,
        judged_only: bool = False,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeGmAp(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        k: int | None = None,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        k: int | None = None,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeIprec(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        recall: float = 0.0,
        rule: Literal["definition", "trec_eval"] = "definition",
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        recall: float = 0.0,
        rule: Literal["definition", "trec_eval"] = "definition",
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeIprecMean(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        rule: Literal["definition", "trec_eval"] = "definition",
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        rule: Literal["definition", "trec_eval"] = "definition",
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeSetP(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeSetF(Measure):
    def __call__(
        self,
        qrels: Any,
        run: Any = None,
        *,
        beta: float = 1.0,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
    ) -> float: ...
    def estimate(
        self,
        qrels: Any | Tally,
        *,
        beta: float = 1.0,
        relevant_from: float | None = None,
        no_relevant: str | None = None,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeKrippendorffAlpha(Measure):
    def __call__(
        self,
        ratings: Any,
    ) -> float: ...
    def estimate(
        self,
        ratings: Any | Tally,
        *,
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeWinRate(Measure):
    def __call__(
        self,
        a: Any,
        b: Any,
        winner: ArrayLike,
        *,
        first: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        systems: Sequence[object] | None = None,
        focus: object = None,
        missing: str = "error",
    ) -> float: ...
    def estimate(
        self,
        a: Any | Tally,
        b: Any = ...,
        winner: ArrayLike = ...,
        *,
        first: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        systems: Sequence[object] | None = None,
        focus: object = None,
        missing: str = "error",
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

class _LikeBradleyTerry(Measure):
    def __call__(
        self,
        a: Any,
        b: Any,
        winner: ArrayLike,
        *,
        places: bool = True,
        first: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        systems: Sequence[object] | None = None,
        focus: object = None,
        missing: str = "error",
    ) -> float: ...
    def estimate(
        self,
        a: Any | Tally,
        b: Any = ...,
        winner: ArrayLike = ...,
        *,
        places: bool = True,
        first: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        systems: Sequence[object] | None = None,
        focus: object = None,
        missing: str = "error",
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
    ) -> Estimate: ...

accuracy: _LikeAccuracy
"""Share of the items whose label is right."""
accuracy_score: _LikeAccuracy
error_rate: _LikeAccuracy
"""Share of the items whose label is wrong."""
zero_one_loss: _LikeAccuracy
balanced_accuracy: _LikeAccuracy
"""Mean recall over the classes that have gold items."""
balanced_accuracy_score: _LikeAccuracy
f1_of_means: _LikeAccuracy
"""Harmonic mean of macro precision and macro recall, which differs from macro F1."""
mcc: _LikeAccuracy
"""Correlation between the gold and the predicted classes; for more than two classes this is R_K."""
matthews_corrcoef: _LikeAccuracy
r_k: _LikeAccuracy
phi: _LikeAccuracy
symmetric_balanced_accuracy: _LikeAccuracy
"""Mean of the recalls and precisions of all classes; swapping gold and predicted labels does not change it."""
sba: _LikeAccuracy
cohen_kappa: _LikeCohenKappa
"""Agreement between gold and predicted classes beyond what their frequencies alone would produce."""
kappa: _LikeCohenKappa
cohen_kappa_score: _LikeCohenKappa
g_mean: _LikeAccuracy
"""Geometric mean of the recalls of all classes: 0 if one class is never found."""
geometric_mean: _LikeAccuracy
precision: _LikePrecision
"""Share of the items predicted as a class that belong to it."""
ppv: _LikePrecision
precision_score: _LikePrecision
recall: _LikePrecision
"""Share of the items of a class that were found."""
sensitivity: _LikePrecision
tpr: _LikePrecision
recall_score: _LikePrecision
specificity: _LikePrecision
"""Share of the items outside a class that were not predicted as it."""
tnr: _LikePrecision
true_negative_rate: _LikePrecision
selectivity: _LikePrecision
npv: _LikePrecision
"""Share of the items not predicted as a class that do not belong to it."""
negative_predictive_value: _LikePrecision
fpr: _LikePrecision
"""Share of the items outside a class that were predicted as it: how often it raises a false alarm."""
false_positive_rate: _LikePrecision
fall_out: _LikePrecision
fnr: _LikePrecision
"""Share of the items of a class that were missed."""
false_negative_rate: _LikePrecision
miss_rate: _LikePrecision
fdr: _LikePrecision
"""Share of the items predicted as a class that do not belong to it: how many alarms are false."""
false_discovery_rate: _LikePrecision
false_omission_rate: _LikePrecision
"""Share of the items not predicted as a class that nevertheless belong to it."""
prevalence: _LikePrevalence
"""Share of the items that belong to a class, whatever was predicted."""
base_rate: _LikePrevalence
f1: _LikePrecision
"""Harmonic mean of precision and recall: high only if both kinds of errors are rare."""
f1_score: _LikePrecision
dice: _LikePrecision
f_beta: _LikeFBeta
"""Weighted harmonic mean of precision and recall: a miss counts beta² times as much as a false alarm."""
fbeta: _LikeFBeta
fbeta_score: _LikeFBeta
jaccard: _LikePrecision
"""Overlap of the gold and the predicted items of a class: those in both over those in either."""
jaccard_score: _LikePrecision
iou: _LikePrecision
critical_success_index: _LikePrecision
threat_score: _LikePrecision
fowlkes_mallows: _LikePrecision
"""Geometric mean of precision and recall; the index of clusterings with this name counts pairs of items instead."""
informedness: _LikePrecision
"""How much better than chance the system tells items of the class from items outside it."""
youden_j: _LikePrecision
bookmaker_informedness: _LikePrecision
markedness: _LikePrecision
"""How much better than chance a prediction indicates the gold class."""
delta_p: _LikePrecision
lr_plus: _LikePrecision
"""Factor by which predicting the class multiplies the odds that an item belongs to it."""
positive_likelihood_ratio: _LikePrecision
lr_minus: _LikePrecision
"""Factor by which not predicting the class multiplies the odds that an item belongs to it."""
negative_likelihood_ratio: _LikePrecision
diagnostic_odds_ratio: _LikePrecision
"""Odds of predicting the class for its items over those odds for other items."""
dor: _LikePrecision
odds_ratio: _LikePrecision
expected_cost: _LikeExpectedCost
"""What the answers cost: per item, in total, or relative to the cheapest answer that needs no model."""
top_k_accuracy: _LikeTopKAccuracy
"""Share of the items whose gold label is among the first k guesses."""
top_k_accuracy_score: _LikeTopKAccuracy
roc_auc: _LikeRocAuc
"""Probability that a positive item scores higher than a negative one, ties counting half."""
auc: _LikeRocAuc
roc_auc_score: _LikeRocAuc
average_precision: _LikeAveragePrecision
"""Mean over the positive items of the precision at their own score."""
average_precision_score: _LikeAveragePrecision
interpolated_pr_11: _LikeInterpolatedPr11
"""Mean of the best precision attainable at a recall of at least 0, .1, … 1."""
interpolated_average_precision: _LikeInterpolatedPr11
pr_auc_trapezoid: _LikeInterpolatedPr11
"""Area under straight lines between the points of the precision–recall curve, which is too optimistic."""
roc_hull_auc: _LikeInterpolatedPr11
"""Area under the convex hull of the ROC curve: the best that random mixtures of thresholds can achieve."""
auch: _LikeInterpolatedPr11
brier: _LikeBrier
"""Mean squared difference between the probabilities and what came true."""
brier_score: _LikeBrier
brier_score_loss: _LikeBrier
log_loss: _LikeLogLoss
"""Mean negative log-likelihood of what came true, in natural logarithms."""
cross_entropy: _LikeLogLoss
ece: _LikeEce
"""Mean gap between the share of positives and the mean probability, over bins of similar scores."""
expected_calibration_error: _LikeEce
mce: _LikeEce
"""Largest gap between the share of positives and the mean probability, over bins of similar scores."""
maximum_calibration_error: _LikeEce
calibration_slope: _LikeInterpolatedPr11
"""Factor by which the log-odds should be multiplied to fit what came true: 1 is calibrated, below 1 overconfident."""
calibration_intercept: _LikeInterpolatedPr11
"""What to add to all log-odds to match the observed number of positives: 0 is calibrated, above 0 too low."""
adjusted_rand: _LikeAdjustedRand
"""Agreement of two partitions on pairs of items, beyond what groups of these sizes would share by chance."""
ari: _LikeAdjustedRand
adjusted_rand_score: _LikeAdjustedRand
ndcg: _LikeNdcg
"""Mean over queries of the gain of the first k ranks, as a share of the gain of the best possible list."""
ndcg_score: _LikeNdcg
dcg: _LikeNdcg
"""Mean over queries of the gains of the first k ranks, each divided by the logarithm of its rank."""
dcg_score: _LikeNdcg
cg: _LikeCg
"""Mean over queries of the gains of the first k documents, wherever among them they stand."""
rbp: _LikeRbp
"""Share of relevant documents among those seen by readers who go on to the next with probability p."""
rank_biased_precision: _LikeRbp
err: _LikeErr
"""Mean over queries of the expected inverse of the rank at which a reader is satisfied."""
expected_reciprocal_rank: _LikeErr
pfound: _LikePfound
"""Probability that readers find what satisfies them before they give up, averaged over queries."""
p_found: _LikePfound
ap: _LikeAp
"""Mean over queries of average precision, which is MAP: how early all relevant documents stand."""
map: _LikeAp
mean_average_precision: _LikeAp
rr: _LikeAp
"""Mean over queries of one over the rank of the first relevant document, 0 where there is none."""
mrr: _LikeAp
mean_reciprocal_rank: _LikeAp
reciprocal_rank: _LikeAp
recip_rank: _LikeAp
gm_ap: _LikeGmAp
"""Geometric mean over queries of average precision, which rests on the queries that are answered worst."""
gmap: _LikeGmAp
gm_map: _LikeGmAp
bpref: _LikeGmAp
"""Mean over queries of how seldom a relevant document stands below one that was judged nonrelevant."""
inf_ap: _LikeGmAp
"""Mean over queries of average precision, estimated where only a sample of the pool was judged."""
infap: _LikeGmAp
iprec: _LikeIprec
"""Mean over queries of the highest precision at this recall or any higher one."""
iprec_at_recall: _LikeIprec
iprec_mean: _LikeIprecMean
"""Mean over queries, and over recalls of 0, .1, … 1, of the highest precision at this recall or any higher one."""
eleven_point_precision: _LikeIprecMean
p: _LikeAp
"""Mean over queries of the share of the first k documents that is relevant."""
precision_at_k: _LikeAp
r: _LikeAp
"""Mean over queries of the share of the relevant documents that is among the first k."""
recall_at_k: _LikeAp
success: _LikeAp
"""Share of the queries that have a relevant document among the first k."""
hit: _LikeAp
hit_rate: _LikeAp
r_precision: _LikeAp
"""Mean over queries of the precision among as many documents as are relevant."""
rprec: _LikeAp
judged: _LikeGmAp
"""Mean over queries of the share of the first k documents that anyone has looked at."""
set_p: _LikeSetP
"""Mean over queries of the share of the whole list that is relevant, 0 for an empty list."""
set_r: _LikeSetP
"""Mean over queries of the share of the relevant documents that is in the list."""
set_recall: _LikeSetP
set_f: _LikeSetF
"""Mean over queries of the harmonic mean of precision and recall of the whole list."""
krippendorff_alpha: _LikeKrippendorffAlpha
"""Agreement of raters beyond the chance agreement expected from how often each category was used."""
alpha: _LikeKrippendorffAlpha
win_rate: _LikeWinRate
"""Share of its judgments that a system won, a tie counting as half a win."""
first_place_share: _LikeWinRate
"""Share of judgments won by the answer shown first, a tie counting as half a win: ½ if the place has no effect."""
position_bias: _LikeWinRate
tie_share: _LikeWinRate
"""Share of judgments in which neither answer was preferred."""
bradley_terry: _LikeBradleyTerry
"""Strength of a system in log odds; the strengths of all systems add up to 0."""
bt: _LikeBradleyTerry
strength: _LikeBradleyTerry
first_place_effect: _LikeWinRate
"""What being shown first adds to the log odds of winning, between systems of any strength: 0 if it has no effect."""
place_effect: _LikeWinRate
