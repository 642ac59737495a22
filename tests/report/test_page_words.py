"""The head of a page, its notes and its method: true of the report, and enough to make it again."""

from __future__ import annotations

import ast
import html
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code
from assay.jobs.answers.results import Report, System
from assay.report.contents.blocks import Facts, Folded, Prose
from assay.report.findings.head import sentences, subtitle, title, verdict
from assay.report.findings.notes import grouped_notes
from assay.report.page.parts.method import call, method_part
from assay.report.page.render import page_html
from assay.tally.clusterings import Contingency
from assay.tally.contract.base import Tally
from assay.tally.count.counts import Counts
from assay.tally.rankings import Ranked
from assay.tally.ratings import Rated

DATA = Path("src/assay/data").resolve()
CANCER: dict[str, Any] = {"gold": "gold", "positive": "malignant"}
SCORES = {"tree": "tree_score"}
BOTH = {"logistic": "logistic_score", "tree": "tree_score"}


@pytest.fixture(autouse=True)
def _beside_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)


@pytest.fixture(scope="module")
def folds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("folds") / "folds.csv"
    lines = [f"{k},{0.80 + k / 100},{0.81 + k / 90}" for k in range(5)]
    path.write_text("\n".join(["fold,old,new", *lines]) + "\n")
    return path


# ---------------------------------------------------------------------- head
def test_one_system_is_titled_with_its_file_and_told_by_its_headline_its_measure_and_a_guess() -> None:
    report = assay.evaluate("breast_cancer.csv", pred=["tree"], **CANCER)
    assert title(report) == "tree · breast_cancer.csv"
    assert subtitle(report) == "569 rows, 212 of them “malignant” (37.3%)"
    # Counted by hand from the file: 191 hits, 12 false alarms; F1 = 382 / 415, and 424 / 781 for always malignant.
    assert verdict(report) == (
        "tree finds 191 of the 212 “malignant” rows, with 12 false alarms.",
        "F1 is 0.920 (95% interval 0.890 to 0.944); with no model, always “malignant” gives 0.543.",
        "Of 1,000 such rows, it would call 357 “malignant”, 336 of them correctly, and miss 37.",
    )


def test_a_comparison_is_titled_by_both_systems_and_told_by_its_own_summary() -> None:
    report = assay.compare_systems("breast_cancer.csv", pred=["logistic", "tree"], **CANCER)
    assert title(report) == "logistic vs. tree · breast_cancer.csv"
    assert subtitle(report).split(" · ") == [
        "569 rows, 212 of them “malignant” (37.3%)",
        "both systems answered the same rows",
    ]
    assert report.contest is not None
    assert verdict(report) == report.contest.summary


def test_several_systems_are_told_one_by_one_and_no_difference_is_implied() -> None:
    report = assay.evaluate("digits.csv", gold="gold", pred=["logistic", "tree", "bayes"])
    assert title(report) == "Three systems · digits.csv"
    assert subtitle(report) == "1,797 rows of 10 classes · all 3 systems answered the same rows"
    first, *each, last = verdict(report)
    assert first == "Three systems were judged on the same rows."
    assert [text.split()[0] for text in each] == ["logistic", "tree", "bayes"]
    assert all("MCC is 0." in text for text in each)
    assert last == "Whether they differ cannot be read off their intervals: “assay compare” tests it."
    assert not any(word in " ".join(verdict(report)) for word in ("better", "worse", "best", "ahead"))


def test_clusters_weights_and_a_threshold_stand_under_the_title() -> None:
    data = {"who": list("aabbccdd") * 5, "w": [1, 3] * 20, "gold": ["ill", "well"] * 20, "p": [0.9, 0.2] * 20}
    report = assay.evaluate(data, gold="gold", scores={"net": "p"}, positive="ill", cluster="who", weight="w")
    assert title(report) == "net"  # data in memory have no name
    assert subtitle(report) == (
        "40 rows, 20 of them “ill” (50.0%; 25.0% by weight) · 4 clusters by who · weighted by w · threshold 0.5"
    )


def test_folds_and_separate_samples_are_not_said_to_be_shared_rows(folds: Path, tmp_path: Path) -> None:
    report = assay.compare_repeated(folds, values=["old", "new"], folds="fold")
    assert subtitle(report) == "5 folds · both systems were measured on the same folds"
    for name, n in (("one", 40), ("two", 60)):
        (tmp_path / f"{name}.csv").write_text("gold,pred\n" + "1,1\n0,0\n1,0\n0,1\n" * (n // 4))
    files = {name: str(tmp_path / f"{name}.csv") for name in ("one", "two")}
    apart = assay.compare_systems(None, systems=files, unpaired=True)
    assert subtitle(apart).endswith("one: 40 rows, 20 of them “1” (50.0%) · two: 60 rows, 30 of them “1” (50.0%)")
    assert "same rows" not in subtitle(apart)


FAMILIES = {
    "3 queries, 6 judgments, grades 0 to 1": Ranked.from_rankings({"q1": [1, 0], "q2": [0, 1], "q3": [0, 1]}),
    "4 units": Rated.from_ratings([["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]),
    "6 items": Contingency.from_labels(list("aaabbb"), list("xxyyyy")),
}


@pytest.mark.parametrize(("described", "tally"), FAMILIES.items(), ids=FAMILIES.keys())
def test_a_family_without_predicted_labels_gets_a_head_and_a_method_all_the_same(described: str, tally: Tally) -> None:
    report = assay.evaluate(tally)
    assert title(report) == "The counts as given"
    assert subtitle(report) == described
    shown = re.search(r" is (\d\.\d+)", " ".join(verdict(report)))
    assert shown is not None
    assert float(shown[1]) == pytest.approx(report.rows[0].value, abs=0.05)  # at least one decimal is shown
    assert facts_of(report)["In Python"].startswith("assay.evaluate(counts)")


def test_a_name_with_a_full_stop_does_not_end_a_sentence() -> None:
    text = "v1. New finds 3 of the 4 “Dr. Who” rows, with no false alarm. Of 1,000 such rows it would call 5."
    assert sentences(text, "v1. New") == [
        "v1. New finds 3 of the 4 “Dr. Who” rows, with no false alarm.",
        "Of 1,000 such rows it would call 5.",
    ]


# ---------------------------------------------------------------------- notes
def test_what_all_systems_say_is_noted_once_and_the_rest_under_each_name() -> None:
    systems = (System("a", remarks=("shared", "own")), System("b", remarks=("shared", "other")))
    report = Report((), systems)
    assert grouped_notes(report) == (("a and b", ("shared",)), ("a", ("own",)), ("b", ("other",)))
    assert grouped_notes(Report((), (System("a"),))) == ()


def test_no_note_of_a_report_is_lost() -> None:
    report = assay.compare_systems("breast_cancer.csv", pred=["logistic", "tree"], scores=BOTH, **CANCER)
    shown = [note for _, notes in grouped_notes(report) for note in notes]
    numbers = "moved inward by 2.2e-16 so that the loss stays finite: 54 rows (logistic) and 201 rows (tree)"
    (merged,) = (note for note in report.notes if note.endswith(numbers))  # on a page each system has its own
    assert [each.split()[2] for each in shown if "moved inward" in each] == ["54", "201"]
    assert all(any(note.endswith(each) for each in shown) for note in report.notes if note != merged)


# ---------------------------------------------------------------------- method
def facts_of(report: Report, command: str | None = None) -> dict[str, str]:
    first = method_part(report, command).blocks[0]
    assert isinstance(first, Facts)
    return dict(first.facts)


def test_the_method_says_measures_for_people_hypotheses_and_where_the_rows_came_from() -> None:
    report = assay.compare_systems("breast_cancer.csv", pred=["logistic", "tree"], scores=BOTH, **CANCER)
    facts = facts_of(report)
    assert "Mid-P binomial intervals for Accuracy, Precision, Recall and Specificity" in facts["Intervals"]
    assert "MOVER intervals with DeLong's covariance for ROC AUC" in facts["Intervals of differences"]
    assert facts["Test"].startswith("F1, by a two-sided randomization test")
    assert facts["Null hypothesis (H0)"].startswith("logistic and tree are exchangeable row by row")
    assert facts["Alternative (H1)"] == "F1 differs between logistic and tree."
    assert "not the probability that H0 is true" in facts["What p means"]
    assert facts["Data"].startswith("breast_cancer.csv: 569 rows, 212 of them “malignant” (37.3%)")
    assert "scores of tree “tree_score”" in facts["Columns"]
    assert facts["Gold fingerprint"].startswith(report.provenance["gold fingerprint"])
    assert "_" not in facts["Intervals"] + facts["Test"] + facts["Alternative (H1)"]


def test_hypotheses_are_those_of_the_test_with_the_measure_named_for_people(folds: Path) -> None:
    report = assay.compare_repeated(folds, values=["old", "new"], folds="fold", measures="f1(average=macro)")
    facts = facts_of(report)
    assert facts["Null hypothesis (H0)"] == (
        "the expected difference in F1, macro (old minus new) is 0 when both are trained on similar data."
    )
    assert facts["Alternative (H1)"] == (
        "the expected difference in F1, macro (old minus new) is not 0 when both are trained on similar data."
    )
    signs = facts_of(assay.compare_repeated(folds, values=["old", "new"], test="sign", measures="f1"))
    assert (
        signs["Null hypothesis (H0)"]
        == "where they differ, old and new are higher equally often in the population of items."
    )


def test_every_signature_is_there_and_every_piece_of_advice_with_what_it_hides() -> None:
    report = assay.evaluate("breast_cancer.csv", pred=["tree"], **CANCER)
    folded = {block.title: block for block in method_part(report, None).blocks if isinstance(block, Folded)}
    advice, signatures = (block.blocks[0] for block in folded.values())
    assert isinstance(signatures, Facts)
    assert isinstance(advice, Facts)
    assert {text for _, text in signatures.facts} == {row.signature for row in report.rows}
    assert [term for term, _ in advice.facts] == [
        "MCC (Gorodkin 2004)",
        "Symmetric balanced accuracy (Gösgens et al. 2021)",
        "Recall (van Rijsbergen 1979)",
    ]
    for piece, (_, text) in zip(report.advice, advice.facts, strict=True):
        assert piece.hides is not None
        assert f"What it hides: {piece.hides}." in text


def test_folds_do_not_claim_that_training_again_was_left_out(folds: Path) -> None:
    said = facts_of(assay.compare_repeated(folds, values=["old", "new"], folds="fold"))["Not measured"]
    assert "training" not in said
    assert "training" in facts_of(assay.evaluate("digits.csv", gold="gold", pred=["tree"]))["Not measured"]


# ---------------------------------------------------------------------- the same again
MADE = {
    "one system": lambda: assay.evaluate("breast_cancer.csv", gold="gold", pred=["tree"], positive="malignant"),
    "names for columns": lambda: assay.evaluate(
        Path("breast_cancer.csv"), pred={"oak": "tree"}, measures="f1", **CANCER
    ),
    "scores": lambda: assay.evaluate("breast_cancer.csv", scores=SCORES, threshold=0.4, level=0.9, **CANCER),
    "costs": lambda: assay.evaluate(
        "breast_cancer.csv", pred=["tree"], costs={"fp": 1, "fn": 9}, tables=["pooled"], rows="pred", **CANCER
    ),
    "two systems": lambda: assay.compare_systems(
        "breast_cancer.csv", pred=["logistic", "tree"], primary="mcc", n_resamples=999, random_state=3, **CANCER
    ),
    "a report compared": lambda: assay.evaluate(
        "breast_cancer.csv", pred=["logistic", "tree"], level=0.8, tables=["pooled"], random_state=5, **CANCER
    ).compare(primary="accuracy"),
    "a sliced report compared": lambda: assay.evaluate(
        "breast_cancer.csv", pred=["logistic", "tree"], slices=["forest"], n_resamples=199, **CANCER
    ).compare(n_resamples=299),
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE.keys())
def test_the_call_that_is_shown_makes_the_same_rows_again(made: Any) -> None:
    report = made()
    text = facts_of(report)["In Python"]
    ast.parse(text)
    assert eval(text, {"assay": assay}).rows == report.rows
    assert "n_resamples=9999" not in text
    assert "method=" not in text


def test_the_call_of_folds_makes_the_same_rows_again(folds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folds.parent)
    report = assay.compare_repeated("folds.csv", values={"x": "old", "y": "new"}, folds="fold", lower_is_better=True)
    text = facts_of(report)["In Python"]
    assert eval(text, {"assay": assay}).rows == report.rows


def test_what_was_in_memory_is_a_named_gap_in_a_call_that_still_parses() -> None:
    data = {"gold": list("xyxy") * 9, "pred": list("xyxx") * 9}
    text = call(assay.evaluate(data, gold="gold", pred="pred"))
    assert text == "assay.evaluate(data, gold='gold', pred='pred')  # data is the table in memory"
    ast.parse(text)
    counts = assay.evaluate(assay.Confusion.from_counts(tp=8, fp=3, fn=2, tn=7))
    assert call(counts) == "assay.evaluate(counts)  # counts are those that were given"
    ids = {"id": list(range(36)), **data}
    other = {"id": list(range(36)), "pred": list("xyxy") * 9}
    text = call(assay.evaluate(ids, gold="gold", systems={"one": ids, "two": other}, id="id"))
    assert text is not None
    assert "systems={'one': ..., 'two': ...}" in text
    ast.parse(text)


def test_reports_compared_with_each_other_do_not_pretend_to_be_one_call() -> None:
    a, b = (assay.evaluate("breast_cancer.csv", pred=[name], **CANCER) for name in ("logistic", "tree"))
    text = call(a.compare(b, unpaired=True))
    assert text is not None
    assert text.startswith("report.compare(other, ")
    assert "breast_cancer" not in text


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_the_command_on_the_page_names_files_without_folders_and_writes_the_same_page_again(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "breast_cancer.csv"
    data.write_bytes((DATA / data.name).read_bytes())
    page = tmp_path / "it's a page.html"
    typed = [command, str(data), "--pred", "logistic", "--pred", "tree", "--positive", "malignant", "--format", "json"]
    assert exit_code([*typed, "--out", str(tmp_path / "x.json"), f"--html={page}"]) == 0
    assert str(tmp_path) not in page.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    first = page.read_text(encoding="utf-8")
    shown = first.split("<dt>Command</dt>")[1].split("<code>")[1].split("</code>")[0]
    words = shlex.split(html.unescape(re.sub("<[^>]+>", "", shown)))
    assert words[0] == "assay"
    page.unlink()
    assert exit_code(words[1:]) == 0
    assert page.read_text(encoding="utf-8") == first


def test_the_call_names_the_file_of_gold_and_those_of_the_systems(tmp_path: Path) -> None:
    for name in ("gold", "a", "b"):
        column = "gold" if name == "gold" else "pred"
        rows = [f"{i},{'yes' if i % (3 if name == 'b' else 2) else 'no'}" for i in range(60)]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"id,{column}", *rows]))
    files = {name: str(tmp_path / f"{name}.csv") for name in ("a", "b")}
    made = assay.compare_systems(tmp_path / "gold.csv", gold="gold", systems=files, id="id", positive="yes")
    written = call(made)
    assert written is not None
    again = eval(written.replace("'gold.csv'", repr(str(tmp_path / "gold.csv"))), {"assay": assay})
    assert again.rows == made.rows


def test_limits_that_lie_as_far_off_on_either_side_are_not_said_to_be_on_the_logit_scale() -> None:
    rng = np.random.default_rng(31)
    values = {"a": rng.normal(80, 2, 10), "b": rng.normal(78, 6, 10)}
    report = assay.compare_repeated(values, values=["a", "b"])
    for row in report.rows:
        assert row.low is not None
        assert row.high is not None
        assert row.value == pytest.approx((row.low + row.high) / 2)
    assert "jackknife intervals" in report.methods
    assert "logit" not in report.methods


def test_with_clusters_the_bars_are_said_to_be_of_clusters() -> None:
    rng = np.random.default_rng(4)
    gold = np.repeat(rng.integers(0, 2, 40), 10)
    a, b = (np.where(np.repeat(rng.random(40), 10) < right, gold, 1 - gold) for right in (0.8, 0.7))
    data = {"gold": gold, "a": a, "b": b, "doc": np.repeat(np.arange(40), 10)}
    report = assay.compare_systems(data, pred=["a", "b"], positive=1, cluster="doc", n_resamples=499)
    found = report.page()
    difference = next(part for part in found.parts if part.id == "difference")
    folded = next(block for block in difference.blocks if isinstance(block, Folded))
    prose = " ".join(text for block in folded.blocks if isinstance(block, Prose) for text in block.paragraphs)
    assert "resamples of these clusters, drawn with replacement" in prose
    assert "samples of rows" not in prose


@pytest.mark.parametrize(("described", "tally"), FAMILIES.items(), ids=FAMILIES.keys())
def test_every_sentence_counts_what_the_family_counts(described: str, tally: Tally) -> None:
    report = assay.evaluate(tally)
    counted = described.partition(",")[0]
    things = counted.partition(" ")[2]
    assert f"\n{counted} ·" in report.to_text()
    assert report.methods.startswith(f"Estimates are from {counted}")
    page = report.page()
    told = [*(f"{caution.title} {caution.text}" for caution in page.cautions), page.standing]
    assert f"intervals describe other {things} like these" in page.standing
    assert not re.search(r"\brows?\b", " ".join([report.to_text(), report.methods, *told, *verdict(report)]))
    assert "rows" not in facts_of(report)["Gold fingerprint"]


def test_several_queries_are_not_called_querys() -> None:
    runs = [{f"q{i}": [(i * seed) % 2, 1] for i in range(9)} for seed in (1, 2)]
    report = assay.evaluate(Ranked.joint(*runs)).compare()
    apart = assay.evaluate(report.counted.systems).compare(unpaired=True)
    for each in (report, apart):
        assert "queries" in each.to_text()
        assert "querys" not in each.to_text() + each.to_json() + page_html(each.page())


def test_separate_samples_of_queries_are_not_called_rows() -> None:
    runs = [Ranked.from_rankings({f"q{i}{name}": [i % 2, 1] for i in range(9)}) for name in "ab"]
    report = assay.evaluate(Counts({"old": runs[0], "new": runs[1]})).compare(unpaired=True)
    told = [f"{caution.title} {caution.text}" for caution in report.page().cautions]
    assert any("on its own queries" in text for text in told)


def test_two_runs_are_paired_by_the_names_of_their_queries_but_two_reports_are_not() -> None:
    runs = [Ranked.from_rankings({f"q{i}": [i % 2, 1] for i in range(9)}) for _ in range(2)]
    one, other = (assay.evaluate(Counts({name: run})) for name, run in zip(("old", "new"), runs, strict=True))
    with pytest.raises(assay.OptionError, match="belong to the same query"):
        one.compare(other)
    compared = assay.evaluate(Counts({"old": runs[0], "new": runs[1]})).compare()
    assert [found.difference for found in compared.comparisons] == [0.0] * 5
