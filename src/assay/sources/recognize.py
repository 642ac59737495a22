"""What a table holds: answers of classifiers, a clustering, rankings or ratings; and which column plays which role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.errors import DataError, listed, plural
from assay.sources.columns import (
    ALIASES,
    CLUSTERS,
    DOCUMENTS,
    GOLDS,
    QUERIES,
    RANKS,
    RATERS,
    RATINGS,
    RELEVANCES,
    UNITS,
    called,
    compact,
    find,
    named_like_member,
    named_like_rater,
    words,
)
from assay.sources.frames import count_rows
from assay.sources.inspect import ColumnFacts, Difference, Inspection, inspect_table, several_golds
from assay.sources.magnitudes import Scores, find_scores, histograms, numbers, numbers_of, rows_not_adding_up
from assay.sources.read.table import Table
from assay.texts import likeness

CLASSIFICATION, CLUSTERING, RANKING, ANNOTATION = "classification", "clustering", "ranking", "annotation"
MOST_RATERS = 200  # columns of raters that are examined together
MOST_CATEGORIES = 8  # in columns that look like raters' only by their labels
MOST_CLASSES = 20  # of gold labels that are fractions; more of them are measurements

NAMED = (*ALIASES["gold"], *ALIASES["pred"], *GOLDS, *CLUSTERS)
BY_OPTION, BY_NAME, BY_LABELS = "as given", "by its name", "by its labels"


@dataclass(frozen=True)
class Role:
    """A column, the role it plays, and how that is known."""

    column: str
    role: str
    by: str = BY_NAME
    sure: bool = True


@dataclass(frozen=True)
class Recognized:
    """The family, the roles of the columns, and what a user should know about how they were found.

    Without a family, `doubts` says what is missing.
    """

    family: str | None
    roles: tuple[Role, ...] = ()
    scores: tuple[Scores, ...] = ()
    doubts: tuple[str, ...] = ()
    found: Inspection | None = None

    def columns(self, role: str) -> tuple[str, ...]:
        """The columns with this role."""
        return tuple(each.column for each in self.roles if each.role == role)

    def column(self, role: str) -> str | None:
        """The first column with this role, if there is one."""
        return next(iter(self.columns(role)), None)


def recognize(
    table: Table,
    *,
    gold: str | None = None,
    preds: Sequence[str] = (),
    scores: Sequence[str] = (),
    classes: bool = False,
) -> Recognized:
    """What the table holds; given columns play the role they are given for.

    With `classes` it is known to hold classes, because one of them was named or errors have costs.
    """
    for role, some in (("gold", [gold] if gold else []), ("pred", preds), ("score", scores)):
        for column in some:
            find(role, table.columns, column, source=table.name)
    ranking = None if preds or classes else _ranking(table, gold, scores)
    if ranking is not None:
        return ranking
    found = None
    if not (gold or preds or scores or classes):
        rated = _triples(table) or _named_raters(table)
        if rated is None and not any(_is(c, NAMED) for c in table.columns):
            found = inspect_table(table)
            rated = _raters(found)
        if rated is not None:
            return rated
    return _labeled(table, gold, preds, scores, found)


# ---------------------------------------------------------------------- rankings
def with_scores(table: Table, found: Inspection) -> Inspection:
    """The same, with the role of columns that are named like scores and hold numbers."""
    gold = next((column for column in found.columns if column.name == found.gold), None)
    if gold is None:
        return found
    taken = {column.name for column in found.columns if column.role is not None}
    scored, _ = find_scores(table, {label.label: label.rows for label in gold.frequent}, (), taken)
    ends = {column: (each.low, each.high) for each in scored for column in each.columns}
    bars = histograms(table, ends)

    def scored_as(column: ColumnFacts) -> ColumnFacts:
        if column.name not in ends:
            return column
        return replace(column, role="score", sure=False, ends=ends[column.name], bars=bars.get(column.name, ()))

    return replace(found, columns=tuple(map(scored_as, found.columns)))


def _ranking(table: Table, gold: str | None, scores: Sequence[str]) -> Recognized | None:
    """A query, a document, how relevant it is, and a score or a rank."""
    query, document = _first(table, QUERIES), _first(table, DOCUMENTS)
    if query is None or document is None:
        return None
    predicted = bool(called(ALIASES["pred"], table.columns))
    usual = None if predicted else _first(table, ALIASES["gold"])
    relevance = gold or _first(table, RELEVANCES) or usual
    order = next(iter(scores), None) or _first(table, ALIASES["score"]) or _first(table, RANKS)
    if relevance is None and (order is None or predicted):
        return None
    if relevance is None:
        doubt = (
            f"'{query}', '{document}' and '{order}' look like the results of a ranking, but no column says how "
            "relevant a document is; add one called relevance."
        )
        return Recognized(None, doubts=(doubt,))
    roles = [Role(query, "query"), Role(document, "document")]
    roles.append(Role(relevance, "relevance", BY_OPTION if gold else BY_NAME, sure=bool(gold) or relevance != usual))
    doubts = []
    if order is not None and not numbers(table, order).fit:
        raise DataError(f"{table.name}: column '{order}' orders the documents, but not all of its values are numbers.")
    if order is not None:
        given = order in scores
        roles.append(Role(order, "rank" if _is(order, RANKS) else "score", BY_OPTION if given else BY_NAME))
    else:
        doubts.append("no column gives the order of the documents; add one called score, or rank.")
    if relevance == usual:
        doubts.append(
            f"'{relevance}' was taken as the relevance of a document because there are queries and documents; if it "
            "is a class, use --pred COL or --positive LABEL."
        )
    return Recognized(RANKING, tuple(roles), doubts=tuple(doubts))


# ---------------------------------------------------------------------- annotators
def _triples(table: Table) -> Recognized | None:
    """A unit, a rater and a rating in each row."""
    rater = _first(table, RATERS)
    if rater is None:
        return None
    rest = [column for column in table.columns if column != rater]
    rating = next((c for name in RATINGS for c in rest if compact(c) == name), None)
    unit = next((c for name in UNITS for c in rest if compact(c) == name and c != rating), None)
    if rating is None or unit is None or not (count_rows(table, [unit])[1] > 1).any():
        return None  # if no unit occurs twice, nobody can agree
    return Recognized(ANNOTATION, (Role(unit, "unit"), Role(rater, "rater"), Role(rating, "rating")))


def _named_raters(table: Table) -> Recognized | None:
    """A unit in each row and a column for each rater, by their names."""
    named = [column for column in table.columns if named_like_rater(column)]
    return _annotated(named, BY_NAME, ()) if len(named) > 1 else None


def _raters(found: Inspection) -> Recognized | None:
    """The same by labels, if no column is called gold."""
    labels = {
        column.name: frozenset(likeness(each.label) for each in column.frequent)
        for column in found.columns
        if column.role is None and 1 < column.distinct <= MOST_CATEGORIES and 2 * column.distinct <= found.rows
    }
    # Among thousands of columns, most have the same few sets of labels.
    size = Counter(labels.values())
    alike = {own: {some for some in size if 2 * len(some & own) >= len(some | own)} for own in size}
    most = max(size, key=lambda own: sum(size[some] for some in alike[own]), default=frozenset())
    largest = [name for name, own in labels.items() if own in alike[most]] if labels else []
    if len(largest) < 2:
        return None
    doubt = (
        f"{listed(largest)} share their labels and none is called gold, so they were taken as raters of the same "
        "units. If one of them is gold, name it with --gold COL."
    )
    return _annotated(largest, BY_LABELS, (doubt,))


def _annotated(columns: Sequence[str], by: str, doubts: tuple[str, ...]) -> Recognized:
    """Ratings in these columns; if there are too many, only the first are used."""
    if len(columns) > MOST_RATERS:
        more = f"{len(columns):,} columns look like raters; only the first {MOST_RATERS} of them were examined."
        doubts = (*doubts, more)
    roles = tuple(Role(column, "rating", by, sure=by == BY_NAME) for column in columns[:MOST_RATERS])
    return Recognized(ANNOTATION, roles, doubts=doubts)


# ---------------------------------------------------------------------- classes: labels, scores, clusters
def _labeled(
    table: Table, gold: str | None, preds: Sequence[str], scores: Sequence[str], found: Inspection | None
) -> Recognized:
    """Gold labels with predictions, with scores, or with the clusters of a clustering."""
    by = BY_OPTION if gold else BY_NAME
    doubts = []
    if gold is None and not any(_is(column, ALIASES["gold"]) for column in table.columns):
        gold = _first(table, GOLDS)
        if gold is not None:
            doubts.append(f"'{gold}' was taken as gold because of its name; to choose another column, use --gold COL.")
    found = found or inspect_table(table, gold=gold, preds=preds)
    if found.gold is None:
        return Recognized(None, doubts=(_no_gold(found),), found=found)
    truth = Role(found.gold, "gold", by, sure=not doubts)
    classes = _classes(table, found.gold)
    if (doubt := _no_classes(table, found.gold, classes, found.rows)) is not None:
        return Recognized(None, (truth,), doubts=(doubt,), found=found)
    grouped = _clustering(table, found, classes, preds, scores)
    if grouped is not None:
        return replace(grouped, roles=(truth, *grouped.roles), doubts=(*doubts, *grouped.doubts), found=found)
    answers = _predictions(found, preds)
    scored, bad = find_scores(table, classes, scores, {found.gold, *(role.column for role in answers)})
    if preds and not scores:
        scored, unclear = _of_systems(scored, preds)
        bad = [*bad, *unclear]
    marks = [Role(c, "score", BY_OPTION if scores else BY_NAME, c in scores) for s in scored for c in s.columns]
    roles = (truth, *answers, *marks)
    doubts += [*bad, *_doubts(found, answers, marks)]
    if not answers and not scored:
        doubts.append(f"'{found.gold}' is gold, but no column holds predictions or scores; name one with --pred COL.")
        return Recognized(None, (truth,), doubts=tuple(doubts), found=found)
    return Recognized(CLASSIFICATION, roles, scored, tuple(doubts), found)


def _of_systems(scored: Sequence[Scores], preds: Sequence[str]) -> tuple[tuple[Scores, ...], list[str]]:
    """The scores of the systems whose predictions were named, by the names of the columns."""
    named = [set(words(pred)) for pred in preds]
    own = tuple(each for each in scored if any(some <= set(words(each.columns[0])) for some in named))
    if own or len(scored) <= len(preds):
        return own or tuple(scored), []
    names = listed([each.columns[0] for each in scored], 4)
    return (), [
        f"{names} may be scores, but of which system is unclear; name those of {listed(preds)} with --score COL."
    ]


def _no_gold(found: Inspection) -> str:
    if found.golds:
        return several_golds(listed(found.golds))
    return f"no column is called {listed(ALIASES['gold'])}; name the gold labels with --gold COL."


def _classes(table: Table, gold: str) -> dict[str, int]:
    """The gold labels with their rows."""
    texts, counts = count_rows(table, [gold])
    rows = dict(zip(texts[gold].tolist(), counts.tolist(), strict=True))
    rows.pop(None, None)
    return rows


def _no_classes(table: Table, gold: str, classes: Mapping[str, int], rows: int) -> str | None:
    """Why gold holds no classes, if it does not."""
    if not classes:
        return f"'{gold}' is empty in every row; name the gold labels with --gold COL."
    if len(classes) <= MOST_CLASSES or 2 * len(classes) <= rows:
        return None
    found = numbers(table, gold)
    if found.fit and not found.whole:
        return (
            f"'{gold}' has {plural(len(classes), 'different number')} in {plural(rows, 'row')}: measurements, not "
            "classes. assay does not evaluate regression; name a column of classes with --gold COL."
        )
    return None


def _predictions(found: Inspection, preds: Sequence[str]) -> list[Role]:
    facts = {column.name: column for column in found.columns}
    out = []
    for name in found.preds:
        if _is(name, CLUSTERS) and name not in preds:
            continue
        sure = facts[name].sure
        out.append(Role(name, "pred", BY_OPTION if name in preds else BY_NAME if sure else BY_LABELS, sure))
    return out


def _doubts(found: Inspection, answers: Sequence[Role], marks: Sequence[Role]) -> list[str]:
    """How roles were guessed, and how to override the guess."""
    out = []
    guessed = [role.column for role in answers if not role.sure]
    if guessed:
        were, have = ("was", "it has") if len(guessed) == 1 else ("were", "they have")
        out.append(
            f"{listed(guessed)} {were} taken as predictions because {have} the labels of '{found.gold}'; "
            "to choose others, use --pred COL."
        )
    guessed = [role.column for role in marks if not role.sure and not _is(role.column, ALIASES["score"])]
    if guessed:
        were, names = ("was", "its name") if len(guessed) == 1 else ("were", "their names")
        out.append(
            f"{listed(guessed, 4)} {were} taken as scores because of {names}; to choose others, use --score COL."
        )
    for column in found.columns:
        if _is(column.name, CLUSTERS) and answers and column.name not in {role.column for role in answers}:
            out.append(
                f"'{column.name}' was not used: if it holds the clusters of a clustering, name it with --pred; if it "
                "identifies rows that belong together, evaluate with --cluster."
            )
    return out


def _clustering(
    table: Table, found: Inspection, classes: Mapping[str, int], preds: Sequence[str], scores: Sequence[str]
) -> Recognized | None:
    """The clusters of a clustering: by name, by memberships that add up, or because they share no label with gold."""
    facts = {column.name: column for column in found.columns if column.problem is None}
    predicted = any(not _is(name, CLUSTERS) for name in found.preds)
    if preds or scores:
        named = [name for name in preds if _is(name, CLUSTERS)]
    else:
        named = [] if predicted else [name for name in facts if _is(name, CLUSTERS)]
    if named:
        return Recognized(CLUSTERING, tuple(Role(n, "cluster", BY_OPTION if preds else BY_NAME) for n in named))
    strange = [each for each in found.differences if _shares_nothing(each, facts.get(each.pred), classes)]
    if strange and len(strange) == len(found.preds) and not scores:
        doubt = (
            f"{listed(each.pred for each in strange)} shares no label with '{found.gold}', so it was taken as a "
            f"clustering. If it holds predictions, {_written_alike(strange)}."
        )
        return Recognized(
            CLUSTERING, tuple(Role(each.pred, "cluster", BY_LABELS, sure=False) for each in strange), doubts=(doubt,)
        )
    return None if found.preds or scores else _memberships(table)


def _written_alike(strange: Sequence[Difference]) -> str:
    """How to evaluate columns whose labels are not those of gold."""
    flags = tuple(dict.fromkeys(flag for each in strange for flag in each.flags))
    if not flags:
        return "map its labels onto those of gold, as in 'assay evaluate ... --map FROM=TO,FROM=TO'"
    return f"evaluate it with {' '.join(flags)}, as 'assay check' proposes too"


def _shares_nothing(each: Difference, column: ColumnFacts | None, classes: Mapping[str, int]) -> bool:
    """Whether no label of the column is one of gold's, or looks like one."""
    known = {likeness(label) for label in classes}
    alike = any(likeness(label.label) in known for label in each.only_pred)
    return column is not None and 0 < column.distinct == len(each.only_pred) and not alike


def _memberships(table: Table) -> Recognized | None:
    """Columns such as cluster_1 and cluster_2 that give an item's degree of membership in each cluster."""
    stems: dict[str, list[str]] = {}
    for column in table.columns:
        stem = named_like_member(column)
        if stem is not None:
            stems.setdefault(stem, []).append(column)
    some = max(stems.values(), key=len, default=[])
    if len(some) < 2 or not all(each.shares for each in numbers_of(table, some).values()):
        return None
    roles = tuple(Role(column, "membership") for column in some)
    off = rows_not_adding_up(table, some)
    doubts = (f"the memberships of {plural(off, 'row')} do not add up to 1.",) if off else ()
    return Recognized(CLUSTERING, roles, doubts=doubts)


# ---------------------------------------------------------------------- names
def _is(column: str, names: Iterable[str]) -> bool:
    return compact(column) in {compact(name) for name in names}


def _first(table: Table, names: Sequence[str]) -> str | None:
    """The first column with one of these names; earlier names are preferred."""
    return next((c for name in names for c in table.columns if compact(c) == compact(name)), None)
