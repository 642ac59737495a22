"""Write what is derived from declarations: the pages of docs/reference/ on measures and options, and the stub."""

from __future__ import annotations

from pathlib import Path

from assay.measures.declare.catalogue import catalogue
from assay.options import evaluating as groups
from assay.options import planning, preferring, showing, thresholds
from assay.options.option import Option, options_of
from assay.report.answers.measures import facts
from scripts import stub

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
# Functions in Python, the commands that run them, and their options.
FUNCTIONS = {
    "evaluate": ("evaluate", groups.EVALUATE),
    "Report.to_text": ("evaluate` and `assay compare", (showing.Listed,)),
    "compare_systems": ("compare", groups.COMPARE),
    "compare_repeated": ("compare", groups.COMPARE_REPEATED),
    "prefer": ("prefer", preferring.PREFER),
    "curves": ("curve", thresholds.CURVES_OF),
    "tune": ("tune", thresholds.TUNE),
    "plan": ("plan", planning.PLAN),
}


def measures_page() -> str:
    """Every measure with every fact from its declaration."""
    lines = ["# Measures", "", "Written by `make docs` from the declarations in `src/assay/measures`.", ""]
    for measure in catalogue().values():
        lines += [f"## {measure.name}", ""]
        lines += [f"- **{label}**: {text}" for label, text in facts(measure)]
        lines.append("")
    return "\n".join(lines)


def options_page() -> str:
    """Every option of the functions that read files: keyword, flag, default, and description."""
    lines = ["# Options", "", "Written by `make docs` from the declarations in `src/assay/options`.", ""]
    for function, (command, declared) in FUNCTIONS.items():
        lines += [f"## {function}", "", f"On the command line: `assay {command}`.", ""]
        lines += ["| in Python | default | flag | |", "|---|---|---|---|"]
        lines += [_row(name, option) for name, option in options_of(*declared).items()]
        lines.append("")
    return "\n".join(lines)


def _row(name: str, option: Option) -> str:
    flag = (option.flag or name).replace("_", "-")
    return f"| `{name}` | `{option.default!r}` | `--{flag}` | {option.in_python} |"


def main() -> None:
    """Write each page beside its target, then rename it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, page in (("measures.md", measures_page), ("options.md", options_page)):
        beside = FOLDER / f"{name}.part"
        beside.write_text(page(), encoding="utf-8")
        beside.replace(FOLDER / name)
        print(f"wrote docs/reference/{name}")
    stub.write()


if __name__ == "__main__":
    main()
