"""Values per fold: mlxtend, the worked example of scikit-learn, and real folds of simulated data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv, paired_ttest_kfold_cv
from numpy.typing import NDArray
from scipy import stats
from sklearn.datasets import make_classification, make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from assay.errors import DataError, OptionError
from assay.uncertainty.results import Comparison
from assay.uncertainty.values.compare import compare_values

Numbers = NDArray[np.float64]


def statistic(found: Comparison) -> float:
    """The t or F that the notes tell."""
    told = re.search(r"[tF] = (\S+) with", found.notes[0])
    assert told is not None
    return float(told[1].replace("−", "-"))


class Recorder:
    """Accuracy, remembered in the order in which a peer asked for it: first system, second system, and so on."""

    def __init__(self) -> None:
        self.scores: list[float] = []

    def __call__(self, model: Any, x: Numbers, y: Numbers) -> float:
        self.scores.append(float((model.predict(x) == y).mean()))
        return self.scores[-1]

    def pairs(self) -> tuple[list[float], list[float]]:
        return self.scores[::2], self.scores[1::2]


def judged_by(peer: Callable[..., tuple[float, float]], **options: Any) -> tuple[float, float, Recorder]:
    x, y = make_classification(n_samples=150, n_features=6, random_state=4)
    seen = Recorder()
    models = DecisionTreeClassifier(max_depth=2, random_state=1), GaussianNB()
    value, p = peer(*models, x, y, scoring=seen, random_seed=3, **options)
    return float(value), float(p), seen


def test_the_5x2cv_t_is_that_of_mlxtend() -> None:
    t, p, seen = judged_by(paired_ttest_5x2cv)
    found = compare_values(*seen.pairs(), unit="fold", test="5x2cv", repeats=5)
    assert found.p_value == pytest.approx(p, rel=1e-9)
    assert statistic(found) == pytest.approx(t, rel=1e-3)


def test_the_5x2cv_f_is_that_of_mlxtend() -> None:
    f, p, seen = judged_by(combined_ftest_5x2cv)
    found = compare_values(*seen.pairs(), unit="fold", test="5x2cv_f", repeats=5)
    assert found.p_value == pytest.approx(p, rel=1e-9)
    assert statistic(found) == pytest.approx(f, rel=1e-3)


def test_the_corrected_t_is_mlxtends_plain_one_divided_by_the_root_of_one_and_k_times_the_ratio() -> None:
    t, _, seen = judged_by(paired_ttest_kfold_cv, cv=10)
    found = compare_values(*seen.pairs(), unit="fold")
    corrected = t / math.sqrt(1 + 10 / 9)
    assert statistic(found) == pytest.approx(corrected, rel=1e-3)
    assert found.p_value == pytest.approx(2 * float(stats.t.sf(abs(corrected), 9)), rel=1e-9)


def test_the_worked_example_of_scikit_learn_comes_out() -> None:
    # "Statistical comparison of models using grid search" prints: corrected t-value 0.750, p-value 0.227.
    x, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    curved, straight = (
        cross_val_score(SVC(kernel=kernel, random_state=0), x, y, scoring="roc_auc", cv=cv)
        for kernel in ("rbf", "linear")
    )
    found = compare_values(curved, straight, unit="fold", repeats=10, alternative="greater")
    assert statistic(found) == pytest.approx(0.750, abs=5e-4)
    assert found.p_value == pytest.approx(0.227, abs=5e-4)


A = [0.81, 0.79, 0.85, 0.80, 0.77]
B = [0.78, 0.80, 0.80, 0.78, 0.75]


def test_folds_of_different_sizes_put_their_mean_sizes_into_the_formula() -> None:
    sizes = [21, 21, 20, 20, 18]
    found = compare_values(A, B, unit="fold", test_sizes=sizes)
    d = np.array(A) - np.array(B)
    se = d.std(ddof=1) * math.sqrt(1 / 5 + 20 / 80)
    assert found.p_value == pytest.approx(2 * float(stats.t.sf(abs(d.mean()) / se, 4)), rel=1e-9)
    half = float(stats.t.ppf(0.975, 4)) * se
    assert (found.low, found.high) == pytest.approx((d.mean() - half, d.mean() + half))
    assert found.method == "corrected_t"


@pytest.mark.parametrize(
    "options",
    [
        {"test_train": 0.25},
        {"test_sizes": [20] * 5},
        {"test_sizes": [20] * 5, "train_sizes": [80] * 5},
        {},
    ],
)
def test_one_division_can_be_told_in_several_ways(options: dict[str, Any]) -> None:
    found = compare_values(A, B, unit="fold", **options)
    told = compare_values(A, B, unit="fold", test_train=1 / 4)
    assert found.p_value == pytest.approx(told.p_value)
    assert any(note.startswith("folds: ") for note in found.notes)


def test_training_items_are_counted_within_each_repetition() -> None:
    two = compare_values(A + B, B + A, unit="fold", repeats=[1] * 5 + [2] * 5, test_sizes=[20] * 10)
    told = compare_values(A + B, B + A, unit="fold", test_train=20 / 80)
    assert two.p_value == pytest.approx(told.p_value)
    assert (two.low, two.high) == pytest.approx((told.low, told.high))


def test_the_spread_over_folds_is_shown_as_such_and_makes_no_interval_of_a_mean() -> None:
    found = compare_values(A, B, unit="fold")
    assert found.a.interval is None
    assert "too small" in str(found.a.reason)
    assert found.a.notes == (f"standard deviation over 5 folds: {np.std(A, ddof=1):.4g}",)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "randomization", "bootstrap"])
def test_tests_for_independent_values_are_refused_for_folds(test: str) -> None:
    with pytest.raises(OptionError, match="folds share training data"):
        compare_values(A, B, unit="fold", test=test)


@pytest.mark.parametrize("method", ["t", "percentile", "bca", "jackknife"])
def test_intervals_for_independent_values_are_refused_for_folds(method: str) -> None:
    with pytest.raises(OptionError, match="folds share training data"):
        compare_values(A, B, unit="fold", method=method)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"repeats": 2}, "5 folds cannot be divided into 2 equal repetitions"),
        ({"repeats": [1, 1]}, "repeats has 2 labels for 5 folds"),
        ({"repeats": [1, 1, 1, 2, 2]}, "from 2 to 3 folds"),
        ({"repeats": 5}, "one fold"),
        ({"repeats": 5, "test_sizes": [20] * 5}, "only one fold"),
        ({"test_sizes": [20, 20]}, "2 numbers for 5 folds"),
        ({"test_sizes": [20, 20, 20, 20, 0]}, "sizes of folds are positive"),
        ({"test_train": -1.0}, "test_train is -1"),
        ({"test_train": 0.1, "test_sizes": [20] * 5}, "both given"),
        ({"train_sizes": [20] * 5}, "without test_sizes"),
        ({"test": "5x2cv"}, "need 5 repetitions of 2 folds, but there are 5 folds in 1 repetition"),
        ({"test": "5x2cv_f", "alternative": "less"}, "is two-sided only"),
        ({"cluster": list("aabbc")}, "repeats="),
    ],
)
def test_folds_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises((DataError, OptionError), match=words):
        compare_values(A, B, unit="fold", **options)


def test_one_fold_is_too_few() -> None:
    with pytest.raises(DataError, match="1 fold cannot be compared"):
        compare_values([0.8], [0.7], unit="fold")


def test_what_describes_folds_is_refused_for_items() -> None:
    with pytest.raises(OptionError, match="repeats describes folds"):
        compare_values(A, B, repeats=5)
    with pytest.raises(OptionError, match="is for values of folds"):
        compare_values(A, B, test="corrected_t")


def test_a_constant_difference_over_folds_has_no_t() -> None:
    found = compare_values([0.5, 0.625, 0.75], [0.25, 0.375, 0.5], unit="fold")
    assert (found.difference, found.p_value, found.low) == (0.25, None, None)
    assert "all differences are the same" in found.notes[0]


def test_two_systems_alike_on_every_fold_do_not_differ() -> None:
    for options in ({}, {"test": "5x2cv", "repeats": 5}, {"test": "5x2cv_f", "repeats": 5}):
        found = compare_values(A + B, A + B, unit="fold", **options)  # type: ignore[arg-type]
        assert (found.difference, found.p_value) == (0.0, 1.0)


# ---------------------------------------------------------------------- real folds
def nearest_mean_right(x: Numbers, y: Numbers, train: Any, test: Any) -> float:
    """Accuracy of the rule that gives an item the class whose mean is nearer."""
    zero, one = (x[train][y[train] == c].mean(axis=0) for c in (0, 1))
    near = ((x[test] - zero) ** 2).sum(axis=1) > ((x[test] - one) ** 2).sum(axis=1)
    return float((near == y[test]).mean())


def rejections(samples: int, repeats: int, seed: int) -> tuple[float, float]:
    """How often the corrected and the plain t find a difference at 5% between two rules that are equally good.

    Each rule sees its own five columns, and the columns are drawn alike: neither is better on average.
    """
    rng = np.random.default_rng(seed)
    n, k, corrected, plain = 60, 10, 0, 0
    for _ in range(samples):
        y = np.repeat([0, 1], n // 2)
        x = rng.normal(size=(n, 10)) + 0.3 * y[:, None]
        a: list[float] = []
        b: list[float] = []
        for _ in range(repeats):
            place = np.concatenate([rng.permutation(np.arange(n // 2) % k) for _ in (0, 1)])
            for fold in range(k):
                for out, columns in ((a, x[:, :5]), (b, x[:, 5:])):
                    out.append(nearest_mean_right(columns, y, place != fold, place == fold))
        found = compare_values(a, b, unit="fold", repeats=repeats).p_value
        corrected += found is not None and found <= 0.05
        plain += float(stats.ttest_rel(a, b).pvalue) <= 0.05
    return corrected / samples, plain / samples


@pytest.mark.slow
def test_the_corrected_t_keeps_its_level_on_real_folds_and_the_plain_one_does_not() -> None:
    samples = 600
    error = math.sqrt(0.05 * 0.95 / samples)
    corrected, plain = rejections(samples, repeats=5, seed=8)
    assert corrected <= 0.05 + 3 * error
    assert plain >= 0.2
