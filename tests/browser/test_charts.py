"""Charts in a page: in its font, no wider than they should be, and with text that a phone does not make too small."""

from __future__ import annotations

import pytest

from tests.browser.chromium import NARROW, THEMES, WIDE, Opener
from tests.browser.site import Site, named

pytestmark = pytest.mark.browser

SMALLEST, WIDEST = 11, 460  # pixels
TEXTS = """() => [...document.querySelectorAll(".chart svg text")].filter(each => each.textContent.trim()).map(each => {
    const drawing = each.ownerSVGElement, look = getComputedStyle(each);
    const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
    return [each.textContent, parseFloat(look.fontSize) * scale, look.fontFamily];
})"""
WIDTHS = "() => [...document.querySelectorAll('.chart > svg')].map(each => each.getBoundingClientRect().width)"
FONT = "() => getComputedStyle(document.body).fontFamily"
# Labels of lines, drawn in bold, that overlap another one; the halo below each is the same text in the same place.
MEETING = """() => [...document.querySelectorAll(".chart svg")].flatMap(drawing => {
    const bold = [...drawing.querySelectorAll("text")].filter(each => each.getAttribute("font-weight") === "700");
    const boxes = bold.map(each => [each.textContent, each.getBoundingClientRect()]);
    return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([b, q]) => a !== b && p.left < q.right - 1
        && q.left < p.right - 1 && p.top < q.bottom - 4 && q.top < p.bottom - 4).map(([b]) => `${a} | ${b}`));
})"""
charted = named("two classes", "six systems", "slices and costs", "curve", "tune", "plan of a difference")


@charted
def test_text_of_a_chart_is_large_enough_on_a_phone_and_in_the_font_of_the_page(
    name: str, site: Site, opening: Opener
) -> None:
    with opening(site.page(name), width=NARROW) as opened:
        opened.unfold()
        found = opened.tell(TEXTS)
        assert len(found) >= 2
        assert [(text, size) for text, size, _ in found if size < SMALLEST] == []
        assert {family for _, _, family in found} == {opened.tell(FONT)}


@charted
def test_a_chart_is_no_wider_than_it_should_be(name: str, site: Site, opening: Opener) -> None:
    with opening(site.page(name), width=WIDE) as opened:
        opened.unfold()
        widths = opened.tell(WIDTHS)
        assert widths
        assert max(widths) <= WIDEST + 0.5


@charted
def test_names_of_lines_do_not_overlap(name: str, site: Site, opening: Opener) -> None:
    with opening(site.page(name)) as opened:
        opened.unfold()
        for width in (WIDE, NARROW):
            for theme in THEMES:
                opened.show(width=width, theme=theme)
                assert opened.tell(MEETING) == []
