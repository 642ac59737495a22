"""A report recomputed from its file: the same numbers, or which ones differ."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import DataError, plural
from assay.jobs.answers.results import SCHEMA, Report
from assay.lazily import found
from assay.options.evaluating import COMPARE, COMPARE_REPEATED, EVALUATE
from assay.options.option import Stored, options_of
from assay.options.preferring import PREFER
from assay.options.ranking import RANK
from assay.result import Result
from assay.sources.given import MOST_ITEMS
from assay.tally.contract.schema import (
    Each,
    Either,
    Fields,
    Flag,
    Form,
    ListOf,
    Maybe,
    Number,
    Place,
    Text,
    Whole,
    parsed,
    read_stored,
)
from assay.uncertainty.results import version

WHAT = "a report written by 'assay evaluate', 'compare', 'prefer' or 'rank' with --format json"
FILES, FILE = ("systems", "runs"), ("query_attributes",)  # options that name other files
NUMBERS = ("value", "low", "high", "n", "p", "p_adjusted")  # of a row, which must be reproduced
KEYS = ("system", "versus", "measure", "class", "slice", "quantity")  # what identifies a row

TEXT, FLAG, NUMBER = Text(), Flag(), Number()
MOST_DRAWS = 10**8
LABEL = Either(TEXT, FLAG, NUMBER, wanted=Stored.LABEL.value)
TEXTS = Either(TEXT, ListOf(TEXT), wanted=Stored.TEXTS.value)
COLUMNS = Either(TEXT, ListOf(TEXT), Each(TEXT), wanted=Stored.COLUMNS.value)
FORMS: Mapping[Stored, Form] = {
    Stored.TEXT: TEXT,
    Stored.FLAG: FLAG,
    Stored.NUMBER: NUMBER,
    Stored.WHOLE: Whole(),
    Stored.DRAWS: Whole(0, MOST_DRAWS),
    Stored.SEED: Whole(-MOST_ITEMS, 2**128),
    Stored.LABEL: LABEL,
    Stored.LABELS: Either(TEXT, ListOf(LABEL), wanted=Stored.LABELS.value),
    Stored.TEXTS: TEXTS,
    Stored.COLUMNS: COLUMNS,
    Stored.SCORES: Either(
        COLUMNS, Each(Either(TEXT, Each(TEXT), wanted="columns of scores")), wanted=Stored.SCORES.value
    ),
    Stored.GUESSES: Each(TEXTS),
    Stored.FILE: Maybe(TEXT),
    Stored.FILES: Each(Maybe(TEXT)),
    Stored.THRESHOLD: Either(NUMBER, Each(NUMBER), wanted=Stored.THRESHOLD.value),
    Stored.MEASURES: Either(TEXT, ListOf(TEXT, some=True), wanted=Stored.MEASURES.value),
    Stored.COSTS: Either(TEXT, Each(Either(NUMBER, Each(NUMBER), wanted="a cost")), wanted=Stored.COSTS.value),
    Stored.RANGE: ListOf(NUMBER),
    Stored.MAP: Each(TEXT),
}


def _forms(groups: tuple[type, ...]) -> Mapping[str, Form]:
    """Which options of these groups a stored report may have under 'asked'."""
    return {name: FORMS[option.stored] for name, option in options_of(*groups).items() if option.stored is not None}


EVALUATED, COMPARED, REPEATED = _forms(EVALUATE), _forms(COMPARE), _forms(COMPARE_REPEATED)
PREFERRED = _forms(PREFER)
RANKED = {"runs": FORMS[Stored.FILES], **_forms(RANK)}
ROW = Fields(
    {
        **dict.fromkeys(KEYS, Maybe(TEXT)),
        **dict.fromkeys(NUMBERS, Maybe(NUMBER)),
    },
    others=True,
)


def read_report(path: Path) -> dict[str, Any]:
    """What is needed to recompute the report in this file."""
    return report_of(read_stored(path), f"'{path}'")


def report_of(text: str, name: str) -> dict[str, Any]:
    """The version, the options, the rows and where the data came from; `name` is where the text is from."""
    stored = parsed(text, name, WHAT)
    if not all(key in stored for key in ("assay", "schema", "asked", "rows", "provenance")):
        raise DataError(f"{name} is not {WHAT}.")
    if stored["schema"] != SCHEMA:
        raise DataError(f"{name} has schema {str(stored['schema'])[:40]}; this version reads schema {SCHEMA}.")
    form = Fields(
        {
            "assay": TEXT,
            "schema": Whole(),
            "asked": Fields({}, maker_of(stored["asked"], contest="contest" in stored).options),
            "rows": ListOf(ROW),
            "provenance": Fields({}, {"gold fingerprint": Maybe(TEXT)}, others=True),
        },
        {"contest": Fields({}, others=True)},
        others=True,
    )
    return form.read(stored, Place(name), {})


@dataclass(frozen=True)
class Maker:
    """A function that makes reports, the options that only it has, and the forms of all its options."""

    place: str
    marks: tuple[str, ...]
    options: Mapping[str, Form]

    @property
    def function(self) -> Callable[..., Report]:
        """The function itself, loaded now."""
        made: Callable[..., Report] = found(self.place)
        return made


MAKERS = (
    Maker("jobs.ranking.rank:rank", ("runs",), RANKED),
    Maker("jobs.comparison.prefer:prefer", ("winner",), PREFERRED),
    Maker("jobs.comparison.repeated:compare_repeated", ("values", "folds", "datasets"), REPEATED),
)
_COMPARE = Maker("jobs.comparison.systems:compare_systems", (), COMPARED)
_EVALUATE = Maker("jobs.evaluate:evaluate", (), EVALUATED)


def maker_of(asked: Any, *, contest: bool) -> Maker:
    """What made a report, judging by its options and by whether systems were compared."""
    marks = asked if isinstance(asked, Mapping) else {}
    marked = (maker for maker in MAKERS if any(mark in marks for mark in maker.marks))
    return next(marked, _COMPARE if contest else _EVALUATE)


@dataclass(frozen=True)
class Change:
    """A number of a row that has changed, or a row that only one of the two reports has."""

    key: tuple[Any, ...]  # what identifies the row
    what: str  # the number's name; empty for a whole row
    was: Any = None
    now: Any = None

    @property
    def row(self) -> str:
        """The row by name."""
        return " ".join(str(part) for part in self.key if part not in (None, "value"))

    def __str__(self) -> str:
        if self.what:
            return f"{self.row}: {self.what} is {self.now}, was {self.was}"
        return f"{self.row}: {self.now}"


@dataclass(frozen=True)
class Verified(Result):
    """Whether a report can be reproduced from its file, and what has changed."""

    result: str
    file: str
    rows: int
    changes: tuple[Change, ...] = ()
    fingerprints: tuple[str | None, str | None] = (None, None)  # of the gold labels, in the report and now
    made_by: str = ""  # the version that wrote the report

    @property
    def same(self) -> bool:
        """Whether every number is the same, on the same gold labels."""
        return not self.changes and not self.other_gold

    def to_dict(self) -> dict[str, Any]:
        """The result in JSON's own types."""
        facts = {"result": self.result, "file": self.file, "rows": self.rows, "same": self.same}
        before, now = self.fingerprints
        return {
            **facts,
            "made by": self.made_by,
            "fingerprints": {"report": before, "file": now},
            "changes": [{"row": c.row, "number": c.what, "was": c.was, "now": c.now} for c in self.changes],
        }

    @property
    def apart(self) -> int:
        """In how many rows something changed."""
        return len({change.key for change in self.changes})

    @property
    def other_gold(self) -> bool:
        """Whether the gold labels differ."""
        before, now = self.fingerprints
        return before != now

    @property
    def sentences(self) -> tuple[str, ...]:
        """Whether it is the same, and if not, what the reason may be."""
        if self.same:
            return (f"same: all {plural(self.rows, 'row')} of {self.result} were reproduced from {self.file}.",)
        wrote = f" {self.result} was written by assay {self.made_by}; this is {version()}."
        other = "" if self.made_by == version() else wrote
        count = f"{plural(self.apart, 'row')} of {self.result}" if self.changes else self.result
        first = f"differs: {count} could not be reproduced from {self.file}.{other}"
        before, now = self.fingerprints
        gold = f"the gold labels differ: their fingerprint is {now}, but {before} in {self.result}."
        return (first, gold) if self.other_gold else (first,)


def verify(result: str, file: str) -> Verified:
    """Recompute the report, and say whether its numbers are the same."""
    stored = read_report(Path(result))
    asked = dict(stored["asked"])
    for option in FILES:
        if asked.get(option):
            asked[option] = {name: _again(where, result) for name, where in asked[option].items()}
    for option in FILE:
        if option in asked:
            asked[option] = _again(asked[option], result)
    again = maker_of(asked, contest="contest" in stored).function
    made = json.loads(again(file, **asked).to_json())
    changes = tuple(_changes(stored, made, result))
    before, now = (report["provenance"].get("gold fingerprint") for report in (stored, made))
    return Verified(result, file, len(stored["rows"]), changes, (before, now), str(stored["assay"]))


def files_of(result: str) -> list[str]:
    """The other files that a report was made from: those of its systems or runs, of its queries, and of its costs."""
    asked = read_report(Path(result))["asked"]
    named = [where for option in FILES for where in (asked.get(option) or {}).values()]
    named += [asked.get(option) for option in FILE]
    others = [_beside(where, Path(result)) for where in named if where is not None]
    return [*others, *([asked["costs"]] if isinstance(asked.get("costs"), str) else [])]


def _changes(stored: Mapping[str, Any], made: Mapping[str, Any], result: str) -> Iterator[Change]:
    """What has changed, row by row, and then the rows that are new."""
    rows = {_key(row): row for row in made["rows"]}
    for row in stored["rows"]:
        again = rows.pop(_key(row), None)
        if again is None:
            yield Change(_key(row), "", now="missing when recomputed")
            continue
        for key in NUMBERS:
            if not _same(row[key], again[key]):
                yield Change(_key(row), key, row[key], again[key])
    for new in rows:
        yield Change(new, "", now=f"was not in {result}")


def _again(where: str | None, result: str) -> str:
    """Where a file can be read again."""
    if where is None:
        raise DataError(f"{result} was made from tables in memory, which cannot be read again.")
    return _beside(where, Path(result))


def _beside(where: str, result: Path) -> str:
    """The system's file as it was named, or next to the report if it has moved with it."""
    return where if Path(where).exists() else str(result.parent / Path(where).name)


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in KEYS)


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
