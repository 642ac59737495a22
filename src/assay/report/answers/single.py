"""One estimate, or one comparison of two systems, as text and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.errors import plural
from assay.measures.declare.catalogue import titled
from assay.report.contents.blocks import Facts, Page, Part, Prose, Table
from assay.report.findings.ending import method, said
from assay.report.text.wrapping import wrapped
from assay.report.words.comparisons import described, hypotheses
from assay.tables import Cell, Section
from assay.texts import decimals, numeral, p_number, percent, signed
from assay.uncertainty.results import Comparison, Estimate, version


def estimate_text(e: Estimate, width: int = 100) -> str:
    """The value with its interval, and what to know about it."""
    return _wrapped([str(e), *map(said, e.notes)], width)


def comparison_text(c: Comparison, width: int = 100) -> str:
    """The verdict, the numbers behind it, and what to know about them."""
    return _wrapped(described(c).splitlines(), width)


def _wrapped(lines: Sequence[str], width: int) -> str:
    return "\n".join("\n".join(wrapped(line, width)) for line in lines) + "\n"


def estimate_page(e: Estimate, command: str | None = None) -> Page:
    """The page of an estimate."""
    return Page(
        title=titled(e.measure),
        subtitle=f"n = {e.n:,}",
        verdict=(said(str(e)),),
        cautions=(),
        parts=(Part("value", "Value", "Value", (Table(_table([("", e)])), *_notes(e.notes))), _method(e, command)),
        version=version(),
    )


def comparison_page(c: Comparison, command: str | None = None) -> Page:
    """The page of a comparison."""
    first, *rest = described(c).splitlines()
    a, b = c.names
    blocks = (Table(_table([(a, c.a), (b, c.b)], c.places[:2])), Table(_difference(c)))
    return Page(
        title=f"{a} vs. {b}",
        subtitle=f"{titled(c.a.measure)}, {plural(c.n, c.item)}",
        verdict=(first, *rest[: max(len(rest) - len(c.notes), 0)]),
        cautions=(),
        parts=(
            Part("values", "Values and difference", "Values", (*blocks, *_notes(c.notes))),
            Part("test", "Test", "Test", (Facts(tuple(_test(c))),)),
            method([("Interval", c.method), ("Signature", c.signature)], command),
        ),
        version=version(),
    )


def _table(estimates: Sequence[tuple[str, Estimate]], least: Sequence[int] = (0, 0)) -> Section:
    """A row for each system: value, limits, and the no-model baseline."""
    level = percent(estimates[0][1].level)
    rows = []
    for (system, e), at_least in zip(estimates, least, strict=False):
        places = max(decimals(e.low, e.high), at_least)
        cells = [_cell(x, places, e.reason) for x in (e.value, e.low, e.high, e.no_skill)]
        rows.append((system or titled(e.measure), tuple(cells)))
    return Section("Value", ("value", f"{level} from", "to", "no model"), tuple(rows))


def _cell(value: float | None, places: int, reason: str | None) -> Cell:
    return Cell("–", reason or "") if value is None else Cell(numeral(value, f".{places}f"), value=value)


def _difference(c: Comparison) -> Section:
    places = c.places[2]
    each = (c.difference, c.low, c.high)
    cells = [Cell("–", c.reason or "") if x is None else Cell(signed(x, places), value=x) for x in each]
    return Section(
        "Difference", ("difference", f"{percent(c.level)} from", "to"), ((" minus ".join(c.names), tuple(cells)),)
    )


def _test(c: Comparison) -> Iterator[tuple[str, str]]:
    h0, h1 = hypotheses(c)
    yield "Test", c.test
    yield "Null hypothesis (H0)", said(h0)
    yield "Alternative (H1)", said(h1)
    if c.p_value is not None:
        yield "p-value", p_number(c.p_value, c.level)


def _notes(notes: Sequence[str]) -> Iterator[Prose]:
    if notes:
        yield Prose(tuple(said(note) for note in notes), "note")


def _method(e: Estimate, command: str | None) -> Part:
    return method([("Interval", f"{percent(e.level)}, {e.method}"), ("Signature", e.signature)], command)
