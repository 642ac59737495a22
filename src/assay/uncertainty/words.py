"""Verdicts and hypotheses in plain words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    return f"{measure} of {a} and of {b} is the same on all data like these.", claim


def verdict(c: Comparison) -> str | None:
    """The outcome in one sentence, for the alternative that was used."""
    if c.difference is None:
        return None
    a, b = c.names
    if c.disagreements == 0:
        return f"{a} and {b} gave the same answers on all {c.n:,} {c.item}s{_bound(c)}."
    if c.p_value is None:
        return f"{a} and {b} were not tested; the difference is {c.difference:+.3f}{_range(c)}."
    apart = c.low is not None and c.high is not None and not c.low <= 0 <= c.high
    if c.p_value > 1 - c.level:
        fit = f"; the data fit differences from {c.low:+.3f} to {c.high:+.3f}" if c.low is not None else ""
        close = ", although the interval leaves out 0: the two methods differ in a close case" if apart else ""
        return f"No difference between {a} and {b} is shown by the test{close}{fit}."
    close = "" if apart or c.low is None else ", though only just: the interval reaches 0"
    if c.higher_is_better is None:
        return f"{a} and {b} differ on these data, by more than chance explains{close}."
    ahead = (c.difference > 0) == c.higher_is_better
    return f"{a} is {'better' if ahead else 'worse'} than {b} on these data, by more than chance explains{close}."


def described(c: Comparison) -> str:
    """The verdict, the difference with its interval, then the test."""
    if c.difference is None:
        return f"{c.a.measure}: {c.names[0]} and {c.names[1]} cannot be compared: {c.reason}"
    lines = [str(c.verdict)]
    lines.append(
        f"{c.a.measure} {c.a.value:.3f} against {c.b.value:.3f}: difference {c.difference:+.3f}{_range(c)}{_apart(c)}."
    )
    if c.low is None:
        lines.append(f"No interval for the difference: {c.reason}.")
    if c.p_value is not None:
        lines.append(f"{p_text(c)} ({_how(c)}). The test supposes: {c.h0}")
    lines += c.notes
    return "\n".join(lines)


def p_text(c: Comparison) -> str:
    """The p-value; at the floor that draws can reach it is a bound."""
    assert c.p_value is not None
    at_floor = c.extreme == 0 and c.draws is not None
    return f"p {'≤' if at_floor else '='} {c.p_value:.2g}"


def _range(c: Comparison) -> str:
    return "" if c.low is None else f" ({percent(c.level)} {c.low:+.3f} to {c.high:+.3f})"


def _bound(c: Comparison) -> str:
    if c.low is None or c.high is None:
        return ""
    return f"; a difference of up to {max(-c.low, c.high):.3f} is still possible on others like them"


def decimals(low: float | None, high: float | None) -> int:
    """So many decimals that two digits of the width of the interval are seen; three where there is none."""
    if low is None or high is None or not 0 < high - low < math.inf:
        return 3
    return min(max(1 - math.floor(math.log10(high - low)), 0), 6)


def percent(level: float) -> str:
    """A level of confidence, never rounded up to certainty."""
    return f"{100 * level:.6g}%"


def _apart(c: Comparison) -> str:
    return "" if c.disagreements is None else f", {c.disagreements:,} of {c.n:,} answered differently"


def _how(c: Comparison) -> str:
    sides = "two-sided" if c.alternative == "two-sided" else f"one-sided ({c.alternative})"
    if c.extreme is None:
        return f"{sides} {c.test}, exact over {c.draws:,} outcome{'' if c.draws == 1 else 's'}"
    return f"{sides} {c.test}, {c.extreme:,} of {c.draws:,} draws at least as far out"
