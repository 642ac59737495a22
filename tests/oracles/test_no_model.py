"""What answers without a model are worth, against scikit-learn 1.9 on those answers themselves."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import Confusion
from assay.measures.declare.catalogue import parse
from assay.tally.margins import Margins
from tests.oracles.cases import CASES, SEEDS, Floats, Labels, close

Score = Callable[..., float]

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


def guesses(gold: Labels, labels: list[Any]) -> list[tuple[str, Labels, Labels, Floats]]:
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
        tally = replace(case.tally(), absent=())  # the floors are over the classes that occur
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


def test_one_answer_that_is_right_for_every_item_is_a_baseline_of_one_class_too() -> None:
    report = assay.evaluate([1, 1, 1, 1], [1, 0, 1, 1], positive=1)
    always = np.ones(4)
    assert report["f1"].no_skill == sk.f1_score(always, always) == report["accuracy"].no_skill == 1
    assert report["recall"].no_skill == sk.recall_score(always, always)


def test_no_skill_follows_the_weights() -> None:
    rng = np.random.default_rng(3)
    gold, weight = rng.choice(list("abc"), 40), rng.random(40)
    tally = Confusion.from_predictions(gold, rng.permutation(gold), sample_weight=weight)
    heaviest = max(float(weight[gold == label].sum()) for label in "abc") / float(weight.sum())
    assert assay.estimate("accuracy", tally).no_skill == pytest.approx(heaviest, abs=1e-11)
