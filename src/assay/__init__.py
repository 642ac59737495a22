"""assay tells honestly how good a classifier, clustering, ranking or annotator is, and how sure one can be."""

from __future__ import annotations

TYPE_CHECKING = False  # as `typing` has it, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from assay.advice.advise import Advice as Advice
    from assay.advice.advise import advise as advise
    from assay.errors import AssayError as AssayError
    from assay.errors import DataError as DataError
    from assay.errors import OptionError as OptionError
    from assay.errors import UnknownMeasure as UnknownMeasure
    from assay.jobs.classes.per_class import PerClass as PerClass
    from assay.jobs.classes.per_class import classification_report as classification_report
    from assay.jobs.comparison.disagreements import disagreements as disagreements
    from assay.jobs.comparison.repeated import compare_repeated as compare_repeated
    from assay.jobs.comparison.systems import compare_systems as compare_systems
    from assay.jobs.curves import curves as curves
    from assay.jobs.evaluate import evaluate as evaluate
    from assay.jobs.gates import assert_no_worse as assert_no_worse
    from assay.jobs.plan import plan as plan
    from assay.jobs.prefer import prefer as prefer
    from assay.jobs.results import Report as Report
    from assay.jobs.tune import tune as tune
    from assay.measures.declare.measure import Measure as Measure
    from assay.measures.labels.costs import break_even_threshold as break_even_threshold
    from assay.measures.labels.costs import class_weights as class_weights
    from assay.measures.scores.calibration import brier_parts as brier_parts
    from assay.measures.scores.calibration import calibration_curve as calibration_curve
    from assay.measures.scores.calibration import ece_if_calibrated as ece_if_calibrated
    from assay.measures.scores.curves import pr_curve as pr_curve
    from assay.measures.scores.curves import roc_curve as roc_curve
    from assay.measures.scores.delong import delong as delong
    from assay.measures.scores.dominance import dominance as dominance
    from assay.tally.class_scores import ClassScored as ClassScored
    from assay.tally.clusterings import Contingency as Contingency
    from assay.tally.contract.joint import Joint as Joint
    from assay.tally.count.counts import Counts as Counts
    from assay.tally.guesses import Guessed as Guessed
    from assay.tally.labels import Confusion as Confusion
    from assay.tally.preferences import Preferences as Preferences
    from assay.tally.rankings import Ranked as Ranked
    from assay.tally.ratings import Rated as Rated
    from assay.tally.scores import Scored as Scored
    from assay.uncertainty.curves.bands import curve_band as curve_band
    from assay.uncertainty.many.corrections import cochrans_q as cochrans_q
    from assay.uncertainty.many.ranks import critical_difference as critical_difference
    from assay.uncertainty.many.ranks import friedman as friedman
    from assay.uncertainty.many.ranks import post_hoc as post_hoc
    from assay.uncertainty.one.estimate import estimate as estimate
    from assay.uncertainty.results import Comparison as Comparison
    from assay.uncertainty.results import Estimate as Estimate
    from assay.uncertainty.results import Interval as Interval
    from assay.uncertainty.two.compare import compare as compare
    from assay.uncertainty.values.compare import compare_values as compare_values
    from assay.uncertainty.values.folds import five_numbers as five_numbers

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
    "Advice": "advice.advise",
    "advise": "advice.advise",
    "compare_systems": "jobs.comparison.systems",
    "compare_repeated": "jobs.comparison.repeated",
    "disagreements": "jobs.comparison.disagreements",
    "plan": "jobs.plan",
    "prefer": "jobs.prefer",
    "tune": "jobs.tune",
    "friedman": "uncertainty.many.ranks",
    "critical_difference": "uncertainty.many.ranks",
    "post_hoc": "uncertainty.many.ranks",
    "cochrans_q": "uncertainty.many.corrections",
    "five_numbers": "uncertainty.values.folds",
    "evaluate": "jobs.evaluate",
    "PerClass": "jobs.classes.per_class",
    "classification_report": "jobs.classes.per_class",
    "Report": "jobs.results",
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
    "Ranked": "tally.rankings",
    "Preferences": "tally.preferences",
    "Rated": "tally.ratings",
    "Scored": "tally.scores",
    "compare": "uncertainty.two.compare",
    "estimate": "uncertainty.one.estimate",
    "assert_no_worse": "jobs.gates",
    "compare_values": "uncertainty.values.compare",
    "Comparison": "uncertainty.results",
    "Estimate": "uncertainty.results",
    "Interval": "uncertainty.results",
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
        from assay.measures.declare.catalogue import catalogue

        if name not in catalogue():
            raise AttributeError(f"module 'assay' has no attribute {name!r}, and no measure has that name")
        value = catalogue()[name]
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from assay.measures.declare.catalogue import catalogue

    return sorted([*_HOME, *catalogue(), "__version__"])
