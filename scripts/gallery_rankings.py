"""The pages of rankings in the gallery, in every state that they can be in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

import assay
from assay.report.contents.blocks import Page
from assay.tally.contract.systems import Systems
from assay.tally.count.counts import Counts, Together
from assay.tally.lists.ranked import Lists
from assay.tally.rankings import Ranked

QUICK: dict[str, Any] = {"n_resamples": 499}
LONG = "a model with a name that says everything about how it was trained, tuned and distilled, twice"
RIGHT_TO_LEFT = ("מסווג היערות (גרסה 2)", "المصنف الخطي")


def several(tallies: Mapping[str, Ranked]) -> Counts:
    """Runs for the same queries, so that any two of them can be paired."""
    ordered = {name: tally.in_order() for name, tally in tallies.items()}
    lists, number = reduce(Lists.then, (tally.lists for tally in ordered.values())).distinct()
    made, at = {}, 0
    for name, tally in ordered.items():
        keys = {**tally.keys, "list": number[at + tally.keys["list"]]}
        made[name] = replace(tally, keys=keys, lists=lists)
        at += len(tally.lists)
    return Counts(made, together=Together(Systems(made)))


def lists(queries: int, relevant: float, seed: int, ranks: int = 30) -> dict[str, list[int]]:
    """Graded lists, of which the first ranks are relevant more often."""
    rng = np.random.default_rng(seed)
    often = relevant / np.sqrt(np.arange(1, ranks + 1))
    hard = rng.beta(2, 2, queries)[:, None] * 2
    grades = (rng.random((queries, ranks)) < often * hard) * rng.integers(1, 4, (queries, ranks))
    return {f"query {i}": row for i, row in enumerate(grades.tolist())}


def _ranked(names: tuple[str, str], *runs: dict[str, list[int]], shown: bool = False) -> Page:
    """The page of these runs, with the names of queries if those are shown."""
    report = assay.evaluate(assay.Ranked.joint(*runs, names=names)).compare(primary="ndcg(k=10)", **QUICK)
    asked = {**report.asked, "show_queries": shown}
    made: Page = replace(report, asked=asked).page()
    return made


def judged_in_part() -> tuple[dict[str, dict[str, int]], list[dict[str, dict[str, float]]]]:
    """Judgments of the documents that one of two runs returned, and of some others."""
    rng = np.random.default_rng(12)
    qrels: dict[str, dict[str, int]] = {}
    runs: list[dict[str, dict[str, float]]] = [{}, {}]
    for i in range(50):
        q, likely = f"query {i}", rng.random(60)
        held = [likely + rng.normal(0, noise, 60) for noise in (0.25, 0.4)]
        for run, score in zip(runs, held, strict=True):
            run[q] = {f"d{k}": float(score[k]) for k in np.argsort(-score)[:30]}
        seen = {*runs[1][q], *(f"d{k}" for k in range(60) if rng.random() < 0.6)}
        qrels[q] = {f"d{k}": int(likely[k] > 0.7) for k in range(60) if f"d{k}" in seen}
    return qrels, runs


def two_runs() -> Page:
    """Two runs, one of which made the pool, with the names of queries."""
    qrels, runs = judged_in_part()
    joint = assay.Ranked.joint(*(assay.Ranked.from_rankings(qrels, run) for run in runs), names=("dense", "bm25"))
    report = assay.evaluate(joint).compare(primary="ndcg(k=10)", **QUICK)
    made: Page = replace(report, asked={**report.asked, "show_queries": True}).page()
    return made


def one_run() -> Page:
    """One run."""
    made: Page = assay.evaluate({"dense": assay.Ranked.from_rankings(lists(40, 0.5, 1))}).page()
    return made


def six_runs() -> Page:
    """Six runs for the same queries."""
    runs = {f"run {i}": assay.Ranked.from_rankings(lists(60, 0.3 + 0.06 * i, i)) for i in range(1, 7)}
    made: Page = assay.evaluate(several(runs)).compare(primary="ndcg(k=10)", **QUICK).page()
    return made


def many_queries() -> Page:
    """More queries than can be drawn one by one."""
    return _ranked(("new", "old"), lists(2500, 0.5, 2, 12), lists(2500, 0.45, 3, 12))


def hundreds_of_queries() -> Page:
    """Queries that are points without marks of their own."""
    return _ranked(("new", "old"), lists(600, 0.5, 2, 12), lists(600, 0.45, 3, 12))


def long_names_of_runs() -> Page:
    """Runs and queries with names longer than a phone is wide."""
    runs = ({f"{query}: {LONG}": grades for query, grades in lists(30, 0.4, seed).items()} for seed in (4, 5))
    return _ranked((LONG, f"{LONG}, {LONG}"), *runs, shown=True)


def runs_right_to_left() -> Page:
    """Runs and queries with names that are read from right to left."""
    runs = ({f"{RIGHT_TO_LEFT[1]} {q}": g for q, g in lists(30, 0.4, seed).items()} for seed in (6, 7))
    return _ranked(RIGHT_TO_LEFT, *runs, shown=True)


def one_query() -> Page:
    """A single query."""
    return _ranked(("one", "other"), {"q": [0, 1, 0, 2]}, {"q": [0, 0, 0, 1]}, shown=True)


def five_queries() -> Page:
    """Queries so few that their bars leave room."""
    return _ranked(("one", "other"), lists(5, 0.5, 8), lists(5, 0.5, 9), shown=True)


def equal_runs() -> Page:
    """Two runs that are the same."""
    return _ranked(("one", "other"), lists(20, 0.5, 10), lists(20, 0.5, 10))


def nothing_found() -> Page:
    """Two runs that find nothing."""
    empty = {f"q{i}": [0] * 12 for i in range(20)}
    return _ranked(("one", "other"), empty, empty)


RANKINGS: dict[str, Callable[[], Page]] = {
    "two runs": two_runs,
    "one run": one_run,
    "six runs": six_runs,
    "thousands of queries": many_queries,
    "hundreds of queries": hundreds_of_queries,
    "runs with long names": long_names_of_runs,
    "runs from right to left": runs_right_to_left,
    "one query": one_query,
    "five queries": five_queries,
    "equal runs": equal_runs,
    "nothing found": nothing_found,
}
