"""What a command must count, worked out from the files alone, with a dictionary and plain loops."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase

from tests.fuzz.reading import Refused, Rows, read

Cells = Counter[tuple[str, str | None]]

# Options that change what is counted in ways that the oracle does not follow.
OTHERWISE = {"--labels", "--score", "--threshold", "--guess", "--score-bins", "--by-position", "--value", "--folds"}
OTHERWISE |= {"--repeats", "--datasets", "--unpaired", "--map", "--ignore-case", "--numeric-labels"}
FLAGS = {"--crossed", "--methods", "--raw-csv", "--strict", "--raw-p", "--lower", "--by-position", "--unpaired"}
FLAGS |= {"--no-band", "--youden", "--ignore-case", "--numeric-labels"}
# Options with which a file that can be read can be counted, so that only the file is a reason to refuse it.
PLAIN = {"--gold", "--pred", "--count", "--weight", "--cluster", "--slice", "--missing", "--format", "--measure"}
PLAIN |= {"--resamples", "--out", "--html", "--system", "--id"}
MOST = 2**53


@dataclass
class Count:
    """The rows of a table as systems answered them."""

    cells: dict[str, Cells]
    skipped: int = 0
    unanswered: dict[str, int] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    weighted: dict[str, tuple[float, float]] = field(default_factory=dict)  # weight of the right answers, and of all
    groups: dict[str, dict[str, Cells]] = field(default_factory=dict)  # by group, then system, where there is one slice
    pairs: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """How many rows were counted."""
        return next(iter(self.cells.values())).total()

    def __add__(self, other: Count) -> Count:
        names = list(self.cells)
        return Count(
            {name: self.cells[name] + other.cells[name] for name in names},
            self.skipped + other.skipped,
            dict(Counter(self.unanswered) + Counter(other.unanswered)),
            self.labels | other.labels,
            {
                name: (right + other.weighted[name][0], whole + other.weighted[name][1])
                for name, (right, whole) in self.weighted.items()
            },
        )


class Given:
    """A command taken apart: its files, and its options with all their values."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name, self.files, self.options = command[0], [], {}  # type: str, list[str], dict[str, list[str]]
        rest = iter(command[1:])
        for word in rest:
            if not word.startswith("--"):
                self.files.append(word)
            else:
                self.options.setdefault(word, []).append("" if word in FLAGS else next(rest, ""))

    def one(self, option: str, usual: str | None = None) -> str | None:
        """The value of an option that is given once at most."""
        return self.options.get(option, [usual])[-1]

    @property
    def plain(self) -> bool:
        """Whether nothing but the file can be wrong."""
        return set(self.options) <= PLAIN and set(self.options.get("--measure", [])) <= set(MEASURES)

    @property
    def format(self) -> str | None:
        """How the result is written."""
        if self.name in ("tally", "merge"):
            return "json"
        return self.one("--format", "table")


Expected = Count | Refused | None


def expected(command: Sequence[str], files: Mapping[str, bytes], stored: Mapping[str, Expected]) -> Expected:
    """What the command must count; `stored` holds what was expected of the tallies that earlier commands wrote."""
    given = Given(command)
    if given.name not in ("evaluate", "compare", "tally", "merge") or OTHERWISE & set(given.options):
        return None
    if given.name == "merge":
        return _merged([stored.get(name) for name in given.files])
    if len(given.files) != 1:
        return None
    if given.files[0].endswith(".json"):
        return stored.get(given.files[0])
    gold, preds = given.one("--gold"), _named(given.options.get("--pred", []))
    if gold is None or not preds:
        return None
    table = _read(given.files[0], files)
    if isinstance(table, Rows) and "--system" in given.options:
        table = _joined(table, given, files, preds)
        preds = {name: name for name in _named(given.options["--system"])}
    if not isinstance(table, Rows):
        return table
    return _counted(table, gold, preds, given)


def _merged(parts: Sequence[Expected]) -> Expected:
    counts = [part for part in parts if isinstance(part, Count)]
    if len(counts) < len(parts) or not counts or any(set(each.cells) != set(counts[0].cells) for each in counts):
        return None
    total = counts[0]
    for each in counts[1:]:
        total = total + each
    return total


def _named(given: Sequence[str]) -> dict[str, str]:
    out = {}
    for text in given:
        name, equals, value = text.partition("=")
        out[name] = value if equals else name
    return out if len(out) == len(given) else {}


def _read(name: str, files: Mapping[str, bytes]) -> Rows | Refused | None:
    """The rows of a file, or of all files of a pattern, whose columns may stand in another order."""
    if name in files:
        return read(name, files[name])
    found = [read(each, files[each]) for each in sorted(files) if fnmatchcase(each, name) and not each.startswith(".")]
    if refused := next((each for each in found if isinstance(each, Refused)), None):
        return refused
    tables = [each for each in found if isinstance(each, Rows)]
    if not tables or len(tables) < len(found) or any(set(t.names) != set(tables[0].names) for t in tables):
        return None
    first = tables[0].names
    rows = [tuple(row[t.names.index(name)] for name in first) for t in tables for row in t.rows]
    return Rows(first, tuple(rows))


def _joined(gold: Rows, given: Given, files: Mapping[str, bytes], preds: Mapping[str, str]) -> Rows | Refused | None:
    """Gold with a column for each system, paired by the ids."""
    id, missing = given.one("--id"), given.one("--missing", "error")
    if id is None or id not in gold.names or len(preds) != 1:
        return None
    names, columns = list(gold.names), [gold.column(name) for name in gold.names]
    for system, file in _named(given.options["--system"]).items():
        table, column = _read(file, files), next(iter(preds.values()))
        if not isinstance(table, Rows):
            return table
        if id not in table.names or column not in table.names or system in names:
            return None
        ids = table.column(id)
        if None in ids or None in gold.column(id):
            return None
        if len(set(ids)) < len(ids) or len(set(gold.column(id))) < len(gold.rows):
            return Refused("an id comes twice")
        answers = dict(zip(ids, table.column(column), strict=True))
        apart = set(ids) ^ set(gold.column(id))
        if apart and (missing == "error" or (missing == "wrong" and apart & set(ids))):
            return Refused("the ids differ")
        names.append(system)
        columns.append([answers.get(each) for each in gold.column(id)])
    return Rows(tuple(names), tuple(zip(*columns, strict=True)))


def _counted(table: Rows, gold: str, preds: Mapping[str, str], given: Given) -> Expected:
    used = [gold, *preds.values(), *(given.options.get("--slice", []))]
    used += [name for option in ("--count", "--weight", "--cluster") if (name := given.one(option)) is not None]
    if any(name not in table.names for name in used) or len(set(used)) < len(used):
        return None
    times = _times(table, given.one("--count"))
    weights = _weights(table, given.one("--weight"))
    if isinstance(times, Refused) or times is None or weights is None:
        return times if isinstance(times, Refused) else None
    if given.one("--cluster") is not None and None in table.column(given.one("--cluster") or ""):
        return None  # refused unless the row is skipped
    missing = given.one("--missing", "error")
    slices = given.options.get("--slice", [])
    group = table.column(slices[0]) if len(slices) == 1 else [None] * len(table.rows)
    rows = list(zip(table.column(gold), *(table.column(c) for c in preds.values()), group, times, weights, strict=True))
    return _added_up([row for row in rows if row[-2]], list(preds), missing or "error")


def _added_up(rows: Sequence[tuple[object, ...]], systems: Sequence[str], missing: str) -> Expected:
    if not rows:
        return Refused("nothing is left")
    k = len(systems)
    lacking = [row for row in rows if None in row[: k + 1]]
    if lacking and missing == "error":
        return Refused("a label or a prediction is missing")
    if missing == "wrong" and any(row[0] is None for row in rows):
        return Refused("a gold label is missing")
    # Labels of rows that are left out are no reason for a class.
    kept = [row for row in rows if missing != "skip" or None not in row[: k + 1]]
    if not kept or all(value is None for row in kept for value in row[1 : k + 1]):
        return Refused("nothing is left")
    labels = frozenset(str(value) for row in kept for value in row[: k + 1] if value is not None)
    out = Count({}, sum(_int(row[-2]) for row in rows) - sum(_int(row[-2]) for row in kept), labels=labels)
    for at, system in enumerate(systems, 1):
        cells: Cells = Counter()
        right = whole = 0.0
        for row in kept:
            answer = _answer(str(row[0]), row[at], labels)
            n, w = _int(row[-2]), float(str(row[-1]))
            cells[str(row[0]), answer] += n
            out.groups.setdefault(str(row[-3]), {}).setdefault(system, Counter())[str(row[0]), answer] += n
            right, whole = right + w * n * (answer == row[0]), whole + w * n
            if row[at] is None:
                out.unanswered[system] = out.unanswered.get(system, 0) + n
        out.cells[system], out.weighted[system] = cells, (right, whole)
    for i, a in enumerate(systems, 1):
        for j, b in enumerate(systems[i:], i + 1):
            out.pairs[a, b] = _pair(kept, i, j, labels)
    return None if any(value > MOST for value in [out.n]) else out


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def _answer(gold: str, pred: object, labels: frozenset[str]) -> str | None:
    """The prediction; a missing one is the other class where there are two, and otherwise none of them."""
    if pred is not None:
        return str(pred)
    return next(iter(labels - {gold})) if len(labels) == 2 else None


def _pair(rows: Sequence[tuple[object, ...]], i: int, j: int, labels: frozenset[str]) -> Counter[str]:
    """On how many rows two systems answer differently, and who of them is right."""
    out: Counter[str] = Counter()
    for row in rows:
        gold, n = str(row[0]), _int(row[-2])
        a, b = _answer(gold, row[i], labels), _answer(gold, row[j], labels)
        out["apart"] += n * (a != b)
        out[{(1, 0): "only_a", (0, 1): "only_b", (1, 1): "both", (0, 0): "neither"}[a == gold, b == gold]] += n
    return out


def _times(table: Rows, column: str | None) -> list[int] | Refused | None:
    if column is None:
        return [1] * len(table.rows)
    out = []
    for text in table.column(column):
        try:
            value = Decimal(text or "x")
        except InvalidOperation:
            return Refused("a count is no number")
        if not value.is_finite() or value < 0 or value != value.to_integral_value() or value > MOST:
            return Refused("a count is no whole number from 0 up")
        out.append(int(value))
    if sum(out) > MOST:
        return Refused("the counts are too large")
    return out


def _weights(table: Rows, column: str | None) -> list[float] | None:
    if column is None:
        return [1.0] * len(table.rows)
    out = []
    for text in table.column(column):
        try:
            out.append(float(text or "nan"))
        except ValueError:
            return None
    fine = all(weight == 0 or 1e-50 <= weight <= 1e50 for weight in out) and any(out)
    return out if fine else None


# ---------------------------------------------------------------------- measures, from the definitions
def accuracy(cells: Cells) -> float:
    """The share of the rows that are right."""
    return sum(n for (gold, pred), n in cells.items() if gold == pred) / cells.total()


def macro_f1(cells: Cells) -> float:
    """The mean of 2 TP / (2 TP + FP + FN) over the classes that occur."""
    classes = {label for pair in cells for label in pair if label is not None}
    values = []
    for label in classes:
        tp = cells[label, label]
        wrong = sum(n for (gold, pred), n in cells.items() if (gold == label) != (pred == label))
        values.append(2 * tp / (2 * tp + wrong))
    return math.fsum(values) / len(values)


MEASURES: Mapping[str, Callable[[Cells], float]] = {
    "accuracy": accuracy,
    "f1(average=macro)": macro_f1,
}
