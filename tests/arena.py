"""Judgments like those of an arena of chat models: six systems, three judges, ties, and places out of balance."""

from __future__ import annotations

import csv
import io
import math
import random
from collections.abc import Mapping
from typing import Final

STRENGTHS: Final = {"atlas": 0.9, "birch": 0.5, "cedar": 0.4, "delta": 0.0, "ember": -0.5, "fjord": -1.3}
PLACE, TIE = 0.4, -0.6  # what first place adds to the log odds, and the term of ties
JUDGES: Final = ("ann", "ben", "cem")

Columns = dict[str, list[str]]


def arena(
    n: int = 400, seed: int = 3, strengths: Mapping[str, float] = STRENGTHS, tie: float = TIE, prompts: int = 120
) -> Columns:
    """Columns prompt, model_a, model_b, winner and judge, drawn from the model; the weaker one is often shown first."""
    rng = random.Random(seed)
    out: Columns = {name: [] for name in ("prompt", "model_a", "model_b", "winner", "judge")}
    for _ in range(n):
        strong, weak = sorted(rng.sample(sorted(strengths), 2), key=lambda name: -strengths[name])
        a, b = (weak, strong) if rng.random() < 0.7 else (strong, weak)
        d = strengths[a] - strengths[b] + PLACE
        weights = (math.exp(d / 2), math.exp(tie), math.exp(-d / 2))
        (winner,) = rng.choices((a, "tie", b), weights)
        values = (f"q{rng.randrange(prompts):03}", a, b, winner, rng.choice(JUDGES))
        for column, value in zip(out.values(), values, strict=True):
            column.append(value)
    return out


def csv_of(columns: Mapping[str, list[str]]) -> str:
    """The columns as the text of a CSV file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([tuple(columns), *zip(*columns.values(), strict=True)])
    return out.getvalue()
