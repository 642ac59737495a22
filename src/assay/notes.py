"""Notes that know what they are about, so that one cause is reported once, however many things it concerns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

MOST = 5  # things that a short note names
# How urgent a note is, in the order in which a page warns of the same: first labels that are probably not meant so;
# other notes follow, and counts come last.
NOT_MEANT, BEATEN, NOT_CALIBRATED, GAP, USUAL, LAST = range(6)


class Note(str):
    """A sentence around the names of what it is about: classes, measures or systems.

    Notes that differ only in these names have the same cause. As text it names the first few; `full` names all.
    """

    about: tuple[str, ...]
    words: tuple[str, str, str, str]
    urgency: int

    def __new__(
        cls,
        about: Iterable[str],
        end: str = "",
        *,
        before: str = "",
        after: str = "",
        several: str = "",
        urgency: int | None = None,
    ) -> Note:
        """A sentence: `before` and `after` go around one name, `several` before more of them; {n} is their number."""
        names = tuple(dict.fromkeys(about))
        made = super().__new__(cls, _sentence(names, (before, after, several, end), MOST))
        made.about, made.words = names, (before, after, several, end)
        made.urgency = urgency_of(end) if urgency is None else urgency
        return made

    @property
    def cause(self) -> tuple[str, ...]:
        """What notes have in common that can be merged into one."""
        return tuple(full(part) for part in self.words)

    @property
    def full(self) -> str:
        """The sentence with every name."""
        *around, end = self.words
        return _sentence(self.about, (*around, full(end)), len(self.about))

    def with_more(self, other: Note) -> Note:
        """The note about these things and those of another with the same cause."""
        (_, end), words = self.__getnewargs_ex__()
        return Note((*self.about, *other.about), end, **words)

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        before, after, several, end = self.words
        return (self.about, end), {"before": before, "after": after, "several": several, "urgency": self.urgency}


def _sentence(names: Sequence[str], words: tuple[str, ...], most: int) -> str:
    before, after, several, end = words
    if several and len(names) > 1:
        before, after = several.replace("{n}", f"{len(names):,}"), ""
    return f"{before}{_joined(names, most)}{after}{end}"


class Aside(str):
    """A note that explains a number and warns of nothing."""


class Urgent(str):
    """A warning that a page has among its first ones."""

    urgency: int

    def __new__(cls, text: str, urgency: int) -> Urgent:
        """A text that is so urgent."""
        made = super().__new__(cls, text)
        made.urgency = urgency
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (str(self), self.urgency), {}


class Headed(str):
    """A warning that a page divides into a short statement and the rest."""

    head: str
    rest: str

    def __new__(cls, text: str, head: str, rest: str) -> Headed:
        """A text, and the same in two parts."""
        made = super().__new__(cls, text)
        made.head, made.rest = head, rest
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (str(self), self.head, self.rest), {}


class Tallied(str):
    """A note with a number; of several systems with such notes, one says what it is about and every number."""

    what: str
    number: str

    def __new__(cls, text: str, what: str, number: str) -> Tallied:
        """A text, and what it says without the number and the number by itself."""
        made = super().__new__(cls, text)
        made.what, made.number = what, number
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (str(self), self.what, self.number), {}


def urgency_of(note: str) -> int:
    """How urgent a note is, perhaps after the names it is about."""
    if isinstance(note, Note | Urgent):
        return note.urgency
    if isinstance(note, _Told):
        return urgency_of(note.note)
    return LAST if isinstance(note, Tallied) else USUAL


def ranked(notes: Iterable[str], behind: Collection[str] = ()) -> tuple[str, ...]:
    """The most urgent notes first; among them last what is only about systems that lost."""

    def place(note: str) -> tuple[int, bool, int]:
        urgency, about = urgency_of(note), note.about if isinstance(note, Note) else ()
        return max(urgency, USUAL - 1), urgency < USUAL and bool(about) and set(about) <= set(behind), urgency

    return tuple(sorted(notes, key=place))


def is_aside(note: str) -> bool:
    """Whether a note, perhaps after the names it is about, only explains."""
    if isinstance(note, Note):
        return is_aside(note.words[-1])
    return isinstance(note, Aside) or (isinstance(note, _Told) and is_aside(note.note))


def after(before: str, note: str) -> str:
    """A note after some words of its own; one that only explains still does, and one that is urgent still is."""
    text = f"{before}{note}"
    return Aside(text) if is_aside(note) else Urgent(text, urgency_of(note))


class _Told(str):
    """A note after the names of measures or systems: short where they are short, and full where they are full."""

    note: str

    def __new__(cls, note: str) -> _Told:
        made = super().__new__(cls, f": {note}")
        made.note = note
        return made

    def __getnewargs__(self) -> tuple[str]:
        return (self.note,)


def note_of(names: Iterable[str], note: str) -> Note:
    """A note about measures or systems, after their names."""
    return Note(names, _Told(note))


def of_system(system: str, note: str) -> Note:
    """A note about one of several systems."""
    last = note.words[-1] if isinstance(note, Note) else None
    inner = last.note if isinstance(last, _Told) else note
    if not isinstance(inner, Tallied):
        return note_of([system], note)
    what = note_of(note.about, inner.what) if isinstance(note, Note) else inner.what
    return Note([f"{inner.number} ({system})"], before=f"{what}: ", urgency=LAST)


def divided(note: str) -> tuple[tuple[str, ...], str, str]:
    """What a note is about, if it begins with that; its first statement, and the rest."""
    about: tuple[str, ...] = ()
    if isinstance(note, Note) and isinstance(note.words[-1], _Told) and not note.words[0]:
        about, note = note.about, note.words[-1].note
    if isinstance(note, Headed):
        return about, note.head, note.rest
    text = full(note)
    at = min((i for i in (text.find(": "), text.find("; ")) if i > 0), default=-1)
    return (about, text, "") if at < 0 else (about, text[:at], text[at + 2 :])


def full(note: str) -> str:
    """A note with every name in it; a plain sentence as it is."""
    if isinstance(note, _Told):
        return f": {full(note.note)}"
    return note.full if isinstance(note, Note) else str(note)


def gathered(notes: Iterable[str]) -> tuple[str, ...]:
    """Every note once; notes with the same cause become one about all their things, in the place of the first."""
    out: dict[object, str] = {}
    for note in notes:
        key = note.cause if isinstance(note, Note) else str(note)
        held = out.get(key)
        out[key] = held.with_more(note) if isinstance(held, Note) and isinstance(note, Note) else note
    return tuple(out.values())


def _joined(names: Sequence[str], most: int) -> str:
    if len(names) > most + 1:  # to name one more is as short as to count it
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
