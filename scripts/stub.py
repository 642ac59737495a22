"""Write src/assay/__init__.pyi for editors and type checkers; `make docs` runs it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path

import assay
from assay.measures.declare.call import signature_of
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import OPTIONS, Measure
from assay.options import AVERAGES, METHODS, UNIVERSES

TARGET = Path(assay.__file__).with_suffix(".pyi")
HEAD = '''\
"""The public names of assay, for editors and type checkers.

Written by `make docs` from the declarations; a test says when it is out of date.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

'''
ALIASES = f"""\
_Method = Literal{list(METHODS)!r}
_Average = Literal{list(AVERAGES)!r}
_Labels = Sequence[object] | ArrayLike | Literal{list(UNIVERSES)!r} | None
"""
TYPES = {
    "y_score": "ArrayLike | Mapping[Any, ArrayLike]",
    "guesses": "Sequence[Sequence[object]] | ArrayLike",
    "rankings": "Any",
    "ratings": "Any",
    "average": "_Average",
    "pos_label": "object",
    "prevalence": "float | None",
    "beta": "float",
    "alpha": "float | None",
    "fp": "float",
    "fn": "float",
    "matrix": "ArrayLike | None",
    "k": "int | None",
    "max_fpr": "float | None",
    "standardized": "bool",
    "bins": "int | None",
    "places": "bool",
    "scale_by_half": 'bool | Literal["auto"]',
    "labels": "_Labels",
    "sample_weight": "ArrayLike | None",
    "cluster": "ArrayLike | None",
    "strata": "ArrayLike | None",
    "first": "ArrayLike | None",
    "systems": "Sequence[object] | None",
    "focus": "object",
    "missing": "str",
}
# Names from other libraries that are accepted as well.
SYNONYMS = {"pos_label": "positive: object = None", "undefined": 'zero_division: float | Literal["warn"] = 0'}
DRAWING = """\
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
"""


def stub() -> str:
    """The whole file."""
    lines = sorted(f"from assay.{home} import {name} as {name}" for name, home in vars(assay)["_HOME"].items())
    imports = "\n".join([*lines, "from assay.tally.contract.base import Tally"])
    return "\n".join([f"{HEAD}{imports}\n", "__version__: str\n", ALIASES, *_measures()])


def _measures() -> Iterator[str]:
    """A class for each way to be called, then every measure and its other names."""
    shapes: dict[str, str] = {}
    names: list[str] = []
    for name, measure in catalogue().items():
        arguments = _arguments(measure)
        if arguments not in shapes:
            shapes[arguments] = f"_Like{''.join(part.capitalize() for part in name.split('_'))}"
            yield _shape(shapes[arguments], measure, arguments)
        kind = shapes[arguments]
        names.append(f'{name}: {kind}\n"""{measure.summary}"""')
        names += [f"{alias}: {kind}" for alias in measure.aliases]
    yield "\n".join(names) + "\n"


def _shape(title: str, measure: Measure, arguments: str) -> str:
    needed = [p for p in signature_of(measure).parameters.values() if p.default is p.empty]
    first, *rest = (f"{p.name}: {_type(p.name)}" for p in needed)
    counted = f"        {first} | Tally,\n" + "".join(f"        {each} = ...,\n" for each in rest)
    optional = arguments[arguments.index("        *,") :] if "        *,\n" in arguments else "        *,\n"
    return (
        f"class {title}(Measure):\n"
        f"    def __call__(\n        self,\n{arguments}    ) -> float: ...\n"
        f"    def estimate(\n        self,\n{counted}{optional}{DRAWING}    ) -> Estimate: ...\n"
    )


def _arguments(measure: Measure) -> str:
    """The arguments of a call, a line each."""
    lines, starred = [], False
    for p in signature_of(measure).parameters.values():
        if p.kind is p.KEYWORD_ONLY and not starred:
            starred = True
            lines.append("*")
        lines.append(f"{p.name}: {_type(p.name)}" + ("" if p.default is p.empty else f" = {_default(p)}"))
    lines += [text for name, text in SYNONYMS.items() if any(line.startswith(f"{name}:") for line in lines)]
    return "".join(f"        {line},\n" for line in lines)


def _type(name: str) -> str:
    known = OPTIONS.get(name)
    if known is not None and known.choices:
        return f"Literal{list(known.choices)!r}"
    return TYPES.get(name, "ArrayLike")


def _default(p: inspect.Parameter) -> str:
    return repr(p.default).replace("'", '"')


def formatted(text: str) -> str:
    """The text as `ruff format` leaves it."""
    import subprocess
    import sys

    command: Sequence[str] = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    sorted_ = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--select",
        "I",
        "--fix",
        "--stdin-filename",
        str(TARGET),
        "-q",
        "-",
    ]
    first = subprocess.run(sorted_, input=text, capture_output=True, text=True, check=True).stdout
    return subprocess.run(command, input=first, capture_output=True, text=True, check=True).stdout


def write() -> None:
    """Write the stub beside its target, then rename it."""
    beside = TARGET.with_suffix(".pyi.part")
    beside.write_text(formatted(stub()), encoding="utf-8")
    beside.replace(TARGET)
    print("wrote src/assay/__init__.pyi")


if __name__ == "__main__":
    write()
