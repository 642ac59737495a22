"""How people call the columns of each family; compared without case and without what stands between words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

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
