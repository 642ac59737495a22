"""The page can be read: in light and dark, on paper, and by ear."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import THEMES, Opener
from tests.browser.site import Site, every_page

pytestmark = pytest.mark.browser

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
WORDS = (Path(__file__).parent / "words.js").read_text(encoding="utf-8")


@every_page
def test_every_text_stands_out_from_what_is_behind_it_in_either_theme(name: str, site: Site, opening: Opener) -> None:
    with opening(site.page(name)) as opened:
        opened.unfold()
        for theme in THEMES:
            opened.show(theme=theme)
            found = opened.tell(CONTRAST, False)
            assert found["read"] >= 10  # or nothing was looked at
            assert found["hard"] == []


@every_page
def test_on_paper_every_text_is_dark_on_white_and_there_are_no_links_to_parts(
    name: str, site: Site, opening: Opener
) -> None:
    links = "() => [...document.querySelectorAll('nav')].some(each => each.checkVisibility())"
    with opening(site.page(name)) as opened:
        opened.unfold()
        for theme in THEMES:
            opened.show(theme=theme, paper=True)
            assert opened.tell("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
            assert opened.tell(links) is False
            assert opened.tell(CONTRAST, True)["hard"] == []


@every_page
def test_everything_has_a_name_and_every_chart_is_told_in_words(name: str, site: Site, opening: Opener) -> None:
    with opening(site.page(name)) as opened:
        opened.unfold()
        assert opened.tell(WORDS) == []
