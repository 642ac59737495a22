"""`assay rank` against trec_eval 9.0.8 (pytrec-eval-terrier 0.5.11), and against counts query by query."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from scipy import stats
from sklearn import metrics as sk

import assay
from assay.cli.main import exit_code
from assay.jobs.ranking.queries import per_query
from tests.trec import judgments, runs, topics, written

QRELS, RUNS = judgments(), runs()
NAMES = {
    "ndcg@10": "ndcg_cut_10",
    "ndcg": "ndcg",
    "ap": "map",
    "rr": "recip_rank",
    "p@10": "P_10",
    "r@100": "recall_100",
    "bpref": "bpref",
    "success@5": "success_5",
}
WITH_RELEVANT = [query for query, grades in QRELS.items() if max(grades.values()) > 0]


def of_trec_eval(run: str, measures: set[str] | None = None, level: int = 1) -> dict[str, dict[str, float]]:
    """trec_eval's value of every query that is in both files."""
    wanted = measures or set(NAMES.values())
    found: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(QRELS, wanted, relevance_level=level).evaluate(
        RUNS[run]
    )
    return found


@pytest.mark.parametrize("run", RUNS)
def test_every_query_has_the_value_that_trec_eval_has_and_a_missing_one_has_0(run: str) -> None:
    theirs = of_trec_eval(run)
    report = assay.rank(QRELS, RUNS[run], measures=list(NAMES))
    ours = per_query(report)
    assert sorted(ours["query"]) == sorted(WITH_RELEVANT)
    for measure, name in NAMES.items():
        expected = [theirs[query][name] if query in theirs else 0.0 for query in ours["query"]]
        assert ours[measure] == pytest.approx(expected, abs=1e-12), measure
        assert report[measure].value == pytest.approx(np.mean(expected), abs=1e-12)


def test_a_threshold_of_relevance_is_the_level_of_trec_eval() -> None:
    theirs = of_trec_eval("dense", level=2)
    ours = per_query(assay.rank(QRELS, RUNS["dense"], measures=["ap", "p@10"], relevant_from=2))
    with_two = [query for query, grades in QRELS.items() if max(grades.values()) >= 2]
    assert sorted(ours["query"]) == sorted(with_two)
    assert ours["ap"] == pytest.approx([theirs[query]["map"] for query in ours["query"]], abs=1e-12)
    assert ours["p@10"] == pytest.approx([theirs[query]["P_10"] for query in ours["query"]], abs=1e-12)


def test_queries_that_are_missing_or_have_nothing_relevant_count_as_they_are_told_to() -> None:
    theirs = {query: of["ndcg_cut_10"] for query, of in of_trec_eval("bm25").items()}
    ways: dict[tuple[str, str], list[float]] = {
        ("skip", "zero"): [theirs.get(query, 0.0) for query in WITH_RELEVANT],
        ("zero", "zero"): [theirs.get(query, 0.0) for query in QRELS],
        ("skip", "skip"): [theirs[query] for query in WITH_RELEVANT if query in theirs],
        ("zero", "skip"): list(theirs.values()),
    }
    assert len({len(values) for values in ways.values()}) == 3
    for (no_relevant, missing), values in ways.items():
        report = assay.rank(QRELS, RUNS["bm25"], measures="ndcg@10", no_relevant=no_relevant, missing=missing)
        assert report["ndcg@10"].value == pytest.approx(np.mean(values), abs=1e-12)
        assert report["ndcg@10"].n == len(values)
        # The last of these is trec_eval's own rule, whose mean the others name where it is another one.
        told = [note for note in report.notes if "trec_eval averages over" in note]
        assert bool(told) == (f"{np.mean(values):.4f}" != f"{np.mean(list(theirs.values())):.4f}")
        assert not told or f"{np.mean(list(theirs.values())):.4f} over {len(theirs)} queries" in told[0]


def test_runs_are_compared_over_the_same_queries() -> None:
    each = {run: of_trec_eval(run) for run in ("bm25", "dense")}
    a, b = (
        np.array([each[run].get(query, {}).get("ndcg_cut_10", 0.0) for query in sorted(WITH_RELEVANT)]) for run in each
    )
    d = np.where(np.abs(a - b) < 1e-12, 0.0, a - b)
    tests: dict[str, Any] = {
        "t": stats.ttest_rel(a, b).pvalue,
        "wilcoxon": stats.wilcoxon(d, method="exact").pvalue,
        "sign": stats.binomtest(int((d > 0).sum()), int((d != 0).sum())).pvalue,
    }
    two = {run: RUNS[run] for run in each}
    for test, p in tests.items():
        (c,) = assay.rank(QRELS, two, primary="ndcg@10", test=test).comparisons[:1]
        assert c.difference == pytest.approx(d.mean(), abs=1e-12)
        assert c.p_value == pytest.approx(p, rel=1e-9), test
        assert (c.test, c.n, c.item) == (test, len(d), "query")
    contest = assay.rank(QRELS, two, primary="ndcg@10").contest
    assert contest is not None
    wins, apart = contest.sections[:2]
    assert [cell.value for cell in wins.rows[0][1]] == [(d > 0).sum(), (d == 0).sum(), (d < 0).sum()]
    names = sorted(WITH_RELEVANT)
    lacking = [any(name not in RUNS[run] for run in each) for name in names]  # those come last
    order = sorted(range(len(d)), key=lambda i: (lacking[i], -abs(d[i])))[:5]
    assert [name for name, _ in apart.rows] == [names[i] for i in order]
    assert [cells[2].value for _, cells in apart.rows] == pytest.approx([d[i] for i in order])


def test_groups_of_queries_have_the_means_of_their_queries() -> None:
    theirs, table = of_trec_eval("dense"), topics()
    report = assay.rank(QRELS, RUNS["dense"], measures="ap", query_attributes=table, slices="kind")
    kind = dict(zip(table["query"], table["kind"], strict=True))
    groups = {row.slice: row for row in report.rows if row.slice and row.quantity == "value"}
    for name in ("informational", "navigational"):
        values = [theirs[query]["map"] for query in WITH_RELEVANT if kind[query] == name]
        assert groups[f"kind={name}"].value == pytest.approx(np.mean(values), abs=1e-12)
        assert groups[f"kind={name}"].n == len(values)


def test_what_was_never_judged_and_where_ties_are_cut_is_counted() -> None:
    report = assay.rank(QRELS, RUNS["dense"], primary="ndcg@10")
    unjudged = tied = top = 0
    for query in WITH_RELEVANT:
        ordered = sorted(RUNS["dense"][query].items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
        unjudged += sum(QRELS[query].get(document, -1) < 0 for document, _ in ordered[:10])
        top += len(ordered[:10])
        tied += ordered[9][1] == ordered[10][1]
    facts = report.provenance
    assert facts["unjudged"] == {"run": pytest.approx(unjudged / top)}
    assert facts["tied"] == {"run": pytest.approx(tied / len(WITH_RELEVANT))}
    assert facts["queries without judgments"] == {"run": 1}
    assert facts["queries without relevant documents"] == 1


def printed(*arguments: str) -> list[list[str]]:
    """The lines that are printed, divided into name, query and value."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert exit_code(["rank", *arguments, "--format", "trec"]) == 0
    return [line.split("\t") for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("complete", [False, True])
def test_what_trec_eval_prints_is_printed_with_its_values(
    complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    names = pytrec_eval.supported_measures
    theirs = of_trec_eval("bm25", set(names))
    lines = printed("qrels.txt", "bm25.run", "-q", *(["-c"] if complete else []))
    single = {(name.strip(), query): value for name, query, value in lines if query != "all"}
    compared = 0
    for (name, query), value in single.items():
        if name in theirs.get(query, {}) and name != "relstring":
            assert float(value) == pytest.approx(theirs[query][name], abs=5.1e-5), (name, query)
            compared += 1
    assert compared > 60 * len(theirs)
    overall = {name.strip(): value for name, query, value in lines if query == "all"}
    assert overall["runid"] == "bm25-tag"
    assert int(overall["num_q"]) == (len(QRELS) if complete else len(theirs))
    for name in ("map", "P_10", "ndcg_cut_10", "bpref", "recip_rank", "Rprec"):
        total = sum(of[name] for of in theirs.values())
        assert float(overall[name]) == pytest.approx(total / int(overall["num_q"]), abs=5.1e-5)
    assert int(overall["num_rel_ret"]) == sum(of["num_rel_ret"] for of in theirs.values())
    assert all(re.fullmatch(r"-?\d+\.\d{4}", x) for name, x in overall.items() if not re.match("runid|num_", name))


def test_arrays_are_ranked_as_scikit_learn_ranks_them() -> None:
    rng = np.random.default_rng(0)
    grades, a, b = rng.integers(0, 4, (30, 12)), rng.random((30, 12)), rng.random((30, 12))
    report = assay.rank(grades, {"a": a, "b": b}, primary="ndcg@5")
    for name, scores in (("a", a), ("b", b)):
        assert report["ndcg@5", name].value == pytest.approx(sk.ndcg_score(grades, scores, k=5), abs=1e-12)
    alone = assay.rank(grades.tolist(), a.tolist(), measures="ndcg@5")
    assert alone["ndcg@5"].value == report["ndcg@5", "a"].value


@pytest.mark.parametrize("numbered", [False, True])
def test_the_test_of_two_groups_is_that_of_their_values(numbered: bool) -> None:
    rng = np.random.default_rng(3)
    name = str if numbered else "q{}".format
    kind = np.array(["a", "b"])[rng.integers(0, 2, 60)]
    grades = rng.random((60, 12)) < 0.3
    scores = rng.random((60, 12)) + 0.35 * grades * (kind == "a")[:, None]
    qrels = {name(i): {"last": 1} | {f"d{j}": int(x) for j, x in enumerate(row)} for i, row in enumerate(grades)}
    run = {name(i): {f"d{j}": float(x) for j, x in enumerate(row)} for i, row in enumerate(scores)}
    attributes = {"query": list(map(name, range(60))), "kind": kind.tolist()}
    report = assay.rank(qrels, run, measures=["ap"], slices="kind", query_attributes=attributes)
    values = assay.ap.per_query(qrels, run)
    a, b = (np.array([values[name(i)] for i in np.flatnonzero(kind == each)]) for each in "ab")
    (gap,) = [row for row in report.rows if row.quantity == "gap"]
    assert gap.value == pytest.approx(a.mean() - b.mean())
    assert gap.p is not None
    drawn = stats.permutation_test(
        (a, b),
        lambda x, y, axis: stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic,
        vectorized=True,
        rng=np.random.default_rng(0),
    )
    assert gap.p == pytest.approx(drawn.pvalue, abs=8e-4)  # four standard errors of either
    assert 1e-5 < gap.p < 1e-3
