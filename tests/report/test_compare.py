"""`assay compare`: which systems differ, in words, from files, from Python, and what it refuses."""

from __future__ import annotations

import csv
import itertools
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code
from assay.jobs.gates import Gates
from assay.report.text.markup import MOST, junit, shortened
from tests.pages import Tags
from tests.snapshot import Snapshot

Said = pytest.CaptureFixture[str]
DEMO = Path(assay.__file__).parent / "data"
CANCER = [str(DEMO / "breast_cancer.csv"), "--gold", "gold", "--positive", "malignant"]
DIGITS = [str(DEMO / "digits.csv"), "--gold", "gold"]


def said(capsys: Said, *arguments: str, code: int = 0) -> str:
    found = exit_code(["compare", *arguments])
    printed = capsys.readouterr()
    assert found == code, printed.err
    return printed.out or printed.err


def written(path: Path, columns: dict[str, list[Any]]) -> str:
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n", "utf-8")
    return str(path)


@pytest.fixture
def table(tmp_path: Path) -> dict[str, list[Any]]:
    """Eighty rows: b is right where a is, but for six; c is like a; d answers nothing."""
    rng = np.random.default_rng(3)
    gold = ["ill" if x else "well" for x in rng.random(80) < 0.4]
    other = {"ill": "well", "well": "ill"}
    a = [g if ok else other[g] for g, ok in zip(gold, rng.random(80) < 0.9, strict=True)]
    b = [other[x] if i in (3, 9, 20, 31, 44, 70) else x for i, x in enumerate(a)]
    return {"id": list(range(80)), "gold": gold, "a": a, "b": b, "c": list(a), "d": [""] * 80}


# ---------------------------------------------------------------------- what is shown
def test_two_systems_read_as_a_verdict_a_difference_and_a_test(capsys: Said, snapshot: Snapshot) -> None:
    snapshot("compare_two", said(capsys, *CANCER, "--pred", "logistic", "--pred", "tree"))


def test_many_systems_read_as_ranks_and_groups(capsys: Said, snapshot: Snapshot) -> None:
    systems = [word for name in ("logistic", "tree", "forest", "bayes") for word in ("--pred", name)]
    snapshot("compare_many", said(capsys, *DIGITS, *systems, "--resamples", "999"))


def test_the_tables_beside_a_comparison_are_in_its_json(capsys: Said) -> None:
    systems = [word for name in ("logistic", "tree", "forest") for word in ("--pred", name)]
    (table,) = json.loads(said(capsys, *DIGITS, *systems, "--format", "json"))["contest"]["tables"]
    assert table["title"] == "all systems at once"
    assert table["columns"] == ["statistic", "df", "p"]
    assert table["rows"]["Cochran's Q"][1] == 2


def test_systems_without_a_value_are_named_together_with_their_own_reason(table: dict[str, list[Any]]) -> None:
    table |= {"never": ["well"] * 80, "nor": ["well"] * 80}
    names = ["a", "never", "b", "nor"]
    report = assay.compare_systems(table, pred=names, positive="ill", measures=["precision"])
    told = [note for note in report.notes if "not ranked" in note]
    assert told == ["never and nor are not ranked: Precision is undefined, because no item was predicted as this class"]


def test_where_no_system_has_a_value_the_verdict_says_why_and_nothing_repeats_it(table: dict[str, list[Any]]) -> None:
    table |= {name: ["well"] * 80 for name in ("x", "y", "z")}
    report = assay.compare_systems(table, pred=["x", "y", "z"], positive="ill", measures=["precision"])
    assert report.contest is not None
    why = "no item was predicted as this class"
    assert report.contest.summary == (f"The systems cannot be ranked by Precision: {why}.",)
    assert report.to_text().count(why) == 1


def test_the_scale_of_differences_beyond_2_has_round_numbers_too(capsys: Said) -> None:
    options = ["--pred", "logistic", "--pred", "tree", "--measure", "lr_plus"]
    (head,) = (line for line in said(capsys, *CANCER, *options).splitlines() if line.startswith(" measure"))
    assert head.partition(" interval")[2].split() == ["0", "+20", "+40", "+60", "+80", "+100"]


def test_a_baseline_is_compared_with_every_other_system(capsys: Said, snapshot: Snapshot) -> None:
    systems = [word for name in ("logistic", "tree", "forest", "bayes") for word in ("--pred", name)]
    options = ["--baseline", "tree", "--measure", "accuracy", "--measure", "f1(average=macro)"]
    snapshot("compare_baseline", said(capsys, *DIGITS, *systems, *options))


def test_the_comparison_as_markdown_holds_the_verdict_and_the_hypotheses(capsys: Said, snapshot: Snapshot) -> None:
    options = ["--pred", "logistic", "--pred", "forest", "--margin", "0.05", "--format", "md"]
    snapshot("compare_markdown", said(capsys, *CANCER, *options, "--methods"))


def test_a_narrow_terminal_loses_the_scale_and_nothing_else(
    capsys: Said, monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    monkeypatch.setenv("COLUMNS", "64")
    snapshot("compare_narrow", said(capsys, *CANCER, "--pred", "logistic", "--pred", "tree"))


def test_rows_and_comparisons_are_in_the_json_of_the_report(capsys: Said) -> None:
    found = json.loads(said(capsys, *CANCER, "--pred", "logistic", "--pred", "tree", "--format", "json"))
    first = found["contest"]["comparisons"][0]
    assert first["outcome"] == "better"
    assert first["effect"] == {
        "only_a": 28,
        "only_b": 8,
        "both": 528,
        "neither": 5,
        "odds_ratio": 3.5,
        "counted": None,
        "d_z": None,
        "superiority": None,
    }
    rows = [row for row in found["rows"] if row["quantity"] == "difference"]
    assert {(row["system"], row["versus"]) for row in rows} == {("logistic", "tree")}
    assert [row["p"] is not None for row in rows] == [True] + [False] * (len(rows) - 1), "one measure is tested"


def test_the_numbers_of_a_file_are_those_of_arrays(table: dict[str, list[Any]]) -> None:
    report = assay.compare_systems(table, gold="gold", pred=["a", "b"], positive="ill", measures=["f1", "accuracy"])
    for c, measure in zip(report.comparisons, ("f1", "accuracy"), strict=True):
        options: dict[str, Any] = {"pos_label": "ill"} if measure == "f1" else {}
        direct = assay.compare(table["gold"], table["a"], table["b"], measure=measure, names=("a", "b"), **options)
        assert (c.difference, c.low, c.high) == (direct.difference, direct.low, direct.high)
        if measure == "f1":
            assert c.p_value == direct.p_value


def test_many_pairs_are_what_each_pair_is_alone_but_for_the_correction(table: dict[str, list[Any]]) -> None:
    rng = np.random.default_rng(0)
    table["e"] = [x if keep else "ill" for x, keep in zip(table["a"], rng.random(80) < 0.7, strict=True)]
    many = assay.compare_systems(table, gold="gold", pred=["a", "b", "e"], measures="mcc")
    for c in many.comparisons:
        alone = assay.compare_systems(table, gold="gold", pred=list(c.names), measures="mcc").comparisons[0]
        assert (c.difference, c.low, c.high, c.p_value) == (alone.difference, alone.low, alone.high, alone.p_value)
        assert c.p_adjusted is not None
        assert c.p_value is not None
        assert c.p_adjusted >= c.p_value


PEERS = {
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "benjamini_hochberg": "fdr_bh",
    "benjamini_yekutieli": "fdr_by",
    "bonferroni": "bonferroni",
}


@pytest.mark.parametrize("correction", PEERS)
def test_corrected_p_values_are_those_of_statsmodels(correction: Any) -> None:
    from statsmodels.stats.multitest import multipletests

    report = assay.compare_systems(
        str(DEMO / "breast_cancer.csv"),
        gold="gold",
        pred=["logistic", "tree", "forest", "bayes"],
        positive="malignant",
        correction=correction,
    )
    tested = [c for c in report.comparisons if c.p_value is not None]
    for values, corrected in (
        ([c.p for c in tested], [c.p_adjusted for c in tested]),
        ([c.p_value for c in tested], [c.p_value_adjusted for c in tested]),
    ):
        assert corrected == pytest.approx(multipletests(values, method=PEERS[correction])[1].tolist(), rel=1e-12)


def test_ranks_are_bounded_by_what_was_told_apart() -> None:
    report = assay.compare_systems(
        str(DEMO / "digits.csv"), gold="gold", pred=["logistic", "tree", "forest", "bayes"], primary="accuracy"
    )
    assert report.contest is not None
    ahead = dict.fromkeys(("logistic", "tree", "forest", "bayes"), 0)
    behind = dict(ahead)
    for c in report.contest.tested:
        if c.p_adjusted is not None and c.p_adjusted <= 0.05 and c.difference is not None:
            winner, loser = c.names if c.difference > 0 else c.names[::-1]
            behind[winner] += 1
            ahead[loser] += 1
    for s in report.contest.standings:
        assert (s.best, s.worst) == (1 + ahead[s.system], 4 - behind[s.system])
    groups = {s.system: set(s.groups) for s in report.contest.standings}
    for c in report.contest.tested:
        apart = c.outcome in ("better", "worse")
        assert bool(groups[c.names[0]] & groups[c.names[1]]) != apart


def test_a_report_of_an_evaluation_compares_its_own_systems(table: dict[str, list[Any]]) -> None:
    report = assay.evaluate(table, gold="gold", pred=["a", "b"], positive="ill")
    found = report.compare(primary="accuracy").comparisons[0]
    alone = assay.compare(table["gold"], table["a"], table["b"], measure="accuracy")
    assert (found.difference, found.p_value) == (alone.difference, alone.p_value)


def test_files_of_their_own_are_paired_by_id(tmp_path: Path, table: dict[str, list[Any]], capsys: Said) -> None:
    order = np.random.default_rng(1).permutation(80)
    for name in ("a", "b"):
        mixed = {key: [table[key][i] for i in order] if name == "b" else table[key] for key in ("id", "gold", name)}
        written(tmp_path / f"{name}.csv", {"id": mixed["id"], "gold": mixed["gold"], "pred": mixed[name]})
    files = ["--system", f"a={tmp_path / 'a.csv'}", "--system", f"b={tmp_path / 'b.csv'}"]
    found = json.loads(said(capsys, *files, "--positive", "ill", "--format", "json"))
    whole = assay.compare_systems(table, gold="gold", pred=["a", "b"], positive="ill")
    first = found["contest"]["comparisons"][0]
    assert (first["difference"], first["p_value"]) == (whole.comparisons[0].difference, whole.comparisons[0].p_value)


def test_separate_samples_are_compared_without_pairs(tmp_path: Path, table: dict[str, list[Any]], capsys: Said) -> None:
    half = {key: column[:40] for key, column in table.items()}
    rest = {key: column[40:] for key, column in table.items()}
    written(tmp_path / "a.csv", {"gold": half["gold"], "pred": half["a"]})
    written(tmp_path / "b.csv", {"gold": rest["gold"], "pred": rest["b"]})
    files = ["--system", f"a={tmp_path / 'a.csv'}", "--system", f"b={tmp_path / 'b.csv'}"]
    options = ["--unpaired", "--measure", "accuracy", "--format", "json"]
    found = json.loads(said(capsys, *files, *options))["contest"]["comparisons"][0]
    first = assay.Confusion.from_predictions(half["gold"], half["a"])
    second = assay.Confusion.from_predictions(rest["gold"], rest["b"])
    right = [np.mean(np.array(t["gold"]) == np.array(t[name])) for t, name in ((half, "a"), (rest, "b"))]
    assert found["difference"] == pytest.approx(right[0] - right[1])
    direct = assay.compare(first, second, measure="accuracy", names=("a", "b"), unpaired=True)
    assert (found["low"], found["high"], found["p_value"]) == (direct.low, direct.high, direct.p_value)
    assert "different items" in " ".join(found["notes"])


def test_a_comparison_can_be_made_again_from_its_file(tmp_path: Path, capsys: Said) -> None:
    out = tmp_path / "result.json"
    said(capsys, *CANCER, "--pred", "logistic", "--pred", "tree", "--format", "json", "--out", str(out))
    assert exit_code(["verify", str(out), CANCER[0]]) == 0
    assert "same: all 24 rows" in capsys.readouterr().out


# ---------------------------------------------------------------------- beside the result
def test_rows_that_are_answered_differently_are_listed_by_id(
    tmp_path: Path, table: dict[str, list[Any]], capsys: Said
) -> None:
    file, out = written(tmp_path / "t.csv", table), tmp_path / "apart.csv"
    said(capsys, file, "--pred", "a", "--pred", "b", "--positive", "ill", "--disagreements", str(out))
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert [int(row["id"]) for row in rows] == [3, 9, 20, 31, 44, 70]
    for row in rows:
        i = int(row["id"])
        assert (row["gold"], row["a"], row["b"]) == (table["gold"][i], table["a"][i], table["b"][i])
        assert row["right"] == next(name for name in "ab" if table[name][i] == table["gold"][i])


def test_rows_of_which_a_system_is_surest_come_first_where_there_are_scores(tmp_path: Path, capsys: Said) -> None:
    out = tmp_path / "apart.csv"
    scores = ["--score", "logistic=logistic_score", "--score", "tree=tree_score"]
    said(capsys, *CANCER, "--pred", "logistic", "--pred", "tree", "--disagreements", str(out), *scores)
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 36

    def sure(row: dict[str, str]) -> float:
        own = (float(row[f"{name} score"]) for name in ("logistic", "tree"))
        called = (row[name] == "malignant" for name in ("logistic", "tree"))
        return max(s if yes else 1 - s for s, yes in zip(own, called, strict=True))

    order = [sure(row) for row in rows]
    assert order == sorted(order, reverse=True)
    assert order[0] > order[-1]
    original = {row["id"]: row for row in csv.DictReader(Path(CANCER[0]).read_text(encoding="utf-8").splitlines())}
    for row in rows:
        assert row["logistic score"] == original[row["id"]]["logistic_score"]
    assert "ROC AUC" in said(capsys, *CANCER, "--pred", "logistic", "--pred", "tree", *scores)


def test_a_list_for_spreadsheets_runs_no_formula(tmp_path: Path, capsys: Said) -> None:
    evil = "=HYPERLINK(1)"
    columns = {"id": ["+1", "@x", "-3"], "gold": ["x", "x", "y"], "a": [evil, "x", "y"], "b": ["x", evil, "y"]}
    file, out = written(tmp_path / "t.csv", columns), tmp_path / "apart.csv"
    said(capsys, file, "--pred", "a", "--pred", "b", "--disagreements", str(out), "--measure", "accuracy")
    cells = [cell for row in csv.reader(out.read_text(encoding="utf-8").splitlines()) for cell in row]
    assert f"'{evil}" in cells
    assert "+1" in cells, "a number stays a number"
    assert not [cell for cell in cells if cell.startswith(("=", "@"))]


def test_draws_of_the_difference_and_of_the_null_are_exported(tmp_path: Path, capsys: Said) -> None:
    out = tmp_path / "draws.csv"
    options = ["--pred", "logistic", "--pred", "tree", "--resamples", "500", "--replicates", str(out)]
    said(capsys, *CANCER, *options)
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    values = {of: [float(row["value"]) for row in rows if row["of"] == of] for of in ("difference", "null")}
    assert len(values["difference"]) == len(values["null"]) == 500
    observed = assay.compare_systems(CANCER[0], gold="gold", pred=["logistic", "tree"], positive="malignant")
    center = observed.comparisons[0].difference
    assert center is not None
    assert np.mean(values["difference"]) == pytest.approx(center, abs=5 * np.std(values["difference"]) / 500**0.5)
    assert np.mean(values["null"]) == pytest.approx(0, abs=5 * np.std(values["null"]) / 500**0.5)


# ---------------------------------------------------------------------- gates
GATES = {
    "passes": (["--no-worse-than", "tree:0"], 0, "passed"),
    "fails": (["--pred", "bayes", "--no-worse-than", "logistic:0.01"], 1, "failed"),
    "open": (["--no-worse-than", "tree:0", "--fail-under", "f1=0.96"], 1, "undecided"),
    "open_may_pass": (["--fail-under", "f1=0.9", "--undecided", "pass"], 0, "undecided"),
}


@pytest.mark.parametrize("case", GATES)
def test_gates_pass_fail_or_stay_open(case: str, tmp_path: Path, capsys: Said) -> None:
    options, code, word = GATES[case]
    xml, page = tmp_path / "gates.xml", tmp_path / "summary.md"
    page.write_text("an earlier step\n", encoding="utf-8")
    files = ["--junit", str(xml), "--summary", str(page), "--format", "json"]
    found = exit_code(["compare", *CANCER, "--pred", "logistic", "--pred", "tree", *options, *files])
    told = capsys.readouterr()
    assert found == code
    assert f"gate {word}" in told.err
    suite = ElementTree.fromstring(xml.read_text(encoding="utf-8"))
    failures = len(suite.findall("testcase/failure"))
    assert suite.get("failures") == str(failures)
    assert (failures > 0) == (code == 1)
    assert page.read_text(encoding="utf-8").startswith("an earlier step\n# assay")


def test_a_gate_looks_at_the_whole_interval_unless_told_otherwise(capsys: Said) -> None:
    command = ["compare", *CANCER, "--pred", "logistic", "--pred", "forest", "--no-worse-than", "logistic:0.03"]
    assert exit_code(command) == 1
    assert "the interval lies on both sides" in capsys.readouterr().err
    assert exit_code([*command, "--gate-on", "estimate"]) == 0


def test_hostile_names_stay_text_in_junit() -> None:
    name = "</testcase><x a='1'>&\x07"
    table = {"gold": [0, 1] * 20, name: [0, 1] * 20, "b": [1, 1] * 20}
    report = assay.compare_systems(table, gold="gold", pred=[name, "b"], primary="mcc")
    suite = ElementTree.fromstring(junit(Gates({"mcc": 0.1}, {}).checked(report), "fail"))
    names = [case.get("name") or "" for case in suite.findall("testcase")]
    assert names == ["</testcase><x a='1'>&�: mcc ≥ 0.1", "b: mcc ≥ 0.1"]


def test_a_summary_never_outgrows_a_build_server() -> None:
    text = shortened("ä line\n" * 300_000)
    assert len(text.encode()) < 1 << 20
    assert len(text.encode()) > MOST - 100
    assert "more lines were left out" in text


def test_an_assertion_fails_with_the_verdict() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 4000)
    old = np.where(rng.random(4000) < 0.9, y, 1 - y)
    worse = np.where(rng.random(4000) < 0.8, y, 1 - y)
    near = np.where(rng.random(4000) < 0.02, 1 - old, old)
    assay.assert_no_worse(y, near, old, measure="f1", margin=0.03)
    with pytest.raises(AssertionError, match=r"new is worse than old by more than 0\.01\. f1 0\.79\d vs\. 0\.89\d"):
        assay.assert_no_worse(y, worse, old, measure="f1", margin=0.01)
    with pytest.raises(AssertionError, match="undecided: the data do not tell whether new is worse than old"):
        assay.assert_no_worse(y[:200], near[:200], old[:200], measure="f1", margin=0.001)
    assay.assert_no_worse(y[:200], near[:200], old[:200], measure="f1", margin=0.001, undecided="pass")
    with pytest.raises(assay.OptionError, match="must be 0 or more"):
        assay.assert_no_worse(y, near, old, measure="f1", margin=-0.1)
    with pytest.raises(assay.OptionError, match=r"f1 lies between 0 and 1, .*Did you mean 0.03"):
        assay.assert_no_worse(y, near, old, measure="f1", margin=3)
    with pytest.raises(AssertionError, match="cannot be compared"):
        assay.assert_no_worse([0, 0], [0, 0], [0, 1], measure="recall", margin=0.1, labels=[0, 1])


# ---------------------------------------------------------------------- folds, data sets, values
def test_folds_of_predictions_are_compared_by_the_corrected_t(table: dict[str, list[Any]], capsys: Said) -> None:
    table["fold"] = [i % 5 if i < 76 else 0 for i in range(80)]
    report = assay.compare_repeated(table, gold="gold", pred=["a", "b"], folds="fold", primary="accuracy")
    c = report.comparisons[0]
    sizes, d = [], []
    for fold in range(5):
        rows = [i for i in range(80) if table["fold"][i] == fold]
        right = [np.mean([table[name][i] == table["gold"][i] for i in rows]) for name in ("a", "b")]
        d.append(right[0] - right[1])
        sizes.append(len(rows))
    ratio = np.mean(sizes) / (80 - np.mean(sizes))
    t = np.mean(d) / np.sqrt((1 / 5 + ratio) * np.var(d, ddof=1))
    from scipy.stats import t as student

    assert c.test == "corrected_t"
    assert c.difference == pytest.approx(np.mean(d))
    assert c.p_value == pytest.approx(2 * student.sf(abs(t), 4), rel=1e-9)


def test_values_over_data_sets_read_as_ranks_and_friedman(tmp_path: Path, capsys: Said, snapshot: Snapshot) -> None:
    rng = np.random.default_rng(2)
    base = rng.uniform(0.6, 0.9, 12)
    columns: dict[str, list[Any]] = {"dataset": [f"d{i:02d}" for i in range(12)]}
    for name, gain in (("old", 0.0), ("new", 0.02), ("big", 0.05)):
        columns[name] = [f"{x:.3f}" for x in base + gain + rng.normal(0, 0.01, 12)]
    file = written(tmp_path / "sets.csv", columns)
    values = [word for name in ("old", "new", "big") for word in ("--value", f"{name}={name}")]
    snapshot("compare_datasets", said(capsys, file, *values, "--datasets", "dataset"))


# ---------------------------------------------------------------------- what is refused
AB = ["t.csv", "--pred", "a", "--pred", "b"]


def test_values_of_a_declared_range_and_of_a_measure_known_by_name_have_intervals_that_know_their_ends(
    tmp_path: Path, capsys: Said
) -> None:
    rng = np.random.default_rng(0)
    values = {"a": rng.uniform(0, 1, 30).round(3).tolist(), "b": rng.uniform(0, 1, 30).round(3).tolist()}
    file = tmp_path / "queries.csv"
    file.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in zip(*values.values(), strict=True)))
    declared = assay.compare_repeated(file, values=["a", "b"], value_range=(0, 1)).comparisons[0]
    assert declared.method == "bounded_t"
    assert assay.compare_repeated(file, values=["a", "b"], measures="recall").comparisons[0].method == "bounded_t"
    assert assay.compare_repeated(file, values=["a", "b"]).comparisons[0].method == "jackknife"
    percent = {name: [100 * x for x in each] for name, each in values.items()}
    assert assay.compare_repeated(percent, values=["a", "b"], measures="recall").comparisons[0].method == "jackknife"
    command = ["compare", str(file), "--value", "a=a", "--value", "b=b", "--format", "json"]
    assert exit_code([*command, "--value-range", "0:1"]) == 0
    (tested,) = json.loads(capsys.readouterr().out)["contest"]["comparisons"]
    assert (tested["low"], tested["high"]) == (declared.low, declared.high)
    assert exit_code([*command, "--value-range", "0-1"]) == 2
    assert (
        "--value-range is '0-1'; expected the lowest and the highest possible value, as in 0:1."
        in capsys.readouterr().err
    )
    assert exit_code([*command, "--value-range", "0:0.5"]) == 3
    assert "outside the declared range from 0 to 0.5" in capsys.readouterr().err


VALUES = ["--value", "a=a", "--value", "b=b"]
REFUSED: dict[str, list[str]] = {
    "one_system": ["t.csv", "--pred", "a"],
    "no_file_at_all": [],
    "unknown_baseline": [*AB, "--baseline", "aa"],
    "unknown_test": [*AB, "--test", "ttest"],
    "margin_below_zero": [*AB, "--margin", "-0.1"],
    "margin_of_nothing": [*AB, "--margin", "0"],
    "mcnemar_of_precision": [*AB, "--measure", "precision", "--positive", "ill", "--test", "mcnemar"],
    "mcnemar_with_clusters": [*AB, "--cluster", "group", "--measure", "accuracy", "--test", "mcnemar"],
    "primary_per_class": [*AB, "--primary", "f1"],
    "strict_without_bootstrap": [*AB, "--strict"],
    "slices_of_folds": [*AB, "--folds", "group", "--slice", "group"],
    "slices_of_separate_files": ["--system", "a=one.csv", "--system", "b=two.csv", "--unpaired", "--slice", "id"],
    "crossing_one_column": [*AB, "--slice", "group", "--crossed"],
    "silent_system": ["t.csv", "--pred", "a", "--pred", "d", "--missing", "wrong", "--positive", "ill"],
    "missing_answers": ["t.csv", "--pred", "a", "--pred", "d"],
    "no_worse_than_nobody": [*AB, "--no-worse-than", "z:0.1"],
    "no_worse_than_by_what": [*AB, "--no-worse-than", "a"],
    "no_worse_than_in_percent": [*AB, "--no-worse-than", "a:3"],
    "margin_in_percent": [*AB, "--margin", "5"],
    "no_worse_than_negative": [*AB, "--no-worse-than", "a:-1"],
    "other_gold": ["--system", "a=one.csv", "--system", "b=two.csv"],
    "out_over_input": [*AB, "--disagreements", "t.csv"],
    "stored_counts": ["counts.json"],
    "one_fold": ["one_fold.csv", *VALUES, "--folds", "fold"],
    "plain_t_on_folds": ["folds.csv", *VALUES, "--folds", "fold", "--test", "t"],
    "values_not_numbers": ["t.csv", *VALUES],
    "values_nan": ["nan.csv", *VALUES],
    "fold_twice": ["twice.csv", *VALUES, "--folds", "fold"],
    "folds_and_datasets": ["folds.csv", *VALUES, "--folds", "fold", "--datasets", "fold"],
    "repeats_without_folds": ["folds.csv", *VALUES, "--repeats", "fold"],
    "undefined_in_a_fold": [*AB, "--folds", "group", "--positive", "ill", "--primary", "precision"],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_compared_gets_one_plain_message(
    case: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
    table: dict[str, list[Any]],
    snapshot: Snapshot,
) -> None:
    monkeypatch.chdir(tmp_path)
    # In group g0 nobody is called ill, so that precision has nothing to divide by.
    table["group"] = ["g0" if table["a"][i] == table["b"][i] == "well" else f"g{1 + i % 4}" for i in range(80)]
    written(tmp_path / "t.csv", table)
    written(tmp_path / "one.csv", {"id": table["id"], "gold": table["gold"], "pred": table["a"]})
    flipped = [{"ill": "well", "well": "ill"}[g] if i == 7 else g for i, g in enumerate(table["gold"])]
    written(tmp_path / "two.csv", {"id": table["id"], "gold": flipped, "pred": table["b"]})
    written(tmp_path / "folds.csv", {"fold": [1, 2, 3], "a": [0.5, 0.6, 0.7], "b": [0.4, 0.6, 0.5]})
    written(tmp_path / "one_fold.csv", {"fold": [1], "a": [0.5], "b": [0.4]})
    written(tmp_path / "twice.csv", {"fold": [1, 1], "a": [0.5, 0.6], "b": [0.4, 0.3]})
    written(tmp_path / "nan.csv", {"fold": [1, 2], "a": [0.5, "nan"], "b": [0.4, 0.3]})
    assert exit_code(["tally", "t.csv", "--gold", "gold", "--pred", "a", "--pred", "b", "--out", "counts.json"]) == 0
    capsys.readouterr()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code = exit_code(["compare", *REFUSED[case]])
    printed = capsys.readouterr()
    assert code in (2, 3)
    assert not printed.out
    assert "Traceback" not in printed.err
    snapshot(f"messages/compare_{case}", f"$ assay compare {' '.join(REFUSED[case])}\n{printed.err}")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_identical_systems_differ_by_nothing_within_a_bound(table: dict[str, list[Any]]) -> None:
    for measure in ("accuracy", "f1", "mcc", "f1(average=macro)", "cohen_kappa"):
        options: dict[str, Any] = {"positive": "ill"} if measure == "f1" else {}
        report = assay.compare_systems(table, gold="gold", pred=["a", "c"], measures=measure, **options)
        c = report.comparisons[0]
        assert (c.difference, c.p_value) == (0, 1)
        assert c.low is not None
        assert c.high is not None
        assert c.low < 0 < c.high
        assert "gave the same answers on all 80 rows" in c.verdict
        assert c.mde is None
        assert c.mde_reason


def test_the_verdict_is_never_read_from_overlapping_intervals() -> None:
    """Two systems whose own intervals overlap widely, and which differ all the same."""
    y = [1] * 1000
    a = [1] * 880 + [0] * 120
    b = [1] * 860 + [0] * 140
    c = assay.compare(y, a, b, measure="accuracy", labels=[0, 1])
    assert c.a.low is not None
    assert c.b.high is not None
    assert c.a.low < c.b.high
    assert c.outcome == "better"


def test_systems_in_another_order_get_the_mirrored_comparison(table: dict[str, list[Any]]) -> None:
    pairs = [
        assay.compare_systems(table, gold="gold", pred=list(order), positive="ill").comparisons[0]
        for order in itertools.permutations(["a", "b"])
    ]
    one, other = pairs
    assert one.difference is not None
    assert other.difference == -one.difference
    assert other.p_value == one.p_value
    assert {one.outcome, other.outcome} in ({"no difference shown"}, {"better", "worse"})


# ---------------------------------------------------------------------- one side, both p-values, weights
@pytest.mark.parametrize(("alternative", "sign", "open_"), [("greater", "≥", "high"), ("less", "≤", "low")])
def test_a_one_sided_question_shows_its_limit_everywhere(alternative: Any, sign: str, open_: str) -> None:
    report = assay.compare_systems(
        str(DEMO / "breast_cancer.csv"),
        gold="gold",
        pred=["logistic", "tree"],
        positive="malignant",
        alternative=alternative,
        measures=["accuracy", "recall"],
    )
    (c, other) = report.comparisons
    end = c.low if open_ == "high" else c.high
    assert getattr(c, open_) is None
    assert end is not None
    assert other.low is not None  # what was not tested keeps both of its limits
    assert other.high is not None
    shown = f"{sign} {end:+.3f}"
    assert shown in str(report)
    assert shown in report.to_markdown()
    assert f"$\\{'geq' if open_ == 'high' else 'leq'}$ {end:+.3f}" in report.to_latex()
    assert shown in report.to_html()
    assert "Tango score intervals for differences" in report.methods
    row = next(row for row in json.loads(report.to_json())["rows"] if row["quantity"] == "difference")
    assert row[open_] is None


def test_both_p_values_are_in_the_json_of_a_comparison(capsys: Said) -> None:
    told = json.loads(said(capsys, *CANCER, "--pred", "logistic", "--pred", "tree", "--format", "json"))
    (c, *_) = told["contest"]["comparisons"]
    assert 0 < c["p_value"] < 0.05
    assert 0 < c["p_interval"] < 0.05
    assert c["p"] == max(c["p_value"], c["p_interval"])
    assert c["both_sides"] == [c["low"], c["high"]]


def test_a_gate_reads_both_sides_whichever_was_asked_about() -> None:
    limits = set()
    for alternative in ("two-sided", "greater", "less"):
        report = assay.compare_systems(
            str(DEMO / "breast_cancer.csv"),
            gold="gold",
            pred=["logistic", "tree"],
            positive="malignant",
            alternative=alternative,
        )
        (check,) = Gates({}, {"tree": 0.01}).checked(report)
        limits.add(check.outcome)
        assert check.state == "passed"
    assert len(limits) == 1


def test_weighted_systems_are_compared_on_the_command_line(tmp_path: Path, capsys: Said) -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 150)
    a, b = (np.where(rng.random(150) < right, gold, 1 - gold) for right in (0.95, 0.75))
    rows = zip(gold, a, b, rng.lognormal(0, 0.5, 150), strict=True)
    file = tmp_path / "weighted.csv"
    file.write_text("gold,a,b,w\n" + "".join(f"{g},{x},{y},{w:.3f}\n" for g, x, y, w in rows))
    printed = said(capsys, str(file), "--pred", "a", "--pred", "b", "--weight", "w", "--positive", "1", "--explain")
    assert "a outperforms b" in printed
    why = "test based on the paired interval, because weighted rows cannot be exchanged from their counts"
    assert why in " ".join(printed.split())
    assert "weighted by w" in printed


def test_where_nothing_was_tested_neither_terminal_nor_page_says_that_something_was(
    tmp_path: Path, capsys: Said
) -> None:
    """Without an error of one system weighted rows have no interval, and so no test; or none is wanted."""
    gold = [i % 2 for i in range(40)]
    rows = "".join(f"{g},{g},{g if i > 3 else 0},{1 + i % 3}\n" for i, g in enumerate(gold))
    file, page = tmp_path / "weighted.csv", tmp_path / "page.html"
    file.write_text(f"gold,a,b,w\n{rows}")
    both = [str(file), "--pred", "a", "--pred", "b", "--positive", "1", "--html", str(page)]
    for options, told, lead in (
        (["--weight", "w"], "8 measures shown, none tested\n", "Nothing was tested"),
        (["--test", "none"], "8 measures shown, none tested; the intervals are not corrected", "; nothing was tested"),
    ):
        assert told in said(capsys, *both, *options)
        words = Tags(page.read_text()).text
        assert lead in words
        assert "1 tested" not in words
        assert "was tested" not in words.lower().replace("nothing was tested", "")
        assert "F1 “1” tested" not in words
    assert "8 measures shown, 1 tested (--primary f1)" in said(capsys, *both)
    words = Tags(page.read_text()).text
    assert "only F1 was tested" in words
    assert "F1 “1” tested" in words


def test_chi_squared_is_printed_with_its_degrees_of_freedom(capsys: Said) -> None:
    """Counted by hand from the file: 28 and 8 rows that one alone got right, so (28 − 8)² / 36."""
    both = [*CANCER, "--pred", "logistic", "--pred", "tree", "--measure", "accuracy", "--test", "mcnemar_chi2"]
    assert "two-sided McNemar χ² test, χ²(1) = 11.11" in said(capsys, *both, "--explain")
