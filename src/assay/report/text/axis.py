"""Intervals drawn on an axis of characters: as wide as what is drawn on it, in half cells, with round numbers above."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.text import Text

from assay.texts import numeral

WIDEST, GOOD, NARROWEST = 41, 17, 11  # cells of an axis: at most, where there is room, and at least
WHOLE, LEFT, RIGHT = "━", "╸", "╺"  # a cell of a bar: covered, and only one half of it
ZERO, CROSSED = "│", "┿"  # the line at 0, alone and under a bar
STEPS = (1, 2, 5)
MOST_NUMBERS = 6  # above an axis
LEAST = 1e-9


@dataclass(frozen=True)
class Axis:
    """A range of numbers on some cells. With `zero`, 0 has a cell for itself, so that no bar can seem to touch it."""

    low: float
    high: float
    cells: int
    zero: bool = False

    @classmethod
    def of_differences(cls, held: Iterable[float | None], cells: int) -> Axis:
        """From the lowest of these to the highest, and always to 0."""
        known = [x for x in held if x is not None and math.isfinite(x)]
        low, high = min([0.0, *known]), max([0.0, *known])
        if high - low < LEAST:
            low, high = -0.001, 0.001
        return cls(low, high, cells, zero=True)

    @classmethod
    def of_values(cls, held: Iterable[float | None], cells: int) -> Axis:
        """From the lowest of these to the highest."""
        known = [x for x in held if x is not None and math.isfinite(x)] or [0.0, 1.0]
        low, high = min(known), max(known)
        return cls(low, high, cells) if high - low >= LEAST else cls(low - 0.01, high + 0.01, cells)

    @cached_property
    def origin(self) -> int:
        """The cell of 0; what lies left or right of 0 has at least one cell there."""
        at = round((0.0 - self.low) / (self.high - self.low) * (self.cells - 1))
        return min(max(at, self.low < 0), self.cells - 1 - (self.high > 0))

    def half(self, x: float) -> int:
        """The half cell of a number; those beyond the ends are at the ends."""
        last = 2 * self.cells - 1
        if not self.zero:
            inside = min(max(x, self.low), self.high)
            return min(math.floor((inside - self.low) / (self.high - self.low) * (last + 1) + LEAST), last)
        if x > 0 and self.high > 0:
            first = 2 * self.origin + 2
            return min(first + math.floor(min(x / self.high, 1.0) * (last + 1 - first)), last)
        if x < 0 and self.low < 0:
            return max(2 * self.origin - 1 - math.floor(min(x / self.low, 1.0) * 2 * self.origin), 0)
        return 2 * self.origin

    def cell(self, x: float) -> int:
        """The cell of a number."""
        return self.half(x) // 2

    def drawn(
        self,
        value: float,
        low: float | None,
        high: float | None,
        mark: str,
        style: str,
        *,
        ticks: Sequence[float] = (),
        beside: float | None = None,
    ) -> Text:
        """A mark on its interval, and arrows where it leaves the axis; a limit that a question lacks is infinite.

        Ticks are seen where nothing else is, and the value of no model, `beside` it, wherever the mark is not.
        """
        cells = [(" ", "")] * self.cells
        if low is not None and high is not None:
            cells = self._bar(low, high, style or "dim")
        for tick in map(self.cell, ticks):
            cells[tick] = ("·", "dim") if cells[tick][0] == " " else cells[tick]
        if beside is not None and not self.off(beside):
            cells[self.cell(beside)] = ("┊", "bold")
        if self.zero:
            crossed = cells[self.origin][0] != " "
            cells[self.origin] = (CROSSED, style or "dim") if crossed else (ZERO, "dim")
        cells[self.cell(value)] = (self.off(value) or mark, f"bold {style}".strip())
        return Text.assemble(*cells)

    def off(self, value: float | None) -> str:
        """An arrow to where the value lies, if that is beyond an end."""
        if value is None:
            return ""
        return "▶" if value > self.high + LEAST else "◀" if value < self.low - LEAST else ""

    def _bar(self, low: float, high: float, style: str) -> list[tuple[str, str]]:
        first, last = self.half(low), self.half(high)
        off = low > self.high + LEAST or high < self.low - LEAST
        out = []
        for at in range(self.cells):
            left, right = (first <= half <= last for half in (2 * at, 2 * at + 1))
            sign = WHOLE if left and right else LEFT if left else RIGHT if right else " "
            out.append((" " if off else sign, style))
        if not off and low < self.low - LEAST:
            out[0] = ("◂", style)
        if not off and high > self.high + LEAST:
            out[-1] = ("▸", style)
        return out

    # ------------------------------------------------------------------ numbers above it
    def head(self, *, signed: bool = False) -> str:
        """Round numbers above their places, as many as there is room for."""
        for step in self._steps():
            written = self._written(step, signed=signed)
            if written is not None:
                return written
        return " " * self.cells

    def _steps(self) -> Iterator[float]:
        """Round steps that give a handful of numbers, the finest first."""
        power = math.floor(math.log10((self.high - self.low) / 5))
        yield from (step * 10.0**p for p in range(power, power + 4) for step in STEPS)

    def _written(self, step: float, *, signed: bool) -> str | None:
        """The multiples of a step above their places; None if they do not fit."""
        line, end = [" "] * self.cells, -2
        places = max(-math.floor(math.log10(step) + LEAST), 0)
        first, last = math.ceil(self.low / step - LEAST), math.floor(self.high / step + LEAST)
        if last - first >= MOST_NUMBERS:
            return None
        for i in range(first, last + 1):
            text = "0" if i == 0 else bare(numeral(i * step, f"{'+' if signed else ''}.{places}f"))
            at = self.cell(i * step)
            start = min(max(at - len(text) // 2, 0), self.cells - len(text))
            if start < end + 2 or abs(start + len(text) // 2 - at) > len(text) // 2:
                return None
            line[start : start + len(text)] = text
            end = start + len(text) - 1
        return "".join(line) if last >= first else None


def bare(text: str) -> str:
    """Numbers without the zero before their point."""
    return text.replace("+0.", "+.").replace("−0.", "−.").removeprefix("0") if "0." in text else text
