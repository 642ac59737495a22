"""What a page shows of scores: curves with their bands, and what every threshold would give."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.page.blocks import Part
from assay.report.page.views import Material, view
from assay.tally.scored import Scored


@view(Scored)
def curves(material: Material) -> Iterator[Part]:
    """ROC, precision–recall and calibration, with bands."""
    yield from ()


@view(Scored)
def thresholds(material: Material) -> Iterator[Part]:
    """Where a reader can try thresholds and costs."""
    yield from ()
