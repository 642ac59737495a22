"""Draw what `assay demo` prints, as the SVG that the README shows.

The picture is real output: the demo file is evaluated, and the terminal's own text is recorded.
"""

from __future__ import annotations

import io
import re
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from assay import evaluate
from assay.report.terminal import show

TARGET = Path(__file__).parents[1] / "docs" / "images" / "evaluate.svg"
COMMAND = "$ assay evaluate breast_cancer.csv --gold gold --pred tree --positive malignant"


def picture() -> str:
    """The recorded terminal as SVG, without the web fonts that the exporter would load and its comment."""
    console = Console(record=True, width=100, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(f"{COMMAND}\n", style="dim", highlight=False, markup=False)
    with as_file(files("assay") / "data" / "breast_cancer.csv") as path:
        show(evaluate(path, gold="gold", pred="tree", positive="malignant"), console)
    svg = console.export_svg(title="assay evaluate", theme=MONOKAI, unique_id="assay")
    svg = re.sub(r"@font-face\s*{.*?}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "monospace")


def main() -> None:
    """Write the picture beside its target, then rename it."""
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    beside = TARGET.with_suffix(".svg.part")
    beside.write_text(picture(), encoding="utf-8")
    beside.replace(TARGET)
    print(f"{TARGET.name} is written")


if __name__ == "__main__":
    main()
