"""What families bring to the page through the one hook, checked against other libraries and by hand."""

from __future__ import annotations

from collections.abc import Iterator

import krippendorff
import numpy as np
import pytest
from sklearn.metrics.cluster import contingency_matrix

import assay
from assay.jobs.answers.results import Report
from assay.report.contents.blocks import Page, Part, Prose
from assay.report.families import view as views
from assay.report.families.matrix import Matrix
from assay.report.families.ratings import coincidence_table
from assay.report.families.words import headline
from assay.report.page.render import page_html
from assay.tally.clusterings import Contingency
from assay.tally.contract.base import Tally
from assay.tally.rankings import Ranked
from assay.tally.ratings import Rated
from assay.tally.scores import Scored

CLASSES = ["cat"] * 5 + ["dog"] * 4 + ["fox"] * 2
GROUPS = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2]
RATINGS = [["a", "a", "b"], ["b", "b", None], ["a", "a", "a"], ["c", None, None], ["b", "c", "c"], ["a", "b", None]]


def part_of(report: Report, id: str) -> Part:
    page: Page = report.page()
    return next(part for part in page.parts if part.id == id)


def test_a_clustering_shows_its_classes_and_groups_as_scikit_learn_counts_them() -> None:
    report = assay.evaluate(Contingency.from_labels(CLASSES, GROUPS))
    (matrix,) = part_of(report, "contingency").blocks
    assert isinstance(matrix, Matrix)
    assert matrix.columns == ("1", "0", "2")  # 5, 3 and 3 items: the largest group first
    shown = [[int(cell.text) for cell in cells] for _, cells in matrix.rows]
    assert shown == contingency_matrix(CLASSES, GROUPS)[:, [1, 0, 2]].tolist()
    assert {cell.kind for _, cells in matrix.rows for cell in cells} == {"plain"}


def test_the_coincidences_give_the_alpha_that_krippendorff_gives() -> None:
    table = coincidence_table(Rated.from_ratings(RATINGS))
    n, chosen = table.sum(), table.sum(axis=0)
    observed, expected = n - np.trace(table), (n * n - (chosen**2).sum()) / (n - 1)
    coded = [["abc".index(x) if x else np.nan for x in row] for row in zip(*RATINGS, strict=True)]
    wanted = krippendorff.alpha(reliability_data=coded, level_of_measurement="nominal")
    assert 1 - observed / expected == pytest.approx(wanted, rel=1e-12)


def test_ratings_show_their_coincidences_counted_by_hand() -> None:
    (matrix,) = part_of(assay.evaluate(Rated.from_ratings(RATINGS)), "coincidences").blocks
    assert isinstance(matrix, Matrix)
    held = {name: [cell.text for cell in cells] for name, cells in matrix.rows}
    # a beside a: 2/2 from the first unit and 6/2 from the third; a beside b: 2/2 from the first, 1 from the last.
    assert held["a"] == ["4", "2", "0"]


def test_tables_too_large_to_read_are_said_to_be() -> None:
    many = [str(i) for i in range(31)]
    (told,) = part_of(assay.evaluate(Contingency.from_labels(many, many)), "contingency").blocks
    assert isinstance(told, Prose)
    assert "31 classes" in told.paragraphs[0]


def test_a_new_family_adds_a_part_by_declaring_a_view_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    assay.evaluate(Contingency.from_labels(CLASSES, GROUPS)).page()  # the families declare theirs once
    monkeypatch.setattr(views, "_VIEWS", [])

    @views.view(Ranked)
    def shown(material: views.Material) -> Iterator[Part]:
        yield Part("new", "A new view", "New", (Prose((f"{len(material.of(Ranked))} run <b>",)),))

    text = page_html(assay.evaluate(Ranked.from_rankings({"q": [1]})).page())
    assert '<section id="new"' in text
    assert "1 run &lt;b&gt;" in text
    assert '<section id="new"' not in page_html(assay.evaluate(Contingency.from_labels(CLASSES, GROUPS)).page())


def test_the_page_itself_names_no_family() -> None:
    from importlib.resources import files

    folder = files("assay.report")
    for name in ("page/build.py", "contents/blocks.py", "page/render.py", "page/parts/forest.py", "families/view.py"):
        text = (folder / name).read_text()
        assert "assay.tally" not in text.replace("from assay.tally.contract.base import Tally", "").replace(
            "from assay.tally.contract.sampling import Floats", ""
        ), name


def test_parts_stand_in_the_order_of_the_families_whichever_was_loaded_first(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"gold": [0, 1, 0, 1] * 10, "p": [0.1, 0.9, 0.4, 0.3] * 10}
    report = assay.evaluate(data, gold="gold", scores="p")
    usual = [part.id for part in views.parts_of(views.Material(report))]
    assert usual[0] == "errors"
    assert len(usual) > 1
    monkeypatch.setattr(views, "_VIEWS", views._VIEWS[::-1])
    modules = [view.make.__module__ for view in views._VIEWS]
    assert modules.index("assay.report.families.scores") < modules.index("assay.report.families.labels")
    again = [part.id for part in views.parts_of(views.Material(report))]
    assert again[0] == "errors"
    assert set(again) == set(usual)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (Contingency.from_labels(["x"], ["y"]), "A puts 1 item of 1 class into 1 group."),
        (Contingency.from_labels(CLASSES, GROUPS), "A puts 11 items of 3 classes into 3 groups."),
        (Rated.from_ratings([["a", "a"]]), "A: 1 unit rated in 1 category."),
        (Scored.from_scores([1], [0.5], pos_label=1), "A scores 1 row, 1 of them “1”."),
    ],
    ids=["one item", "several items", "one unit", "one row"],
)
def test_one_of_a_kind_is_said_in_the_singular(data: Tally, said: str) -> None:
    assert headline(data, "A") == said


def test_pages_of_an_estimate_and_a_comparison_name_what_their_values_belong_to() -> None:
    folds = assay.compare_values([0.8, 0.9, 0.7], [0.7, 0.85, 0.75], unit="fold", test_train=1 / 9)
    assert folds.page().subtitle.endswith(", 3 folds")
    assert assay.f1.estimate([1, 0, 1], [1, 1, 1]).page().subtitle == "n = 3"
