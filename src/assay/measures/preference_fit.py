"""The Bradley–Terry model with a term for the place and Davidson's term for ties: its fit, and whether there is one.

The system i, shown first, wins against j, ties with it and loses to it with probabilities proportional to

    exp(d / 2) : exp(tie) : exp(−d / 2),   d = strength i − strength j + place

so d is the log odds of winning when ties are left aside. Without ties the middle term is absent, and this is
logistic regression. The log likelihood is concave in all parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.tally.contract.sampling import Floats, Ints
from assay.tally.judgments import FIRST_WON, SECOND_WON, TIE
from assay.tally.preferences import Meetings

Bools = NDArray[np.bool_]

STEPS = 100  # of Newton's method; ten are typical, and a fit that needs more than these is abandoned
FARTHEST = 3.0  # how far one step may go
HALVINGS = 40  # of a step that does not climb
CLOSE = 1e-13  # a step this small, relative to the parameters, is the last
SETTLED = 1e-7  # a fit whose last step was larger is not trusted
MOST = 1 << 22  # numbers in the matrices that are solved at once


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters of the model for each table in a stack: strengths that add up to 0, the place, and ties.

    `beta` has the shape (..., systems + 2), nan where there is no fit. The place is 0 if it is not in the model, and
    the tie term is 0 and not used if nothing was tied.
    """

    meetings: Meetings
    beta: Floats
    places: bool
    tied: Bools  # whether the model has a tie term, for each table

    @property
    def strengths(self) -> Floats:
        """The strength of each system."""
        return self.beta[..., :-2]

    @property
    def place(self) -> Floats:
        """What being shown first adds to the log odds of winning."""
        return self.beta[..., -2]

    @property
    def tie(self) -> Floats:
        """The log of the odds of a tie against a win of one of two equally strong systems; −∞ without ties."""
        return np.where(self.tied, self.beta[..., -1], -np.inf)

    @cached_property
    def inverse(self) -> Floats:
        """The inverse of the observed information, in which strengths add up to 0: shape (..., k + 2, k + 2)."""
        e = self.meetings
        information = _information(e, _chances(e, self.beta, self.tied), self.places, self.tied)
        return _inverse(information, self.places, self.tied)

    def influence(self, contrast: Floats) -> Floats:
        """What one more judgment of each result and meeting adds to a contrast of parameters: (..., 3, meetings).

        The contrast is of the strengths, or of these and the place and the tie term.
        """
        e, p = self.meetings, _chances(self.meetings, self.beta, self.tied)
        row = self.inverse[..., : len(contrast)] @ contrast
        along = row[..., e.first] - row[..., e.second] + row[..., -2, None] * self.places
        point = np.array([0.5, 0.0, -0.5])[:, None] - ((p[..., FIRST_WON, :] - p[..., SECOND_WON, :]) / 2)[..., None, :]
        is_tie = np.array([0.0, 1.0, 0.0])[:, None] - p[..., TIE, :][..., None, :]
        return np.asarray(along[..., None, :] * point + np.where(self.tied, row[..., -1], 0)[..., None, None] * is_tie)


def fit(e: Meetings, places: bool = True) -> Fit:
    """Strengths by maximum likelihood, for every table in a stack; nan where the likelihood has no maximum."""
    if places not in e.fits:
        tied = e.counts[..., TIE, :].sum(-1) > 0
        beta = _fitted(e, places, tied.reshape(-1)).reshape(*e.counts.shape[:-2], len(e.tally.systems) + 2)
        e.fits[places] = Fit(e, beta, places, tied)
    found: Fit = e.fits[places]
    return found


def _fitted(e: Meetings, places: bool, tied: Bools) -> Floats:
    k = len(e.tally.systems)
    flat = e.counts.reshape(-1, *e.counts.shape[-2:])
    start = None if e.near is None else fit(e.near, places).beta
    beta = np.full((len(flat), k + 2), np.nan)
    usable = np.flatnonzero(has_maximum(e.first, e.second, flat > 0, k, places))
    step = max(1, MOST // (k + 2) ** 2)
    for some in (usable[i : i + step] for i in range(0, len(usable), step)):
        part = Meetings(e.tally, e.first, e.second, flat[some])
        beta[some] = _climbed(part, _start(part, tied[some], start), places, tied[some])
    return beta


def _start(e: Meetings, tied: Bools, near: Floats | None) -> Floats:
    """Where to start: equal strengths and as many ties as there are, or a fit of nearly the same judgments."""
    beta = np.zeros((len(e.counts), len(e.tally.systems) + 2))
    if near is not None and not np.isnan(near).any():
        beta[:] = near
    else:
        total = e.counts.sum((-2, -1))
        ties = e.counts[:, TIE].sum(-1)
        beta[:, -1] = np.log(np.where(tied, 2 * ties / np.maximum(total - ties, 0.5), 1))
    beta[~tied, -1] = 0
    return beta


def _climbed(e: Meetings, beta: Floats, places: bool, tied: Bools) -> Floats:
    """Newton's method with steps that are halved until they climb, for all tables at once."""
    last = np.full(len(beta), np.inf)
    going = np.arange(len(beta))
    for _ in range(STEPS):
        part, at, t = Meetings(e.tally, e.first, e.second, e.counts[going]), beta[going], tied[going]
        p = _chances(part, at, t)
        slope = _slope(part, p, places, t)
        move = _solved(_regular(_information(part, p, places, t), places, t)[0], slope)
        size = np.abs(move).max(-1)
        move *= np.minimum(1, FARTHEST / np.maximum(size, FARTHEST))[:, None]
        beta[going] = _uphill(part, at, move, t)
        last[going] = size
        going = going[size > CLOSE * np.maximum(1, np.abs(at).max(-1))]
        if not len(going):
            break
    return np.where((last <= SETTLED)[:, None], beta, np.nan)


def _solved(matrix: Floats, right: Floats) -> Floats:
    """Solutions of regular systems; a matrix that is singular up to rounding gets a small addition."""
    try:
        return np.asarray(np.linalg.solve(matrix, right[..., None])[..., 0])
    except np.linalg.LinAlgError:
        size = np.abs(matrix).max((-2, -1), keepdims=True)
        return np.asarray(np.linalg.solve(matrix + 1e-9 * size * np.eye(matrix.shape[-1]), right[..., None])[..., 0])


def _uphill(e: Meetings, at: Floats, move: Floats, tied: Bools) -> Floats:
    """The end of the step, or of the first half, quarter … of it that does not lower the likelihood."""
    before = _log_likelihood(e, at, tied)
    slack = 1e-12 * np.abs(before)  # rounding may hide the gain of a last small step
    share = np.ones(len(at))
    for _ in range(HALVINGS):
        worse = _log_likelihood(e, at + share[:, None] * move, tied) < before - slack
        if not worse.any():
            break
        share = np.where(worse, share / 2, share)
    return at + share[:, None] * move


# ---------------------------------------------------------------------- the likelihood
def _logs(e: Meetings, beta: Floats, tied: Bools) -> Floats:
    """Logarithms of the three probabilities, up to a constant per meeting: shape (..., 3, meetings)."""
    half = (beta[..., e.first] - beta[..., e.second] + beta[..., -2, None]) / 2
    tie = np.where(tied, beta[..., -1], -np.inf)[..., None]
    return np.stack([half, np.broadcast_to(tie, half.shape), -half], axis=-2)


def _chances(e: Meetings, beta: Floats, tied: Bools) -> Floats:
    """Probabilities of a win of the first, of a tie, and of a win of the second."""
    logs = _logs(e, beta, tied)
    odds = np.exp(logs - logs.max(-2, keepdims=True))
    return np.asarray(odds / odds.sum(-2, keepdims=True))


def _log_likelihood(e: Meetings, beta: Floats, tied: Bools) -> Floats:
    logs = _logs(e, beta, tied)
    top = logs.max(-2, keepdims=True)
    total = top[..., 0, :] + np.log(np.exp(logs - top).sum(-2))
    seen = np.where(e.counts > 0, logs, 0)  # a result that cannot occur and did not
    return np.asarray((e.counts * seen).sum((-2, -1)) - (e.counts.sum(-2) * total).sum(-1))


def _slope(e: Meetings, p: Floats, places: bool, tied: Bools) -> Floats:
    """The gradient of the log likelihood."""
    n = e.counts.sum(-2)
    off = e.counts - n[..., None, :] * p
    d = (off[..., FIRST_WON, :] - off[..., SECOND_WON, :]) / 2
    tie = np.where(tied, off[..., TIE, :].sum(-1), 0)
    return np.concatenate([_by_system(e, d), d.sum(-1, keepdims=True) * places, tie[..., None]], axis=-1)


def _information(e: Meetings, p: Floats, places: bool, tied: Bools) -> Floats:
    """The negative Hessian, 0 for terms that are not in the model; it is singular."""
    n, k = e.counts.sum(-2), len(e.tally.systems)
    lean, even = (p[..., FIRST_WON, :] - p[..., SECOND_WON, :]) / 2, p[..., TIE, :]
    dd = n * ((1 - even) / 4 - lean**2)
    dt = np.where(tied[..., None], -n * even * lean, 0)
    out = np.zeros((*n.shape[:-1], k + 2, k + 2))
    out[..., e.first, e.second] = -dd
    out[..., :k, :k] += np.swapaxes(out[..., :k, :k], -1, -2)
    each = np.arange(k)
    out[..., each, each] = -out[..., :k, :k].sum(-1)
    for term, d in ((-2, dd * places), (-1, dt)):
        out[..., :k, term] = out[..., term, :k] = _by_system(e, d)
    out[..., -2, -2] = dd.sum(-1) * places
    out[..., -1, -1] = np.where(tied, (n * even * (1 - even)).sum(-1), 0)
    out[..., -2, -1] = out[..., -1, -2] = dt.sum(-1) * places
    return out


def _by_system(e: Meetings, values: Floats) -> Floats:
    """Sums over the meetings of each system, those in which it was shown second with the other sign."""
    k = len(e.tally.systems)
    table = np.zeros((*values.shape[:-1], k, k))
    table[..., e.first, e.second] = values
    return np.asarray(table.sum(-1) - table.sum(-2))


def _regular(information: Floats, places: bool, tied: Bools) -> tuple[Floats, Floats]:
    """The information with a constraint on the sum of strengths and on absent terms; and how much was added."""
    k = information.shape[-1] - 2
    # Of the size of the information itself, so that it does not spoil its condition.
    much = np.maximum(np.trace(information, axis1=-2, axis2=-1), 1e-12) / k**2
    out = information.copy()
    out[..., :k, :k] += much[..., None, None]
    out[..., -2, -2] += not places
    out[..., -1, -1] += ~tied
    return out, much


def _inverse(information: Floats, places: bool, tied: Bools) -> Floats:
    """The inverse in which strengths add up to 0, and rows and columns of absent terms are 0."""
    k = information.shape[-1] - 2
    defined = ~np.isnan(information).any((-2, -1), keepdims=True)
    regular, much = _regular(np.where(defined, information, np.eye(k + 2)), places, tied)
    out = np.linalg.inv(regular)
    out[..., :k, :k] -= (1 / (much * k**2))[..., None, None]
    present = np.ones((*tied.shape, k + 2), bool)
    present[..., -2], present[..., -1] = places, tied
    return np.where(defined, out * present[..., None, :] * present[..., None], np.nan)


# ---------------------------------------------------------------------- is there a maximum?
def has_maximum(first: Ints, second: Ints, seen: Bools, k: int, places: bool) -> Bools:
    """Whether the likelihood has one maximum, for each set of results that were seen: shape (stack, 3, meetings).

    It depends only on which results occur. Cycles of wins nearly always settle it; otherwise linear programming does.
    """
    packed = np.packbits(seen.reshape(len(seen), -1), axis=-1)
    _, one, back = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    found = np.zeros(len(one), bool)
    step = max(1, MOST // (k * k))
    for start in range(0, len(one), step):
        part = slice(start, start + step)
        found[part] = _cycles_everywhere(first, second, seen[one[part]], k, places)
    for i in np.flatnonzero(~found):
        found[i] = recession(first, second, seen[one[i]], k, places) is None
    return np.asarray(found[back.ravel()])


def _cycles_everywhere(first: Ints, second: Ints, seen: Bools, k: int, places: bool) -> Bools:
    """Whether wins alone lead from every system to every other one, and some pair identifies the place effect.

    Two systems that each won when shown first, and two that each won when shown second, bound the place effect.
    This is sufficient; it is not necessary.
    """
    by_first, by_second = np.zeros((2, len(seen), k, k), bool)
    by_first[:, first, second] = seen[:, FIRST_WON]
    by_second[:, second, first] = seen[:, SECOND_WON]
    out = strongly_connected(by_first | by_second)
    if places:
        for won in (by_first, by_second):
            out &= (won & np.swapaxes(won, -1, -2)).any((-2, -1))
    return out


def strongly_connected(edges: Bools) -> Bools:
    """Whether every node of each graph can be reached from every other one: adjacency of shape (..., k, k)."""
    return np.asarray(reachable(edges).all((-2, -1)))


def reachable(edges: Bools) -> Bools:
    """Which nodes can be reached from which, by doubling the length of the ways."""
    k = edges.shape[-1]
    ways = (edges | np.eye(k, dtype=bool)).astype(np.float32)
    for _ in range(max(k - 1, 1).bit_length()):
        ways = np.minimum(ways @ ways, 1)
    return np.asarray(ways > 0)


@dataclass(frozen=True)
class Recession:
    """A direction in which the likelihood never falls, so that it has no single maximum."""

    strengths: Floats
    place: float
    tie: float
    flat: bool  # the likelihood does not change at all in this direction


def recession(first: Ints, second: Ints, seen: Bools, k: int, places: bool) -> Recession | None:
    """A direction in which no observed result becomes less likely than another one (Albert and Anderson 1984), or None.

    Results that were seen must keep the highest of the three logarithms: the sum of what they gain is maximized.
    """
    from scipy.optimize import linprog

    tied = bool(seen[TIE].any())
    d = np.zeros((len(first), k + 2))  # what a direction does to d of each meeting; then to ties
    rows = np.arange(len(first))
    d[rows, first], d[rows, second], d[:, -2] = 1, -1, float(places)
    tie = np.zeros(k + 2)
    tie[-1] = float(tied)
    won, lost, even = seen[FIRST_WON], seen[SECOND_WON], seen[TIE]
    gains = np.concatenate([d[won], -d[lost], *((2 * tie - d[even], 2 * tie + d[even]) if tied else ())])
    if tied:
        gains = np.concatenate([gains, d[won] - 2 * tie, -d[lost] - 2 * tie])
    reach = [0.0, *[1.0] * (k - 1), float(places), float(tied)]
    bounds = [(-end, end) for end in reach]
    found = linprog(-gains.sum(0), A_ub=-gains, b_ub=np.zeros(len(gains)), bounds=bounds, method="highs")
    if found.x is not None and float(gains.sum(0) @ found.x) > 1e-7:
        return Recession(found.x[:k], float(found.x[-2]), float(found.x[-1]), False)
    free = [*range(1, k), *([k] if places else [])]
    met = d[seen.any(0)][:, free]
    values, vectors = np.linalg.eigh(met.T @ met)
    if values[0] > 1e-9 * max(values[-1], 1):
        return None
    whole = np.zeros(k + 2)
    whole[free] = vectors[:, 0]
    return Recession(whole[:k], float(whole[-2]), 0.0, True)
