"""Which measures of rankings to report, from what their data are like."""

from __future__ import annotations

from collections.abc import Iterator

from assay.advice.commands import Piece, Ways, counted, known, measured, perhaps, width
from assay.advice.facts import RankFacts
from assay.advice.rules.declare import Known, rules
from assay.errors import plural
from assay.sources.recognize import RANKING
from assay.tally.rankings import Ranked

FEW_QUERIES = 50
MOST_GRADES = 6  # in a sentence


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


# ---------------------------------------------------------------------- from a tally
def facts_of(tally: Ranked, _: Known) -> RankFacts:
    """Queries, their documents and the grades of these."""
    lists = [tally.lists[i] for i in tally.keys["list"]]
    relevant = [sum(grade > 0 for grade in one) for one in lists]
    grades = tuple(f"{grade:g}" for grade in sorted({grade for one in lists for grade in one}))
    documents = sum(len(one) for one in lists)
    return RankFacts(tally.n, documents, grades, sum(n > 0 for n in relevant), max(relevant, default=0))


rules(RankFacts, RANKING, rank_pieces, rankings_of, {Ranked: facts_of})
