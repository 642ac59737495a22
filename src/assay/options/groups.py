"""Every option of the functions and commands that read files, declared once.

A group is a `TypedDict`, so that a function can take it as `**options: Unpack[Group]` and a type checker knows what may
be given; what else is known of an option stands beside its type. The flag with its help, the keyword with its default,
the field of a stored report and the reference page all come from here.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from assay.options import (
    ALTERNATIVES,
    BINNINGS,
    CORRECTIONS,
    CURVES,
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
Scoring = str | Sequence[str] | Mapping[str, str | Mapping[str, str]] | None

Positive = Annotated[object | None, Option(None, "The label that counts as positive.", Stored.LABEL)]
Cluster = Annotated[str | None, Option(None, "Column that says which rows belong together.", Stored.TEXT)]
Weight = Annotated[str | None, Option(None, "Column of importance weights.", Stored.TEXT)]
Count = Annotated[str | None, Option(None, "Column that says how many rows a row stands for.", Stored.TEXT)]
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
    cluster: Cluster
    weight: Weight
    count: Count
    slices: Annotated[
        str | Sequence[str],
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


class Shown(TypedDict, total=False):
    """What `evaluate` shows beside the measures."""

    prevalence: Annotated[float | None, Option(None, "Also show the values at this share of positives.", Stored.NUMBER)]
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
    tables: Annotated[
        Sequence[str],
        Option(
            (),
            "Also show each class against the rest, or the pooled table; repeat for both.",
            Stored.TEXTS,
            python="Tables to show as well: 'one-vs-rest', 'pooled'.",
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
            "sign, interval, none; over folds and data sets corrected_t, 5x2cv, 5x2cv_f, t, wilcoxon, sign.",
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
    folds: Annotated[str | None, Option(None, "Column that says which fold of one data set a row is of.", Stored.TEXT)]
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


class Drawn(TypedDict, total=False):
    """Which curve, with which band."""

    kind: Annotated[
        str,
        Option(
            "roc",
            "ROC; precision–recall; calibration; cost per item by threshold, for two costs; or the cost curve of "
            "Drummond and Holte, for all costs at once.",
            choices=CURVES,
        ),
    ]
    level: Annotated[float, Option(LEVEL, "Confidence level of the limits at each point.")]
    band: Annotated[bool, Option(True, "Draw what chance could do to each point.")]
    cost_fp: Annotated[
        float | None,
        Option(
            None, "What a false alarm costs, with --kind cost.", python="What a false alarm costs, with kind='cost'."
        ),
    ]
    cost_fn: Annotated[
        float | None,
        Option(None, "What a miss costs, with --kind cost.", python="What a miss costs, with kind='cost'."),
    ]
    bins: Annotated[int, Option(10, "Bins of a calibration curve.")]
    binning: Annotated[
        str, Option("mass", "Bins with about as many items each, or bins that are equally wide.", choices=BINNINGS)
    ]


class Sought(TypedDict, total=False):
    """What a threshold is chosen for: one of these."""

    cost_fp: Annotated[
        float | None,
        Option(None, "What a false alarm costs; with --cost-fn.", python="What a false alarm costs; with cost_fn."),
    ]
    cost_fn: Annotated[
        float | None, Option(None, "What a miss costs; with --cost-fp.", python="What a miss costs; with cost_fp.")
    ]
    target: Annotated[
        str | Mapping[str, float] | None,
        Option(
            None,
            "A rate that is held, such as recall=0.9: then precision is best; with precision, specificity or fpr "
            "held, recall is.",
        ),
    ]
    maximize: Annotated[str | None, Option(None, "A measure whose value is best, such as f1 or mcc.")]
    youden: Annotated[bool, Option(False, "Recall + specificity − 1 is highest.")]


class ScoreColumn(TypedDict, total=False):
    """Which scores a threshold is chosen for, and which rows judge it."""

    score: Annotated[
        str | None,
        Option(
            None,
            "Column of scores for the positive class, as COL or NAME=COL.",
            python="Column of scores for the positive class.",
        ),
    ]
    check: Annotated[
        Any,
        Option(
            None,
            "File with other rows, on which the threshold is judged; - for standard input.",
            python="Other rows, on which the threshold is judged: a file, a frame or a tally.",
        ),
    ]
    against: Annotated[
        float | None,
        Option(
            None,
            "Threshold to compare with on the --check rows (break-even, or 0.5).",
            python="Threshold to compare with on the rows of check (break-even, or 0.5).",
        ),
    ]
    id: Annotated[str | None, Option(None, "Column that tells rows apart, to see that no row both chooses and judges.")]


class ScoredColumns(TypedDict, total=False):
    """How the rows count that a threshold is chosen on."""

    gold: Annotated[str | None, Option(None, "Column of the reference labels.")]
    positive: Positive
    cluster: Cluster
    weight: Weight
    count: Count
    missing: Annotated[
        str,
        Option("error", "What a missing score is: an error, or a reason to skip the row.", choices=("error", "skip")),
    ]


class Steadied(TypedDict, total=False):
    """How the intervals of a threshold's values are made."""

    level: Level
    n_resamples: Draws
    random_state: Seed


class Planned(TypedDict, total=False):
    """What is planned for: an interval, or a difference that would matter."""

    half_width: Annotated[float | None, Option(None, "How far an interval may reach to either side.")]
    share: Annotated[float | None, Option(None, "The share that is expected; 0.5 is the worst case.")]
    difference: Annotated[
        float | None, Option(None, "A true difference between two systems that would matter: A minus B.")
    ]
    disagreement: Annotated[
        float | None, Option(None, "Share of the items that only one of the two systems gets right.")
    ]
    pilot: Annotated[
        Any,
        Option(
            None,
            "File of answers of both systems, to simulate from.",
            python="Answers of both systems, to simulate from: a file, a frame or a joint tally.",
        ),
    ]
    measure: Annotated[
        str | None,
        Option(
            None,
            "The measure that the difference is in, with --pilot.",
            python="The measure that the difference is in, with a pilot.",
        ),
    ]
    items: Annotated[int | None, Option(None, "How many items there will be; then the power is told.")]
    power: Annotated[float, Option(0.8, "With what probability the difference is to be found.")]
    level: Annotated[float, Option(LEVEL, "Confidence level of the interval or the test.")]
    alternative: Annotated[str, Option("two-sided", "What the test looks for, of A minus B.", choices=ALTERNATIVES)]
    cluster_size: Annotated[float | None, Option(None, "Rows in a cluster, without a pilot.")]
    icc: Annotated[float | None, Option(None, "Correlation within clusters, without a pilot.")]
    n_resamples: Annotated[int, Option(4000, "Samples that are simulated from a pilot.", flag="resamples")]
    random_state: Annotated[int, Option(SEED, "Seed of the simulation.", flag="seed")]


# What each function takes, in the order in which its options are listed.
EVALUATE = (Columns, Measured, Shown, Drawing)
COMPARISON = (Measured, Primary, Matched, Tested, Paired, Drawing)
COMPARE = (*COMPARISON, Columns)
COMPARE_REPEATED = (Repeated, Measured, Primary, Matched, Tested, Drawing, Columns)
CURVES_OF = (Drawn, Columns)
TUNE = (ScoreColumn, ScoredColumns, Sought, Steadied)
PLAN = (Planned, Columns)


class Comparing(Matched, Tested, Paired, Drawing, Columns, total=False):
    """The options of `compare_systems` that it hands on."""


class ComparingRepeated(Matched, Tested, Drawing, Columns, total=False):
    """The options of `compare_repeated` that it hands on."""


class Tuning(ScoredColumns, Sought, Steadied, total=False):
    """The options of `tune` that it hands on."""
