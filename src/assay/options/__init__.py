"""The choices of every option, written once."""

from __future__ import annotations

from typing import Final

AVERAGES: Final = ("binary", "macro", "micro", "weighted")
UNDEFINED: Final = ("zero", "exclude", "null")
METHODS: Final = (
    "auto",
    "wald",
    "wilson",
    "clopper_pearson",
    "agresti_coull",
    "jeffreys",
    "midp",
    "fisher_z",
    "jaccard",
    "effective_n",
    "mover",
    "delong",
    "logit_delong",
    "newcombe_auc",
    "hanley_mcneil",
    "smoothed_log",
    "robust",
    "midp_draws",
    "dirichlet",
    "percentile",
    "basic",
    "bca",
    "studentized",
    "jackknife",
    "logit_delta",
    "smoothed",
    "cluster_jackknife",
    "cluster_factor",
    "bounded_t",
    "model_jackknife",
)
PAIRED_METHODS: Final = (
    "auto",
    "tango",
    "newcombe",
    "smoothed_delta",
    "delong",
    "smoothed_delong",
    "delong_mover",
    "mover",
    "cluster_mover",
    "percentile",
    "basic",
    "bca",
    "studentized",
    "jackknife",
    "bounded_t",
    "model_jackknife",
)
# McNemar's tests by their names here, and the form of each.
MCNEMAR: Final = {
    "mcnemar": "exact",
    "mcnemar_midp": "midp",
    "mcnemar_chi2": "chi2",
    "mcnemar_chi2_corrected": "chi2_corrected",
}
TESTS: Final = ("randomization", "bootstrap", *MCNEMAR, "sign", "delong", "interval", "none")
OUTCOMES: Final = (
    "better",
    "worse",
    "different",
    "equivalent",
    "no difference shown",
    "undecided",
    "not comparable",
)
GATE_ON: Final = ("interval", "estimate")
UNDECIDED: Final = ("fail", "pass")
# What replicates are drawn of: the difference; under the null hypothesis, the test statistic or the difference.
REPLICATES: Final = ("difference", "null", "null difference")
STATISTICS: Final = ("auto", "studentized", "raw")
ALTERNATIVES: Final = ("two-sided", "greater", "less")
VALUE_TESTS: Final = (
    "randomization",
    "bootstrap",
    "t",
    "wilcoxon",
    "sign",
    "corrected_t",
    "5x2cv",
    "5x2cv_f",
    "none",
)
VALUE_METHODS: Final = (
    "auto",
    "t",
    "jackknife",
    "percentile",
    "bca",
    "studentized",
    "tango",
    "bounded_t",
    "cluster_jackknife",
    "corrected_t",
)
VALUE_UNITS: Final = ("item", "query", "fold", "dataset")
ZEROS: Final = ("wilcox", "pratt", "zsplit")
CORRECTIONS: Final = ("holm", "hochberg", "bonferroni", "benjamini_hochberg", "benjamini_yekutieli", "none")
POST_HOC: Final = ("nemenyi", "holm", "bonferroni_dunn")
ORIENTATIONS: Final = ("gold", "pred")
NORMALIZED: Final = ("true", "pred", "all")  # what a confusion matrix is normalized by, in scikit-learn's words
KAPPA_WEIGHTS: Final = ("none", "linear", "quadratic")
COSTS_OF: Final = ("mean", "total", "normalized")
BINNINGS: Final = ("mass", "width")
UNIVERSES: Final = ("observed", "gold")
CLASS_AVERAGES: Final = ("macro", "weighted")  # of measures computed from a score for each class
MULTI_CLASS: Final = ("ovr", "ovo")
MISSING: Final = ("error", "wrong", "skip")
TABLES: Final = ("one-vs-rest", "pooled")
CURVES: Final = ("roc", "pr", "calibration", "cost", "envelope")
SORTS: Final = ("size", "worst", "name")  # orders of the classes in a report
NOTES: Final = ("brief", "all")
GROUPS: Final = ("brief", "all")
FORMATS: Final = ("table", "json", "csv", "md", "latex")

LEVEL: Final = 0.95
LEVELS: Final = (0.9, 0.95, 0.99)  # levels at which coverage is simulated
RESAMPLES: Final = 9999
STABILITY_DRAWS: Final = 1999  # at most, of the stability of a threshold: each takes a step for each threshold
SEED: Final = 0
POWER: Final = 0.8  # found four times in five
SAMPLES: Final = 4000  # simulated from a pilot for each number of items that is tried
CLASSES_SHOWN: Final = 20  # in a terminal, unless more are asked for
CURVE_BINS: Final = 10  # of a calibration curve
