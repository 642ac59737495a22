"""However judgments and runs are given, the same is left of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.errors import DataError
from assay.sources.rankings.grids import from_arrays
from assay.sources.rankings.matched import Matched
from assay.sources.rankings.read import judged

pd = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

Nested = dict[str, dict[str, float]]


def same(a: Matched, b: Matched) -> None:
    for each in fields(Matched):
        if each.name != "tag":
            np.testing.assert_array_equal(getattr(a, each.name), getattr(b, each.name), err_msg=each.name)


def made(rng: np.random.Generator) -> tuple[Nested, Nested]:
    """Judgments and a run with ties, strangers, unjudged documents and a query without results."""
    names = [f"doc {i}, “{i % 7}”" if i % 5 == 0 else f"d{i}" for i in range(80)]
    grades: Nested = {}
    scores: Nested = {}
    for query in range(12):
        chosen = rng.permutation(names)
        if query != 3:
            grades[f"q{query}"] = {name: float(rng.integers(-1, 4)) for name in chosen[:20].tolist()}
        if query != 5:
            scores[f"q{query}"] = {name: round(float(rng.normal()), 1) for name in chosen[10:50].tolist()}
    return grades, scores


def rows(nested: Nested, value: str) -> dict[str, list[Any]]:
    every = [(query, name, number) for query, inner in nested.items() for name, number in inner.items()]
    query, document, numbers = (list(each) for each in zip(*every, strict=True))
    return {"query_id": query, "docno": document, value: numbers}


def as_csv(columns: dict[str, list[Any]], path: Path) -> Path:
    file = path / "given.csv"
    pl.DataFrame(columns).write_csv(file)
    return file


def as_gzip(columns: dict[str, list[Any]], path: Path) -> Path:
    file = path / "given.tsv.gz"
    pl.DataFrame(columns).write_csv(path / "given.tsv", separator="\t")
    file.write_bytes(gzip.compress((path / "given.tsv").read_bytes(), mtime=0))
    return file


def as_json_lines(columns: dict[str, list[Any]], path: Path) -> Path:
    file = path / "given.jsonl"
    each = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    file.write_text("".join(json.dumps(row) + "\n" for row in each))
    return file


def as_parquet(columns: dict[str, list[Any]], path: Path) -> Path:
    pl.DataFrame(columns).write_parquet(path / "given.parquet")
    return path / "given.parquet"


def as_arrow(columns: dict[str, list[Any]], path: Path) -> Path:
    pl.DataFrame(columns).write_ipc(
        path / "given.arrow", compression="uncompressed", compat_level=pl.CompatLevel.oldest()
    )
    return path / "given.arrow"


WAYS: dict[str, Callable[[dict[str, list[Any]], Path], Any]] = {
    "csv": as_csv,
    "tsv.gz": as_gzip,
    "json lines": as_json_lines,
    "parquet": as_parquet,
    "arrow": as_arrow,
    "pandas": lambda columns, _: pd.DataFrame(columns),
    "polars": lambda columns, _: pl.DataFrame(columns),
    "polars lazily": lambda columns, _: pl.LazyFrame(columns),
    "pyarrow": lambda columns, _: pyarrow.table(columns),
    "lists": lambda columns, _: columns,
    "arrays": lambda columns, _: {name: np.array(values) for name, values in columns.items()},
}


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_tables_give_what_mappings_give(way: str, shuffled: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    grades, scores = made(rng)
    reference = judged(grades)
    expected = reference.match(scores)
    assert expected.strangers == 1
    assert (expected.retrieved == 0).sum() == 1
    assert len(expected.tied_query) > 20
    tables = [rows(grades, "relevance"), rows(scores, "score")]
    if shuffled:
        orders = [rng.permutation(len(table["docno"])) for table in tables]
        tables = [
            {name: [values[i] for i in order] for name, values in table.items()}
            for table, order in zip(tables, orders, strict=True)
        ]
    (tmp_path / "q").mkdir()
    (tmp_path / "r").mkdir()
    qrels, run = WAYS[way](tables[0], tmp_path / "q"), WAYS[way](tables[1], tmp_path / "r")
    given = judged(qrels)
    assert given.judgments.queries == reference.judgments.queries
    same(given.match(run), expected)
    same(given.match(scores), expected)
    same(reference.match(run, block=32), expected)


def test_trec_files_plain_or_compressed_give_what_mappings_give(tmp_path: Path) -> None:
    grades, scores = made(np.random.default_rng(6))
    grades = {q: {name.replace(" ", "_"): grade for name, grade in each.items()} for q, each in grades.items()}
    scores = {q: {name.replace(" ", "_"): score for name, score in each.items()} for q, each in scores.items()}
    qrels = "".join(f"{q} 0 {d} {g:.0f}\n" for q, each in grades.items() for d, g in each.items()).encode()
    run = "".join(f"{q} Q0 {d} 0 {s} me\n" for q, each in scores.items() for d, s in each.items()).encode()
    expected = judged(grades).match(scores, float32=True)
    for ending, content in (("", lambda data: data), (".gz", gzip.compress), (".txt", lambda data: data)):
        (tmp_path / f"qrels{ending}").write_bytes(content(qrels))
        (tmp_path / f"run{ending}").write_bytes(content(run))
        matched = judged(tmp_path / f"qrels{ending}").match(str(tmp_path / f"run{ending}"))
        same(matched, expected)
        assert matched.tag == "me"
        assert expected.tag is None


def test_numbers_are_ids_as_they_are_written() -> None:
    grades = {1: {7: 1, 8: 0}, 2: {"x": 2}}
    as_text = judged({"1": {"7": 1, "8": 0}, "2": {"x": 2}})
    run = {"query": [1, 1, 2], "doc": ["7", "8", "x"], "score": [0.5, 0.7, 0.1]}
    expected = as_text.match(run)
    assert expected.found_rank.tolist() == [1, 2, 1]
    same(judged(grades).match(run), expected)
    numbers = pd.DataFrame({"qid": [1.0, 1.0], "docid": np.array([7, 8]), "score": [0.5, 0.7]})
    assert as_text.match(numbers).found_rank.tolist() == [1, 2]
    assert as_text.match(pl.DataFrame({"qid": [1, 1], "docid": [7, 8], "score": [1, 2]})).found_grade.tolist() == [0, 1]


def test_ranks_stand_in_for_scores() -> None:
    given = judged({"1": {"a": 1, "b": 2, "c": 3}})
    run = pl.DataFrame({"query": ["1", "1", "1"], "item": ["a", "b", "c"], "rank": [2, 3, 1]})
    assert given.match(run).found_grade.tolist() == [3, 1, 2]
    assert given.match(run, score="rank").found_grade.tolist() == [2, 1, 3]
    assert given.match(run.with_columns(score=pl.Series([1.0, 2.0, 3.0]))).found_grade.tolist() == [3, 2, 1]


def test_columns_are_named_if_their_names_are_not_usual() -> None:
    qrels = pl.DataFrame({"topic name": ["1", "1"], "text": ["a", "b"], "stars": [0.5, 2.5]})
    given = judged(qrels, query="topic name", document="text", relevance="stars")
    assert given.judgments.grade.tolist() == [0.5, 2.5]
    run = qrels.rename({"stars": "bm25"})
    assert given.match(run, query="topic name", document="text", score="bm25").found_grade.tolist() == [2.5, 0.5]


def test_scores_are_grades_where_ids_are_those_of_a_corpus() -> None:
    qrels = {"query-id": ["1"], "corpus-id": ["a"], "score": [2]}
    assert judged(qrels).judgments.grade.tolist() == [2]
    with pytest.raises(DataError, match="no column called 'relevance'"):
        judged({"query-id": ["1"], "doc-id": ["a"], "score": [2]})


def test_infinite_scores_are_the_first_and_the_last() -> None:
    given = judged({"1": {"a": 1, "b": 2, "c": 3}})
    run = {"1": {"a": -np.inf, "b": 0.0, "c": np.inf}}
    assert given.match(run).found_grade.tolist() == [3, 2, 1]
    assert given.match(run, float32=True).found_grade.tolist() == [3, 2, 1]


# ---------------------------------------------------------------------- arrays
@pytest.mark.parametrize("places", [0, 1, 9])
def test_arrays_give_what_mappings_with_padded_positions_give(places: int) -> None:
    rng = np.random.default_rng(places)
    grades, scores = rng.integers(-1, 4, (15, 12)), np.round(rng.normal(size=(15, 12)), places)
    scores[0, :3] = np.inf, -np.inf, -0.0
    judgments, matched = from_arrays(grades, scores)
    nested = [{f"{q:02d}": {f"{d:02d}": each[q, d] for d in range(12)} for q in range(15)} for each in (grades, scores)]
    same(matched, judged(nested[0]).match(nested[1]))
    assert judgments.queries == tuple(map(str, range(15)))
    assert np.sort(judgments.grade.reshape(15, 12)).tolist() == np.sort(grades).tolist()


def test_scores_that_differ_in_their_last_bits_are_not_equal() -> None:
    rng = np.random.default_rng(3)
    near = np.nextafter(1.0, 2.0) - 1.0
    grades, steps = rng.integers(0, 3, (40, 100)), rng.integers(0, 40, (40, 100))
    scores = np.where(np.arange(40)[:, None] % 2, 1 + steps * near, steps / 8)  # every other query has equal ones alone
    _, matched = from_arrays(grades, scores)
    nested = [
        {f"{q:02d}": {f"{d:02d}": each[q, d].item() for d in range(100)} for q in range(40)}
        for each in (grades, scores)
    ]
    same(matched, judged(nested[0]).match(nested[1]))


def test_one_dimension_is_one_query() -> None:
    judgments, matched = from_arrays([0, 2, 1], [0.1, 0.5, 0.5])
    assert judgments.queries == ("0",)
    assert (matched.found_grade.tolist(), matched.tied_first.tolist(), matched.tied_number.tolist()) == (
        [1, 2, 0],
        [1],
        [2],
    )


@pytest.mark.parametrize(
    ("grades", "scores", "message"),
    [
        ([[1, 2]], [[1, 2, 3]], r"y_true has the shape \(1, 2\) and y_score \(1, 3\)"),
        ([[1, np.nan]], [[1, 2]], r"y_true has 1 grade that is not a finite number \(first: nan in row 0, column 1"),
        ([[1, 2]], [[np.nan, np.nan]], r"y_score has 2 scores that are not a number \(first: nan in row 0, column 0"),
        ([], [], "y_true is empty"),
        ([[[1]]], [[[1]]], "y_true has 3 dimensions; expected two: queries and documents"),
        ([["a"]], [[1]], "y_true does not hold numbers alone"),
        ([[1, 2], [3]], [[1, 2], [3]], "y_true does not hold numbers alone"),
    ],
)
def test_arrays_that_are_no_grades_or_scores_are_refused(grades: Any, scores: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        from_arrays(grades, scores)
