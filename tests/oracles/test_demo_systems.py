"""Every value that a file of the demo gets, against scikit-learn 1.9 on the same columns.

The files are evaluated from their paths, so this follows a value all the way: reading, counting, formula, row.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from tests.oracles.cases import DATA, SYSTEMS, Case, columns
from tests.oracles.definitions import ONE_CLASS, four_counts
from tests.oracles.definitions import WHOLE as EVERY

EACH = [(file, system) for file in ("breast_cancer.csv", "digits.csv") for system in SYSTEMS]
WHOLE = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
}
BY_CLASS = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}
AVERAGES = ("macro", "micro", "weighted")


@cache
def rows(file: str) -> dict[tuple[str, str, str | None], float | None]:
    """The value of every measure, by system, measure and class, for every class."""
    averaged = [f"{name}(average={average})" for name in BY_CLASS for average in AVERAGES]
    report = assay.evaluate(DATA / file, gold="gold", pred=SYSTEMS, measures=[*WHOLE, *averaged, *BY_CLASS])
    return {(row.system, row.measure, row.class_): row.value for row in report.rows}


def close(expected: Any) -> Any:
    """The same up to the last bits: all of these are sums and quotients of counts."""
    return pytest.approx(float(expected), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("file", "system"), EACH)
@pytest.mark.parametrize("name", WHOLE)
def test_measures_of_the_whole_table_equal_those_of_scikit_learn(file: str, system: str, name: str) -> None:
    gold, pred = columns(file)["gold"], columns(file)[system]
    assert rows(file)[system, name, None] == close(WHOLE[name](gold, pred))


@pytest.mark.parametrize(("file", "system"), EACH)
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", BY_CLASS)
def test_averages_equal_those_of_scikit_learn(file: str, system: str, name: str, average: str) -> None:
    gold, pred = columns(file)["gold"], columns(file)[system]
    assert rows(file)[system, f"{name}(average={average})", None] == close(BY_CLASS[name](gold, pred, average=average))


@pytest.mark.parametrize(("file", "system"), EACH)
@pytest.mark.parametrize("name", BY_CLASS)
def test_values_of_each_class_equal_those_of_scikit_learn(file: str, system: str, name: str) -> None:
    gold, pred = columns(file)["gold"], columns(file)[system]
    labels = sorted(set(gold))
    expected = BY_CLASS[name](gold, pred, average=None, labels=labels)
    found = {class_: value for (s, m, class_), value in rows(file).items() if (s, m) == (system, name)}
    assert list(found) == labels
    assert list(found.values()) == [close(value) for value in expected]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("positive", ["malignant", "benign"])
def test_values_of_the_positive_class_equal_those_of_scikit_learn(system: str, positive: str) -> None:
    gold, pred = columns("breast_cancer.csv")["gold"], columns("breast_cancer.csv")[system]
    report = assay.evaluate(
        DATA / "breast_cancer.csv", gold="gold", pred=system, positive=positive, measures=list(BY_CLASS)
    )
    assert {row.measure: row.value for row in report.rows} == {
        name: close(theirs(gold, pred, pos_label=positive)) for name, theirs in BY_CLASS.items()
    }


@pytest.mark.parametrize(("file", "system"), [("breast_cancer.csv", "tree"), ("digits.csv", "bayes")])
def test_every_measure_of_a_file_follows_its_definition(file: str, system: str) -> None:
    gold, pred = (np.array(columns(file)[name]) for name in ("gold", system))
    case = Case(gold, pred, None, sorted(set(gold.tolist())))
    # Draws are few because the values are looked at, and not the intervals.
    report = assay.evaluate(DATA / file, gold="gold", pred=system, measures=[*EVERY, *ONE_CLASS], n_resamples=99)
    expected = {(name, None): value(case) for name, value in EVERY.items()}
    for label, four in four_counts(case).items():
        expected |= {(name, label): value(*four) for name, value in ONE_CLASS.items()}
    found = {(row.measure, row.class_): row.value for row in report.rows}
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == (None if np.isnan(value) else pytest.approx(value, rel=1e-9, abs=1e-9)), key
