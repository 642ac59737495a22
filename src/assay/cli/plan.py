"""The command `assay plan`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from assay.cli.files import claim
from assay.cli.options import Rows, whole
from assay.cli.pages import PageOnly
from assay.cli.show import WIDTH, working
from assay.cli.streams import tell
from assay.options import LEVEL, SEED


@Parameter(name="*", group="What is planned for")
@dataclass(frozen=True)
class Wanted:
    """An interval, or a difference that would matter."""

    half_width: Annotated[float | None, Parameter(help="How far an interval may reach to either side.")] = None
    share: Annotated[float | None, Parameter(help="The share that is expected; 0.5 is the worst case.")] = None
    difference: Annotated[
        float | None, Parameter(help="A true difference between two systems that would matter: A minus B.")
    ] = None
    disagreement: Annotated[
        float | None, Parameter(help="Share of the items that only one of the two systems gets right.")
    ] = None
    pilot: Annotated[str | None, Parameter(help="File of answers of both systems, to simulate from.")] = None
    measure: Annotated[str | None, Parameter(help="The measure that the difference is in, with --pilot.")] = None
    items: Annotated[
        int | None, Parameter(help="How many items there will be; then the power is told.", converter=whole)
    ] = None
    power: Annotated[float, Parameter(help="With what probability the difference is to be found.")] = 0.8
    alternative: Annotated[
        Literal["two-sided", "greater", "less"], Parameter(help="What the test looks for, of A minus B.")
    ] = "two-sided"
    level: Annotated[float, Parameter(help="Confidence level of the interval or the test.")] = LEVEL
    cluster_size: Annotated[float | None, Parameter(help="Rows in a cluster, without a pilot.")] = None
    icc: Annotated[float | None, Parameter(help="Correlation within clusters, without a pilot.")] = None
    resamples: Annotated[int, Parameter(help="Samples that are simulated from a pilot.", converter=whole)] = 4000
    seed: Annotated[int, Parameter(help="Seed of the simulation.", converter=whole)] = SEED


def plan(
    *,
    wanted: Wanted = Wanted(),  # noqa: B008  # a frozen value, and how cyclopts takes defaults
    rows: Rows = Rows(),  # noqa: B008
    format: Annotated[Literal["table", "json"], Parameter(help="How to write the result.")] = "table",
    pages: PageOnly = PageOnly(),  # noqa: B008
) -> None:
    """Say how many items to label, or how likely so many are to show a difference that would matter."""
    from assay.jobs.plan import plan as planned

    asked = dict(vars(wanted))
    asked |= {"n_resamples": asked.pop("resamples"), "random_state": asked.pop("seed")}
    columns = _columns(rows)
    claim([wanted.pilot, *columns.get("systems", {}).values()], pages.outputs())
    with working("planning"):
        found = planned(**asked, **columns)
    tell(found.to_json() + "\n" if format == "json" else found.to_text(WIDTH))
    pages.write(found)


def _columns(rows: Rows) -> dict[str, Any]:
    """The columns and files that were named; none is, where there is no pilot."""
    usual = Rows().question()
    return {name: value for name, value in rows.question().items() if value != usual[name]}
