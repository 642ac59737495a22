"""What the ways of pairing tables share: a side of the pair, and what is known of its ids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assay.sources.table import Table

FIRST = 3  # how many ids a message shows


@dataclass(frozen=True)
class Side:
    """A table with its columns of ids and of predictions, where it has them."""

    table: Table
    id: str = ""
    pred: str = ""


@dataclass(frozen=True)
class Ids:
    """How many ids of gold and of some systems do not fit.

    `blank` and `twice` are of gold and then of each system; `gaps`, `strangers` and `shared` of each system. `first`
    gives a few of those that are counted: the shortest, then the first by their bytes, which no engine changes.
    """

    blank: tuple[int, ...]
    twice: tuple[int, ...]
    gaps: tuple[int, ...]
    strangers: tuple[int, ...]
    shared: tuple[int, ...]
    first: Callable[[str, int], list[str]] = field(repr=False, compare=False)


Check = Callable[[Ids], None]
