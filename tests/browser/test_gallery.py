"""Every block in every state: nothing overlaps, everything is shown, and a report fits on few sheets of paper."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from assay.report.contents import blocks, opening
from assay.report.contents.blocks import Block, Group
from scripts.gallery import gallery, shown
from tests.browser.chromium import NARROW, THEMES, WIDE, Opener
from tests.browser.site import Site, every_page

pytestmark = pytest.mark.browser

OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text(encoding="utf-8")
SHEETS = 5  # of paper that a comparison of two systems may take


@every_page
def test_no_text_of_a_chart_lies_on_another(name: str, site: Site, opening: Opener) -> None:
    with opening(site.page(name)) as opened:
        opened.unfold()
        for width in (WIDE, NARROW):
            opened.show(width=width)
            found = opened.tell(OVERLAPS)
            assert found["problems"] == []


def test_the_gallery_has_every_kind_of_block() -> None:
    every = {
        each
        for module in (blocks, opening)
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Block) and each not in (Block, Group)
    }
    assert {each.__name__ for each in every - shown(gallery())} == set()


def test_two_systems_fit_on_five_sheets_of_paper_and_the_explorer_stays_off_them(site: Site, opening: Opener) -> None:
    with opening(site.page("two classes")) as opened:
        opened.show(paper=True)
        paper = opened.page.pdf(format="A4")
        assert len(re.findall(rb"/Type\s*/Page\b", io.BytesIO(paper).getvalue())) <= SHEETS
        assert opened.tell("() => document.querySelector('#explorer').checkVisibility()") is False
        assert opened.tell("() => document.querySelector('main h1').checkVisibility()") is True


@pytest.mark.parametrize("theme", THEMES)
def test_the_opening_of_a_comparison_fits_the_first_screen_of_a_desk(theme: str, site: Site, opening: Opener) -> None:
    with opening(site.page("two classes"), width=WIDE) as opened:
        opened.show(width=WIDE, theme=theme)
        assert opened.tell("() => document.querySelector('.hero').getBoundingClientRect().bottom") < 900
