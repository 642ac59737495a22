"""`--charts DIR`: which files are written, what they are called, and what they show."""

from __future__ import annotations

import csv
import json
import re
import struct
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code
from assay.cli.show import Pages
from assay.jobs.evaluate import evaluate
from assay.report.charts.dots import measure_chart
from assay.report.charts.drawing import COLORS
from assay.report.charts.matrix import MatrixPicture, matrix_picture
from assay.report.contents.blocks import Figure, Page, Part
from assay.report.families.figures import file_figures
from assay.result import Readable

DATA = Path(assay.__file__).parent / "data" / "breast_cancer.csv"
HOSTILE = "../../etc/<script>alert(1)</script>"
ASKED = ["--gold", "gold", "--positive", "malignant", "--resamples", "199"]
BOTH = ["--pred", "logistic", "--pred", "tree"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> int:
    return exit_code([words[0], str(DATA), *words[1:]])


def test_every_chart_is_written_as_svg_and_png_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", *ASKED, *BOTH, "--charts", "out") == 0
    names = {"difference", "measures", "confusion-1", "confusion-2"}
    assert names <= {path.stem for path in (folder / "out").iterdir()}
    for path in (folder / "out").iterdir():
        head = path.read_bytes()[:24]
        if path.suffix == ".png":
            assert head.startswith(b"\x89PNG")
            assert min(struct.unpack(">II", head[16:24])) > 150
        else:
            assert head.startswith(b"<svg")
    said = capsys.readouterr().err
    many = len({path.stem for path in (folder / "out").iterdir()})
    assert f"wrote {many} charts to out, each as SVG and PNG: " in said
    assert not (folder / "out").joinpath("page.html").exists()


def test_files_are_never_named_by_what_is_in_the_data(folder: Path) -> None:
    with DATA.open() as file:
        rows = list(csv.DictReader(file))
    with (folder / "hostile.csv").open("w") as file:
        writer = csv.writer(file)
        writer.writerow(["gold", HOSTILE])
        writer.writerows([row["gold"], row["tree"]] for row in rows)
    words = ["evaluate", "hostile.csv", "--gold", "gold", "--pred", f"{HOSTILE}={HOSTILE}", "--positive", "malignant"]
    assert exit_code([*words, "--charts", "out"]) == 0
    assert {path.stem for path in (folder / "out").iterdir()} >= {"measures", "confusion-1"}
    assert {path.name for path in folder.iterdir()} == {"hostile.csv", "out"}
    for path in (folder / "out").glob("*.svg"):
        assert "<script" not in path.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_is_a_plain_message(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "taken").write_text("a file")
    assert run("evaluate", *ASKED, "--pred", "tree", "--charts", "taken") != 0
    said = capsys.readouterr().err
    assert "the folder 'taken' for --charts cannot be used" in said
    assert "Traceback" not in said
    assert (folder / "taken").read_text() == "a file"


def test_two_charts_of_one_name_are_both_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    charts = [matrix_picture(name, ("a", "b"), np.eye(2)) for name in ("one", "two", "three")]

    class Twice(Readable):
        def to_text(self, width: int = 100) -> str:
            return ""

        def page(self, command: str | None = None) -> Page:
            blocks = tuple(Figure("roc", chart) for chart in charts)
            return Page("", "", (), (), (Part("x", "x", "x", blocks),))

    Pages(charts="out").write(Twice())
    assert "roc, roc-2, roc-3" in capsys.readouterr().err
    for stem, name in (("roc", "one"), ("roc-2", "two"), ("roc-3", "three")):
        assert f"Confusion matrix of {name}" in (folder / "out" / f"{stem}.svg").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- what the files show
def test_a_matrix_has_the_counts_as_text_and_the_shares_as_shade() -> None:
    counts = np.array([[8.0, 2.0], [1.0, 9.0]])
    spec = matrix_picture("m", ("cat", "dog"), counts).spec()
    texts = [row for layer in spec["layer"] if layer["mark"]["type"] == "text" for row in layer["data"]["values"]]
    assert sorted(row["t"] for row in texts if row["t"].isdigit()) == ["1", "2", "8", "9"]
    cells = [row for layer in spec["layer"] if layer["mark"]["type"] == "rect" for row in layer["data"]["values"]]
    by_place = sorted(cells, key=lambda row: (row["y"], row["x"]))
    shades = [row["opacity"] for row in by_place]
    assert np.argsort(shades).tolist() == np.argsort([0.8, 0.2, 0.1, 0.9]).tolist()


def test_an_empty_cell_is_drawn_nearly_white_and_a_full_one_in_full_color() -> None:
    drawn = matrix_picture("m", ("cat", "dog"), np.array([[10.0, 0.0], [0.0, 10.0]])).svg()
    for color, opacity in ((COLORS["good"], "1"), (COLORS["bad"], "0.04")):
        assert (
            len(re.findall(f'fill="{color}"[^>]*opacity="{opacity}"|opacity="{opacity}"[^>]*fill="{color}"', drawn))
            == 2
        )


def test_a_matrix_is_told_in_words_with_its_most_frequent_errors() -> None:
    counts = np.array([[8.0, 2.0, 0.0], [1.0, 9.0, 0.0], [0.0, 5.0, 5.0]])
    told = matrix_picture("m", ("cat", "dog", "cow"), counts).description
    assert "22 of 30 are right" in told
    assert "“cow” called “dog” 5 times; “cat” called “dog” 2 times; “dog” called “cat” 1 time" in told


def test_predictions_outside_the_classes_have_a_column() -> None:
    counts = np.array([[8.0, 2.0, 3.0], [1.0, 9.0, 0.0]])
    texts = json.dumps(matrix_picture("m", ("cat", "dog"), counts).spec())
    assert "none of these" in texts


def test_many_classes_are_drawn_without_counts_and_of_very_many_the_most_confused() -> None:
    rng = np.random.default_rng(2)
    for k, down, across in ((30, 30, 30), (60, 60, 60), (61, 20, 21)):
        gold = np.repeat(np.arange(k), 3).astype(str)
        table = {"gold": gold, "m": rng.permutation(gold)}
        report = evaluate(table, gold="gold", pred="m", measures=["accuracy"], n_resamples=99)
        (figure,) = (figure for figure in file_figures(report) if figure.name == "confusion-1")
        assert isinstance(figure.drawing, MatrixPicture)
        assert figure.drawing.counts.shape == (down, across)
        assert figure.drawing.counts.sum(axis=1).tolist() == [3] * down
    spec = matrix_picture("m", [str(i) for i in range(30)], np.eye(30)).spec()
    texts = [row["t"] for layer in spec["layer"] if layer["mark"]["type"] == "text" for row in layer["data"]["values"]]
    assert len(texts) == 2 * 30 + 2


def test_measures_have_the_values_of_the_rows_and_the_tick_that_needs_no_model() -> None:
    report = evaluate(DATA, gold="gold", pred=["logistic", "tree"], positive="malignant", n_resamples=199)
    chart = measure_chart(report)
    assert chart is not None
    wanted = [row for row in report.rows if row.slice is None and row.value is not None]
    dots = [dot for line in chart.lines for dot in line.dots]
    assert {(d.value, d.low, d.high) for d in dots} == {(r.value, r.low, r.high) for r in wanted}
    assert {line.tick for line in chart.lines} == {row.no_skill for row in wanted}
    used = {word for word in json.dumps(chart.spec()).replace('"', " ").split() if word.startswith("#")}
    assert used <= set(COLORS.values())
