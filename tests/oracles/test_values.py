"""Values on many small and crooked tables, against scikit-learn 1.9 and loops written from the definitions.

One difference from scikit-learn is deliberate: a class whose items weigh nothing, gold and predicted, is left out of a
macro average here; there it counts as 0. So labels that nobody used are declared here and never named there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import krippendorff
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn import metrics as sk

import assay
from assay import Confusion, Rated
from assay.measures.catalogue import parse
from assay.tally.margins import Margins

Texts = NDArray[np.str_]
Floats = NDArray[np.float64]
Score = Callable[..., float]
SEEDS = range(50)


def close(value: Any) -> Any:
    """Equal but for the order in which sums are taken."""
    return pytest.approx(value, rel=1e-11, abs=1e-11, nan_ok=True)


@dataclass(frozen=True)
class Case:
    """Gold and predicted labels with weights, and the labels that were declared."""

    gold: Texts
    pred: Texts
    weight: Floats | None
    labels: list[str]

    def tally(self) -> Confusion:
        """The counts, over the declared labels."""
        return Confusion.from_predictions(self.gold, self.pred, labels=self.labels, sample_weight=self.weight)

    def score(self, function: Callable[..., Any], **options: Any) -> float:
        """What scikit-learn says, without its advice."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(function(self.gold, self.pred, sample_weight=self.weight, **options))


def drawn(seed: int) -> Case:
    """From 1 to 200 rows of 1 to 8 declared classes; every third case is weighted, every tenth a constant answer."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, (8, 40, 201)[seed % 3])), int(rng.integers(1, 9))
    labels = [f"class {name}" for name in rng.permutation(list("éa1 Z-_x"))[:k]]
    gold_share, pred_share = (rng.dirichlet(np.full(k, 0.4)) for _ in range(2))
    gold = rng.choice(k, n, p=gold_share)
    pred = np.where(rng.random(n) < rng.random(), gold, rng.choice(k, n, p=pred_share))
    if seed % 10 == 9:
        pred = np.full(n, rng.integers(k))
    weight = None
    if seed % 4 == 0 or seed % 20 == 9:
        weight = rng.gamma(0.5, size=n) + 1e-3
    names = np.array(labels)
    return Case(names[gold], names[pred], weight, labels)


CASES = [drawn(seed) for seed in SEEDS]


def test_the_random_tables_hold_what_is_hard() -> None:
    sizes = {len(case.gold) for case in CASES}
    assert min(sizes) == 1
    assert max(sizes) > 150
    assert {len(case.labels) for case in CASES} == set(range(1, 9))
    assert sum(not set(case.labels) <= {*case.gold, *case.pred} for case in CASES) >= 10  # declared, never used
    assert sum(bool(set(case.gold) - set(case.pred)) for case in CASES) >= 8  # never predicted
    assert sum(bool(set(case.pred) - set(case.gold)) for case in CASES) >= 8  # never gold
    assert sum(len(set(case.pred)) == 1 and case.weight is not None for case in CASES) >= 3
    assert sum(case.weight is not None for case in CASES) >= 15


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("accuracy", sk.accuracy_score),
        ("balanced_accuracy", sk.balanced_accuracy_score),
        ("mcc", sk.matthews_corrcoef),
    ],
)
def test_measures_of_the_whole_table_are_those_of_scikit_learn(name: str, function: Any) -> None:
    for seed, case in zip(SEEDS, CASES, strict=True):
        found = getattr(assay, name)(case.gold, case.pred, labels=case.labels, sample_weight=case.weight)
        assert found == close(case.score(function)), seed


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_averages_are_those_of_scikit_learn(name: str, average: str) -> None:
    mine, theirs = getattr(assay, name), getattr(sk, f"{name}_score")
    # A class without a value counts as 0, or is left out: scikit-learn calls these zero_division 0 and nan.
    for undefined, division in (("zero", 0), ("exclude", np.nan)):
        for seed, case in zip(SEEDS, CASES, strict=True):
            expected = case.score(theirs, average=average, zero_division=division)
            found = mine.of(case.tally(), average=average, undefined=undefined)
            nothing_left = average == "weighted" and undefined == "exclude" and not set(case.gold) & set(case.pred)
            if name == "precision" and nothing_left:
                # No gold class has a precision: scikit-learn falls back to the unweighted mean of the others.
                assert np.isnan(found), seed
            else:
                assert found == close(expected), (seed, undefined)


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_a_mean_is_null_on_request_as_soon_as_one_class_has_no_value(name: str) -> None:
    measure = getattr(assay, name)
    for seed, case in zip(SEEDS, CASES, strict=True):
        per_class = measure.per_class(case.gold, case.pred, sample_weight=case.weight)
        expected = float(np.mean(list(per_class.values())))  # nan if any is
        found = measure.of(case.tally(), average="macro", undefined="null")
        assert found == close(expected), seed


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_single_classes_are_those_of_scikit_learn(name: str) -> None:
    mine, theirs = getattr(assay, name), getattr(sk, f"{name}_score")
    for seed, case in zip(SEEDS, CASES, strict=True):
        labels, tally = case.labels, case.tally()
        expected = theirs(
            case.gold, case.pred, average=None, labels=labels, sample_weight=case.weight, zero_division=np.nan
        ).tolist()
        found = mine.per_class(case.gold, case.pred, labels=labels, sample_weight=case.weight)
        assert list(found) == labels
        assert list(found.values()) == close(expected), seed
        one = [mine.of(tally, pos_label=label) for label in labels]
        assert one == close(expected), seed


def class_counts(case: Case) -> list[tuple[float, float, float, float]]:
    """For each class that has any weight: the weight of its hits, of its gold items, of its predicted items, of all."""
    weight = np.ones(len(case.gold)) if case.weight is None else case.weight
    out = []
    for label in case.labels:
        hit = gold = pred = 0.0
        for g, p, w in zip(case.gold, case.pred, weight, strict=True):
            hit += w * (g == p == label)
            gold += w * (g == label)
            pred += w * (p == label)
        if gold + pred > 0:
            out.append((hit, gold, pred, float(weight.sum())))
    return out


def test_symmetric_balanced_accuracy_follows_its_definition_with_weights_too() -> None:
    for seed, case in zip(SEEDS, CASES, strict=True):
        total, classes = 0.0, class_counts(case)
        for hit, gold, pred, n in classes:
            total += hit / gold if gold > 0 else pred / n
            total += hit / pred if pred > 0 else gold / n
        assert assay.symmetric_balanced_accuracy.of(case.tally()) == close(total / (2 * len(classes))), seed


def test_f1_of_means_follows_its_definition_with_weights_too() -> None:
    for seed, case in zip(SEEDS, CASES, strict=True):
        classes = class_counts(case)
        p = sum(hit / pred if pred > 0 else 0 for hit, _, pred, _ in classes) / len(classes)
        r = sum(hit / gold if gold > 0 else 0 for hit, gold, _, _ in classes) / len(classes)
        expected = 2 * p * r / (p + r) if p + r > 0 else 0.0
        assert assay.f1_of_means.of(case.tally()) == close(expected), seed


@pytest.mark.parametrize("k", [2, 3, 8, 12, 30])
def test_mcc_of_a_constant_answer_is_exactly_zero_however_the_rows_are_weighted(k: int) -> None:
    # Sums of weights taken by row and by column differ in their last bits, and 0/0 must not become 1e-16/1e-16.
    for seed in range(16):
        rng = np.random.default_rng(seed)
        gold, pred = rng.integers(0, k, 60), np.full(60, seed % k)
        strata = rng.integers(0, 3, 60) if seed % 2 else None
        for y, p in ((gold, pred), (pred, gold)):
            tally = Confusion.from_predictions(y, p, labels=range(k), sample_weight=rng.random(60), strata=strata)
            assert assay.mcc.of(tally) == 0
            found = assay.estimate("mcc", tally, method="logit_delta")
            assert found.value == 0
            assert any("0/0" in note for note in found.notes)


def test_mcc_loses_no_digits_with_rare_classes_among_a_thousand_million_rows() -> None:
    rng = np.random.default_rng(0)
    for i in range(20):
        table = rng.integers(0, 10**8, (3, 3))
        table[rng.random((3, 3)) < 0.3] = 3
        if i % 2:
            table = rng.integers(1, 9, (3, 3))
            table[0, 0] = 10**9
        n, gold, pred = (int(table.sum()), *([int(x) for x in table.sum(axis)] for axis in (1, 0)))
        # Whole numbers of Python do not round.
        top = n * int(np.trace(table)) - sum(g * p for g, p in zip(gold, pred, strict=True))
        spread = (n * n - sum(g * g for g in gold)) * (n * n - sum(p * p for p in pred))
        tally = Confusion.from_matrix(table, "abc")
        assert assay.mcc.of(tally) == pytest.approx(top / spread**0.5, rel=1e-12)


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


def test_the_adjusted_rand_index_is_that_of_scikit_learn() -> None:
    for seed, case in zip(SEEDS, CASES, strict=True):
        expected = float(sk.adjusted_rand_score(case.gold, case.pred))
        assert assay.adjusted_rand(case.gold, case.pred) == close(expected), seed
        assert assay.adjusted_rand(case.gold, [f"group of {p}" for p in case.pred]) == close(expected)


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


def test_mean_reciprocal_rank_of_graded_and_empty_lists() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        grades = {f"q{i}": rng.choice([0, 0, 0, 0.5, 2], int(rng.integers(0, 12))).tolist() for i in range(9)}
        total = 0.0
        for ranking in grades.values():
            rank = 1
            while rank <= len(ranking) and ranking[rank - 1] == 0:
                rank += 1
            total += 1 / rank if rank <= len(ranking) else 0
        assert assay.mean_reciprocal_rank(grades) == close(total / 9)


# ---------------------------------------------------------------------- what needs no model
FLOORS: dict[str, Score] = {
    "accuracy": lambda y, p, w: float(sk.accuracy_score(y, p, sample_weight=w)),
    "balanced_accuracy": lambda y, p, w: float(sk.balanced_accuracy_score(y, p, sample_weight=w)),
    "mcc": lambda y, p, w: float(sk.matthews_corrcoef(y, p, sample_weight=w)),
    "f1(average=macro)": lambda y, p, w: float(
        sk.f1_score(y, p, sample_weight=w, average="macro", zero_division=0),
    ),
    "f1(average=weighted)": lambda y, p, w: float(
        sk.f1_score(y, p, sample_weight=w, average="weighted", zero_division=0),
    ),
    "precision(average=macro)": lambda y, p, w: float(
        sk.precision_score(y, p, sample_weight=w, average="macro", zero_division=0),
    ),
}


def guesses(gold: Texts, labels: list[str]) -> list[tuple[str, Texts, Texts, Floats]]:
    """Every constant answer item by item, and the table that each kind of random guess gives on average."""
    n, k = len(gold), len(labels)
    out = [(f"always “{label}”", gold, np.full(n, label), np.ones(n)) for label in labels]
    shares = {label: float((gold == label).mean()) for label in labels}
    for name, share in (
        ("guessing in proportion to the classes", shares),
        ("guessing every class equally often", dict.fromkeys(labels, 1 / k)),
    ):
        rows = [(g, label, share[label]) for g in gold for label in labels if share[label] > 0]
        out.append(
            (
                name,
                np.array([g for g, _, _ in rows]),
                np.array([p for _, p, _ in rows]),
                np.array([w for *_, w in rows]),
            )
        )
    return out


@pytest.mark.parametrize("spelling", FLOORS)
def test_no_skill_is_the_best_of_all_answers_that_need_no_model(spelling: str) -> None:
    measure, options = parse(spelling)
    for seed, case in zip(SEEDS, CASES, strict=True):
        if case.weight is not None or len(case.gold) > 40:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tried = {name: FLOORS[spelling](y, p, w) for name, y, p, w in guesses(case.gold, case.labels)}
        tally = case.tally()
        bound = measure.bind(tally, **options)
        names, evidence = Margins.no_model(tally, None)
        assert dict(zip(names, bound(evidence).tolist(), strict=True)) == close(tried), seed
        floor = bound.no_skill(tally)
        assert floor is not None
        assert floor[0] == pytest.approx(max(tried.values()), abs=1e-11), seed
        assert tried[floor[1]] == pytest.approx(max(tried.values()), abs=1e-11), seed  # and it is named rightly


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9])
def test_no_skill_of_one_class_is_the_best_of_all_answers_that_need_no_model(share: float) -> None:
    gold = np.where(np.arange(100) < 100 * share, "ill", "well")
    tally = Confusion.from_predictions(gold, gold[::-1], labels=["well", "ill"], positive="ill")
    tried = [
        float(sk.f1_score(y, p, pos_label="ill", sample_weight=w, zero_division=0))
        for _, y, p, w in guesses(gold, ["well", "ill"])
    ]
    found = assay.estimate("f1", tally)
    assert found.no_skill == pytest.approx(max(tried), abs=1e-11)
    # Always answering "ill": all of them are found, among all rows.
    assert found.no_skill == pytest.approx(2 * share / (1 + share), abs=1e-11)
    # Recall of a class is 1 by always naming it, which says nothing.
    assert assay.estimate("recall", tally).no_skill is None
    assert assay.estimate("precision", tally).no_skill == pytest.approx(share, abs=1e-11)


def test_no_skill_follows_the_weights() -> None:
    rng = np.random.default_rng(3)
    gold, weight = rng.choice(list("abc"), 40), rng.random(40)
    tally = Confusion.from_predictions(gold, rng.permutation(gold), sample_weight=weight)
    heaviest = max(float(weight[gold == label].sum()) for label in "abc") / float(weight.sum())
    assert assay.estimate("accuracy", tally).no_skill == pytest.approx(heaviest, abs=1e-11)
