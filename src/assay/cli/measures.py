"""The command `assay measures`."""

from __future__ import annotations

import textwrap
from typing import Annotated

from cyclopts import Parameter


def measures(
    name: Annotated[str | None, Parameter(help="The measure to explain.")] = None,
    /,
    *,
    hides: Annotated[
        bool, Parameter(help="Show two tables that the measure cannot tell apart, though one is better.", negative=())
    ] = False,
) -> None:
    """List the measures, or explain one: meaning, formula, range, interval, worked example, reference."""
    from assay.errors import OptionError
    from assay.measures.catalogue import catalogue, find
    from assay.report.describe import facts, hidden

    if name is None:
        if hides:
            raise OptionError("--hides shows what one measure cannot see; name it, as in 'assay measures f1 --hides'.")
        width = max(len(each) for each in catalogue())
        for each in catalogue().values():
            print(f"{each.name:<{width}}  {each.summary}")
        print("\n'assay measures f1' explains one; 'assay measures f1 --hides' shows what it cannot see.")
        return
    found = find(name)
    if hides:
        print(hidden(found))
        return
    print(f"{found.name} ({found.title})\n")
    for label, text in facts(found):
        lines = textwrap.wrap(text, 80, break_long_words=False) or [""]
        print(f"  {label:<14}{lines[0]}")
        for line in lines[1:]:
            print(f"  {'':<14}{line}")
