"""Which measures of a classifier to report, from what its data are like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.advice.commands import NARROW, Piece, Ways, counted, known, measured, perhaps, share, wide, width
from assay.advice.facts import Facts, Sizes, ordered, summed
from assay.advice.rules.declare import Known, rules
from assay.errors import plural
from assay.measures.labels.costs import break_even_threshold
from assay.sources.magnitudes import TOLERANCE
from assay.sources.recognize import CLASSIFICATION
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.guesses import Guessed
from assay.tally.labels import Confusion
from assay.tally.scores import Scored

FEW = 10  # items of a class, under which little can be said of it
WIDE = 0.1  # a half-width from which on it is worth a word
RARE = 0.1  # a share of positives under which ROC AUC flatters
ALARMS = 0.05  # a share of false alarms that looks small on a ROC curve
EVEN = 1.5  # the largest class may have so many times the rows of the smallest, and accuracy still reads well
FLATTERED = "a threshold chosen on the rows that judge it flatters"


def class_pieces(facts: Facts, ways: Ways) -> list[Piece]:
    """Advice in order: what threatens the numbers first, then the measures, then what is only for some readers."""
    if facts.k < 2:
        return list(_one_class(facts))
    rules = (
        _positive,
        _few_of_a_class,
        _owner,
        _costs,
        _whole_table,
        _roc,
        _precision_recall,
        _one_class_at_a_time,
        _probabilities,
        _threshold,
        _accuracy,
        _macro,
        _systems,
        _scores_lacking,
        _wide_intervals,
    )
    return [piece for rule in rules for piece in rule(facts, ways)]


def balance(facts: Facts) -> str:
    """How the rows divide into classes, and what naming the largest every time would reach."""
    (first, most), (last, least) = facts.classes[0], facts.classes[-1]
    if facts.k == 1:
        return f"All {plural(facts.n, 'row')} are “{first}”."
    if facts.k == 2:
        divided = f"“{first}” has {counted(most, facts.n)} and “{last}” {counted(least, facts.n)}"
    else:
        divided = (
            f"Of {facts.k:,} classes “{first}” is the largest with {counted(most, facts.n)} and “{last}” the smallest "
            f"with {counted(least, facts.n)}"
        )
    return f"{divided}; naming “{first}” every time would be right in {share(most, facts.n)}."


# ---------------------------------------------------------------------- before any measure
def _one_class(facts: Facts) -> Iterator[Piece]:
    label = facts.classes[0][0]
    why = f"every row is “{label}”, so nothing shows whether the system can tell it from anything else."
    yield Piece("rows of another class", why)


def _positive(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.k != 2 or facts.positive is not None:
        return
    (first, _), (last, rows) = facts.classes
    needs = [
        *(["precision and recall"] if facts.labels else []),
        *(["ROC AUC and the precision–recall curve"] if facts.scores else []),
        *(["the price of an error"] if facts.costs else []),
    ]
    why = (
        f"it decides what {', '.join(needs)} mean, and neither “{first}” nor “{last}” says so. Often it is the rarer "
        f"one that is looked for, here “{last}” with {counted(rows, facts.n)}."
    )
    yield Piece("which class is positive", why, how=ways.again(last))


def _few_of_a_class(facts: Facts, ways: Ways) -> Iterator[Piece]:
    few = [label for label, rows in facts.classes if rows < FEW]
    if not few:
        return
    label, rows = facts.classes[-1]
    which = f"“{label}” has only {plural(rows, 'row')}"
    if len(few) > 1:
        which = f"{len(few):,} classes have fewer than {FEW} rows, and {which}"
    why = f"{which}: {wide(rows)}. An average over classes hides such a class."
    yield Piece("how few rows a class has", why, how=ways.plan(NARROW))


def _wide_intervals(facts: Facts, ways: Ways) -> Iterator[Piece]:
    """Intervals that are wide, where no class is so small that it was said before."""
    label, rows = facts.classes[-1]
    low, high = width(rows)
    if rows >= FEW and (high - low) / 2 > WIDE:
        why = f"“{label}” has {plural(rows, 'row')}: {wide(rows)}."
        yield Piece("how wide the intervals are", why, how=ways.plan(NARROW))


def _owner(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.owner is None or facts.clustered is not None:
        return
    column = facts.owner.column
    why = (
        f"'{column}' has {facts.owner.distinct:,} different values in {facts.owner.rows:,} rows; if rows with the same "
        "value belong together, they are not separate evidence, and intervals that take them for it are too narrow."
    )
    yield Piece(f"intervals by '{column}'", why, how=ways.evaluate(cluster=column))


def _costs(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.costs is None:
        return
    fp, fn = facts.costs
    positives = facts.positives
    if facts.k != 2 or positives is None:
        wanted = "name the positive one" if facts.k == 2 else "give a table of costs for more (--costs FILE)"
        why = f"a false alarm at {fp:g} and a miss at {fn:g} are the errors of two classes; {wanted}."
        yield Piece("what errors cost", why)
        return
    never, always = positives * fn, (facts.n - positives) * fp
    cheapest, cost = ("never raising an alarm", never) if never <= always else ("raising one every time", always)
    why = (
        f"errors have a price: an alarm pays from a probability of {break_even_threshold(fp, fn):.4g} on (break-even), "
        f"and {cheapest} costs {cost / facts.n:,.4g} per row, which the system must beat."
    )
    yield measured(f"expected_cost(fp={fp:.15g},fn={fn:.15g})", why, ways.evaluate(costs=facts.costs))
    tuned = ways.tune(facts.costs) if facts.scores else None
    if tuned is not None:
        at = "near the break-even point if they are calibrated" if facts.probabilities else "anywhere on their scale"
        why = f"with these costs the best threshold of the scores lies {at}; {FLATTERED}."
        yield Piece("the threshold that costs least", why, how=tuned)


# ---------------------------------------------------------------------- labels
def _whole_table(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.labels:
        return
    (first, most), (_, least) = facts.classes[0], facts.classes[-1]
    why = (
        f"it is 0 for naming “{first}” every time, where accuracy would be {share(most, facts.n)}, and it counts every "
        "kind of error."
    )
    yield measured("mcc", why, ways.evaluate("mcc"))
    why = (
        f"it weighs {facts.k:,} classes of {least:,} to {most:,} rows equally, and asks both how much of a class is "
        "found and how much of what is called so is right."
    )
    yield measured("symmetric_balanced_accuracy", why, ways.evaluate("symmetric_balanced_accuracy"))


def _one_class_at_a_time(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.labels:
        return
    if facts.k == 2 and facts.positives is not None:
        positives = f"{facts.positives:,} “{facts.positive}”"
        found = f"it says how many of the {positives} are found."
        worth = f"it says what an alarm is worth; alarms at random would be right in {share(facts.positives, facts.n)}."
    else:
        label, rows = facts.classes[-1]
        each = f"a value for each of {facts.k:,} classes says how much of"
        found = f"{each} a class is found; that of “{label}” rests on {plural(rows, 'row')}."
        worth = f"{each} what is called so is right."
    yield measured("recall", found, ways.evaluate("recall"))
    yield measured("precision", worth, ways.evaluate("precision"))


def _accuracy(facts: Facts, ways: Ways) -> Iterator[Piece]:
    label, most = facts.classes[0]
    if facts.labels and most <= EVEN * facts.classes[-1][1]:
        floor = f"its floor of {share(most, facts.n)} for naming “{label}” every time"
        why = f"the classes are about equally frequent, so it reads well beside {floor}."
        yield measured("accuracy", why, ways.evaluate("accuracy"))


def _macro(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.labels or facts.k < 3:
        return
    (first, most), (last, least) = facts.classes[0], facts.classes[-1]
    why = (
        f"an average over {facts.k:,} classes is only for those who must have one number; macro lets each count alike."
    )
    moves = f"“{last}” with {plural(least, 'row')} moves it as much as “{first}” with {most:,}"
    hides = f"{moves}, and it does not say which class fails"
    spelling = "f1(average=macro)"
    yield Piece("F1, macro, if it must be an average", why, spelling, hides, ways.evaluate(spelling))


def _systems(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.systems > 1 and facts.labels:
        why = (
            f"{facts.systems:,} systems answered the same {facts.n:,} rows, so what they differ by has an interval of "
            "its own; whether their intervals overlap does not say whether they differ."
        )
        yield Piece("the difference between systems", why, how=ways.compare())


# ---------------------------------------------------------------------- scores
def _scores_lacking(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.scores:
        why = (
            "labels alone show a single threshold; a column of scores would add ROC AUC, the precision–recall curve "
            "and other thresholds."
        )
        yield Piece("scores, if the system has them", why)


def _sought(facts: Facts) -> tuple[str, str, int, str]:
    """The positive class or, until it is named, the rarer one; the other one, its rows, and a reservation."""
    (first, _), (last, least) = facts.classes
    if facts.positive is None:
        return last, first, least, f"if “{last}” is positive, "
    other = first if facts.positive == last else last
    return facts.positive, other, facts.positives or 0, ""


def _roc(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.scores:
        return
    hides = "it says nothing of how rare the positives are, nor of which threshold to use"
    if facts.k > 2:
        spelling = known(ClassScored, "roc_auc(average=macro)", "roc_auc")
        why = (
            f"with a score for each of {facts.k:,} classes it tells every class from the rest, whatever the threshold."
        )
        yield perhaps("ROC AUC of every class against the rest", spelling, why, hides, ways.by_class(spelling))
        return
    positive, other, positives, reserve = _sought(facts)
    negatives = facts.n - positives
    why = (
        f"{reserve}it is the chance that a “{positive}” scores above a “{other}”, whatever the threshold, from "
        f"{positives * negatives:,} pairs."
    )
    if positives < RARE * facts.n:
        why += (
            f" It flatters where positives are rare, here {counted(positives, facts.n)}: a false-alarm rate of "
            f"{ALARMS:.0%} looks small on the ROC curve and is {ALARMS * negatives:,.0f} rows. Show the "
            "precision–recall curve beside it."
        )
    yield measured("roc_auc", why, ways.scored("roc_auc"), hides)


def _precision_recall(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.scores or facts.k != 2:
        return
    _, _, positives, reserve = _sought(facts)
    spelling = known(Scored, "average_precision")
    why = (
        f"{reserve}its floor is the share of positives, {share(positives, facts.n)}, so it shows what an alarm is "
        "worth at each recall, which the ROC curve does not."
    )
    hides = "the true negatives are not in it, and its floor moves with the share of positives"
    how = ways.curve("pr") or ways.scored(spelling)
    yield perhaps("Precision–recall curve, average precision", spelling, why, hides, how)


def _probabilities(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.probabilities or facts.ends is None:
        return
    meant = f"the scores lie between {facts.ends[0]:.3g} and {facts.ends[1]:.3g}; if they are meant as probabilities,"
    p = facts.classes[-1][1] / facts.n
    floor = f"; a probability of {p:.3g} for every row would reach {p * (1 - p):.3g}" if facts.k == 2 else ""
    hides = "it mixes how well the probabilities are calibrated with how well they tell classes apart"
    yield _of_probabilities(
        "Brier score", "brier", f"{meant} it says how far they are from what happened{floor}.", hides, facts, ways
    )
    hides = "a single probability near 0 for what happened can outweigh all other rows"
    yield _of_probabilities(
        "Log loss", "log_loss", "for probabilities it punishes being sure and wrong.", hides, facts, ways
    )
    kind = Scored if facts.k == 2 else ClassScored
    spelling = known(kind, "calibration_slope", "ece")
    why = "for probabilities it shows whether about 7 in 10 of the rows that are given 0.7 are positive."
    hides = "the share of positives as everyone's probability is calibrated, and tells nothing apart"
    how = ways.curve("calibration") or (ways.scored(spelling) if facts.k == 2 else None)
    yield perhaps("Calibration", spelling, why, hides, how)


def _of_probabilities(report: str, name: str, why: str, hides: str, facts: Facts, ways: Ways) -> Piece:
    spelling = known(Scored if facts.k == 2 else ClassScored, name)
    how = ways.scored(spelling) if facts.k == 2 else ways.by_class(spelling)
    return perhaps(report, spelling, why, hides, how)


def _threshold(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.scores or facts.probabilities or facts.ends is None:
        return
    low, high = facts.ends
    inside = low >= 0 and high <= 1
    off = f"the scores of the classes do not add up to 1 in {plural(facts.off, 'row')}"
    reason = off if inside else f"the scores lie between {low:.4g} and {high:.4g}"
    why = (
        f"{reason}, so they are no probabilities: 0.5 means nothing on their scale, and neither the Brier score nor "
        "log loss applies."
    )
    yield Piece("a threshold that you name", f"{why} And {FLATTERED}.", how=ways.tune())


# ---------------------------------------------------------------------- from a tally
def _made(classes: Sizes, tally: Tally, known: Known, **more: Any) -> Facts:
    clustered = None if tally.clusters is None else len(tally.clusters.names)
    return Facts(classes, costs=known.costs, systems=known.systems, clustered=clustered, **more)


def _by_labels(tally: Confusion, known: Known) -> Facts:
    classes = summed(tally.labels, tally.keys["gold"], tally)
    return _made(classes, tally, known, positive=tally.positive_label())


def _by_guesses(tally: Guessed, known: Known) -> Facts:
    return _made(summed(tally.labels, tally.keys["gold"], tally), tally, known)


def _by_scores(tally: Scored, known: Known) -> Facts:
    truth, score = tally.keys["positive"], tally.keys["score"]
    positives = int(tally.counts[truth].sum())
    classes = ordered({tally.positive: positives, tally.negative: tally.n - positives})
    ends = (float(score.min()), float(score.max()))
    return _made(classes, tally, known, labels=False, scores=True, ends=ends, positive=tally.positive)


def _by_class_scores(tally: ClassScored, known: Known) -> Facts:
    classes, ends = summed(tally.labels, tally.gold, tally), (float(tally.scores.min()), float(tally.scores.max()))
    off = int(tally.counts[np.abs(tally.sums - 1) > TOLERANCE].sum())
    return _made(classes, tally, known, labels=False, scores=True, by_class=True, ends=ends, off=off)


rules(
    Facts,
    CLASSIFICATION,
    class_pieces,
    balance,
    {Confusion: _by_labels, Guessed: _by_guesses, Scored: _by_scores, ClassScored: _by_class_scores},
)
