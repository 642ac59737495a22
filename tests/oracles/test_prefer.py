"""What `assay prefer` shows of an arena, against choix 0.4, evalica 0.4, statsmodels 0.15, SciPy 1.17 and counting."""

from __future__ import annotations

import math
from typing import Any

import choix
import evalica
import numpy as np
import pytest
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests

import assay
from assay.jobs.answers.results import Report, Row
from assay.tally.contract.sampling import Floats
from tests.arena import STRENGTHS, Columns, arena

SYSTEMS = list(STRENGTHS)
PLACE = len(SYSTEMS)  # of the parameters, after the strengths; the term of ties comes last


@pytest.fixture(scope="module")
def untied() -> Columns:
    return arena(tie=-math.inf)


def rows(report: Report, measure: str, quantity: str = "value") -> list[Row]:
    return [row for row in report.rows if (row.measure, row.quantity) == (measure, quantity)]


def strengths(report: Report, measure: str = "bradley_terry") -> Floats:
    shown = {row.system: row.value for row in rows(report, measure)}
    return np.array([shown[name] for name in SYSTEMS], np.float64)


def centered(values: Any) -> Floats:
    found = np.asarray(values, np.float64)
    return np.asarray(found - found.mean())


def test_strengths_without_the_place_are_those_of_choix_and_evalica(untied: Columns) -> None:
    a, b, winner = (untied[name] for name in ("model_a", "model_b", "winner"))
    shown = strengths(assay.prefer(untied, ignore_place=True), "bradley_terry(places=False)")
    won = [(SYSTEMS.index(w), SYSTEMS.index(x if w == y else y)) for x, y, w in zip(a, b, winner, strict=True)]
    # The optimizer of choix stops at a gradient of about 1e-6.
    assert shown == pytest.approx(centered(choix.opt_pairwise(len(SYSTEMS), won, alpha=0, tol=1e-12)), abs=1e-5)
    outcome = [evalica.Winner.X if w == x else evalica.Winner.Y for x, w in zip(a, winner, strict=True)]
    scores = evalica.bradley_terry(a, b, outcome, tolerance=1e-12, limit=10_000).scores
    assert shown == pytest.approx(centered([math.log(scores[name]) for name in SYSTEMS]), abs=1e-6)


def test_differences_and_the_place_are_those_of_a_logistic_regression_with_clusters(untied: Columns) -> None:
    report = assay.prefer(untied)
    a, b, winner, prompt = (np.array(untied[name]) for name in ("model_a", "model_b", "winner", "prompt"))
    signs = np.stack([(a == name).astype(float) - (b == name) for name in SYSTEMS[1:]], axis=1)
    model = sm.Logit((winner == a).astype(float), np.column_stack([signs, np.ones(len(a))]))
    plain = model.fit(disp=0, tol=1e-13)
    robust = model.fit(disp=0, cov_type="cluster", cov_kwds={"groups": np.unique(prompt, return_inverse=True)[1]})
    quantile = stats.t.ppf(0.975, len(set(prompt)) - 1)
    halves = quantile * np.maximum(plain.bse, robust.bse)
    apart = [row for row in rows(report, "bradley_terry", "difference") if row.system == SYSTEMS[0]]
    assert [-(row.value or 0) for row in apart] == pytest.approx(plain.params[:-1], abs=1e-8)
    (place,) = rows(report, "first_place_effect", "overall")
    assert place.value == pytest.approx(plain.params[-1], abs=1e-8)
    # The jackknife over 117 prompts is the sandwich but for terms of about 1/117.
    for row, half in zip([*apart, place], halves, strict=True):
        assert row.value is not None
        assert row.low is not None
        assert row.value - row.low == pytest.approx(half, rel=0.05)


def test_strengths_the_place_and_ties_together_are_the_maximum_of_the_likelihood() -> None:
    columns = arena()
    first, second = (np.array([SYSTEMS.index(x) for x in columns[name]]) for name in ("model_a", "model_b"))
    won = np.array(columns["winner"])
    result = np.where(won == np.array(columns["model_a"]), 0, np.where(won == "tie", 1, 2))

    def unlikely(beta: Floats) -> float:
        free = np.append(beta[: PLACE - 1], -beta[: PLACE - 1].sum())
        d = free[first] - free[second] + beta[PLACE - 1]
        terms = np.stack([d / 2, np.full(len(d), beta[PLACE]), -d / 2])
        return float(-(terms[result, np.arange(len(d))] - np.logaddexp.reduce(terms, axis=0)).sum())

    best = optimize.minimize(unlikely, np.zeros(PLACE + 1), method="BFGS", options={"gtol": 1e-7}).x
    report = assay.prefer(columns)
    assert strengths(report) == pytest.approx(np.append(best[: PLACE - 1], -best[: PLACE - 1].sum()), abs=1e-5)
    assert rows(report, "first_place_effect", "overall")[0].value == pytest.approx(best[PLACE - 1], abs=1e-5)


def test_win_rates_are_counted_and_p_values_are_those_of_holm() -> None:
    columns = arena()
    judgments = list(zip(columns["model_a"], columns["model_b"], columns["winner"], strict=True))
    report = assay.prefer(columns)

    def rate(system: str, *others: str) -> float:
        met = [w for a, b, w in judgments if system in (a, b) and (a in others or b in others)]
        return sum(1 if w == system else 0.5 if w == "tie" else 0 for w in met) / len(met)

    for row in rows(report, "win_rate"):
        assert row.value == pytest.approx(rate(row.system, *(name for name in SYSTEMS if name != row.system)))
    pairs = rows(report, "win_rate", "head to head")
    assert [row.value for row in pairs] == pytest.approx([rate(row.system, str(row.versus)) for row in pairs])
    for tested in (pairs, rows(report, "bradley_terry", "difference")):
        assert len(tested) == 15
        expected = multipletests([row.p for row in tested], method="holm")[1]
        assert [row.p_adjusted for row in tested] == pytest.approx(expected, rel=1e-9)
    share = sum(1 if w == a else 0.5 if w == "tie" else 0 for a, _, w in judgments) / len(judgments)
    assert rows(report, "first_place_share", "overall")[0].value == pytest.approx(share)


def test_judgments_that_stand_by_themselves_have_the_mid_p_limits_of_a_share(untied: Columns) -> None:
    """Mid-P limits by their definition: half of the chance of the count itself and all beyond it make 2.5%."""
    report = assay.prefer(untied, cluster="judgment")
    for row in rows(report, "win_rate"):
        assert row.value is not None
        assert row.low is not None
        assert row.high is not None
        hits = round(row.value * row.n)
        above = stats.binom.sf(hits, row.n, row.low) + stats.binom.pmf(hits, row.n, row.low) / 2
        below = stats.binom.cdf(hits - 1, row.n, row.high) + stats.binom.pmf(hits, row.n, row.high) / 2
        assert (above, below) == pytest.approx((0.025, 0.025), abs=1e-6)
