"""Counts that an earlier version stored are read with the same numbers, and add up with those of today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import assay
from assay.jobs.count import count_file
from assay.jobs.question import Question
from assay.tally.class_scores import ClassScored
from assay.tally.count.counts import Counts
from assay.tally.guesses import Guessed
from assay.tally.labels import Confusion
from assay.tally.scores import Scored

FIRST = Path(__file__).parent / "stored" / "counts_schema_1.json"
# The rows that the stored file was counted from.
ROWS: dict[str, list[Any]] = {
    "gold": list("ababab"),
    "m": list("abbbab"),
    "p": [0.1, 0.9, 0.6, 0.7, 0.2, 0.8],
    "second": list("bababa"),
    "c_a": [0.75, 0.25, 0.5, 0.25, 0.75, 0.25],
    "c_b": [0.25, 0.75, 0.5, 0.75, 0.25, 0.75],
    "z": [-3, 2, 1, 4, -2, 5],
    "site": list("xxxyyy"),
    "w": [1, 2, 1, 1, 0.5, 3],
    "patient": list("ppqqrr"),
}
ASKED = Question(
    gold="gold",
    pred={"m": "m"},
    scores={"m": "p", "z": "z", "c": "c_{}"},
    positive="b",
    slices=("site",),
    guesses={"m": ["second"]},
    weight="w",
    cluster="patient",
)


def test_counts_of_the_first_schema_are_read_with_the_same_counts() -> None:
    read = Counts.from_json(FIRST.read_text(encoding="utf-8"))
    gold: list[str] = ROWS["gold"]
    how: dict[str, Any] = {"sample_weight": ROWS["w"], "cluster": ROWS["patient"]}
    positive = [label == "b" for label in gold]
    assert {name: list(kinds) for name, kinds in read.systems.kinds.items()} == {
        "m": ["confusion", "scored", "guesses"],
        "z": ["scored"],
        "c": ["confusion", "class_scores"],
    }
    assert read.systems["m"] == Confusion.from_predictions(gold, ROWS["m"], positive="b", **how)
    assert read.systems.of("m", Guessed) == Guessed.from_guesses(
        gold, list(zip(ROWS["m"], ROWS["second"], strict=True)), **how
    )
    scores = {"a": ROWS["c_a"], "b": ROWS["c_b"]}
    assert read.systems.of("c", ClassScored) == ClassScored.from_class_scores(gold, scores, **how)
    for name, column in (("m", "p"), ("z", "z")):
        tally, alone = read.systems.of(name, Scored), Scored.from_scores(positive, ROWS[column], **how)
        assert tally is not None
        assert (tally.positive, tally.negative) == ("b", "a")
        assert tally.to_dict()["units"] == alone.to_dict()["units"]
        assert tally.to_dict()["weights"] == alone.to_dict()["weights"]
        assert tally.to_dict()["clusters"] == alone.to_dict()["clusters"]
    (slicing,) = read.slices
    assert slicing.groups["x"]["m"].n == slicing.groups["y"]["z"].n == 3


def test_what_is_computed_from_the_first_schema_is_what_is_computed_today() -> None:
    today = count_file(ROWS, ASKED)
    read = Counts.from_json(FIRST.read_text(encoding="utf-8"))
    assert read.systems == today.systems
    assert assay.evaluate(read).rows == assay.evaluate(Counts.from_json(today.to_json())).rows


def test_counts_of_both_schemas_add_up() -> None:
    old, new = Counts.from_json(FIRST.read_text(encoding="utf-8")), count_file(ROWS, ASKED)
    for both in (old + new, new + old):
        assert {name: tally.n for name, tally in both.systems.every()} == {"m": 12, "z": 12, "c": 12}
        # The first schema kept no guesses of groups, so the sum cannot have them.
        assert list(both.slices[0].groups["x"].kinds["m"]) == ["confusion", "scored"]
        stored = both.to_json()
        assert json.loads(stored)["schema"] == 2
        assert Counts.from_json(stored).to_json() == stored
