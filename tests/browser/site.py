"""The pages that the browser tests look at, each written by the command line when it is first asked for."""

from __future__ import annotations

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
LEVELS = [f"--pred={name}" for name in ("logistic", "tree", "forest", "bayes")]


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
    "four systems of ten classes": Made(DIGITS, "evaluate", LEVELS),
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
        """The page of this name, written if it is not there yet."""
        path = self.folder / f"{name}.html"
        if not path.exists():
            made = PAGES[name]
            table = made.table if isinstance(made.table, Path) else write(path.with_suffix(".csv"), made.table())
            words = [made.command, str(table), "--gold", "gold", *made.options, "--resamples", "999"]
            assert exit_code([*words, "--html", str(path), "--out", str(path.with_suffix(".txt"))]) == 0
        return path


def named(*names: str) -> pytest.MarkDecorator:
    """Run a test on each of these pages; those about one page run in one process, which writes it once."""
    each = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names]
    return pytest.mark.parametrize("name", each)


every_page = named(*PAGES)
in_both_themes = pytest.mark.parametrize("theme", ["light", "dark"])
