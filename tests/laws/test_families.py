"""A family has one name in every room, and one declaration."""

from __future__ import annotations

import pytest

from assay.families import FAMILIES
from assay.lazily import load_families
from assay.measures.declare.catalogue import catalogue, default_measures, parse, primary_measure, slice_measures
from assay.measures.declare.family import FAMILIES as DECLARED
from assay.measures.declare.family import family_of
from assay.tally.contract.base import Tally
from tests.laws import tallies


def family_name(kind: type[Tally]) -> str:
    return kind.__module__.rpartition(".")[2]


def test_every_family_has_a_tally_of_its_name_that_is_declared() -> None:
    load_families("tally")
    load_families("measures")
    known = {kind for kind in Tally.__subclasses__() if kind.__module__.startswith("assay.")}
    assert {family_name(kind) for kind in known} == set(FAMILIES)
    assert known <= set(DECLARED)


def test_measures_are_listed_by_family_in_the_order_of_the_one_list() -> None:
    places = [FAMILIES.index(each.formula.__module__.split(".")[2]) for each in catalogue().values()]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", tallies.FAMILIES, ids=lambda kind: str(kind.kind))
def test_what_a_family_shows_can_be_computed_from_its_tally(kind: type[Tally]) -> None:
    family = tallies.FAMILIES[kind]
    tally = family.count(family.anchor, tallies.plain)
    declared = family_of(tally)
    assert declared is not None
    assert declared.kind is kind
    usual = default_measures(tally)
    assert usual
    for spelling in {*usual, *slice_measures(tally), primary_measure(tally)}:
        assert parse(spelling)[0].reads_from(tally)
