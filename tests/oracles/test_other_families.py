"""Values of scores, clusterings, raters and rankings against scikit-learn 1.9, SciPy 1.17 and krippendorff 0.8."""

from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import assay
from assay import Rated
from tests.oracles.cases import CASES, SEEDS, close, quiet


# ---------------------------------------------------------------------- scores
@pytest.mark.parametrize("seed", range(30))
def test_roc_auc_with_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 80))
    y = np.concatenate([[0, 1], rng.integers(0, 2, n)])
    score = np.round(rng.normal(size=n + 2) + y, int(rng.integers(0, 4)))
    assert assay.roc_auc(y, score) == close(float(sk.roc_auc_score(y, score)))
    words = np.where(y == 1, "sick", "well")
    assert assay.roc_auc(words, score, pos_label="sick") == close(float(sk.roc_auc_score(y, score)))
    assert assay.roc_auc(words, score, pos_label="well") == close(float(sk.roc_auc_score(1 - y, score)))


def test_roc_auc_of_one_class_is_nan() -> None:
    assert np.isnan(assay.roc_auc([1, 1, 1], [0.1, 0.2, 0.3]))
    assert np.isnan(quiet(sk.roc_auc_score, [1, 1, 1], [0.1, 0.2, 0.3]))


@pytest.mark.parametrize("seed", range(20))
def test_roc_auc_with_hardly_any_distinct_scores(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 200))
    y = np.concatenate([[0, 1], rng.random(n) < rng.random()]).astype(int)
    score = rng.integers(0, 1 + seed % 5, n + 2) / 3 + (seed % 2) * y
    expected = float(sk.roc_auc_score(y, score))
    assert assay.roc_auc(y, score) == close(expected)
    # The same area by counting pairs, and as a rank test.
    won = sum((a > b) + (a == b) / 2 for a in score[y == 1] for b in score[y == 0])
    assert assay.roc_auc(y, score) == close(float(won) / ((y == 1).sum() * (y == 0).sum()))
    ranked = stats.mannwhitneyu(score[y == 1], score[y == 0]).statistic / ((y == 1).sum() * (y == 0).sum())
    assert assay.roc_auc(y, score) == close(float(ranked))


# ---------------------------------------------------------------------- several guesses
@pytest.mark.parametrize("seed", range(10))
def test_top_k_accuracy_is_that_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(3, 60)), int(rng.integers(3, 7))
    gold, score = rng.integers(0, k, n), rng.random((n, k))
    weight = rng.random(n) + 0.1 if seed % 2 else None
    guesses = np.argsort(-score, axis=1)
    for first in range(1, k):
        expected = float(sk.top_k_accuracy_score(gold, score, k=first, labels=range(k), sample_weight=weight))
        assert assay.top_k_accuracy(gold, guesses.tolist(), k=first, sample_weight=weight) == close(expected)


# ---------------------------------------------------------------------- clusterings
def test_the_adjusted_rand_index_is_that_of_scikit_learn_whatever_the_groups_are_called() -> None:
    for seed, case in zip(SEEDS, CASES, strict=True):
        expected = float(sk.adjusted_rand_score(case.gold, case.pred))
        assert assay.adjusted_rand(case.gold, case.pred) == close(expected), seed
        assert assay.adjusted_rand(case.gold, [f"group of {p}" for p in case.pred]) == close(expected)
        # Groups may be joined or divided otherwise than the classes, and be numbers.
        numbers = np.random.default_rng(seed).permutation(60)[:: seed % 4 + 1]
        group = numbers[np.searchsorted(np.unique(case.pred), case.pred) // (1 + seed % 2)]
        expected = float(sk.adjusted_rand_score(case.gold, group))
        assert assay.adjusted_rand(case.gold, group) == close(expected), seed


@pytest.mark.parametrize(
    ("gold", "group"),
    [("aaaa", "xxxx"), ("abcd", "wxyz"), ("aaaa", "wxyz"), ("a", "x"), ("aabb", "xxyy"), ("aabb", "xyxy")],
)
def test_the_adjusted_rand_index_of_trivial_partitions(gold: str, group: str) -> None:
    expected = float(sk.adjusted_rand_score(list(gold), list(group)))
    assert assay.adjusted_rand(list(gold), list(group)) == close(expected)


def test_the_adjusted_rand_index_of_a_hundred_million_items() -> None:
    # Pairs of so many items overflow 32 bits, and their products 64.
    rng = np.random.default_rng(0)
    gold, group = rng.integers(0, 3, 1000), rng.integers(0, 4, 1000)
    small = assay.Contingency.from_labels(gold, group)
    scale = 100_000
    large = assay.Contingency(small.keys, small.counts * scale, classes=small.classes, groups=small.groups)
    table = sk.cluster.contingency_matrix(gold, group).astype(object) * scale

    def pairs(x: Any) -> int:
        return sum(int(v) * (int(v) - 1) // 2 for v in x.ravel())

    a, b, c, n = pairs(table), pairs(table.sum(1)), pairs(table.sum(0)), int(table.sum())
    everything = n * (n - 1) // 2
    # Whole numbers of Python, so nothing overflows or rounds before the division.
    expected = (a * everything - b * c) / ((b + c) * everything / 2 - b * c)
    assert assay.adjusted_rand.of(large) == pytest.approx(expected, rel=1e-6)


# ---------------------------------------------------------------------- raters and rankings
@pytest.mark.parametrize("seed", range(25))
def test_krippendorffs_alpha_with_most_ratings_missing_is_that_of_the_package(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units, raters, k = int(rng.integers(3, 60)), int(rng.integers(2, 9)), int(rng.integers(2, 7))
    truth = rng.integers(0, k, (units, 1))
    ratings = np.where(rng.random((units, raters)) < 0.7, truth, rng.integers(0, k, (units, raters))).astype(float)
    ratings[rng.random((units, raters)) < rng.uniform(0, 0.8)] = np.nan
    ratings[:2, :2] = [[0, 1], [1, 1]]  # so that something can be compared
    expected = float(
        krippendorff.alpha(reliability_data=ratings.T, value_domain=range(k), level_of_measurement="nominal")
    )
    assert assay.krippendorff_alpha(ratings) == close(expected)
    # Raters do not matter, only who rated the same unit.
    shuffled = np.array([rng.permutation(row) for row in ratings])
    assert assay.krippendorff_alpha.of(Rated.from_ratings(shuffled)) == close(expected)


def test_reciprocal_ranks_of_graded_and_empty_lists() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        grades = {f"q{i}": rng.choice([0, 0, 0, 0.5, 2], int(rng.integers(0, 12))).tolist() for i in range(9)}
        total = 0.0
        for ranking in grades.values():
            rank = 1
            while rank <= len(ranking) and ranking[rank - 1] == 0:
                rank += 1
            total += 1 / rank if rank <= len(ranking) else 0
        assert assay.rr(grades) == close(total / 9)


@pytest.mark.parametrize("k", [None, 1, 3, 40])
def test_ndcg_of_graded_lists_is_that_of_scikit_learn(k: int | None) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        # scikit-learn has no value for a single document, and counts a query without a relevant one as 0, as we do.
        lists = {f"q{i}": rng.choice([0, 0, 0, 1, 2.5], int(rng.integers(2, 12))).tolist() for i in range(9)}
        each = [float(sk.ndcg_score([x], [-np.arange(len(x))], k=k)) for x in lists.values()]
        assert assay.ndcg(lists, k=k) == close(float(np.mean(each)))


def test_ndcg_is_zero_where_no_document_is_relevant() -> None:
    assert assay.ndcg({"q1": [0, 0], "q2": []}) == 0
    assert assay.estimate("ndcg", assay.Ranked.from_rankings({"q1": [0, 0], "q2": [-1]})).value == 0


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "ten"])
def test_a_cut_that_is_no_rank_is_refused(k: Any) -> None:
    with pytest.raises(assay.OptionError, match="whole number of at least 1, or None: how many guesses or ranks count"):
        assay.ndcg({"q": [0, 1]}, k=k)
