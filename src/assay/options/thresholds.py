"""The options of curves and of thresholds, declared once."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from assay.options import BINNINGS, CURVE_BINS, CURVES, GATE_ON, LEVEL
from assay.options.evaluating import Cluster, Columns, Count, Draws, Level, Positive, Seed, Weight
from assay.options.option import Option


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
    bins: Annotated[int, Option(CURVE_BINS, "Bins of a calibration curve.")]
    binning: Annotated[
        str, Option("mass", "Bins with about as many items each, or bins that are equally wide.", choices=BINNINGS)
    ]


class Sought(TypedDict, total=False):
    """What a threshold is chosen for: one of these, or one beside a target."""

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
            "held, recall is. Beside costs, --maximize or --youden, only thresholds that hold it compete.",
            python="A rate that is held, such as 'recall=0.9': then precision is best; with precision, specificity or "
            "fpr held, recall is. Beside costs, maximize or youden, only thresholds that hold it compete.",
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


CURVES_OF = (Drawn, Columns)
TUNE = (ScoreColumn, ScoredColumns, Sought, Steadied)


class Tuning(ScoredColumns, Sought, Steadied, total=False):
    """The options of `tune` that it hands on."""
