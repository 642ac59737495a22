"""Schemas of reports and of every other answer."""

from __future__ import annotations

from assay.options import CURVES, GATE_ON
from assay.options.evaluating import COMPARE, COMPARE_REPEATED, EVALUATE
from assay.options.option import Stored, options_of
from assay.options.preferring import PREFER
from assay.options.ranking import RANK
from assay.uncertainty.planning.plan import HALF_WIDTHS, SIGN_TESTS
from scripts.reference.schemas import comparing
from scripts.reference.schemas.parts import (
    ASSAY,
    ESTIMATE,
    FLAG,
    LEVEL,
    NOTES,
    NUMBER,
    ROW,
    SECTION,
    SHARE,
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

ONE = {"const": 1}
FORM = (ONE, "The version of this form.")
NAMES: Schema = {"anyOf": [TEXT, TEXTS, by_name(TEXT)]}
STORED: dict[Stored, Schema] = {
    Stored.TEXT: TEXT,
    Stored.FLAG: FLAG,
    Stored.NUMBER: NUMBER,
    Stored.WHOLE: WHOLE,
    Stored.DRAWS: {"type": "integer", "minimum": 99},
    Stored.SEED: WHOLE,
    Stored.LABEL: {"type": ["string", "number", "boolean"]},
    Stored.LABELS: {"anyOf": [TEXT, listed({"type": ["string", "number", "boolean"]})]},
    Stored.TEXTS: {"anyOf": [TEXT, TEXTS]},
    Stored.COLUMNS: NAMES,
    Stored.SCORES: {"anyOf": [TEXT, TEXTS, by_name({"anyOf": [TEXT, by_name(TEXT)]})]},
    Stored.GUESSES: by_name(TEXTS),
    Stored.FILE: maybe(TEXT),
    Stored.FILES: by_name(maybe(TEXT)),
    Stored.THRESHOLD: {"anyOf": [NUMBER, by_name(NUMBER)]},
    Stored.MEASURES: {"anyOf": [TEXT, {**TEXTS, "minItems": 1}]},
    Stored.COSTS: {"anyOf": [TEXT, by_name({"anyOf": [NUMBER, by_name(NUMBER)]})]},
    Stored.RANGE: pair(NUMBER),
    Stored.MAP: by_name(TEXT),
}


def _asked() -> Schema:
    """The options that a report is recomputed with, from their declarations."""
    every = {
        name: (STORED[option.stored], option.in_python)
        for group in (RANK, EVALUATE, COMPARE, COMPARE_REPEATED, PREFER)
        for name, option in options_of(*group).items()
        if option.stored is not None
    }
    every["runs"] = (STORED[Stored.FILES], "The file of each run, of rankings; null for one that was in memory.")
    return fields({}, every)


REPEATS = fields(
    {
        "column": (TEXT, "A column whose values seem to identify clusters."),
        "values": (WHOLE, "How many different values it has."),
        "rows": (WHOLE, "In how many rows."),
    }
)
REWRITTEN = fields(
    {"labels": (WHOLE, "How many labels were rewritten."), "rows": (WHOLE, "In how many rows.")},
)
PROVENANCE = fields(
    {"source": (TEXT, "The name of the file, or what the data are called.")},
    {
        "n": (WHOLE, "How many rows, judgments or values were used."),
        "gold": (maybe(TEXT), "The column of the gold labels."),
        "pred": (by_name(TEXT), "The column of each system's labels."),
        "score": (by_name({"anyOf": [TEXT, TEXTS]}), "The column, or columns, of each system's scores."),
        "cluster": (TEXT, "The column of the clusters."),
        "clusters": (WHOLE, "How many clusters there are."),
        "weight": (TEXT, "The column of the weights."),
        "count": (TEXT, "The column of the numbers of rows."),
        "slices": (TEXTS, "The columns whose groups are shown."),
        "gold fingerprint": (maybe(TEXT), "A hash of the gold labels: the same for the same labels."),
        "threshold": (by_name(NUMBER), "The threshold of each system whose labels come from scores."),
        "score bins": (WHOLE, "How many bins the scores were grouped into."),
        "kept": (TEXT, "Which rows were kept."),
        "skipped": (WHOLE, "How many rows were left out."),
        "unanswered": (by_name(WHOLE), "How many items each system did not answer."),
        "labels rewritten": (REWRITTEN, "How many labels were rewritten before they were compared."),
        "possible cluster": (REPEATS, "A column that seems to say which rows belong together."),
        "systems": (by_name(TEXT), "The file of each system."),
        "paired by": (TEXT, "How the rows of several files were paired."),
        "predictions without gold": (by_name(WHOLE), "How many predictions of each system have an id without gold."),
        "resamples": (WHOLE, "How many draws were made."),
        "seed": (WHOLE, "The seed of the draws."),
        "unit": (named(["item", "query", "fold", "data set"]), "What each value belongs to."),
        "a": (TEXT, "The column of one system of each judgment."),
        "b": (TEXT, "The column of the other."),
        "winner": (TEXT, "The column of the winner."),
        "item": (TEXT, "The column of the item."),
        "judge": (TEXT, "The column of the judge."),
        "first": (TEXT, "The column of the system shown first."),
        "judges": (WHOLE, "How many judges there are."),
        "flattered": (FLAG, "Whether the rows are those that a threshold was chosen on, in the report of a threshold."),
        "left out": (WHOLE, "How many judgments of systems that were left out."),
        "runs": (by_name(TEXT), "The file of each run."),
        "queries judged": (WHOLE, "How many queries have judgments."),
        "queries missing": (by_name(WHOLE), "How many judged queries each run lacks."),
        "queries without judgments": (by_name(WHOLE), "How many queries of each run have no judgments."),
        "queries without relevant documents": (WHOLE, "How many judged queries have no relevant document."),
        "queries left out": (WHOLE, "How many queries were left out because some run lacks them."),
        "depth": (WHOLE, "The rank up to which the next two look at lists."),
        "unjudged": (by_name(SHARE), "The share of documents up to that rank that have no judgment, for each run."),
        "tied": (by_name(SHARE), "The share of queries in which a tie is cut off at that rank, for each run."),
        "query attributes": (TEXT, "The table of the queries' attributes."),
    },
)
ADVISED = fields(
    {
        "report": (TEXT, "What to report."),
        "why": (TEXT, "Why."),
        "hides": (maybe(TEXT), "What it hides."),
    }
)
SYSTEM = fields(
    {
        "name": (TEXT, "The system."),
        "headline": (TEXT, "One sentence about the sample."),
        "primary": (TEXT, "Its main measure."),
        "notes": NOTES,
        "tables": (listed(ref("table")), "Tables that help to read the rows."),
    }
)
REPORT = fields(
    {
        "assay": ASSAY,
        "schema": FORM,
        "provenance": (ref("provenance"), "Where the data came from, and how they were counted."),
        "asked": (ref("asked"), "The options that assay verify recomputes the report with."),
        "methods": (TEXT, "How the numbers were computed, as sentences for a paper."),
        "notes": NOTES,
        "advice": (listed(ADVISED), "What else is worth reporting for these data."),
        "rows": (listed(ref("row")), "Every number, one for each row of the report."),
        "systems": (listed(SYSTEM), "The systems, with their tables and notes."),
    },
    {"contest": (ref("contest"), "Where systems were compared: the comparisons and what follows from them.")},
)
POINT = fields(
    {
        "system": (TEXT, "The system."),
        "part": (named(["point", "band"]), "A point of the curve, or a place of its band."),
        "x": (maybe(NUMBER), "The place on the horizontal axis; null if it is undefined."),
        "y": (maybe(NUMBER), "The height; null if it is undefined."),
        "threshold": (maybe(NUMBER), "The threshold of a point; null for the band and for an infinite one."),
        "low": (maybe(NUMBER), "The lower limit of y."),
        "high": (maybe(NUMBER), "The upper limit of y."),
        "n": (maybe(NUMBER), "How many items a bin of a calibration curve has."),
    }
)
CURVED = fields(
    {
        "kind": (named(CURVES), "Which curve."),
        "level": (LEVEL, "The level of the band, at each x by itself."),
        "notes": NOTES,
        "points": (listed(POINT), "All points of each system, and then its band."),
    }
)
TARGET = fields(
    {
        "measure": (TEXT, "The rate."),
        "value": (NUMBER, "What it must reach."),
        "on": (named(GATE_ON), "What must reach it."),
        "level": (LEVEL, "The level of that interval."),
    }
)
CHOICE = fields(
    {
        "objective": (TEXT, "The measure that is optimized."),
        "target": (maybe(TARGET), "The rate that must be met; null if none was named."),
        "costs": (maybe(pair(NUMBER)), "What a false alarm and a miss cost; null if no costs were named."),
    }
)
FOUND = fields(
    {
        "threshold": (maybe(NUMBER), "The threshold; null if nothing is called positive or nothing was chosen."),
        "below": (maybe(NUMBER), "Thresholds above this one give the same labels; null if there is no lower score."),
        "value": (maybe(NUMBER), "The value of the objective."),
        "held": (maybe(NUMBER), "The value of the rate with a target."),
        "equally_good": (WHOLE, "How many thresholds have the same value."),
        "reason": (maybe(TEXT), "Why nothing was chosen."),
        "closest": (maybe(NUMBER), "The threshold that comes closest to the target, if none meets it."),
        "limit": (maybe(NUMBER), "The limit of the interval there, if that must meet the target."),
    }
)
STEADINESS = fields(
    {
        "draws": (WHOLE, "How many resamples chose again."),
        "level": (LEVEL, "The share of them whose thresholds lie in the range."),
        "low": (maybe(NUMBER), "The lower end of that range."),
        "high": (maybe(NUMBER), "The upper end; null if nothing is called positive there."),
        "without": (WHOLE, "Resamples in which nothing could be chosen."),
        "flat_low": (maybe(NUMBER), "The lowest threshold within one standard error of the best."),
        "flat_high": (maybe(NUMBER), "The highest one."),
        "flat": (WHOLE, "How many thresholds do about as well."),
        "between": (WHOLE, "Out of how many from the lowest to the highest of them."),
        "optimism": (maybe(NUMBER), "By how much the value on these rows is too good."),
        "misses": (maybe(SHARE), "The share of the resamples' thresholds that miss the target on the rows."),
        "p_calibrated": (maybe(SHARE), "The p-value of a formula this far behind if scores are calibrated."),
        "reason": (maybe(TEXT), "Why nothing is known."),
    }
)
SAMPLE = fields(
    {
        "source": (TEXT, "The name of the file, or dev or check."),
        "score": (TEXT, "The column of the scores."),
        "n": (WHOLE, "How many rows."),
        "positive": (TEXT, "The positive class."),
        "negative": (TEXT, "The other class."),
        "positives": (WHOLE, "How many rows are positive."),
        "thresholds": (WHOLE, "How many thresholds give different labels."),
        "probabilities": (FLAG, "Whether all scores lie between 0 and 1."),
        "gold fingerprint": (TEXT, "A hash of the gold labels."),
    },
    {"clusters": (WHOLE, "How many clusters there are.")},
)
CALIBRATED = fields(
    {"threshold": (NUMBER, "Where it would lie."), "is": (TEXT, "The formula that gives it.")},
)
TUNED = fields(
    {
        "assay": ASSAY,
        "schema": FORM,
        "threshold": (maybe(NUMBER), "Scores at or above it are called positive."),
        "calls_nothing": (FLAG, "Whether nothing is called positive; the threshold is then null."),
        "flattered": (FLAG, "Whether the values are those of the rows the threshold was chosen on."),
        "reason": (maybe(TEXT), "Why nothing was chosen."),
        "chosen_for": (TEXT, "What it was chosen for, in words."),
        "choice": (CHOICE, "The same as data."),
        "found": (FOUND, "What was found."),
        "steadiness": (STEADINESS, "What resamples of the rows say about it."),
        "if_calibrated": (maybe(CALIBRATED), "Where it would lie for calibrated probabilities."),
        "dev": (ref("sample"), "The rows it was chosen on."),
        "check": (maybe(ref("sample")), "The rows it was evaluated on; null for the same rows."),
        "against": (maybe(NUMBER), "The threshold it is compared with."),
        "sentences": (TEXTS, "The result in sentences."),
        "notes": NOTES,
        "rows": (listed(ref("row")), "The threshold, its values and its differences from another one."),
    }
)
PLAN = fields(
    {
        "items": (WHOLE, "How many items to label."),
        "method": (named([*HALF_WIDTHS, *SIGN_TESTS, "simulation"]), "How it was computed."),
        "sentence": (TEXT, "The plan as a sentence."),
        "assumptions": (TEXTS, "What was assumed."),
        "half_width": (maybe(NUMBER), "The half-width of the interval."),
        "difference": (maybe(NUMBER), "The true difference."),
        "power": (maybe(SHARE), "The probability of detecting it."),
        "power_low": (maybe(SHARE), "The lower limit of a power that was simulated."),
        "power_high": (maybe(SHARE), "The upper limit."),
        "clusters": (maybe(WHOLE), "How many clusters that is."),
        "design_effect": (maybe(NUMBER), "By how much clusters multiply the variance."),
    }
)
PLANNED = fields(
    {
        "sentence": (TEXT, "The answer."),
        "plans": (listed(PLAN, minItems=1), "The answer by every method that applies; use the first."),
        "notes": NOTES,
        "solved": (named(["items", "power", "half_width", "difference"]), "Which of its numbers was asked for."),
    }
)


def reports() -> dict[str, Schema]:
    """The schemas of reports, estimates, comparisons, curves, thresholds and plans, by the names of their files."""
    contest = {"row": ROW, "table": SECTION, **comparing.CONTEST_PARTS}
    report = {"provenance": PROVENANCE, "asked": _asked(), **contest}
    what = "What evaluate, compare, prefer and rank write with --format json, and Report.to_json()."
    chosen = "What tune writes with --format json, and to_json() of its result."
    two = "Two systems: to_json() of what compare and compare_values return."
    asked = "What plan writes with --format json."
    return {
        "report": document("report:1", "Report", what, REPORT, report),
        "estimate": document("estimate:1", "Estimate", "A value: to_json() of what estimate returns.", ESTIMATE),
        "comparison": document("comparison:1", "Comparison", two, comparing.COMPARISON, comparing.PARTS),
        "curves": document("curves:1", "Curves", "Curves: to_json() of what curves returns.", CURVED),
        "tune": document("tune:1", "Threshold", chosen, TUNED, {"row": ROW, "sample": SAMPLE}),
        "plan": document("plan:1", "Plan", asked, PLANNED),
    }
