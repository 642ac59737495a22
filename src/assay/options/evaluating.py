"""The options of `evaluate` and of comparisons, declared once.

A group is a `TypedDict`, so that a function can take it as `**options: Unpack[Group]` and a type checker knows what may
be given; everything else about an option is next to its type. The flag with its help, the keyword with its default,
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
# Columns of scores: for one class, or for every class, whose name then replaces {} in the column's name.
Scoring = str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | Any | None
Column = str | Any | None  # the name of a column; or an array, if the gold labels are one

Positive = Annotated[object | None, Option(None, "The label that counts as positive.", Stored.LABEL)]
Cluster = Annotated[Column, Option(None, "Column that identifies the cluster each row belongs to.", Stored.TEXT)]
Weight = Annotated[Column, Option(None, "Column of importance weights.", Stored.TEXT)]
Count = Annotated[Column, Option(None, "Column with the number of rows that each row stands for.", Stored.TEXT)]
Level = Annotated[float, Option(LEVEL, "Confidence level of the intervals.", Stored.NUMBER)]
Draws = Annotated[
    int, Option(RESAMPLES, "Number of resamples, for methods that draw them.", Stored.DRAWS, flag="resamples")
]
Seed = Annotated[int, Option(SEED, "Seed of the random draws.", Stored.SEED, flag="seed")]


class OtherWords(TypedDict, total=False):
    """What `in_our_words` understands as well; here so that type checkers accept it."""

    pos_label: object | None
    score: Scoring
    sample_weight: Column


class Columns(OtherWords, total=False):
    """Which columns and files play which role, and how the rows count."""

    gold: Annotated[
        str | None,
        Option(
            None,
            "Column of the gold labels; needed unless it is called gold, y_true, target, label or reference.",
            Stored.TEXT,
        ),
    ]
    pred: Annotated[
        Names,
        Option(
            None,
            "Column of a system's labels, as COL or NAME=COL; repeat for more.",
            Stored.COLUMNS,
            python="Column of a system's labels; for several, a list, or a mapping of system names to columns.",
        ),
    ]
    systems: Annotated[
        Mapping[str, Any] | None,
        Option(
            None,
            "A system's own file, as NAME=FILE, paired with FILE by id; repeat for more.",
            Stored.FILES,
            python="A table for each system, by name, paired with the data by id.",
            flag="system",
        ),
    ]
    id: Annotated[str | None, Option(None, "Column of ids that pairs the rows of several files.", Stored.TEXT)]
    by_position: Annotated[bool, Option(False, "Pair the rows of several files by position, not by id.", Stored.FLAG)]
    missing: Annotated[
        str,
        Option(
            "error",
            "How to treat a missing prediction: as an error, as wrong, or by skipping the row.",
            Stored.TEXT,
            choices=MISSING,
        ),
    ]
    positive: Positive
    labels: Annotated[
        Sequence[object] | str | None,
        Option(
            None,
            "The classes: observed (in gold or predictions), gold, or a label; repeat for a list.",
            Stored.LABELS,
            python="The classes: 'observed' (in gold or predictions), 'gold', or a list of labels.",
        ),
    ]
    map: Annotated[
        Mapping[Any, Any] | str | None,
        Option(
            None,
            "Rename labels in gold and predictions before they are compared: FROM=TO,FROM=TO, or a CSV file with the "
            "columns from and to; repeat for more.",
            Stored.MAP,
            python="Rename labels in gold and predictions before they are compared, as in {'yes': 1, 'no': 0}; or the "
            "name of a CSV file with the columns from and to.",
        ),
    ]
    ignore_case: Annotated[bool, Option(False, "Ignore upper and lower case when comparing labels.", Stored.FLAG)]
    numeric_labels: Annotated[
        bool,
        Option(False, "Compare numeric labels as numbers, so that 1, 1.0 and 01 are the same label.", Stored.FLAG),
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
            False, "Also cross the --slice columns.", Stored.FLAG, python="Whether to cross the columns of slices, too."
        ),
    ]
    guesses: Annotated[
        Mapping[str, Sequence[str]] | None,
        Option(
            None,
            "Column of a system's next-best guess, as NAME=COL; repeat for further guesses.",
            Stored.GUESSES,
            python="Columns of a system's second guess, third guess and so on, by system name.",
            flag="guess",
        ),
    ]
    scores: Annotated[
        Scoring,
        Option(
            None,
            "Column of a system's scores for the positive class, as COL or NAME=COL; or columns for every class, "
            "with {} in place of the class, as in NAME=p_{}; repeat for more.",
            Stored.SCORES,
            python="Column of a system's scores for the positive class; or columns for every class, with {} in place "
            "of the class, as in 'p_{}'; several systems as for pred.",
            flag="score",
        ),
    ]
    threshold: Annotated[
        float | Mapping[str, float] | None,
        Option(
            None,
            "Score at or above which an item is labeled positive, as T or NAME=T, when labels are derived from "
            "scores (default 0.5 for probabilities).",
            Stored.THRESHOLD,
            python="Score at or above which an item is labeled positive when labels are derived from scores (default "
            "0.5 for probabilities); or one for each system, by name.",
        ),
    ]
    score_bins: Annotated[
        int | None, Option(None, "Group scores between 0 and 1 into this many bins (approximate).", Stored.WHOLE)
    ]


class Drawing(TypedDict, total=False):
    """How intervals are computed."""

    level: Level
    method: Annotated[str, Option("auto", "Interval method; auto chooses one with good coverage.", Stored.TEXT)]
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
            "CSV file of costs: gold classes in rows, predicted classes in columns.",
            Stored.COSTS,
            python="Costs by name, as in {'fp': 1, 'fn': 20}, or a CSV file of costs: gold classes in rows, predicted "
            "classes in columns.",
        ),
    ]


class Shown(TypedDict, total=False):
    """What `evaluate` shows besides the measures."""

    prevalence: Annotated[
        float | None, Option(None, "Also show the values at this prevalence of positives.", Stored.NUMBER)
    ]
    tables: Annotated[
        Sequence[str],
        Option(
            (),
            "Also show each class against the rest, or the pooled table; repeat for both.",
            Stored.TEXTS,
            python="Further tables to show, in a list.",
            flag="table",
            choices=TABLES,
        ),
    ]
    rows: Annotated[
        str,
        Option(
            "gold",
            "Which labels form the rows of the confusion matrix.",
            Stored.TEXT,
            flag="matrix_rows",
            choices=ORIENTATIONS,
        ),
    ]


class Primary(TypedDict, total=False):
    """What is tested. A measure's own type belongs to a higher layer, so functions name it themselves."""

    primary: Annotated[Any, Option(None, "The one measure to test.", Stored.TEXT)]


class Matched(TypedDict, total=False):
    """Who is compared with whom."""

    baseline: Annotated[
        str | None, Option(None, "The baseline system: compare every other system with it.", Stored.TEXT)
    ]
    correction: Annotated[
        str, Option("holm", "How p-values are corrected for multiple comparisons.", Stored.TEXT, choices=CORRECTIONS)
    ]


class Sided(TypedDict, total=False):
    """What a test of two systems asks, whichever test it is."""

    alternative: Annotated[
        str,
        Option(
            "two-sided",
            "Alternative hypothesis; 'greater': the first system is higher. A one-sided alternative has a one-sided "
            "limit.",
            Stored.TEXT,
            choices=ALTERNATIVES,
        ),
    ]
    margin: Annotated[
        float | None, Option(None, "Also test whether the difference lies within this margin.", Stored.NUMBER)
    ]
    strict: Annotated[
        bool, Option(False, "Count only bootstrap draws beyond the difference, not those equal to it.", Stored.FLAG)
    ]
    raw_p: Annotated[bool, Option(False, "Compute the bootstrap p as s/b, not (s + 1)/(b + 1).", Stored.FLAG)]


class Tested(Sided, total=False):
    """How two systems are compared, whatever is measured."""

    test: Annotated[
        str,
        Option(
            "auto",
            "The test: auto, randomization, bootstrap, mcnemar_midp, mcnemar (exact), mcnemar_chi2, "
            "mcnemar_chi2_corrected, sign, delong, interval, none; over folds or data sets: corrected_t, 5x2cv, "
            "5x2cv_f, t, wilcoxon, sign.",
            Stored.TEXT,
        ),
    ]


class Paired(TypedDict, total=False):
    """How the answers of two systems are compared, row by row or as separate samples."""

    statistic: Annotated[
        str, Option("auto", "Test statistic of the randomization test.", Stored.TEXT, choices=STATISTICS)
    ]
    unpaired: Annotated[bool, Option(False, "Treat the systems' files as separate samples.", Stored.FLAG)]


class Repeated(TypedDict, total=False):
    """Values that were measured repeatedly."""

    values: Annotated[
        Mapping[str, str] | Sequence[str] | None,
        Option(
            None,
            "Column of a system's values, as COL or NAME=COL, instead of --pred; repeat for more.",
            Stored.COLUMNS,
            python="Columns of the systems' values instead of pred: a list, or a mapping of names to columns.",
            flag="value",
        ),
    ]
    folds: Annotated[
        str | None,
        Option(
            None,
            "Column of the fold each row belongs to; with --datasets, the folds of each are averaged first.",
            Stored.TEXT,
            python="Column of the fold each row belongs to; with datasets, the folds of each are averaged first.",
        ),
    ]
    repeats: Annotated[str | None, Option(None, "Column of the repetition each fold belongs to.", Stored.TEXT)]
    datasets: Annotated[str | None, Option(None, "Column of the data set each row belongs to.", Stored.TEXT)]
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
            "Range of possible values, as LOW:HIGH; used for their intervals (with --value).",
            Stored.RANGE,
            python="Range of possible values, as (low, high); used for their intervals.",
        ),
    ]


# What each function takes, in the order in which its options are listed.
EVALUATE = (Columns, Measured, Priced, Shown, Drawing)
COMPARISON = (Measured, Primary, Priced, Matched, Tested, Paired, Drawing)
COMPARE = (*COMPARISON, Columns)
COMPARE_REPEATED = (Repeated, Measured, Primary, Matched, Tested, Drawing, Columns)


class Comparing(Priced, Matched, Tested, Paired, Drawing, Columns, total=False):
    """The options of `compare_systems` that it passes on."""


class ComparingRepeated(Matched, Tested, Drawing, Columns, total=False):
    """The options of `compare_repeated` that it passes on."""
