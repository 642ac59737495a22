"""Every exception assay raises, and the sentences they share: what came, what was expected, what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral, Real

SHORTEST = 3  # letters that say which name they begin

_at_a_shell: ContextVar[bool] = ContextVar("at_a_shell", default=False)


class AssayError(Exception):
    """Anything assay refuses, with a message for the user."""


class DataError(AssayError, ValueError):
    """The data cannot be evaluated as they are."""


class OptionError(AssayError, ValueError):
    """An option has a value that it cannot take."""


class UnknownMeasure(AssayError, LookupError):
    """No measure has this name."""


@contextmanager
def at_a_shell() -> Iterator[None]:
    """Within this context, messages name options as they are typed on the command line."""
    token = _at_a_shell.set(True)
    try:
        yield
    finally:
        _at_a_shell.reset(token)


def written(flag: str, keyword: str) -> str:
    """An option as this user writes it: `flag` on the command line, `keyword` in Python."""
    return flag if _at_a_shell.get() else keyword


def nearest(name: str, names: Iterable[str], cutoff: float = 0.7) -> str | None:
    """The known name that this one begins, that has the same letters, or that is most similar to it, if any is."""
    every = list(names)
    begun = [each for each in every if len(name) >= SHORTEST and each.startswith(name)]
    if begun:
        return min(begun, key=len)
    swapped = [each for each in every if sorted(each) == sorted(name)]
    if swapped:
        return swapped[0]
    found = difflib.get_close_matches(name, every, n=1, cutoff=cutoff)
    if found or len(name) != SHORTEST:
        return found[0] if found else None
    # Of so few letters one wrong one is much, but not too much if only one name is meant.
    off = [each for each in every if len(each) == len(name) and sum(map(str.__ne__, each, name)) == 1]
    return off[0] if len(off) == 1 else None


def did_you_mean(name: object, names: Iterable[str], written: str = "'{}'") -> str:
    """The nearest known name as a question to append to an error; empty if none is similar."""
    close = nearest(str(name), names)
    return "" if close is None else f" Did you mean {written.format(close)}?"


def listed(names: Iterable[object], most: int = 12) -> str:
    """Names in quotes with commas; a long list is cut and ends with how many more there are."""
    every = list(names)
    shown = ", ".join(f"'{name}'" for name in every[:most])
    return f"{shown} and {len(every) - most} more" if len(every) > most else shown


def joined(names: Sequence[str], most: int = 6) -> str:
    """Names joined by commas and "and"; a long list is cut and states how many are left."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def one_of(names: Iterable[object], most: int = 5) -> str:
    """Names in quotes joined by commas and a final "or"; a long list is cut."""
    every = [f"'{name}'" for name in names]
    return f"{', '.join(every[:-1])} or {every[-1]}" if 1 < len(every) <= most else listed(names, most)


def choose(value: str, allowed: Iterable[str], option: str) -> str:
    """The value itself if it is allowed; otherwise an error that suggests the nearest one."""
    words = tuple(allowed)
    if value in words:
        return value
    raise OptionError(f"{option} is {value!r}; expected one of {listed(words, 40)}.{did_you_mean(value, words)}")


def a_type(value: object) -> str:
    """What kind of value this is, with its article: an int, a list."""
    name = type(value).__name__
    if value is None:
        return "None"
    return f"{'an' if name[:1].lower() in 'aeiou' or name == 'ndarray' else 'a'} {name}"


def check_number(value: object, option: str) -> None:
    """Refuse a value that is not a number."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise OptionError(f"{option} is {value!r}; expected a number.")


def check_whole(value: object, option: str) -> None:
    """Refuse a value that is not a whole number, and name the one that a float with nothing after its point means."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        return
    whole = isinstance(value, float) and value.is_integer()
    hint = f" Did you mean {value:.0f}?" if whole else ""
    raise OptionError(f"{option} is {value!r}; expected a whole number.{hint}")


def check_level(level: float, option: str = "level") -> None:
    """Refuse an invalid level of confidence."""
    check_number(level, option)
    if not 0 < level < 1:
        raise OptionError(f"{option} is {level}; it must be between 0 and 1, such as 0.95.")


def in_percent(value: float, low: float, high: float) -> str:
    """A question to append to an error about a number outside this range, if it looks like a percentage."""
    share = value / 100
    return f" Did you mean {share:g}?" if value >= 1 and low <= share <= high <= 2 else ""


def plural(n: int, word: str) -> str:
    """A number with its noun: 1 row, 2 rows, 3 queries."""
    return f"{n:,} {word if n == 1 else in_plural(word)}"


def in_plural(word: str) -> str:
    """A noun for several: rows, queries, classes."""
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith("s") else f"{word}s"
