"""How many items to label: for an interval of a given width, or to detect a difference named beforehand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from assay.errors import OptionError, check_level, check_number, check_whole, choose, plural
from assay.options import ALTERNATIVES, LEVEL, POWER
from assay.texts import numeral, percent
from assay.uncertainty.one.shares import clopper_pearson, normal_quantile, wilson
from assay.uncertainty.planning.sign_power import Signs, check_power, sides

HALF_WIDTHS = ("wald", "wilson", "clopper_pearson")
SIGN_TESTS = ("midp", "exact", "connor")  # the first is the default test of `compare`
MOST = 10**9  # items; nobody labels more
SMALLEST = 1 / MOST  # difference: one item in MOST


@dataclass(frozen=True)
class SamplePlan:
    """A number of items, what they can do, and what was assumed."""

    items: int
    method: str
    sentence: str
    assumptions: tuple[str, ...] = ()
    half_width: float | None = None
    difference: float | None = None
    power: float | None = None
    power_low: float | None = None  # limits of a power that was simulated
    power_high: float | None = None
    clusters: int | None = None
    design_effect: float | None = None

    @property
    def inside(self) -> str:
        """The clusters in which the items lie, for a sentence about them: " in 40 clusters"."""
        return in_clusters(self.clusters)


def in_clusters(clusters: int | None, about: str = "") -> str:
    """In how many clusters items lie, where they lie in any."""
    return "" if clusters is None else f" in {about}{plural(clusters, 'cluster')}"


# ---------------------------------------------------------------------- intervals of a given width
def items_for_half_width(share: float, half_width: float, level: float = LEVEL, method: str = "wilson") -> int:
    """The fewest items for which the interval of this share has at most this half-width."""
    check_half_width(half_width)
    return _fewest(lambda n: half_width_of(n, share, level, method) <= half_width * (1 + 1e-12))


def half_width_of(items: int, share: float, level: float = LEVEL, method: str = "wilson") -> float:
    """How far the interval of this share extends to either side of its middle with this many items."""
    choose(method, HALF_WIDTHS, "method")
    check_share(share)
    check_level(level)
    z = normal_quantile(level)
    widths: dict[str, Callable[[], tuple[float, float]]] = {
        "wald": lambda: (0.0, 2 * z * math.sqrt(share * (1 - share) / items)),
        "wilson": lambda: wilson(share, items, z),
        "clopper_pearson": lambda: clopper_pearson(share * items, items, level),
    }
    low, high = widths[method]()
    return (high - low) / 2


def _fewest(enough: Callable[[int], bool]) -> int:
    """The smallest number that is enough, where all larger ones are."""
    high = 1
    while not enough(high):
        high *= 2
        if high > MOST:
            raise OptionError(f"more than {MOST:,} items would be needed; plan for a wider interval.")
    low = high // 2 + 1 if high > 1 else 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def half_width_plan(
    half_width: float,
    share: float = 0.5,
    level: float = LEVEL,
    method: str = "wilson",
    cluster_size: float | None = None,
    icc: float | None = None,
) -> SamplePlan:
    """The items for which the interval of a share extends no farther than this to either side of its middle."""
    alone = items_for_half_width(share, half_width, level, method)
    design = design_effect(cluster_size, icc)
    items, clusters = _clustered(alone, design, cluster_size)
    return SamplePlan(
        items=items,
        method=method,
        sentence=f"{_items(items, clusters)} give a {percent(level)} interval of ±{half_width:g} at a share of "
        f"{share:g} ({NAMES[method]}).",
        assumptions=_sharing(share, design, icc),
        half_width=half_width,
        clusters=clusters,
        design_effect=design,
    )


def width_plan(
    items: int,
    share: float = 0.5,
    level: float = LEVEL,
    method: str = "wilson",
    cluster_size: float | None = None,
    icc: float | None = None,
) -> SamplePlan:
    """How far the interval of a share extends with this many items."""
    check_items(items)
    alone, clusters, design = _independent(items, cluster_size, icc)
    width = half_width_of(alone, share, level, method)
    return SamplePlan(
        items=items,
        method=method,
        sentence=f"{_items(items, clusters)} give a {percent(level)} interval of ±{width:.3g} at a share "
        f"of {share:g} ({NAMES[method]}).",
        assumptions=_sharing(share, design, icc),
        half_width=width,
        clusters=clusters,
        design_effect=design,
    )


def _sharing(share: float, design: float | None, icc: float | None) -> tuple[str, ...]:
    return f"the share is {share:g}{', the worst case' if share == 0.5 else ''}", *_design(design, icc, "")


# ---------------------------------------------------------------------- a named difference between two systems
def items_for_difference(
    difference: float,
    disagreement: float,
    power: float = POWER,
    level: float = LEVEL,
    alternative: str = "two-sided",
    test: str = "exact",
) -> int:
    """The fewest items such that these and any larger number let McNemar's test detect this difference.

    `disagreement` is the share of the items that only one of the two systems gets right. Besides the exact and the
    mid-p test there is Connor's (1987) formula, test="connor".
    """
    signs = _signs(difference, disagreement, level, alternative, test)
    check_power(signs.alpha, power)
    needed = signs.connor(power)
    if needed > MOST:
        raise OptionError(f"about {needed:,} items would be needed; plan for a larger difference.")
    return needed if test == "connor" else signs.items(power)


def power_of(
    difference: float,
    disagreement: float,
    items: int,
    level: float = LEVEL,
    alternative: str = "two-sided",
    test: str = "exact",
) -> float:
    """The probability that McNemar's test with this many items detects this difference."""
    signs = _signs(difference, disagreement, level, alternative, test)
    check_items(items)
    return signs.nearly(items) if test == "connor" else signs.power(items)


def items_without_pairing(
    share_a: float, share_b: float, power: float = POWER, level: float = LEVEL, alternative: str = "two-sided"
) -> int:
    """The items that each system would need if each were judged on separate items (Fleiss's formula)."""
    for share in (share_a, share_b):
        check_share(share)
    check_alternative(share_a - share_b, alternative)
    check_power(1 - level, power)
    mean = (share_a + share_b) / 2
    null = normal_quantile(1 - 2 * (1 - level) / sides(alternative)) * math.sqrt(2 * mean * (1 - mean))
    miss = normal_quantile(2 * power - 1) if power > 0.5 else -normal_quantile(1 - 2 * power)
    apart = miss * math.sqrt(share_a * (1 - share_a) + share_b * (1 - share_b))
    return math.ceil(((null + apart) / (share_a - share_b)) ** 2 - 1e-9)


def difference_plan(
    difference: float,
    disagreement: float,
    items: int | None = None,
    power: float = POWER,
    level: float = LEVEL,
    alternative: str = "two-sided",
    test: str = "exact",
    cluster_size: float | None = None,
    icc: float | None = None,
) -> SamplePlan:
    """The items that detect a named difference with this power; or the power, where the items are given."""
    design = design_effect(cluster_size, icc)
    if items is None:
        alone = items_for_difference(difference, disagreement, power, level, alternative, test)
        needed, clusters = _clustered(alone, design, cluster_size)
    else:
        check_items(items)
        needed = items
        alone, clusters, _ = _independent(items, cluster_size, icc)
    reached = power_of(difference, disagreement, alone, level, alternative, test)
    return SamplePlan(
        items=needed,
        method=test,
        sentence=f"{_items(needed, clusters)} detect a true difference of {numeral(difference, 'g')} with "
        f"probability {reached:.3f} ({NAMES[test]}).",
        assumptions=_testing(disagreement, alternative, level, design, icc),
        difference=difference,
        power=reached,
        clusters=clusters,
        design_effect=design,
    )


def detectable_plan(
    items: int,
    disagreement: float,
    power: float = POWER,
    level: float = LEVEL,
    alternative: str = "two-sided",
    test: str = "exact",
    cluster_size: float | None = None,
    icc: float | None = None,
) -> SamplePlan | None:
    """The smallest true difference that these items detect with this power; None where they detect none."""
    check_items(items)
    choose(alternative, ALTERNATIVES, "alternative")
    signs = _signs(-disagreement if alternative == "less" else disagreement, disagreement, level, alternative, test)
    check_power(signs.alpha, power)
    alone, clusters, design = _independent(items, cluster_size, icc)
    found = signs.nearly_detectable(alone, power) if test == "connor" else signs.detectable(alone, power)
    if found is None:
        return None
    smallest = -found if alternative == "less" else found
    return SamplePlan(
        items=items,
        method=test,
        sentence=f"{_items(items, clusters)} detect a true difference of {numeral(smallest, '.3g')} with "
        f"probability {power:g} ({NAMES[test]}).",
        assumptions=_testing(disagreement, alternative, level, design, icc),
        difference=smallest,
        power=power,
        clusters=clusters,
        design_effect=design,
    )


def _testing(
    disagreement: float, alternative: str, level: float, design: float | None, icc: float | None
) -> tuple[str, ...]:
    return (
        f"exactly one of the two systems is right on {100 * disagreement:.4g}% of the items",
        f"the test is {alternative_in_words(alternative)}, at the {percent(1 - level)} level",
        *_design(design, icc, " of who is right"),
    )


NAMES = {
    "wald": "Wald",
    "wilson": "Wilson",
    "clopper_pearson": "Clopper–Pearson",
    "exact": "exact McNemar",
    "midp": "mid-p McNemar",
    "connor": "Connor's formula",
}


# ---------------------------------------------------------------------- clusters
def design_effect(cluster_size: float | None, icc: float | None) -> float | None:
    """By how much clusters multiply the items that are needed: 1 + (size − 1) · ICC."""
    if cluster_size is None and icc is None:
        return None
    if cluster_size is None or icc is None:
        raise OptionError(
            "clusters are planned for by their size and how alike their rows are: "
            "give both, such as cluster_size=10 and icc=0.1 (--cluster-size 10 --icc 0.1)."
        )
    if not (math.isfinite(cluster_size) and cluster_size >= 1):
        raise OptionError(f"cluster_size (--cluster-size) is {cluster_size:g}; a cluster has at least one row.")
    if not 0 <= icc <= 1:
        raise OptionError(f"icc (--icc) is {icc:g}; the correlation within clusters must be between 0 and 1.")
    return 1 + (cluster_size - 1) * icc


def _clustered(alone: int, design: float | None, size: float | None) -> tuple[int, int | None]:
    if design is None or size is None:
        return alone, None
    items = math.ceil(alone * design - 1e-9)
    return items, math.ceil(items / size - 1e-9)


def _independent(items: int, cluster_size: float | None, icc: float | None) -> tuple[int, int | None, float | None]:
    """How many independent items these are worth, how many clusters they are in, and the design effect."""
    design = design_effect(cluster_size, icc)
    clusters = None if cluster_size is None else math.ceil(items / cluster_size)
    return max(math.floor(items / (design or 1)), 1), clusters, design


def _design(design: float | None, icc: float | None, of: str) -> tuple[str, ...]:
    if design is None:
        return ("items are independent",)
    return (f"the correlation{of} within clusters is {icc:g}: a design effect of {design:.4g}",)


def _items(items: int, clusters: int | None) -> str:
    known = plural(items, "item")
    return f"{known}{in_clusters(clusters)}"


def alternative_in_words(alternative: str) -> str:
    """The alternative in words."""
    if alternative == "two-sided":
        return alternative
    return f"one-sided (A {'higher' if alternative == 'greater' else 'lower'})"


# ---------------------------------------------------------------------- what is refused
def _signs(difference: float, disagreement: float, level: float, alternative: str, test: str) -> Signs:
    choose(test, SIGN_TESTS, "test")
    check_level(level)
    check_alternative(difference, alternative)
    if not 0 < disagreement <= 1:
        raise OptionError(
            f"disagreement is {disagreement:g}; it is the share of items that only one system gets right, "
            "above 0 and at most 1."
        )
    if abs(difference) > disagreement * (1 + 1e-12):
        raise OptionError(
            f"the difference {difference:g} is larger than the disagreement {disagreement:g}; systems cannot differ "
            "by more than the share of items that only one of them gets right."
        )
    return Signs(disagreement, abs(difference), 1 - level, sides(alternative), "midp" if test == "midp" else "exact")


def check_alternative(difference: float, alternative: str) -> None:
    """Refuse a difference that the test does not look for."""
    choose(alternative, ALTERNATIVES, "alternative")
    check_number(difference, "the difference")
    if not math.isfinite(difference) or abs(difference) < SMALLEST:
        raise OptionError(f"the difference is {difference:g}; name one that would matter, such as 0.02.")
    if (alternative == "greater" and difference < 0) or (alternative == "less" and difference > 0):
        raise OptionError(
            f"a test for '{alternative}' does not look for a difference of {difference:g}; change the sign, or use "
            "alternative='two-sided'."
        )


def check_share(share: float) -> None:
    """Refuse a share that cannot be planned for."""
    check_number(share, "share")
    if not 0 < share < 1:
        raise OptionError(f"share is {share:g}; it must be between 0 and 1. 0.5 is the worst case.")


def check_half_width(half_width: float) -> None:
    """Refuse half-widths that no interval of a share can have."""
    check_number(half_width, "half_width (--half-width)")
    if not 0 < half_width < 0.5:
        raise OptionError(
            f"half_width (--half-width) is {half_width:g}; it must be between 0 and 0.5, because ±0.5 is every "
            "possible share. Try 0.05."
        )


def check_items(items: int) -> None:
    """Refuse numbers of items that nobody labels."""
    check_whole(items, "items")
    if not 1 <= items <= MOST:
        raise OptionError(f"items is {items:,}; it must be between 1 and {MOST:,}.")
