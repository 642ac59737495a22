"""Exchanges of scores, whole multiplicities and bins without an item, against the definitions and scikit-learn 1.9."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import Scored
from assay.measures.declare.catalogue import catalogue, parse
from assay.measures.scores.calibration import into_bins
from assay.tally.contract.sampling import Floats, whole_numbers
from assay.tally.scores import ByScore
from assay.uncertainty.one.resample import jackknife_values
from assay.uncertainty.two.exchange import exchange_of

OF_SCORES = sorted(name for name, each in catalogue().items() if each.evidence is ByScore)
SHAPES = ("apart", "some ties", "few scores")


def systems(n: int, shape: str, seed: int = 0) -> tuple[Any, Floats, Floats]:
    rng = np.random.default_rng(seed)
    gold = rng.random(n) < 0.4
    a, b = (np.clip(0.5 * rng.random(n) + 0.3 * gold + shift, 0, 1) for shift in (0.0, 0.1))
    steps = {"apart": 0, "some ties": 60, "few scores": 6}[shape]
    return (gold, a, b) if not steps else (gold, np.round(a * steps) / steps, np.round(b * steps) / steps)


def bound_to(spelling: str, tally: Any) -> Any:
    measure, options = parse(spelling)
    return measure.bind(tally, **options)


def midranks(scores: Floats) -> Floats:
    return np.array([(scores < x).sum() + ((scores == x).sum() + 1) / 2 for x in scores])


def ece_by_hand(gold: Any, p: Floats, bins: int = 15) -> float:
    """Items of one score together, in the bin of the middle of all items up to them."""
    n, total = len(p), np.zeros(bins)
    for score in np.unique(p):
        here = p == score
        middle = (p < score).sum() + here.sum() / 2
        total[min(math.floor(bins * (middle / n)), bins - 1)] += gold[here].sum() - here.sum() * score
    return float(np.abs(total).sum() / n)


# ---------------------------------------------------------------------- exchanges
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spelling", ["average_precision", "ece"])
def test_an_exchange_gives_what_the_swapped_scores_give(spelling: str, shape: str) -> None:
    gold, a, b = systems(60, shape)
    joint = Scored.joint(gold, a, b)
    exchange = exchange_of(joint, bound_to(spelling, joint.a), "raw")
    rng = np.random.default_rng(1)
    heads = rng.binomial(exchange.coins, 0.5, size=(20, len(exchange.coins)))
    drawn = np.sort(np.abs(exchange(heads)))
    assert exchange.observed() == pytest.approx(
        float(bound_to(spelling, joint.a).at(joint.a, joint.mass) - bound_to(spelling, joint.b).at(joint.b, joint.mass))
    )
    # By the definition: all 2 ** 10 swaps of ten items, the first of them as observed.
    if shape != "apart":
        assert np.isfinite(drawn).all()
        return
    value = sk.average_precision_score if spelling == "average_precision" else ece_by_hand
    x, y = (midranks(a), midranks(b)) if spelling == "average_precision" else (a, b)
    keys = joint.a.keys["score"]
    of_item = {score: i for i, score in enumerate(a.tolist())}
    item = np.array([of_item[score] for score in keys.tolist()])  # the item of each unit
    first = _first_units(joint, spelling)
    for row, found in zip(heads, exchange(heads), strict=True):
        kept = np.ones(len(gold), bool)
        kept[item[first]] = row == 1
        one, other = np.where(kept, x, y), np.where(kept, y, x)
        assert found == pytest.approx(value(gold, one) - value(gold, other), abs=1e-12)


def _first_units(joint: Any, spelling: str) -> Any:
    """The units that the coins belong to, among those that occurred."""
    closed, swap = joint.exchange(as_they_are=spelling == "ece")
    both = closed.counts + closed.counts[swap]
    first = np.flatnonzero((np.arange(len(swap)) < swap) & (both > 0))
    assert (first < len(joint.counts)).all()
    return first


# ---------------------------------------------------------------------- whole multiplicities
@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("sort", [True, False])
def test_whole_multiplicities_give_the_same_numbers_as_floats(name: str, shape: str, sort: bool) -> None:
    gold, a, b = systems(80, shape, seed=2)
    joint = Scored.joint(gold, a, b)
    tally = Scored.from_scores(gold, a) if sort else joint.b
    bound = catalogue()[name].bind(tally)
    draws = np.random.default_rng(3).multinomial(80, tally.counts / 80, size=50)
    expected = bound.at(tally, draws.astype(np.float64))
    for kind in (np.int8, np.int32):
        drawn: Any = draws.astype(kind)
        assert np.array_equal(bound.at(tally, drawn), expected, equal_nan=True)
    # The largest that fit into small numbers, two of which are added up.
    most = 63 * (draws > 0)
    many: Any = most.astype(whole_numbers(63, 80))
    assert many.dtype == np.int8
    assert np.array_equal(bound.at(tally, many), bound.at(tally, most.astype(np.float64)), equal_nan=True)


# ---------------------------------------------------------------------- bins
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("bins", [1, 2, 15, 200])
def test_every_score_lies_in_the_bin_of_its_middle(shape: str, bins: int) -> None:
    gold, a, _ = systems(90, shape, seed=4)
    tally = Scored.from_scores(gold, a)
    stack = np.stack([tally.mass, 0.0 * tally.mass, tally.mass * np.random.default_rng(5).random(len(tally.counts))])
    whole: Any = tally.counts.astype(np.int32)[None]
    for w in (stack, whole):
        e = ByScore.of(tally, w)
        found = into_bins(e, bins)
        items = e.pos + e.neg
        n = np.maximum(items.sum(-1, keepdims=True), 1e-300)
        place = (np.cumsum(items, axis=-1) - items / 2) / n
        index = np.clip(np.floor(bins * place), 0, bins - 1)
        assert np.array_equal(found.index, index)
        for sums, each in ((found.items, items), (found.positive, e.pos), (found.expected, items * e.score)):
            by_hand = [[row[at == b].sum() for b in range(bins)] for row, at in zip(each, index, strict=True)]
            assert sums == pytest.approx(np.array(by_hand), abs=1e-12)
        assert found.gap == pytest.approx(found.positive - found.expected, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", [{}, {"bins": 1}, {"bins": 40}, {"binning": "width"}])
@pytest.mark.parametrize("name", ["ece", "mce"])
def test_errors_without_an_item_are_those_of_the_other_items(shape: str, name: str, options: dict[str, Any]) -> None:
    gold, a, _ = systems(70, shape, seed=6)
    tally = Scored.from_scores(gold, a)
    bound = catalogue()[name].bind(tally, **options)
    found, _ = jackknife_values(bound, tally)
    slow = bound(bound.evidence.without_each(tally, slice(None)))
    assert found.tolist() == pytest.approx(slow.tolist(), abs=1e-12)
    item = int(np.flatnonzero(tally.counts)[3])
    gone = np.flatnonzero((a == tally.keys["score"][item]) & (gold == tally.keys["positive"][item]))[0]
    rest = getattr(assay, name)(np.delete(gold, gone), np.delete(a, gone), **options)
    assert found[item] == pytest.approx(rest, abs=1e-12)


@pytest.mark.parametrize("name", ["ece", "mce"])
def test_errors_of_confidence_without_an_item(name: str) -> None:
    rng = np.random.default_rng(7)
    tally = assay.ClassScored.from_class_scores(rng.integers(0, 3, 40), rng.dirichlet(np.ones(3), 40), labels=[0, 1, 2])
    bound = catalogue()[name].on(tally).bind(tally)
    found, _ = jackknife_values(bound, tally)
    slow = bound(bound.evidence.without_each(tally, slice(None)))
    assert found.tolist() == pytest.approx(slow.tolist(), abs=1e-12)
