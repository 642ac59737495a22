"""The notes of a report, by what they are about."""

from __future__ import annotations

from assay.errors import joined
from assay.jobs.answers.results import Report


def grouped_notes(report: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The notes on the comparison, on several systems, and on each."""
    of: dict[str, list[str]] = {}
    for system in report.systems:
        for note in system.notes:
            of.setdefault(note, []).append(system.name)
    many = len(report.systems) > 1
    groups: dict[str, list[str]] = {"": []} if report.contest is None else {"": list(report.contest.notes)}
    for note, systems in of.items():
        groups.setdefault(joined(systems) if many else "", []).append(note)
    return tuple((title, tuple(dict.fromkeys(notes))) for title, notes in groups.items() if notes)
