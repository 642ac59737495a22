"""The outcome of a comparison of two or of many systems, in sentences."""

from __future__ import annotations

from assay.errors import joined, plural
from assay.jobs.answers.contest import Contest
from assay.lazily import family_module, family_name
from assay.measures.declare.catalogue import parse_known, titled
from assay.report.words.comparisons import (
    CORRECTION_NAMES,
    MORE_THAN_CHANCE,
    TEST_NAMES,
    how,
    measured,
    p_beside,
    settles,
)


def summary(contest: Contest) -> tuple[str, ...]:
    """The outcome in sentences."""
    return _of_two(contest) if len(contest.tested) == 1 else _of_many(contest)


def _of_two(contest: Contest) -> tuple[str, ...]:
    c = contest.tested[0]
    lines = [c.verdict]
    if c.difference is None:
        return tuple(lines)
    lines.append(measured(c, titled(c.a.measure)))
    if c.p_value is not None:
        lines.append(f"{p_beside(c)} ({how(c)}).")
    lines += [text for text in (contest.contrast, settles(c)) if text]
    return tuple(lines)


def _of_many(contest: Contest) -> tuple[str, ...]:
    """Who is ahead of whom; a system that is neither ahead of nor behind any other is not left out."""
    measure = titled(contest.primary)
    how = (
        f"{CORRECTION_NAMES.get(contest.correction, 'no')} correction over {plural(len(contest.tested), 'comparison')}"
    )
    if contest.of_ranks:
        how = f"{TEST_NAMES[contest.tested[0].test]}s, {how}"
    if contest.baseline is not None:
        return (f"{_versus_baseline(contest, contest.baseline)} ({measure}, {how}).",)
    ahead = _beaten_by(contest)
    meaning = (contest.contrast,) if contest.contrast else ()
    if len(contest.standings) < 2:
        return (f"The systems cannot be ranked by {measure}: {_why_no_order(contest)}.", *meaning)
    first = contest.standings[0].system
    rest = [s.system for s in contest.standings[1:]]
    level = [name for name in rest if name not in ahead[first]]
    if not level:
        won = f"{first} outperforms every other system{of_measure(contest)}; each gap {MORE_THAN_CHANCE} ({how})."
        return (won, *meaning)
    lines = [f"{first} {_leads(contest.primary)}, but cannot be told apart from {joined(level)} ({how})."]
    beaten = sorted({name for s in contest.standings for name in ahead[s.system]} - {first}, key=rest.index)
    behind: dict[str, list[str]] = {}
    for name in beaten:
        behind.setdefault(joined(_winners(contest, name)), []).append(name)
    lines += [f"{joined(names)} {'is' if len(names) == 1 else 'are'} behind {who}." for who, names in behind.items()]
    if not beaten:
        lines.append(f"No two systems differ significantly{of_measure(contest)}.")
    return (*lines, *meaning)


def _leads(measure: str) -> str:
    """What the first system does, in the words of the family if it has some."""
    found = parse_known(measure)
    family = None if found is None else family_module("report.families", family_name(found[0].kind))
    own = getattr(family, "LEADS", None)
    return f"has the best {titled(measure)}" if own is None else str(own)


def of_measure(contest: Contest) -> str:
    """What the systems differ in; tests of ranks are not about the mean."""
    return "" if contest.of_ranks and contest.primary == "mean" else f" in {titled(contest.primary)}"


def _why_no_order(contest: Contest) -> str:
    """The reason that all systems without a value share, or that there are too few with one."""
    reasons = {e.reason for c in contest.tested for e in (c.a, c.b) if e.value is None}
    only = reasons.pop() if len(reasons) == 1 else None
    return "too few of them have a value" if only is None or contest.standings else only


def _beaten_by(contest: Contest) -> dict[str, list[str]]:
    """Which systems each system outperforms."""
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


def _versus_baseline(contest: Contest, baseline: str) -> str:
    found: dict[str, list[str]] = {}
    for c in contest.tested:
        found.setdefault(c.outcome, []).append(c.names[0] if c.names[1] == baseline else c.names[1])
    words = {
        "better": "{} better",
        "worse": "{} worse",
        "different": "{} different",
        "equivalent": "{} equivalent",
        "no difference shown": "no significant difference was found for {}",
        "undecided": "undecided for {}",
        "not comparable": "not comparable: {}",
    }
    parts = []
    for word, names in found.items():
        text = joined(names)
        is_are = f"{text} {'is' if len(names) == 1 else 'are'}"
        parts.append(words[word].format(is_are if word in ("better", "worse", "different", "equivalent") else text))
    return f"Compared with {baseline}: {'; '.join(parts)}"
