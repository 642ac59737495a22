"""Pictures of curves: the same every time, whole by themselves, safe with any name, and true to the points."""

from __future__ import annotations

import json
import struct
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

from assay.jobs.curves import Curves, curves
from assay.report.charts.drawing import COLORS
from assay.report.charts.labels import beside, free_box
from assay.report.charts.lines import Line, Picture, thinned
from tests.snapshot import Snapshot

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</script><script>alert(1)</script>",
    "\"quoted\" & 'single' <b>",
    "a name that is much too long to stand beside any line of any chart whatsoever " * 3,
    "שלום עולם",
    "two\nlines\tand a \x07 bell",
    "datum.x + {{ 7 * 7 }}",
]


def data(n: int = 200, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    good, poor = (1 / (1 + np.exp(-rng.normal(apart * truth - 1, 1))) for apart in (2.0, 0.8))
    return {"gold": np.where(truth, "yes", "no"), "good": good, "poor": poor}


def drawn(kind: str = "roc", names: tuple[str, str] = ("good", "poor"), n: int = 200, **more: Any) -> Curves:
    scores = dict(zip(names, ("good", "poor"), strict=True))
    return curves(data(n), kind=kind, gold="gold", scores=scores, positive="yes", **more)


COSTS = {"cost_fp": 1.0, "cost_fn": 5.0}
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("roc", {}),
    ("pr", {}),
    ("calibration", {}),
    ("cost", COSTS),
    ("envelope", {}),
]


@pytest.mark.parametrize(("kind", "more"), KINDS[:3])
def test_a_picture_is_drawn_to_the_same_bytes_every_time(kind: str, more: dict[str, Any]) -> None:
    assert drawn(kind, **more).to_svg() == drawn(kind, **more).to_svg()


@pytest.mark.parametrize(("kind", "more"), KINDS)
def test_an_svg_is_whole_by_itself_and_tells_what_it_shows(kind: str, more: dict[str, Any]) -> None:
    found = drawn(kind, **more)
    text = found.to_svg()
    root = ET.fromstring(text)
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    assert root[1].text == " ".join(found.sentences)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    for forbidden in ("@import", "url(", "<script", "<image", "<foreignObject", "font-face"):
        assert forbidden not in text


def texts(svg: str) -> list[str]:
    """Every line of text that the picture shows."""
    return [text for each in ET.fromstring(svg).iter(f"{SVG}text") for text in each.itertext()]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_text_and_nothing_else(name: str) -> None:
    svg = drawn(names=(name, "other"), band=False).to_svg()
    root = ET.fromstring(svg)
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "path", "line", "rect", "text", "tspan"}
    assert "<script" not in svg
    begin = "".join(c if c.isprintable() else "�" for c in name)[:8]
    assert any(begin in text for text in texts(svg))
    assert all(len(text) < 120 for text in texts(svg))


def test_numbers_after_a_name_from_right_to_left_keep_their_order() -> None:
    summary = drawn(names=("שלום", "other"), band=False).picture.subtitle[0]
    assert "שלום\u200e 0." in summary


def test_a_hostile_positive_label_is_text_too() -> None:
    table = data()
    table["gold"] = np.where(table["gold"] == "yes", "</svg><script>", "no")
    found = curves(table, gold="gold", scores={"m": "good"}, positive="</svg><script>")
    assert any("</svg><script>" in text for text in texts(found.to_svg()))


def test_axes_name_the_quarters_to_the_digit() -> None:
    shown = texts(drawn().to_svg())
    for tick in ("0", "0.25", "0.5", "0.75", "1"):
        assert shown.count(tick) == 2
    assert {"False positive rate", "Recall (true positive rate)", "chance"} <= set(shown)


def test_the_chance_line_of_precision_is_at_the_share_of_positives() -> None:
    found = drawn("pr")
    share = float(np.mean(data()["gold"] == "yes"))
    assert found.picture.reference is not None
    assert found.picture.reference.points == ((0.0, share), (1.0, share))


def test_a_roc_picture_is_square_and_every_color_is_one_that_a_page_can_replace() -> None:
    picture = drawn().picture
    assert picture.size[0] == picture.size[1]
    used = {word for word in json.dumps(picture.spec()).replace('"', " ").split() if word.startswith("#")}
    assert used <= set(COLORS.values())


def test_lines_of_two_systems_differ_in_dashes_and_their_names_are_in_ink() -> None:
    named = [
        layer["mark"]["color"]
        for layer in drawn().picture.spec()["layer"]
        if layer["mark"]["type"] == "text" and layer["data"]["values"][0]["t"] in ("good", "poor")
    ]
    assert {*named} == {COLORS["paper"], COLORS["ink"]}  # the halo, and the name
    marks = [layer["mark"] for layer in drawn().picture.spec()["layer"] if layer["mark"]["type"] == "line"]
    assert len({tuple(mark["strokeDash"]) for mark in marks}) == len(marks)


def test_the_marked_point_is_the_one_of_the_threshold() -> None:
    found = drawn(threshold=0.3)
    table = data()
    truth = table["gold"] == "yes"
    for line, name in zip(found.picture.lines, ("good", "poor"), strict=True):
        called = table[name] >= 0.3
        assert line.mark == pytest.approx((called[~truth].mean(), called[truth].mean()))


def test_a_png_has_two_pixels_for_each_of_the_drawing() -> None:
    found = drawn()
    png = found.to_png()
    root = ET.fromstring(found.to_svg())
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert (width, height) == (2 * int(root.get("width", 0)), 2 * int(root.get("height", 0)))


def test_the_specification_is_one_that_was_read(snapshot: Snapshot) -> None:
    line = Line("m", np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.6, 1.0]), mark=(0.0, 0.6))
    snapshot("chart_spec", json.dumps(Picture("A", ("b",), "c", ("x", "y"), (line,)).spec(), indent=1))


# ---------------------------------------------------------------------- thinning
@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_thinning_keeps_ends_and_extremes_of_every_column_of_pixels(kind: str) -> None:
    curve = drawn(kind, n=20_000, band=False)["poor"].curve
    kept = thinned(curve.x, curve.y)
    assert len(kept) <= 1000 < len(curve)
    assert (np.diff(kept) > 0).all()
    column = np.minimum(((curve.x - curve.x[0]) / ((curve.x[-1] - curve.x[0]) / 250)).astype(int), 249)
    for i in np.unique(column):
        here, there = curve.y[column == i], curve.y[kept][column[kept] == i]
        assert (there.min(), there.max(), there[0], there[-1]) == (here.min(), here.max(), here[0], here[-1])


def test_a_thinned_picture_says_so_and_a_full_one_does_not() -> None:
    assert any("some of the points" in text for text in drawn(n=5000, band=False).picture.subtitle)
    assert not any("some of the points" in text for text in drawn(band=False).picture.subtitle)


def test_lines_of_precision_between_far_points_are_bent_as_they_should_be() -> None:
    """With three scores only, precision halfway between two points is not on the straight line between them."""
    table = {"gold": ["y"] * 10 + ["n"] * 90, "s": [0.9] * 4 + [0.5] * 6 + [0.5] * 30 + [0.1] * 60}
    line = curves(table, kind="pr", gold="gold", scores="s", positive="y").picture.lines[0]
    middle = float(np.interp(0.7, line.x, line.y))
    assert middle == pytest.approx(7 / (7 + 15), abs=0.01)


# ---------------------------------------------------------------------- names
def test_names_of_lines_that_run_apart_stand_beside_them_and_cover_none() -> None:
    x = np.linspace(0, 360, 200)
    lines = [(x, 60 + 0 * x), (x, 300 + 0 * x)]
    boxes = beside(["first", "second"], lines, [], (360, 360))
    assert boxes is not None
    assert all(box.holds(line) == 0 for box in boxes for line in lines)
    assert boxes[0].bottom < 180 < boxes[1].top
    assert not boxes[0].meets(boxes[1])


def test_names_of_lines_that_run_together_go_to_a_free_corner() -> None:
    x = np.linspace(0, 360, 200)
    lines = [(x, 100 + 0 * x), (x, 104 + 0 * x), (x, 108 + 0 * x)]
    assert beside(["one", "two", "three"], lines, [], (360, 360)) is None
    box = free_box(120, 60, lines, (360, 360))
    assert all(box.holds(line) == 0 for line in lines)
