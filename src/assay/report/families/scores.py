"""What is shown of scores: sentences, and curves with their bands on a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from assay.errors import AssayError, plural
from assay.jobs.answers.row_texts import number
from assay.jobs.curves import MOST, Curves
from assay.jobs.curves import curves as curves_of
from assay.measures.scores.calibration import EceIfCalibrated, ece_if_calibrated
from assay.measures.scores.curves import PrecisionRecall, Roc
from assay.measures.scores.dominance import dominance
from assay.notes import NOT_CALIBRATED, Urgent
from assay.report.charts.curves import drawn, remarks
from assay.report.contents.blocks import Block, Columns, Figure, Folded, Part, Prose, Stack, Table
from assay.report.families.explorer import explorer
from assay.report.families.view import Material, view
from assay.report.words.curves import AXES, POINTS, point
from assay.tables import Cell, Section
from assay.tally.scores import Scored, base_rate
from assay.texts import numeral, percent, share_text

FEW = 10  # positives below which a curve says little
RARE = 0.1  # share of positives below which false alarms outnumber hits long before the false positive rate shows it
SAME = 1e-12  # relative difference of scores that were probably meant to be equal
KINDS = ("roc", "pr", "calibration")
SHORT = {"roc_auc": "AUC", "average_precision": "AP", "brier": "Brier"}


def described(tally: Scored) -> str:
    """How many items there are, and how many of them are positive."""
    share = tally.positives / max(tally.n, 1)
    return f"{plural(tally.n, tally.item)}, {tally.positives:,} of them “{tally.positive}” ({share:.1%})"


def headline(tally: Scored, system: str) -> str:
    """How many items of each class were scored."""
    return f"{system} scores {plural(tally.n, 'row')}, {tally.positives:,} of them “{tally.positive}”."


def warnings(tally: Scored) -> list[str]:
    """Few or rare positives, scores that distinguish nothing, scores that differ only by rounding."""
    share = base_rate(tally)[0] / float(tally.mass.sum())
    count = tally.positives
    out = []
    if 0 < count < FEW:
        out.append(f"only {plural(count, 'row')} of “{tally.positive}”: too few to say much about its scores")
    if 0 < share < RARE:
        out.append(
            f"“{tally.positive}” is rare ({share_text(share)} of the rows): ROC AUC can look good while most alarms "
            "are false; read average precision, or the precision–recall curve, along with it"
        )
    scores = tally.scores
    if len(scores) == 1:
        out.append(f"every row has the same score ({numeral(scores[0], 'g')}): the scores distinguish nothing")
    close = int((np.diff(scores) <= SAME * np.abs(scores[1:])).sum())
    if close:
        out.append(
            f"{plural(close, 'score')} differ from the next one only by rounding and do not count as ties: round them "
            "if they were meant to be equal"
        )
    error = calibration_error(tally)
    if error is not None:
        told = f"not calibrated: off by {error.value:.2g} on average; by chance {by_chance(error)}"
        out.append(Urgent(told, NOT_CALIBRATED))
    if not tally.probabilities:
        out.append(
            "scores lie outside [0, 1], so measures of probabilities are left out: Brier score, log loss, calibration"
        )
    if tally.bins:
        out.append(f"scores were gathered into {tally.bins} bins, so measures of scores are approximate")
    return out


def calibration_error(tally: Scored) -> EceIfCalibrated | None:
    """How far probabilities are from the outcomes, if that is further than chance would explain.

    What chance explains is known for independent rows only.
    """
    if not tally.probabilities or not tally.n or tally.clusters is not None:
        return None
    error = ece_if_calibrated(tally)
    return None if error.within_luck else error


def by_chance(error: EceIfCalibrated) -> str:
    """How far calibrated probabilities are off by chance alone."""
    return " to ".join(numeral(x, ".3f" if x >= 0.001 else ".1g") for x in (error.low, error.high))


# ---------------------------------------------------------------------- on the page
@view(Scored)
def curves(material: Material) -> Iterator[Part]:
    """ROC, precision–recall and calibration, with bands; curves that these scores do not have are named."""
    tallies = dict(list(material.of(Scored).items())[:MOST])
    made, lacking = _made(tallies, material)
    if not made:
        return
    figures = [Figure(c.kind, c.picture, _below_title(c)) for c in made]
    told = tuple(dict.fromkeys(sentence for c in made for sentence in remarks(c)))
    numbers: list[Block] = [Table(points(c)) for c in made if c.kind in POINTS]
    numbers += [*(Prose((text,), "note") for text in lacking), Folded((Prose(told),), "What the curves say")]
    blocks = (*(Columns(tuple(figures[i : i + 2])) for i in range(0, len(figures) - 1, 2)),)
    last = Columns((figures[-1], Stack(tuple(numbers)))) if len(figures) % 2 else Stack(tuple(numbers))
    yield Part("curves", heading(made[0]), "Curves", (*blocks, last), _lead(material, made, len(tallies)))


def heading(c: Curves) -> str:
    """What two curves show, or the best of the values that sum curves up."""
    found = dominating(c)
    if found:
        return f"{found} on these rows"
    values = [(e.value, each.name) for each in c.systems for e in each.summaries if e.value is not None]
    if c.kind != "roc" or not values:
        return "Curves"
    (best, name), *rest = sorted(values, reverse=True)
    if not rest:
        return f"ROC AUC is {number(best)}"
    return f"{name} has the highest ROC AUC, {number(best)}; {rest[0][1]} follows with {number(rest[0][0])}"


def dominating(c: Curves) -> str:
    """That one of two curves is nowhere below the other, or that they cross."""
    if c.kind not in AXES or len(c.systems) != 2:
        return ""
    (a, b), curve = (each.name for each in c.systems), c.picture.title
    first, second = (each.curve for each in c.systems)
    assert isinstance(first, Roc | PrecisionRecall)
    assert isinstance(second, Roc | PrecisionRecall)
    found = dominance(first, second).dominates
    if found is None:
        return f"The {curve}s of {a} and {b} cross"
    if found == 0:
        return f"The {curve}s of {a} and {b} are the same"
    return f"{a if found > 0 else b} dominates {b if found > 0 else a}: its {curve} is nowhere lower"


def points(c: Curves) -> Section:
    """A few points of each curve with their limits."""
    axis, height = AXES[c.kind]
    rows = tuple((each.name, tuple(Cell(*point(each, x)) for x in POINTS[c.kind])) for each in c.systems)
    return Section(f"{height.capitalize() if height.islower() else height} at {axis}", _places(c), rows)


def _places(c: Curves) -> tuple[str, ...]:
    return tuple(f"{x:g}" for x in POINTS[c.kind])


def _below_title(c: Curves) -> str:
    """The measure that sums a curve up, and what is drawn besides the lines."""
    more = [text for text in drawn(c) if text.startswith(("bars below", "lines"))]
    return " · ".join(part for part in (_summed_up(c), *more) if part)


@view(Scored)
def thresholds(material: Material) -> Iterator[Part]:
    """Where a reader can try thresholds and costs."""
    return explorer(material)


def _made(tallies: Mapping[str, Scored], material: Material) -> tuple[list[Curves], list[str]]:
    """The curves that these scores have, and why the others are not there."""
    named: dict[str, Any] = {"threshold": material.report.provenance.get("threshold") or None}
    found, lacking = [], []
    for kind in KINDS:
        some = {name: tally for name, tally in tallies.items() if kind != "calibration" or tally.probabilities}
        if not some:
            lacking.append(
                "There is no calibration curve: the scores lie outside [0, 1], so they are not probabilities."
            )
            continue
        try:
            found.append(curves_of(some, kind=kind, level=material.level, **named))
        except AssayError as error:
            lacking.append(str(error))
    return found, lacking


def _summed_up(c: Curves) -> str:
    """The measure that sums up a curve, for every system."""
    each = [(each.name, e) for each in c.systems for e in each.summaries if e.value is not None]
    if not each:
        return ""
    what = SHORT.get(each[0][1].measure, each[0][1].measure)
    values = (f"{name} {number(e.value)}" if len(each) > 1 else number(e.value) for name, e in each)
    return f"{what} {', '.join(values)}"


def _lead(material: Material, made: list[Curves], systems: int) -> tuple[str, ...]:
    text = f"Bands and bars are {percent(material.level)} intervals for each point, not for the whole curve."
    cuts = dict.fromkeys(numeral(each.threshold, "g") for c in made for each in c.systems if each.threshold is not None)
    if cuts:
        text += (
            f" Marks on the lines are at {'the threshold' if len(cuts) == 1 else 'thresholds'} {' and '.join(cuts)}."
        )
    left = len(material.of(Scored)) - systems
    more = (f"{left} more systems have scores; {MOST} can be told apart in one chart.",) if left > 0 else ()
    return (text, *more)
