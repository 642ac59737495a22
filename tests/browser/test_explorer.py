"""Where a reader can try thresholds and costs, the page shows what the command line gives."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.chromium import Opened, Opener
from tests.browser.site import CANCER, RESAMPLES, TWO_SCORED, Site

pytestmark = pytest.mark.browser

SYSTEMS = ("logistic", "tree")
MISS, ALARM = 7, 2.5  # what a miss and a false alarm cost
RATES = ("precision", "recall", "f1")
SLIDER = "#explorer-threshold"
Numbers = dict[str, str]


def at(share: float) -> Callable[[Opened], None]:
    """Set the slider to its stop at this share of the way."""

    def move(opened: Opened) -> None:
        most = int(opened.page.get_attribute(SLIDER, "max"))
        opened.page.fill(SLIDER, str(round(share * most)))

    return move


def keys(*pressed: str) -> Callable[[Opened], None]:
    """Press keys on the slider."""

    def move(opened: Opened) -> None:
        for key in pressed:
            opened.page.press(SLIDER, key)

    return move


MOVES = {
    "a tenth of the way": at(0.1),
    "a third of the way": at(0.33),
    "half way": at(0.5),
    "three quarters of the way": at(0.75),
    "most of the way": at(0.97),
    "the lowest stop by keyboard": keys("Home"),
    "some stops by keyboard": keys("Home", "PageUp", "PageUp", "ArrowRight", "ArrowUp", "ArrowRight"),
    "before the last stop by keyboard": keys("End", "ArrowLeft"),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_at_every_threshold_both_systems_have_the_numbers_that_evaluate_prints(
    move: Callable[[Opened], None], site: Site, opening: Opener
) -> None:
    with opening(site.page("two classes")) as opened:
        opened.page.fill("#explorer-miss", str(MISS))
        opened.page.fill("#explorer-alarm", str(ALARM))
        shown = {}
        for i, system in enumerate(SYSTEMS):
            opened.page.check(f"input[name=explorer-system][value='{i}']")
            move(opened)
            shown[system] = numbers(opened)
        assert opened.said == []
    printed = evaluated({system: each["threshold"] for system, each in shown.items()})
    for system in SYSTEMS:
        agrees(shown[system], printed, system)


def test_different_places_of_the_slider_are_different_thresholds(site: Site, opening: Opener) -> None:
    with opening(site.page("two classes")) as opened:
        seen = []
        for move in MOVES.values():
            move(opened)
            seen.append(numbers(opened)["threshold"])
            assert opened.page.get_attribute(SLIDER, "aria-valuetext") == seen[-1]
    assert len(set(seen)) == len(MOVES)


def test_without_scripts_a_sentence_says_what_is_missing_and_nothing_dead_is_shown(site: Site, opening: Opener) -> None:
    inputs = "() => [...document.querySelectorAll('#explorer input')].filter(each => each.checkVisibility()).length"
    said = "() => document.querySelector('#threshold').innerText.includes('needs scripts')"
    with opening(site.page("two classes"), scripts=False) as opened:
        assert (opened.tell(said), opened.tell(inputs)) == (True, 0)
    with opening(site.page("two classes")) as opened:
        assert (opened.tell(said), opened.tell(inputs)) == (False, 5)


def numbers(opened: Opened) -> Numbers:
    """What the explorer shows, by name."""
    shown: Numbers = opened.tell(
        "() => Object.fromEntries([...document.querySelectorAll('#explorer [data-show]')]"
        ".map(each => [each.dataset.show, each.textContent.trim()]))"
    )
    return shown


def evaluated(thresholds: dict[str, str]) -> dict[str, Any]:
    """What the command line prints for these thresholds."""
    words = [word for system, text in thresholds.items() for word in ("--threshold", f"{system}={text}")]
    words += ["--cost-fp", str(ALARM), "--cost-fn", str(MISS), "--format", "json"]
    command = [sys.executable, "-m", "assay", "evaluate", str(CANCER), *f"{TWO_SCORED} {RESAMPLES}".split(), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def agrees(shown: Numbers, printed: dict[str, Any], system: str) -> None:
    """Every number shown for a system is the printed one, rounded as shown."""
    counts = four_counts(next(each for each in printed["systems"] if each["name"] == system))
    assert {name: float(shown[name].replace(",", "")) for name in counts} == counts
    rows = {row["measure"]: row for row in printed["rows"] if row["system"] == system}
    for rate in RATES:
        assert_rounded(shown[rate], rows[rate]["value"])
        if rows[rate]["value"] is not None:
            low, high = shown[f"{rate}-more"].split(" – ")
            assert_rounded(low, rows[rate]["low"])
            assert_rounded(high, rows[rate]["high"])
    (cost,) = (row["value"] for name, row in rows.items() if name.startswith("expected_cost(") and "of=" not in name)
    assert float(shown["cost"].replace(",", "")) == float(f"{1_000 * cost:.4g}")


def four_counts(system: dict[str, Any]) -> dict[str, float]:
    """The confusion matrix that was printed for a system."""
    errors = system["tables"][0]
    rows = {label: dict(zip(errors["columns"], cells, strict=True)) for label, cells in errors["rows"].items()}
    found, rejected = rows["gold malignant"], rows["gold benign"]
    return {
        "tp": found["called malignant"],
        "fn": found["called benign"],
        "fp": rejected["called malignant"],
        "tn": rejected["called benign"],
    }


def assert_rounded(shown: str, value: float | None) -> None:
    """What is shown is the value with fewer decimals, or a dash if there is none."""
    if value is None:
        assert shown == "–"
        return
    decimals = len(shown.partition(".")[2])
    assert decimals >= 2
    # Half a unit of the last decimal; the sliver is for halves that are no binary fractions.
    assert abs(float(shown) - value) <= 0.5 * 10**-decimals + 1e-9
