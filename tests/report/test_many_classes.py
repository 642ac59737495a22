"""Many classes: one row a class, the rest folded with their number, and notes that say one thing once."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import pytest

import assay
from assay.cli.main import exit_code
from assay.errors import OptionError
from assay.notes import Note, full, gathered, is_aside, note_of
from assay.report.contents.blocks import Table
from assay.report.names import cut_alike
from tests.oracles.test_per_class import zipf
from tests.pages import blocks

WIDTHS = [40, 60, 80, 100, 140]


@pytest.fixture(scope="module")
def rows() -> dict[str, list[str]]:
    gold, a = zipf(52, 900)
    _, b = zipf(52, 900, seed=8)
    a = ["c000" if x > "c040" else x for x in a]
    return {"gold": gold, "a": a, "b": [y if x == z else z for x, y, z in zip(gold, b, a, strict=True)]}


@pytest.fixture(scope="module")
def evaluated(rows: dict[str, list[str]]) -> assay.Report:
    return assay.evaluate(rows, gold="gold", pred="a", n_resamples=99)


@pytest.fixture(scope="module")
def compared(rows: dict[str, list[str]]) -> assay.Report:
    return assay.compare_systems(rows, gold="gold", pred=["a", "b"], n_resamples=99)


def listed(text: str) -> list[str]:
    """The classes of the table of classes, in order."""
    return [line.split()[0] for line in text.splitlines() if re.match(r" c\d\d\d +[-+\d–]", line)]


STYLES = ("alpha", "beta", "gamma", "delta", "epsilon")
LONG = [*(f"handwritten digit {digit}, style {style}" for digit in range(10) for style in STYLES), "x", "y"]


@pytest.mark.parametrize("most", [12, 16, 20, 26, 28, 40])
def test_names_with_much_in_common_can_be_told_apart_at_every_size(most: int) -> None:
    for names in (LONG, [f"{'a' * 40}{i}{'b' * 40}{j}{'c' * 40}" for i in range(9) for j in range(9)]):
        cut = cut_alike(names, most)
        assert len({*cut.values()}) == len(names)
        assert max(map(len, cut.values())) <= most


def test_the_table_of_classes_shows_names_that_can_be_told_apart() -> None:
    text = str(assay.classification_report(LONG, LONG, method="wilson"))
    assert len({line.partition(" 1.00")[0] for line in text.splitlines() if "style" in line}) == 50


# ---------------------------------------------------------------------- the table
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("which", ["evaluated", "compared"])
def test_every_width_has_one_row_for_each_of_the_largest_classes(
    width: int, which: str, rows: dict[str, list[str]], request: pytest.FixtureRequest
) -> None:
    text = request.getfixturevalue(which).to_text(width)
    assert max(len(line) for line in text.splitlines()) <= width
    sizes = [rows["gold"].count(name) for name in listed(text)]
    assert len(sizes) == 20
    assert sizes == sorted((rows["gold"].count(name) for name in set(rows["gold"])), reverse=True)[:20]
    assert "… and 32 more classes (largest first); --classes all shows them" in " ".join(text.split())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("which", ["evaluated", "compared"])
def test_what_has_no_room_is_said_and_nothing_else_is_left_out(
    width: int, which: str, request: pytest.FixtureRequest
) -> None:
    text = request.getfixturevalue(which).to_text(width)
    (head,) = [line for line in text.splitlines() if re.match(" class[ ,]", line)]
    assert all(name in head for name in ("Precision", "Recall", "F1", "gold")) or width < 60
    told = " ".join(text.split())
    assert ("called" in head) != ("called rows" in told)
    assert "left out here" not in told


def test_a_wide_terminal_shows_each_value_with_its_interval_and_the_rows_called_so(
    evaluated: assay.Report, rows: dict[str, list[str]]
) -> None:
    (line,) = [line for line in evaluated.to_text(100).splitlines() if re.match(r" c001 +\d", line)]
    numbers = re.findall(r"\d\.\d+", line)
    assert len(numbers) == 9
    assert all(float(low) <= float(value) <= float(high) for value, low, high in zip(*[iter(numbers)] * 3, strict=True))
    assert line.split()[-2:] == [str(rows["gold"].count("c001")), str(rows["a"].count("c001"))]


def test_a_wide_comparison_shows_both_values_and_their_difference(compared: assay.Report) -> None:
    text = compared.to_text(160, classes="all")
    a, b = (compared.per_class[system, "c002"].f1.value for system in "ab")
    assert a is not None
    assert b is not None
    (line,) = [line for line in text.splitlines() if line.startswith(" c002 ")]
    assert f"{a:.2f}" in line
    assert f"{b:.2f}" in line
    assert f"{a - b:+.2f}" in line


def test_the_worst_classes_come_first_where_that_is_asked_for(evaluated: assay.Report) -> None:
    f1 = {row.class_: row.f1.value or 0.0 for row in evaluated.per_class.classes}
    shown = listed(evaluated.to_text(100, sort="worst", classes=7))
    assert [f1[name] for name in shown] == sorted(f1.values())[:7]


def test_all_classes_are_shown_by_name_where_that_is_asked_for(evaluated: assay.Report) -> None:
    assert listed(evaluated.to_text(100, sort="name", classes="all")) == [f"c{i:03d}" for i in range(52)]


@pytest.mark.parametrize("classes", ["many", 0, "-1", 2.5, True])
def test_a_number_of_classes_that_is_none_is_refused(evaluated: assay.Report, classes: Any) -> None:
    with pytest.raises(OptionError, match="expected a whole number of at least 1, or all"):
        evaluated.to_text(classes=classes)


def test_a_measure_of_the_users_own_has_the_same_table(rows: dict[str, list[str]]) -> None:
    report = assay.evaluate(rows, gold="gold", pred="a", measures=["jaccard", "specificity"], n_resamples=99)
    (head,) = [line for line in report.to_text(100).splitlines() if re.match(" class[ ,]", line)]
    assert re.search("Jaccard .*Specificity .*gold +called", head)


def test_the_command_line_has_the_same_options(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    gold, pred = zipf(30, 300)
    path = tmp_path / "rows.csv"
    path.write_text("gold,a\n" + "".join(f"{x},{y}\n" for x, y in zip(gold, pred, strict=True)))
    command = ["evaluate", str(path), "--pred", "a", "--resamples", "99"]
    assert exit_code([*command, "--classes", "3", "--sort", "name", "--notes", "all"]) == 0
    text = capsys.readouterr().out
    assert listed(text) == ["c000", "c001", "c002"]
    assert "more notes" not in text
    assert exit_code([*command, "--classes", "few"]) == 2
    assert "classes (--classes) is 'few'" in capsys.readouterr().err


# ---------------------------------------------------------------------- a matrix in a narrow terminal
def test_a_matrix_without_room_is_told_row_by_row() -> None:
    gold, pred = (
        ["ham"] * 9 + ["spam"] * 4 + ["bulk"],
        ["ham"] * 5 + ["spam"] * 2 + ["news", "ad"] + ["spam"] * 3 + ["ham", "bulk"],
    )
    names = {name: f"{name}-and-whatever-else-is-like-it" for name in ("ham", "spam", "news", "ad", "bulk")}
    data = {"gold": [names[x] for x in gold], "pred": [names[x] for x in pred]}
    text = assay.evaluate(data, gold="gold", pred="pred", n_resamples=99).to_text(95)
    (line,) = [line for line in text.splitlines() if line.startswith(" gold ham")]
    assert re.search(r" 9 +5 +“spam-and-wh…” 2, “ad-and-what…” 1, 1 others$", line)
    assert max(len(line) for line in text.splitlines()) <= 95


# ---------------------------------------------------------------------- notes
def test_notes_with_one_cause_are_told_as_one() -> None:
    notes = [
        Note([f"'{name}'"], "; left out", after=" is rare", several="{n} classes are rare: ") for name in "abcdefgh"
    ]
    assert gathered(notes[:1]) == ("'a' is rare; left out",)
    assert gathered(notes[:3]) == ("3 classes are rare: 'a', 'b' and 'c'; left out",)
    (told,) = gathered([*notes, *notes])
    assert told == "8 classes are rare: 'a', 'b', 'c', 'd', 'e' and 3 more; left out"
    assert full(told) == "8 classes are rare: 'a', 'b', 'c', 'd', 'e', 'f', 'g' and 'h'; left out"


def test_what_is_said_of_several_systems_is_said_once_behind_their_names() -> None:
    inner = Note("abcdefg", " are rare")
    told = gathered([note_of(["x"], inner), "plain", note_of(["y"], inner), "plain"])
    assert told == ("x and y: a, b, c, d, e and 2 more are rare", "plain")
    assert full(told[0]) == "x and y: a, b, c, d, e, f and g are rare"


def test_a_name_with_braces_stays_as_it_is() -> None:
    assert Note(["{n}", "{names}"], several="{n} of them: ") == "2 of them: {n} and {names}"


def test_a_note_can_be_copied_and_kept() -> None:
    note = note_of(["f1"], Note("abcdefg", " are rare", several="{n}: "))
    for again in (copy.deepcopy(note), pickle.loads(pickle.dumps(note))):
        assert (again, again.full, again.cause) == (note, note.full, note.cause)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("which", ["evaluated", "compared"])
def test_notes_take_ten_lines_at_most_and_the_rest_is_counted(
    width: int, which: str, request: pytest.FixtureRequest
) -> None:
    report = request.getfixturevalue(which)
    brief, every = (_notes_of(report.to_text(width, notes=notes)) for notes in ("brief", "all"))
    assert len(brief) <= 10
    folded = re.search(r"… and (\d+) more notes?; --notes all shows (them|it)", " ".join(brief))
    assert folded is not None or width >= 100
    more = 0 if folded is None else int(folded[1])
    in_order = sorted(report.notes, key=is_aside)  # warnings come first
    assert str(in_order[-more - 1])[-9:] in " ".join(brief)
    assert "more notes" not in " ".join(every)
    assert all(full(note)[-9:] in " ".join(every) for note in report.notes)


def _notes_of(text: str) -> list[str]:
    """The lines behind the badge."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(" watch "))
    return [line[9:] for line in lines[start : lines.index("", start)]]


def test_classes_that_were_never_predicted_are_one_note_with_every_name_in_json(evaluated: assay.Report) -> None:
    missed = sorted(row.class_ or "" for row in evaluated.per_class.classes if row.predicted == 0)
    assert len(missed) > 6
    (told,) = [note for note in evaluated.notes if "never predicted" in note]
    assert told.startswith(f"Precision, macro: {len(missed)} classes were never predicted: '{missed[0]}', ")
    assert f" and {len(missed) - 5} more; counted as 0 in the average" in told
    (whole,) = [note for note in json.loads(evaluated.to_json())["notes"] if "never predicted" in note]
    assert re.findall(r"'(c\d+)'", whole) == missed


def test_a_measure_without_a_value_keeps_its_row_with_the_reason() -> None:
    text = assay.evaluate({"gold": ["y"] * 9, "pred": ["n"] * 5 + ["y"] * 4}, positive="y").to_text()
    assert re.search(r"^ Specificity “y” +undefined: all items have this gold class", text, re.MULTILINE)


# ---------------------------------------------------------------------- on the page
@pytest.mark.parametrize("which", ["evaluated", "compared"])
def test_a_page_has_a_row_for_every_class_of_every_system(which: str, request: pytest.FixtureRequest) -> None:
    report = request.getfixturevalue(which)
    every = [block.section for block in blocks(report.page()) if isinstance(block, Table)]
    tables = [section for section in every if section.title == "class"]
    assert len(tables) == len(report.systems)
    for table, system in zip(tables, report.systems, strict=True):
        assert table.columns == ("Precision", "Recall", "F1", "gold", "called")
        assert len(table.rows) == 52
        for name, cells in table.rows:
            row = report.per_class[system.name, name]
            assert [cell.value for cell in cells[:3]] == [row.precision.value, row.recall.value, row.f1.value]
            assert [cell.text for cell in cells[3:]] == [str(row.support), str(row.predicted)]


def test_both_classes_of_a_confusion_can_be_read_however_long_their_names_are() -> None:
    names = [f"handwritten digit {d}, style {style}" for d in range(4) for style in ("alpha", "bravo")]
    gold = names * 10
    pred = [names[(i + (i % 5 == 0)) % len(names)] for i in range(len(gold))]
    lines = assay.evaluate({"gold": gold, "m": pred}, gold="gold", pred="m").to_text(80).splitlines()
    start = next(i for i, line in enumerate(lines) if "most confused" in line) + 1
    rows = [line for line in lines[start:] if " called " in line]
    assert len(rows) == len({(a, b) for a, b in zip(gold, pred, strict=True) if a != b})
    assert len({line.split("  ")[0] for line in rows}) == len(rows)
    for line in rows:
        for side in line.strip().split("   ")[0].split(" called "):
            assert any(side.endswith(name[-8:]) for name in names)
