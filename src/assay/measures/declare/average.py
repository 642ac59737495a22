"""From one value per class to one number, and notes on classes whose value is 0/0."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.notes import Note
from assay.tally.contract.sampling import Floats
from assay.tally.margins import Margins, OneVsRest

LEFT_OUT = "left out of the average"
Formula = Callable[[Any], Floats]


@dataclass(frozen=True, eq=False)
class Among:
    """The classes an average is taken over, if they are not simply the classes that occur."""

    always: NDArray[np.bool_]  # declared classes that do not occur in the data but count in the average
    inside: NDArray[np.bool_]  # all classes that count in the average

    @classmethod
    def of(cls, labels: Sequence[str], always: Collection[str], inside: Collection[str] | None = None) -> Among | None:
        """The same by name; None if the average is over the classes that occur."""
        if not always and inside is None:
            return None
        return cls(
            np.array([label in always for label in labels], bool),
            np.array([inside is None or label in inside for label in labels], bool),
        )


def ratio(top: ArrayLike, bottom: ArrayLike) -> Floats:
    """Top over bottom; nan where bottom is 0."""
    above, below = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    out = np.full(np.broadcast_shapes(above.shape, below.shape), np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out


def view(margins: Margins, average: str, index: int | None) -> OneVsRest:
    """The four counts a formula reads under this average."""
    if average == "binary":
        assert index is not None
        return OneVsRest.single(margins, index)
    return OneVsRest.pooled(margins) if average == "micro" else OneVsRest.every(margins)


def average_of(
    formula: Formula,
    margins: Margins,
    average: str,
    index: int | None,
    undefined: str,
    zero: float = 0.0,
    among: Among | None = None,
) -> Floats:
    """The formula under an average: of one class, of the pooled table, or a mean over classes."""
    if average == "micro" and among is not None:
        return np.asarray(formula(OneVsRest.every(margins).only(among.inside).pooled_over()))
    values = np.asarray(formula(view(margins, average, index)))
    if average in ("binary", "micro"):
        return values
    return weighted_mean(values, class_weights(margins, average, among), undefined, zero)


def class_weights(margins: Margins, average: str, among: Among | None) -> Floats:
    """How much each class counts in a mean over classes."""
    if average == "weighted":
        return margins.gold if among is None else margins.gold * among.inside
    counts = margins.seen if among is None else (margins.seen | among.always) & among.inside
    return counts.astype(np.float64)


def weighted_mean(values: Floats, weight: Floats, undefined: str, zero: float = 0.0) -> Floats:
    """The mean over the last axis; `undefined` says what a 0/0 with weight does to it: to count as `zero`, or not."""
    missing = np.isnan(values)
    if undefined == "exclude":
        weight = np.where(missing, 0, weight)
    out = ratio((np.where(missing, np.nan_to_num(zero), values) * weight).sum(-1), weight.sum(-1))
    if undefined == "null" or (undefined == "zero" and np.isnan(zero)):
        out = np.where((missing & (weight > 0)).any(-1), np.nan, out)
    return out


def slopes(
    parts: OneVsRest,
    values: Floats,
    margins: Margins,
    average: str,
    index: int | None,
    undefined: str,
    zero: float,
    among: Among | None = None,
) -> Floats:
    """The derivative of the average with respect to the margins, from those with respect to the counts of each class.

    `parts` are the derivatives of the formula's values; a value that is 0/0 does not change.
    """
    hit, pred = parts.tp - parts.fp - parts.fn + parts.tn, parts.fp - parts.tn
    gold, n = parts.fn - parts.tn, parts.tn
    if average in ("binary", "micro"):
        # Pooled counts change by one with every class, and n is pooled once for each.
        here = np.ones(margins.gold.shape[-1]) if index is None else np.arange(margins.gold.shape[-1]) == index
        times = margins.gold.shape[-1] if index is None else 1
        moved = [here * x[..., None] for x in (hit, gold, pred)]
        moved[1] = moved[1] + times * n[..., None]
    else:
        weight = class_weights(margins, average, among)
        missing = np.isnan(values)
        weight = np.where(missing, 0, weight) if undefined == "exclude" else weight
        total = weight.sum(-1, keepdims=True)
        share = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
        moved = [share * x for x in (hit, gold, pred)]
        moved[1] = moved[1] + (share * n).sum(-1, keepdims=True)
        if average == "weighted":
            shown = np.where(missing, np.nan_to_num(zero), values)
            ahead = shown - (share * shown).sum(-1, keepdims=True)
            ahead = np.where(missing, 0, ahead) if undefined == "exclude" else ahead
            moved[1] = moved[1] + np.divide(ahead, total, out=np.zeros_like(ahead), where=total > 0)
    return np.concatenate([*moved, *([] if margins.beyond is None else [np.zeros_like(margins.beyond)])], axis=-1)


def notes(
    formula: Formula,
    margins: Margins,
    average: str,
    undefined: str,
    labels: Sequence[str],
    why: str,
    zero: float = 0.0,
    declared: Collection[str] = (),
) -> list[Note]:
    """Which classes have no value of their own, and how the average treats them."""
    if average not in ("macro", "weighted"):
        return []
    values = np.asarray(formula(OneVsRest.every(margins)))
    counts = margins.gold > 0 if average == "weighted" else margins.seen
    lost = np.isnan(values) & counts
    if undefined == "null" or (undefined == "zero" and np.isnan(zero)):
        lost[:] = False
    done = f"counted as {zero:g} in the average" if undefined == "zero" else LEFT_OUT
    # A class that was never predicted, and one without gold items: does the formula have no value for such a class?
    never, no_gold = np.isnan(formula(OneVsRest(np.zeros(2), np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.ones(2))))
    unnamed, ungolden = lost & never & (margins.pred == 0), lost & no_gold & (margins.gold == 0)
    unseen = ~margins.seen if average == "macro" else np.zeros_like(lost)
    named = unseen & np.array([label in declared for label in labels], bool)
    valued = named & ~np.isnan(values)
    nothing = named & ~valued if undefined != "null" else np.zeros_like(lost)
    cases = (
        (unnamed, " was never predicted", "classes were never predicted", done),
        (ungolden, " has no gold items", "classes have no gold items", done),
        (lost & ~unnamed & ~ungolden, f" has no value ({why})", f"classes have no value ({why})", done),
        (nothing, " is declared and occurs nowhere", "classes are declared and occur nowhere", done),
        (valued, " is declared and occurs nowhere", "classes are declared and occur nowhere", "kept in the average"),
        (unseen & ~named, " is neither gold nor predicted", "classes are neither gold nor predicted", LEFT_OUT),
    )
    return [_of_classes(labels, which, *told) for which, *told in cases if which.any()]


def _of_classes(labels: Sequence[str], which: NDArray[np.bool_], one: str, many: str, done: str) -> Note:
    """What is true of these classes, and how the average treats them."""
    names = [f"'{labels[i]}'" for i in np.flatnonzero(which).tolist()]
    return Note(names, f"; {done}", after=one, several=f"{{n}} {many}: ")
