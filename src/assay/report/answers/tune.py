"""The page of a chosen threshold: what it gives, compared with which other one, and how stable it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.errors import plural
from assay.jobs.answers.results import Row
from assay.jobs.answers.row_texts import number
from assay.measures.declare.catalogue import titled
from assay.report.charts.tune import SIZE, threshold_chart
from assay.report.contents.blocks import Block, Caution, Columns, Figure, Page, Part, Stack, Table
from assay.report.families.errors import errors_found
from assay.report.families.labels import frequencies_of
from assay.report.families.matrix import matrix_of
from assay.report.findings.ending import data_facts, method, not_measured, said, standing, titled_note
from assay.report.page.opening import on_null, readings_of
from assay.report.page.parts.forest import measures_part
from assay.report.words.tune import (
    against,
    calibrated,
    chosen,
    doubts,
    finding,
    flat,
    is_shown,
    judged,
    rival,
    shown,
    spread_of_choices,
    sure,
)
from assay.tables import Cell, Section
from assay.texts import p_number, percent, signed
from assay.uncertainty.results import Comparison, version

if TYPE_CHECKING:
    from assay.jobs.answers.results import Report
    from assay.jobs.answers.tuned import Tuned

FLATTERED = "flattered: "


def page_of(t: Tuned, command: str | None = None) -> Page:
    """The page of a chosen threshold."""
    return Page(
        title=f"A threshold for {t.dev['score']}",
        subtitle=f"Chosen for {t.choice.words}",
        verdict=_verdict(t),
        cautions=tuple(_cautions(t)),
        parts=tuple(_parts(t, command)),
        version=version(),
        opening=tuple(_opening(t)),
        standing=standing(),
        names=(str(t.dev["score"]),),
    )


def _verdict(t: Tuned) -> tuple[str, ...]:
    """From where to call it positive, and what that gives."""
    return (*finding(t), *((judged(t),) if t.report is not None else ()))


def _opening(t: Tuned) -> Iterator[Block]:
    """What was chosen for in large figures, what every threshold gives, and what it means in frequencies."""
    if not is_shown(t) or t.report is None:
        return
    chart = threshold_chart(t)
    name = f"from {shown(float(t.threshold or 0.0))}"
    wanted = [Row.of(e, name) for e in t.estimates[: len(t.choice.measures)]]
    flattered = ", flattered" if t.flattered else ""
    left: list[Block] = [replace(readings_of([row], {name: 0}, flattered), note="") for row in wanted]
    first = next((c for c in t.comparisons if c.difference is not None), None)
    if first is not None:
        left.append(on_null(first, None))
    if t.labels is not None:
        left += frequencies_of({name: t.labels}, (name,))
    yield Stack(tuple(left))
    yield Figure("threshold", chart, " · ".join(chart.subtitle))


def _cautions(t: Tuned) -> Iterator[Caution]:
    """That values are flattered comes first: it concerns every number on the page."""
    flattered = [note for note in t.all_notes if note.startswith(FLATTERED)]
    for note in flattered:
        yield Caution("The values are flattered.", said(note.removeprefix(FLATTERED)), of="values")
    for doubt in doubts(t):
        yield Caution(*titled_note(doubt))
    for note in t.all_notes:
        if note not in flattered:
            yield Caution(*titled_note(note))


def _parts(t: Tuned, command: str | None) -> Iterator[Part]:
    if t.report is not None:
        yield from _values(t, t.report)
    if t.comparisons:
        yield _other(t)
    yield _choice(t)
    if t.report is not None:
        others = t.report.systems[0].sections[-1]
        many = f"{len(others.rows):,} of {plural(t.dev['thresholds'], 'threshold')}"
        yield Part("thresholds", f"{many} on {t.dev['source']}", "Thresholds", (Table(others),))
    yield method(_facts(t), command)


# ---------------------------------------------------------------------- what it gives
def _values(t: Tuned, report: Report) -> Iterator[Part]:
    where = t.dev if t.check is None else t.check
    flattered = " (flattered)" if t.flattered else ""
    made = measures_part(report)
    yield replace(made, id="values", title=f"What it gives on {where['source']}{flattered}", nav="Values")
    if t.labels is not None:
        name = report.systems[0].name
        lead = (report.systems[0].headline, "Shading is the share of each row. Blue is correct, red is wrong.")
        yield Part(
            "errors", errors_found({name: t.labels}), "Errors", (Columns((matrix_of(t.labels, name, 0),)),), lead
        )


# ---------------------------------------------------------------------- compared with another threshold
def _other(t: Tuned) -> Part:
    assert t.against is not None
    return Part("against", rival(t), "Comparison", (Table(_differences(t)),), (against(t),))


def _differences(t: Tuned) -> Section:
    assert t.against is not None
    columns = ("tuned threshold", shown(t.against), "difference", "p")
    return Section("On the same rows", columns, tuple((titled(c.a.measure), _compared(c)) for c in t.comparisons))


def _compared(c: Comparison) -> tuple[Cell, ...]:
    values = (Cell(number(each.value, places)) for each, places in zip((c.a, c.b), c.places, strict=False))
    if c.difference is None:
        return *values, Cell("–", c.reason or ""), Cell("–")
    places = c.places[2]
    limits = ""
    if c.low is not None and c.high is not None:
        limits = f"{signed(c.low, places)} to {signed(c.high, places)}"
    p = Cell("–") if c.p_value is None else Cell(p_number(c.p_value, c.level), value=c.p_value)
    return *values, Cell(signed(c.difference, places), limits, value=c.difference), p


# ---------------------------------------------------------------------- the choice
def _choice(t: Tuned) -> Part:
    """Which thresholds were as good, and which would have been chosen on other rows."""
    chart = threshold_chart(t)
    # The opening shows the chart, if there is one.
    beside: list[Block] = [] if is_shown(t) else [Figure("threshold", chart, " · ".join(chart.subtitle))]
    beside += [Figure("cost_curve", curve, "for all costs at once") for curve in _cost_curve(t)]
    ranges = _ranges(t)
    below: list[Block] = [Table(ranges)] if ranges.rows else []
    blocks = (Columns(tuple(beside)), *below) if len(beside) > 1 else (Columns((*beside, *below)),)
    lead = tuple(text for text in (*(chosen(t) if is_shown(t) else ()), sure(t), flat(t), calibrated(t)) if text)
    return Part("choice", spread_of_choices(t), "Choice", blocks, lead)


def _cost_curve(t: Tuned) -> Iterator[Any]:
    """What the scores cost for all costs at once, where a cost was named."""
    if t.choice.costs is not None:
        from assay.jobs.curves import curves

        yield replace(curves({str(t.dev["score"]): t.scores}, kind="envelope").picture, size=SIZE)


def _ranges(t: Tuned) -> Section:
    s = t.steadiness
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    if t.threshold is not None:
        note = "" if t.found.below is None else "above"
        rows.append(("gives the same labels", (_threshold(t.found.below, note), _threshold(t.threshold), Cell(""))))
    if s.low is not None:
        rows.append((f"{percent(s.level)} of resamples choose", _range(s.low, s.high, f"of {s.draws:,} resamples")))
    if s.flat_low is not None:
        some = f"{s.flat:,} of {s.between:,} thresholds"
        rows.append(("about as good", _range(s.flat_low, s.flat_high, some)))
    if t.if_calibrated is not None:
        at = t.if_calibrated[0]
        rows.append(("best for calibrated probabilities", (Cell(f"{at:.4g}"), Cell(f"{at:.4g}"), Cell(""))))
    return Section("Ranges of thresholds", ("from", "to", ""), tuple(rows), _without(t))


def _range(low: float | None, high: float | None, note: str) -> tuple[Cell, ...]:
    return _threshold(low), _threshold(high), Cell(note)


def _threshold(at: float | None, note: str = "") -> Cell:
    if at is None:
        return Cell("any")
    return Cell(shown(at), note, value=None if math.isinf(at) else at)


def _without(t: Tuned) -> str:
    s = t.steadiness
    told = []
    if s.without:
        told.append(f"In {s.without:,} resamples nothing could be chosen.")
    if s.optimism is not None:
        told.append(f"The value on the rows that chose the threshold is too good by about {max(s.optimism, 0):.2g}.")
    return " ".join(told)


# ---------------------------------------------------------------------- method
def _facts(t: Tuned) -> Iterator[tuple[str, str]]:
    yield "Chosen for", t.choice.words
    yield "Chosen on", _sample(t.dev)
    yield "Judged on", "the same rows: flattered" if t.check is None else _sample(t.check)
    if t.report is not None:
        yield "Intervals", t.report.methods
        told = ("source", "n", "flattered")  # above
        yield from data_facts({name: value for name, value in t.report.provenance.items() if name not in told})
    yield "Not measured", not_measured()


def _sample(facts: Any) -> str:
    positives = f"{facts['positives']:,} of them “{facts['positive']}”"
    return f"{facts['source']}: {facts['n']:,} rows, {positives}, {facts['thresholds']:,} thresholds"
