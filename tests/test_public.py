from __future__ import annotations

import assay


def test_public_names_are_these_and_the_measures() -> None:
    names = set(dir(assay)) - {"__version__"}
    classes = {
        "Advice",
        "AssayError", "ClassScored", "Comparison", "Confusion", "ConfusionMatrix", "Contingency", "Counts",
        "DataError", "Estimate",
        "Guessed", "Interval", "Joint", "Measure", "OptionError", "PerClass", "Preferences", "Ranked", "Rated",
        "Report", "Scored",
        "Statistic",
        "UnknownMeasure",
    }  # fmt: skip
    verbs = {
        "advise", "assert_at_least", "assert_no_worse",
        "break_even_threshold", "brier_parts", "class_weights", "classification_report",
        "cochrans_q", "compare",
        "compare_repeated", "compare_systems", "compare_values", "critical_difference", "disagreements",
        "confusion_matrix", "benjamini_hochberg", "benjamini_yekutieli", "bonferroni", "hochberg", "holm",
        "ece_if_calibrated", "estimate", "evaluate",
        "five_numbers", "friedman", "plan", "post_hoc", "prefer", "rank", "scorers", "tune",
        "calibration_curve", "curve_band", "curves", "delong", "dominance", "pr_curve", "roc_curve",
    }  # fmt: skip
    measures = {
        "accuracy", "adjusted_rand", "average_precision", "balanced_accuracy", "brier", "calibration_intercept",
        "calibration_slope", "cohen_kappa", "diagnostic_odds_ratio", "ece", "error_rate", "expected_cost", "f1",
        "f1_of_means", "f_beta", "false_omission_rate", "fdr", "fnr", "fowlkes_mallows", "fpr", "g_mean",
        "informedness", "interpolated_pr_11", "jaccard", "krippendorff_alpha", "log_loss", "lr_minus", "lr_plus",
        "markedness", "mcc", "mce", "npv", "pr_auc_trapezoid", "precision", "prevalence", "recall", "roc_auc",
        "roc_hull_auc", "specificity", "symmetric_balanced_accuracy",
        "top_k_accuracy",
        # of rankings
        "ap", "bpref", "cg", "dcg", "err", "gm_ap", "inf_ap", "iprec", "iprec_mean", "judged", "ndcg", "p", "pfound",
        "r", "r_precision", "rbp", "rr", "set_f", "set_p", "set_r", "success",
    }  # fmt: skip
    assert classes | verbs | measures <= names
    assert names - classes - verbs == {m for m in names if isinstance(getattr(assay, m), assay.Measure)}


def test_every_public_name_can_be_reached() -> None:
    for name in dir(assay):
        assert getattr(assay, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(assay, "f1_score_of_nothing")
