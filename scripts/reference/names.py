"""Everything that has a name, from A to Z: also intervals and tests by what others call them, and the terms."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import assay
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import Measure
from scripts.reference import methods
from scripts.reference.markdown import page as whole
from scripts.reference.markdown import table

NAMES = Path(__file__).parent / "texts" / "names.toml"
GLOSSARY = Path(__file__).parents[2] / "docs" / "reference" / "glossary.md"
TERM = re.compile(r"^\*\*(.+?)\.\*\* ", re.MULTILINE)  # how an entry of the glossary begins
KINDS = {"intervals": "interval", "tests": "test"}


def spoken() -> dict[str, dict[str, list[str]]]:
    """What intervals and tests are called elsewhere, by folder and by our name."""
    return tomllib.loads(NAMES.read_text(encoding="utf-8"))


def page() -> str:
    """The list of all names, with links."""
    rows = sorted({*_measures(), *_methods(), *_functions(), *_terms()}, key=lambda row: (_sorted_by(row[0]), row))
    lead = (
        "Measures, intervals, tests and Python's functions and classes by their names in assay (`in this type`) and by "
        "those that others use, with the terms of the glossary. Functions are also listed [by "
        "purpose](python/index.md)."
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


def _functions() -> Iterator[tuple[str, str, str]]:
    for name in sorted(public_names()):
        thing = getattr(assay, name)
        error = inspect.isclass(thing) and issubclass(thing, BaseException)
        kind = "error" if error else "class" if inspect.isclass(thing) else "function"
        yield f"`{name}`", kind, f"[`{name}`](python/{name}.md)"


def _terms() -> Iterator[tuple[str, str, str]]:
    for section in re.split(r"^## ", GLOSSARY.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        heading = section.partition("\n")[0]
        for names in TERM.findall(section):
            for each in names.split(", "):
                yield each, "term", f"[Glossary: {heading}](glossary.md#{heading.lower()})"


def public_names() -> set[str]:
    """Every public name that is no measure."""
    return {name for name in dir(assay) if not name.startswith("_") and not isinstance(getattr(assay, name), Measure)}


def _sorted_by(name: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", name.casefold().replace("χ²", "chi2"))


def _letter(name: str) -> str:
    first = _sorted_by(name)[:1].upper()
    return first if first.isalpha() else "0–9"
