"""Groups in a comparison: what each system is worth there, and the difference of two, as the group's rows alone say."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk
from statsmodels.stats.multitest import multipletests

import assay
from assay import DataError, Report
from assay.cli.main import exit_code
from assay.jobs.answers.results import Row
from tests.snapshot import Snapshot

Columns = dict[str, list[Any]]
Said = pytest.CaptureFixture[str]


def columns(classes: str = "ny", systems: str = "ab", seed: int = 0, n: int = 240) -> Columns:
    """Labels, answers and scores for the rows of patients, each of one sex and seen at several sites."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(list(classes), n)
    patient = np.sort(rng.integers(0, 60, n))
    out: Columns = {"gold": gold.tolist(), "patient": [f"p{i}" for i in patient]}
    for i, system in enumerate(systems):
        right = rng.random(n) < 0.8 - 0.1 * i
        out[system] = np.where(right, gold, rng.choice(list(classes), n)).tolist()
        out[f"{system}_score"] = np.round(0.6 * (gold == "y") + 0.4 * rng.random(n), 2).tolist()
    out["site"] = rng.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2]).tolist()
    out["sex"] = np.array(["f", "m"])[patient % 2].tolist()
    return {**out, "times": rng.integers(1, 4, n).tolist()}


def only(data: Columns, **wanted: str) -> Columns:
    """The rows with these values."""
    kept = [i for i in range(len(data["gold"])) if all(data[name][i] == value for name, value in wanted.items())]
    return {name: [column[i] for i in kept] for name, column in data.items()}


def differences(report: Report, where: str | None) -> list[Row]:
    """The rows that are differences of two systems."""
    return [row for row in report.rows if row.versus is not None and row.slice == where]


def told(row: Row) -> tuple[Any, ...]:
    """The numbers of a row, and how they were made."""
    return row.system, row.versus, row.measure, row.class_, row.value, row.low, row.high, row.n, row.method, row.reason


MEASURES = ["accuracy", "recall(average=macro)", "mcc", "f1"]
WAYS: dict[str, dict[str, Any]] = {
    "plain": {"positive": "y", "measures": MEASURES},
    "three classes": {"measures": ["accuracy", "f1(average=macro)", "recall"]},
    "clusters": {"positive": "y", "measures": MEASURES, "cluster": "patient"},
    "counts": {"positive": "y", "measures": MEASURES, "count": "times"},
    "a level": {"positive": "y", "measures": "accuracy", "level": 0.8},
    "separate samples": {"positive": "y", "measures": MEASURES, "unpaired": True},
    "scores": {"positive": "y", "measures": ["accuracy", "roc_auc", "brier"], "scores": ["a", "b"]},
}


def case(way: str) -> tuple[Columns, dict[str, Any]]:
    """Rows, and the options of a comparison of them."""
    classes = "abc" if way == "three classes" else "ny"
    options: dict[str, Any] = {"pred": ["a", "b"], "labels": list(classes), "n_resamples": 199, **WAYS[way]}
    if way == "scores":
        options["scores"] = {"a": "a_score", "b": "b_score"}
    return columns(classes), options


# ---------------------------------------------------------------------- every group by itself
@pytest.mark.parametrize("way", WAYS)
def test_a_system_has_in_every_group_what_evaluating_that_groups_rows_gives(way: str) -> None:
    data, options = case(way)
    report = assay.compare_systems(data, slices=["site", "sex"], crossed=True, **options)
    options.pop("unpaired", None)
    groups = [{"site": site} for site in set(data["site"])] + [{"sex": "f"}, {"site": "west", "sex": "m"}]
    for group in groups:
        where = f"{' × '.join(group)}={' × '.join(group.values())}"
        alone = assay.evaluate(only(data, **group), **options)
        found = [row for row in report.rows if row.slice == where and row.quantity == "value"]
        assert [told(row) for row in found] == [told(row) for row in alone.rows]


@pytest.mark.parametrize("way", WAYS)
def test_the_difference_of_two_systems_in_a_group_is_that_of_its_rows_compared_alone(way: str) -> None:
    data, options = case(way)
    report = assay.compare_systems(data, slices=["site", "sex"], **options)
    if way == "three classes":
        options["primary"] = "accuracy"
    for name in ("site", "sex"):
        for group in set(data[name]):
            alone = assay.compare_systems(only(data, **{name: group}), **options)
            found = differences(report, f"{name}={group}")
            assert [told(row) for row in found] == [told(row) for row in differences(alone, None)]
            assert {(row.p, row.p_adjusted, row.test) for row in found} == {(None, None, None)}


@pytest.mark.parametrize("way", WAYS)
def test_groups_change_nothing_of_what_is_said_of_all_rows(way: str) -> None:
    data, options = case(way)
    plain = assay.compare_systems(data, **options)
    grouped = assay.compare_systems(data, slices=["site", "sex"], crossed=True, **options)
    assert [row for row in grouped.rows if row.slice is None] == list(plain.rows)
    assert (grouped.contest is not None, plain.contest is not None) == (True, True)
    told = [each.contest.to_dict() for each in (grouped, plain)]  # type: ignore[union-attr]
    tables = [contest.pop("tables") for contest in told]
    assert told[0] == told[1]
    assert [table for table in tables[0] if " by " not in table["title"]] == tables[1]  # beside the groups' own


def test_differences_in_groups_are_those_of_scikit_learn() -> None:
    data = columns()
    report = assay.compare_systems(data, pred=["a", "b"], positive="y", slices="site", n_resamples=199)
    for group in ("north", "south", "west"):
        rows = only(data, site=group)
        found = {row.measure: row.value for row in differences(report, f"site={group}")}
        for name in ("recall", "precision", "f1"):
            score = getattr(sk, f"{name}_score")
            a, b = (float(score(rows["gold"], rows[system], pos_label="y")) for system in "ab")
            assert found[name] == pytest.approx(a - b, abs=1e-12)
        a, b = (float(sk.accuracy_score(rows["gold"], rows[system])) for system in "ab")
        assert found["accuracy"] == pytest.approx(a - b, abs=1e-12)


def test_a_difference_in_a_group_sees_that_its_rows_are_paired() -> None:
    """Where both systems err on nearly the same rows, the interval is far narrower than that of separate samples."""
    data = columns()
    data["b"] = [{"n": "y", "y": "n"}[x] if i % 40 == 0 else x for i, x in enumerate(data["a"])]
    options: dict[str, Any] = {"pred": ["a", "b"], "measures": "accuracy", "slices": "site", "n_resamples": 199}
    paired, apart = (assay.compare_systems(data, unpaired=unpaired, **options) for unpaired in (False, True))
    for group in ("north", "south", "west"):
        (near,), (far,) = (differences(report, f"site={group}") for report in (paired, apart))
        assert near.value == far.value
        assert near.high is not None
        assert near.low is not None
        assert far.high is not None
        assert far.low is not None
        assert near.high - near.low < 0.7 * (far.high - far.low)


def test_gaps_of_every_system_are_adjusted_over_the_columns_by_holm() -> None:
    data = columns()
    options: dict[str, Any] = {"pred": ["a", "b"], "measures": ["accuracy", "mcc"], "n_resamples": 199}
    report = assay.compare_systems(data, slices=["site", "sex"], **options)
    for system in "ab":
        for measure in ("accuracy", "mcc"):
            gaps = [r for r in report.rows if (r.quantity, r.system, r.measure) == ("gap", system, measure)]
            expected = multipletests([gap.p for gap in gaps], method="holm")[1]
            assert [gap.p_adjusted for gap in gaps] == pytest.approx(expected)
    alone = assay.evaluate(data, slices=["site", "sex"], **options)
    assert [r for r in report.rows if r.quantity == "gap"] == [r for r in alone.rows if r.quantity == "gap"]


def test_a_reports_own_comparison_keeps_its_groups() -> None:
    data, options = case("plain")
    evaluated = assay.evaluate(data, slices=["site", "sex"], **options)
    direct = assay.compare_systems(data, slices=["site", "sex"], **options)
    assert evaluated.compare(n_resamples=199).rows == direct.rows


def test_a_baseline_is_what_the_other_is_compared_with_in_every_group_too() -> None:
    data, options = case("plain")
    report = assay.compare_systems(data, slices="site", baseline="a", **options)
    turned = assay.compare_systems(data, slices="site", **options)
    for row, other in zip(differences(report, "site=west"), differences(turned, "site=west"), strict=True):
        assert (row.system, row.versus) == ("b", "a")
        assert row.value == pytest.approx(-other.value if other.value is not None else None)


def test_the_measure_that_is_tested_is_shown_by_group() -> None:
    report = assay.compare_systems(columns(), pred=["a", "b"], primary="mcc", slices="site", n_resamples=199)
    shown = {row.measure for row in report.rows if row.slice == "site=west"}
    assert {"mcc", "accuracy"} <= shown


def test_a_method_that_is_named_makes_the_differences_in_groups_too() -> None:
    options: dict[str, Any] = {"pred": ["a", "b"], "measures": "accuracy", "method": "percentile", "n_resamples": 199}
    report = assay.compare_systems(columns(), slices="site", **options)
    assert {row.method for row in differences(report, "site=north")} == {"percentile"}
    values = {row.method for row in report.rows if (row.slice, row.quantity) == ("site=north", "value")}
    assert values == {"midp"}, "the systems' own intervals are the usual ones, as they are over all rows"


# ---------------------------------------------------------------------- how it is shown
def written(path: Path, data: Columns) -> str:
    rows = zip(*data.values(), strict=True)
    path.write_text("\n".join([",".join(data), *(",".join(map(str, row)) for row in rows)]) + "\n", "utf-8")
    return str(path)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "rows.csv", columns(systems="abc"))
    return "rows.csv"


def said(capsys: Said, *arguments: str, code: int = 0) -> str:
    found = exit_code(["compare", *arguments])
    printed = capsys.readouterr()
    assert found == code, printed.err
    return printed.out


TWO = ["--pred", "a", "--pred", "b", "--positive", "y", "--slice", "site", "--slice", "sex", "--resamples", "199"]
THREE = ["--pred", "c", *TWO]


def test_two_systems_by_group_in_a_terminal(file: str, capsys: Said, snapshot: Snapshot) -> None:
    snapshot("compare_slices", said(capsys, file, *TWO, "--measure", "recall", "--measure", "accuracy"))


def test_many_systems_by_group_have_tables_of_their_own_and_no_differences(file: str, capsys: Said) -> None:
    printed = said(capsys, file, *THREE, "--crossed", "--groups", "all")
    for system in "abc":
        for column in ("site", "sex", "site × sex"):
            assert f"\n {system} by {column} " in printed
    assert " − b by " not in printed


def test_a_table_of_differences_says_that_nothing_was_tested(file: str, capsys: Said) -> None:
    printed = said(capsys, file, *TWO)
    assert "\n ● − ◆ by site " in printed
    assert " ".join(printed.split()).count("differences within groups are not tested") == 1


def test_markdown_has_the_values_of_all_rows_once_and_every_table_of_groups(file: str, capsys: Said) -> None:
    text = said(capsys, file, *TWO, "--format", "md")
    plain = said(capsys, file, *[word for word in TWO if word not in ("--slice", "site", "sex")], "--format", "md")
    values = [line for line in plain.splitlines() if line.startswith("| F1 “y” |")]
    assert len(values) == 2
    assert [line for line in text.splitlines() if line.startswith("| F1 “y” |")] == values
    for title in ("a − b by site", "a − b by sex", "a by site", "b by sex"):
        assert f"\n| {title} | n |" in text


@pytest.mark.parametrize("systems", [TWO, THREE])
def test_json_and_csv_have_the_same_rows_with_their_groups(systems: list[str], file: str, capsys: Said) -> None:
    found = json.loads(said(capsys, file, *systems, "--format", "json"))
    rows = list(csv.DictReader(io.StringIO(said(capsys, file, *systems, "--format", "csv"))))
    assert [row["signature"] for row in rows] == [row["signature"] for row in found["rows"]]
    assert [row["slice"] or None for row in rows] == [row["slice"] for row in found["rows"]]
    between = [row for row in found["rows"] if row["versus"] and row["slice"]]
    assert len(between) == (25 if systems is TWO else 0), "five measures in three sites and two sexes"
    assert [table["title"] for table in found["systems"][-1]["tables"]] == ["b by site", "b by sex"]


def test_a_latex_table_names_the_group_of_a_difference(file: str, capsys: Said) -> None:
    lines = said(capsys, file, *TWO, "--format", "latex").splitlines()
    assert len([line for line in lines if line.startswith("a $-$ b & Accuracy &  & site=west &")]) == 1
    assert len([line for line in lines if line.startswith("a $-$ b & Accuracy &  &  &")]) == 1


def test_gates_are_on_all_rows_and_not_on_groups(file: str, capsys: Said, tmp_path: Path) -> None:
    gates = ["--fail-under", "accuracy=0.01", "--no-worse-than", "b:0.9", "--junit", "gates.xml", "--summary", "s.md"]
    said(capsys, file, *TWO, *gates)
    names = [each.get("name") for each in ElementTree.parse(tmp_path / "gates.xml").getroot()]
    assert names == ["a: accuracy ≥ 0.01", "b: accuracy ≥ 0.01", "a: f1 no worse than b by more than 0.9"]
    assert "a by site" in (tmp_path / "s.md").read_text(encoding="utf-8")


def test_a_page_can_be_made_of_a_sliced_comparison(file: str, capsys: Said, tmp_path: Path) -> None:
    said(capsys, file, *TWO, "--html", "page.html")
    assert "west" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_numbers_of_a_sliced_comparison_can_be_verified(file: str, capsys: Said) -> None:
    said(capsys, file, *TWO, "--format", "json", "--out", "result.json")
    assert exit_code(["verify", "result.json", file]) == 0
    assert "same" in capsys.readouterr().out


def test_the_methods_sentence_says_how_groups_were_compared(file: str, capsys: Said) -> None:
    printed = said(capsys, file, *TWO, "--methods")
    assert "Groups were compared by the largest studentized gap" in " ".join(printed.split())


def test_names_from_the_data_cannot_steer_the_terminal_from_a_title() -> None:
    data = columns()
    data["x\x1b[2J"] = data.pop("site")
    report = assay.compare_systems(data, pred={"\x1b[31mred": "a", "b": "b"}, slices="x\x1b[2J", n_resamples=199)
    assert "\x1b" not in report.to_text()


# ---------------------------------------------------------------------- what has no groups
def test_values_of_folds_have_no_groups(file: str, capsys: Said) -> None:
    for options in (["--folds", "sex"], ["--value", "a_score", "--value", "b_score"]):
        columns = [] if "--value" in options else ["--pred", "a", "--pred", "b"]
        assert exit_code(["compare", file, *columns, *options, "--slice", "site"]) == 2
        assert "keep the rows of one group" in capsys.readouterr().err


def test_separate_files_have_no_groups_in_common(file: str, capsys: Said) -> None:
    arguments = ["--system", f"a={file}", "--system", f"b={file}", "--gold", "gold", "--pred", "a", "--unpaired"]
    assert exit_code(["compare", *arguments, "--slice", "site"]) == 2
    assert "separate samples have no groups in common" in capsys.readouterr().err


def test_groups_of_two_reports_are_left_out_and_that_is_said() -> None:
    data = columns()
    a, b = (assay.evaluate(data, pred=system, slices="site", n_resamples=199) for system in "ab")
    report = a.compare(b, unpaired=True, n_resamples=199)
    assert all(row.slice is None for row in report.rows)
    assert any(note.startswith("groups are left out") for note in report.notes)


def test_stored_counts_have_their_groups_as_separate_samples(file: str, capsys: Said) -> None:
    columns = ["--gold", "gold", "--pred", "a", "--pred", "b", "--slice", "site"]
    assert exit_code(["tally", file, *columns, "--out", "counts.json"]) == 0
    capsys.readouterr()
    stored = assay.compare_systems("counts.json", unpaired=True, n_resamples=199)
    direct = assay.compare_systems(file, gold="gold", pred=["a", "b"], slices="site", unpaired=True, n_resamples=199)
    assert [told(row) for row in stored.rows] == [told(row) for row in direct.rows]


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(DataError, match="sites"):
        assay.compare_systems(columns(), pred=["a", "b"], slices="sites")
