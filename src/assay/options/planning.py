"""The options of `plan`, declared once."""

from typing import Annotated, Any, TypedDict

from assay.options import ALTERNATIVES, LEVEL, POWER, SAMPLES, SEED
from assay.options.evaluating import Columns
from assay.options.option import Option


class Planned(TypedDict, total=False):
    """The goal of a plan: an interval, or a difference that would matter."""

    half_width: Annotated[
        float | None,
        Option(
            None,
            "Largest half-width of the interval: for a share, or with --pilot for any measure.",
            python="Largest half-width of the interval: for a share, or with a pilot for any measure.",
        ),
    ]
    share: Annotated[float | None, Option(None, "The expected share; 0.5 is the worst case.")]
    difference: Annotated[
        float | None, Option(None, "A true difference between two systems (A minus B) that would matter.")
    ]
    disagreement: Annotated[
        float | None, Option(None, "Share of items that exactly one of the two systems gets right.")
    ]
    pilot: Annotated[
        Any,
        Option(
            None,
            "File of answers to simulate from: both systems' for a difference, one system's for an interval.",
            python="Answers to simulate from (both systems' for a difference, one system's for an interval): a file, a "
            "frame or a tally.",
        ),
    ]
    measure: Annotated[
        str | None,
        Option(
            None,
            "The measure to plan for, with --pilot.",
            python="The measure to plan for, with a pilot.",
        ),
    ]
    items: Annotated[int | None, Option(None, "Number of items available; the plan then states what they can show.")]
    power: Annotated[float, Option(POWER, "Desired probability of finding the difference.")]
    level: Annotated[float, Option(LEVEL, "Confidence level of the interval or the test.")]
    alternative: Annotated[str, Option("two-sided", "Alternative hypothesis about A minus B.", choices=ALTERNATIVES)]
    cluster_size: Annotated[float | None, Option(None, "Rows per cluster, without a pilot.")]
    icc: Annotated[float | None, Option(None, "Correlation within clusters, without a pilot.")]
    n_resamples: Annotated[
        int,
        Option(SAMPLES, "Number of samples simulated from a pilot; for an interval, at most 200.", flag="resamples"),
    ]
    random_state: Annotated[int, Option(SEED, "Seed of the simulation.", flag="seed")]


PLAN = (Planned, Columns)
