"""Which measures of agreement between raters to report, from what their data are like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.advice.commands import LATER, Piece, Ways, counted, measured, share
from assay.advice.facts import Costs, Sizes, ordered
from assay.errors import plural
from assay.measures.declare.catalogue import parse
from assay.sources.frames import count_rows
from assay.sources.read.table import Table
from assay.sources.recognize import Recognized
from assay.tally.contract.base import Tally
from assay.tally.ratings import Rated

SKEWED = 0.8  # the share of one category at or above which raters often agree by chance
RELIABLE, TENTATIVE = 0.8, 0.667  # how Krippendorff himself interprets alpha


@dataclass(frozen=True)
class RaterFacts:
    """Ratings: units, how often they were rated, and how often each category was chosen."""

    family: ClassVar[str] = "ratings"

    units: int
    raters: int
    ratings: int
    paired: int  # units with two or more ratings
    categories: Sizes
    twice: int = 0  # ratings of a rater who had rated the unit already
    numeric: bool = False

    @property
    def complete(self) -> bool:
        """Whether every rater rated every unit."""
        return self.ratings == self.units * self.raters and not self.twice


def from_table(table: Table, known: Recognized, positive: object | None = None, costs: Costs = None) -> RaterFacts:
    """The facts about a table with ratings."""
    unit, rater = known.column("unit"), known.column("rater")
    if unit is None or rater is None:
        return _raters_in_columns(table, known.columns("rating"))
    rating = known.column("rating")
    assert rating is not None
    texts, counts = count_rows(table, [unit, rater, rating])
    by_unit: Counter[str] = Counter()
    by_pair: Counter[tuple[str, str]] = Counter()
    categories: Counter[str] = Counter()
    for name, who, what, rows in zip(*(texts[c].tolist() for c in (unit, rater, rating)), counts.tolist(), strict=True):
        by_unit[name] += rows * (what is not None)
        if what is not None:
            by_pair[name, who] += rows
            categories[what] += rows
    raters = {who for _, who in by_pair}
    return _rated(Counter(by_unit.values()), len(raters), categories, twice=sum(n - 1 for n in by_pair.values()))


def _raters_in_columns(table: Table, columns: tuple[str, ...]) -> RaterFacts:
    texts, counts = count_rows(table, columns)
    units: Counter[int] = Counter()
    categories: Counter[str] = Counter()
    for *row, rows in zip(*(texts[column].tolist() for column in columns), counts.tolist(), strict=True):
        given = [text for text in row if text is not None]
        units[len(given)] += rows
        for text in given:
            categories[text] += rows
    return _rated(units, len(columns), categories)


def _rated(sizes: Mapping[int, int], raters: int, categories: Counter[str], twice: int = 0) -> RaterFacts:
    """The facts, from the number of units by their number of ratings."""
    return RaterFacts(
        units=sum(sizes.values()),
        raters=raters,
        ratings=sum(n * units for n, units in sizes.items()),
        paired=sum(units for n, units in sizes.items() if n > 1),
        categories=ordered(categories),
        twice=twice,
        numeric=bool(categories) and all(_is_number(label) for label in categories),
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def from_tally(tally: Tally, costs: Costs = None, systems: int = 1) -> RaterFacts | None:
    """The same facts from a tally."""
    if not isinstance(tally, Rated):
        return None
    rated = tally.pattern.sum(axis=1)
    chosen = tally.counts @ tally.pattern
    categories = Counter(dict(zip(tally.categories, chosen.tolist(), strict=True)))
    sizes: Counter[int] = Counter()
    for n, units in zip(rated.tolist(), tally.counts.tolist(), strict=True):
        sizes[n] += units
    return _rated(sizes, max(sizes, default=0), categories)


def pieces(facts: RaterFacts, ways: Ways) -> list[Piece]:
    """Advice for ratings."""
    return [piece for rule in (_alpha, _alone, _skew, _scale, _twice) for piece in rule(facts, ways)]


def told(facts: RaterFacts) -> str:
    """How many raters, ratings, units and categories there are."""
    return (
        f"{plural(facts.raters, 'rater')} gave {plural(facts.ratings, 'rating')} to {plural(facts.units, 'unit')} in "
        f"{plural(len(facts.categories), 'category')}."
    )


def _alpha(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    gaps = "every rater rated every unit" if facts.complete else "not every rater rated every unit, which it allows for"
    why = (
        f"it covers {plural(facts.raters, 'rater')} together and is 0 by chance; {facts.paired:,} of "
        f"{plural(facts.units, 'unit')} have two or more ratings, and {gaps}. At {RELIABLE:g} or more it is usually "
        f"called reliable, at {TENTATIVE:g} or more enough for tentative conclusions."
    )
    hides = "raters who agree need not be right, and it does not show which rater or unit stands out"
    yield measured("krippendorff_alpha", why, ways.agreement(), hides)


def _alone(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    alone = facts.units - facts.paired
    if alone:
        why = f"nothing about agreement can be learned from {counted(alone, facts.units, 'unit')}."
        yield Piece("units with fewer than two ratings", why)


def _skew(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    if not facts.categories or facts.categories[0][1] < SKEWED * facts.ratings:
        return
    label, chosen = facts.categories[0]
    by_chance = sum(rows**2 for _, rows in facts.categories)
    why = (
        f"“{label}” has {counted(chosen, facts.ratings, 'rating')}: two raters choosing blindly at these rates would "
        f"agree on {share(by_chance, facts.ratings**2)} of units, so raw agreement can look high even if alpha is low."
    )
    yield Piece("how often each category was chosen", why)


def _scale(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    if not facts.numeric or len(facts.categories) < 3:
        return
    options = parse("krippendorff_alpha")[0].options
    choice = next((name for name in ("level", "distance", "metric", "scale") if name in options), None)
    remedy = f"{choice}= chooses another" if choice else f"alpha for ordered or measured categories is {LATER}"
    labels = sorted((label for label, _ in facts.categories), key=float)
    why = (
        f"the categories are numbers from {labels[0]} to {labels[-1]}; nominal alpha treats neighbors as being as "
        f"different as the two ends, and {remedy}."
    )
    yield Piece("the scale of the categories", why)


def _twice(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    if facts.twice:
        why = f"{plural(facts.twice, 'rating')} of a unit by a rater who had already rated it; keep one of each."
        yield Piece("duplicate ratings", why)
