"""A class that occurs nowhere changes no interval, error, guess or test of a measure whose value ignores it."""

import random
from typing import Any

import numpy as np
import pytest

import assay
from assay.measures.declare.catalogue import catalogue, find
from assay.measures.declare.measure import Measure
from assay.tally.labels import Confusion

AVERAGED = ({"average": "macro"}, {"average": "micro"}, {"average": "weighted"}, {"pos_label": "b"})
OWN: dict[str, tuple[dict[str, Any], ...]] = {"cohen_kappa": ({}, {"weights": "linear"}, {"weights": "quadratic"})}


def _options(measure: Measure) -> tuple[dict[str, Any], ...]:
    if measure.averages.of_one_class:
        return ({"pos_label": "b"},)
    return AVERAGED if measure.averaged else OWN.get(measure.name, ({},))


CASES = [
    pytest.param(name, options, id=f"{name}-{'-'.join(map(str, options.values()))}")
    for name, measure in catalogue().items()
    if measure.kind is Confusion
    for options in _options(measure)
]


def _answers(classes: str) -> tuple[list[str], list[str], list[str]]:
    rng = random.Random(5)
    gold = [rng.choice(classes) for _ in range(60)]
    a, b = ([g if rng.random() < right else rng.choice(classes) for g in gold] for right in (0.7, 0.5))
    return gold, a, b


def _estimated(e: assay.Estimate) -> list[Any]:
    return [e.value, e.low, e.high, e.standard_error, e.method, e.no_skill, e.no_skill_name]


def _ends(e: assay.Estimate) -> Any:
    """The standard error and the width of the interval."""
    assert e.low is not None
    assert e.high is not None
    return np.array([e.standard_error, e.high - e.low], np.float64)


def _compared(c: assay.Comparison) -> list[Any]:
    found = [c.difference, c.low, c.high, c.standard_error, c.method, c.p_value, c.p_interval, c.test, c.mde]
    return [*found, c.outcome]


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize(
    ("classes", "declared"), [("ab", "abc"), ("abd", "abcd"), ("abd", "abde")], ids=["last", "between", "last of four"]
)
def test_a_value_that_ignores_an_absent_class_has_the_interval_and_the_test_without_it(
    name: str, options: dict[str, Any], classes: str, declared: str
) -> None:
    gold, a, b = _answers(classes)
    more: dict[str, Any] = {"measure": name, "n_resamples": 999, **options}
    given: tuple[dict[str, Any], ...] = ({}, {"labels": [*declared]})
    plain, wide = (assay.estimate(name, gold, a, n_resamples=999, **options, **labels) for labels in given)
    if plain.value != wide.value:
        return
    assert _estimated(wide) == _estimated(plain)
    assert _compared(assay.compare(gold, a, b, **more, labels=[*declared])) == _compared(
        assay.compare(gold, a, b, **more)
    )


def test_the_laws_above_are_about_nearly_every_measure_of_labels() -> None:
    gold, a, _ = _answers("abd")
    kept = [
        name
        for name, options in ((case.values[0], dict(case.values[1])) for case in CASES)  # type: ignore[call-overload]
        if find(str(name))(gold, a, **options) == find(str(name)).of(_declared(gold, a), **options)
    ]
    assert len(kept) > 2 * len(CASES) / 3


def _declared(gold: list[str], a: list[str]) -> Confusion:
    return Confusion.from_predictions(gold, a, labels=[*"abcd"])


@pytest.mark.parametrize("name", ["g_mean", "symmetric_balanced_accuracy", "f1_of_means", "balanced_accuracy", "mcc"])
@pytest.mark.parametrize("kind", ["cluster", "sample_weight", "strata"])
def test_clusters_weights_and_strata_keep_the_law(name: str, kind: str) -> None:
    gold, a, _ = _answers("abd")
    rng = np.random.default_rng(3)
    rows: Any = {"cluster": np.arange(60) // 3, "sample_weight": rng.uniform(1, 2, 60), "strata": np.arange(60) % 2}[
        kind
    ]
    given: tuple[dict[str, Any], ...] = ({}, {"labels": [*"abcd"]})
    plain, wide = (assay.estimate(name, gold, a, n_resamples=499, **{kind: rows}, **labels) for labels in given)
    assert _estimated(wide) == _estimated(plain)


@pytest.mark.parametrize("name", ["g_mean", "symmetric_balanced_accuracy", "f1_of_means"])
def test_an_absent_class_leaves_an_interval_as_wide_as_the_jackknife_has_it(name: str) -> None:
    gold = ["a", "b"] * 20
    pred = gold[:30] + ["b", "a"] * 5
    values = []
    for left in range(40):  # the definition, row by row
        values.append(assay.estimate(name, gold[:left] + gold[left + 1 :], pred[:left] + pred[left + 1 :]).value)
    spread = np.array(values, np.float64) - np.mean(np.array(values, np.float64))
    error = np.sqrt(39 / 40 * (spread**2).sum())
    found = assay.estimate(name, gold, pred, labels=["a", "b", "c"])
    assert _ends(found)[1] == pytest.approx(2 * 1.96 * error, rel=0.1)
    report = assay.evaluate(gold, pred, labels=["a", "b", "c"], measures=[name])
    assert "cannot be told apart" not in str(report)


@pytest.mark.parametrize("name", ["f1", "precision", "recall", "jaccard", "fnr", "informedness"])
def test_the_error_of_a_mean_with_an_absent_class_is_that_of_its_part_that_varies(name: str) -> None:
    gold, a, _ = _answers("abd")
    given: tuple[dict[str, Any], ...] = ({}, {"labels": [*"abcd"]})
    plain, wide = (_ends(assay.estimate(name, gold, a, average="macro", method="jackknife", **more)) for more in given)
    assert wide == pytest.approx(plain * 3 / 4)


def test_a_system_is_judged_alike_whether_or_not_another_one_predicts_one_more_class() -> None:
    gold, a, b = _answers("abd")
    alone = assay.evaluate(gold, a, measures=["g_mean", "symmetric_balanced_accuracy"], n_resamples=999)
    both = assay.evaluate(
        gold, {"a": a, "b": [*b[:-1], "e"]}, measures=["g_mean", "symmetric_balanced_accuracy"], n_resamples=999
    )
    for name in ("g_mean", "symmetric_balanced_accuracy"):
        one = next(row for row in alone.rows if row.measure == name)
        two = next(row for row in both.rows if row.measure == name and row.system == "a")
        assert (two.value, two.low, two.high) == (one.value, one.low, one.high)
