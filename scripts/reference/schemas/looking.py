"""Schemas of what is said about data: check, advise, verify and the table of classes."""

from __future__ import annotations

from assay.advice.advise import RULES
from scripts.reference.schemas.parts import (
    ASSAY,
    FLAG,
    LEVEL,
    NUMBER,
    REASON,
    TEXT,
    TEXTS,
    WHOLE,
    Schema,
    by_name,
    document,
    fields,
    listed,
    maybe,
    named,
    pair,
    ref,
)

LABEL = fields({"label": (TEXT, "The label."), "rows": (WHOLE, "How many rows have it.")})
SPELLING = fields({"label": (TEXT, "The label."), "rows": (by_name(WHOLE), "How many rows have it, by column.")})
COLUMN = fields(
    {
        "name": (TEXT, "The column."),
        "role": (maybe(named(["id", "gold", "pred", "score"])), "Its role; null if it has none."),
        "sure": (FLAG, "Whether its name says so; otherwise its labels suggest it."),
        "distinct": (WHOLE, "How many different values it has."),
        "missing": (WHOLE, "In how many rows it is empty."),
        "frequent": (listed(ref("label")), "The most frequent values."),
        "problem": (maybe(TEXT), "Why it was not counted."),
        "ends": (maybe(pair(NUMBER)), "The lowest and the highest of its numbers, if it holds scores."),
        "like_missing": (listed(ref("label")), "Its values that look like missing ones, and count as values."),
        "bars": (
            listed(WHOLE),
            "How many of its numbers lie in each of equal parts between the two, if it holds scores.",
        ),
    }
)
DIFFERENCE = fields(
    {
        "pred": (TEXT, "A column of predictions."),
        "only_gold": (listed(ref("label")), "Gold labels that it never has."),
        "only_pred": (listed(ref("label")), "Its labels that are not gold labels."),
        "strangers": (FLAG, "Whether they have no label in common."),
        "flags": (TEXTS, "Options that unify labels written differently."),
    }
)
TWICE = fields(
    {
        "column": (TEXT, "The column of ids."),
        "ids": (WHOLE, "How many ids occur more than once."),
        "first": (TEXTS, "The first of them."),
    }
)
CLUSTER = fields(
    {
        "column": (TEXT, "A column whose values seem to identify clusters."),
        "distinct": (WHOLE, "How many different values it has."),
        "rows": (WHOLE, "In how many rows."),
    }
)
CHECKED = fields(
    {
        "name": (TEXT, "The table."),
        "rows": (WHOLE, "How many rows it has."),
        "columns": (listed(COLUMN), "Its columns."),
        "gold": (maybe(TEXT), "The column of the gold labels."),
        "preds": (TEXTS, "The columns of predictions."),
        "alike": (listed(listed(SPELLING)), "Labels that differ only in the way they are written."),
        "differences": (listed(DIFFERENCE), "Labels that only gold or only predictions have."),
        "repeats": (maybe(TWICE), "Ids that occur more than once."),
        "cluster": (maybe(ref("cluster")), "A column that seems to say which rows belong together."),
    }
)
PIECE = fields(
    {
        "report": (TEXT, "What to report."),
        "why": (TEXT, "Why."),
        "measure": (maybe(TEXT), "The measure as it is spelled for --measure; null if there is none."),
        "hides": (maybe(TEXT), "What it hides."),
        "how": (maybe(TEXT), "A command or a call that computes it."),
        "later": (FLAG, "Whether it is for later."),
    }
)
ROLE = fields(
    {
        "column": (TEXT, "The column."),
        "role": (TEXT, "Its role."),
        "by": (TEXT, "How that is known."),
        "sure": (FLAG, "Whether it is certain."),
    }
)
SIZES: Schema = listed({"type": "array", "prefixItems": [TEXT, WHOLE], "minItems": 2, "maxItems": 2})
OWNED = {"owner": (maybe(ref("cluster")), "A column that seems to say which rows belong together.")}
LABELS = fields(
    {
        "classes": (SIZES, "The classes with their numbers of rows."),
        "systems": (WHOLE, "How many systems."),
        "labels": (FLAG, "Whether there are predicted labels."),
        "scores": (FLAG, "Whether there are scores."),
        "by_class": (FLAG, "Whether there is a score for each class."),
        "ends": (maybe(pair(NUMBER)), "The lowest and the highest score."),
        "off": (WHOLE, "In how many rows the scores of the classes do not add up to one."),
        "positive": (maybe(TEXT), "The positive class, if it is known."),
        "costs": (maybe(pair(NUMBER)), "What a false alarm and a miss cost."),
        **OWNED,
        "clustered": (maybe(WHOLE), "The number of clusters, if rows were counted by cluster."),
    }
)


def _facts() -> dict[str, Schema]:
    rankings = fields(
        {
            "queries": (WHOLE, "How many queries."),
            "documents": (WHOLE, "How many documents."),
            "grades": (TEXTS, "The grades that occur."),
            "answered": (WHOLE, "Queries with a relevant document."),
            "most_relevant": (WHOLE, "How many relevant documents the query with the most has."),
            "unjudged": (WHOLE, "Documents without a grade."),
            "tied": (WHOLE, "Documents that share their score with another of the same query."),
        }
    )
    ratings = fields(
        {
            "units": (WHOLE, "How many units were rated."),
            "raters": (WHOLE, "How many raters."),
            "ratings": (WHOLE, "How many ratings."),
            "paired": (WHOLE, "How many units have two ratings or more."),
            "categories": (SIZES, "The categories with their numbers of ratings."),
            "twice": (WHOLE, "Ratings by a rater who had rated the unit already."),
            "numeric": (FLAG, "Whether all categories are numbers."),
        }
    )
    clusterings = fields(
        {
            "classes": (SIZES, "The gold classes with their numbers of items."),
            "groups": (SIZES, "The groups with their numbers of items."),
            "systems": (WHOLE, "How many clusterings."),
            "memberships": (WHOLE, "Columns of a soft clustering."),
        }
    )
    return {"labels": LABELS, "rankings": rankings, "ratings": ratings, "clusterings": clusterings}


VALUE = fields(
    {
        "value": (maybe(NUMBER), "The value; null if it is undefined."),
        "low": (maybe(NUMBER), "The lower limit."),
        "high": (maybe(NUMBER), "The upper limit."),
        "reason": REASON,
    }
)
CLASS = fields(
    {
        "system": (TEXT, "The system."),
        "class": (maybe(TEXT), "The class; null for an average."),
        "average": (maybe(named(["micro", "macro", "weighted"])), "The average; null for a class."),
        "precision": (ref("value"), "Precision."),
        "recall": (ref("value"), "Recall."),
        "f1": (ref("value"), "F1."),
        "support": (NUMBER, "Gold rows, or the sum of their weights."),
        "predicted": (NUMBER, "Rows that the system gave this label, or the sum of their weights."),
    }
)
CHANGE = fields(
    {
        "row": (TEXT, "The row."),
        "number": (TEXT, "Which of its numbers; empty for a whole row."),
        "was": (maybe(NUMBER), "What the report has."),
        "now": ({"type": ["number", "string", "null"]}, "What was computed now, or what became of the row."),
    }
)
PRINTS = fields(
    {
        "report": (maybe(TEXT), "That of the report."),
        "file": (maybe(TEXT), "That of the file."),
    }
)
VERIFIED = fields(
    {
        "result": (TEXT, "The report."),
        "file": (TEXT, "The file it was recomputed from."),
        "rows": (WHOLE, "How many rows the report has."),
        "same": (FLAG, "Whether everything is the same."),
        "made by": (TEXT, "The version that wrote the report."),
        "fingerprints": (PRINTS, "Hashes of the gold labels."),
        "changes": (listed(CHANGE), "What has changed."),
    }
)


def schemas() -> dict[str, Schema]:
    """The schemas of these answers by the names of their files."""
    facts = _facts()
    advice = fields(
        {
            "source": (TEXT, "The name of the data."),
            "family": (maybe(named(RULES)), "What the data were recognized as; null if they were not."),
            "summary": (TEXTS, "What they contain, in sentences."),
            "pieces": (listed(PIECE), "What to report, the most important first."),
            "roles": (listed(ROLE), "The roles of the columns."),
            "doubts": (TEXTS, "What is uncertain about that."),
            "facts": ({"anyOf": [*(ref(name) for name in facts), {"type": "null"}]}, "The facts behind the advice."),
        }
    )
    by_class = fields({"assay": ASSAY, "level": (LEVEL, "The confidence level."), "rows": (listed(CLASS), "The rows.")})
    shared = {"cluster": CLUSTER}
    classes = "The classes of each system: to_json() of report.per_class and of classification_report."
    return {
        "check": document(
            "check:1", "Check", "What check writes with --format json.", CHECKED, {"label": LABEL, **shared}
        ),
        "advise": document("advise:1", "Advice", "What advise writes with --format json.", advice, {**facts, **shared}),
        "per_class": document("per_class:1", "Classes", classes, by_class, {"value": VALUE}),
        "verify": document("verify:1", "Verification", "to_json() of what verify finds.", VERIFIED),
    }
