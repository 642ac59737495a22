"""How a measure's interval is computed, described as data; `uncertainty/` turns the description into limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from assay.tally.contract.base import Evidence
from assay.tally.contract.sampling import Floats, Ints


@dataclass(frozen=True)
class Effective:
    """A measure that behaves like a share of n items: Wilson or mid-P limits around the center, then mapped back.

    With degrees of freedom, Student's quantile replaces the normal one.
    """

    center: float
    n: float
    df: float | None = None
    back: Callable[[float], float] = float
    back_high: Callable[[float], float] | None = None  # if the upper limit is mapped back differently
    center_high: float | None = None  # if the upper limit starts from another point
    n_high: float | None = None  # if the upper limit uses another number of items
    exact: bool = False  # mid-P limits, which cover a share near 0 or 1 where Wilson's do not
    error: float | None = None  # the standard error of the value, if n was derived from one


@dataclass(frozen=True)
class Moved:
    """A function of several shares: each is moved to its Wilson limits, and the squared changes are added up.

    This is MOVER; without a correlation the moves are taken as independent.
    """

    shares: tuple[tuple[float, float], ...]  # each with its denominator
    value: Callable[..., float]
    correlation: Floats | None = None


@dataclass(frozen=True)
class Proportion:
    """A share of counted items: names of quantities the formula reads, added up.

    If the hits depend on the measure's own options, they are a function of what the formula reads.
    """

    hits: str | Callable[..., Any]
    trials: str

    def settled(self, own: Mapping[str, Any]) -> Proportion:
        """The share with these options."""
        return Proportion(partial(self.hits, **own), self.trials) if callable(self.hits) else self

    @property
    def counted(self) -> str | None:
        """What the items of the share are: positive or negative; None if that depends on the answers."""
        names = frozenset(name.strip() for name in self.trials.split("+"))
        return {frozenset({"tp", "fn"}): "positive", frozenset({"tn", "fp"}): "negative"}.get(names)

    def of(self, view: Any) -> tuple[float, float]:
        """The two counts."""
        hits, trials = self.counts(view)
        return float(hits), float(trials)

    def counts(self, view: Any) -> tuple[Any, Any]:
        """The two counts of every table in a stack."""
        hits = self.hits(view) if callable(self.hits) else _added(view, self.hits)
        return hits, _added(view, self.trials)


def _added(view: Any, names: str) -> Any:
    return sum(getattr(view, name.strip()) for name in names.split("+"))


@dataclass(frozen=True)
class Around:
    """A value and its standard error on a scale where errors are roughly normal; both limits are then mapped back."""

    center: float
    error: float
    df: float | None = None
    back: Callable[[float], float] = float
    center_high: float | None = None  # if the upper limit starts from another point
    own_error: float | None = None  # the standard error on the measure's own scale, if that differs


@dataclass(frozen=True)
class Solved:
    """Limits that solve an equation, for any normal quantile."""

    limits: Callable[[float], tuple[float, float]]


Closed = Effective | Moved | Around | Solved


@dataclass(frozen=True)
class EffectiveN:
    """A closed form: from evidence to shares or values with errors, whose limits are averaged, or why there are none.

    `classes` bounds the number of classes for which it was studied; beyond it the default of the kind is used.
    A form that does not take the measure's own options holds for their defaults only.
    """

    name: str
    form: Callable[..., Closed | tuple[Closed, ...] | str]
    reads: type[Evidence] | None = None  # None: the same view as the formula reads
    classes: tuple[int, int] = (1, 1 << 31)
    takes_options: bool = False  # the form is called with the measure's own options as keywords
    when: Callable[..., bool] | None = None  # called with the same options, if the form does not apply to all of them
    # Whether, with these options, what clusters add to the variance multiplies that of this form.
    inflated: Callable[..., bool] | None = None
    unweighted: str | None = None  # why it does not apply to rows of different weight, if it does not


@dataclass(frozen=True)
class Together:
    """Two systems on the same items, each as a share of an effective n, and the correlation of their errors."""

    a: Effective
    b: Effective
    correlation: float


NO_DELONG = "DeLong's variance needs more than one item of each class"


@dataclass(frozen=True)
class PairedForm:
    """Closed forms for the difference between two systems on the same items, from their joint tally."""

    name: str
    variance: Callable[[Any], float]  # of the difference
    smoothed: Callable[[Any], float]  # the same with a fraction of an item added, so that it is never 0
    together: Callable[[Any], Together]  # both systems, for limits that need not be symmetric about the difference


@dataclass(frozen=True)
class Signs:
    """A difference that becomes a sum of signs when the systems are exchanged: scale times the sum of terms."""

    terms: Ints | Floats  # one for an item of each joint unit; whole numbers if the sum lies on a lattice
    scale: float


@dataclass(frozen=True)
class NoInterval:
    """A measure without a trustworthy interval, and why."""

    why: str


@dataclass(frozen=True)
class Jackknife:
    """Leave out one item of each kind, on the logit of the position within the range."""


@dataclass(frozen=True)
class BoundedMean:
    """A mean of values that lie within the measure's range, over the items or clusters that were sampled.

    `parts` gives, from a tally and the measure's own options, the sum of the values that one item of each unit adds to
    the mean and their number, which is 0 for items that do not count. Wilson's limits with the variance of the values.
    If the measure is a function of such a mean, the values are from 0 to 1, and `back` maps their mean, and its limits,
    to those of the measure.
    """

    parts: Callable[..., tuple[Floats, Floats]]
    back: Callable[[float], float] | None = None


@dataclass(frozen=True)
class ModelJackknife:
    """A parameter of a fitted model: leave out one item or cluster in turn, with a variance not below the model's own.

    `covariance` is that of the values of two sets of evidence by the model; of one with itself it is the variance. The
    measure declares its `influence` too, for items without which it is undefined.
    """

    covariance: Callable[..., float]


IntervalForm = Proportion | EffectiveN | Jackknife | NoInterval | BoundedMean | ModelJackknife
