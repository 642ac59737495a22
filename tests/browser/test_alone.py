"""The page is one file that logs nothing, requests nothing, and is small enough to send."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.browser.chromium import THEMES, Opener
from tests.browser.site import Site, every_page, named

pytestmark = pytest.mark.browser

MOST_BYTES = 300_000


@every_page
def test_a_page_says_nothing_and_asks_for_nothing_but_itself(name: str, site: Site, opening: Opener) -> None:
    path = site.page(name)
    with opening(path) as opened:
        for theme in THEMES:
            opened.show(theme=theme)
        assert opened.requests == [path.as_uri()]
        assert opened.said == []


@named("two classes")
def test_a_server_that_has_the_page_is_asked_for_it_once_and_for_nothing_else(
    name: str, site: Site, opening: Opener
) -> None:
    path = site.page(name)
    with serving(path.parent) as (address, asked):
        with opening(f"{address}/{path.name}") as opened:
            opened.page.wait_for_timeout(300)
            # A browser without a window asks for no icon, so the page is asked which it would be.
            assert opened.tell("() => document.querySelector('link[rel=icon]').href") == "data:,"
        assert asked == ["/two%20classes.html"]


@named("two classes", "twenty thousand rows", "six systems")
def test_a_page_of_two_or_six_systems_with_scores_is_small_enough_to_send(name: str, site: Site) -> None:
    assert site.page(name).stat().st_size <= MOST_BYTES


@named("two classes")
def test_a_page_holds_no_row_of_the_data(name: str, site: Site) -> None:
    ids = [f"b{i:04}" for i in range(1, 570)]
    text = site.page(name).read_text(encoding="utf-8")
    assert [each for each in ids if each in text] == []


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The files of a folder at an address, until the test is over; and the paths that were asked for."""
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            asked.append(self.path)

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()
