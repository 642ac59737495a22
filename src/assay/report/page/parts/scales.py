"""Scales of a table of intervals: only the part in use is drawn, with round ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.jobs.answers.results import Row
from assay.report.charts.drawing import finite, places, round_step, ticks
from assay.texts import numeral

ROOM = 0.1  # of what is in use, added at each end
STEP = 0.05  # ends are multiples of this, or of a smaller round number if little is in use
FULL = (0.0, 1.0)


@dataclass(frozen=True)
class Scale:
    """From one number to another, and the whole scale that it is a part of."""

    low: float
    high: float
    whole: tuple[float, float] | None = None

    @classmethod
    def around(cls, held: Sequence[float | None], within: tuple[float, float] | None = FULL) -> Scale:
        """As wide as these numbers and a little more, within the whole scale."""
        known = finite(held)
        if not known:
            return cls(*FULL, within)
        least, most = min(known), max(known)
        if within == FULL and least < 0:
            within = (-1.0, 1.0)
        room = ROOM * ((most - least) or 0.1)
        step = min(STEP, round_step((most - least) or 0.1, 4))
        low, high = step * math.floor((least - room) / step + 1e-9), step * math.ceil((most + room) / step - 1e-9)
        if within is not None:
            low, high = max(low, within[0]), min(high, within[1])
        return cls(round(low, 9), round(high, 9), within)

    @classmethod
    def of_own(cls, rows: Sequence[Row]) -> Scale:
        """The scale of one measure alone: from 0 if it has no negative values."""
        known = finite([x for row in rows for x in (row.value, row.low, row.high)])
        if not known:
            return cls(*FULL)
        least, most = min([0.0, *known]), max([*known, 1e-9])
        step = round_step(max(most - min(least, 0.0), 1e-9), 4)
        return cls(step * math.floor(least / step + 1e-9), step * math.ceil(most / step - 1e-9))

    def at(self, x: float) -> float:
        """The place of a number, in percent."""
        return round(100 * min(max((x - self.low) / (self.high - self.low), 0.0), 1.0), 2)

    def maybe(self, x: float | None) -> float | None:
        """The place of a number that may be missing."""
        return None if x is None or not math.isfinite(x) else self.at(x)

    @property
    def grid(self) -> tuple[tuple[float, str], ...]:
        """Round numbers along it, with their places in percent."""
        return self._grid(4, sign=False)

    @property
    def signed_grid(self) -> tuple[tuple[float, str], ...]:
        """The same for differences."""
        return self._grid(3, sign=True)

    def _grid(self, about: int, *, sign: bool) -> tuple[tuple[float, str], ...]:
        marks = ticks(self.low, self.high, about)
        form = f"{'+' if sign else ''}.{places(marks)}f"
        return tuple((self.at(x), "0" if abs(x) < 1e-12 else numeral(x, form)) for x in marks)

    @property
    def ruler(self) -> tuple[tuple[float, str, bool], ...]:
        """The grid with its labels, and whether a label gives way where there is little room: every second one."""
        return tuple((at, text, (len(self.grid) - i) % 2 == 0) for i, (at, text) in enumerate(self.grid))

    @property
    def signed_ruler(self) -> tuple[tuple[float, str, bool], ...]:
        """The same for differences; 0 keeps its label."""
        grid = self._grid(4, sign=True)
        zero = next((i for i, (_, text) in enumerate(grid) if text == "0"), 0)
        return tuple((at, text, (i - zero) % 2 == 1) for i, (at, text) in enumerate(grid))

    @property
    def window(self) -> tuple[float, float] | None:
        """Where on the whole scale the drawn part lies, in percent; None if all of it is drawn."""
        if self.whole is None or (self.low, self.high) == self.whole:
            return None
        low, high = self.whole
        return 100 * (self.low - low) / (high - low), 100 * (self.high - low) / (high - low)

    @property
    def zero(self) -> float:
        """The place of 0."""
        return self.at(0.0)

    @property
    def limits(self) -> tuple[str, str]:
        """Its two ends."""
        return numeral(self.low, "g"), numeral(self.high, "g")

    @property
    def ends(self) -> str:
        """The same in words."""
        return " to ".join(self.limits)
