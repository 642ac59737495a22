"""The options of `evaluate` and of comparisons, declared once.

A group is a `TypedDict`, so that a function can take it as `**options: Unpack[Group]` and a type checker knows what may
be given; what else is known of an option stands beside its type. The flag with its help, the keyword with its default,
the field of a stored report and the reference page all come from here.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from assay.options import (
    ALTERNATIVES,
    CORRECTIONS,
    LEVEL,
    MISSING,
    ORIENTATIONS,
    RESAMPLES,
    SEED,
    STATISTICS,
    TABLES,
)
from assay.options.option import Option, Stored

Names = str | Sequence[str] | Mapping[str, str] | None
# Columns of scores: of one class, or of every class, whose name then stands where the column's name has {}.
Scoring = str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None
Column = str | Any | None  # the name of a column; or an array, where the gold labels are one

Positive = Annotated[object | None, Option(None, "The label that counts as positive.", Stored.LABEL)]
Cluster = Annotated[Column, Option(None, "Column that says which rows belong together.", Stored.TEXT)]
Weight = Annotated[Column, Option(None, "Column of importance weights.", Stored.TEXT)]
Count = Annotated[Column, Option(None, "Column that says how many rows a row stands for.", Stored.TEXT)]
Level = Annotated[float, Option(LEVEL, "Confidence level of the intervals.", Stored.NUMBER)]
Draws = Annotated[int, Option(RESAMPLES, "Draws for what needs them.", Stored.DRAWS, flag="resamples")]
Seed = Annotated[int, Option(SEED, "Seed of the draws.", Stored.SEED, flag="seed")]


class Columns(TypedDict, total=False):
    """Which columns and files play which role, and how the rows count."""

    gold: Annotated[
        str | None,
        Option(
            None,
            "Column of the reference labels, if it is not called gold, y_true, target, label or reference.",
            Stored.TEXT,
        ),
    ]
    pred: Annotated[
        Names,
        Option(
            None,
            "Column of a system's labels, as COL or NAME=COL; repeat for more.",
            Stored.COLUMNS,
            python="Column of a system's labels; several are a list, or a mapping of the systems' names to columns.",
        ),
    ]
    systems: Annotated[
        Mapping[str, Any] | None,
        Option(
            None,
            "A system's own file, as NAME=FILE, paired with FILE by id; repeat for more.",
            Stored.FILES,
            python="A table for each system by name, paired with the data by id.",
            flag="system",
        ),
    ]
    id: Annotated[str | None, Option(None, "Column that pairs the rows of several files.", Stored.TEXT)]
    by_position: Annotated[bool, Option(False, "Pair the rows of several files by position, not by id.", Stored.FLAG)]
    missing: Annotated[
        str,
        Option(
            "error",
            "What a missing prediction is: an error, wrong, or a reason to skip the row.",
            Stored.TEXT,
            choices=MISSING,
        ),
    ]
    positive: Positive
    labels: Annotated[
        Sequence[object] | str | None,
        Option(
            None,
            "The classes: observed, gold, or a label; repeat for a list.",
            Stored.LABELS,
            python="The classes: 'observed', 'gold', or a list of labels.",
        ),
    ]
    map: Annotated[
        Mapping[Any, Any] | str | None,
        Option(
            None,
            "Rename labels of gold and predictions before they are compared: FROM=TO,FROM=TO, or a CSV file with the "
            "columns from and to; repeat for more.",
            Stored.MAP,
            python="Rename labels of gold and predictions before they are compared, as in {'yes': 1, 'no': 0}; or the "
            "name of a CSV file with the columns from and to.",
        ),
    ]
    ignore_case: Annotated[bool, Option(False, "Compare labels without regard to upper and lower case.", Stored.FLAG)]
    numeric_labels: Annotated[
        bool,
        Option(False, "Compare labels that are numbers as numbers, so that 1, 1.0 and 01 are one label.", Stored.FLAG),
    ]
    cluster: Cluster
    weight: Weight
    count: Count
    slices: Annotated[
        str | Sequence[str] | Any,
        Option(
            (),
            "Column whose groups are compared; repeat for more.",
            Stored.TEXTS,
            python="Column whose groups are compared, or several in a list.",
            flag="slice",
        ),
    ]
    crossed: Annotated[
        bool,
        Option(
            False, "Also cross the columns of --slice.", Stored.FLAG, python="Whether to cross the slices' columns too."
        ),
    ]
    guesses: Annotated[
        Mapping[str, Sequence[str]] | None,
        Option(
            None,
            "Column of a system's next guess, as NAME=COL; repeat for further ones.",
            Stored.GUESSES,
            python="Columns of a system's second guess, its third and so on, by the system's name.",
            flag="guess",
        ),
    ]
    scores: Annotated[
        Scoring,
        Option(
            None,
            "Column of a system's scores for the positive class, as COL or NAME=COL; or of every class, with {} "
            "in place of the class, as in NAME=p_{}; repeat for more.",
            Stored.SCORES,
            python="Column of a system's scores for the positive class; or of every class, with {} in place of the "
            "class, as in 'p_{}'; several systems as for pred.",
            flag="score",
        ),
    ]
    threshold: Annotated[
        float | Mapping[str, float] | None,
        Option(
            None,
            "Score from which on an item is called positive, as T or NAME=T, where labels come of scores (0.5 for "
            "probabilities).",
            Stored.THRESHOLD,
            python="Score from which on an item is called positive when labels are derived from scores (0.5 for "
            "probabilities); or one for each system by name.",
        ),
    ]
    score_bins: Annotated[
        int | None, Option(None, "Gather scores from 0 to 1 into so many bins (approximate).", Stored.WHOLE)
    ]


class Drawing(TypedDict, total=False):
    """How intervals are made."""

    level: Level
    method: Annotated[str, Option("auto", "How to make the intervals; auto chooses what covers.", Stored.TEXT)]
    n_resamples: Draws
    random_state: Seed


class Measured(TypedDict, total=False):
    """Which measures are shown. A measure's own type belongs to a higher layer, so functions name it themselves."""

    measures: Annotated[
        Any,
        Option(
            None,
            "A measure such as f1 or f1(average=macro); repeat for more.",
            Stored.MEASURES,
            python="A measure such as 'f1' or 'f1(average=macro)', or several in a list.",
            flag="measure",
        ),
    ]


class Priced(TypedDict, total=False):
    """What errors cost."""

    costs: Annotated[
        Any,
        Option(
            None,
            "CSV file of costs: gold classes in rows, predicted ones in columns.",
            Stored.COSTS,
            python="Costs by name, as in {'fp': 1, 'fn': 20}, or a CSV file of costs: gold classes in rows, predicted "
            "ones in columns.",
        ),
    ]


class Shown(TypedDict, total=False):
    """What `evaluate` shows beside the measures."""

    prevalence: Annotated[float | None, Option(None, "Also show the values at this share of positives.", Stored.NUMBER)]
    tables: Annotated[
        Sequence[str],
        Option(
            (),
            "Also show each class against the rest, or the pooled table; repeat for both.",
            Stored.TEXTS,
            python="Tables to show as well, in a list.",
            flag="table",
            choices=TABLES,
        ),
    ]
    rows: Annotated[
        str,
        Option(
            "gold",
            "Which labels are the rows of the confusion matrix.",
            Stored.TEXT,
            flag="matrix_rows",
            choices=ORIENTATIONS,
        ),
    ]


class Primary(TypedDict, total=False):
    """What is tested. A measure's own type belongs to a higher layer, so functions name it themselves."""

    primary: Annotated[Any, Option(None, "The one measure that is tested.", Stored.TEXT)]


class Matched(TypedDict, total=False):
    """Who is compared with whom."""

    baseline: Annotated[str | None, Option(None, "Compare every other system with this one.", Stored.TEXT)]
    correction: Annotated[str, Option("holm", "How several p-values are corrected.", Stored.TEXT, choices=CORRECTIONS)]


class Tested(TypedDict, total=False):
    """How two systems are compared, whatever their values are of."""

    test: Annotated[
        str,
        Option(
            "auto",
            "auto, randomization, bootstrap, mcnemar_midp, mcnemar (exact), mcnemar_chi2, mcnemar_chi2_corrected, "
            "sign, delong, interval, none; over folds and data sets corrected_t, 5x2cv, 5x2cv_f, t, wilcoxon, sign.",
            Stored.TEXT,
        ),
    ]
    alternative: Annotated[
        str,
        Option(
            "two-sided",
            "What speaks against no difference: greater is the first system being higher. "
            "A one-sided question has a one-sided limit.",
            Stored.TEXT,
            choices=ALTERNATIVES,
        ),
    ]
    margin: Annotated[
        float | None, Option(None, "Also test whether the difference lies within this margin.", Stored.NUMBER)
    ]
    strict: Annotated[bool, Option(False, "Bootstrap draws that only reach the difference do not count.", Stored.FLAG)]
    raw_p: Annotated[bool, Option(False, "Bootstrap p as s/b, not (s + 1)/(b + 1).", Stored.FLAG)]


class Paired(TypedDict, total=False):
    """How the answers of two systems are compared, row by row or as separate samples."""

    statistic: Annotated[str, Option("auto", "What the randomization test compares.", Stored.TEXT, choices=STATISTICS)]
    unpaired: Annotated[bool, Option(False, "Take the systems' files as separate samples.", Stored.FLAG)]


class Repeated(TypedDict, total=False):
    """Values that were measured several times."""

    values: Annotated[
        Mapping[str, str] | Sequence[str] | None,
        Option(
            None,
            "Column of a system's values, as COL or NAME=COL, instead of --pred; repeat.",
            Stored.COLUMNS,
            python="Columns of the systems' values instead of pred: a list, or a mapping of names to columns.",
            flag="value",
        ),
    ]
    folds: Annotated[
        str | None,
        Option(
            None,
            "Column that says which fold a row belongs to; with --datasets, folds of each are averaged first.",
            Stored.TEXT,
            python="Column that says which fold a row belongs to; with datasets, folds of each are averaged first.",
        ),
    ]
    repeats: Annotated[str | None, Option(None, "Column that says which repetition a fold is of.", Stored.TEXT)]
    datasets: Annotated[str | None, Option(None, "Column that says which data set a row is of.", Stored.TEXT)]
    lower_is_better: Annotated[
        bool,
        Option(
            False,
            "Lower values are better (with --value).",
            Stored.FLAG,
            python="Whether lower values are better.",
            flag="lower",
        ),
    ]
    value_range: Annotated[
        tuple[float, float] | None,
        Option(
            None,
            "Between what such values lie, as LOW:HIGH; for their intervals (with --value).",
            Stored.RANGE,
            python="The two numbers between which such values lie, for their intervals.",
        ),
    ]


# What each function takes, in the order in which its options are listed.
EVALUATE = (Columns, Measured, Priced, Shown, Drawing)
COMPARISON = (Measured, Primary, Priced, Matched, Tested, Paired, Drawing)
COMPARE = (*COMPARISON, Columns)
COMPARE_REPEATED = (Repeated, Measured, Primary, Matched, Tested, Drawing, Columns)


class Comparing(Priced, Matched, Tested, Paired, Drawing, Columns, total=False):
    """The options of `compare_systems` that it hands on."""


class ComparingRepeated(Matched, Tested, Drawing, Columns, total=False):
    """The options of `compare_repeated` that it hands on."""
