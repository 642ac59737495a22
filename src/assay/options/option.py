"""The declaration of an option, and functions that take declared options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, wraps
from textwrap import fill
from typing import Any, TypeVar, cast, get_args, get_type_hints

from assay.errors import OptionError, did_you_mean, nearest


class Stored(Enum):
    """What a stored report may hold as the value of an option, in words."""

    TEXT = "text"
    FLAG = "true or false"
    NUMBER = "a finite number"
    WHOLE = "a whole number"
    DRAWS = "a number of draws"
    SEED = "a seed"
    LABEL = "a label"
    LABELS = "a list of labels"
    TEXTS = "text or a list of texts"
    COLUMNS = "a column, a list of columns, or an object of columns by name"
    SCORES = "columns of scores by name"
    GUESSES = "columns of guesses by name"
    FILE = "the name of a file"
    FILES = "files by name"
    THRESHOLD = "a number, or numbers by system"
    MEASURES = "measures"
    COSTS = "costs by name, or the name of a file"
    RANGE = "two numbers"
    MAP = "labels by label"


@dataclass(frozen=True)
class Option:
    """One option: its default, its help, and what a stored report may hold as its value.

    Its name and its type in Python are those of the field that declares it, in a group. `python` is its help in Python,
    if the help of the command line does not fit, and `flag` its name on the command line, if that differs.
    """

    default: Any
    help: str
    stored: Stored | None = None  # None: no report is recomputed from it
    python: str = ""
    flag: str = ""
    choices: tuple[str, ...] = ()

    @property
    def in_python(self) -> str:
        """Its help in Python."""
        words = f" Choices: {', '.join(self.choices)}." if self.choices else ""
        return (self.python or self.help) + words


@cache
def options_of(*groups: type) -> Mapping[str, Option]:
    """The options of these groups by their names in Python, in the order of their declaration."""
    out: dict[str, Option] = {}
    for group in groups:
        for name, hint in get_type_hints(group, include_extras=True).items():
            declared = [each for each in get_args(hint) if isinstance(each, Option)]
            out |= {name: declared[0]} if declared else {}
    return out


@cache
def types_of(*groups: type) -> Mapping[str, Any]:
    """The types of these options in Python."""
    known = options_of(*groups)
    return {name: hint for group in groups for name, hint in get_type_hints(group).items() if name in known}


def part_of(given: Mapping[str, Any], *groups: type) -> dict[str, Any]:
    """The given options that belong to these groups."""
    known = options_of(*groups)
    return {name: value for name, value in given.items() if name in known}


def with_defaults(given: Mapping[str, Any], *groups: type) -> dict[str, Any]:
    """Every option of these groups: as it was given, or its default."""
    return {name: given.get(name, option.default) for name, option in options_of(*groups).items()}


F = TypeVar("F", bound=Callable[..., Any])


def takes(*groups: type) -> Callable[[F], F]:
    """Let a function take the options of these groups, including those it gets through **."""

    def made(function: F) -> F:
        signature = _signature(function, groups)

        @wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            options = in_our_words(options, signature.parameters)
            if not args and "y_true" in options and "y_pred" in signature.parameters and "data" in signature.parameters:
                options["data"] = options.pop("y_true")  # as functions of arrays alone call it
            refuse_unknown(options, signature.parameters)
            return function(*args, **options)

        vars(checked)["__signature__"] = signature
        checked.__doc__ = _documented(function.__doc__, groups)
        return cast("F", checked)

    return made


# Synonyms: scikit-learn's word and ours, the singular and the plural.
SAME_WORDS = (("positive", "pos_label"), ("scores", "score"), ("weight", "sample_weight"), ("measures", "measure"))


def in_our_words(options: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """The options by the names that a function has for them."""
    known, out = set(known), dict(options)
    for words in SAME_WORDS:
        ours = next((word for word in words if word in known), None)
        for word in words:
            if word in out and word not in known and ours is not None:
                if ours in out:
                    raise OptionError(f"{word}= and {ours}= are two names for the same option; give only one.")
                out[ours] = out.pop(word)
    return _costs_in_our_words(out, known)


def _costs_in_our_words(options: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """The costs of the two errors as one mapping, or as two numbers: whichever the function has."""
    two = {"cost_fp": "fp", "cost_fn": "fn"}
    apart, costs = {name: options[name] for name in two if name in options}, options.get("costs")
    rest = {name: value for name, value in options.items() if name not in (*two, "costs")}
    if apart and costs is not None:
        raise OptionError("give either costs=, or cost_fp= and cost_fn=, not both.")
    if apart and "costs" in known and not set(apart) & known:
        return rest | {"costs": {two[name]: cost for name, cost in apart.items()}}
    if isinstance(costs, Mapping) and "costs" not in known and set(two) <= known and set(costs) <= {"fp", "fn"}:
        return rest | {name: costs[cost] for name, cost in two.items() if cost in costs}
    return options


def refuse_unknown(names: Iterable[str], known: Iterable[str], of: str = "", where: str = "") -> None:
    """Refuse an unknown option, of a function or a measure if one is named, and suggest the nearest known one."""
    for name in names:
        if name not in known:
            said = f"{of} has no option {name}=" if of else f"there is no option {name}={where}"
            meant = OTHERS_CALL_IT.get(name)
            hint = (
                f" Did you mean {meant}=?" if meant is not None and meant in known else did_you_mean(name, known, "{}=")
            )
            hint = NEEDLESS.get(name, hint)
            raise OptionError(f"{said}.{hint}")


# What others call options of functions that also take those of a measure.
OTHERS_CALL_IT: Mapping[str, str] = {
    **dict.fromkeys(("confidence", "confidence_level", "conf", "ci"), "level"),
    **dict.fromkeys(("seed", "rng"), "random_state"),
    **dict.fromkeys(("resamples", "n_boot", "n_bootstraps", "n_permutations", "draws", "n_draws"), "n_resamples"),
}


NEEDLESS: Mapping[str, str] = {
    "drop_intermediate": " Every threshold is kept, as with drop_intermediate=False; leave it out.",
}


def refuse_misspelt_keywords(given: Iterable[str], own: Sequence[str], others: Sequence[str]) -> None:
    """Refuse an option that is nearer to one of the function itself than to those that a measure has."""
    for name in given:
        if name in others:
            continue
        meant = OTHERS_CALL_IT.get(name) or nearest(name, [*own, *others])
        if meant in own:
            raise OptionError(f"there is no option {name}=. Did you mean {meant}=?")


def refusing(function: F) -> F:
    """Let a function without options of a group refuse an unknown keyword as the others do."""
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        refuse_unknown(options, signature.parameters, function.__name__)
        return function(*args, **options)

    return cast("F", checked)


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
    """The docstring with a line for each option; None if Python was told to drop docstrings."""
    if text is None:
        return None
    said = {name: option.in_python for name, option in options_of(*groups).items()}
    lines = [fill(f"{name}: {text}", 100, subsequent_indent="    ") for name, text in said.items()]
    return "\n".join([inspect.cleandoc(text), "", "Options", "-------", *lines])
