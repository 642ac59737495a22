"""Rankings against trec_eval 9.0.8, through pytrec-eval-terrier 0.5: every value that `-m all_trec` prints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import pytrec_eval

from assay import DataError, Ranked, ndcg
from assay.measures.declare.catalogue import parse
from assay.measures.rankings import trec

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

# What is not a value of a list: the name of the run, the number of queries, and the grades as a text.
TEXTS = {"runid", "num_q", "relstring"}
# Sums whose terms are added in another order than in trec_eval; all other values have the same bits.
REORDERED = {"ndcg_rel", "Rndcg"}

# Measures of the catalogue by the names that trec_eval has for them.
NAMED = {
    "ap": "map",
    "rr": "recip_rank",
    "r_precision": "Rprec",
    "bpref": "bpref",
    "inf_ap": "infAP",
    "ndcg": "ndcg",
    "set_p": "set_P",
    "set_r": "set_recall",
    "set_f": "set_F",
    "iprec_mean(rule=trec_eval)": "11pt_avg",
    **{f"p@{k}": f"P_{k}" for k in trec.CUTS},
    **{f"r@{k}": f"recall_{k}" for k in trec.CUTS},
    **{f"ap@{k}": f"map_cut_{k}" for k in trec.CUTS},
    **{f"ndcg@{k}": f"ndcg_cut_{k}" for k in trec.CUTS},
    **{f"success@{k}": f"success_{k}" for k in (1, 5, 10)},
    **{f"iprec(recall={i / 10},rule=trec_eval)": f"iprec_at_recall_{i / 10:.2f}" for i in range(11)},
}
ONLY_JUDGED = ("p@5", "r@5", "success@5", "r_precision", "ap", "ap@5", "rr", "ndcg", "ndcg@5")


def collection(seed: int, queries: int = 12) -> tuple[Qrels, Run]:
    """Judgments and a run with ties, unjudged and missing documents, negative grades and queries of one side only."""
    rng = np.random.default_rng(seed)
    qrels: Qrels = {}
    run: Run = {}
    for q in range(queries):
        judged, listed = rng.integers(1, 70, 2)
        documents = [f"d{i}" for i in range(judged + 30)]
        grades = rng.choice([-1, 0, 0, 0, 1, 1, 2, 3], judged)
        grades[0] = abs(grades[0])  # trec_eval reads memory of the query before where all grades are negative
        qrels[f"q{q}"] = dict(zip(rng.permutation(documents)[:judged].tolist(), grades.tolist(), strict=True))
        scores = np.round(rng.normal(size=min(listed, len(documents))), 1)
        run[f"q{q}"] = dict(zip(rng.permutation(documents)[: len(scores)].tolist(), scores.tolist(), strict=True))
    qrels["only judged"] = {"d1": 1}
    run["only found"] = {"d1": 1.0}
    return qrels, run


def theirs(qrels: Qrels, run: Run, level: int = 1, judged_only: bool = False) -> dict[str, dict[str, float]]:
    made = pytrec_eval.RelevanceEvaluator(qrels, {"all_trec"}, relevance_level=level, judged_docs_only_flag=judged_only)
    found: dict[str, dict[str, float]] = made.evaluate(run)
    return found


def counted(qrels: Qrels, run: Run, level: int) -> Ranked:
    both = {query: grades for query, grades in qrels.items() if query in run}
    return Ranked.from_rankings(both, run, relevant_from=None if level == 1 else level, no_relevant="zero")


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(12))
def test_every_value_is_that_of_trec_eval(seed: int, level: int, judged_only: bool) -> None:
    qrels, run = collection(seed)
    expected = theirs(qrels, run, level, judged_only)
    tally = counted(qrels, run, level)
    lists = tally.lists.judged_only if judged_only else tally.lists
    found = trec.trec_values(lists)
    assert set(found) == set(expected["q0"]) - TEXTS
    for name, values in found.items():
        for query, value in zip(tally.queries, values.tolist(), strict=True):
            # Its 0/0 where no judged document is in a list is 0 here.
            wanted = 0.0 if math.isnan(expected[query][name]) else expected[query][name]
            tolerance = 1e-15 if name in REORDERED else 0.0
            assert value == pytest.approx(wanted, rel=tolerance, abs=tolerance), (query, name)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("spelling", NAMED)
def test_a_measure_is_the_mean_of_the_values_of_trec_eval(spelling: str, level: int) -> None:
    for seed in range(4):
        qrels, run = collection(seed)
        expected = [values[NAMED[spelling]] for values in theirs(qrels, run, level).values()]
        measure, options = parse(spelling)
        assert measure.of(counted(qrels, run, level), **options) == pytest.approx(np.mean(expected), rel=1e-14)


@pytest.mark.parametrize("spelling", ONLY_JUDGED)
def test_a_measure_of_judged_documents_only_is_that_of_trec_eval(spelling: str) -> None:
    for seed in range(4):
        qrels, run = collection(seed)
        expected = [values[NAMED[spelling]] for values in theirs(qrels, run, judged_only=True).values()]
        measure, options = parse(spelling)
        found = measure.of(counted(qrels, run, 1), **options, judged_only=True)
        assert found == pytest.approx(np.mean(expected), rel=1e-14)


def test_a_list_that_is_cut_off_is_what_trec_eval_has_of_a_run_that_is_cut_off() -> None:
    # trec_eval -M 7: the first seven documents of each query.
    for seed in range(4):
        qrels, run = collection(seed)
        tally = counted(qrels, run, 1)
        short: Run = {}
        for query, scores in run.items():
            ordered = sorted(scores.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
            short[query] = dict(ordered[:7])
        expected = theirs(qrels, short)
        for spelling, name in {"bpref": "bpref", "inf_ap": "infAP", "r_precision": "Rprec", "rr": "recip_rank"}.items():
            measure, _ = parse(spelling)
            wanted = np.mean([values[name] for values in expected.values()])
            assert measure.of(tally, k=7) == pytest.approx(wanted, rel=1e-14), spelling


@pytest.mark.parametrize("seed", range(6))
def test_values_of_all_queries_are_those_of_trec_eval(seed: int) -> None:
    qrels, run = collection(seed)
    each = theirs(qrels, run)
    found = trec.trec_values(counted(qrels, run, 1).lists)
    for name, values in found.items():
        expected = pytrec_eval.compute_aggregated_measure(name, [of_query[name] for of_query in each.values()])
        assert trec.trec_summary(name, values) == pytest.approx(expected, rel=1e-13), name
    # The geometric mean of AP is a measure of its own.
    measure, _ = parse("gm_ap")
    expected = pytrec_eval.compute_aggregated_measure("gm_map", [values["gm_map"] for values in each.values()])
    assert measure.of(counted(qrels, run, 1)) == pytest.approx(expected, rel=1e-13)


def test_names_come_in_the_order_in_which_trec_eval_prints_them() -> None:
    # Version 9.0.8 prints runid and num_q before these, and the grades of a query (relstring) after P_1000.
    cuts = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
    assert list(trec.VALUES) == [
        *("num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
        *(f"iprec_at_recall_{i / 10:.2f}" for i in range(11)),
        *(f"P_{k}" for k in cuts),
        *(f"recall_{k}" for k in cuts),
        *("infAP", "gm_bpref"),
        *(f"Rprec_mult_{i / 10:.2f}" for i in range(2, 21, 2)),
        *("utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg"),
        *(f"ndcg_cut_{k}" for k in cuts),
        *(f"map_cut_{k}" for k in cuts),
        *(f"relative_P_{k}" for k in cuts),
        *("success_1", "success_5", "success_10"),
        *("set_P", "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"),
    ]


def test_the_grades_of_the_first_ten_documents_are_a_text() -> None:
    # As trec_eval 9.0.8 prints them: unjudged -, pooled without a judgment ., and > above 9.
    qrels: dict[str, Any] = {"q": {"a": 0, "b": 2, "c": 12, "d": -1, "e": 9}, "r": {"a": 1}}
    run: dict[str, Any] = {"q": {"a": 9, "x": 8, "b": 7, "c": 6, "d": 5, "e": 4}, "r": {f"x{i}": i for i in range(12)}}
    assert trec.relevance_strings(Ranked.from_rankings(qrels, run).lists) == ["0-2>.9", "-" * 10]


def test_values_are_printed_with_four_digits_and_counts_without_any() -> None:
    assert trec.trec_text("num_rel", 12.0) == "12"
    assert trec.trec_text("map", 0.25) == "0.2500"
    assert trec.trec_text("utility", -412.66667) == "-412.6667"


def test_every_value_is_zero_where_nothing_is_relevant() -> None:
    tally = Ranked.from_rankings({"q": {"a": 0}}, {"q": {"a": 2.0, "b": 1.0, "c": 0.5}}, no_relevant="zero")
    found = trec.trec_values(tally.lists)
    assert found["Rndcg"].tolist() == [0.0]
    assert found["ndcg"].tolist() == [0.0]


def test_grades_that_cannot_be_added_up_are_refused() -> None:
    with pytest.raises(DataError, match="a grade is 1e\\+308; grades lie between"):
        ndcg({"q": {"a": 1e308, "b": 1e308}}, {"q": {"a": 1, "b": 0.5}})
