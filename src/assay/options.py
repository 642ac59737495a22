"""Every option word, once."""

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
)
PAIRED_METHODS: Final = (
    "auto",
    "tango",
    "smoothed_delta",
    "mover",
    "cluster_mover",
    "percentile",
    "basic",
    "bca",
    "studentized",
    "jackknife",
)
TESTS: Final = ("randomization", "bootstrap", "none")
STATISTICS: Final = ("auto", "studentized", "raw")
ALTERNATIVES: Final = ("two-sided", "greater", "less")
ORIENTATIONS: Final = ("gold", "pred")
KAPPA_WEIGHTS: Final = ("none", "linear", "quadratic")
COSTS_OF: Final = ("mean", "total", "normalized")
UNIVERSES: Final = ("observed", "gold")
MISSING: Final = ("error", "wrong", "skip")
TABLES: Final = ("one-vs-rest", "pooled")
FORMATS: Final = ("table", "json", "csv", "md", "latex")

LEVEL: Final = 0.95
RESAMPLES: Final = 9999
SEED: Final = 0
