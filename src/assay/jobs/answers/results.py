"""What a job returns: rows of one shape, and what a reader must know about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import zip_longest
from typing import Any, Unpack

from assay.errors import choose, listed, plural
from assay.jobs.answers.contest import Contest, Standing
from assay.lazily import call, shown
from assay.notes import full, gathered, of_system, ranked
from assay.options import FORMATS
from assay.options.option import takes
from assay.options.showing import Listed
from assay.result import Result
from assay.tables import Section
from assay.texts import MOST, csv_text, decimals
from assay.uncertainty.results import Comparison, Estimate, HasInterval, version

SAME = 1e-9  # values closer than this differ only by rounding


def against_guess(e: Estimate | Row) -> str | None:
    """How a value compares with the no-model baseline: 'behind', 'unclear' or 'ahead'.

    None where there is no such baseline, or where it has the worst possible value.
    """
    from assay.measures.declare.catalogue import parse_known

    found = parse_known(e.measure)
    if found is None or e.value is None or e.no_skill is None or e.no_skill_name is None:
        return None
    better, (low, high) = found[0].higher_is_better, found[0].range
    if better is None or e.no_skill == (low if better else high):
        return None
    if (e.value - e.no_skill if better else e.no_skill - e.value) <= SAME:
        return "behind"
    return "unclear" if e.low is not None and e.high is not None and e.low <= e.no_skill <= e.high else "ahead"


SCHEMA = 1
MOST_ADVICE = 3


@dataclass(frozen=True)
class Row(HasInterval):
    """One number with everything that belongs to it."""

    system: str
    measure: str
    class_: str | None = None
    slice: str | None = None
    versus: str | None = None  # the second system of a difference, or the one it was judged against
    # 'value'; 'difference' or 'ratio' of two systems or of a group and the rest; 'gap' of all groups; 'head to head', a
    # value of a system against a single other one; 'overall', one that belongs to no single system.
    quantity: str = "value"
    value: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    level: float = 0.95
    n: int = 0
    method: str = ""
    no_skill: float | None = None
    no_skill_name: str | None = None
    p: float | None = None
    p_adjusted: float | None = None
    test: str | None = None
    reason: str | None = None
    signature: str = ""
    farthest: str | None = None  # of a gap: the group that its test found farthest from the rest, for its size
    places: int = 0  # decimals that it is shown with at least, for what is shown next to it; no part of the result

    @property
    def has_limits(self) -> bool:
        """Whether there is an interval; a one-sided one has a single limit."""
        return self.low is not None or self.high is not None

    @property
    def is_value(self) -> bool:
        """Whether it is the value of a measure, not something computed from several values."""
        return self.quantity in ("value", "head to head", "overall")

    @classmethod
    def of(cls, e: Estimate, system: str, class_: str | None = None, group: str | None = None) -> Row:
        """The row of an estimate."""
        return cls(
            system=system,
            measure=e.measure,
            class_=class_,
            slice=group,
            value=e.value,
            low=e.low,
            high=e.high,
            standard_error=e.standard_error,
            level=e.level,
            n=e.n,
            method=e.method,
            no_skill=e.no_skill,
            no_skill_name=e.no_skill_name,
            reason=e.reason,
            signature=e.signature,
        )

    @classmethod
    def of_difference(cls, c: Comparison, class_: str | None = None, group: str | None = None) -> Row:
        """The row of a comparison."""
        return cls(
            system=c.names[0],
            measure=c.a.measure,
            class_=class_,
            slice=group,
            versus=c.names[1],
            quantity="difference",
            value=c.difference,
            low=c.low,
            high=c.high,
            standard_error=c.standard_error,
            level=c.level,
            n=c.n,
            method=c.method,
            p=c.p_value,
            p_adjusted=c.p_adjusted,
            test=None if c.test == "none" else c.test,
            reason=c.reason,
            signature=c.signature,
            places=c.places[2],
        )

    def to_dict(self) -> dict[str, Any]:
        """The row by column name."""
        return {name.rstrip("_"): value for name, value in dataclasses.asdict(self).items() if name != "places"}


COLUMNS = tuple(field.name.rstrip("_") for field in dataclasses.fields(Row) if field.name != "places")


def standing_row(contest: Contest, standing: Standing) -> Row:
    """The row of a system's value among the others, with the decimals that its differences need."""
    own = (c for c in contest.tested if standing.system in c.names and c.difference is not None)
    places = max((min(decimals(c.low, c.high), MOST) for c in own), default=0)
    return dataclasses.replace(Row.of(standing.estimate, standing.system), places=places)


def next_to_differences(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, in which no value is shown with fewer decimals than a difference that was computed from it."""
    rows, least = tuple(rows), dict[tuple[str | None, ...], int]()
    for row in rows:
        if row.quantity == "difference" and row.versus is not None and row.value is not None:
            for system in (row.system, row.versus):
                key = (system, row.measure, row.class_, row.slice)
                least[key] = max(least.get(key, 0), min(decimals(row.low, row.high), MOST))
    values = (row.quantity == "value" for row in rows)
    keys = ((row.system, row.measure, row.class_, row.slice) for row in rows)
    return tuple(
        dataclasses.replace(row, places=least[key]) if is_value and key in least else row
        for row, is_value, key in zip(rows, values, keys, strict=True)
    )


def rows_csv(rows: Iterable[Row], *, raw: bool = False) -> str:
    """Rows as CSV, with the column names in the first line."""
    return csv_text([COLUMNS, *(tuple(row.to_dict().values()) for row in rows)], raw=raw)


@dataclass(frozen=True)
class System:
    """One system without its rows: its tallies, which its family describes, and notes on its numbers."""

    name: str
    primary: str = ""
    tallies: tuple[Any, ...] = ()
    lead: str = ""  # text before the family's first sentence, or in its place where nothing was counted
    rows: str | None = None  # the orientation of the family's tables; None where they are not shown
    wanted: tuple[str, ...] = ()  # further tables of the family
    level: float | None = None  # of the limits next to shares in them
    tables: tuple[Section, ...] = ()  # in addition to the family's
    counting: tuple[str, ...] = ()  # notes on how the rows were counted, before the family's warnings
    remarks: tuple[str, ...] = ()  # notes on the numbers, after those

    @cached_property
    def headline(self) -> str:
        """One plain sentence about the sample."""
        text: str = shown(self, "headline")
        return text

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The tables that help to read the rows."""
        return (*shown(self, "sections"), *self.tables)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What to know before relying on a number, each once."""
        return ranked(gathered((*self.counting, *shown(self, "warnings"), *self.remarks)))

    def to_dict(self) -> dict[str, Any]:
        """The system in JSON's own types."""
        return {
            "name": self.name,
            "headline": self.headline,
            "primary": self.primary,
            "notes": [full(note) for note in self.notes],
            "tables": [section.to_dict() for section in self.sections],
        }


@dataclass(frozen=True, repr=False)
class Report(Result):
    """Rows of estimates, notes about them, and where the data came from."""

    rows: tuple[Row, ...]
    systems: tuple[System, ...] = ()
    provenance: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    asked: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # the options that repeat the evaluation
    contest: Contest | None = None  # where systems were compared
    counted: Any = dataclasses.field(default=None, compare=False)  # the tallies, for the next question

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every comparison that was made, those that were tested first."""
        return () if self.contest is None else self.contest.comparisons

    def compare(self, other: Report | None = None, **options: Any) -> Report:
        """Compare the systems of this report, by the options of `compare_systems`; or, unpaired, with another's."""
        made: Report = call("jobs.comparison.systems:compare_reports", self, other, options)
        return made

    @property
    def item(self) -> str:
        """What one of the n is called: a fold or data set, or what the first system's tally counts."""
        tallies = {} if self.counted is None else self.counted.systems
        counted = next((tally.item for tally in tallies.values()), "row")
        return str(self.provenance.get("unit", counted))

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes, each once, the most urgent first, with the names of the systems where there are several.

        The first of every system come first, so that the last system is not forgotten where only some are shown.
        """
        many = len(self.systems) > 1
        each = ([of_system(s.name, note) if many else note for note in s.notes] for s in self.systems)
        said = [note for at_once in zip_longest(*each) for note in at_once if note is not None]
        contest, behind = ((), set()) if self.contest is None else (self.contest.notes, self.contest.behind)
        return ranked(gathered((*contest, *said)), behind)

    @cached_property
    def advice(self) -> tuple[Any, ...]:
        """What is most worth reporting for these data, why, and what it hides; nothing for a family without rules."""
        if self.counted is None or not self.systems:
            return ()
        name = self.systems[0].name
        tallies = self.counted.systems.held(name)
        told: tuple[Any, ...] = call("advice.advise:advice_for", tallies, systems=len(self.systems), most=MOST_ADVICE)
        return told

    @property
    def methods(self) -> str:
        """How the numbers were computed, as a sentence for a paper."""
        text: str = shown(self, "methods")
        return text

    @takes(Listed)
    def to_text(self, width: int = 100, **listed: Unpack[Listed]) -> str:
        """The report as plain text."""
        text: str = shown(self, "text", width=width, **listed)
        return text

    @cached_property
    def per_class(self) -> Any:
        """Precision, recall and F1 of every class, as `assay.classification_report` returns them."""
        return call("jobs.classes.per_class:per_class", self)

    @cached_property
    def per_query(self) -> dict[str, list[Any]]:
        """Of rankings, a column of queries, and one of values for each run and measure that is a mean over queries."""
        columns: dict[str, list[Any]] = call("jobs.ranking.queries:per_query", self)
        return columns

    def to_dict(self) -> dict[str, Any]:
        """The report in JSON's own types."""
        return {
            "assay": version(),
            "schema": SCHEMA,
            "provenance": dict(self.provenance),
            "asked": dict(self.asked),
            "methods": self.methods,
            "notes": [full(note) for note in self.notes],
            "advice": [{"report": p.report, "why": p.why, "hides": p.hides} for p in self.advice],
            "rows": [row.to_dict() for row in self.rows],
            "systems": [system.to_dict() for system in self.systems],
            **({} if self.contest is None else {"contest": self.contest.to_dict()}),
        }

    def frame_rows(self) -> list[dict[str, Any]]:
        """The rows, as the data frame has them."""
        return [row.to_dict() for row in self.rows]

    def __getitem__(self, key: str | tuple[object, ...]) -> Row:
        """The row of a measure: `report["f1"]`; with several systems or classes also `report["f1", "tree", "cat"]`."""
        from assay.measures.declare.catalogue import parse

        measure, *rest = (key,) if isinstance(key, str) else (str(part) for part in key)
        found, options = parse(measure)
        spelling = found.spelled(options)
        rows = [row for row in self.rows if row.measure == spelling and row.quantity == "value" and row.slice is None]
        left = [row for row in rows if all(name in (row.system, row.class_) for name in rest)]
        if len(left) == 1:
            return left[0]
        if not left and not rows:
            raise KeyError(
                f"{spelling!r} was not computed; the report has {listed(dict.fromkeys(r.measure for r in self.rows))}"
            )
        raise KeyError(self._several(spelling, rest, rows, left))

    def _several(self, measure: str, rest: Sequence[str], rows: Sequence[Row], left: Sequence[Row]) -> str:
        """That a key names no row or several, and which keys there are."""
        parts = {"system": [row.system for row in rows], "class": [str(row.class_) for row in rows if row.class_]}
        some = {what: list(dict.fromkeys(names)) for what, names in parts.items() if len({*names}) > 1}
        asked = ", ".join(repr(part) for part in (measure, *rest))
        named = [name for name in rest if any(name == row.system for row in rows)]
        if len(named) > 1:
            pairs = [] if self.contest is None else [{*c.names} for c in self.contest.comparisons]
            where = f"report.comparisons[{pairs.index({*named})}] has" if {*named} in pairs else "compare_systems gives"
            return f"[{asked}] names {len(named)} systems, and a row is about one; {where} their difference"
        example = ", ".join(repr(part) for part in (measure, *(names[0] for names in some.values())))
        each = "; ".join(f"{what}: {listed(names)}" for what, names in some.items())
        return f"{plural(len(left), 'row')} for [{asked}]; name one, as in report[{example}] ({each})"

    def to_csv(self, *, raw: bool = False) -> str:
        """The rows as CSV that a spreadsheet can open; `raw` leaves names as they are, even one that would run."""
        return rows_csv(self.rows, raw=raw)

    def to_markdown(self) -> str:
        """The report as Markdown, for a pull request or a page."""
        text: str = shown(self, "markdown")
        return text

    def to_latex(self) -> str:
        """The rows as a LaTeX table, for a paper."""
        text: str = shown(self, "latex")
        return text

    def formatted(self, format: str, *, raw: bool = False) -> str:
        """The report in one of the formats of the command line; `raw` is for CSV."""
        choose(format, FORMATS, "format")
        written: dict[str, Callable[[], str]] = {
            "table": self.to_text,
            "json": self.to_json,
            "csv": partial(self.to_csv, raw=raw),
            "md": self.to_markdown,
            "latex": self.to_latex,
        }
        return written[format]()

    def __repr__(self) -> str:
        return (
            f"<Report of {plural(len(self.systems), 'system')}, {plural(len(self.rows), 'row')}; print it to read it>"
        )
