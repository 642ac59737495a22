"""The options of curves and of thresholds, declared once."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from assay.options import BINNINGS, CURVE_BINS, CURVES, GATE_ON, LEVEL, RESAMPLES, STABILITY_DRAWS
from assay.options.evaluating import Cluster, Columns, Count, Level, Positive, Seed, Weight
from assay.options.option import Option, Stored


class Drawn(TypedDict, total=False):
    """Which curve, with which band."""

    kind: Annotated[
        str,
        Option(
            "roc",
            "ROC; precision–recall; calibration; cost per item by threshold, for two given costs; or the cost curve of "
            "Drummond and Holte, for all costs at once.",
            choices=CURVES,
        ),
    ]
    level: Annotated[float, Option(LEVEL, "Confidence level of the band.")]
    band: Annotated[bool, Option(True, "Draw a pointwise confidence band.")]
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
    bins: Annotated[int, Option(CURVE_BINS, "Number of bins of a calibration curve.")]
    binning: Annotated[str, Option("mass", "Bins with about equally many items, or of equal width.", choices=BINNINGS)]


class Sought(TypedDict, total=False):
    """What a threshold is chosen for: one of these, or one plus a target."""

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
            "A rate to meet, such as recall=0.9: precision is then maximized; for a target precision, specificity "
            "or fpr, recall is. With costs, --maximize or --youden, only thresholds that meet it count.",
            python="A rate to meet, such as 'recall=0.9': precision is then maximized; for a target precision, "
            "specificity or fpr, recall is. With costs, maximize or youden, only thresholds that meet it count.",
        ),
    ]
    target_on: Annotated[
        str,
        Option(
            "estimate",
            "What must reach the target: the estimate alone, or the whole interval.",
            choices=GATE_ON,
        ),
    ]
    maximize: Annotated[str | None, Option(None, "A measure to optimize, such as f1 or mcc.")]
    youden: Annotated[bool, Option(False, "Maximize Youden's J: recall + specificity − 1.")]


class ScoreColumn(TypedDict, total=False):
    """Which scores a threshold is chosen for, and which rows evaluate it."""

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
            "File with other rows, on which to evaluate the threshold; - for standard input.",
            python="Other rows, on which to evaluate the threshold: a file, a frame or a tally.",
        ),
    ]
    against: Annotated[
        float | None,
        Option(
            None,
            "Threshold to compare with on the --check rows (default for probabilities: break-even, or 0.5).",
            python="Threshold to compare with on the rows of check (default for probabilities: break-even, or 0.5).",
        ),
    ]
    id: Annotated[
        str | None, Option(None, "Column of ids, to check that no row both chooses and evaluates the threshold.")
    ]


class ScoredColumns(TypedDict, total=False):
    """How to count the rows on which a threshold is chosen."""

    gold: Annotated[str | None, Option(None, "Column of the gold labels.")]
    positive: Positive
    cluster: Cluster
    weight: Weight
    count: Count
    missing: Annotated[
        str,
        Option(
            "error", "How to treat a missing score: as an error, or by skipping the row.", choices=("error", "skip")
        ),
    ]


class Steadied(TypedDict, total=False):
    """How the intervals of the values at a threshold are computed."""

    level: Level
    n_resamples: Annotated[
        int,
        Option(
            RESAMPLES,
            "Number of resamples, for methods that draw them; for the stability of the threshold at most "
            f"{STABILITY_DRAWS:,}, and fewer with very many thresholds.",
            Stored.DRAWS,
            flag="resamples",
        ),
    ]
    random_state: Seed


CURVES_OF = (Drawn, Columns)
TUNE = (ScoreColumn, ScoredColumns, Sought, Steadied)


class Tuning(ScoredColumns, Sought, Steadied, total=False):
    """The options of `tune` that it passes on."""
