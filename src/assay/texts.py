r"""Text that is safe to show: names and labels come from the data, and must not steer what shows them.

A terminal obeys control characters, a build server lines that begin with '::' or hold '##[', a spreadsheet cells that
begin with '='. Here such signs become visible ones: an escape character is written \x1b.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

# C0 but for tab and line feed, DEL, C1, line separators, signs that turn the direction of text, lone surrogates.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = re.compile("[\t\n]")
# GitHub looks for '::' at the start of a line, and it and Azure for '##[' and '##vso[' anywhere; TeamCity is alike.
_COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_LOG_COMMAND = re.compile(r"##(?=\w*\[)")
_FORMULA = re.compile(r"[=+\-@\uff0b\uff0d\uff1d\uff20]")  # what a spreadsheet may run, also in full width
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def visible(text: str) -> str:
    r"""Text of one or more lines in which nothing steers a terminal or a build server; ESC becomes \x1b."""
    text = _STEERING.sub(_escape, text)
    return _COMMAND.sub(r"\1\\x3a", _LOG_COMMAND.sub(r"#\\x23", text))


def visible_line(text: str) -> str:
    r"""The same on one line: a line feed becomes \x0a."""
    return visible(_BREAKS.sub(_escape, text))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON without NaN, in which what could steer a terminal or a build server is escaped as JSON escapes it."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    text = _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return _LOG_COMMAND.sub(r"#\\u0023", text)


def csv_text(rows: Iterable[Sequence[Any]], *, raw: bool = False) -> str:
    """Rows as CSV; text is guarded against spreadsheets and terminals unless it is to stay as it is (`raw`)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(row if raw else [guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def guarded(text: str) -> str:
    """A cell that no spreadsheet runs: an apostrophe stands before what looks like a formula; a number stays one."""
    text = visible_line(text)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def likeness(label: str) -> str:
    """What labels that a person takes for the same have in common."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", label).strip().casefold())
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return f"{number.normalize():f}" if number.is_finite() and abs(number.adjusted()) < 30 else text
