"""Which measures of a classifier to report, from what its data are like."""

from __future__ import annotations

from collections.abc import Iterator

from assay.advice.commands import NARROW, Piece, Ways, counted, known, measured, perhaps, share, wide, width
from assay.advice.facts import Facts, classes_of_table, classes_of_tally
from assay.errors import plural
from assay.measures.labels.costs import break_even_threshold
from assay.tally.class_scores import ClassScored
from assay.tally.scores import Scored

FEW = 10  # items of a class, below which little can be said about it
WIDE = 0.1  # a half-width above which the interval is worth a remark
RARE = 0.1  # a share of positives below which ROC AUC flatters
ALARMS = 0.05  # a share of false alarms that looks small on a ROC curve
EVEN = 1.5  # the ratio of the largest class to the smallest up to which accuracy is easy to read
FLATTERED = "a threshold chosen on the rows it is judged on looks better than it is"

from_table, from_tally = classes_of_table, classes_of_tally


def pieces(facts: Facts, ways: Ways) -> list[Piece]:
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


def told(facts: Facts) -> str:
    """How the rows divide into classes, and the accuracy of always predicting the largest."""
    (first, most), (last, least) = facts.classes[0], facts.classes[-1]
    if facts.k == 1:
        return f"All {plural(facts.n, 'row')} are “{first}”."
    if facts.k == 2:
        divided = f"“{first}” has {counted(most, facts.n)} and “{last}” {counted(least, facts.n)}"
    else:
        divided = (
            f"Of {facts.k:,} classes, “{first}” is the largest, with {counted(most, facts.n)}, and “{last}” the "
            f"smallest, with {counted(least, facts.n)}"
        )
    return f"{divided}; always predicting “{first}” has an accuracy of {share(most, facts.n)}."


# ---------------------------------------------------------------------- before any measure
def _one_class(facts: Facts) -> Iterator[Piece]:
    label = facts.classes[0][0]
    why = f"every row is “{label}”, so the data cannot show whether the system can tell it from anything else."
    yield Piece("rows of another class", why)


def _positive(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.k != 2 or facts.positive is not None:
        return
    (first, _), (last, rows) = facts.classes
    needs = [
        *(["precision and recall"] if facts.labels else []),
        *(["ROC AUC and the precision–recall curve"] if facts.scores else []),
        *(["the cost of an error"] if facts.costs else []),
    ]
    why = (
        f"it decides what {', '.join(needs)} mean, and neither “{first}” nor “{last}” is positive by convention. "
        f"Often it is the rarer class, here “{last}” with {counted(rows, facts.n)}."
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
    """Wide intervals, unless a class is so small that another rule already says so."""
    label, rows = facts.classes[-1]
    low, high = width(rows)
    if rows >= FEW and (high - low) / 2 > WIDE:
        why = f"“{label}” has {plural(rows, 'row')}: {wide(rows)}."
        yield Piece("how wide the intervals are", why, how=ways.plan(NARROW))


def _owner(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.owner is None or facts.clustered is not None:
        return
    column = facts.owner.column
    so = "they are not independent, and intervals that treat them as independent are too narrow."
    yield Piece(f"intervals clustered by '{column}'", f"{facts.owner.found}, {so}", how=ways.evaluate(cluster=column))


def _costs(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.costs is None:
        return
    fp, fn = facts.costs
    positives = facts.positives
    if facts.k != 2 or positives is None:
        wanted = "name the positive class" if facts.k == 2 else "for more, give a table of costs (--costs FILE)"
        why = f"false alarms (cost {fp:g}) and misses (cost {fn:g}) are errors between two classes; {wanted}."
        yield Piece("what errors cost", why)
        return
    never, always = positives * fn, (facts.n - positives) * fp
    cheapest, cost = ("never raising an alarm", never) if never <= always else ("always raising one", always)
    why = (
        f"errors have a price: an alarm pays off at a probability of {break_even_threshold(fp, fn):.4g} or more "
        f"(break-even), and {cheapest} costs {cost / facts.n:,.4g} per row, which the system must beat."
    )
    yield measured(f"expected_cost(fp={fp:.15g},fn={fn:.15g})", why, ways.evaluate(costs=facts.costs))
    tuned = ways.tune(facts.costs) if facts.scores else None
    if tuned is not None:
        near = "is near the break-even point if they are calibrated"
        at = near if facts.probabilities else "may be anywhere on their scale"
        why = f"at these costs, the best threshold for the scores {at}; {FLATTERED}."
        yield Piece("the threshold that costs least", why, how=tuned)


# ---------------------------------------------------------------------- labels
def _whole_table(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.labels:
        return
    (first, most), (_, least) = facts.classes[0], facts.classes[-1]
    why = (
        f"it is 0 for always predicting “{first}”, where accuracy would be {share(most, facts.n)}, and it counts every "
        "kind of error."
    )
    yield measured("mcc", why, ways.evaluate("mcc"))
    why = (
        f"it weights {facts.k:,} classes of {least:,} to {most:,} rows equally, and reflects both how much of each "
        "class is found and how often predicting it is right."
    )
    yield measured("symmetric_balanced_accuracy", why, ways.evaluate("symmetric_balanced_accuracy"))


def _one_class_at_a_time(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.labels:
        return
    if facts.k == 2 and facts.positives is not None:
        positives = f"{facts.positives:,} “{facts.positive}”"
        found = f"it says how many of the {positives} rows are found."
        worth = f"it says what an alarm is worth; random alarms have a precision of {share(facts.positives, facts.n)}."
    else:
        label, rows = facts.classes[-1]
        each = f"a value for each of {facts.k:,} classes shows how"
        found = f"{each} much of the class is found; the value for “{label}” rests on {plural(rows, 'row')}."
        worth = f"{each} often predicting the class is right."
    yield measured("recall", found, ways.evaluate("recall"))
    yield measured("precision", worth, ways.evaluate("precision"))


def _accuracy(facts: Facts, ways: Ways) -> Iterator[Piece]:
    label, most = facts.classes[0]
    if facts.labels and most <= EVEN * facts.classes[-1][1]:
        floor = f"its floor of {share(most, facts.n)} (always predicting “{label}”)"
        why = f"the classes are about equally frequent, so it is easy to compare with {floor}."
        yield measured("accuracy", why, ways.evaluate("accuracy"))


def _macro(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.labels or facts.k < 3:
        return
    (first, most), (last, least) = facts.classes[0], facts.classes[-1]
    why = f"use an average over {facts.k:,} classes only if you need a single number; macro weights each equally."
    moves = f"“{last}” with {plural(least, 'row')} moves it as much as “{first}” with {most:,}"
    hides = f"{moves}, and it does not say which class fails"
    spelling = "f1(average=macro)"
    yield Piece("F1, macro, if it must be an average", why, spelling, hides, ways.evaluate(spelling))


def _systems(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if facts.systems > 1 and facts.labels:
        why = (
            f"{facts.systems:,} systems answered the same {facts.n:,} rows, so the difference between them has its "
            "own interval; whether their separate intervals overlap does not show whether they differ."
        )
        yield Piece("the difference between systems", why, how=ways.compare())


# ---------------------------------------------------------------------- scores
def _scores_lacking(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.scores:
        why = (
            "labels alone show performance at a single threshold; a column of scores would add ROC AUC, the "
            "precision–recall curve and other thresholds."
        )
        yield Piece("scores, if the system has them", why)


def _sought(facts: Facts) -> tuple[str, str, int, str]:
    """The positive class or, until it is named, the rarer one; the other class, the positive rows, and a caveat."""
    (first, _), (last, least) = facts.classes
    if facts.positive is None:
        return last, first, least, f"if “{last}” is positive, "
    other = first if facts.positive == last else last
    return facts.positive, other, facts.positives or 0, ""


def _roc(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.scores:
        return
    hides = "it says nothing about how rare positives are, or which threshold to use"
    if facts.k > 2:
        spelling = known(ClassScored, "roc_auc(average=macro)", "roc_auc")
        why = (
            f"with a score for each of {facts.k:,} classes, it shows how well each class is separated from the rest, "
            "whatever the threshold."
        )
        yield perhaps("ROC AUC of every class against the rest", spelling, why, hides, ways.by_class(spelling))
        return
    positive, other, positives, reserve = _sought(facts)
    negatives = facts.n - positives
    why = (
        f"{reserve}it is the probability that a “{positive}” row scores above a “{other}” row, whatever the "
        f"threshold, from {positives * negatives:,} pairs."
    )
    if positives < RARE * facts.n:
        why += (
            f" It flatters when positives are rare, here {counted(positives, facts.n)}: a false-alarm rate of "
            f"{ALARMS:.0%} looks small on the ROC curve but means {ALARMS * negatives:,.0f} rows. Show the "
            "precision–recall curve next to it."
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
    hides = "it ignores true negatives, and its floor moves with the share of positives"
    how = ways.curve("pr") or ways.scored(spelling)
    yield perhaps("Precision–recall curve, average precision", spelling, why, hides, how)


def _probabilities(facts: Facts, ways: Ways) -> Iterator[Piece]:
    if not facts.probabilities or facts.ends is None:
        return
    meant = f"the scores lie between {facts.ends[0]:.3g} and {facts.ends[1]:.3g}; if they are meant as probabilities,"
    p = facts.classes[-1][1] / facts.n
    floor = f"; predicting {p:.3g} for every row would score {p * (1 - p):.3g}" if facts.k == 2 else ""
    hides = "it mixes how well the probabilities are calibrated with how well they separate the classes"
    yield _of_probabilities(
        "Brier score", "brier", f"{meant} it measures how far they are from the outcomes{floor}.", hides, facts, ways
    )
    hides = "a single probability near 0 for the true outcome can outweigh all other rows"
    yield _of_probabilities(
        "Log loss", "log_loss", "for probabilities, it punishes being confident and wrong.", hides, facts, ways
    )
    kind = Scored if facts.k == 2 else ClassScored
    spelling = known(kind, "calibration_slope", "ece")
    why = "for probabilities, it shows whether about 7 in 10 of the rows given 0.7 are positive."
    hides = "giving every row the share of positives is calibrated, yet separates nothing"
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
    off = f"the class scores do not add up to 1 in {plural(facts.off, 'row')}"
    reason = off if inside else f"the scores lie between {low:.4g} and {high:.4g}"
    why = (
        f"{reason}, so they are not probabilities: 0.5 means nothing on their scale, and neither the Brier score nor "
        "log loss applies."
    )
    yield Piece("a threshold that you choose", f"{why} Also, {FLATTERED}.", how=ways.tune())
