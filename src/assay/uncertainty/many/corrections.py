"""P-values corrected for having been tested together."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np

from assay.errors import DataError, choose
from assay.options import CORRECTIONS
from assay.sources.given import one_dimensional
from assay.tally.contract.sampling import Floats

Name = TypeVar("Name", bound=Hashable)
P = TypeVar("P", float, float | None)  # a p-value; None only where a test was not made
Given = Mapping[Any, float | None] | Sequence[float | None] | Floats
Corrected = dict[Any, float | None] | list[float | None] | Floats
Ascending = list[float]  # p-values of the tests that were made, the smallest first


def adjust_p_values(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """The p-values corrected for having been tested together; what was not tested stays None and is not counted."""
    choose(correction, CORRECTIONS, "correction")
    return list(p_values) if correction == "none" else _CORRECT[correction](p_values)


@overload
def holm(p_values: Mapping[Name, P]) -> dict[Name, P]: ...
@overload
def holm(p_values: Floats) -> Floats: ...
@overload
def holm(p_values: Sequence[P]) -> list[P]: ...
def holm(p_values: Given) -> Any:
    """Holm's adjusted p-values, which bound the chance of any false finding however the tests depend on each other.

    P-values come as a list, a NumPy array, or a mapping from the names of tests, and go back in the same form. A test
    that was not made is None or nan; it stays so and is not counted.
    """
    return _adjusted(p_values, lambda p: _rising([(len(p) - i) * each for i, each in enumerate(p)]))


@overload
def bonferroni(p_values: Mapping[Name, P]) -> dict[Name, P]: ...
@overload
def bonferroni(p_values: Floats) -> Floats: ...
@overload
def bonferroni(p_values: Sequence[P]) -> list[P]: ...
def bonferroni(p_values: Given) -> Any:
    """Each p-value times the number of tests; never more powerful than Holm's.

    Takes and returns p-values as `holm` does.
    """
    return _adjusted(p_values, lambda p: [min(len(p) * each, 1.0) for each in p])


@overload
def hochberg(p_values: Mapping[Name, P]) -> dict[Name, P]: ...
@overload
def hochberg(p_values: Floats) -> Floats: ...
@overload
def hochberg(p_values: Sequence[P]) -> list[P]: ...
def hochberg(p_values: Given) -> Any:
    """Hochberg's (1988) adjusted p-values: Holm's factors from the largest p-value down, never above Holm's.

    The chance of any false finding is bounded for independent and for certain positively dependent tests.
    Takes and returns p-values as `holm` does.
    """
    return _adjusted(p_values, lambda p: _falling([(len(p) - i) * each for i, each in enumerate(p)]))


@overload
def benjamini_hochberg(p_values: Mapping[Name, P]) -> dict[Name, P]: ...
@overload
def benjamini_hochberg(p_values: Floats) -> Floats: ...
@overload
def benjamini_hochberg(p_values: Sequence[P]) -> list[P]: ...
def benjamini_hochberg(p_values: Given) -> Any:
    """Benjamini and Hochberg's (1995) adjusted p-values, which bound the expected share of false ones among findings.

    That is proved for independent or positively dependent tests. Comparisons that share a system or items are
    neither in general, so the bound is approximate for them. Takes and returns p-values as `holm` does.
    """
    return _adjusted(p_values, lambda p: _falling([len(p) / (i + 1) * each for i, each in enumerate(p)]))


@overload
def benjamini_yekutieli(p_values: Mapping[Name, P]) -> dict[Name, P]: ...
@overload
def benjamini_yekutieli(p_values: Floats) -> Floats: ...
@overload
def benjamini_yekutieli(p_values: Sequence[P]) -> list[P]: ...
def benjamini_yekutieli(p_values: Given) -> Any:
    """Benjamini and Yekutieli's (2001) adjusted p-values: the same bound however the tests depend on each other.

    They are Benjamini and Hochberg's times 1 + 1/2 + … + 1/m. Takes and returns p-values as `holm` does.
    """

    def corrected(p: Ascending) -> Ascending:
        more = sum(1 / i for i in range(1, len(p) + 1))
        return _falling([more * len(p) / (i + 1) * each for i, each in enumerate(p)])

    return _adjusted(p_values, corrected)


def _rising(factored: Ascending) -> Ascending:
    """Each at least as large as those before it, and at most 1."""
    return [min(float(p), 1.0) for p in np.maximum.accumulate(factored)] if factored else []


def _falling(factored: Ascending) -> Ascending:
    """Each at most as large as those after it, and at most 1."""
    return [min(float(p), 1.0) for p in np.minimum.accumulate(factored[::-1])][::-1] if factored else []


def _adjusted(p_values: Given, correct: Callable[[Ascending], Ascending]) -> Corrected:
    """The p-values in the form in which they were given, with those of tests that were made corrected together."""
    if isinstance(p_values, Mapping):
        corrected = _adjusted(list(p_values.values()), correct)
        return dict(zip(p_values, corrected, strict=True))
    in_array = hasattr(p_values, "dtype")
    given = one_dimensional(p_values, "p_values", "p-value")
    held = [None if p is None else _checked(p) for p in given]
    order = sorted((p, i) for i, p in enumerate(held) if p is not None and not math.isnan(p))
    out = list(held)
    for (_, i), p in zip(order, correct([p for p, _ in order]), strict=True):
        out[i] = p
    return np.array([math.nan if p is None else p for p in out]) if in_array else out


def _checked(p: Any) -> float:
    """The p-value as a float; nan for a test that was not made."""
    wrong = isinstance(p, bool | str) or not np.isscalar(p)
    if wrong or not (math.isnan(float(p)) or 0 <= float(p) <= 1):
        raise DataError(f"{p} is not a p-value; p-values lie between 0 and 1, and None means that no test was made.")
    return float(p)


_CORRECT: dict[str, Callable[[Sequence[float | None]], list[float | None]]] = {
    "holm": holm,
    "hochberg": hochberg,
    "benjamini_hochberg": benjamini_hochberg,
    "benjamini_yekutieli": benjamini_yekutieli,
    "bonferroni": bonferroni,
}
