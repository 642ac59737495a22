"""What results have in common: text, JSON, a page, and a place in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from assay.texts import json_text

if TYPE_CHECKING:
    from assay.report.page.blocks import Page


class Readable(ABC):
    """A result that people read: as text in a terminal, or as a page."""

    @abstractmethod
    def to_text(self, width: int = 100) -> str:
        """The result as plain text."""

    @abstractmethod
    def page(self, command: str | None = None) -> Page:
        """The result as a page, before it becomes HTML; `command` is what makes it again."""

    def to_html(self) -> str:
        """The result as one HTML file that needs nothing but itself."""
        from assay.report.page.render import page_html

        return page_html(self.page())

    def _repr_html_(self) -> str:
        """The result within a notebook."""
        from assay.report.page.render import fragment_html

        return fragment_html(self.page())

    def __str__(self) -> str:
        return self.to_text()


class Result(Readable):
    """A result that programs read too."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result in JSON's own types."""

    def to_json(self) -> str:
        """The result as JSON text; what is undefined is null with a reason."""
        return json_text(self.to_dict(), indent=2)
