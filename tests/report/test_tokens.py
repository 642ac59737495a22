"""The colors of the page, the charts and the terminal can be told apart and read, with every kind of color vision."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest

from assay.report.tokens import DARK, LIGHT, MARKS, SHAPES, SYSTEMS, TERMINAL

# What a color looks like to readers who lack one kind of cone, in linear RGB (Machado, Oliveira and Fernandes 2009).
SEEN_BY = {
    "all cones": np.eye(3),
    "no long cones": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no medium cones": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no short cones": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])  # IEC 61966-2-1
WHITE = np.array([0.9505, 1.0, 1.089])
APART = 20.0  # CIE 1976 distance of the first four systems; 2.3 is just noticeable side by side


def linear(color: str) -> np.ndarray:
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    v = TO_XYZ @ np.clip(light, 0, 1) / WHITE
    f = np.where(v > (6 / 29) ** 3, np.cbrt(v), v / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(a: str, b: str, seen: np.ndarray) -> float:
    return float(np.linalg.norm(lab(seen @ linear(a)) - lab(seen @ linear(b))))


def contrast(a: str, b: str) -> float:
    low, high = sorted(float(TO_XYZ[1] @ linear(color)) + 0.05 for color in (a, b))
    return high / low


def systems(tokens: Mapping[str, str]) -> list[str]:
    return [tokens[f"system-{i + 1}"] for i in range(SYSTEMS)]


def test_the_distances_are_those_of_the_published_color_space() -> None:
    # Lindbloom's values for pure red and blue under D65; black on white is 21 : 1 by WCAG.
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert lab(linear("#0000ff")) == pytest.approx([32.30, 79.19, -107.86], abs=0.05)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("seen", SEEN_BY)
@pytest.mark.parametrize("tokens", [LIGHT, DARK, TERMINAL], ids=["light", "dark", "terminal"])
def test_the_first_four_systems_differ_for_every_kind_of_color_vision(tokens: Mapping[str, str], seen: str) -> None:
    colors = systems(tokens)[:4]
    assert min(distance(a, b, SEEN_BY[seen]) for a, b in combinations(colors, 2)) >= APART - 0.1


@pytest.mark.parametrize("seen", SEEN_BY)
@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_right_and_wrong_differ_for_every_kind_of_color_vision(tokens: Mapping[str, str], seen: str) -> None:
    assert distance(tokens["right-most"], tokens["wrong-most"], SEEN_BY[seen]) >= APART
    assert distance(tokens["good"], tokens["bad"], SEEN_BY[seen]) >= APART


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_marks_can_be_read_on_the_paper(tokens: Mapping[str, str]) -> None:
    """WCAG 2 asks 4.5 : 1 of text and 3 : 1 of what is drawn."""
    for name in ("ink", "muted", "warn", "good", "bad"):
        assert contrast(tokens[name], tokens["paper"]) >= 4.5, name
        assert contrast(tokens[name], tokens["panel"]) >= 4.5, name
    assert contrast(tokens["warn"], tokens["warn-soft"]) >= 4.5
    for cell in ("right-least", "right-most", "wrong-least", "wrong-most"):
        assert contrast(tokens["ink"], tokens[cell]) >= 4.5, cell
    for color in (*systems(tokens), tokens["reference"]):
        assert contrast(color, tokens["paper"]) >= 3, color


@pytest.mark.parametrize("ground", ["#ffffff", "#000000"])
def test_terminal_colors_can_be_seen_on_black_and_on_white(ground: str) -> None:
    assert min(contrast(color, ground) for color in systems(TERMINAL)) >= 2.8


def test_every_system_has_its_own_mark_and_shape() -> None:
    assert len({*MARKS}) == len({*SHAPES}) == SYSTEMS
