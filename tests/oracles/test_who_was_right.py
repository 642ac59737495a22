"""Who was right where, against rows counted one by one: on the rows that the measure, and so its test, is about."""

import random
from typing import Any

import numpy as np
import pytest

import assay

RNG = random.Random(3)
GOLD = ["p"] * 49 + ["n"] * 71
A, B = ([g if RNG.random() < right else ("n" if g == "p" else "p") for g in GOLD] for right in (0.85, 0.6))


def _by_hand(only: str | None) -> tuple[int, int, int, int]:
    rows = [(a == g, b == g) for g, a, b in zip(GOLD, A, B, strict=True) if only in (None, g)]
    both, only_a, only_b, neither = (
        rows.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))
    )
    return only_a, only_b, both, neither


@pytest.mark.parametrize(
    ("name", "only", "rows"),
    [
        ("recall", "p", "positives"),
        ("fnr", "p", "positives"),
        ("specificity", "n", "negatives"),
        ("fpr", "n", "negatives"),
        ("accuracy", None, "rows"),
        ("error_rate", None, "rows"),
        ("f1", None, "rows"),
        ("precision", None, "rows"),
        ("mcc", None, "rows"),
    ],
)
def test_counts_and_odds_are_of_the_rows_that_the_measure_is_a_share_of(name: str, only: str | None, rows: str) -> None:
    asked: dict[str, Any] = {} if name in ("accuracy", "error_rate", "mcc") else {"pos_label": "p"}
    c = assay.compare(GOLD, A, B, measure=name, **asked)
    counted = _by_hand(only)
    only_a, only_b, both, neither = counted
    e = c.effect
    assert (e.only_a, e.only_b, e.both, e.neither) == counted
    assert e.odds_ratio == pytest.approx(only_a / only_b)
    assert c.to_dict()["effect"]["only_a"] == only_a
    assert f"they differ on {only_a + only_b} of {sum(counted)} {rows}" in str(c)
    assert f"only A right {only_a} · only B right {only_b} · both {both} · neither {neither}" in str(c)
    assert (f", of {sum(counted)} {rows}" in str(c)) == (only is not None)
    if c.test == "mcnemar_midp":
        assert c.statistic is not None
        assert c.statistic.sides is not None
        assert sorted(c.statistic.sides) == sorted((only_a, only_b))


def test_clusters_do_not_change_which_rows_are_counted() -> None:
    c = assay.compare(GOLD, A, B, measure="recall", pos_label="p", cluster=np.arange(120) // 4)
    assert (c.effect.only_a, c.effect.only_b, c.effect.both, c.effect.neither) == _by_hand("p")


def test_weights_do_not_change_which_rows_are_counted() -> None:
    weights = np.linspace(1, 2, 120)
    data = {"gold": GOLD, "A": A, "B": B, "w": weights.tolist()}
    report = assay.compare_systems(data, gold="gold", pred=["A", "B"], weight="w", positive="p", primary="recall")
    assert report.contest is not None
    e = report.contest.tested[0].effect
    assert (e.only_a, e.only_b, e.both, e.neither) == _by_hand("p")


def test_one_of_three_classes_counts_its_own_rows() -> None:
    gold, a, b = [*GOLD, "q", "q"], [*A, "q", "n"], [*B, "p", "q"]
    c = assay.compare(gold, a, b, measure="recall", pos_label="q")
    assert (c.effect.only_a, c.effect.only_b, c.effect.both, c.effect.neither) == (1, 1, 0, 0)
    assert "of 2 positives" in str(c)
