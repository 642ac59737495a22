"""What is shown of rankings: who is higher on which queries, at which cut-offs, and what nobody judged."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.contents.blocks import Part
from assay.report.families.rankings.cutoffs import cutoff_parts
from assay.report.families.rankings.pool import pool_parts
from assay.report.families.rankings.queries import query_parts
from assay.report.families.rankings.reader import frequencies
from assay.report.families.rankings.words import described, headline
from assay.report.families.view import Material, view
from assay.tally.rankings import Ranked

__all__ = ["described", "frequencies", "headline", "parts"]


@view(Ranked)
def parts(material: Material) -> Iterator[Part]:
    """Query by query, then by cut-off and by recall, then what was not judged."""
    yield from query_parts(material)
    yield from cutoff_parts(material)
    yield from pool_parts(material)
