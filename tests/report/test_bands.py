from __future__ import annotations

import pytest

from assay.errors import OptionError
from assay.jobs.answers.row_texts import auc_words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.91, 0.99, "excellent"),
        (0.9, 1.0, "excellent"),
        (0.82, 0.88, "good"),
        (0.71, 0.79, "acceptable"),
        (0.61, 0.69, "weak"),
        (0.51, 0.59, "poor"),
        (0.2, 0.4, "worse than chance"),
        (0.75, 0.95, "acceptable to excellent"),
        (0.45, 0.55, "worse than chance to poor"),
        (0.0, 1.0, "worse than chance to excellent"),
    ],
)
def test_one_word_only_where_the_whole_interval_lies_in_one_band(low: float, high: float, words: str) -> None:
    assert auc_words(low, high) == words


@pytest.mark.parametrize(
    ("edge", "band", "below"),
    [
        (0.9, "excellent", "good"),
        (0.8, "good", "acceptable"),
        (0.7, "acceptable", "weak"),
        (0.6, "weak", "poor"),
        (0.5, "poor", "worse than chance"),
    ],
)
def test_a_band_includes_its_lower_end_and_not_its_upper_one(edge: float, band: str, below: str) -> None:
    assert auc_words(edge, edge) == band
    assert auc_words(edge - 1e-12, edge - 1e-12) == below
    assert auc_words(edge - 0.05, edge) == f"{below} to {band}"


def test_without_an_interval_there_is_no_word() -> None:
    assert auc_words(None, None) is None
    assert auc_words(0.9, None) is None


@pytest.mark.parametrize(("low", "high"), [(0.9, 0.8), (-0.1, 0.5), (0.5, 1.0000001), (float("nan"), 0.9)])
def test_what_is_no_interval_of_an_auc_is_refused(low: float, high: float) -> None:
    with pytest.raises(OptionError, match="the limits of an AUC"):
        auc_words(low, high)
