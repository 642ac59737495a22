"""The tallies of every system: one of each kind that its answers allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from assay.errors import DataError, a_type, listed
from assay.lazily import load_families
from assay.tally.contract.base import Tally

T = TypeVar("T", bound=Tally)
Given = Mapping[str, Tally | Sequence[Tally] | Mapping[str, Tally]]


def tally_kinds() -> dict[str, type[Tally]]:
    """Every kind of tally by the name it is stored under, including those declared elsewhere."""
    load_families("tally")
    return {kind.kind: kind for kind in sorted(Tally.__subclasses__(), key=lambda kind: kind.kind)}


class Systems(Mapping[str, Tally]):
    """System → kind → tally. As a mapping it gives each system's main tally, which is the first of them."""

    def __init__(self, tallies: Given) -> None:
        held = tallies.kinds if isinstance(tallies, Systems) else tallies
        self.kinds: dict[str, dict[str, Tally]] = {name: _by_kind(name, each) for name, each in held.items()}

    def __getitem__(self, name: str) -> Tally:
        return next(iter(self.kinds[name].values()))

    def __iter__(self) -> Iterator[str]:
        return iter(self.kinds)

    def __len__(self) -> int:
        return len(self.kinds)

    def __eq__(self, other: object) -> bool:
        return self.kinds == other.kinds if isinstance(other, Systems) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # compared by content

    def __repr__(self) -> str:
        told = (f"{name!r}: {listed(each)}" for name, each in self.kinds.items())
        return f"<Systems {', '.join(told)}>"

    def held(self, name: str) -> tuple[Tally, ...]:
        """Every tally of a system, the main one first."""
        return tuple(self.kinds[name].values())

    def every(self) -> Iterator[tuple[str, Tally]]:
        """Every tally with the name of its system."""
        return ((name, tally) for name, each in self.kinds.items() for tally in each.values())

    def of(self, name: str, kind: type[T]) -> T | None:
        """A system's tally of one kind, if it has one."""
        return next((tally for tally in self.held(name) if isinstance(tally, kind)), None)

    def each(self, kind: type[T]) -> dict[str, T]:
        """The tally of one kind of every system that has one."""
        return {name: tally for name, tally in self.every() if isinstance(tally, kind)}

    def mapped(self, change: Callable[[str, Tally], Tally]) -> Systems:
        """The same with a function applied to every tally, given the name of its system."""
        every = self.kinds.items()
        return Systems({name: [change(name, tally) for tally in each.values()] for name, each in every})

    def with_kinds_of(self, other: Systems) -> Systems:
        """Only the kinds of tallies that the same systems have there too."""

        def kept(name: str, each: Mapping[str, Tally]) -> list[Tally]:
            return [tally for kind, tally in each.items() if kind in other.kinds[name]]

        return Systems({name: kept(name, each) for name, each in self.kinds.items()})

    def __add__(self, other: Systems) -> Systems:
        """The sum of two shards, which have the same systems and kinds."""
        return self.mapped(lambda name, tally: tally + other.kinds[name][tally.kind])

    def mixed(self) -> str | None:
        """A system of each family in words, if there are several families."""
        first: dict[str, str] = {}
        for name, tally in self.every():
            first.setdefault(tally.judged_by or tally.kind, name)
        return " and ".join(f"'{name}' by {kind}" for kind, name in first.items()) if len(first) > 1 else None


def not_held(name: str, kind: type[Tally], held: Sequence[Tally]) -> DataError:
    """An error that a system was not counted as this kind, with what it was counted as."""
    came = listed(dict.fromkeys(tally.kind for tally in held)) or "nothing"
    return DataError(f"'{name}' was counted as {came}; what was asked for needs a '{kind.kind}' tally.")


def _by_kind(name: str, given: Any) -> dict[str, Tally]:
    several = given.values() if isinstance(given, Mapping) else given
    out: dict[str, Tally] = {}
    for tally in several if isinstance(given, Mapping | list | tuple) else [given]:
        if not isinstance(tally, Tally):
            raise DataError(
                f"the counts of '{name}' are {a_type(tally)}; expected a tally: "
                f"{listed(kind.__name__ for kind in tally_kinds().values())}."
            )
        if tally.kind in out:
            raise DataError(f"'{name}' has two {tally.kind} tallies; give one of each kind.")
        out[tally.kind] = tally
    if not out:
        raise DataError(f"there is no tally for '{name}'; give one.")
    return out
