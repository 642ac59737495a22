"""Tables of measures and groups: numbers and marks stay apart on a desk, a phone and paper."""

from __future__ import annotations

import re

import pytest

from tests.browser.chromium import NARROW, WIDE, Opener
from tests.browser.site import Site, every_page, named

pytestmark = pytest.mark.browser

PAPER = 695  # pixels between the margins of A4
# Text next to a scale that lies on a mark, a bar or another text of its row.
ON_MARKS = """() => [...document.querySelectorAll(".forest td svg:not(svg svg)")].flatMap(drawing => {
    const box = each => each.getBoundingClientRect();
    const marks = [...drawing.querySelectorAll(".bar, path")].map(box), texts = [...drawing.querySelectorAll("text")];
    const meet = (p, q) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 2 && q.top < p.bottom - 2;
    return texts.flatMap((each, i) => {
        const others = [...marks, ...texts.slice(i + 1).map(box)];
        return others.some(other => meet(box(each), other)) ? [each.textContent] : [];
    });
})"""
# Numbers below a ruler that touch each other.
CROWDED = """() => [...document.querySelectorAll(".ruler")].flatMap(ruler => {
    const seen = [...ruler.querySelectorAll("text:not(.side)")].filter(each => each.checkVisibility());
    const boxes = seen.map(each => each.getBoundingClientRect());
    return boxes.slice(1).flatMap((box, i) => box.left - boxes[i].right < 2 ? [seen[i].textContent] : []);
})"""
ABOVE_THE_LINE = """() => [...document.querySelectorAll(".forest td.value")].filter(each => {
    const last = each.querySelector("small") ?? each.querySelector("b");
    const row = each.closest("tr").getBoundingClientRect();
    return last?.textContent && row.bottom - last.getBoundingClientRect().bottom < 4;
}).map(each => each.textContent)"""
PAGES = """() => [...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
    .filter(rule => rule instanceof CSSPageRule).map(rule => rule.cssText)"""
measured = named("two classes", "one system", "ten classes", "six systems", "slices and costs")


@measured
def test_no_text_next_to_a_scale_lies_on_a_mark_and_no_two_numbers_touch(
    name: str, site: Site, opening: Opener
) -> None:
    with opening(site.page(name)) as opened:
        opened.unfold()
        for width, paper in ((WIDE, False), (900, False), (NARROW, False), (PAPER, True)):
            opened.show(width=width, paper=paper)
            assert opened.tell(ON_MARKS) == []
            assert opened.tell(CROWDED) == []


def test_numbers_keep_their_distance_from_the_line_below(site: Site, opening: Opener) -> None:
    with opening(site.page("two classes")) as opened:
        assert opened.tell(ABOVE_THE_LINE) == []


def test_the_head_of_the_measures_stays_in_sight_on_a_phone_and_names_both_scales(site: Site, opening: Opener) -> None:
    with opening(site.page("two classes"), width=NARROW) as opened:
        opened.tell("() => document.querySelectorAll('.forest tbody tr')[9].scrollIntoView()")
        head = "() => document.querySelector('.forest thead').getBoundingClientRect().top"
        assert 0 <= opened.tell(head) < 120
        named = "() => getComputedStyle(document.querySelector('.forest thead .second'), '::before').content"
        assert opened.tell(named) == '"difference"'


def test_a_table_of_many_columns_needs_no_scrolling_on_a_phone(site: Site, opening: Opener) -> None:
    wide = "() => [...document.querySelectorAll('.small.wide')].map(each => each.parentElement)"
    with opening(site.page("groups of two"), width=NARROW) as opened:
        opened.unfold()
        rooms = opened.tell(f"() => ({wide})().map(each => [each.scrollWidth, each.clientWidth])")
        assert rooms
        assert all(used <= room + 1 for used, room in rooms)


@every_page
def test_paper_has_margins_all_colors_and_no_arrows(name: str, site: Site, opening: Opener) -> None:
    arrows = "() => [...document.querySelectorAll('.arrow')].some(each => each.checkVisibility())"
    with opening(site.page(name)) as opened:
        opened.show(paper=True)
        assert opened.tell(arrows) is False
        assert opened.tell("() => getComputedStyle(document.querySelector('main')).printColorAdjust") == "exact"
        (rule,) = opened.tell(PAGES)
        assert min(map(int, re.findall(r"(\d+)mm", rule))) >= 12
        assert opened.tell("() => getComputedStyle(document.body).page") == "assay"


def test_a_comparison_fits_five_sheets(site: Site, opening: Opener) -> None:
    with opening(site.page("groups of two")) as opened:
        opened.show(paper=True)
        sheets = opened.page.pdf(prefer_css_page_size=True, format="A4")
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", sheets)) <= 5
