"""What a page shows of clusterings: where the items of each class went."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.errors import plural
from assay.report.contents.blocks import Block, Part, Prose
from assay.report.families.matrix import MOST, Matrix, shaded_rows
from assay.report.families.view import Material, view
from assay.tally.clusterings import Contingency


def headline(tally: Contingency, system: str) -> str:
    """How many groups were made for how many classes."""
    items, classes, groups = plural(tally.n, "item"), plural(len(tally.classes), "class"), len(tally.groups)
    return f"{system} puts {items} of {classes} into {plural(groups, 'group')}."


@view(Contingency)
def contingency(material: Material) -> Iterator[Part]:
    """Classes in rows, groups in columns, the largest groups first."""
    blocks = tuple(
        _block(tally, name, material.systems.index(name)) for name, tally in material.of(Contingency).items()
    )
    lead = "Rows are classes, columns the groups of the clustering, largest first; shading is the share of each class."
    yield Part("contingency", "Where did each class go?", "Groups", blocks, (lead,))


def _block(tally: Contingency, system: str, place: int) -> Block:
    classes, groups = len(tally.classes), len(tally.groups)
    if max(classes, groups) > MOST:
        return Prose((f"{system}: a table of {classes:,} classes and {groups:,} groups is too large to show.",), "note")
    table = np.zeros((classes, groups))
    np.add.at(table, (tally.keys["gold"], tally.keys["group"]), tally.mass)
    order = np.argsort(-table.sum(axis=0), kind="stable")
    names = tuple(tally.groups[i] for i in order)
    rows = shaded_rows(table[:, order], tally.classes, judged=False)
    return Matrix(system, place, f"Classes and groups of {system}", names, rows, "class", "group")
