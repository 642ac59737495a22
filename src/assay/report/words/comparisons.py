"""Comparisons in plain words: the verdict, the difference, the test, and what many systems come to."""

from __future__ import annotations

import math
from collections.abc import Callable

from assay.errors import plural
from assay.jobs.comparison.contest import Contest
from assay.measures.declare.catalogue import joined
from assay.measures.declare.catalogue import name as titled
from assay.texts import decimals, p_number, percent, reach, rounded_up, signed, size
from assay.uncertainty.results import Comparison, MarginTest, at_odds, holds_zero, is_found, is_told, outcome, torn

# SELFALIAS how as test_of


TEST_NAMES = {
    "randomization": "randomization test",
    "bootstrap": "paired bootstrap test",
    "mcnemar": "exact McNemar test",
    "mcnemar_midp": "mid-p McNemar test",
    "mcnemar_chi2": "McNemar test by χ²",
    "mcnemar_chi2_corrected": "McNemar test by χ² with continuity correction",
    "sign": "sign test",
    "delong": "DeLong test",
    "interval": "test by the paired interval",
    "permutation": "permutation test over separate items",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "corrected_t": "corrected resampled t test",
    "5x2cv": "5×2cv t test",
    "none": "no test",
}
NO_MEANS = ("wilcoxon", "sign")  # tests of values that do not ask for their mean
CORRECTION_NAMES = {
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bonferroni": "Bonferroni",
    "benjamini_hochberg": "Benjamini–Hochberg",
    "benjamini_yekutieli": "Benjamini–Yekutieli",
}
MEANING = (
    "p is how often a difference at least this large would come up if the supposition held; it is not the probability "
    "that the supposition holds, and says nothing of how large or how useful the difference is."
)


def verdict(c: Comparison) -> str:
    """The outcome in a sentence or two that are true of these numbers."""
    a, b = c.names
    found = outcome(c)
    if found == "not comparable":
        return f"{a} and {b} cannot be compared: {c.reason}."
    within = f" within {c.margin.margin:g}" if c.margin is not None else ""
    if c.disagreements == 0:
        same = f"{a} and {b} gave the same answers on all {plural(c.n, c.item)}{_bound(c)}."
        return f"{same} They are equivalent{within}." if found == "equivalent" else same
    if found == "equivalent":
        return f"{a} and {b} are equivalent{within}: {_fits(c, margin=True)}."
    if found == "undecided":
        return _undecided(c)
    if found == "no difference shown":
        return _nothing_shown(c)
    small = "" if c.margin is None else f" {_against_margin(c, c.margin)}"
    if found == "different" and at_odds(c):
        return f"{a} and {b} differ on these data, by more than chance explains, {_odds(c)}.{small}"
    if found == "different":
        return f"{a} and {b} differ on these data, by more than chance explains.{small}"
    return f"{a} is {found} than {b} on these data, by more than chance explains.{small}"


def _against_margin(c: Comparison, m: MarginTest) -> str:
    """How a difference that is shown stands to the margin."""
    if m.equivalent:
        return f"The difference is within the margin of {m.margin:g} all the same."
    if m.equivalent is None:
        return f"There is no interval to hold against the margin of {m.margin:g}."
    least = min(abs(x) for x in (m.low, m.high) if x is not None)
    if m.low is not None and m.high is not None and m.low * m.high > 0 and least >= m.margin:
        return f"The difference is larger than the margin of {m.margin:g}: {_fits(c, margin=True)}."
    return f"Whether it is within the margin of {m.margin:g} is open: {_fits(c, margin=True)}."


def _odds(c: Comparison) -> str:
    return f"but to which side is open: the {TEST_NAMES.get(c.test, c.test)} {_leans(c)}"


def _leans(c: Comparison) -> str:
    """Whose values a test that reads no mean finds higher, and what the mean says where it does not."""
    told = f"speaks for higher values of {c.names[0 if c.leaning == 1 else 1]}"
    if not at_odds(c):
        return told
    return f"{told}, which is {'not higher' if c.difference == 0 else 'lower'} on average"


def _undecided(c: Comparison) -> str:
    a, b = c.names
    if torn(c):
        return f"Undecided between {a} and {b}: {_tearing(c)}."
    if c.margin is None:
        fits = f"; {_fits(c)}" if c.interval is not None else ""
        why = f", because there is no interval: {c.reason}" if c.interval is None and c.reason else ""
        return f"Undecided between {a} and {b}: no test was made{why}{fits}."
    if c.margin.equivalent is None:
        return f"Undecided between {a} and {b}: there is no interval to hold against the margin ({c.reason})."
    rest = f" {a} is not worse than {b} by {c.margin.margin:g} or more." if c.margin.not_worse else ""
    return (
        f"Undecided between {a} and {b}: no difference is shown, and equivalence within {c.margin.margin:g} is not "
        f"shown either; {_fits(c, margin=True)}.{rest}"
    )


def _tearing(c: Comparison) -> str:
    """What the test says, and what the interval says against it."""
    test = TEST_NAMES.get(c.test, c.test)
    if is_told(c) and c.test in NO_MEANS:
        told = f"the {test} {_leans(c)} ({p_text(c)})"
        return f"{told}, but it does not ask for the mean, whose interval holds 0; {_fits(c)}"
    if is_told(c):
        which = "the interval" if holds_zero(c) else "the interval of a level that allows for all comparisons"
        told = f"the {test} tells them apart ({p_text(c)})"
        return f"{told}, but {which} cannot bound the size of the difference; {_fits(c)}"
    if c.least_p is not None and c.least_p > 1 - c.level + 1e-12:
        why = f"is left with so few outcomes that it cannot give a p-value below {p_number(c.least_p)}"
    else:
        why = f"does not tell them apart ({p_text(c)})"
    return f"the interval leaves out 0, but the {test} {why}; {_fits(c)}"


def _nothing_shown(c: Comparison) -> str:
    a, b = c.names
    what = {
        "two-sided": f"No difference between {a} and {b} is shown",
        "greater": f"It is not shown that {a} is higher than {b}",
        "less": f"It is not shown that {a} is lower than {b}",
    }[c.alternative]
    if is_found(c.p_value, c.level) and c.p_adjusted is not None:
        what += f" after correction for all comparisons ({CORRECTION_NAMES.get(c.correction or '', c.correction)})"
    fit = f"; {_fits(c)}" if c.interval is not None else ""
    return f"{what}{fit}{_could_have(c)}."


def _could_have(c: Comparison) -> str:
    if c.mde is None:
        return ""
    return f"; {could_find(c)}"


def could_find(c: Comparison) -> str:
    """The smallest true difference that is found often, and what that supposes."""
    assert c.mde is not None
    # Corrected tests are harder to pass the more there are; the size is that of the hardest.
    least = "at least " if c.correction is not None else ""
    same = "spread" if c.disagreements is None or c.effect.superiority is not None else "disagreement"
    return f"{least}4 times in 5 the test would find a true difference of {size(c.mde)} at the same {same}"


def _fits(c: Comparison, *, margin: bool = False) -> str:
    low, high, level = (
        (c.low, c.high, c.level) if not margin or c.margin is None else (c.margin.low, c.margin.high, c.margin.level)
    )
    if low is None and high is None:
        return "there is no interval"
    at = f" at {percent(level)}" if margin else ""
    return f"the data fit differences {reach(low, high)}{at}"


def _apart(c: Comparison) -> bool:
    low, high = (c.low, c.high) if None in c.both_sides else c.both_sides
    return low is not None and high is not None and not low <= 0 <= high


def _bound(c: Comparison) -> str:
    low, high = (c.low, c.high) if None in c.both_sides else c.both_sides
    if low is None or high is None:
        return ""
    return f"; a difference of up to {size(max(-low, high))} is still possible on others like them"


def described(c: Comparison) -> str:
    """The verdict, the difference with its interval, then the test and what else is worth knowing."""
    if c.difference is None:
        return f"{c.a.measure}: {verdict(c)}"
    lines = [verdict(c), measured(c)]
    if c.interval is None:
        lines.append(f"No interval for the difference: {c.reason}.")
    if c.p_value is not None:
        lines.append(f"{p_text(c)} ({how(c)}). The test supposes: {c.h0}")
    lines += [text for text in (effects(c), settles(c)) if text]
    lines += c.notes
    return "\n".join(lines)


def measured(c: Comparison) -> str:
    """Both values, and the difference with its interval."""
    places = max(decimals(e.low, e.high) for e in (c.a, c.b))
    a, b = (f"{float(e):.{places}f}" for e in (c.a, c.b))
    wide = decimals(c.low, c.high)
    limits = "" if c.interval is None else f" ({limits_text(c)})"
    assert c.difference is not None
    apart = "" if c.disagreements is None else f"; they differ on {c.disagreements:,} of {plural(c.n, c.item)}"
    return f"{c.a.measure} {a} against {b}: difference {signed(c.difference, wide)}{limits}{apart}."


def limits_text(c: Comparison, write: Callable[[float, int], str] | None = None) -> str:
    """The level, and the limits or the limit that the question asks for."""
    if None in (c.low, c.high):
        return f"{percent(c.level)} one-sided, {reach(c.low, c.high, write)}"
    return f"{percent(c.level)} {reach(c.low, c.high, write).removeprefix('from ')}"


def effects(c: Comparison) -> str:
    """Who was right where, and how large the difference is in other words."""
    e, (a, b) = c.effect, c.names
    parts = []
    if e.only_a is not None and e.only_b is not None and e.both is not None and e.neither is not None:
        parts.append(
            f"only {a} right {e.only_a:,} · only {b} right {e.only_b:,} · both {e.both:,} · neither {e.neither:,}"
        )
    if e.odds_ratio is not None:
        odds = "∞" if math.isinf(e.odds_ratio) else f"{e.odds_ratio:.3g}"
        parts.append(f"odds ratio {odds}")
    if e.d_z is not None:
        parts.append(f"d_z {e.d_z:.3g}")
    if e.superiority is not None:
        parts.append(f"P({a} > {b}) + ½ P(=) = {e.superiority:.3g}")
    return "; ".join(parts)


def settles(c: Comparison) -> str:
    """How many more items would let the test find a smaller difference, where none was shown."""
    if outcome(c) not in ("no difference shown", "undecided") or c.finer is None or not c.more_items or _apart(c):
        return ""
    labeled = "labeled " if c.item in ("row", "item") else ""
    more = plural(rounded_up(c.more_items), f"more {labeled}{c.item}")
    return f"About {more} would settle a difference of {c.finer:g}."


def p_text(c: Comparison) -> str:
    """The p-value; at the floor that draws can reach it is a bound. That of the interval is said where it matters."""
    assert c.p_value is not None
    at_floor = c.extreme == 0 and c.draws is not None
    sign = "≤ " if at_floor else "" if p_number(c.p_value).startswith("<") else "= "
    text = f"p {sign}{p_number(c.p_value)}"
    if c.p_interval is not None and _apart_by_interval(c):
        text += f" by the test and {p_number(c.p_interval)} by the interval"
    if c.p_adjusted is not None and c.correction is not None:
        name = CORRECTION_NAMES.get(c.correction, c.correction)
        text += f", {p_number(c.p_adjusted)} after {name} over all comparisons"
    return text


def _apart_by_interval(c: Comparison) -> bool:
    """Whether the p-values of test and interval speak for different things, or the larger one was corrected."""
    assert c.p_value is not None
    assert c.p_interval is not None
    if c.correction is not None and c.p_interval > 2 * c.p_value:
        return True
    return is_found(c.p_value, c.level) != is_found(c.p_interval, c.level)


def how(c: Comparison) -> str:
    """Which test it was, one- or two-sided, and over how many draws."""
    sides = "two-sided" if c.alternative == "two-sided" else f"one-sided ({c.alternative})"
    name = TEST_NAMES.get(c.test, c.test)
    if c.extreme is not None:
        return f"{sides} {name}, {c.extreme:,} of {c.draws:,} draws at least as far out"
    if c.draws is not None:
        return f"{sides} {name}, exact over {plural(c.draws, 'outcome')}"
    return f"{sides} {name}, {c.form}" if c.form else f"{sides} {name}"


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


def summary(contest: Contest) -> tuple[str, ...]:
    """The word in sentences."""
    return _of_two(contest) if len(contest.tested) == 1 else _of_many(contest)


def _of_two(contest: Contest) -> tuple[str, ...]:
    c = contest.tested[0]
    lines = [c.verdict]
    if c.difference is None:
        return tuple(lines)
    line = measured(c).removeprefix(c.a.measure)
    lines.append(f"{titled(c.a.measure)}{line}")
    if c.p_value is not None:
        lines.append(f"{p_text(c)} ({how(c)}).")
    lines += [text for text in (contest.contrast, settles(c)) if text]
    return tuple(lines)


def _of_many(contest: Contest) -> tuple[str, ...]:
    """Who is ahead of whom; a system that is ahead of none and behind none is not left out."""
    measure = titled(contest.primary)
    how = (
        f"{CORRECTION_NAMES.get(contest.correction, 'no')} correction over {plural(len(contest.tested), 'comparison')}"
    )
    if contest.baseline is not None:
        return (f"{_against(contest, contest.baseline)} ({measure}, {how}).",)
    ahead = _beaten_by(contest)
    meaning = (contest.contrast,) if contest.contrast else ()
    if len(contest.standings) < 2:
        return (f"The systems cannot be put in an order by {measure}: {_why_no_order(contest)}.", *meaning)
    first = contest.standings[0].system
    rest = [s.system for s in contest.standings[1:]]
    level = [name for name in rest if name not in ahead[first]]
    if not level:
        told = f"{first} is better than every other system by {measure}, by more than chance explains ({how})."
        return (told, *meaning)
    lines = [f"{first} has the best {measure}, but cannot be told apart from {joined(level)} ({how})."]
    beaten = sorted({name for s in contest.standings for name in ahead[s.system]} - {first}, key=rest.index)
    lines += [f"{name} is behind {joined(_winners(contest, name))}." for name in beaten]
    if not beaten:
        lines.append(f"No two systems are shown to differ in {measure}.")
    return (*lines, *meaning)


def _why_no_order(contest: Contest) -> str:
    """The reason that all systems without a value share, or that there are too few with one."""
    reasons = {e.reason for c in contest.tested for e in (c.a, c.b) if e.value is None}
    only = reasons.pop() if len(reasons) == 1 else None
    return "too few of them have a value" if only is None or contest.standings else only


def _beaten_by(contest: Contest) -> dict[str, list[str]]:
    """Whom each system is shown to be better than."""
    ranked = [s.system for s in contest.standings]
    out: dict[str, list[str]] = {name: [] for name in [*ranked, *(name for c in contest.tested for name in c.names)]}
    for c in contest.tested:
        a, b = c.names
        if c.outcome == "better":
            out[a].append(b)
        elif c.outcome == "worse":
            out[b].append(a)
    return out


def _winners(contest: Contest, name: str) -> list[str]:
    return [winner for winner, beaten in _beaten_by(contest).items() if name in beaten]


def _against(contest: Contest, baseline: str) -> str:
    found: dict[str, list[str]] = {}
    for c in contest.tested:
        found.setdefault(c.outcome, []).append(c.names[0] if c.names[1] == baseline else c.names[1])
    words = {
        "better": "{} better",
        "worse": "{} worse",
        "different": "{} different",
        "equivalent": "{} equivalent",
        "no difference shown": "no difference is shown for {}",
        "undecided": "undecided for {}",
        "not comparable": "not comparable: {}",
    }
    parts = []
    for word, names in found.items():
        text = joined(names)
        is_are = f"{text} {'is' if len(names) == 1 else 'are'}"
        parts.append(words[word].format(is_are if word in ("better", "worse", "different", "equivalent") else text))
    return f"Against {baseline}: {'; '.join(parts)}"
