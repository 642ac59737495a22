"""Logistic recalibration: how the log-odds of scores should be scaled and shifted to fit what came true."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Floats
from assay.tally.losses import EPS, no_probability
from assay.tally.scores import ByScore

ITERATIONS = 100
HALVINGS = 30
ENOUGH = 1e-13  # a step this small relative to the coefficient has no visible effect
FAR = 80.0  # log-odds of scores lie within ±36.04, so no intercept lies farther out than this
Both = tuple[Floats, Floats]


def log_odds(score: Floats, least: float = EPS) -> Floats:
    """Log p / (1 − p), with p kept this far away from 0 and 1."""
    p = np.clip(score, least, 1 - least)
    return np.asarray(np.log(p) - np.log1p(-p))


def outside(e: ByScore) -> NDArray[np.bool_]:
    """Whether any item has a score outside [0, 1]."""
    far = np.flatnonzero(no_probability(e.score))
    return np.asarray((e.pos[..., far] + e.neg[..., far] > 0).any(-1))


def one_class(e: ByScore) -> NDArray[np.bool_]:
    """Whether all items belong to one class."""
    return np.asarray((e.pos.sum(-1) == 0) | (e.neg.sum(-1) == 0))


def is_separated(e: ByScore) -> NDArray[np.bool_]:
    """Whether no positive item scores below a negative one, or none above: then no slope is best."""
    x = log_odds(e.score)
    low_pos, low_neg = (np.where(w > 0, x, np.inf).min(-1) for w in (e.pos, e.neg))
    high_pos, high_neg = (np.where(w > 0, x, -np.inf).max(-1) for w in (e.pos, e.neg))
    return np.asarray((high_neg <= low_pos) | (high_pos <= low_neg))


# ---------------------------------------------------------------------- slope and intercept together
def slope(e: ByScore) -> Floats:
    """The slope of the logistic regression of what came true on the log-odds; nan where there is none."""
    return _each(e, ~(outside(e) | one_class(e) | is_separated(e)), lambda x, pos, neg: _fitted(x, pos, neg)[1])


def line(e: ByScore) -> tuple[float, float]:
    """Intercept and slope of one table whose classes overlap."""
    a, b = _fitted(log_odds(e.score), e.pos[None], e.neg[None])
    return float(a[0]), float(b[0])


def slope_influence(e: ByScore) -> Both:
    """How far one more item moves the slope: its error times its position, over the total information."""
    if np.isnan(slope(e)):
        return np.zeros_like(e.score), np.zeros_like(e.score)
    x, (a, b) = log_odds(e.score), line(e)
    chance = _chance(a + b * x)
    weight = (e.pos + e.neg) * weights(a + b * x)
    _, middle = center(x, weight)
    moved = (x - middle) / (weight * (x - middle) ** 2).sum()
    return moved * (1 - chance), -moved * chance


def weights(line: Floats) -> Floats:
    """The information of one item at each position: the variance of the outcome there."""
    return _chance(line) * _chance(-line)


def center(x: Floats, weight: Floats) -> tuple[float, float]:
    """The sum of the weights, and the weighted mean of x."""
    total = float(weight.sum())
    return total, float((weight * x).sum()) / total


def _fitted(x: Floats, pos: Floats, neg: Floats) -> Both:
    """Maximum likelihood intercepts and slopes, one per row; the classes overlap in every row."""
    items = pos + neg
    total = items.sum(-1, keepdims=True)
    middle = (items * x).sum(-1, keepdims=True) / total
    width = np.sqrt((items * (x - middle) ** 2).sum(-1, keepdims=True) / total)
    t = (x - middle) / width
    share = pos.sum(-1) / total[:, 0]
    found = np.stack([np.log(share) - np.log1p(-share), np.zeros_like(share)])
    moving = np.arange(len(share))  # each row goes on until it has its own optimum, whatever the others do
    for _ in range(ITERATIONS):
        at, rows = found[:, moving], (t[moving], pos[moving], items[moving])
        step = _newton(at, *rows)
        step = _shortened(at, step, *rows)
        found[:, moving] = at + step
        moving = moving[(np.abs(step) > ENOUGH * (1 + np.abs(at))).any(0)]
        if not len(moving):
            break
    return found[0] - found[1] * (middle / width)[:, 0], found[1] / width[:, 0]


def _newton(at: Floats, t: Floats, pos: Floats, items: Floats) -> Floats:
    chance = _chance(at[0, :, None] + at[1, :, None] * t)
    wrong, weight = pos - items * chance, items * chance * (1 - chance)
    up, along = wrong.sum(-1), (wrong * t).sum(-1)
    one, cross, square = weight.sum(-1), (weight * t).sum(-1), (weight * t * t).sum(-1)
    spread = one * square - cross**2
    ok = spread > 0
    spread = np.where(ok, spread, 1.0)
    return np.where(ok, np.stack([square * up - cross * along, one * along - cross * up]) / spread, 0.0)


def _shortened(at: Floats, step: Floats, t: Floats, pos: Floats, items: Floats) -> Floats:
    """The step, halved until the likelihood does not fall."""

    def likelihood(c: Floats) -> Floats:
        line = c[0, :, None] + c[1, :, None] * t
        return np.asarray((pos * line - items * np.logaddexp(0, line)).sum(-1))

    here = likelihood(at)
    slack = 1e-12 * (1 + np.abs(here))
    for _ in range(HALVINGS):
        falls = likelihood(at + step) < here - slack
        if not falls.any():
            break
        step = np.where(falls, step / 2, step)
    return step


# ---------------------------------------------------------------------- the intercept alone
def intercept(e: ByScore) -> Floats:
    """What to add to all log-odds so that they expect as many positives as there are; nan for one class."""
    return _each(e, ~(outside(e) | one_class(e)), _shift)


def intercept_influence(e: ByScore) -> Both:
    """How far one more item moves the intercept: its error, over the total information."""
    if np.isnan(intercept(e)):
        return np.zeros_like(e.score), np.zeros_like(e.score)
    x = log_odds(e.score)
    chance = _chance(_shift(x, e.pos[None], e.neg[None])[0] + x)
    known = ((e.pos + e.neg) * chance * (1 - chance)).sum()
    return (1 - chance) / known, -chance / known


def _shift(x: Floats, pos: Floats, neg: Floats) -> Floats:
    """Newton's steps within a bracket, which is halved where a step would leave it."""
    items, wanted = pos + neg, pos.sum(-1)
    low, high = np.full(len(pos), -FAR), np.full(len(pos), FAR)
    at = np.zeros(len(pos))
    moving = np.arange(len(pos))
    for _ in range(ITERATIONS):
        chance = _chance(at[moving, None] + x)
        missing = wanted[moving] - (items[moving] * chance).sum(-1)
        low[moving] = np.where(missing >= 0, at[moving], low[moving])
        high[moving] = np.where(missing <= 0, at[moving], high[moving])
        known = (items[moving] * chance * (1 - chance)).sum(-1)
        new = at[moving] + np.divide(missing, known, out=np.full_like(known, np.inf), where=known > 0)
        inside = (new > low[moving]) & (new < high[moving])
        new = np.where(inside, new, (low[moving] + high[moving]) / 2)
        step = new - at[moving]
        at[moving] = new
        moving = moving[np.abs(step) > ENOUGH * (1 + np.abs(new))]
        if not len(moving):
            break
    return at


# ---------------------------------------------------------------------- stacks
def _each(e: ByScore, defined: NDArray[np.bool_], value: Callable[[Floats, Floats, Floats], Floats]) -> Floats:
    """The value of each table in a stack; nan where it is undefined."""
    out = np.full(defined.shape, np.nan)
    if defined.any():
        out[defined] = value(log_odds(e.score), e.pos[defined], e.neg[defined])
    return out


def _chance(x: Floats) -> Floats:
    return np.exp(-np.logaddexp(0, -x))
