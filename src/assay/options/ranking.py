"""The options of `rank`, declared once."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from assay.options.evaluating import Drawing, Matched, Primary, Sided
from assay.options.option import Option, Stored

MISSING_QUERIES = ("zero", "skip")
NO_RELEVANT = ("skip", "zero")
QUERY_TESTS = ("auto", "randomization", "t", "wilcoxon", "sign", "bootstrap", "interval", "none")
# Of all methods, those that messages name.
QUERY_METHODS = ("auto", "bounded_t", "percentile", "basic", "bca", "studentized", "jackknife")


class Judging(TypedDict, total=False):
    """Which columns play which role, and how queries and documents count."""

    query: Annotated[
        str | None,
        Option(None, "Column of the query in tables; needed unless it is called query, qid or topic.", Stored.TEXT),
    ]
    document: Annotated[
        str | None,
        Option(None, "Column of the document; needed unless it is called document, doc_id or docno.", Stored.TEXT),
    ]
    relevance: Annotated[
        str | None,
        Option(None, "Column of the judgments' grades; needed unless it is called relevance or grade.", Stored.TEXT),
    ]
    score: Annotated[
        str | None, Option(None, "Column of the runs' scores; needed unless it is called score.", Stored.TEXT)
    ]
    relevant_from: Annotated[
        float | None,
        Option(
            None, "Lowest grade of a relevant document, for measures without grades (default: above 0).", Stored.NUMBER
        ),
    ]
    no_relevant: Annotated[
        str,
        Option(
            "skip",
            "Queries without a relevant document: leave them out, or count them as 0.",
            Stored.TEXT,
            choices=NO_RELEVANT,
        ),
    ]
    missing: Annotated[
        str,
        Option(
            "zero",
            "Judged queries missing from a run: count them as 0, or leave out those that any run lacks.",
            Stored.TEXT,
            choices=MISSING_QUERIES,
        ),
    ]
    judged_only: Annotated[bool, Option(False, "Take unjudged documents out of the lists first.", Stored.FLAG)]
    ties: Annotated[
        bool,
        Option(
            False,
            "Also show each measure with documents of equal scores in the worst and the best order, and its mean over "
            "all orders.",
            Stored.FLAG,
        ),
    ]


class Attributes(TypedDict, total=False):
    """What else is known of the queries, and whether they are named."""

    query_attributes: Annotated[
        Any,
        Option(None, "Table with a row for each query: its attributes, such as its kind or topic.", Stored.FILE),
    ]
    slices: Annotated[
        str | Sequence[str],
        Option(
            (),
            "Attribute whose groups of queries are compared; repeat for more.",
            Stored.TEXTS,
            python="Attribute whose groups of queries are compared, or several in a list.",
            flag="slice",
        ),
    ]
    cluster: Annotated[
        str | None,
        Option(None, "Attribute that says which queries form a cluster, such as topics or users.", Stored.TEXT),
    ]
    show_queries: Annotated[bool, Option(False, "Name queries on pages and in charts.", Stored.FLAG)]


class RankMeasures(TypedDict, total=False):
    """Which measures are shown. A measure's own type belongs to a higher layer, so functions name it themselves."""

    measures: Annotated[
        Any,
        Option(
            None,
            "A measure such as ndcg@10 or ap; repeat for more.",
            Stored.MEASURES,
            python="A measure such as 'ndcg@10' or 'ap', or several in a list.",
            flag="measure",
        ),
    ]


class QueryTest(Sided, total=False):
    """How two runs are compared, query by query."""

    test: Annotated[
        str,
        Option(
            "auto",
            "The test: auto, randomization (of queries), t, wilcoxon, sign, bootstrap, interval, none.",
            Stored.TEXT,
        ),
    ]


RANK = (Judging, Attributes, RankMeasures, Primary, Matched, QueryTest, Drawing)


class Ranking(Judging, Attributes, Matched, QueryTest, Drawing, total=False):
    """The options of `rank` that it passes on."""
