"""Which measures of clusterings, rankings and annotators to report, from what their data are like."""

from __future__ import annotations

from collections.abc import Iterator

from assay.advice.commands import LATER, Piece, Ways, counted, known, measured, perhaps, share, width
from assay.advice.facts import GroupFacts, RankFacts, RaterFacts
from assay.errors import plural
from assay.measures.declare.catalogue import parse
from assay.tally.clusterings import Contingency
from assay.tally.rankings import Ranked

FEW_QUERIES = 50
SKEWED = 0.8  # a share of one category from which on raters agree often by chance
RELIABLE, TENTATIVE = 0.8, 0.667  # Krippendorff's own reading of alpha
MOST_GRADES = 6  # in a sentence


# ---------------------------------------------------------------------- clusterings
def group_pieces(facts: GroupFacts, ways: Ways) -> list[Piece]:
    """Advice for a clustering, hard or soft."""
    rules = (_soft, _largest_shares) if facts.memberships else (_hard, _noise, _by_item)
    return [piece for rule in rules for piece in rule(facts, ways)]


def groups_of(facts: GroupFacts) -> str:
    """How the items divide into classes and groups."""
    (first, most), classes = facts.classes[0], len(facts.classes)
    gold = f"{facts.n:,} items of {classes:,} {'class' if classes == 1 else 'classes'}"
    into = f"shares in {facts.memberships:,} groups" if facts.memberships else plural(len(facts.groups), "group")
    return f"{gold}, the largest “{first}” with {counted(most, facts.n, 'item')}, stand against {into}."


def _hard(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    pairs = facts.n * (facts.n - 1) // 2
    why = (
        f"it compares {pairs:,} pairs of items, needs no match between the names of {len(facts.classes):,} classes and "
        f"{plural(len(facts.groups), 'group')}, and is 0 by chance whatever their sizes."
    )
    if len(facts.groups) in (1, facts.n) and len(facts.classes) not in (1, facts.n):
        trivial = "all items are in one group" if len(facts.groups) == 1 else "every item is a group of its own"
        why += f" Here {trivial}, which it gives 0; purity or its inverse would give 1."
    yield measured("adjusted_rand", why, ways.clustering("adjusted_rand"), _large_groups(facts))


def _large_groups(facts: GroupFacts) -> str:
    within = [rows * (rows - 1) // 2 for _, rows in facts.groups]
    if not sum(within):
        return "large groups have most of the pairs, so small ones hardly count"
    name, rows = facts.groups[0]
    size = counted(rows, sum(n for _, n in facts.groups), "item")
    return (
        f"large groups count most: “{name}” with {size} has {share(within[0], sum(within))} of the pairs within groups"
    )


def _noise(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    if facts.noise is None:
        return
    name, rows = facts.noise
    why = (
        f"“{name}” has {counted(rows, sum(n for _, n in facts.groups), 'item')} and usually means no group at all; as "
        "a group it takes them for alike. Report both values, and this share."
    )
    hides = "leaving noise out flatters a clustering that calls whatever is difficult noise"
    yield Piece("with and without noise", why, None, hides)


def _by_item(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    spelling = known(Contingency, "b_cubed_f1", "bcubed_f1", "b_cubed")
    if spelling is not None:
        why = (
            f"it averages over {facts.n:,} items, not over their pairs, so that a large group counts by its items only."
        )
        yield measured(spelling, why, ways.clustering(spelling), "it is not corrected for chance")


def _soft(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    shares = f"every item has shares in {facts.memberships:,} groups, and it weighs"
    nmpu = known(None, "nmpu", "normalized_modified_purity")
    hides = "splitting a class into several pure groups costs nothing"
    why = f"{shares} by them how far each group holds one class, not counting groups of a single item as pure."
    yield perhaps("nmPU, normalized modified purity", nmpu, why, hides, None)
    nipu = known(None, "nipu", "normalized_inverse_purity")
    hides = "putting everything into one group costs nothing, so read it beside nmPU"
    yield perhaps(
        "niPU, normalized inverse purity", nipu, f"{shares} how far one group gathers each class.", hides, None
    )


def _largest_shares(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    why = "of each item's largest share, it can be compared with that of hard clusterings."
    hides = "what makes this clustering soft is lost"
    yield Piece("Adjusted Rand index of the largest shares", why, "adjusted_rand", hides)


# ---------------------------------------------------------------------- rankings
def rank_pieces(facts: RankFacts, ways: Ways) -> list[Piece]:
    """Advice for rankings, by what relevance looks like."""
    rules = (
        _few_queries,
        _first_only,
        _graded if facts.graded else _binary,
        _user_model,
        _unanswered,
        _unjudged,
        _ties,
    )
    return [piece for rule in rules for piece in rule(facts, ways)]


def rankings_of(facts: RankFacts) -> str:
    """How many queries there are, and how relevant their documents."""
    kind = "graded" if facts.graded else "yes or no"
    return (
        f"{plural(facts.queries, 'query')} have {plural(facts.documents, 'document')}; relevance is {kind} "
        f"({_some(facts.grades)}), and {facts.answered:,} of the queries have a relevant one."
    )


def _few_queries(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if facts.queries >= FEW_QUERIES:
        return
    low, high = width(facts.queries)
    why = (
        f"there are {plural(facts.documents, 'document')} but only {plural(facts.queries, 'query')}, and queries are "
        f"what varies: the 95% interval of a mean of 0.5 may reach from {low:.2f} to {high:.2f} (Wilson, at worst)."
    )
    yield Piece("an interval over queries", why)


def _first_only(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if facts.most_relevant == 1:
        why = "no query has more than one relevant document, so where that one stands is all there is to see."
        hides = "it looks at nothing below the first relevant document"
        yield measured("mean_reciprocal_rank", why, ways.ranking("mean_reciprocal_rank"), hides)


def _binary(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    spelling = known(Ranked, "mean_average_precision", "map", "average_precision")
    why = (
        f"relevance is yes or no ({_some(facts.grades)}), and it looks at all relevant documents of "
        f"{plural(facts.queries, 'query')}, up to {facts.most_relevant:,} for one."
    )
    hides = "what nobody judged counts as not relevant, and few readers go as far down a list as it does"
    yield perhaps("MAP, mean average precision", spelling, why, hides, ways.ranking(spelling))


def _graded(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    spelling = known(Ranked, "ndcg", "ndcg@10")
    why = (
        f"relevance has the grades {_some(facts.grades)}, and it gives a higher grade and an earlier place more weight."
    )
    hides = "its value depends on how gain and discount are defined, so say which"
    yield perhaps("nDCG", spelling, why, hides, ways.ranking(spelling))


def _user_model(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if not facts.graded:
        return
    why = "then a good document is worth less below another good one, which nDCG does not know."
    hides = "it holds as far as readers do what the model says, and hardly sees what stands below a good document"
    models = {
        "ERR, if readers stop at a document that satisfies them": ("err", "expected_reciprocal_rank"),
        "pFound, if readers may also give up at any place": ("pfound", "p_found"),
    }
    for report, spellings in models.items():
        spelling = known(Ranked, *spellings)
        yield perhaps(report, spelling, why, hides, ways.ranking(spelling))


def _unanswered(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    without = facts.queries - facts.answered
    if without:
        why = (
            f"{without:,} of {plural(facts.queries, 'query')} have no relevant document; whether they count as 0 or "
            "are left out changes every mean, so say which."
        )
        yield Piece("queries without a relevant document", why)


def _unjudged(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if facts.unjudged:
        why = (
            f"{counted(facts.unjudged, facts.documents, 'document')} without relevance are usually taken for not "
            "relevant, to the harm of a system that finds what nobody judged."
        )
        yield Piece("how many documents were judged", why)


def _ties(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if facts.tied:
        why = (
            f"{counted(facts.tied, facts.documents, 'document')} with the score of another one of the same query: "
            "trec_eval puts the later document id first, and any other rule changes the values."
        )
        yield Piece("how ties are broken", why)


def _some(grades: tuple[str, ...]) -> str:
    shown = ", ".join(grades[:MOST_GRADES])
    return f"{shown} and {len(grades) - MOST_GRADES:,} more" if len(grades) > MOST_GRADES else shown


# ---------------------------------------------------------------------- annotators
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
