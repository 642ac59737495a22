"""What a comparison adds to a report: which systems differ, which cannot be told apart, and how that was settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.lazily import shown
from assay.notes import full
from assay.tables import Section
from assay.uncertainty.hypotheses import OF_RANKS
from assay.uncertainty.results import Comparison, Estimate

if TYPE_CHECKING:
    from assay.uncertainty.many.ranks import CriticalDifference, Friedman
    from assay.uncertainty.values.folds import FiveNumbers

ALL_PAIRS = 6  # systems up to which a terminal shows all pairs; of more, those next to each other in rank


@dataclass(frozen=True)
class Standing:
    """Where a system stands among the others."""

    system: str
    estimate: Estimate
    best: int  # its rank if every undecided comparison went its way
    worst: int
    groups: str = ""  # systems that share a letter cannot be told apart

    @property
    def rank(self) -> str:
        """The ranks that are possible."""
        return f"{self.best}" if self.best == self.worst else f"{self.best}–{self.worst}"


@dataclass(frozen=True)
class Within:
    """What lies behind values that are means over the folds of each data set."""

    folds: tuple[int, ...]  # of each data set
    sd: Mapping[str, tuple[float | None, ...]]  # of every system over them; None for a single fold


@dataclass(frozen=True)
class Spread:
    """The values that every system had in each fold or data set."""

    unit: str  # fold or data set
    names: tuple[str, ...]  # of the folds or data sets
    values: Mapping[str, tuple[float, ...]]
    within: Within | None = None  # where they are means over the folds of each data set

    @property
    def boxes(self) -> dict[str, FiveNumbers]:
        """What a box plot draws of every system."""
        from assay.uncertainty.values.folds import five_numbers

        return {name: five_numbers(values) for name, values in self.values.items()}

    def to_dict(self) -> dict[str, Any]:
        """The spread in JSON's own types."""
        values = {name: list(each) for name, each in self.values.items()}
        plain: dict[str, Any] = {"unit": self.unit, "names": list(self.names), "values": values}
        if self.within is not None:
            plain["folds"] = list(self.within.folds)
            plain["sd over folds"] = {name: list(each) for name, each in self.within.sd.items()}
        return plain


@dataclass(frozen=True)
class Ranking:
    """Friedman's test of systems over data sets, and which mean ranks cannot be told apart."""

    tested: Friedman
    drawn: CriticalDifference

    def to_dict(self) -> dict[str, Any]:
        """The ranking in JSON's own types; exactly one test is the one to report."""
        tests = [
            {"name": test.name, "value": test.value, "df": list(test.df), "p": test.p_value, "reason": test.reason}
            | {"report": test is self.tested.reported}
            for test in self.tested.tests
        ]
        return {
            "mean ranks": dict(zip(self.drawn.systems, self.drawn.mean_ranks, strict=True)),
            "data sets": self.tested.n,
            "tests": tests,
            "post hoc": self.drawn.method,
            "level": self.drawn.level,
            "critical difference": self.drawn.critical,
            "baseline": self.drawn.baseline,
            "not told apart": [list(bar) for bar in self.drawn.bars],
        }


@dataclass(frozen=True)
class Contest:
    """Comparisons by the primary measure, which are tested where they can be, and by others, which are not."""

    primary: str
    tested: tuple[Comparison, ...]
    others: tuple[Comparison, ...] = ()
    standings: tuple[Standing, ...] = ()
    correction: str = "holm"
    baseline: str | None = None
    contrast: str | None = None  # what the values mean in natural frequencies
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()
    spread: Spread | None = None  # where values of several folds or data sets were compared
    ranking: Ranking | None = None  # of three or more systems over data sets

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All of them, those that were tested first."""
        return (*self.tested, *self.others)

    @property
    def was_tested(self) -> bool:
        """Whether there is any p-value: without an interval there may be no test, or none was asked for."""
        return any(c.p_value is not None for c in self.tested)

    @property
    def of_ranks(self) -> bool:
        """Whether every test is about ranks or signs, and none about the mean."""
        return bool(self.tested) and {c.test for c in self.tested} <= set(OF_RANKS)

    @property
    def behind(self) -> set[str]:
        """The systems that another one outperforms."""
        lost = {"better": 1, "worse": 0}
        return {c.names[lost[c.outcome]] for c in self.tested if c.outcome in lost}

    @property
    def summary(self) -> tuple[str, ...]:
        """The outcome in sentences."""
        return tuple(shown(self, "summary"))

    def to_dict(self) -> dict[str, Any]:
        """The contest in JSON's own types."""
        return {
            "primary": self.primary,
            "baseline": self.baseline,
            "correction": self.correction,
            "summary": list(self.summary),
            "comparisons": [c.to_dict() for c in self.comparisons],
            "standings": [
                {"system": s.system, "value": s.estimate.value, "best rank": s.best, "worst rank": s.worst}
                | {"groups": s.groups}
                for s in self.standings
            ],
            "tables": [section.to_dict() for section in self.sections],
            "notes": [full(note) for note in self.notes],
            **({} if self.spread is None else {"spread": self.spread.to_dict()}),
            **({} if self.ranking is None else {"ranks": self.ranking.to_dict()}),
        }
