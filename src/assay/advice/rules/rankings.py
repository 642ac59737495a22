"""Which measures of rankings to report, from what their data are like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

import numpy as np

from assay.advice.commands import Piece, Ways, counted, known, perhaps, width
from assay.advice.facts import Costs
from assay.errors import DataError, plural
from assay.sources.frames import count_rows
from assay.sources.read.table import Table
from assay.sources.recognize import Recognized
from assay.tally.contract.base import Tally
from assay.tally.rankings import Ranked

FEW_QUERIES = 50
MOST_GRADES = 6  # in a sentence


@dataclass(frozen=True)
class RankFacts:
    """A ranking's data: queries, their documents, and the grades of these."""

    family: ClassVar[str] = "rankings"

    queries: int
    documents: int
    grades: tuple[str, ...]
    answered: int  # queries with a relevant document
    most_relevant: int  # relevant documents of the query that has the most
    unjudged: int = 0
    tied: int = 0  # documents that share their score with another of the same query

    @property
    def graded(self) -> bool:
        """Whether relevance is more than yes or no."""
        return len(self.grades) > 2 or any(_grade(grade) > 1 for grade in self.grades)


def from_table(table: Table, known: Recognized, positive: object | None = None, costs: Costs = None) -> RankFacts:
    """The facts about a table with rankings."""
    query, relevance = known.column("query"), known.column("relevance")
    assert query is not None
    assert relevance is not None
    texts, counts = count_rows(table, [query, relevance])
    by_query: dict[str, int] = {}
    grades: set[str] = set()
    unjudged = 0
    for name, grade, rows in zip(texts[query].tolist(), texts[relevance].tolist(), counts.tolist(), strict=True):
        relevant = grade is not None and _grade(grade) > 0
        by_query[name] = by_query.get(name, 0) + rows * relevant
        grades |= set() if grade is None else {grade}
        unjudged += rows * (grade is None)
    if not grades:
        raise DataError(
            f"{table.name}: '{relevance}' is empty in every row; it should hold the relevance of each document."
        )
    tied = 0
    if known.column("score") is not None:
        together = count_rows(table, [query, str(known.column("score"))])[1]
        tied = int(together[together > 1].sum())
    return RankFacts(
        queries=len(by_query),
        documents=int(counts.sum()),
        grades=tuple(sorted(grades, key=lambda grade: (_grade(grade), grade))),
        answered=sum(n > 0 for n in by_query.values()),
        most_relevant=max(by_query.values()),
        unjudged=unjudged,
        tied=tied,
    )


def _grade(text: str) -> float:
    """The grade as a number; words count as relevant unless they say no."""
    try:
        return float(text)
    except ValueError:
        return 0.0 if text.strip().lower() in ("no", "false", "irrelevant", "not relevant") else 1.0


def from_tally(tally: Tally, costs: Costs = None, systems: int = 1) -> RankFacts | None:
    """The same facts from a tally."""
    if not isinstance(tally, Ranked):
        return None
    lists = tally.lists.of(tally.keys["list"])
    grades = tuple(f"{grade:g}" for grade in np.unique(lists.pool_grade).tolist())
    relevant = lists.relevant_judged
    return RankFacts(
        queries=tally.n,
        documents=int(lists.retrieved.sum()),
        grades=grades,
        answered=int((relevant > 0).sum()),
        most_relevant=int(relevant.max(initial=0)),
        unjudged=int((lists.retrieved - lists.found.lengths).sum()),
        tied=int(lists.tied.columns[1].sum()),
    )


def pieces(facts: RankFacts, ways: Ways) -> list[Piece]:
    """Advice for rankings, depending on the kind of relevance."""
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


def told(facts: RankFacts) -> str:
    """How many queries and documents there are, and what relevance looks like."""
    kind, is_are = "graded" if facts.graded else "yes or no", "is" if facts.queries == 1 else "are"
    return (
        f"There {is_are} {plural(facts.queries, 'query')} with {plural(facts.documents, 'document')}; relevance is "
        f"{kind} ({_some(facts.grades)}), and {facts.answered:,} of the queries have a relevant document."
    )


def _few_queries(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if facts.queries >= FEW_QUERIES:
        return
    low, high = width(facts.queries)
    why = (
        f"there are {plural(facts.documents, 'document')} but only {plural(facts.queries, 'query')}, and queries are "
        f"what is sampled: the 95% interval for a mean of 0.5 can go from {low:.2f} to {high:.2f} (Wilson, worst case)."
    )
    yield Piece("an interval over queries", why)


def _first_only(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if facts.most_relevant == 1:
        why = "no query has more than one relevant document, so its rank is all there is to measure."
        hides = "it ignores everything below the first relevant document"
        yield perhaps("RR, mean reciprocal rank", "rr", why, hides, _how(facts, ways, "rr"))


def _binary(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    spelling = known(Ranked, "ap")
    why = (
        f"relevance is yes or no ({_some(facts.grades)}), and it uses all relevant documents of "
        f"{plural(facts.queries, 'query')}, up to {facts.most_relevant:,} for one."
    )
    hides = "unjudged documents count as not relevant, and few readers go as far down a list as it does"
    yield perhaps("MAP, mean average precision", spelling, why, hides, _how(facts, ways, spelling))


def _graded(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    spelling = known(Ranked, "ndcg", "ndcg@10")
    why = (
        f"relevance has the grades {_some(facts.grades)}, and it gives more weight to higher grades and earlier ranks."
    )
    hides = "its value depends on how gain and discount are defined, so say which"
    yield perhaps("nDCG", spelling, why, hides, _how(facts, ways, spelling))


def _user_model(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if not facts.graded:
        return
    why = "then a good document is worth less below another good one, which nDCG ignores."
    hides = "it is only as good as its model of readers, and hardly reflects what comes after a good document"
    models = {
        "ERR, if readers stop at a document that satisfies them": "err",
        "pFound, if readers may also give up at any rank": "pfound",
    }
    for report, name in models.items():
        spelling = known(Ranked, name)
        yield perhaps(report, spelling, why, hides, _how(facts, ways, spelling))


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
            f"{counted(facts.unjudged, facts.documents, 'document')} without a judgment usually count as not relevant, "
            "which penalizes a system that finds what nobody judged."
        )
        yield Piece("how many documents were judged", why)


def _ties(facts: RankFacts, ways: Ways) -> Iterator[Piece]:
    if facts.tied:
        why = (
            f"{counted(facts.tied, facts.documents, 'document')} share a score with another one of the same query: "
            "trec_eval puts the later document id first, and any other rule changes the values."
        )
        yield Piece("how ties are broken", why)


def _how(facts: RankFacts, ways: Ways, spelling: str | None) -> str | None:
    """How to get the measure, if every document has a grade that is a number."""
    return None if facts.unjudged or not all(map(_is_number, facts.grades)) else ways.ranking(spelling)


def _is_number(grade: str) -> bool:
    try:
        return isfinite(float(grade))
    except ValueError:
        return False


def _some(grades: tuple[str, ...]) -> str:
    shown = ", ".join(grades[:MOST_GRADES])
    return f"{shown} and {len(grades) - MOST_GRADES:,} more" if len(grades) > MOST_GRADES else shown
