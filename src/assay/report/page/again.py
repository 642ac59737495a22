"""The call in Python that makes a report again."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from assay.report.counted import Question
from assay.report.report import Report

IN_MEMORY = {
    "data": ("data", "data is the table in memory"),
    "standard input": ("data", "data is what came through standard input"),
    "counts as given": ("counts", "counts are those that were given"),
    "a stored tally": ("counts", "counts are those that were given"),
}
REPEATED = ("values", "folds", "datasets")


def call(report: Report) -> str | None:
    """The call, with what is not usual; None where another one made the report on its way."""
    if not report.asked and "flattered" in report.provenance:
        return None
    if report.contest is not None and _of_two_reports(report):
        options = _options(report, maker(report))
        return f"report.compare({', '.join(['other', *options])})  # both are reports of assay.evaluate"
    made = maker(report)
    data, remark = _data(report)
    options = _options(report, made)
    if any("..." in option for option in options):
        remark = "... stands for tables in memory"
    written = f"assay.{made.__name__}({', '.join([*data, *options])})"
    return f"{written}  # {remark}" if remark else written


def maker(report: Report) -> Callable[..., Report]:
    """The function that makes such reports."""
    if report.contest is None:
        from assay.report.evaluate import evaluate

        return evaluate
    if any(name in report.asked for name in REPEATED):
        from assay.report.repeated import compare_repeated

        return compare_repeated
    from assay.report.compare import compare_systems

    return compare_systems


def _data(report: Report) -> tuple[list[str], str]:
    """What is read, and what to say of it where it has no name; nothing where every system has a file of its own."""
    source = str(report.provenance.get("source", "data"))
    for file in reversed((report.asked.get("systems") or {}).values()):
        # A table put together from several files is called after all of them, that of the gold labels first.
        source = source.removesuffix(f" + {Path(file).name}") if file else source
    if report.asked.get("unpaired") and report.asked.get("systems") and "gold" not in report.provenance:
        return [], ""
    name, remark = IN_MEMORY.get(source, (repr(source), ""))
    return [name], remark


def _of_two_reports(report: Report) -> bool:
    """Whether some systems came with another report, so that no one call makes this one."""
    known = {*report.provenance.get("pred", {}), *report.provenance.get("score", {}), *report.asked.get("systems", {})}
    return bool(report.asked.get("unpaired")) and not {system.name for system in report.systems} <= known


def _options(report: Report, made: Callable[..., Report]) -> list[str]:
    usual = {**_usual(Question), **_usual(made)}
    given = {name: value for name, value in report.asked.items() if not _same(value, usual.get(name))}
    return [f"{name}={_written(value)}" for name, value in given.items()]


def _usual(of: Any) -> dict[str, Any]:
    if of is Question:
        return {field.name: field.default for field in fields(Question)}
    return {name: parameter.default for name, parameter in inspect.signature(of).parameters.items()}


def _same(value: Any, usual: Any) -> bool:
    return bool(value == (list(usual) if isinstance(usual, tuple) else usual)) and isinstance(value, bool) is (
        isinstance(usual, bool)
    )


def _written(value: Any) -> str:
    """A value as it is typed; a table in memory, of which only the name is known, as an ellipsis."""
    if isinstance(value, Mapping):
        each = (f"{key!r}: {'...' if of is None else _written(of)}" for key, of in value.items())
        return f"{{{', '.join(each)}}}"
    return repr(value)
