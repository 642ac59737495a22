"""Cautions of rankings: results that nobody judged, judgments that favor a system, and how little few queries find."""

from __future__ import annotations

from collections.abc import Iterator

from assay.errors import plural
from assay.report.contents.blocks import Caution
from assay.report.families.rankings.pool import each_share, favored, top, unjudged_of
from assay.report.families.view import Material
from assay.report.findings.answered import answered, unanswered
from assay.report.names import SHORT, cut_alike
from assay.tally.rankings import Ranked
from assay.texts import share_text, size

LEAST = 0.005  # of the results: fewer without a judgment change no measure that anybody would notice
FINE = 0.01  # a true difference that nobody would miss


def missing(material: Material) -> Iterator[Caution]:
    """Runs that lack queries, which count as 0."""
    told = answered(material.report)
    if told is not None:
        yield Caution(f"{told}.", "The others count as 0.", "queries", tuple(unanswered(material.report)))


def judgments(material: Material) -> Iterator[Caution]:
    """Results without judgments, and the system that has clearly more of them."""
    if not material.of(Ranked):
        return
    found = unjudged_of(material)
    if found.share < LEAST:
        return
    each = each_share(found)
    text = f"{each}: counted as not relevant." if each else "They count as not relevant."
    yield Caution(f"{share_text(found.share)} of the {top(found.k)} are unjudged.", text, "pool")
    pair = favored(material)
    if pair is not None:
        more, fewer = (cut_alike(material.systems, SHORT)[name] for name in pair)
        text = f"{more} has more unjudged results; it may be better than it looks."
        yield Caution(f"The judgments favor {fewer}.", text, "pool")


def power(material: Material) -> Iterator[Caution]:
    """How large a difference has to be for these queries to find it."""
    contest = material.report.contest
    if contest is None or len(contest.tested) != 1 or not material.of(Ranked):
        return
    (c,) = contest.tested
    if c.mde is None or c.mde < FINE or c.outcome == "no difference shown":  # which says it already
        return
    text = f"A true difference of {size(c.mde)} is found 4 times in 5."
    yield Caution(f"{plural(c.n, c.item)} {'misses' if c.n == 1 else 'miss'} small differences.", text, "difference")
