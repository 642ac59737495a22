"""A short Markdown page for a build server: how the gates went, then the report."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.gates import OPEN, PASSED, Check
from assay.report.markdown import safe
from assay.report.report import Report

MOST = 1_000_000  # bytes; build servers refuse a summary from 1 MiB on
SIGNS = {PASSED: "✅", OPEN: "❔"}


def summary(report: Report, checks: Sequence[Check]) -> str:
    """The gates, the verdict and the tables, cut before they grow too long for a build server."""
    lines = ["# assay", ""]
    if checks:
        lines += ["| gate | outcome |", "|---|---|"]
        lines += [f"| {safe(check.name)} | {SIGNS.get(check.state, '❌')} {safe(check.outcome)} |" for check in checks]
        lines.append("")
    return shortened("\n".join(lines) + "\n" + report.to_markdown())


def shortened(text: str) -> str:
    """The text up to the last whole line that fits, with a sentence that says what was left out."""
    data = text.encode("utf-8")
    if len(data) <= MOST:
        return text
    kept = data[:MOST].decode("utf-8", "ignore").rpartition("\n")[0]
    left = text.count("\n") - kept.count("\n")
    if kept.count("<details>") > kept.count("</details>"):
        kept += "\n\n</details>"  # or the sentence would be folded away
    return f"{kept}\n\n… {left:,} more lines were left out, because a summary may not be larger than 1 MiB.\n"
