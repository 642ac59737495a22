"""What is said and shown of scores: words for areas, calibration, decisions, curves with their bands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from assay.errors import AssayError
from assay.jobs.curves import MOST, Curves
from assay.jobs.curves import curves as curves_of
from assay.jobs.words import number
from assay.numbers import percent
from assay.report.families.view import Material, view
from assay.report.page.blocks import Block, Columns, Figure, Folded, Key, Part, Prose
from assay.report.page.explorer import explorer
from assay.tally.scores import Scored

KINDS = ("roc", "pr", "calibration")
FRAME = (270, 250)  # pixels: three charts stand side by side
SHORT = {"roc_auc": "AUC", "average_precision": "AP", "brier": "Brier"}


@view(Scored)
def curves(material: Material) -> Iterator[Part]:
    """ROC, precision–recall and calibration, with bands; a curve that these scores do not have is said."""
    tallies = dict(list(material.of(Scored).items())[:MOST])
    made, lacking = _made(tallies, material)
    if not made:
        return
    figures = tuple(Figure(c.kind, replace(c.picture, size=FRAME), _summed_up(c)) for c in made)
    blocks: list[Block] = [Key(tuple(tallies))] if len(tallies) > 1 else []
    blocks += [Columns(figures), *(Prose((text,), "note") for text in lacking)]
    said = tuple(dict.fromkeys(sentence for c in made for sentence in c.sentences))
    blocks.append(Folded((Prose(said),), "What the curves say"))
    yield Part("curves", "Curves", "Curves", tuple(blocks), _lead(material, made, len(tallies)))


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
                "There is no calibration curve: the scores lie outside 0 and 1, so they are no probabilities."
            )
            continue
        try:
            found.append(curves_of(some, kind=kind, level=material.level, **named))
        except AssayError as error:
            lacking.append(str(error))
    return found, lacking


def _summed_up(c: Curves) -> str:
    """The measure that sums a curve up, for every system."""
    each = [(each.name, e) for each in c.systems for e in each.summaries if e.value is not None]
    if not each:
        return ""
    what = SHORT.get(each[0][1].measure, each[0][1].measure)
    values = (f"{name} {number(e.value)}" if len(each) > 1 else number(e.value) for name, e in each)
    return f"{what} {', '.join(values)}"


def _lead(material: Material, made: list[Curves], systems: int) -> tuple[str, ...]:
    text = (
        f"Bands and bars hold with {percent(material.level)} confidence at each point by itself, not for a whole curve."
    )
    cuts = dict.fromkeys(f"{each.threshold:g}" for c in made for each in c.systems if each.threshold is not None)
    if cuts:
        text += (
            f" Marks on the lines are at {'the threshold' if len(cuts) == 1 else 'thresholds'} {' and '.join(cuts)}."
        )
    left = len(material.of(Scored)) - systems
    more = (f"{left} more systems have scores; {MOST} can be told apart in one chart.",) if left > 0 else ()
    return (text, *more)
