"""The table of measures: every line of a grid has its number, and numbers are the same wherever they stand."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import interval, of_difference
from assay.report.contents.blocks import Page
from assay.report.findings.cautions import cautions
from assay.report.page.parts.forest import Forest
from assay.report.page.parts.scales import Scale
from assay.report.page.render import page_html

CANCER = Path(assay.__file__).parent / "data" / "breast_cancer.csv"


@pytest.fixture(scope="module")
def report() -> Report:
    scores = {"logistic": "logistic_score", "tree": "tree_score"}
    how: dict[str, Any] = {"gold": "gold", "pred": list(scores), "positive": "malignant", "n_resamples": 99}
    return assay.compare_systems(CANCER, scores=scores, **how)


@pytest.fixture(scope="module")
def forest(report: Report) -> Forest:
    page: Page = report.page()
    (found,) = (block for part in page.parts for block in part.blocks if isinstance(block, Forest))
    return found


@pytest.mark.parametrize(
    ("low", "high"), [(0.8, 1.0), (0.85, 1.0), (0.0, 1.0), (-0.05, 0.15), (-1.0, 1.0), (-0.3, 0.02)]
)
def test_every_line_of_a_grid_has_a_label_and_every_second_label_gives_way(low: float, high: float) -> None:
    scale = Scale(low, high)
    assert [(at, text) for at, text, _ in scale.ruler] == list(scale.grid)
    minor = [is_minor for *_, is_minor in scale.ruler]
    assert not minor[-1]
    assert all(a != b for a, b in itertools.pairwise(minor))
    kept = [text for _, text, is_minor in scale.signed_ruler if not is_minor]
    assert low > 0 or "0" in kept
    assert len(kept) >= 2


def test_a_measure_with_a_scale_of_its_own_names_its_ends_and_what_needs_no_model(forest: Forest) -> None:
    lines = {line.name: line for line in forest.lines}
    loss, brier = lines["Log loss"], lines["Brier score"]
    assert (loss.own, loss.at_tick, len(loss.ticks)) == (("0", "2"), "0.66", 1)
    assert (brier.own, brier.beyond, brier.ticks) == (("0", "0.08"), "0.234 ▸", ())
    assert all(line.own is None for line in forest.lines if line not in (loss, brier))
    assert forest.height(loss) > forest.height(lines["F1"]) == forest.tall(loss)


def test_a_value_has_as_many_digits_in_the_table_in_a_caution_and_in_a_terminal(report: Report) -> None:
    page = page_html(report.page())
    assert "<b>1.1</b><small>0.7–1.8</small>" in page
    (caution,) = (each for each in cautions(report) if "Log loss" in each.text)
    assert caution.title == "The scores of tree are not calibrated."
    assert caution.text == "Log loss is 1.1; the base rate for every row gives 0.66 (lower is better)."
    assert "no model 0.66<" in page
    assert re.search(r"Log loss ↓ +0\.074 +1\.1 +−1\.1 +−1\.\d to −\.\d ", report.to_text(80))
    words = re.sub(r"<[^>]+>", " ", page)
    assert not re.search(r"\b1\.1[23]\b", f"{words}{report.to_text(80)}")


@pytest.mark.parametrize(("low", "high", "shown"), [(-0.14, 0.45, "−0.14 to 0.45"), (0.14, 0.45, "0.14 – 0.45")])
def test_a_negative_limit_is_never_after_or_before_a_dash(low: float, high: float, shown: str) -> None:
    row = Row("a", "mcc", value=0.3, low=low, high=high)
    assert interval(row) == shown
    assert " to " in of_difference(row)
