"""Measures of classifiers that give several guesses."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.errors import OptionError, written
from assay.measures.declare.average import ratio
from assay.measures.declare.examples import FIRST_GUESS, SECOND_GUESS
from assay.measures.declare.facts import Hides, Worked
from assay.measures.declare.family import family
from assay.measures.declare.forms import Proportion
from assay.measures.declare.measure import measure
from assay.tally.contract.sampling import Floats
from assay.tally.guesses import Guessed, Places

family(
    Guessed,
    "from_guesses",
    Places,
    usual=lambda tally: [f"top_k_accuracy(k={k})" for k in range(2, tally.deepest + 1)],
    named_by="--guess NAME=COL",
    lacked=lambda name, _: (
        f"'{name}' gives one guess per row; name the columns of its further guesses with "
        f"{written('--guess', 'guesses=')}."
    ),
)


def within(e: Places, k: Any) -> Floats:
    """Items whose gold label is among the first k guesses."""
    deepest = e.at.shape[-1] - 1
    if k > deepest:
        raise OptionError(f"k is {k}, but there are only {deepest} guesses per item.")
    return np.asarray(e.at[..., 1 : k + 1].sum(-1))


@measure(
    reads=Places,
    range=(0, 1),
    best=1,
    undefined="there are no items",
    interval=Proportion(within, "n"),
    no_skill=None,
    worked=(
        Worked(SECOND_GUESS, {"k": 2}, 1.0, "the label is always the second guess"),
        Worked(SECOND_GUESS, {"k": 1}, 0.0, "and never the first"),
    ),
    cite="Russakovsky and others (2015). ImageNet large scale visual recognition challenge. IJCV 115.",
    hides=Hides(
        (FIRST_GUESS, SECOND_GUESS), "a right second guess counts as much as a right first one", "top_k_accuracy(k=1)"
    ),
    title="Top-k accuracy",
    aliases=("top_k_accuracy_score",),
)
def top_k_accuracy(e: Places, k: int = 2) -> Floats:
    """Share of the items whose gold label is among the first k guesses.

    items with the gold label among k guesses / n; with a score for each class, items with fewer than k other classes
    that score as high or higher: a tie across place k counts as missed, with a note (scikit-learn breaks it by the
    order of the columns, and labels made from such scores have the first of the tied classes, for accuracy too)
    """
    return ratio(within(e, k), e.n)
