"""Shards counted apart and added up, against the whole file; and what is stored, when it is read again."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay import Confusion, DataError
from assay.cli.main import exit_code
from assay.jobs.count import count_file
from assay.jobs.question import Question
from assay.tally.count.counts import Counts

Columns = dict[str, list[Any]]
WEIGHTED = 1e-6  # sums of weights in another order, and derivatives by differences, cost digits


def part(data: Columns, rows: Sequence[int]) -> Columns:
    return {name: [column[i] for i in rows] for name, column in data.items()}


def columns(classes: str = "abc", n: int = 300) -> Columns:
    """Two systems, twelve numbered groups, patients and weights."""
    rng = np.random.default_rng(3)
    gold = rng.choice(list(classes), n)
    out: Columns = {"gold": gold.tolist()}
    for system, right in (("first", 0.8), ("second", 0.6)):
        out[system] = np.where(rng.random(n) < right, gold, rng.choice(list(classes), n)).tolist()
    patient = rng.integers(0, 60, n)
    out["ward"] = [str(i % 12) for i in patient]
    out["patient"] = [f"p{i}" for i in patient]
    out["heavy"] = rng.gamma(2, size=n).round(3).tolist()
    return out


def added(data: Columns, cuts: Sequence[int], **asked: Any) -> Counts:
    """The shards between the cuts, each counted by itself, stored, read again and added up."""
    ends = [0, *cuts, len(data["gold"])]
    shards = [part(data, range(a, b)) for a, b in itertools.pairwise(ends)]
    stored = [count_file(shard, Question(gold="gold", **asked)).to_json() for shard in shards]
    first, *others = (Counts.from_json(text) for text in stored)
    return sum(others, first)


def compared(data: Columns, cuts: Sequence[int], within: float = 0.0, **asked: Any) -> None:
    """Every row and note of the sum is that of the whole."""
    whole = assay.evaluate(count_file(data, Question(gold="gold", **asked)), n_resamples=199)
    merged = assay.evaluate(added(data, cuts, **asked), n_resamples=199)
    assert merged.provenance["n"] == whole.provenance["n"]
    assert merged.notes == whole.notes
    assert len(merged.rows) == len(whole.rows)
    for ours, theirs in zip(merged.rows, whole.rows, strict=True):
        found, expected = ours.to_dict(), theirs.to_dict()
        for name in ("value", "low", "high", "standard_error", "no_skill") if within else ():
            a, b = found.pop(name), expected.pop(name)
            assert a == b or a == pytest.approx(b, rel=within), (name, ours)
        assert found == expected


WAYS: dict[str, dict[str, Any]] = {
    "one system": {"pred": "first"},
    "two systems": {"pred": ["first", "second"]},
    "groups with numbers for names": {"pred": "first", "slices": ("ward",)},
    "clusters": {"pred": "first", "cluster": "patient", "slices": ("ward",)},
    "declared labels": {"pred": "first", "labels": ["d", "c", "b", "a"]},
}


@pytest.mark.parametrize("way", WAYS)
def test_shards_give_the_rows_of_the_whole(way: str) -> None:
    data = columns()
    for cuts in ((100,), (7, 150, 299), (1,)):
        compared(data, cuts, **WAYS[way])


@pytest.mark.parametrize("more", [{}, {"slices": ("ward",)}, {"cluster": "patient"}])
def test_weighted_shards_give_the_rows_of_the_whole(more: dict[str, Any]) -> None:
    compared(columns(), (90, 200), WEIGHTED, pred="first", weight="heavy", **more)


def test_labels_and_groups_that_stand_in_one_shard_only_come_out_as_from_the_whole() -> None:
    data = columns()
    # The first half knows a and b, the second b, c and a class that is sorted before them.
    for name in ("gold", "first"):
        early = ["b" if label == "c" else label for label in data[name][:150]]
        late = ["Z" if label == "a" else label for label in data[name][150:]]
        data[name] = early + late
    data["ward"] = [("x", "y")[i % 2] if i < 150 else ("y", "z")[i % 2] for i in range(300)]
    compared(data, (150,), pred="first", slices=("ward",))
    compared(data, (50, 150, 250), pred="first", slices=("ward",))
    # Numbers are sorted by size, and beside a word as words.
    data["gold"] = [{"a": "9", "b": "10", "c": "11", "Z": "word"}[label] for label in data["gold"]]
    data["first"] = [{"a": "9", "b": "10", "c": "11", "Z": "word"}[label] for label in data["first"]]
    compared(data, (150,), pred="first", slices=("ward",))


def with_gaps(data: Columns, rows: Sequence[int], value: str | None = None) -> Columns:
    """The first system without an answer, or with another one, in these rows."""
    return {**data, "first": [value if i in rows else label for i, label in enumerate(data["first"])]}


@pytest.mark.parametrize("rows", [range(200, 240), range(40), range(80, 120)])
def test_rows_without_an_answer_in_one_shard_only_come_out_as_from_the_whole(rows: range) -> None:
    for classes in ("ab", "abc"):
        data = with_gaps(columns(classes), rows)
        compared(data, (100,), pred="first", missing="wrong", slices=("ward",))
        compared(data, (100,), pred="first", missing="skip", slices=("ward",))


def test_predictions_of_no_class_in_one_shard_only_come_out_as_from_the_whole() -> None:
    data = with_gaps(columns(), range(200, 240), "elsewhere")
    compared(data, (100,), pred="first", labels="gold", slices=("ward",))
    both = with_gaps(data, range(20))
    compared(both, (100,), pred="first", labels="gold", missing="wrong", slices=("ward",))
    compared(both, (100, 210), pred="first", labels="gold", missing="wrong")


def test_shards_that_do_not_belong_together_are_refused() -> None:
    data = columns()
    base = count_file(data, Question(gold="gold", pred="first", slices=("ward",)))
    for asked, reason in (
        ({"pred": "second", "slices": ("ward",)}, "the systems 'first' and the other 'second'"),
        ({"pred": "first"}, "sliced by 'ward' and the other by nothing"),
        ({"pred": "first", "slices": ("ward",), "positive": "a"}, "positive class"),
        ({"pred": "first", "slices": ("ward",), "cluster": "patient"}, "clusters"),
        ({"pred": "first", "slices": ("ward",), "weight": "heavy"}, "weights"),
    ):
        with pytest.raises(DataError, match=reason):
            base + count_file(data, Question(gold="gold", **asked))


def test_unanswered_rows_do_not_add_up_over_different_classes() -> None:
    # Of two classes the other one is the answer, and of three none is: what the whole would hold is not known.
    data = with_gaps(columns(), range(10))
    few = {**data, **{name: ["b" if label == "c" else label for label in data[name]] for name in ("gold", "first")}}
    shards = [count_file(d, Question(gold="gold", pred="first", missing="wrong")) for d in (few, columns())]
    for a, b in (shards, shards[::-1]):
        with pytest.raises(DataError, match="count both with the same labels"):
            a + b
    stray, plain = (
        Confusion.from_predictions(list(g), list(p), labels="gold") for g, p in (("ab", "ax"), ("ac", "ac"))
    )
    with pytest.raises(DataError, match="count both with the same labels"):
        stray + plain


# ---------------------------------------------------------------------- stored
@pytest.mark.parametrize("way", WAYS)
def test_a_stored_tally_is_the_same_when_it_is_read(way: str) -> None:
    counts = count_file(with_gaps(columns(), range(5)), Question(gold="gold", missing="wrong", **WAYS[way]))
    again = Counts.from_json(counts.to_json())
    assert again.to_json() == counts.to_json()
    assert assay.evaluate(again, n_resamples=99).rows == assay.evaluate(counts, n_resamples=99).rows


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a tally that assay wrote, because it is not JSON"),
        ("[]", "it contains a list, but an object was expected"),
        ("{}", "has no 'kind'"),
        ('{"kind": "counts", "schema": 99}', "schema 99"),
        ('{"kind": "report", "schema": 1}', 'kind is "report"; one of .counts., '),
        ('{"kind": "counts", "schema": 1, "systems": {}}', "slices is missing"),
        ('{"kind": "counts", "schema": 2, "systems": {}}', "slices is missing"),
        (
            '{"kind": "counts", "schema": 2, "systems": {"a": 3}, "slices": [], "skipped": 0, "unanswered": {}}',
            "systems.a is 3; an object was expected",
        ),
        (
            '{"kind": "counts", "schema": 2, "systems": {"a": {"rated": 3}}, "slices": [], "skipped": 0, '
            '"unanswered": {}}',
            "systems.a.rated is 3; a tally was expected",
        ),
        (
            '{"kind": "counts", "schema": 1, "systems": {"a": 3}, "slices": [], "skipped": 0, "unanswered": {}, '
            '"guesses": {}}',
            "systems.a is 3; a tally was expected",
        ),
    ],
)
def test_what_is_no_tally_is_refused(text: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        Counts.from_json(text)


# ---------------------------------------------------------------------- made again
def saved(data: Columns, path: Path) -> str:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([list(data), *zip(*data.values(), strict=True)])
    return str(path)


ASKED: dict[str, list[str]] = {
    "plain": ["--pred", "first"],
    "two systems and groups": ["--pred", "first", "--pred", "b=second", "--slice", "ward", "--resamples", "199"],
    "weights": ["--pred", "first", "--weight", "heavy", "--measure", "f1(average=macro)", "--measure", "accuracy"],
    "clusters": ["--pred", "first", "--cluster", "patient", "--level", "0.9"],
    "declared labels": ["--pred", "first", *(word for label in "cbad" for word in ("--labels", label))],
    "elsewhere": ["--pred", "first", "--positive", "b", "--prevalence", "0.1", "--cost-fp", "1", "--cost-fn", "7"],
    "the rest": ["--pred", "first", "--labels", "gold", "--missing", "wrong", "--seed", "5", "--matrix-rows", "pred"],
}


@pytest.mark.parametrize("way", ASKED)
def test_a_report_is_the_same_when_made_again_and_differs_when_one_label_does(
    way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = columns("ab" if way == "elsewhere" else "abc")
    file, result = saved(data, tmp_path / "rows.csv"), str(tmp_path / "result.json")
    asked = ["evaluate", file, "--gold", "gold", *ASKED[way], "--format", "json", "--out", result]
    assert exit_code(asked) == 0
    assert exit_code(["verify", result, file]) == 0
    assert capsys.readouterr().out.startswith("same:")
    # One answer changed, then one gold label changed, then rows in another order.
    wrong = {**data, "first": ["b" if data["first"][0] != "b" else "a", *data["first"][1:]]}
    assert exit_code(["verify", result, saved(wrong, tmp_path / "wrong.csv")]) == 1
    assert capsys.readouterr().out.startswith("differs:")
    gold = {**data, "gold": ["b" if data["gold"][0] != "b" else "a", *data["gold"][1:]]}
    assert exit_code(["verify", result, saved(gold, tmp_path / "gold.csv")]) == 1
    assert "fingerprint" in capsys.readouterr().out
    shuffled = part(data, np.random.default_rng(1).permutation(300).tolist())
    assert exit_code(["verify", result, saved(shuffled, tmp_path / "shuffled.csv")]) == 0


def test_a_report_with_a_number_changed_by_hand_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, result = saved(columns(), tmp_path / "rows.csv"), tmp_path / "result.json"
    command = ["evaluate", file, "--gold", "gold", "--pred", "first", "--format", "json", "--out", str(result)]
    assert exit_code(command) == 0
    stored = json.loads(result.read_text(encoding="utf-8"))
    stored["rows"][0]["value"] += 1e-6
    result.write_text(json.dumps(stored), encoding="utf-8")
    assert exit_code(["verify", str(result), file]) == 1
    assert "1 row of" in capsys.readouterr().out
