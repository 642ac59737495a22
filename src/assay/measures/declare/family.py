"""The one declaration of a family: its tally, how that is built from data, its evidence, and what is shown of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import DataError, OptionError, listed
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.systems import not_held


@dataclass(frozen=True)
class Family:
    """What a kind of tally is built by and which measures are shown of it.

    What is left out has a default: every measure that reads the tally is shown, of groups as well, and the first of
    them is the primary one.
    """

    kind: type[Tally]
    builder: str  # the method that builds it from arrays
    evidence: tuple[type[Evidence], ...] = ()
    usual: Callable[[Any], Sequence[str]] | None = None  # the measures shown when nobody asks for particular ones
    primary: Callable[[Any], str] | None = None  # the one in the first sentence, which is tested
    sliced: Callable[[Any], Sequence[str]] | None = None  # those compared between groups
    # The option of the command line that names such answers, and what is said to a system that has none of them,
    # from its name and the tallies that it has.
    named_by: str = ""
    lacked: Callable[[str, Sequence[Tally]], str | None] | None = None


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

    `instead_of` names the kinds in whose place it is built where a system's answers have the shape asked for.
    """
    made = FAMILIES[kind] = Family(kind, builder, evidence, **shown)
    KINDS.update(dict.fromkeys(evidence, kind))
    for usual, fits in (instead_of or {}).items():
        INSTEAD.setdefault(usual, {})[kind] = fits
    return made


def family_of(tally: Tally) -> Family | None:
    """The declaration of a tally's kind, where there is one."""
    return next((FAMILIES[kind] for kind in type(tally).__mro__ if kind in FAMILIES), None)


def lacking(name: str, kind: type[Tally], held: Sequence[Tally]) -> DataError:
    """What a system does not give, beside what it gives, and how it would."""
    declared = FAMILIES.get(kind)
    if declared is not None and declared.lacked is not None and all(kind.goes_with(tally) for tally in held):
        said = declared.lacked(name, held)
        if said is not None:
            return DataError(said)
    return not_held(name, kind, held)


def kind_for(measure: Any, *data: Any) -> type[Tally]:
    """The kind of tally that a measure is read of where the data are such."""
    if len(data) == 1 and isinstance(data[0], Tally):
        return type(data[0])
    for kind, fits in INSTEAD.get(measure.kind, {}).items():
        fit = [fits(answers) for answers in data[1:]] if kind in measure.variants else []
        if any(fit) and not all(fit):
            raise DataError(
                f"one system has a row of scores for each item, one for each class, and the other has not; "
                f"{measure.name} compares systems by the same sort of answer (scores are floats)."
            )
        if any(fit):
            return kind
    usual: type[Tally] = measure.kind
    return usual


def build(measure: Any, *data: Any, **options: Any) -> Any:
    """A tally of the measure's kind from the user's own arrays."""
    if len(data) == 1 and isinstance(data[0], Tally):
        return data[0]
    kind = kind_for(measure, *data)
    maker = getattr(kind, FAMILIES[kind].builder)
    known = inspect.signature(maker).parameters
    needed = [name for name, p in known.items() if p.default is p.empty]
    if len(data) != len(needed):
        raise OptionError(f"{measure.name} takes {listed(needed)}; {len(data)} came.")
    strangers = [name for name in options if name not in known]
    if strangers:
        optional = [*measure.variants.get(kind, measure).options, *(name for name in known if name not in needed)]
        raise OptionError(f"{measure.name} has no option {strangers[0]!r}; its options are {listed(optional)}.")
    return maker(*data, **options)
