"""The building blocks of schemas: types, objects with fixed keys, and closed lists of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assay import options
from scripts.reference import methods

Schema = dict[str, Any]
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
LEVEL: Schema = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
TEXTS: Schema = {"type": "array", "items": TEXT}
SIGNATURE: Schema = {"type": "string", "pattern": r"^(assay:[^|]+(\|[^|:]+:[^|]*)+)?$"}
VERSION: Schema = {"type": "string", "pattern": r"^[0-9]+\.[0-9]+"}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    if "type" in schema and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def named(names: Iterable[str]) -> Schema:
    """One of these names."""
    return {"type": "string", "enum": sorted(set(names))}


def listed(items: Schema, **more: Any) -> Schema:
    """A list."""
    return {"type": "array", "items": items, **more}


def pair(items: Schema) -> Schema:
    """A list of two."""
    return listed(items, minItems=2, maxItems=2)


def by_name(values: Schema, **more: Any) -> Schema:
    """An object whose keys are names from the data."""
    return {"type": "object", "additionalProperties": values, **more}


def fields(needed: Mapping[str, tuple[Schema, str]], more: Mapping[str, tuple[Schema, str]] | None = None) -> Schema:
    """An object with exactly these keys, of which some may be absent; each has a description."""
    every = {**needed, **(more or {})}
    return {
        "type": "object",
        "properties": {name: {**schema, "description": about} for name, (schema, about) in every.items()},
        "required": list(needed),
        "additionalProperties": False,
    }


def ref(name: str) -> Schema:
    """A part that is defined once in its file."""
    return {"$ref": f"#/$defs/{name}"}


def document(name: str, title: str, about: str, body: Schema, parts: Mapping[str, Schema] | None = None) -> Schema:
    """A whole schema with the parts that it refers to."""
    head = {"$schema": DRAFT, "$id": f"urn:assay:{name}", "title": title, "description": about}
    return {**head, **body, **({"$defs": dict(parts)} if parts else {})}


METHOD = named([*methods.interval_names(), ""])
TEST = named([*options.TESTS, *options.VALUE_TESTS, "permutation"])
OUTCOME = named(options.OUTCOMES)
ALTERNATIVE = named(options.ALTERNATIVES)
CORRECTION = named(options.CORRECTIONS)
NOTES = (TEXTS, "Notes on the numbers, each once, with every name in full.")
REASON = (maybe(TEXT), "Why there is no value, or no interval; null if nothing is missing.")
SIGNED = (SIGNATURE, "How the number was computed, as key:value pairs separated by |.")
ASSAY = (VERSION, "The version of assay that wrote this.")


def _plain_row() -> Mapping[str, tuple[Schema, str]]:
    chosen = {"anyOf": [METHOD, named(["student", "normal"]), {"type": "string", "pattern": "^chosen for "}]}
    quantities = ("value", "difference", "ratio", "gap", "head to head", "overall", "threshold", "flattered value")
    return {
        "system": (TEXT, "The system; empty for a number that belongs to none."),
        "measure": (TEXT, "The measure with its options, as it is spelled for --measure."),
        "class": (maybe(TEXT), "The class that it is about; null for all classes."),
        "slice": (maybe(TEXT), "The group, as column=value, or the column itself for a gap; null for all rows."),
        "versus": (maybe(TEXT), "The second system of a difference, or the opponent; null otherwise."),
        "quantity": (
            named(quantities),
            "What the value is: a value; a difference or ratio of two systems or of a group and the rest; the gap of "
            "all groups; head to head, against one other system; overall, of no single system; a threshold; a value "
            "on the rows the threshold was chosen on.",
        ),
        "value": (maybe(NUMBER), "The number; null if it is undefined or infinite."),
        "low": (maybe(NUMBER), "The lower limit; null if there is none on that side."),
        "high": (maybe(NUMBER), "The upper limit; null if there is none on that side."),
        "standard_error": (maybe(NUMBER), "The standard error that the interval uses; null if it has none."),
        "level": (LEVEL, "The confidence level of the limits."),
        "n": (WHOLE, "How many items it is about."),
        "method": (chosen, "How the limits were computed; empty if there are none."),
        "no_skill": (maybe(NUMBER), "The value without a model; null if there is no such baseline."),
        "no_skill_name": (maybe(TEXT), "What that baseline does."),
        "p": (maybe(SHARE), "The p-value of the test."),
        "p_adjusted": (
            maybe(SHARE),
            "The larger of the p-values of the test and of the interval, corrected for all that were tested together.",
        ),
        "test": (maybe(named([*TEST["enum"], "max_gap"])), "The test; null if nothing was tested."),
        "reason": REASON,
        "signature": SIGNED,
        "farthest": (
            maybe(TEXT),
            "The group that the test of a gap found farthest from the rest, for its size; null for other rows.",
        ),
    }


ROW = fields(_plain_row())
_CELL: Schema = {"type": ["number", "string"]}
SECTION = fields(
    {
        "title": (TEXT, "What the table shows."),
        "columns": (TEXTS, "The names of its columns, without that of the rows' names."),
        "rows": (by_name(listed(_CELL)), "The cells of each row by its name: numbers, or text if there is no number."),
        "note": (TEXT, "A remark below it; may be empty."),
    }
)
ESTIMATE = fields(
    {
        "measure": (TEXT, "The measure with its options."),
        "value": (maybe(NUMBER), "The value; null if it is undefined or infinite."),
        "low": (maybe(NUMBER), "The lower limit."),
        "high": (maybe(NUMBER), "The upper limit."),
        "level": (LEVEL, "The confidence level."),
        "method": (METHOD, "The method of the interval; auto if the value is undefined and none was chosen."),
        "n": (WHOLE, "How many items the value is about."),
        "reason": REASON,
        "signature": SIGNED,
        "notes": NOTES,
        "undefined_draws": (WHOLE, "In how many draws the measure was undefined."),
        "no_skill": (maybe(NUMBER), "The value without a model."),
        "no_skill_name": (maybe(TEXT), "What that baseline does."),
        "higher_is_better": (maybe(FLAG), "Whether higher values are better; null if neither end is better."),
        "standard_error": (maybe(NUMBER), "The standard error that the interval uses; null if it has none."),
    }
)
