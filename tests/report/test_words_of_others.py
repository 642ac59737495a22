"""What people type who know other tools, or mistype: a kind message that names what to type here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, roc_auc_score

import assay
from assay.cli.main import exit_code

door: Any = assay  # through which anything may come
rng = np.random.default_rng(2)
G = (rng.random(60) < 0.5).astype(int)
L, A = (np.where(rng.random(60) < skill, G, 1 - G) for skill in (0.9, 0.8))
S = np.clip(0.5 + (G - 0.5) * 0.4 + rng.normal(0, 0.2, 60), 0.01, 0.99)
SCORES = np.eye(3)[[0, 1, 2, 2]]


def refusal(ask: Callable[[], Any]) -> str:
    with pytest.raises((assay.AssayError, AttributeError, KeyError)) as error:
        ask()
    return str(error.value)


# ---------------------------------------------------------------------- whole numbers
@pytest.mark.parametrize(
    "ask",
    [
        lambda: door.estimate("mcc", G, A, n_resamples=1e3),
        lambda: door.evaluate(G, A, n_resamples=1e3),
        lambda: door.compare(G, L, A, measure="mcc", n_resamples=1e3),
        lambda: door.tune(pl.DataFrame({"gold": G, "s": S}), score="s", youden=True, n_resamples=1e3),
        lambda: door.plan(difference=0.1, pilot=door.Confusion.joint(G, L, A), measure="mcc", n_resamples=1e3),
    ],
    ids=["estimate", "evaluate", "compare", "tune", "plan"],
)
def test_a_float_for_a_number_of_resamples_is_refused_in_words(ask: Callable[[], Any]) -> None:
    assert refusal(ask) == "n_resamples (--resamples) is 1000.0; expected a whole number. Did you mean 1000?"


def test_other_fractions_for_whole_numbers_are_refused_in_words() -> None:
    assert refusal(lambda: door.estimate("mcc", G, A, n_resamples=200.5)).endswith("expected a whole number.")
    told = refusal(lambda: door.compare(G, L, A, measure="mcc", random_state=1.5))
    assert told == "random_state (--seed) is 1.5; expected a whole number."
    assert refusal(lambda: door.plan(items=10.5, disagreement=0.1)) == "items is 10.5; expected a whole number."
    assert refusal(lambda: door.scorers(5)).startswith("an int is not a measure; name one")


def test_numpys_whole_numbers_are_whole_numbers() -> None:
    found = door.estimate("mcc", G, A, method="bca", n_resamples=np.int64(200), random_state=np.int32(3))
    assert "draws:200|seed:3" in found.signature


@pytest.mark.filterwarnings("error")
def test_scores_of_one_class_are_refused_without_a_warning() -> None:
    told = refusal(lambda: door.delong(np.ones(5), [1, 2, 3, 4, 5.0]))
    assert told == "DeLong's variances need more than one item of each class."


# ---------------------------------------------------------------------- keywords
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lvel", "level"),
        ("methd", "method"),
        ("n_resample", "n_resamples"),
        ("confidence", "level"),
        ("seed", "random_state"),
        ("n_bootstraps", "n_resamples"),
    ],
)
def test_a_misspelled_keyword_of_the_function_itself_is_recognized(typed: str, meant: str) -> None:
    told = f"there is no option {typed}=. Did you mean {meant}=?"
    assert refusal(lambda: door.estimate("f1", G, A, **{typed: 1})) == told
    assert refusal(lambda: door.f1.estimate(G, A, **{typed: 1})) == told
    assert refusal(lambda: door.compare(G, L, A, measure="f1", **{typed: 1})) == told
    assert refusal(lambda: door.evaluate(G, A, **{typed: 1})) == told


def test_a_misspelled_keyword_of_the_measure_is_still_recognized() -> None:
    assert refusal(lambda: door.compare(G, L, A, measure="f1", tst="sign")).endswith("Did you mean test=?")
    assert refusal(lambda: door.estimate("f1", G, A, averge="macro")).endswith("Did you mean average=?")
    assert refusal(lambda: door.estimate("f1", G, A, labls=[0, 1])).endswith("Did you mean labels=?")


def test_options_are_listed_once() -> None:
    told = refusal(lambda: door.ece(G, S, n_bins=10))
    assert told.count("'bins'") == 1
    assert told.endswith("Did you mean bins=?")


def test_evaluate_takes_the_arrays_by_name_as_the_others_do() -> None:
    by_name = door.evaluate(y_true=G, y_pred=A)
    assert [row.value for row in by_name.rows] == [row.value for row in door.evaluate(G, A).rows]
    both = door.compare_systems(y_true=G, y_pred={"l": L, "a": A})
    assert both.comparisons[0].names == ("l", "a")


# ---------------------------------------------------------------------- scikit-learn's options
def test_scikit_learns_defaults_are_taken() -> None:
    assert door.cohen_kappa(G, A, weights=None) == pytest.approx(cohen_kappa_score(G, A, weights=None))
    plain = door.balanced_accuracy(G, A, adjusted=False)
    assert plain == pytest.approx(balanced_accuracy_score(G, A))
    assert door.roc_auc(G, S, multi_class="ovr") == pytest.approx(roc_auc_score(G, S, multi_class="ovr"))


def test_scikit_learns_options_that_are_computed_otherwise_say_how() -> None:
    told = refusal(lambda: door.balanced_accuracy(G, A, adjusted=True))
    assert "for two classes the adjusted value is assay.informedness" in told.lower()
    assert door.informedness(G, A) == pytest.approx(balanced_accuracy_score(G, A, adjusted=True))
    told = refusal(lambda: door.roc_curve(G, S, drop_intermediate=True))
    assert told == (
        "roc_curve has no option drop_intermediate=. Every threshold is kept, as with drop_intermediate=False; leave "
        "it out."
    )
    told = refusal(lambda: door.log_loss(G, S, normalize=False))
    assert "always a mean over items" in told
    assert "share" not in told


def test_an_average_of_labels_is_no_misspelling_of_one_of_scores() -> None:
    told = refusal(lambda: door.roc_auc([0, 1, 2, 2], SCORES, average="micro"))
    assert told == "average is 'micro'; for a score of each class it is one of 'macro', 'weighted'."
    assert refusal(lambda: door.roc_auc([0, 1, 2, 2], SCORES, average="marco")).endswith("Did you mean 'macro'?")


@pytest.mark.parametrize(
    ("name", "pointer"),
    [
        ("precision_recall_curve", "assay.pr_curve"),
        ("precision_recall_fscore_support", "assay.classification_report"),
        ("hamming_loss", "assay.error_rate"),
        ("rand_score", "assay.adjusted_rand"),
        ("class_likelihood_ratios", "assay.lr_plus and assay.lr_minus"),
    ],
)
def test_names_of_scikit_learn_point_to_what_there_is(name: str, pointer: str) -> None:
    assert pointer in refusal(lambda: getattr(door, name))
    for each in pointer.split(" and "):
        assert hasattr(door, each.removeprefix("assay."))


def test_another_index_with_the_same_name_is_not_suggested() -> None:
    told = refusal(lambda: door.fowlkes_mallows_score)
    assert "Did you mean" not in told
    assert "compares clusterings" in told
    assert "clusterings" in door.fowlkes_mallows.summary


# ---------------------------------------------------------------------- attributes and keys
def test_an_attribute_for_two_systems_is_absent_from_one() -> None:
    one, two = door.delong(G, S), door.delong(G, S, A)
    assert not hasattr(one, "z")
    assert not hasattr(one, "p_value")
    assert hasattr(two, "z")
    told = "z is for two systems, but there is 1 system. Call delong(y_true, scores, other_scores)."
    assert refusal(lambda: one.z) == told


def test_a_key_of_two_systems_names_their_comparison() -> None:
    report = door.compare_systems(G, {"l": L, "a": A})
    told = refusal(lambda: report["mcc", "l", "a"])
    assert "names 2 systems, and a row is about one; report.comparisons[0] has their difference" in told
    told = refusal(lambda: door.evaluate(G, {"l": L, "a": A})["mcc", "l", "a"])
    assert "compare_systems gives their difference" in told


# ---------------------------------------------------------------------- at a shell
def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert exit_code(arguments) != 0
    return " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("typed", ["rows.cvs", "Rows.csv", "rows.CSV", "row.csv"])
def test_a_mistyped_file_is_the_nearest_that_can_be_read(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("rows.csv", "rows.npz", "rows.parquet", "rows.txt", "rows.pkl"):
        Path(name).write_text("gold,pred\na,a\n", encoding="utf-8")
    if Path(typed).exists():
        pytest.skip("names differ only in case here")
    assert f"there is no file '{typed}'; did you mean 'rows.csv'?" in said(["evaluate", typed], capsys)


def test_verify_says_which_two_files_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(["verify", "rows.csv"], capsys)
    assert "'assay verify' takes two files: RESULT, a report written with --format json, and FILE, its data" in told


def test_text_for_a_number_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert "assay: --level is 'abc'; expected a number." in said(["evaluate", "rows.csv", "--level", "abc"], capsys)
    assert "unable to convert" not in said(["evaluate", "rows.csv", "--resamples", "many"], capsys)


def test_one_wrong_letter_of_three_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("gold,pred\n1,1\n0,1\n0,0\n", encoding="utf-8")
    assert "Did you mean 'mcc'?" in said(["evaluate", str(rows), "--measure", "mmc"], capsys)


# ---------------------------------------------------------------------- in Python
GAPS = {"gold": ["a", "b", "a"], "pred": ["a", None, "b"]}
SCORED = {"gold": ["a", "b", "a"], "s": [0.1, None, 0.3]}
LABELED = {"gold": ["a", "b", "a"], "pred": ["a", "a", "b"]}
SIDES = {"x": {"id": [1, 2], "pred": ["a", "b"]}, "y": {"id": [1, 2, 3, 4], "pred": ["a", "b", "a", "b"]}}


@pytest.mark.parametrize(
    ("ask", "keyword"),
    [
        (lambda: door.evaluate(GAPS), "missing='skip'"),
        (lambda: door.evaluate(GAPS), "missing='wrong'"),
        (lambda: door.evaluate(SCORED, scores="s", positive="b"), "missing='skip'"),
        (lambda: door.evaluate(LABELED, measures=["f1", "roc_auc"]), "scores={'pred': 'COL'}"),
        (lambda: door.evaluate(LABELED, measures=["top_k_accuracy"]), "guesses="),
        (lambda: door.compare_systems({"id": [1, 2, 3], "gold": ["a", "b", "a"]}, systems=SIDES), "missing='wrong'"),
        (lambda: door.compare_systems(LABELED | {"q": ["a", "b", "a"]}, pred=["pred", "q"], threshold=0.5), "scores"),
        (lambda: door.compare_systems(None), "systems={'old': 'v1.csv'"),
        (door.plan, "plan(half_width=0.05)"),
        (lambda: door.tune(SCORED, score="s"), "cost_fp=1, cost_fn=20"),
    ],
    ids=[
        *("left out", "as wrong", "no score", "no scores", "one guess", "unpaired ids", "no threshold", "nothing"),
        *("no plan", "no choice"),
    ],
)
def test_messages_in_python_name_keywords(ask: Callable[[], Any], keyword: str) -> None:
    told = refusal(ask)
    assert keyword in told
    assert " --" not in told
