"""Judgments and runs from files, frames and dicts: a plain stand-in, to be replaced by the quick reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import DataError
from assay.sources.rankings.matched import Judgments, Matched


@dataclass(frozen=True)
class Judged:
    """Judgments that are read and indexed once, to be matched with many runs."""

    judgments: Judgments
    grades: Mapping[str, Mapping[str, float]]

    def match(self, run: Any, *, name: str = "run") -> Matched:
        """The run's judged documents."""
        scores = _scores(run, 4)
        if not set(scores) & set(self.grades):
            raise DataError(f"{name} and the judgments have no query in common.")
        retrieved, found, tied = [], [], []
        for q, query in enumerate(self.judgments.queries):
            ordered = sorted(
                scores.get(query, {}).items(), key=lambda pair: (np.float32(pair[1]), pair[0].encode()), reverse=True
            )
            retrieved.append(len(ordered))
            judged = self.grades[query]
            found += [(q, rank, judged[doc]) for rank, (doc, _) in enumerate(ordered, 1) if doc in judged]
            rank = 1
            for _, group in groupby(ordered, key=lambda pair: np.float32(pair[1])):
                number = len(list(group))
                if number > 1:
                    tied.append((q, rank, number))
                rank += number
        a, b = np.array(found).reshape(-1, 3), np.array(tied, np.int64).reshape(-1, 3)
        return Matched(
            retrieved=np.array(retrieved),
            found_query=a[:, 0].astype(np.int64),
            found_rank=a[:, 1].astype(np.int64),
            found_grade=a[:, 2].astype(np.float64),
            tied_query=b[:, 0],
            tied_first=b[:, 1],
            tied_number=b[:, 2],
            strangers=len(set(scores) - set(self.grades)),
        )


def judged(source: Any, *, name: str = "qrels") -> Judged:
    """Judgments from a file or a dict."""
    grades = _scores(source, 3)
    queries = tuple(grades)
    rows = [(q, grade) for q, query in enumerate(queries) for grade in grades[query].values()]
    table = np.array(rows).reshape(-1, 2)
    return Judged(Judgments(queries, table[:, 0].astype(np.int64), table[:, 1].astype(np.float64)), grades)


def matched(qrels: Any, run: Any) -> tuple[Judgments, Matched]:
    """Judgments, and a run that was matched with them."""
    found = judged(qrels)
    return found.judgments, found.match(run)


def _scores(source: Any, column: int) -> dict[str, dict[str, float]]:
    if isinstance(source, Mapping):
        return {str(q): {str(d): float(x) for d, x in docs.items()} for q, docs in source.items()}
    out: dict[str, dict[str, float]] = {}
    for line in Path(source).read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if fields:
            out.setdefault(fields[0], {})[fields[2]] = float(fields[column])
    return out
