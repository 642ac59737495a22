"""The page: what stands in it, that it equals the rows, and that nothing from the data becomes markup."""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import confusion_matrix, f1_score

import assay
from assay.jobs.answers.results import Report
from assay.report.charts.drawing import COLORS
from assay.report.contents.blocks import Figure, Page
from assay.report.families.matrix import Matrix
from assay.report.page.parts.forest import Forest, measures_part
from assay.report.page.render import as_json
from tests.oracles.test_per_class import zipf
from tests.pages import Tags, blocks

DATA = Path(assay.__file__).parent / "data"
HOSTILE = "</script><script>document.title=1337</script><img src=x onerror=document.title=4242>"


@pytest.fixture(scope="module")
def compared() -> Report:
    scores = {"logistic": "logistic_score", "tree": "tree_score"}
    return assay.compare_systems(
        DATA / "breast_cancer.csv", gold="gold", pred=["logistic", "tree"], scores=scores, positive="malignant"
    )


@pytest.fixture(scope="module")
def page(compared: Report) -> Page:
    made: Page = compared.page("assay compare breast_cancer.csv")
    return made


@pytest.fixture(scope="module")
def text(compared: Report) -> str:
    return compared.to_html()


def columns(name: str) -> dict[str, list[str]]:
    """The columns of a file that comes along, read by Python's own reader."""
    with (DATA / name).open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {column: [row[column] for row in rows] for column in rows[0]}


# ---------------------------------------------------------------------- the numbers
def test_the_forest_has_a_line_for_every_measure_with_the_values_of_the_rows(compared: Report) -> None:
    (forest,) = (block for block in measures_part(compared).blocks if isinstance(block, Forest))
    rows = {(r.system, r.measure): r for r in compared.rows if r.quantity == "value"}
    f1 = next(line for line in forest.lines if line.name == "F1")
    for system, value in zip(forest.systems, f1.values, strict=True):
        row = rows[system, "f1"]
        assert row.value is not None
        assert row.low is not None
        assert value is not None
        assert value.mark is not None
        assert value.text == f"{row.value:.3f}"
        drawn = forest.scale.high - forest.scale.low
        assert value.mark.at == pytest.approx(100 * (row.value - forest.scale.low) / drawn, abs=0.01)
        assert value.mark.low == pytest.approx(100 * (row.low - forest.scale.low) / drawn, abs=0.01)
    assert len(forest.lines) == len({r.measure for r in compared.rows if r.quantity == "value"})


def test_only_the_primary_measure_is_said_to_be_tested(compared: Report) -> None:
    (forest,) = (block for block in measures_part(compared).blocks if isinstance(block, Forest))
    tested = [line.name for line in forest.lines if line.difference is not None and line.difference.tested]
    assert tested == ["F1"]


def test_the_scale_holds_every_interval_and_ends_at_round_numbers(compared: Report) -> None:
    (forest,) = (block for block in measures_part(compared).blocks if isinstance(block, Forest))
    rows = [r for r in compared.rows if r.quantity == "value" and r.measure not in ("brier", "log_loss")]
    scale = forest.scale
    assert 0 < scale.low <= min(r.low for r in rows if r.low is not None)
    assert max(r.high for r in rows if r.high is not None) <= scale.high <= 1
    assert (scale.low / 0.05) == pytest.approx(round(scale.low / 0.05))
    assert scale.window == pytest.approx((100 * scale.low, 100 * scale.high))  # of the strip from 0 to 1


def test_a_scale_with_negative_values_is_part_of_one_that_begins_at_minus_one() -> None:
    report = assay.evaluate({"gold": [0, 1, 0, 1, 0, 1] * 9, "pred": [1, 0, 1, 0, 1, 1] * 9}, positive=1)
    (forest,) = (block for block in measures_part(report).blocks if isinstance(block, Forest))
    assert forest.scale.whole == (-1.0, 1.0)
    low, high = forest.scale.low, forest.scale.high
    assert low < 0 < high
    mcc = next(line for line in forest.lines if line.name == "MCC")
    assert mcc.ticks == pytest.approx((100 * -low / (high - low),), abs=0.01)


def test_systems_with_rows_of_their_own_have_ticks_of_their_own(tmp_path: Path) -> None:
    for name, positives in (("a", 50), ("b", 10)):
        rows = [f"{int(i < positives)},{int(i < positives - 2)}" for i in range(100)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["gold,pred", *rows]))
    files = {name: str(tmp_path / f"{name}.csv") for name in ("a", "b")}
    report = assay.compare_systems(systems=files, unpaired=True, positive=1, measures="accuracy")
    (forest,) = (block for block in measures_part(report).blocks if isinstance(block, Forest))
    low, high = forest.scale.low, forest.scale.high
    wanted = (0.5, 0.9)  # always naming the more frequent class
    assert forest.lines[0].ticks == tuple(round(100 * (x - low) / (high - low), 2) for x in wanted if low <= x <= high)
    assert forest.lines[0].beyond == ("" if low <= 0.5 else "◂ 0.500")


def test_an_undefined_value_is_shown_with_its_reason_and_no_mark() -> None:
    report = assay.evaluate({"gold": ["a", "b", "a", "b"], "pred": ["a"] * 4}, positive="b")
    told = " ".join(Tags(report.to_html()).words)
    assert "undefined" in told
    assert "no item was predicted as this class" in told


def test_the_matrix_counts_what_scikit_learn_counts_with_the_positive_class_first(page: Page) -> None:
    data = columns("breast_cancer.csv")
    for matrix in (block for block in blocks(page) if isinstance(block, Matrix)):
        wanted = confusion_matrix(data["gold"], data[matrix.system], labels=["malignant", "benign"])
        shown = [[int(cell.text.replace(",", "")) for cell in cells] for _, cells in matrix.rows]
        assert shown == wanted.tolist()
        shares = [[cell.share for cell in cells] for _, cells in matrix.rows]
        assert shares == [[f"{x / row.sum():.0%}" for x in row] for row in wanted]


def test_the_words_of_the_matrix_stand_where_they_belong() -> None:
    tally = assay.Confusion.from_counts(tp=11, fp=22, fn=33, tn=44)
    turned = {rows: assay.evaluate(tally, rows=rows).page() for rows in ("gold", "pred")}
    for made in turned.values():
        (matrix,) = (block for block in blocks(made) if isinstance(block, Matrix))
        held = {cell.text: cell.word for _, cells in matrix.rows for cell in cells}
        assert held == {"11": "found", "22": "false alarm", "33": "missed", "44": "correctly rejected"}


def zipf_page(k: int, **options: Any) -> tuple[list[str], list[str], Matrix]:
    gold, pred = zipf(k, 12 * k)
    made = assay.evaluate({"gold": gold, "m": pred}, gold="gold", pred="m", measures=["accuracy"], **options).page()
    (matrix,) = (block for block in blocks(made) if isinstance(block, Matrix))
    return gold, pred, matrix


def counted(matrix: Matrix) -> list[list[int]]:
    return [[int(cell.text.replace(",", "")) for cell in cells] for _, cells in matrix.rows]


@pytest.mark.parametrize("k", [30, 31, 52, 60])
def test_a_matrix_is_drawn_up_to_sixty_classes_with_the_counts_of_scikit_learn(k: int) -> None:
    gold, pred, matrix = zipf_page(k)
    assert counted(matrix) == confusion_matrix(gold, pred).tolist()
    assert matrix.size == ("tight" if k <= 31 else "dense")


@pytest.mark.parametrize("rows", ["gold", "pred"])
@pytest.mark.parametrize("k", [61, 80])
def test_beyond_that_the_classes_with_the_most_errors_are_drawn_and_every_row_adds_up(k: int, rows: str) -> None:
    gold, pred, matrix = zipf_page(k, rows=rows)
    labels = sorted({*gold, *pred})
    table = confusion_matrix(gold, pred, labels=labels)
    errors = {}
    for i, label in enumerate(labels):
        errors[label] = sum(table[i, j] + table[j, i] for j in range(k) if j != i)
    shown = [label for label, _ in matrix.rows]
    assert len(shown) == 20
    assert [errors[label] for label in shown] == sorted(errors.values(), reverse=True)[:20]
    assert matrix.columns == (*shown, "any other")
    whole = table if rows == "gold" else table.T
    at = [labels.index(label) for label in shown]
    held = counted(matrix)
    assert [row[:-1] for row in held] == whole[at][:, at].tolist()
    assert [sum(row) for row in held] == whole[at].sum(axis=1).tolist()


def test_a_block_of_classes_leaves_what_is_none_of_them_in_its_last_column() -> None:
    gold, pred = zipf(70, 900)
    pred = ["stranger" if i % 9 == 0 else label for i, label in enumerate(pred)]
    made = assay.evaluate({"gold": gold, "m": pred}, labels="gold", gold="gold", pred="m", measures=["accuracy"]).page()
    (matrix,) = (block for block in blocks(made) if isinstance(block, Matrix))
    for (label, _), row in zip(matrix.rows, counted(matrix), strict=True):
        assert sum(row) == gold.count(label)


def test_the_numbers_of_the_page_are_those_of_another_library(text: str) -> None:
    data = columns("breast_cancer.csv")
    told = " ".join(Tags(text).words)
    for system in ("logistic", "tree"):
        assert f"{f1_score(data['gold'], data[system], pos_label='malignant'):.3f}" in told


# ---------------------------------------------------------------------- the file
def test_every_tag_that_opens_closes(text: str) -> None:
    tags = Tags(text)
    assert tags.wrong == []
    assert tags.opened == []


def test_the_policy_allows_the_style_and_the_script_of_the_page_and_nothing_else(text: str) -> None:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = html.unescape(found[1])
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        inner = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert inner is not None
        digest = base64.b64encode(hashlib.sha256(inner[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_nothing_in_the_page_asks_for_anything_from_outside(text: str) -> None:
    asked = [(n, v) for n, v in Tags(text).attributes if n in ("src", "href", "xlink:href", "action", "srcset")]
    assert {v for n, v in asked if not v.startswith("#")} == {"data:,"}
    assert "@import" not in text
    assert "url(" not in text


def test_no_element_carries_a_style_or_a_handler(text: str) -> None:
    names = {name for name, _ in Tags(text).attributes}
    assert "style" not in names
    assert not {name for name in names if name.startswith("on")}


def test_charts_in_the_page_take_their_colors_from_its_variables(page: Page, text: str) -> None:
    body = text.partition("<body")[2]
    assert [color for color in COLORS.values() if f'"{color}"' in body] == []
    drawn = next(block for block in blocks(page) if isinstance(block, Figure)).drawing.inline()
    assert 'stroke="var(--system-1)"' in drawn
    assert not re.findall(r'(?:fill|stroke)="#', drawn)


def test_every_chart_has_a_title_and_words_for_those_who_cannot_see_it(page: Page) -> None:
    figures = list(page.figures)
    assert {"roc", "pr", "calibration"} <= {figure.name for figure in figures}
    for figure in figures:
        drawn = figure.drawing.inline()
        assert 'role="img"' in drawn.partition(">")[0]
        assert re.search(r"<title>[^<]+</title><desc>[^<]+</desc>", drawn)


def test_a_page_of_two_systems_stays_below_three_hundred_kilobytes(text: str) -> None:
    assert len(text.encode()) < 300_000


def test_not_a_number_is_never_shown(text: str) -> None:
    assert not re.search(r"\bnan\b", " ".join(Tags(text).words), re.IGNORECASE)


# ---------------------------------------------------------------------- hostile names
def test_names_from_the_data_are_text_wherever_they_stand() -> None:
    data = {
        f"gold{HOSTILE}": ["a" + HOSTILE, "b" + HOSTILE] * 40,
        f"pred{HOSTILE}": ["a" + HOSTILE, "b" + HOSTILE, "b" + HOSTILE, "b" + HOSTILE] * 20,
        f"group{HOSTILE}": [f"g{HOSTILE}", f"h{HOSTILE}"] * 40,
    }
    gold, pred, group = data
    report = assay.evaluate(data, gold=gold, pred={HOSTILE: pred}, positive="b" + HOSTILE, slices=group)
    plain = assay.evaluate({"gold": ["a", "b"] * 40, "p": ["a", "b", "b", "b"] * 20}, pred="p", positive="b")
    for made, usual in ((report.to_html(), plain.to_html()), (report._repr_html_(), plain._repr_html_())):
        tags = Tags(made)
        assert tags.scripts == Tags(usual).scripts
        assert tags.wrong == []
        assert "<img" not in made
        assert "document.title=1337" in html.unescape(made)


def test_json_within_a_page_cannot_end_its_element() -> None:
    value = {"a": HOSTILE, "b": "&amp;\u2028"}
    written = as_json(value)
    assert not set("<>&\u2028") & set(written)
    assert json.loads(written) == value


# ---------------------------------------------------------------------- notebooks
def test_a_notebook_gets_a_fragment_of_the_same_without_script_or_frame(compared: Report) -> None:
    fragment = compared._repr_html_()
    assert "<script" not in fragment
    assert "<html" not in fragment
    assert fragment.lstrip().startswith("<style>")
    tags = Tags(fragment)
    assert (tags.wrong, tags.opened) == ([], [])
    assert "logistic outperforms tree" in " ".join(tags.words)


def test_the_style_of_a_fragment_touches_nothing_but_the_fragment(compared: Report) -> None:
    style = re.sub(
        r"/\*.*?\*/", "", compared._repr_html_().partition("</style>")[0].removeprefix("<style>"), flags=re.S
    )
    selectors = re.findall(r"([^{}]+)\{", re.sub(r"@media[^{]*\{", "", style))
    # The margins of sheets are those of pages of this name, which only a whole page of assay is.
    selectors.remove(next(each for each in selectors if each.strip() == "@page assay"))
    assert "page: assay" not in re.sub(r"\.assay-page ?\{[^}]*\}", "", style)
    loose = [s.strip() for group in selectors for s in group.split(",") if ".assay" not in s]
    assert loose == []


def test_a_narrow_layout_is_for_screens_since_paper_is_as_narrow_as_a_phone() -> None:
    style = re.sub(r"\s+", " ", made_style())
    assert "@media screen and (max-width: 45rem)" in style
    assert not re.search(r"@media \((min|max)-width", style)


def made_style() -> str:
    folder = Path("src/assay/report/page/template")
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.css")))


def test_only_a_measure_of_one_class_is_said_to_have_no_baseline() -> None:
    report = assay.evaluate("src/assay/data/digits.csv", gold="gold", pred="forest")
    lead = next(part for part in report.page().parts if part.id == "measures").lead
    assert not any("Recall" in text for text in lead)
    two = assay.evaluate("src/assay/data/breast_cancer.csv", gold="gold", pred="tree", positive="malignant")
    assert any("Recall and Specificity have none" in text for text in two.page().parts[0].lead)
