"""The pages that the browser tests look at, each written by the command line when it is first asked for."""

from __future__ import annotations

import fcntl
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from assay.cli.main import exit_code
from assay.report.page.render import page_html
from scripts.gallery import gallery
from tests.browser.made import DATA, Columns, six_systems, thirty_classes, two_scored_systems, write

CANCER, DIGITS = DATA / "breast_cancer.csv", DATA / "digits.csv"
# Two systems with scores on the file that ships with assay, as options of any command that takes scores.
TWO_SCORED = "--gold gold --score logistic=logistic_score --score tree=tree_score --positive malignant"
GENERATED = "--gold gold --score first --score second --positive recurs --threshold 0.5"
PILOT = "--pred tree --pred bayes --measure accuracy"
SIX = " ".join(f"--score 'system number {i}'" for i in range(1, 7))
RESAMPLES = "--resamples 999"  # fewer than the default, to be quick


@dataclass(frozen=True)
class Made:
    """What makes a page: a table, and a command about it."""

    table: Path | Callable[[], Columns]
    command: str

    def __call__(self, path: Path) -> None:
        """Write the page."""
        table = self.table if isinstance(self.table, Path) else write(path.with_suffix(".csv"), self.table())
        words = [str(table) if word == "FILE" else word for word in shlex.split(self.command)]
        assert exit_code([*words, "--html", str(path)]) == 0


def everything(path: Path) -> None:
    """Write the gallery."""
    path.write_text(page_html(gallery()), encoding="utf-8")


SCORED = partial(two_scored_systems, 600)
PAGES: dict[str, Callable[[Path], None]] = {
    "two classes": Made(CANCER, f"compare FILE {TWO_SCORED} {RESAMPLES}"),
    "groups of two": Made(CANCER, f"compare FILE --pred logistic --pred tree {TWO_SCORED} --slice size {RESAMPLES}"),
    "one system": Made(CANCER, f"evaluate FILE --pred tree --positive malignant {RESAMPLES}"),
    "ten classes": Made(DIGITS, f"compare FILE --pred logistic --pred tree {RESAMPLES}"),
    "thirty classes": Made(thirty_classes, f"compare FILE --pred old --pred new {RESAMPLES}"),
    "six systems": Made(six_systems, f"compare FILE {SIX} --positive recurs --threshold 0.5 {RESAMPLES}"),
    "slices and costs": Made(
        SCORED, f"evaluate FILE {GENERATED} --slice site --slice age --cost-fp 1 --cost-fn 5 {RESAMPLES}"
    ),
    "twenty thousand rows": Made(partial(two_scored_systems, 20_000), f"compare FILE {GENERATED} {RESAMPLES}"),
    "curve": Made(CANCER, f"curve FILE {TWO_SCORED}"),
    "tune": Made(CANCER, "tune FILE --gold gold --score logistic_score --positive malignant --maximize f1"),
    "plan": Made(
        CANCER,
        f"plan --difference 0.05 --items 800 --pilot FILE --pred tree --pred bayes --measure accuracy {RESAMPLES}",
    ),
    "plan of a difference": Made(CANCER, "plan --difference 0.03 --disagreement 0.1"),
    "check": Made(DIGITS, "check FILE"),
    "advise": Made(CANCER, "advise FILE"),
    "gallery": everything,
}


@dataclass(frozen=True)
class Site:
    """A folder of pages."""

    folder: Path

    def page(self, name: str) -> Path:
        """The page of this name, written by whoever needs it first."""
        return self.once(name, PAGES[name])

    def once(self, name: str, write: Callable[[Path], object]) -> Path:
        """The page of this name, after it was written by one of the processes that run tests."""
        path = self.folder / f"{name}.html"
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                write(path)
        return path


def named(*names: str) -> pytest.MarkDecorator:
    """Run a test on each of these pages."""
    return pytest.mark.parametrize("name", names)


every_page = named(*PAGES)
