"""What was typed, so that a page can say how to make it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_typed: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())


@contextmanager
def typed(arguments: Sequence[str]) -> Iterator[None]:
    """Within this, these are the arguments that were typed."""
    token = _typed.set(tuple(arguments))
    try:
        yield
    finally:
        _typed.reset(token)


def command() -> str | None:
    """The command that was typed, as a shell reads it."""
    arguments = _typed.get()
    return shlex.join(["assay", *arguments]) if arguments else None
