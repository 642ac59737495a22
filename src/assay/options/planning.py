"""The options of `plan`, declared once."""

from typing import Annotated, Any, TypedDict

from assay.options import ALTERNATIVES, LEVEL, POWER, SAMPLES, SEED
from assay.options.evaluating import Columns
from assay.options.option import Option


class Planned(TypedDict, total=False):
    """What is planned for: an interval, or a difference that would matter."""

    half_width: Annotated[
        float | None,
        Option(
            None,
            "How far an interval may reach to either side; with --pilot, that of any measure.",
            python="How far an interval may reach to either side; with a pilot, that of any measure.",
        ),
    ]
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
            "File of answers to simulate from: of both systems for a difference, of one for an interval.",
            python="Answers to simulate from, of both systems for a difference and of one for an interval: a file, a "
            "frame or a tally.",
        ),
    ]
    measure: Annotated[
        str | None,
        Option(
            None,
            "The measure that the difference or the interval is of, with --pilot.",
            python="The measure that the difference or the interval is of, with a pilot.",
        ),
    ]
    items: Annotated[int | None, Option(None, "How many items there will be; then the plan says what they can show.")]
    power: Annotated[float, Option(POWER, "With what probability the difference is to be found.")]
    level: Annotated[float, Option(LEVEL, "Confidence level of the interval or the test.")]
    alternative: Annotated[str, Option("two-sided", "What the test looks for, of A minus B.", choices=ALTERNATIVES)]
    cluster_size: Annotated[float | None, Option(None, "Rows in a cluster, without a pilot.")]
    icc: Annotated[float | None, Option(None, "Correlation within clusters, without a pilot.")]
    n_resamples: Annotated[int, Option(SAMPLES, "Samples that are simulated from a pilot.", flag="resamples")]
    random_state: Annotated[int, Option(SEED, "Seed of the simulation.", flag="seed")]


PLAN = (Planned, Columns)
