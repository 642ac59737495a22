"""What is to be counted: columns by their roles, and what to do with what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import OptionError
from assay.options.groups import Columns, Names, Scoring
from assay.options.option import options_of


def check_columns(given: object, option: str) -> None:
    """Refuse what is neither the name of a column nor several of them."""
    if given is not None and not isinstance(given, Iterable):
        raise OptionError(f"{option} is {given!r}; it names a column, or several in a list.")


@dataclass(frozen=True)
class Question:
    """What is to be counted: the options of the group `Columns`, checked."""

    gold: str | None = None
    pred: Names = None
    systems: Mapping[str, Any] | None = None
    id: str | None = None
    by_position: bool = False
    missing: str = "error"
    positive: object | None = None
    labels: Sequence[object] | str | None = None
    cluster: str | None = None
    weight: str | None = None
    count: str | None = None
    slices: str | Sequence[str] = ()
    crossed: bool = False
    guesses: Mapping[str, Sequence[str]] | None = None
    scores: Scoring = None
    threshold: float | Mapping[str, float] | None = None
    score_bins: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.systems, Mapping | None):
            raise OptionError(
                f"systems is a '{type(self.systems).__name__}'; it maps the name of each system to the table of its "
                "answers, as in {'old': 'v1.csv', 'new': 'v2.csv'}."
            )
        for name, some in (("pred", self.pred), ("scores", self.scores), ("slices", self.slices)):
            check_columns(some, name)
        object.__setattr__(self, "slices", (self.slices,) if isinstance(self.slices, str) else tuple(self.slices))

    def given(self) -> dict[str, Any]:
        """What was asked beyond the usual; tables and arrays are not compared, only looked for."""
        usual = {name: option.default for name, option in options_of(Columns).items()}
        return {
            name: value
            for name, value in vars(self).items()
            if value is not usual[name] and not (isinstance(value, str | bool | tuple) and value == usual[name])
        }
