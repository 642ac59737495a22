"""What is said of a difference and of the draws it is held against."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.errors import plural
from assay.options import MCNEMAR
from assay.report.words import name as titled
from assay.report.words import with_sign
from assay.tally.sampling import Floats
from assay.uncertainty.results import Comparison
from assay.uncertainty.words import (
    MEANING,
    TEST_NAMES,
    could_find,
    decimals,
    effects,
    how,
    limits_text,
    p_text,
    percent,
    settles,
)


def chance_words(c: Comparison, null: Floats | None, drawn: Floats | None, sampled: str) -> Iterator[str]:
    """What the bars are, where the difference lies among them, and how p was found; `sampled` is what is drawn."""
    said = []
    if null is not None:
        said += [_gray(c, null, sampled), _where(c, null)]
    if drawn is not None:
        bars = "blue bars" if null is not None else "bars"
        said.append(f"The {bars} are the difference on {_again(drawn, sampled)}.")
    if c.p_value is not None:
        said.append(_found(c, null))
    elif c.test == "none":
        said.append("No test was made.")
    if said:
        yield " ".join(said)
    yield from _alone(c)


def bar_words(c: Comparison) -> Iterator[str]:
    """What the bar alone says, where no draws can be shown."""
    said = []
    if c.interval is not None:
        where = "reaches across 0" if 0.0 in c.interval else "lies wholly on one side of 0"
        said.append(f"The bar is the {percent(c.level)} interval of the difference; it {where}.")
    if c.p_value is not None:
        said.append(_found(c, None))
    if said:
        yield " ".join(said)
    yield from _alone(c)


def _gray(c: Comparison, null: Floats, sampled: str) -> str:
    a, b = c.names
    times = f"{len(null):,} times"
    if _exchanges(c):
        by = "answers" if c.effect.d_z is None else "values"
        each = f"{sampled} by {sampled}"
        return f"If {a} and {b} were alike, exchanging their {by} {each} would give the gray bars ({times})."
    return f"If the true difference were 0, other {sampled}s like these would give the gray bars ({times})."


def _exchanges(c: Comparison) -> bool:
    """Whether the null hypothesis lets the systems change places, in place of moving the difference to 0."""
    return c.test in ("randomization", "wilcoxon", "sign", *MCNEMAR)


def _where(c: Comparison, null: Floats) -> str:
    """Where the observed difference lies among differences that chance alone gave."""
    far, many = far_out(c, null), len(null)
    lies = f"The observed difference of {with_sign(c.difference or 0.0, decimals(c.low, c.high))}"
    side = {"two-sided": "as far from 0", "greater": "as high", "less": "as low"}[c.alternative]
    if far == 0:
        return f"{lies} lies outside all of them."
    return f"{lies} is matched by {far:,} of {many:,} of them ({share(far, many)} lie at least {side})."


def far_out(c: Comparison, null: Floats) -> int:
    """How many of the differences that chance gave lie at least as far out as the observed one."""
    observed = c.difference or 0.0
    slack = 1e-9 * max(abs(observed), 1e-3)
    known = null[np.isfinite(null)]
    if c.alternative == "greater":
        return int((known >= observed - slack).sum())
    if c.alternative == "less":
        return int((known <= observed + slack).sum())
    return int((np.abs(known) >= abs(observed) - slack).sum())


def share(part: int, whole: int) -> str:
    """A share in percent with two digits that matter."""
    return f"{float(f'{100 * part / whole:.2g}'):g}%"


def _again(drawn: Floats, sampled: str) -> str:
    lost = int((~np.isfinite(drawn)).sum())
    left = f" ({lost:,} in which it is undefined are left out)" if lost else ""
    return f"{len(drawn):,} samples of {sampled}s drawn with replacement from these{left}"


def _found(c: Comparison, null: Floats | None) -> str:
    """The p-value, and how it was found where the gray bars are not all of it."""
    p = p_text(c)
    if null is None:
        return f"{p} ({how(c)})."
    if c.form:
        return f"{p} was not counted from these draws: it comes {c.form}."
    if c.extreme is None and c.draws is not None and c.test == "randomization":
        each = ", each held against its own standard error" if c.statistic == "studentized" else ""
        return f"{p} was not counted from these draws: it is exact, over all {plural(c.draws, 'outcome')}{each}."
    if c.statistic == "studentized":
        return (
            f"{p}: the test holds every exchange against its own standard error, and {c.extreme or 0:,} of "
            f"{c.draws or 0:,} were at least as far out."
        )
    if c.extreme is None or c.test not in ("randomization", "bootstrap"):
        return f"{p} was not counted from these draws: it is that of the {TEST_NAMES.get(c.test, c.test)}."
    return f"{p}, from {c.extreme:,} of {c.draws or 0:,} draws at least as far out."


def _alone(c: Comparison) -> Iterator[str]:
    """Who was right where the other was not."""
    e, (a, b) = c.effect, c.names
    if e.only_a is None or e.only_b is None:
        return
    one = e.only_a + e.only_b
    if not one:
        yield f"There is no {c.item} that only one of the two got right."
        return
    yield f"Of {plural(one, c.item)} that exactly one of the two got right, {a} got {e.only_a:,} and {b} {e.only_b:,}."


# ---------------------------------------------------------------------- terms
def facts(c: Comparison) -> tuple[tuple[str, str], ...]:
    """The numbers of a comparison, each under its name."""
    assert c.difference is not None
    wide, values = decimals(c.low, c.high), max(decimals(e.low, e.high) for e in (c.a, c.b))
    out = []
    for name, e in zip(c.names, (c.a, c.b), strict=True):
        own = "" if e.low is None else f" ({percent(e.level)} {e.low:.{values}f} to {e.high:.{values}f})"
        out.append((name, f"{titled(e.measure)} {float(e):.{values}f}{own}"))
    limits = "" if c.interval is None else f" ({limits_text(c, with_sign)})"
    out.append(("Difference", f"{with_sign(c.difference, wide)}{limits or f'; no interval: {c.reason}'}"))
    if c.p_value is not None:
        out.append(("Test", f"{p_text(c)} ({how(c)})"))
    if c.margin is not None and c.margin.low is not None and c.margin.high is not None:
        limits = _between(c.margin.low, c.margin.high, wide)
        out.append((f"Within {c.margin.margin:g}?", f"{percent(c.margin.level)} interval {limits}: {_within(c)}"))
    if effects(c):
        out.append(("Who was right" if c.effect.only_a is not None else "Effect", effects(c)))
    if c.mde is not None:
        out.append(("Sensitivity", could_find(c)))
    if settles(c):
        out.append(("To settle it", settles(c)))
    return tuple(out)


def _between(low: float, high: float, places: int) -> str:
    return f"{with_sign(low, places)} to {with_sign(high, places)}"


def _within(c: Comparison) -> str:
    assert c.margin is not None
    return "equivalent" if c.margin.equivalent else "equivalence is not shown"


def supposed(c: Comparison, *, many: bool = False) -> tuple[tuple[str, str], ...]:
    """The hypotheses of the test, why it is this one, and what p is."""
    of_each = f" And so for every two systems; these are {' and '.join(c.names)}." if many else ""
    h0, h1 = hypotheses(c)
    out = [("Supposed (H0)", f"{h0}{of_each}"), ("Against it (H1)", h1)]
    if c.why and c.why != "as asked":
        out.append(("Why this test", f"{c.why}."))
    return (*out, ("What p is", MEANING))


def hypotheses(c: Comparison) -> tuple[str, str]:
    """What was supposed and what speaks against it, with the measure's name for people."""
    spelling, title = c.a.measure, titled(c.a.measure)

    def shown(text: str) -> str:
        if text.startswith(f"{spelling} of {c.names[0]} "):
            text = f"{title}{text.removeprefix(spelling)}"
        for start in ("the mean difference in ", "the expected difference in "):
            if text.startswith(f"{start}{spelling} between {c.names[0]} "):
                text = f"{start}{title}{text.removeprefix(f'{start}{spelling}')}"
        end = f" expected {spelling}."
        return f"{text.removesuffix(end)} expected {title}." if text.endswith(end) else text

    return shown(c.h0), shown(c.h1)
