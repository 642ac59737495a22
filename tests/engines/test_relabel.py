"""Labels that are written in several ways become one in the same way on every engine, in every kind of file.

The counts are compared with those of Python's csv, made here by rules of their own.
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.errors import DataError
from tests.engines.engines import MAKERS, Columns, Maker, engine, from_csv, typed_engine

LABELS = ("Yes", "yes", "YES", "no", "No", "1", "1.0", "01", "+1", "1e0", "0", "0.0", "x, y", "a=b", 'q"q', "Straße")
Cells = Counter[tuple[str, str]]
Rewrite = Callable[[str], str]


def rows(seed: int = 5, n: int = 3_000) -> Columns:
    choose = random.Random(seed).choices
    return {
        "id": [str(i) for i in range(n)],
        "gold": choose(LABELS, k=n),
        "pred": choose(LABELS, k=n),
        "second": choose(LABELS, k=n),
        "group": choose(["left", "right"], k=n),
        "times": choose(["1", "2", "5"], k=n),
    }


def as_number(text: str) -> str:
    """The number in a text as Python's float reads it; all of those here are whole."""
    try:
        return str(int(float(text)))
    except ValueError:
        return text


ODD = {"x, y": "odd", "a=b": "odd", 'q"q': "1"}
WAYS: dict[str, tuple[Mapping[str, Any], Rewrite]] = {
    "numbers": ({"numeric_labels": True}, as_number),
    "case": ({"ignore_case": True, "labels": None}, str.casefold),
    "a map": ({"map": ODD}, lambda text: ODD.get(text, text)),
    "an exchange": ({"map": {"yes": "no", "no": "yes"}}, lambda text: {"yes": "no", "no": "yes"}.get(text, text)),
    "all of it": (
        {"map": {"YES": 1.0, "nO": "00"}, "ignore_case": True, "numeric_labels": True},
        lambda text: {"yes": "1", "no": "0"}.get(text.casefold(), as_number(text).casefold()),
    ),
}


def by_hand(path: Path, rewrite: Rewrite, keep: Callable[[Mapping[str, str]], int] = lambda row: 1) -> Cells:
    out: Cells = Counter()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            out[rewrite(row["gold"]), rewrite(row["pred"])] += keep(row)
    return +out


def cells(tally: Any) -> Cells:
    names = tally.labels
    return +Counter(
        {(names[g], names[p]): int(n) for g, p, n in zip(tally.gold, tally.pred, tally.counts, strict=True)}
    )


def counted(data: Any, **how: Any) -> Any:
    # Every number is written in several ways on both sides, and all classes are listed nowhere: so nothing is stopped.
    return assay.evaluate(data, measures="accuracy", **how).counted


@engine
@pytest.mark.parametrize("way", WAYS)
def test_rewritten_labels_are_counted_as_csv_counts_them(make: Maker, way: str, tmp_path: Path) -> None:
    how, rewrite = WAYS[way]
    columns = rows()
    expected = by_hand(from_csv(columns, tmp_path), rewrite)
    assert cells(counted(make(columns, tmp_path), **how).systems["pred"]) == expected


@engine
def test_groups_counts_and_clusters_have_the_rewritten_labels_too(make: Maker, tmp_path: Path) -> None:
    how, rewrite = WAYS["all of it"]
    columns = rows(6)
    path = from_csv(columns, tmp_path)
    found = counted(make(columns, tmp_path), **how, slices="group", cluster="id", count="times")
    assert cells(found.systems["pred"].collected()) == by_hand(path, rewrite, lambda row: int(row["times"]))
    for group, systems in found.slices[0].groups.items():
        wanted = by_hand(path, rewrite, lambda row, group=group: int(row["times"]) * (row["group"] == group))  # type: ignore[misc]
        assert cells(systems["pred"]) == wanted


@engine
def test_further_guesses_are_rewritten_like_the_first(make: Maker, tmp_path: Path) -> None:
    how, rewrite = WAYS["all of it"]
    columns = rows(7)
    found = assay.evaluate(
        make(columns, tmp_path), measures="top_k_accuracy(k=2)", guesses={"pred": ["second"]}, **how
    ).rows[0]
    right = [
        rewrite(gold) in (rewrite(first), rewrite(second))
        for gold, first, second in zip(columns["gold"], columns["pred"], columns["second"], strict=True)
    ]
    assert found.value == pytest.approx(sum(right) / len(right))


@engine
def test_systems_in_files_of_their_own_are_rewritten_after_they_are_joined(make: Maker, tmp_path: Path) -> None:
    how, rewrite = WAYS["all of it"]
    columns = rows(8, 500)
    expected = by_hand(from_csv(columns, tmp_path), rewrite)
    gold = {name: columns[name] for name in ("id", "gold")}
    own = {name: list(reversed(columns[name])) for name in ("id", "pred")}
    (tmp_path / "own").mkdir()
    found = counted(make(gold, tmp_path), systems={"a": make(own, tmp_path / "own")}, id="id", **how)
    assert cells(found.systems["a"]) == expected


@typed_engine
def test_whole_floats_are_integers_and_need_no_option(make: Maker, tmp_path: Path) -> None:
    columns: Columns = {"gold": [1, 0, 1, 0], "pred": [1.0, 0.0, 0.0, 0.0]}
    assert assay.evaluate(make(columns, tmp_path), measures="accuracy").rows[0].value == 0.75


@engine
def test_one_number_in_two_ways_of_writing_stops_every_engine(make: Maker, tmp_path: Path) -> None:
    columns = {"gold": ["1", "0", "cat"], "pred": ["1.0", "0", "cat"]}
    with pytest.raises(
        DataError, match=r"gold has '1' where the predictions of 'pred' have '1\.0'.*numeric_labels=True"
    ):
        assay.evaluate(make(columns, tmp_path))


def test_classes_that_have_columns_of_scores_are_rewritten_like_their_labels() -> None:
    rng = np.random.default_rng(2)
    gold = [("Cat", "dog", "EMU")[i] for i in rng.integers(0, 3, 60)]
    p = rng.dirichlet([1, 1, 1], 60)
    table = {"gold": gold, "p_cat": p[:, 0], "p_Dog": p[:, 1], "p_emu": p[:, 2]}
    found = assay.evaluate(table, scores="p_{}", ignore_case=True, measures=["accuracy"]).rows[0]
    best = np.array(["cat", "dog", "emu"])[p.argmax(axis=1)]
    assert found.value == pytest.approx(np.mean(best == np.char.lower(gold)))


def test_scores_of_two_classes_that_become_one_are_refused() -> None:
    table = {"gold": ["a", "b", "c"], "p_a": [0.5, 0.2, 0.1], "p_b": [0.25, 0.4, 0.2], "p_c": [0.25, 0.4, 0.7]}
    with pytest.raises(assay.OptionError, match=r"columns 'p_b' and 'p_c' become one label, 'b'"):
        assay.evaluate(table, scores="p_{}", map={"c": "b"})


def test_every_engine_agrees_on_random_maps(tmp_path: Path) -> None:
    rng = random.Random(11)
    for seed in range(6):
        columns = rows(seed, 400)
        some = {old: rng.choice(LABELS) for old in rng.sample(LABELS, 5)}
        expected = by_hand(from_csv(columns, tmp_path), lambda text, some=some: some.get(text, text))  # type: ignore[misc]
        for make in MAKERS.values():
            tally = assay.evaluate(
                make(columns, tmp_path), measures="accuracy", map=some, labels=sorted(LABELS)
            ).counted
            assert tally is not None
            assert cells(tally.systems["pred"]) == expected


def test_a_lazy_frame_with_a_count_column_is_rewritten_after_rows_are_repeated() -> None:
    frame = pl.DataFrame({"gold": ["Yes", "no"], "pred": ["yes", "NO"], "n": [3, 4]}).lazy()
    report = assay.evaluate(frame, count="n", ignore_case=True, measures="accuracy")
    assert report.rows[0].value == 1.0
    assert report.provenance["labels rewritten"] == {"labels": 2, "rows": 7}
