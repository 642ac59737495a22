"""The values of a run as trec_eval prints them: a name, a query and a value on each line."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.ranking.trec import TrecValues
from assay.texts import visible_line

ALL = "all"  # what stands for the query in lines about all of them


def as_trec_eval(found: TrecValues, *, by_query: bool = False) -> str:
    """Every value in a line, those of single queries first if they are asked for."""
    return "".join(f"{name:<22}\t{query}\t{value}\n" for name, query, value in _lines(found, by_query))


def _lines(found: TrecValues, by_query: bool) -> Iterator[tuple[str, str, str]]:
    for i, query in enumerate(found.queries if by_query else ()):
        yield from ((name, visible_line(query), each[i]) for name, each in found.each.items())
    yield "runid", ALL, visible_line(found.run)
    yield from ((name, ALL, value) for name, value in found.overall.items())
