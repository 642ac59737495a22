"""From rows of codes to counted units, and the checks that labels, weights and counts must pass."""

from __future__ import annotations

import difflib
import math
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, did_you_mean, listed, plural, written
from assay.sources.arrays import encode_together, joint_counts, label_or_none
from assay.sources.given import SIZES, extreme, finite_numbers, one_dimensional, total
from assay.sources.relabel import Clash, clash_of
from assay.tally.contract.base import Tally, Weights
from assay.tally.contract.sampling import Clusters, Floats, Ints, collect_clusters

BY_ANSWERS = "labels or scores"  # what classifiers are judged by
_NUMBER = re.compile(r"[+-]?([0-9]{1,40}[.]?[0-9]{0,40}|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?")


@dataclass(frozen=True)
class Counted:
    """Distinct code tuples with their counts, before one system's columns are picked."""

    keys: dict[str, Ints]
    counts: Ints
    universe: tuple[str, ...]
    clusters: Clusters | None
    weights: Weights | None
    strata: tuple[str, ...]


def count_codes(
    codes: Sequence[Ints],
    universe: tuple[str, ...],
    sample_weight: ArrayLike | None,
    cluster: ArrayLike | None,
    strata: ArrayLike | None,
) -> Counted:
    """Distinct combinations of codes with their counts, their clusters and their sums of weights."""
    n, k = len(codes[0]), len(universe)
    columns, sizes = list(codes), [k] * len(codes)
    stratum_names: tuple[str, ...] = ()
    if strata is not None:
        (stratum,), stratum_names, _ = encode_together([strata], ["strata"], beside=("y_true", n))
        columns, sizes = [*columns, stratum], [*sizes, len(stratum_names)]
    keys, counts = joint_counts(columns, sizes)
    names = [str(i) for i in range(len(codes))] + ["stratum"] * (strata is not None)
    clusters = weights = None
    if cluster is not None or sample_weight is not None:
        unit = _unit_of_row(columns, sizes, keys)
        w = None if sample_weight is None else checked_weights(sample_weight, n)
        if w is not None:
            weights = Weights.of(w).into(unit, len(counts))
        if cluster is not None:
            (code,), cluster_names, _ = encode_together([cluster], ["cluster"], beside=("y_true", n))
            clusters = collect_clusters(cluster_names, code.astype(np.int64), unit, np.ones(n, np.int64), w)
    return Counted(dict(zip(names, keys, strict=True)), counts, universe, clusters, weights, stratum_names)


def _unit_of_row(columns: Sequence[Ints], sizes: Sequence[int], keys: Sequence[Ints]) -> Ints:
    packed, units = np.zeros(len(columns[0]), np.int64), np.zeros(len(keys[0]), np.int64)
    for column, key, size in zip(columns, keys, sizes, strict=True):
        packed, units = packed * size + column, units * size + key
    order = np.argsort(units, kind="stable")
    return order[np.searchsorted(units[order], packed)]


def unlisted(declared: Sequence[str], strangers: Sequence[str]) -> DataError:
    """What to say of labels in the data that a list of all classes leaves out."""
    option = written("--labels", "labels=")
    hint = next(filter(None, (did_you_mean(label, strangers) for label in declared if label not in strangers)), "")
    join = f"--map {shlex.quote(f'{strangers[0]}=other')}", f"map={{{strangers[0]!r}: 'other'}}"
    way_out = (
        f"List every class, or give some of them one name, as in {written(*join)}; for one class alone, name it with "
        f"{written('--positive', 'positive=')}."
    )
    return DataError(
        f"the data have labels that {option} does not list: {listed(strangers)}. {option} lists {listed(declared)}."
        f"{hint} {way_out}"
    )


def refuse_misspelt(declared: Sequence[str], seen: Sequence[str]) -> None:
    """Refuse a declared class that no item has, if a label that is left out looks like another spelling of it."""
    left_out = [label for label in seen if label not in set(declared)]
    for label in declared:
        meant = None if label in seen else next((other for other in left_out if alike(label, other)), None)
        if meant is not None:
            raise DataError(
                f"no item has the label {label!r}, and labels= leaves out {meant!r}. Did you mean {meant!r}? If both "
                "are classes, list both."
            )


def alike(a: str, b: str) -> bool:
    """Whether two labels look like two spellings of one: malignent and malignant, but not class 1 and class 2.

    Words of different length at the front (typical, atypical) and different numbers are different labels.
    """
    first, second = (re.findall(r"[^\W_]+", label.casefold()) for label in (a, b))
    return len(first) == len(second) and all(map(_alike_words, first, second))


def _alike_words(a: str, b: str) -> bool:
    if a == b:
        return True
    short = min(len(a), len(b)) < 4
    if short or a.endswith(b) or b.endswith(a) or re.findall(r"\d+", a) != re.findall(r"\d+", b):
        return False
    return difflib.SequenceMatcher(None, a, b).ratio() > 0.8


def spelled(label: object) -> str:
    """The text under which a label is known: 1 and 1.0 are "1", True is "true"."""
    text = label_or_none(label)
    if text is None:
        raise DataError(f"{label!r} is not a label; labels are text, numbers or truth values.")
    return text


def class_names(labels: Sequence[object]) -> tuple[str, ...]:
    """The listed classes, as text and in this order, each once."""
    names = tuple(spelled(label) for label in one_dimensional(labels, "labels"))
    if len(set(names)) < len(names):
        raise DataError(f"labels names a class twice: {listed(names)}.")
    return names


def refuse_scores(gold: Iterable[str], answers: Iterable[str], name: str) -> None:
    """Refuse predictions that are text of fractions when gold labels are not: scores are not labels."""
    texts = sorted(set(answers))
    broken = [text for text in texts if _is_fraction(text)]
    if 2 * len(broken) <= len(texts) or not all(_NUMBER.fullmatch(text) for text in texts):
        return
    if not any(_is_fraction(text) for text in gold):
        scored = written("name their column with --score", "give them as scores=, or to a measure of scores")
        raise DataError(
            f"the predictions of '{name}' look like scores, such as {broken[0]!r}, but no gold label does. If they are "
            f"scores, {scored}; {written('--threshold', 'threshold=')} derives labels. If they are names of classes, "
            f"list all classes with {written('--labels', 'labels=')}."
        )


def label_clash(tally: Tally) -> Clash | None:
    """How gold and predicted labels clash, if they do."""
    items = tally.class_items()
    return clash_of({each.label for each in items if each.gold}, {each.label for each in items if each.called})


def refuse_clash(tally: Tally, name: str) -> None:
    """Refuse gold and predictions that share no label, or write one number in two ways."""
    clash = label_clash(tally)
    if clash is not None and clash.stops:
        raise DataError(clash.sentence(name))


def _is_fraction(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and not float(text).is_integer()


def known_label(label: object | None, labels: Sequence[str]) -> str | None:
    """The label as the tally spells it, or an error that lists the known ones."""
    if label is None:
        return None
    text = spelled(label)
    if text in labels:
        return text
    if text in ("true", "false") and set(labels) <= {"0", "1"}:
        return "1" if text == "true" else "0"
    raise DataError(f"no item has the label {text!r}; the labels are {listed(labels)}.{did_you_mean(text, labels)}")


def checked_weights(sample_weight: ArrayLike, n: int) -> Floats:
    """One weight for every row: 0, or a number that is not extreme."""
    w = finite_numbers(sample_weight, n, "sample_weight", "weight")
    bad = np.flatnonzero((w < 0) | extreme(w))
    if len(bad):
        raise DataError(
            f"sample_weight has {plural(len(bad), 'value')} that cannot be a weight "
            f"(first: {w[bad[0]]} at position {bad[0]}); a weight is 0, or a number {SIZES}."
        )
    if not w.any():
        raise DataError("all weights are 0: there is nothing left to evaluate.")
    return w


def whole_counts(table: NDArray[Any], name: str) -> Ints:
    """Non-negative whole numbers whose sum is not too large."""
    # Whole numbers too large for the machine are Python's own.
    every = table.ravel().tolist()
    if not all(type(n) is int or (type(n) is float and math.isfinite(n)) for n in every):
        raise DataError(f"{name} does not consist of counts; counts are non-negative whole numbers.")
    if any(n < 0 or n != int(n) for n in every):
        raise DataError(f"{name}: counts must be non-negative whole numbers.")
    total(map(int, every), f"{name} makes")
    return table.astype(np.int64)
