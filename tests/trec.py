"""Judgments and runs as people have them: graded, partly judged, with ties, missing queries and strangers."""

from __future__ import annotations

import random
from pathlib import Path

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]
QUERIES = [f"q{i}" for i in range(40)]
STRENGTHS = {"bm25": 0.6, "dense": 1.4, "hybrid": 1.5}  # how much the score of a document follows its grade


def judgments() -> Grades:
    """Thirty judged documents of each query; nothing is relevant to q7."""
    rng = random.Random(1)
    out = {}
    for query in QUERIES:
        grades = [0] if query == "q7" else [0, 0, 0, 1, 2, -1]
        out[query] = {f"d{j}": rng.choice(grades) for j in rng.sample(range(60), 30)}
    return out


def runs() -> dict[str, Scores]:
    """Three runs with rounded scores, so that there are ties; bm25 lacks q3, and all have a query without judgments."""
    grades, out = judgments(), {}
    for seed, (name, strength) in enumerate(STRENGTHS.items()):
        rng = random.Random(seed)
        out[name] = {
            query: {
                f"d{j}": round(rng.gauss(0, 1) + strength * grades.get(query, {}).get(f"d{j}", 0), 1)
                for j in rng.sample(range(60), 25)
            }
            for query in [*QUERIES, "q99"]
        }
    del out["bm25"]["q3"]
    return out


def topics() -> dict[str, list[str]]:
    """Attributes of every query: its kind, and the user who asked."""
    return {
        "query": QUERIES,
        "kind": ["navigational" if i % 2 else "informational" for i in range(len(QUERIES))],
        "user": [f"u{i // 4}" for i in range(len(QUERIES))],
    }


def written(folder: Path) -> None:
    """The same as files: qrels.txt, a run for each system, and topics.csv."""
    lines = (f"{q} 0 {d} {grade}" for q, of in judgments().items() for d, grade in of.items())
    (folder / "qrels.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, run in runs().items():
        lines = (f"{q} Q0 {d} 0 {score} {name}-tag" for q, of in run.items() for d, score in of.items())
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = topics()
    rows = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    (folder / "topics.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
