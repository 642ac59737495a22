"""Everything that has a name, from A to Z: measures, intervals and tests, also by what others call them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from assay.measures.declare.catalogue import catalogue
from scripts.reference import methods
from scripts.reference.markdown import page as whole
from scripts.reference.markdown import table

NAMES = Path(__file__).parent / "texts" / "names.toml"
KINDS = {"intervals": "interval", "tests": "test"}


def spoken() -> dict[str, dict[str, list[str]]]:
    """What intervals and tests are called elsewhere, by folder and by our name."""
    return tomllib.loads(NAMES.read_text(encoding="utf-8"))


def page() -> str:
    """The list of all names, with links."""
    rows = sorted({*_measures(), *_methods()}, key=lambda row: _sorted_by(row[0]))
    lead = (
        "Measures, intervals and tests by their names in assay (`in this type`) and by those that others use. Python's "
        "functions are listed [by purpose](python/index.md), terms in the [glossary](glossary.md)."
    )
    letters = [_letter(row[0]) for row in rows]
    blocks = (
        block
        for letter in dict.fromkeys(letters)
        for block in (
            f"## {letter}",
            table(
                ("name", "what it is", "described under"),
                [row for row, first in zip(rows, letters, strict=True) if first == letter],
            ),
        )
    )
    return whole("From A to Z", lead, *blocks)


def index(names: Iterable[str]) -> str:
    """Directives that put names into the index and the search of the site, for the place where they stand."""
    once = {name.casefold(): name for name in reversed([*names])}
    return "\n\n".join(f"```{{index}} !single: {name}\n```" for name in reversed(once.values()))


def _measures() -> Iterator[tuple[str, str, str]]:
    for name, measure in catalogue().items():
        link = f"[`{name}`](measures/{name}.md)"
        title = (measure.title,) if _sorted_by(measure.title) != name else ()
        for each in (*title, f"`{name}`", *(f"`{alias}`" for alias in measure.aliases)):
            yield each, "measure", link


def _methods() -> Iterator[tuple[str, str, str]]:
    for folder, kind in KINDS.items():
        for file, headings in methods.headings(folder).items():
            for heading in headings:
                link = f"[`{heading}`]({folder}/{file}#{heading})"
                for each in (f"`{heading}`", *spoken()[folder][heading]):
                    yield each, kind, link


def _sorted_by(name: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", name.casefold().replace("χ²", "chi2"))


def _letter(name: str) -> str:
    first = _sorted_by(name)[:1].upper()
    return first if first.isalpha() else "0–9"
