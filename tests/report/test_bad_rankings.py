"""Every kind of bad judgments and bad run, as the person who gave it is told about it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.errors import DataError
from assay.sources.rankings.read import judged
from tests.snapshot import Snapshot

pd = pytest.importorskip("pandas")

QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 2\n"
RUN = b"1 Q0 a 1 2.5 bm25\n1 Q0 c 2 1.5 bm25\n2 Q0 a 1 0.5 bm25\n"
LONG = b"d" * 300


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(qrels: Any, run: Any, **columns: Any) -> str:
    with pytest.raises(DataError) as caught:
        judged(qrels).match(run, **columns)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(caught.value)


FILES: dict[str, tuple[bytes, bytes]] = {
    "no judgments": (b"", RUN),
    "blank judgments": (b" \n\r\n", RUN),
    "no run": (QRELS, b""),
    "blank run": (QRELS, b"\n\n"),
    "run as judgments": (RUN, RUN),
    "judgments as run": (QRELS, QRELS),
    "run without tags": (QRELS, b"1 Q0 a 1 2.5\n"),
    "blank in an id": (QRELS, RUN + b"\n2 Q0 doc 7 2 0.25 bm25\n"),
    "three fields": (QRELS + b"2 0 c\n", RUN),
    "missing and additional field": (QRELS, b"1 Q0 a 1 2.5\n1 Q0 b 2 1.5 bm25 x\n"),
    "run ends within a line": (QRELS, RUN[:-8]),
    "score is no number": (QRELS, RUN + b"2 Q0 b 2 high bm25\n"),
    "score is hexadecimal": (QRELS, b"1 Q0 a 1 0x1p3 bm25\n"),
    "score is nan": (QRELS, b"\r\n" + RUN.replace(b"1.5", b"nan").replace(b"\n", b"\r\n")),
    "grade is a fraction": (QRELS + b"2 0 c 0.5\n", RUN),
    "grade is no number": (QRELS + b"2 0 c relevant-but-not-very-much-as-far-as-anyone-who-saw-it-knows\n", RUN),
    "grade is too large": (QRELS + b"2 0 c 99999999999999999999\n", RUN),
    "judged twice": (QRELS + b"1 0 a 2\n", RUN),
    "retrieved twice": (QRELS, RUN + b"2 Q0 a 2 0.25 bm25\n"),
    "retrieved twice without judgment": (QRELS, RUN + b"1 Q0 c 2 0.25 bm25\n"),
    "long id twice": (QRELS, b"1 Q0 %b 2 0.25 bm25\n1 Q0 %b 2 0.25 bm25\n" % (LONG, LONG)),
    "odd id twice": (QRELS, b"1 Q0 \xff\x1b[31m 2 0.25 bm25\n" * 2),
    "no query in common": (QRELS, b"q01 Q0 a 1 2 x\nq02 Q0 a 1 2 x\nq03 Q0 a 1 2 x\nq04 Q0 a 1 2 x\n"),
    "query is not UTF-8": (b"\xff 0 a 1\n", RUN),
    "UTF-16": (QRELS, RUN.decode().encode("utf-16")),
    "very long line": (QRELS, RUN + b"2 Q0 " + b"x" * (3 << 20) + b" 1 2 bm25\n"),
    "very long id": (QRELS + b"2 0 " + b"x" * (3 << 20) + b" 1\n", RUN),
    "truncated gzip": (QRELS, gzip.compress(RUN * 99, mtime=0)[:30]),
    "table without columns": (QRELS, b"a,b,c\n1,2,3\n"),
}


def test_a_bad_file_in_the_format_of_trec_eval_gets_one_plain_message(snapshot: Snapshot) -> None:
    told = []
    for case, (qrels, run) in FILES.items():
        Path("robust.qrels").write_bytes(qrels)
        name = "run.csv" if case == "table without columns" else "bm25.run"
        Path(name).write_bytes(run)
        told.append(f"{case}\n    {refused('robust.qrels', name)!a}")
    snapshot("messages/rankings_of_trec_eval", "\n".join(told))


def test_a_line_is_numbered_from_the_start_of_the_file(here: Path) -> None:
    lines = [f"1 Q0 d{i} {i} {1000 - i} bm25\n" for i in range(1000)]
    (here / "run").write_text("".join(lines) + "\n\n2 Q0 x 1 bad bm25\n")
    (here / "qrels").write_bytes(QRELS)
    for block in (10, 1000, 1 << 20):
        with pytest.raises(DataError, match=r"^run, line 1,003 has the score 'bad'"):
            judged("qrels").match("run", block=block)


GRADES = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
SCORES = {"query": ["1", "1", "2"], "doc": ["a", "c", "a"], "score": [2.5, 1.5, 0.5]}

TABLES: dict[str, tuple[Any, Any]] = {
    "no judgments": ({}, SCORES),
    "judgments of nothing": ({"1": {}}, SCORES),
    "no run": (GRADES, {}),
    "run of nothing": (GRADES, {"1": {}, "2": {}}),
    "frame without rows": (GRADES, pl.DataFrame(SCORES).head(0)),
    "no such file": (GRADES, "bm25.run"),
    "a number": (GRADES, 7),
    "lists of documents": (GRADES, {"1": ["a", "c"], "2": ["a"]}),
    "no score": (GRADES, pl.DataFrame(SCORES).drop("score")),
    "no document": (GRADES, pl.DataFrame(SCORES).drop("doc")),
    "no relevance": (SCORES, SCORES),
    "two documents": (GRADES, {**SCORES, "url": SCORES["doc"]}),
    "missing document": (GRADES, pl.DataFrame({**SCORES, "doc": ["a", None, "b"]})),
    "missing query": (GRADES, pd.DataFrame({**SCORES, "query": [1, np.nan, 2]})),
    "missing score": (GRADES, pl.DataFrame({**SCORES, "score": [1.5, None, 2.5]})),
    "score is text": (GRADES, {**SCORES, "score": ["1.5", "high", "2.5"]}),
    "score is a list": (GRADES, {"1": {"a": [1, 2]}}),
    "score is nan": (GRADES, {"1": {"a": float("nan")}}),
    "score is a date": (GRADES, {**SCORES, "score": np.array(["2020-01-01"] * 3, "datetime64[D]")}),
    "grade is infinite": ({"1": {"a": float("inf")}}, SCORES),
    "fewer scores": (GRADES, {**SCORES, "score": [1.5]}),
    "judged twice": (pl.DataFrame({"query": [1, 1], "doc": ["a", "a"], "rel": [1, 2]}), SCORES),
    "retrieved twice": (GRADES, pl.DataFrame({**SCORES, "doc": ["a", "a", "a"]})),
    "one id in two spellings": (GRADES, {"1": {"a": 1, 7: 2, "7": 3}}),
    "ids are lists": (GRADES, pl.DataFrame({**SCORES, "doc": [["a"], ["b"], ["c"]]})),
    "half a surrogate pair": (GRADES, {"1": {"\ud800": 1.0}}),
    "no query in common": (GRADES, {f"topic {i}": {"a": 1.0} for i in range(20)}),
}


def test_a_bad_table_or_mapping_gets_one_plain_message(snapshot: Snapshot) -> None:
    told = [f"{case}\n    {refused(*given)!a}" for case, given in TABLES.items()]
    snapshot("messages/rankings_of_tables", "\n".join(told))


def test_a_given_name_stands_in_messages() -> None:
    with pytest.raises(DataError, match=r"^BM25: document 'a' of query '1' occurs twice"):
        judged(GRADES).match(pl.DataFrame({**SCORES, "doc": ["a", "a", "a"]}), name="BM25")
    with pytest.raises(DataError, match=r"^Robust: document 'a' of query '1' occurs twice"):
        judged({"query": [1, 1], "doc": ["a", "a"], "rel": [1, 2]}, name="Robust")


def test_a_named_column_that_is_not_there_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(DataError, match=r"has no column 'scores'.* Did you mean 'score'"):
        judged(GRADES).match(SCORES, score="scores")


def test_a_file_that_may_not_be_read_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "bm25.run").write_bytes(RUN)

    def forbidden(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    given = judged(GRADES)
    monkeypatch.setattr(Path, "open", forbidden)  # because nothing is forbidden to root, who may be running this
    with pytest.raises(DataError, match=r"^bm25\.run cannot be read: Permission denied\.$"):
        given.match("bm25.run")


@pytest.mark.parametrize("name", ["nul\0", "missing.csv", ".", "no*.csv"])
def test_what_is_no_file_is_refused(name: str) -> None:
    for refuse in (judged, judged(GRADES).match):
        with pytest.raises(DataError):
            refuse(name)
