"""How a function is called, as one reads it: short types, and one argument a line if the line would be long."""

from __future__ import annotations

import inspect
import re
from typing import Any

WIDTH = 84
PLAIN = (bool, int, float, str, tuple, type(None))


def call(signature: inspect.Signature) -> str:
    """A signature with short types, one argument a line if it is long."""
    arguments, starred = [], False
    for p in signature.parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            arguments.append("*")
            starred = True
        starred = starred or p.kind is p.VAR_POSITIONAL
        arguments.append(_argument(p))
    back = short(signature.return_annotation)
    out = f" -> {back}" if back else ""
    line = f"({', '.join(arguments)}){out}"
    return line if len(line) <= WIDTH else "(\n    " + ",\n    ".join(arguments) + f",\n){out}"


def with_options(signature: inspect.Signature) -> inspect.Signature:
    """The arguments that may be given by position; all others are `**options`, which a table lists."""
    own = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    return signature.replace(parameters=[*own, inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)])


def _argument(p: inspect.Parameter) -> str:
    kind = short(p.annotation)
    shown = repr(p.default) if isinstance(p.default, PLAIN) else "..."  # an array is as long as it is
    default = "" if p.default is p.empty else f" = {shown}" if kind else f"={shown}"
    stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
    return f"{stars}{p.name}{f': {kind}' if kind else ''}{default}"


def short(annotation: Any) -> str:
    """A type as one reads it: names without their modules."""
    if annotation is inspect.Signature.empty:
        return ""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", text.strip("'\""))
    text = re.sub(r"\b(?:np|npt|numpy)\.", "", text)
    return re.sub(r"\b(?:Floats|Ints|NDArray\[\w+\])", "array", text)
