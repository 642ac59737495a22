"""Labels that are written in several ways: which gold and predicted labels clash, and how they are unified."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, OptionError, a_type, did_you_mean, listed, plural, written
from assay.sources.arrays import Coded, Codes, label_or_none, order_labels
from assay.texts import likeness

# Length and exponent are limited so that the number can be written out.
_NUMBER = re.compile(r"[+-]?([0-9]{1,2000}[.]?[0-9]{0,2000}|[.][0-9]{1,2000})([eE][+-]?0*[0-9]{1,3})?")
OBSERVED = "labels='observed'"
MOST_SHOWN = 4  # labels in a sentence
MOST_PROPOSED = 6  # entries of a map that a message proposes
YES = ("1", "yes", "y", "true", "t", "pos", "positive", "+1", "+")
NO = ("0", "no", "n", "false", "f", "neg", "negative", "-1", "-")
Rows = NDArray[np.bool_]


def plain_number(label: str) -> str | None:
    """The number in a label, in canonical decimal notation; None for other text."""
    text = label.strip()
    if not _NUMBER.fullmatch(text):
        return None
    number = Decimal(text)
    exact = f"{number:f}" if number else "0"  # normalize() would round long numbers
    return exact.rstrip("0").rstrip(".") if "." in exact else exact


# ---------------------------------------------------------------------- relabeling
@dataclass(frozen=True)
class Relabeling:
    """How labels are rewritten before they are compared: numbers in one notation, case ignored, a map applied.

    Every label is looked up once, so that a map may swap two labels. Both sides of the map are read like labels.
    """

    map: Mapping[str, str] = field(default_factory=dict)
    ignore_case: bool = False
    numeric: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "map", _joined((self.plain(old), self.plain(new)) for old, new in self.map.items()))

    def __bool__(self) -> bool:
        return bool(self.map) or self.ignore_case or self.numeric

    def plain(self, label: str) -> str:
        """The label with numbers and case unified, before the map is applied."""
        number = plain_number(label) if self.numeric else None
        if number is not None:
            return number
        return label.casefold() if self.ignore_case else label

    def __call__(self, label: str) -> str:
        """The new label."""
        text = self.plain(label)
        return self.map.get(text, text)

    def named(self, given: Any) -> Any:
        """A class that a user named, or several in a list, as its new label."""
        if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping | Set):
            return [self.named(each) for each in given]
        text = label_or_none(given)
        return given if text is None else self.plain(text)  # what is no label is refused where classes are looked up

    def texts(self, texts: NDArray[np.object_]) -> NDArray[np.object_]:
        """The label of every row, None where it is missing."""
        known = {text: self(text) for text in set(texts.tolist()) - {None}}
        return np.array([known.get(text) for text in texts.tolist()], dtype=object)

    def coded(self, column: Coded) -> Coded:
        """The column over its new labels; labels that become equal are merged."""
        new = [self(label) for label in column.labels]
        if new == list(column.labels):
            return column
        first = dict(zip(reversed(new), reversed(column.originals), strict=True))
        labels = tuple(order_labels(first))
        place = {label: code for code, label in enumerate(labels)}
        codes = np.array([*(place[label] for label in new), -1], np.intp)[column.codes]
        return replace(column, codes=codes, labels=labels, originals=tuple(first[label] for label in labels))

    def together(self, codes: Sequence[Codes], labels: Sequence[str]) -> tuple[list[Codes], tuple[str, ...]]:
        """Columns of codes over one set of labels, recoded over the new labels."""
        Relabeled(seen=frozenset(map(self.plain, labels))).refuse_unused(self)
        new = tuple(order_labels({self(label) for label in labels}))
        place = np.array([new.index(self(label)) for label in labels], np.intp)
        return [place[column] for column in codes], new


@dataclass(frozen=True)
class Relabeled:
    """What a relabeling did to some rows: which labels changed, in how many rows, and which labels occurred."""

    changes: Mapping[str, str] = field(default_factory=dict)
    rows: int = 0
    seen: frozenset[str] = frozenset()  # labels as the map reads them

    @classmethod
    def of(cls, relabeling: Relabeling, columns: Sequence[Coded], counts: NDArray[np.int64]) -> Relabeled:
        """What the relabeling does to these columns of labels."""
        changes: dict[str, str] = {}
        touched = np.zeros(len(counts), bool)
        for column in columns:
            other = np.array([*(relabeling(label) != label for label in column.labels), False])[column.codes]
            changes |= {(old := column.labels[code]): relabeling(old) for code in np.unique(column.codes[other])}
            touched |= other
        seen = frozenset(relabeling.plain(label) for column in columns for label in column.labels)
        return cls({old: changes[old] for old in order_labels(changes)}, int(counts[touched].sum()), seen)

    def __add__(self, other: Relabeled) -> Relabeled:
        return Relabeled({**self.changes, **other.changes}, self.rows + other.rows, self.seen | other.seen)

    def refuse_unused(self, relabeling: Relabeling) -> None:
        """Refuse a map that names a label that no row has."""
        unused = [label for label in relabeling.map if label not in self.seen]
        if unused:
            hint = did_you_mean(unused[0], self.seen) or f" The labels are {listed(order_labels(self.seen))}."
            raise DataError(f"{written('--map', 'map=')} names {listed(unused, 3)}, which no row has as a label.{hint}")


def relabeling_of(given: object, *, ignore_case: bool, numeric: bool) -> Relabeling:
    """The relabeling that these options ask for."""
    for name, value in (("ignore_case", ignore_case), ("numeric_labels", numeric)):
        if not isinstance(value, bool | np.bool_):
            raise OptionError(f"{name} is {value!r}; expected True or False.")
    return Relabeling(map_of(given) or {}, ignore_case, numeric)


def map_of(given: object) -> dict[str, str] | None:
    """A map of labels from a mapping, or from the name of a file with the columns from and to."""
    if given is None:
        return None
    if isinstance(given, str | Path):
        return read_map(given)
    if not isinstance(given, Mapping):
        raise OptionError(
            f"map is {a_type(given)}; a map renames labels, as in map={{'yes': 1, 'no': 0}}; or name a file."
        )
    return _joined((_label(old), _label(new)) for old, new in given.items()) or None


def _label(value: object) -> str:
    text = label_or_none(value)
    if text is None:
        raise OptionError(f"map= contains {value!r}; labels are text, numbers or truth values.")
    return text


def join_maps(maps: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Several maps as one."""
    return _joined(pair for each in maps for pair in each.items())


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    out: dict[str, str] = {}
    for old, new in pairs:
        if out.setdefault(old, new) != new:
            raise OptionError(
                f"{written('--map', 'map=')} turns '{old}' into both '{out[old]}' and '{new}'; choose one of them."
            )
    return out


# ---------------------------------------------------------------------- maps as users write them
def read_map(path: str | Path) -> dict[str, str]:
    """The map in a table with the columns from and to."""
    from assay.sources.frames import count_rows, table_of

    table = table_of(path)
    roles = {column.strip().lower(): column for column in table.columns}
    if not {"from", "to"} <= set(roles):
        raise DataError(
            f"{table.name} has the columns {listed(table.columns, 5)}; a file for --map needs 'from' and 'to'."
        )
    columns = [roles["from"], roles["to"]]
    texts, _ = count_rows(table, columns)
    pairs = list(zip(*(texts[column].tolist() for column in columns), strict=True))
    if any(None in pair for pair in pairs):
        raise DataError(f"{table.name}: a row has no label in 'from' or in 'to'; both are needed.")
    if not pairs:
        raise DataError(f"{table.name} has no rows; each row renames a label, from one text to another.")
    return _joined(pairs)


def parse_map(text: str) -> dict[str, str]:
    """The map written as FROM=TO,FROM=TO; double quotes protect commas, equals signs and blanks in a label."""
    pairs = []
    for entry in _split(text, ","):
        sides = [_unquoted(side) for side in _split(entry, "=")]
        if len(sides) != 2 or None in sides:
            raise OptionError(
                f"--map contains {entry.strip()!r}; expected FROM=TO,FROM=TO, with double quotes around labels that "
                "contain a comma or an equals sign, or the name of a file with the columns from and to."
            )
        pairs.append((str(sides[0]), str(sides[1])))
    return _joined(pairs)


def write_map(pairs: Mapping[str, str]) -> str:
    """The map as `parse_map` reads it, quoted for a shell."""
    return shlex.quote(",".join(f"{_quoted(old)}={_quoted(new)}" for old, new in pairs.items()))


def _split(text: str, sign: str) -> Iterator[str]:
    """The parts between signs that are outside double quotes."""
    part, quoted = "", False
    for letter in text:
        quoted ^= letter == '"'
        if letter == sign and not quoted:
            yield part
            part = ""
        else:
            part += letter
    yield part


def _unquoted(text: str) -> str | None:
    """A label without the quotes around it; None if it is empty or its quotes are not closed."""
    text = text.strip()
    if not text.startswith('"'):
        return text if text and '"' not in text else None
    inner = text[1:-1] if len(text) > 1 and text.endswith('"') else None
    if inner is None or '"' in inner.replace('""', ""):
        return None
    return inner.replace('""', '"')


def _quoted(label: str) -> str:
    odd = label != label.strip() or not label or set('",=') & set(label)
    return '"{}"'.format(label.replace('"', '""')) if odd else label


# ---------------------------------------------------------------------- gold and predictions that clash
@dataclass(frozen=True)
class Clash:
    """Gold and predicted labels that seem to mean the same but are written differently, or have nothing in common.

    Pairs are (gold, predicted): the same number (`numbers`), the same except for blanks at the ends (`blanks`), or
    the same except for case (`cases`).
    """

    gold: tuple[str, ...]
    answers: tuple[str, ...]
    strangers: bool  # whether no label is on both sides
    numbers: tuple[tuple[str, str], ...] = ()
    cases: tuple[tuple[str, str], ...] = ()
    blanks: tuple[tuple[str, str], ...] = ()

    @property
    def stops(self) -> bool:
        """Whether nothing should be computed before the user says what is meant."""
        return self.strangers or bool(self.numbers) or bool(self.blanks)

    @property
    def flags(self) -> tuple[str, ...]:
        """The options that unify the labels, as typed."""
        out = ["--numeric-labels"] * bool(self.numbers) + ["--ignore-case"] * bool(self.cases)
        proposed = self._proposed() if self.blanks or not out else None
        return (*out, *([f"--map {write_map(proposed)}"] if proposed else ()))

    def sentence(self, system: str, before: str = "") -> str:
        """What came, what is wrong with it, and what to do, with a sentence before that if it is needed."""
        if self.strangers:
            first = (
                f"gold and the predictions of '{system}' have no label in common, so every prediction would be wrong: "
                f"gold has {listed(self.gold, MOST_SHOWN)}; the predictions have {listed(self.answers, MOST_SHOWN)}."
            )
        else:
            pairs = self.numbers or self.blanks
            ours, theirs = pairs[0]
            more = f" (and {plural(len(pairs) - 1, 'more such pair')})" if len(pairs) > 1 else ""
            first = (
                f"gold has '{ours}' where the predictions of '{system}' have '{theirs}'{more}: as text these are "
                "different labels."
            )
        if self.blanks:
            first += " They differ only in blanks before or after them."
        insisting = f"If these are different classes, give {written('--labels observed', OBSERVED)}."
        return " ".join(part for part in (first, before, self._way_out(), insisting) if part)

    def note(self, system: str) -> str:
        """A note on labels that differ only in case, if that does not stop the evaluation."""
        pairs = ", ".join(f"“{ours}” in gold and “{theirs}”" for ours, theirs in self.cases[:MOST_SHOWN])
        left = len(self.cases) - MOST_SHOWN
        more = f" and {left} more" if left > 0 else ""
        return (
            f"labels of '{system}' differ from gold only in case and count as wrong: {pairs}{more}; --ignore-case "
            "(ignore_case=True) unifies them"
        )

    def _way_out(self) -> str:
        if self.numbers or self.cases:
            told = [
                *[f"{written('--numeric-labels', 'numeric_labels=True')} to compare numbers as numbers"]
                * bool(self.numbers),
                *[f"{written('--ignore-case', 'ignore_case=True')} to ignore case"] * bool(self.cases),
            ]
            return f"Add {', and '.join(told)}.{f' {self._mapped()}' if self.blanks else ''}"
        if self.flags:
            return self._mapped()
        how = written("--map 'FROM=TO,FROM=TO'", "map={'FROM': 'TO'}")
        return f"Map the labels with {how} or a file of such pairs."

    def _mapped(self) -> str:
        return f"Map the labels, as in {written(self.flags[-1], f'map={self._proposed()!r}')}."

    def _proposed(self) -> dict[str, str] | None:
        """The map that unifies the labels, if their names say which is which; blanks alone say so for each label."""
        if self.blanks:
            return {theirs: ours for ours, theirs in self.blanks}
        if not self.strangers:
            return None
        alike = {likeness(label): label for label in self.gold}
        meant = {label: alike.get(likeness(label)) or _same_truth(label, self.gold) for label in self.answers}
        known = {old: new for old, new in meant.items() if new is not None}
        if len(known) < len(meant) or len(known) > MOST_PROPOSED or len(set(known.values())) < len(known):
            return None
        return known


def _same_truth(label: str, gold: Sequence[str]) -> str | None:
    for words in (YES, NO):
        found = [each for each in gold if each.strip().casefold() in words]
        if label.strip().casefold() in words and len(found) == 1:
            return found[0]
    return None


def clash_of(gold: Set[str], answers: Set[str]) -> Clash | None:
    """How the gold and predicted labels clash; None if they do not, or if one side is empty."""
    if not gold or not answers or gold == answers:
        return None
    numbers = _twins(gold, answers, plain_number)
    cases = [pair for pair in _twins(gold, answers, str.casefold) if pair not in numbers]
    blanks = [pair for pair in _twins(gold, answers, str.strip) if pair not in numbers]
    strangers = gold.isdisjoint(answers)
    if not (strangers or numbers or cases or blanks):
        return None
    ours, theirs = (tuple(order_labels(side)) for side in (gold, answers))
    return Clash(ours, theirs, strangers, tuple(numbers), tuple(cases), tuple(blanks))


def _twins(gold: Set[str], answers: Set[str], read: Any) -> list[tuple[str, str]]:
    """Pairs of labels that read the same but are written differently, unless both sides have both."""
    by_reading: dict[str, list[str]] = {}
    for label in answers:
        by_reading.setdefault(read(label), []).append(label)
    found = [
        (ours, theirs)
        for ours in gold
        if (key := read(ours)) is not None
        for theirs in by_reading.get(key, ())
        if ours != theirs and not (ours in answers and theirs in gold)
    ]
    return sorted(found)
