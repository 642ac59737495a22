"""Figures counted by hand: each is a worked example, with the counting beside it."""

from __future__ import annotations

import math
from typing import Any

import pytest

import assay
from assay import Confusion
from assay.measures.declare.catalogue import catalogue
from assay.measures.labels.costs import break_even_threshold, class_weights
from assay.report.families.words import sections

EMAIL = Confusion.from_matrix(
    [[8, 10, 1], [5, 60, 50], [3, 30, 200]], ("urgent", "normal", "spam"), rows="pred"
)  # the rows of this table are what the system said
SENTIMENT = Confusion.from_matrix([[100, 20, 10], [330, 120, 20], [15, 25, 95]], ("pos", "neut", "neg"), rows="gold")
ONE_TAG = Confusion.from_matrix([[90, 10], [0, 0]], ("NN", "VBP"), rows="pred")


def of(name: str, tally: assay.Confusion, **options: object) -> float:
    return catalogue()[name].of(tally, **options)


def printed(value: Any) -> Any:
    """Within half a unit of the fifth digit, as worked examples are printed."""
    return pytest.approx(value, abs=5.000001e-6)


BINARY = {
    # 80 of 110 alarms are right; 80 of 100 positives are found; 150 of 200 are right.
    "screening": ((80, 30, 20, 70), {"accuracy": 0.75, "precision": 80 / 110, "recall": 0.8, "f1": 160 / 210}),
    "exercise": (
        (40, 10, 20, 430),
        {"accuracy": 0.94, "precision": 0.8, "recall": 40 / 60, "specificity": 430 / 440, "f1": 80 / 110},
    ),
    "figure": ((85, 10, 15, 890), {"accuracy": 0.975, "precision": 85 / 95, "recall": 0.85, "f1": 170 / 195}),
    "fraud": ((24, 100, 6, 9870), {"accuracy": 0.9894, "precision": 24 / 124, "recall": 0.8, "f1": 48 / 154}),
    # Of 1,000 people 20 are ill; 18 of them are found, and 49 of the 980 others raise an alarm.
    "two per cent": (
        (18, 49, 2, 931),
        {"accuracy": 0.949, "precision": 18 / 67, "recall": 0.9, "specificity": 0.95, "f1": 36 / 87},
    ),
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


def test_figures_as_they_are_printed() -> None:
    for name, measure, figure in (
        ("screening", "precision", 0.72727),
        ("screening", "f1", 0.7619),
        ("exercise", "recall", 0.66667),
        ("exercise", "specificity", 0.97727),
        ("exercise", "f1", 0.72727),
        ("figure", "precision", 0.89474),
        ("figure", "f1", 0.87179),
        ("fraud", "precision", 0.19355),
        ("fraud", "f1", 0.31169),
        ("two per cent", "precision", 0.26866),
        ("two per cent", "f1", 0.41379),
    ):
        tp, fp, fn, tn = BINARY[name][0]
        assert of(measure, Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)) == printed(figure), (name, measure)
    assert of("f1", Confusion.from_counts(tp=1, fp=0, fn=99, tn=0)) == pytest.approx(0.019802, abs=5e-7)


def test_the_harmonic_mean_is_not_fooled_where_the_arithmetic_one_is() -> None:
    for (tp, fp, fn), arithmetic in (((1, 0, 99), 0.505), ((99, 1, 9801), 0.5)):
        tally = Confusion.from_counts(tp=tp, fp=fp, fn=fn, tn=0)
        assert (of("precision", tally) + of("recall", tally)) / 2 == pytest.approx(arithmetic, abs=1e-12)
        assert of("f1", tally) < 0.02


def test_four_figures_of_one_table_add_up_to_one_in_pairs() -> None:
    tally = Confusion.from_counts(tp=80, fp=30, fn=20, tn=70)
    assert of("fpr", tally) == pytest.approx(0.3, abs=1e-12)
    assert of("fnr", tally) == pytest.approx(0.2, abs=1e-12)
    assert of("fdr", tally) == pytest.approx(30 / 110, abs=1e-12)
    assert of("npv", tally) == pytest.approx(70 / 90, abs=1e-12)
    assert of("error_rate", tally) == pytest.approx(0.25, abs=1e-12)
    # F2 by beta and by alpha = 1 / (1 + 2²): 5 · 80 / (5 · 80 + 30 + 4 · 20).
    assert of("f_beta", tally, beta=2) == pytest.approx(400 / 510, abs=1e-12)
    assert of("f_beta", tally, alpha=0.2) == pytest.approx(400 / 510, abs=1e-12)


def test_a_matrix_is_shown_either_way_round_and_says_which() -> None:
    for rows, name, first, note in (
        ("gold", "gold urgent", [8, 5, 3], "rows are gold, columns predicted"),
        ("pred", "called urgent", [8, 10, 1], "rows are predicted, columns gold"),
    ):
        table = next(section for section in sections(EMAIL, rows=rows) if section.title == "errors")
        assert table.rows[0][0] == name
        assert [cell.value for cell in table.rows[0][1]] == first
        assert table.note == note


def test_pairs_of_classes_are_listed_by_how_often_they_are_confused() -> None:
    table = next(section for section in sections(EMAIL) if section.title == "most confused")
    found = [(name, cells[0].value, cells[2].value) for name, cells in table.rows]
    assert found == [
        ("spam called normal", 50, 30),
        ("normal called spam", 30, 50),
        ("normal called urgent", 10, 5),
        ("urgent called normal", 5, 10),
        ("urgent called spam", 3, 1),
        ("spam called urgent", 1, 3),
    ]


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
    assert any(note.startswith("no better than always") and "accuracy" in note for note in assay.evaluate(tally).notes)


def test_accuracy_has_its_three_floors() -> None:
    # 30 of 10,000 are frauds: always no, guessing as often as they occur, and tossing a coin.
    tally = Confusion.from_counts(tp=24, fp=100, fn=6, tn=9870)
    floors = dict(catalogue()["accuracy"].bind(tally).guesses(tally))
    assert floors["always “negative”"] == pytest.approx(0.997, abs=1e-12)
    assert floors["guessing in proportion to the classes"] == pytest.approx(0.997**2 + 0.003**2, abs=1e-12)
    assert floors["guessing every class equally often"] == pytest.approx(0.5, abs=1e-12)


def test_frauds_that_are_missed_cost_25_times_as_much_as_false_alarms() -> None:
    tally = Confusion.from_counts(tp=24, fp=100, fn=6, tn=9870)
    assert of("expected_cost", tally, fp=200, fn=5000, of="total") == 50_000  # 100 · 200 + 6 · 5000
    assert of("expected_cost", tally, fp=200, fn=5000) == 5.0
    rows = {row.measure: row.value for row in assay.evaluate(tally, costs={"fp": 200, "fn": 5000}).rows}
    assert rows["expected_cost(fp=200,fn=5000,of=total)"] == 50_000
    for fp, fn, threshold in ((1, 10, 0.0909091), (10, 1, 0.9090909), (200, 5000, 0.0384615)):
        assert break_even_threshold(fp, fn) == pytest.approx(threshold, abs=5e-8)
        weights = class_weights(fp, fn)
        assert weights["positive"] / weights["negative"] == pytest.approx(fn / fp, abs=1e-12)


def test_at_two_per_cent_most_alarms_are_false() -> None:
    # Recall .9 and specificity .95 as counted where half are ill, carried over to where 2% are.
    tally = Confusion.from_counts(tp=90, fp=5, fn=10, tn=95)
    assert of("precision", tally, prevalence=0.02) == printed(0.26866)
    assert of("f1", tally, prevalence=0.02) == printed(0.41379)
    assert of("accuracy", tally, prevalence=0.02) == pytest.approx(0.949, abs=1e-12)
    assert of("npv", tally, prevalence=0.02) == pytest.approx(931 / 933, abs=1e-12)


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
    # As printed.
    assert [of("precision", EMAIL, pos_label=label) for label in shares] == printed([0.42105, 0.52174, 0.85837])
    assert [of("recall", EMAIL, pos_label=label) for label in shares] == printed([0.5, 0.6, 0.79681])
    assert of("precision", EMAIL, average="macro") == printed(0.60039)
    assert of("precision", EMAIL, average="micro") == printed(0.73025)


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
    # As printed.
    assert [of("precision", SENTIMENT, pos_label=label) for label in f1] == printed([0.22472, 0.72727, 0.76])
    assert [of("recall", SENTIMENT, pos_label=label) for label in f1] == printed([0.76923, 0.25532, 0.7037])
    assert [of("f1", SENTIMENT, pos_label=label) for label in f1] == printed([0.34783, 0.37795, 0.73077])
    assert of("precision", SENTIMENT, average="macro") == printed(0.57066)
    assert of("recall", SENTIMENT, average="macro") == printed(0.57608)
    assert of("f1", SENTIMENT, average="macro") == printed(0.48552)
    assert of("f1_of_means", SENTIMENT) == printed(0.57336)
    assert of("accuracy", SENTIMENT) == printed(0.42857)
    # A printed solution has micro precision .75 here; of single labels it can only be 315 of 735.
    for measure in ("precision", "recall", "f1"):
        assert of(measure, SENTIMENT, average="micro") == of("accuracy", SENTIMENT) == 315 / 735


def test_a_tagger_with_one_tag_has_no_correlation_and_half_symmetric_accuracy() -> None:
    assert of("accuracy", ONE_TAG) == 0.9
    assert of("precision", ONE_TAG, pos_label="NN") == 0.9
    assert of("recall", ONE_TAG, pos_label="NN") == 1.0
    assert of("f1", ONE_TAG, pos_label="NN") == pytest.approx(180 / 190, abs=1e-12)
    assert of("f1", ONE_TAG, pos_label="NN") == printed(0.94737)
    assert of("fowlkes_mallows", ONE_TAG, pos_label="NN") == pytest.approx(math.sqrt(0.9), abs=1e-12)
    assert of("fowlkes_mallows", ONE_TAG, pos_label="NN") == printed(0.94868)
    assert of("symmetric_balanced_accuracy", ONE_TAG) == 0.5
    mcc = assay.estimate("mcc", ONE_TAG)
    assert mcc.value == 0.0
    assert any("0/0" in note for note in mcc.notes)


@pytest.mark.parametrize(("method", "low", "high"), [("wald", 0.82787, 0.87213), ("wilson", 0.82653, 0.87079)])
def test_850_of_1000_have_the_printed_intervals(method: Any, low: float, high: float) -> None:
    for name, tally in (
        ("recall", Confusion.from_counts(tp=850, fp=0, fn=150, tn=0)),
        ("accuracy", Confusion.from_counts(tp=400, fp=100, fn=50, tn=450)),
    ):
        found = assay.estimate(name, tally, method=method)
        assert [found.low, found.high] == printed([low, high])


def test_weights_of_two_and_three_count_as_two_and_three() -> None:
    # Right rows weigh 2 + 3, wrong ones 1: five of six.
    gold, pred, weight = ["a", "b", "a"], ["a", "b", "b"], [2, 3, 1]
    assert assay.accuracy(gold, pred, sample_weight=weight) == pytest.approx(5 / 6, abs=1e-12)
    assert assay.recall(gold, pred, sample_weight=weight, pos_label="a") == pytest.approx(2 / 3, abs=1e-12)
    assert assay.precision(gold, pred, sample_weight=weight, pos_label="b") == pytest.approx(3 / 4, abs=1e-12)


def test_the_label_is_among_the_first_guesses_as_often_as_counted() -> None:
    # First for one of four, second for one, third for one, nowhere for one.
    guesses = [["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"], ["b", "c", "d"]]
    for k, share in ((1, 0.25), (2, 0.5), (3, 0.75)):
        assert assay.top_k_accuracy(["a"] * 4, guesses, k=k) == share


A = [1, 1, 1, 0, 1, 0, 1, 1, 0, 1]  # which of ten documents A got right
B = [1, 0, 1, 1, 0, 1, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("alternative", "strict", "exact"),
    [("greater", False, 0.2683568), ("greater", True, 0.1456734), ("two-sided", False, 0.5292549)],
)
def test_ten_documents_approach_their_exact_bootstrap_p(alternative: str, strict: bool, exact: float) -> None:
    # Ten draws from only A right (.4), only B right (.2), neither or both (.4); summed by hand over the trinomial.
    draws = 99_999
    how: dict[str, Any] = {"test": "bootstrap", "alternative": alternative, "strict": strict, "n_resamples": draws}
    found = assay.compare([1] * 10, A, B, measure="accuracy", **how)
    assert found.difference == pytest.approx(0.2, abs=1e-12)
    assert found.p_value is not None
    assert abs(found.p_value - exact) < 4 * math.sqrt(exact * (1 - exact) / draws)
    assert found.extreme is not None
    assert found.p_value == (found.extreme + 1) / (draws + 1)
    raw = assay.compare([1] * 10, A, B, measure="accuracy", raw_p=True, **how)
    assert raw.p_value == found.extreme / draws


def test_ten_documents_have_the_exact_sign_test() -> None:
    # Six documents differ; 4 to 2 or worse in either direction has 44 of the 64 outcomes.
    found = assay.compare([1] * 10, A, B, measure="accuracy", test="mcnemar")
    assert found.p_value == pytest.approx(44 / 64, abs=1e-12)
    # By default half of the 30 outcomes that are 4 to 2 themselves are left out.
    half = assay.compare([1] * 10, A, B, measure="accuracy")
    assert half.p_value == pytest.approx(29 / 64, abs=1e-12)


def test_four_units_give_alpha_one_twelfth() -> None:
    units = [
        ["NN", "NN", "NN", None],
        ["NN", "VBP", "VBP", "NN"],
        ["VBP", "VBP", "VBP", "NN"],
        ["VBP", "NN", "NN", "VBP"],
    ]
    assert assay.krippendorff_alpha(units) == pytest.approx(1 / 12, abs=1e-12)


def test_the_first_relevant_document_at_rank_three_has_reciprocal_rank_one_third() -> None:
    assert assay.rr({"q": [0, 0, 2, 0, 3, 0, 1, 0, 0, 1]}) == pytest.approx(1 / 3, abs=1e-12)


def test_reversed_scores_reverse_the_area() -> None:
    gold, score = [0, 1, 1, 0, 1, 0, 0], [0.2, 0.2, 0.9, 0.4, 0.4, 0.1, 0.9]
    assert assay.roc_auc(gold, [-s for s in score]) == pytest.approx(1 - assay.roc_auc(gold, score), abs=1e-12)
