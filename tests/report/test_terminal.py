"""What a terminal shows: lines that fit whatever the names are, bars that tell the side, and prose on request."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

import assay
from assay.cli.main import exit_code
from assay.cli.streams import PLAIN
from assay.notes import Aside, after, is_aside, note_of
from assay.report.text.axis import CROSSED, ZERO, Axis
from assay.report.text.lines import MOST_LINES, note_lines
from assay.report.text.wrapping import wrapped, wrapped_text
from tests.terminal import on_a_terminal

WIDTHS = (60, 80, 100, 120)
# The systems, and the positive label.
NAMES = {
    "long": ([f"a_system_with_a_name_of_forty_characters{i}" for i in range(4)], "a_label_of_twenty-odd_letters"),
    "cjk": ([f"非常に長いシステムの名前です第{i}番目の分類器" for i in range(4)], "悪性の腫瘍である可能性が高い"),
    "rtl": ([f"مصنف طويل الاسم جدا رقم {i}" for i in range(4)], "ورم خبيث جدا"),
    "emoji": ([f"🚀🤖 fancy model 👩‍🔬 {i}" for i in range(4)], "😀 bad"),
    "short": (list("abcd"), "y"),
}
Said = pytest.CaptureFixture[str]


def said(capsys: Said, *arguments: str) -> str:
    assert exit_code(list(arguments)) == 0
    return capsys.readouterr().out


@cache
def results(kind: str) -> dict[str, Any]:
    """One result of each kind that a terminal shows."""
    rng = random.Random(1)
    names, yes = NAMES[kind]
    gold = [rng.choice([yes, "no"]) for _ in range(240)]
    other = {yes: "no", "no": yes}
    columns: dict[str, list[Any]] = {"gold": gold, "group": [rng.choice([yes, "no", "x" * 40]) for _ in gold]}
    for i, name in enumerate(names):
        columns[name] = [g if rng.random() > 0.1 + 0.1 * i else other[g] for g in gold]
        columns[f"{name} score"] = [0.4 * (g == yes) + 0.6 * rng.random() for g in gold]
    two = {name: f"{name} score" for name in names[:2]}
    how: dict[str, Any] = {"gold": "gold", "positive": yes, "n_resamples": 99}
    return {
        "one": assay.evaluate(columns, pred=names[0], scores={names[0]: two[names[0]]}, slices="group", **how),
        "two": assay.compare_systems(columns, pred=names[:2], scores=two, slices="group", **how),
        "many": assay.compare_systems(columns, pred=names, slices="group", **how),
        "baseline": assay.compare_systems(columns, pred=names, baseline=names[0], measures=["f1", "mcc"], **how),
        "curve": assay.curves(columns, gold="gold", scores=two, positive=yes),
        "calibration": assay.curves(columns, gold="gold", scores=two, positive=yes, kind="calibration"),
        "tune": assay.tune(columns, gold="gold", score=two[names[0]], positive=yes, youden=True, n_resamples=99),
    }


def texts(result: Any, width: int) -> Iterator[str]:
    """The result in brief, and with everything that can be asked for."""
    yield result.to_text(width)
    if isinstance(result, assay.Report):
        yield result.to_text(width, explain=True, groups="all", notes="all", classes="all")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", NAMES)
def test_no_line_is_wider_than_the_terminal_and_none_had_to_be_broken_to_fit(
    kind: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[Text] = []
    as_before = Console.print

    def noted(console: Console, *objects: Any, **options: Any) -> None:
        printed.extend(each for each in objects if isinstance(each, Text))
        as_before(console, *objects, **options)

    monkeypatch.setattr(Console, "print", noted)
    for result in results(kind).values():
        for text in texts(result, width):
            assert [line for line in text.splitlines() if cell_len(line) > width] == []
    assert [line.plain for line in printed if line.cell_len > width] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_plan_and_a_check_fit_too(width: int, capsys: Said, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    rows = "".join(
        f"{i},{'悪性の腫瘍である可能性が高い' if i % 2 else 'a label of some length'},b\n" for i in range(60)
    )
    file = tmp_path / "rows.csv"
    file.write_text(f"id,gold,a_system_with_a_name_of_forty_characters\n{rows}", encoding="utf-8")
    for arguments in (["plan", "--difference", "0.02", "--disagreement", "0.1"], ["check", str(file)]):
        lines = said(capsys, *arguments).splitlines()
        # The name of the folder is what it is.
        assert [line for line in lines if cell_len(line) > width and str(tmp_path) not in line] == []


# ---------------------------------------------------------------------- lines
def test_lines_are_broken_at_blanks_and_only_a_word_longer_than_a_line_is_cut() -> None:
    text = "--no-worse-than keeps its hyphens, and mid-p stays whole (p = 0.023)."
    for width in range(16, 80):
        lines = wrapped(text, width)
        assert " ".join(lines) == text
        assert all(cell_len(line) <= width for line in lines)
        assert not any(re.search(r"(^|[ (])p( =)?$", line) for line in lines)
    assert wrapped("悪性の腫瘍", 4) == ["悪性", "の腫", "瘍"]
    assert wrapped("one two three", 14, " watch  ", " " * 8) == [" watch  one", "        two", "        three"]


def test_a_line_keeps_its_colors_when_it_is_broken() -> None:
    text = Text.assemble("F1 ", ("●\u00a00.9", "bold red"), " against another")
    first, second, *_ = wrapped_text(text, 8)
    assert (first.plain, second.plain) == ("F1 ● 0.9", "against")
    assert [(span.start, span.end, str(span.style)) for span in first.spans] == [(3, 8, "bold red")]


# ---------------------------------------------------------------------- axes
@pytest.mark.parametrize("cells", [11, 17, 21, 41])
@pytest.mark.parametrize("ends", [(0.0, 0.135), (-0.02, 0.03), (-0.5, 0.001), (-0.001, 0.4), (-0.15, 0.0), (0.0, 1e-7)])
def test_a_bar_touches_the_line_at_0_only_where_the_interval_contains_it(ends: tuple[float, float], cells: int) -> None:
    axis, rng = Axis.of_differences(ends, cells), random.Random(3)
    for _ in range(300):
        low, value, high = sorted(rng.uniform(*ends) for _ in range(3))
        line = axis.drawn(value, low, high, "●", "").plain
        assert len(line) == cells
        assert (line[axis.origin] == ZERO) == (low > 0 or high < 0)
        assert line[axis.origin] in (ZERO, CROSSED, "●", "▶", "◀")
        left, right = line[: axis.origin].strip(), line[axis.origin + 1 :].strip()
        assert not left or low < 0
        assert not right or high > 0


def test_numbers_above_an_axis_are_round_apart_and_above_their_places() -> None:
    rng = random.Random(5)
    for _ in range(400):
        low, high = sorted(rng.uniform(-1, 1) * 10 ** rng.uniform(-4, 3) for _ in range(2))
        for axis in (Axis.of_differences((low, high), rng.randint(11, 41)), Axis.of_values((low, high), 21)):
            head = axis.head(signed=axis.zero)
            assert len(head) == axis.cells
            found = [(each.start(), each[0]) for each in re.finditer(r"\S+", head)]
            assert len(found) <= 6
            assert not re.search(r"[.\d] [+−.\d]", head) or axis.cells < 41
            for at, text in found:
                place = axis.cell(float(text.replace("−", "-")))
                assert at <= place < at + len(text)


def test_what_lies_beyond_an_axis_is_an_arrow() -> None:
    axis = Axis.of_differences((-0.1, 0.1), 21)
    assert axis.drawn(1.0, 0.5, 1.5, "●", "").plain.rstrip().endswith("▶")
    assert axis.drawn(0.05, -0.2, 0.3, "●", "").plain[0::20] == "◂▸"
    assert axis.drawn(-1.0, -1.5, -0.5, "●", "").plain.startswith("◀ ")


# ---------------------------------------------------------------------- two systems
def cancer(*options: str) -> list[str]:
    with as_file(files("assay") / "data" / "breast_cancer.csv") as path:
        both = ["--pred", "logistic", "--pred", "tree", "--positive", "malignant"]
        return ["compare", str(path), "--gold", "gold", *both, *options]


SCORES = ["--score", "logistic=logistic_score", "--score", "tree=tree_score"]


def test_at_80_columns_there_are_values_limits_and_bars_of_at_least_17_cells(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = said(capsys, *cancer(*SCORES)).splitlines()
    (line,) = [line for line in lines if line.startswith(" F1 tested")]
    assert re.search(r"0\.969 +0\.920 +\+0\.048  \+\.019 to \+\.077  │ +[━╺╸]+●[━╺╸]+$", line)
    (far,) = [line for line in lines if line.startswith(" Log loss")]
    assert far.endswith("▶")
    assert len(far[far.index("│") :]) >= 17


def test_measures_of_labels_of_scores_and_of_loss_stand_apart_with_the_tested_one_first(capsys: Said) -> None:
    text = said(capsys, *cancer(*SCORES, "--primary", "roc_auc"))
    table = text[text.index(" measure") : text.index(" right of")]
    names = [re.split(r"  +", block.strip())[0] for block in table.split("\n\n")]
    assert "ROC AUC tested" in table.split("\n")[2]
    assert [name.splitlines()[-1] if name.startswith("measure") else name for name in names][1:] == [
        "Accuracy", "Average precision", "Brier score ↓"
    ]  # fmt: skip


def test_the_marks_of_the_verdict_are_those_of_the_table(capsys: Said) -> None:
    text = said(capsys, *cancer())
    assert "F1 ● 0.969 vs. ◆ 0.920: difference +0.048 (95% +0.019 to +0.077), p = 0.00092.\n" in text
    assert re.search(r" measure +● logistic +◆ tree +● − ◆", text)


def test_prose_on_tests_and_names_of_methods_are_shown_if_asked_for(capsys: Said) -> None:
    brief, full = (" ".join(said(capsys, *cancer(*more)).split()) for more in ([], ["--explain"]))
    for told in ("null hypothesis (H0)", "two-sided randomization test", "intervals: midp", "they differ on 36 of 569",
                 "only logistic right 28", "9,999 draws"):  # fmt: skip
        assert told in full
        assert told not in brief
    assert brief.endswith("569 rows · seed 0 · how each number was made: --explain · page: --html FILE")
    assert "how each number was made" not in full


def test_explaining_changes_no_other_format(capsys: Said) -> None:
    for format in ("json", "csv", "md", "latex"):
        brief, full = (said(capsys, *cancer("--format", format, *more)) for more in ([], ["--explain"]))
        assert brief == full


# ---------------------------------------------------------------------- many systems
def test_systems_that_cannot_be_told_apart_share_a_bracket_and_a_letter(capsys: Said) -> None:
    with as_file(files("assay") / "data" / "digits.csv") as path:
        systems = [word for name in ("logistic", "tree", "forest", "bayes") for word in ("--pred", name)]
        text = said(capsys, "compare", str(path), "--gold", "gold", *systems)
    shown = text[text.index(" system") : text.index(" systems that share")].splitlines()[1:]
    order = ["■ forest", "● logistic", "▲ bayes", "◆ tree"]
    assert [line.strip().split("  ")[0] for line in shown] == order
    assert ["".join(re.findall("[┐┘]| [ab] ", line)).split() for line in shown] == [
        ["┐", "a"], ["┘", "a"], ["┐", "b"], ["┘", "b"]
    ]  # fmt: skip
    triangle = text[text.index(" row − column") : text.index(" the row is better")].splitlines()
    assert [len(re.findall(r"[+−]0\.\d+", line)) for line in triangle[1:]] == [3, 2, 1]
    assert [line.count("?") for line in triangle[1:]] == [1, 0, 1]
    assert "the interval and p of every pair: --explain" in text


@pytest.mark.parametrize("kind", NAMES)
def test_a_triangle_has_every_pair_once(kind: str) -> None:
    report = results(kind)["many"]
    text = report.to_text(100)
    triangle = text[text.index(" row − column") :].split("\n\n")[0].splitlines()
    cells = [re.findall(r"(?<!\S)[+−]0?\.?\d+\.\d+|(?<!\S)[+−]\d\.\d+|(?<!\S)0\.0+", line) for line in triangle[1:4]]
    assert [len(found) for found in cells] == [3, 2, 1]
    assert "\n comparison " not in text
    assert "\n comparison " in report.to_text(100, explain=True)


@pytest.mark.parametrize(("systems", "triangle", "rows"), [(7, 6, 21), (8, 7, 28), (9, 0, 8)])
def test_no_pair_is_lost_between_a_triangle_and_the_table(systems: int, triangle: int, rows: int) -> None:
    rng = random.Random(4)
    gold = [rng.choice("ab") for _ in range(120)]
    other = {"a": "b", "b": "a"}
    preds = {f"s{i}": [g if rng.random() > 0.05 * i else other[g] for g in gold] for i in range(systems)}
    report = assay.compare_systems({"gold": gold, **preds}, pred=list(preds), primary="accuracy", positive="a")
    brief, full = report.to_text(), report.to_text(explain=True)
    drawn = brief[brief.index(" row − column") :].split("\n\n")[0].splitlines()[1:] if triangle else []
    assert len([line for line in drawn if re.match(r" \S s\d", line)]) == triangle
    pairs = re.findall(r"^ s\d − s\d ", full, flags=re.MULTILINE)
    assert len(pairs) == rows
    assert triangle or f"… and {systems * (systems - 1) // 2 - rows} more" in full


# ---------------------------------------------------------------------- groups and notes
def test_a_comparison_by_group_fits_a_screen_and_counts_the_lines_that_it_leaves_out(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    asked = cancer(*SCORES, "--slice", "size")
    brief, every = (said(capsys, *asked, *more) for more in ([], ["--groups", "all"]))
    assert len(brief.splitlines()) <= 45
    assert max(map(cell_len, brief.splitlines())) <= 80
    groups = re.compile(r" · (large|medium|small) ")
    shown, whole = ([line for line in text.splitlines() if groups.search(line)] for text in (brief, every))
    (folded,) = re.findall(r"… and (\d+) more groups", brief)
    assert len(shown) + int(folded) == len(whole) == 45
    assert "more groups" not in every
    # Of the measure that was tested every group is shown, whichever system is ahead in it.
    assert [re.split(r" {2,}", line.strip())[0] for line in shown[:3]] == ["F1 · large", "F1 · medium", "F1 · small"]
    assert "−0.07" in shown[2]
    # Of each system the groups that a test found, with its mark.
    assert [line[:3] for line in shown[3:]] == [" ● ", " ● ", " ◆ ", " ◆ "]
    assert "differences within groups are not tested" in " ".join(brief.split())


def test_warnings_come_in_the_order_of_the_page_and_technical_ones_last(capsys: Said) -> None:
    printed = " ".join(said(capsys, *cancer(*SCORES, "--slice", "size", "--notes", "all")).split())
    places = [
        printed.index(told)
        for told in (
            "logistic: 3 measures differ by size",
            "tree: no better than the base rate for every row: Log loss (1.1 against 0.7)",
            "tree: not calibrated: off by 0.048 on average; by chance 0.007 to 0.016",
            "tree: 5 measures differ by size",
            "rest on fewer than 30 rows",
            "Log loss: probabilities of 0 or 1, moved inward by 2.2e-16 so that the loss stays finite: 54 rows "
            "(logistic) and 201 rows (tree)",
            "note 12 measures shown",
        )
    ]
    assert places == sorted(places)
    assert "log_loss" not in printed


def test_a_column_whose_groups_are_all_alike_takes_one_line() -> None:
    rng = random.Random(2)
    gold = ["y" if rng.random() < 0.5 else "n" for _ in range(300)]
    pred = [g if rng.random() < 0.8 else "n" for g in gold]
    data = {"gold": gold, "pred": pred, "site": [rng.choice("abc") for _ in gold]}
    report = assay.evaluate(data, positive="y", slices="site", n_resamples=199, random_state=1)
    alike = [row.interval for row in report.rows if row.quantity == "difference" and row.interval is not None]
    assert alike
    assert all(0.0 in interval for interval in alike)
    assert "\n by site: no interval of a difference excludes 0; --groups all shows all 15 lines\n" in report.to_text()


def test_a_note_says_on_how_few_rows_a_value_rests() -> None:
    gold = ["y"] * 6 + ["n"] * 94 + ["y"] * 60 + ["n"] * 40
    data = {"gold": gold, "pred": [*gold[1:], "n"], "site": ["small"] * 100 + ["large"] * 100}
    report = assay.evaluate(data, positive="y", slices="site", measures=["recall", "accuracy"], n_resamples=99)
    assert "some values by site rest on fewer than 30 rows: 6 in “small” (Recall)" in report.notes
    row = next(line for line in report.to_text(groups="all").splitlines() if line.startswith(" Recall · small"))
    assert row.split()[3] == "6"


def test_watch_marks_warnings_and_what_only_explains_follows_as_a_note() -> None:
    notes = [Aside("excellent"), "few rows", note_of(["auc"], Aside("as expected")), note_of(["f1"], "no interval")]
    assert [is_aside(note) for note in notes] == [True, False, True, False]
    assert is_aside(after("tree: ", notes[0]))
    assert not is_aside(after("tree: ", notes[1]))
    lines = [line.plain for line in note_lines(notes, 60)]
    assert lines == [" watch   few rows", "         f1: no interval", " note    excellent", "         auc: as expected"]


@pytest.mark.parametrize("warnings", range(0, 30, 3))
def test_ten_lines_of_notes_at_most_begin_with_the_warnings(warnings: int) -> None:
    notes = [*(Aside(f"aside {i}") for i in range(9)), *(f"warning {i}" for i in range(warnings))]
    lines = [line.plain for line in note_lines(notes, 60, all_of_them=False)]
    assert len(lines) <= MOST_LINES
    shown = [line[9:] for line in lines if "more note" not in line]
    assert shown[:warnings] == [f"warning {i}" for i in range(len(shown[:warnings]))]
    folded = re.search(r"(\d+) more note", lines[-1])
    assert len(shown) + (int(folded[1]) if folded else 0) == len(notes)


def test_the_positive_class_comes_first_in_a_matrix() -> None:
    data = {"gold": ["a", "a", "z", "z", "z"] * 12, "pred": ["a", "z", "z", "z", "a"] * 12}
    for positive, first in (("a", "a"), ("z", "z")):
        text = assay.evaluate(data, positive=positive).to_text()
        table = text[text.index(" errors") :].splitlines()
        assert table[0].split()[2] == first
        assert table[1].split()[1] == first
        right = {"a": "12", "z": "24"}[first]
        assert table[1].split()[2] == right


# ---------------------------------------------------------------------- terminals
def test_colors_are_those_that_a_terminal_has_and_none_where_none_are_wanted() -> None:
    many = on_a_terminal(cancer(), COLORTERM="truecolor")
    some, none = on_a_terminal(cancer()), on_a_terminal(cancer(), NO_COLOR="1")
    assert "\x1b[1;38;2;40;120;216m● 0.969" in many
    assert re.search("\x1b\\[1;38;5;\\d+m● 0.969", some)
    assert not re.search("\x1b\\[[\\d;]*[34][0-9]", none)
    without = [re.sub("\x1b\\[[\\d;]*m", "", text) for text in (many, some, none)]
    assert without[0] == without[1] == without[2]
    assert "F1 ● 0.969 vs. ◆ 0.920" in without[0]


def test_a_terminal_without_our_signs_shows_plain_letters_in_the_same_columns() -> None:
    plain = on_a_terminal(cancer(), TERM="dumb", PYTHONIOENCODING="ascii")
    whole = on_a_terminal(cancer(), TERM="dumb")
    assert plain.isascii()
    assert "?" not in plain
    assert [len(line.rstrip()) for line in plain.splitlines()] == [len(line.rstrip()) for line in whole.splitlines()]
    assert all(text.isascii() for text in PLAIN.values())
