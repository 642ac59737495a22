"""What a page shows of labels: the errors, system by system."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.page.blocks import Part
from assay.report.page.views import Material, view
from assay.tally.confusion import Confusion


@view(Confusion)
def errors(material: Material) -> Iterator[Part]:
    """The confusion matrix of every system."""
    yield from ()
