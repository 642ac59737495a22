"""The values of a run as trec_eval prints them: a name, a query and a value on each line."""

from __future__ import annotations

from collections.abc import Iterator

from assay.jobs.ranking.trec import TrecValues, Value

ALL = "all"
# What trec_eval prints for all queries together, and not for each.
ONLY_OVERALL = ("runid", "num_q", "gm_map", "gm_bpref")


def as_trec_eval(found: TrecValues, *, by_query: bool = False) -> str:
    """Every value in a line, those of single queries first if they are asked for."""
    return "".join(_lines(found, by_query))


def _lines(found: TrecValues, by_query: bool) -> Iterator[str]:
    for i, query in enumerate(found.queries if by_query else ()):
        yield from (_line(name, query, of[i]) for name, of in found.each.items() if name not in ONLY_OVERALL)
    yield from (_line(name, ALL, value) for name, value in found.overall.items())


def _line(name: str, query: str, value: Value) -> str:
    text = f"{value:6.4f}" if isinstance(value, float) else str(value)
    return f"{name:<22}\t{query}\t{text}\n"
