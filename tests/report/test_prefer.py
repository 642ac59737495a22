"""`assay prefer`: who is preferred, in words and in every format, from any source, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.cli.main import exit_code
from assay.errors import AssayError, DataError
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import catalogue
from assay.options import FORMATS
from assay.report.answers.measures import facts
from tests.arena import arena, csv_of
from tests.pages import Tags
from tests.snapshot import Snapshot

Said = pytest.CaptureFixture[str]
EXAMPLE = Path(__file__).parents[2] / "src" / "assay" / "data" / "examples" / "arena.csv"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "arena.csv").write_text(csv_of(arena()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: Said, *arguments: str, code: int = 0) -> str:
    found = exit_code(["prefer", *arguments])
    printed = capsys.readouterr()
    assert found == code, printed.err
    return printed.out or printed.err


def judged(rows: str) -> dict[str, list[Any]]:
    """Judgments written as 'x>y' (x, shown first, won), 'x<y' and 'x=y', each of an item of its own."""
    pairs = rows.split()
    winner = [{">": pair[0], "<": pair[2], "=": "tie"}[pair[1]] for pair in pairs]
    return {
        "item": list(range(len(pairs))),
        "a": [pair[0] for pair in pairs],
        "b": [pair[2] for pair in pairs],
        "winner": winner,
    }


def numbers(report: Report) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.to_dict().items() if k != "signature"} for row in report.rows]


# ---------------------------------------------------------------------- what is shown
def test_the_example_of_the_documentation_is_what_the_generator_draws() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == csv_of(arena())


def test_the_first_command_of_the_documentation_runs_on_the_file_beside_it(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLE.parent)
    text = (Path(__file__).parents[2] / "docs" / "howto" / "preferences.md").read_text(encoding="utf-8")
    prose = " ".join(text.split())
    command = shlex.split(text.split("```text\n")[1].split("\n```")[0])
    assert command[:3] == ["assay", "prefer", "practice/arena.csv"]
    told = json.loads(said(capsys, EXAMPLE.name, *command[3:], "--format", "json"))
    place = {row["measure"]: row["value"] for row in told["rows"] if row["quantity"] == "overall"}
    assert f"in `arena.csv` it is {place['first_place_share']:.3f}" in prose
    assert f"{place['first_place_effect']:.2f} there, or 58% of the judgments" in prose


def test_help_says_that_a_row_is_a_judgment(capsys: Said) -> None:
    assert "with one row per judgment" in " ".join(said(capsys, "--help").replace("│", " ").split())


def test_a_measure_without_kept_figures_is_not_said_to_be_untried() -> None:
    (told,) = (text for label, text in facts(catalogue()["bradley_terry"]) if label == "coverage")
    assert told == "no figures are kept for this measure; its method was simulated"


@pytest.mark.parametrize("width", [80, 100])
def test_preferences_read_as_a_verdict_strengths_win_rates_and_the_place(
    width: int, capsys: Said, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    columns = ["--item", "prompt", "--a", "model_a", "--b", "model_b", "--winner", "winner", "--judge", "judge"]
    snapshot(f"prefer_{width}", said(capsys, "arena.csv", *columns))


SHOWN = {
    "two_systems": "x>y x>y x<y x>y y<x y<x y>x x=y x>y y>x x>y y<x x<y y=x",
    "never_lost": "x>y x>y y<x x>z z<x x>z y>z z>y y<z",
    "never_met": "x>y x<y y>x y<x w>z z>w w<z z<w",
    "never_won": "x>y x<y y>x y<x y>z z>y y<z z<y x>w y>w w<z",
    "only_ties": "x=y y=x x=y",
    "place_decides": "x>y y>x y>z z>y x>z z>x",
    "no_order_of_three": " ".join(["x>y y>z z>x y<x z<y x<z"] * 12 + ["x<y y<z z<x y>x"]),
}


@pytest.mark.parametrize("case", SHOWN)
def test_what_cannot_be_put_in_an_order_is_said_with_its_reason(case: str, snapshot: Snapshot) -> None:
    snapshot(f"prefer_{case}", assay.prefer(judged(SHOWN[case])).to_text(90))


# ---------------------------------------------------------------------- numbers in every format
def test_every_format_has_the_strengths_the_win_rates_of_pairs_and_the_place(capsys: Said) -> None:
    report = assay.prefer("arena.csv")
    texts = {format: said(capsys, "arena.csv", "--format", format) for format in FORMATS}
    said(capsys, "arena.csv", "--html", "page.html")
    texts["page"] = Tags(Path("page.html").read_text(encoding="utf-8")).text
    strength = next(row for row in report.rows if row.system == "cedar" and row.measure == "bradley_terry")
    pair = next(
        row for row in report.rows if (row.system, row.versus, row.quantity) == ("cedar", "fjord", "head to head")
    )
    (place,) = (row for row in report.rows if row.measure == "first_place_effect")
    for format, text in texts.items():
        for row in (strength, pair, place):
            shown = repr(row.value) if format in ("json", "csv") else f"{row.value:.2f}"
            assert shown in text, (format, row.measure)
        if format != "csv":
            assert "cannot be told apart from cedar, birch and delta" in text


def test_rows_of_pairs_have_their_own_n_and_corrected_p_values() -> None:
    columns = arena()
    report = assay.prefer(columns)
    pairs = [row for row in report.rows if row.quantity == "head to head"]
    met = [{a, b} for a, b in zip(columns["model_a"], columns["model_b"], strict=True)]
    assert len(pairs) == 15
    for row in pairs:
        assert row.n == sum({row.system, row.versus} == both for both in met)
        assert row.p is not None
        assert row.p_adjusted is not None
        assert row.p <= row.p_adjusted
    alone = {row.measure: row for row in report.rows if row.quantity == "overall"}
    assert set(alone) == {"first_place_share", "first_place_effect", "tie_share"}
    assert alone["tie_share"].value == sum(winner == "tie" for winner in columns["winner"]) / 400
    assert {row.system for row in alone.values()} == {""}


def test_json_has_null_with_the_groups_named_where_strengths_are_not_finite_and_win_rates_all_the_same() -> None:
    told = json.loads(assay.prefer(judged(SHOWN["never_met"])).to_json())
    strengths = [row for row in told["rows"] if row["measure"] == "bradley_terry" and row["quantity"] == "value"]
    assert [row["value"] for row in strengths] == [None] * 4
    assert all("no judgment links w and z with the other 2 systems" in row["reason"] for row in strengths)
    assert all(row["value"] == 0.5 for row in told["rows"] if row["measure"] == "win_rate")
    assert told["contest"]["standings"] == []
    assert [table["title"] for table in told["contest"]["tables"]] == [
        "against all others",
        "head to head",
        "all judgments",
    ]


def test_a_page_shows_judgments_without_finite_strengths() -> None:
    text = Tags(assay.prefer(judged(SHOWN["never_lost"])).to_html()).text
    assert "x never lost to the other 2 systems" in text
    assert "x vs. z" in text


def test_a_model_without_the_place_is_called_that() -> None:
    report = assay.prefer("arena.csv", ignore_place=True)
    assert "Bradley–Terry strength, without places" in report.to_text()
    assert any("no other number allows for that" in note for note in report.notes)


def test_a_cycle_is_pointed_out_only_where_its_three_pairs_are_told_apart() -> None:
    def told(times: int) -> bool:
        rows = " ".join(["x>y y>z z>x y<x z<y x<z"] * times + ["x<y y<z z<x y>x z>y x>z"])
        contest = assay.prefer(judged(rows)).contest
        assert contest is not None
        return any("no ranking of the three fits" in line for line in contest.summary)

    assert not told(2)
    assert told(12)


# ---------------------------------------------------------------------- sources and options
def test_every_source_gives_the_same_numbers(here: Path) -> None:
    import duckdb
    import polars as pl

    columns = arena()
    frame = pl.DataFrame(columns)
    frame.write_parquet(here / "arena.parquet")
    frame.write_ndjson(here / "arena.jsonl")
    expected = numbers(assay.prefer("arena.csv"))
    given = ("arena.parquet", "arena.jsonl", columns, frame, frame.lazy(), frame.to_pandas())
    for data in (*given, duckdb.read_csv(str(here / "arena.csv"))):
        assert numbers(assay.prefer(data)) == expected


def test_the_command_gives_what_the_function_gives(capsys: Said) -> None:
    options = ["--cluster", "judge", "--missing", "tie", "--ignore-place", "--level", "0.9", "--first", "model_b"]
    told = json.loads(said(capsys, "arena.csv", *options, "--format", "json"))
    report = assay.prefer("arena.csv", cluster="judge", missing="tie", ignore_place=True, level=0.9, first="model_b")
    assert told == json.loads(report.to_json())
    assert report.provenance["clusters"] == 3


def test_judgments_that_stand_by_themselves_need_no_item() -> None:
    columns = arena()
    del columns["prompt"]
    with pytest.raises(DataError, match="no column called 'item'"):
        assay.prefer(columns)
    report = assay.prefer(columns, cluster="judgment")
    assert "clusters" not in report.provenance


def test_clustering_by_judge_widens_what_three_judges_can_tell() -> None:
    def width(**options: Any) -> float:
        rows = assay.prefer("arena.csv", **options).rows
        row = next(row for row in rows if (row.system, row.measure, row.quantity) == ("atlas", "win_rate", "value"))
        assert row.low is not None
        assert row.high is not None
        return row.high - row.low

    assert width(cluster="judge") > 2 * width()


def test_naming_who_was_shown_first_turns_the_effect_of_the_place_round() -> None:
    def effect(**options: Any) -> float:
        rows = assay.prefer("arena.csv", **options).rows
        return next(row.value or 0 for row in rows if row.measure == "first_place_effect")

    assert effect(first="model_b") == pytest.approx(-effect(first="model_a"), abs=1e-9)
    assert effect() == effect(first="model_a")


def test_missing_winners_are_left_out_or_ties_where_that_is_asked_for() -> None:
    columns = arena()
    columns["winner"][:3] = ["", "", ""]
    skipped, tied = (assay.prefer(columns, missing=missing) for missing in ("skip", "tie"))
    assert (skipped.provenance["n"], tied.provenance["n"]) == (397, 400)
    assert "3 judgments without a winner were left out" in skipped.notes


NEWCOMER = {
    "prompt": ["q001", "q002", "q003"],
    "model_a": ["New bot", "birch", "New bot"],
    "model_b": ["atlas", "New bot", "cedar"],
    "winner": ["atlas", "birch", "cedar"],
    "judge": ["ben", "ben", "ben"],
}


def with_newcomer() -> dict[str, list[str]]:
    return {name: [*values, *NEWCOMER[name]] for name, values in arena().items()}


def test_a_system_that_lost_every_judgment_is_named_with_the_flag_that_gives_the_others_their_strengths(
    here: Path, capsys: Said
) -> None:
    (here / "new.csv").write_text(csv_of(with_newcomer()), encoding="utf-8")
    text = " ".join(said(capsys, "new.csv").split())
    assert "New bot never won against the other 6 systems. Leave it out with --without 'New bot'" in text
    said(capsys, "new.csv", "--without", "New bot", "--format", "json", "--out", "result.json")
    assert exit_code(["verify", "result.json", "new.csv"]) == 0
    report = assay.prefer(with_newcomer(), without="New bot")
    assert numbers(report) == numbers(assay.prefer(arena()))
    assert "3 judgments with 'New bot' were left out" in report.notes
    assert (report.provenance["n"], report.provenance["left out"]) == (400, 3)


def test_systems_that_are_called_by_numbers_are_left_out_by_number() -> None:
    columns = {**judged("x>y x<y y>x y<x z>y x>z"), "winner": ["a", "b"] * 3}
    coded = {name: ["xyz".index(system) for system in columns[name]] for name in "ab"}
    options: dict[str, Any] = {"without": [2]}
    report = assay.prefer({**columns, **coded}, **options)
    assert "2 judgments with '2' were left out" in report.notes
    assert report.provenance["n"] == 4


def test_missing_winners_of_a_system_that_is_left_out_are_not_counted_twice() -> None:
    columns = with_newcomer()
    columns["winner"][-1] = columns["winner"][0] = ""
    report = assay.prefer(columns, missing="skip", without=["New bot"])
    assert {"1 judgment without a winner was left out", "3 judgments with 'New bot' were left out"} <= set(report.notes)
    assert report.provenance["n"] == 399


def test_the_words_that_were_counted_as_ties_are_said_where_they_are_several() -> None:
    columns = arena()
    tied = [i for i, winner in enumerate(columns["winner"]) if winner == "tie"]
    assert not any("counted as ties" in note for note in assay.prefer(columns).notes)
    for i in tied[:31]:
        columns["winner"][i] = "tie (bothbad)"
    for i in tied[31:33]:
        columns["winner"][i] = ""
    notes = assay.prefer(columns, missing="tie").notes
    assert f"80 judgments counted as ties: 'tie' {80 - 33}, 'tie (bothbad)' 31, no winner 2" in notes


def test_a_system_that_is_called_like_a_word_for_a_tie_is_said_to_be_meant() -> None:
    columns = {name: ["both" if value == "atlas" else value for value in values] for name, values in arena().items()}
    notes = assay.prefer(columns).notes
    assert "the winner 'both' is read as the system of that name, not as a tie or a column" in notes
    assert not any("of that name" in note for note in assay.prefer(arena()).notes)


def test_columns_without_a_name_in_common_are_pointed_out_where_there_are_more_than_two_systems() -> None:
    def told(a: str, b: str) -> bool:
        columns = {"a": list(a), "b": list(b), "winner": ["a", "b"] * (len(a) // 2)}
        notes = assay.prefer(columns, cluster="judgment", ignore_place=True).notes
        return "no system appears in both columns, 'a' and 'b'" in notes

    assert told("xyxyxyxy", "zzwwzzww")
    assert not told("xxxx", "yyyy")
    assert not told("xyxyxyxy", "yxzzxzxz"[:2] + "zzzzzz")


def test_judgments_of_one_item_are_said_to_want_the_judges_and_the_other_way_round() -> None:
    one_item = {**arena(), "prompt": ["q1"] * 400}
    text = assay.prefer(one_item).to_text(1000)
    assert "all judgments are of one item, so no interval can generalize to others; use --cluster judge to" in text
    assert "1 cluster by prompt" in text
    one_judge = {**arena(), "judge": ["ben"] * 400}
    notes = assay.prefer(one_judge, cluster="judge").notes
    assert any(note.startswith("all judgments are by one judge") and "use --cluster item to" in note for note in notes)
    both = {**one_item, "judge": ["ben"] * 400}
    assert any("--cluster judgment to treat judgments as independent" in note for note in assay.prefer(both).notes)


def test_a_report_of_preferences_can_be_verified(capsys: Said) -> None:
    said(capsys, "arena.csv", "--ignore-place", "--level", "0.9", "--format", "json", "--out", "result.json")
    assert exit_code(["verify", "result.json", "arena.csv"]) == 0
    Path("other.csv").write_text(csv_of(arena(seed=4)), encoding="utf-8")
    assert exit_code(["verify", "result.json", "other.csv"]) == 1


def test_the_page_names_the_call_that_makes_it_again() -> None:
    report = assay.prefer("arena.csv", level=0.9)
    call = "assay.prefer('arena.csv', a='model_a', b='model_b', winner='winner', item='prompt', level=0.9)"
    text = Tags(report.to_html()).text
    assert call in text
    assert "answered the same" not in text  # one judgment is about two of the six


# ---------------------------------------------------------------------- what is refused
def without(column: str) -> dict[str, list[str]]:
    return {name: values for name, values in arena(20).items() if name != column}


def changed(column: str, value: str) -> dict[str, list[str]]:
    return {**arena(20), column: [*arena(20)[column][:7], value, *arena(20)[column][8:]]}


REFUSED: dict[str, tuple[dict[str, list[str]], list[str], int]] = {
    "no_winner_column": (without("winner"), [], 3),
    "no_item_column": (without("prompt"), [], 3),
    "no_judge_column": (without("judge"), ["--cluster", "judge"], 3),
    "several_items": ({**arena(20), "question": arena(20)["prompt"]}, [], 3),
    "unknown_column": (arena(20), ["--a", "modle_a"], 3),
    "same_column_twice": (arena(20), ["--a", "model_b"], 2),
    "system_against_itself": ({**arena(20), "model_b": arena(20)["model_a"]}, [], 3),
    "judge_for_a_system": (
        {**arena(20), "winner": ["model_a", "model_b"] * 10},
        ["--a", "judge"],
        3,
    ),
    "unknown_left_out": (arena(20), ["--without", "atlsa"], 3),
    "too_many_left_out": (
        arena(20),
        [f"--without={name}" for name in ("atlas", "birch", "cedar", "delta", "ember")],
        2,
    ),
    "winner_in_other_case": (changed("winner", "EMBER "), [], 3),
    "unknown_winner": (changed("winner", "zeta"), [], 3),
    "missing_winner": (changed("winner", ""), [], 3),
    "stranger_shown_first": ({**arena(20), "shown": ["zeta"] * 20}, ["--first", "shown"], 3),
    "unknown_cluster": (arena(20), ["--cluster", "prompt"], 2),
    "level_of_percent": (arena(20), ["--level", "95"], 2),
    "nothing_judged": ({name: [] for name in arena(20)}, [], 3),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_mistake_gets_one_plain_message(case: str, here: Path, capsys: Said, snapshot: Snapshot) -> None:
    columns, options, code = REFUSED[case]
    (here / "bad.csv").write_text(csv_of(columns), encoding="utf-8")
    assert exit_code(["prefer", "bad.csv", *options]) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    arguments = " ".join(["prefer", "bad.csv", *options])
    snapshot(f"messages/prefer_{case}", f"$ assay {arguments}\n{printed.err}exit {code}")


def test_options_of_python_are_checked_too() -> None:
    for options in ({"cluster": "prompt"}, {"missing": "wrong"}, {"level": 95}, {"a": 3}, {"without": 3}):
        with pytest.raises(AssayError):
            assay.prefer("arena.csv", **options)


# ---------------------------------------------------------------------- hostile names
HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "<img src=x onerror=alert(1)>",
    '=HYPERLINK("http://x","y")',
    "a|b\n::error::c",
    "\\end{tabular}",
)


def test_hostile_names_steer_nothing_in_any_format(here: Path, capsys: Said) -> None:
    names = dict(zip(("atlas", "birch", "cedar", "delta", "ember", "fjord"), (*HOSTILE, "100%"), strict=True))
    columns = {name: [names.get(value, value) for value in values] for name, values in arena().items()}
    (here / "hostile.csv").write_text(csv_of(columns), encoding="utf-8")
    for format in FORMATS:
        text = said(capsys, "hostile.csv", "--format", format)
        assert "\x1b" not in text, format
        assert not any(line.startswith("::") for line in text.splitlines()), format
    page = assay.prefer("hostile.csv").to_html()
    assert "<img src=x" not in page
    assert "<img src=x" not in said(capsys, "hostile.csv", "--format", "md")
    latex = said(capsys, "hostile.csv", "--format", "latex")
    assert latex.count(r"\end{tabular}") == 1
    rows = list(csv.reader(io.StringIO(said(capsys, "hostile.csv", "--format", "csv"))))
    assert not any(cell.startswith("=") for row in rows for cell in row)
    raw = list(csv.reader(io.StringIO(assay.prefer("hostile.csv").to_csv(raw=True))))
    assert {row[0] for row in raw[1:]} - {""} == set(names.values())


@pytest.mark.parametrize(
    "rows",
    [
        [("x", "y", "x")] * 54 + [("x", "y", "y")] * 6,
        [("x", "y", "x")] * 20
        + [("y", "x", "y")] * 15
        + [("x", "y", "y")] * 10
        + [("y", "x", "x")] * 15
        + [("x", "z", "x")] * 20
        + [("y", "z", "y")] * 20,
    ],
    ids=["one is always shown first", "one is always shown second, and never wins"],
)
def test_the_place_is_not_blamed_for_what_the_systems_explain(rows: list[tuple[str, str, str]]) -> None:
    a, b, winner = zip(*rows, strict=True)
    data = {"item": [str(i) for i in range(len(rows))], "a": a, "b": b, "winner": winner}
    text = assay.prefer(data, item="item", a="a", b="b", winner="winner").to_text()
    assert "being shown first matters:" not in text
    assert "no significant effect of being shown first" not in text
    assert "whether being shown first matters cannot be told" in " ".join(text.split())


def test_nothing_is_said_of_gold_labels_where_there_are_none() -> None:
    report = assay.prefer(arena(n=60), item="prompt", a="model_a", b="model_b", winner="winner")
    assert "errors in the gold labels" not in report.to_html()
    assert "errors in the gold labels" not in report.to_markdown()
