"""Very many classes and clusters: routes that leave out zeros and repetitions give what the slow definitions give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.forms import Proportion
from assay.tally.contract.base import Tally
from assay.tally.contract.hot import Hot, one_hot
from assay.uncertainty.one.influence import influences, is_linear
from assay.uncertainty.one.problem import unit_counts
from assay.uncertainty.two.exchange import ByCluster, ByUnit, exchange_of
from assay.uncertainty.two.tosses import Tosses
from scripts.coverage_counting import count
from scripts.coverage_harder import LongTail
from scripts.coverage_populations import answers, one_system

ROOMY = "assay.uncertainty.one.influence.ROOMY"


def labels(n: int, k: int, seed: int = 0, right: float = 0.8) -> tuple[Any, Any, Any]:
    """Gold labels, and the answers of two systems."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < share, gold, rng.integers(0, k, n)) for share in (right, right - 0.05))
    return gold.astype(str), a.astype(str), b.astype(str)


def test_rows_without_their_zeros_multiply_like_rows_with_them() -> None:
    rng = np.random.default_rng(0)
    codes, others = rng.integers(-1, 4, 50), rng.integers(0, 3, 50)
    dense = np.hstack([np.where((codes >= 0)[:, None], one_hot(np.maximum(codes, 0), 4), 0), one_hot(others, 3)])
    for columns in (rng.random(7), rng.random((7, 5))):
        assert np.allclose(Hot(((codes, 4), (others, 3))).times(columns), dense @ columns, rtol=1e-14)


LINEAR = [
    ("f1", {"average": "weighted"}),
    ("precision", {"average": "macro"}),
    ("symmetric_balanced_accuracy", {}),
    ("cohen_kappa", {"weights": "quadratic"}),
    ("specificity", {"average": "micro"}),
]


@pytest.mark.parametrize(("name", "options"), LINEAR)
@pytest.mark.parametrize("outside", [False, True])
def test_influences_are_the_same_without_zeros(
    name: str, options: dict[str, Any], outside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, a, _ = labels(400, 9)
    given = np.where(np.arange(len(a)) % 17 == 0, "elsewhere", a) if outside else a
    tally = assay.Confusion.from_predictions(gold, given, labels="gold")
    bound = catalogue()[name].bind(tally, **options)
    assert is_linear(bound)
    with_zeros = influences(bound, tally, tally.mass)
    stacked = influences(bound, tally, np.stack([tally.mass, 2 * tally.mass + 1]))
    monkeypatch.setattr(ROOMY, 0)
    assert np.allclose(influences(bound, tally, tally.mass), with_zeros, rtol=1e-12, atol=1e-16)
    assert np.allclose(influences(bound, tally, np.stack([tally.mass, 2 * tally.mass + 1])), stacked, rtol=1e-12)


SHARES = ["accuracy", "error_rate", "recall(average=weighted)", "recall(average=micro)", "fnr(average=micro)"]


@pytest.mark.parametrize("spelling", SHARES)
def test_hits_and_trials_of_each_unit_are_the_same_without_zeros(
    spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assay.measures.declare.catalogue import parse

    gold, a, _ = labels(300, 8)
    tally = assay.Confusion.from_predictions(gold, a)
    measure, options = parse(spelling)
    bound = measure.bind(tally, **options)
    form = bound.form(tally)
    assert isinstance(form, Proportion)
    right = (tally.gold == tally.pred).astype(float)
    wanted = right if measure.higher_is_better else 1 - right
    for roomy in (1 << 22, 0):
        monkeypatch.setattr(ROOMY, roomy)
        hits, trials = unit_counts(bound, tally, form)
        assert hits.tolist() == wanted.tolist()
        assert trials.tolist() == np.ones(len(right)).tolist()


def test_counts_of_hits_that_differ_by_class_are_found_feature_by_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, a, _ = labels(300, 8)
    tally = assay.Confusion.from_predictions(gold, a)
    bound = catalogue()["accuracy"].bind(tally)
    form = Proportion(lambda m: m.hit[..., 3] + 2 * m.gold[..., 5], "n")
    wanted = (tally.gold == tally.pred) * (tally.gold == 3) + 2 * (tally.gold == 5)
    monkeypatch.setattr(ROOMY, 0)
    assert unit_counts(bound, tally, form)[0].tolist() == wanted.tolist()


def test_discordant_answers_of_two_thousand_classes_are_those_counted_by_hand() -> None:
    gold, a, b = labels(3000, 2000)
    found = assay.compare(gold, a, b, measure="accuracy")
    assert found.effect.only_a == ((gold == a) & (gold != b)).sum()
    assert found.effect.only_b == ((gold != a) & (gold == b)).sum()


@pytest.mark.parametrize("groups", [25, 2500])
@pytest.mark.parametrize("statistic", ["raw", "studentized"])
def test_clusters_exchanged_by_their_sums_give_the_statistic_of_clusters_exchanged_unit_by_unit(
    groups: int, statistic: str
) -> None:
    gold, a, b = labels(5 * groups, 2, 3)
    cluster = np.random.default_rng(4).integers(0, groups, len(gold))
    joint = assay.Confusion.joint(gold, a, b, cluster=cluster, positive="1")
    for name in ("f1", "accuracy", "mcc"):
        bound, small = catalogue()[name].bind(joint.a).narrowed_pair(joint)
        closed, swap = small.exchange(as_they_are=False)
        if not is_linear(bound):
            continue
        quick, slow = (kind(closed, swap, bound, statistic) for kind in (ByCluster, ByUnit))
        assert isinstance(exchange_of(small, bound, statistic), ByCluster)
        heads = Tosses(quick.coins)(np.random.default_rng(5), 50)
        assert np.allclose(quick(heads), slow(heads), rtol=1e-9, atol=1e-12)
        assert quick.observed() == pytest.approx(slow.observed(), rel=1e-9, abs=1e-12)


def test_very_many_single_coins_are_fair_and_independent() -> None:
    heads = Tosses(np.ones(2001, np.int64))(np.random.default_rng(0), 999)
    assert set(np.unique(heads).tolist()) == {0, 1}
    n = heads.size
    assert abs(heads.mean() - 0.5) < 4 * 0.5 / np.sqrt(n)
    assert abs((heads[:, 1:] == heads[:, :-1]).mean() - 0.5) < 4 * 0.5 / np.sqrt(n)
    assert abs((heads[1:] == heads[:-1]).mean() - 0.5) < 4 * 0.5 / np.sqrt(n)


@pytest.mark.parametrize("groups", [40, 3000])
def test_clusters_with_the_same_content_are_those_found_by_comparing_all(groups: int) -> None:
    gold, a, _ = labels(3 * groups, 2)
    tally: Tally = assay.Confusion.from_predictions(gold, a, cluster=np.arange(len(gold)) % groups)
    clusters = tally.clusters
    assert clusters is not None
    start = np.searchsorted(clusters.cluster, np.arange(groups + 1))
    quick, slow = clusters._distinct, clusters._distinct_one_by_one(start)
    assert [x.tolist() for x in quick] == [x.tolist() for x in slow]
    assert 1 < len(quick[0]) < groups


def even(k: int, n: int, right: float) -> LongTail:
    """Classes that are equally frequent and equally hard."""
    gold = np.full(k, 1 / k)
    return LongTail(f"{k} even classes", n, *one_system(gold.tolist(), answers([right] * k, np.tile(gold, (k, 1)))))


def test_a_table_of_sixty_classes_has_the_interval_of_a_small_one() -> None:
    gold, a, _ = labels(3000, 60)
    found = assay.estimate("f1", gold, a, average="weighted")
    assert found.method == "smoothed"
    assert not any(note.startswith(("unreliable", "not simulated")) for note in found.notes)


def test_a_long_tail_of_many_classes_is_marked_unless_classes_count_by_their_size() -> None:
    rng = np.random.default_rng(0)
    gold = np.concatenate([np.repeat(np.arange(40), 50), np.arange(40, 60)])
    pred = np.where(rng.random(len(gold)) < 0.8, gold, rng.integers(0, 60, len(gold)))
    tally = assay.Confusion.from_predictions(gold, pred)
    marked = assay.estimate("jaccard", tally, average="macro").notes
    assert any(note.startswith("unreliable: 20 of 60 classes have fewer than 5 rows") for note in marked)
    weighted = assay.estimate("f1", tally, average="weighted").notes
    assert not any(note.startswith("unreliable") for note in weighted)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("population", "name", "options"),
    [
        (even(50, 500, 0.8), "precision", {"average": "weighted"}),
        (even(100, 1000, 0.5), "precision", {"average": "weighted"}),
        (even(50, 500, 0.8), "f1", {"average": "weighted"}),
        (even(100, 5000, 0.99), "f1", {"average": "weighted"}),
        (even(200, 1000, 0.8), "symmetric_balanced_accuracy", {}),
        (even(100, 1000, 0.5), "jaccard", {"average": "macro"}),
    ],
    ids=lambda each: getattr(each, "name", str(each)),
)
def test_intervals_of_many_classes_cover(population: LongTail, name: str, options: dict[str, Any]) -> None:
    found = count(population, name, 400, **options)
    assert found.made == 400
    assert 0.92 <= found.share <= 0.985  # 95% less two standard errors of 400 samples, and as much above
