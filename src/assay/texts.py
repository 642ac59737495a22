"""Text that is safe to show, and numbers as they are written."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
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


def reach(low: float | None, high: float | None, write: Callable[[float, int], str] | None = None) -> str:
    """Limits in words: from one to the other, or the one that a one-sided question has."""
    places, written = decimals(low, high), write or signed
    if low is None or high is None:
        if high is not None:
            return f"up to {written(high, places)}"
        return "" if low is None else f"from {written(low, places)} up"
    return f"from {written(low, places)} to {written(high, places)}"


def p_number(p: float) -> str:
    """Two digits that matter, and never 0; nobody needs more than nine zeros."""
    if p < 1e-9:
        return "< 1e-9"
    return "1" if p >= 0.9995 else f"{p:.2g}" if p >= 1e-4 else f"{p:.1e}"


def decimals(low: float | None, high: float | None) -> int:
    """So many decimals that two digits of the width of the interval are seen; three where there is none."""
    if low is None or high is None or not 0 < high - low < math.inf:
        return 3
    return min(max(1 - math.floor(math.log10(high - low)), 0), 6)


def signed(value: float, places: int) -> str:
    """A difference with its sign; what is nothing has none, and what is something does not round to nothing."""
    if abs(value) < 1e-9:
        return f"{0:.{places}f}"
    text = f"{value:+.{places}f}"
    return text if float(text) else f"{value:+.1g}"


def size(value: float) -> str:
    """A size with two digits that matter."""
    return f"{float(f'{value:.2g}'):g}"


def rounded_up(n: int) -> int:
    """Two digits, upwards: an estimate has no more."""
    step: int = 10 ** max(len(str(n)) - 2, 0)
    return -(-n // step) * step


def percent(level: float) -> str:
    """A level of confidence, never rounded up to certainty."""
    return f"{100 * level:.6g}%"
