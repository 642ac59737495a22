"""The page can be used: on a phone, by keyboard, and without scripts."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.browser.chromium import NARROW, THEMES, WIDE, Opened, Opener
from tests.browser.site import Site, every_page

pytestmark = pytest.mark.browser

EVERY = "[...document.querySelectorAll('*')]"
SCROLLS = """(each => each.scrollWidth > each.clientWidth + 1 && !each.matches("html, input")
    && ["auto", "scroll"].includes(getComputedStyle(each).overflowX))"""
# What has the focus, by its place among all elements, and whether an outline shows it.
FOCUSED = f"""() => {{
    const each = document.activeElement, style = getComputedStyle(each);
    return {{
        place: each === document.body ? -1 : {EVERY}.indexOf(each),
        outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    }};
}}"""
# Where the tab key must get to. Of the radio buttons of one name, it gets to the one that is chosen.
USED = "a[href], [tabindex='0'], summary, button, select, input:not([type=radio]), input:checked"
PLACES = f"() => {EVERY}.flatMap((each, i) => %s ? [i] : [])"
STOPS = PLACES % f"each.checkVisibility() && (each.matches(`{USED}`) || {SCROLLS}(each))"
CLOSED = PLACES % f"{SCROLLS}(each) && each.tabIndex !== 0"
HTML = f"places => places.map(i => {EVERY}[i].outerHTML.slice(0, 120))"
# All text, except the part that needs scripts.
TEXT = """() => {
    document.querySelectorAll("#threshold, script, style, noscript").forEach(each => each.remove());
    return document.body.textContent;
}"""


@every_page
def test_a_page_does_not_scroll_sideways_on_a_phone_or_a_desk_in_either_theme(
    name: str, site: Site, opening: Opener
) -> None:
    with opening(site.page(name)) as opened:
        for width, theme in product((NARROW, WIDE), THEMES):
            opened.show(width=width, theme=theme)
            assert opened.too_wide() == []


@every_page
def test_the_tab_key_gets_to_all_that_can_be_used_and_shows_where_it_is(name: str, site: Site, opening: Opener) -> None:
    with opening(site.page(name), width=NARROW) as opened:
        opened.unfold()
        wanted = set(opened.tell(STOPS))
        seen: dict[int, bool] = {}
        while (stop := next_stop(opened))["place"] not in {-1, *seen}:
            seen[stop["place"]] = stop["outlined"]
        assert opened.tell(HTML, sorted(wanted - set(seen))) == []
        assert opened.tell(HTML, [place for place, outlined in seen.items() if not outlined]) == []
        # Chromium lets the keyboard into whatever scrolls; other browsers have to be told.
        assert opened.tell(HTML, opened.tell(CLOSED)) == []


@every_page
def test_without_scripts_all_is_there_but_the_part_that_needs_them(name: str, site: Site, opening: Opener) -> None:
    with opening(site.page(name)) as with_scripts, opening(site.page(name), scripts=False) as without:
        assert without.tell(TEXT) == with_scripts.tell(TEXT)


def next_stop(opened: Opened) -> dict[str, Any]:
    """What has the focus after one more press of the tab key."""
    opened.page.keyboard.press("Tab")
    stop: dict[str, Any] = opened.tell(FOCUSED)
    return stop
