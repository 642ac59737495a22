"""Names from the data are shown and nothing else: none of them runs, fetches, steers or breaks the page."""

from __future__ import annotations

import html
import re
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assay.report.compare import compare_systems
from assay.report.evaluate import evaluate
from assay.report.page.render import page_html
from assay.report.report import Report
from tests.browser.chromium import NARROW, Opened, Opener
from tests.browser.made import answers, draws, scores, write
from tests.browser.site import Site

pytestmark = pytest.mark.browser

SCRIPT = "</script><script>document.title=1337</script>"
IMAGE = "<img src=x onerror=document.title=4242>"
PAYLOADS = {
    "script": SCRIPT,
    "image": IMAGE,
    "quotes": "\"'><svg onload=\"document.title='quoted'\" style='color:red'><b onmouseover='document.title=1'>",
    "attribute": '" autofocus onfocus="document.title=2" style="color:red" x="',
    "endings": f"]]>--></svg></title></style></textarea>{SCRIPT}{IMAGE}",
    "template": "javascript:document.title=1337//{{7*7}}${7*7}<%=7*7%>{%for x in y%}",
    "entities": "&lt;script&gt;document.title=1337&lt;/script&gt;&#60;b&#62;&quot;",
    "steering": "\u202efdp.exe\u2066 a\u2028b\u0085c\u001b[31md\u0007e\u200f",
    "long": "n" * 5_000,
    "key": "__proto__",
}
HARMLESS = "harmless"
NOTEBOOK = '<!doctype html><meta name="viewport" content="width=device-width"><title>notebook</title><body>'
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
# The elements of a page by name, without those within charts, where room decides which labels are drawn.
ELEMENTS = "() => [...document.querySelectorAll(':not(svg *)')].map(each => each.localName)"
DRAWN = "() => [...new Set([...document.querySelectorAll('svg *')].map(each => each.localName))]"
DRAWINGS = {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "title", "desc"}
# Attributes by which a page could run something or lead out of itself.
DANGEROUS = """() => [...document.querySelectorAll("*")].flatMap(each => [...each.attributes]
    .filter(({ name, value }) => /^on|^src|^style$|^action$|^formaction$|^srcdoc$|^data$|^ping$/.test(name)
        || (/href$/.test(name) && !value.startsWith("#") && value !== "data:,"))
    .map(({ name, value }) => `${each.localName} ${name}=${value}`))"""

every_payload = pytest.mark.parametrize("payload", PAYLOADS)
KINDS = ("evaluate", "evaluate classes", "compare", "notebook")
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_payload
@every_kind
def test_no_name_runs_or_adds_to_the_page_or_makes_it_wider_than_a_phone(
    kind: str, payload: str, site: Site, opening: Opener, elements: dict[str, Counter[str]]
) -> None:
    path = page(site, kind, payload)
    with opening(path, width=NARROW) as opened:
        is_itself(opened, path, elements[kind])
        for theme in ("light", "dark"):
            opened.page.emulate_media(color_scheme=theme)
            assert opened.too_wide() == []


@every_payload
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "notebook"])
def test_no_name_runs_or_adds_to_the_page_even_without_its_policy(
    kind: str, payload: str, site: Site, opening: Opener, elements: dict[str, Counter[str]]
) -> None:
    path = without_policy(page(site, kind, payload))
    with opening(path) as opened:
        is_itself(opened, path, elements[kind] - Counter(["meta"]))


@every_payload
@every_kind
def test_a_name_stands_in_the_page_as_text_that_steers_nothing(kind: str, payload: str, site: Site) -> None:
    text = html.unescape(page(site, kind, payload).read_text(encoding="utf-8"))
    start = PAYLOADS[payload][:12]
    assert "".join(c if c.isprintable() else "�" for c in start) in text
    assert [c for c in text if not c.isprintable() and c not in "\n\u200e"] == []


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
def elements(site: Site, opening: Opener) -> dict[str, Counter[str]]:
    """How many elements of each name a page has in which every name is a harmless word."""
    found = {}
    for kind in KINDS:
        with opening(page(site, kind, HARMLESS)) as opened:
            found[kind] = Counter(opened.tell(ELEMENTS))
    return found


def is_itself(opened: Opened, path: Path, elements: Counter[str]) -> None:
    """Nothing ran, nothing could, and the page has the elements that it has with harmless names."""
    opened.page.wait_for_timeout(50)  # in which a picture that is not there would say so
    assert opened.said == []
    assert opened.requests == [path.as_uri()]
    assert opened.tell("() => document.title") == own_title(path)
    assert opened.tell(DANGEROUS) == []
    assert Counter(opened.tell(ELEMENTS)) == elements
    assert set(opened.tell(DRAWN)) <= DRAWINGS


def own_title(path: Path) -> str:
    """The title in a file, as a browser shows it."""
    found = re.search("<title>(.*?)</title>", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found
    return " ".join(html.unescape(found[1]).split())


def without_policy(path: Path) -> Path:
    """The same page without what forbids it to run anything."""
    text, removed = POLICY.subn("", path.read_text(encoding="utf-8"))
    assert removed == 1
    bare = path.with_name(f"{path.stem} without policy.html")
    bare.write_text(text, encoding="utf-8")
    return bare


# ------------------------------------------------------------------ pages in which every name is the payload
def page(site: Site, kind: str, payload: str) -> Path:
    """The page of a report in which every name is the payload."""
    return site.once(f"{kind} {payload}", partial(write_page, kind, payload))


def write_page(kind: str, payload: str, path: Path) -> None:
    text = PAYLOADS.get(payload, payload)
    made = report(kind, text, path.with_suffix(""))
    if kind == "notebook":
        shown = f"{NOTEBOOK}{made._repr_html_()}"
    else:
        shown = page_html(made.page(f"assay evaluate {text} --gold {text}"))
    path.write_text(shown, encoding="utf-8")


def report(kind: str, text: str, folder: Path) -> Report:
    """A report in which labels, systems, slices, columns and the file are called by this text."""
    classes = kind == "evaluate classes"
    gold = draws([text, f"{text} other", *([f"{text} third"] if classes else [])], 120, seed=1)
    first, second = f"{text} first", f"{text} second"
    columns = {
        f"{text} gold": gold,
        f"{text} slice": draws([f"{text} here", f"{text} there"], 120, seed=2),
        first: answers(gold, 0.8, seed=3) if classes else scores(gold, text, 0.1, seed=3),
        second: answers(gold, 0.6, seed=4) if classes else scores(gold, text, 0.3, seed=4),
    }
    file = write(file_called(text, folder), columns)
    systems = {f"{text} system": first, f"{text} rival": second}
    asked: dict[str, Any] = {"gold": f"{text} gold", "n_resamples": 99}
    if classes:
        return evaluate(file, pred=systems, slices=f"{text} slice", **asked)
    asked |= {"scores": systems, "positive": text, "threshold": 0.5}
    if kind == "compare":
        return compare_systems(file, **asked)
    return evaluate(file, slices=f"{text} slice", costs={"fp": 1, "fn": 5}, **asked)


def file_called(text: str, folder: Path) -> Path:
    """A file whose path ends in the text, with a folder for every slash in it, as far as a path can be so long."""
    return folder / f"{text[:200]}.csv"
