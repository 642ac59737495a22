"""The confusion matrix as an array with labels, against scikit-learn's."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

import assay
from assay import DataError, OptionError


def labeled(seed: int, names: Any) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    gold, pred = (rng.choice(names, 60) for _ in range(2))
    return gold, pred, rng.random(60)


@pytest.mark.parametrize("names", [["cat", "dog", "fox"], [3, 1, 20], [False, True]])
def test_counts_and_their_order_are_scikit_learns(names: Any) -> None:
    gold, pred, weight = labeled(1, names)
    found = assay.confusion_matrix(gold, pred)
    assert found.tolist() == sk.confusion_matrix(gold, pred).tolist()
    assert found.dtype.kind == "i"
    assert list(found.labels) == sorted(names)
    weighted = assay.confusion_matrix(gold, pred, sample_weight=weight)
    assert np.allclose(weighted, sk.confusion_matrix(gold, pred, sample_weight=weight), atol=1e-12)


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_shares_are_scikit_learns(normalize: Any) -> None:
    gold, pred, _ = labeled(2, ["cat", "dog", "fox"])
    found = assay.confusion_matrix(gold, pred, normalize=normalize)
    assert np.allclose(found, sk.confusion_matrix(gold, pred, normalize=normalize), atol=1e-15)


def test_named_labels_choose_rows_and_columns_as_in_scikit_learn() -> None:
    gold, pred, _ = labeled(3, ["cat", "dog", "fox"])
    for labels in (["fox", "cat"], ["dog", "cat", "fox", "owl"]):
        found = assay.confusion_matrix(gold, pred, labels=labels)
        assert found.tolist() == sk.confusion_matrix(gold, pred, labels=labels).tolist()
        assert found.labels == tuple(labels)
        assert found.sum() + found.left_out == 60


def test_it_is_an_array() -> None:
    found = assay.confusion_matrix([0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    tn, fp, fn, tp = found.ravel()
    assert (tn, fp, fn, tp) == (1, 1, 1, 2)
    assert isinstance(found, np.ndarray)
    assert type(found.table) is np.ndarray
    assert type(np.asarray(found)) is np.ndarray
    assert found[1, 0] == 1
    for other in (found[:1], found / 2):
        assert isinstance(other, assay.ConfusionMatrix)
        assert other.labels == ()  # what is made from the table may have other labels


def test_it_can_be_copied_and_pickled_with_its_labels() -> None:
    found = assay.confusion_matrix(list("aab"), list("aba"))
    for same in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert same.labels == ("a", "b")
        assert same.tolist() == found.tolist()


def test_as_json_and_as_a_frame() -> None:
    found = assay.confusion_matrix(list("aab"), list("aba"))
    assert found.to_dict() == {"labels": ["a", "b"], "table": [[1, 1], [1, 0]], "left_out": 0}
    assert json.loads(found.to_json()) == found.to_dict()
    shares = assay.confusion_matrix(["a"], ["a"], labels=["a", "b"], normalize="true")
    assert json.loads(shares.to_json())["table"] == [[1, 0], [None, None]]
    frame = found.to_frame("pandas")
    assert frame.columns.tolist() == ["gold", "a", "b"]
    assert frame.loc[0].tolist() == ["a", 1, 1]


def test_it_prints_with_its_labels_and_what_was_left_out() -> None:
    text = str(assay.confusion_matrix(list("aabc"), list("abac"), labels=["a", "b"]))
    assert text.startswith("1 item has another label and is left out.\n")
    assert [line.split() for line in text.splitlines()[2:5]] == [
        ["called", "a", "called", "b"],
        ["gold", "a", "1", "1"],
        ["gold", "b", "1", "0"],
    ]
    assert str(assay.confusion_matrix(list("ab"), list("ab"))[:1]) == "[[1 0]]"


def test_a_label_without_items_has_no_shares() -> None:
    found = assay.confusion_matrix(["a", "b"], ["a", "a"], labels=["a", "b", "c"], normalize="true")
    assert np.isnan(found[2]).all()
    assert found[0].tolist() == [1, 0, 0]


def test_scores_are_no_labels() -> None:
    gold, scores = [0, 1] * 20, np.linspace(0.01, 0.99, 40)
    for refused in (assay.confusion_matrix, assay.accuracy):
        with pytest.raises(DataError, match="look like scores"):
            refused(gold, scores)


def test_what_makes_no_matrix_is_refused_in_a_sentence() -> None:
    with pytest.raises(DataError, match="no item of y_true has one of the labels"):
        assay.confusion_matrix(["a"], ["a"], labels=["b"])
    with pytest.raises(OptionError, match="normalize is 'rows'; expected one of 'true', 'pred'"):
        assay.confusion_matrix(["a"], ["a"], normalize="rows")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="y_true has 2 values and y_pred has 1"):
        assay.confusion_matrix(["a", "b"], ["a"])
