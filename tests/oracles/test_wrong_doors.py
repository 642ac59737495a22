"""Scores given where labels are wanted, guesses where scores are, and bins at their edges."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.calibration import calibration_curve as sklearn_calibration
from sklearn.metrics import top_k_accuracy_score

import assay
from assay import Confusion, Contingency, DataError, Guessed, OptionError, Scored
from assay.cli.main import exit_code

pd, pa = import_module("pandas"), import_module("pyarrow")

GOLD, SCORES = [0, 1, 1, 0], [0.2, 0.8, 0.9, 0.4]


# ---------------------------------------------------------------------- scores as labels
@pytest.mark.parametrize(
    "scores",
    [
        SCORES,
        np.array(SCORES),
        np.array(SCORES, np.float32),
        np.array(SCORES, object),
        pd.Series(SCORES),
        [0, 1, 1, 0.5],
    ],
    ids=["list", "array", "float32", "objects", "series", "one of four"],
)
def test_scores_given_as_labels_are_refused_with_the_doors_of_scores(scores: Any) -> None:
    for door in (Confusion.from_predictions, Contingency.from_labels):
        with pytest.raises(DataError, match=r"y_pred contains fractions such as.*roc_auc\(y_true, y_score\).*scores="):
            door(GOLD, scores)
    with pytest.raises(DataError, match="A contains fractions such as"):
        assay.compare(GOLD, scores, GOLD, measure="accuracy")
    with pytest.raises(DataError, match="y_true contains fractions such as"):
        Scored.from_scores(scores, SCORES)


@pytest.mark.parametrize(
    "made", [dict, pl.DataFrame, pd.DataFrame, pa.table], ids=["dict", "polars", "pandas", "arrow"]
)
def test_a_column_of_scores_given_as_labels_is_refused(made: Any) -> None:
    table = made({"gold": GOLD, "pred": SCORES})
    with pytest.raises(DataError, match=r"pred contains fractions such as.*scores="):
        assay.evaluate(table)
    with pytest.raises(DataError, match=r"pred contains fractions such as.*scores="):
        assay.compare_systems(made({"gold": GOLD, "other": GOLD, "pred": SCORES}), pred=["pred", "other"])


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_no_label(value: float) -> None:
    with pytest.raises(DataError, match=r"y_pred contains -?inf, which is not a label"):
        assay.accuracy(GOLD, [0.0, 1.0, 1.0, value])


def test_whole_floats_are_labels() -> None:
    assert assay.accuracy(GOLD, [0.0, 1.0, 0.0, 0.0]) == 0.75
    assert assay.evaluate({"gold": GOLD, "pred": [0.0, 1.0, 0.0, 0.0]}, measures="accuracy").rows[0].value == 0.75


def test_a_cluster_or_a_slice_may_be_named_by_any_number() -> None:
    table: dict[str, Any] = {"gold": GOLD, "pred": GOLD, "at": [0.5, 0.5, 1.5, 1.5]}
    assert Confusion.from_predictions(GOLD, GOLD, cluster=table["at"]).clusters is not None
    assert {row.slice for row in assay.evaluate(table, slices="at", measures="accuracy").rows if row.slice}


def test_a_prediction_column_of_a_file_that_reads_as_scores_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("gold,pred\n" + "".join(f"{g},{s}\n" for g, s in zip(GOLD, SCORES, strict=True)))
    assert exit_code(["evaluate", str(path)]) == 3
    assert (
        "the predictions of 'pred' look like scores, such as '0.2', but no gold label does" in capsys.readouterr().err
    )
    every = [f"--labels={label}" for label in ("0", "1", "0.2", "0.4", "0.8", "0.9")]
    assert exit_code(["evaluate", str(path), *every]) == 0


def test_versions_and_other_names_that_read_as_numbers_are_labels() -> None:
    assert assay.accuracy(["3.10", "3.11"], ["3.10", "3.12"]) == 0.5
    assert assay.accuracy(["1", "2", "3"], ["1", "2", "2.5"]) == pytest.approx(2 / 3)
    with pytest.raises(DataError, match="look like scores"):
        assay.accuracy(["0", "1"], ["0.1", "0.7"])


# ---------------------------------------------------------------------- guesses and scores
CLASSES = [0, 1, 2, 2, 1, 0]
ROWS = [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.1, 0.7, 0.2], [0.0, 0.1, 0.9], [1.0, 0.0, 0.0], [0.2, 0.5, 0.3]]


@pytest.mark.parametrize(
    "rows",
    [ROWS, tuple(map(tuple, ROWS)), np.array(ROWS), np.array(ROWS, object), [np.array(row) for row in ROWS]],
    ids=["lists", "tuples", "array", "objects", "rows"],
)
def test_rows_of_numbers_are_scores_in_whatever_they_stand(rows: Any) -> None:
    assert assay.top_k_accuracy(CLASSES[:4], rows[:4], k=2, labels=[0, 1, 2]) == top_k_accuracy_score(
        CLASSES[:4], np.array(ROWS[:4]), k=2, labels=[0, 1, 2]
    )
    same = assay.compare(CLASSES, rows, np.array(ROWS), measure="top_k_accuracy", k=2, n_resamples=99)
    assert same.difference == 0


def test_rows_of_whole_numbers_are_guesses_of_labels() -> None:
    assert assay.top_k_accuracy([0, 1, 2], [[2, 0], [0, 1], [0, 1]], k=2) == pytest.approx(2 / 3)
    assert assay.top_k_accuracy([0, 1, 2], np.array([[2, 0], [0, 1], [0, 1]]), k=2) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], "some stand twice in a row"),
        (np.eye(3, dtype=int), "some stand twice in a row"),
        (np.eye(3, dtype=bool), "some stand twice in a row"),
        ([[10, 30, 20], [30, 10, 20], [10, 20, 30]], "none of them is a gold label"),
    ],
    ids=["one-hot", "an array", "truth values", "strange"],
)
def test_whole_numbers_that_may_be_scores_are_refused(rows: Any, why: str) -> None:
    with pytest.raises(DataError, match=why):
        assay.top_k_accuracy([0, 1, 2], rows, k=2)


def test_two_classes_guessed_by_0_and_1_are_refused_for_they_may_be_scores() -> None:
    with pytest.raises(DataError, match="may as well be a score of 0 or 1"):
        assay.top_k_accuracy([0, 1], [[0, 1], [0, 1]], k=1)
    assert assay.top_k_accuracy(["0", "1"], [["0", "1"], ["0", "1"]], k=1) == 0.5


def test_scores_of_one_class_are_no_guesses() -> None:
    with pytest.raises(DataError, match="guesses has a float at position 0; each item has a list of labels"):
        assay.top_k_accuracy([0, 1], [0.2, 0.8], k=2)
    with pytest.raises(DataError, match="guesses has a set at position 0"):
        Guessed.from_guesses([0, 1], [{0, 1}, {1, 0}])  # type: ignore[list-item]


def test_scores_are_not_compared_with_guesses() -> None:
    with pytest.raises(DataError, match="compares systems that give the same kind of answer"):
        assay.compare(CLASSES, np.array(ROWS), [[0, 1, 2]] * 6, measure="top_k_accuracy")


# ---------------------------------------------------------------------- what options may be
@pytest.mark.parametrize("labels", [5, {0, 1}, iter([0, 1])], ids=["a number", "a set", "an iterator"])
def test_classes_are_listed_in_an_order(labels: Any) -> None:
    for made in (
        lambda: assay.f1(GOLD, GOLD, labels=labels),
        lambda: Confusion.from_matrix(np.eye(2, dtype=int), labels),
    ):
        with pytest.raises(DataError, match="labels is a"):
            made()


@pytest.mark.parametrize("bins", [0, True, 2.5, "4", 10**9])
def test_bins_are_a_whole_number_that_can_be_gone_through(bins: Any) -> None:
    with pytest.raises(OptionError, match="bins is"):
        assay.ece(GOLD, SCORES, bins=bins)


# ---------------------------------------------------------------------- bins
@pytest.mark.parametrize("bins", [2, 4, 5, 8, 10, 15, 16, 20])  # of others scikit-learn's edges are off in the last bit
def test_scores_at_the_edges_of_bins_of_one_width_go_where_scikit_learn_puts_them(bins: int) -> None:
    edges = np.arange(bins + 1) / bins
    score = np.concatenate([edges, (edges[1:] + edges[:-1]) / 2, edges[1:-1]])
    truth = np.random.default_rng(bins).permutation(len(score)) % 3 == 0
    share, mean = assay.calibration_curve(truth, score, bins=bins, binning="width")
    their_share, their_mean = sklearn_calibration(truth, score, n_bins=bins, strategy="uniform")
    np.testing.assert_allclose(share, their_share, rtol=1e-12)
    np.testing.assert_allclose(mean, their_mean, rtol=1e-12)
    places = np.searchsorted(np.linspace(0, 1, bins + 1)[1:-1], score)  # as scikit-learn finds them
    sums = np.bincount(places, weights=truth - score, minlength=bins)
    assert assay.ece(truth, score, bins=bins, binning="width") == pytest.approx(np.abs(sums).sum() / len(score))


@pytest.mark.parametrize("bins", [2, 3, 5, 10])
def test_bins_of_one_mass_are_the_quantiles_of_scikit_learn_where_they_divide_the_items(bins: int) -> None:
    score = np.random.default_rng(1).permutation(np.arange(60)) / 59
    truth = np.random.default_rng(2).random(60) < score
    share, mean = assay.calibration_curve(truth, score, bins=bins, binning="mass")
    their_share, their_mean = sklearn_calibration(truth, score, n_bins=bins, strategy="quantile")
    np.testing.assert_allclose(share, their_share)
    np.testing.assert_allclose(mean, their_mean)


def test_the_page_of_ece_closes_bins_on_the_right_as_the_code_does() -> None:
    assert "b / bins < p ≤ (b + 1) / bins" in assay.ece.written
    assert assay.ece([0, 1], [0.5, 0.6], bins=2, binning="width") == pytest.approx((0.5 + 0.4) / 2)  # two bins
    assert assay.ece([0, 1], [0.5, 0.4], bins=2, binning="width") == pytest.approx(0.1 / 2)  # one bin
    assert assay.ece([0, 1], [0.0, 0.5], bins=2, binning="width") == pytest.approx(0.5 / 2)  # 0 is in the first


@pytest.mark.parametrize("bins", [10, 100, 1000])
def test_scores_gathered_for_storage_reach_the_same_thresholds_at_every_edge(bins: int) -> None:
    edges = np.arange(bins) / bins
    tally = Scored.from_scores(np.arange(bins) % 2, edges)
    for threshold in edges[[1, bins // 2, bins * 29 // 100, bins * 57 // 100]]:
        assert tally.binned(bins).at(threshold) == tally.at(threshold)


# ---------------------------------------------------------------------- doors of values


def shown(bad: Any) -> str:
    """A name that is the same in every run."""
    return type(bad).__name__ if hasattr(bad, "__next__") else " ".join(repr(bad).split())[:40]


MASKED = np.ma.masked_array([0.1, 0.5, 0.9], mask=[True, False, False])
THREE = [0.2, 0.5, 0.7]
BAD_VALUES: list[Any] = [MASKED, iter(THREE), {1, 2, 3}, None, 5, "abc", [[1], [2], [3]], [1, None, 2], [1, 10**400, 2]]


@pytest.mark.parametrize("bad", BAD_VALUES, ids=shown)
def test_values_that_are_no_numbers_are_refused_in_words(bad: Any) -> None:
    for door in (
        lambda: assay.five_numbers(bad),
        lambda: assay.compare_values(THREE, bad),
        lambda: assay.friedman({"a": THREE, "b": THREE[::-1], "c": bad}),
        lambda: assay.cochrans_q(bad),
    ):
        with pytest.raises(DataError):
            door()


@pytest.mark.parametrize(
    "bad", [MASKED, iter("uvw"), {"u"}, 5, "uvw", [["u"], ["v"], ["w"]], ["u", None, "v"]], ids=shown
)
def test_clusters_of_values_that_are_no_labels_are_refused_in_words(bad: Any) -> None:
    with pytest.raises(DataError, match="cluster"):
        assay.compare_values(THREE, THREE[::-1], cluster=bad)


@pytest.mark.parametrize(
    "bad", [iter(SCORES), {0.5}, None, 5, "abc", [[s] for s in SCORES], np.array([SCORES]).T], ids=shown
)
def test_a_column_that_is_none_is_refused_in_words(bad: Any) -> None:
    with pytest.raises(DataError, match=r"^p (is|has) "):
        assay.evaluate({"gold": GOLD, "p": bad}, scores="p")
