"""A plan as text and as a page: how many items to label, by which method, and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.plan import Planning
from assay.report.charts.plan import plan_chart
from assay.report.page.blocks import Block, Facts, Figure, Page, Part, Prose, Table
from assay.report.page.ending import method, said
from assay.report.page.opening_blocks import Reading, Readings
from assay.report.text.wrapping import wrapped
from assay.tables import Cell, Section
from assay.texts import numeral
from assay.uncertainty.planning.plan import NAMES, SamplePlan
from assay.uncertainty.results import version


def as_text(plan: Planning, width: int = 100) -> str:
    """The sentence, a line for each method, and what was assumed."""
    lines = [*wrapped(plan.sentence, width), "", *_lines(plan), ""]
    for what, texts in (("assumed", plan.plans[0].assumptions), ("note", plan.notes)):
        for text in texts:
            lines += wrapped(text, width, f" {what:<9}", " " * 10)
    return "\n".join(lines) + "\n"


def _lines(planning: Planning) -> Iterator[str]:
    clustered = any(plan.clusters is not None for plan in planning.plans)
    powered = any(plan.power is not None for plan in planning.plans)
    solved = SOLVED.get(planning.solved, "")
    head = f" {'method':<20}{'items':>12}" + f"{'clusters':>12}" * clustered
    head += f"{solved:>12}" * bool(solved) + f"{'power':>9}" * powered
    yield head
    yield "─" * len(head)
    for plan in planning.plans:
        line = f" {NAMES.get(plan.method, plan.method):<20}{plan.items:>12,}"
        if clustered:
            line += f"{plan.clusters:>12,}"
        if solved:
            line += f"{numeral(_solved(planning, plan), '.4f'):>12}"
        yield line + (f"{plan.power:>9.3f}" if plan.power is not None else "")


SOLVED = {"half_width": "half-width", "difference": "difference"}  # what is shown for each method if it was asked for


def _solved(planning: Planning, plan: SamplePlan) -> float:
    return float(getattr(plan, planning.solved))


def page_of(plan: Planning, command: str | None = None) -> Page:
    """The page of a plan."""
    return Page(
        title="How many items to label",
        subtitle="A plan made before anything is labeled",
        verdict=(plan.sentence,),
        cautions=(),
        parts=(_methods(plan), _assumed(plan), method((), command)),
        version=version(),
        opening=tuple(_opening(plan)),
    )


def _opening(plan: Planning) -> Iterator[Block]:
    """The number that was asked for in large figures, and what other numbers of items would give."""
    best = plan.plans[0]
    asked: dict[str, tuple[str, str, str]] = {
        "items": ("Items to label", "items", f"{best.items:,}"),
        "power": ("Power", f"{best.items:,} items", f"{best.power or 0.0:.2f}"),
        "half_width": ("Half-width", f"{best.items:,} items", f"±{best.half_width or 0.0:.3g}"),
        "difference": ("Difference that is detected", f"{best.items:,} items", numeral(best.difference or 0.0, ".3g")),
    }
    caption, name, text = asked[plan.solved]
    inside = "" if best.clusters is None else f"in {best.clusters:,} clusters"
    yield Readings(f"{caption} · {NAMES.get(best.method, best.method)}", (Reading(None, name, text, inside),))
    if plan.trade is not None:
        yield Figure("items", plan_chart(plan.trade, best))


def _methods(plan: Planning) -> Part:
    lead = "The first method is the one to use; the others are for comparison." if len(plan.plans) > 1 else ""
    notes = tuple(said(note) for note in plan.notes)
    blocks = (Table(_table(plan)), *([Prose(notes, "note")] if notes else []))
    return Part("items", "Items", "Items", blocks, (lead,) if lead else ())


def _table(planning: Planning) -> Section:
    """A row for each method, with the columns that any of them fills."""
    plans, solved = planning.plans, SOLVED.get(planning.solved)
    shown = {
        "items": [Cell.of(plan.items) for plan in plans],
        "clusters": [_cell(plan.clusters, ",.0f") for plan in plans],
        **({solved: [_cell(_solved(planning, plan), ".4f") for plan in plans]} if solved else {}),
        "power": [_cell(plan.power, ".3f", _limits(plan)) for plan in plans],
    }
    kept = {name: cells for name, cells in shown.items() if any(cell.value is not None for cell in cells)}
    rows = zip((NAMES.get(plan.method, plan.method) for plan in plans), zip(*kept.values(), strict=True), strict=True)
    return Section("Items by method", tuple(kept), tuple(rows))


def _cell(value: float | None, written: str, note: str = "") -> Cell:
    return Cell("–") if value is None else Cell(numeral(value, written), note, value=float(value))


def _limits(plan: SamplePlan) -> str:
    if plan.power_low is None or plan.power_high is None:
        return ""
    return f"{plan.power_low:.3f} to {plan.power_high:.3f}"


def _assumed(plan: Planning) -> Part:
    return Part("assumed", "What was assumed", "Assumed", (Facts(tuple(_facts(plan.plans[0], plan.solved))),))


def _facts(plan: SamplePlan, solved: str) -> Iterator[tuple[str, str]]:
    if plan.half_width is not None:
        yield "Half-width", f"±{plan.half_width:.4g}"
    if plan.difference is not None and solved == "difference":
        yield "True difference", f"{numeral(plan.difference, '.4g')}, the smallest that is detected with this power"
    elif plan.difference is not None:
        yield (
            "True difference",
            f"{numeral(plan.difference, 'g')}, chosen because it would matter, not because it was observed",
        )
    if plan.design_effect is not None:
        yield (
            "Design effect",
            f"{plan.design_effect:.4g}: the number of items needed, relative to rows without clusters",
        )
    for at, text in enumerate(plan.assumptions, start=1):
        yield f"Assumption {at}" if len(plan.assumptions) > 1 else "Assumption", said(text)
