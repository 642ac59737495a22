"""Columns of scores on every engine: the same tallies, the same complaints."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.errors import DataError, OptionError
from assay.jobs.count import count_file
from assay.jobs.question import Question
from assay.tally.class_scores import ClassScored
from assay.tally.labels import Confusion
from assay.tally.scores import Scored
from tests.engines.engines import MAKERS, Maker

ENGINES = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
RNG = np.random.default_rng(7)
N = 400
COLUMNS: dict[str, list[Any]] = {
    "id": [f"r{i}" for i in range(N)],
    "gold": RNG.choice(["ham", "spam"], N).tolist(),
    # Ties, zeros of both signs, ends of the range, numbers that no short decimal writes.
    "p": [*RNG.choice([0.0, -0.0, 0.1, 0.25, 1 / 3, 0.5, 1.0], N // 2).tolist(), *RNG.random(N - N // 2).tolist()],
    "q": RNG.random(N).round(2).tolist(),
    "z": (RNG.normal(size=N) * 10.0 ** RNG.integers(-300, 300, N).astype(float)).tolist(),
    "group": RNG.choice(["x", "y"], N).tolist(),
    "patient": [f"p{i % 37}" for i in range(N)],
    "kind": RNG.choice(["a", "b", "c"], N).tolist(),
    "of_a": RNG.random(N).tolist(),
    "of_b": RNG.random(N).tolist(),
    "of_c": RNG.random(N).tolist(),
}


def question(**asked: Any) -> Question:
    return Question(**{"gold": "gold", "positive": "spam", **asked})


@ENGINES
def test_every_engine_counts_the_same_scores(maker: Maker, tmp_path: Path) -> None:
    found = count_file(maker(COLUMNS, tmp_path), question(scores=["p", "z"]))
    gold = [label == "spam" for label in COLUMNS["gold"]]
    for name in ("p", "z"):
        alone = Scored.from_scores(gold, COLUMNS[name])
        tally = found.systems.of(name, Scored)
        assert np.array_equal(tally.keys["score"], alone.keys["score"])
        assert np.array_equal(tally.keys["positive"], alone.keys["positive"])
        assert np.array_equal(tally.counts, alone.counts)
    # Probabilities become labels at a half; numbers beyond [0, 1] do not without being told where.
    at_half = Confusion.from_predictions(
        COLUMNS["gold"], ["spam" if p >= 0.5 else "ham" for p in COLUMNS["p"]], positive="spam"
    )
    assert found.systems["p"].table.tolist() == at_half.table.tolist()
    assert isinstance(found.systems["z"], Scored)


@ENGINES
def test_every_engine_counts_the_same_scores_of_classes_groups_and_clusters(maker: Maker, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"gold": "kind", "scores": {"m": "of_{}"}, "slices": ("group",), "cluster": "patient"}
    found = count_file(maker(COLUMNS, tmp_path), Question(**asked))
    scores = {label: COLUMNS[f"of_{label}"] for label in "abc"}
    alone = ClassScored.from_class_scores(COLUMNS["kind"], scores, cluster=COLUMNS["patient"])
    assert found.systems.of("m", ClassScored) == alone
    best = ["abc"[i] for i in np.argmax([scores[label] for label in "abc"], axis=0)]
    assert found.systems["m"].table.tolist() == Confusion.from_predictions(COLUMNS["kind"], best).table.tolist()
    here = [i for i in range(N) if COLUMNS["group"][i] == "x"]
    part = ClassScored.from_class_scores(
        [COLUMNS["kind"][i] for i in here],
        {label: [column[i] for i in here] for label, column in scores.items()},
        cluster=[COLUMNS["patient"][i] for i in here],
    )
    assert found.slices[0].groups["x"].of("m", ClassScored) == part


@ENGINES
def test_a_score_that_is_no_number_is_counted_and_the_first_is_named_with_its_row(maker: Maker, tmp_path: Path) -> None:
    texts = [str(p) for p in COLUMNS["q"]]
    texts[41] = "n/a"
    texts[97] = "high"
    wanted = r"column .q. has 2 values that are not a finite number \(first: .n/a. in row 42"
    with pytest.raises(DataError, match=wanted):
        count_file(maker({**COLUMNS, "q": texts}, tmp_path), question(scores="q"))


@ENGINES
def test_an_infinite_score_is_refused(maker: Maker, tmp_path: Path) -> None:
    values = list(COLUMNS["q"])
    values[12] = math.inf
    if maker is MAKERS["json lines"]:
        pytest.skip("JSON has no infinity")
    with pytest.raises(DataError, match=r"column 'q' has 1 value that is not a finite number .* in row 13"):
        count_file(maker({**COLUMNS, "q": values}, tmp_path), question(scores="q"))


@ENGINES
def test_a_missing_score_is_an_error_unless_its_row_is_skipped(maker: Maker, tmp_path: Path) -> None:
    values = list(COLUMNS["q"])
    values[5] = values[9] = None
    table = maker({**COLUMNS, "q": values}, tmp_path)
    with pytest.raises(DataError, match=r"2 of 400 rows have no score in column 'q' \(first: row 6\)"):
        count_file(table, question(scores="q"))
    with pytest.raises(OptionError, match="neither right nor wrong"):
        count_file(table, question(scores="q", missing="wrong"))
    found = count_file(table, question(scores="q", missing="skip"))
    assert (found.skipped, found.systems.each(Scored)["q"].n) == (2, N - 2)


def test_scores_written_as_text_with_blanks_are_numbers() -> None:
    found = count_file({"gold": [0, 1, 1], "p": [" 0.5", "1e-1 ", "+.25"]}, Question(gold="gold", scores="p"))
    assert found.systems.each(Scored)["p"].scores.tolist() == [0.1, 0.25, 0.5]


def test_shards_of_scores_add_up(tmp_path: Path) -> None:
    whole = count_file(COLUMNS, question(scores=["p", "z"], slices=("group",)))
    cut = 150
    parts = [{name: column[s] for name, column in COLUMNS.items()} for s in (slice(cut), slice(cut, None))]
    both = [count_file(part, question(scores=["p", "z"], slices=("group",))) for part in parts]
    total = assay.Counts.from_json(both[0].to_json()) + assay.Counts.from_json(both[1].to_json())
    assert total.systems.each(Scored) == whole.systems.each(Scored)
    assert total.systems == whole.systems
    assert total.slices[0].groups == whole.slices[0].groups


def test_groups_whose_scores_are_all_probabilities_have_labels_only_where_all_rows_have() -> None:
    data: dict[str, list[Any]] = {
        "gold": [0, 1] * 40,
        "p": [0.1, 0.9, 0.4, 0.6] * 10 + [-3, 4, 2, 1] * 10,
        "g": ["x"] * 40 + ["y"] * 40,
    }
    found = count_file(data, Question(gold="gold", scores="p", slices=("g",)))
    assert [list(each.kinds["p"]) for each in found.slices[0].groups.values()] == [["scored"], ["scored"]]
    rows = assay.evaluate(data, gold="gold", scores="p", slices="g", measures="roc_auc").rows
    assert next(row.value for row in rows if row.slice == "g=x") == assay.roc_auc(data["gold"][:40], data["p"][:40])


def test_shards_where_only_one_has_labels_scores_or_guesses_do_not_add_up() -> None:
    table = {**COLUMNS, "label": COLUMNS["gold"], "next": COLUMNS["gold"][::-1]}
    plain = count_file(table, question(pred={"m": "label"}))
    for more, reason in (
        ({"scores": {"m": "p"}}, "one tally has the scores of a system and the other does not"),
        ({"guesses": {"m": ["next"]}}, "one tally has the further guesses of a system and the other does not"),
    ):
        other = count_file(table, question(pred={"m": "label"}, **more))
        for a, b in ((plain, other), (other, plain)):
            with pytest.raises(DataError, match=reason):
                a + b
    z, p = (count_file({**COLUMNS, "m": COLUMNS[name]}, question(scores="m")) for name in ("z", "p"))
    with pytest.raises(DataError, match="a scored tally and a confusion tally cannot be added"):
        z + p


def test_shards_with_other_thresholds_do_not_add_up() -> None:
    a, b = (count_file(COLUMNS, question(scores="p", threshold=t)) for t in (0.5, 0.3))
    with pytest.raises(DataError, match="threshold"):
        a + b


def test_a_system_may_have_labels_and_scores() -> None:
    table = {**COLUMNS, "label": ["spam" if i % 3 else "ham" for i in range(N)]}
    found = assay.evaluate(table, gold="gold", pred={"m": "label"}, scores={"m": "q"}, positive="spam")
    by_label = assay.accuracy(table["gold"], table["label"])
    assert next(row.value for row in found.rows if row.measure == "accuracy") == by_label
    auc = assay.roc_auc([g == "spam" for g in table["gold"]], table["q"])
    assert next(row.value for row in found.rows if row.measure == "roc_auc") == auc
    bare = assay.evaluate(table, gold="gold", pred="label", scores="q", positive="spam")
    assert [system.name for system in bare.systems] == ["label"]


@ENGINES
def test_scores_in_files_of_their_own_are_paired_by_id(maker: Maker, tmp_path: Path) -> None:
    order = np.random.default_rng(1).permutation(N)
    other = {"id": [COLUMNS["id"][i] for i in order], "s": [COLUMNS["p"][i] for i in order]}
    folder = tmp_path / "other"
    folder.mkdir()
    gold = {name: COLUMNS[name] for name in ("id", "gold")}
    asked = question(systems={"m": maker(other, folder)}, scores={"m": "s"}, id="id")
    apart = count_file(maker(gold, tmp_path), asked)
    assert apart.systems == count_file(COLUMNS, question(scores={"m": "p"})).systems
