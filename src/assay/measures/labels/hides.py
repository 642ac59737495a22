"""Pairs of tables that several measures cannot tell apart, though one system is clearly better than the other."""

from __future__ import annotations

from assay.measures.declare.examples import (
    ALARMS,
    ALWAYS,
    FEW_CALLED,
    FEW_ILL,
    FINDS_ALL,
    FINDS_MOST,
    HALF_CALLED,
    HALF_ILL,
    MANY_NEGATIVES,
    MISSES,
    NEVER,
    NO_NEGATIVES,
    ONE_SURE_HIT,
    SILENT_RIGHTLY,
)
from assay.measures.declare.facts import Hides

ALL_CALLED = Hides((ALWAYS, FINDS_ALL), "naming the class every time finds all of it", "precision")
ONE_CALLED = Hides((ONE_SURE_HIT, FINDS_ALL), "one sure hit and silence is never wrong", "recall")
NONE_CALLED = Hides((NEVER, FINDS_ALL), "never naming the class raises no false alarm", "recall")
NEGATIVES = Hides(
    (NO_NEGATIVES, MANY_NEGATIVES), "the true negatives are not in it, so neither is how hard they were", "specificity"
)
BASE_RATE = Hides(
    (HALF_ILL, FEW_ILL), "it says nothing of how rare the class is, and so of what an alarm is worth", "precision"
)
FEW_NAMED = Hides((FEW_CALLED, HALF_CALLED), "it says nothing of how much of the class goes unnamed", "recall")
RARE = Hides((NEVER, SILENT_RIGHTLY), "where the class is rare, ignoring it is nearly always right", "recall")
RARE_POSITIVES = Hides(
    (NEVER, FINDS_MOST), "where positives are rare, never finding any is nearly always right", "recall"
)
WHICH_ERROR = Hides((MISSES, ALARMS), "forty misses weigh as much as forty false alarms", "recall")
