"""Every option word, once."""

from __future__ import annotations

from typing import Final

AVERAGES: Final = ("binary", "macro", "micro", "weighted")
UNDEFINED: Final = ("zero", "exclude", "null")
METHODS: Final = (
    "auto",
    "wilson",
    "midp",
    "jaccard",
    "effective_n",
    "dirichlet",
    "percentile",
    "bca",
    "jackknife",
    "cluster_jackknife",
    "linearized",
    "smoothed",
)
PAIRED_METHODS: Final = ("auto", "smoothed_delta", "mover", "percentile", "bca", "jackknife")
TESTS: Final = ("randomization", "bootstrap", "none")
STATISTICS: Final = ("auto", "studentized", "raw")
ALTERNATIVES: Final = ("two-sided", "greater", "less")
ORIENTATIONS: Final = ("gold", "pred")
MISSING: Final = ("error", "wrong", "skip")
FORMATS: Final = ("table", "json", "csv", "md")

LEVEL: Final = 0.95
RESAMPLES: Final = 9999
SEED: Final = 0
