"""A chosen threshold with everything that is known about it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

from assay.errors import choose
from assay.jobs.answers.results import SCHEMA, Report, Row, rows_csv
from assay.lazily import shown
from assay.measures.scores.choices import Choice
from assay.measures.scores.sweep import Sweep, label_measures, sweep
from assay.measures.scores.thresholds import Found
from assay.options.option import takes
from assay.options.showing import Explaining
from assay.result import Result, finite
from assay.tally.labels import Confusion
from assay.tally.scores import Scored
from assay.uncertainty.curves.thresholds import Steadiness
from assay.uncertainty.results import Comparison, Estimate, version

FORMATS = ("table", "json", "csv", "md")


@dataclass(frozen=True, repr=False)
class Tuned(Result):
    """A threshold, what it was chosen for, what it gives on other rows, and how certain it is."""

    choice: Choice
    found: Found
    steadiness: Steadiness
    if_calibrated: tuple[float, str] | None  # where the threshold would lie for calibrated probabilities, and why
    dev: Mapping[str, Any]  # the rows it was chosen on
    check: Mapping[str, Any] | None  # the rows it was judged on; None: the same, and flattered
    scores: Scored = dataclasses.field(compare=False)  # of those rows
    warnings: tuple[str, ...] = ()
    estimates: tuple[Estimate, ...] = ()  # of the objective first, then the target, then the default measures
    comparisons: tuple[Comparison, ...] = ()  # with the threshold `against`, on the same rows
    against: float | None = None
    report: Report | None = None
    labels: Confusion | None = dataclasses.field(default=None, compare=False)  # its labels of the rows it was judged on

    @property
    def threshold(self) -> float | None:
        """Scores at or above it are called positive; infinite where none are, None where nothing was chosen."""
        return self.found.threshold

    @cached_property
    def sweep(self) -> Sweep:
        """Every measure of labels at every threshold, on the rows it was chosen on."""
        asked = self.choice.measures
        named = {spelling.partition("(")[0] for spelling in asked}  # not once more without its options
        return sweep(self.scores, [*asked, *(name for name in label_measures() if name not in named)])

    @property
    def flattered(self) -> bool:
        """Whether the values are those of the rows the threshold was chosen on."""
        return self.check is None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The result in sentences, in reading order."""
        return tuple(shown(self, "sentences"))

    @property
    def notes(self) -> tuple[str, ...]:
        """What to watch."""
        return tuple(shown(self, "notes"))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The threshold, its values and its differences from another one, in the shape of every report."""
        first = Row(
            system=str(self.dev["score"]),
            measure=self.choice.objective,
            class_=str(self.dev["positive"]),
            quantity="threshold",
            value=finite(self.threshold),
            n=int(self.dev["n"]),
            method=f"chosen for {self.choice.words}",
            reason="nothing is called positive" if self.threshold == math.inf else self.found.reason,
        )
        values = () if self.report is None else self.report.rows
        if self.flattered:
            values = tuple(dataclasses.replace(row, quantity="flattered value") for row in values)
        return (first, *values, *map(Row.of_difference, self.comparisons))

    def to_dict(self) -> dict[str, Any]:
        """The result in JSON's own types."""
        held = {name: finite(value) for name, value in dataclasses.asdict(self.steadiness).items()}
        formula = (
            None if self.if_calibrated is None else dict(zip(("threshold", "is"), self.if_calibrated, strict=True))
        )
        return {
            "assay": version(),
            "schema": SCHEMA,
            "threshold": finite(self.threshold),
            "calls_nothing": self.threshold == math.inf,
            "flattered": self.flattered,
            "reason": self.found.reason,
            "chosen_for": self.choice.words,
            "choice": dataclasses.asdict(self.choice),
            "found": {name: finite(value) for name, value in dataclasses.asdict(self.found).items()},
            "steadiness": held,
            "if_calibrated": formula,
            "dev": dict(self.dev),
            "check": None if self.check is None else dict(self.check),
            "against": self.against,
            "sentences": list(self.sentences),
            "notes": list(self.all_notes),
            "rows": [row.to_dict() for row in self.rows],
        }

    @property
    def all_notes(self) -> tuple[str, ...]:
        """What to watch, for the choice and for the values."""
        return self.notes if self.report is None else self.report.notes

    @takes(Explaining)
    def to_text(self, width: int = 100, **explaining: Unpack[Explaining]) -> str:
        """The result as plain text."""
        text: str = shown(self, "text", width=width, **explaining)
        return text

    def to_csv(self, *, raw: bool = False) -> str:
        """The rows as CSV that a spreadsheet can open; `raw` leaves names as they are, even one that would run."""
        return rows_csv(self.rows, raw=raw)

    def to_markdown(self) -> str:
        """The result as Markdown."""
        text: str = shown(self, "markdown")
        return text

    def formatted(self, format: str, *, raw: bool = False) -> str:
        """The result in one of the formats of the command line; `raw` is for CSV."""
        choose(format, FORMATS, "format")
        if format == "csv":
            return self.to_csv(raw=raw)
        return {"table": self.to_text, "json": self.to_json, "md": self.to_markdown}[format]()

    def __repr__(self) -> str:
        flattered = ", flattered" if self.flattered else ""
        return f"<Tuned threshold {self.threshold} for {self.choice.words}{flattered}; print it to read it>"
