"""Where to write the name of a line so that it covers no line: beside its own, away from the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len

from assay.tally.sampling import Floats

LETTER, HEIGHT = 7.0, 15.0  # about what a bold letter of this size takes, in pixels
AWAY = 7.0  # from the line to its name
CANDIDATES = 60  # places along a line that are tried
CROWDED = 1.0  # what a place may cost and still be clear: nothing covered, and no other line near
Points = tuple[Floats, Floats]
Size = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, from the top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, points: Points, room: float = 0.0) -> int:
        """How many of these points lie inside, or nearly."""
        x, y = points
        inside = (x > self.left - room) & (x < self.right + room) & (y > self.top - room) & (y < self.bottom + room)
        return int(inside.sum())

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def beside(names: Sequence[str], lines: Sequence[Points], others: Sequence[Points], size: Size) -> list[Box] | None:
    """A box for each name beside its own line, or None where a reader could not tell whose a name is.

    `others` are lines without a name, which are kept free too.
    """
    even = [_even(line) for line in lines]
    free = [_even(line) for line in others]
    taken: list[Box] = []
    for name, own in zip(names, even, strict=True):
        boxes = _boxes(own, LETTER * cell_len(name), size)
        costs = [_cost(box, own, [*even, *free], taken) for box in boxes]
        best = int(np.argmin(costs))
        if costs[best] >= CROWDED:
            return None
        taken.append(boxes[best])
    return taken


def free_box(width: float, height: float, lines: Sequence[Points], size: Size) -> Box:
    """The place in the frame where a box of this size covers least, the lower right before the upper left."""
    even = [_even(line) for line in lines]
    across, down = (
        np.linspace(8, max(whole - part - 8, 8), 25) for whole, part in zip(size, (width, height), strict=True)
    )
    boxes = [Box(left, top, left + width, top + height) for top in down[::-1] for left in across[::-1]]
    return min(boxes, key=lambda box: sum(box.holds(line, 8.0) for line in even))


def _even(line: Points) -> Points:
    """Points of a line at even distances of about two pixels."""
    x, y = line
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = np.linspace(0, length[-1], max(int(length[-1] / 2), 2))
    return np.interp(at, length, x), np.interp(at, length, y)


def _boxes(line: Points, width: float, size: Size) -> list[Box]:
    """Boxes beside the line, on either side, that lie within the frame where they fit at all."""
    out = []
    for i in np.linspace(0, len(line[0]) - 1, CANDIDATES).astype(int):
        for right, below in ((True, True), (False, False), (True, False), (False, True)):
            left = line[0][i] + AWAY if right else line[0][i] - AWAY - width
            top = line[1][i] + AWAY / 2 if below else line[1][i] - AWAY / 2 - HEIGHT
            left = min(max(left, 2.0), max(size[0] - width - 2, 2.0))
            top = min(max(top, 2.0), size[1] - HEIGHT - 2)
            out.append(Box(left, top, left + width, top + HEIGHT))
    return out


def _cost(box: Box, own: Points, lines: Sequence[Points], taken: Sequence[Box]) -> float:
    """What a box covers, then how much nearer another line is than its own, then how far it is from the middle."""
    covered = sum(box.holds(line, 1.0) for line in lines) + 1000 * sum(box.meets(other) for other in taken)
    near = sum(box.holds(line, AWAY + 1) for line in lines if line is not own)
    middle = abs((box.left + box.right) / 2 - float(np.mean(own[0]))) / 1000
    return 10.0 * covered + near + middle


__all__ = ["HEIGHT", "LETTER", "Box", "beside", "free_box"]
