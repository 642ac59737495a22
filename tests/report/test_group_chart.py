"""Groups on a page: dots and intervals are those of the rows, and what is said comes from the one test over all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assay.jobs.answers.results import Report, Row
from assay.jobs.evaluate import evaluate
from assay.report.charts.drawing import COLORS
from assay.report.charts.groups import group_chart
from assay.report.contents.blocks import Folded, Part, Prose, Table
from assay.report.groups import cuts
from assay.report.page.parts.groups import chance, group_parts

HOSTILE = "</svg><script>document.title=1</script>\x07"


def table(groups: int = 3, n: int = 400, seed: int = 6, unlucky: float = 0.0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.5
    site = rng.integers(0, groups, n)
    right = np.where(site == 0, 0.85 - unlucky, 0.85)
    a, b = (np.where(rng.random(n) < right, truth, ~truth) for _ in range(2))
    word = {True: "yes", False: "no"}
    named = {name: [word[bool(x)] for x in values] for name, values in (("gold", truth), ("a", a), ("b", b))}
    return {**named, "site": [f"s{i:02}" for i in site], "half": [str(i % 2) for i in range(n)]}


def report(slices: Any = ("site",), pred: Any = ("a", "b"), data: Any = None, **more: Any) -> Report:
    found = table() if data is None else data
    return evaluate(found, gold="gold", pred=list(pred), positive="yes", slices=slices, n_resamples=499, **more)


def part(found: Report) -> Part:
    (one,) = group_parts(found)
    return one


def rows(found: Report, **where: Any) -> list[Row]:
    return [row for row in found.rows if all(getattr(row, name) == value for name, value in where.items())]


# ---------------------------------------------------------------------- charts
def test_every_dot_and_bar_is_a_row_of_the_report() -> None:
    found = report()
    cut = next(iter(cuts(found)))
    chart = group_chart(cut)
    assert chart is not None
    assert [line.label for line in chart.lines] == ["s00", "s01", "s02"]
    for line in chart.lines:
        for dot, system in zip(line.dots, ("a", "b"), strict=True):
            (row,) = rows(found, slice=f"site={line.label}", system=system, measure="recall", quantity="value")
            assert (dot.value, dot.low, dot.high) == (row.value, row.low, row.high)


def test_n_counts_what_the_measure_is_a_share_of() -> None:
    data = table()
    by_measure = {cut.measure: cut for cut in cuts(report(data=data))}
    for group in ("s00", "s01", "s02"):
        here = [i for i, site in enumerate(data["site"]) if site == group]
        positives = sum(data["gold"][i] == "yes" for i in here)
        called = {sum(data[system][i] == "yes" for i in here) for system in ("a", "b")}
        assert by_measure["recall"].counted(group) == (positives,)
        assert by_measure["fpr"].counted(group) == (len(here) - positives,)
        assert set(by_measure["precision"].counted(group)) == called
        assert by_measure["accuracy"].counted(group) == (len(here),)
        either = {sum("yes" in (data["gold"][i], data[system][i]) for i in here) for system in ("a", "b")}
        assert set(by_measure["f1"].counted(group)) == either


def test_dots_are_recall_as_counted_by_hand() -> None:
    data = table()
    chart = group_chart(next(iter(cuts(report(data=data)))))
    assert chart is not None
    for line in chart.lines:
        here = [i for i, site in enumerate(data["site"]) if site == line.label and data["gold"][i] == "yes"]
        for dot, system in zip(line.dots, ("a", "b"), strict=True):
            assert dot.value == pytest.approx(sum(data[system][i] == "yes" for i in here) / len(here))


def test_weights_do_not_make_groups_larger_or_smaller() -> None:
    data = table()
    plain = {cut.measure: cut.counted("s00") for cut in cuts(report(data=data, pred=("a",)))}
    for weight in (50.0, 0.01):
        heavy = report(data={**data, "w": [weight] * len(data["gold"])}, pred=("a",), weight="w")
        assert {cut.measure: cut.counted("s00") for cut in cuts(heavy)} == plain


def test_a_measure_that_is_shown_by_group_alone_has_its_overall_line_too() -> None:
    data = table()
    cut = next(cut for cut in cuts(report(data=data)) if cut.measure == "fpr")
    negatives = [i for i, label in enumerate(data["gold"]) if label == "no"]
    for system in ("a", "b"):
        called = sum(data[system][i] == "yes" for i in negatives)
        assert cut.wholes[system] == pytest.approx(called / len(negatives))
    chart = group_chart(cut)
    assert chart is not None
    assert [mark.value for mark in chart.marks] == [cut.wholes["a"], cut.wholes["b"]]


def test_dashed_lines_are_the_overall_values() -> None:
    found = report()
    chart = group_chart(next(iter(cuts(found))))
    assert chart is not None
    overall = [rows(found, system=s, measure="recall", slice=None, quantity="value")[0].value for s in ("a", "b")]
    assert [mark.value for mark in chart.marks] == overall
    rules = [layer for layer in chart.spec()["layer"] if layer["mark"].get("strokeDash")]
    assert [layer["data"]["values"][0]["x"] for layer in rules] == pytest.approx(overall, rel=1e-5)


def test_the_words_for_those_who_cannot_see_give_every_value_that_is_drawn() -> None:
    found = report()
    chart = group_chart(next(iter(cuts(found))))
    assert chart is not None
    for row in rows(found, measure="recall", quantity="value"):
        if row.slice is not None:
            assert row.value is not None
            assert f"{row.slice.removeprefix('site=')} {row.value:.2f}" in chart.description


def test_at_most_twelve_groups_are_drawn_and_the_table_has_all() -> None:
    found = part(report(data=table(groups=15)))
    recall, fpr = (figure.drawing for block in found.blocks for figure in block.figures)
    assert [len(chart.lines) for chart in (recall, fpr)] == [12, 12]  # type: ignore[attr-defined]
    prose = " ".join(text for block in found.blocks if isinstance(block, Prose) for text in block.paragraphs)
    assert "The first 12 of 15 groups by site are drawn" in prose
    folded = next(block for block in found.blocks if isinstance(block, Folded))
    assert isinstance(folded.blocks[0], Table)
    assert len([name for name, _ in folded.blocks[0].section.rows if name.startswith("Recall")]) == 15


def test_group_names_stay_text_and_colors_are_those_of_the_page() -> None:
    data = table()
    data["site"] = [HOSTILE if site == "s00" else site for site in data["site"]]
    found = report(data=data)
    chart = group_chart(next(iter(cuts(found))))
    assert chart is not None
    assert "<script" not in chart.svg() + chart.inline()
    used = {word for word in json.dumps(chart.spec()).replace('"', " ").split() if word.startswith("#")}
    assert used <= set(COLORS.values())
    assert "<script>document" not in found.to_html()


def test_a_column_whose_name_has_an_equals_sign_keeps_its_groups() -> None:
    data = table()
    data["site=home"] = data.pop("half")
    found = list(cuts(report(slices=("site", "site=home"), data=data)))
    assert {cut.column: cut.groups for cut in found} == {"site": ("s00", "s01", "s02"), "site=home": ("0", "1")}


# ---------------------------------------------------------------------- words
def test_what_is_said_comes_from_the_test_over_all_groups() -> None:
    differ = report(data=table(unlucky=0.5))
    alike = report()
    assert "Recall: the groups differ by more than chance would explain" in part(differ).lead[1]
    assert "Recall: no significant difference was found" in part(alike).lead[1]
    for system in ("a", "b"):
        (row,) = rows(alike, system=system, measure="recall", quantity="gap")
        assert row.p is not None
        assert f"in {float(f'{100 * row.p:.2g}'):g}% of shuffles ({system})" in part(alike).lead[1]


def test_a_p_value_that_draws_cannot_go_below_is_a_bound() -> None:
    (row,) = rows(report(data=table(unlucky=0.5)), system="a", measure="recall", quantity="gap")
    assert chance(replace(row, p=1 / 500, p_adjusted=1 / 500)) == "in at most 0.2% of shuffles"
    assert chance(replace(row, p=2 / 500, p_adjusted=0.3)) == (
        "in 0.4% of shuffles (p = 0.3 after correction for all columns)"
    )
    assert chance(replace(row, p=1e-6, p_adjusted=1e-6, method="normal")) == "with a probability of 0.0001%"
    assert chance(replace(row, p=2 / 500, p_adjusted=2 / 500)) == "in 0.4% of shuffles"
    assert chance(replace(row, p=1.0, p_adjusted=1.0)) == "in 100% of shuffles"


def test_a_gap_that_does_not_survive_the_correction_is_not_called_one() -> None:
    found = report(slices=("site", "half"))
    changed = [replace(r, p=0.03, p_adjusted=0.06) if r.quantity == "gap" else r for r in found.rows]
    lead = " ".join(part(replace(found, rows=tuple(changed))).lead)
    assert "differ by more than chance" not in lead
    assert "no significant difference was found after correction for all columns" in lead


def test_small_groups_are_named_and_rates_that_base_rates_move_are_said() -> None:
    data = table()
    data["site"][:12] = ["tiny"] * 12
    found = part(report(data=data))
    said = " ".join(text for block in found.blocks if isinstance(block, Prose) for text in block.paragraphs)
    positives = data["gold"][:12].count("yes")
    assert f"“tiny” ({positives})" in said
    assert "also affects Precision, Accuracy, F1" in said


def test_a_report_without_slices_has_no_such_part() -> None:
    assert list(group_parts(report(slices=()))) == []
