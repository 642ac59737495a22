"""The command `assay measures`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from assay.cli.show import PageOnly, page_width, prose_width
from assay.cli.streams import tell


def measures(
    name: Annotated[str | None, Parameter(help="The measure to explain.")] = None,
    /,
    *,
    hides: Annotated[
        bool,
        Parameter(help="Show two results that the measure cannot tell apart, although one is better.", negative=()),
    ] = False,
    pages: PageOnly = PageOnly(),
) -> None:
    """List the measures, or explain one: meaning, formula, range, interval, worked example, reference."""
    from assay.errors import OptionError
    from assay.measures.declare.catalogue import parse
    from assay.report.answers.measures import Catalogue, Explained

    if name is None and hides:
        raise OptionError(
            "--hides shows what one measure cannot see; name the measure, as in 'assay measures f1 --hides'."
        )
    told = Catalogue() if name is None else Explained(parse(name)[0], hides)
    # A line for each measure in a file or a pipe, where one searches.
    tell(told.to_text(page_width(1000) if name is None else prose_width()))
    pages.write(told)
