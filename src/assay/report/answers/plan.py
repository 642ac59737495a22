"""A plan as text and as a page: how many items to label, by which method, and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.plan import Needs, Planning
from assay.report.charts.plan import needs_chart, plan_chart
from assay.report.contents.blocks import Block, Columns, Facts, Figure, Page, Part, Prose
from assay.report.contents.opening import Reading, Readings
from assay.report.findings.ending import method, said
from assay.report.text.wrapping import wrapped
from assay.texts import numeral
from assay.uncertainty.planning.plan import NAMES, SamplePlan
from assay.uncertainty.results import version


def as_text(plan: Planning, width: int = 100) -> str:
    """The sentence, a line for each method, and what was assumed."""
    lines = [*wrapped(plan.sentence, width), "", *_lines(plan), ""]
    for what, texts in (("assumed", plan.plans[0].assumptions), ("note", plan.notes)):
        for text in texts:
            lines += wrapped(text, width, f" {what:<9}", " " * 10)
    return "\n".join([*lines, "", "page: --html FILE"]) + "\n"


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
        subtitle="A plan from a pilot" if _is_piloted(plan) else "A plan made before anything is labeled",
        verdict=(plan.sentence,),
        cautions=(),
        parts=(*_others(plan), _assumed(plan), method((), command)),
        version=version(),
        opening=tuple(_opening(plan)),
    )


def _is_piloted(plan: Planning) -> bool:
    return any("pilot" in text for text in plan.plans[0].assumptions)


def _opening(plan: Planning) -> Iterator[Block]:
    """The number that was asked for, by every method in large figures, and what other numbers of items would give."""
    best = plan.plans[0]
    captions = {
        "items": "Items to label, by method",
        "power": f"Power of {best.items:,} items, by method",
        "half_width": f"Half-width with {best.items:,} items, by method",
        "difference": f"Difference that {best.items:,} items detect, by method",
    }
    each = tuple(_reading(plan, one) for one in plan.plans)
    others = (" ".join(part for part in (one.name, one.text, one.limits) if part) for one in each[1:])
    note = f"For comparison: {'; '.join(others)}." if len(each) > 1 else ""
    yield Readings(captions[plan.solved].removesuffix(", by method"), each[:1], note)
    if plan.trade is not None:
        yield Figure("items", plan_chart(plan.trade, best))


def _reading(planning: Planning, plan: SamplePlan) -> Reading:
    """What one method says, and what else it gives."""
    figures = {
        "items": f"{plan.items:,}",
        "power": f"{plan.power or 0.0:.3f}",
        "half_width": f"±{plan.half_width or 0.0:.3g}",
        "difference": numeral(plan.difference or 0.0, ".3g"),
    }
    power = f"power {plan.power:.3f}" if plan.power is not None and planning.solved != "power" else ""
    limits = " ".join(part for part in (plan.inside.strip(), power, _limits(plan)) if part)
    return Reading(None, NAMES.get(plan.method, plan.method), figures[planning.solved], limits)


def _others(plan: Planning) -> Iterator[Part]:
    """What other aims would need, and what else there is to know about the numbers."""
    notes = tuple(said(note) for note in plan.notes)
    chart = None if plan.needs is None else needs_chart(plan.needs)
    beside: list[Block] = [Prose(notes, "note")] if notes else []
    if plan.needs is not None and chart is not None:
        figure = Figure("needs", chart, " · ".join(chart.subtitle))
        yield Part("items", _finding(plan.needs, plan), "Items", (Columns((figure, *beside)),))
    elif beside:
        yield Part("items", "How sure these numbers are", "Items", tuple(beside))


def _finding(needs: Needs, plan: Planning) -> str:
    """What half the difference, or half the half-width, would take."""
    half, here = needs.at(needs.here / 2), needs.at(needs.here)
    if half is None or here is None:
        return f"Items by {needs.of}"
    times = f"{half / here:.1f}".removesuffix(".0")
    what = "difference" if needs.of == "difference" else "width"
    if plan.solved == "power" and needs.power is not None:
        return f"A power of {needs.power:g} takes {here:,} items; for half the {what}, {half:,}"
    return f"Half the {what} takes {times} times the items: {half:,}"


def _limits(plan: SamplePlan) -> str:
    if plan.power_low is None or plan.power_high is None:
        return ""
    return f"({plan.power_low:.3f} to {plan.power_high:.3f})"


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
