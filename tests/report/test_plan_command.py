from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from assay.cli.main import exit_code
from assay.jobs.plan import plan
from assay.report.charts.lines import Picture
from assay.report.charts.plan import named_needs
from assay.report.contents.opening import Readings
from assay.uncertainty.planning.plan import items_for_difference
from tests.snapshot import Snapshot

PILOT = ["--pilot", "pilot.csv", "--gold", "label", "--pred", "A=new", "--pred", "B=old", "--positive", "1"]


@pytest.fixture
def pilot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(3)
    gold = rng.random(240) < 0.3
    new, old = (gold ^ (rng.random(240) < wrong) for wrong in (0.1, 0.14))
    rows = zip(gold.astype(int), new.astype(int), old.astype(int), np.arange(240) // 4, strict=True)
    file = tmp_path / "pilot.csv"
    file.write_text("label,new,old,doc\n" + "".join(f"{g},{a},{b},d{d}\n" for g, a, b, d in rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return file


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert exit_code(["plan", *arguments]) == 0
    return capsys.readouterr().out


COMMANDS = {
    "half_width": ["--half-width", "0.05"],
    "half_width_of_clusters": ["--half-width", "0.03", "--share", "0.9", "--cluster-size", "10", "--icc", "0.1"],
    "difference": ["--difference", "0.02", "--disagreement", "0.1"],
    "difference_with_a_share": ["--difference", "0.02", "--disagreement", "0.1", "--share", "0.85", "--power", "0.9"],
    "power": ["--difference", "-0.03", "--disagreement", "0.1", "--items", "1000", "--alternative", "less"],
    "difference_of_clusters": ["--difference", "0.05", "--disagreement", "0.2", "--cluster-size", "5", "--icc", "0.3"],
    "pilot": ["--difference", "0.08", *PILOT, "--measure", "f1", "--resamples", "500"],
    "pilot_power": ["--difference", "0.08", *PILOT, "--measure", "mcc", "--items", "400", "--resamples", "500"],
    "items": ["--items", "500"],
    "items_of_clusters": ["--items", "500", "--share", "0.8", "--cluster-size", "5", "--icc", "0.2"],
    "detectable": ["--items", "500", "--disagreement", "0.1", "--power", "0.9"],
    "pilot_detectable": ["--items", "500", *PILOT, "--measure", "f1", "--resamples", "500"],
    "pilot_half_width": ["--half-width", "0.03", *PILOT[:4], "--pred", "new", "--positive", "1", "--measure", "f1"],
    "pilot_items": ["--items", "900", *PILOT[:4], "--pred", "new", "--measure", "f1(average=macro)"],
    "pilot_of_clusters": ["--difference", "0.1", *PILOT, "--measure", "f1", "--cluster", "doc", "--resamples", "300"],
}


@pytest.mark.parametrize("case", COMMANDS)
@pytest.mark.usefixtures("pilot")
def test_a_plan_is_a_sentence_a_table_and_what_was_assumed(
    case: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    snapshot(f"plan_{case}", said(COMMANDS[case], capsys))


@pytest.mark.usefixtures("pilot")
def test_json_holds_every_method_under_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(["--half-width", "0.05", "--format", "json"], capsys))
    assert {made["method"]: made["items"] for made in found["plans"]} == {
        "wilson": 381,
        "wald": 385,
        "clopper_pearson": 402,
    }
    found = json.loads(said([*COMMANDS["pilot_power"], "--format", "json"], capsys))
    (made,) = found["plans"]
    assert made["power_low"] < made["power"] < made["power_high"]
    assert made["items"] == 400


MISTAKES = {
    "nothing": ([], 2),
    "two_things": (["--half-width", "0.05", "--difference", "0.02"], 2),
    "half_width_of_everything": (["--half-width", "0.6"], 2),
    "sure_share": (["--half-width", "0.05", "--share", "1"], 2),
    "no_disagreement": (["--difference", "0.02"], 2),
    "more_than_disagreement": (["--difference", "0.2", "--disagreement", "0.1"], 2),
    "no_difference": (["--difference", "0", "--disagreement", "0.1"], 2),
    "power_of_chance": (["--difference", "0.02", "--disagreement", "0.1", "--power", "0.04"], 2),
    "wrong_side": (["--difference", "-0.02", "--disagreement", "0.1", "--alternative", "greater"], 2),
    "half_of_the_clusters": (["--half-width", "0.05", "--cluster-size", "10"], 2),
    "measure_without_pilot": (["--difference", "0.02", "--disagreement", "0.1", "--measure", "f1"], 2),
    "columns_without_pilot": (["--difference", "0.02", "--disagreement", "0.1", "--gold", "label"], 2),
    "pilot_without_measure": (["--difference", "0.05", *PILOT], 2),
    "pilot_and_disagreement": (["--difference", "0.05", *PILOT, "--measure", "f1", "--disagreement", "0.1"], 2),
    "beyond_the_pilot": (["--difference", "0.6", *PILOT, "--measure", "f1"], 2),
    "one_system": (["--difference", "0.05", "--pilot", "pilot.csv", "--pred", "new", "--measure", "f1"], 3),
    "no_pilot_file": (["--difference", "0.05", "--pilot", "absent.csv", "--measure", "f1"], 3),
    "interval_of_two": (["--half-width", "0.05", *PILOT, "--measure", "f1"], 2),
    "interval_of_each_class": (
        ["--half-width", "0.05", *PILOT[:4], "--pred", "new", "--measure", "recall", "--map", "0=well,1=ill"],
        2,
    ),
    "interval_of_no_measure": (["--half-width", "0.05", *PILOT[:4], "--pred", "new"], 2),
    "interval_too_wide": (["--half-width", "0.7", *PILOT[:4], "--pred", "new", "--measure", "accuracy"], 2),
    "items_too_few": (["--items", "20", "--disagreement", "0.1"], 2),
    "items_too_few_for_the_pilot": (["--items", "9", *PILOT, "--measure", "accuracy"], 2),
    "items_and_half_width": (["--items", "20", "--half-width", "0.1"], 2),
    "half_an_item": (["--difference", "0.02", "--disagreement", "0.1", "--items", "8.5"], 2),
    "too_many_items": (["--difference", "0.00001", "--disagreement", "0.5"], 2),
}


@pytest.mark.parametrize("case", MISTAKES)
@pytest.mark.usefixtures("pilot")
def test_a_mistake_is_answered_in_plain_words(
    case: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    arguments, code = MISTAKES[case]
    assert exit_code(["plan", *arguments]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    snapshot(f"messages/plan_{case}", shown.err)


def test_the_same_plan_is_made_from_a_file_a_frame_and_files_of_their_own(
    pilot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import polars

    how = {"difference": 0.08, "measure": "f1", "items": 300, "n_resamples": 300, "positive": "1"}
    columns = {"gold": "label", "pred": {"A": "new", "B": "old"}}
    frame = polars.read_csv(pilot, infer_schema=False)
    ids = frame.with_row_index("id")
    ids.select("id", "label").write_csv("gold.csv")
    for name, column in columns["pred"].items():  # type: ignore[attr-defined]
        ids.select("id", pred=column).write_csv(f"{name}.csv")
    systems = {"gold": "label", "systems": {"A": "A.csv", "B": "B.csv"}, "id": "id"}
    powers = [
        plan(pilot=str(pilot), **columns, **how).power,  # type: ignore[arg-type]
        plan(pilot=frame, **columns, **how).power,  # type: ignore[arg-type]
        plan(pilot="gold.csv", **systems, **how).power,  # type: ignore[arg-type]
    ]
    assert powers[0] == powers[1] == powers[2]


def test_rows_that_stand_for_several_count_as_often(pilot: Path) -> None:
    import polars

    frame = polars.read_csv(pilot, infer_schema=False)
    few = frame.group_by(["label", "new", "old"]).agg(polars.len().alias("times"))
    how = {"difference": 0.08, "measure": "f1", "items": 300, "n_resamples": 300, "positive": "1"}
    columns = {"gold": "label", "pred": {"A": "new", "B": "old"}}
    whole, counted = plan(pilot=frame, **columns, **how), plan(pilot=few, count="times", **columns, **how)  # type: ignore[arg-type]
    assert whole.power == counted.power


def test_python_gives_the_numbers_themselves() -> None:
    made = plan(difference=0.02, disagreement=0.1)
    assert made.items == items_for_difference(0.02, 0.1, test="midp") == 1949
    assert power_counted(0.02, 0.1, 1949) == pytest.approx(made.power)
    assert made.power is not None
    assert made.power >= 0.8


def test_planning_an_interval_loads_no_engine_and_no_slow_statistics() -> None:
    code = (
        "import sys; from assay.cli.main import exit_code;"
        "exit_code(['plan', '--difference', '.1', '--disagreement', '.2']);"
        "print([name for name in ('duckdb', 'scipy.stats', 'polars') if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


# ---------------------------------------------------------------------- what other aims would need
def power_counted(difference: float, disagreement: float, items: int) -> float:
    """The power of the mid-p McNemar test, added up over every outcome with SciPy's binomial distribution."""
    apart = np.arange(items + 1)
    chance = stats.binom.pmf(apart, items, disagreement)
    for_a = (1 + difference / disagreement) / 2
    total = 0.0
    for n, p in zip(apart.tolist(), chance.tolist(), strict=True):
        if p > 1e-12:
            heads = np.arange(n + 1)
            same = stats.binom.pmf(heads, n, 0.5) / 2
            tails = stats.binom.cdf(heads, n, 0.5) - same, stats.binom.sf(heads - 1, n, 0.5) - same
            two_sided = 2 * np.minimum(*tails)
            total += p * stats.binom.pmf(heads, n, for_a)[two_sided <= 0.05 * (1 + 1e-9)].sum()
    return total


@pytest.mark.parametrize("times", [1.0, 1.5, 2.0])
def test_items_by_difference_are_the_fewest_from_which_the_power_is_reached(times: float) -> None:
    made = plan(difference=0.1, disagreement=0.3)
    assert made.needs is not None
    items = made.needs.at(times * 0.1)
    assert items is not None
    assert power_counted(times * 0.1, 0.3, items - 1) < 0.8
    assert all(power_counted(times * 0.1, 0.3, n) >= 0.8 for n in range(items, items + 12))


@pytest.mark.parametrize("half_width", [0.02, 0.05, 0.1])
def test_items_by_half_width_are_the_fewest_for_wilsons_interval(half_width: float) -> None:
    made = plan(half_width=0.05, share=0.8)
    assert made.needs is not None
    items = made.needs.at(half_width)
    assert items is not None

    def wilson(n: int) -> float:
        # statsmodels takes shares of items that are no whole numbers too.
        low, high = proportion_confint(0.8 * n, n, method="wilson")
        return float(high - low) / 2

    assert wilson(items) <= half_width < wilson(items - 1)


def test_clusters_multiply_the_items_that_other_aims_would_need() -> None:
    alone, clustered = plan(half_width=0.05), plan(half_width=0.05, cluster_size=5, icc=0.25)
    assert alone.needs is not None
    assert clustered.needs is not None
    for half_width in (0.03, 0.1):
        items = alone.needs.at(half_width)
        assert items is not None
        assert clustered.needs.at(half_width) == 2 * items  # 1 + (5 − 1) · 0.25


def test_an_aim_that_no_number_of_items_reaches_is_left_out_of_the_chart() -> None:
    made = plan(difference=0.06, disagreement=0.1)
    assert made.needs is not None
    assert made.needs.at(0.12) is None
    assert [round(aim, 3) for aim, _ in named_needs(made.needs)] == [0.03, 0.045, 0.06, 0.09]


@pytest.mark.parametrize(("asked", "of"), [("difference", "True difference"), ("half_width", "Half-width")])
def test_the_page_of_a_plan_marks_what_was_planned_and_names_every_method(asked: str, of: str) -> None:
    more: dict[str, Any] = {"disagreement": 0.1} if asked == "difference" else {}
    made = plan(**{asked: 0.04}, **more)  # type: ignore[arg-type]
    page = made.page()
    (readings,) = (block for block in page.opening if isinstance(block, Readings))
    first, *others = made.plans  # the first is the one to use
    assert [each.text for each in readings.readings] == [f"{first.items:,}"]
    assert all(f"{each.items:,}" in readings.note for each in others)
    power, needs = (figure.drawing for figure in page.figures)
    assert isinstance(power, Picture)
    assert isinstance(needs, Picture)
    assert power.lines[0].mark is not None
    assert power.lines[0].mark[0] == made.items
    assert needs.axes == (of, "Items")
    assert needs.lines[0].mark == (0.04, made.items)
    assert made.needs is not None
    assert {(spot.x, spot.text) for spot in needs.spots} == {(aim, f"{n:,}") for aim, n in named_needs(made.needs)}


@pytest.mark.parametrize(
    "asked",
    [{"items": 500}, {"items": 500, "disagreement": 0.1}, {"items": 500, "disagreement": 0.1, "difference": -0.03}],
)
def test_what_given_items_can_do_is_shown_with_what_other_aims_would_need(asked: dict[str, Any]) -> None:
    made = plan(**asked)
    assert [figure.name for figure in made.page().figures] == ["items", "needs"]
    assert all(spot.x > 0 for figure in made.page().figures for spot in figure.drawing.spots)
