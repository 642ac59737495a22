"""The page of curves: what they show, the picture, a few of its points, and what its bands cover."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.jobs.results import Row
from assay.measures.scores.calibration import Calibration
from assay.measures.scores.curves import CostByThreshold, CostEnvelope, PrecisionRecall, Roc
from assay.measures.scores.dominance import dominance
from assay.report.page.blocks import Block, Caution, Figure, Page, Part, Prose, Table
from assay.report.page.ending import data_facts, divided, method, not_measured, standing
from assay.report.page.opening import readings_of
from assay.report.text.curves import AXES, POINTS, point, summary_of, what_bands_are
from assay.tables import Cell, Section
from assay.texts import numeral, percent
from assay.uncertainty.results import version

if TYPE_CHECKING:
    from assay.jobs.curves import Curves, SystemCurve

METHODS = {"order_statistics": "order statistics of the scores", "wilson": "Wilson limits for each bin"}
STEPS = {"calibration": "one for each bin", "envelope": "where another threshold becomes the cheapest"}
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the cost that misses could make up, in the table of a cost curve
FLATTERED = Caution(
    "The cheapest threshold is flattered.",
    "It was found on the rows that evaluate it; 'assay tune' chooses one on other rows.",
)


def page_of(c: Curves, command: str | None = None) -> Page:
    """The page of curves."""
    verdict, lead = _sentences(c)
    found = _dominating(c)
    return Page(
        title=f"{c.picture.title}: {', '.join(each.name for each in c.systems)}",
        subtitle=str(c.provenance.get("source", "")),
        verdict=(*found, *verdict),
        cautions=tuple(_cautions(c)),
        parts=tuple(_parts(c, lead, command)),
        version=version(),
        opening=tuple(_opening(c)),
        standing=standing() if any(each.band is not None or each.summaries for each in c.systems) else "",
        names=tuple(each.name for each in c.systems),
    )


def _dominating(c: Curves) -> tuple[str, ...]:
    """That one of two curves is nowhere below the other, or that they cross."""
    if c.kind not in AXES or len(c.systems) != 2:
        return ()
    (a, b), curve = (each.name for each in c.systems), c.picture.title
    first, second = (each.curve for each in c.systems)
    assert isinstance(first, Roc | PrecisionRecall)
    assert isinstance(second, Roc | PrecisionRecall)
    found = dominance(first, second).dominates
    if found is None:
        return (f"The {curve}s of {a} and {b} cross on these items.",)
    if found == 0:
        return (f"The {curve}s of {a} and {b} are the same on these items.",)
    return (f"The {curve} of {a if found > 0 else b} is nowhere below that of {b if found > 0 else a} on these items.",)


def _opening(c: Curves) -> Iterator[Block]:
    """The values that sum the curves up, and the curves."""
    rows = [(i, Row.of(e, each.name)) for i, each in enumerate(c.systems) for e in each.summaries[:1]]
    if rows:
        yield readings_of([row for _, row in rows], {row.system: i for i, row in rows})
    yield Figure(c.kind, c.picture, " · ".join(c.picture.subtitle))


def _sentences(c: Curves) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands out, and what goes next to the picture."""
    if c.kind == "cost":
        return tuple(map(_cheapest, c.systems)), c.sentences
    summary = summary_of(c)
    if len(c.systems) > 1 and summary:
        return (f"{', '.join(summary)}.",), c.sentences
    return c.sentences[:1], c.sentences[1:]


def _cheapest(each: SystemCurve) -> str:
    assert isinstance(each.curve, CostByThreshold)
    at, cost = each.curve.cheapest
    where = "where it never alarms" if math.isinf(at) else f"at threshold {numeral(at, '.4g')}"
    return f"{each.name} costs least {where}: {numeral(cost, '.4g')} per item."


def _cautions(c: Curves) -> Iterator[Caution]:
    if c.kind == "cost":
        yield FLATTERED
    for note in c.notes:
        yield Caution(*divided(note))


def _parts(c: Curves, lead: tuple[str, ...], command: str | None) -> Iterator[Part]:
    bands = any(each.band is not None for each in c.systems)
    told: list[Block] = [Prose(lead)] if lead else []
    told += [Prose((what_bands_are(c),), "note")] if bands else []
    if told:
        yield Part("curve", "What the curve shows", "Curve", tuple(told))
    yield Part("points", "Points", "Points", tuple(Table(section) for section in _tables(c)))
    yield method(_facts(c), command)


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
    if c.kind in POINTS:
        yield _points(c)
    elif c.kind == "calibration":
        yield from map(_bins, c.systems)
    elif c.kind == "cost":
        yield _costs(c)
    else:
        yield _envelope(c)


def _points(c: Curves) -> Section:
    axis, height = AXES[c.kind]
    rows = tuple((each.name, tuple(Cell(*point(each, x)) for x in POINTS[c.kind])) for each in c.systems)
    return Section(f"{height} at {axis}", tuple(f"{x:g}" for x in POINTS[c.kind]), rows)


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
    return Section("cost per item", ("cheapest threshold", "cost there", "never alarm", "always alarm"), tuple(rows))


def _envelope(c: Curves) -> Section:
    rows = []
    for each in c.systems:
        assert isinstance(each.curve, CostEnvelope)
        rows.append((each.name, tuple(Cell(f"{cost:.3f}", value=cost) for cost in each.curve.at(SHARES).tolist())))
    rows.append(("one answer for every item", tuple(Cell(f"{min(x, 1 - x):.3f}") for x in SHARES)))
    title = "normalized cost where misses could make up"
    return Section(title, tuple(f"{100 * x:g}%" for x in SHARES), tuple(rows))
