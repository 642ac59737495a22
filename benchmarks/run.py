"""The one table of speed: against peers, against what no route could avoid, and how cost grows.

    make bench                                       # everything, about ten minutes
    .venv/bin/python -m benchmarks.run growth files  # some of it

Rows are kept as JSON in build/bench.json. Pinned peers are in requirements-bench.lock.
"""

from __future__ import annotations

import json
import platform
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from benchmarks.races import families, files, growth, labels, rankings, scores

GROUPS: dict[str, Callable[[], Iterable[Any]]] = {
    "labels": labels.races,
    "scores": scores.races,
    "families": families.races,
    "rankings": rankings.races,
    "files": files.races,
    "growth": growth.races,
}
PEERS = (
    "assay",
    "scikit-learn",
    "pycm",
    "mlstatkit",
    "MLstatkit",
    "numpy",
    "scipy",
    "duckdb",
    "ranx",
    "pytrec_eval-terrier",
)
KEPT = Path("build") / "bench.json"


def main() -> int:
    """Print the rows as they come; 1 if one falls short."""
    warnings.simplefilter("ignore")
    wanted = sys.argv[1:] or list(GROUPS)
    unknown = sorted(set(wanted) - set(GROUPS))
    if unknown:
        print(f"there is no group {', '.join(unknown)}; the groups are {', '.join(GROUPS)}.", file=sys.stderr)
        return 2
    rows = []
    for name in wanted:
        for race in GROUPS[name]():
            row = race.run()
            rows.append({"group": name, **asdict(row)})
            print(row, flush=True)
    held = [row["work"] for row in rows if row["holds"]]
    short = [row["work"] for row in rows if not row["holds"] and not row["at_floor"]]
    at_floor = len(rows) - len(held) - len(short)
    rest = f", {at_floor} more are at their floor" if at_floor else ""
    print(f"{len(held)} of {len(rows)} rows hold{rest}." + (f" Short: {'; '.join(short)}." if short else ""))
    KEPT.parent.mkdir(exist_ok=True)
    versions = {each.metadata["Name"]: each.version for each in distributions() if each.metadata["Name"] in PEERS}
    about = {"python": platform.python_version(), "machine": platform.machine(), "versions": versions, "rows": rows}
    KEPT.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
