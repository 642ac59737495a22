"""assay reports honestly how good a classifier, clustering, ranking or annotator is, and how certain that is.

One system:
    evaluate(data) or evaluate(y_true, y_pred)      a report with intervals, from a file, a frame or arrays
    classification_report(y_true, y_pred)           precision, recall and F1 of every class, with intervals
    estimate("f1", y_true, y_pred)                  one measure with its interval; f1(y_true, y_pred) is the value alone
    confusion_matrix(y_true, y_pred), roc_curve(y_true, y_score), pr_curve(…), calibration_curve(…), curves(data)
Two systems or more:
    compare(y_true, a, b, measure="f1")             the difference with its interval, and a test
    compare_systems(data) or (y_true, {"a": a, …})  the same for several systems and measures
    compare_values(x, y), compare_repeated(data)    values per item, fold or data set
    prefer(data)                                    judgments of two answers at a time
In tests:
    assert_at_least(y_true, y_pred, measure="f1", value=0.9)
    assert_no_worse(y_true, new, old, measure="f1", margin=0.01)
Before and after:
    plan(half_width=0.05)                           how many items to label
    advise(data)                                    which measures to report, and why
    tune(data, maximize="f1")                       choose a threshold on some rows and judge it on others

Measures are functions, and so are their names in scikit-learn: accuracy, f1, mcc, roc_auc, log_loss, … help(assay.f1)
explains one. `assay check FILE` on the command line shows what is in a file.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

# Names are loaded when they are first used, so that `import assay` costs next to nothing.
_HOME = {
    "AssayError": "errors",
    "DataError": "errors",
    "OptionError": "errors",
    "UnknownMeasure": "errors",
    "Measure": "measures.declare.measure",
    "delong": "measures.scores.delong",
    "roc_curve": "measures.scores.curves",
    "pr_curve": "measures.scores.curves",
    "calibration_curve": "measures.scores.calibration",
    "dominance": "measures.scores.dominance",
    "curves": "jobs.curves",
    "curve_band": "uncertainty.curves.bands",
    "scorers": "protocols.scorers",
    "Advice": "advice.advise",
    "advise": "advice.advise",
    "compare_systems": "jobs.comparison.systems",
    "compare_repeated": "jobs.comparison.repeated",
    "disagreements": "jobs.comparison.disagreements",
    "plan": "jobs.plan",
    "prefer": "jobs.comparison.prefer",
    "rank": "jobs.ranking.rank",
    "tune": "jobs.tune",
    "friedman": "uncertainty.many.ranks",
    "critical_difference": "uncertainty.many.ranks",
    "post_hoc": "uncertainty.many.ranks",
    "cochrans_q": "uncertainty.many.standings",
    "benjamini_hochberg": "uncertainty.many.corrections",
    "benjamini_yekutieli": "uncertainty.many.corrections",
    "bonferroni": "uncertainty.many.corrections",
    "hochberg": "uncertainty.many.corrections",
    "holm": "uncertainty.many.corrections",
    "five_numbers": "uncertainty.values.folds",
    "evaluate": "jobs.evaluate",
    "PerClass": "jobs.classes.per_class",
    "classification_report": "jobs.classes.per_class",
    "Report": "jobs.answers.results",
    "ClassScored": "tally.class_scores",
    "Confusion": "tally.labels",
    "Contingency": "tally.clusterings",
    "Counts": "tally.count.counts",
    "Guessed": "tally.guesses",
    "break_even_threshold": "measures.labels.costs",
    "brier_parts": "measures.scores.calibration",
    "ece_if_calibrated": "measures.scores.calibration",
    "class_weights": "measures.labels.costs",
    "Joint": "tally.contract.joint",
    "ConfusionMatrix": "tally.matrix",
    "confusion_matrix": "tally.matrix",
    "Ranked": "tally.rankings",
    "Preferences": "tally.preferences",
    "Rated": "tally.ratings",
    "Scored": "tally.scores",
    "compare": "uncertainty.two.compare",
    "estimate": "uncertainty.one.estimate",
    "assert_at_least": "jobs.gates",
    "assert_no_worse": "jobs.gates",
    "compare_values": "uncertainty.values.compare",
    "Comparison": "uncertainty.results",
    "Estimate": "uncertainty.results",
    "Interval": "uncertainty.results",
    "Statistic": "uncertainty.results",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from assay.uncertainty.results import version

        return version()
    if name in _HOME:
        from importlib import import_module

        value = getattr(import_module(f"assay.{_HOME[name]}"), name)
    elif name.startswith("_"):
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    else:
        value = _measure(name)
    globals()[name] = value
    return value


def _measure(name: str) -> Any:
    """The measure with this name or alias; otherwise an error that suggests the nearest name."""
    from assay.measures.declare.catalogue import catalogue, hint

    known = catalogue() | {alias: each for each in catalogue().values() for alias in each.aliases}
    if name in known:
        return known[name]
    what_next = hint(name, tuple(_HOME)) or " 'assay measures' lists the measures."
    raise AttributeError(f"module 'assay' has no attribute {name!r}.{what_next}", name=name)


def __dir__() -> list[str]:
    from assay.measures.declare.catalogue import catalogue

    return sorted([*_HOME, *catalogue(), "__version__"])
