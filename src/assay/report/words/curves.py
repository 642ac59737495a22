"""What curves show, in sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import joined, plural
from assay.jobs.answers.row_texts import reversed_words
from assay.measures.declare.catalogue import titled
from assay.measures.labels.costs import break_even_threshold
from assay.measures.scores.calibration import Calibration
from assay.measures.scores.curves import CostByThreshold, CostEnvelope, PrecisionRecall, Reached, Roc
from assay.measures.scores.dominance import Dominance, dominance, under_diagonal
from assay.report.names import LEFT_TO_RIGHT, clean, short
from assay.texts import decimals, numeral, percent
from assay.uncertainty.curves.bands import Band
from assay.uncertainty.results import Estimate

if TYPE_CHECKING:
    from assay.jobs.curves import Curves, SystemCurve

POINTS = {"roc": (0.01, 0.05, 0.1, 0.2), "pr": (0.25, 0.5, 0.75, 0.9)}
AXES = {"roc": ("FPR", "TPR"), "pr": ("recall", "precision")}
MANY = 3  # crossings up to which each is named
SHOWN = 6  # thresholds on the hull that are listed
NOISE = 0.02  # of the range; shorter leads of a curve are not mentioned


def sentences(c: Curves) -> Iterator[str]:
    """What the curves show, system by system and then pair by pair."""
    for each in c.systems:
        yield from _of_one(each, c)
    if c.kind in AXES:
        yield from _pairs(c)


def _pairs(c: Curves) -> Iterator[str]:
    """Every two curves; those that one curve dominates alike are told together."""
    below: dict[tuple[str, str], list[str]] = {}
    rest = []
    for a, b in combinations(c.systems, 2):
        assert isinstance(a.curve, Roc | PrecisionRecall)
        assert isinstance(b.curve, Roc | PrecisionRecall)
        found = dominance(a.curve, b.curve)
        if found.dominates:
            first, second = (clean(each.name) for each in ((a, b) if found.dominates > 0 else (b, a)))
            below.setdefault((first, _higher(found)), []).append(second)
        else:
            rest.append(_compared(clean(a.name), clean(b.name), found))
    for (first, how), names in below.items():
        yield f"{first} dominates {joined(names)} on these rows: {how}."
    yield from rest


def _higher(found: Dominance) -> str:
    """In what one curve dominates another."""
    axis, height = AXES[found.kind]
    equal = "" if found.share(0) < NOISE else f", and the same over {about(found.share(0))} of it"
    other = "precision–recall" if found.kind == "roc" else "ROC"
    return (
        f"its {height} is nowhere lower over the whole range of {axis}{equal}; it also dominates in the {other} curve"
    )


def summary_of(c: Curves) -> list[str]:
    """The measures that sum the curves up, system by system."""
    found = [(each, made) for each in c.systems for made in each.summaries if made.value is not None]
    out = [(f"{_isolated(short(each.name, 22))} " if len(c.systems) > 1 else "") + _value(made) for each, made in found]
    return [f"{titled(found[0][1].measure)}: {out[0]}", *out[1:]] if out else []


def _isolated(name: str) -> str:
    """A name that may run from right to left, with a mark that keeps it from turning the numbers after it around."""
    turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"{name}{LEFT_TO_RIGHT}" if turned else name


def about(share: float) -> str:
    """A share in percent, to about three digits."""
    return f"{100 * share:.3g}%"


def _value(made: Estimate) -> str:
    assert made.value is not None
    places = decimals(made.low, made.high)
    if made.low is None or made.high is None:
        return numeral(made.value, f".{places}f")
    value, low, high = (numeral(x, f".{places}f") for x in (made.value, made.low, made.high))
    return f"{value} ({low}–{high})"


def _limits(made: Estimate) -> str:
    places = decimals(made.low, made.high)
    return " to ".join(numeral(x, f".{places}f") for x in (made.low, made.high) if x is not None)


def _of_one(each: SystemCurve, c: Curves) -> Iterator[str]:
    name = clean(each.name)
    for made in each.summaries:
        limits = "" if made.low is None or made.high is None else f" ({percent(made.level)} {_limits(made)})"
        yield f"{name}: {titled(made.measure)} {_value(made).partition(' ')[0]}{limits}."
    if isinstance(each.curve, Roc):
        yield from _below(each, name)
        yield _hull(each.curve, name)
    elif isinstance(each.curve, PrecisionRecall):
        yield f"{name}: random alarms would have a precision of {each.curve.prevalence:.3g}, the share of positives."
    elif isinstance(each.curve, Calibration):
        yield from _calibrated(each, each.curve, name, c.level)
    elif isinstance(each.curve, CostByThreshold):
        yield _cheapest(each, each.curve, name)
    elif isinstance(each.curve, CostEnvelope):
        yield _enveloped(each.curve, name)


# ---------------------------------------------------------------------- ROC
def _below(each: SystemCurve, name: str) -> Iterator[str]:
    """That scores look reversed, or where they do worse than chance, as far as the data are sure."""
    assert isinstance(each.curve, Roc)
    auc = next((made for made in each.summaries if made.measure == "roc_auc"), None)
    below = None if auc is None else reversed_words(auc.value, auc.high, clean(each.tally.positive))
    if below is not None:
        yield f"{name} ranks worse than chance: {below}."
        return
    ranges = [(a, b) for a, b in under_diagonal(each.curve) if _is_sure(each.band, a, b)]
    if ranges:
        where = " and ".join(f"from {a:.3g} to {b:.3g}" for a, b in ranges)
        yield f"{name} does worse than chance at FPR {where}, band included: it ranks some positives near the bottom."


def _is_sure(band: Band | None, low: float, high: float) -> bool:
    """Whether the band lies below the diagonal somewhere in this range."""
    if band is None:
        return False
    inside = (band.x > low) & (band.x < high)
    return bool((band.high[inside] < band.x[inside]).any())


def useful_thresholds(curve: Roc) -> int:
    """How many thresholds are optimal at some cost ratio, other than calling all items or none positive."""
    h = curve.hull()
    return int(((h.fpr + h.tpr > 0) & (h.fpr + h.tpr < 2)).sum())


def _hull(curve: Roc, name: str) -> str:
    """The thresholds that are optimal at some cost ratio, other than calling all items or none positive."""
    h = curve.hull()
    some = (h.fpr + h.tpr > 0) & (h.fpr + h.tpr < 2)
    useful = h.threshold[some].tolist()
    if not useful:
        return f"{name}: at any cost ratio, no threshold is better than one answer for every row."
    shown = useful
    if len(useful) > SHOWN:
        shown = [useful[i] for i in np.linspace(0, len(useful) - 1, SHOWN).astype(int)]
    which = f"{', '.join(numeral(t, '.4g') for t in shown)}{', among others' if len(shown) < len(useful) else ''}"
    return (
        f"{name}: at any cost ratio, only {len(useful):,} of {plural(len(curve) - 1, 'threshold')} can be optimal, "
        f"besides one answer for every row (on the convex hull: {which})."
    )


# ---------------------------------------------------------------------- two systems
def _compared(a: str, b: str, found: Dominance) -> str:
    """Who is higher where on these items."""
    axis, height = AXES[found.kind]
    if found.dominates == 0:
        return f"{a} and {b} have the same {found.kind.upper()} curve on these rows."
    return (
        f"{_leads(a, b, found, axis, height)} These are the curves of this sample; 'assay compare' tests the systems."
    )


def _leads(a: str, b: str, found: Dominance, axis: str, height: str) -> str:
    crossings = found.crossings
    shares = f"{a} has the higher {height} over {about(found.share(1))} of the range of {axis}"
    shares += f", {b} over {about(found.share(-1))}"
    if len(crossings) > MANY:
        return f"The curves of {a} and {b} cross {len(crossings)} times; {shares}."
    at = " and ".join(filter(None, (", ".join(f"{x:.3g}" for x in crossings[:-1]), f"{crossings[-1]:.3g}")))
    ends = [s for s in found.stretches if s.higher]
    first = a if ends[0].higher > 0 else b
    times = {1: "once", 2: "twice"}.get(len(crossings), f"{len(crossings)} times")
    return f"The curves of {a} and {b} cross {times}, at {axis} {at}; {first} is higher on the left. {shares}."


# ---------------------------------------------------------------------- calibration and costs
def _calibrated(each: SystemCurve, curve: Calibration, name: str, level: float) -> Iterator[str]:
    mean, share = (float((curve.mass * part).sum() / curve.mass.sum()) for part in (curve.x, curve.y))
    yield f"{name}: scores are {mean:.3f} on average, and {share:.3f} of the rows are positive."
    if each.band is None:
        return
    out = (curve.x < each.band.low) | (curve.x > each.band.high)
    expected = (1 - level) * len(curve)
    yield (
        f"{name}: in {int(out.sum())} of {plural(len(curve), 'bin')} the mean score lies outside the {percent(level)} "
        f"limits of the share of positives; about {expected:.2g} would by chance alone."
    )


def _cheapest(each: SystemCurve, curve: CostByThreshold, name: str) -> str:
    at, cost = curve.cheapest
    never, always = float(curve.y[0]), float(curve.y[-1])
    # Written in full: a rounded threshold could leave out the very score it stands for.
    where = f"to alarm at scores of {at!r} or more" if np.isfinite(at) else "never to alarm"
    text = (
        f"{name}: on these rows it is cheapest {where}, at {numeral(cost, '.4g')} per row; never alarming costs "
        f"{numeral(never, '.4g')}, always alarming {numeral(always, '.4g')}. A threshold chosen on the rows that "
        "evaluate it is flattered: 'assay tune' chooses it on others."
    )
    if each.tally.probabilities:
        even = break_even_threshold(curve.cost_fp, curve.cost_fn)
        here = numeral(float(curve.at(even)), ".4g")
        text += f" For calibrated probabilities it would be {even:.4g}, which costs {here} here."
    return text


def _enveloped(curve: CostEnvelope, name: str) -> str:
    # The first and the last turn of the envelope are where calling none, and all, positive stop being the cheapest.
    low, high = float(curve.x[1]), float(curve.x[-2])
    if high - low <= 1e-12:
        return f"{name}: at no cost ratio is any threshold cheaper than one answer for every row."
    return (
        f"{name}: a threshold is cheaper than one answer for every row where misses could make up {about(low)} to "
        f"{about(high)} of the cost."
    )


# ---------------------------------------------------------------------- points and bands
def point(each: SystemCurve, x: float) -> tuple[str, str]:
    """The height of a curve there, and its limits where it has a band."""
    if each.band is None:
        assert isinstance(each.curve, Reached)
        return f"{float(each.curve.at(x)):.3f}", ""
    y, low, high = each.band.at(x)
    places = min(decimals(low, high), 3)
    return f"{y:.{places}f}", f"{low:.{places}f}–{high:.{places}f}"


def what_bands_are(c: Curves) -> str:
    """What the limits cover, and what they do not."""
    if c.kind == "calibration":
        return f"Limits have {percent(c.level)} confidence for each bin separately."
    clusters = next((each.band.clusters for each in c.systems if each.band is not None), None)
    whole = "" if clusters is None else f"; the sampling units are {clusters:,} whole clusters"
    return f"Limits have {percent(c.level)} confidence at each point separately, not for the whole curve{whole}."
