"""Functions that take declared options: help() lists them, and a name that is none of them is refused."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from textwrap import fill
from typing import Any, TypeVar, cast

from assay.errors import OptionError, nearest
from assay.options.option import options_of, types_of

F = TypeVar("F", bound=Callable[..., Any])


def takes(*groups: type) -> Callable[[F], F]:
    """Let a function take the options of these groups, those that it gets through ** included."""

    def made(function: F) -> F:
        signature = _signature(function, groups)

        @wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            refuse_unknown(options, signature.parameters)
            return function(*args, **options)

        vars(checked)["__signature__"] = signature
        checked.__doc__ = _documented(function.__doc__, groups)
        return cast("F", checked)

    return made


def refuse_unknown(names: Iterable[str], known: Iterable[str], where: str = "") -> None:
    """Refuse an option that is none of those known, and name the nearest."""
    for name in names:
        if name not in known:
            close = nearest(name, known)
            raise OptionError(f"there is no option {name}={where}." + (f" Did you mean {close}=?" if close else ""))


def _signature(function: Callable[..., Any], groups: tuple[type, ...]) -> inspect.Signature:
    """The function's signature with every option by name, in the order of the declarations."""
    own = inspect.signature(function)
    types = types_of(*groups)
    options = [
        own.parameters.get(name)
        or inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=types[name])
        for name, option in options_of(*groups).items()
    ]
    first = [each for each in own.parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
    return own.replace(parameters=[*first, *options])


def _documented(text: str | None, groups: tuple[type, ...]) -> str | None:
    """The docstring with a line for each option; None where Python was told to drop docstrings."""
    if text is None:
        return None
    said = {name: option.in_python for name, option in options_of(*groups).items()}
    lines = [fill(f"{name}: {text}", 100, subsequent_indent="    ") for name, text in said.items()]
    return "\n".join([inspect.cleandoc(text), "", "Options", "-------", *lines])
