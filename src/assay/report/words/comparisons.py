"""Comparisons in plain words: the verdict, the difference, the test, and the outcome for many systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.errors import in_plural, plural
from assay.measures.declare.catalogue import parse_known, titled
from assay.tally.labels import Confusion
from assay.texts import SMALL, numeral, p_number, percent, reach, rounded_up, share_text, signed, size
from assay.uncertainty.results import Comparison, MarginTest, at_odds, holds_zero, is_found, is_told, outcome, torn

TEST_NAMES = {
    "randomization": "randomization test",
    "bootstrap": "paired bootstrap test",
    "mcnemar": "exact McNemar test",
    "mcnemar_midp": "mid-p McNemar test",
    "mcnemar_chi2": "McNemar χ² test",
    "mcnemar_chi2_corrected": "McNemar χ² test with continuity correction",
    "sign": "sign test",
    "delong": "DeLong test",
    "interval": "test based on the paired interval",
    "permutation": "permutation test of separate items",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "corrected_t": "corrected resampled t test",
    "5x2cv": "5×2cv t test",
    "5x2cv_f": "combined 5×2cv F test",
    "none": "no test",
}
CORRECTION_NAMES = {
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bonferroni": "Bonferroni",
    "benjamini_hochberg": "Benjamini–Hochberg",
    "benjamini_yekutieli": "Benjamini–Yekutieli",
}
MEANING = (
    "p is the probability of a difference at least this large if H0 were true; it is not the probability that H0 is "
    "true, and says nothing about how large or useful the difference is."
)
MORE_THAN_CHANCE = "is larger than chance would explain"


def verdict(c: Comparison) -> str:
    """The outcome in a sentence or two."""
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
        return _nothing_found(c)
    who = f"{a} and {b} differ" if found == "different" else f"{a} outperforms {b}"
    if found == "worse":
        who = f"{b} outperforms {a}"
    side = f" {_odds(c)}" if found == "different" and at_odds(c) else ""
    small = "" if c.margin is None else f" {_versus_margin(c, c.margin)}"
    return f"{who}; the gap {MORE_THAN_CHANCE}.{side}{small}"


def no_interval_for(m: MarginTest) -> str:
    """That nothing is known about a margin."""
    return f"There is no interval to compare with the margin of {m.margin:g}."


def _versus_margin(c: Comparison, m: MarginTest) -> str:
    """How a difference that was found compares with the margin."""
    if m.equivalent:
        return f"Even so, the difference is within the margin of {m.margin:g}."
    if m.equivalent is None:
        return no_interval_for(m)
    least = min(abs(x) for x in (m.low, m.high) if x is not None)
    if m.low is not None and m.high is not None and m.low * m.high > 0 and least >= m.margin:
        return f"The difference is larger than the margin of {m.margin:g}: {_fits(c, margin=True)}."
    return f"Whether it is within the margin of {m.margin:g} remains open: {_fits(c, margin=True)}."


def _odds(c: Comparison) -> str:
    return f"The direction remains open: the {TEST_NAMES.get(c.test, c.test)} {_leans(c)}."


def _leans(c: Comparison) -> str:
    """Whose values a test that reads no mean finds higher, and that the mean disagrees where it does."""
    finds = f"finds that {c.names[0 if c.leaning == 1 else 1]} tends to be higher"
    if not at_odds(c):
        return finds
    return f"{finds}, which is {'not higher' if c.difference == 0 else 'lower'} on average"


def _undecided(c: Comparison) -> str:
    a, b = c.names
    if torn(c):
        return f"Undecided between {a} and {b}: {_tearing(c)}."
    if c.margin is None:
        fits = f"; {_fits(c)}" if c.interval is not None else ""
        why = f", because there is no interval: {c.reason}" if c.interval is None and c.reason else ""
        return f"Undecided between {a} and {b}: no test was made{why}{fits}."
    if c.margin.equivalent is None:
        return f"Undecided between {a} and {b}: there is no interval to compare with the margin ({c.reason})."
    rest = f" {a} is worse than {b} by less than {c.margin.margin:g}, if at all." if c.margin.not_worse else ""
    return (
        f"Undecided between {a} and {b}: neither a significant difference nor equivalence within {c.margin.margin:g} "
        f"was found; {_fits(c, margin=True)}.{rest}"
    )


def _tearing(c: Comparison) -> str:
    """What the test says, and how the interval contradicts it."""
    test = TEST_NAMES.get(c.test, c.test)
    if is_told(c) and c.leaning is not None:
        finds = f"the {test} {_leans(c)} ({p_text(c)})"
        return f"{finds}, but it is not a test of the mean, whose interval contains 0; {_fits(c)}"
    if is_told(c):
        which = "the interval" if holds_zero(c) else "the interval at a level corrected for all comparisons"
        return f"the {test} tells them apart ({p_text(c)}), but {which} contains 0; {_fits(c)}"
    if c.least_p is not None and c.least_p > 1 - c.level + 1e-12:
        why = f"has too few possible outcomes to give a p-value below {p_number(c.least_p, c.level)}"
    else:
        why = f"does not tell them apart ({p_text(c)})"
    return f"the interval excludes 0, but the {test} {why}; {_fits(c)}"


def _nothing_found(c: Comparison) -> str:
    a, b = c.names
    what = {
        "two-sided": f"No significant difference was found between {a} and {b}",
        "greater": f"No significant evidence was found that {a} is higher than {b}",
        "less": f"No significant evidence was found that {a} is lower than {b}",
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
    """The smallest true difference that the test detects with 80% power, and at which spread."""
    assert c.mde is not None
    # The more tests are corrected together, the harder each is to pass; this is the power of the hardest.
    least = "at least " if c.correction is not None else ""
    same = "spread" if c.disagreements is None or c.effect.superiority is not None else "rate of disagreement"
    return f"at this {same} the test had {least}80% power to detect a difference of {size(c.mde)}"


def _fits(c: Comparison, *, margin: bool = False) -> str:
    low, high, level = (
        (c.low, c.high, c.level) if not margin or c.margin is None else (c.margin.low, c.margin.high, c.margin.level)
    )
    if low is None and high is None:
        return "there is no interval"
    at = f" at {percent(level)} confidence" if margin else ""
    return f"the data are compatible with differences {reach(low, high, c.places[2])}{at}"


def _apart(c: Comparison) -> bool:
    low, high = (c.low, c.high) if None in c.both_sides else c.both_sides
    return low is not None and high is not None and not low <= 0 <= high


def _bound(c: Comparison) -> str:
    low, high = (c.low, c.high) if None in c.both_sides else c.both_sides
    if low is None or high is None:
        return ""
    return f"; on similar data a difference of up to {size(max(-low, high))} is still possible"


def described(c: Comparison) -> str:
    """The verdict, the difference with its interval, then the test and what else is worth knowing."""
    if c.difference is None:
        return f"{c.a.measure}: {verdict(c)}"
    lines = [verdict(c), measured(c)]
    if c.interval is None:
        lines.append(f"No interval for the difference: {c.reason}.")
    if c.p_value is not None:
        lines.append(f"{p_beside(c)} ({how(c)}). Null hypothesis: {c.h0}")
    lines += [text for text in (effects(c), settles(c)) if text]
    lines += c.notes
    return "\n".join(lines)


def measured(c: Comparison, measure: str | None = None) -> str:
    """Both values, and the difference with its interval; the measure is spelled as in options unless it is named."""
    a, b, apart = together(c)
    limits = "" if c.interval is None else f" ({limits_text(c)})"
    return f"{measure or c.a.measure} {a} vs. {b}: difference {apart}{limits}{_differing(c)}."


def together(c: Comparison) -> tuple[str, str, str]:
    """Both values and the difference, rounded so that they can stand next to each other."""
    a, b = (numeral(float(e), f".{places}f") for e, places in zip((c.a, c.b), c.places, strict=False))
    assert c.difference is not None
    return a, b, signed(c.difference, c.places[2])


def _differing(c: Comparison) -> str:
    """On how many items the answers differ, of those that the measure is a share of."""
    e = c.effect
    if e.counted is not None and None not in (e.only_a, e.only_b, e.both, e.neither):
        apart = (e.only_a or 0) + (e.only_b or 0)
        return f"; they differ on {apart:,} of {plural(apart + (e.both or 0) + (e.neither or 0), e.counted)}"
    if c.disagreements is None or _of_scores(c):
        return ""
    return f"; they differ on {c.disagreements:,} of {plural(c.n, c.item)}"


def _of_scores(c: Comparison) -> bool:
    """Whether scores are compared, which differ on nearly every item."""
    found = parse_known(c.a.measure)
    return found is not None and not issubclass(found[0].kind, Confusion)


def limits_text(c: Comparison) -> str:
    """The level, and the limits or the limit that the question asks for."""
    limits = reach(c.low, c.high, c.places[2])
    if None in (c.low, c.high):
        return f"{percent(c.level)} one-sided, {limits}"
    return f"{percent(c.level)} {limits.removeprefix('from ')}"


def effects(c: Comparison, *, right: bool = True) -> str:
    """Who was right where unless that is told elsewhere, and the size of the difference in other terms."""
    e, (a, b) = c.effect, c.names
    parts = []
    if right and e.only_a is not None and e.only_b is not None and e.both is not None and e.neither is not None:
        total = e.only_a + e.only_b + e.both + e.neither
        of = "" if e.counted is None else f", of {plural(total, e.counted)}"
        parts.append(
            f"only {a} right {e.only_a:,} · only {b} right {e.only_b:,} · both {e.both:,} · neither {e.neither:,}{of}"
        )
    if e.odds_ratio is not None:
        odds = "∞" if math.isinf(e.odds_ratio) else f"{e.odds_ratio:.3g}"
        of = "" if right else f", {e.only_a:,} to {e.only_b:,} that only one of them got right"
        parts.append(f"odds ratio {odds}{of}")
    if e.superiority is not None:
        things = in_plural(c.item)
        parts.append(f"{a} is higher on {share_text(e.superiority)} of the {things}, a tie counting half")
    if e.d_z is not None:
        parts.append(f"the mean difference is {numeral(e.d_z, '.3g')} standard deviations of the differences (d_z)")
    return "; ".join(parts)


def settles(c: Comparison) -> str:
    """How many more items would let the test detect a smaller difference, where none was found."""
    if outcome(c) not in ("no difference shown", "undecided") or c.finer is None or not c.more_items or _apart(c):
        return ""
    labeled = "labeled " if c.item in ("row", "item") else ""
    more = rounded_up(c.more_items)
    about = f"{plural(more, f'more {labeled}{c.item}')} ({rounded_up(c.n + more):,} in all)"
    why = "" if c.mde is None else f", a round size below what these {in_plural(c.item)} can detect"
    if c.margin is not None and c.margin.margin == c.finer:
        why = ", the margin"
    return f"About {about} would give 80% power to detect a difference of {c.finer:g}{why}."


def final_p(c: Comparison) -> float | None:
    """The p-value for all comparisons where it was corrected for them, otherwise that of the test."""
    return c.p_value if c.p_adjusted is None else c.p_adjusted


def final_p_text(c: Comparison) -> str:
    """The same in digits, as a bound where no draw was as extreme; a dash where there is none."""
    p = final_p(c)
    return "–" if p is None else f"{'≤ ' if c.extreme == 0 else ''}{p_number(p, c.level)}"


def final_p_words(c: Comparison) -> str:
    """The same after “p”; small ones as a bound, where there is little room."""
    p = final_p(c)
    if p is not None and p < SMALL and c.extreme != 0:
        return "p < 0.0001"
    text = final_p_text(c)
    return f"p {text}" if text.startswith(("≤", "<")) else f"p = {text}"


def p_text(c: Comparison) -> str:
    """The p-value; at the floor that draws can reach it is a bound. That of the interval is added where it matters."""
    assert c.p_value is not None
    text = f"p {_equals(c)}"
    if c.p_interval is not None and _apart_by_interval(c):
        text += f" by the test and {p_number(c.p_interval, c.level)} by the interval"
    if c.p_adjusted is not None and c.correction is not None:
        name = CORRECTION_NAMES.get(c.correction, c.correction)
        text += f", {p_number(c.p_adjusted, c.level)} after {name} correction for all comparisons"
    return text


def p_beside(c: Comparison) -> str:
    """The p-value next to the verdict, without that of the interval if the verdict has both."""
    full = p_text(c)
    return f"p {_equals(c)}" if c.p_adjusted is None and full in verdict(c) else full


def _equals(c: Comparison) -> str:
    """The p-value of the test, with the sign before it."""
    assert c.p_value is not None
    shown = p_number(c.p_value, c.level)
    return f"{'≤ ' if c.extreme == 0 and c.draws is not None else '' if shown.startswith('<') else '= '}{shown}"


def _apart_by_interval(c: Comparison) -> bool:
    """Whether the p-values of test and interval lead to different findings, or the larger one was corrected."""
    assert c.p_value is not None
    assert c.p_interval is not None
    if c.correction is not None and c.p_interval > 2 * c.p_value:
        return True
    return is_found(c.p_value, c.level) != is_found(c.p_interval, c.level)


def how(c: Comparison, tested: Sequence[Comparison] = ()) -> str:
    """Which test it was, one- or two-sided, and over how many draws; of several comparisons, the fewest and most."""
    name = sided_test(c)
    if c.statistic is not None and c.statistic.name == "chi2":
        name = f"{name}, {c.statistic}"
    if c.extreme is not None:
        return f"{name}, {c.extreme:,} of {c.draws:,} draws at least as extreme"
    if c.draws is not None:
        numbers = {each.draws for each in tested if each.extreme is None and each.draws is not None} | {c.draws}
        fewest = f"{min(numbers):,} to " if len(numbers) > 1 else ""
        return f"{name}, exact over {fewest}{plural(max(numbers), 'outcome')}"
    return f"{name}, {c.form}" if c.form else name


def sided_test(c: Comparison) -> str:
    """The name of a test, and its side if it has one."""
    name = TEST_NAMES.get(c.test, c.test)
    if c.alternative == "two-sided":
        return f"two-sided {name}"
    return f"one-sided {name} ({c.names[0]} {'higher' if c.alternative == 'greater' else 'lower'})"


def hypotheses(c: Comparison) -> tuple[str, str]:
    """The null hypothesis and its alternative, with the measure's name for people."""
    return (c.h0, c.h1) if c.hypotheses is None else c.hypotheses.sentences(titled(c.a.measure))
