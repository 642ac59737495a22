"""Take the picture of the demo's page that the README and the tutorial show: docs/images/report.png.

The page is the one that `assay demo --html` writes, opened in the system's Chromium. This needs what `make
test-browser` needs and installs: Playwright beside the development environment, and Chromium on the path. The picture
says of which page it was taken, so that a test can say that the page has changed since.

    make test-browser && .venv/bin/python scripts/screenshot.py
"""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from assay import __version__
from assay.cli.commands.demo import FIRST, Shown
from assay.cli.files import write_bytes

TARGET = Path(__file__).parents[1] / "docs" / "images" / "report.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 1200, 1500  # pixels: the top of the page
COLORS = 128  # enough for flat areas and the edges of letters
MOST = 250_000  # bytes
OF_PAGE = "Page"  # the name of the text in the picture that says which page it shows


def demo_page() -> str:
    """The page that the picture shows, as HTML."""
    return Shown(FIRST, "demo.html").made()


def digest(page: str) -> str:
    """A page in 64 letters that change with it, but not with the version alone."""
    return hashlib.sha256(page.replace(f"assay {__version__}", "assay").encode()).hexdigest()


def page_of(picture: Path) -> str:
    """The digest of the page that a picture was taken of."""
    with Image.open(picture) as png:
        return str(png.info.get(OF_PAGE, ""))


@contextmanager
def browser() -> Iterator[Any]:
    """The system's Chromium."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("no Chromium is on the path; on Debian: apt-get install chromium fonts-noto-core")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found)
        yield opened
        opened.close()


def photographed(page: Path) -> bytes:
    """The top of a page as PNG, light whatever the machine prefers."""
    with browser() as opened:
        window = {"width": WIDTH, "height": HEIGHT}
        view = opened.new_page(viewport=window, device_scale_factor=1, color_scheme="light")
        view.goto(page.as_uri())
        taken: bytes = view.screenshot()
    return taken


def small(png: bytes, page: str) -> bytes:
    """The same picture with a palette, which takes a third of the space, and with the digest of its page."""
    out, info = io.BytesIO(), PngInfo()
    info.add_text(OF_PAGE, digest(page))
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True, pnginfo=info)
    return out.getvalue()


def main() -> None:
    """Make the page, and take its picture."""
    page = demo_page()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "demo.html"
        file.write_text(page, encoding="utf-8")
        picture = small(photographed(file), page)
    if len(picture) > MOST:
        sys.exit(f"the picture has {len(picture):,} bytes, but may have at most {MOST:,}; fewer COLORS make it smaller")
    write_bytes(TARGET, picture)
    print(f"wrote {TARGET.name}: {len(picture):,} bytes")


if __name__ == "__main__":
    main()
