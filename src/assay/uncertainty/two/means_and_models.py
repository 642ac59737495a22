"""Differences between two means of bounded values, and between two parameters of one fitted model."""

from __future__ import annotations

import math

from assay.uncertainty.one import model_jackknife as models
from assay.uncertainty.one.bounded import AT_ENDS, METHOD, Sums, form_of
from assay.uncertainty.one.jackknife import carriers, effective_df
from assay.uncertainty.one.problem import Limits, why_too_few
from assay.uncertainty.one.shares import student_quantile
from assay.uncertainty.two.discordant import Discordant, tango
from assay.uncertainty.two.pair import Pair


def bounded_difference(p: Pair) -> Limits:
    """Student's t for the difference of two such means; Tango's limits where both are shares of the same items.

    Degrees of freedom are twice the number of items that carry the variance, less one, as for paired values.
    """
    forms = [form_of(p.bound, side) for side in (p.joint.a, p.joint.b)]
    a, b = (Sums.of(p.bound, side, form) for side, form in zip((p.joint.a, p.joint.b), forms, strict=True))
    held = (a.number + b.number) * a.times
    a, b = a.only(held), b.only(held)
    reach = p.width
    if a.hits and b.hits and (a.number == 1).all() and (b.number == 1).all():
        only_a, only_b = (int(a.times[one.total > other.total].sum()) for one, other in ((a, b), (b, a)))
        if only_a + only_b > 0:
            low, high = tango(Discordant(only_a, only_b, int(a.n)), p.z)
            return Limits(reach * low, reach * high, METHOD)
    few = why_too_few(a.n, p.joint.a)
    if few is not None:
        return Limits(None, None, METHOD, few)
    n, d = min(a.effective, b.effective), a.mean - b.mean
    more = n + 2 * AT_ENDS
    center = n * d / more
    moved = a.moved - b.moved
    squares = float((a.times * (moved - center) ** 2).sum()) * (n / a.n) ** 2
    squares += AT_ENDS * ((1 - center) ** 2 + (1 + center) ** 2)
    variance = squares / (max(more - 1, 0.5) * more)
    carrying = carriers((moved - d) ** 2, a.times)
    df = max(effective_df(carrying, n) if carrying > 0 else n - 1, 1.0)
    half = reach * student_quantile(p.level, df) * math.sqrt(variance)
    return Limits(p.difference - half, p.difference + half, METHOD)


def model_difference(p: Pair) -> Limits:
    """The same for the difference between two values of one fitted model."""
    form, bound = models.form_of(p.bound, p.joint.a), p.bound
    if models.METHOD not in p.found:
        sides = (p.joint.a, p.joint.b)
        (a, notes), (b, _) = (models.left_out(bound, side, float(e)) for side, e in zip(sides, (p.a, p.b), strict=True))
        one, other = (bound.evidence.of(side, side.mass) for side in sides)
        pairs = ((one, one), (other, other), (one, other))
        var_a, var_b, together = (form.covariance(x, y, **bound.own) for x, y in pairs)
        p.found[models.METHOD] = a - b, notes, var_a + var_b - 2 * together
    values, notes, least = p.found[models.METHOD]
    return models.around(p.difference, values, p.joint.a, least, p.level, notes)
