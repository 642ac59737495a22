"""Schemas of comparisons, and of what they add to a report."""

from __future__ import annotations

from assay import options
from scripts.reference.schemas.parts import (
    ALTERNATIVE,
    CORRECTION,
    FLAG,
    LEVEL,
    METHOD,
    NOTES,
    NUMBER,
    OUTCOME,
    SHARE,
    SIGNED,
    TEST,
    TEXT,
    TEXTS,
    WHOLE,
    Schema,
    by_name,
    fields,
    listed,
    maybe,
    named,
    pair,
    ref,
)

STATISTICS = ("t", "F", "chi2", "z", "W+", "b", "wins", "raw", "studentized", "mean difference")
ITEMS = maybe(WHOLE)
STATISTIC = fields(
    {
        "name": (named(STATISTICS), "Which statistic."),
        "value": (maybe(NUMBER), "Its value; null if it is infinite."),
        "df": (listed(NUMBER), "Its degrees of freedom; empty if it has none, two for F."),
        "sides": (maybe(pair(NUMBER)), "What favors the first and the second system: rank sums, wins, b and c."),
        "z": (maybe(NUMBER), "In standard errors, if the p-value comes from the normal distribution."),
    }
)
EFFECT = fields(
    {
        "only_a": (ITEMS, "Items that only the first system got right."),
        "only_b": (ITEMS, "Items that only the second got right."),
        "both": (ITEMS, "Items that both got right."),
        "neither": (ITEMS, "Items that neither got right."),
        "odds_ratio": (
            {"anyOf": [maybe(NUMBER), {"const": "infinite"}]},
            "only_a / only_b; “infinite” if the second was never the only one to be right.",
        ),
        "d_z": (maybe(NUMBER), "Mean of the paired differences in their standard deviations."),
        "superiority": (maybe(SHARE), "The share of pairs in which the first is higher, ties counting half."),
        "counted": (maybe(TEXT), "What the counted items are, such as positive for recall; null for all items."),
    }
)
MARGIN = fields(
    {
        "margin": (NUMBER, "The largest difference that would not matter, as it was named."),
        "low": (maybe(NUMBER), "The lower limit of the difference at the level of two one-sided tests."),
        "high": (maybe(NUMBER), "The upper limit."),
        "level": (LEVEL, "That level: 0.9 for tests at 5%."),
        "p_equivalent": (maybe(SHARE), "The larger of both one-sided p-values."),
        "p_not_worse": (maybe(SHARE), "The p-value that the first is worse by less than the margin."),
        "equivalent": (maybe(FLAG), "Whether the difference lies within the margin."),
        "not_worse": (maybe(FLAG), "Whether the first is worse by less than the margin."),
    }
)
COMPARISON = fields(
    {
        "names": (pair(TEXT), "The two systems."),
        "difference": (maybe(NUMBER), "The value of the first minus that of the second."),
        "low": (maybe(NUMBER), "The lower limit; null on a side that was not asked about."),
        "high": (maybe(NUMBER), "The upper limit; null on a side that was not asked about."),
        "level": (LEVEL, "The confidence level."),
        "method": (METHOD, "The method of the interval."),
        "p_value": (maybe(SHARE), "The p-value of the test; null if nothing was tested."),
        "test": (TEST, "The test."),
        "statistic": (maybe(ref("statistic")), "What the test compares with its null distribution."),
        "alternative": (ALTERNATIVE, "The alternative hypothesis about the first minus the second."),
        "h0": (TEXT, "The null hypothesis as a sentence."),
        "h1": (TEXT, "The alternative as a sentence."),
        "draws": (ITEMS, "How many draws were made or outcomes listed; null if the distribution has a formula."),
        "extreme": (ITEMS, "How many draws were at least as extreme; null if nothing was drawn."),
        "n": (WHOLE, "How many items were compared."),
        "item": (TEXT, "What one of them is called."),
        "disagreements": (ITEMS, "On how many the systems differ; null if answers cannot be matched."),
        "reason": (maybe(TEXT), "Why there is no difference, or no interval."),
        "signature": SIGNED,
        "notes": NOTES,
        "higher_is_better": (maybe(FLAG), "Whether higher values are better; null if neither end is."),
        "why": (TEXT, "Why this test was chosen; may be empty."),
        "p_interval": (maybe(SHARE), "One minus the level at which the interval just reaches 0."),
        "p_adjusted": (maybe(SHARE), "The larger of p_value and p_interval, corrected."),
        "p_value_adjusted": (maybe(SHARE), "That of the test alone, corrected."),
        "correction": (maybe(CORRECTION), "How they were corrected; null for a single comparison."),
        "mde": (maybe(NUMBER), "The smallest true difference that the test detects with 80% power."),
        "mde_reason": (maybe(TEXT), "Why there is none."),
        "finer": (maybe(NUMBER), "A smaller difference that would matter."),
        "more_items": (ITEMS, "About how many more items would detect it with 80% power."),
        "form": (TEXT, "How the p-value was found, if it was neither drawn nor listed; may be empty."),
        "leaning": (
            {"enum": [-1, 0, 1, None]},
            "Which system a test that reads no mean finds higher: 1 for the first, −1 for the second.",
        ),
        "least_p": (maybe(SHARE), "The smallest p-value that the test could have given."),
        "both_sides": (pair(maybe(NUMBER)), "The limits of the level on both sides."),
        "standard_error": (
            maybe(NUMBER),
            "The standard error of the difference that the interval uses (smoothed, for smoothed_delta); null if it "
            "has none. A studentized statistic divides by the one of the delta method without smoothing.",
        ),
        "measure": (TEXT, "The measure with its options."),
        "values": (pair(maybe(NUMBER)), "The values of both systems."),
        "effect": (ref("effect"), "The size of the difference in other terms."),
        "margin": (maybe(ref("margin")), "The tests with a margin; null if none was named."),
        "p": (maybe(SHARE), "The basis of the verdict: the larger of p_value and p_interval."),
        "outcome": (OUTCOME, "The verdict in a word or two."),
        "verdict": (TEXT, "The verdict in a sentence or two."),
    }
)
STANDING = fields(
    {
        "system": (TEXT, "The system."),
        "value": (maybe(NUMBER), "Its value."),
        "best rank": (WHOLE, "Its rank if every undecided comparison went its way."),
        "worst rank": (WHOLE, "Its rank if none did."),
        "groups": (TEXT, "Letters; systems that share one cannot be told apart."),
    }
)
_SD: Schema = by_name(listed(maybe(NUMBER)))
SPREAD = fields(
    {
        "unit": (named(["fold", "data set"]), "What the values belong to."),
        "names": (TEXTS, "The folds or data sets."),
        "values": (by_name(listed(NUMBER)), "The values of each system, in that order."),
    },
    {
        "folds": (listed(WHOLE), "How many folds each data set has, if the values are means over them."),
        "sd over folds": (_SD, "The standard deviations of each system over them; null for a single fold."),
    },
)
OMNIBUS = fields(
    {
        "name": (TEXT, "Which form of Friedman's test."),
        "value": (maybe(NUMBER), "Its statistic."),
        "df": (listed(WHOLE), "Its degrees of freedom."),
        "p": (maybe(SHARE), "Its p-value."),
        "reason": (maybe(TEXT), "Why it has no value."),
        "report": (FLAG, "Whether it is the one to report."),
    }
)
RANKS = fields(
    {
        "mean ranks": (by_name(NUMBER), "The mean rank of each system, the best first."),
        "data sets": (WHOLE, "How many data sets."),
        "tests": (listed(ref("omnibus"), minItems=1), "Friedman's test in its forms."),
        "post hoc": (named(options.POST_HOC), "What compares the pairs."),
        "level": (LEVEL, "Its level."),
        "critical difference": (maybe(NUMBER), "Mean ranks this far apart are told apart; null for Holm's method."),
        "baseline": (maybe(TEXT), "The system that all are compared with; null for all pairs."),
        "not told apart": (listed(TEXTS), "Groups of systems that cannot be told apart."),
    }
)
CONTEST = fields(
    {
        "primary": (TEXT, "The measure that is tested."),
        "baseline": (maybe(TEXT), "The system that the others are compared with; null for all pairs."),
        "correction": (CORRECTION, "How p-values were corrected."),
        "summary": (TEXTS, "The outcome in sentences."),
        "comparisons": (listed(ref("comparison")), "Every comparison, those that were tested first."),
        "standings": (listed(ref("standing")), "Where each system stands, if there are several."),
        "tables": (listed(ref("table")), "Further tables."),
        "notes": NOTES,
    },
    {
        "spread": (ref("spread"), "The values per fold or data set, if such values were compared."),
        "ranks": (ref("ranks"), "Friedman's test, for three or more systems over data sets."),
    },
)
PARTS = {"statistic": STATISTIC, "effect": EFFECT, "margin": MARGIN}
CONTEST_PARTS = {
    **PARTS,
    "comparison": COMPARISON,
    "standing": STANDING,
    "spread": SPREAD,
    "omnibus": OMNIBUS,
    "ranks": RANKS,
    "contest": CONTEST,
}
