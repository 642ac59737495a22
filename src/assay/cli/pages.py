"""The result as a page, and its charts as files."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

from cyclopts import Parameter

from assay.cli.show import working
from assay.cli.typed import command
from assay.errors import OptionError

if TYPE_CHECKING:
    from assay.report.page.blocks import Page


class Paged(Protocol):
    """A result that can be shown as a page."""

    def page(self, command: str | None = None) -> Page:
        """The page; `command` is what makes it again."""
        ...


@Parameter(name="*", group="A page")
@dataclass(frozen=True)
class PageOnly:
    """Where the result goes as a page."""

    html: Annotated[
        str | None, Parameter(help="File for the result as one page that opens anywhere, without a network.")
    ] = None

    def write(self, result: Paged) -> None:
        """Write the page if it was asked for, and say where it is."""
        if self.html is not None:
            with working("drawing the page"):
                page = result.page(command())
            _write_page(self.html, page)


@Parameter(name="*", group="A page")
@dataclass(frozen=True)
class Pages(PageOnly):
    """Where the result goes as a page, and its charts as files."""

    charts: Annotated[str | None, Parameter(help="Folder for the charts of that page, as SVG and PNG.")] = None

    def write(self, result: Paged) -> None:
        """Write what was asked for, and say where it is."""
        if self.html is None and self.charts is None:
            return
        with working("drawing the page"):
            page = result.page(command())
        if self.html is not None:
            _write_page(self.html, page)
        if self.charts is not None:
            _write_charts(Path(self.charts), page)


def _write_page(path: str, page: Page) -> None:
    from assay.cli.files import write_text
    from assay.report.page.render import page_html

    write_text(path, page_html(page))
    print(f"wrote {path}", file=sys.stderr)


def _write_charts(folder: Path, page: Page) -> None:
    from assay.cli.files import write_bytes, write_text

    figures = list(page.figures)
    if not figures:
        raise OptionError(f"there is nothing to draw for --charts {folder}.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"the folder '{folder}' cannot be used: {error.strerror}.") from None
    for figure in figures:
        write_text(folder / f"{figure.name}.svg", figure.drawing.svg())
        write_bytes(folder / f"{figure.name}.png", figure.drawing.png())
    print(f"wrote {len(figures)} charts to {folder}, each as SVG and PNG", file=sys.stderr)
