"""From files, and from a cold start."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

import assay
from benchmarks.timing import Ceiling, Measured, Row

ROWS = 10_000_000
DEMO = Path(assay.__file__).parent / "data" / "breast_cancer.csv"


def parquet() -> Iterator[Measured]:
    """A file of ten million rows against the bare query that counts them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        duckdb.sql(
            "copy (select (hash(range) % 20)::varchar as gold, case when hash(range * 7) % 10 < 8 then "
            "(hash(range) % 20)::varchar else (hash(range * 3) % 20)::varchar end as pred "
            f"from range({ROWS})) to '{path}' (format parquet)"
        )
        query = f"select gold, pred, count(*) from '{path}' group by all"
        yield Ceiling(
            "evaluate Parquet, 1e7 rows, k=20",
            lambda: assay.evaluate(str(path), gold="gold", pred="pred"),
            "bare group-by",
            lambda: duckdb.sql(query).fetchall(),
            1.5,
        )


@dataclass(frozen=True)
class Started:
    """A fresh interpreter that does one thing: its processor time, children and all."""

    work: str
    arguments: tuple[str, ...]
    most: float
    repeats: int = 5

    def run(self) -> Row:
        """The best of several starts."""
        times = []
        for _ in range(self.repeats):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *self.arguments], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        best = min(times)
        return Row(self.work, best, "a fresh start", None, None, f"≤ {self.most:g} s", best <= self.most)


def thousand_rows(folder: str) -> Path:
    """A small file of labels."""
    path = Path(folder) / "thousand.csv"
    rows = (f"{'yes' if i % 3 else 'no'},{'yes' if i % 7 else 'no'}" for i in range(1000))
    path.write_text("gold,pred\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def starts() -> Iterator[Started]:
    """Help, an import, and every command on the files of the demo."""
    cli = ("-m", "assay")
    with tempfile.TemporaryDirectory() as folder:
        page = str(Path(folder) / "page.html")
        small = str(thousand_rows(folder))
        demo, scores = str(DEMO), ("--gold", "gold", "--score", "logistic_score", "--positive", "malignant")
        labels = ("--gold", "gold", "--pred", "logistic", "--pred", "tree", "--positive", "malignant")
        yield Started("import assay", ("-c", "import assay"), 0.1)
        yield Started("assay --help", (*cli, "--help"), 0.25)
        yield Started("assay evaluate, 1,000 rows", (*cli, "evaluate", small, "--gold", "gold", "--pred", "pred"), 0.5)
        yield Started("assay evaluate", (*cli, "evaluate", demo, *labels), 1.0)
        yield Started("assay compare", (*cli, "compare", demo, *labels), 1.0)
        yield Started("assay compare --html", (*cli, "compare", demo, *labels, "--html", page), 1.2)
        yield Started("assay evaluate --score", (*cli, "evaluate", demo, *scores), 1.0)
        yield Started("assay curve", (*cli, "curve", demo, *scores), 1.0)
        yield Started("assay tune", (*cli, "tune", demo, *scores, "--cost-fp", "1", "--cost-fn", "20"), 1.0)
        yield Started("assay check", (*cli, "check", demo), 1.0)
        yield Started("assay advise", (*cli, "advise", demo, "--gold", "gold", "--pred", "tree"), 1.0)
        yield Started("assay plan", (*cli, "plan", "--half-width", "0.05"), 1.0)
        yield Started("assay measures f1", (*cli, "measures", "f1"), 1.0)


def races() -> Iterator[Measured | Started]:
    """All of them."""
    yield from parquet()
    yield from starts()
