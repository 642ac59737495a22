"""Where the names of lines are written: beside them, apart from them with a leader, or in a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len

from assay.tally.contract.sampling import Floats

HEIGHT = 16.0  # pixels of a name
LETTER, NARROW, BROAD = 8.2, 5.0, 12.5  # about the width of a bold character, of a narrow one and of a broad one
SLACK = 3.0  # pixels that a name may be wider than expected
AWAY = 7.0  # from the line to its name
CANDIDATES = 60  # places along a line that are tried
CROWDED = 1.0  # a place is clear if it costs less: nothing covered, and no other line near
TARGETS = 40  # places along a line at which a leader may end
INNER = (0.08, 0.92)  # of its length, as lines often meet at their ends
CLEAR = 4.0  # pixels between a leader's end and every other line
CROSSING = 60.0  # pixels of length that a leader may be longer in order to cross no line
LONGEST = 0.4  # of the frame's diagonal: a longer leader is hard to follow
Points = tuple[Floats, Floats]
Size = tuple[float, float]
Point = tuple[float, float]


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

    @property
    def sides(self) -> tuple[Point, ...]:
        """The middles of its sides, where a leader may begin."""
        across, down = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        return (self.left - 2, down), (self.right + 2, down), (across, self.top - 1), (across, self.bottom + 1)


@dataclass(frozen=True)
class Label:
    """Where a name is written, and the leader from there to its line."""

    box: Box
    leader: tuple[Point, Point]


def width_of(name: str) -> float:
    """About how many pixels a name takes in bold."""
    return sum(
        NARROW if c in "ijlftrI.,:;'!|()[] -1" else BROAD if c in "mwMW@%" or cell_len(c) > 1 else LETTER for c in name
    )


def labels(
    names: Sequence[str], lines: Sequence[Points], others: Sequence[Points], size: Size, taken: Sequence[Box] = ()
) -> list[Label] | None:
    """A label for each line, or None if readers could not tell which line a name belongs to.

    `others` are lines without a name, which are not covered either; `taken` are places that are not free.
    """
    found = beside(names, lines, others, size, taken)
    if found is not None:
        return [Label(box, _to_line(box, _even(line))) for box, line in zip(found, lines, strict=True)]
    even, free = [_even(line) for line in lines], _together(others)
    out: list[Label] = []
    # The lines that are lowest have the free place below all of them to themselves.
    for i in sorted(range(len(lines)), key=lambda i: -float(np.mean(even[i][1]))):
        wide = SLACK + width_of(names[i])
        held = [*taken, *(label.box for label in out)]
        boxes = _boxes(even[i], wide, size)
        costs = [_cost(box, even[i], [*even, *free], held) for box in boxes]
        best = int(np.argmin(costs))
        label: Label | None = Label(boxes[best], _to_line(boxes[best], even[i]))
        if costs[best] >= CROWDED:
            label = _apart(wide, i, even, free, size, held, out)
        if label is None:
            return None
        out.append(label)
    order = sorted(range(len(lines)), key=lambda i: -float(np.mean(even[i][1])))
    return [out[order.index(i)] for i in range(len(lines))]


def beside(
    names: Sequence[str], lines: Sequence[Points], others: Sequence[Points], size: Size, taken: Sequence[Box] = ()
) -> list[Box] | None:
    """A box for each name right beside its own line, or None if there is no room for one of them."""
    even = [_even(line) for line in lines]
    free = _together(others)
    out: list[Box] = []
    for name, own in zip(names, even, strict=True):
        boxes = _boxes(own, SLACK + width_of(name), size)
        costs = [_cost(box, own, [*even, *free], [*taken, *out]) for box in boxes]
        best = int(np.argmin(costs))
        if costs[best] >= CROWDED:
            return None
        out.append(boxes[best])
    return out


def least_covering(boxes: Sequence[Box], lines: Sequence[Points], taken: Sequence[Box] = ()) -> int:
    """Which of these places covers least; the first of several that are equally good."""
    even = [_even(line) for line in lines]
    return int(np.argmin([sum(box.holds(line, 1.0) for line in even) + 1000 * _met(box, taken) for box in boxes]))


def _spread(width: float, size: Size) -> list[Box]:
    """Boxes of this width all over the frame."""
    across, down = (
        np.linspace(8, max(whole - part - 8, 8), 25) for whole, part in zip(size, (width, HEIGHT), strict=True)
    )
    return [Box(left, top, left + width, top + HEIGHT) for top in down for left in across]


def _met(box: Box, taken: Sequence[Box]) -> int:
    return sum(box.meets(other) for other in taken)


def _even(line: Points) -> Points:
    """Points of a line at even distances of about two pixels."""
    x, y = line
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = np.linspace(0, length[-1], max(int(length[-1] / 2), 2))
    return np.interp(at, length, x), np.interp(at, length, y)


def _together(lines: Sequence[Points]) -> list[Points]:
    """The points of all these lines as one, where it does not matter which line a point is of."""
    even = [_even(line) for line in lines]
    return [(np.concatenate([x for x, _ in even]), np.concatenate([y for _, y in even]))] if even else []


def _boxes(line: Points, width: float, size: Size) -> list[Box]:
    """Boxes beside the line, on either side, within the frame if they fit at all."""
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
    covered = sum(box.holds(line, 1.0) for line in lines) + 1000 * _met(box, taken)
    near = sum(box.holds(line, AWAY + 1) for line in lines if line is not own)
    middle = abs((box.left + box.right) / 2 - float(np.mean(own[0]))) / 1000
    return 10.0 * covered + near + middle


# ---------------------------------------------------------------------- apart from the line
def _apart(
    wide: float,
    i: int,
    lines: Sequence[Points],
    others: Sequence[Points],
    size: Size,
    taken: Sequence[Box],
    before: Sequence[Label],
) -> Label | None:
    """A name in a free place, with the shortest leader to a place where its line runs alone."""
    rest = [line for k, line in enumerate(lines) if k != i]
    ends = _alone(lines[i], rest)
    before_it = [_as_points(label.leader) for label in before]
    every = [*_together([*lines, *others]), *map(_even, before_it)]
    free = [
        box for box in _spread(wide, size) if not _met(box, taken) and not any(box.holds(line, AWAY) for line in every)
    ]
    found = sorted(_leaders(free, ends), key=lambda each: each[0])
    best: tuple[float, Label] | None = None
    for length, box, leader in found:
        if length > LONGEST * float(np.hypot(*size)) or (best is not None and length >= best[0]):
            break
        crossed = sum(_crosses(leader, line) for line in rest)
        if crossed > (len(lines) == 2) or _through(leader, taken) or any(_crosses(leader, line) for line in before_it):
            continue
        if best is None or length + CROSSING * crossed < best[0]:
            best = (length + CROSSING * crossed, Label(box, leader))
    return None if best is None else best[1]


def _leaders(boxes: Sequence[Box], ends: Sequence[Point]) -> Iterator[tuple[float, Box, tuple[Point, Point]]]:
    """The shortest leader from each side of each box, and its length."""
    if not ends:
        return
    x, y = np.array(ends).T
    for box in boxes:
        for begin in box.sides:
            length = np.hypot(x - begin[0], y - begin[1])
            k = int(np.argmin(length))
            yield float(length[k]), box, (begin, ends[k])


def _alone(line: Points, rest: Sequence[Points]) -> list[Point]:
    """Places of a line that no other line is near."""
    out = []
    for k in (np.linspace(*INNER, TARGETS) * (len(line[0]) - 1)).astype(int):
        x, y = float(line[0][k]), float(line[1][k])
        if all(float(np.hypot(other[0] - x, other[1] - y).min()) > CLEAR for other in rest):
            out.append((x, y))
    return out


def _to_line(box: Box, line: Points) -> tuple[Point, Point]:
    """The shortest leader from a name to the line beside it."""
    ends = list(zip(line[0].tolist(), line[1].tolist(), strict=True))
    _, _, leader = min(_leaders([box], ends), key=lambda each: each[0])
    return leader


def _as_points(leader: tuple[Point, Point]) -> Points:
    (x1, y1), (x2, y2) = leader
    return np.array([x1, x2]), np.array([y1, y2])


def _crosses(leader: tuple[Point, Point], line: Points) -> bool:
    """Whether a leader crosses a line."""
    (x1, y1), (x2, y2) = leader
    x, y = line
    side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    turned = np.diff(x) * (y1 - y[:-1]) - np.diff(y) * (x1 - x[:-1])
    other = np.diff(x) * (y2 - y[:-1]) - np.diff(y) * (x2 - x[:-1])
    return bool(((side[:-1] * side[1:] <= 0) & (turned * other <= 0)).any())


def _through(leader: tuple[Point, Point], boxes: Sequence[Box]) -> bool:
    """Whether a leader passes through another label, or whatever else has taken a place."""
    points = _even(_as_points(leader))
    return any(box.holds(points) for box in boxes)
