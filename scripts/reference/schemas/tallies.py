"""Schemas of stored counts, from the forms that read them."""

from __future__ import annotations

from collections.abc import Mapping

from assay.tally import rankings
from assay.tally.contract import restored, schema
from assay.tally.contract.base import SCHEMA, Tally
from assay.tally.contract.systems import tally_kinds
from assay.tally.count.stored import SCHEMA as COUNTS
from assay.tally.lists import stored as stored_lists
from scripts.reference.schemas.parts import (
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    WHOLE,
    Schema,
    by_name,
    document,
    fields,
    listed,
    maybe,
    ref,
)

ABOUT = {
    "labels": "The classes, in the order of their codes.",
    "positive": "The positive class; null if none was named.",
    "negative": "The other class.",
    "bins": "How many bins the scores were grouped into; 0 if they are exact.",
    "outside": "What a prediction outside the classes is called.",
    "threshold": "The threshold that the labels were derived with.",
    "absent": "Classes that were named and do not occur.",
    "classes": "The gold classes.",
    "groups": "The groups of the clustering.",
    "deepest": "How many guesses an item has at most.",
    "systems": "The systems, in the order of their codes.",
    "focus": "The system whose wins are counted; null for all.",
    "opponent": "Its opponent; null for all others.",
    "queries": "The names of the queries.",
    "relevant_from": "The lowest grade of a relevant document; null for any above 0.",
    "lists": "The ranked lists: their judged documents, and the judgments of their queries.",
    "skipped": "How many queries were left out because no document is relevant to them.",
    "strangers": "How many queries of the run were left out because they have no judgments.",
    "categories": "The categories.",
}
UNITS = {
    "gold": "The code of the gold label of each unit.",
    "pred": "The code of the predicted label of each unit.",
    "score": "The score of each unit.",
    "positive": "Whether the unit is positive.",
    "group": "The code of the group.",
    "place": "The rank of the gold label among the guesses, from 1; 0 if it is not among them.",
    "first": "The code of the system shown first.",
    "second": "The code of the other system.",
    "result": "0: the first won; 1: a tie; 2: the second won.",
    "query": "The code of the query.",
    "list": "The number of its list, from 0.",
    "stratum": "The index of the stratum.",
    "score {}": "The scores of one class, by its code.",
    "{}": "How many raters named one category, by its code.",
}

# What `stored_lists.PARTS` names.
OF_LISTS = {
    "retrieved": "How many documents each list has.",
    "found": "The judged documents of the lists, by rank.",
    "judged": "The judged documents of each query, found or not.",
    "tied": "Where documents of a list share a score.",
    "lengths": "How many of the rows below belong to each list.",
    "ranks": "The rank of each, from 1.",
    "grades": "The grade of each; of all judged documents from high to low.",
    "first": "The first rank of each tie.",
    "number": "How many documents share this score.",
}
SCHEMAS = {"ranked": rankings.SCHEMA}  # versions of forms that have changed


def _form(form: schema.Form) -> Schema:
    """The schema of one stored value."""
    if isinstance(form, schema.Maybe):
        return maybe(_form(form.form))
    if isinstance(form, schema.Names | schema.SomeOf):
        return {**TEXTS, "uniqueItems": True, **({"minItems": 1} if isinstance(form, schema.SomeOf) else {})}
    if isinstance(form, schema.ListOf):
        return listed(_form(form.form))
    if isinstance(form, schema.Whole):
        return {"type": "integer", "minimum": form.low, "maximum": form.high}
    if isinstance(form, stored_lists.StoredLists):
        return _lists()
    return NUMBER if isinstance(form, schema.Number) else TEXT


def _lists() -> Schema:
    """The schema of ranked lists."""

    def part(columns: Mapping[str, restored.Column]) -> Schema:
        own = {name: (_column(column), OF_LISTS[name]) for name, column in columns.items()}
        return fields({"lengths": (listed(WHOLE), OF_LISTS["lengths"]), **own})

    parts = {name: (part(columns), OF_LISTS[name]) for name, columns in stored_lists.PARTS.items()}
    return fields({"retrieved": (listed(WHOLE), OF_LISTS["retrieved"]), **parts})


def _column(column: restored.Column | restored.ForEach) -> Schema:
    """The schema of a list with an entry for each unit."""
    if isinstance(column, restored.ForEach):
        return _column(column.column)
    if isinstance(column, restored.Wholes):
        high = {} if isinstance(column.most, str) else {"maximum": column.most}
        return listed({"type": "integer", "minimum": column.low, **high})
    if isinstance(column, restored.Flags):
        return listed(FLAG)
    return listed(WHOLE if isinstance(column, restored.Codes) else NUMBER)


def _units(kind: type[Tally]) -> Schema:
    """The columns of a kind of tally."""
    columns = kind.stored_columns
    fixed = {name: (_column(column), UNITS[name]) for name, column in columns.items() if "{}" not in name}
    made = fields(fixed, {"stratum": (listed(WHOLE), UNITS["stratum"])})
    many = {name: column for name, column in columns.items() if "{}" in name}
    patterns = {
        f"^{name.format('[0-9]+')}$": {**_column(column), "description": UNITS[name]} for name, column in many.items()
    }
    return {**made, **({"patternProperties": patterns} if patterns else {})}


CLUSTERS = fields(
    {
        "names": ({**TEXTS, "uniqueItems": True}, "The clusters."),
        "entries": (
            listed(listed(WHOLE), minItems=3, maxItems=3),
            "Three lists of equal length: cluster, unit, and how many items of the unit the cluster has.",
        ),
    },
    {"weights": (listed({"type": "number", "minimum": 0}), "The weight of each entry, for rows of different weight.")},
)
WEIGHTS = fields(
    {
        "total": (listed({"type": "number", "minimum": 0}), "The sum of the weights of each unit."),
        "squares": (listed({"type": "number", "minimum": 0}), "The sum of their squares."),
        "rows": (listed(WHOLE), "How many rows have a weight above 0."),
    }
)


def _tally(name: str, kind: type[Tally]) -> Schema:
    own = kind.stored_fields
    head: dict[str, tuple[Schema, str]] = {
        "kind": ({"const": name}, "The kind of the tally."),
        "schema": ({"const": SCHEMAS.get(name, SCHEMA)}, "The version of its form."),
    }
    needed = {field: (_form(form), ABOUT[field]) for field, form in own.needed.items() if field not in head}
    more = {field: (_form(form), ABOUT[field]) for field, form in own.more.items()}
    units: dict[str, tuple[Schema, str]] = {
        "units": (_units(kind), "A list for each part of what identifies a unit, with an entry for each unit."),
        "counts": (listed(WHOLE), "How many items each unit has."),
    }
    rest: dict[str, tuple[Schema, str]] = {
        "strata": ({**TEXTS, "uniqueItems": True}, "The names of the strata, if there are any."),
        "clusters": (ref("clusters"), "Which items belong together, if rows were counted by cluster."),
        "weights": (ref("weights"), "Sums of weights, for rows of different weight."),
    }
    return fields({**head, **needed, **units}, {**more, **rest})


def _kinds() -> dict[str, Schema]:
    made = {name: _tally(name, kind) for name, kind in tally_kinds().items() if kind.__module__.startswith("assay.")}
    return {"clusters": CLUSTERS, "weights": WEIGHTS, **made}


def schemas() -> dict[str, Schema]:
    """The schemas of single tallies and of counts, by the names of their files."""
    parts = _kinds()
    kinds = [name for name in parts if name not in ("clusters", "weights")]
    by_kind: Schema = {
        "type": "object",
        "properties": {name: ref(name) for name in kinds},
        "minProperties": 1,
        "additionalProperties": False,
    }
    slicing = fields(
        {
            "column": (TEXT, "The column."),
            "without": (WHOLE, "How many rows have no value in it."),
            "groups": (by_name(by_name(ref("by_kind")), minProperties=1), "The tallies of each group by system."),
        }
    )
    counts = fields(
        {
            "kind": ({"const": "counts"}, "What this is."),
            "schema": ({"const": COUNTS}, "The version of its form."),
            "systems": (by_name(ref("by_kind"), minProperties=1), "The tallies of each system, the main one first."),
            "slices": (listed(ref("slicing")), "The same by groups of rows."),
            "skipped": (WHOLE, "How many rows were left out."),
            "unanswered": (by_name(WHOLE), "How many items each system did not answer."),
        }
    )
    either: Schema = {"oneOf": [ref(name) for name in kinds]}
    about = "Counts of rows, as assay tally writes them and assay merge, evaluate and compare read them."
    return {
        "tally": document("tally:1", "Tally", "A single tally, as to_json() of a tally writes it.", either, parts),
        "counts": document("counts:2", "Counts", about, counts, {**parts, "by_kind": by_kind, "slicing": slicing}),
    }
