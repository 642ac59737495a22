"""How people call the columns of each family, and which columns hold scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from assay.errors import DataError, plural
from assay.sources.magnitudes import Numbers, numbers_of, rows_not_adding_up
from assay.sources.table import Table

QUERIES: Final = ("query", "queryid", "qid", "topic", "topicid")
DOCUMENTS: Final = ("doc", "docid", "docno", "document", "documentid", "passage", "passageid", "item", "itemid", "url")
RELEVANCES: Final = ("relevance", "rel", "relevant", "grade", "gain", "judgment", "judgement", "relevancegrade")
RANKS: Final = ("rank", "position")
RATERS: Final = ("rater", "raterid", "annotator", "annotatorid", "coder", "coderid", "worker", "workerid", "judge")
RATINGS: Final = ("rating", "label", "annotation", "category", "code", "value", "judgment", "judgement", "answer")
UNITS: Final = (
    "unit", "unitid", "item", "itemid", "task", "taskid", "id", "sampleid", "exampleid", "textid", "docid", "doc",
    "document", "documentid", "subject", "subjectid", "text", "sentence", "question",
)  # fmt: skip
CLUSTERS: Final = ("cluster", "clusterid", "clusterlabel", "community", "communityid", "predictedcluster")
# Names that are often those of the true classes, but of other things too.
GOLDS: Final = ("truth", "groundtruth", "goldlabel", "truelabel", "actual", "true", "expected", "class", "category")

_SCORES = {"score", "scores", "proba", "prob", "probs", "probability", "logit", "logits", "confidence", "p"}
_RATER = {"rater", "annotator", "coder", "worker", "judge", "reviewer", "expert", "labeler"}
_MEMBER = re.compile(r"((?:.*[\W_])?(?:cluster|community|topic|component|membership|group)[\W_]*)(\d+)", re.IGNORECASE)


@lru_cache(maxsize=1 << 16)
def compact(name: str) -> str:
    """The letters and digits of a name."""
    return re.sub(r"[\W_]+", "", name).lower()


def words(name: str) -> list[str]:
    """The words of a name such as patient_id or userId."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)]


def named_like_score(name: str) -> bool:
    """Whether this is a name for scores, such as model_score or p_spam."""
    found = words(name)
    return found != ["p", "value"] and not _SCORES.isdisjoint(found)


def named_like_rater(name: str) -> bool:
    """Whether this is a name for one of several raters, such as rater_1 or annotatorB."""
    first, *rest = words(name) or [""]
    return first in _RATER and bool(rest) and rest != ["id"]


def named_like_member(name: str) -> str | None:
    """What stands before the number in a name for one of several groups, such as cluster_1."""
    match = _MEMBER.fullmatch(name.strip())
    return match[1].lower() if match else None


@dataclass(frozen=True)
class Scores:
    """A column of scores, or a column for each class in the order of `classes`, and between which ends they lie."""

    system: str
    columns: tuple[str, ...]
    low: float
    high: float
    classes: tuple[str, ...] = ()
    off: int = 0  # rows in which the scores of all classes do not add up to one

    @property
    def shares(self) -> bool:
        """Whether all of them can be probabilities."""
        return self.low >= 0 and self.high <= 1 and not self.off


def find_scores(
    table: Table, classes: Mapping[str, int], given: Sequence[str], taken: Iterable[str]
) -> tuple[tuple[Scores, ...], list[str]]:
    """Scores by class and single ones, and what is wrong with columns that are only called scores."""
    free = [column for column in (given or table.columns) if column not in taken]
    by_class = _by_class(free, list(classes))
    named = [column for column in free if given or named_like_score(column)]
    known = numbers_of(table, list(dict.fromkeys([*named, *(c for columns in by_class.values() for c in columns)])))
    out, doubts = [], []
    for system, columns in by_class.items():
        ends = [known[column] for column in columns]
        if not all(each.fit for each in ends):
            continue
        scores = Scores(
            system=system,
            columns=tuple(columns),
            low=min(each.low for each in ends),
            high=max(each.high for each in ends),
            classes=tuple(classes),
            off=rows_not_adding_up(table, columns),
        )
        # Features may be numbered as the classes are; then their values do not add up.
        if scores.shares or given or named_like_score(system):
            out.append(scores)
            if scores.off:
                doubts.append(f"the scores of '{system}' do not add up to 1 in {plural(scores.off, 'row')}.")
    used = {column for each in out for column in each.columns}
    for column in (column for column in named if column not in used):
        found = known[column]
        if found.fit:
            out.append(Scores(column, (column,), found.low, found.high))
        elif given:
            raise DataError(_not_numbers(table, column, found))
        else:
            doubts.append(f"{_not_numbers(table, column, found)} It was left aside.")
    return tuple(out), doubts


def _not_numbers(table: Table, column: str, found: Numbers) -> str:
    what = f"no finite number in {plural(found.odd, 'row')}" if found.odd else "no number at all"
    return f"{table.name}: '{column}' is named as a score but has {what}."


def _by_class(columns: Sequence[str], classes: Sequence[str]) -> dict[str, list[str]]:
    """Columns that end in the name of each class, by what stands before it."""
    labels = set(classes)
    by_stem: dict[str, dict[str, str]] = {}
    lengths = sorted({len(label) for label in labels if label}, reverse=True)
    for column in columns:
        for at in (len(column) - length for length in lengths if length <= len(column)):
            if column[at:] in labels:
                by_stem.setdefault(column[:at], {})[column[at:]] = column
    whole = {stem: some for stem, some in by_stem.items() if len(some) == len(classes) > 1}
    return {stem: [some[label] for label in classes] for stem, some in whole.items()}
