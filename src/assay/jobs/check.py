"""What is in a table, before anything is evaluated."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from assay.jobs.results import Result
from assay.sources.inspect import Inspection


@dataclass(frozen=True)
class Checked(Result):
    """What is in a table, and by which name the user called it."""

    found: Inspection
    source: str

    def to_dict(self) -> dict[str, Any]:
        """The facts as they are."""
        return dataclasses.asdict(self.found)
