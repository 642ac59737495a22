"""What a page shows of annotators: which categories were chosen together for the same unit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.errors import plural
from assay.report.contents.blocks import Block, Part, Prose
from assay.report.families.matrix import MOST, Matrix, shaded_rows
from assay.report.families.view import Material, view
from assay.tally.contract.sampling import Floats
from assay.tally.ratings import Rated


def headline(tally: Rated, system: str) -> str:
    """How many units were rated, and in how many categories."""
    units, categories = plural(tally.n, "unit"), plural(len(tally.categories), "category")
    return f"{system}: {units} rated in {categories}."


@view(Rated)
def coincidences(material: Material) -> Iterator[Part]:
    """The coincidence matrix of every round of ratings."""
    blocks = tuple(_block(tally, name, material.systems.index(name)) for name, tally in material.of(Rated).items())
    lead = (
        "How often one rater chose the category of the row where another chose that of the column. A unit with m "
        "ratings counts its pairs with weight 1 / (m − 1), so that its total weight is m; single ratings do not count."
    )
    yield Part("coincidences", "Which categories are chosen together?", "Coincidences", blocks, (lead,))


def _block(tally: Rated, system: str, place: int) -> Block:
    names = tally.categories
    if len(names) > MOST:
        return Prose((f"{system}: a table of {len(names):,} categories is too large to show.",), "note")
    rows = shaded_rows(coincidence_table(tally), names)
    return Matrix(system, place, f"Coincidences of {system}", names, rows, "one says", "another says")


def coincidence_table(tally: Rated) -> Floats:
    """Pairs of values within units, each unit weighing as many as it has values."""
    pattern = tally.pattern.astype(np.float64)
    values = pattern.sum(axis=1)
    some = values > 1
    weight = tally.mass[some] / (values[some] - 1)
    held = pattern[some]
    pairs = np.einsum("u,ui,uj->ij", weight, held, held)
    return np.asarray(pairs - np.diag(weight @ held))
