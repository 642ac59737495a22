"""Print the oldest or the newest dependencies that pyproject.toml allows, one a line, as pip reads them.

The oldest are the floors of what assay itself needs, exactly, to be put over the locked environment. The newest are the
ranges of that and of what the tests need, for pip to choose from.

    python scripts/allowed.py oldest
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def allowed(end: str) -> list[str]:
    """The requirements for one end of what is allowed."""
    declared = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    needed: list[str] = declared["project"]["dependencies"]
    if end == "oldest":
        return [each.split(",")[0].replace(">=", "==") for each in needed]
    return [*needed, *declared["dependency-groups"]["dev"]]


if __name__ == "__main__":
    if sys.argv[1:] not in (["oldest"], ["newest"]):
        sys.exit("name an end: python scripts/allowed.py oldest, or newest")
    print(*allowed(sys.argv[1]), sep="\n")
