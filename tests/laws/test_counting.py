"""Laws of tallies: shards add up, the order of rows means nothing, and what is stored comes back."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.measures.declare.catalogue import catalogue
from assay.tally.contract.base import Tally, Weights
from assay.tally.labels import Confusion
from assay.tally.ratings import Rated
from tests.laws.tallies import FAMILIES, hostile, plain, same

WAYS = [pytest.param(kind, way, id=f"{kind.kind}-{way}") for kind, f in FAMILIES.items() for way in f.ways]
KINDS = [pytest.param(kind, id=kind.kind) for kind in FAMILIES]


def equal(x: Tally, y: Tally) -> bool:
    """The same table to the last integer; sums of weights to the last bits."""
    stored, other = x.to_dict(), y.to_dict()
    weights = [each.pop("weights", {}) for each in (stored, other)]
    return stored == other and all(same(weights[0][name], weights[1][name]) for name in weights[0])


def test_every_kind_of_tally_in_the_catalogue_has_data_to_try_it_on() -> None:
    assert {measure.kind for measure in catalogue().values()} <= set(FAMILIES)


@pytest.mark.parametrize(("kind", "way"), WAYS)
@given(st.data())
def test_the_tallies_of_two_shards_add_up_to_the_tally_of_all(kind: type[Tally], way: str, data: st.DataObject) -> None:
    rows = data.draw(FAMILIES[kind].rows)
    assume(len(rows) > 1)
    cut = data.draw(st.integers(1, len(rows) - 1))
    count = FAMILIES[kind].ways[way]
    assert equal(count(rows[:cut], plain) + count(rows[cut:], plain), count(rows, plain))
    assert equal(count(rows[cut:], plain) + count(rows[:cut], plain), count(rows, plain))


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_three_shards_add_up_in_either_grouping(kind: type[Tally], data: st.DataObject) -> None:
    rows = data.draw(FAMILIES[kind].rows)
    assume(len(rows) > 2)
    cut = data.draw(st.integers(1, len(rows) - 2))
    a, b, c = (FAMILIES[kind].count(part, hostile) for part in (rows[:cut], rows[cut : cut + 1], rows[cut + 1 :]))
    assert (a + b) + c == a + (b + c)


@pytest.mark.parametrize(("kind", "way"), WAYS)
@given(st.data())
def test_the_order_of_rows_changes_nothing(kind: type[Tally], way: str, data: st.DataObject) -> None:
    rows = data.draw(FAMILIES[kind].rows)
    count = FAMILIES[kind].ways[way]
    # Sums of weights too: they are added in order of size.
    assert count(data.draw(st.permutations(rows)), plain) == count(rows, plain)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_the_order_of_rows_changes_nothing_for_two_systems(kind: type[Tally], data: st.DataObject) -> None:
    rows = data.draw(FAMILIES[kind].rows)
    one, other = (FAMILIES[kind].pair(r, plain) for r in (rows, data.draw(st.permutations(rows))))
    assert one.a == other.a
    assert one.b == other.b


@pytest.mark.parametrize(("kind", "way"), WAYS)
@given(st.data())
def test_a_tally_comes_back_from_json(kind: type[Tally], way: str, data: st.DataObject) -> None:
    tally = FAMILIES[kind].ways[way](data.draw(FAMILIES[kind].rows), hostile)
    back = kind.from_json(tally.to_json())
    assert back == tally
    assert back.fingerprint == tally.fingerprint
    assert "NaN" not in tally.to_json()
    json.loads(tally.to_json(), parse_constant=pytest.fail)


@pytest.mark.parametrize(("kind", "way"), WAYS)
@given(st.data())
def test_counts_add_up_to_the_number_of_rows(kind: type[Tally], way: str, data: st.DataObject) -> None:
    rows = data.draw(FAMILIES[kind].rows)
    tally = FAMILIES[kind].ways[way](rows, plain)
    assert tally.n == len(rows) == int(tally.counts.sum())
    assert tally.sampling.spread(tally.sampling.counts.astype(float)).sum() == len(rows)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_each_side_of_two_systems_is_the_tally_of_that_system(kind: type[Tally], data: st.DataObject) -> None:
    rows, family = data.draw(FAMILIES[kind].rows), FAMILIES[kind]
    joint, alone = family.pair(rows, plain), family.count(rows, plain)
    side = joint.side("A").collected()
    if isinstance(alone, Confusion | Rated):
        # The two systems share one set of labels, so labels that only the other one used are added to compare.
        side, alone = side.aligned(alone)
        alone = alone.collected()
    assert side == alone


@given(st.data())
def test_the_fingerprint_tells_the_gold_labels_and_not_the_predictions(data: st.DataObject) -> None:
    rows, family = data.draw(FAMILIES[Confusion].rows), FAMILIES[Confusion]
    tally = family.count(rows, plain)
    assert family.count([family.perfect(row) for row in rows], plain).fingerprint == tally.fingerprint
    assert family.count([*rows, rows[0]], plain).fingerprint != tally.fingerprint


def test_tallies_counted_in_different_ways_do_not_add_up() -> None:
    rows, ways = FAMILIES[Confusion].anchor, FAMILIES[Confusion].ways
    for way in ("weights", "clusters", "strata"):
        with pytest.raises(ValueError, match="one tally has"):
            ways[way](rows, plain) + ways["plain"](rows, plain)


def test_a_row_of_weight_zero_is_a_row_that_does_not_count() -> None:
    light = Confusion.from_predictions(list("abab"), list("abba"), sample_weight=[1, 1, 0, 0])
    assert light.n == 4
    assert isinstance(light.weights, Weights)
    assert light.weights.total.sum() == 2
    assert light.table.tolist() == [[1, 0], [0, 1]]
