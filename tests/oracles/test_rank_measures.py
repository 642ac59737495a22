"""Measures of rankings that trec_eval 9.0.8 has not, or has by another rule, against other libraries and by definition.

`figures/rankings.json` has values of ir_measures 0.4 (ERR and nDCG with exponential gain by gdeval, RBP by cwl-eval)
and ranx 0.3, which were computed in an environment of their own.
"""

from __future__ import annotations

import dataclasses
import json
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import ndcg_score

import assay
from assay import Ranked
from assay.errors import DataError, OptionError
from assay.measures.declare.catalogue import catalogue, parse
from assay.measures.rankings import gains

FIGURES = json.loads((Path(__file__).parent / "figures" / "rankings.json").read_text(encoding="utf-8"))
QRELS: dict[str, dict[str, int]] = FIGURES["qrels"]
RUN: dict[str, dict[str, float]] = FIGURES["run"]


def value_by_query(tally: Ranked, spelling: str) -> dict[str, float]:
    measure, options = parse(spelling)
    each = measure.paired.each
    assert each is not None
    return dict(zip(tally.queries, each(tally, **{**measure.options, **options}).tolist(), strict=True))


def listed(query: str) -> list[int | None]:
    """The grades of the run's documents in rank order, None for those without a judgment."""
    ordered = sorted(RUN[query], key=lambda document: -RUN[query][document])
    return [QRELS[query].get(document) for document in ordered]


@pytest.mark.parametrize("figure", FIGURES["figures"], ids=lambda f: f"{f['measure']} of {f['library']}")
def test_each_query_has_the_value_that_another_library_gives(figure: dict[str, Any]) -> None:
    tally = Ranked.from_rankings(QRELS, RUN)
    found = value_by_query(tally, figure["measure"])
    half = 0.5000001 * 10.0 ** -figure["digits"]
    for query, value in zip(QRELS, figure["values"], strict=True):
        assert found[query] == pytest.approx(value, abs=half), query


# ---------------------------------------------------------------------- queries that count
JUDGED = {"q1": {"a": 0, "b": 1}, "q2": {"a": 0, "b": 0}}
FOUND = {"q1": {"a": 0.9, "b": 0.1}, "q2": {"a": 0.9, "b": 0.1}}
ALIKE = {
    "dicts": (JUDGED, FOUND),
    "frames": tuple(
        pl.DataFrame(
            [(q, d, x) for q, of in nested.items() for d, x in of.items()], ["query", "document", name], orient="row"
        )
        for nested, name in ((JUDGED, "relevance"), (FOUND, "score"))
    ),
    "arrays": (np.array([[0, 1], [0, 0]]), np.array([[0.9, 0.1], [0.9, 0.1]])),
}


@pytest.mark.parametrize("form", ALIKE)
def test_a_query_without_a_relevant_document_is_left_out_however_judgments_and_runs_are_given(form: str) -> None:
    given = ALIKE[form]
    assert assay.ndcg(*given) == pytest.approx(1 / log2(3))
    assert assay.ndcg(*given, no_relevant="zero") == pytest.approx(1 / log2(3) / 2)
    theirs = ndcg_score(np.array([[0, 1], [0, 0]]), np.array([[0.9, 0.1], [0.9, 0.1]]))
    assert assay.ndcg(*given, no_relevant="zero") == pytest.approx(theirs)


def test_a_query_without_a_relevant_document_counts_as_zero_in_lists_of_grades() -> None:
    lists = {"q1": [0, 1], "q2": [0, 0]}
    assert assay.ndcg(lists) == pytest.approx(1 / log2(3) / 2)
    assert assay.ndcg(lists, no_relevant="skip") == pytest.approx(1 / log2(3))


def test_a_query_that_a_run_lacks_has_no_unjudged_documents() -> None:
    grades = {"q1": {"a": 1}, "q2": {"a": 1}}
    report = assay.rank(grades, {"q1": {"a": 0.5}}, measures="judged@10")
    assert report["judged@10"].value == 1
    assert report.provenance["unjudged"] == {"run": 0}
    assert assay.judged(grades, {"q1": {"a": 0.5, "b": 0.4}}, k=10) == pytest.approx(0.75)


# ---------------------------------------------------------------------- by definition
def by_definition(name: str, query: str, k: int | None, **o: Any) -> float:
    """The value of one query, document by document."""
    grades = [max(grade or 0, 0) for grade in listed(query)][:k]
    pool = sorted(QRELS[query].values(), reverse=True)[:k]
    if name in ("cg", "dcg", "ndcg"):
        exponential, original = o.get("gain") == "exponential", o.get("discount") == "original"

        def gained(grade: int, i: int) -> float:
            discount = 1.0 if name == "cg" or (original and i == 1) else log2(i if original else i + 1)
            return (2.0**grade - 1 if exponential else grade) / discount

        own, best = (sum(gained(g, i) for i, g in enumerate(each, 1)) for each in (grades, pool))
        return own / best if name == "ndcg" else own
    if name == "rbp":
        p = float(o["p"])
        return sum((1 - p) * p ** (i - 1) for i, grade in enumerate(grades, 1) if grade > 0)
    total, reached = 0.0, 1.0
    for i, grade in enumerate(grades, 1):
        stop = (2**grade - 1) / 2 ** o["max_grade"]
        total += reached * stop * (1 / i if name == "err" else 1)
        reached *= (1 - stop) * (1 if name == "err" else 1 - o["p_break"])
    return total


VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *(
        (name, {"gain": gain, "discount": discount})
        for name in ("dcg", "ndcg")
        for gain in ("linear", "exponential")
        for discount in ("log2", "original")
    ),
    *(("cg", {"gain": gain}) for gain in ("linear", "exponential")),
    *(("rbp", {"p": p}) for p in (0.3, 0.95)),
    *(("err", {"max_grade": grade}) for grade in (3, 4.5)),
    *(("pfound", {"max_grade": 3, "p_break": p}) for p in (0, 0.15, 1)),
]


@pytest.mark.parametrize("k", [None, 1, 7])
@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_each_variant_has_the_value_of_its_definition(name: str, options: dict[str, Any], k: int | None) -> None:
    tally = Ranked.from_rankings(QRELS, RUN)
    spelling = parse(name)[0].spelled({**options, "k": k} if k else options)
    found = value_by_query(tally, spelling)
    for query in QRELS:
        assert found[query] == pytest.approx(by_definition(name, query, k, **options), rel=1e-12, abs=1e-15)


def test_every_combination_of_gain_and_discount_has_a_spelling_of_its_own() -> None:
    ndcg = parse("ndcg")[0]
    spelled = [ndcg.spelled({**ndcg.options, **o, "k": 10}) for name, o in VARIANTS if name == "ndcg"]
    assert spelled == [
        "ndcg@10",
        "ndcg@10(discount=original)",
        "ndcg@10(gain=exponential)",
        "ndcg@10(gain=exponential,discount=original)",
    ]


@pytest.mark.parametrize("recall", [0.0, 0.1, 0.35, 0.5, 0.9, 1.0])
def test_interpolated_precision_is_the_highest_at_that_recall_or_above(recall: float) -> None:
    found = value_by_query(Ranked.from_rankings(QRELS, RUN), f"iprec(recall={recall})")
    for query in QRELS:
        whole = sum(grade > 0 for grade in QRELS[query].values())
        right = np.cumsum([(grade or 0) > 0 for grade in listed(query)])
        # Recall in whole numbers, because 0.1 · 30 is not 3 in floating point.
        enough = 100 * right >= round(100 * recall) * whole
        best = max((r / i for i, (r, e) in enumerate(zip(right, enough, strict=True), 1) if e and r), default=0.0)
        assert found[query] == pytest.approx(best, abs=1e-15), query


def test_interpolated_precision_of_trec_eval_takes_a_document_less_where_a_tenth_is_lost_in_rounding() -> None:
    # A recall of .7 of 3 documents is 2.1 of them: three reach it, and ⌊2.1 + .9⌋ is 2 in floating point.
    tally = Ranked.from_rankings({"q": [1, 1, 0, 0, 1]})
    assert 0.7 * 3 + 0.9 < 3
    assert assay.iprec.of(tally, recall=0.7) == pytest.approx(3 / 5)
    assert assay.iprec.of(tally, recall=0.7, rule="trec_eval") == 1
    assert assay.iprec_mean.of(tally) == pytest.approx((7 + 4 * 3 / 5) / 11)
    assert assay.iprec_mean.of(tally, rule="trec_eval") == pytest.approx((8 + 3 * 3 / 5) / 11)


# ---------------------------------------------------------------------- what is not judged
def filled(query: str, grade: int, k: int | None) -> tuple[dict[str, int], dict[str, float]]:
    """The judgments with this grade for every unjudged document among the first k, and the run."""
    ordered = sorted(RUN[query], key=lambda document: -RUN[query][document])[:k]
    return {**dict.fromkeys(ordered, grade), **QRELS[query]}, RUN[query]


@pytest.mark.parametrize("k", [None, 5])
@pytest.mark.parametrize("spelling", ["ndcg@5", "ap", "rr", "p@5", "bpref", "err(max_grade=3)", "r", "judged@5"])
def test_unjudged_documents_may_be_taken_as_relevant_or_not(spelling: str, k: int | None) -> None:
    tally = Ranked.from_rankings(QRELS, RUN)
    for relevant, grade in ((True, 3), (False, 0)):  # 3 is the highest grade of these judgments
        as_if = dataclasses.replace(tally, lists=tally.lists.unjudged_as(relevant, k))
        pairs = {query: filled(query, grade, k) for query in QRELS}
        judged = {query: pair[0] for query, pair in pairs.items()}
        expected = value_by_query(Ranked.from_rankings(judged, RUN), spelling)
        assert value_by_query(as_if, spelling) == pytest.approx(expected, rel=1e-14), relevant


def test_a_negative_grade_is_no_judgment_and_may_be_taken_as_one() -> None:
    tally = Ranked.from_rankings({"q": {"a": -1, "b": 2, "c": -2}}, {"q": {"a": 3.0, "b": 2.0, "x": 1.0}})
    lists = tally.lists.unjudged_as(True)
    assert lists.rank.tolist() == [1, 2, 3]
    assert lists.grade.tolist() == [2, 2, 2]
    assert lists.pool_grade.tolist() == [2, 2, 2, -1]  # one of the two is judged now
    assert tally.lists.unjudged_as(True, 1).grade.tolist() == [2, 2]
    assert tally.lists.unjudged_as(False).pool_grade.tolist() == [2, 0, 0, -1]


def test_the_residual_is_what_is_gained_if_all_that_is_unknown_were_relevant() -> None:
    tally = Ranked.from_rankings(QRELS, RUN)
    for p in (0.5, 0.8):
        for query, rest in zip(tally.queries, gains.residual(tally.lists, p=p).tolist(), strict=True):
            grades = listed(query)
            unknown = sum((1 - p) * p**i for i, grade in enumerate(grades) if grade is None) + p ** len(grades)
            assert rest == pytest.approx(unknown, rel=1e-12)
    notes = assay.rbp.estimate(tally, p=0.5).notes
    assert any(note.startswith(f"residual {gains.residual(tally.lists, p=0.5).mean():.4f}") for note in notes)


# ---------------------------------------------------------------------- scales of grades
def test_the_scale_that_was_taken_is_told_unless_it_is_named() -> None:
    tally = Ranked.from_rankings(QRELS, RUN)
    assert assay.err.of(tally) == assay.err.of(tally, max_grade=3)
    for measure in (assay.err, assay.pfound):
        assert any(note.startswith("max_grade is 3,") for note in measure.estimate(tally).notes)
        assert not any("max_grade" in note for note in measure.estimate(tally, max_grade=3).notes)


@pytest.mark.parametrize("measure", [assay.err, assay.pfound], ids=str)
def test_a_grade_above_the_scale_is_refused(measure: Any) -> None:
    with pytest.raises(DataError, match="grade of 3, but max_grade is 2; give the highest grade of the scale"):
        measure(QRELS, RUN, max_grade=2)


@pytest.mark.parametrize("measure", [assay.ndcg, assay.dcg, assay.cg], ids=str)
def test_a_grade_that_is_no_exponent_is_refused_and_named(measure: Any) -> None:
    with pytest.raises(DataError, match="grade of 2000, and 2 to that power is too large"):
        measure({"q": [1, 2000]}, gain="exponential")
    assert np.isfinite(measure({"q": [1, 500]}, gain="exponential"))
    assert np.isfinite(measure({"q": [1, 2000]}))
    assert assay.err({"q": [2000]}) == 1


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ndcg", {"gain": "squared"}, "gain"),
        ("ndcg", {"discount": "log10"}, "discount"),
        ("rbp", {"p": 1}, "above 0 and below 1"),
        ("pfound", {"p_break": 1.5}, "from 0 to 1"),
        ("err", {"max_grade": 0}, "above 0"),
        ("iprec", {"recall": 2}, "from 0 to 1"),
        ("iprec", {"rule": "textbook"}, "definition"),
        ("ap", {"judged_only": "yes"}, "True or False"),
        ("p", {"k": 0}, "at least 1"),
    ],
)
def test_an_option_that_cannot_be_meant_is_refused(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        parse(name)[0]({"q": [1]}, **options)


# ---------------------------------------------------------------------- names, nothing relevant, intervals
def test_average_precision_of_labels_and_scores_is_named_to_whoever_asks_rankings_for_it() -> None:
    for data in (([0, 1], [0.2, 0.8]), (np.array([0, 1]), np.array([0.2, 0.8]))):
        with pytest.raises(DataError, match=r"labels and scores of items are.*assay\.average_precision"):
            assay.ap(*data)


def test_everything_is_zero_where_nothing_is_relevant() -> None:
    tally = Ranked.from_rankings({"q1": [0, 0], "q2": []})
    for measure in (m for m in catalogue().values() if m.kind is Ranked):
        expected = {"judged": 1.0, "gm_ap": 1e-5}.get(measure.name, 0.0)
        assert measure.of(tally) == pytest.approx(expected, abs=1e-15), measure.name


def test_limits_of_a_geometric_mean_are_those_of_the_mean_logarithm() -> None:
    rng = np.random.default_rng(0)
    tally = Ranked.from_rankings({f"q{i:02d}": rng.integers(0, 2, 6).tolist() for i in range(30)})
    found = assay.gm_ap.estimate(tally)
    x = 1 - np.log(np.maximum(list(value_by_query(tally, "ap").values()), 1e-5)) / np.log(1e-5)
    # Rule M: Wilson's interval with the variance of the values and a quarter of one at each end.
    n, a, z = len(x), 0.25, stats.norm.ppf(0.975)
    s = (n * x.mean() + a) / (n + 2 * a)
    v = (((x - s) ** 2).sum() + a * (s**2 + (1 - s) ** 2)) / ((n + 2 * a - 1) * (n + 2 * a))
    m = s * (1 - s) / v * (z / stats.t.ppf(0.975, n - 1)) ** 2
    center, half = (x.mean() + z**2 / (2 * m)), z * np.sqrt(x.mean() * (1 - x.mean()) / m + z**2 / (4 * m**2))
    ends = ((center - half) / (1 + z**2 / m), (center + half) / (1 + z**2 / m))
    assert found.method == "bounded_t"
    assert (found.low, found.high) == pytest.approx([1e-5 ** (1 - end) for end in ends], rel=1e-12)
    joint = Ranked.joint(*({q: rng.integers(0, 2, 6).tolist() for q in tally.queries} for _ in range(2)))
    assert assay.compare(joint, measure="gm_ap").method == "mover"


def test_the_interval_of_an_unbounded_mean_says_that_it_was_not_simulated() -> None:
    tally = Ranked.from_rankings(QRELS, RUN)
    for measure in (assay.dcg, assay.cg):
        found = measure.estimate(tally)
        assert found.low is not None
        assert any("not simulated" in note for note in found.notes)


def test_scores_of_a_list_rise_with_k_where_they_are_sums() -> None:
    tally = Ranked.from_rankings(QRELS, RUN)
    for name in ("r", "success", "ap", "dcg", "cg", "rbp", "err", "pfound"):
        values = [parse(name)[0].of(tally, k=k) for k in range(1, 30)]
        assert all(a <= b + 1e-15 for a, b in pairwise(values)), name
