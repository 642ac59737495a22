"""Draw what assay prints, as the SVG files that the tutorial shows.

The pictures are real output: the demo file is evaluated or compared, and the terminal's own text is recorded.
"""

from __future__ import annotations

import io
import re
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from assay import compare_systems, evaluate
from assay.jobs.answers.results import Report
from assay.report.text.terminal import show

FOLDER = Path(__file__).parents[1] / "docs" / "images"
COMMANDS = {
    "evaluate": "$ assay evaluate breast_cancer.csv --gold gold --pred tree --positive malignant",
    "compare": "$ assay compare breast_cancer.csv --gold gold --pred logistic --pred tree --positive malignant",
}


def report(name: str, path: Path) -> Report:
    """The report of the command on the demo file."""
    if name == "evaluate":
        return evaluate(path, gold="gold", pred="tree", positive="malignant")
    return compare_systems(path, gold="gold", pred=["logistic", "tree"], positive="malignant")


def picture(name: str) -> str:
    """The recorded terminal as SVG, without the exporter's web fonts and comment."""
    console = Console(record=True, width=100, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(f"{COMMANDS[name]}\n", style="dim", highlight=False, markup=False)
    with as_file(files("assay") / "data" / "breast_cancer.csv") as path:
        show(report(name, path), console)
    svg = console.export_svg(title=f"assay {name}", theme=MONOKAI, unique_id="assay")
    svg = re.sub(r"@font-face\s*{.*?}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "monospace")


def main() -> None:
    """Write each picture beside its target, then rename it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in COMMANDS:
        target = FOLDER / f"{name}.svg"
        beside = target.with_suffix(".svg.part")
        beside.write_text(picture(name), encoding="utf-8")
        beside.replace(target)
        print(f"wrote {target.name}")


if __name__ == "__main__":
    main()
