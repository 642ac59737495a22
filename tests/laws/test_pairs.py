"""Laws of comparisons: A against B mirrors B against A, and exchanging systems twice is doing nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DataError, OptionError
from assay.options import PAIRED_METHODS
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.scores import Scored
from assay.uncertainty.results import Comparison
from assay.uncertainty.two.compare import compare
from tests.laws.tallies import CASES, FAMILIES, Case, Rows, plain, same

# Comparing takes long, and does not know one measure from another: the best known averages stand for the others.
PAIRED = [case for case in CASES if case.average in (None, "binary") or case.measure.name in ("f1", "recall")]
FEW = settings(max_examples=4)
every_case = pytest.mark.parametrize("case", PAIRED, ids=str)
KINDS = [pytest.param(kind, id=kind.kind) for kind in FAMILIES]
EXCHANGEABLE = [pytest.param(kind, id=kind.kind) for kind in FAMILIES if kind.no_exchange is None]


def of(case: Case, joint: Joint[Any], **more: Any) -> Comparison | None:
    """The comparison, or nothing where the method or test does not apply and says so."""
    try:
        return compare(joint, measure=case.measure, **{"n_resamples": 99, **more}, **case.options())
    except OptionError:
        assert {more.get("method", "auto"), more.get("test", "auto")} != {"auto"}, "the defaults must never refuse"
        return None


def negative(x: float | None) -> float:
    return np.nan if x is None else -x


def plus(x: float | None) -> float:
    return np.nan if x is None else x


def few_and_many(rows: Rows) -> list[Rows]:
    """So few rows that every exchange is enumerated at once, and so many that exchanges are drawn."""
    return [rows[:8], rows[:8] * 40]


def the_other_way_round_mirrors(case: Case, rows: Rows, **more: Any) -> None:
    joint = case.family.pair(rows, plain)
    one, other = of(case, joint, **more), of(case, joint.swapped(), **more)
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    assert same(plus(one.difference), negative(other.difference))
    assert same([plus(one.low), plus(one.high)], [negative(other.high), negative(other.low)], 1e-9)
    assert one.p_value == other.p_value
    assert one.disagreements == other.disagreements
    assert one.method == other.method


def the_interval_holds_the_difference(case: Case, rows: Rows) -> None:
    width = case.measure.range[1] - case.measure.range[0]
    found = of(case, case.family.pair(rows, plain))
    assert found is not None
    if found.difference is None or found.low is None or found.high is None:
        assert found.reason
    else:
        assert -width <= found.low <= found.difference <= found.high <= width
        assert found.low < found.high
    if found.difference is None:
        assert found.p_value is None
        assert found.outcome == "not comparable"
    elif found.test != "none":
        assert found.p_value is not None
        assert 0 < found.p_value <= 1


@every_case
@FEW
@given(st.data())
def test_comparing_b_with_a_mirrors_comparing_a_with_b(case: Case, data: st.DataObject) -> None:
    for rows in few_and_many(data.draw(case.rows())):
        the_other_way_round_mirrors(case, rows)
        the_other_way_round_mirrors(case, rows, test="bootstrap", method="bca")


@every_case
@FEW
@given(st.data())
def test_the_one_sided_tests_are_each_others_mirror(case: Case, data: st.DataObject) -> None:
    for rows in few_and_many(data.draw(case.rows())):
        joint = case.family.pair(rows, plain)
        greater, less = of(case, joint, alternative="greater"), of(case, joint.swapped(), alternative="less")
        assert greater is not None
        assert less is not None
        assert greater.p_value == less.p_value


@every_case
@FEW
@given(st.data())
def test_the_interval_holds_the_difference_and_is_no_single_point_or_null_with_a_reason(
    case: Case, data: st.DataObject
) -> None:
    for rows in few_and_many(data.draw(case.rows())):
        the_interval_holds_the_difference(case, rows)


@every_case
@FEW
@given(st.data())
def test_the_same_seed_gives_the_same_p_and_the_same_limits_from_shuffled_rows(case: Case, data: st.DataObject) -> None:
    rows = data.draw(case.rows())[:8]
    for orders in zip(*map(few_and_many, (rows, data.draw(st.permutations(rows)))), strict=True):
        pairs = [case.family.pair(r, plain) for r in orders]
        for more in ({}, {"test": "bootstrap", "method": "percentile"}):
            first, shuffled = (of(case, joint, random_state=3, **more) for joint in pairs)
            assert first == shuffled


@every_case
@FEW
@given(st.data())
def test_a_system_compared_with_itself_shows_no_difference(case: Case, data: st.DataObject) -> None:
    joint = case.family.pair(data.draw(case.rows()), plain)
    found = of(case, Joint(joint.a, joint.a, ("A", "again")))
    assert found is not None
    if found.difference is not None:
        assert found.difference == 0
        assert found.p_value in (None, 1.0)
        if found.low is not None and found.high is not None:
            assert found.low < 0 < found.high


@every_case
@FEW
@given(st.data())
def test_every_paired_method_that_applies_gives_limits_around_the_difference(case: Case, data: st.DataObject) -> None:
    joint = case.family.pair(data.draw(case.rows())[:8], plain)
    for method in PAIRED_METHODS:
        found = of(case, joint, method=method, test="none")
        if found is not None and found.low is not None and found.high is not None:
            assert found.difference is not None
            assert found.low <= found.difference <= found.high
            assert method in ("auto", found.method)


# ---------------------------------------------------------------------- exchange
@pytest.mark.parametrize("kind", EXCHANGEABLE)
@given(st.data())
def test_exchanging_twice_changes_nothing_and_exchanging_once_swaps_the_sides(
    kind: type[Tally], data: st.DataObject
) -> None:
    joint = FAMILIES[kind].pair(data.draw(FAMILIES[kind].rows), plain)
    closed, swap = joint.exchange()
    units = len(joint.counts)
    assert np.array_equal(swap[swap], np.arange(len(swap)))
    for name in closed.a.keys:
        assert np.array_equal(closed.a.keys[name][swap], closed.b.keys[name])
    # Nothing is moved by closing the table: the units that occurred come first, the added ones never occurred.
    assert np.array_equal(closed.counts[:units], joint.counts)
    assert not closed.counts[units:].any()


def test_units_that_are_the_same_are_refused_because_neither_has_one_mirror_image() -> None:
    keys = {"positive": np.array([True, True, False]), "score": np.array([0.5, 0.5, 0.1])}
    other = {**keys, "score": np.array([0.2, 0.2, 0.3])}
    a, b = (Scored(keys=each, counts=np.ones(3, np.int64)) for each in (keys, other))
    with pytest.raises(DataError, match="two units of this joint tally are equal"):
        Joint(a, b).exchange()
    once = Scored.joint([1, 1, 0], [0.5, 0.5, 0.1], [0.2, 0.2, 0.3])
    assert once.counts.tolist() == [1, 2]


@pytest.mark.parametrize("case", [c for c in PAIRED if c.measure.kind.no_exchange is None], ids=str)
@FEW
@given(st.data())
def test_closing_the_table_keeps_both_values(case: Case, data: st.DataObject) -> None:
    joint = case.family.pair(data.draw(case.rows()), plain)
    closed, swap = joint.exchange(as_they_are=case.measure.paired.as_they_are)
    bound = case.bound(joint.a)
    for before, after in ((joint.a, closed.a), (joint.b, closed.b)):
        assert same(bound.at(before, before.mass), bound.at(after, after.mass))
    # Exchanging every item gives each system the other's value.
    assert same(bound.at(closed.a, closed.mass[swap]), bound.at(closed.b, closed.mass))


@pytest.mark.parametrize("kind", [kind for kind in FAMILIES if kind.no_exchange is not None])
def test_a_kind_without_exchange_is_refused_with_its_reason(kind: type[Tally]) -> None:
    joint = FAMILIES[kind].pair(FAMILIES[kind].anchor, plain)
    with pytest.raises(OptionError, match=str(kind.no_exchange)):
        joint.exchange()
    (case, *_) = [case for case in CASES if case.measure.kind is kind]
    found = of(case, joint)
    assert found is not None
    assert found.test == "interval"
    assert found.p_value is not None
    assert str(kind.no_exchange) in found.why
    assert of(case, joint, test="randomization") is None


@pytest.mark.parametrize("case", [c for c in PAIRED if c.measure.kind.no_exchange is None], ids=str)
def test_a_statistic_that_cannot_be_studentized_is_refused_in_words(case: Case) -> None:
    joint = case.family.pair(case.family.anchor, plain)
    try:
        found = compare(joint, measure=case.measure, statistic="studentized", n_resamples=99, **case.options())
    except OptionError as error:
        assert "use the statistic raw" in str(error)  # noqa: PT017  # some measures are refused and some are not
    else:
        assert found.is_studentized == (found.difference is not None)
