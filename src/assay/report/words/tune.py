"""What can be said about a chosen threshold, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from assay.errors import plural, written
from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import baseline, value_text
from assay.jobs.answers.tuned import Tuned
from assay.measures.declare.catalogue import resolve, titled
from assay.measures.labels.costs import break_even_threshold
from assay.measures.scores.thresholds import same_labels
from assay.notes import Aside, Headed
from assay.options import STABILITY_DRAWS
from assay.report.words.comparisons import MORE_THAN_CHANCE, measured, p_text, together, verdict
from assay.texts import decimals, numeral, p_number, percent
from assay.uncertainty.curves.thresholds import FURTHER, draws_for
from assay.uncertainty.results import Estimate, outcome

MANY_MOVED = 0.02  # of the rows: so many that depend on which threshold resamples choose make it unstable
FEW = 10  # items of a class below which a threshold rests on too little
ROUNDING = 1e-9


def sentences(t: Tuned) -> tuple[str, ...]:
    """Which threshold, chosen how; what it gives; vs. another; how stable it is; and what calibration would suggest."""
    if t.threshold is None:
        return (_nothing(t),)
    parts = (" ".join(chosen(t)), judged(t), against(t), sure(t), flat(t), calibrated(t))
    return tuple(part for part in parts if part)


def notes(t: Tuned) -> tuple[str, ...]:
    """What to watch for."""
    return tuple(dict.fromkeys((*_notes(t), *t.warnings)))


# ---------------------------------------------------------------------- the threshold
def finding(t: Tuned) -> tuple[str, ...]:
    """From where to call an item positive, and what that gives; if there is nothing to show, what was chosen."""
    if not is_shown(t):
        return chosen(t)
    first = Row.of(t.estimates[0], "")
    name = "cost" if t.choice.costs is not None else titled(first.measure)
    left = elsewhere(t)
    value = "" if first.value is None else f": {name} {value_text(first)}"
    if left is not None:
        value = f": {name} about {left} on other rows"
    floor = "" if first.no_skill is None or not value else f", no model {baseline(first)}"
    return (f"Call it “{t.dev['positive']}” from {shown(t.threshold or 0.0, 3)}{value}{floor}.",)


def is_shown(t: Tuned) -> bool:
    """Whether there is a threshold to call items by, and a value to show for it."""
    return t.threshold is not None and not math.isinf(t.threshold) and bool(t.estimates)


def chosen(t: Tuned) -> tuple[str, ...]:
    """Which threshold it is, and then how it was chosen."""
    if t.threshold is None:
        return (_nothing(t),)
    positive, dev = t.dev["positive"], t.dev["source"]
    among = f"on {_rows(t.dev)}, out of {plural(t.dev['thresholds'], 'threshold')}"
    if t.threshold == math.inf:
        return (f"Call nothing “{positive}”: that gives {t.choice.words} {among}{_ties(t)}.",)
    # Written in full, to be typed: a rounded threshold could exclude the very score it stands for.
    first = f"Threshold {t.threshold!r}: a score at or above it is called “{positive}”."
    how = f"It was chosen for {t.choice.words} {among}{_ties(t)}."
    if t.found.below is None:
        return first, f"{how} It is the lowest score of {dev}, so every row there is called “{positive}”."
    upto = f"Any threshold above {t.found.below!r}, up to {t.threshold!r},"
    return first, f"{how} {upto} gives the same labels on {dev}."


def _ties(t: Tuned) -> str:
    n = t.found.equally_good
    return "" if n < 2 else f" ({n} are equally good, and the highest was taken)"


def _nothing(t: Tuned) -> str:
    found = t.found
    text = f"No threshold was chosen on {_rows(t.dev)}: {found.reason}."
    if found.closest is None or t.choice.target is None:
        return text
    where = f"at threshold {found.closest!r}"
    if found.closest == math.inf:
        where = f"where nothing is called “{t.dev['positive']}”"
    name = "mean cost" if t.choice.costs is not None else t.choice.objective
    known = found.value is not None and name != t.choice.target.measure
    beside = f" ({name} {numeral(found.value or 0.0, '.4g')})" if known else ""
    if found.limit is None:
        return f"{text} The closest is {t.choice.target.measure} {found.held:.4g}{beside}, {where}."
    if _out_of_reach(t):
        label = t.dev["positive"] if t.choice.target.measure in ("recall", "fnr") else t.dev["negative"]
        n = t.dev["positives"] if label == t.dev["positive"] else t.dev["n"] - t.dev["positives"]
        text += (
            f" No threshold can meet this target with only {plural(n, 'row')} of “{label}”: even where "
            f"{t.choice.target.measure} is {found.held:g}, {t.choice.target.limit} is {found.limit:.4g}."
        )
    rate = f"{t.choice.target.measure} is {found.held:.4g}{beside} and {t.choice.target.limit} is {found.limit:.4g}"
    return f"{text} The closest is {where}: {rate}."


def _out_of_reach(t: Tuned) -> bool:
    """Whether even the best value of the rate misses the target: its limit depends on the rows of one class alone."""
    target, scores = t.choice.target, t.scores
    assert target is not None
    plain = scores.weights is None and scores.clusters is None
    fixed = target.measure in ("recall", "specificity", "fpr", "fnr")
    return plain and fixed and t.found.held == (1 if target.at_least else 0)


def _rows(sample: Mapping[str, Any]) -> str:
    """A sample with its size and how many of it are positive."""
    inside = f" in {plural(sample['clusters'], 'cluster')}" if "clusters" in sample else ""
    positive = f"{sample['positives']:,} of them “{sample['positive']}”"
    return f"{sample['source']} ({plural(sample['n'], 'row')}{inside}, {positive})"


# ---------------------------------------------------------------------- its values
def judged(t: Tuned) -> str:
    """What it gives: on other rows, or how far it flatters on its own."""
    *held, objective = reversed(t.estimates[: len(t.choice.measures)])
    name = "the mean cost" if t.choice.costs is not None else titled(objective.measure)
    said = [*(_value(titled(each.measure), each) for each in held), _value(name, objective)]
    if t.check is None:
        return f"On these same rows {' and '.join(said)}. {_flattery(t)}"
    target = "" if t.choice.target is None else f" {_target(t, (*held, objective)[0])}"
    return f"On {_rows(t.check)} {' and '.join(said)}{_where_chosen(t, objective)}.{target}"


def _where_chosen(t: Tuned, e: Estimate) -> str:
    """The value on the rows that chose the threshold, next to that on others."""
    if t.found.value is None or e.value is None:
        return ""
    return f"; on {t.dev['source']}, which chose the threshold, it was {beside(t.found.value, e)}"


def beside(value: float, e: Estimate) -> str:
    """A number next to an estimate, with its decimals, and with more if they would look alike."""
    apart = () if e.value is None else (e.value,)
    return numeral(value, f".{decimals(e.low, e.high)}f", *apart)


def _value(name: str, e: Estimate) -> str:
    if e.value is None:
        return f"{name} is undefined ({e.reason})"
    places = decimals(e.low, e.high)
    text = f"{name} is {numeral(e.value, f'.{places}f')}"
    if e.low is None or e.high is None:
        return f"{text} (no interval: {e.reason})"
    low, high = (numeral(x, f".{places}f") for x in (e.low, e.high))
    return f"{text} ({percent(e.level)} {low} to {high})"


def _flattery(t: Tuned) -> str:
    """How much too good the values are on the rows that chose the threshold."""
    e, by = t.estimates[0], t.steadiness.optimism
    text = "That flatters the threshold, which was chosen on them"
    there = f"Judge it on other rows ({written('--check', 'check=')})."
    if by is None or e.value is None:
        return f"{text}; by how much is unknown. {there}"
    if by <= ROUNDING:
        return f"{text}; thresholds chosen on one half of them and judged on the other show no sign of it. {there}"
    name = "the mean cost" if t.choice.costs is not None else titled(e.measure)
    return (
        f"{text}: choosing on one half of them and judging on the other suggests that it is about {by:.2g} too good, "
        f"so on other rows expect {name} to be about {elsewhere(t)}. {there}"
    )


def elsewhere(t: Tuned) -> str | None:
    """The value to expect on other rows, if only the rows that chose the threshold were there to judge it."""
    by = t.steadiness.optimism
    e = t.estimates[0] if t.estimates else None
    if t.check is not None or e is None or e.value is None or by is None or by <= ROUNDING:
        return None
    low, high = resolve(e.measure, {})[0].range
    left = min(max(e.value - by if e.higher_is_better else e.value + by, low), high)
    return beside(left, e)


def _target(t: Tuned, e: Estimate) -> str:
    """Whether the target is met on other rows."""
    target = t.choice.target
    assert target is not None
    if e.value is None:
        return "Whether the target is met there is unknown."
    up = target.at_least
    sign = 1 if up else -1
    ahead = sign * (e.value - target.value) >= -ROUNDING
    if e.low is None or e.high is None:
        return f"The target ({target.bare}) is {'met' if ahead else 'missed'} there."
    worst, best = (e.low, e.high) if up else (e.high, e.low)
    if sign * (worst - target.value) >= -ROUNDING:
        return f"The target ({target.bare}) is met there, by the whole interval."
    if sign * (best - target.value) < -ROUNDING:
        return f"The target ({target.bare}) is missed there, by the whole interval."
    found = "met" if ahead else "missed"
    return f"The target ({target.bare}) is {found} on these rows; the interval leaves open whether it is met on others."


def against(t: Tuned) -> str:
    """The tuned threshold vs. the one that would have been used without tuning."""
    if not t.comparisons or t.check is None:
        return ""
    first = t.comparisons[0]
    text = f"Compared with {_other(t)}, on the same rows of {t.check['source']}:"
    if first.disagreements == 0:
        return f"{text} the tuned threshold gives the same labels to all of them."
    if t.choice.target is not None:
        each = (
            measured(c, titled(c.a.measure)) if c.difference is not None else f"{c.a.measure} cannot be compared."
            for c in t.comparisons
        )
        return f"{text} {' '.join(each)}"
    if first.difference is None:
        return f"{text} {verdict(first)}"
    p = "" if first.p_value is None else f" {p_text(first)}."
    name = "cost" if t.choice.costs is not None else titled(first.a.measure)
    return f"{text} {verdict(first)} {measured(first, name[:1].upper() + name[1:])}{p}"


def _other(t: Tuned, places: int = 6) -> str:
    even = t.choice.costs is not None and t.against == break_even_threshold(*t.choice.costs)
    assert t.against is not None
    return f"{shown(t.against, places)}{' (break-even)' if even else ''}"


# ---------------------------------------------------------------------- how stable it is
def sure(t: Tuned) -> str:
    """Which thresholds resamples choose."""
    s, dev = t.steadiness, t.dev["source"]
    if s.low is None or s.high is None:
        return f"The stability of the threshold is unknown: {s.reason}."
    what = "clusters" if "clusters" in t.dev else "rows"
    share = percent(s.level)
    where = f"{share} chose between {shown(s.low)} and {shown(s.high)}"
    if s.low == s.high:
        where = f"at least {share} chose {shown(s.low)}"
    text = (
        f"Stability of the threshold: of {s.draws:,} resamples of the {what} of {dev}{_at_most(t)}, {where} "
        "(this is the spread of choices, not a confidence interval)."
    )
    if s.without:
        none = "nothing could be chosen" if t.choice.target is None else "no threshold reached the target"
        text += f" In {s.without:,} of them {none}."
    if s.misses is not None and t.choice.target is not None:
        missing = f"{100 * s.misses:.0f}% of" if s.misses else "None of"
        more = "expect at least as many misses" if s.misses else "some may"
        text += f" {missing} these thresholds miss the target ({t.choice.target.bare}) on {dev} itself; "
        text += f"on other rows, {more}."
    return text


def _at_most(t: Tuned) -> str:
    """That no more resamples are drawn for this, where that may have been fewer than were asked for."""
    most = draws_for(int(t.dev["thresholds"]), STABILITY_DRAWS)
    return " (no more are drawn for this)" if t.steadiness.draws >= most else ""


def flat(t: Tuned) -> str:
    """Which thresholds do about as well."""
    s, dev = t.steadiness, t.dev["source"]
    if s.flat_low is None or s.flat_high is None:
        return ""
    if s.flat == 1:
        return f"No other threshold of {dev} comes within one standard error of it."
    some = "All thresholds" if s.flat == s.between else f"{s.flat} of the {s.between} thresholds"
    return (
        f"{some} from {shown(s.flat_low)} to {shown(s.flat_high)} do about as well on {dev}: within one standard "
        "error of the difference."
    )


def shown(threshold: float, places: int = 6) -> str:
    """A threshold as it is written in a sentence, with this many digits."""
    return "calling nothing" if threshold == math.inf else numeral(threshold, f".{places}g")


def calibrated(t: Tuned) -> str:
    """What the formula for calibrated probabilities gives, and whether the scores agree."""
    if t.if_calibrated is None:
        return ""
    at, why = t.if_calibrated
    even = " (break-even)" if t.choice.costs is not None else ""
    text = f"If the scores were calibrated probabilities, the best threshold would be {at:.4g}{even}: {why}."
    p = t.steadiness.p_calibrated
    if p is None or _disagrees(t):
        return text
    return (
        f"{text} On {t.dev['source']} it does worse than the chosen threshold by no more than chance would explain for "
        f"calibrated scores ({_p(t)}). This does not prove that the scores are calibrated."
    )


def _disagrees(t: Tuned) -> bool:
    """Whether the formula's threshold does worse than chance would explain for calibrated scores."""
    s = t.steadiness
    if t.if_calibrated is None:
        return False
    if s.p_calibrated is not None:
        return s.p_calibrated <= 1 - s.level + 1e-12
    return s.includes(same_labels(t.scores, t.if_calibrated[0])) is False


# ---------------------------------------------------------------------- what to watch
def doubts(t: Tuned) -> Iterator[Headed]:
    """That other rows would choose another threshold, and that the one without tuning may do as well."""
    s, dev = t.steadiness, t.dev["source"]
    if t.threshold is not None and s.low is not None and s.high is not None:
        scores = t.scores.keys["score"]
        moved = int(t.scores.counts[(scores >= s.low) & (scores < s.high)].sum())
        if moved >= MANY_MOVED * t.dev["n"]:
            rows = f"{plural(moved, 'row')} of {dev} {'has a score' if moved == 1 else 'have scores'} in between"
            ends = " to ".join(shown(x, 3) for x in (s.low, s.high))
            yield _doubt("the choice is unstable", f"{percent(s.level)} of resamples choose {ends}; {rows}")
    yield from _no_better(t)


def rival(t: Tuned) -> str:
    """Whether the threshold without tuning does as well, in a heading."""
    found = next((doubt.head for doubt in _no_better(t)), None)
    if found is not None:
        return found
    first = t.comparisons[0]
    if t.choice.target is None and first.difference is not None and outcome(first) == "better":
        return f"The chosen threshold does better than {_other(t, 3)}"
    return f"The chosen threshold and {_other(t, 3)}"


def spread_of_choices(t: Tuned) -> str:
    """Which thresholds resamples choose, in a heading."""
    s = t.steadiness
    if s.low is None or s.high is None:
        return "The stability of the threshold is unknown"
    if s.low == s.high:
        return f"At least {percent(s.level)} of resamples choose {shown(s.low, 3)}"
    return f"{percent(s.level)} of resamples choose {shown(s.low, 3)} to {shown(s.high, 3)}"


def _no_better(t: Tuned) -> Iterator[Headed]:
    """That tuning is not shown to help on other rows."""
    first = t.comparisons[0] if t.comparisons and t.choice.target is None else None
    if first is None or t.check is None or first.disagreements == 0 or first.difference is None:
        return
    found = outcome(first)
    if found == "better":
        return
    a, b, _ = together(first)
    name = "cost" if t.choice.costs is not None else titled(first.a.measure)
    values = f"{name} {b} on {t.check['source']}, the chosen threshold {a}"
    if found == "worse":
        yield _doubt(f"{_other(t, 3)} does better", f"{values}; that gap {MORE_THAN_CHANCE}")
    else:
        yield _doubt(f"{_other(t, 3)} may do as well", f"{values}; no significant difference was found")


def _doubt(head: str, rest: str) -> Headed:
    return Headed(f"{head}: {rest}", head, rest)


def _notes(t: Tuned) -> Iterator[str]:
    dev = t.dev
    if t.flattered and t.threshold is not None:
        yield (
            f"flattered: these values are from the rows of {dev['source']} on which the threshold was chosen; neither "
            "they nor their intervals account for the choice"
        )
    if _disagrees(t):
        assert t.if_calibrated is not None
        at = f"the threshold for those, {t.if_calibrated[0]:.4g},"
        how = f"{at} is outside the range that resamples choose"
        if t.steadiness.p_calibrated is not None:
            how = f"if they were, {at} would hardly be so far behind the chosen one ({_p(t)})"
        yield f"the scores do not behave like calibrated probabilities: {how}; calibrate them before using the formula"
    if dev["negative"] == f"not {dev['positive']}":
        yield Aside(f"“{dev['positive']}” is judged against all other classes together")
    if dev["thresholds"] == 2:
        yield f"all scores of {dev['source']} are the same: a threshold calls all of them “{dev['positive']}” or none"
    few = min(dev["positives"], dev["n"] - dev["positives"])
    if few < FEW:
        name = dev["positive"] if few == dev["positives"] else dev["negative"]
        yield f"only {plural(few, 'row')} of “{name}” in {dev['source']}: the threshold rests on very little"
    if t.check is not None and t.check["positives"] in (0, t.check["n"]):
        only = t.check["positive"] if t.check["positives"] else t.check["negative"]
        yield f"every row of {t.check['source']} is “{only}”, so only some measures are defined there"
    if t.check is not None and t.threshold is not None and t.against is None:
        yield Aside("the scores are not probabilities, so there is no default to compare with; name one with --against")


def _p(t: Tuned) -> str:
    """How often calibrated scores would leave the formula as far behind; at the floor that draws can reach, a bound."""
    p, draws = t.steadiness.p_calibrated, min(t.steadiness.draws, FURTHER)
    assert p is not None
    return f"p {'≤' if p * (draws + 1) < 1.5 else '='} {p_number(p)}"
