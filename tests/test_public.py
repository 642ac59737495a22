from __future__ import annotations

import assay


def test_public_names_are_these_and_the_measures() -> None:
    names = set(dir(assay)) - {"__version__"}
    classes = {
        "AssayError", "Comparison", "Confusion", "Contingency", "DataError", "Estimate", "Interval", "Joint", "Measure",
        "OptionError", "Ranked", "Rated", "Report", "Scored", "UnknownMeasure",
    }  # fmt: skip
    verbs = {"compare", "estimate", "evaluate"}
    measures = {
        "accuracy", "adjusted_rand", "balanced_accuracy", "f1", "f1_of_means", "krippendorff_alpha", "mcc",
        "mean_reciprocal_rank", "precision", "recall", "roc_auc", "symmetric_balanced_accuracy",
    }  # fmt: skip
    assert classes | verbs | measures <= names
    assert names - classes - verbs == {m for m in names if isinstance(getattr(assay, m), assay.Measure)}


def test_every_public_name_can_be_reached() -> None:
    for name in dir(assay):
        assert getattr(assay, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(assay, "f1_score_of_nothing")
