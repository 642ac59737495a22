"""The page of curves: what they show, the picture, a few of its points, and what its bands cover."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.errors import joined, plural
from assay.jobs.answers.results import Row
from assay.measures.scores.calibration import Calibration
from assay.measures.scores.curves import CostByThreshold, CostEnvelope, PrecisionRecall, Roc
from assay.notes import NOT_CALIBRATED, urgency_of
from assay.report.charts.curves import drawn, items_of, remarks
from assay.report.contents.blocks import Block, Caution, Columns, Figure, Page, Part, Prose, Stack, Table
from assay.report.families.scores import dominating, heading, points
from assay.report.findings.cautions import uncalibrated
from assay.report.findings.ending import data_facts, method, not_measured, standing, titled_note
from assay.report.page.opening import readings_of
from assay.report.words.curves import AXES, POINTS, useful_thresholds, what_bands_are
from assay.tables import Cell, Section
from assay.texts import numeral, percent
from assay.uncertainty.results import version

if TYPE_CHECKING:
    from assay.jobs.curves import Curves, SystemCurve

METHODS = {"order_statistics": "order statistics of the scores", "wilson": "Wilson limits for each bin"}
STEPS = {"calibration": "one for each bin", "envelope": "where another threshold becomes the cheapest"}
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the cost that misses could make up, in the table of a cost curve
MOST_NAMED = 3  # systems in a heading
FALSE_ALARMS, RECALL = 0.05, 0.9  # where one curve is read off
FLATTERED = Caution(
    "The cheapest threshold is flattered.",
    "It was found on the rows that evaluate it; 'assay tune' chooses one on other rows.",
)


def page_of(c: Curves, command: str | None = None) -> Page:
    """The page of curves."""
    source = str(c.provenance.get("source", ""))
    return Page(
        title=f"{c.picture.title}: {', '.join(each.name for each in c.systems)}",
        subtitle=" · ".join(filter(None, (source, items_of(c)))),
        verdict=_verdict(c),
        cautions=tuple(_cautions(c)),
        parts=tuple(_parts(c, command)),
        version=version(),
        opening=tuple(_opening(c)),
        standing=standing() if any(each.band is not None or each.summaries for each in c.systems) else "",
        names=tuple(each.name for each in c.systems),
    )


def _verdict(c: Curves) -> tuple[str, ...]:
    """What the curves show on these items; the values that sum them up are below it in large figures."""
    if c.kind == "cost":
        return tuple(map(_cheapest, c.systems))
    if c.kind == "calibration" and all(each.band is not None for each in c.systems):
        return (_fit(c),)
    found = dominating(c)
    if found:
        return (f"{found} on these rows.",)
    if c.kind in AXES and len(c.systems) == 1:
        return (_at_a_point(c.systems[0]),)
    return (f"{heading(c)}.",) if c.kind in AXES else remarks(c)[:1]


def _at_a_point(each: SystemCurve) -> str:
    """How high one curve is where most readers look."""
    curve, name = each.curve, each.name
    if isinstance(curve, Roc):
        found = percent_of(float(curve.at(FALSE_ALARMS)))
        return f"At {percent_of(FALSE_ALARMS)} false alarms, {name} finds {found} of “{each.tally.positive}”."
    assert isinstance(curve, PrecisionRecall)
    return f"At a recall of {RECALL:g}, {name} has a precision of {float(curve.at(RECALL)):.2f}."


def percent_of(share: float) -> str:
    """A share in whole percent, or in tenths near the ends."""
    return f"{100 * share:.{0 if 0.01 <= share <= 0.99 or share in (0, 1) else 1}f}%"


def _fit(c: Curves) -> str:
    """In how many bins the scores fit the share of positives."""
    fits = []
    for each in c.systems:
        assert each.band is not None
        inside = (each.curve.x >= each.band.low) & (each.curve.x <= each.band.high)
        fits.append((float(inside.mean()), each.name, int(inside.sum()), len(inside)))
    if len(fits) > 2:
        most = max(fits)
        best = joined([f"{name}'s" for share, name, *_ in fits if share == most[0]])
        return f"{best} scores fit the share of positives best: in {most[2]} of {plural(most[3], 'bin')}."
    told = (f"{name}'s scores fit the share of positives in {n} of {plural(bins, 'bin')}" for _, name, n, bins in fits)
    return f"{', '.join(told)}."


def _opening(c: Curves) -> Iterator[Block]:
    """The values that sum the curves up with a few of their points, and the curves."""
    rows = [(i, Row.of(e, each.name)) for i, each in enumerate(c.systems) for e in each.summaries[:1]]
    if c.kind in AXES:  # the larger the area the better
        rows.sort(key=lambda each: -(each[1].value or 0.0))
    left: list[Block] = []
    if rows:
        left.append(readings_of([row for _, row in rows], {row.system: i for i, row in rows}))
    if c.kind in POINTS:
        left.append(Table(points(c)))
    if left:
        yield Columns((Stack(tuple(left)),))
    yield Figure(c.kind, c.picture, " · ".join(drawn(c)))


def _cheapest(each: SystemCurve) -> str:
    assert isinstance(each.curve, CostByThreshold)
    at, cost = each.curve.cheapest
    where = "where it never alarms" if math.isinf(at) else f"at threshold {numeral(at, '.4g')}"
    return f"{each.name} costs least {where}: {numeral(cost, '.4g')} per row."


def _cautions(c: Curves) -> Iterator[Caution]:
    if c.kind == "cost":
        yield FLATTERED
    for each in c.systems:
        yield from (replace(caution, of=None) for caution in uncalibrated(each.name, each.tally))
    for note in c.notes:
        if urgency_of(note) != NOT_CALIBRATED:
            yield Caution(*titled_note(note))


def _parts(c: Curves, command: str | None) -> Iterator[Part]:
    lead = tuple(text for text in remarks(c) if text not in _verdict(c))
    told: list[Block] = [Prose(lead)] if lead else []
    told += [Prose((what_bands_are(c),), "note")] if any(each.band is not None for each in c.systems) else []
    if told:
        yield Part("curve", _finding(c), "Curve", tuple(told))
    if c.kind not in POINTS:
        yield Part("points", "Points", "Points", tuple(Table(section) for section in _tables(c)))
    yield method(_facts(c), command)


def _finding(c: Curves) -> str:
    """What the sentences below it begin with."""
    first = c.systems[0]
    if isinstance(first.curve, Roc):
        each = [f"{useful_thresholds(s.curve):,} of {s.name}" for s in c.systems if isinstance(s.curve, Roc)]
        return f"Few thresholds can be optimal: {joined(each, MOST_NAMED)}"
    if isinstance(first.curve, PrecisionRecall):
        return f"Random alarms would have a precision of {first.curve.prevalence:.3g}"
    means = [(s.name, s.curve.x, s.curve.y, s.curve.mass) for s in c.systems if isinstance(s.curve, Calibration)]
    if means:
        each = [f"{name}'s scores are {float(x @ mass / mass.sum()):.3f}" for name, x, _, mass in means]
        share = float(means[0][2] @ means[0][3] / means[0][3].sum())
        return f"On average {joined(each, MOST_NAMED)}; {share:.3f} of the rows are positive"
    return "What the curve shows"


def _facts(c: Curves) -> Iterator[tuple[str, str]]:
    yield "Points", STEPS.get(c.kind, "one for each threshold")
    for band in (each.band for each in c.systems[:1] if each.band is not None):
        yield "Band", f"{percent(band.level)}, {band.coverage}, by {METHODS.get(band.method, band.method)}"
    for signature in dict.fromkeys(made.signature for each in c.systems for made in each.summaries):
        yield "Signature", signature
    # The fingerprint in the signature is of the scores' classes; that of the labels would differ.
    yield from data_facts({name: fact for name, fact in c.provenance.items() if name != "gold fingerprint"})
    yield "Not measured", not_measured()


# ---------------------------------------------------------------------- tables
def _tables(c: Curves) -> Iterator[Section]:
    if c.kind == "calibration":
        yield from map(_bins, c.systems)
    elif c.kind == "cost":
        yield _costs(c)
    else:
        yield _envelope(c)


def _bins(each: SystemCurve) -> Section:
    curve = each.curve
    assert isinstance(curve, Calibration)
    rows = []
    for i in range(len(curve)):
        limits = "" if each.band is None else f"{each.band.low[i]:.3f}–{each.band.high[i]:.3f}"
        cells = (Cell(f"{curve.x[i]:.3f}"), Cell(f"{curve.y[i]:.3f}", limits), Cell(f"{curve.mass[i]:,.6g}"))
        rows.append((f"from {numeral(curve.threshold[i], '.3g')}", cells))
    return Section(f"bins of {each.name}", ("mean score", "positive", "n"), tuple(rows))


def _costs(c: Curves) -> Section:
    rows = []
    for each in c.systems:
        curve = each.curve
        assert isinstance(curve, CostByThreshold)
        at, cost = curve.cheapest
        where = "never alarm" if math.isinf(at) else f"{at!r}"
        costs = (cost, float(curve.y[0]), float(curve.y[-1]))
        rows.append((each.name, (Cell(where), *(Cell(numeral(x, ".4g"), value=x) for x in costs))))
    return Section("cost per row", ("cheapest threshold", "cost there", "never alarm", "always alarm"), tuple(rows))


def _envelope(c: Curves) -> Section:
    rows = []
    for each in c.systems:
        assert isinstance(each.curve, CostEnvelope)
        rows.append((each.name, tuple(Cell(f"{cost:.3f}", value=cost) for cost in each.curve.at(SHARES).tolist())))
    rows.append(("one answer for every row", tuple(Cell(f"{min(x, 1 - x):.3f}") for x in SHARES)))
    title = "normalized cost where misses could make up"
    return Section(title, tuple(f"{100 * x:g}%" for x in SHARES), tuple(rows))
