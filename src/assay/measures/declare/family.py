"""The one declaration of a family: its tally, how it is built from data, its evidence, and what is shown."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import DataError, OptionError, did_you_mean, listed
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.codes import spelled
from assay.tally.contract.systems import not_held
from assay.tally.labels import CONVENTIONAL, Confusion


@dataclass(frozen=True)
class Family:
    """How a kind of tally is built, and which of its measures are shown.

    What is left out has a default: every measure that reads the tally is shown, for groups too, and the first is
    the primary one.
    """

    kind: type[Tally]
    builder: str  # the method that builds it from arrays
    evidence: tuple[type[Evidence], ...] = ()
    usual: Callable[[Any], Sequence[str]] | None = None  # the measures shown by default
    primary: Callable[[Any], str] | None = None  # the one that is tested and named in the first sentence
    sliced: Callable[[Any], Sequence[str]] | None = None  # the ones compared between groups
    # The command-line option that names such answers, and the message for a system that has none of them,
    # from its name and the tallies that it has.
    named_by: str = ""
    lacked: Callable[[str, Sequence[Tally]], str | None] | None = None


IN_ROWS = "in_rows"  # the method that builds a kind of tally with a unit for every row, if its evidence needs no order
MOST_UNSORTED = 1 << 26  # items; sums over pairs of them are exact in any order

FAMILIES: dict[type[Tally], Family] = {}
KINDS: dict[type[Evidence], type[Tally]] = {}  # the kind of tally that each sort of evidence is read from
INSTEAD: dict[type[Tally], dict[type[Tally], Callable[[Any], bool]]] = {}  # of the first kind, where answers are such


def family(
    kind: type[Tally],
    builder: str,
    *evidence: type[Evidence],
    instead_of: Mapping[type[Tally], Callable[[Any], bool]] | None = None,
    **shown: Any,
) -> Family:
    """Declare a kind of tally: how it is built from data, which evidence is read from it, and what is shown of it.

    `instead_of` names the kinds that it replaces if a system's answers have the required shape.
    """
    made = FAMILIES[kind] = Family(kind, builder, evidence, **shown)
    KINDS.update(dict.fromkeys(evidence, kind))
    for usual, fits in (instead_of or {}).items():
        INSTEAD.setdefault(usual, {})[kind] = fits
    return made


def family_of(tally: Tally) -> Family | None:
    """The declaration of a tally's kind, if there is one."""
    return next((FAMILIES[kind] for kind in type(tally).__mro__ if kind in FAMILIES), None)


def lacking(name: str, kind: type[Tally], held: Sequence[Tally]) -> DataError:
    """What a system lacks, given what it has, and how to supply it."""
    declared = FAMILIES.get(kind)
    if declared is not None and declared.lacked is not None and all(kind.goes_with(tally) for tally in held):
        said = declared.lacked(name, held)
        if said is not None:
            return DataError(said)
    return not_held(name, kind, held)


def kind_for(measure: Any, *data: Any) -> type[Tally]:
    """The kind of tally that a measure is computed from for such data."""
    if len(data) == 1 and isinstance(data[0], Tally):
        return type(data[0])
    for kind, fits in INSTEAD.get(measure.kind, {}).items():
        fit = [fits(answers) for answers in data[1:]] if kind in measure.variants else []
        if any(fit) and not all(fit):
            raise DataError(
                f"one system has a row of scores for each item, one score per class, and the other does not; "
                f"{measure.name} compares systems that give the same kind of answer (scores are floats)."
            )
        if any(fit):
            return kind
    usual: type[Tally] = measure.kind
    return usual


def positional(maker: Callable[..., Any]) -> list[str]:
    """The data that a tally is built from, in order: what is needed, and what may be left out."""
    known = inspect.signature(maker).parameters.values()
    return [p.name for p in known if p.kind is p.POSITIONAL_OR_KEYWORD]


def _not_called_so(name: str, needed: Sequence[str], data: Sequence[Any]) -> str:
    """That a measure was called with too few or too many arrays, or as a scorer is called."""
    if any(hasattr(each, "predict") for each in data):
        return (
            f"{name} takes {' and '.join(needed)}; it was given a model. To score models, use "
            f"sklearn.metrics.make_scorer(assay.{name}), or the scorers of assay.scorers('{name}')."
        )
    few = {
        0: "no array was given",
        1: "only one array was given",
        2: "two arrays were given",
        3: "three arrays were given",
    }
    given = few.get(len(data), f"{len(data)} arrays were given")
    return f"{name} takes {' and '.join(needed)}; {given}."


def refuse_no_probabilities(why: str, name: str) -> None:
    """Refuse scores that a measure of probabilities cannot take; any other value that is undefined stays nan."""
    if "probabilities" in why:
        raise DataError(
            f"{name} needs probabilities, but {why}. Calibrate the scores, or choose a measure of their order, such as "
            "roc_auc."
        )


def in_pair(tally: Tally, pos_label: object | None = None) -> Tally:
    """The tally over both of two conventional labels if only one of them was seen, as in a fold of rare positives."""
    if not isinstance(tally, Confusion) or tally.k != 1:
        return tally
    named = set(tally.labels) if pos_label is None else {*tally.labels, spelled(pos_label)}
    pair = next((pair for pair in CONVENTIONAL if named <= set(pair)), None)
    return tally if pair is None else tally.relabeled(pair)


def build(measure: Any, *data: Any, once: bool = False, **options: Any) -> Any:
    """A tally of the measure's kind from the user's arrays.

    For one value, a measure that is the same in any order of units does not need equal ones to be found and merged.
    """
    if len(data) == 1 and isinstance(data[0], Tally):
        return data[0]
    kind = kind_for(measure, *data)
    maker = getattr(kind, FAMILIES[kind].builder)
    known = inspect.signature(maker).parameters
    needed = [name for name, p in known.items() if p.default is p.empty]
    if not len(needed) <= len(data) <= len(positional(maker)):
        raise OptionError(_not_called_so(measure.name, needed, data))
    strangers = [name for name in options if name not in known]
    if strangers:
        optional = [*measure.variants.get(kind, measure).options, *(name for name in known if name not in needed)]
        optional = list(dict.fromkeys(optional))
        hint = did_you_mean(strangers[0], optional, "{}=")
        raise OptionError(f"{measure.name} has no option {strangers[0]!r}; its options are {listed(optional)}.{hint}")
    if once and measure.variants.get(kind, measure).evidence.in_any_order:
        made = getattr(kind, IN_ROWS)(*data, **options)
        return made if made.weights is None and len(made.counts) < MOST_UNSORTED else made.collected()
    return maker(*data, **options)
