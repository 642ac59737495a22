"""Rankings: from arrays in memory, and from files in trec_eval's format with their parsing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytrec_eval

import assay
from benchmarks.timing import Measured, Race

QUERIES, DOCUMENTS = 20_000, 100
POOL, JUDGED = 8_000_000, 10  # documents that there are; judged ones of each query that are retrieved, and as many not


def means(tally: assay.Ranked) -> tuple[float, float, float]:
    """NDCG@10, AP and RR."""
    return assay.ndcg.of(tally, k=10), assay.ap.of(tally), assay.rr.of(tally)


def arrays() -> Race:
    """Grades and scores in memory; what the peer needs to build its own inputs from them does not count."""
    import ranx

    rng = np.random.default_rng(6)
    grades = rng.choice([0, 0, 0, 1, 2, 3], (QUERIES, DOCUMENTS))
    scores = rng.random((QUERIES, DOCUMENTS))
    names = [f"d{i}" for i in range(DOCUMENTS)]
    qrels = ranx.Qrels({str(i): dict(zip(names, row, strict=True)) for i, row in enumerate(grades.tolist())})
    run = ranx.Run({str(i): dict(zip(names, row, strict=True)) for i, row in enumerate(scores.tolist())})
    wanted = ["ndcg@10", "map", "mrr"]
    ranx.evaluate(qrels, run, wanted)  # compiles
    return Race(
        "nDCG@10, AP and RR of arrays, 2e4 queries x 100",
        lambda: means(assay.Ranked.from_rankings(grades, scores)),
        "ranx, inputs built",
        lambda: ranx.evaluate(qrels, run, wanted),
        10,
    )


def write(folder: Path, queries: int = QUERIES, documents: int = DOCUMENTS) -> tuple[Path, Path]:
    """Judgments and a run in trec_eval's format, with ids such as those of web collections."""
    rng = np.random.default_rng(7)
    qrels, run = folder / "judgments.qrels", folder / "system.run"
    with qrels.open("w", encoding="utf-8") as judgments, run.open("w", encoding="utf-8") as ranking:
        for query in range(queries):
            ids = (query * (documents + JUDGED) + np.arange(documents + JUDGED)) * 48_271 % POOL
            judged = np.concatenate([rng.choice(documents, JUDGED, replace=False), np.arange(documents, len(ids))])
            grades = rng.integers(0, 4, len(judged)).tolist()
            judgments.writelines(f"{query} 0 D{ids[i]} {grade}\n" for i, grade in zip(judged, grades, strict=True))
            scores = np.sort(rng.normal(10, 3, documents))[::-1].tolist()
            ranking.writelines(f"{query} Q0 D{ids[i]} {i + 1} {s:.6f} bm25\n" for i, s in enumerate(scores))
    return qrels, run


def files() -> Iterator[Race]:
    """The same measures from files."""
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = write(Path(folder))

        def peer() -> object:
            with qrels.open(encoding="utf-8") as judgments, run.open(encoding="utf-8") as ranking:
                judged, found = pytrec_eval.parse_qrel(judgments), pytrec_eval.parse_run(ranking)
            return pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_10", "map", "recip_rank"}).evaluate(found)

        yield Race(
            "the same of TREC files, parsing included",
            lambda: means(assay.Ranked.from_rankings(qrels, run)),
            "pytrec_eval",
            peer,
            2.5,
        )
        yield Race(
            "rank of TREC files: all default measures, intervals",
            lambda: assay.rank(qrels, [run]),
            "pytrec_eval, values",
            peer,
            2.5,
        )


def races() -> Iterator[Measured]:
    """All of them."""
    yield arrays()
    yield from files()
