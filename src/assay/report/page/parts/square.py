"""Several systems against each other: every difference once, in a triangle ordered by the measure."""

from __future__ import annotations

from assay.errors import joined
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report
from assay.measures.declare.catalogue import titled
from assay.report.contents.opening import Square, SquareCell
from assay.report.words.comparisons import CORRECTION_NAMES, final_p
from assay.texts import p_number, reach, signed
from assay.uncertainty.results import Comparison

MOST = 12  # systems whose pairs fit a page
FEW_PS = 4  # p-values of which the first and last are named
PLAIN = ("better", "worse", "no difference shown")  # outcomes that need no words of their own


def square_of(report: Report, contest: Contest) -> Square | None:
    """Every pair of up to a dozen systems; None if not all pairs were compared."""
    order = [s.system for s in contest.standings]
    held = {c.names: c for c in contest.tested}
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    if not 3 <= len(order) <= MOST or any((a, b) not in held and (b, a) not in held for a, b in pairs):
        return None
    places = {system.name: i for i, system in enumerate(report.systems)}
    rows = tuple(
        tuple(None if j <= i else _cell(a, b, held, places) for j, b in enumerate(order) if j > 0)
        for i, a in enumerate(order[:-1])
    )
    caption = f"{titled(contest.primary)}: row minus column"
    return Square(caption, tuple((places[name], name) for name in order), rows, _note(contest))


def _cell(a: str, b: str, held: dict[tuple[str, str], Comparison], places: dict[str, int]) -> SquareCell:
    c = held.get((a, b), held.get((b, a)))
    assert c is not None
    turned = c.names != (a, b)
    if c.difference is None:
        return SquareCell("–", None, "", f"not comparable: {c.reason}")
    value = -c.difference if turned else c.difference
    ahead = {"better": c.names[0], "worse": c.names[1]}.get(c.outcome)
    doubt = "" if ahead is not None else "?" if c.outcome in PLAIN else f" {c.outcome}"
    return SquareCell(
        signed(value, c.places[2]),
        None if ahead is None else places[ahead],
        f"\u202f{doubt}" if doubt == "?" else doubt,
        f"{c.names[0]} minus {c.names[1]}: {_told(c)}",
    )


def _told(c: Comparison) -> str:
    p = final_p(c)
    limits = "" if c.interval is None else f"{reach(c.low, c.high, c.places[2])}; "
    return f"{limits}{'no test' if p is None else f'p {p_number(p, c.level)}'}; {c.outcome}"


def _note(contest: Contest) -> str:
    """What marks and question marks mean, and the p-values of pairs in which no difference was found."""
    open_ = [c for c in contest.tested if c.outcome == "no difference shown"]
    text = "The mark is that of the better system."
    if not open_:
        return text
    ps = sorted((p, c.level) for c in open_ if (p := final_p(c)) is not None)
    way = CORRECTION_NAMES.get(contest.correction)
    each = list(dict.fromkeys(p_number(p, level) for p, level in ps))
    told = f"= {joined(each)}" if len(each) < FEW_PS else f"from {each[0]} to {each[-1]}"
    shown = f" (p {told}{f', {way}' if way else ''})" if ps else ""
    return f"{text} A question mark: no significant difference was found{shown}."
