"""Other names of intervals and tests, which the index and the search find at the headings of these."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

NAMES = Path(__file__).parents[2] / "scripts" / "reference" / "texts" / "names.toml"


def setup(app) -> dict[str, bool]:
    """Add the names to the pages as they are read."""
    names = tomllib.loads(NAMES.read_text(encoding="utf-8"))

    def read(_, docname: str, source: list[str]) -> None:
        *_, folder, _ = ("", "", *docname.split("/"))
        if folder not in names or not docname.startswith("reference/"):
            return

        def named(heading: re.Match[str]) -> str:
            entries = [heading[1], *names[folder].get(heading[1], [])]
            return "\n\n".join([heading[0], *(f"```{{index}} !single: {name}\n```" for name in entries)])

        source[0] = re.sub(r"^## `(\w+)`$", named, source[0], flags=re.M)

    app.connect("source-read", read)
    return {"parallel_read_safe": True}
