from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code
from assay.jobs.tune import tune
from tests.snapshot import Snapshot
from tests.terminal import on_a_terminal

EXAMPLES = Path(__file__).parents[2] / "src/assay/data/examples"

DEMO = Path(assay.__file__).with_name("data") / "breast_cancer.csv"
Rows = list[dict[str, str]]


def write(name: str, rows: Rows) -> None:
    with Path(name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def made(n: int, seed: int, name: str, *, log_odds: bool = False) -> Rows:
    """Rows whose labels follow their scores: calibrated probabilities, or their log-odds, which may be negative."""
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 2, n).round(4).clip(0.0001, 0.9999)
    y = rng.random(n) < p
    s = np.log(p / (1 - p)).round(4) if log_odds else p
    return [
        {"id": f"{name}{i}", "label": "ham" if not y[i] else "spam", "s": f"{s[i]:.4f}", "doc": f"{name}{i // 4}"}
        for i in range(n)
    ]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with DEMO.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for parity, name in enumerate(("dev", "test")):
        write(f"{name}.csv", [row for row in rows if int(row["id"][1:]) % 2 == parity])
    write("odds_dev.csv", made(160, 1, "a", log_odds=True))
    write("odds_test.csv", made(150, 2, "b", log_odds=True))
    write("small.csv", made(40, 3, "c"))
    write("constant.csv", [{**row, "s": "0.7"} for row in made(60, 4, "d")])
    write("hams.csv", [{**row, "label": "ham"} for row in made(60, 5, "e")])
    write("numbered.csv", [{**row, "id": f"c{i}"} for i, row in enumerate(made(40, 6, "f"))])
    write("three.csv", [{**row, "label": "eggs"} if i % 5 == 0 else row for i, row in enumerate(made(60, 7, "g"))])


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    code, out = exit_code(["tune", *arguments]), capsys.readouterr().out
    assert code == (1 if "No threshold was chosen" in out else 0)
    return out


def demo(score: str, *more: str) -> list[str]:
    return ["dev.csv", "--score", f"{score}_score", "--positive", "malignant", "--resamples", "999", *more]


def odds(*more: str) -> list[str]:
    return ["odds_dev.csv", "--score", "s", "--positive", "spam", "--resamples", "999", *more]


CHECKED = ["--check", "test.csv"]
COMMANDS = {
    "f1": demo("logistic", "--maximize", "f1", *CHECKED),
    "flattered": demo("logistic", "--maximize", "f1"),
    "cost": demo("forest", "--cost-fp", "200", "--cost-fn", "5000", *CHECKED),
    "target": demo("forest", "--target", "recall=0.95", *CHECKED),
    "cost_and_target": demo("forest", "--cost-fp", "1", "--cost-fn", "2", "--target", "recall=0.97", *CHECKED),
    "target_on_interval": demo(
        "forest", "--maximize", "f1", "--target", "recall=0.93", "--target-on", "interval", *CHECKED
    ),
    "interval_out_of_reach": demo(
        "forest", "--cost-fp", "1", "--cost-fn", "2", "--target", "fpr=0.001", "--target-on", "interval"
    ),
    "target_of_clusters": odds("--target", "recall=0.7", "--target-on", "interval", "--cluster", "doc"),
    "unreachable": demo("bayes", "--target", "precision=0.99", *CHECKED),
    "not_calibrated": demo("bayes", "--youden", *CHECKED),
    "log_odds": odds("--cost-fp", "1", "--cost-fn", "3", "--check", "odds_test.csv"),
    "clusters": odds("--maximize", "mcc", "--check", "odds_test.csv", "--cluster", "doc", "--against", "0"),
    "one_class": ["small.csv", "--score", "s", "--positive", "spam", "--target", "fpr=0.2", "--check", "hams.csv"],
    "constant": ["constant.csv", "--score", "s", "--positive", "spam", "--youden", "--resamples", "199"],
    "one_against_rest": ["three.csv", "--score", "s", "--positive", "spam", "--maximize", "f1", "--resamples", "199"],
}


@pytest.mark.parametrize("case", COMMANDS)
def test_sentences_come_first_then_the_table(case: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    snapshot(f"tune_{case}", said(COMMANDS[case], capsys))


def test_markdown_holds_the_same_sentences(capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    snapshot("tune_markdown", said([*COMMANDS["target"], "--format", "md"], capsys))


MISTAKES = {
    "nothing": (["small.csv", "--score", "s"], 2),
    "two_things": (["small.csv", "--score", "s", "--youden", "--maximize", "f1"], 2),
    "no_target": (["small.csv", "--score", "s", "--youden", "--target-on", "interval"], 2),
    "one_cost": (["small.csv", "--score", "s", "--cost-fp", "1"], 2),
    "free_errors": (["small.csv", "--score", "s", "--cost-fp", "0", "--cost-fn", "0"], 2),
    "no_measure_of_labels": (["small.csv", "--score", "s", "--maximize", "roc_auc"], 2),
    "nothing_better": (["small.csv", "--score", "s", "--maximize", "prevalence"], 2),
    "unknown_measure": (["small.csv", "--score", "s", "--maximize", "f1_macro"], 2),
    "target_of_f1": (["small.csv", "--score", "s", "--target", "f1=0.9"], 2),
    "target_beyond": (["small.csv", "--score", "s", "--target", "recall=90"], 2),
    "target_without_value": (["small.csv", "--score", "s", "--target", "recall"], 2),
    "no_positive": (["small.csv", "--score", "s", "--youden"], 2),
    "no_score": (["small.csv", "--positive", "spam", "--youden"], 3),
    "one_class": (["hams.csv", "--score", "s", "--positive", "ham", "--youden"], 3),
    "same_file": (["small.csv", "--score", "s", "--positive", "spam", "--youden", "--check", "./small.csv"], 2),
    "shared_ids": (
        ["small.csv", "--score", "s", "--positive", "spam", "--youden", "--check", "numbered.csv", "--id", "id"],
        3,
    ),
    "other_labels": (["small.csv", "--score", "s", "--positive", "spam", "--youden", "--check", "three.csv"], 3),
    "text_scores": (["small.csv", "--score", "doc", "--positive", "spam", "--youden"], 3),
    "against_nothing": ([*odds("--youden", "--check", "odds_test.csv", "--against", "inf")], 2),
    "sweep_over_input": (["small.csv", "--score", "s", "--positive", "spam", "--youden", "--sweep", "small.csv"], 2),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_answered_in_plain_words(
    case: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot
) -> None:
    arguments, code = MISTAKES[case]
    assert exit_code(["tune", *arguments]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    snapshot(f"messages/tune_{case}", shown.err)


# ---------------------------------------------------------------------- numbers that must not go wrong
def counts(y: list[bool], s: list[float], threshold: float) -> tuple[int, int, int, int]:
    called = [x >= threshold for x in s]
    pairs = list(zip(y, called, strict=True))
    return tuple(pairs.count(cell) for cell in ((True, True), (False, True), (True, False), (False, False)))  # type: ignore[return-value]


def columns(name: str, score: str, positive: str) -> tuple[list[bool], list[float]]:
    with Path(name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    gold = "gold" if "gold" in rows[0] else "label"
    return [row[gold] == positive for row in rows], [float(row[score]) for row in rows]


def test_the_values_on_the_check_are_those_of_its_rows_counted_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said([*COMMANDS["cost"], "--format", "json"], capsys))
    y, s = columns("test.csv", "forest_score", "malignant")
    tp, fp, fn, _ = counts(y, s, found["threshold"])
    values = {row["measure"]: row["value"] for row in found["rows"] if row["quantity"] == "value"}
    assert values["expected_cost(fp=200,fn=5000)"] == pytest.approx((200 * fp + 5000 * fn) / len(y), rel=1e-12)
    assert values["recall"] == pytest.approx(tp / (tp + fn), rel=1e-12)
    assert values["precision"] == pytest.approx(tp / (tp + fp), rel=1e-12)
    (apart,) = [row for row in found["rows"] if row["quantity"] == "difference"]
    _, fp, fn, _ = counts(y, s, 200 / 5200)
    other = (200 * fp + 5000 * fn) / len(y)
    assert apart["value"] == pytest.approx(values["expected_cost(fp=200,fn=5000)"] - other, abs=1e-9)
    assert found["against"] == pytest.approx(200 / 5200)
    assert not found["flattered"]


def test_a_score_equal_to_the_threshold_is_called_positive_where_it_chooses_and_where_it_judges() -> None:
    dev = {"gold": ["1", "1", "0", "0"], "score": [0.8, 0.6, 0.5, 0.1]}
    check = {"gold": ["1", "0", "0", "1"], "score": [0.6, 0.6, 0.5999999, 0.9]}
    found = tune(dev, maximize="f1", check=check, n_resamples=99)
    assert found.threshold == 0.6
    values = {e.measure: e.value for e in found.estimates}
    assert (values["recall"], values["specificity"]) == (1.0, 0.5)


def test_the_threshold_is_printed_in_full_because_rounded_it_might_leave_out_its_own_score() -> None:
    score = 0.38214567890123456
    dev = {"gold": ["1", "1", "0", "0"], "score": [0.8, score, 0.25, 0.1]}
    found = tune(dev, maximize="f1", n_resamples=99)
    assert found.threshold == score
    assert float(found.sentences[0].split()[1].rstrip(":")) == score


def test_without_other_rows_values_are_marked_as_flattered_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    found = tune("dev.csv", score="logistic_score", positive="malignant", youden=True, n_resamples=199)
    assert found.flattered
    assert found.comparisons == ()
    assert json.loads(found.to_json())["flattered"] is True
    assert {row["quantity"] for row in csv.DictReader(io.StringIO(found.to_csv()))} == {"threshold", "flattered value"}
    for text in (found.to_text(), found.to_markdown()):
        assert "That flatters the threshold" in text
        assert "flattered: these values are from the rows of dev.csv" in text


def test_where_nothing_pays_nothing_is_called_and_json_has_no_infinity() -> None:
    dev = {"gold": ["1", "0", "1", "0"], "score": [0.8, 0.9, 0.3, 0.1]}
    found = tune(dev, cost_fp=100, cost_fn=1, n_resamples=99)
    assert found.threshold == math.inf
    told = json.loads(found.to_json(), parse_constant=lambda name: pytest.fail(f"JSON has {name}"))
    assert told["threshold"] is None
    assert told["calls_nothing"]
    assert found.sentences[0].startswith("Call nothing “1”")


def test_a_target_out_of_reach_gives_no_threshold_to_a_program() -> None:
    found = tune("dev.csv", score="bayes_score", positive="malignant", target="precision=0.99", check="test.csv")
    told = json.loads(found.to_json())
    assert told["threshold"] is None
    assert told["reason"] == "no threshold gives precision at least 0.99"
    assert told["found"]["closest"] == 1.0
    assert [row["quantity"] for row in told["rows"]] == ["threshold"]


def test_a_copy_of_the_rows_is_no_check() -> None:
    rows = made(60, 8, "x")
    write("rows.csv", rows)
    write("renamed.csv", [{**row, "id": f"z{i}"} for i, row in enumerate(rows[::-1])])
    with pytest.raises(assay.DataError, match="the same scores and labels"):
        tune("rows.csv", score="s", positive="spam", youden=True, check="renamed.csv")
    write("part.csv", rows[:30])
    with pytest.raises(assay.DataError, match=r"30 ids of column 'id' are in both rows\.csv and part\.csv"):
        tune("rows.csv", score="s", positive="spam", youden=True, check="part.csv")
    write("part.csv", [{**row, "id": f"z{i}"} for i, row in enumerate(rows[:30])])
    found = tune("rows.csv", score="s", positive="spam", youden=True, check="part.csv", n_resamples=99)
    assert any("every score and label of the rows to check on also occurs" in note for note in found.notes)


def test_row_numbers_that_two_files_share_are_said_and_not_refused() -> None:
    for name, seed in (("one.csv", 9), ("two.csv", 10)):
        write(name, [{**row, "id": str(i)} for i, row in enumerate(made(50, seed, ""))])
    for score in ("s", "system=s"):
        found = tune("one.csv", score=score, positive="spam", youden=True, check="two.csv", n_resamples=99)
        said = "50 ids of column 'id' are in both files, 0 of them with the same score"
        assert any(said in note for note in found.notes)


def test_clusters_with_rows_on_both_sides_are_said() -> None:
    for name, seed in (("one.csv", 9), ("two.csv", 10)):
        write(name, [{**row, "doc": f"d{i % 12}"} for i, row in enumerate(made(50, seed, name))])
    how: dict[str, Any] = {"score": "s", "positive": "spam", "youden": True, "cluster": "doc", "n_resamples": 99}
    found = tune("one.csv", check="two.csv", **how)
    assert any(note.startswith("12 clusters have rows on both sides") for note in found.notes)


def test_files_frames_and_tallies_give_the_same_threshold_and_values() -> None:
    import polars

    how: dict[str, Any] = {"maximize": "f1", "n_resamples": 199}
    columns_: dict[str, Any] = {"score": "forest_score", "positive": "malignant"}
    files = tune("dev.csv", check="test.csv", **columns_, **how)
    frames = tune(polars.read_csv("dev.csv"), check=polars.read_csv("test.csv"), **columns_, **how)
    tallies = [
        assay.Scored.from_scores(*columns(name, "forest_score", "malignant"), pos_label=True)
        for name in ("dev.csv", "test.csv")
    ]
    counted = tune(tallies[0], check=tallies[1], **how)
    assert files.threshold == frames.threshold == counted.threshold
    for other in (frames, counted):
        assert [e.value for e in other.estimates] == [e.value for e in files.estimates]
        assert other.steadiness == files.steadiness


def test_a_row_that_stands_for_several_counts_as_often() -> None:
    once: dict[str, list[Any]] = {
        "gold": ["1", "0", "1", "0", "0"],
        "score": [0.9, 0.7, 0.4, 0.4, 0.2],
        "n": [3, 1, 2, 4, 5],
    }
    often = {name: [x for x, n in zip(once[name], once["n"], strict=True) for _ in range(int(n))] for name in once}
    found = [tune(data, maximize="f1", n_resamples=199, count=n) for data, n in ((once, "n"), (often, None))]
    assert found[0].threshold == found[1].threshold
    assert found[0].steadiness == found[1].steadiness


def test_the_sweep_file_has_every_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    said([*COMMANDS["f1"], "--sweep", "all.csv"], capsys)
    _, s = columns("dev.csv", "logistic_score", "malignant")
    with Path("all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["threshold"]) for row in rows] == [math.inf, *sorted(set(s), reverse=True)]


def test_the_same_seed_gives_the_same_answer_and_another_one_about_the_same() -> None:
    how: dict[str, Any] = {"score": "forest_score", "positive": "malignant", "maximize": "f1", "n_resamples": 499}
    one, same, other = (tune("dev.csv", random_state=seed, **how) for seed in (1, 1, 2))
    assert one.to_json() == same.to_json()
    assert one.steadiness != other.steadiness
    assert one.threshold == other.threshold


def test_a_target_that_calling_nothing_comes_closest_to_is_told_without_an_infinite_threshold() -> None:
    found = tune({"gold": [0, 1, 1, 1], "p": [0.9, 0.2, 0.6, 0.4]}, score="p", target="npv=0.5", n_resamples=99)
    assert found.threshold is None
    assert found.sentences[0].endswith("The closest is npv 0.25 (specificity 1), where nothing is called “1”.")


def test_an_objective_that_is_undefined_everywhere_is_no_closest_threshold() -> None:
    """The one negative weighs nothing, so that specificity is 0/0 at every threshold."""
    rows = {"gold": [0, 1, 1], "p": [0.9, 0.2, 0.6], "w": [0, 1, 1]}
    found = tune(rows, score="p", weight="w", target="npv=0.5", n_resamples=99)
    assert found.threshold is None
    assert found.found.closest is None
    assert "specificity is undefined at every threshold" in found.sentences[0]


def test_a_column_of_scores_may_be_given_a_name() -> None:
    data = {"gold": [0, 0, 1, 1, 1, 0], "p": [0.1, 0.6, 0.4, 0.8, 0.9, 0.2], "a=b": [0.1, 0.6, 0.4, 0.8, 0.9, 0.2]}
    for score, name in (("p", "p"), ("model=p", "model"), ("a=b", "a=b"), ("model=a=b", "model")):
        found = assay.tune(data, score=score, youden=True, n_resamples=99)
        assert f"{name} finds" in found.to_text()


def test_a_threshold_in_the_table_gives_the_labels_that_its_row_counts() -> None:
    scores = [1.0, 0.99999975, 0.9999997, 0.5000004, 0.5000003, 0.02098279, 0.01, 0.0]
    dev = {"gold": [1, 1, 1, 0, 1, 0, 0, 0], "p": scores}
    found = assay.tune(dev, gold="gold", score="p", positive=1, youden=True, n_resamples=199)
    assert found.report is not None
    rows = found.report.systems[0].sections[-1].rows
    assert len(rows) == len(scores) + 1
    for name, cells in rows[1:]:
        at = float(name.split()[0].replace("−", "-"))
        assert cells[0].text == f"{sum(score >= at for score in scores)}"


def test_where_no_threshold_misses_the_target_no_misses_are_counted() -> None:
    dev = {"gold": [1] * 40 + [0] * 40, "p": [0.9] * 40 + [0.1] * 40}
    found = assay.tune(dev, gold="gold", score="p", positive=1, target="recall=0.9", n_resamples=199)
    text = " ".join(found.to_text(explain=True).split())
    assert "None of these thresholds miss the target" in text
    assert "on other rows, some may." in text
    assert "at least as many" not in text


def test_labels_in_place_of_scores_are_sent_to_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dev.csv"
    path.write_text("gold,lr\nspam,spam\nham,ham\n")
    for command in (["tune", "--youden"], ["curve"]):
        words = [command[0], str(path), "--gold", "gold", "--score", "lr", "--positive", "spam", *command[1:]]
        assert exit_code(words) == 3
        assert "assay evaluate takes their column as --pred" in capsys.readouterr().err


def test_no_threshold_is_told_at_the_width_of_the_terminal() -> None:
    wanted = ["--target", "precision=0.9999", "--target-on", "interval"]
    columns = ["--score", "logistic_score", "--gold", "gold", "--positive", "malignant"]
    told = on_a_terminal(["tune", str(DEMO), *columns, *wanted], columns=60)
    assert "No threshold was chosen" in told
    assert max(map(len, told.splitlines())) <= 60


def test_the_heading_of_a_flattered_threshold_tells_the_value_to_expect_on_other_rows() -> None:
    asked: dict[str, Any] = {"gold": "gold", "score": "score", "positive": "malignant", "maximize": "f1"}
    found = assay.tune(EXAMPLES / "cancer_dev.csv", **asked)
    assert found.page().heading == "Call it “malignant” from 0.598: F1 about 0.975 on other rows, no model 0.527."
    assert found.to_text().startswith("Call it “malignant” from 0.598: F1 about 0.975 on other rows")


def test_a_terminal_has_the_verdict_and_the_doubts_and_only_explained_how_it_was_chosen() -> None:
    asked: dict[str, Any] = {"gold": "gold", "score": "score", "positive": "malignant", "cost_fp": 1, "cost_fn": 20}
    check = EXAMPLES / "cancer_test.csv"
    found = assay.tune(EXAMPLES / "cancer_dev.csv", check=check, **asked)
    text = found.to_text(80)
    assert text.startswith("Call it “malignant” from 0.0723: cost 0.20, no model 0.61.\n")
    assert "the choice is unstable" in text
    assert "Stability of the threshold" not in text
    assert "Stability of the threshold" in found.to_text(80, explain=True)
