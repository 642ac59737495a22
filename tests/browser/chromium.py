"""A real Chromium, and what it says and asks for while a page is open in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")  # as in scripts/chromium.sh
# Let a page's elements be asked for the role and the name that Chromium tells a screen reader; the second makes it work
# them out once for all of them.
ACCESSIBILITY = ["--enable-blink-features=ComputedAccessibilityInfo", "--force-renderer-accessibility"]
WIDE, NARROW = 1200, 400
THEMES = ("light", "dark")
TOO_WIDE = """() => {
    const page = document.documentElement, room = page.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter(each => each.getBoundingClientRect().right > room + 1);
    return page.scrollWidth <= room ? [] : [`${page.scrollWidth} px`, ...out.map(each => each.outerHTML.slice(0, 160))];
}"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium; none is ever downloaded."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no Chromium is on the path; 'make test-browser' says what to install"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=ACCESSIBILITY)
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page in the browser, with everything it said and asked for since it was opened."""

    page: Page
    said: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def tell(self, script: str, *given: Any) -> Any:
        """What a script of the test finds in the page."""
        return self.page.evaluate(script, *given)

    def show(self, width: int | None = None, theme: str = "light", paper: bool = False) -> None:
        """Look at the page in another window, theme or medium."""
        if width is not None:
            self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(media="print" if paper else "screen", color_scheme=theme)

    def unfold(self) -> None:
        """Open everything that is folded, so that it is checked too."""
        self.tell("() => document.querySelectorAll('details').forEach(each => { each.open = true })")

    def too_wide(self) -> list[str]:
        """What extends beyond the side of the window, if the page can be scrolled there."""
        self.unfold()
        found: list[str] = self.tell(TOO_WIDE)
        return found


@dataclass(frozen=True)
class Opener:
    """Opens files and addresses in a browser."""

    browser: Browser
    contexts: dict[bool, BrowserContext] = field(default_factory=dict)

    @contextmanager
    def __call__(self, place: Path | str, *, width: int = WIDE, scripts: bool = True) -> Iterator[Opened]:
        """The page, in a window of its own."""
        page = self._context(scripts).new_page()
        opened = Opened(page)
        opened.show(width=width)
        page.on("console", lambda message: opened.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: opened.said.append(f"error: {error}"))
        page.on("request", lambda request: opened.requests.append(request.url))
        page.goto(place.as_uri() if isinstance(place, Path) else place)
        yield opened
        page.close()

    def _context(self, scripts: bool) -> BrowserContext:
        """The browser with scripts or without; making one takes longer than opening a page."""
        if scripts not in self.contexts:
            self.contexts[scripts] = self.browser.new_context(java_script_enabled=scripts)
        return self.contexts[scripts]
