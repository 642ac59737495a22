"""Values per fold and how they spread: folds share training data, so their spread says less than it seems to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import DataError, OptionError, plural
from assay.sources.given import finite_numbers, one_dimensional
from assay.tally.contract.sampling import Floats
from assay.texts import numeral
from assay.uncertainty.one.shares import student_p

WHISKER = 1.5  # interquartile ranges
MUCH_WIDER = 1.5  # how many times as wide the middle half must be to be worth a sentence
NEARLY = 0.1  # medians closer than this share of the narrower middle half are nearly equal


@dataclass(frozen=True)
class FiveNumbers:
    """Median, quartiles, the farthest values within 1.5 interquartile ranges, and the values beyond them."""

    low: float
    lower_quartile: float
    median: float
    upper_quartile: float
    high: float
    outliers: tuple[float, ...]

    @property
    def middle_half(self) -> float:
        """The interquartile range."""
        return self.upper_quartile - self.lower_quartile


def five_numbers(values: ArrayLike) -> FiveNumbers:
    """What a box plot of the values draws; quartiles are interpolated linearly, as NumPy does."""
    column = one_dimensional(values, "values", "number")
    ordered = np.sort(finite_numbers(column, len(column), "values", "number"))
    lower, median, upper = (float(q) for q in np.quantile(ordered, [0.25, 0.5, 0.75]))
    reach = WHISKER * (upper - lower)
    inside = (ordered >= lower - reach) & (ordered <= upper + reach)
    return FiveNumbers(
        low=float(ordered[inside][0]),
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        high=float(ordered[inside][-1]),
        outliers=tuple(float(v) for v in ordered[~inside]),
    )


def spread_note(a: Floats, b: Floats, names: tuple[str, str]) -> str | None:
    """A sentence where the medians are similar and the spreads are not."""
    boxes = sorted(zip((five_numbers(a), five_numbers(b)), names, strict=True), key=lambda pair: pair[0].middle_half)
    (narrow, steady), (wide, loose) = boxes
    gap = abs(narrow.median - wide.median)
    equal = math.isclose(narrow.median, wide.median, rel_tol=1e-9, abs_tol=1e-12)
    if not equal and gap > NEARLY * narrow.middle_half:
        return None
    if wide.middle_half <= max(MUCH_WIDER * narrow.middle_half, 1e-12):
        return None
    times = f"{wide.middle_half / narrow.middle_half:.2g} times as wide" if narrow.middle_half > 1e-12 else "wider"
    return (
        f"the medians are {'' if equal else 'nearly '}equal but the values of {loose} spread {times}: quartiles "
        f"{_quartiles(wide)}, vs. {_quartiles(narrow)} for {steady}"
    )


def _quartiles(box: FiveNumbers) -> str:
    return f"{numeral(box.lower_quartile, '.4g')} to {numeral(box.upper_quartile, '.4g')}"


NOTHING = 1e-9  # a spread of this share of the differences is rounding


@dataclass(frozen=True)
class Folds:
    """How the folds were cut: test items for each training item, the repetition of each fold, and what was assumed."""

    ratio: float
    repeats: tuple[Hashable, ...]
    note: str

    def se(self, d: Floats) -> float:
        """The standard error of the mean difference: Nadeau and Bengio's 1/J + n_test/n_train in place of 1/J."""
        return float(d.std(ddof=1)) * math.sqrt(1 / len(d) + self.ratio)


def describe_folds(
    n: int,
    test_train: float | None = None,
    test_sizes: Sequence[float] | None = None,
    train_sizes: Sequence[float] | None = None,
    repeats: int | Sequence[Hashable] | None = None,
) -> Folds:
    """How n folds were cut; without sizes, each repetition is assumed to be a K-fold division into equal parts."""
    labels = _labels(n, repeats)
    if test_train is not None:
        if test_sizes is not None or train_sizes is not None:
            raise OptionError("test_train and sizes of folds were both given; give only one of them.")
        if not (test_train > 0 and math.isfinite(test_train)):
            raise OptionError(f"test_train is {test_train}; it is the number of test items for each training item.")
        return Folds(float(test_train), labels, f"{test_train:.4g} test items for each training item, as given")
    if test_sizes is not None:
        return _sized(n, test_sizes, train_sizes, labels)
    if train_sizes is not None:
        raise OptionError(
            "train_sizes was given without test_sizes; give both, or only test_sizes for K-fold divisions."
        )
    return _equal(labels)


def _labels(n: int, repeats: int | Sequence[Hashable] | None) -> tuple[Hashable, ...]:
    if repeats is None:
        return (0,) * n
    if isinstance(repeats, (int, np.integer)):
        if repeats < 1 or n % repeats:
            raise DataError(f"{plural(n, 'fold')} cannot be divided into {plural(int(repeats), 'equal repetition')}.")
        return tuple(i // (n // int(repeats)) for i in range(n))
    if len(repeats) != n:
        raise DataError(f"repeats has {plural(len(repeats), 'label')} for {plural(n, 'fold')}; give one for each.")
    return tuple(repeats)


def _sized(n: int, test: Any, train: Any, labels: tuple[Hashable, ...]) -> Folds:
    """Folds of different sizes are normal; their mean sizes are put into the formula."""
    sizes = _sizes(test, n, "test_sizes")
    if train is not None:
        trained = _sizes(train, n, "train_sizes")
        how = "mean sizes as given"
    else:
        whole: Counter[Hashable] = Counter()
        for label, size in zip(labels, sizes.tolist(), strict=True):
            whole[label] += size
        trained = np.array([whole[label] for label in labels]) - sizes
        how = "each fold trained on the others of its repetition"
        if (trained <= 0).any():
            raise DataError("a repetition has only one fold, so nothing is left to train on; give train_sizes too.")
    ratio = float(sizes.mean() / trained.mean())
    return Folds(ratio, labels, f"{sizes.mean():.6g} test and {trained.mean():.6g} training items on average, {how}")


def _sizes(sizes: Any, n: int, option: str) -> Floats:
    found = np.asarray(sizes, np.float64)
    if found.shape != (n,):
        raise DataError(f"{option} has {plural(found.size, 'number')} for {plural(n, 'fold')}; give one for each.")
    if not (np.isfinite(found) & (found > 0)).all():
        raise DataError(f"{option} contains {found.min():g}; sizes of folds are positive numbers.")
    return found


def _equal(labels: tuple[Hashable, ...]) -> Folds:
    per = set(Counter(labels).values())
    if len(per) > 1:
        raise DataError(
            f"the repetitions have from {min(per)} to {max(per)} folds, so equal parts cannot be assumed; "
            "give test_sizes."
        )
    k = per.pop()
    if k < 2:
        raise DataError("each repetition has one fold, so it was not divided into K parts; give test_train.")
    ratio = f"test-to-training ratio 1/{k - 1}"
    return Folds(1 / (k - 1), labels, f"assumed to be {k} equal folds in each repetition: {ratio}")


def corrected_t(d: Floats, folds: Folds, alternative: str) -> tuple[float | None, float | None]:
    """Nadeau and Bengio's (2003) corrected resampled t of the differences, and its p-value with J − 1 degrees."""
    se = folds.se(d)
    if se <= NOTHING * float(np.abs(d).max()):
        return (None, None) if d.any() else (0.0, 1.0)
    t = float(d.mean()) / se
    return t, student_p(t, len(d) - 1, alternative)


def _five_by_two(d: Floats, folds: Folds) -> tuple[Floats, Floats]:
    """Differences in rows of two folds, and the variance within each row."""
    per = Counter(folds.repeats)
    if len(per) != 5 or set(per.values()) != {2}:
        shape = f"{plural(len(d), 'fold')} in {plural(len(per), 'repetition')}"
        raise DataError(
            f"the 5×2cv tests need 5 repetitions of 2 folds, but there are {shape}; "
            "name the repetition of each fold (repeats, --repeats), or use the test corrected_t."
        )
    rows = np.array([[x for x, own in zip(d, folds.repeats, strict=True) if own == label] for label in per])
    return rows, ((rows - rows.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)


def five_by_two_t(d: Floats, folds: Folds, alternative: str) -> tuple[float | None, float | None]:
    """Dietterich's (1998) 5×2cv t: the first difference over the pooled spread within repetitions, 5 degrees."""
    rows, variances = _five_by_two(d, folds)
    if variances.max() <= (NOTHING * float(np.abs(d).max())) ** 2:
        return (None, None) if d.any() else (0.0, 1.0)
    t = float(rows[0, 0] / math.sqrt(variances.mean()))
    return t, student_p(t, 5, alternative)


def five_by_two_f(d: Floats, folds: Folds) -> tuple[float | None, float | None]:
    """Alpaydin's (1999) combined F, which does not depend on which fold comes first: 10 and 5 degrees."""
    from scipy.special import fdtrc

    rows, variances = _five_by_two(d, folds)
    if variances.max() <= (NOTHING * float(np.abs(d).max())) ** 2:
        return (None, None) if d.any() else (0.0, 1.0)
    f = float((rows**2).sum() / (2 * variances.sum()))
    return f, float(fdtrc(10, 5, f))
