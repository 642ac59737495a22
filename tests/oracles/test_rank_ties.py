"""Best, worst and expected values over ties, against all orders of the documents that share a score."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from assay import Ranked
from assay.measures.declare.catalogue import catalogue
from assay.measures.rankings import ties

CUT: dict[str, Any] = {"k": 2}
EXACT: dict[str, list[dict[str, Any]]] = {
    **{
        name: [{}, CUT, {"k": 4}, {"judged_only": True}]
        for name in ("p", "r", "success", "r_precision", "rr", "ap", "cg", "rbp")
    },
    **{name: [{}, CUT, {"gain": "exponential", "discount": "original"}] for name in ("dcg", "ndcg")},
    **{name: [{"max_grade": 3}, {"max_grade": 3, **CUT}] for name in ("err", "pfound")},
    "set_p": [{}],
    "set_r": [{}],
    "set_f": [{}],
}
DRAWN: dict[str, list[dict[str, Any]]] = {"bpref": [{}, CUT], "iprec": [{}, {"recall": 0.5}], "iprec_mean": [{}]}
CASES = [(name, options) for name, all_options in {**EXACT, **DRAWN}.items() for options in all_options]


def one_query(judged: dict[str, int], scores: dict[str, float]) -> Any:
    return Ranked.from_rankings({"q": judged}, {"q": scores}, no_relevant="zero").lists


@cache
def cases() -> list[tuple[Any, list[Any]]]:
    """Lists with ties, and the lists of every order that breaks them."""
    rng, made = np.random.default_rng(3), []
    for _ in range(30):
        n = int(rng.integers(1, 7))
        scores = dict(zip("abcdef"[:n], rng.integers(0, 3, n).astype(float).tolist(), strict=True))
        judged = {d: int(rng.choice([-1, 0, 0, 1, 2, 3])) for d in scores if rng.random() < 0.7}
        judged |= {"y": 1, "z": int(rng.integers(0, 3))}  # not found
        orders = {tuple(sorted(order, key=lambda d: -scores[d])) for order in permutations(scores)}
        made.append((one_query(judged, scores), [one_query(judged, {d: -i for i, d in enumerate(o)}) for o in orders]))
    return made


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_the_best_and_the_worst_case_are_those_of_all_orders(name: str, options: dict[str, Any]) -> None:
    value = ties.VALUES[name]
    for lists, orders in cases():
        every = [float(value(order, **options)[0]) for order in orders]
        assert value(lists.best_ties, **options)[0] == pytest.approx(max(every), abs=1e-12)
        assert value(lists.worst_ties, **options)[0] == pytest.approx(min(every), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "options"), [(name, o) for name, o in CASES if name in EXACT] + [("judged", CUT), ("judged", {})], ids=str
)
def test_the_expected_value_is_the_mean_over_all_orders(name: str, options: dict[str, Any]) -> None:
    value = ties.VALUES[name]
    for lists, orders in cases():
        found = ties.expected(name, lists, **options)
        assert found.draws == 0
        assert found.each[0] == pytest.approx(np.mean([value(order, **options)[0] for order in orders]), abs=1e-12)


@pytest.mark.parametrize(("name", "options"), [("bpref", {}), ("inf_ap", {}), ("bpref", {"k": 2})])
def test_where_it_is_not_known_exactly_random_orders_are_averaged(name: str, options: dict[str, Any]) -> None:
    value = ties.VALUES[name]
    some = [(lists, orders) for lists, orders in cases() if len(orders) > 5]
    for lists, orders in some[:4]:
        found = ties.expected(name, lists, draws=2000, **options)
        each = np.array([value(order, **options)[0] for order in orders])
        assert found.draws == 2000
        # Five standard errors of the mean of so many orders.
        assert found.each[0] == pytest.approx(each.mean(), abs=5 * each.std() / 2000**0.5 + 1e-12)
        assert (
            ties.expected(name, lists, draws=20, **options).each == ties.expected(name, lists, draws=20, **options).each
        )


def test_lists_are_treated_each_by_itself() -> None:
    rng = np.random.default_rng(8)
    qrels = {
        f"q{i}": {f"d{j}": int(g) for j, g in enumerate(rng.choice([-1, 0, 1, 3], 9))} | {"x": 1} for i in range(40)
    }
    run = {q: {f"d{j}": float(s) for j, s in enumerate(rng.integers(0, 4, 12))} for q in qrels}
    together = Ranked.from_rankings(qrels, run, no_relevant="zero")
    for name, options in CASES:
        if name in EXACT:
            found = ties.expected(name, together.lists, **options).each
            for i, query in enumerate(together.queries):
                alone = ties.expected(name, one_query(qrels[query], run[query]), **options).each
                assert found[i] == pytest.approx(alone[0], abs=1e-12), (name, query)


def test_every_measure_of_rankings_but_a_geometric_mean_has_values_of_lists() -> None:
    named = {name for name, measure in catalogue().items() if measure.kind is Ranked}
    assert named - {"gm_ap"} == set(ties.VALUES)


def test_without_ties_nothing_moves() -> None:
    lists = one_query({"a": 1, "b": -1, "c": 0}, {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})
    for moved in (lists.best_ties, lists.worst_ties, lists.shuffled_ties(np.random.default_rng(0))):
        assert (moved.rank.tolist(), moved.grade.tolist()) == (lists.rank.tolist(), lists.grade.tolist())


def test_judged_documents_stay_tied_when_the_others_are_left_out() -> None:
    lists = one_query({"a": 1, "b": 0, "c": 0, "d": -1}, dict.fromkeys("abcxd", 1.0))
    alone = lists.judged_only
    assert [column.tolist() for column in alone.tied.columns] == [[1], [3]]
    worst, best = (ties.VALUES["rr"](each).tolist() for each in (alone.worst_ties, alone.best_ties))
    assert (worst, best) == ([1 / 3], [1.0])
    mean = ties.expected("rr", lists, judged_only=True)
    assert (mean.each.tolist(), mean.draws) == ([pytest.approx((1 + 1 / 2 + 1 / 3) / 3)], 0)
