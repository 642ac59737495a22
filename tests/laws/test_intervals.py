"""Laws of intervals: the same seed gives the same limits, and every interval holds its own estimate."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import OptionError
from assay.options import METHODS
from assay.tally.contract.base import Tally
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate
from tests.laws.tallies import CASES, FEW, SOME, Case, Count, Rows, hostile, plain, same

every_case = pytest.mark.parametrize("case", CASES, ids=str)


def of(case: Case, tally: Tally, **more: Any) -> Estimate | None:
    """The estimate, or nothing where the method does not apply and says so."""
    names = more.pop("names", plain)
    try:
        return estimate(case.measure, tally, **{"n_resamples": 99, **more}, **case.options(names))
    except OptionError:
        assert more.get("method", "auto") != "auto", "the default method must never refuse"
        return None


def the_interval_holds_its_estimate(case: Case, rows: Rows, count: Count) -> None:
    low, high = case.measure.range
    found = of(case, count(rows, plain))
    assert found is not None
    if found.value is None or found.low is None or found.high is None:
        assert found.reason
        assert (found.low, found.high) == (None, None)
    else:
        assert found.reason is None
        assert low <= found.low <= found.value + 1e-12
        assert found.value - 1e-12 <= found.high <= high
        assert found.low < found.high


def the_same_seed_gives_the_same_limits(case: Case, rows: Rows, shuffled: Rows, count: Count, method: str) -> None:
    tally = count(rows, plain)
    first = of(case, tally, method=method, random_state=7)
    back = type(tally).from_json(tally.to_json())
    assert of(case, tally, method=method, random_state=7) == first
    assert of(case, back, method=method, random_state=7) == first
    assert of(case, count(shuffled, plain), method=method, random_state=7) == first


def names_change_no_limits(case: Case, rows: Rows, count: Count) -> None:
    one, other = (of(case, count(rows, names), names=names, n_resamples=9999) for names in (plain, hostile))
    assert one is not None
    assert other is not None
    assert one.method == other.method
    if "|draws:" in one.signature:
        names_change_drawn_limits_by_luck_only(one, other)
        return
    assert (one.reason or "").split(": ")[0] == (other.reason or "").split(": ")[0]  # names may follow
    assert (one.low is None) == (other.low is None)
    if one.low is not None:
        assert same([one.low, one.high], [other.low, other.high], 1e-9)


def names_change_drawn_limits_by_luck_only(one: Estimate, other: Estimate) -> None:
    # Other names put the cells in another order, and so other random numbers into each.
    if one.interval is None or other.interval is None:
        # Refused above 5% of undefined draws: both counts are binomial, with a spread of at most 50 of 9999.
        assert abs(one.undefined_draws - other.undefined_draws) < 6 * 50
        return
    # A limit is a quantile of 9999 draws. Its level is uncertain by √(.025 · .975 / 9999) = .0016, and for BCa by
    # as much again through its bias; the difference of two is uncertain by √2 times that. Five times is .015.
    wider, narrower = one.at_level(0.98), one.at_level(0.92)
    for outer, inner, limit in ((wider.low, narrower.low, other.low), (wider.high, narrower.high, other.high)):
        assert outer is not None
        assert inner is not None
        assert limit is not None
        assert min(outer, inner) - 1e-9 <= limit <= max(outer, inner) + 1e-9


@every_case
@SOME
@given(st.data())
def test_the_default_interval_holds_its_estimate_and_is_no_single_point_or_null_with_a_reason(
    case: Case, data: st.DataObject
) -> None:
    the_interval_holds_its_estimate(case, data.draw(case.rows()), data.draw(case.ways()))


@every_case
@FEW
@given(st.data())
def test_the_interval_of_perfect_output_holds_its_estimate_too(case: Case, data: st.DataObject) -> None:
    rows = [case.family.perfect(row) for row in data.draw(case.rows())]
    count = data.draw(case.ways())
    the_interval_holds_its_estimate(case, rows, count)
    the_interval_holds_its_estimate(case, rows[:1], count)


@every_case
@FEW
@given(st.data())
def test_every_method_that_applies_gives_limits_around_the_estimate(case: Case, data: st.DataObject) -> None:
    tally = case.family.count(data.draw(case.rows()), plain)
    for method in METHODS:
        found = of(case, tally, method=method)
        if found is not None and found.interval is not None:
            assert found.value is not None
            held = found.interval.low - 1e-12 <= found.value <= found.interval.high + 1e-12
            # Jeffreys' quantiles leave out a share of 0 or 1, as textbooks have them, and a note says so.
            assert held or (method == "jeffreys" and any("excludes the share itself" in note for note in found.notes))
            assert method in ("auto", found.method)


@every_case
@FEW
@given(st.data())
def test_the_same_seed_gives_the_same_interval_from_shuffled_rows_and_from_json(
    case: Case, data: st.DataObject
) -> None:
    rows = data.draw(case.rows())
    shuffled, count = data.draw(st.permutations(rows)), data.draw(case.ways())
    for method in ("auto", "bca"):
        the_same_seed_gives_the_same_limits(case, rows, shuffled, count, method)


@every_case
@FEW
@given(st.data())
def test_renaming_labels_changes_no_closed_form_and_drawn_limits_only_by_luck(case: Case, data: st.DataObject) -> None:
    names_change_no_limits(case, data.draw(case.rows()), data.draw(case.ways()))


@every_case
@FEW
@given(st.data())
def test_a_higher_level_gives_a_wider_interval_from_the_same_tally(case: Case, data: st.DataObject) -> None:
    found = of(case, case.family.count(data.draw(case.rows()), plain))
    assert found is not None
    wide, narrow = found.at_level(0.99), found.at_level(0.8)
    assert (wide.level, narrow.level, wide.value) == (0.99, 0.8, found.value)
    if wide.interval is not None and narrow.interval is not None:
        assert wide.interval.low <= narrow.interval.low + 1e-12
        assert narrow.interval.high <= wide.interval.high + 1e-12
