"""What every result can do: be read by people and by programs, without knowing how it is displayed."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import nearest
from assay.lazily import shown
from assay.texts import json_text

T = TypeVar("T")
OTHER_NAMES = {  # what other libraries call the same
    "lower": "low",
    "upper": "high",
    "ci": "limits",
    "conf_int": "limits",
    "confidence_interval": "limits",
    "pvalue": "p_value",
    "p_val": "p_value",
    "se": "standard_error",
    "std_err": "standard_error",
    "estimate": "value",
    "diff": "difference",
}


class Readable:
    """A result that people read: as text in a terminal, or as a page. It does not know how it is displayed."""

    def to_text(self, width: int = 100) -> str:
        """The result as plain text."""
        text: str = shown(self, "text", width=width)
        return text

    def page(self, command: str | None = None) -> Any:
        """The result as a page, before it becomes HTML; `command` reproduces it."""
        return shown(self, "page", command=command)

    def to_html(self) -> str:
        """The result as one self-contained HTML file."""
        text: str = shown(self, "html")
        return text

    if not TYPE_CHECKING:  # type checkers know every attribute, and flag the others

        def __getattr__(self, name: str) -> Any:
            """Say what a missing attribute may be called here."""
            known = [each for each in dir(type(self)) + list(vars(self)) if not each.startswith("_")]
            meant = OTHER_NAMES.get(name)
            meant = meant if meant in known else None if name.startswith("_") else nearest(name, known)
            hint = "" if meant is None else f" Did you mean '{meant}'?"
            raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'.{hint}")

    def _repr_html_(self) -> str:
        """The result within a notebook."""
        text: str = shown(self, "notebook")
        return text

    def __str__(self) -> str:
        return self.to_text()


class Result(Readable, ABC):
    """A result that programs read too."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result in JSON's own types."""

    def to_json(self) -> str:
        """The result as JSON text; what is undefined is null with a reason."""
        return json_text(self.to_dict(), indent=2)

    def to_frame(self, backend: str | None = None) -> Any:
        """The result as a data frame: Polars, pandas or PyArrow, whichever is named or installed first."""
        from assay.sources.frames import frame_of

        rows = self.frame_rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        return frame_of({name: [row.get(name) for row in rows] for name in names}, backend)

    def frame_rows(self) -> list[dict[str, Any]]:
        """The rows of the data frame: a single one with every plain value where a result has no rows of its own."""
        simple = (str, int, float, bool, type(None))
        return [{name: value for name, value in self.to_dict().items() if isinstance(value, simple)}]


def finite(value: T) -> T | None:
    """The value, or None for an infinite or undefined number, which JSON cannot hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
