"""Flags made from the declarations of options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform, get_args, get_type_hints

from cyclopts import Parameter, Token

from assay.options.option import Option, options_of

T = TypeVar("T")
FLAGS = "__assay_flags__"  # where a class keeps its declared flags: the name in Python and the option of each


def whole(_: type, tokens: Sequence[Token]) -> int:
    """A whole number, where the default would round 8.5 in silence."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"{tokens[0].value!r} is not a whole number") from None


@dataclass(frozen=True)
class _Declared:
    """In place of a flag's default: its help and its default are those of the declaration."""

    more: Mapping[str, Any]


def declared(**more: Any) -> Any:
    """A flag whose help, default and choices are declared; `more` is what cyclopts wants to know besides."""
    return _Declared(more)


@dataclass_transform(frozen_default=True)
def flags(title: str, *groups: type) -> Callable[[type[T]], type[T]]:
    """A class of flags, listed under the title; the declared ones are options of these groups.

    The class says in which order help lists them, and as what type each is read: a shell repeats a flag for a list.
    """
    known = {option.flag or name: (name, option) for name, option in options_of(*groups).items()}

    def made(cls: type[T]) -> type[T]:
        hints = get_type_hints(cls, include_extras=True)
        names = [name for name, value in vars(cls).items() if isinstance(value, _Declared)]
        for name in names:
            option = known[name][1]
            parameter = _parameter(hints[name], option, vars(cls)[name].more)
            cls.__annotations__[name] = Annotated[_with_choices(hints[name], option.choices), parameter]
            # A list of flags that nobody typed is None, whatever is empty in Python.
            setattr(cls, name, None if _is_list(hints[name]) else option.default)
        inherited = getattr(cls, FLAGS, {})
        setattr(cls, FLAGS, {**inherited, **{name: known[name] for name in names}})
        return Parameter(name="*", group=title)(dataclass(frozen=True)(cls))

    return made


def keywords(given: object) -> dict[str, Any]:
    """The declared flags as keyword arguments: each by its name in Python."""
    flagged: Mapping[str, tuple[str, Option]] = getattr(type(given), FLAGS)
    out = {}
    for flag, (name, option) in flagged.items():
        value = getattr(given, flag)
        out[name] = option.default if value is None else value
    return out


def _parameter(hint: Any, option: Option, more: Mapping[str, Any]) -> Parameter:
    usual: dict[str, Any] = {"help": option.help}
    if hint is bool or _is_list(hint):
        usual["negative"] = ()
    if hint is int or int in get_args(hint):
        usual["converter"] = whole
    return Parameter(**{**usual, **more})


def _is_list(hint: Any) -> bool:
    return list[str] in get_args(hint)


def _with_choices(hint: Any, choices: tuple[str, ...]) -> Any:
    """The type with the words that may be typed in place of any text."""
    if not choices:
        return hint
    words: Any = Literal.__getitem__(choices)
    return list[words] | None if _is_list(hint) else words
