"""What to know before relying on a report: each caution where it is due, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row, System
from assay.jobs.count import Counted
from assay.report.contents.blocks import Caution, Part
from assay.report.findings.cautions import cautions, linked
from assay.tally.contract.base import Tally
from assay.tally.contract.systems import Systems
from assay.tally.count.counts import Slicing
from assay.uncertainty.results import Comparison, Estimate, MarginTest

EXAMPLES = "src/assay/data/examples"
GOOD = Row("a", "accuracy", value=0.9, low=0.85, high=0.94, n=400, no_skill=0.6, no_skill_name="always “x”")
LOSS = Row("a", "brier", value=0.1, low=0.08, high=0.13, n=400, no_skill=0.25, no_skill_name="the base rate")
GAP = Row("a", "recall", slice="site", quantity="gap", value=0.2, n=400, p=0.01, p_adjusted=0.02, test="max_gap")


def made(
    *rows: Row,
    facts: dict[str, Any] | None = None,
    asked: dict[str, Any] | None = None,
    contest: Contest | None = None,
    tallies: Mapping[str, Tally] | None = None,
    slices: Sequence[Slicing] = (),
) -> Report:
    """A report of these rows and nothing else."""
    names = dict.fromkeys(row.system for row in rows) or {"a": None}
    systems = tuple(System(name, rows[0].measure if rows else "accuracy", lead=f"{name}: 400 rows.") for name in names)
    held = None if tallies is None else Counted(Systems(tallies), slices, facts or {})
    return Report(rows, systems, {"n": 400, **(facts or {})}, asked or {}, contest, held)


def told(report: Report) -> list[str]:
    """The cautions, each as one text."""
    return [f"{each.title} {each.text}" for each in cautions(report)]


def compared(low: float | None = 0.01, high: float | None = 0.09, p: float | None = 0.01, **more: Any) -> Comparison:
    e = Estimate("f1", 0.8, 0.7, 0.9, 0.95, "wilson", 400, None, "")
    kept: dict[str, Any] = {"names": ("new", "old"), "difference": 0.05, "level": 0.95, "method": "tango"}
    kept |= {"test": "randomization", "statistic": "raw", "alternative": "two-sided", "h0": "", "h1": "", "n": 400}
    kept |= {"draws": None, "extreme": None, "item": "row", "disagreements": 40, "reason": None, "signature": ""}
    return Comparison(**{**kept, "a": e, "b": e, "low": low, "high": high, "p_value": p, **more})


def contested(*tested: Comparison, others: Sequence[Comparison] = (), correction: str = "holm", **more: Any) -> Report:
    rows = (replace(GOOD, system="new"), replace(GOOD, system="old"))
    return made(*rows, contest=Contest("f1", tested, tuple(others), correction=correction), **more)


def labels(table: list[list[int]], names: str) -> assay.Confusion:
    return assay.Confusion.from_matrix(table, list(names))


# ---------------------------------------------------------------------- what always holds
def test_a_clean_report_has_no_caution_but_what_holds_for_every_report() -> None:
    report = made(GOOD, LOSS, tallies={"a": labels([[90, 10], [5, 95]], "xy")})
    assert cautions(report) == ()
    assert report.page().standing == (
        "This is offline evaluation: intervals describe other rows like these. They do not cover retraining, errors in "
        "the gold labels, other populations, or how people use the answers."
    )


def test_real_answers_that_are_good_throughout_need_no_further_caution() -> None:
    report = assay.evaluate("src/assay/data/digits.csv", gold="gold", pred=["logistic"])
    assert told(report) == []


@given(
    value=st.floats(0.5, 0.99),
    room=st.floats(0.001, 0.2),
    guess=st.floats(0.001, 0.2),
    measure=st.sampled_from(["accuracy", "mcc", "f1", "roc_auc", "average_precision"]),
)
def test_a_value_whose_interval_lies_above_every_guess_is_never_cautioned(
    value: float, room: float, guess: float, measure: str
) -> None:
    low = value - room
    row = Row("a", measure, value=value, low=low, high=min(value + room, 1), no_skill=low - guess, no_skill_name="x")
    assert told(made(row)) == []


@pytest.mark.parametrize(
    ("facts", "things", "left_out"),
    [
        ({}, "rows", "retraining"),
        ({"clusters": 40}, "clusters", "retraining"),
        ({"unit": "fold"}, "folds", "other data"),
        ({"unit": "data set"}, "data sets", "gold labels"),
    ],
)
def test_what_intervals_cover_depends_on_what_was_sampled(facts: dict[str, Any], things: str, left_out: str) -> None:
    covered = made(GOOD, facts=facts).page().standing
    assert left_out in covered.split("not", 1)[1]
    # Folds are what retraining gives.
    first = covered.split(".")[0]
    assert ("what retraining" in first) is (facts.get("unit") == "fold")
    assert (f"other {things} like these" in first) is (facts.get("unit") != "fold")


# ---------------------------------------------------------------------- guesses without a model
def test_a_value_at_or_below_the_best_guess_is_said_with_both_numbers() -> None:
    row = replace(GOOD, value=0.58, low=0.52, high=0.64)
    (said,) = told(made(row))
    assert said == "Accuracy does not beat the no-model baseline. It is 0.58, and always “x” gives 0.60."
    assert told(made(replace(row, value=0.6, no_skill=0.6)))[0].startswith("Accuracy does not beat")


def test_lower_losses_are_better_and_the_caution_knows_it() -> None:
    assert told(made(LOSS)) == []
    (said,) = told(made(replace(LOSS, value=0.31, low=0.28, high=0.34)))
    assert said.startswith("Brier score does not beat the no-model baseline. It is 0.310, and the base rate gives")
    assert said.endswith("0.250 (lower is better).")


def test_a_value_whose_interval_holds_the_guess_is_not_shown_to_beat_it() -> None:
    (said,) = told(made(replace(GOOD, value=0.65, low=0.55, high=0.74)))
    assert said == (
        "Accuracy is not clearly better than the no-model baseline. Its interval, 0.55 to 0.74, contains it: always "
        "“x” gives 0.60."
    )


def test_several_values_whose_intervals_hold_their_guesses_are_one_caution() -> None:
    rows = [replace(GOOD, measure=measure, value=0.65, low=0.55, high=0.74) for measure in ("accuracy", "recall")]
    (said,) = told(made(*rows))
    assert said == (
        "2 values are not clearly better than the no-model baseline. Their intervals contain it: Accuracy, "
        "0.55 to 0.74 (always “x” gives 0.60); Recall, 0.55 to 0.74 (always “x” gives 0.60)."
    )


def test_several_lost_values_are_one_caution_with_the_first_three_in_numbers() -> None:
    rows = [replace(GOOD, measure=m, value=0.4, low=0.3, high=0.5) for m in ("accuracy", "f1", "recall", "precision")]
    (said,) = told(made(*rows))
    assert said.startswith("4 values do not beat the no-model baseline. Accuracy is 0.40, and")
    assert said.endswith("; and 1 more.")


def test_a_guess_that_is_the_worst_value_there_is_proves_nothing() -> None:
    assert told(made(replace(GOOD, value=0.0, low=0.0, high=0.1, no_skill=0.0))) == []


def test_groups_and_differences_are_not_held_against_a_guess() -> None:
    assert told(made(GOOD, replace(GOOD, value=0.5, slice="site=x"))) == []
    assert told(made(GOOD, replace(GOOD, value=0.05, low=-0.1, high=0.2, versus="b", quantity="difference"))) == []


def test_what_has_no_value_or_no_interval_is_said_with_its_reason() -> None:
    none = replace(GOOD, measure="precision", value=None, low=None, high=None, reason="no item was predicted")
    assert told(made(GOOD, none)) == ["Precision has no value. No item was predicted."]
    bare = replace(GOOD, low=None, high=None, reason="the measure was undefined in 812 of 9,999 draws")
    assert told(made(bare)) == ["Accuracy has no interval. The measure was undefined in 812 of 9,999 draws."]


def test_a_measure_that_never_has_an_interval_and_folds_that_share_data_are_no_news() -> None:
    assert told(made(Row("a", "ece", value=0.02, reason="chance gaps inflate it"))) == []
    fold = replace(GOOD, low=None, high=None, reason="folds share training data", no_skill=None)
    assert told(made(fold, facts={"unit": "fold"})) == []


# ---------------------------------------------------------------------- differences
def test_a_difference_that_is_shown_calls_for_no_caution() -> None:
    assert told(contested(compared())) == []


def test_no_difference_shown_is_told_apart_from_none_with_the_interval_and_what_would_be_found() -> None:
    (said,) = told(contested(compared(-0.01, 0.11, 0.2, mde=0.0712)))
    assert said == (
        "No significant difference does not mean no difference. The data are compatible with differences from −0.01 to "
        "+0.11. A true difference below 0.071 would often be missed."
    )


def test_a_difference_that_the_interval_reaches_past_is_open_however_little_it_does() -> None:
    (said,) = told(contested(compared(-0.001, 0.101, 0.049)))
    assert said == (
        "Whether new and old differ is open. The test found a difference, but the interval, from −0.001 to +0.10, "
        "contains 0."
    )
    (other,) = told(contested(compared(0.001, 0.101, 0.06)))
    assert other == (
        "Whether new and old differ is open. The interval, from +0.001 to +0.10, excludes 0, but the test found no "
        "significant difference."
    )
    (ranks,) = told(contested(compared(-0.001, 0.101, 0.02, test="wilcoxon", leaning=1)))
    assert ranks == (
        "Whether new and old differ is open. The test found a difference, but it is not about the mean, whose "
        "interval, from −0.001 to +0.10, contains 0."
    )


def test_undecided_and_incomparable_systems_are_said_to_be() -> None:
    (torn,) = told(contested(compared(-0.03, 0.05, 0.03)))
    assert torn.startswith("Whether new and old differ is open. The test found a difference, but the interval, from")
    (bare,) = told(contested(compared(-0.01, 0.05, None, test="none")))
    assert bare == (
        "Whether new and old differ is open. No test was made. The data are compatible with differences from −0.010 to "
        "+0.050."
    )
    margin = MarginTest(0.02, -0.01, 0.09, 0.9, 0.5, 0.1, equivalent=False, not_worse=True)
    (within,) = told(contested(compared(-0.02, 0.1, 0.3, margin=margin)))
    assert within.endswith("Neither a difference nor equivalence within 0.02 is established.")
    (lost,) = told(contested(compared(None, None, None, difference=None, reason="old has no positives")))
    assert lost == "new and old could not be compared. Reason: old has no positives."


def test_measures_that_were_not_tested_are_named_only_where_they_tempt() -> None:
    other = compared(0.01, 0.09, None, test="none")
    tempting = told(contested(compared(-0.01, 0.11, 0.2), others=[other, compared(-0.02, 0.09, None, test="none")]))
    assert tempting[1] == (
        "Only F1 was tested. Intervals of F1 exclude 0, but among 2 measures some may do so by chance."
    )
    assert told(contested(compared(), others=[other])) == []
    assert len(told(contested(compared(-0.01, 0.11, 0.2), others=[compared(-0.02, 0.09, None, test="none")]))) == 1


def test_several_comparisons_say_how_many_show_nothing_and_whether_p_is_corrected() -> None:
    shown, hidden = compared(p_adjusted=0.02, correction="holm"), compared(-0.01, 0.11, 0.2, p_adjusted=0.4)
    (first,) = told(contested(shown, hidden))  # that p is corrected needs no caution
    assert first == "1 of 2 comparisons found no significant difference. These may still differ: new vs. old."
    (only,) = told(contested(shown, shown, correction="none"))
    assert only.startswith("p is not corrected for 2 comparisons.")


def test_systems_on_rows_of_their_own_are_said_to_be() -> None:
    (said,) = told(contested(compared(), asked={"unpaired": True}))
    assert said.startswith("Each system was judged on its own rows.")


def test_a_one_sided_question_is_not_answered_with_no_difference() -> None:
    one = compared(-0.3, -0.1, 0.99, alternative="greater")
    (said,) = told(contested(one))
    assert said.startswith(
        "Only whether new is higher was tested. No significant evidence for this was found. The data are compatible "
        "with differences from −0.3"
    )


def test_systems_on_rows_of_their_own_have_rare_classes_of_their_own() -> None:
    many, few = labels([[90, 0], [1, 40]], "xy"), labels([[90, 0], [1, 3]], "xy")
    (said,) = told(made(GOOD, tallies={"a": many, "b": few}))
    assert "Fewer than 10 gold rows of “y”" in said


# ---------------------------------------------------------------------- classes
def test_classes_with_few_gold_rows_are_named_with_their_counts() -> None:
    (said,) = told(made(GOOD, tallies={"a": labels([[90, 0, 0], [1, 8, 0], [0, 0, 3]], "xyz")}))
    assert said == (
        "Fewer than 10 gold rows of “y” and “z”. Intervals based on so few are unreliable: “y” (9) and “z” (3)."
    )
    assert told(made(GOOD, tallies={"a": labels([[90, 0], [1, 9]], "xy")})) == []


def test_rows_are_counted_and_not_weighed_where_classes_are_called_small() -> None:
    light = assay.Confusion.from_predictions(list("xy") * 20, list("xy") * 20, sample_weight=np.full(40, 0.1))
    assert told(made(GOOD, tallies={"a": light})) == []


def test_a_class_that_is_never_named_or_never_gold_is_told() -> None:
    said = told(made(GOOD, tallies={"a": labels([[90, 0, 2], [12, 0, 0], [0, 0, 0]], "xyz")}))
    assert said == [
        "Gold has no “z”. Averages over classes say nothing about it.",
        "a never predicts “y”. It misses all 12 of them.",
    ]


def test_gold_and_answers_without_a_common_label_come_first_and_alone() -> None:
    tally = assay.Confusion.from_predictions(["cat", "dog"] * 20, ["0", "1"] * 20)
    said = told(made(replace(GOOD, value=0.0, low=0.0, high=0.1), tallies={"a": tally}))
    assert said[0].startswith("Gold and a share no label. Gold has “cat” and “dog”; a has “0” and “1”.")
    assert len(said) == 2  # and that it beats no guess


# ---------------------------------------------------------------------- what the terminal warns of
def warned(report: Report) -> list[str]:
    return [each.title for each in report.page().cautions]


def test_skewed_differences_and_approximate_tests_are_cautions_of_the_page_too() -> None:
    c45 = assay.compare_repeated(f"{EXAMPLES}/c45.csv", values=["c45", "c45_m_cf"], datasets="data_set")
    assert warned(c45) == ["The differences are skewed."]
    folds = assay.compare_repeated(
        f"{EXAMPLES}/folds.csv", gold="gold", pred=["logistic", "tree"], positive="malignant", folds="fold"
    )
    assert warned(folds) == ["Over folds, p is approximate.", "No interval for a single system."]


def test_a_warning_about_several_pairs_is_one_caution() -> None:
    names = ["c45", "c45_m", "c45_cf", "c45_m_cf"]
    page = assay.compare_repeated(f"{EXAMPLES}/c45.csv", values=names, datasets="data_set").page()
    skewed = [each.title for each in page.cautions if "skewed" in each.title]
    assert skewed == ["c45 − c45_m, c45 − c45_cf, c45 − c45_m_cf and 1 more: the differences are skewed."]


def test_how_often_systems_were_shown_first_is_a_caution_about_preferences() -> None:
    shown = assay.prefer(f"{EXAMPLES}/arena.csv").page().cautions
    assert any(each.title == "Being shown first matters." and "58%" in each.text for each in shown)
    assert any(each.text == "28% (atlas), 64% (ember) and 73% (fjord)." for each in shown)


@pytest.mark.parametrize("warns", ["unstable", "may do as well"])
def test_an_unstable_threshold_and_an_untuned_one_that_may_do_as_well_are_cautions(warns: str) -> None:
    tuned = assay.tune(
        f"{EXAMPLES}/cancer_dev.csv",
        gold="gold",
        score="score",
        positive="malignant",
        cost_fp=1,
        cost_fn=20,
        check=f"{EXAMPLES}/cancer_test.csv",
    )
    assert any(warns in each.title for each in tuned.page().cautions)


# ---------------------------------------------------------------------- groups
def sliced(*sizes: int) -> tuple[dict[str, Tally], list[Slicing]]:
    groups = {f"g{i}": Systems({"a": labels([[n // 2, 0], [0, n - n // 2]], "xy")}) for i, n in enumerate(sizes)}
    return {"a": labels([[200, 0], [0, 200]], "xy")}, [Slicing("site", groups)]


def test_a_gap_that_one_test_over_all_groups_finds_is_told_with_its_p() -> None:
    tallies, slices = sliced(200, 200)
    (said,) = told(made(GOOD, GAP, tallies=tallies, slices=slices))
    assert said == ("Performance differs by site. The gap in Recall is larger than chance would explain (p = 0.02).")


def test_a_p_at_the_floor_of_its_draws_is_a_bound() -> None:
    floor = replace(GAP, p=1 / 1000, p_adjusted=2 / 1000, signature="assay:0|draws:999|seed:0")
    assert "(p ≤ 0.002)" in told(made(GOOD, floor))[0]
    above = replace(floor, p=2 / 1000)
    assert "(p = 0.002)" in told(made(GOOD, above))[0]


def test_a_gap_is_told_with_its_ends_and_what_they_rest_on_from_the_system_that_is_ahead() -> None:
    gold = [1] * 200 + [0] * 200 + [1] * 8 + [0] * 200
    good = [1] * 198 + [0] * 202 + [1, 0] * 4 + [0] * 200
    poor = [1] * 150 + [0] * 250 + [1, 0] * 4 + [0] * 150 + [1] * 50
    data = {"gold": gold, "poor": poor, "good": good, "site": ["a"] * 400 + ["b"] * 208}
    report = assay.compare_systems(data, gold="gold", pred=["poor", "good"], slices="site", n_resamples=999)
    gap = next(each for each in told(report) if "site" in each)
    # 4 of 8 and 198 of 200: "poor" is behind, and does not come first though its rows do.
    assert gap.startswith("Recall differs by site. good 0.50 in “b” (n = 8), 0.99 in “a” (p ≤ 0.001).")
    assert not [each for each in told(report) if "rest on few" in each]  # that has been said


def by_size(small: int = 6) -> dict[str, list[Any]]:
    """Recall: 0.99 and 0.96 of 160 in “large”, 0.85 and 0.65 of 40 in “medium”, two thirds in “small”."""
    found = {"good": (158, 34, 2 * small // 3), "poor": (154, 26, 2 * small // 3)}
    sizes = {"large": 160, "medium": 40, "small": small}
    data: dict[str, list[Any]] = {"gold": [], "size": [], **{name: [] for name in found}}
    for i, (group, positives) in enumerate(sizes.items()):
        data["gold"] += [1] * positives + [0] * 150
        data["size"] += [group] * (positives + 150)
        for name, hits in found.items():
            data[name] += [1] * hits[i] + [0] * (positives - hits[i]) + [0] * 150
    return data


def test_a_gap_leads_with_the_group_that_the_test_points_to_and_not_with_the_worst_of_few_rows() -> None:
    report = assay.compare_systems(by_size(), gold="gold", pred=["good", "poor"], slices="size", n_resamples=999)
    found = {row.system: row for row in report.rows if row.quantity == "gap" and row.measure == "recall"}
    assert found["good"].farthest == "large"
    (gap,) = (each for each in told(report) if each.startswith("Recall differs"))
    # 158 of 160 against 38 of 46, and 154 of 160 against 30 of 46.
    assert gap.startswith("Recall differs by size. good 0.99 in “large”, 0.83 elsewhere; poor 0.96 and 0.65 (p ≤ ")
    assert gap.endswith("So do F1 and Accuracy.")
    assert "0.67" not in gap
    assert [each for each in told(report) if each.startswith("Values of size “small” rest on few rows.")]


def test_a_caution_about_a_gap_is_short_enough_to_be_read() -> None:
    report = assay.compare_systems(by_size(), gold="gold", pred=["good", "poor"], slices="size", n_resamples=999)
    (gap,) = (each for each in told(report) if each.startswith("Recall differs"))
    assert len(gap) < 120


def test_what_is_only_about_a_system_that_lost_comes_last() -> None:
    lost = replace(GOOD, system="old", value=0.58, low=0.52, high=0.64)
    both = (compared(), compared(names=("new", "third")))
    behind = made(replace(GOOD, system="new"), lost, contest=Contest("f1", both, correction="none"))
    assert [each.split()[0] for each in told(behind)] == ["p", "Accuracy"]
    level = made(lost, contest=Contest("f1", (compared(low=-0.01, p=0.2), compared(names=("new", "third")))))
    assert told(level)[0].startswith("Accuracy does not beat")


def test_a_gap_that_is_not_shown_is_told_with_the_sizes_of_the_groups() -> None:
    tallies, slices = sliced(47, 162)
    rows = (replace(GAP, p_adjusted=0.4), replace(GAP, measure="fpr", p_adjusted=0.1))
    (said,) = told(made(GOOD, *rows, tallies=tallies, slices=slices))
    assert said == (
        "No significant gap by site was found. The smallest p of 2 tests is 0.1, for False positive rate. With 47 to "
        "162 rows per group, real gaps can be missed."
    )


@pytest.mark.parametrize(("positives", "said"), [(30, None), (29, "Recall of “1” rests on 29 in “b”")])
def test_groups_with_fewer_than_thirty_rows_to_count_are_named(positives: int, said: str | None) -> None:
    gold = [1, 0] * 50 + [1] * positives + [0] * 90
    data = {"gold": gold, "pred": gold, "site": ["a"] * 100 + ["b"] * (positives + 90)}
    small = [each for each in told(assay.evaluate(data, slices="site", n_resamples=99)) if "rest on few" in each]
    assert small == (
        [] if said is None else [f"Values of site “b” rest on few rows. {said}; fewer than 30 say little."]
    )


def test_groups_that_could_not_be_tested_are_said_to_be_with_the_reason() -> None:
    row = replace(GAP, p=None, p_adjusted=None, reason="weighted rows cannot be shuffled between groups")
    assert told(made(GOOD, row)) == ["Gaps by site were not tested. Weighted rows cannot be shuffled between groups."]


# ---------------------------------------------------------------------- rows
@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"skipped": 12}, "12 rows of 412 were left out."),
        ({"skipped": 1}, "1 row of 401 was left out."),
        ({"unanswered": {"a": 5}}, "a has no prediction for 5 rows."),
        ({"predictions without gold": {"a": 7}}, "7 predictions of a were left out."),
        ({"clusters": 29}, "There are only 29 clusters."),
        ({"clusters": 30}, None),
        ({"possible cluster": {"column": "patient", "values": 40, "rows": 400}}, "Rows may belong together."),
        ({"flattered": True}, "The threshold was chosen on these rows."),
        ({"flattered": False, "threshold": {"a": 0.3}}, None),
        ({"threshold": {"a": 0.5}}, "A score of 0.5 or more counts as positive."),
        ({"weight": "w", "score bins": 0}, None),
    ],
)
def test_how_rows_were_counted_is_cautioned_where_it_matters(facts: dict[str, Any], said: str | None) -> None:
    assert [each.title for each in cautions(made(GOOD, facts=facts))] == ([] if said is None else [said])


def test_a_threshold_that_was_named_may_flatter_and_the_usual_one_may_not_suit() -> None:
    facts = {"threshold": {"a": 0.3}}
    assert "How it was chosen is not known here" in told(made(GOOD, facts=facts, asked={"threshold": 0.3}))[0]
    assert "No threshold was given" in told(made(GOOD, facts=facts))[0]


def test_a_column_that_repeats_like_an_owner_reaches_the_cautions_and_naming_it_ends_them() -> None:
    data = {"patient": [f"p{i // 5}" for i in range(200)], "gold": list("xyxyx") * 40, "pred": list("xyxyx") * 40}
    titles = [each.title for each in cautions(assay.evaluate(data, gold="gold", pred="pred"))]
    assert "Rows may belong together." in titles
    clustered = assay.evaluate(data, gold="gold", pred="pred", cluster="patient")
    titles = [each.title for each in cautions(clustered)]
    assert "Rows may belong together." not in titles
    assert "intervals describe other clusters (by “patient”) like these" in clustered.page().standing


# ---------------------------------------------------------------------- scores
def scored(truth: Any, score: Any, **more: Any) -> assay.Scored:
    return assay.Scored.from_scores(np.asarray(truth, int), np.asarray(score), **more)


def test_scores_that_rank_worse_than_chance_beyond_doubt_may_be_reversed() -> None:
    low = Row("a", "roc_auc", value=0.2, low=0.15, high=0.26, no_skill=0.5, no_skill_name="the base rate")
    (said,) = told(made(low))
    assert said == (
        "a ranks worse than chance. ROC AUC is below 0.5, and so is its whole interval; the scores may be "
        "reversed, or belong to the other class. It is 0.20 (0.15 to 0.26)."
    )
    (doubt,) = told(made(replace(low, value=0.45, high=0.55)))
    assert doubt.startswith("ROC AUC does not beat the no-model baseline.")


def test_scores_that_come_true_as_often_as_they_say_are_not_cautioned_and_others_are() -> None:
    rng = np.random.default_rng(7)
    score = rng.uniform(0.02, 0.98, 2000).round(3)
    honest = rng.uniform(size=2000) < score
    assert told(made(GOOD, tallies={"a": scored(honest, score)})) == []
    oversure = rng.uniform(size=2000) < 0.5 + (score - 0.5) / 3
    (said,) = told(made(GOOD, tallies={"a": scored(oversure, score)}))
    assert said.startswith(
        "The scores of a are not calibrated. The probabilities are off by 0.16 on average; calibrated"
    )


def test_calibration_is_left_open_where_rows_belong_together_or_scores_are_no_probabilities() -> None:
    rng = np.random.default_rng(8)
    score = rng.uniform(0.02, 0.98, 600)
    truth = rng.uniform(size=600) < 0.5
    assert told(made(GOOD, tallies={"a": scored(truth, score, cluster=np.arange(600) // 3)})) == []
    assert told(made(GOOD, tallies={"a": scored(truth, 10 * score)})) == []


# ---------------------------------------------------------------------- all of them
def test_the_most_urgent_come_first_and_none_is_kept_back() -> None:
    facts = {"skipped": 3, "clusters": 12, "threshold": {"a": 0.5}, "unanswered": {"a": 2}}
    rows = (replace(GOOD, value=0.5, low=0.4, high=0.55), replace(GAP, p_adjusted=0.3))
    tallies = {"a": labels([[390, 0], [0, 4]], "xy")}
    found = cautions(made(*rows, facts=facts, tallies=tallies))
    assert found[0].title.startswith("Accuracy does not beat")
    assert [each.title for each in found[-2:]] == [
        "There are only 12 clusters.",
        "A score of 0.5 or more counts as positive.",
    ]
    assert len(found) == 7


def test_links_lead_only_to_parts_that_there_are() -> None:
    parts = [Part("errors", "Errors", "Errors", ()), Part("method", "Method", "Method", ())]
    found = linked([Caution("a.", "", "errors"), Caution("b.", "", "curves"), Caution("c.", "")], parts)
    assert [each.of for each in found] == ["errors", None, None]


def test_long_labels_are_cut() -> None:
    tally = assay.Confusion.from_predictions(["x" * 5000, *("y" * 40)], ["x" * 5000, *("y" * 40)])
    assert max(len(text) for text in told(made(GOOD, tallies={"a": tally}))) < 300
