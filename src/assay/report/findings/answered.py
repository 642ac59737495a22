"""Which systems answered fewer items than they were asked."""

from __future__ import annotations

from assay.errors import in_plural, joined
from assay.jobs.answers.results import Report

MOST_NAMED = 3  # systems


def unanswered(report: Report) -> dict[str, int]:
    """How many items that count each system did not answer, where there are any."""
    facts = report.provenance
    if "runs" in facts:  # who knows it from the files
        return {} if facts.get("queries left out") else dict(facts.get("queries missing", {}))
    tallies = {} if report.counted is None else dict(report.counted.systems)
    return {name: tally.unanswered for name, tally in tallies.items() if tally.unanswered}


def answered(report: Report) -> str | None:
    """The same in words: who answered how many of them; None if all answered all."""
    lacking, n = unanswered(report), int(report.provenance.get("n", 0))
    if not lacking:
        return None
    each = [f"{name} answers {n - less:,} of {n:,}" for name, less in lacking.items()]
    return f"{joined(each, MOST_NAMED)} {in_plural(report.item)}"
