"""Curves of systems from their scores: exact points, bands, what they say in words, and pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from assay.errors import DataError, OptionError, check_level, choose, listed
from assay.jobs.count import counted
from assay.jobs.question import Question
from assay.lazily import shown
from assay.measures.scores.calibration import Calibration
from assay.measures.scores.curves import CostByThreshold, CostEnvelope, Curve, PrecisionRecall, Reached, Roc
from assay.notes import note_of
from assay.options import CURVE_BINS, CURVES, LEVEL
from assay.options.evaluating import Columns
from assay.options.option import takes
from assay.options.thresholds import CURVES_OF
from assay.result import Result, finite
from assay.tally.scores import HALF, Scored
from assay.texts import csv_text
from assay.uncertainty.curves.bands import Band, curve_band
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Estimate

MOST = 6  # systems that can be told apart in one picture
# The measures that sum a curve up.
SUMMARIES = {"roc": ("roc_auc",), "pr": ("average_precision",), "calibration": ("brier",)}
COLUMNS = ("system", "part", "x", "y", "threshold", "low", "high", "n")


@dataclass(frozen=True, eq=False)
class SystemCurve:
    """One system's curve with its band, and the measures that sum it up."""

    name: str
    tally: Scored
    curve: Curve
    band: Band | None = None
    summaries: tuple[Estimate, ...] = ()
    threshold: float | None = None  # the one that labels are derived with, to be marked


@dataclass(frozen=True, eq=False)
class Curves(Result):
    """The curves of one or more systems on the same items."""

    kind: str
    systems: tuple[SystemCurve, ...]
    level: float
    notes: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, system: str) -> SystemCurve:
        for each in self.systems:
            if each.name == system:
                return each
        raise KeyError(system)

    def __iter__(self) -> Iterator[SystemCurve]:
        return iter(self.systems)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What the curves show on these items, in sentences."""
        return tuple(shown(self, "sentences"))

    def to_dict(self) -> dict[str, Any]:
        """The curves in JSON's own types, every point and every band."""
        points = []
        for system, part, *numbers in (row for each in self.systems for row in _rows(each)):
            values = [finite(float(text)) if text else None for text in numbers]
            points.append(dict(zip(COLUMNS, (system, part, *values), strict=True)))
        return {"kind": self.kind, "level": self.level, "notes": list(self.notes), "points": points}

    def frame_rows(self) -> list[dict[str, Any]]:
        """A row for each point and each place of the bands."""
        points: list[dict[str, Any]] = self.to_dict()["points"]
        return points

    @property
    def picture(self) -> Any:
        """The curves as they are drawn."""
        return shown(self, "picture")

    def to_svg(self) -> str:
        """The picture as SVG."""
        text: str = self.picture.svg()
        return text

    def to_png(self) -> bytes:
        """The picture as PNG."""
        image: bytes = self.picture.png()
        return image

    def to_csv(self, *, raw: bool = False) -> str:
        """All points, none left out, and then the bands.

        Rows of part `point` are exact: one for each threshold. Rows of part `band` are limits at even steps of x,
        where there is no threshold. For a calibration curve each `point` is a bin, with its limits and its n. Names are
        safe to open in a spreadsheet; `raw` leaves them as they are.
        """
        return csv_text([COLUMNS, *(row for each in self.systems for row in _rows(each))], raw=raw)


@takes(*CURVES_OF)
def curves(
    data: Any,
    *,
    kind: str = "roc",
    level: float = LEVEL,
    band: bool = True,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    bins: int = CURVE_BINS,
    binning: str = "mass",
    **question: Unpack[Columns],
) -> Curves:
    """The curves of every system with scores, in a file, a frame, a mapping of columns, or tallies of scores.

    `kind` is roc, pr, calibration, cost (cost per item against the threshold, for the two costs) or envelope (the cost
    curve of Drummond and Holte, for all costs at once). Columns are named as for `evaluate`: gold, scores, positive, …
    """
    choose(kind, CURVES, "kind")
    check_level(level, "level (--level)")
    costs = _costs(kind, cost_fp, cost_fn)
    tallies, notes, provenance = scored_tallies(data, question)
    made = []
    for name, tally in tallies.items():
        curve = _curve(kind, tally, costs, (bins, binning))
        limits = curve_band(curve, level=level) if band and isinstance(curve, Reached | Calibration) else None
        summaries = tuple(estimate(measure, tally, level=level) for measure in SUMMARIES.get(kind, ()))
        made.append(SystemCurve(name, tally, curve, limits, summaries, _threshold(tally, name, question)))
    return Curves(kind, tuple(made), level, tuple(notes), provenance)


def scored_tallies(
    data: Any, question: Mapping[str, Any]
) -> tuple[dict[str, Scored], Sequence[str], Mapping[str, Any]]:
    """The scores of every system, what a reader must know about the counting, and where they came from."""
    if isinstance(data, Mapping) and data and all(isinstance(tally, Scored) for tally in data.values()):
        return dict(data), (), {}
    found = counted(data, Question(**question), judged=False)
    if not found.scored:
        raise DataError("no scores were found; name a column of scores, as in --score model=p_spam (scores=).")
    several = [name for name, tally in found.scored.items() if not isinstance(tally, Scored)]
    if several:
        raise OptionError(
            f"{listed(several)} scores every class, but a curve shows one: name its column of scores (--score) and the "
            "class (--positive)."
        )
    tallies = {name: tally for name, tally in found.scored.items() if isinstance(tally, Scored)}
    if len(tallies) > MOST:
        raise OptionError(f"{len(tallies)} curves in one picture cannot be told apart; name at most {MOST} of them.")
    return tallies, (*found.notes, *_warnings(tallies)), found.provenance


def _warnings(tallies: Mapping[str, Scored]) -> list[str]:
    """What to know about the scores: once where it is true of all systems, otherwise by name."""
    each = {name: shown(tally, "warnings") for name, tally in tallies.items()}
    common = [text for text in next(iter(each.values())) if all(text in texts for texts in each.values())]
    return [*common, *(note_of([name], text) for name, texts in each.items() for text in texts if text not in common)]


def _costs(kind: str, cost_fp: float | None, cost_fn: float | None) -> tuple[float, float]:
    given = [name for name, cost in (("cost_fp", cost_fp), ("cost_fn", cost_fn)) if cost is not None]
    if kind != "cost":
        if given:
            raise OptionError(f"{given[0]} (--{given[0].replace('_', '-')}) applies only to kind='cost' (--kind cost).")
        return 1.0, 1.0
    if cost_fp is None or cost_fn is None:
        raise OptionError(
            "what do a false alarm and a miss cost? Give cost_fp and cost_fn (--cost-fp 1 --cost-fn 20), "
            "or use kind='envelope' (--kind envelope), which shows all costs at once."
        )
    return cost_fp, cost_fn


def _curve(kind: str, tally: Scored, costs: tuple[float, float], bins: tuple[int, str]) -> Curve:
    if kind == "calibration":
        return Calibration.of(tally, *bins)
    if kind == "cost":
        return CostByThreshold.of(tally, *costs)
    return {"roc": Roc, "pr": PrecisionRecall, "envelope": CostEnvelope}[kind].of(tally)  # type: ignore[attr-defined, no-any-return]


def _threshold(tally: Scored, name: str, question: Mapping[str, Any]) -> float | None:
    """The threshold that was named for this system, or one half where scores may be probabilities."""
    named = question.get("threshold")
    if isinstance(named, Mapping):
        named = named.get(name)
    if named is None:
        return HALF if tally.probabilities else None
    return float(named)


# ---------------------------------------------------------------------- rows
def _rows(each: SystemCurve) -> Iterator[list[Any]]:
    c = each.curve
    if isinstance(c, Calibration):
        limits = (each.band.low, each.band.high) if each.band is not None else (np.full(len(c), math.nan),) * 2
        for row in zip(c.x, c.y, c.threshold, *limits, c.mass, strict=True):
            yield [each.name, "point", *map(_written, row)]
        return
    for x, y, threshold in zip(c.x.tolist(), c.y.tolist(), c.threshold.tolist(), strict=True):
        yield [each.name, "point", _written(x), _written(y), _written(threshold), "", "", ""]
    if each.band is not None:
        b = each.band
        for x, y, low, high in zip(b.x.tolist(), b.y.tolist(), b.low.tolist(), b.high.tolist(), strict=True):
            yield [each.name, "band", _written(x), _written(y), "", _written(low), _written(high), ""]


def _written(value: float) -> str:
    """The number to its last digit; nothing where it is undefined."""
    return "" if math.isnan(value) else repr(float(value))
