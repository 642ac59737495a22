"""The names of intervals and tests that the reference must describe, and the coverage figures on those pages.

Run `python -m scripts.reference.methods` after `make coverage` to renew the figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import assay.options as options
from assay.uncertainty.curves.bands import Band
from assay.uncertainty.one.estimate import DATA, coverage_of
from assay.uncertainty.planning.plan import HALF_WIDTHS, SIGN_TESTS
from assay.uncertainty.two.unpaired import TEST

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
NAME = re.compile(r"^#+ `([\w]+)`$", re.M)
FIGURES = re.compile(r"(<!-- coverage of (\w+) -->\n).*?(<!-- end -->)", re.S)
SAMPLED = {"": "rows", "clusters": "rows in clusters", "weights": "rows of different weight"}
LEVELS = ("0.95", "0.9", "0.99")
HEAD = (
    "| measure | populations | 95%: mean, lowest | 90%: mean, lowest | 99%: mean, lowest |",
    "|---|---|--:|--:|--:|",
)
PAIRED = re.compile(r"^\| Two systems, (.*?) \| (`.*?`) \| `(\w+)` \| (.*) \|$", re.M)


def interval_names() -> set[str]:
    """Every method of an interval that can be asked for, or that a result can name."""
    asked = {*options.METHODS, *options.PAIRED_METHODS, *options.VALUE_METHODS, *HALF_WIDTHS}
    return {*asked, str(Band.method), "none"}


def test_names() -> set[str]:
    """Every test and every correction that can be asked for, or that a result can name."""
    asked = {"auto", *options.TESTS, *options.VALUE_TESTS, *options.CORRECTIONS, *options.POST_HOC, *SIGN_TESTS}
    return {*asked, TEST, "max_gap", "friedman", "cochrans_q"}


test_names.__test__ = False  # type: ignore[attr-defined]  # not a test of pytest's


def headings(folder: str) -> dict[str, list[str]]:
    """The names that pages of the folder have a heading for, page by page."""
    return {
        page.name: NAME.findall(page.read_text(encoding="utf-8")) for page in sorted((FOLDER / folder).glob("*.md"))
    }


# ---------------------------------------------------------------------- coverage
def figures(method: str) -> list[str]:
    """The coverage of a default method, in percent: a row for each measure it was simulated for."""
    rows = [*_single(method), *_paired(method)]
    return [f"Simulated coverage of `{method}` as a default, in percent:", "", *HEAD, *rows, ""] if rows else []


def _single(method: str) -> Iterator[str]:
    for spelling in json.loads(DATA.read_text(encoding="utf-8"))["measures"]:
        for found in coverage_of(spelling):
            if found.methods[0] != method:
                continue
            each = (f"{mean:.1f}, {low:.1f}" for mean, low in (found.levels[level] for level in LEVELS))
            where = f"{found.populations}, {SAMPLED[found.rows]}, n ≥ {found.smallest_n}"
            yield f"| `{spelling}` | {where} | {' | '.join(each)} |"


def _paired(method: str) -> Iterator[str]:
    """Differences, from the summary of the page that `make coverage` writes."""
    summary = (FOLDER / "coverage.md").read_text(encoding="utf-8")
    for where, measure, used, cells in PAIRED.findall(summary):
        mean, lowest, _, *others = (cell.strip() for cell in cells.split("|"))
        if used == method:
            yield f"| {measure} | two systems, {where} | {mean}, {lowest} | {others[0]} | {others[1]} |"


def renewed(text: str) -> str:
    """A page with its figures as they are now."""

    def made(found: re.Match[str]) -> str:
        lines = figures(found[2])
        return found[1] + ("\n".join(["", *lines, ""]) if lines else "\n") + found[3]

    return FIGURES.sub(made, text)


def main() -> None:
    """Write the figures into the pages."""
    for page in sorted((FOLDER / "intervals").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (new := renewed(text)) != text:
            page.write_text(new, encoding="utf-8")
            print(f"renewed {page.name}")


if __name__ == "__main__":
    main()
