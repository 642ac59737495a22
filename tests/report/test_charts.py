"""Pictures of curves: the same every time, whole by themselves, safe with any name, and true to the points."""

from __future__ import annotations

import json
import re
import struct
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special
from sklearn.metrics import roc_curve

import assay
from assay.jobs.curves import Curves, curves
from assay.measures.scores.recalibration import log_odds
from assay.report.charts.curves import described
from assay.report.charts.drawing import COLORS, MEASURED
from assay.report.charts.inset import GAP, Frame, Zoom
from assay.report.charts.labels import beside
from assay.report.charts.lines import Line, Picture, corners, thinned
from assay.report.charts.logit import logit_ticks
from assay.report.tokens import CHART_WIDTH, DASHES, FONT
from tests.snapshot import Snapshot

DATA = Path(assay.__file__).parent / "data" / "breast_cancer.csv"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</script><script>alert(1)</script>",
    "\"quoted\" & 'single' <b>",
    "a name that is much too long to stand beside any line of any chart whatsoever " * 3,
    "שלום עולם",
    "two\nlines\tand a \x07 bell",
    "datum.x + {{ 7 * 7 }}",
]


def data(n: int = 200, seed: int = 0, good: float = 2.0, poor: float = 0.8) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    each = (1 / (1 + np.exp(-rng.normal(apart * truth - apart / 2, 1))) for apart in (good, poor))
    return {"gold": np.where(truth, "yes", "no"), **dict(zip(("good", "poor"), each, strict=True))}


def drawn(
    kind: str = "roc",
    names: tuple[str, str] = ("good", "poor"),
    n: int = 200,
    good: float = 2.0,
    poor: float = 0.8,
    **more: Any,
) -> Curves:
    scores = dict(zip(names, ("good", "poor"), strict=True))
    return curves(data(n, good=good, poor=poor), kind=kind, gold="gold", scores=scores, positive="yes", **more)


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
    assert root[1].text == " ".join(described(found))
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
    shown = texts(replace(drawn().picture, zoom=None).svg())
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
    picture = replace(drawn().picture, zoom=None)
    named = [
        layer["mark"]["color"]
        for layer in picture.spec()["layer"]
        if layer["mark"]["type"] == "text" and layer["data"]["values"][0]["t"] in ("good", "poor")
    ]
    assert {*named} == {COLORS["paper"], COLORS["ink"]}  # the halo, and the name
    marks = [layer["mark"] for layer in picture.spec()["layer"] if layer["mark"]["type"] == "line"]
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


def test_a_chart_names_the_fonts_of_a_page_though_it_is_laid_out_with_one_that_every_machine_has() -> None:
    line = Line("m", np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    root = ET.fromstring(Picture("A", ("b",), "c", ("x", "y"), (line,)).svg())
    families = {text.get("font-family") for text in root.iter(f"{SVG}text")}
    assert families == {FONT}
    assert MEASURED not in FONT


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


def test_names_of_lines_that_run_together_have_no_place_beside_them() -> None:
    x = np.linspace(0, 360, 200)
    lines = [(x, 100 + 0 * x), (x, 104 + 0 * x), (x, 108 + 0 * x)]
    assert beside(["one", "two", "three"], lines, [], (360, 360)) is None


def words_of(picture: Picture) -> list[str]:
    """Every text of a picture, once for its halo and once in ink."""
    layers = picture.spec()["layer"]
    return [row["t"] for layer in layers if layer["mark"]["type"] == "text" for row in layer["data"]["values"]]


def has_key(picture: Picture) -> bool:
    """Whether short pieces of the lines stand beside the names."""
    swatches = [layer for layer in picture.spec()["layer"] if layer["mark"].get("strokeDash") in DASHES]
    return any(layer["mark"]["type"] == "rule" for layer in swatches)


def apart(n: int) -> Picture:
    """Lines at even distances."""
    x = np.linspace(0, 1, 50)
    lines = tuple(Line(f"system {i}", x, 0.05 + 0.9 * (i + 0.2 * x) / n) for i in range(n))
    return Picture("A", (), "b", ("x", "y"), lines)


@pytest.mark.parametrize("n", range(2, 7))
def test_lines_that_run_apart_are_named_directly_and_have_no_key(n: int) -> None:
    picture = apart(n)
    assert picture.placed is not None
    boxes = [label.box for label in picture.placed]
    for line in picture.lines:
        assert not any(box.holds(picture.pixels(line.x, line.y)) for box in boxes)
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))
    assert not has_key(picture)
    assert all(words_of(picture).count(line.name) == 2 for line in picture.lines)


def test_a_name_that_has_no_room_beside_its_line_has_a_leader_that_ends_on_it() -> None:
    scores = {"logistic": "logistic_score", "tree": "tree_score"}
    picture = curves(DATA, gold="gold", scores=scores, positive="malignant").picture
    assert picture.placed is not None
    moved = [(line, label.leader) for line, label in zip(picture.lines, picture.placed, strict=True) if label.leader]
    assert moved
    for line, leader in moved:
        x, y = picture.pixels(line.x, line.y)
        at = np.linspace(0, len(x) - 1, 20_000)
        every = np.interp(at, np.arange(len(x)), x), np.interp(at, np.arange(len(x)), y)
        assert np.hypot(every[0] - leader[1][0], every[1] - leader[1][1]).min() < 0.5


def test_lines_that_run_together_have_one_key_above_the_frame() -> None:
    x = np.linspace(0, 1, 50)
    lines = tuple(Line(f"system {i}", x, 0.5 + 0.003 * i + 0 * x) for i in range(6))
    picture = Picture("A", (), "b", ("x", "y"), lines)
    assert picture.placed is None
    assert has_key(picture)
    assert all(words_of(picture).count(line.name) == 2 for line in lines)
    heights = [layer["mark"]["y"] for layer in picture.spec()["layer"] if layer["mark"]["type"] == "text"]
    assert max(heights) < 0


def test_names_that_differ_at_their_ends_differ_in_a_chart() -> None:
    names = ("a rather long name of the system called one", "a rather long name of the system called two")
    shown = {text for text in words_of(drawn(names=names).picture) if "…" in text}
    assert len(shown) == 2


# ---------------------------------------------------------------------- the left of a ROC curve
@pytest.mark.parametrize(("good", "poor"), [(4.5, 1.5), (2.6, 0.5), (2.0, 0.8), (1.5, 0.2), (1.0, 0.8)])
def test_the_left_of_a_roc_curve_is_enlarged_only_if_an_area_is_above_nine_tenths(good: float, poor: float) -> None:
    found = drawn(good=good, poor=poor, n=400)
    areas = [each.summaries[0].value or 0.0 for each in found]
    shown = "FPR 0 to 0.1" in texts(found.to_svg())
    assert shown == (found.picture.zoom is not None) == (max(areas) > 0.9)


def test_what_is_enlarged_covers_no_line_and_no_band() -> None:
    for good, poor in ((4.5, 1.5), (2.6, 0.5), (6.0, 2.5)):
        picture = drawn(good=good, poor=poor, n=400).picture
        assert picture.zoom is not None
        place = picture.zoom.whole(picture.size)
        across = np.linspace(0, 1, 2000)
        for line in picture.lines:
            assert line.limits is not None
            for x, y in ((line.x, line.y), line.limits[:2]):
                assert not place.holds(picture.pixels(across, np.interp(across, x, y)))


def test_a_curve_that_would_be_covered_is_left_as_it_is() -> None:
    x = np.linspace(0, 360, 100)
    assert not Zoom(0.1, "").fits([(x, 300 + 0 * x)], (350, 350))
    assert Zoom(0.1, "").fits([(x, 20 + 0 * x)], (350, 350))


def test_the_enlarged_line_has_the_heights_of_the_curve() -> None:
    found = drawn(good=4.5, poor=1.5, n=400)
    picture, table = found.picture, data(400, good=4.5, poor=1.5)
    fpr, tpr, _ = roc_curve(table["gold"] == "yes", table["good"], drop_intermediate=False)
    box = picture.zoom.inner(picture.size)
    frame = Frame(picture.zoom, picture.size, picture.x, picture.y)
    for at in (0.02, 0.05, 0.1):
        x, y = picture.pixels(frame.right(at), frame.up(np.interp(at, fpr, tpr)))
        assert (x - box.left) / (box.right - box.left) == pytest.approx(at / 0.1)
        assert (box.bottom - y) / (box.bottom - box.top) == pytest.approx(np.interp(at, fpr, tpr))
    drawn_lines = [layer for layer in picture.spec()["layer"] if layer["mark"]["type"] == "line"]
    last = drawn_lines[-2]["data"]["values"][-1]  # where the first system's enlarged line ends
    assert last["x"] == pytest.approx(float(frame.right(0.1)), rel=1e-4)
    assert last["y"] == pytest.approx(float(frame.up(np.interp(0.1, fpr, tpr))), rel=1e-4)


# ---------------------------------------------------------------------- calibration
@pytest.mark.parametrize("share", [0.3, 0.49, 0.5, 0.8])
def test_calibration_is_on_log_odds_only_if_half_the_scores_are_extreme(share: float) -> None:
    rng = np.random.default_rng(5)
    extreme = int(share * 1000)
    score = np.concatenate([rng.uniform(0.96, 1, extreme), rng.uniform(0.2, 0.8, 1000 - extreme)])
    table = {"gold": np.where(rng.random(1000) < score, "yes", "no"), "s": score}
    picture = curves(table, kind="calibration", gold="gold", scores="s", positive="yes").picture
    assert ("log-odds axis" in picture.axes[0]) == ("log-odds axis" in picture.axes[1]) == (share >= 0.5)
    assert (picture.ticks is not None) == (share >= 0.5)


def test_log_odds_and_their_ticks_are_those_of_another_library() -> None:
    shares = np.array([0.002, 0.1, 0.5, 0.93, 0.998])
    assert log_odds(shares, 0.001) == pytest.approx(special.logit(shares))
    ends = log_odds(np.array([0.0, 1.0]), 0.001)
    assert ends == pytest.approx(special.logit([0.001, 0.999]))
    for place, text in logit_ticks(0.001):
        assert place == pytest.approx(float(special.logit(float(text.strip("≤≥")))))


def test_every_tick_of_log_odds_stands_on_both_axes() -> None:
    found = drawn("calibration", good=8.0, poor=8.0)
    shown = texts(found.to_svg())
    assert found.picture.ticks is not None
    assert [shown.count(text) for _, text in found.picture.ticks] == [2] * len(found.picture.ticks)


@pytest.mark.parametrize("apart", [1.0, 8.0])
def test_the_histogram_below_a_calibration_curve_is_numpys(apart: float) -> None:
    table = data(700, good=apart, poor=apart)
    picture = drawn("calibration", good=apart, poor=apart, n=700).picture
    assert (picture.ticks is not None) == (apart > 5)
    assert [strip.system for strip in picture.strips] == [0, 1]
    for strip, name in zip(picture.strips, ("good", "poor"), strict=True):
        low, high = picture.x
        values = np.clip(special.logit(table[name]), low, high) if apart > 5 else table[name]
        counts, edges = np.histogram(values, len(strip.counts), (low, high))
        assert strip.counts.tolist() == counts.tolist()
        assert strip.edges == pytest.approx(edges)
        assert strip.counts.sum() == 700


def test_a_histogram_is_as_tall_as_it_should_be() -> None:
    picture = drawn("calibration").picture
    spec = picture.spec()
    assert spec["height"] == picture.size[1] + 2 * (16 + GAP)
    pixel = (picture.y[1] - picture.y[0]) / picture.size[1]
    steps = [layer for layer in spec["layer"] if layer["mark"].get("interpolate") == "step-after"]
    assert len(steps) == 2
    for layer, strip in zip(steps, picture.strips, strict=True):
        heights = [(row["y2"] - row["y"]) / pixel for row in layer["data"]["values"]]
        assert heights == pytest.approx([*16 * strip.counts / strip.counts.max(), 0], abs=1e-3)
        assert all(row["y2"] < picture.y[0] for row in layer["data"]["values"])


def test_a_line_is_the_same_without_the_points_within_its_straight_stretches() -> None:
    rng = np.random.default_rng(4)
    x = np.cumsum(rng.integers(0, 2, 300) * rng.random(300))
    y = np.cumsum(rng.integers(0, 2, 300) * rng.random(300))
    kept = corners(x, y)
    assert len(kept) < 300
    # Every point that was left out lies on the stretch between the two that are left around it.
    for i in np.setdiff1d(np.arange(300), kept):
        before, after = kept[kept < i].max(), kept[kept > i].min()
        assert (x[before] == x[i] == x[after]) or (y[before] == y[i] == y[after])
        assert x[before] <= x[i] <= x[after]
        assert y[before] <= y[i] <= y[after]


# ---------------------------------------------------------------------- size
@pytest.mark.parametrize(("kind", "more"), KINDS)
def test_a_chart_is_drawn_as_wide_as_charts_are_and_its_text_as_large(kind: str, more: dict[str, Any]) -> None:
    inline = drawn(kind, **more).picture.inline()
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', inline)[1])  # type: ignore[index]
    assert CHART_WIDTH - 40 <= width <= CHART_WIDTH + 12
    sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)px"', inline)}
    assert min(sizes) * 368 / width >= 11  # in a window of 400 pixels


def test_names_of_curves_have_no_marks_that_look_like_data_and_a_leader_to_their_line() -> None:
    data = "src/assay/data/breast_cancer.csv"
    made = assay.curves(data, gold="gold", score={"a": "logistic_score", "b": "tree_score"}, positive="malignant")
    layers = made.picture.spec()["layer"]
    assert made.picture.placed is not None
    assert (
        len([each for each in layers if each["mark"]["type"] == "rule" and each["mark"].get("strokeWidth") == 1.25])
        == 2
    )
    # The marks are those of the threshold, on each line and on its enlarged part.
    assert len([each for each in layers if each["mark"].get("type") == "point"]) == 4


def test_the_enlarged_part_of_a_roc_curve_has_a_vertical_scale() -> None:
    data = "src/assay/data/breast_cancer.csv"
    made = assay.curves(data, gold="gold", score={"a": "logistic_score", "b": "tree_score"}, positive="malignant")
    assert made.picture.zoom is not None
    texts = [row.get("t") for each in made.picture.spec()["layer"] for row in each.get("data", {}).get("values", [])]
    assert {"0", "0.5", "1"} <= set(texts)
