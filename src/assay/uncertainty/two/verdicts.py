"""What a comparison supposes, and what it comes to in one word."""

from __future__ import annotations

from assay.errors import in_plural
from assay.uncertainty.results import Comparison


def hypotheses(names: tuple[str, str], measure: str, item: str, test: str, alternative: str) -> tuple[str, str]:
    """What the test supposes, and what would speak against it, as sentences."""
    a, b = names
    if test == "none":
        return "no test was made.", "no test was made."
    claim = {
        "two-sided": f"{measure} of {a} and of {b} differ.",
        "greater": f"{measure} of {a} is higher than that of {b}.",
        "less": f"{measure} of {a} is lower than that of {b}.",
    }[alternative]
    if test == "randomization":
        return f"{a} and {b} are exchangeable {item} by {item}: swapping their answers would make no difference.", claim
    if test == "permutation":
        return (
            f"the {in_plural(item)} of {a} and of {b} come from one source: it does not matter which are whose.",
            claim,
        )
    same = {
        "two-sided": f"{measure} of {a} and of {b} is the same on all data like these.",
        "greater": f"{measure} of {a} is at most that of {b} on all data like these.",
        "less": f"{measure} of {a} is at least that of {b} on all data like these.",
    }
    return same[alternative], claim


def outcome(c: Comparison) -> str:
    """The verdict in one of the words of `options.OUTCOMES`; from the test, the interval and the margin, all agreeing.

    What a test finds and the interval beside it does not, or the other way round, is undecided.
    """
    if c.difference is None:
        return "not comparable"
    if is_told(c) and not torn(c):
        if at_odds(c) or c.higher_is_better is None:
            return "different"
        return "better" if (c.difference > 0) == c.higher_is_better else "worse"
    if c.margin is not None:
        return "equivalent" if c.margin.equivalent else "undecided"
    return "undecided" if c.p_value is None or torn(c) else "no difference shown"


def is_told(c: Comparison) -> bool:
    """Whether the test tells the systems apart, corrected where there are several."""
    p = _first(c.p_value_adjusted, c.p_adjusted, c.p_value)
    return is_found(p, c.level) and (c.difference != 0 or bool(c.leaning))


def torn(c: Comparison) -> bool:
    """Whether the test says one thing and the interval shown beside it another.

    A finding must be one of the interval too, at the level that a correction leaves. Tests of ranks and signs ask for
    something else than the mean that their interval is of, so a finding of theirs is not yet one of the mean.
    """
    inside = holds_zero(c)
    if c.p_value is None or inside is None:
        return False
    if is_told(c):
        if c.leaning is not None:
            return inside
        return inside or not is_found(_first(c.p_adjusted, c.p), c.level)
    # What a correction took away was found before it.
    return not inside and not is_found(c.p_value, c.level)


def holds_zero(c: Comparison) -> bool | None:
    """Whether the interval holds 0; None where there is none that answers the same question as the test."""
    if c.interval is None or (c.alternative != "two-sided" and None not in (c.low, c.high)):
        return None
    return 0.0 in c.interval


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)


def is_found(p: float | None, level: float) -> bool:
    """Whether p reaches what the level leaves; 1 − 0.9 is a little less than 0.1, and p = 0.1 reaches it."""
    return p is not None and p <= 1 - level + 1e-12


def at_odds(c: Comparison) -> bool:
    """Whether the test points to the other side than the mean: ranks and signs do not look at how large values are."""
    assert c.difference is not None
    return c.leaning is not None and c.leaning * c.difference <= 0 and c.leaning != 0
