"""Names from the data are shown and nothing else: none of them runs, fetches, steers or breaks the page."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import assay
from tests.browser.chromium import NARROW, THEMES, Opened, Opener
from tests.browser.hostile import CASES, HARMLESS, IMAGE, PAYLOADS, SCRIPT, page
from tests.browser.site import Site

pytestmark = pytest.mark.browser

Elements = Callable[[str], Counter[str]]

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
# The elements of a page by name, without labels of charts, for which there may be no room, and words of commands, of
# which names with blanks have more.
ELEMENTS = "() => [...document.querySelectorAll(':not(svg *, code .word)')].map(each => each.localName)"
DRAWN = "() => [...new Set([...document.querySelectorAll('svg *')].map(each => each.localName))]"
# The elements that the templates write.
TEMPLATES = (Path(assay.__file__).parent / "report" / "page" / "template").glob("*.html")
KNOWN = {name for path in TEMPLATES for name in re.findall(r"<([a-z][a-z0-9]*)", path.read_text(encoding="utf-8"))}
DRAWINGS = {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "title", "desc"}
# Attributes by which a page could run something or lead out of itself.
DANGEROUS = """() => [...document.querySelectorAll("*")].flatMap(each => [...each.attributes]
    .filter(({ name, value }) => /^on|^src|^style$|^action$|^formaction$|^srcdoc$|^data$|^ping$/.test(name)
        || (/href$/.test(name) && !value.startsWith("#") && value !== "data:,"))
    .map(({ name, value }) => `${each.localName} ${name}=${value}`))"""

every_case = pytest.mark.parametrize(("kind", "payload"), CASES)


@every_case
def test_no_name_runs_or_adds_to_the_page_or_makes_it_wider_than_a_phone(
    kind: str, payload: str, site: Site, opening: Opener, elements: Elements
) -> None:
    path = page(site, kind, payload)
    with opening(path, width=NARROW) as opened:
        is_itself(opened, path, elements(kind))
        for theme in THEMES:
            opened.show(theme=theme)
            assert opened.too_wide() == []


@pytest.mark.parametrize(("kind", "payload"), [case for case in CASES if case[0] != "notebook"])
def test_no_name_runs_or_adds_to_the_page_even_without_its_policy(
    kind: str, payload: str, site: Site, opening: Opener, elements: Elements
) -> None:
    path = without_policy(page(site, kind, payload))
    with opening(path) as opened:
        is_itself(opened, path, elements(kind) - Counter(["meta"]))


@every_case
def test_a_name_stands_in_the_page_as_text_that_steers_nothing(kind: str, payload: str, site: Site) -> None:
    written = page(site, kind, payload).read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"</?span[^>]*>", "", written))  # words of a command are kept whole
    start = PAYLOADS[payload][:12]
    assert "".join(c if c.isprintable() else "�" for c in start) in text
    assert [c for c in text if not c.isprintable() and c not in "\n\u200e\u00a0"] == []


@pytest.mark.parametrize(("text", "title"), [(SCRIPT, "1337"), (IMAGE, "4242")], ids=["script", "image"])
def test_the_same_text_runs_where_nothing_stops_it_and_the_policy_alone_would(
    text: str, title: str, site: Site, opening: Opener
) -> None:
    """Without this, the tests above might look for what never happens."""
    whole = page(site, "evaluate", HARMLESS)
    broken = whole.with_name(f"broken {title}.html")
    broken.write_text(whole.read_text(encoding="utf-8").replace("</h1>", f"{text}</h1>"), encoding="utf-8")
    with opening(without_policy(broken)) as opened:
        opened.page.wait_for_function("title => document.title === title", arg=title)
    with opening(broken) as opened:
        opened.page.wait_for_timeout(200)
        assert opened.tell("() => document.title") == own_title(whole)
        assert any("Content Security Policy" in said for said in opened.said)


@pytest.fixture(scope="module")
def elements(site: Site, opening: Opener) -> Elements:
    """How many elements of each name a page has in which every name is a harmless word."""

    @cache
    def of(kind: str) -> Counter[str]:
        with opening(page(site, kind, HARMLESS)) as opened:
            return Counter(opened.tell(ELEMENTS))

    return of


def is_itself(opened: Opened, path: Path, elements: Counter[str]) -> None:
    """Nothing ran, nothing could, and the page has the elements that it has with harmless names."""
    opened.page.wait_for_timeout(50)  # in which a picture that is not there would say so
    assert opened.said == []
    assert opened.requests == [path.as_uri()]
    assert opened.tell("() => document.title") == own_title(path)
    assert opened.tell(DANGEROUS) == []
    found = Counter(opened.tell(ELEMENTS))
    assert set(found) <= KNOWN
    assert set(opened.tell(DRAWN)) <= DRAWINGS
    assert found["script"] == elements["script"]
    if not path.name.startswith(("check", "advise")):  # what these have to say depends on the names
        assert found == elements


def own_title(path: Path) -> str:
    """The title in a file, as a browser shows it."""
    found = re.search("<title>(.*?)</title>", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found
    return " ".join(html.unescape(found[1]).split())


def without_policy(path: Path) -> Path:
    """The same page without the policy that keeps it from running anything."""
    text, removed = POLICY.subn("", path.read_text(encoding="utf-8"))
    assert removed == 1
    bare = path.with_name(f"{path.stem} without policy.html")
    bare.write_text(text, encoding="utf-8")
    return bare
