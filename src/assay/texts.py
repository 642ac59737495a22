"""Text that is safe to show, and numbers as they are written."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

# C0 except tab and line feed, DEL, C1, line separators, marks that turn the direction of text, lone surrogates.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = re.compile("[\t\n]")
# GitHub looks for '::' at the start of a line; GitHub and Azure look for '##[' and '##vso[' anywhere, TeamCity too.
_COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_LOG_COMMAND = re.compile(r"##(?=\w*\[)")
_FORMULA = re.compile(r"[=+\-@\uff0b\uff0d\uff1d\uff20]")  # what a spreadsheet may run, also in full width
_NEGATIVE = re.compile(r"^−(?=[\d.])")
_FIXED = re.compile(r"(?P<sign>\+?)(?P<rest>,?)\.(?P<places>\d+)f")
NEAR = 1e-9  # what is closer to a number than this is shown as equal to it
MOST, TINY = 6, 9  # decimals that an interval deserves, and that are ever needed to keep a number from another
SMALL = 1e-4  # below it, more decimals than these are written with an exponent
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
    """JSON without NaN; whatever could steer a terminal or a build server is escaped the JSON way."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    text = _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return _LOG_COMMAND.sub(r"#\\u0023", text)


def csv_text(rows: Iterable[Sequence[Any]], *, raw: bool = False) -> str:
    """Rows as CSV; text is guarded against spreadsheets and terminals unless it should stay as it is (`raw`)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(row if raw else [guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def guarded(text: str) -> str:
    """A cell that no spreadsheet runs: what looks like a formula gets an apostrophe in front; a number stays one."""
    text = visible_line(text)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def likeness(label: str) -> str:
    """A form that labels share when a person would take them for the same."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", label).strip().casefold())
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return f"{number.normalize():f}" if number.is_finite() and abs(number.adjusted()) < 30 else text


_LIKE_MISSING = frozenset(("nan", "na", "n/a", "#n/a", "<na>", "null", "none", "nil", "missing"))


def looks_missing(label: str) -> bool:
    """Whether a label is a word that programs write for a missing value."""
    return label.strip().casefold() in _LIKE_MISSING


def reach(low: float | None, high: float | None, places: int | None = None) -> str:
    """Limits in words: from one to the other, or the single one of a one-sided question."""
    places = decimals(low, high) if places is None else places
    if low is None or high is None:
        if high is not None:
            return f"up to {signed(high, places)}"
        return "" if low is None else f"from {signed(low, places)} upward"
    return f"from {signed(low, places)} to {signed(high, places)}"


# What p-values are compared with: 1 minus the usual levels of confidence.
ALPHAS = (0.2, 0.1, 0.05, 0.025, 0.02, 0.01, 0.005, 0.001)
EQUAL = 1e-12  # p-values this close to such a number count as equal to it


def p_number(p: float, level: float = 0.95) -> str:
    """Two significant digits, or as many as keep p on its side of 1 minus the level and of the usual ones; never 0."""
    if p < 1e-9:
        return "< 1e-9"
    if p >= 0.9995:
        return "1"
    alphas = [alpha for alpha in (*ALPHAS, 1 - level) if abs(p - alpha) > EQUAL]
    written = (f"{p:.{digits}g}" if p >= 1e-4 else f"{p:.{digits - 1}e}" for digits in range(2, 18))
    return next(text for text in written if all((float(text) - alpha) * (p - alpha) > 0 for alpha in alphas))


def decimals(low: float | None, high: float | None) -> int:
    """Enough decimals to show two digits of the interval's width; three where there is no interval.

    More than six only on a small scale, where numbers are written with an exponent.
    """
    if low is None or high is None or not 0 < high - low < math.inf:
        return 3
    places = max(1 - math.floor(math.log10(high - low)), 0)
    return places if max(abs(low), abs(high)) < SMALL else min(places, MOST)


def decimals_of(values: Iterable[float], usual: int = 3) -> int:
    """As many decimals as usual; on a small scale, enough for three digits of the largest value."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return usual if not 0 < largest < SMALL else max(2 - math.floor(math.log10(largest)), MOST + 1)


def numeral(value: float, form: str, *apart: float) -> str:
    """A number in this format for people to read: with a true minus sign (the exponent keeps its hyphen), never −0.

    With a fixed number of decimals, it has more of them where it would otherwise be written as 0 (or 1 or −1, if it is
    no difference), or as or beyond one of the numbers `apart`, without being equal to it.
    """
    fixed = _FIXED.fullmatch(form)
    if fixed is not None and math.isfinite(value):
        usual = (0.0,) if fixed["sign"] else (-1.0, 0.0, 1.0)  # a number with a sign is a difference
        form = f"{fixed['sign']}{fixed['rest']}{_precision(value, int(fixed['places']), (*usual, *apart))}"
    sign, rest = ("+", form[1:]) if form.startswith("+") else ("", form)
    text = format(value, f"{sign}z{rest}")
    return f"−{text[1:]}" if text.startswith("-") else text


def _precision(value: float, places: int, apart: Iterable[float]) -> str:
    """How a number of at least this many decimals is formatted."""
    if places > MOST and abs(value) < SMALL:
        if abs(value) < 10.0 ** (-places - 3):
            return ".0f"
        return f".{max(places + math.floor(math.log10(abs(value))), 0)}e"
    others = [x for x in apart if abs(value - x) > NEAR]
    while places < TINY and any((float(f"{value:.{places}f}") - x) * (value - x) <= 0 for x in others):
        places += 1
    return f".{places}f"


def typed(text: str) -> str:
    """Text for programs: a negative number starts with a hyphen, as it is typed."""
    return _NEGATIVE.sub("-", text)


def signed(value: float, places: int) -> str:
    """A difference with its sign; zero has none, and nothing else rounds to zero."""
    if abs(value) < (NEAR if places <= MOST else 10.0 ** (-places - 3)):
        return f"{0:.{places if places <= MOST else 0}f}"
    return numeral(value, f"+.{places}f")


def size(value: float) -> str:
    """A size with two significant digits."""
    return numeral(float(f"{value:.2g}"), "g")


def share_text(share: float) -> str:
    """A share in percent with two significant digits."""
    return f"{float(f'{100 * share:.2g}'):g}%"


def rounded_up(n: int) -> int:
    """Rounded up to three digits."""
    step: int = 10 ** max(len(str(n)) - 3, 0)
    return -(-n // step) * step


def percent(level: float) -> str:
    """A level of confidence, never rounded up to certainty."""
    return f"{100 * level:.6g}%"
