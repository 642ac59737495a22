"""The documentation opens from the file system, is searched without a network, and is read on a phone and at night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.chromium import NARROW, THEMES, WIDE, Opened, Opener

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
CONTRAST = (HERE / "contrast.js").read_text(encoding="utf-8")
CROWDED = (HERE / "crowded.js").read_text(encoding="utf-8")
# Some of every part: with commands, Python, tables, formulas, pictures, long lines and lists of names.
PAGES = (
    "index",
    "install",
    "tutorial/index",
    "tutorial/first-verdict",
    "tutorial/in-python",
    "howto/example-files",
    "howto/index",
    "howto/from-scikit-learn",
    "howto/gates",
    "howto/many-models",
    "reference/index",
    "reference/commands/compare",
    "reference/intervals/differences",
    "reference/intervals/shares",
    "reference/json",
    "reference/measures/f1",
    "reference/measures/mcc",
    "reference/names",
    "reference/python/compare",
    "reference/python/evaluate",
    "reference/python/tune",
    "reference/python/index",
    "reference/tests/shares",
    "explanation/index",
    "explanation/comparison",
    "explanation/inside",
    "explanation/intervals",
    "decisions/index",
)
every_page = pytest.mark.parametrize("name", PAGES)
BACKGROUND = "() => getComputedStyle(document.body).backgroundColor"
OWN_ROOM = """() => [...document.querySelectorAll("pre")].flatMap(each => {
    const { left, right } = each.getBoundingClientRect(), room = document.documentElement.clientWidth;
    const kept = each.scrollWidth <= each.clientWidth || ["auto", "scroll"].includes(getComputedStyle(each).overflowX);
    return left >= 0 && right <= room && kept ? [] : [each.textContent.slice(0, 60)];
})"""
FORMULAS = """() => [...document.querySelectorAll("math")].map(each => {
    const { width, height } = each.getBoundingClientRect();
    return { text: each.textContent, namespace: each.namespaceURI, width, height };
})"""
# How far what is under each root is from the left end of the root, where its sign stands.
SIGNS = """() => [...document.querySelectorAll("msqrt, mrow:has(> .under-root)")].map(each =>
    (each.querySelector(".under-root") ?? each.firstElementChild).getBoundingClientRect().left
        - each.getBoundingClientRect().left)"""
WITHOUT_ITS_FONT = """document.addEventListener("readystatechange", () => {
    const style = document.createElement("style");
    style.textContent = "math { font-family: 'Noto Sans', 'Liberation Sans', Arial !important }";
    document.head.append(style);
}, { once: true })"""


@contextmanager
def watched(opening: Opener, page: Path, width: int = WIDE) -> Iterator[Opened]:
    """A page of the site; whatever is done with it, it must say nothing and ask for nothing but files."""
    with opening(page, width=width) as opened:
        yield opened
        assert [url for url in opened.requests if not url.startswith(("file:///", "data:"))] == []
        assert opened.said == []


@every_page
def test_a_page_of_the_site_opens_from_the_file_system_and_asks_for_nothing_else(
    name: str, built: Path, opening: Opener
) -> None:
    with watched(opening, built / f"{name}.html") as opened:
        assert opened.page.locator("h1").first.is_visible()
        pictures = "() => [...document.images].filter(each => !each.naturalWidth).map(each => each.src)"
        assert opened.tell(pictures) == []


@pytest.mark.parametrize("words", ["macro f1", "McNemar"])
def test_the_search_finds_words_without_a_network(words: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / "index.html") as opened:
        box = opened.page.locator(".sidebar-search")
        box.fill(words)
        box.press("Enter")
        found = opened.page.locator("#search-results .search li a")
        found.nth(2).wait_for()  # results are listed one by one
        found.first.click()
        opened.page.wait_for_load_state()
        assert Path(opened.page.url.split("?")[0]).name != "search.html"
        text = opened.page.locator("[role=main]").inner_text().lower()
        assert [word for word in words.lower().split() if word not in text] == []


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("assay.f1", "reference/measures/f1"),
        ("assay.compare", "reference/python/compare"),
        ("corrected resampled t", "reference/tests/folds"),
        ("t-test", "reference/tests/values"),
        ("Wilson interval", "reference/intervals/shares"),
        ("McNemar's test", "reference/tests/shares"),
        ("McNemar\u2019s test", "reference/tests/shares"),  # as copied from a page
        ("stratum", "reference/glossary"),
    ],
)
def test_what_has_a_page_of_its_own_is_found_first(words: str, page: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / "index.html") as opened:
        box = opened.page.locator(".sidebar-search")
        box.fill(words)
        box.press("Enter")
        found = opened.page.locator("#search-results .search li a")
        found.nth(2).wait_for()
        assert (found.first.get_attribute("href") or "").startswith(f"{page}.html")


CUT = """() => [...document.querySelectorAll(".table-wrapper")]
    .filter(each => each.scrollWidth > each.clientWidth + 1 && each.querySelector("code"))
    .map(each => each.textContent.trim().slice(0, 40))"""


@pytest.mark.parametrize("name", ["reference/options", "reference/python/evaluate", "reference/python/tune"])
def test_no_column_of_a_table_of_options_is_cut_off_on_a_phone(name: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / f"{name}.html", NARROW) as opened:
        assert opened.tell(CUT) == []


@pytest.mark.parametrize("name", ["howto/gates", "howto/groups", "howto/many-models", "tutorial/first-verdict"])
def test_what_a_terminal_shows_fits_the_page(name: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / f"{name}.html", WIDE) as opened:
        wide = "each => each.scrollWidth > each.clientWidth + 1"
        assert opened.tell(f"() => [...document.querySelectorAll('.highlight-console pre')].filter({wide}).length") == 0


@pytest.mark.parametrize("measure", ["f1", "mcc", "roc_auc", "krippendorff_alpha"])
def test_the_formula_of_a_measure_is_mathml_that_can_be_seen(measure: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / "reference" / "measures" / f"{measure}.html") as opened:
        formulas = opened.tell(FORMULAS)
        assert formulas
        for each in formulas:
            assert each["namespace"] == "http://www.w3.org/1998/Math/MathML"
            assert each["width"] > 5
            assert each["height"] > 5


@pytest.mark.parametrize("name", ["reference/measures/mcc", "reference/intervals/shares"])
def test_roots_are_drawn_with_and_without_a_font_for_mathematics(name: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / f"{name}.html") as opened:
        with_font = opened.tell(SIGNS)
        opened.page.add_init_script(WITHOUT_ITS_FONT)
        opened.page.reload()
        without = opened.tell(SIGNS)
        assert opened.page.locator(".under-root").count() == len(without)  # or the font drew the roots after all
        assert len(with_font) == len(without) > 0
        assert min(with_font) > 4
        assert min(without) > 4


@every_page
def test_no_text_of_the_site_is_cut_off_or_lies_on_another(name: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / f"{name}.html") as opened:
        for width in (WIDE, NARROW):
            opened.show(width=width)
            found = opened.tell(CROWDED)
            assert found["read"] >= 10  # or nothing was looked at
            assert found["problems"] == []


@every_page
def test_a_page_of_the_site_fits_a_phone_and_code_scrolls_by_itself(name: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / f"{name}.html", NARROW) as opened:
        assert opened.too_wide() == []
        assert opened.tell(OWN_ROOM) == []


@every_page
def test_every_text_of_the_site_stands_out_by_day_and_by_night(name: str, built: Path, opening: Opener) -> None:
    with watched(opening, built / f"{name}.html") as opened:
        for theme in THEMES:
            opened.show(theme=theme)
            shade = [int(each) for each in re.findall(r"\d+", opened.tell(BACKGROUND))]
            assert (max(shade) < 64) == (theme == "dark")
            found = opened.tell(CONTRAST, False)
            assert found["read"] >= 10  # or nothing was looked at
            assert found["hard"] == []
