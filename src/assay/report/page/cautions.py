"""What to know before the numbers of a report are relied on, most urgent first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from assay.errors import plural
from assay.report.page import doubts, evidence
from assay.report.page.blocks import Caution, Part
from assay.report.page.limits import OFFLINE, covered
from assay.report.page.views import Material
from assay.report.report import Report

MOST = 5  # that are told in full, before the two that hold of every report
Rule = Callable[[Material], Iterable[Caution]]
# Each tells what it finds and nothing where there is nothing to tell.
RULES: tuple[Rule, ...] = (
    evidence.no_common_label,
    evidence.flattered,
    evidence.reversed_scores,
    doubts.beaten,
    doubts.undefined,
    doubts.contest,
    doubts.untested,
    doubts.close_to_a_guess,
    evidence.classes,
    doubts.gaps,
    evidence.left_out,
    evidence.clusters,
    evidence.threshold,
    evidence.calibration,
    doubts.several,
)


def cautions(report: Report) -> tuple[Caution, ...]:
    """What to know before relying on this report; the last two hold of every report."""
    material = Material(report)
    found = [caution for rule in RULES for caution in rule(material)]
    unit = str(report.provenance.get("unit", "row"))
    return (*_shortened(found), covered(unit, clustered="clusters" in report.provenance), OFFLINE)


def linked(found: Iterable[Caution], parts: Iterable[Part]) -> tuple[Caution, ...]:
    """The same, pointing only to parts that there are."""
    there = {part.id for part in parts}
    return tuple(caution if caution.of in there else replace(caution, of=None) for caution in found)


def _shortened(found: list[Caution]) -> Iterator[Caution]:
    """The most urgent in full, and of the rest their first sentences, so that nothing is kept back."""
    yield from found[:MOST]
    if len(found) == MOST + 1:
        yield found[MOST]
    elif found[MOST:]:
        rest = found[MOST:]
        yield Caution(f"{plural(len(rest), 'more thing')} to know.", " ".join(each.title for each in rest), "notes")
