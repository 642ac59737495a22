"""What a page opens with: its numbers are those of the data, and its pictures those of its numbers."""

from __future__ import annotations

import csv
import html
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from sklearn.metrics import f1_score, matthews_corrcoef

import assay
from assay.jobs.answers.results import Report
from assay.report.contents.blocks import Block, Folded, Page, Part
from assay.report.contents.opening import Frequencies, Ladder, OnAxis, Readings, Split, Square
from assay.report.page.render import page_html, told

DATA = Path(assay.__file__).parent / "data"
B = TypeVar("B", bound=Block)


def columns(name: str) -> dict[str, np.ndarray[Any, Any]]:
    with (DATA / name).open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {column: np.array([row[column] for row in rows]) for column in rows[0]}


@pytest.fixture(scope="module")
def two() -> Page:
    made: Page = assay.compare_systems(
        DATA / "breast_cancer.csv", gold="gold", pred=["logistic", "tree"], positive="malignant"
    ).page()
    return made


@pytest.fixture(scope="module")
def four() -> Report:
    systems = ["logistic", "tree", "forest", "bayes"]
    return assay.compare_systems(DATA / "digits.csv", gold="gold", pred=systems, measures=["mcc", "accuracy"])


def the(kind: type[B], blocks: Sequence[Block]) -> B:
    (found,) = (block for block in blocks if isinstance(block, kind))
    return found


# ---------------------------------------------------------------------- two systems
def test_one_test_is_told_next_to_its_p_and_its_power_in_plain_words(two: Page) -> None:
    assert the(OnAxis, two.opening).caption == "Difference in F1, logistic − tree · p = 0.00092, tested once"
    note = the(Split, two.opening).note
    assert note.endswith(
        "With this many rows and disagreements, a true difference of 0.041 in F1 would be found 4 times in 5."
    )


def test_the_finding_is_the_heading_and_who_was_judged_stands_in_a_line_above(two: Page) -> None:
    assert two.heading == "logistic outperforms tree; the gap is larger than chance would explain."
    assert two.title == "logistic vs. tree · breast_cancer.csv"
    assert two.rest == ()


def test_large_figures_are_the_values_of_scikit_learn(two: Page) -> None:
    data, readings = columns("breast_cancer.csv"), the(Readings, two.opening)
    assert readings.caption == "F1 for “malignant” · 95% interval"
    for i, (system, reading) in enumerate(zip(("logistic", "tree"), readings.readings, strict=True)):
        wanted = f1_score(data["gold"], data[system], pos_label="malignant")
        assert (reading.place, reading.name, reading.text) == (i, system, f"{wanted:.3f}")
    positives = (data["gold"] == "malignant").mean()
    assert f"No model: {2 * positives / (1 + positives):.3f} (always “malignant”)." == readings.note


def test_the_difference_lies_where_its_axis_says_with_the_better_side_to_the_right(two: Page) -> None:
    axis = the(OnAxis, two.opening)
    data = columns("breast_cancer.csv")
    a, b = (f1_score(data["gold"], data[name], pos_label="malignant") for name in ("logistic", "tree"))
    assert axis.text == f"+{a - b:.3f}"
    marks = [(place, float(text.replace("−", "-"))) for place, text in axis.ticks]
    (x0, v0), (x1, v1) = marks[0], marks[-1]
    assert axis.at == pytest.approx(x0 + (x1 - x0) * (a - b - v0) / (v1 - v0), abs=0.05)
    assert axis.line == pytest.approx(x0 + (x1 - x0) * (0 - v0) / (v1 - v0), abs=0.05)
    assert axis.low is not None
    assert axis.high is not None
    assert axis.line is not None
    assert axis.line < axis.low < axis.at < axis.high  # the interval excludes 0
    assert axis.sides == ("◂ tree better", "logistic better ▸")
    assert axis.place == 0


def test_a_difference_in_a_loss_has_its_better_side_to_the_left() -> None:
    scores = {"logistic": "logistic_score", "tree": "tree_score"}
    found = assay.compare_systems(
        DATA / "breast_cancer.csv",
        gold="gold",
        scores=scores,
        positive="malignant",
        primary="brier",
        measures=["brier"],
    )
    axis = the(OnAxis, found.page().opening)
    assert axis.sides == ("◂ logistic better", "tree better ▸")
    assert axis.at < (axis.line or 0)
    assert axis.place == 0


def test_the_gray_hump_has_its_highest_point_where_most_draws_are() -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 400)
    answers = {name: np.where(rng.random(400) < right, gold, 1 - gold) for name, right in (("a", 0.8), ("b", 0.8))}
    found = assay.compare_systems({"gold": gold, **answers}, gold="gold", pred=["a", "b"], positive=1, measures=["f1"])
    axis = the(OnAxis, found.page().opening)
    points = [tuple(map(float, point.split(","))) for point in re.findall(r"[\d.]+,[\d.]+", axis.hump)]
    inner = [point for point in points if point[1] < 100]
    top = min(inner, key=lambda point: point[1])
    assert top[0] == pytest.approx(axis.line, abs=4)  # differences between exchanged answers lie around 0
    assert top[1] == pytest.approx(6)
    assert axis.is_open
    assert axis.place is None


def test_frequencies_are_counts_of_the_rows_as_shares_of_a_thousand(two: Page) -> None:
    data, bars = columns("breast_cancer.csv"), the(Frequencies, two.opening)
    wanted, n = data["gold"] == "malignant", len(data["gold"])
    assert bars.caption == f"In 1,000 such rows, {1000 * wanted.sum() / n:.0f} of them “malignant”"
    for row in bars.rows:
        called = data[row.name] == "malignant"
        counts = [1000 * x.sum() / n for x in (wanted & called, wanted & ~called, ~wanted & called)]
        assert [row.found, row.missed, row.alarms] == pytest.approx(counts)
        assert row.text == "finds {:.0f}, misses {:.0f}, {:.0f} false alarms".format(*counts)
        assert bars.width(row.found + row.missed) + bars.width(row.alarms) <= 100


def test_the_bar_of_disagreement_counts_who_alone_was_right(two: Page) -> None:
    data, bar = columns("breast_cancer.csv"), the(Split, two.opening)
    right = {name: data[name] == data["gold"] for name in ("logistic", "tree")}
    only = [int((right[a] & ~right[b]).sum()) for a, b in (("logistic", "tree"), ("tree", "logistic"))]
    assert [piece.items for piece in bar.pieces] == only
    assert bar.caption == f"Where they disagree: {sum(only)} of {len(data['gold'])} rows"
    both, neither = (right["logistic"] & right["tree"]).sum(), (~right["logistic"] & ~right["tree"]).sum()
    assert bar.note.startswith(f"Both right {both}, neither {neither}.")


def test_under_recall_the_bar_counts_the_positives_and_calls_them_so() -> None:
    found = assay.compare_systems(
        DATA / "breast_cancer.csv", gold="gold", pred=["logistic", "tree"], positive="malignant", measures=["recall"]
    )
    data, bar = columns("breast_cancer.csv"), the(Split, found.page().opening)
    wanted = data["gold"] == "malignant"
    hit = {name: wanted & (data[name] == "malignant") for name in ("logistic", "tree")}
    apart = int((hit["logistic"] != hit["tree"]).sum())
    assert bar.caption == f"Where they disagree: {apart} of {wanted.sum()} positives"


def test_one_line_says_how_many_tests_were_made_and_of_what(two: Page) -> None:
    better = "all 12 values with a no-model baseline are clearly better than it"
    assert two.facts == f"7 other measures were not tested · {better} · seed 0"


def test_the_draws_are_folded_below_the_test() -> None:
    report = assay.compare_systems(
        DATA / "breast_cancer.csv", gold="gold", pred=["logistic", "tree"], positive="malignant", measures=["f1"]
    )
    part: Part = next(part for part in report.page().parts if part.id == "difference")
    assert part.title == "+0.048 in F1: p = 0.00092, and the interval excludes 0"
    folded = [block for block in part.blocks if isinstance(block, Folded)]
    assert [block.title for block in folded] == ["How p was found", "The hypotheses, and what p means"]
    assert [figure.name for figure in folded[0].figures] == ["difference"]


# ---------------------------------------------------------------------- one system
def test_one_system_is_shown_next_to_what_needs_no_model() -> None:
    page = assay.evaluate(DATA / "breast_cancer.csv", gold="gold", pred=["tree"], positive="malignant").page()
    assert page.heading == "tree finds 191 of the 212 “malignant” rows, with 12 false alarms."
    axis = the(OnAxis, page.opening)
    assert axis.line_name == "no model 0.543"
    assert axis.line is not None
    assert axis.line < (axis.low or 0)
    assert axis.hump == ""


def test_an_undefined_value_keeps_its_reason() -> None:
    page = assay.evaluate({"gold": ["a", "b"] * 30, "pred": ["a"] * 60}, positive="b", measures=["precision"]).page()
    (reading,) = the(Readings, page.opening).readings
    assert reading.text == "–"
    assert reading.limits == "undefined: no item was predicted as this class"
    assert not [block for block in page.opening if isinstance(block, OnAxis)]


# ---------------------------------------------------------------------- many systems
def test_systems_stand_in_the_order_of_their_values(four: Report) -> None:
    data, ladder = columns("digits.csv"), the(Ladder, four.page().opening)
    values = {name: matthews_corrcoef(data["gold"], data[name]) for name in ("logistic", "tree", "forest", "bayes")}
    order = sorted(values, key=lambda name: -values[name])
    assert [rung.name for rung in ladder.rungs] == order
    assert [rung.text for rung in ladder.rungs] == [f"{values[name]:.3f}" for name in order]
    places = [rung.at for rung in ladder.rungs if rung.at is not None]
    assert len(places) == 4
    assert places == sorted(places, reverse=True)
    assert [rung.place for rung in ladder.rungs] == [["logistic", "tree", "forest", "bayes"].index(n) for n in order]


def test_brackets_join_just_the_pairs_in_which_no_difference_was_found(four: Report) -> None:
    ladder = the(Ladder, four.page().opening)
    assert four.contest is not None
    alike = {frozenset(c.names) for c in four.contest.tested if c.outcome == "no difference shown"}
    for a, b in itertools.combinations(ladder.rungs, 2):
        together = any("member" in x and "member" in y for x, y in zip(a.brackets, b.brackets, strict=True))
        assert together == (frozenset((a.name, b.name)) in alike)


def test_the_triangle_has_every_difference_once_with_the_mark_of_the_better_one(four: Report) -> None:
    part = next(part for part in four.page().parts if part.id == "difference")
    square = the(Square, part.blocks)
    assert four.contest is not None
    names = [name for _, name in square.names]
    data = columns("digits.csv")
    values = {name: matthews_corrcoef(data["gold"], data[name]) for name in names}
    seen = 0
    for i, cells in enumerate(square.rows):
        for j, cell in enumerate(cells, 1):
            assert (cell is None) == (j <= i)
            if cell is None:
                continue
            seen += 1
            difference = values[names[i]] - values[names[j]]
            assert cell.text == f"{difference:+.3f}".replace("-", "−")
            c = next(c for c in four.contest.tested if set(c.names) == {names[i], names[j]})
            found = c.outcome in ("better", "worse")
            assert cell.ahead == (square.names[i][0] if found else None)  # rows stand above columns in value
            assert ("?" in cell.doubt) == (not found)
    assert seen == 6


def test_the_correction_stands_below_and_not_in_the_heading(four: Report) -> None:
    page = four.page()
    assert page.heading == "forest has the best MCC, but cannot be told apart from logistic."
    assert "Holm correction" in page.facts


# ---------------------------------------------------------------------- names within sentences
def test_names_within_sentences_are_isolated_and_stay_text() -> None:
    hostile = "<b>אבג</b>"
    assert told(f"{hostile} outperforms tree.", (hostile, "tree")) == (
        f"<bdi>{html.escape(hostile)}</bdi> outperforms <bdi>tree</bdi>."
    )
    assert told("“מבחן” rows; a tree is a street", ("tree",)) == "“<bdi>מבחן</bdi>” rows; a <bdi>tree</bdi> is a street"


def test_a_long_finding_is_divided_where_its_first_statement_ends_and_names_end_none() -> None:
    name = "model: large; distilled"
    first = f"{name} outperforms the other one; {'the rest says more ' * 6}and ends."
    page = Page("title", "", (first,), (), (), names=(name,))
    assert page.heading == f"{name} outperforms the other one."
    assert page.rest[0].startswith("The rest says more")


def test_what_holds_for_every_page_is_one_line_below_at_most_three_cautions() -> None:
    rng = np.random.default_rng(3)
    gold = rng.choice(list("abcdefgh"), 300)
    pred = np.where(rng.random(300) < 0.3, gold, rng.choice(list("abcdefgh"), 300))
    data = {"gold": gold, "pred": pred, "who": np.arange(300) // 5, "site": rng.choice(list("xyz"), 300)}
    page = assay.evaluate(data, gold="gold", pred="pred", slices="site", missing="skip").page()
    written = page_html(page)
    box = written.partition('<div class="cautions" id="cautions">')[2].partition("</section>")[0]
    before_folded = box.partition("<details>")[0]
    assert before_folded.count("<li>") == min(3, len(page.cautions))
    assert box.count("<li>") == len(page.cautions)
    assert box.count("This is offline evaluation") == 1
