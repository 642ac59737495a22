"""What a comparison adds to a report: which systems differ, which cannot be told apart, and how that was settled."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import plural
from assay.jobs.words import joined
from assay.jobs.words import name as titled
from assay.tables import Section
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.values.spread import FiveNumbers, five_numbers
from assay.uncertainty.words import CORRECTION_NAMES, measured, p_text, settles
from assay.uncertainty.words import how as test_of

# A closure cannot be written down, and the values are in the rows already.
UNWRITTEN = ("a", "b", "replicates", "effect", "margin")


@dataclass(frozen=True)
class Standing:
    """Where a system stands among the others."""

    system: str
    estimate: Estimate
    best: int  # its rank if every comparison that is open went its way
    worst: int
    groups: str = ""  # systems that share a letter cannot be told apart

    @property
    def rank(self) -> str:
        """The ranks that are possible."""
        return f"{self.best}" if self.best == self.worst else f"{self.best}–{self.worst}"


@dataclass(frozen=True)
class Spread:
    """The values that every system had in each fold or data set."""

    unit: str  # fold or data set
    names: tuple[str, ...]  # of the folds or data sets
    values: Mapping[str, tuple[float, ...]]

    @property
    def boxes(self) -> dict[str, FiveNumbers]:
        """What a box plot draws of every system."""
        return {name: five_numbers(np.array(values)) for name, values in self.values.items()}

    def to_dict(self) -> dict[str, Any]:
        """The spread in JSON's own types."""
        values = {name: list(each) for name, each in self.values.items()}
        return {"unit": self.unit, "names": list(self.names), "values": values}


@dataclass(frozen=True)
class Contest:
    """Comparisons by the primary measure, which were tested, and by others, which were not."""

    primary: str
    tested: tuple[Comparison, ...]
    others: tuple[Comparison, ...] = ()
    standings: tuple[Standing, ...] = ()
    correction: str = "holm"
    baseline: str | None = None
    contrast: str | None = None  # both systems in natural frequencies
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()
    spread: Spread | None = None  # where values of several folds or data sets were compared

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All of them, those that were tested first."""
        return (*self.tested, *self.others)

    @property
    def summary(self) -> tuple[str, ...]:
        """The outcome in sentences."""
        return _of_two(self) if len(self.tested) == 1 else _of_many(self)

    def to_dict(self) -> dict[str, Any]:
        """The contest in JSON's own types."""
        return {
            "primary": self.primary,
            "baseline": self.baseline,
            "correction": self.correction,
            "summary": list(self.summary),
            "comparisons": [written(c) for c in self.comparisons],
            "standings": [
                {"system": s.system, "value": s.estimate.value, "best rank": s.best, "worst rank": s.worst}
                | {"groups": s.groups}
                for s in self.standings
            ],
            "notes": list(self.notes),
            **({} if self.spread is None else {"spread": self.spread.to_dict()}),
        }


def written(c: Comparison) -> dict[str, Any]:
    """A comparison in JSON's own types."""
    plain = {f.name: getattr(c, f.name) for f in dataclasses.fields(c) if f.name not in UNWRITTEN}
    plain |= {"measure": c.a.measure, "values": [c.a.value, c.b.value]}
    plain["effect"] = {k: _finite(v) for k, v in dataclasses.asdict(c.effect).items()}
    plain["margin"] = None if c.margin is None else dataclasses.asdict(c.margin)
    plain |= {"p": c.p, "outcome": c.outcome, "verdict": c.verdict}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}


def _finite(value: float | None) -> float | str | None:
    """JSON has no infinity."""
    return "infinite" if value is not None and math.isinf(value) else value


# ---------------------------------------------------------------------- sentences
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
    if len(contest.standings) < 2:
        return (f"The systems cannot be put in an order by {measure}: too few of them have a value.",)
    first = contest.standings[0].system
    rest = [s.system for s in contest.standings[1:]]
    level = [name for name in rest if name not in ahead[first]]
    if not level:
        return (f"{first} is better than every other system by {measure}, by more than chance explains ({how}).",)
    lines = [f"{first} has the best {measure}, but cannot be told apart from {joined(level)} ({how})."]
    beaten = sorted({name for s in contest.standings for name in ahead[s.system]} - {first}, key=rest.index)
    lines += [f"{name} is behind {joined(_winners(contest, name))}." for name in beaten]
    if not beaten:
        lines.append("No two systems are shown to differ.")
    return tuple(lines)


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
