"""Groups in a report: each is what its rows give alone, and how far it lies from the rest follows from both."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk
from statsmodels.stats.multitest import multipletests

import assay
from assay import DataError, OptionError, Report
from assay.jobs.answers.results import Row

Columns = dict[str, list[Any]]


def columns(classes: str, seed: int = 0, n: int = 240) -> Columns:
    """Labels and answers for the rows of patients, each of one site and one sex."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(list(classes), n)
    pred = np.where(rng.random(n) < 0.75, gold, rng.choice(list(classes), n))
    patient = np.sort(rng.integers(0, 60, n))
    site = np.array(["north", "south", "west"])[patient % 3]
    sex = np.array(["f", "m"])[patient % 2]
    out: Columns = {"gold": gold.tolist(), "pred": pred.tolist(), "patient": [f"p{i}" for i in patient]}
    return {**out, "site": site.tolist(), "sex": sex.tolist(), "heavy": rng.gamma(2, size=n).round(3).tolist()}


def only(data: Columns, **wanted: str) -> Columns:
    """The rows with these values."""
    kept = [i for i in range(len(data["gold"])) if all(data[name][i] == value for name, value in wanted.items())]
    return {name: [column[i] for i in kept] for name, column in data.items()}


def without(data: Columns, name: str, value: str) -> Columns:
    """The rows with any other value, but not those without one."""
    kept = [i for i, other in enumerate(data[name]) if other not in (value, None)]
    return {column: [values[i] for i in kept] for column, values in data.items()}


def picked(report: Report, where: str | None, quantity: str = "value") -> list[Row]:
    return [row for row in report.rows if row.slice == where and row.quantity == quantity]


def told(row: Row) -> tuple[Any, ...]:
    """The numbers of a row, and how they were made."""
    return row.measure, row.class_, row.value, row.low, row.high, row.n, row.method, row.reason


WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "clusters": {"cluster": "patient"},
    "weights": {"weight": "heavy"},
    "a level and a method": {"level": 0.8, "method": "wilson", "measures": ["recall", "accuracy"]},
}


# ---------------------------------------------------------------------- each group by itself
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("classes", ["ny", "abc"])
def test_a_group_has_the_values_and_intervals_of_its_rows_alone(classes: str, way: str) -> None:
    data, options = columns(classes), dict(WAYS[way])
    # Classes are declared, so that a group without one of them is judged over the same ones.
    options |= {"positive": "y" if classes == "ny" else None, "labels": list(classes), "n_resamples": 199}
    measures = ["recall(average=macro)", "accuracy", "f1(average=macro)", "mcc", "precision"]
    options.setdefault("measures", measures)
    report = assay.evaluate(data, slices=["site", "sex"], **options)
    for name in ("site", "sex"):
        for group in sorted(set(data[name])):
            alone = assay.evaluate(only(data, **{name: group}), **options)
            found = picked(report, f"{name}={group}")
            assert [told(row) for row in found] == [told(row) for row in picked(alone, None)]


def test_values_of_groups_are_those_of_scikit_learn() -> None:
    data = columns("ny")
    report = assay.evaluate(data, positive="y", slices="site", n_resamples=199)
    for group in ("north", "south", "west"):
        rows = only(data, site=group)
        found = {row.measure: row.value for row in picked(report, f"site={group}")}
        gold, pred = rows["gold"], rows["pred"]
        for name in ("recall", "precision", "f1"):
            expected = float(getattr(sk, f"{name}_score")(gold, pred, pos_label="y"))
            assert found[name] == pytest.approx(expected, abs=1e-12)
        assert found["accuracy"] == pytest.approx(float(sk.accuracy_score(gold, pred)), abs=1e-12)
        assert found["fpr"] == pytest.approx(1 - float(sk.recall_score(gold, pred, pos_label="n")), abs=1e-12)


def test_crossed_columns_have_a_group_for_every_pair_of_values_that_occurs() -> None:
    data = columns("ny")
    options: dict[str, Any] = {"positive": "y", "measures": "accuracy", "n_resamples": 199}
    report = assay.evaluate(data, slices=["site", "sex"], crossed=True, **options)
    pairs = sorted(set(zip(data["site"], data["sex"], strict=True)))
    for site, sex in pairs:
        alone = assay.evaluate(only(data, site=site, sex=sex), **options)
        assert [told(row) for row in picked(report, f"site × sex={site} × {sex}")] == [told(row) for row in alone.rows]
    groups = {row.slice for row in report.rows if row.slice is not None and row.slice.startswith("site × sex=")}
    assert len(groups) == len(pairs) == 6
    (gap,) = picked(report, "site × sex", "gap")
    assert gap.p is not None


def test_crossed_groups_that_would_be_written_alike_stay_apart() -> None:
    data: Columns = {"gold": list("ab" * 20), "pred": list("ab" * 20)}
    data |= {"x": ["p × q"] * 20 + ["p"] * 20, "y": ["r"] * 20 + ["q × r"] * 20}
    report = assay.evaluate(data, slices=["x", "y"], crossed=True, measures="accuracy", n_resamples=99)
    groups = [row for row in report.rows if row.slice is not None and row.slice.startswith("x × y=")]
    assert [row.n for row in groups if row.quantity == "value"] == [20, 20]


def test_rows_without_a_group_are_in_none_and_the_report_says_so(tmp_path: Path) -> None:
    data = columns("ny")
    data["site"] = [None if i % 10 == 0 else site for i, site in enumerate(data["site"])]
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([list(data), *zip(*data.values(), strict=True)])
    options: dict[str, Any] = {"positive": "y", "n_resamples": 199, "gold": "gold", "pred": "pred"}
    known = {name: [v for v, s in zip(column, data["site"], strict=True) if s] for name, column in data.items()}
    expected = [row for row in assay.evaluate(known, slices="site", **options).rows if row.slice is not None]
    for source in (data, path):
        report = assay.evaluate(source, slices="site", **options)
        assert [row for row in report.rows if row.slice is not None] == expected
        assert report.rows[0].n == 240  # but they are among all rows
        assert any("24 rows have no value in 'site'" in note for note in report.notes)


def test_a_column_without_any_value_is_refused() -> None:
    data = {**columns("ny"), "site": [None] * 240}
    with pytest.raises(DataError, match="no row has a value in 'site'"):
        assay.evaluate(data, slices="site")


def test_a_column_with_a_value_for_every_row_is_refused() -> None:
    data = {**columns("ny"), "id": [f"row {i}" for i in range(240)]}
    with pytest.raises(OptionError, match="240 groups"):
        assay.evaluate(data, slices="id")


# ---------------------------------------------------------------------- a group and the rest
@pytest.mark.parametrize("classes", ["ny", "abc"])
def test_differences_and_ratios_follow_from_the_two_intervals(classes: str) -> None:
    data = columns(classes, seed=2)
    options: dict[str, Any] = {"positive": "y" if classes == "ny" else None, "labels": list(classes)}
    options |= {"n_resamples": 199, "measures": ["accuracy", "f1(average=macro)", "recall", "mcc"]}
    report = assay.evaluate(data, slices="site", **options)
    for group in ("north", "south", "west"):
        here = picked(assay.evaluate(only(data, site=group), **options), None)
        rest = picked(assay.evaluate(without(data, "site", group), **options), None)
        both = (picked(report, f"site={group}", quantity) for quantity in ("difference", "ratio"))
        for a, b, difference, ratio in zip(here, rest, *both, strict=True):
            assert a.value is not None
            assert b.value is not None
            assert a.low is not None
            assert a.high is not None
            assert b.low is not None
            assert b.high is not None
            # MOVER: the distances from the values to their own limits, added as squares.
            d = a.value - b.value
            low = d - math.sqrt((a.value - a.low) ** 2 + (b.high - b.value) ** 2)
            high = d + math.sqrt((a.high - a.value) ** 2 + (b.value - b.low) ** 2)
            assert (difference.value, difference.low, difference.high) == pytest.approx((d, low, high), abs=1e-12)
            if min(a.low, b.low) <= 0:
                continue
            # The same with logarithms.
            log = math.log(a.value / b.value)
            down = math.sqrt(math.log(a.value / a.low) ** 2 + math.log(b.high / b.value) ** 2)
            up = math.sqrt(math.log(a.high / a.value) ** 2 + math.log(b.value / b.low) ** 2)
            expected = (a.value / b.value, math.exp(log - down), math.exp(log + up))
            assert (ratio.value, ratio.low, ratio.high) == pytest.approx(expected, rel=1e-12)
            assert difference.method == ratio.method == "mover"


def test_a_ratio_that_may_be_divided_by_nothing_has_no_limits() -> None:
    # One of four is found in the first group, none of three in the second.
    data: Columns = {"gold": list("yyyy" + "n" * 12 + "yyy" + "n" * 13), "pred": list("y" + "n" * 31)}
    data["site"] = ["a"] * 16 + ["b"] * 16
    report = assay.evaluate(data, positive="y", slices="site", measures="recall", n_resamples=99)
    (over_nothing,) = picked(report, "site=a", "ratio")
    assert over_nothing.value is None
    assert over_nothing.reason == "a ratio needs values above 0"
    (of_nothing,) = picked(report, "site=b", "ratio")
    assert (of_nothing.value, of_nothing.low) == (0.0, 0.0)
    (found,) = picked(report, "site=a")
    (missed,) = picked(report, "site=b")
    assert found.low is not None
    assert missed.high is not None
    assert of_nothing.high == pytest.approx(missed.high / found.low)


def test_clusters_on_both_sides_leave_a_difference_without_limits() -> None:
    data = columns("ny")
    data["half"] = [str(i % 2) for i in range(240)]
    report = assay.evaluate(data, positive="y", slices="half", cluster="patient", measures="recall", n_resamples=99)
    for quantity in ("difference", "ratio"):
        (row,) = picked(report, "half=0", quantity)
        assert row.value is not None
        assert row.low is None
        assert row.reason is not None
        assert "in the rest" in row.reason
    (gap,) = picked(report, "half", "gap")
    assert gap.p is None
    assert gap.reason is not None
    assert "several groups" in gap.reason


# ---------------------------------------------------------------------- all groups
def test_the_gap_is_the_highest_value_less_the_lowest_and_has_a_p_and_no_limits() -> None:
    report = assay.evaluate(columns("ny"), positive="y", slices="site", n_resamples=199)
    gaps = picked(report, "site", "gap")
    assert [row.measure for row in gaps] == ["recall", "fpr", "precision", "accuracy", "f1"]
    for gap in gaps:
        values = [
            row.value
            for row in report.rows
            if row.measure == gap.measure and row.quantity == "value" and row.slice is not None
        ]
        assert gap.value == pytest.approx(max(v or 0 for v in values) - min(v or 0 for v in values), abs=1e-12)
        assert (gap.low, gap.high) == (None, None)
        assert gap.p is not None
        assert (gap.p * 200) == pytest.approx(round(gap.p * 200))  # one of 199 draws and the data


def test_p_values_are_adjusted_over_the_columns_for_each_measure_by_itself() -> None:
    data = columns("ny", seed=5)
    data["shift"] = [str(i % 4) for i in range(240)]
    report = assay.evaluate(data, positive="y", slices=["site", "sex", "shift"], crossed=True, n_resamples=199)
    gaps = [row for row in report.rows if row.quantity == "gap"]
    assert {row.slice for row in gaps} == {"site", "sex", "shift", "site × sex × shift"}
    for _, same in itertools.groupby(sorted(gaps, key=lambda row: row.measure), key=lambda row: row.measure):
        rows = list(same)
        expected = multipletests([row.p for row in rows], method="holm")[1].tolist()
        assert [row.p_adjusted for row in rows] == pytest.approx(expected)


def test_one_group_only_is_shown_and_compared_with_nothing() -> None:
    data = {**columns("ny"), "site": ["here"] * 240}
    report = assay.evaluate(data, positive="y", slices="site", measures="recall", n_resamples=99)
    assert [(row.slice, row.quantity) for row in report.rows] == [(None, "value"), ("site=here", "value")]
    assert told(report.rows[0]) == told(report.rows[1])


def test_a_group_in_which_the_measure_is_undefined_has_no_value_and_is_in_no_gap() -> None:
    data = columns("ny")
    data["gold"] = ["n" if s == "west" else g for g, s in zip(data["gold"], data["site"], strict=True)]
    options: dict[str, Any] = {"positive": "y", "measures": "recall", "n_resamples": 199}
    report = assay.evaluate(data, slices="site", **options)
    (west,) = picked(report, "site=west")
    assert west.value is None
    assert west.reason == "no item has this gold class"
    for quantity in ("difference", "ratio"):
        (row,) = picked(report, "site=west", quantity)
        assert (row.value, row.reason) == (None, west.reason)
    (gap,) = picked(report, "site", "gap")
    (two,) = picked(assay.evaluate(without(data, "site", "west"), slices="site", **options), "site", "gap")
    assert (gap.value, gap.p) == (two.value, two.p)


def test_verdicts_come_from_the_test_over_all_groups_and_name_the_group_farthest_off() -> None:
    rng = np.random.default_rng(7)
    site = np.repeat(["a", "b", "c", "d"], (300, 200, 100, 60))
    gold = rng.choice(["y", "n"], len(site))
    wrong = rng.random(len(site)) < np.where(site == "c", 0.5, 0.1)
    pred = np.where(wrong, np.where(gold == "y", "n", "y"), gold)
    data = {"gold": gold.tolist(), "pred": pred.tolist(), "site": site.tolist()}
    notes = assay.evaluate(data, positive="y", slices="site", n_resamples=999).notes
    (told,) = (note for note in notes if "by site more than chance would explain" in note)
    assert "measures differ" in told
    assert "Recall (p ≤ 0.001, farthest: “c”)" in told
    assert told.count("farthest: “c”") == 5
    # Frequencies alone make no gap in recall: four fifths of the positives of "c" are taken away.
    frequent = {"gold": gold.tolist(), "pred": gold.tolist(), "site": site.tolist()}
    frequent["pred"] = [g if rng.random() > 0.2 else "n" for g in frequent["gold"]]
    kept = [i for i in range(len(site)) if not (site[i] == "c" and gold[i] == "y" and i % 5)]
    rarer = {name: [column[i] for i in kept] for name, column in frequent.items()}
    (gap,) = picked(assay.evaluate(rarer, positive="y", slices="site", measures="recall"), "site", "gap")
    assert gap.p is not None
    assert gap.p > 0.05


# ---------------------------------------------------------------------- few rows, and classes that explain a gap
def test_groups_of_fewer_than_fifteen_rows_have_a_value_and_no_interval() -> None:
    data = columns("ab", n=400)
    sizes = {"north": 14, "south": 15}
    site = ["north"] * 14 + ["south"] * 15 + ["west"] * 371
    report = assay.evaluate(
        {**data, "site": site}, positive="b", slices="site", measures=["recall", "mcc"], n_resamples=99
    )
    for group, n in sizes.items():
        for row in picked(report, f"site={group}"):
            assert row.n == n
            assert row.value is not None
            assert (row.low is None) == (row.high is None) == (n < 15)
            assert (row.reason or "").startswith("fewer than 15 rows") == (n < 15)
    for row in picked(report, "site=north", "difference") + picked(report, "site=north", "ratio"):
        assert row.low is None
        assert (row.reason or "").startswith("fewer than 15 rows")
    assert any("groups of fewer than 15 have no interval" in note for note in report.notes)
    assert "one group has fewer than 15 rows in all, too few for an interval" in str(report.page())


def test_the_difference_of_two_systems_has_no_interval_in_a_group_of_fewer_than_fifteen_rows() -> None:
    data = columns("ab", n=200)
    other = [a if i % 7 else b for i, (a, b) in enumerate(zip(data["pred"], data["gold"], strict=True))]
    site = ["north"] * 14 + ["south"] * 186
    both = {"gold": data["gold"], "old": data["pred"], "new": other, "site": site}
    report = assay.compare_systems(
        both, pred=["old", "new"], positive="b", slices="site", measures="accuracy", n_resamples=99
    )
    made = [row for row in report.rows if row.versus is not None and (row.slice or "").startswith("site=")]
    assert [(row.n, row.low is None) for row in made] == [(14, True), (186, False)]


def answered_alike(prevalence: Sequence[float], n: int) -> Columns:
    """Groups in which seven tenths of the positives and nine tenths of the negatives are answered rightly."""
    out: Columns = {"gold": [], "pred": [], "site": []}
    for group, share in enumerate(prevalence):
        positive = round(share * n)
        hits, alarms = round(0.7 * positive), round(0.1 * (n - positive))
        out["gold"] += ["y"] * positive + ["n"] * (n - positive)
        out["pred"] += ["y"] * hits + ["n"] * (positive - hits) + ["y"] * alarms + ["n"] * (n - positive - alarms)
        out["site"] += [f"s{group}"] * n
    return out


def test_a_gap_that_the_frequency_of_classes_explains_is_said_to_be_one() -> None:
    data = answered_alike((0.8, 0.1), 500)
    report = assay.evaluate(data, positive="y", slices="site", measures=["precision", "mcc", "recall"], n_resamples=499)
    gaps = {row.measure: row for row in picked(report, "site", "gap")}
    assert gaps["precision"].p_adjusted is not None
    assert gaps["precision"].p_adjusted < 0.01
    assert "the class frequencies of the groups explain a gap this large (p = 1)" in (gaps["precision"].reason or "")
    assert "class frequencies" not in (gaps["recall"].reason or "")
    said = "but no more than class frequencies explain: no significant difference was found among rows of one class"
    assert f"Precision (p ≤ 0.002) differs by site more than chance would explain, {said} (p = 1)" in report.notes
    assert f"the groups differ by more than chance would explain, {said} (p = 1)" in str(report.page())


def test_a_gap_within_classes_is_not_explained_by_their_frequency() -> None:
    data, worse = answered_alike((0.8, 0.1), 500), answered_alike((0.5,), 500)
    worse["pred"] = ["y" if i % 3 else "n" for i in range(500)]
    worse["site"] = ["s2"] * 500
    both = {name: data[name] + worse[name] for name in data}
    report = assay.evaluate(both, positive="y", slices="site", measures="accuracy", n_resamples=499)
    (gap,) = picked(report, "site", "gap")
    assert gap.p_adjusted is not None
    assert gap.p_adjusted < 0.01
    assert "explain" not in (gap.reason or "")


def test_groups_whose_errors_are_not_known_are_said_to_be_supposed_alike() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 1500)
    score = rng.uniform(0, 1, 1500)
    data = {"gold": gold.tolist(), "score": score.tolist(), "site": (["a"] * 700) + ["b"] * 800}
    report = assay.evaluate(
        data, scores="score", positive="1", slices="site", measures=["ece", "roc_auc"], n_resamples=99
    )
    (said,) = (note for note in report.notes if "assume that groups are alike" in note)
    assert said.startswith("the standard errors of Expected calibration error")
    assert "ROC" not in said


def test_further_guesses_are_counted_by_group_too() -> None:
    data = {
        "gold": list("abcabc"),
        "m": list("abcbca"),
        "second": list("bcaacb"),
        "site": list("xxxyyy"),
    }
    asked: dict[str, Any] = {"gold": "gold", "pred": {"m": "m"}, "guesses": {"m": ["second"]}, "slices": "site"}
    report = assay.evaluate(data, **asked, measures="top_k_accuracy(k=2)")
    # At x every first guess is right; at y the second one is right once, and twice neither is.
    assert {row.slice: row.value for row in report.rows if row.quantity == "value"} == {
        None: 4 / 6,
        "site=x": 1.0,
        "site=y": 1 / 3,
    }


def test_f1_rests_on_the_rows_that_are_positive_or_called_positive() -> None:
    gold = ["y"] * 6 + ["n"] * 180 + ["y"] * 60 + ["n"] * 40
    pred = ["y"] * 4 + ["n"] * 179 + ["y"] * 3 + ["y"] * 50 + ["n"] * 50
    data = {"gold": gold, "pred": pred, "size": ["small"] * 186 + ["large"] * 100}
    report = assay.evaluate(data, positive="y", slices="size", measures=["f1", "accuracy"], n_resamples=99)
    # Of the small ones, six are positive and three others are called positive.
    (table,) = (section for section in report.systems[0].sections if section.title == "by size")
    assert {name: cells[0].text for name, cells in table.rows} == {
        "F1 · small": "9",
        "F1 · large": "60",
        "Accuracy · small": "186",
        "Accuracy · large": "100",
    }
    assert "some values by size rest on fewer than 30 rows: 9 in “small” (F1)" in report.notes
    (part,) = (part for part in report.page().parts if part.id == "slices")
    assert "for F1 those that are either" in str(part)
    assert "F1 of “y” in “small” (9)" in str(part)


def test_the_row_of_a_gap_names_the_group_that_its_test_found_farthest_from_the_rest() -> None:
    report = assay.evaluate(columns("xyz"), slices="site", n_resamples=199)
    gaps = [row for row in report.rows if row.quantity == "gap"]
    assert gaps
    sites = {row.slice for row in report.rows if row.quantity == "value" and row.slice}
    assert all(f"site={row.farthest}" in sites for row in gaps)
    assert all(row.farthest is None for row in report.rows if row.quantity != "gap")
