"""Long work says how far it has come, to whoever watches; without a watcher it costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
Watcher = Callable[[str, int, int], None]  # told what is done, how much of it, out of how much

_watchers: list[Watcher | None] = []


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell this watcher of all work within."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.pop()


def told(parts: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The parts one by one, telling the watcher after each; what they do within themselves is not told."""
    watcher = _watchers[-1] if _watchers else None
    if watcher is None or total < 2:
        yield from parts
        return
    done = 0
    remaining = iter(parts)
    while True:
        _watchers.append(None)
        try:
            part = next(remaining)
        except StopIteration:
            return
        finally:
            _watchers.pop()
        done += 1
        watcher(what, min(done, total), total)
        yield part
