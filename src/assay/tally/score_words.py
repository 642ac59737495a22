"""Scores in words: what a reader should know of them before relying on any number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.errors import plural

if TYPE_CHECKING:
    from assay.tally.scores import Scored

FEW = 10  # positives below which a curve tells little
RARE = 0.1  # share of positives below which false alarms outnumber hits long before the false positive rate shows it
SAME = 1e-12  # relative difference of scores that were probably meant to be equal


def warnings(tally: Scored) -> list[str]:
    """Few or rare positives, scores that tell nothing apart, scores that differ by rounding alone."""
    positives = float(tally.mass[tally.keys["positive"]].sum())
    share = positives / float(tally.mass.sum())
    count = int(tally.counts[tally.keys["positive"]].sum())
    out = []
    if 0 < count < FEW:
        out.append(f"only {plural(count, 'item')} of “{tally.positive}”: too few to say much about its scores")
    if 0 < share < RARE:
        out.append(
            f"“{tally.positive}” is rare ({_percent(share)} of the items): ROC AUC can look good while most alarms are "
            "false; read average precision, or the precision–recall curve, beside it"
        )
    scores = tally.scores
    if len(scores) == 1:
        out.append(f"every item has the same score ({scores[0]:g}): the scores tell nothing apart")
    close = int((np.diff(scores) <= SAME * np.abs(scores[1:])).sum())
    if close:
        out.append(
            f"{plural(close, 'score')} differ from the next one by rounding alone, and are not ties: round them if "
            "they were meant to be equal"
        )
    if not tally.probabilities:
        out.append(
            "scores lie outside [0, 1], so what needs probabilities is left out: Brier score, log loss, calibration"
        )
    if tally.bins:
        out.append(f"scores were gathered into {tally.bins} bins, so values of scores are approximate")
    return out


def _percent(share: float) -> str:
    return f"{100 * share:.2g}%"
