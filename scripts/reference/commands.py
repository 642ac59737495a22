"""A page for each command with its own help."""

from __future__ import annotations

import contextlib
import io
import os
from unittest import mock

from assay.cli.main import exit_code
from scripts.reference.markdown import code, page, table, toctree

# Where each command is explained.
READ_ON: dict[str, tuple[str, str]] = {
    "evaluate": ("Evaluate systems", "../../howto/evaluating.md"),
    "compare": ("Compare two models", "../../howto/two-models.md"),
    "tune": ("Choose a threshold", "../../howto/thresholds.md"),
    "curve": ("Evaluate scores", "../../howto/scores.md"),
    "plan": ("Plan how many items to label", "../../howto/planning.md"),
    "prefer": ("Rank systems by preferences", "../../howto/preferences.md"),
    "rank": ("Evaluate rankings", "../../howto/rankings.md"),
    "check": ("Prepare files", "../../howto/files.md"),
    "advise": ("From a file to a verdict", "../../tutorial/first-verdict.md"),
    "tally": ("Count shards, add them up, check a report", "../../howto/shards.md"),
    "merge": ("Count shards, add them up, check a report", "../../howto/shards.md"),
    "verify": ("Count shards, add them up, check a report", "../../howto/shards.md"),
    "measures": ("Measures", "../measures/index.md"),
    "demo": ("From a file to a verdict", "../../tutorial/first-verdict.md"),
}


def helped(*words: str) -> str:
    """What a command prints as its help, at 100 columns and without colors."""
    out = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}),
        contextlib.redirect_stdout(out),
    ):
        assert exit_code([*words, "--help"]) == 0
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def pages() -> dict[str, str]:
    """The page of every command, and the list of them."""
    return {"commands/index.md": _index(), **{f"commands/{name}.md": _of(name) for name in READ_ON}}


def summary(name: str) -> str:
    """The first sentences of a command's help."""
    lines = helped(name).split("\n\n")
    return " ".join(lines[1].split())


def _of(name: str) -> str:
    title, link = READ_ON[name]
    return page(f"assay {name}", f"Explained in [{title}]({link}).", code(helped(name)))


def _index() -> str:
    rows = ((f"[assay {name}]({name}.md)", summary(name)) for name in READ_ON)
    codes = table(
        ("exit code", "when"),
        (
            ("0", "done"),
            (
                "1",
                "a gate failed or is undecided, no threshold meets the target, or a report does not match its file",
            ),
            ("2", "the command is wrong, or an option has a value that it cannot take"),
            ("3", "the data cannot be evaluated as they are"),
            ("70", "a fault of assay itself; please report it"),
            ("74", "an output cannot be written: the disk is full, or standard output was closed"),
            ("129", "ended with its terminal (SIGHUP)"),
            ("130", "interrupted (SIGINT)"),
            ("143", "ended by another program (SIGTERM)"),
        ),
    )
    return page("Commands", table(("command", "what it does"), rows), "## Exit codes", codes, toctree(READ_ON))
