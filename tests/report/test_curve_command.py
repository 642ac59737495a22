"""The command `assay curve` and the function behind it: what is said, what is written, what is refused."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.cli.main import exit_code
from assay.errors import OptionError
from assay.jobs.curves import curves
from assay.measures.scores.curves import CostByThreshold
from assay.report.charts.lines import Picture
from assay.report.contents.blocks import Block, Columns, Figure, Folded, Group, Page, Prose, Stack, Table
from assay.report.contents.opening import Readings
from assay.report.page.render import to_html
from tests.snapshot import Snapshot

ASKED = ["preds.csv", "--gold", "label", "--positive", "spam"]
BOTH = [*ASKED, "--score", "old=p1", "--score", "new=p2"]


@pytest.fixture
def preds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pl.DataFrame:
    rng = np.random.default_rng(8)
    truth = rng.random(240) < 0.3
    old, new = (np.round(1 / (1 + np.exp(-rng.normal(apart * truth - 1, 1))), 3) for apart in (1.0, 2.2))
    rows = {"label": np.where(truth, "spam", "ham"), "p1": old, "p2": new, "doc": np.arange(240) // 6}
    frame = pl.DataFrame(rows)
    frame.write_csv(tmp_path / "preds.csv")
    monkeypatch.chdir(tmp_path)
    return frame


def said(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    assert exit_code(["curve", *arguments]) == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


COMMANDS = {
    "roc": BOTH,
    "roc_of_one_without_band": [*ASKED, "--score", "p2", "--no-band"],
    "roc_of_clusters": [*BOTH, "--cluster", "doc", "--level", "0.9"],
    "pr": [*BOTH, "--kind", "pr"],
    "calibration": [*BOTH, "--kind", "calibration", "--bins", "5"],
    "cost": [*BOTH, "--kind", "cost", "--cost-fp", "1", "--cost-fn", "20"],
    "envelope": [*BOTH, "--kind", "envelope"],
    "wrong_positive": ["preds.csv", "--gold", "label", "--positive", "ham", "--score", "p2"],
}


@pytest.mark.parametrize("case", COMMANDS)
@pytest.mark.usefixtures("preds")
def test_a_curve_is_told_in_sentences_and_a_few_points(
    case: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    snapshot(f"curve_{case}", said(COMMANDS[case], capsys))


REFUSED = {
    "no_scores": [*ASKED, "--pred", "doc"],
    "no_costs": [*BOTH, "--kind", "cost"],
    "costs_of_a_roc": [*BOTH, "--cost-fp", "1"],
    "negative_cost": [*BOTH, "--kind", "cost", "--cost-fp", "-1", "--cost-fn", "2"],
    "other_ending": [*BOTH, "--out", "x.pdf"],
    "level": [*BOTH, "--level", "95"],
    "bins": [*BOTH, "--kind", "calibration", "--bins", "0"],
    "over_input": [*BOTH, "--out", "preds.csv"],
    "calibration_of_numbers": [*ASKED, "--score", "doc", "--kind", "calibration"],
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.usefixtures("preds")
def test_what_cannot_be_drawn_is_refused_in_a_sentence(
    case: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    code = 3 if case in ("no_scores", "calibration_of_numbers") else 2
    before = Path("preds.csv").read_bytes()
    snapshot(f"messages/curve_{case}", said(REFUSED[case], capsys, code))
    assert Path("preds.csv").read_bytes() == before
    assert not Path("x.pdf").exists()


def test_the_table_has_every_point_to_the_last_digit(preds: pl.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    said([*BOTH, "--out", "points.csv"], capsys)
    rows = list(csv.DictReader(io.StringIO(Path("points.csv").read_text(encoding="utf-8"))))
    for name, column in (("old", "p1"), ("new", "p2")):
        points = [row for row in rows if row["system"] == name and row["part"] == "point"]
        fpr, tpr, thresholds = assay.roc_curve(preds["label"], preds[column], pos_label="spam")
        for field, values in (("x", fpr), ("y", tpr), ("threshold", thresholds)):
            assert [float(row[field]) for row in points] == values.tolist()
        limits = [row for row in rows if row["system"] == name and row["part"] == "band"]
        assert [float(row["x"]) for row in limits] == [i / 100 for i in range(101)]
        assert all(float(row["low"]) <= float(row["y"]) <= float(row["high"]) for row in limits)
    assert len(rows) == sum(1 for row in rows if row["system"] in ("old", "new"))


@pytest.mark.usefixtures("preds")
def test_bins_are_written_with_their_limits_and_their_number_of_items(capsys: pytest.CaptureFixture[str]) -> None:
    said([*BOTH, "--kind", "calibration", "--out", "bins.csv"], capsys)
    rows = list(csv.DictReader(io.StringIO(Path("bins.csv").read_text(encoding="utf-8"))))
    assert {row["part"] for row in rows} == {"point"}
    assert sum(float(row["n"]) for row in rows) == 2 * 240
    assert all(float(row["low"]) < float(row["high"]) for row in rows)


@pytest.mark.usefixtures("preds")
def test_undefined_precision_is_left_empty_and_not_called_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    said([*BOTH, "--kind", "pr", "--out", "points.csv"], capsys)
    rows = list(csv.DictReader(io.StringIO(Path("points.csv").read_text(encoding="utf-8"))))
    nothing = [row for row in rows if row["part"] == "band" and float(row["x"]) == 0]
    assert [(row["y"], row["low"], row["high"]) for row in nothing] == [("", "", "")] * 2


@pytest.mark.parametrize(("name", "begin"), [("roc.svg", b"<svg"), ("ROC.PNG", b"\x89PNG")])
@pytest.mark.usefixtures("preds")
def test_pictures_are_written_and_said_to_be(name: str, begin: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["curve", *BOTH, "--out", name]) == 0
    assert capsys.readouterr().err == f"wrote {name}\n"
    assert Path(name).read_bytes().startswith(begin)
    assert sorted(path.name for path in Path().iterdir()) == sorted(["preds.csv", name])


# ---------------------------------------------------------------------- the function
def test_files_frames_and_tallies_have_the_same_curves(preds: pl.DataFrame) -> None:
    asked: dict[str, Any] = {"gold": "label", "scores": {"m": "p2"}, "positive": "spam"}
    tally = assay.Scored.from_scores(preds["label"], preds["p2"], pos_label="spam")
    found = [
        curves("preds.csv", **asked),
        curves(preds, **asked),
        curves(preds.to_dict(), **asked),
        curves({"m": tally}),
    ]
    assert len({each.to_csv() for each in found}) == 1
    assert len({each.sentences for each in found}) == 1


def test_curves_know_their_systems_by_name(preds: pl.DataFrame) -> None:
    found = curves(preds, gold="label", scores=["p1", "p2"], positive="spam")
    assert [each.name for each in found] == ["p1", "p2"]
    assert found["p2"].curve.kind == "roc"
    with pytest.raises(KeyError):
        found["p3"]


def test_an_unknown_kind_has_a_nearest_one(preds: pl.DataFrame) -> None:
    with pytest.raises(OptionError, match="Did you mean 'calibration'"):
        curves(preds, kind="calibratoin", gold="label", scores="p1", positive="spam")


def test_where_curves_cross_is_said_with_who_is_higher(snapshot: Snapshot) -> None:
    """Half the positives come first with `steep`, the rest mixed; all are in the first three quarters with `late`."""
    steep = [3] * 20 + [1] * 60
    late = [2] * 60 + [1] * 20
    truth = [1] * 20 + [1] * 20 + [0] * 20 + [0] * 20
    tallies = {
        "steep": assay.Scored.from_scores(truth, steep),
        "late": assay.Scored.from_scores(truth, late),
    }
    found = curves(tallies)
    crossing = "The curves of steep and late cross once, at FPR 0.333; steep is higher on the left."
    assert any(text.startswith(crossing) for text in found.sentences)
    snapshot("curve_crossing", found.to_text())


def test_reversed_scores_are_said_to_be_and_chance_is_not() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random(500) < 0.4
    table = {"y": truth, "reversed": -rng.normal(truth * 1.5), "random": rng.normal(size=500)}
    found = curves(table, gold="y", scores=["reversed", "random"], positive="true")
    told = [text for text in found.sentences if "worse than chance" in text]
    sure = [text for text in told if "whole interval" in text]
    assert len(sure) == 1
    assert sure[0].startswith("reversed ranks worse than chance")
    assert all("chance alone could explain that" in text for text in told if text not in sure)


def test_a_part_below_the_diagonal_is_told_only_where_the_band_is_below_too() -> None:
    """A tenth of the positives ranks last: the curve must end below the diagonal, though its AUC is high."""
    rng = np.random.default_rng(2)
    truth = rng.random(3000) < 0.5
    score = np.where(truth, rng.normal(2, 1, 3000), rng.normal(0, 1, 3000))
    last = truth & (rng.random(3000) < 0.1)
    table = {"y": truth, "s": np.where(last, -9 - rng.random(3000), score)}
    told = [text for text in curves(table, gold="y", scores="s", positive="true").sentences if "worse" in text]
    assert len(told) == 1
    assert "at FPR from" in told[0]
    table["s"] = score
    assert not any("worse" in text for text in curves(table, gold="y", scores="s", positive="true").sentences)


def test_a_single_threshold_is_said_to_be_cheaper_over_the_costs_for_which_it_is() -> None:
    # It finds 2 of 3 positives and alarms 1 of 4 negatives: cheaper than none from 3/11 on, than all up to 9/13.
    said = curves({"gold": [1, 1, 1, 0, 0, 0, 0], "p": [1, 1, 0, 1, 0, 0, 0]}, scores="p", kind="envelope").sentences
    where = "where misses could make up 27.3% to 69.2% of the cost."
    assert said[0] == f"p: a threshold is cheaper than one answer for every row {where}"


def test_a_threshold_on_the_hull_is_not_said_to_rule_out_the_same_answer_for_all() -> None:
    said = curves({"gold": [1, 1, 1, 0, 0, 0, 0], "p": [1, 1, 0, 1, 0, 0, 0]}, scores="p").sentences
    assert any("only 1 of 2 thresholds can be optimal, besides one answer for every row" in text for text in said)


def test_the_cheapest_threshold_is_written_in_full_so_that_it_reaches_its_own_score() -> None:
    data = {"gold": [0, 0, 1, 1], "p": [0.1, 0.2, 0.123456 * 7, 0.9]}
    said = curves(data, scores="p", kind="cost", cost_fp=1, cost_fn=1).sentences
    assert f"alarm at scores of {0.123456 * 7!r} or more" in said[0]


def test_equal_costs_are_equal_however_they_were_added_up() -> None:
    # 0.1 + 0.1 + 0.1 is above 0.3 by its last bit: three false alarms, or one miss more, cost the same.
    data = {"gold": [1, 0, 0, 0, 1, 0, 0, 0], "p": [0.9, 0.5, 0.5, 0.5, 0.4, 0.1, 0.1, 0.1]}
    drawn = curves(data, scores="p", kind="cost", cost_fp=0.1, cost_fn=0.3)["p"].curve
    tuned = assay.tune(data, score="p", cost_fp=0.1, cost_fn=0.3, n_resamples=99)
    assert tuned.threshold == 0.9
    assert isinstance(drawn, CostByThreshold)
    assert drawn.cheapest[0] == tuned.threshold


# ---------------------------------------------------------------------- the page
def page_of(frame: pl.DataFrame, kind: str = "roc", scores: Any = None, **more: Any) -> Page:
    """The page of curves of one or two systems."""
    asked: dict[str, Any] = {"gold": "label", "positive": "spam", "scores": scores or {"old": "p1", "new": "p2"}}
    page: Page = curves(frame, kind=kind, **asked, **more).page()
    return page


def sentences_of(page: Page) -> list[str]:
    """Everything a page says in sentences, and in words below its charts."""
    out = [page.heading, page.subtitle, *page.rest, *(each.text for each in page.cautions)]
    out += [text for figure in page.figures for text in (figure.subtitle, figure.drawing.description)]
    for part in page.parts:
        out += [part.title, *part.lead]
        out += [text for block in part.blocks if isinstance(block, Prose) for text in block.paragraphs]
    return out


@pytest.mark.parametrize("kind", ["roc", "pr", "calibration"])
@pytest.mark.parametrize("scores", [{"new": "p2"}, {"old": "p1", "new": "p2"}])
def test_the_page_of_a_curve_never_names_a_method_by_its_code(
    kind: str, scores: dict[str, str], preds: pl.DataFrame
) -> None:
    told = " ".join(sentences_of(page_of(preds, kind, scores)))
    assert not re.search(r"\b[a-z]+_[a-z]+\b", told)


@pytest.mark.parametrize("kind", ["roc", "pr", "calibration"])
def test_the_value_that_sums_a_curve_up_stands_once_on_its_page(kind: str, preds: pl.DataFrame) -> None:
    page = page_of(preds, kind)
    (readings,) = (block for block in within(page.opening) if isinstance(block, Readings))
    found = curves(preds, kind=kind, gold="label", positive="spam", scores={"old": "p1", "new": "p2"})
    of = {each.name: each for each in found}
    assert {reading.name for reading in readings.readings} == set(of)
    for reading in readings.readings:
        each = of[reading.name]
        assert float(reading.text) == pytest.approx(each.summaries[0].value, abs=0.005)
        shown = re.sub(r"<desc>.*?</desc>", "", to_html(found), flags=re.DOTALL)
        assert len(re.findall(rf"<b>{reading.text}</b>", shown)) == 1
        assert not any(f"{reading.name} {reading.text}" in text for text in re.findall(">([^<]*)<", shown))


def within(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Group):
            yield from within(block.blocks)


def test_the_heading_of_two_curves_says_which_is_nowhere_lower_or_that_they_cross(preds: pl.DataFrame) -> None:
    table = {"gold": ["y"] * 4 + ["n"] * 4, "a": [8, 7, 6, 5, 4, 3, 2, 1], "b": [8, 7, 3, 2, 6, 5, 4, 1]}
    made = curves(table, gold="gold", scores=["a", "b"], positive="y").page()
    assert made.heading == "a dominates b: its ROC curve is nowhere lower on these rows."
    same = curves({**table, "b": table["a"]}, gold="gold", scores=["a", "b"], positive="y").page()
    assert same.heading == "The ROC curves of a and b are the same on these rows."
    crossing = {**table, "a": [9, 1, 2, 3, 4, 5, 6, 7], "b": [3, 4, 5, 6, 9, 8, 1, 2]}
    crossed = curves(crossing, gold="gold", scores=["a", "b"], positive="y").page()
    assert crossed.heading == "The ROC curves of a and b cross on these rows."


def test_the_heading_of_one_curve_reads_a_point_off_it(preds: pl.DataFrame) -> None:
    fpr, tpr, _ = assay.roc_curve(preds["label"], preds["p2"], pos_label="spam")
    found = round(100 * float(np.interp(0.05, fpr, tpr)))
    heading = page_of(preds, scores={"new": "p2"}).heading
    assert heading == f"At 5% false alarms, new finds {found}% of “spam”."


def test_the_heading_of_calibration_counts_the_bins_that_fit(preds: pl.DataFrame) -> None:
    found = curves(preds, kind="calibration", gold="label", positive="spam", scores={"new": "p2"})
    rows = found.to_dict()["points"]
    fit = sum(row["low"] <= row["x"] <= row["high"] for row in rows)
    assert found.page().heading == f"new's scores fit the share of positives in {fit} of {len(rows)} bins."


def test_curves_of_a_report_are_named_within_their_charts_alone(preds: pl.DataFrame) -> None:
    asked: dict[str, Any] = {"gold": "label", "positive": "spam", "threshold": 0.5, "n_resamples": 99}
    page = assay.evaluate(preds, scores={"old": "p1", "new": "p2"}, **asked).page()
    (part,) = (part for part in page.parts if part.id == "curves")
    pictures = [block.drawing for block in within(part.blocks) if isinstance(block, Figure)]
    assert [type(picture) for picture in pictures] == [Picture] * 3
    for picture in pictures:
        texts = re.findall(">([^<]*)</text>", picture.inline())
        assert texts.count("old") == texts.count("new") == 2  # the halo, and the name
    assert {type(block) for block in within(part.blocks)} == {Columns, Figure, Stack, Table, Folded, Prose}
