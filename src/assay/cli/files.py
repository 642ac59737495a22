"""Parameters that several commands share."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter


def no_option(_: type, name: Any) -> None:
    """Nothing, unless a name that may begin with a hyphen, because '-' is standard input, is a mistyped option."""
    if isinstance(name, str) and name.startswith("-") and name != "-":
        raise ValueError(f"there is no option {name}")


FileName = Annotated[
    str,
    Parameter(
        help="CSV, TSV, JSON Lines, Parquet or Arrow file with a row per item; a pattern such as 'part*.csv'; or - for "
        "standard input.",
        allow_leading_hyphen=True,
        validator=no_option,
    ),
]
