"""No link of the documentation is broken, and everything that has a name is close to the first page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from assay.cli.main import COMMANDS
from assay.measures.declare.catalogue import catalogue
from scripts.reference.names import public_names

pytestmark = pytest.mark.browser  # because `make test-browser` builds the site

MOST_CLICKS = 3
REFERENCE = {
    *(f"reference/python/{name}.html" for name in public_names()),
    *(f"reference/measures/{name}.html" for name in catalogue()),
    *(f"reference/commands/{name}.html" for name in COMMANDS),
}
# What Sphinx writes in answer to a search, or lists by its own rules.
MACHINERY = {"search.html", "genindex.html"}


@dataclass
class Linked(HTMLParser):
    """The places of a page that can be linked to, and the addresses of what it links to, shows or loads."""

    page: Path
    places: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    loads: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.places.add(value or "")
            elif name in ("href", "src", "action"):
                (self.links if tag == "a" else self.loads).add(value or "")

    def target(self, link: str) -> tuple[Path, str] | None:
        """The file and the place in it that a link leads to, or nothing if it leads out of the site."""
        if urlsplit(link).scheme or urlsplit(link).netloc:
            return None
        address, place = urldefrag(link)
        path = unquote(urlsplit(address).path)
        return ((self.page.parent / path).resolve() if path else self.page, unquote(place))


@pytest.fixture(scope="module")
def site_pages(built: Path) -> dict[Path, Linked]:
    """Every page of the site by its path."""
    return {path: Linked(path) for path in sorted(built.resolve().rglob("*.html")) if "_static" not in path.parts}


def clicks(pages: Mapping[Path, Linked], first: Path) -> dict[Path, int]:
    """How many links one follows to each page, at least."""
    away, edge = {first: 0}, [first]
    for path in edge:
        targets = {target[0] for link in pages[path].links if (target := pages[path].target(link))}
        for each in sorted(targets & pages.keys() - away.keys()):
            away[each] = away[path] + 1
            edge.append(each)
    return away


def test_every_public_name_measure_and_command_is_three_clicks_from_the_index(
    built: Path, site_pages: dict[Path, Linked]
) -> None:
    away = clicks(site_pages, built.resolve() / "index.html")
    far = {name: away.get(built.resolve() / name, "no way") for name in sorted(REFERENCE)}
    assert len(far) > 100
    assert {name: n for name, n in far.items() if n not in range(MOST_CLICKS + 1)} == {}


def test_every_page_can_be_reached(built: Path, site_pages: dict[Path, Linked]) -> None:
    away = clicks(site_pages, built.resolve() / "index.html")
    lost = {str(path.relative_to(built.resolve())) for path in site_pages.keys() - away.keys()}
    assert lost - MACHINERY == set()


def test_every_file_and_place_that_a_page_of_the_site_names_is_there(
    built: Path, site_pages: dict[Path, Linked]
) -> None:
    broken = []
    for page in site_pages.values():
        for link in page.links | page.loads:
            target = page.target(link)
            if target is None:
                continue
            path, place = target
            there = path.is_file() and path.is_relative_to(built.resolve())
            found = not place or path not in site_pages or place in site_pages[path].places
            if not (there and found):
                broken.append(f"{page.page.relative_to(built.resolve())} → {link}")
    assert broken == []


def test_the_site_loads_nothing_from_elsewhere(site_pages: dict[Path, Linked]) -> None:
    foreign = {link for page in site_pages.values() for link in page.loads if page.target(link) is None}
    assert foreign == set()
