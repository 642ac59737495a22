"""Figures counted by hand: each is a worked example, with the counting beside it."""

from __future__ import annotations

import math

import pytest

import assay
from assay import Confusion
from assay.measures.catalogue import catalogue

EMAIL = Confusion.from_matrix(
    [[8, 10, 1], [5, 60, 50], [3, 30, 200]], ("urgent", "normal", "spam"), rows="pred"
)  # the rows of this table are what the system said
SENTIMENT = Confusion.from_matrix([[100, 20, 10], [330, 120, 20], [15, 25, 95]], ("pos", "neut", "neg"), rows="gold")
ONE_TAG = Confusion.from_matrix([[90, 10], [0, 0]], ("NN", "VBP"), rows="pred")


def of(name: str, tally: assay.Confusion, **options: object) -> float:
    return catalogue()[name].of(tally, **options)


BINARY = {
    # 80 of 110 alarms are right; 80 of 100 positives are found; 150 of 200 are right.
    "screening": ((80, 30, 20, 70), {"accuracy": 0.75, "precision": 80 / 110, "recall": 0.8, "f1": 160 / 210}),
    "exercise": ((40, 10, 20, 430), {"accuracy": 0.94, "precision": 0.8, "recall": 40 / 60, "f1": 80 / 110}),
    "figure": ((85, 10, 15, 890), {"accuracy": 0.975, "precision": 85 / 95, "recall": 0.85, "f1": 170 / 195}),
    "fraud": ((24, 100, 6, 9870), {"accuracy": 0.9894, "precision": 24 / 124, "recall": 0.8, "f1": 48 / 154}),
    # Precision 1 and recall .01 have the arithmetic mean .505; F1 is not fooled.
    "one of a hundred": ((1, 0, 99, 0), {"precision": 1.0, "recall": 0.01, "f1": 2 / 101}),
    "ninety-nine": ((99, 1, 9801, 0), {"precision": 0.99, "recall": 0.01, "f1": 0.0198}),
}


@pytest.mark.parametrize("name", BINARY)
def test_binary_tables_give_the_shares_counted_by_hand(name: str) -> None:
    (tp, fp, fn, tn), expected = BINARY[name]
    tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
    for measure, value in expected.items():
        assert of(measure, tally) == pytest.approx(value, abs=1e-12), measure


def test_a_system_that_never_alarms_is_accurate_and_useless() -> None:
    tally = Confusion.from_counts(tp=0, fp=0, fn=100, tn=999_900)
    accuracy = assay.estimate("accuracy", tally)
    assert accuracy.value == 0.9999
    assert accuracy.no_skill == 0.9999  # always saying no is as good
    assert of("recall", tally) == 0
    assert of("f1", tally) == 0  # 0 / 100 is a defined 0
    precision = assay.estimate("precision", tally)  # 0 / 0 is not
    assert precision.value is None
    assert precision.reason == "no item was predicted as this class"
    assert math.isnan(of("precision", tally))


@pytest.mark.parametrize(("rare", "majority"), [(3, 0.997), (1, 0.999), (50, 0.95), (20, 0.98), (10, 0.99)])
def test_the_floor_of_accuracy_is_the_share_of_the_larger_class(rare: int, majority: float) -> None:
    tally = Confusion.from_counts(tp=rare, fp=0, fn=0, tn=1000 - rare)
    assert assay.estimate("accuracy", tally).no_skill == pytest.approx(majority, abs=1e-12)


def test_five_documents_sorted_by_hand() -> None:
    gold, pred = ["-", "-", "-", "+", "+"], ["-", "-", "+", "-", "+"]
    assert assay.accuracy(gold, pred) == 0.6
    for measure in (assay.precision, assay.recall, assay.f1):
        assert measure(gold, pred, pos_label="+") == 0.5


def test_email_has_its_precision_and_recall_by_class_and_pooled() -> None:
    shares = {"urgent": (8 / 19, 8 / 16), "normal": (60 / 115, 60 / 100), "spam": (200 / 233, 200 / 251)}
    for label, (precision, recall) in shares.items():
        assert of("precision", EMAIL, pos_label=label) == pytest.approx(precision, abs=1e-12)
        assert of("recall", EMAIL, pos_label=label) == pytest.approx(recall, abs=1e-12)
    macro = (8 / 19 + 60 / 115 + 200 / 233) / 3
    assert of("precision", EMAIL, average="macro") == pytest.approx(macro, abs=1e-12)
    assert of("precision", EMAIL, average="micro") == pytest.approx(268 / 367, abs=1e-12)


def test_email_has_its_one_against_rest_and_pooled_tables() -> None:
    from assay.tally.margins import OneVsRest

    expected = {"urgent": (8, 11, 8, 340), "normal": (60, 55, 40, 212), "spam": (200, 33, 51, 83)}
    for i, label in enumerate(EMAIL.labels):
        t = OneVsRest.single(EMAIL.margins, i)
        assert tuple(map(float, (t.tp, t.fp, t.fn, t.tn))) == expected[label]
    pooled = OneVsRest.pooled(EMAIL.margins)
    assert tuple(map(float, (pooled.tp, pooled.fp, pooled.fn, pooled.tn))) == (268, 99, 99, 635)


def test_sentiment_has_two_macro_f1s_and_micro_is_accuracy() -> None:
    f1 = {"pos": 200 / 575, "neut": 240 / 635, "neg": 190 / 260}
    for label, value in f1.items():
        assert of("f1", SENTIMENT, pos_label=label) == pytest.approx(value, abs=1e-12)
    assert of("f1", SENTIMENT, average="macro") == pytest.approx(sum(f1.values()) / 3, abs=1e-12)
    p = (100 / 445 + 120 / 165 + 95 / 125) / 3
    r = (100 / 130 + 120 / 470 + 95 / 135) / 3
    assert of("f1_of_means", SENTIMENT) == pytest.approx(2 * p * r / (p + r), abs=1e-12)
    assert round(of("f1_of_means", SENTIMENT), 5) == 0.57336
    # A printed solution has micro precision .75 here; of single labels it can only be 315 of 735.
    for measure in ("precision", "recall", "f1"):
        assert of(measure, SENTIMENT, average="micro") == of("accuracy", SENTIMENT) == 315 / 735


def test_a_tagger_with_one_tag_has_no_correlation_and_half_symmetric_accuracy() -> None:
    assert of("accuracy", ONE_TAG) == 0.9
    assert of("precision", ONE_TAG, pos_label="NN") == 0.9
    assert of("recall", ONE_TAG, pos_label="NN") == 1.0
    assert of("f1", ONE_TAG, pos_label="NN") == pytest.approx(180 / 190, abs=1e-12)
    assert of("symmetric_balanced_accuracy", ONE_TAG) == 0.5
    mcc = assay.estimate("mcc", ONE_TAG)
    assert mcc.value == 0.0
    assert any("0/0" in note for note in mcc.notes)


def test_wilson_of_850_in_1000() -> None:
    tally = Confusion.from_counts(tp=850, fp=0, fn=150, tn=0)
    recall = assay.estimate("recall", tally, method="wilson")
    assert recall.low == pytest.approx(0.82653, abs=5e-6)
    assert recall.high == pytest.approx(0.87079, abs=5e-6)


A = [1, 1, 1, 0, 1, 0, 1, 1, 0, 1]  # which of ten documents A got right
B = [1, 0, 1, 1, 0, 1, 0, 1, 0, 0]


@pytest.mark.parametrize(("alternative", "exact"), [("greater", 0.2683568), ("two-sided", 0.5292549)])
def test_ten_documents_approach_their_exact_bootstrap_p(alternative: str, exact: float) -> None:
    # Ten draws from only A right (.4), only B right (.2), neither or both (.4); summed by hand over the trinomial.
    draws = 99_999
    found = assay.compare(
        [1] * 10, A, B, measure="accuracy", test="bootstrap", alternative=alternative, n_resamples=draws
    )
    assert found.difference == pytest.approx(0.2, abs=1e-12)
    assert found.p_value is not None
    assert abs(found.p_value - exact) < 4 * math.sqrt(exact * (1 - exact) / draws)


def test_ten_documents_have_the_exact_sign_test() -> None:
    # Six documents differ; 4 to 2 or worse in either direction has 44 of the 64 outcomes.
    found = assay.compare([1] * 10, A, B, measure="accuracy")
    assert found.p_value == pytest.approx(44 / 64, abs=1e-12)


def test_four_units_give_alpha_one_twelfth() -> None:
    units = [
        ["NN", "NN", "NN", None],
        ["NN", "VBP", "VBP", "NN"],
        ["VBP", "VBP", "VBP", "NN"],
        ["VBP", "NN", "NN", "VBP"],
    ]
    assert assay.krippendorff_alpha(units) == pytest.approx(1 / 12, abs=1e-12)


def test_the_first_relevant_document_at_rank_three_has_reciprocal_rank_one_third() -> None:
    assert assay.mean_reciprocal_rank({"q": [0, 0, 2, 0, 3, 0, 1, 0, 0, 1]}) == pytest.approx(1 / 3, abs=1e-12)


def test_reversed_scores_reverse_the_area() -> None:
    gold, score = [0, 1, 1, 0, 1, 0, 0], [0.2, 0.2, 0.9, 0.4, 0.4, 0.1, 0.9]
    assert assay.roc_auc(gold, [-s for s in score]) == pytest.approx(1 - assay.roc_auc(gold, score), abs=1e-12)
