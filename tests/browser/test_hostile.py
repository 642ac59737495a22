"""Names from the data are shown and nothing else: none of them runs, fetches, steers or breaks the page."""

from __future__ import annotations

import html
import re
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from assay.report.compare import compare_systems
from assay.report.evaluate import evaluate
from assay.report.page.render import page_html
from assay.report.report import Report
from tests.browser.chromium import NARROW, Opened, Opener
from tests.browser.made import answers, draws, scores, write
from tests.browser.site import Site, in_both_themes

pytestmark = pytest.mark.browser

SCRIPT = "</script><script>document.title=1337</script>"
IMAGE = "<img src=x onerror=document.title=4242>"
PAYLOADS = {
    "script": SCRIPT,
    "image": IMAGE,
    "dialog": "</script><script>alert(1337)</script>",
    "quotes": "\"'><svg onload=\"document.title='quoted'\"><img src='x' onerror='document.title=4242'>",
    "attribute": '" onmouseover="document.title=1" autofocus onfocus="document.title=2" x="',
    "title": f"</title></style></textarea></noscript>{SCRIPT}",
    "drawing": f"]]></text></desc></svg>{IMAGE}",
    "comment": f"--><!--{SCRIPT}",
    "template": "{{7*7}} {% for x in y %} ${7*7} <%= 7*7 %>",
    "address": "javascript:document.title=1337",
    "entity": "&lt;script&gt;document.title=1337&lt;/script&gt; &amp;#60;",
    "direction": "\u202efdp.exe\u202c \u2066left\u2069 \u200f",
    "control": "a\u2028b\u2029c\u0085d\u001b[31me\u0007f",
    "long": "n" * 5_000,
    "key": "__proto__",
}
HARMLESS = "harmless"
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
# The elements of a page by name, without those within charts, where room decides which labels are drawn.
ELEMENTS = "() => [...document.querySelectorAll(':not(svg *)')].map(each => each.localName)"
DRAWN = "() => [...new Set([...document.querySelectorAll('svg *')].map(each => each.localName))]"
# Attributes by which a page could run something or lead out of itself.
DANGEROUS = """() => [...document.querySelectorAll("*")].flatMap(each => [...each.attributes]
    .filter(({ name, value }) => /^on|^src|^style$|^action$|^formaction$|^srcdoc$|^data$|^ping$/.test(name)
        || (/href$/.test(name) && !value.startsWith("#") && value !== "data:,"))
    .map(({ name, value }) => `${each.localName} ${name}=${value}`))"""
TEXT = "() => [...document.querySelectorAll('body *:not(script, style)')].map(each => each.textContent).join(' ')"

every_payload = pytest.mark.parametrize("payload", PAYLOADS)
every_kind = pytest.mark.parametrize("kind", ["evaluate", "evaluate classes", "compare"])


@every_payload
@every_kind
@pytest.mark.parametrize("policy", [True, False], ids=["with the policy", "without it"])
def test_no_name_runs_or_adds_to_the_page(
    kind: str, payload: str, policy: bool, site: Site, opening: Opener
) -> None:
    path, twin = page(site, kind, payload), page(site, kind, HARMLESS)
    path, twin = (path, twin) if policy else (without_policy(path), without_policy(twin))
    with opening(path) as opened, opening(twin) as harmless:
        is_itself(opened, own_title(path))
        assert opened.requests == [path.as_uri()]
        assert Counter(opened.tell(ELEMENTS)) == Counter(harmless.tell(ELEMENTS))
        assert set(opened.tell(DRAWN)) <= set(harmless.tell(DRAWN))


@every_payload
@every_kind
def test_a_name_stands_in_the_page_as_text_that_steers_nothing(
    kind: str, payload: str, site: Site, opening: Opener
) -> None:
    with opening(page(site, kind, payload)) as opened:
        text = opened.tell(TEXT)
    start = PAYLOADS[payload][:12]
    assert "".join(c if c.isprintable() else "�" for c in start) in text
    steering = [c for c in text if not c.isprintable() and c not in "\n\u200e"]
    assert steering == []


@every_payload
@every_kind
@in_both_themes
def test_no_name_makes_a_page_scroll_sideways_on_a_phone(
    kind: str, payload: str, theme: str, site: Site, opening: Opener
) -> None:
    with opening(page(site, kind, payload), width=NARROW, theme=theme) as opened:
        opened.unfold()
        room, used = opened.tell("() => [document.documentElement.clientWidth, document.documentElement.scrollWidth]")
    assert used <= room


@every_payload
@every_kind
def test_no_name_runs_or_adds_to_a_notebook(kind: str, payload: str, site: Site, opening: Opener) -> None:
    path, twin = (site.once(f"{kind} {each} notebook", partial(write_notebook, kind, each)) for each in (payload, HARMLESS))
    with opening(path) as opened, opening(twin) as harmless:
        is_itself(opened, "notebook")
        assert opened.requests == [path.as_uri()]
        assert Counter(opened.tell(ELEMENTS)) == Counter(harmless.tell(ELEMENTS))


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


def is_itself(opened: Opened, title: str) -> None:
    """Nothing ran, and nothing could."""
    opened.page.wait_for_timeout(50)  # in which a picture that is not there would say so
    assert opened.said == []
    assert opened.tell("() => document.title") == title
    assert opened.tell("() => document.querySelectorAll('img, iframe, object, embed').length") == 0
    assert opened.tell(DANGEROUS) == []


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
    made = report(kind, text, path.parent / f"data of {path.stem}")
    path.write_text(page_html(made.page(f"assay evaluate {text} --gold {text}")), encoding="utf-8")


def write_notebook(kind: str, payload: str, path: Path) -> None:
    made = report(kind, PAYLOADS.get(payload, payload), path.parent / f"data of {path.stem}")
    path.write_text(f"<!doctype html><title>notebook</title><body>{made._repr_html_()}", encoding="utf-8")


def report(kind: str, text: str, folder: Path) -> Report:
    """A report in which labels, systems, slices, columns and the file are called by this text."""
    many = kind == "evaluate classes"
    labels = [text, f"{text} other", *([f"{text} third"] if many else [])]
    gold = draws(labels, 120, seed=1)
    named = {f"{text} first": 0.1, f"{text} second": 0.2}
    columns = {
        f"{text} gold": gold,
        f"{text} slice": draws([f"{text} here", f"{text} there"], 120, seed=2),
        **{name: answers(gold, 1 - noise, seed=3) if many else scores(gold, text, noise, seed=4) for name, noise in named.items()},
    }
    file = write(file_called(text, folder), columns)
    asked = {"gold": f"{text} gold", "n_resamples": 99}
    systems = {f"{name} system": name for name in named}
    if many:
        return evaluate(file, pred=systems, slices=f"{text} slice", **asked)
    asked |= {"scores": systems, "positive": text, "threshold": 0.5}
    if kind == "compare":
        return compare_systems(file, **asked)
    return evaluate(file, slices=f"{text} slice", costs={"fp": 1, "fn": 5}, **asked)


def file_called(text: str, folder: Path) -> Path:
    """A file whose path ends in the text, with a folder for every slash in it, as far as a path can be so long."""
    return folder / f"{text[:200]}.csv"
