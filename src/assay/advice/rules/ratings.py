"""Which measures of annotators to report, from what their data are like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.advice.commands import LATER, Piece, Ways, counted, measured, share
from assay.advice.facts import RaterFacts, rated
from assay.advice.rules.declare import Known, rules
from assay.errors import plural
from assay.measures.declare.catalogue import parse
from assay.sources.recognize import ANNOTATION
from assay.tally.ratings import Rated

SKEWED = 0.8  # a share of one category from which on raters agree often by chance
RELIABLE, TENTATIVE = 0.8, 0.667  # Krippendorff's own reading of alpha


def rater_pieces(facts: RaterFacts, ways: Ways) -> list[Piece]:
    """Advice for annotators."""
    return [piece for rule in (_alpha, _alone, _skew, _scale, _twice) for piece in rule(facts, ways)]


def ratings_of(facts: RaterFacts) -> str:
    """How many rated how much."""
    return (
        f"{plural(facts.raters, 'rater')} gave {plural(facts.ratings, 'rating')} to {plural(facts.units, 'unit')} in "
        f"{plural(len(facts.categories), 'category')}."
    )


def _alpha(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    gaps = "everyone rated everything" if facts.complete else "not everyone rated everything, which it allows for"
    why = (
        f"it takes {plural(facts.raters, 'rater')} together and is 0 by chance; of {plural(facts.units, 'unit')} "
        f"{facts.paired:,} have two ratings or more, and {gaps}. From {RELIABLE:g} up it is usually called reliable, "
        f"from {TENTATIVE:g} enough for tentative conclusions."
    )
    hides = "raters who agree need not be right, and it does not show which rater or unit is the odd one"
    yield measured("krippendorff_alpha", why, ways.agreement(), hides)


def _alone(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    alone = facts.units - facts.paired
    if alone:
        why = f"{counted(alone, facts.units, 'unit')} with fewer than two ratings say nothing of agreement."
        yield Piece("units that one rater rated", why)


def _skew(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    if not facts.categories or facts.categories[0][1] < SKEWED * facts.ratings:
        return
    label, chosen = facts.categories[0]
    by_chance = sum(rows**2 for _, rows in facts.categories)
    why = (
        f"“{label}” is {counted(chosen, facts.ratings, 'rating')}: two raters who chose at these rates without looking "
        f"would agree in {share(by_chance, facts.ratings**2)}, so plain agreement looks high where alpha may be low."
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
        f"the categories are numbers from {labels[0]} to {labels[-1]}; nominal alpha takes neighbors for as different "
        f"as the two ends, and {remedy}."
    )
    yield Piece("on which scale the categories lie", why)


def _twice(facts: RaterFacts, ways: Ways) -> Iterator[Piece]:
    if facts.twice:
        why = f"{plural(facts.twice, 'rating')} of a unit by someone who had rated it before; keep one of each."
        yield Piece("ratings given twice", why)


# ---------------------------------------------------------------------- from a tally
def facts_of(tally: Rated, _: Known) -> RaterFacts:
    """Units, how often they were rated, and how often each category was chosen."""
    chosen = tally.counts @ tally.pattern
    categories = Counter(dict(zip(tally.categories, chosen.tolist(), strict=True)))
    sizes: Counter[int] = Counter()
    for n, units in zip(tally.pattern.sum(axis=1).tolist(), tally.counts.tolist(), strict=True):
        sizes[n] += units
    return rated(sizes, max(sizes, default=0), categories)


rules(RaterFacts, ANNOTATION, rater_pieces, ratings_of, {Rated: facts_of})
