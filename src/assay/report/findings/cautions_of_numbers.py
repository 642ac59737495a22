"""Cautions from the numbers themselves: values no better than no model, differences and gaps not established."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.errors import in_plural, joined, plural
from assay.jobs.answers.results import Row, against_guess
from assay.jobs.answers.row_texts import CHANCE, baseline, digits, interval, number
from assay.measures.declare.catalogue import parse_known, titled
from assay.measures.declare.forms import NoInterval
from assay.report.contents.blocks import Caution
from assay.report.families.scores import calibration_error
from assay.report.families.view import Material
from assay.report.names import short
from assay.report.words.comparisons import CORRECTION_NAMES, no_interval_for
from assay.tally.scores import Scored
from assay.texts import reach, size
from assay.uncertainty.results import Comparison

MOST = 3  # values that are listed one by one
MOST_PLACES = 6
GUESS = "the no-model baseline"


def named(row: Row, material: Material) -> str:
    """The measure for people, with its class, and its system where there are several."""
    of = "" if row.class_ is None else f" of {quoted(row.class_)}"
    return f"{titled(row.measure)}{of}{f' ({row.system})' if len(material.systems) > 1 else ''}"


def systems_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """The systems that rows are about."""
    return tuple(dict.fromkeys(row.system for row in rows))


def quoted(label: str) -> str:
    """A label from the data, shortened if it is very long."""
    return f"“{short(label, 40)}”"


def some(texts: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    left = len(texts) - MOST
    return "; ".join(texts[:MOST]) + (f"; and {left} more" if left > 0 else "")


# ---------------------------------------------------------------------- compared with no model
def beaten(material: Material) -> Iterator[Caution]:
    """Values that are no better than the no-model baseline."""
    lost = [row for row in _lost(material) if not _is_uncalibrated(row, material)]
    if not lost:
        return
    one = f"{named(lost[0], material)} does" if len(lost) == 1 else f"{len(lost)} values do"
    it = "It" if len(lost) == 1 else ""
    each = [f"{it or named(row, material)} is {number(row.value, _places(row))}, and {_guess(row)}" for row in lost]
    yield Caution(f"{one} not beat {GUESS}.", f"{some(each)}.", "measures", systems_of(lost))


def beaten_as_probabilities(system: str, material: Material) -> str:
    """What one caution about calibration says of losses that are no better than the no-model baseline."""
    lost = [row for row in _lost(material) if row.system == system and _is_uncalibrated(row, material)]
    each = (f"{titled(row.measure)} is {number(row.value, _places(row))}; {_guess(row)}" for row in lost)
    return some([*each]) + "." * bool(lost)


def _lost(material: Material) -> list[Row]:
    return [row for row in _guessable(material) if against_guess(row) == "behind"]


def _is_uncalibrated(row: Row, material: Material) -> bool:
    """Whether it is a loss of probabilities that are not calibrated, which is its cause."""
    found, tally = parse_known(row.measure), material.of(Scored).get(row.system)
    of_scores = found is not None and issubclass(found[0].kind, Scored)
    return of_scores and not _direction(row) and tally is not None and calibration_error(tally) is not None


def close_to_a_guess(material: Material) -> Iterator[Caution]:
    """Values that are better, but whose intervals contain the no-model baseline."""
    close = [row for row in _guessable(material) if against_guess(row) == "unclear"]
    if not close:
        return
    if len(close) == 1:
        (row,) = close
        text = f"Its interval, {interval(row, ' to ')}, contains it: {_guess(row)}."
        title = f"{named(row, material)} is not clearly better than {GUESS}."
        yield Caution(title, text, "measures", systems_of(close))
        return
    each = [f"{named(row, material)}, {interval(row, ' to ')} ({_guess(row)})" for row in close]
    text = f"Their intervals contain it: {some(each)}."
    title = f"{len(close)} values are not clearly better than {GUESS}."
    yield Caution(title, text, "measures", systems_of(close))


def _guessable(material: Material) -> Iterator[Row]:
    """Values of whole systems, except those that another caution reports as below chance."""
    for row in material.report.rows:
        if row.quantity == "value" and row.slice is None and not _is_reversed(row):
            yield row


def _guess(row: Row) -> str:
    """What the baseline gives, with a remark if lower is better."""
    lower = "" if _direction(row) else " (lower is better)"
    shown = baseline(row) if _places(row) <= digits(row) else number(row.no_skill, _places(row))
    return f"{row.no_skill_name} gives {shown}{lower}"


def _places(row: Row) -> int:
    """As many decimals as the value has everywhere, or enough to tell it from the baseline beside it."""
    places = digits(row)
    while places < MOST_PLACES and row.value != row.no_skill and _alike(row, places):
        places += 1
    return places


def _alike(row: Row, places: int) -> bool:
    return number(row.value, places) == number(row.no_skill, places)


def _is_reversed(row: Row) -> bool:
    """Whether another caution explains that this value is below chance."""
    return row.measure == "roc_auc" and row.high is not None and row.high < CHANCE


def _direction(row: Row) -> bool:
    found = parse_known(row.measure)
    return found is not None and found[0].higher_is_better is True


def undefined(material: Material) -> Iterator[Caution]:
    """Undefined values, and values whose interval was refused."""
    rows = [row for row in material.report.rows if row.quantity == "value" and row.slice is None]
    bare = [row for row in rows if row.value is not None and row.low is None and _has_interval(row, material)]
    for what, lost in (("value", [row for row in rows if row.value is None]), ("interval", bare)):
        if lost:
            one = f"{named(lost[0], material)} has" if len(lost) == 1 else f"{len(lost)} measures have"
            each = [f"{named(row, material)}: {row.reason}" for row in lost]
            text = some(each) if len(lost) > 1 else capital(str(lost[0].reason))
            yield Caution(f"{one} no {what}.", f"{text}.", "measures")


def _has_interval(row: Row, material: Material) -> bool:
    """Whether such values normally have an interval: not if the measure is declared without one, nor over folds."""
    found = parse_known(row.measure)
    usual = found is not None and not isinstance(found[0].interval, NoInterval)
    return usual and material.report.provenance.get("unit") not in ("fold", "data set")


# ---------------------------------------------------------------------- differences
def contest(material: Material) -> Iterator[Caution]:
    """Differences that were not found or are undecided."""
    held = material.report.contest
    if held is None:
        return
    if len(held.tested) == 1:
        yield from _of_one(held.tested[0])
    else:
        open_ = [c for c in held.tested if c.outcome in ("no difference shown", "undecided")]
        if open_:
            pairs = joined([f"{c.names[0]} vs. {c.names[1]}" for c in open_], MOST)
            title = f"{len(open_)} of {plural(len(held.tested), 'comparison')} {_show(open_)}."
            yield Caution(title, f"These may still differ: {pairs}.", "difference")
        for c in held.tested:
            yield from _of_one(c) if c.outcome == "not comparable" else ()
    if material.report.asked.get("unpaired"):
        things = in_plural(material.report.item)
        yield Caution(
            f"Each system was judged on its own {things}.",
            f"A difference may come from the {things} as well as from the systems.",
            "difference",
        )


def _show(open_: Sequence[Comparison]) -> str:
    shown = "found no significant difference"
    if all(c.outcome == "no difference shown" for c in open_):
        return shown
    is_are = f"{'is' if len(open_) == 1 else 'are'} undecided"
    return is_are if all(c.outcome == "undecided" for c in open_) else f"{shown} or {is_are}"


def _of_one(c: Comparison) -> Iterator[Caution]:
    found, of = c.outcome, "difference"
    if found == "no difference shown" and c.alternative != "two-sided":
        way = "higher" if c.alternative == "greater" else "lower"
        fits = "" if c.interval is None else f" {_fits(c)}"
        text = f"No significant evidence for this was found.{fits}"
        yield Caution(f"Only whether {c.names[0]} is {way} was tested.", text, of)
    elif found == "not comparable":
        yield Caution(f"{c.names[0]} and {c.names[1]} could not be compared.", f"Reason: {c.reason}.", of)
    elif found == "no difference shown":
        unseen = "" if c.mde is None else f" A true difference below {size(c.mde)} would often be missed."
        fits = "There is no interval." if c.interval is None else _fits(c)
        yield Caution("No significant difference does not mean no difference.", f"{fits}{unseen}", of)
    elif found == "undecided":
        yield Caution(f"Whether {c.names[0]} and {c.names[1]} differ is open.", _open(c), of)


def _open(c: Comparison) -> str:
    if c.p_value is None and c.margin is None:
        return "No test was made." if c.interval is None else f"No test was made. {_fits(c)}"
    if c.p_value is not None and c.interval is not None and c.margin is None:
        if 0.0 not in c.interval:
            return f"The interval, {_reach(c)}, excludes 0, but the test found no significant difference."
        if c.leaning is not None:
            return (
                f"The test found a difference, but it is not about the mean, whose interval, {_reach(c)}, contains 0."
            )
        return f"The test found a difference, but the interval, {_reach(c)}, contains 0."
    if c.margin is not None and c.margin.equivalent is None:
        return no_interval_for(c.margin)
    assert c.margin is not None
    return f"Neither a difference nor equivalence within {c.margin.margin:g} is established."


def _reach(c: Comparison) -> str:
    return reach(c.low, c.high, c.places[2])


def _fits(c: Comparison) -> str:
    return f"The data are compatible with differences {_reach(c)}."


def untested(material: Material) -> Iterator[Caution]:
    """Untested measures that seem to show a difference which the tested one does not."""
    held = material.report.contest
    if held is None or len(held.tested) != 1 or _settled(held.tested[0]):
        return
    apart = [c for c in held.others if c.low is not None and c.high is not None and not c.low <= 0 <= c.high]
    if apart:
        names = joined([titled(c.a.measure) for c in apart], MOST)
        yield Caution(
            f"Only {titled(held.primary)} was tested.",
            f"Intervals of {names} exclude 0, but among {len(held.others)} measures some may do so by chance.",
            "measures",
        )


def _settled(c: Comparison) -> bool:
    return c.outcome != "no difference shown" or c.alternative != "two-sided"


def several(material: Material) -> Iterator[Caution]:
    """That p-values are not corrected for the number of comparisons."""
    held = material.report.contest
    if held is None or len(held.tested) < 2 or held.correction in CORRECTION_NAMES:
        return
    tests = plural(len(held.tested), "comparison")
    text = "The more there are, the more often chance alone finds something."
    yield Caution(f"p is not corrected for {tests}.", text, "difference")


def capital(text: str) -> str:
    """The text with a capital letter first."""
    return text[:1].upper() + text[1:]
