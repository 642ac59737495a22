"""The command `assay plan`."""

from __future__ import annotations

from typing import Any

from assay.cli.files import claim
from assay.cli.options import Rows, TableOrJson, declared, flags, keywords
from assay.cli.show import PageOnly, prose_width, working
from assay.cli.streams import tell
from assay.options.planning import Planned


@flags("Plan", Planned)
class Wanted:
    """An interval, or a difference that would matter."""

    half_width: float | None = declared()
    share: float | None = declared()
    difference: float | None = declared()
    disagreement: float | None = declared()
    pilot: str | None = declared()
    measure: str | None = declared()
    items: int | None = declared()
    power: float = declared()
    alternative: str = declared()
    level: float = declared()
    cluster_size: float | None = declared()
    icc: float | None = declared()
    resamples: int = declared()
    seed: int = declared()


def plan(
    *,
    wanted: Wanted = Wanted(),
    rows: Rows = Rows(),
    format: TableOrJson = "table",
    pages: PageOnly = PageOnly(),
) -> None:
    """Plan how many items to label, or find what a given number of items can show."""
    from assay.jobs.plan import plan as planned

    columns = _columns(rows)
    claim([wanted.pilot, *rows.files()], pages.outputs())
    with working("planning"):
        found = planned(**keywords(wanted), **columns)
    tell(found.to_json() + "\n" if format == "json" else found.to_text(prose_width()))
    pages.write(found)


def _columns(rows: Rows) -> dict[str, Any]:
    """The columns and files that were named; without a pilot there are none."""
    usual = Rows().question()
    return {name: value for name, value in rows.question().items() if value != usual[name]}
