"""assay tells honestly how good a classifier, clustering, ranking or annotator is, and how sure one can be."""

from __future__ import annotations

TYPE_CHECKING = False  # as `typing` has it, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from assay.errors import AssayError as AssayError
    from assay.errors import DataError as DataError
    from assay.errors import OptionError as OptionError
    from assay.errors import UnknownMeasure as UnknownMeasure
    from assay.measures.calibration_curve import calibration_curve as calibration_curve
    from assay.measures.costs import break_even_threshold as break_even_threshold
    from assay.measures.costs import class_weights as class_weights
    from assay.measures.curves import pr_curve as pr_curve
    from assay.measures.curves import roc_curve as roc_curve
    from assay.measures.declare import Measure as Measure
    from assay.measures.delong import delong as delong
    from assay.measures.dominance import dominance as dominance
    from assay.measures.reliability import brier_parts as brier_parts
    from assay.measures.reliability import ece_if_calibrated as ece_if_calibrated
    from assay.report.advise import Advice as Advice
    from assay.report.advise import advise as advise
    from assay.report.compare import compare_systems as compare_systems
    from assay.report.curves import curves as curves
    from assay.report.disagreements import disagreements as disagreements
    from assay.report.evaluate import evaluate as evaluate
    from assay.report.plan import plan as plan
    from assay.report.repeated import compare_repeated as compare_repeated
    from assay.report.report import Report as Report
    from assay.report.tune import tune as tune
    from assay.tally.class_scored import ClassScored as ClassScored
    from assay.tally.confusion import Confusion as Confusion
    from assay.tally.contingency import Contingency as Contingency
    from assay.tally.counts import Counts as Counts
    from assay.tally.guessed import Guessed as Guessed
    from assay.tally.joint import Joint as Joint
    from assay.tally.ranked import Ranked as Ranked
    from assay.tally.rated import Rated as Rated
    from assay.tally.scored import Scored as Scored
    from assay.uncertainty.bands import curve_band as curve_band
    from assay.uncertainty.cochran import cochrans_q as cochrans_q
    from assay.uncertainty.compare import compare as compare
    from assay.uncertainty.estimate import estimate as estimate
    from assay.uncertainty.gates import assert_no_worse as assert_no_worse
    from assay.uncertainty.ranks import critical_difference as critical_difference
    from assay.uncertainty.ranks import friedman as friedman
    from assay.uncertainty.ranks import post_hoc as post_hoc
    from assay.uncertainty.results import Comparison as Comparison
    from assay.uncertainty.results import Estimate as Estimate
    from assay.uncertainty.results import Interval as Interval
    from assay.uncertainty.spread import five_numbers as five_numbers
    from assay.uncertainty.values import compare_values as compare_values

# Names are loaded when they are first used, so that `import assay` costs next to nothing.
_HOME = {
    "AssayError": "errors",
    "DataError": "errors",
    "OptionError": "errors",
    "UnknownMeasure": "errors",
    "Measure": "measures.declare",
    "delong": "measures.delong",
    "roc_curve": "measures.curves",
    "pr_curve": "measures.curves",
    "calibration_curve": "measures.calibration_curve",
    "dominance": "measures.dominance",
    "curves": "report.curves",
    "curve_band": "uncertainty.bands",
    "Advice": "report.advise",
    "advise": "report.advise",
    "compare_systems": "report.compare",
    "compare_repeated": "report.repeated",
    "disagreements": "report.disagreements",
    "plan": "report.plan",
    "tune": "report.tune",
    "friedman": "uncertainty.ranks",
    "critical_difference": "uncertainty.ranks",
    "post_hoc": "uncertainty.ranks",
    "cochrans_q": "uncertainty.cochran",
    "five_numbers": "uncertainty.spread",
    "evaluate": "report.evaluate",
    "Report": "report.report",
    "ClassScored": "tally.class_scored",
    "Confusion": "tally.confusion",
    "Contingency": "tally.contingency",
    "Counts": "tally.counts",
    "Guessed": "tally.guessed",
    "break_even_threshold": "measures.costs",
    "brier_parts": "measures.reliability",
    "ece_if_calibrated": "measures.reliability",
    "class_weights": "measures.costs",
    "Joint": "tally.joint",
    "Ranked": "tally.ranked",
    "Rated": "tally.rated",
    "Scored": "tally.scored",
    "compare": "uncertainty.compare",
    "estimate": "uncertainty.estimate",
    "assert_no_worse": "uncertainty.gates",
    "compare_values": "uncertainty.values",
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
        from assay.measures.catalogue import catalogue

        if name not in catalogue():
            raise AttributeError(f"module 'assay' has no attribute {name!r}, and no measure has that name")
        value = catalogue()[name]
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from assay.measures.catalogue import catalogue

    return sorted([*_HOME, *catalogue(), "__version__"])
