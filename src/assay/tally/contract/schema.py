"""Reading stored results: JSON that may be truncated, changed or made up is checked against a description.

A form describes one value. Forms are data: each kind of tally declares the forms of its own fields next to the code
that writes them, and everything that reads stored JSON goes through `parsed` and a form. What does not fit is a
`DataError` that names the file, the field and what was expected. Nothing larger than the file itself is made before
lengths and codes have been checked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assay.errors import DataError, listed
from assay.sources.given import MOST_ITEMS
from assay.texts import json_text

MOST_BYTES = 1 << 29  # of a stored file: 512 MiB
SHOWN = 40  # characters of a value or a name in a message

Held = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """Where a value is: the file, and the path within it."""

    file: str
    path: str = ""

    def at(self, key: str | int) -> Place:
        """A field or an entry of the value here."""
        if isinstance(key, int):
            return Place(self.file, f"{self.path}[{key}]")
        if not key.isidentifier():
            return Place(self.file, f"{self.path}[{_cut(repr(key))}]")
        return Place(self.file, f"{self.path}.{_cut(key)}" if self.path else _cut(key))

    def refused(self, came: str, wanted: str) -> DataError:
        """An error about a value that does not fit."""
        where = f"{self.file}: {self.path}" if self.path else self.file
        return DataError(f"{where} {came}; {wanted}.")

    def unlike(self, value: Any, wanted: str) -> DataError:
        """An error about a value of another kind."""
        return self.refused(f"is {shown(value)}", f"{wanted} was expected")


def shown(value: Any) -> str:
    """A stored value in a few words."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


# ---------------------------------------------------------------------- text
def read_stored(path: Path) -> str:
    """The text of a stored file, unless it is too large to be read at once."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise DataError(f"'{path}' has {size:,} bytes; stored results may have up to {MOST_BYTES:,} bytes.")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise DataError(f"'{path}' has more than {MOST_BYTES:,} bytes, the most that can be read.")
        return data.decode("utf-8")
    except DataError:
        raise
    except (OSError, ValueError) as error:  # a name with NUL is a ValueError
        text = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        reason = getattr(error, "strerror", None) or text
        raise DataError(f"'{path}' cannot be read: {reason}.") from None


def parsed(text: str, name: str, what: str) -> dict[str, Any]:
    """The object in a JSON text; `what` is what it should be."""
    try:
        found = json.loads(text, parse_constant=_no_number, object_pairs_hook=_once)
    except RecursionError:
        raise DataError(f"{name} is not {what}: its values are nested too deeply.") from None
    except (ValueError, TypeError) as error:
        told = f": {error}" if isinstance(error, _Unfit) else ""
        raise DataError(f"{name} is not {what}{told or ', because it is not JSON'}.") from None
    if not isinstance(found, dict):
        raise DataError(f"{name} is not {what}: it contains {shown(found)}, but an object was expected.")
    return found


def written(stored: Mapping[str, Any]) -> str:
    """The JSON text of what is stored, unless it could not be read back."""
    text = json_text(stored)
    if len(text) > MOST_BYTES:
        raise DataError(
            f"the counts take {len(text):,} bytes, but at most {MOST_BYTES:,} can be read back; group scores into bins "
            "(--score-bins), or count fewer rows at a time."
        )
    return text


class _Unfit(ValueError):
    """What JSON's grammar allows and we do not."""


def _no_number(sign: str) -> Any:
    raise _Unfit(f"it contains {sign}, which is not a number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _Unfit(f"it contains the key {_cut(repr(twice))} twice in one object")
    return out


# ---------------------------------------------------------------------- single values
class Form(Protocol):
    """What a value may be. `held` has the fields of the same object that were read before it."""

    def read(self, value: Any, place: Place, held: Held) -> Any:
        """The value, or a `DataError`."""


@dataclass(frozen=True)
class Text:
    """Any text."""

    def read(self, value: Any, place: Place, held: Held) -> str:
        """The text."""
        if not isinstance(value, str) or not _is_unicode(value):
            raise place.unlike(value, "a text")
        return value


def _is_unicode(text: str) -> bool:
    """Whether the text can be encoded: JSON allows unpaired surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def read(self, value: Any, place: Place, held: Held) -> bool:
        """The truth value."""
        if not isinstance(value, bool):
            raise place.unlike(value, "true or false")
        return value


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    low: int = 0
    high: int = MOST_ITEMS

    def read(self, value: Any, place: Place, held: Held) -> int:
        """The number."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise place.unlike(value, f"a whole number from {self.low:,} to {self.high:,}")
        return value


@dataclass(frozen=True)
class Number:
    """A finite number."""

    def read(self, value: Any, place: Place, held: Held) -> float:
        """The number."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not fits(value):
            raise place.unlike(value, "a finite number")
        return value


def fits(value: float) -> bool:
    """Whether a floating-point number can represent this exactly."""
    return -sys.float_info.max <= value <= sys.float_info.max and float(value) == value


@dataclass(frozen=True)
class Maybe:
    """A value, or null."""

    form: Form

    def read(self, value: Any, place: Place, held: Held) -> Any:
        """The value, or None."""
        return None if value is None else self.form.read(value, place, held)


@dataclass(frozen=True)
class OneOf:
    """One of the names that another field lists."""

    of: str

    def read(self, value: Any, place: Place, held: Held) -> str:
        """The name."""
        if value not in held[self.of]:
            raise place.unlike(value, f"one of {self.of} ({listed(held[self.of], 3)})")
        return str(value)


@dataclass(frozen=True)
class SomeOf:
    """At least one of the names that another field lists, each once."""

    of: str

    def read(self, value: Any, place: Place, held: Held) -> tuple[str, ...]:
        """The names."""
        names = Names().read(value, place, held)
        if not names:
            raise place.unlike(value, f"at least one of {self.of}")
        for i, name in enumerate(names):
            OneOf(self.of).read(name, place.at(i), held)
        return names


@dataclass(frozen=True)
class Apart:
    """Text that differs from that of another field."""

    of: str

    def read(self, value: Any, place: Place, held: Held) -> str:
        """The text."""
        if Text().read(value, place, held) == held[self.of]:
            raise place.unlike(value, f"a name other than that of {self.of}")
        return str(value)


class Either:
    """A value of one of several forms."""

    def __init__(self, *forms: Form, wanted: str) -> None:
        self.forms, self.wanted = forms, wanted

    def read(self, value: Any, place: Place, held: Held) -> Any:
        """The value as the first form that fits reads it."""
        for form in self.forms:
            try:
                return form.read(value, place, held)
            except DataError:
                continue
        raise place.unlike(value, self.wanted)


# ---------------------------------------------------------------------- several values
@dataclass(frozen=True)
class ListOf:
    """A list of values of one form."""

    form: Form
    some: bool = False  # whether there must be at least one

    def read(self, value: Any, place: Place, held: Held) -> list[Any]:
        """The values."""
        if self.some and not as_list(value, place):
            raise place.refused("is empty", "at least one entry was expected")
        return [self.form.read(each, place.at(i), held) for i, each in enumerate(as_list(value, place))]


@dataclass(frozen=True)
class Names:
    """A list of texts, each once."""

    def read(self, value: Any, place: Place, held: Held) -> tuple[str, ...]:
        """The names."""
        names = as_list(value, place)
        for i, name in enumerate(names):
            if not isinstance(name, str) or not _is_unicode(name):
                raise place.at(i).unlike(name, "a name in quotation marks")
        if len(set(names)) < len(names):
            seen: dict[str, int] = {}
            for i, name in enumerate(names):
                if seen.setdefault(name, i) != i:
                    raise place.at(i).refused(
                        f"is {shown(name)} again, as {place.path}[{seen[name]}]", "each name is listed once"
                    )
        return tuple(names)


@dataclass(frozen=True)
class Each:
    """An object whose keys are names and whose values have one form."""

    form: Form
    some: bool = False  # whether there must be at least one

    def read(self, value: Any, place: Place, held: Held) -> dict[str, Any]:
        """The values by name."""
        if not isinstance(value, dict):
            raise place.unlike(value, "an object")
        if self.some and not value:
            raise place.refused("is empty", "at least one entry was expected")
        return {Text().read(name, place, held): self.form.read(e, place.at(name), held) for name, e in value.items()}


@dataclass(frozen=True)
class Fields:
    """An object with these fields; some are optional, and unknown ones are refused unless they are ignored."""

    needed: Mapping[str, Form]
    more: Mapping[str, Form] = field(default_factory=dict)
    others: bool = False

    def read(self, value: Any, place: Place, held: Held) -> dict[str, Any]:
        """The fields by name, in the order in which they are declared."""
        if not isinstance(value, dict):
            raise place.unlike(value, "an object")
        for name in self.needed:
            if name not in value:
                raise place.at(name).refused("is missing", f"an object with {listed(self.needed)} was expected")
        known = {**self.needed, **self.more}
        if not self.others:
            strange = next((name for name in value if name not in known), None)
            if strange is not None:
                raise place.at(strange).refused("is unknown", f"the fields are {listed(known, 30)}")
        out: dict[str, Any] = {}
        for name, form in known.items():
            if name in value:
                out[name] = form.read(value[name], place.at(name), {**held, **out})
        return out


def as_list(value: Any, place: Place, length: int | None = None) -> list[Any]:
    """The value itself, if it is a list, and of this length."""
    if not isinstance(value, list):
        raise place.unlike(value, "a list")
    if length is not None and len(value) != length:
        raise place.refused(f"has {len(value):,} entries", f"{length:,} were expected, as many as there are counts")
    return value
