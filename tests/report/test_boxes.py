"""Box plots over folds and data sets: the numbers are those of the values, counted by hand and by NumPy."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from assay.jobs.answers.contest import Spread
from assay.jobs.answers.results import Report
from assay.jobs.comparison.repeated import compare_repeated
from assay.report.charts.distributions import box_plot
from assay.report.charts.drawing import COLORS
from assay.report.page.build import spread_parts

STEADY = [0.80, 0.81, 0.82, 0.83, 0.84, 0.85, 0.86, 0.87, 1.00]
LOOSE = [0.60, 0.70, 0.74, 0.78, 0.84, 0.90, 0.94, 0.98, 0.99]
HOSTILE = "</svg><script>document.title=1</script>"


def spread(**values: list[float]) -> Spread:
    n = len(next(iter(values.values())))
    return Spread("fold", tuple(map(str, range(n))), {name: tuple(each) for name, each in values.items()})


def compared(unit: str = "folds", n: int = 9, **more: Any) -> Report:
    table = {"part": [str(i) for i in range(n)], "steady": STEADY[:n], "loose": LOOSE[:n]}
    options: dict[str, Any] = {unit: "part", **more}
    return compare_repeated(table, values=["steady", "loose"], **options)


def rows(spec: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [row for layer in spec["layer"] if layer["mark"]["type"] == kind for row in layer["data"]["values"]]


def test_a_box_is_the_quartiles_and_whiskers_end_at_values_counted_by_hand() -> None:
    # Nine values: quartiles are the third and the seventh, .82 and .86; 1.5 times .04 reaches from .76 to .92.
    spec = box_plot(spread(steady=STEADY), "F1").spec()
    (box,) = rows(spec, "rect")
    assert (box["x"], box["x2"]) == (0.82, 0.86)
    whiskers = [row for row in rows(spec, "rule") if "x2" in row]
    assert (whiskers[0]["x"], whiskers[1]["x2"]) == (0.80, 0.87)
    median = [row for row in rows(spec, "rule") if "y2" in row and row["x"] == 0.84]
    assert len(median) == 1
    beyond, *single = [layer["data"]["values"] for layer in spec["layer"] if layer["mark"]["type"] == "point"]
    assert [row["x"] for row in beyond] == [1.0]
    assert [row["x"] for row in single[0]] == STEADY


def test_quartiles_are_those_of_numpy() -> None:
    values = np.random.default_rng(4).normal(0.7, 0.1, 17)
    spec = box_plot(spread(m=values.tolist()), "F1").spec()
    (box,) = rows(spec, "rect")
    assert [box["x"], box["x2"]] == pytest.approx(np.quantile(values, [0.25, 0.75]), rel=1e-5)


def test_many_values_are_not_drawn_one_by_one() -> None:
    values = np.random.default_rng(4).normal(0.7, 0.1, 51)
    spec = box_plot(spread(m=values.tolist()), "F1").spec()
    lower, upper = np.quantile(values, [0.25, 0.75])
    beyond = [x for x in values if not lower - 1.5 * (upper - lower) <= x <= upper + 1.5 * (upper - lower)]
    assert len(rows(spec, "point")) == len(beyond)


def test_the_words_for_those_who_cannot_see_give_the_five_numbers() -> None:
    told = box_plot(spread(steady=STEADY), "F1").description
    assert "median 0.840, middle half from 0.820 to 0.860, whiskers from 0.800 to 0.870, and 1.000 beyond" in told


def test_names_stay_text_and_colors_are_those_of_the_page() -> None:
    chart = box_plot(spread(**{HOSTILE: STEADY}), "F1")
    assert "<script" not in chart.svg() + chart.inline()
    used = {word for word in json.dumps(chart.spec()).replace('"', " ").split() if word.startswith("#")}
    assert used <= set(COLORS.values())


def test_the_values_reach_the_report_and_its_json() -> None:
    report = compared()
    assert report.contest is not None
    assert report.to_dict()["contest"]["spread"] == {
        "unit": "fold",
        "names": [str(i) for i in range(9)],
        "values": {"steady": STEADY, "loose": LOOSE},
    }


@pytest.mark.parametrize(("unit", "nav"), [("folds", "Folds"), ("datasets", "Data sets")])
def test_equal_medians_with_another_spread_are_said_in_words(unit: str, nav: str) -> None:
    # Both medians are .84; the middle halves are .86 − .82 = .04 and .94 − .74 = .2, five times as wide.
    (part,) = spread_parts(compared(unit))
    assert part.nav == nav
    said = " ".join(part.lead)
    assert "the medians are equal but the values of loose spread 5 times as wide" in said
    assert "The middle half of the values of steady spans 0.04, and that of loose 0.2." in said


def test_three_folds_are_too_few_for_a_box() -> None:
    assert list(spread_parts(compared(n=3))) == []


def test_single_items_have_no_box() -> None:
    table = {"steady": STEADY, "loose": LOOSE}
    report = compare_repeated(table, values=["steady", "loose"])
    assert list(spread_parts(report)) == []
    assert "spread" not in report.to_dict()["contest"]
