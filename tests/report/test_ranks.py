"""Systems over data sets as people see them: the table of values in every format, and the diagram of mean ranks."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.cli.main import exit_code
from assay.jobs.answers.results import Report
from assay.jobs.comparison.repeated import compare_repeated
from assay.report.charts.drawing import COLORS
from assay.report.charts.ranks import BEYOND, RankDiagram, rank_diagram
from assay.report.contents.blocks import Folded, Table
from assay.uncertainty.many.ranks import CriticalDifference, critical_difference, friedman
from tests.oracles.test_friedman import C45
from tests.pages import Tags, blocks
from tests.report.test_charts import HOSTILE
from tests.snapshot import Snapshot

# Counted by hand: on d1 and d2 “b” is the best, on d3 “a” and “b” are. Ranks of a: 3, 2, 1.5; b: 1, 1, 1.5; c: 2, 3, 3.
BY_HAND: dict[str, list[Any]] = {"d": ["d1", "d2", "d3"], "a": [0.1, 0.5, 0.9], "b": [0.3, 0.6, 0.9]}
BY_HAND |= {"c": [0.2, 0.4, 0.8]}


def compared(table: dict[str, list[Any]], **more: Any) -> Report:
    systems = [name for name in table if name not in ("d", "f")]
    return compare_repeated(table, values=systems, datasets="d", **more)


def many(sets: int, systems: int, folds: int = 1) -> dict[str, list[Any]]:
    rng = np.random.default_rng(1)
    n = sets * folds
    table: dict[str, list[Any]] = {"d": [f"set {i // folds:03d}" for i in range(n)], "f": [i % folds for i in range(n)]}
    return table | {f"system {i}": (rng.normal(0.7 + 0.004 * i, 0.02, n)).round(4).tolist() for i in range(systems)}


# ---------------------------------------------------------------------- the table of values
def test_the_best_of_each_data_set_is_marked_and_mean_ranks_stand_last_in_every_format() -> None:
    report = compared(BY_HAND)
    text = report.to_text()
    lines = [line.split() for line in text.splitlines()]
    assert ["d1", "0.100", "0.300*", "0.200"] in lines
    assert ["d3", "0.900*", "0.900*", "0.800"] in lines
    assert ["mean", "rank", "2.17", "1.17", "2.67"] in lines
    markdown = report.to_markdown()
    assert "| d1 | 0.100 | **0.300** | 0.200 |" in markdown
    assert "| d3 | **0.900** | **0.900** | 0.800 |" in markdown
    assert "| mean rank | 2.17 | 1.17 | 2.67 |" in markdown
    latex = report.to_latex()
    assert r"d1 & 0.100 & \textbf{0.300} & 0.200 \\" in latex
    assert "\\midrule\nmean rank & 2.17 & 1.17 & 2.67 \\\\" in latex
    (table,) = (t for t in json.loads(report.to_json())["contest"]["tables"] if t["title"] == "values by data set")
    assert table["rows"]["d2"] == [0.5, 0.6, 0.4]
    assert table["rows"]["mean rank"] == pytest.approx([6.5 / 3, 3.5 / 3, 8 / 3])
    page = Tags(report.to_html())
    assert not page.wrong
    assert "d1 0.100 0.300 0.200 d2" in page.text
    assert len(re.findall(r'<td class="best"><strong>0\.[369]00</strong>', report.to_html())) == 4


def test_values_that_differ_by_rounding_alone_are_marked_together_and_a_note_tells_of_it() -> None:
    a, b = [0.1, 0.5, 0.9600000000000002], [0.3, 0.6, 0.96]
    report = compared({"d": ["d1", "d2", "d3"], "a": a, "b": b, "c": [0.2, 0.4, 0.8]})
    lines = [line.split() for line in report.to_text().splitlines()]
    assert ["d3", "0.960*", "0.960*", "0.800"] in lines
    assert ["mean", "rank", "2.17", "1.17", "2.67"] in lines
    (note,) = (note for note in report.contest.notes if "rounding" in note)  # type: ignore[union-attr]
    assert note.startswith("a − b: 1 data set: the values differ by rounding alone")


def test_a_note_on_every_pair_stands_once_with_its_pairs() -> None:
    notes = compared(many(8, 4)).contest.notes  # type: ignore[union-attr]
    assert len([note for note in notes if "are too few to see whether they are skewed" in note]) == 1


def test_what_tests_of_ranks_found_is_not_called_a_difference_in_mean() -> None:
    report = compared(many(12, 4))
    assert "Wilcoxon signed-rank tests, Holm correction over 6 comparisons" in " ".join(report.to_text().split())
    assert "difference in mean" not in report.to_html()
    assert "differences in mean is" not in report.to_html()


def test_pairs_that_leave_different_numbers_of_outcomes_are_described_by_the_fewest_and_the_most() -> None:
    # a and b tie on d3, so that 2² of 2³ outcomes are left to them.
    assert "exact over 4 to 8 outcomes" in compared(BY_HAND).to_html()


def test_where_lower_is_better_the_lowest_is_marked() -> None:
    assert "| d1 | **0.100** | 0.300 | 0.200 |" in compared(BY_HAND, lower_is_better=True).to_markdown()


def test_a_value_that_three_decimals_write_like_the_best_has_four() -> None:
    report = compared({"d": ["x", "y", "z"], "a": [0.5001, 0.2, 0.3], "b": [0.5003, 0.1, 0.3], "c": [0, 0, 0]})
    assert "| x | 0.5001 | **0.5003** | 0.0000 |" in report.to_markdown()


def test_two_systems_have_a_table_and_no_diagram() -> None:
    report = compared({"d": ["x", "y", "z", "w"], "a": [1, 2, 3, 4], "b": [2, 3, 3, 5]})
    assert report.contest is not None
    assert report.contest.ranking is None
    assert "| z | **3.000** | **3.000** |" in report.to_markdown()
    assert "| mean rank | 1.88 | 1.12 |" in report.to_markdown()


def test_the_spread_over_folds_stands_beside_each_mean() -> None:
    table: dict[str, list[Any]] = {"d": ["x", "x", "y", "z", "z"], "f": [0, 1, 0, 0, 1]}
    report = compared({**table, "a": [1, 3, 5, 7, 7], "b": [2, 2, 6, 6, 8]}, folds="f")
    markdown = report.to_markdown()
    assert "| x | **2.000** (±1.414) | **2.000** (±0.000) |" in markdown
    assert "| y | 5.000 | **6.000** |" in markdown  # of one fold there is no spread
    assert r"x & \textbf{2.000} {\scriptsize $\pm$1.414}" in report.to_latex()


@pytest.mark.parametrize("width", [60, 100, 240])
def test_many_data_sets_and_systems_are_folded_in_a_terminal_and_none_is_lost_elsewhere(width: int) -> None:
    report = compared(many(60, 15, 2), folds="f", correction="none")
    text = report.to_text(width)
    assert max(map(len, text.splitlines())) <= width
    assert "… and 48 more rows" in text
    if width < 240:
        assert "systems with the best mean ranks; --format md shows" in " ".join(text.split())
    shown = text[text.index(" values by data set") :].splitlines()[0]
    assert "14" in shown  # the best of them is not among those left out
    markdown = report.to_markdown()
    assert "<summary>values by data set</summary>" in markdown
    assert markdown.count("| set 0") == 60
    folded = [block for block in blocks(report.page()) if isinstance(block, Folded)]
    assert any(isinstance(each, Table) and each.section.role == "datasets" for b in folded for each in b.blocks)


def test_data_sets_with_folds_read_well(tmp_path: Path, capsys: Any, snapshot: Snapshot) -> None:
    table = many(12, 4, 5)
    kept = [i for i in range(60) if (i // 5) % 3 or i % 5]  # every third data set has a fold less
    file = tmp_path / "folds.csv"
    rows = [",".join(table), *(",".join(str(table[name][i]) for name in table) for i in kept)]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    values = [word for i in range(4) for word in ("--value", f"s{i}=system {i}")]
    assert exit_code(["compare", str(file), *values, "--datasets", "d", "--folds", "f"]) == 0
    snapshot("compare_datasets_and_folds", capsys.readouterr().out)
    assert exit_code(["compare", str(file), *values, "--datasets", "d", "--charts", str(tmp_path / "c")]) == 3
    assert "several rows for dataset 'set 000'" in capsys.readouterr().err
    charts = ["--charts", str(tmp_path / "c")]
    assert exit_code(["compare", str(file), *values, "--datasets", "d", "--folds", "f", *charts]) == 0
    assert (tmp_path / "c" / "critical_difference.svg").read_text(encoding="utf-8").startswith("<svg")


# ---------------------------------------------------------------------- one form is to be reported
def test_exactly_one_line_of_friedmans_test_is_marked_in_every_format() -> None:
    for table in (BY_HAND, many(12, 5)):
        report = compared(table)
        for text in (report.to_text(), report.to_markdown(), Tags(report.to_html()).text):
            assert text.count("use this") == 1
        assert re.search(r"Iman–Davenport F[^\n]*use this", report.to_text())


# ---------------------------------------------------------------------- the diagram
def marks(diagram: RankDiagram, kind: str, **look: Any) -> list[dict[str, Any]]:
    layers = (each for each in diagram.spec()["layer"] if each["mark"]["type"] == kind)
    fitting = (each for each in layers if all(each["mark"].get(name) == value for name, value in look.items()))
    return [row for each in fitting for row in each["data"]["values"]]


def places(diagram: RankDiagram, cd: CriticalDifference) -> dict[str, float]:
    """Where every system's line leaves the axis."""
    down = [row["x"] for row in marks(diagram, "rule", color=COLORS["muted"]) if "y2" in row]
    return dict(zip(cd.systems, down, strict=True))


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_lines_stand_at_mean_ranks_and_bars_reach_over_their_systems(level: float) -> None:
    cd = critical_difference(friedman(C45), level)
    diagram = rank_diagram(cd)
    at = places(diagram, cd)
    numbers = {row["t"]: row["x"] for row in marks(diagram, "text", fontSize=12)}
    first, step = numbers["1"], numbers["2"] - numbers["1"]
    for name, rank in zip(cd.systems, cd.mean_ranks, strict=True):
        assert at[name] == pytest.approx(first + (rank - 1) * step, abs=0.01)
    drawn = marks(diagram, "rule", strokeWidth=2)
    bars, hooks = ([row for row in drawn if ("x2" in row) is long] for long in (True, False))
    assert sorted(row["x"] for row in hooks) == sorted(bar[end] for bar in bars for end in ("x", "x2"))
    assert [(row["x"] + BEYOND, row["x2"] - BEYOND) for row in bars] == [
        pytest.approx((at[bar[0]], at[bar[-1]]), abs=0.01) for bar in cd.bars
    ]
    ruler = next(row for row in marks(diagram, "rule", color=COLORS["ink"]) if "x2" in row)
    assert cd.critical is not None
    assert ruler["x2"] - ruler["x"] == pytest.approx(cd.critical * step, abs=0.01)


def drawn(k: int, seed: int = 0, **more: Any) -> CriticalDifference:
    rng = np.random.default_rng(seed)
    return critical_difference(friedman({f"s{i}": rng.normal(0.01 * i, 0.03, 20).tolist() for i in range(k)}), **more)


@pytest.mark.parametrize("k", [3, 6, 15, 40])
def test_bars_in_one_row_do_not_touch_and_no_two_names_share_a_line(k: int) -> None:
    cd = drawn(k)
    diagram = rank_diagram(cd)
    rows: dict[float, list[tuple[float, float]]] = {}
    for bar in (row for row in marks(diagram, "rule", strokeWidth=2) if "x2" in row):
        rows.setdefault(bar["y"], []).append((bar["x"], bar["x2"]))
    for row in rows.values():
        ordered = sorted(row)
        assert all(a[1] < b[0] for a, b in pairwise(ordered))
    names = [row for row in marks(diagram, "text", color=COLORS["ink"]) if not row["t"].startswith("critical")]
    assert len({(row["x"], row["y"]) for row in names}) == k
    lowest = min(row["y"] for row in names)
    assert all(y < lowest for y in rows)  # bars stand above all names


def test_any_name_is_only_text_in_the_diagram() -> None:
    values = {name: [0.1 * i, 0.2 * i, 0.05 * i] for i, name in enumerate(HOSTILE)}
    cd = critical_difference(friedman(values))
    text = cd.to_svg()
    root = ET.fromstring(text)
    assert "script" not in {each.tag.rpartition("}")[2] for each in root.iter()}
    assert cd.to_svg() == text
    assert "alert(1)" not in rank_diagram(cd).inline().replace("&lt;script&gt;alert(1)", "")


def test_a_diagram_says_by_which_test_systems_are_joined() -> None:
    assert "Nemenyi's test at 95%" in drawn(4).to_svg()
    holm = drawn(4, method="holm", baseline="s1")
    assert "cannot be told apart from s1 by Holm's method at 95%" in holm.to_svg()
    assert "critical difference" not in holm.to_svg()
    apart = critical_difference(friedman({name: [i] * 30 for i, name in enumerate("abc")}))
    assert apart.bars == ()
    assert "every two systems can be told apart by Nemenyi's test" in apart.to_svg()


def test_the_page_has_the_diagram_and_says_which_test_to_report() -> None:
    report = compared(many(12, 5))
    page = report.page()
    assert "critical_difference" in {figure.name for figure in page.figures}
    words = Tags(report.to_html()).text
    assert "Report Iman–Davenport F" in words
    assert "a bracket joins systems that cannot be told apart by Nemenyi's test" in words


def test_against_a_baseline_the_page_draws_holms_method() -> None:
    report = compared(many(12, 5), baseline="system 0")
    words = Tags(report.to_html()).text
    assert "not told apart from system 0 by Holm's method at 95%" in words
