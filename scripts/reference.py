"""Write the reference page of the measures from their declarations: docs/reference/measures.md."""

from __future__ import annotations

from pathlib import Path

from assay.measures.declare.catalogue import catalogue
from assay.report.answers.measures import facts

TARGET = Path(__file__).parents[1] / "docs" / "reference" / "measures.md"


def page() -> str:
    """Every measure with every fact of its declaration."""
    lines = ["# Measures", "", "Written by `make docs` from the declarations in `src/assay/measures`.", ""]
    for measure in catalogue().values():
        lines += [f"## {measure.name}", ""]
        lines += [f"- **{label}**: {text}" for label, text in facts(measure)]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write the page beside its target, then rename it."""
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    beside = TARGET.with_suffix(".md.part")
    beside.write_text(page(), encoding="utf-8")
    beside.replace(TARGET)
    print(f"docs/reference/{TARGET.name} is written")


if __name__ == "__main__":
    main()
