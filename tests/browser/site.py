"""The pages that the browser tests look at, each written by the command line when it is first asked for."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from assay.cli.main import exit_code
from tests.browser.made import DATA, Columns, six_systems, thirty_classes, two_scored_systems, write

CANCER, DIGITS = DATA / "breast_cancer.csv", DATA / "digits.csv"
POSITIVE = ("--positive", "malignant")
TWO_SCORED = ("--score", "logistic=logistic_score", "--score", "tree=tree_score", *POSITIVE)
GENERATED = ("--score", "first", "--score", "second", "--positive", "recurs", "--threshold", "0.5")
SIX = [word for i in range(1, 7) for word in ("--score", f"system number {i}")]
RESAMPLES = ("--resamples", "999")  # fewer than usual, to be quick
FOUR = [f"--pred={name}" for name in ("logistic", "tree", "forest", "bayes")]


@dataclass(frozen=True)
class Made:
    """What makes a page: a table, and a command about it."""

    table: Path | Callable[[], Columns]
    command: str
    options: Sequence[str]


PAGES = {
    "two classes": Made(CANCER, "compare", TWO_SCORED),
    "one system": Made(CANCER, "evaluate", ("--pred", "tree", *POSITIVE)),
    "ten classes": Made(DIGITS, "compare", ("--pred", "logistic", "--pred", "tree")),
    "four systems of ten classes": Made(DIGITS, "evaluate", FOUR),
    "thirty classes": Made(thirty_classes, "compare", ("--pred", "old", "--pred", "new")),
    "six systems": Made(six_systems, "compare", (*SIX, "--positive", "recurs", "--threshold", "0.5")),
    "slices and costs": Made(
        partial(two_scored_systems, 600),
        "evaluate",
        (*GENERATED, "--slice", "site", "--slice", "age", "--cost-fp", "1", "--cost-fn", "5"),
    ),
    "twenty thousand rows": Made(partial(two_scored_systems, 20_000), "compare", GENERATED),
}


@dataclass(frozen=True)
class Site:
    """A folder of pages."""

    folder: Path

    def page(self, name: str) -> Path:
        """The page of this name, which whoever needs it first writes."""
        return self.once(name, partial(_written, PAGES[name]))

    def once(self, name: str, write: Callable[[Path], object]) -> Path:
        """The page of this name, after it was written by one of the processes that run tests."""
        path = self.folder / f"{name}.html"
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                write(path)
        return path


def _written(made: Made, path: Path) -> None:
    table = made.table if isinstance(made.table, Path) else write(path.with_suffix(".csv"), made.table())
    words = [made.command, str(table), "--gold", "gold", *made.options, *RESAMPLES]
    assert exit_code([*words, "--html", str(path), "--out", str(path.with_suffix(".txt"))]) == 0


def named(*names: str) -> pytest.MarkDecorator:
    """Run a test on each of these pages."""
    return pytest.mark.parametrize("name", names)


every_page = named(*PAGES)
in_both_themes = pytest.mark.parametrize("theme", ["light", "dark"])
