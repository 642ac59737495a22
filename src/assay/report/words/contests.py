"""What a comparison of systems comes to, in sentences: of two systems, of many, or against a baseline."""

from __future__ import annotations

from assay.errors import plural
from assay.jobs.comparison.contest import Contest
from assay.measures.declare.titles import joined
from assay.measures.declare.titles import name as titled
from assay.report.words.comparisons import CORRECTION_NAMES, measured, p_text, settles
from assay.report.words.comparisons import how as test_of


def summary(contest: Contest) -> tuple[str, ...]:
    """The outcome in sentences."""
    return _of_two(contest) if len(contest.tested) == 1 else _of_many(contest)


def _of_two(contest: Contest) -> tuple[str, ...]:
    c = contest.tested[0]
    lines = [c.verdict]
    if c.difference is None:
        return tuple(lines)
    line = measured(c).removeprefix(c.a.measure)
    lines.append(f"{titled(c.a.measure)}{line}")
    if c.p_value is not None:
        lines.append(f"{p_text(c)} ({test_of(c)}).")
    lines += [text for text in (contest.contrast, settles(c)) if text]
    return tuple(lines)


def _of_many(contest: Contest) -> tuple[str, ...]:
    """Who is ahead of whom; a system that is ahead of none and behind none is not left out."""
    measure = titled(contest.primary)
    how = (
        f"{CORRECTION_NAMES.get(contest.correction, 'no')} correction over {plural(len(contest.tested), 'comparison')}"
    )
    if contest.baseline is not None:
        return (f"{_against(contest, contest.baseline)} ({measure}, {how}).",)
    ahead = _beaten_by(contest)
    meaning = (contest.contrast,) if contest.contrast else ()
    if len(contest.standings) < 2:
        return (f"The systems cannot be put in an order by {measure}: {_why_no_order(contest)}.", *meaning)
    first = contest.standings[0].system
    rest = [s.system for s in contest.standings[1:]]
    level = [name for name in rest if name not in ahead[first]]
    if not level:
        told = f"{first} is better than every other system by {measure}, by more than chance explains ({how})."
        return (told, *meaning)
    lines = [f"{first} has the best {measure}, but cannot be told apart from {joined(level)} ({how})."]
    beaten = sorted({name for s in contest.standings for name in ahead[s.system]} - {first}, key=rest.index)
    lines += [f"{name} is behind {joined(_winners(contest, name))}." for name in beaten]
    if not beaten:
        lines.append(f"No two systems are shown to differ in {measure}.")
    return (*lines, *meaning)


def _why_no_order(contest: Contest) -> str:
    """The reason that all systems without a value share, or that there are too few with one."""
    reasons = {e.reason for c in contest.tested for e in (c.a, c.b) if e.value is None}
    only = reasons.pop() if len(reasons) == 1 else None
    return "too few of them have a value" if only is None or contest.standings else only


def _beaten_by(contest: Contest) -> dict[str, list[str]]:
    """Whom each system is shown to be better than."""
    ranked = [s.system for s in contest.standings]
    out: dict[str, list[str]] = {name: [] for name in [*ranked, *(name for c in contest.tested for name in c.names)]}
    for c in contest.tested:
        a, b = c.names
        if c.outcome == "better":
            out[a].append(b)
        elif c.outcome == "worse":
            out[b].append(a)
    return out


def _winners(contest: Contest, name: str) -> list[str]:
    return [winner for winner, beaten in _beaten_by(contest).items() if name in beaten]


def _against(contest: Contest, baseline: str) -> str:
    found: dict[str, list[str]] = {}
    for c in contest.tested:
        found.setdefault(c.outcome, []).append(c.names[0] if c.names[1] == baseline else c.names[1])
    words = {
        "better": "{} better",
        "worse": "{} worse",
        "different": "{} different",
        "equivalent": "{} equivalent",
        "no difference shown": "no difference is shown for {}",
        "undecided": "undecided for {}",
        "not comparable": "not comparable: {}",
    }
    parts = []
    for outcome, names in found.items():
        text = joined(names)
        is_are = f"{text} {'is' if len(names) == 1 else 'are'}"
        parts.append(
            words[outcome].format(is_are if outcome in ("better", "worse", "different", "equivalent") else text)
        )
    return f"Against {baseline}: {'; '.join(parts)}"
