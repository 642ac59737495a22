"""Each test of a difference under its name, and the one chosen by default."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import OptionError, in_plural, plural
from assay.measures.declare.bound import Bound
from assay.notes import Aside
from assay.options import MCNEMAR
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.contract.sampling import Floats, Ints
from assay.texts import numeral
from assay.uncertainty.one.influence import is_linear
from assay.uncertainty.one.inversion import p_of_limits
from assay.uncertainty.one.problem import NOTHING
from assay.uncertainty.one.resample import AT_ONCE, in_chunks, refuse_weights
from assay.uncertainty.one.shares import normal_p
from assay.uncertainty.planning.sign_power import sides
from assay.uncertainty.results import Statistic
from assay.uncertainty.two import paired
from assay.uncertainty.two.discordant import Tested, mcnemar, sign_test, why_not
from assay.uncertainty.two.exchange import Exchange, InSigns, OfShare, exchange_of
from assay.uncertainty.two.pair import How, Pair
from assay.uncertainty.two.signs import TOLERANCE, drawn_sums, fair_coins, tail
from assay.uncertainty.two.tosses import Tosses, outcomes

FEW_KINDS = 3  # of coins; many draws are alike then
MOST_CODES = 1 << 62  # outcomes that a whole number can name
ENUMERATE = 1 << 16  # up to this many outcomes the distribution is enumerated instead of sampled


def randomization(joint: Joint[Any], bound: Bound, statistic: str, alternative: str, draws: int, seed: int) -> Tested:
    """The share of exchanges in which the statistic is at least as extreme as observed."""
    statistic = statistic_for(bound, statistic)
    refuse_weights(joint.a)
    signs = InSigns.of(joint, bound) if statistic == "raw" else None
    if signs is not None:
        return by_signs(signs, alternative, draws, seed)
    exchange = exchange_of(joint, bound, statistic)
    observed = exchange.observed()
    if outcomes(exchange.coins) <= ENUMERATE:
        values, chances = _enumerated(exchange)
        p = float(chances[_as_extreme(values, observed, alternative)].sum() / chances.sum())
        return Tested(min(p, 1.0), len(values), None, Statistic(statistic, observed), int(np.isnan(values).sum()))
    extreme = undefined = 0
    for values in _drawn(exchange, draws, seed):
        extreme += int(_as_extreme(values, observed, alternative).sum())
        undefined += int(np.isnan(values).sum())
    return Tested((extreme + 1) / (draws + 1), draws, extreme, Statistic(statistic, observed), undefined)


def by_signs(signs: InSigns, alternative: str, draws: int, seed: int) -> Tested:
    """The same where the difference is a sum of signs, whose distribution is known without exchanging anything."""
    found = tail(signs.terms, signs.times, signs.observed, alternative, draws=draws, seed=seed)
    raw = Statistic("raw", signs.scale * signs.observed)
    return Tested(found.p, found.counted, found.extreme, raw, form=found.words)


def null_draws(joint: Joint[Any], bound: Bound, statistic: str, draws: int, seed: int) -> Floats:
    """Values of the statistic on tables whose systems were exchanged by coins: draws from its null distribution."""
    statistic = statistic_for(bound, statistic)
    refuse_weights(joint.a)
    signs = InSigns.of(joint, bound) if statistic == "raw" else None
    if signs is not None:
        # The signs are drawn for the system that is ahead, so that naming the systems the other way round negates them.
        ahead = -1 if signs.observed < 0 else 1
        return ahead * signs.scale * drawn_sums(signs.terms, signs.times, draws, seed)
    return np.concatenate(list(_drawn(exchange_of(joint, bound, statistic), draws, seed)))


def statistic_for(bound: Bound, statistic: str) -> str:
    """The statistic that is used by default: raw where the difference is a sum of signs, or has no derivative."""
    if statistic != "auto":
        return statistic
    return "raw" if bound.measure.paired.is_signed or not is_linear(bound) else "studentized"


def is_exchangeable(tally: Tally) -> bool:
    """Whether systems of this kind can be exchanged item by item."""
    return tally.no_exchange is None


def ranks_are_exchanged(tally: Tally, bound: Bound) -> bool:
    """Whether each system's scores become ranks before they are exchanged, because scales differ between systems."""
    return not bound.measure.paired.as_they_are and type(tally).exchange_keys is not Tally.exchange_keys


def _as_extreme(values: Floats, observed: float, alternative: str) -> Any:
    """Draws at least as extreme; a draw in which the measure is undefined counts as one."""
    slack = TOLERANCE * abs(observed) if math.isfinite(observed) else 0.0
    if alternative == "two-sided":
        far = np.abs(values) >= abs(observed) - slack
    elif alternative == "greater":
        far = values >= observed - slack
    else:
        far = values <= observed + slack
    return far | np.isnan(values)


def _drawn(exchange: Exchange, draws: int, seed: int) -> Iterator[Floats]:
    """The statistic after tosses, chunk by chunk."""
    shape, toss = tuple(int(c) + 1 for c in exchange.coins), Tosses(exchange.coins)

    def work(rng: np.random.Generator, size: int) -> Floats:
        return exchange(toss(rng, size))

    if not 0 < len(shape) <= FEW_KINDS or math.prod(shape) > MOST_CODES:
        yield from in_chunks(work, draws, seed, exchange.width)
        return
    heads = np.concatenate(list(in_chunks(toss, draws, seed, exchange.width)))
    codes, which = np.unique(np.ravel_multi_index(tuple(heads.T), shape), return_inverse=True)
    distinct = np.stack(np.unravel_index(codes, shape), axis=1)
    step = max(1, AT_ONCE // max(exchange.width, 1))
    parts = (distinct[start : start + step] for start in range(0, len(distinct), step))
    yield np.concatenate([exchange(part) for part in parts])[which]


def _enumerated(exchange: Exchange) -> tuple[Floats, Floats]:
    """The statistic of every outcome, and the chance of each."""
    sizes = [int(c) for c in exchange.coins]
    heads: Ints = np.indices([c + 1 for c in sizes]).reshape(len(sizes), -1).T if sizes else np.zeros((1, 0), np.int64)
    chances = np.ones(len(heads))
    for column, size in enumerate(sizes):
        chances *= fair_coins(size)[heads[:, column]]
    step = max(1, AT_ONCE // max(exchange.width, 1))
    parts = (heads[start : start + step] for start in range(0, len(heads), step))
    return np.concatenate([exchange(part) for part in parts]), chances


FEW_TO = 100  # clusters up to which the bootstrap test is noted as liberal
LIBERAL = (
    "the bootstrap test of whole clusters is liberal when clusters are few: at 5% it rejected 5 to 10% of simulated "
    "ties (20 to 50 clusters); the randomization test did not"
)


def choose_test(pair: Pair, how: How) -> tuple[str, str]:
    """The test, and why it was chosen if the user did not name one."""
    if how.test != "auto":
        return how.test, "as asked"
    if how.method == "delong" and how.statistic == "auto":
        return "delong", "DeLong's interval was requested, and the matching z test goes with it"
    tally, measure = pair.joint.a, pair.bound.measure
    if not is_exchangeable(tally):
        return "interval", f"answers cannot be exchanged between systems ({tally.no_exchange})"
    if tally.weights is not None:
        return "interval", "weighted rows cannot be exchanged from their counts"
    things = in_plural(tally.item) if tally.clusters is None else "whole clusters"
    if how.statistic != "auto":
        return "randomization", f"a statistic of exchanged {things} was requested"
    if measure.paired.no_exchange is not None:
        return "interval", measure.paired.no_exchange
    if tally.clusters is not None and (few := _too_few_clusters(pair, how)):
        return "interval", few
    if pair.hits is not None:
        return "mcnemar_midp", (
            f"it is a proportion of the same {in_plural(tally.item)}; counting half of the observed outcome keeps the "
            "test and the interval from contradicting each other"
        )
    if ranks_are_exchanged(tally, pair.bound):
        return (
            "randomization",
            f"the ranks of the scores of the same {things} can be exchanged, which assumes nothing about how scores "
            "are distributed, only that the systems rank alike under H0",
        )
    return (
        "randomization",
        f"the answers to the same {things} can be exchanged, which assumes nothing about their distribution",
    )


def _too_few_clusters(pair: Pair, how: How) -> str:
    """Why exchanging so few clusters can find nothing; empty where it can find something."""
    n = pair.joint.sampling.n
    least = 2.0 ** (sides(how.alternative) - 1 - n)
    if least <= 1 - how.level + 1e-12:
        return ""
    return f"exchanging {plural(n, 'cluster')} cannot give a p-value below {least:.3g}, so the interval decides"


def least_p(pair: Pair, test: str, alternative: str) -> float | None:
    """The smallest p-value that the test could give with this many items that differ; None if unknown."""
    if test in ("none", "interval", "delong", "bootstrap", "mcnemar_chi2", "mcnemar_chi2_corrected"):
        return None
    if pair.hits is not None:
        coins = pair.hits.only_a + pair.hits.only_b
    elif pair.signs is not None:
        coins = pair.signs.changing
    elif pair.joint.a.clusters is not None:
        coins = pair.joint.sampling.n
    else:
        coins = pair.apart or 0
    half = 1 if test == "mcnemar_midp" and coins else 0
    return min(2.0 ** (sides(alternative) - 1 - coins - half), 1.0)


def run_test(pair: Pair, test: str, how: How) -> Tested | None:
    """The p-value of the observed difference by this test."""
    if test == "none":
        return None
    if test == "randomization":
        if pair.hits is not None:
            # Exchanging answers moves a share only where one system has a hit: exactly the coins of McNemar's test.
            exact = mcnemar(pair.hits, "exact", how.alternative)
            outcomes, name = pair.hits.only_a + pair.hits.only_b + 1, statistic_for(pair.bound, how.statistic)
            observed = Statistic(name, OfShare(pair.hits, name).observed())
            return replace(exact, draws=outcomes, statistic=observed)
        if pair.signs is not None and statistic_for(pair.bound, how.statistic) == "raw":
            return by_signs(pair.signs, how.alternative, pair.draws, pair.seed)
        return randomization(pair.joint, pair.bound, how.statistic, how.alternative, pair.draws, pair.seed)
    if test == "bootstrap":
        p, draws, extreme, undefined = bootstrap_p(pair.drawn(), pair.difference, how)
        few = pair.joint.a.clusters is not None and pair.joint.sampling.n <= FEW_TO
        notes = (LIBERAL,) if few else ()
        return Tested(p, draws, extreme, Statistic("raw", pair.difference), undefined, notes)
    if test == "interval":
        return _by_interval(pair, how)
    if test == "delong":
        return _delong(pair, how.alternative)
    found = pair.hits
    if found is None:
        raise OptionError(why_not(pair.joint, pair.bound))
    if test == "sign":
        ties = found.trials - found.only_a - found.only_b
        return sign_test(found.only_a, found.only_b, ties, how.alternative)
    return mcnemar(found, MCNEMAR[test], how.alternative)


def bootstrap_p(draws: Floats, difference: float, how: How) -> tuple[float, int, int, int]:
    """How often resampled differences, shifted to a null of 0, are at least as extreme: p, draws, extreme, undefined.

    Resampled differences are centered on the observed one, so one twice as large is as far from it as it is from the
    null. A resample in which the measure is undefined counts as extreme.
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
    p = interval_p(pair, how)
    return None if p is None else Tested(p, None, None, None)


def _delong(pair: Pair, alternative: str) -> Tested | None:
    """The difference of two areas in DeLong's standard errors, compared with the normal distribution."""
    variance = paired.delong_variance(pair)
    if variance <= NOTHING:
        return Tested(1.0, None, None, Statistic("z", 0.0, z=0.0)) if pair.difference == 0 else None
    if math.isnan(variance):
        return None
    z = pair.difference / math.sqrt(variance)
    return Tested(
        normal_p(z, alternative),
        None,
        None,
        Statistic("z", z, z=z),
        notes=(Aside(f"DeLong's z = {numeral(z, '.4g')}"),),
    )


def interval_p(pair: Pair, how: How) -> float | None:
    """1 minus the level at which the interval just reaches 0, on the same side of α as the interval shown."""
    limits_at = paired.limits_by_level(pair, how.method, quick=True)
    return p_of_limits(limits_at, pair.difference, how.level, how.alternative)


def null_values(pair: Pair, test: str, statistic: str, difference: float | None) -> Floats:
    """The statistic under H0, draw by draw."""
    if test == "randomization":
        return null_draws(pair.joint, pair.bound, statistic, pair.draws, pair.seed)
    if test == "bootstrap":
        return pair.drawn() - (math.nan if difference is None else difference)
    raise OptionError(f"the test '{test}' draws nothing, so it has no replicates under H0.")


def null_differences(pair: Pair, test: str) -> Floats:
    """The difference under H0, in the measure's own unit, draw by draw.

    McNemar's tests and the sign test toss the same coins as an exchange of answers, and only count them differently.
    """
    exchanges = test in ("randomization", "sign", *MCNEMAR)
    return null_values(pair, "randomization" if exchanges else test, "raw", pair.difference)
