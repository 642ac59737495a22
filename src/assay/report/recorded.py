"""A report that was written as JSON, read back: the parts that make it again, held to their forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import DataError
from assay.report.report import SCHEMA
from assay.sources.bounds import MOST_ITEMS
from assay.tally.stored import (
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

WHAT = "a report of 'assay evaluate' or 'assay compare' that was written with --format json"
NUMBERS = ("value", "low", "high", "n", "p", "p_adjusted")  # of a row, which must come out again
KEYS = ("system", "versus", "measure", "class", "slice", "quantity")  # what tells a row from others

TEXT, FLAG, NUMBER = Text(), Flag(), Number()
MOST_DRAWS = 10**8
SEED = Whole(-MOST_ITEMS, 2**128)
LABEL = Either(TEXT, FLAG, NUMBER, wanted="a label")
TEXTS = Either(TEXT, ListOf(TEXT), wanted="a text or a list of texts")
MEASURES = Either(TEXT, ListOf(TEXT, some=True), wanted="measures")
NAMED = Either(TEXT, ListOf(TEXT), Each(TEXT), wanted="a column, a list of columns, or an object of columns by name")
COSTS = Either(TEXT, Each(Either(NUMBER, Each(NUMBER), wanted="a cost")), wanted="costs by name, or the name of a file")

# The options of each function that makes a report, as they are kept under 'asked'.
QUESTION: Mapping[str, Form] = {
    **dict.fromkeys(("gold", "id", "missing", "cluster", "weight", "count"), TEXT),
    **dict.fromkeys(("by_position", "crossed"), FLAG),
    "pred": NAMED,
    "systems": Each(Maybe(TEXT)),
    "positive": LABEL,
    "labels": Either(TEXT, ListOf(LABEL), wanted="a list of labels"),
    "slices": TEXTS,
    "guesses": Each(TEXTS),
    "scores": Either(
        NAMED, Each(Either(TEXT, Each(TEXT), wanted="columns of scores")), wanted="columns of scores by name"
    ),
    "threshold": Either(NUMBER, Each(NUMBER), wanted="a number, or numbers by system"),
    "score_bins": Whole(),
}
DRAWING: Mapping[str, Form] = {
    "level": NUMBER,
    "method": TEXT,
    "n_resamples": Whole(0, MOST_DRAWS),
    "random_state": SEED,
}
EVALUATED: Mapping[str, Form] = {
    **QUESTION,
    **DRAWING,
    "measures": MEASURES,
    "prevalence": NUMBER,
    "costs": COSTS,
    "tables": TEXTS,
    "rows": TEXT,
}
COMPARED: Mapping[str, Form] = {
    **QUESTION,
    **DRAWING,
    **dict.fromkeys(("primary", "baseline", "correction", "test", "statistic", "alternative"), TEXT),
    **dict.fromkeys(("strict", "raw_p", "unpaired"), FLAG),
    "measures": MEASURES,
    "margin": NUMBER,
}
REPEATED: Mapping[str, Form] = {
    **COMPARED,
    **dict.fromkeys(("folds", "repeats", "datasets"), TEXT),
    "values": NAMED,
    "value_range": ListOf(NUMBER),
    "lower_is_better": FLAG,
}
ROW = Fields(
    {
        **dict.fromkeys(KEYS, Maybe(TEXT)),
        **dict.fromkeys(NUMBERS, Maybe(NUMBER)),
    },
    others=True,
)


def read_report(path: Path) -> dict[str, Any]:
    """What is needed to make the report of this file again."""
    return report_of(read_stored(path), f"'{path}'")


def report_of(text: str, name: str) -> dict[str, Any]:
    """The version, the options, the rows and where the data came from; `name` is where the text stands."""
    stored = parsed(text, name, WHAT)
    if not all(key in stored for key in ("assay", "schema", "asked", "rows", "provenance")):
        raise DataError(f"{name} is not {WHAT}.")
    if stored["schema"] != SCHEMA:
        raise DataError(f"{name} has schema {str(stored['schema'])[:40]}; this version reads schema {SCHEMA}.")
    form = Fields(
        {
            "assay": TEXT,
            "schema": Whole(),
            "asked": Fields({}, asked_of(stored)),
            "rows": ListOf(ROW),
            "provenance": Fields({}, {"gold fingerprint": Maybe(TEXT)}, others=True),
        },
        {"contest": Fields({}, others=True)},
        others=True,
    )
    return form.read(stored, Place(name), {})


def asked_of(stored: Mapping[str, Any]) -> Mapping[str, Form]:
    """The options of what made the report."""
    if "contest" not in stored:
        return EVALUATED
    return REPEATED if is_repeated(stored["asked"]) else COMPARED


def is_repeated(asked: Any) -> bool:
    """Whether values of items, folds or data sets were compared."""
    return isinstance(asked, dict) and any(name in asked for name in ("values", "folds", "datasets"))
