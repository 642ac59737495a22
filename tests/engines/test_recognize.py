from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import DataError
from assay.sources import magnitudes as reading
from assay.sources.frames import table_of
from assay.sources.magnitudes import Numbers, numbers, rows_not_adding_up
from assay.sources.recognize import Recognized, recognize
from tests.engines.engines import Columns, Maker, engine, typed_engine

LABELS: Columns = {"id": ["a", "b", "c", "d"], "gold": ["x", "y", "x", "y"], "svm": ["x", "x", "x", "y"]}
RANKING: Columns = {
    "query": ["q1", "q1", "q2", "q2"],
    "doc": ["a", "b", "a", "c"],
    "score": [1.5, 0.5, 0.25, 0.125],
    "relevance": [1, 0, 2, 0],
}
TRIPLES: Columns = {"unit": ["u", "u", "v", "v"], "rater": ["a", "b", "a", "b"], "label": ["yes", "no", "yes", "yes"]}
SOFT: Columns = {"gold": ["x", "y", "x"], "cluster_1": [0.5, 0.25, 1.0], "cluster_2": [0.5, 0.75, 0.0]}


def roles(known: Recognized) -> list[tuple[str, str]]:
    return [(each.column, each.role) for each in known.roles]


@engine
def test_every_engine_recognizes_the_same_families(make: Maker, tmp_path: Path) -> None:
    for columns, family, expected in (
        (LABELS, "classification", [("gold", "gold"), ("svm", "pred")]),
        (RANKING, "ranking", [("query", "query"), ("doc", "document"), ("relevance", "relevance"), ("score", "score")]),
        (TRIPLES, "annotation", [("unit", "unit"), ("rater", "rater"), ("label", "rating")]),
        (SOFT, "clustering", [("gold", "gold"), ("cluster_1", "membership"), ("cluster_2", "membership")]),
    ):
        known = recognize(table_of(make(columns, tmp_path)))
        assert (known.family, roles(known)) == (family, expected)


# ---------------------------------------------------------------------- numbers
@pytest.mark.parametrize("few", [0, 100], ids=["in the engine", "in memory"])
@engine
def test_the_ends_of_a_column_are_those_of_its_numbers(
    make: Maker, tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "FEW", few)
    table = table_of(
        make({"p": [0.25, None, 1e-9, 0.5], "i": [3, -4, 2, 1], "t": ["1", " 2 ", ".5e1", "3."]}, tmp_path)
    )
    assert numbers(table, "p") == Numbers("p", 1e-9, 0.5, whole=False)
    assert numbers(table, "i") == Numbers("i", -4, 3, whole=True)
    assert numbers(table, "t") == Numbers("t", 1, 5, whole=True)


@pytest.mark.parametrize("few", [0, 100], ids=["in the engine", "in memory"])
@typed_engine
def test_what_is_no_finite_number_is_counted(
    make: Maker, tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "FEW", few)
    table = table_of(make({"x": ["1", "inf", "a", None], "b": [True, False, True, True]}, tmp_path))
    assert (numbers(table, "x").odd, numbers(table, "x").fit) == (2, False)
    assert (numbers(table, "b").odd, numbers(table, "b").fit) == (4, False)
    assert numbers(table_of(make({"x": ["1", "1e999", "2"]}, tmp_path)), "x").odd == 1


def test_nan_is_missing_and_infinity_is_odd() -> None:
    for data in ({"x": [math.nan, math.inf, 1.0]}, pl.DataFrame({"x": [math.nan, math.inf, 1.0]})):
        assert numbers(table_of(data), "x").odd == 1


@engine
def test_rows_that_do_not_add_up_are_counted_and_so_are_those_with_a_gap(make: Maker, tmp_path: Path) -> None:
    table = table_of(make({"p": [0.5, 0.2, 0.3, None, 0.333], "q": [0.5, 0.8, 0.8, 1.0, 0.66]}, tmp_path))
    assert rows_not_adding_up(table, ["p", "q"]) == 2


# ---------------------------------------------------------------------- what could be several things
N = 40
AB, XY = ["a", "b"] * (N // 2), ["x", "y"] * (N // 2)
SHARES = [0.25, 0.75] * (N // 2)
OTHERS = [0.75, 0.25] * (N // 2)
CASES: dict[str, tuple[dict[str, list[Any]], str | None, list[tuple[str, str]]]] = {
    "gold and scores": ({"gold": AB, "model_score": SHARES}, "classification", [("model_score", "score")]),
    "a column for each class": (
        {"gold": AB, "p_a": SHARES, "p_b": OTHERS},
        "classification",
        [("p_a", "score"), ("p_b", "score")],
    ),
    "features numbered like classes": (
        {"gold": [0, 1] * 20, "x_0": [3.5, 2] * 20, "x_1": [1, 7] * 20, "pred": [1] * N},
        "classification",
        [("pred", "pred")],
    ),
    "a cluster column beside gold": ({"gold": AB, "cluster": XY}, "clustering", [("cluster", "cluster")]),
    "clusters that are numbered like the classes": (
        {"gold": [0, 1] * 20, "cluster_id": [1, 0] * 20},
        "clustering",
        [("cluster_id", "cluster")],
    ),
    "predictions that share no label with gold": ({"gold": AB, "pred": XY}, "clustering", [("pred", "cluster")]),
    "predictions that are only spelled otherwise": (
        {"gold": AB, "pred": [x.upper() for x in AB]},
        "classification",
        [("pred", "pred")],
    ),
    "predictions beside a cluster of rows": (
        {"gold": AB, "pred": AB, "cluster": XY},
        "classification",
        [("pred", "pred")],
    ),
    "memberships that are no shares": ({"gold": AB, "cluster_1": [3] * N, "cluster_2": [4] * N}, None, []),
    "queries, documents and predictions": (
        {"query": AB, "doc": XY, "gold": AB, "pred": AB},
        "classification",
        [("pred", "pred")],
    ),
    "a ranking with ranks": (
        {"qid": AB, "docno": list(range(N)), "rank": list(range(N)), "rel": [0, 1] * 20},
        "ranking",
        [("docno", "document"), ("rel", "relevance"), ("rank", "rank")],
    ),
    "results without judgments": ({"query": AB, "doc": XY, "score": SHARES}, None, []),
    "raters by name": ({"id": list(range(N)), "rater_1": AB, "rater 2": AB}, "annotation", [("rater 2", "rating")]),
    "raters by labels": ({"anna": AB, "ben": [*AB[1:], "a"]}, "annotation", [("ben", "rating")]),
    "workers whose units never come twice": (
        {"id": list(range(N)), "worker": XY, "label": AB, "model": AB},
        "classification",
        [("label", "gold"), ("model", "pred")],
    ),
    "truth under another name": ({"truth": AB, "model": AB}, "classification", [("truth", "gold"), ("model", "pred")]),
    "measurements": ({"target": [x / 7 for x in range(N)], "pred": [1.5] * N}, None, [("target", "gold")]),
    "two golds": ({"label": AB, "target": AB, "pred": AB}, None, []),
    "gold alone": ({"gold": AB}, None, [("gold", "gold")]),
    "an empty gold": ({"gold": [None] * N, "pred": AB}, None, [("gold", "gold")]),
    "nothing": ({"x": list(range(N)), "y": [x * x for x in range(N)]}, None, []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_table_is_taken_for(name: str) -> None:
    columns, family, expected = CASES[name]
    known = recognize(table_of(columns))
    assert known.family == family
    assert set(expected) <= set(roles(known))
    assert family is not None or known.doubts, "where nothing is recognized, it is said what is lacking"
    assert all(each.sure for each in known.roles) or known.doubts, "a guess is said to be one"


@pytest.mark.parametrize(
    ("options", "family"),
    [
        ({"gold": "anna"}, "classification"),
        ({"gold": "anna", "preds": ["ben"]}, "classification"),
        ({"gold": "anna", "preds": ["cluster"]}, "clustering"),
        ({"gold": "anna", "scores": ["s"]}, "classification"),
    ],
)
def test_what_is_said_comes_before_what_is_guessed(options: dict[str, Any], family: str) -> None:
    known = recognize(table_of({"anna": AB, "ben": AB, "cluster": XY, "s": SHARES}), **options)
    assert known.family == family
    assert {each.by for each in known.roles if each.column in str(options)} == {"as given"}


def test_a_named_class_makes_a_ranking_a_classification() -> None:
    table = table_of({"query": AB, "doc": XY, "gold": AB, "score": SHARES})
    assert recognize(table).family == "ranking"
    assert recognize(table, classes=True).family == "classification"


def test_scores_of_classes_that_do_not_add_up_are_no_probabilities() -> None:
    known = recognize(table_of({"gold": AB, "p_a": SHARES, "p_b": [*OTHERS[:-1], 0.9]}))
    assert (known.scores[0].off, known.scores[0].shares) == (1, False)
    assert "do not add up to 1 in 1 row" in " ".join(known.doubts)


def test_a_score_that_is_text_is_refused_if_it_was_named_and_said_if_not() -> None:
    table = table_of({"gold": AB, "pred": AB, "score": ["low", "0.5"] * 20})
    assert "'score' is named like a score but has no finite number in 20 rows" in " ".join(recognize(table).doubts)
    with pytest.raises(DataError, match="no finite number in 20 rows"):
        recognize(table, scores=["score"])
    with pytest.raises(DataError, match=r"has no column 'scor'; .* Did you mean 'score'"):
        recognize(table, scores=["scor"])


def test_a_ranking_ordered_by_words_is_refused() -> None:
    with pytest.raises(DataError, match="'score' orders the documents, but not all of its values are numbers"):
        recognize(table_of({**RANKING, "score": ["1", "2", "three", "4"]}))
