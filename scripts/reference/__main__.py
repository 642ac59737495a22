"""Write docs/reference from the declarations, and the stub: `make docs` runs this."""

from __future__ import annotations

from pathlib import Path

from scripts import stub
from scripts.reference import commands, measures, names, options, python

FOLDER = Path(__file__).parents[2] / "docs" / "reference"


def pages() -> dict[str, str]:
    """Every generated page by its name within the folder."""
    return {
        "options.md": options.page(),
        "names.md": names.page(),
        **measures.pages(),
        **python.pages(),
        **commands.pages(),
    }


def written(path: Path) -> str | None:
    """What a file holds, if it is there."""
    return path.read_text(encoding="utf-8") if path.exists() else None


def main() -> None:
    """Write each page that changed beside its target, then rename it; remove pages of names that are gone.

    A page that did not change keeps its date, so Sphinx does not read it again.
    """
    every = pages()
    for folder in {Path(name).parent for name in every} - {Path()}:
        for left in set((FOLDER / folder).glob("*")) - {FOLDER / name for name in every}:
            left.unlink()
    changed = [name for name, text in every.items() if written(FOLDER / name) != text]
    for name in changed:
        target = FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_suffix(".part")
        beside.write_text(every[name], encoding="utf-8")
        beside.replace(target)
    print(f"wrote {len(changed)} of {len(every)} pages in docs/reference")
    stub.write()


if __name__ == "__main__":
    main()
