"""Write docs/reference from the declarations, and the stub: `make docs` runs this."""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts import stub
from scripts.reference import commands, measures, options, python

FOLDER = Path(__file__).parents[2] / "docs" / "reference"


def pages() -> dict[str, str]:
    """Every generated page by its name within the folder."""
    return {"options.md": options.page(), **measures.pages(), **python.pages(), **commands.pages()}


def main() -> None:
    """Write each page beside its target, then rename it; remove pages of names that are gone."""
    every = pages()
    for folder in {Path(name).parent for name in every} - {Path()}:
        shutil.rmtree(FOLDER / folder, ignore_errors=True)
    for name, text in every.items():
        target = FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_suffix(".part")
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    print(f"wrote {len(every)} pages in docs/reference")
    stub.write()


if __name__ == "__main__":
    main()
