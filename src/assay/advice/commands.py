"""A piece of advice, and how to follow it: a command line, or a call in Python."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from assay.errors import AssayError, plural
from assay.measures.declare.catalogue import cited, parse
from assay.options import LEVEL
from assay.sources.relabel import parse_map
from assay.tally.contract.base import Tally
from assay.uncertainty.one.closed_limits import normal_quantile, wilson
from assay.uncertainty.planning.plan import items_for_half_width

LATER = "not in this version of assay"
NARROW = 0.05  # the half-width that plans aim for


@dataclass(frozen=True)
class Piece:
    """What to report, why, what it hides, and how to get it: a command line, or a call in Python.

    `measure` is its spelling; None if it is not a measure, or one that this version lacks (`later`).
    """

    report: str
    why: str
    measure: str | None = None
    hides: str | None = None
    how: str | None = None
    later: bool = False

    @property
    def named(self) -> str:
        """What to report, with a citation where it is a measure."""
        return self.report if self.measure is None else f"{self.report} ({cited(parse(self.measure)[0])})"


def measured(spelling: str, why: str, how: str | None, hides: str = "") -> Piece:
    """A piece about an existing measure; what it hides comes from its declaration, or else from `hides`."""
    return Piece(parse(spelling)[0].title, why, spelling, hidden(spelling, hides) or None, how)


def perhaps(report: str, spelling: str | None, why: str, hides: str, how: str | None) -> Piece:
    """A piece about a measure that this version may lack; if so, it says so."""
    return Piece(report, why, spelling, hidden(spelling, hides), how, later=spelling is None and how is None)


def known(kind: type[Tally] | None, *spellings: str) -> str | None:
    """The first of these spellings that names a measure of this kind of tally (None: any) with options it has."""
    for spelling in spellings:
        try:
            measure, options = parse(spelling)
        except AssayError:
            continue
        if kind is not None and measure.kind is not kind:
            if kind not in measure.variants:
                continue
            measure = measure.variants[kind]
        if all(option in measure.options for option in options):
            return spelling
    return None


def hidden(spelling: str | None, otherwise: str) -> str:
    """What the measure hides according to its declaration, or else `otherwise`."""
    found = None if spelling is None else parse(spelling)[0].hides
    return otherwise if found is None else found.why


def share(part: float, whole: float) -> str:
    """A share in percent, with enough digits that nearly all does not read as all."""
    for digits in range(1, 9):
        text = f"{100 * part / whole:.{digits}f}"
        if part in (0, whole) or float(text) not in (0, 100):
            return f"{text}%"
    return f"{part / whole:.3g}"


def counted(rows: int, whole: int, noun: str = "row") -> str:
    """A number of rows with its share."""
    return f"{plural(rows, noun)} ({share(rows, whole)})"


def width(n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's limits for a share of one half among n items: the widest possible."""
    return wilson(0.5, n, normal_quantile(level))


def wide(n: int) -> str:
    """How wide the interval for a recall over n items can be, and how many items would make it narrow."""
    low, high = width(n)
    needed = items_for_half_width(0.5, NARROW)
    return (
        f"a recall of 0.5 would have a 95% interval from {low:.2f} to {high:.2f} (Wilson); narrowing it to "
        f"±{NARROW:g} takes {needed:,} rows of the class"
    )


Program = Mapping[str, Set[str]]  # the commands there are, and the options of each
Option = tuple[str, str | None]  # a flag, and its value if it has one


@dataclass(frozen=True)
class Columns:
    """The name of the data, and which column has which role."""

    source: str | None = None  # the name of the file; None for data in memory
    gold: str = ""
    preds: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    class_scores: tuple[str, ...] = ()  # columns of every class, with {} in place of the class
    positive: str | None = None
    gaps: bool = False  # labels are missing, and rows without one should be left out
    unified: tuple[str, ...] = ()  # options, as typed, that unify labels which gold and predictions write differently
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # all columns by their roles
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # those whose role was given


@dataclass(frozen=True)
class Ways:
    """Commands and calls for these columns; without columns there are none."""

    columns: Columns | None = None
    program: Program | None = None  # None: calls in Python only

    # ------------------------------------------------------------------ labels
    def evaluate(
        self, *measures: str, cluster: str | None = None, costs: tuple[float, float] | None = None
    ) -> str | None:
        """Evaluate the predicted labels."""
        if self.columns is None or not self.columns.preds:
            return None
        options = [*self._labels(), *(("--measure", measure) for measure in measures)]
        options += [("--cluster", cluster)] if cluster is not None else []
        options += [("--cost-fp", f"{costs[0]:.15g}"), ("--cost-fn", f"{costs[1]:.15g}")] if costs else []
        more: dict[str, object] = {"measures": list(measures)} if measures else {}
        more |= {"cluster": cluster} if cluster is not None else {}
        more |= {"costs": {"fp": costs[0], "fn": costs[1]}} if costs else {}
        return self._line("evaluate", options) or self._call("evaluate", **more)

    def compare(self) -> str | None:
        """Compare the systems by their labels."""
        if self.columns is None or len(self.columns.preds) < 2:
            return None
        return self._line("compare", self._labels()) or self._call("compare_systems")

    # ------------------------------------------------------------------ scores
    def scored(self, measure: str | None) -> str | None:
        """Judge the scores of the positive class by a measure, if there is one."""
        columns = self.columns
        if measure is None or columns is None or not columns.scores or columns.positive is None:
            return None
        given = {"gold": columns.gold, "scores": list(columns.scores), "positive": columns.positive}
        given |= {"missing": "skip"} if columns.gaps else {}
        return self._line("evaluate", [*self._scores(), ("--measure", measure)]) or self._called(
            "evaluate", {**given, "measures": [measure]}
        )

    def by_class(self, measure: str | None) -> str | None:
        """Judge the scores of every class by a measure, if there is one."""
        c = self.columns
        if measure is None or c is None or not c.class_scores:
            return None
        options = [("--gold", c.gold), *_named("--score", c.class_scores), *self._gaps(), ("--measure", measure)]
        return self._line("evaluate", options) or self._called(
            "evaluate", {"gold": c.gold, "scores": list(c.class_scores), "measures": [measure]}
        )

    def curve(self, kind: str) -> str | None:
        """Draw a curve of the scores."""
        if self.columns is None or not self.columns.scores or self.columns.positive is None:
            return None
        return self._line("curve", [*self._scores(), ("--kind", kind)])

    def tune(self, costs: tuple[float, float] | None = None) -> str | None:
        """Choose a threshold."""
        if self.columns is None or not self.columns.scores or self.columns.positive is None:
            return None
        priced = (
            [("--cost-fp", f"{costs[0]:.15g}"), ("--cost-fn", f"{costs[1]:.15g}")] if costs else [("--youden", None)]
        )
        return self._line("tune", [*self._scores(first=True), *priced])

    # ------------------------------------------------------------------ other families
    def agreement(self) -> str | None:
        """Krippendorff's alpha from columns of raters, or from triples."""
        roles = self._roles
        if not roles:
            return None
        if "rater" in roles:
            unit, rater, rating = (roles[role][0] for role in ("unit", "rater", "rating"))
            table = f"data.pivot(index={unit!r}, columns={rater!r}, values={rating!r})"
        else:
            table = f"data[{list(roles['rating'])!r}]"
        return f"assay.estimate('krippendorff_alpha', assay.Rated.from_ratings({table}))"

    def clustering(self, measure: str) -> str | None:
        """A measure of the groups against the classes."""
        roles = self._roles
        if "cluster" not in roles:
            return None
        labels = f"data[{roles['gold'][0]!r}], data[{roles['cluster'][0]!r}]"
        return f"assay.estimate({measure!r}, assay.Contingency.from_labels({labels}))"

    def ranking(self, measure: str | None) -> str | None:
        """A measure of the rankings, if there is one, ordered as trec_eval orders them."""
        roles = self._roles
        order = roles.get("score") or roles.get("rank")
        if measure is None or not order:
            return None
        query, document, relevance = (roles[role][0] for role in ("query", "document", "relevance"))
        by = f"[{order[0]!r}, {document!r}], ascending=False" if "score" in roles else f"{order[0]!r}"
        lists = f"{{q: list(d[{relevance!r}].fillna(0)) for q, d in data.sort_values({by}).groupby({query!r})}}"
        return f"assay.estimate({measure!r}, assay.Ranked.from_rankings({lists}))"

    # ------------------------------------------------------------------ before evaluating
    def plan(self, half_width: float) -> str | None:
        """Plan how many items to label."""
        if self.columns is None:
            return None
        return self._line("plan", [("--half-width", f"{half_width:g}")], file=False) or (
            f"assay.plan(half_width={half_width:g})"
        )

    def again(self, positive: str) -> str | None:
        """Ask for advice again, with the positive class named."""
        if self.columns is None:
            return None
        asked = self.columns.asked
        options = [option for role in ("gold", "pred", "score") for option in _named(f"--{role}", asked.get(role, ()))]
        given: dict[str, object] = {
            role: columns[0] if role == "gold" else list(columns) for role, columns in asked.items()
        }
        return self._line("advise", [*options, ("--positive", positive)]) or self._called(
            "advise", {**given, "positive": positive}
        )

    # ------------------------------------------------------------------ writing
    @property
    def _roles(self) -> Mapping[str, tuple[str, ...]]:
        return {} if self.columns is None else self.columns.roles

    def _labels(self) -> list[Option]:
        assert self.columns is not None
        c = self.columns
        positive: list[Option] = [] if c.positive is None else [("--positive", c.positive)]
        unified = [(flag, next(iter(value), None)) for flag, *value in map(shlex.split, c.unified)]
        return [("--gold", c.gold), *_named("--pred", c.preds), *unified, *positive, *self._gaps()]

    def _scores(self, first: bool = False) -> list[Option]:
        assert self.columns is not None
        scores = self.columns.scores[:1] if first else self.columns.scores
        named = [("--gold", self.columns.gold), *_named("--score", scores), ("--positive", self.columns.positive)]
        return [*named, *self._gaps()]

    def _gaps(self) -> list[Option]:
        return [("--missing", "skip")] if self.columns is not None and self.columns.gaps else []

    def _line(self, command: str, options: Sequence[Option], *, file: bool = True) -> str | None:
        """The command line, if the program has the command and each of the options."""
        known = (self.program or {}).get(command)
        source = None if self.columns is None else self.columns.source
        if known is None or any(flag not in known for flag, _ in options) or (file and source is None):
            return None
        name = f"./{source}" if source is not None and source.startswith("-") and source != "-" else source
        words = ["assay", command, *([shlex.quote(str(name))] if file else [])]
        return " ".join([*words, *(_written(*option) for option in options)])

    def _given(self) -> dict[str, object]:
        assert self.columns is not None
        c = self.columns
        given: dict[str, object] = {"gold": c.gold}
        if c.preds:
            given["pred"] = c.preds[0] if len(c.preds) == 1 else list(c.preds)
        for flag, *value in map(shlex.split, c.unified):
            given[flag.lstrip("-").replace("-", "_")] = parse_map(value[0]) if value else True
        return given

    def _call(self, name: str, **more: object) -> str:
        assert self.columns is not None
        c = self.columns
        given = self._given() | ({} if c.positive is None else {"positive": c.positive})
        given |= {"missing": "skip"} if c.gaps else {}
        return self._called(name, {**given, **more})

    def _called(self, name: str, given: Mapping[str, object]) -> str:
        assert self.columns is not None
        data = "data" if self.columns.source is None else repr(self.columns.source)
        return f"assay.{name}({', '.join([data, *(f'{key}={value!r}' for key, value in given.items())])})"


def _named(flag: str, columns: Sequence[str]) -> list[Option]:
    """Columns as values of a flag; one with an equals sign needs a name before it, or it would be read as one."""
    return [(flag, f"system{at}={c}" if "=" in c else c) for at, c in enumerate(columns, start=1)]


def _written(flag: str, value: str | None) -> str:
    if value is None:
        return flag
    # A value that begins with a hyphen would be read as a flag.
    return f"{flag}={shlex.quote(value)}" if value.startswith("-") else f"{flag} {shlex.quote(value)}"
