"""Options that several commands share: flags made from their declarations, and how typed values are parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform, get_args, get_type_hints

from cyclopts import Parameter, Token

from assay.errors import OptionError
from assay.options import UNIVERSES
from assay.options.evaluating import Columns, Drawing
from assay.options.option import Option, options_of
from assay.options.showing import Explaining, Listed, Noted, most_classes

T = TypeVar("T")
FLAGS = "__assay_flags__"  # where a class keeps its declared flags: the name in Python and the option of each


def whole(_: type, tokens: Sequence[Token]) -> int:
    """A whole number; the default converter would silently round 8.5."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"{tokens[0].value!r} is not a whole number") from None


@dataclass(frozen=True)
class _Declared:
    """A placeholder for a flag's default: help and default come from the declaration."""

    more: Mapping[str, Any]


def declared(**more: Any) -> Any:
    """A flag whose help, default and choices are declared; `more` is passed to cyclopts."""
    return _Declared(more)


@dataclass_transform(frozen_default=True)
def flags(title: str, *groups: type) -> Callable[[type[T]], type[T]]:
    """A class of flags, listed under the title; the declared ones are options of these groups.

    The class sets the order in the help and the type each flag is read as: in a shell, a list is a repeated flag.
    """
    known = {option.flag or name: (name, option) for name, option in options_of(*groups).items()}

    def made(cls: type[T]) -> type[T]:
        hints = get_type_hints(cls, include_extras=True)
        names = [name for name, value in vars(cls).items() if isinstance(value, _Declared)]
        for name in names:
            option = known[name][1]
            parameter = _parameter(hints[name], option, vars(cls)[name].more)
            cls.__annotations__[name] = Annotated[_with_choices(hints[name], option.choices), parameter]
            # A list that nobody typed is None, whatever stands for an empty one in Python.
            setattr(cls, name, None if _is_list(hints[name]) else option.default)
        inherited = getattr(cls, FLAGS, {})
        setattr(cls, FLAGS, {**inherited, **{name: known[name] for name in names}})
        return Parameter(name="*", group=title)(dataclass(frozen=True)(cls))

    return made


def keywords(given: object) -> dict[str, Any]:
    """The declared flags as keyword arguments, by their names in Python."""
    flagged: Mapping[str, tuple[str, Option]] = getattr(type(given), FLAGS)
    out = {}
    for flag, (name, option) in flagged.items():
        value = getattr(given, flag)
        if flag == "measure" and isinstance(value, list):
            value = [spelling for text in value for spelling in apart(text)]
        out[name] = option.default if value is None else value
    return out


def apart(text: str) -> list[str]:
    """Spellings of measures between commas, but for commas within parentheses: f1,f_beta(beta=2,average=macro)."""
    return [part for part in re.split(r",(?![^(]*\))", text) if part.strip()] or [text]


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
    """The type, restricted to the choices if there are any."""
    if not choices:
        return hint
    words: Any = Literal.__getitem__(choices)
    return list[words] | None if _is_list(hint) else words


OUTPUT = "Output"  # the title of these in every help
Format = Annotated[Literal["table", "json", "csv", "md", "latex"], Parameter(help="Output format.", group=OUTPUT)]
TableOrJson = Annotated[Literal["table", "json"], Parameter(help="Output format.", group=OUTPUT)]
Out = Annotated[str | None, Parameter(help="Write the result to this file instead of the screen.", group=OUTPUT)]
Methods = Annotated[
    bool, Parameter(help="Add a sentence for the Methods section of a paper.", negative=(), group=OUTPUT)
]

CostFp = Annotated[float | None, Parameter(help="What a false alarm costs.")]
CostFn = Annotated[float | None, Parameter(help="What a miss costs.")]
RawCsv = Annotated[
    bool,
    Parameter(
        help="Write names to CSV unchanged, even if a spreadsheet or a terminal could interpret them as commands.",
        negative=(),
        group=OUTPUT,
    ),
]


NO_OPTION = "there is no option "


def no_option(_: type, name: Any) -> None:
    """Refuse a mistyped option: a file name may begin with a hyphen only because '-' is standard input."""
    for each in name if isinstance(name, tuple) else (name,):
        if isinstance(each, str) and each.startswith("-") and each != "-":
            raise ValueError(f"{NO_OPTION}{each}")


def file_name(row: str) -> Parameter:
    """The name of a file to read, with one row per `row`."""
    return Parameter(
        help=f"CSV, TSV, JSON Lines, Parquet or Arrow file with one row per {row}; a pattern such as 'part*.csv'; or - "
        "for standard input.",
        allow_leading_hyphen=True,
        validator=no_option,
    )


FileName = Annotated[str, file_name("item")]


@flags("Columns and files", Columns)
class Rows:
    """Which columns and files play which role, and how the rows count."""

    gold: str | None = declared()
    pred: list[str] | None = declared()
    guess: list[str] | None = declared()
    score: list[str] | None = declared()
    threshold: list[str] | None = declared()
    score_bins: int | None = declared()
    system: list[str] | None = declared()
    id: str | None = declared()
    by_position: bool = declared()
    missing: str = declared()
    positive: str | None = declared()
    labels: list[str] | None = declared()
    map: list[str] | None = declared()
    ignore_case: bool = declared()
    numeric_labels: bool = declared()
    cluster: str | None = declared()
    weight: str | None = declared()
    count: str | None = declared()

    def question(self) -> dict[str, Any]:
        """The corresponding options of `evaluate`."""
        systems = pairs(self.system, "--system", "NAME=FILE")
        labels: Any = self.labels
        if self.labels is not None and len(self.labels) == 1 and self.labels[0] in UNIVERSES:
            labels = self.labels[0]
        pred: Any = pairs(self.pred, "--pred", "COL or NAME=COL", bare=True)
        if systems and self.pred is not None and len(self.pred) == 1 and "=" not in self.pred[0]:
            pred = self.pred[0]
        return {
            **keywords(self),
            "pred": pred,
            "systems": systems,
            "labels": labels,
            "map": self._map(),
            "guesses": self._guesses(),
            "scores": self._scores(systems),
            "threshold": thresholds(self.threshold),
        }

    def files(self) -> list[str]:
        """The files that are read besides the first: the systems' files, and label maps."""
        systems = pairs(self.system, "--system", "NAME=FILE") or {}
        return [*systems.values(), *(text for text in self.map or () if _names_file(text))]

    def _map(self) -> dict[str, str] | None:
        if not self.map:
            return None
        from assay.sources.relabel import join_maps, parse_map, read_map

        return join_maps(read_map(text) if _names_file(text) else parse_map(text) for text in self.map)

    def _scores(self, systems: dict[str, str] | None) -> Any:
        if systems and self.score is not None and len(self.score) == 1 and "=" not in self.score[0]:
            return self.score[0]
        return pairs(self.score, "--score", "COL or NAME=COL", bare=True)

    def _guesses(self) -> dict[str, tuple[str, ...]] | None:
        if not self.guess:
            return None
        out: dict[str, tuple[str, ...]] = {}
        for text in self.guess:
            ((name, column),) = (pairs([text], "--guess", "NAME=COL") or {}).items()
            out[name] = (*out.get(name, ()), column)
        return out


def _names_file(text: str) -> bool:
    """Whether this names a file of labels rather than a list of FROM=TO."""
    return "=" not in text or Path(text).exists()


@flags("Columns and files", Columns)
class SlicedRows(Rows):
    """The same, plus the columns that divide the rows into slices."""

    slice: list[str] | None = declared()
    crossed: bool = declared()


@flags("Intervals", Drawing)
class Intervals:
    """How intervals are computed."""

    level: float = declared()
    method: str = declared()
    resamples: int = declared()
    seed: int = declared()


@flags(OUTPUT, Explaining)
class Explained:
    """Whether the result explains how its numbers were made."""

    explain: bool = declared()


@flags(OUTPUT, Noted)
class Noting(Explained):
    """Which notes and groups of a report are shown."""

    notes: str = declared()
    groups: str = declared()


@flags(OUTPUT, Listed)
class Listing(Explained):
    """How much of a long report is listed, and in which order."""

    sort: str = declared()
    classes: str = declared()
    notes: str = declared()
    groups: str = declared()

    def __post_init__(self) -> None:
        """Refuse an invalid number before anything is computed."""
        most_classes(self.classes)

    def listed(self) -> Listed:
        """The corresponding options of a report's text."""
        return Listed(sort=self.sort, classes=self.classes, notes=self.notes, groups=self.groups, explain=self.explain)


def pairs(given: Sequence[str] | None, option: str, wanted: str, *, bare: bool = False) -> dict[str, str] | None:
    """The given texts as NAME=VALUE, or VALUE alone if `bare`; each name once."""
    if not given:
        return None
    out: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name, value = (name, value) if equals else (text, text if bare else "")
        if not name or not value:
            raise OptionError(f"{option} {text} is not {wanted}.")
        if name in out:
            raise OptionError(
                f"two systems are called '{name}'; give them different names, as in {option} first={value}."
            )
        out[name] = value
    return out


def thresholds(given: Sequence[str] | None) -> float | dict[str, float] | None:
    """One threshold for all systems, or NAME=T for each."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return _number(given[0])
    named = pairs(given, "--threshold", "T, or NAME=T for each of several systems")
    return {name: _number(text) for name, text in (named or {}).items()}


def costs_given(given: Any) -> Any:
    """The cost file, or the costs of the two errors, from a class with these three flags."""
    named = {"fp": given.cost_fp, "fn": given.cost_fn}
    costs = {name: cost for name, cost in named.items() if cost is not None}
    if costs and given.costs is not None:
        raise OptionError("give either --costs (a file with all costs) or --cost-fp and --cost-fn, not both.")
    return given.costs or costs or None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise OptionError(f"--threshold {text} is not a number, such as 0.5.") from None
