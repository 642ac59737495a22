"""Each test of a difference under its name, and the one chosen by default."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from assay.errors import OptionError
from assay.options import MCNEMAR
from assay.tally.sampling import Floats
from assay.uncertainty import paired
from assay.uncertainty.discordant import mcnemar, sign_test, why_not
from assay.uncertainty.equivalence import mirrored, tail
from assay.uncertainty.how import How
from assay.uncertainty.pair import Pair
from assay.uncertainty.randomization import (
    TOLERANCE,
    Tested,
    by_signs,
    exchanged,
    is_exchangeable,
    randomization,
    settled,
)

LIBERAL = (
    "the bootstrap test of whole clusters finds too much where clusters are few: at 5% it rejected 5 to 10% of "
    "simulated ties (20 to 50 clusters); the randomization test did not"
)

__all__ = ["Tested", "bootstrap_p", "chosen", "null_differences", "null_values", "tested"]


def chosen(pair: Pair, test: str) -> tuple[str, str]:
    """The test, and why it is this one where nobody named it."""
    if test != "auto":
        return test, "as asked"
    tally = pair.joint.a
    if not is_exchangeable(tally):
        return "interval", f"answers cannot be exchanged between systems ({tally.no_exchange})"
    if tally.weights is not None:
        return "interval", "weighted rows cannot be exchanged from their counts"
    things = f"{tally.item}s" if tally.clusters is None else "whole clusters"
    return (
        "randomization",
        f"the answers to the same {things} can be exchanged, which supposes nothing about their shape",
    )


def tested(pair: Pair, test: str, how: How) -> Tested | None:
    """The p-value of the observed difference by this test."""
    if test == "none":
        return None
    if test == "randomization":
        if pair.hits is not None:
            # Exchanging answers moves a share only where one system hits: the same coins as McNemar's, all of them.
            exact = mcnemar(pair.hits, "exact", how.alternative)
            outcomes = pair.hits.only_a + pair.hits.only_b + 1
            return replace(exact, draws=outcomes, statistic=settled(pair.bound, how.statistic))
        if pair.signs is not None and settled(pair.bound, how.statistic) == "raw":
            return by_signs(pair.signs, how.alternative, pair.draws, pair.seed)
        return randomization(pair.joint, pair.bound, how.statistic, how.alternative, pair.draws, pair.seed)
    if test == "bootstrap":
        p, draws, extreme, undefined = bootstrap_p(pair.drawn(), pair.difference, how)
        notes = () if pair.joint.a.clusters is None else (LIBERAL,)
        return Tested(p, draws, extreme, "raw", undefined, notes)
    if test == "interval":
        return _by_interval(pair, how)
    found = pair.hits
    if found is None:
        raise OptionError(why_not(pair.joint, pair.bound))
    if test == "sign":
        ties = found.trials - found.only_a - found.only_b
        return sign_test(found.only_a, found.only_b, ties, how.alternative)
    return mcnemar(found, MCNEMAR[test], how.alternative)


def bootstrap_p(draws: Floats, difference: float, how: How) -> tuple[float, int, int, int]:
    """How often resampled differences, shifted to a null of 0, lie at least as far out: p, draws, extreme, undefined.

    Resampled differences are centered on the observed one, so being twice as large as it is being as far from the
    null as it is. A resample in which the measure is undefined counts as extreme.
    """
    slack = TOLERANCE * max(abs(difference), 1e-3) * (-1 if how.strict else 1)
    shifted = draws - difference
    if how.alternative == "two-sided":
        far = np.abs(shifted) >= abs(difference) - slack
    elif how.alternative == "greater":
        far = shifted >= difference - slack
    else:
        far = shifted <= difference + slack
    lost = np.isnan(draws)
    extreme, size = int((far | lost).sum()), len(draws)
    p = extreme / size if how.raw_p else (extreme + 1) / (size + 1)
    return p, size, extreme, int(lost.sum())


def _by_interval(pair: Pair, how: How) -> Tested | None:
    """The level at which the paired interval just reaches 0, turned into a p-value."""
    d, limits_at = pair.difference, paired.limits_by_level(pair, how.method)
    if None in limits_at(pair.level):
        return None
    # How possible the interval holds a difference to the other side of 0; half, where there is none.
    other = 0.5 if d == 0 else tail(mirrored(limits_at) if d > 0 else limits_at, 0.0)
    if other is None:
        return None
    if how.alternative == "two-sided":
        return Tested(min(2 * other, 1.0), None, None, "interval")
    agrees = d == 0 or (d > 0) == (how.alternative == "greater")
    return Tested(other if agrees else 1 - other, None, None, "interval")


def null_values(pair: Pair, test: str, statistic: str, difference: float | None) -> Floats:
    """What the statistic is where the null hypothesis holds, draw by draw."""
    if test == "randomization":
        return exchanged(pair.joint, pair.bound, statistic, pair.draws, pair.seed)
    if test == "bootstrap":
        return pair.drawn() - (math.nan if difference is None else difference)
    raise OptionError(f"the test '{test}' draws nothing, so there are no replicates of its null hypothesis.")


def null_differences(pair: Pair, test: str) -> Floats:
    """What the difference itself is where the null hypothesis holds, in the measure's own unit, draw by draw.

    McNemar's tests and the sign test toss the same coins as an exchange of answers, and only count them otherwise.
    """
    exchanges = test in ("randomization", "sign", *MCNEMAR)
    return null_values(pair, "randomization" if exchanges else test, "raw", pair.difference)
