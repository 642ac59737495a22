"""The page of all options: keyword, flag, default and description."""

from __future__ import annotations

from assay.options import evaluating as groups
from assay.options import planning, preferring, ranking, showing, thresholds
from assay.options.option import Option, options_of
from scripts.reference.markdown import page as whole
from scripts.reference.markdown import table

# Functions in Python, the commands that run them, and their options.
FUNCTIONS: dict[str, tuple[str, tuple[type, ...]]] = {
    "evaluate": ("evaluate", groups.EVALUATE),
    "Report.to_text": ("evaluate` and `assay compare", (showing.Listed,)),
    "compare_systems": ("compare", groups.COMPARE),
    "compare_repeated": ("compare", groups.COMPARE_REPEATED),
    "prefer": ("prefer", preferring.PREFER),
    "rank": ("rank", ranking.RANK),
    "curves": ("curve", thresholds.CURVES_OF),
    "tune": ("tune", thresholds.TUNE),
    "plan": ("plan", planning.PLAN),
}


def page() -> str:
    """Every option of the functions that read files."""
    return whole("Options", *(block for name in FUNCTIONS for block in _of(name)))


def of_function(function: str) -> str:
    """The options of one function as a table."""
    _, declared = FUNCTIONS[function]
    return table(
        ("in Python; flag", "default", "what it does"), (_row(name, o) for name, o in options_of(*declared).items())
    )


def _of(function: str) -> tuple[str, ...]:
    command, _ = FUNCTIONS[function]
    return f"## {function}", f"On the command line: `assay {command}`.", of_function(function)


def _row(name: str, option: Option) -> tuple[str, ...]:
    flag = (option.flag or name).replace("_", "-")
    return f"`{name}`; `--{flag}`", f"`{option.default!r}`", option.in_python
