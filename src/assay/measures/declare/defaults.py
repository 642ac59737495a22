"""Which measures are shown when nobody asks for particular ones, as each family declares."""

from __future__ import annotations

from assay.errors import DataError
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.family import family_of
from assay.tally.contract.base import Tally


def default_measures(tally: Tally) -> tuple[str, ...]:
    """Spellings for this tally; a measure of classes without an average is shown for every class."""
    every = catalogue()  # with it, every family is declared
    declared = family_of(tally)
    if declared is not None and declared.usual is not None:
        return tuple(declared.usual(tally))
    shown = tuple(name for name, measure in every.items() if measure.reads_from(tally))
    if not shown:
        raise DataError(f"no measure is computed from a {tally.kind} tally; declare one that reads its evidence.")
    return shown


def slice_measures(tally: Tally) -> tuple[str, ...]:
    """Those compared between groups."""
    usual, declared = default_measures(tally), family_of(tally)
    return usual if declared is None or declared.sliced is None else tuple(declared.sliced(tally))


def primary_measure(tally: Tally) -> str:
    """The one named in the first sentence."""
    usual, declared = default_measures(tally), family_of(tally)
    return usual[0] if declared is None or declared.primary is None else declared.primary(tally)
