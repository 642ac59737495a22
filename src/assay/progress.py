"""Progress of long work, reported to a watcher; without one it costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
Watcher = Callable[[str, int, int], None]  # called with what is being done, how much is done, and the total

_watchers: list[Watcher | None] = []


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Report all work within this context to the watcher."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.pop()


def told(parts: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the parts, calling the watcher after each; progress within a part is not reported."""
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
