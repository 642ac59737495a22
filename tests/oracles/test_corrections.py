"""Several tests at once: statsmodels' multipletests, and groups found by brute force."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import assay
from assay.errors import DataError, OptionError
from assay.uncertainty.many.corrections import adjust_p_values
from assay.uncertainty.many.standings import letters, rank_ranges, tie_groups

PEERS = {
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "benjamini_hochberg": "fdr_bh",
    "benjamini_yekutieli": "fdr_by",
    "bonferroni": "bonferroni",
}


@pytest.mark.parametrize("correction", PEERS)
@pytest.mark.parametrize("seed", range(5))
def test_corrected_p_values_are_those_of_statsmodels(correction: str, seed: int) -> None:
    p = np.round(np.random.default_rng(seed).beta(0.4, 2, size=seed * 4 + 1), 2)  # rounded, so that some are tied
    expected = multipletests(p, method=PEERS[correction])[1]
    assert adjust_p_values(p.tolist(), correction) == pytest.approx(expected.tolist(), abs=1e-12)


@pytest.mark.parametrize("correction", [*PEERS, "none"])
def test_what_was_not_tested_is_neither_corrected_nor_counted(correction: str) -> None:
    alone = adjust_p_values([0.01, 0.04, 0.03], correction)
    among = adjust_p_values([None, 0.01, 0.04, None, 0.03], correction)
    assert [among[0], among[3]] == [None, None]
    assert [among[1], among[2], among[4]] == alone
    assert adjust_p_values([], correction) == []


@pytest.mark.parametrize("correction", PEERS)
def test_p_values_go_back_in_the_form_in_which_they_came(correction: str) -> None:
    correct, p = getattr(assay, correction), [0.01, 0.04, 0.03, 0.2]
    expected = multipletests(p, method=PEERS[correction])[1]
    assert correct(p) == pytest.approx(expected.tolist(), abs=1e-12)
    assert isinstance(correct(p), list)
    assert correct(np.array(p)) == pytest.approx(expected, abs=1e-12)
    assert isinstance(correct(np.array(p)), np.ndarray)
    named = correct(dict(zip("abcd", p, strict=True)))
    assert named == pytest.approx(dict(zip("abcd", expected.tolist(), strict=True)), abs=1e-12)
    assert correct([]) == []
    assert correct({}) == {}


@pytest.mark.parametrize("correction", PEERS)
def test_a_test_that_was_not_made_is_nan_in_arrays_and_not_counted(correction: str) -> None:
    correct = getattr(assay, correction)
    among = correct(np.array([np.nan, 0.01, 0.04, 0.03]))
    assert np.isnan(among[0])
    assert among[1:] == pytest.approx(multipletests([0.01, 0.04, 0.03], method=PEERS[correction])[1], abs=1e-12)
    named = correct({"a": None, "b": 0.01})
    assert named == {"a": None, "b": 0.01}


@pytest.mark.parametrize("wrong", ["0.1", True, -0.1, [0.1]])
def test_what_is_no_p_value_is_refused_in_a_sentence(wrong: Any) -> None:
    with pytest.raises(DataError, match="p-value"):
        assay.holm([0.2, wrong])


def test_uncorrected_p_values_stay_as_they_are() -> None:
    assert adjust_p_values([0.5, None, 0.01], "none") == [0.5, None, 0.01]


def test_a_correction_nobody_knows_and_a_p_value_above_one_are_refused() -> None:
    with pytest.raises(OptionError, match="'holm'"):
        adjust_p_values([0.1], "holms")
    with pytest.raises(DataError, match=r"1\.2 is not a p-value"):
        adjust_p_values([1.2], "holm")


def random_pairs(m: int, share: float, rng: np.random.Generator) -> tuple[list[str], list[tuple[str, str]]]:
    systems = [f"s{i}" for i in range(m)]
    return systems, [pair for pair in combinations(systems, 2) if rng.random() < share]


@pytest.mark.parametrize("seed", range(40))
def test_two_systems_share_a_letter_exactly_when_they_cannot_be_told_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    systems, better = random_pairs(int(rng.integers(2, 10)), float(rng.random()), rng)
    shown = letters(tie_groups(systems, better))
    for a, b in combinations(systems, 2):
        assert bool(set(shown[a]) & set(shown[b])) == ((a, b) not in better)


@pytest.mark.parametrize("seed", range(40))
def test_groups_are_all_the_largest_ones_without_a_told_pair(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    systems, better = random_pairs(int(rng.integers(2, 9)), float(rng.random()), rng)
    free = [
        set(group)
        for size in range(1, len(systems) + 1)
        for group in combinations(systems, size)
        if not any(pair in better for pair in combinations(group, 2))
    ]
    largest = [g for g in free if not any(g < other for other in free)]
    assert sorted(map(sorted, tie_groups(systems, better))) == sorted(map(sorted, largest))


def test_the_letters_of_a_chain_overlap() -> None:
    groups = tie_groups(["a", "b", "c"], [("a", "c")])
    assert groups == (("a", "b"), ("b", "c"))
    assert letters(groups) == {"a": "a", "b": "ab", "c": "b"}


def test_the_rank_of_a_system_lies_between_those_told_better_and_those_told_worse() -> None:
    ranges = rank_ranges(["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "d")])
    assert ranges == {"a": (1, 2), "b": (1, 3), "c": (2, 4), "d": (3, 4)}


def test_without_any_told_pair_every_rank_is_possible() -> None:
    assert rank_ranges(["a", "b", "c"], []) == dict.fromkeys("abc", (1, 3))
    assert tie_groups(["a", "b", "c"], []) == (("a", "b", "c"),)


@pytest.mark.parametrize(
    ("better", "words"),
    [([("a", "x")], "'x', which is not one"), ([("a", "b"), ("b", "a")], "each listed as better")],
)
def test_pairs_that_make_no_sense_are_refused(better: list[tuple[str, str]], words: str) -> None:
    with pytest.raises(DataError, match=words):
        tie_groups(["a", "b"], better)
