"""Other names of intervals and tests, and the terms of the glossary, which the search finds in their place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

NAMES = Path(__file__).parents[2] / "scripts" / "reference" / "texts" / "names.toml"
GLOSSARY = "reference/glossary"


def setup(app) -> dict[str, bool]:
    """Add the names to the pages as they are read."""
    names = tomllib.loads(NAMES.read_text(encoding="utf-8"))

    def entries(found: list[str]) -> str:
        return "\n\n".join(f"```{{index}} !single: {name}\n```" for name in found)

    def read(_, docname: str, source: list[str]) -> None:
        if docname == GLOSSARY:
            source[0] = re.sub(r"^\*\*(.+?)\.\*\* ", term, source[0], flags=re.M)
        *_, folder, _ = ("", "", *docname.split("/"))
        if folder not in names or not docname.startswith("reference/"):
            return

        def named(heading: re.Match[str]) -> str:
            return "\n\n".join([heading[0], entries([heading[1], *names[folder].get(heading[1], [])])])

        source[0] = re.sub(r"^## `(\w+)`$", named, source[0], flags=re.M)

    def term(found: re.Match[str]) -> str:
        return entries(found[1].replace("`", "").split(", ")) + "\n\n" + found[0]

    app.connect("source-read", read)
    app.connect("env-updated", keep)
    return {"parallel_read_safe": True}


def keep(_, env) -> None:
    """Put the names of all pages into the search: Sphinx by itself has those of the pages that it writes anew."""
    every = env._search_index_index_entries
    every.clear()
    for docname, entries in env.get_domain("index").entries.items():
        every[docname] = sorted({(name, place, main) for _, name, place, main, _ in entries})
