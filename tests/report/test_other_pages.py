"""The pages of curve, tune, plan, check, advise, measures and verify: true to the numbers, and safe with any name."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, confusion_matrix, f1_score, precision_score, roc_auc_score

import assay
from assay.cli.main import exit_code
from assay.report.charts.tune import threshold_chart
from assay.report.contents.blocks import Listing, Steps
from assay.report.families.matrix import Matrix
from assay.report.page.parts.forest import Forest
from tests.pages import Tags, blocks

DATA = Path(assay.__file__).parent / "data" / "breast_cancer.csv"
HOSTILE = "</script><script>document.title=1337</script>"
NAME = "</script><script>document.write(1337)</script>"  # of columns: an equals sign would end a system's name
FILE = "<img src=x onerror=document.title=4242>.csv"  # a name of a file has no slash
LARGEST = 150_000


# ---------------------------------------------------------------------- data
def halves() -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    with DATA.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rows[::2], rows[1::2]


DEV, CHECK = halves()


def column(rows: list[dict[str, str]], name: str) -> Any:
    return np.array([row[name] for row in rows])


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def hostile(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The same rows, with a payload in every label and in the name of every column."""
    return [
        {
            f"gold{NAME}": row["gold"] + HOSTILE,
            f"pred{NAME}": row["logistic"] + HOSTILE,
            f"score{NAME}": row["logistic_score"],
            f"page{NAME}": f"{HOSTILE}{i // 4}",
        }
        for i, row in enumerate(rows)
    ]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "dev.csv", DEV)
    write(tmp_path / "check.csv", CHECK)
    write(tmp_path / FILE, hostile(DEV))
    write(tmp_path / f"check {FILE}", hostile(CHECK))
    return tmp_path


SCORES = ["--gold", "gold", "--positive", "malignant", "--score", "logistic_score"]
COMMANDS = {
    "roc": ["curve", "dev.csv", *SCORES, "--score", "tree_score"],
    "pr": ["curve", "dev.csv", *SCORES, "--kind", "pr"],
    "calibration": ["curve", "dev.csv", *SCORES, "--kind", "calibration"],
    "cost": ["curve", "dev.csv", *SCORES, "--kind", "cost", "--cost-fp", "1", "--cost-fn", "20"],
    "envelope": ["curve", "dev.csv", *SCORES, "--kind", "envelope"],
    "no_band": ["curve", "dev.csv", *SCORES, "--no-band"],
    "tune_costs": ["tune", "dev.csv", *SCORES, "--cost-fp", "1", "--cost-fn", "20", "--check", "check.csv"],
    "tune_target": ["tune", "dev.csv", *SCORES, "--target", "recall=0.95"],
    "tune_nothing": ["tune", "dev.csv", *SCORES, "--cost-fp", "1", "--cost-fn", "0"],
    "tune_all_alike": ["tune", "alike.csv", *SCORES, "--maximize", "f1"],
    "tune_log_odds": ["tune", "odds.csv", *SCORES, "--youden", "--check", "odds_check.csv"],
    "plan_interval": ["plan", "--half-width", "0.05", "--cluster-size", "5", "--icc", "0.1"],
    "plan_difference": ["plan", "--difference", "0.02", "--disagreement", "0.1", "--share", "0.8"],
    "check": ["check", "dev.csv"],
    "advise": ["advise", "dev.csv", "--gold", "gold", "--pred", "logistic"],
    "advise_unknown": ["advise", "unknown.csv"],
    "measures": ["measures"],
    "measure": ["measures", "f1"],
    "hides": ["measures", "f1", "--hides"],
}
BASE = [f"gold{NAME}", f"malignant{HOSTILE}"]
ROLES = ["--gold", BASE[0], "--positive", BASE[1], "--score", f"{NAME}=score{NAME}"]
COSTS = ["--cost-fp", "1", "--cost-fn", "20"]
HOSTILES = {
    "roc": ["curve", FILE, *ROLES],
    "calibration": ["curve", FILE, *ROLES, "--kind", "calibration"],
    "cost": ["curve", FILE, *ROLES, "--kind", "cost", *COSTS],
    "tune": ["tune", FILE, *ROLES, *COSTS, "--check", f"check {FILE}"],
    "tune_clusters": ["tune", FILE, *ROLES, "--target", "recall=0.9", "--cluster", f"page{NAME}"],
    "check": ["check", FILE, "--gold", BASE[0], "--pred", f"pred{NAME}"],
    "advise": ["advise", FILE, "--gold", BASE[0], "--pred", f"pred{NAME}", "--positive", BASE[1]],
}


@pytest.fixture
def odd_files(here: Path) -> Path:
    """Scores that are all the same, scores that are no probabilities, and columns that mean nothing."""

    def scored(rows: list[dict[str, str]], make: Any) -> list[dict[str, str]]:
        return [{"gold": row["gold"], "logistic_score": make(float(row["logistic_score"]))} for row in rows]

    def odds(p: float) -> str:
        p = min(max(p, 1e-6), 1 - 1e-6)
        return f"{np.log(p / (1 - p)):.4f}"

    write(here / "alike.csv", scored(DEV, lambda p: "0.5"))
    write(here / "odds.csv", scored(DEV, odds))
    write(here / "odds_check.csv", scored(CHECK, odds))
    (here / "unknown.csv").write_text("one,two\n1,2\n3,4\n", encoding="utf-8")
    return here


def page_of(*arguments: str, code: int = 0) -> str:
    """The page that a command writes."""
    assert exit_code([*arguments, "--html", "page.html"]) == code
    return Path("page.html").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- every page
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("odd_files")
def test_a_page_is_whole_small_and_says_how_to_make_it_again(name: str) -> None:
    text = page_of(*COMMANDS[name])
    tags = Tags(text)
    assert (tags.wrong, tags.opened) == ([], [])
    assert len(text.encode()) < LARGEST
    assert "style" not in {attribute for attribute, _ in tags.attributes}
    assert re.search(r'Content-Security-Policy" content="default-src &#39;none&#39;; ', text)
    assert not re.search(r"\b(nan|inf)\b", tags.text, re.IGNORECASE)
    assert shlex.join(["assay", *COMMANDS[name], "--html", "page.html"]) in tags.text


@pytest.mark.parametrize("name", HOSTILES)
@pytest.mark.usefixtures("here")
def test_names_from_the_data_are_text_wherever_they_stand(name: str) -> None:
    text = page_of(*HOSTILES[name])
    tags = Tags(text)
    assert (tags.wrong, tags.opened) == ([], [])
    assert tags.scripts == 1  # the page's own
    assert "img" not in tags.tags
    assert "</script><script>" in tags.text
    assert "document.write(1337)" in tags.text
    assert not {attribute for attribute, _ in tags.attributes if attribute.startswith("on")}


@pytest.mark.usefixtures("here")
def test_a_verified_report_with_hostile_names_is_text_too() -> None:
    roles = ["--gold", BASE[0], "--pred", f"{NAME}=pred{NAME}", "--positive", BASE[1]]
    assert exit_code(["evaluate", FILE, *roles, "--format", "json", "--out", "r.json"]) == 0
    for file, code in ((FILE, 0), (f"check {FILE}", 1)):
        tags = Tags(page_of("verify", "r.json", file, code=code))
        assert (tags.wrong, tags.opened, tags.scripts) == ([], [], 1)
        assert "img" not in tags.tags


@pytest.mark.parametrize(
    "command", [["curve"], ["tune", "--youden"], ["check"], ["advise"], ["verify", "report.json"]], ids=lambda c: c[0]
)
def test_a_page_is_never_written_over_what_it_is_made_from(
    command: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (here / "dev.csv").read_text(encoding="utf-8")
    assert exit_code([*command, "dev.csv", "--html", "dev.csv"]) == 2
    assert "is an input" in capsys.readouterr().err
    assert (here / "dev.csv").read_text(encoding="utf-8") == before


def test_charts_are_files_where_there_are_charts_and_no_option_elsewhere(here: Path) -> None:
    assert exit_code([*COMMANDS["tune_costs"], "--charts", "charts"]) == 0
    assert exit_code([*COMMANDS["roc"], "--charts", "charts"]) == 0
    names = {f"{name}.{end}" for name in ("threshold", "cost_curve", "roc") for end in ("svg", "png")}
    assert {path.name for path in (here / "charts").iterdir()} == names
    assert exit_code([*COMMANDS["check"], "--charts", "charts"]) == 2


# ---------------------------------------------------------------------- curves
@pytest.mark.usefixtures("here")
def test_the_page_of_curves_has_the_values_of_another_library() -> None:
    gold, score = column(DEV, "gold") == "malignant", column(DEV, "logistic_score").astype(float)
    assert f"{roc_auc_score(gold, score):.3f}" in Tags(page_of(*COMMANDS["roc"])).text
    assert f"{brier_score_loss(gold, score):.3f}" in Tags(page_of(*COMMANDS["calibration"])).text
    told = Tags(page_of(*COMMANDS["cost"])).text
    costs = {at: np.mean(np.where(gold, 20 * (score < at), score >= at)) for at in np.unique(score).tolist()}
    assert f"{min(costs.values()):.4g} per row" in told
    assert f"{np.mean(20 * gold):.4g}" in told  # never to alarm


@pytest.mark.usefixtures("here")
def test_bands_are_said_to_hold_point_by_point_and_not_at_all_where_there_are_none() -> None:
    said = "at each point separately, not for the whole curve"
    assert said in Tags(page_of(*COMMANDS["roc"])).text
    assert said not in Tags(page_of(*COMMANDS["no_band"])).text


def test_several_systems_are_all_in_the_first_sentence() -> None:
    made = assay.curves(DATA, gold="gold", scores=["logistic_score", "tree_score"], positive="malignant").page()
    assert all(name in made.verdict[0] for name in ("logistic_score", "tree_score"))


# ---------------------------------------------------------------------- thresholds
def tuned(**options: Any) -> Any:
    def scores(rows: list[dict[str, str]]) -> dict[str, Any]:
        return {"gold": column(rows, "gold"), "s": column(rows, "logistic_score").astype(float)}

    usual: dict[str, Any] = {"gold": "gold", "score": "s", "positive": "malignant", "n_resamples": 199}
    return assay.tune(scores(DEV), check=scores(CHECK), **usual, **options)


def test_the_errors_at_the_threshold_are_those_that_another_library_counts() -> None:
    found = tuned(maximize="f1")
    (matrix,) = (block for block in blocks(found.page()) if isinstance(block, Matrix))
    gold = column(CHECK, "gold")
    called = np.where(column(CHECK, "logistic_score").astype(float) >= found.threshold, "malignant", "benign")
    counted = confusion_matrix(gold, called, labels=["malignant", "benign"])
    assert [[int(cell.text) for cell in cells] for _, cells in matrix.rows] == counted.tolist()
    (forest,) = (block for block in blocks(found.page()) if isinstance(block, Forest))
    (f1,) = (line.values[0] for line in forest.lines if line.name == "F1")
    assert f1 is not None
    assert float(f1.text) == pytest.approx(f1_score(gold, called, pos_label="malignant"), abs=5e-4)


@pytest.mark.usefixtures("here")
def test_the_values_of_the_json_stand_in_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    told = Tags(page_of(*COMMANDS["tune_costs"], "--format", "json")).text
    stored = json.loads(capsys.readouterr().out)
    shown = [float(text.replace("−", "-")) for text in re.findall(r"[−-]?\d+\.\d+", told)]
    for row in stored["rows"]:
        for key in ("value", "low", "high"):
            # Two digits of an interval's width are shown, so a hundredth is the coarsest there is here.
            assert row[key] is None or min(abs(x - row[key]) for x in shown) <= 0.005, row
    assert repr(stored["threshold"]) in told
    assert f"{stored['steadiness']['draws']:,}" in told


def test_the_chart_of_a_choice_draws_the_objective_at_every_threshold() -> None:
    found = tuned(maximize="f1")
    chart = threshold_chart(found)
    gold, score = column(DEV, "gold"), column(DEV, "logistic_score").astype(float)
    (line,) = chart.lines
    places = np.linspace(0, len(line.x) - 2, 25).astype(int)  # the last stands for calling nothing
    for at, height in zip(line.x[places].tolist(), line.y[places].tolist(), strict=True):
        called = np.where(score >= at, "malignant", "benign")
        assert height == pytest.approx(f1_score(gold, called, pos_label="malignant"), abs=1e-12)
    assert line.mark == pytest.approx((found.threshold, line.y.max()), abs=1e-12)
    assert line.x[-1] == 1.0
    assert line.y[-1] == 0.0


def test_a_target_is_drawn_with_both_rates_and_its_height() -> None:
    found = tuned(target="recall=0.95")
    chart = threshold_chart(found)
    assert [line.name for line in chart.lines] == ["Precision", "Recall"]
    assert chart.reference is not None
    assert [y for _, y in chart.reference.points] == [0.95, 0.95]
    gold, score = column(DEV, "gold"), column(DEV, "logistic_score").astype(float)
    called = np.where(score >= found.threshold, "malignant", "benign")
    precision = precision_score(gold, called, pos_label="malignant")
    assert chart.lines[0].mark == pytest.approx((found.threshold, precision), abs=1e-12)


def test_what_is_marked_in_the_chart_is_said_in_words() -> None:
    found = tuned(cost_fp=1, cost_fn=20)
    chart, s = threshold_chart(found), found.steadiness
    assert (chart.flat, chart.choices) == ((s.flat_low, s.flat_high), (s.low, s.high))
    for at in (found.threshold, s.low, s.high, s.flat_low, s.flat_high):
        assert f"{at:.6g}" in chart.description
    drawn = chart.inline()
    assert "<desc>" in drawn
    assert not re.findall(r'(?:fill|stroke)="#', drawn)


@pytest.mark.usefixtures("here")
def test_that_values_are_flattered_comes_first_where_the_same_rows_chose() -> None:
    flattered = Tags(page_of(*COMMANDS["tune_target"])).text
    assert "Before you rely on this The values are flattered." in flattered
    assert "The values are flattered." not in Tags(page_of(*COMMANDS["tune_costs"])).text


@pytest.mark.usefixtures("here")
def test_a_target_that_no_threshold_reaches_still_has_a_page_with_its_chart() -> None:
    Path("few.csv").write_text("gold,s\na,0.9\nb,0.8\na,0.7\nb,0.6\n", encoding="utf-8")
    told = Tags(page_of("tune", "few.csv", "--score", "s", "--positive", "b", "--target", "precision=0.9", code=1))
    assert "No threshold was chosen" in told.text
    assert "svg" in told.tags


def test_what_intervals_do_not_cover_is_said_of_curves_and_thresholds() -> None:
    curve = assay.curves(DATA, gold="gold", scores=["logistic_score"], positive="malignant").page()
    for page in (curve, tuned(maximize="f1").page()):
        assert "They do not cover retraining" in page.standing
        assert page.parts[-1].id == "method"


# ---------------------------------------------------------------------- plans, checks and advice
@pytest.mark.parametrize("name", ["plan_interval", "plan_difference"])
@pytest.mark.usefixtures("here")
def test_every_number_of_a_plan_stands_in_its_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = Tags(page_of(*COMMANDS[name], "--format", "json")).text
    stored = json.loads(capsys.readouterr().out)
    for plan in stored["plans"]:
        assert f"{plan['items']:,}" in told
        for key, written in (("power", ".3f"), ("clusters", ",d"), ("half_width", "g"), ("design_effect", ".4g")):
            assert plan[key] is None or format(plan[key], written) in told, key
    for text in (*stored["plans"][0]["assumptions"], *stored["notes"]):
        assert text[1:] in told


@pytest.mark.usefixtures("here")
def test_the_page_of_a_check_counts_what_a_reader_of_the_file_counts() -> None:
    made = Tags(page_of("check", "dev.csv")).text
    for name in DEV[0]:
        texts = column(DEV, name)
        assert f"{name} " in made
        assert f" {len(set(texts.tolist())):,} 0 " in made


@pytest.mark.usefixtures("here")
def test_the_page_of_a_check_shows_no_more_of_the_rows_than_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = Tags(page_of("check", "dev.csv")).text
    printed = capsys.readouterr().out
    ids = set(column(DEV, "id").tolist())
    assert {each for each in ids if each in told} == {each for each in ids if each in printed}


def test_every_caution_of_a_check_is_one_of_the_terminal(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "odd.csv").write_text("id,gold,pred\n1,cat,Cat\n1,cat,cat\n3,dog,\n4,dog,cow\n", encoding="utf-8")
    told = Tags(page_of("check", "odd.csv")).text
    printed = re.sub(r"\s+", " ", capsys.readouterr().out.replace(" watch ", ""))
    printed = re.sub(r"'(\w+)'", r"“\1”", printed)  # a page has other quotation marks
    for title in ("Labels look alike.", "Labels differ.", "Values are missing.", "Ids repeat."):
        assert title in told
        said = told.split(f"{title} ")[-1].split(".")[0]  # the first title also stands above, for phones
        assert said[1:] in printed


@pytest.mark.usefixtures("here")
def test_advice_is_listed_in_order_with_why_what_it_hides_and_its_command() -> None:
    advice = assay.advise("dev.csv", gold="gold", pred="logistic")
    (steps,) = (block for block in blocks(advice.page()) if isinstance(block, Steps))
    assert [step.title for step in steps.steps] == [piece["report"] for piece in json.loads(advice.to_json())["pieces"]]
    told = Tags(advice.to_html()).text
    for piece in advice.pieces:
        assert piece.why[1:].removesuffix(".") in told
        assert piece.hides is None or piece.hides[1:].removesuffix(".") in told
        assert piece.how is None or re.sub(r"\s+", " ", piece.how) in told


# ---------------------------------------------------------------------- measures and verify
def test_all_measures_are_listed_by_the_names_they_are_typed_by(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Tags(page_of("measures")).text
    for line in capsys.readouterr().out.partition("\n\n")[0].splitlines():
        name, _, summary = line.partition("  ")
        assert f" {name} " in told
        assert summary.strip() in told


@pytest.mark.usefixtures("here")
def test_what_a_measure_hides_comes_first_where_that_was_asked_for() -> None:
    asked, usual = (Tags(page_of(*COMMANDS[name])).text for name in ("hides", "measure"))
    assert asked.index("What it hides") < asked.index("What is known about it")
    assert usual.index("What is known about it") < usual.index("What it hides")
    assert "f1 = 0.800, but specificity = 0.998" in asked  # 9,880 of 9,900, as the terminal has it


def test_the_page_of_a_verification_names_every_number_that_changed(here: Path) -> None:
    command = ["evaluate", "dev.csv", "--gold", "gold", "--pred", "logistic", "--format", "json", "--out", "r.json"]
    assert exit_code(command) == 0
    assert "Same: all 10 rows of r.json" in Tags(page_of("verify", "r.json", "dev.csv")).text
    stored = json.loads((here / "r.json").read_text(encoding="utf-8"))
    was = stored["rows"][0]["value"]
    stored["rows"][0]["value"], stored["rows"][2]["low"] = 0.125, 0.0625
    (here / "r.json").write_text(json.dumps(stored), encoding="utf-8")
    told = Tags(page_of("verify", "r.json", "dev.csv", code=1)).text
    assert "Differs: 2 rows of r.json" in told
    assert f"logistic accuracy value 0.125 {was}" in told
    assert " low 0.0625 " in told


def test_a_notebook_shows_every_result() -> None:
    advice = assay.advise({"gold": ["a", "b"] * 9, "pred": ["a", "a", "b"] * 6})
    for result in (advice, assay.plan(half_width=0.05), tuned(maximize="f1")):
        fragment = result._repr_html_()
        assert "<html" not in fragment
        assert "<script" not in fragment
        tags = Tags(fragment)
        assert (tags.wrong, tags.opened) == ([], [])


def test_a_row_of_a_list_has_as_many_cells_as_there_are_columns() -> None:
    pages = (assay.advise(DATA, gold="gold", pred="logistic").page(), assay.advise({"x": [1.5, 2.5]}).page())
    lists = [block for page in pages for block in blocks(page) if isinstance(block, Listing)]
    assert lists
    assert all(len(row) == len(each.columns) for each in lists for row in each.rows)


def test_counts_have_the_page_of_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["gold,pred", *(["a,a"] * 3), "a,b", *(["b,b"] * 5)]
    Path("part.csv").write_text("\n".join(lines))
    assert exit_code(["tally", "part.csv", "--out", "one.json", "--html", "one.html"]) == 0
    assert exit_code(["merge", "one.json", "one.json", "--out", "two.json", "--html", "two.html"]) == 0
    for name, right, rows in (("one", 8, 9), ("two", 16, 18)):
        assert f"labels {right} of {rows} rows correctly" in Path(f"{name}.html").read_text("utf-8")
    assert exit_code(["tally", "part.csv", "--html", "part.csv"]) != 0
    assert Path("part.csv").read_text() == "\n".join(lines)
