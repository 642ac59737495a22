"""Which column plays which role, and the usual names of such columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from assay.errors import DataError, OptionError, listed, nearest, plural, written
from assay.sources.given import MOST_COLUMNS

FIRST = 3  # ids that a message shows
SYSTEM = "system"  # the name of a system that was given none

ALIASES: Final = {
    "id": ("id", "sample_id", "example_id"),
    "gold": ("gold", "y_true", "target", "label", "reference"),
    "pred": ("pred", "y_pred", "prediction"),
    "score": ("score", "y_score", "proba"),
}


def called(names: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The columns with one of these names, whatever their case and the blanks around them."""
    return [column for column in columns if column.strip().lower() in names]


def find(
    role: str, columns: Sequence[str], given: str | None = None, source: str = "data", names: Sequence[str] = ()
) -> str:
    """The column that plays this role: the given one, or the only one with one of its usual `names`."""
    if given is not None:
        return _existing(given, columns, source, called(names or ALIASES.get(role, ()), columns))
    names = names or ALIASES[role]
    usual = called(names, columns)
    if len(usual) == 1:
        return usual[0]
    option = written(f"--{role} COL", f"{role}='COL'")
    choose = f"choose one with {option}"
    if usual:
        raise DataError(f"{source} has several columns that could be {role}: {listed(usual)}; {choose}")
    raise DataError(f"{source} has no column called {listed(names)}; it has {listed(columns)}; {choose}")


def check_names(columns: Sequence[object], source: str, *, ignore_case: bool = False) -> None:
    """Refuse names that are not text or belong to two columns."""
    names = [column for column in columns if isinstance(column, str)]
    if len(names) < len(columns):
        other = next(column for column in columns if not isinstance(column, str))
        raise DataError(f"{source} has a column called {other!r}, which is not text; rename it.")
    seen = [name.lower() if ignore_case else name for name in names]
    times = Counter(seen)
    twice = [name for name, alike in zip(names, seen, strict=True) if times[alike] > 1]
    if twice:
        same = "the same name except for case" if len(set(twice)) == len(twice) else "the same name"
        raise DataError(f"{source} has columns with {same}: {listed(twice)}; rename all but one.")


def refuse_many(columns: Sequence[str], source: str) -> None:
    """Refuse a file with more columns than an engine can handle."""
    if len(columns) > MOST_COLUMNS:
        raise DataError(f"{source} has {len(columns):,} columns; at most {MOST_COLUMNS:,} can be read. Leave some out.")


def _existing(given: str, columns: Sequence[str], source: str, usual: Sequence[str] = ()) -> str:
    """The given column; if there is none, an error that suggests the nearest one, or one of the usual names."""
    if not isinstance(given, str):
        raise OptionError(f"{given!r} does not name a column; give one of {listed(columns)} as text.")
    if given in columns:
        return given
    by_lower = {column.lower(): column for column in columns}
    close = nearest(given.lower(), by_lower)
    meant = by_lower[close] if close is not None else usual[0] if len(usual) == 1 else None
    hint = "" if meant is None else f" Did you mean '{meant}'?"
    raise DataError(f"{source} has no column '{given}'; it has {listed(columns)}.{hint}")


@dataclass(frozen=True)
class Roles:
    """Which column plays which role."""

    gold: str
    preds: Mapping[str, str]  # a system's name and its column of predictions
    cluster: str | None = None
    weight: str | None = None
    count: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()  # each is one column, or several that are crossed
    guesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a system's further guesses, best first
    scores: Mapping[str, str] = field(default_factory=dict)  # a system's scores for the positive class
    class_scores: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # a system's scores for every class

    @property
    def used(self) -> list[str]:
        """Every column that is read, once."""
        single = [name for name in (self.cluster, self.weight, self.count) if name is not None]
        sliced = [name for columns in self.slices for name in columns]
        return list(dict.fromkeys([*self.labels, *single, *sliced]))

    @property
    def numbers(self) -> list[str]:
        """The columns of scores, once."""
        of_classes = (name for columns in self.class_scores.values() for name in columns.values())
        return list(dict.fromkeys([*self.scores.values(), *of_classes]))

    @property
    def systems(self) -> list[str]:
        """Every system with labels or scores."""
        return list(dict.fromkeys([*self.preds, *self.scores, *self.class_scores]))

    @property
    def labels(self) -> list[str]:
        """The columns whose labels are compared with each other."""
        return [self.gold, *self.preds.values(), *(name for columns in self.guesses.values() for name in columns)]


QUERIES: Final = ("query", "queryid", "qid", "topic", "topicid")

DOCUMENTS: Final = (
    "doc", "docid", "docno", "document", "documentid", "passage", "passageid", "item", "itemid", "url", "corpusid",
)  # fmt: skip

RELEVANCES: Final = ("relevance", "rel", "relevant", "grade", "gain", "judgment", "judgement", "relevancegrade")

GRADES: Final = (*RELEVANCES, "label")  # of judgments, which hold nothing else

SIMILARITIES: Final = ("score", "similarity", "sim")

RANKS: Final = ("rank", "position")

RATERS: Final = ("rater", "raterid", "annotator", "annotatorid", "coder", "coderid", "worker", "workerid", "judge")

RATINGS: Final = ("rating", "label", "annotation", "category", "code", "value", "judgment", "judgement", "answer")

UNITS: Final = (
    "unit", "unitid", "item", "itemid", "task", "taskid", "id", "sampleid", "exampleid", "textid", "docid", "doc",
    "document", "documentid", "subject", "subjectid", "text", "sentence", "question",
)  # fmt: skip

CLUSTERS: Final = ("cluster", "clusterid", "clusterlabel", "community", "communityid", "predictedcluster")

# Names often used for the gold labels, but for other things too.
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
    """The part before the number in a name for one of several clusters, such as cluster_1."""
    match = _MEMBER.fullmatch(name.strip())
    return match[1].lower() if match else None


# ---------------------------------------------------------------------- arrays in place of columns
def as_columns(y_true: Any, y_pred: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Arrays as a table, with the options that name its columns; data that are already a table are unchanged.

    `y_pred` is one system's labels, or a mapping of systems to theirs. Scores, clusters, weights, counts and groups may
    be arrays as well.
    """
    named = dict(options)
    if y_pred is None and not (_is_array(y_true) and any(_is_array(each) for each in _answers(named.get("scores")))):
        if _is_array(y_true):
            raise DataError(
                "to evaluate arrays, call evaluate(y_true, y_pred), or with scores evaluate(y_true, scores=y_score)."
            )
        return y_true, named
    columns: dict[str, Any] = {"y_true": y_true}
    named["gold"] = "y_true"
    for role, given in (("pred", y_pred), ("scores", named.get("scores"))):
        if given is not None:
            named[role] = _put(columns, role, given, named.get("labels"))
    for role in ("cluster", "weight", "count"):
        if _is_array(named.get(role)):
            columns[role], named[role] = named[role], role
    groups = named.get("slices")
    if isinstance(groups, Mapping) or _is_array(groups):
        groups = groups if isinstance(groups, Mapping) else {"group": groups}
        columns |= {str(name): values for name, values in groups.items()}
        named["slices"] = tuple(str(name) for name in groups)
    return columns, named


ARRAYS: Final = {"pred": "y_pred", "scores": "y_score"}  # what a message calls the arrays of a single system


def _put(columns: dict[str, Any], role: str, given: Any, labels: Any) -> dict[str, Any]:
    """The names of the systems with the columns that hold their answers."""
    each = given if isinstance(given, Mapping) else {SYSTEM: given}
    out: dict[str, Any] = {}
    for system, answers in each.items():
        name = str(system)
        if getattr(answers, "ndim", 1) == 2:
            out[name] = _by_label(columns, name, answers, labels)
        else:
            out[name] = f"{role} of {name}" if isinstance(given, Mapping) else ARRAYS[role]
            columns[out[name]] = answers
    return out


def _by_label(columns: dict[str, Any], system: str, scores: Any, labels: Any) -> dict[str, str]:
    """A column for each class, for scores given as a matrix with one column per class."""
    if labels is None or isinstance(labels, str) or len(labels) != scores.shape[1]:
        raise DataError(
            f"the scores of '{system}' have {plural(scores.shape[1], 'column')}; name the class of each with labels=, "
            "in order (for a scikit-learn model: labels=model.classes_)."
        )
    names = {str(label): f"score of {system} for {label}" for label in labels}
    columns |= {column: scores[:, at] for at, column in enumerate(names.values())}
    return names


def _answers(scores: Any) -> list[Any]:
    return list(scores.values()) if isinstance(scores, Mapping) else [scores]


def _is_array(value: Any) -> bool:
    """Whether this is a column of values, not a table or the name of a column."""
    if isinstance(value, list | tuple):
        return True
    return hasattr(value, "__array__") and getattr(value, "ndim", 1) <= 2 and not hasattr(value, "columns")
