"""Write src/assay/__init__.pyi for editors and type checkers; `make docs` runs it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_type_hints

import assay
from assay.measures.declare.call import signature_of
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import Measure
from assay.measures.declare.settings import OPTIONS
from assay.options import (
    ALTERNATIVES,
    AVERAGES,
    GATE_ON,
    METHODS,
    NORMALIZED,
    PAIRED_METHODS,
    POST_HOC,
    STATISTICS,
    TESTS,
    UNDECIDED,
    UNIVERSES,
    VALUE_METHODS,
    VALUE_TESTS,
    VALUE_UNITS,
    ZEROS,
)
from assay.options.evaluating import COMPARE, EVALUATE, Columns, OtherWords
from assay.options.option import options_of
from assay.options.planning import PLAN

TARGET = Path(assay.__file__).with_suffix(".pyi")
HEAD = '''\
"""The public names of assay, for editors and type checkers.

Written by `make docs` from the declarations; a test says when it is out of date.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

'''
ALIASES = f"""\
_Method = Literal{list(METHODS)!r}
_Average = Literal{list(AVERAGES)!r}
_Labels = Sequence[object] | ArrayLike | Literal{list(UNIVERSES)!r} | None

class _HasArray(Protocol):
    def __array__(self) -> NDArray[Any]: ...

_Scores = _HasArray | Sequence[float] | Sequence[Sequence[float]] | Sequence[np.floating[Any]]
"""
# Functions whose choices are spelled out for type checkers: parameter by parameter.
CHOICES: dict[str, dict[str, Sequence[str]]] = {
    "compare": {
        "method": PAIRED_METHODS,
        "test": ("auto", *TESTS),
        "statistic": STATISTICS,
        "alternative": ALTERNATIVES,
    },
    "compare_values": {
        "method": VALUE_METHODS,
        "test": ("auto", *VALUE_TESTS),
        "alternative": ALTERNATIVES,
        "unit": VALUE_UNITS,
        "zeros": ZEROS,
    },
    "estimate": {"method": METHODS},
    "classification_report": {"method": METHODS},
    "evaluate": {"method": METHODS},
    "compare_systems": {"method": PAIRED_METHODS, "test": ("auto", *TESTS)},
    "plan": {},
    "confusion_matrix": {"normalize": NORMALIZED},
    "assert_at_least": {"gate_on": GATE_ON, "undecided": UNDECIDED},
    "assert_no_worse": {"gate_on": GATE_ON, "undecided": UNDECIDED},
    "post_hoc": {"method": POST_HOC},
    "critical_difference": {"method": POST_HOC},
    "scorers": {},
}
# Functions that pass the rest of their options on.
PASSED_ON = {"assert_at_least": "estimate", "assert_no_worse": "compare"}
GROUPS: dict[str, tuple[type, ...]] = {"evaluate": EVALUATE, "compare_systems": COMPARE, "plan": PLAN}
TYPES = {
    "y_score": "_Scores | Mapping[Any, ArrayLike]",
    "map": "Mapping[Any, Any] | str | None",
    "ignore_case": "bool",
    "numeric_labels": "bool",
    "guesses": "Sequence[Sequence[object]] | ArrayLike",
    "qrels": "Any",
    "run": "Any",
    "relevant_from": "float | None",
    "no_relevant": "str | None",
    "judged_only": "bool",
    "p": "float",
    "p_break": "float",
    "max_grade": "float | None",
    "recall": "float",
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
SYNONYM_TYPES = {
    "positive": "object",
    "zero_division": 'float | Literal["warn"]',
    "y_proba": TYPES["y_score"],
    "y_prob": TYPES["y_score"],
    "a": "Any",
    "b": "Any",
}
DRAWING = """\
        level: float = 0.95,
        method: _Method = "auto",
        n_resamples: int = 9999,
        random_state: int = 0,
        strict: bool = False,
"""


def stub() -> str:
    """The whole file."""
    homes = vars(assay)["_HOME"].items()
    lines = sorted(f"from assay.{home} import {name} as {name}" for name, home in homes if name not in CHOICES)
    private = [
        "from assay.jobs.plan import Planning",
        "from assay.protocols.scorers import Scorer",
        "from assay.tally.contract.base import Tally",
    ]
    private.append("from assay.uncertainty.many.ranks import CriticalDifference, Friedman, PostHoc")
    imports = "\n".join([*lines, *private])
    return "\n".join([f"{HEAD}{imports}\n", "__version__: str\n", ALIASES, *map(_function, CHOICES), *_measures()])


def _function(name: str) -> str:
    """A function with the choices of its parameters, and with the options of all measures where it takes any."""
    made = getattr(assay, name)
    lines, starred = [], False
    for p in inspect.signature(made).parameters.values():
        kind = _kind(name, p)
        if p.kind is p.VAR_KEYWORD:
            lines += _passed_on(name)
            lines += [f"{option}: {_type(option)} = ..." for option in _every_option(name)]
            continue
        if p.kind is p.VAR_POSITIONAL:
            lines.append(f"*{p.name}: {kind}")
            starred = True
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            starred = True
            lines.append("*")
        lines.append(f"{p.name}: {kind}" + ("" if p.default is p.empty else f" = {_default(p)}"))
    if Columns in GROUPS.get(name, ()):
        lines += [f"{synonym}: {_written(hint)} = ..." for synonym, hint in get_type_hints(OtherWords).items()]
    arguments = "".join(f"    {line},\n" for line in lines)
    doc = inspect.cleandoc(made.__doc__).splitlines()[0]
    return f'def {name}(\n{arguments}) -> {made.__annotations__["return"]}:\n    """{doc}"""\n'


def _kind(name: str, p: inspect.Parameter) -> str:
    """The type of a parameter: its choices, if it has some."""
    declared = options_of(*GROUPS.get(name, ())).get(p.name)
    choices = CHOICES[name].get(p.name) or (declared.choices if declared is not None else ())
    written = _written(p.annotation)
    if written.startswith("Sequence"):
        return written
    return f"Literal{list(choices)!r}{' | None' if 'None' in written else ''}" if choices else written


def _written(annotation: object) -> str:
    """A type as the stub has it."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = text.replace("collections.abc.", "").replace("typing.", "")
    return "str | Measure | Sequence[str | Measure] | None" if text == "Asked" else text


def _passed_on(name: str) -> list[str]:
    """The keywords of the function that gets the rest of the options, without those that are given here."""
    if name not in PASSED_ON:
        return []
    own, to = inspect.signature(getattr(assay, name)).parameters, PASSED_ON[name]
    rest = [p for p in inspect.signature(getattr(assay, to)).parameters.values() if p.name not in own]
    kept = [p for p in rest if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [f"{p.name}: {_kind(to, p)} = ..." for p in kept]


def _every_option(name: str) -> list[str]:
    """What measures and their tallies may be given by name, data too where the function takes them."""
    out: dict[str, None] = {}
    for measure in catalogue().values():
        parameters = list(signature_of(measure).parameters.values())
        takes_data = name != "scorers"
        out |= {p.name: None for p in parameters if takes_data or p.default is not p.empty}
        joint = getattr(measure.kind, "joint", None)
        if name == "compare" and joint is not None:
            out |= {p.name: None for p in inspect.signature(joint).parameters.values()}
    others = dict.fromkeys(("positive", "zero_division", *(("y_proba", "y_prob") if name != "scorers" else ())))
    own = {*inspect.signature(getattr(assay, name)).parameters}
    own |= {*inspect.signature(getattr(assay, PASSED_ON.get(name, name))).parameters}
    return [option for option in out | others if option not in own]


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
    if name in SYNONYM_TYPES:
        return SYNONYM_TYPES[name]
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
