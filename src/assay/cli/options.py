"""Options that several commands share, and the words they are written in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from assay.errors import OptionError
from assay.options import LEVEL, RESAMPLES, SEED, UNIVERSES

Format = Literal["table", "json", "csv", "md", "latex"]


RawCsv = Annotated[
    bool,
    Parameter(
        help="Leave names in CSV as they are, though a spreadsheet may run them and a terminal obey them.", negative=()
    ),
]


def whole(_: type, tokens: Sequence[Token]) -> int:
    """A whole number, where the default would round 8.5 in silence."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"{tokens[0].value!r} is not a whole number") from None


def no_option(_: type, name: Any) -> None:
    """Nothing, unless a name that may begin with a hyphen, because '-' is standard input, is a mistyped option."""
    if isinstance(name, str) and name.startswith("-") and name != "-":
        raise ValueError(f"there is no option {name}")


FileName = Annotated[
    str,
    Parameter(
        help="CSV, TSV, JSON Lines, Parquet or Arrow file with a row per item; a pattern such as 'part*.csv'; or - for "
        "standard input.",
        allow_leading_hyphen=True,
        validator=no_option,
    ),
]


@Parameter(name="*", group="Columns and files")
@dataclass(frozen=True)
class Rows:
    """Which columns and files play which role, and how the rows count."""

    gold: Annotated[
        str | None,
        Parameter(help="Column of the reference labels, if it is not called gold, y_true, target, label or reference."),
    ] = None
    pred: Annotated[
        list[str] | None,
        Parameter(help="Column of a system's labels, as COL or NAME=COL; repeat for more.", negative=()),
    ] = None
    guess: Annotated[
        list[str] | None,
        Parameter(help="Column of a system's next guess, as NAME=COL; repeat for further ones.", negative=()),
    ] = None
    score: Annotated[
        list[str] | None,
        Parameter(
            help="Column of a system's scores for the positive class, as COL or NAME=COL; or of every class, with {} "
            "in place of the class, as in NAME=p_{}; repeat for more.",
            negative=(),
        ),
    ] = None
    threshold: Annotated[
        list[str] | None,
        Parameter(
            help="Score from which on an item is called positive, as T or NAME=T, where labels come of scores (0.5 for "
            "probabilities).",
            negative=(),
        ),
    ] = None
    score_bins: Annotated[
        int | None, Parameter(help="Gather scores from 0 to 1 into so many bins (approximate).", converter=whole)
    ] = None
    system: Annotated[
        list[str] | None,
        Parameter(help="A system's own file, as NAME=FILE, paired with FILE by id; repeat for more.", negative=()),
    ] = None
    id: Annotated[str | None, Parameter(help="Column that pairs the rows of several files.")] = None
    by_position: Annotated[
        bool, Parameter(help="Pair the rows of several files by position, not by id.", negative=())
    ] = False
    missing: Annotated[
        Literal["error", "wrong", "skip"],
        Parameter(help="What a missing prediction is: an error, wrong, or a reason to skip the row."),
    ] = "error"
    positive: Annotated[str | None, Parameter(help="The label that counts as positive.")] = None
    labels: Annotated[
        list[str] | None,
        Parameter(help="The classes: observed, gold, or a label; repeat for a list.", negative=()),
    ] = None
    cluster: Annotated[str | None, Parameter(help="Column that says which rows belong together.")] = None
    weight: Annotated[str | None, Parameter(help="Column of importance weights.")] = None
    count: Annotated[str | None, Parameter(help="Column that says how many rows a row stands for.")] = None

    def question(self) -> dict[str, Any]:
        """The options of `evaluate` that these stand for."""
        systems = pairs(self.system, "--system", "NAME=FILE")
        labels: Any = self.labels
        if self.labels is not None and len(self.labels) == 1 and self.labels[0] in UNIVERSES:
            labels = self.labels[0]
        pred: Any = pairs(self.pred, "--pred", "COL or NAME=COL", bare=True)
        if systems and self.pred is not None and len(self.pred) == 1 and "=" not in self.pred[0]:
            pred = self.pred[0]
        return {
            "gold": self.gold,
            "pred": pred,
            "systems": systems,
            "id": self.id,
            "by_position": self.by_position,
            "missing": self.missing,
            "positive": self.positive,
            "labels": labels,
            "cluster": self.cluster,
            "weight": self.weight,
            "count": self.count,
            "guesses": self._guesses(),
            "scores": self._scores(systems),
            "threshold": thresholds(self.threshold),
            "score_bins": self.score_bins,
        }

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


@Parameter(name="*", group="Columns and files")
@dataclass(frozen=True)
class SlicedRows(Rows):
    """The same, and which columns divide the rows into groups."""

    slice: Annotated[
        list[str] | None, Parameter(help="Column whose groups are compared; repeat for more.", negative=())
    ] = None
    crossed: Annotated[bool, Parameter(help="Also cross the columns of --slice.", negative=())] = False

    def question(self) -> dict[str, Any]:
        """The options of `evaluate` that these stand for."""
        return {**super().question(), "slices": tuple(self.slice or ()), "crossed": self.crossed}


@Parameter(name="*", group="Intervals")
@dataclass(frozen=True)
class Drawing:
    """How intervals are made."""

    level: Annotated[float, Parameter(help="Confidence level of the intervals.")] = LEVEL
    method: Annotated[str, Parameter(help="How to make the intervals; auto chooses what covers.")] = "auto"
    resamples: Annotated[int, Parameter(help="Draws for what needs them.", converter=whole)] = RESAMPLES
    seed: Annotated[int, Parameter(help="Seed of the draws.", converter=whole)] = SEED

    def options(self) -> dict[str, Any]:
        """The options of `evaluate` that these stand for."""
        return {
            "level": self.level,
            "method": self.method,
            "n_resamples": self.resamples,
            "random_state": self.seed,
        }


def pairs(given: Sequence[str] | None, option: str, wanted: str, *, bare: bool = False) -> dict[str, str] | None:
    """NAME=VALUE, or VALUE alone where that is enough; each name once."""
    if not given:
        return None
    out: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name, value = (name, value) if equals else (text, text if bare else "")
        if not name or not value:
            raise OptionError(f"{option} {text} is not {wanted}.")
        if name in out:
            raise OptionError(f"two systems are called '{name}'; name them apart, as in {option} first={value}.")
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


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise OptionError(f"--threshold {text} is not a number, such as 0.5.") from None
