"""What is stored of the coverage grid: sums counted by hand, and names that can be looked up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assay.errors import OptionError
from assay.measures.declare.bound import Bound
from assay.measures.declare.catalogue import parse
from assay.measures.declare.measure import CATALOGUE, Measure
from assay.options import METHODS
from assay.tally.contract.base import Tally
from assay.tally.margins import OneVsRest
from assay.uncertainty.one.estimate import DATA, Simulated, coverage_of
from scripts.coverage_families import PAIRED, SINGLE
from scripts.coverage_grid import Found, as_json, summary
from tests.oracles.stand_ins import f_of, made, youden


def test_populations_are_put_together_by_how_the_interval_is_made() -> None:
    found = [
        Found("f1", ("jaccard", "midp"), "", 100, {0.9: 0.9, 0.95: 0.95}),
        Found("f1", ("midp", "jaccard"), "", 50, {0.9: 0.87, 0.95: 0.922}),
        Found("f1", ("jaccard", "midp"), "", 400, {0.9: 0.921, 0.95: 0.963}),
        Found("f1", ("cluster_factor",), "clusters", 200, {0.9: 0.88, 0.95: 0.9345}),
        Found("f1", ("midp_draws",), "weights", 60, {0.9: 0.93, 0.95: 0.97}),
        Found("mcc", ("midp_draws",), "", 70, {0.9: 0.99, 0.95: 1.0}),
    ]
    assert summary(found) == {
        "f1": [
            {
                "methods": ["jaccard", "midp"],
                "rows": "",
                # (90.0 + 87.0 + 92.1) / 3 = 89.7 and (95.0 + 92.2 + 96.3) / 3 = 94.5
                "levels": {"0.9": [89.7, 87.0], "0.95": [94.5, 92.2]},
                "populations": 3,
                "smallest_n": 50,
            },
            {
                "methods": ["cluster_factor"],
                "rows": "clusters",
                "levels": {"0.9": [88.0, 88.0], "0.95": [93.5, 93.5]},
                "populations": 1,
                "smallest_n": 200,
            },
            {
                "methods": ["midp_draws"],
                "rows": "weights",
                "levels": {"0.9": [93.0, 93.0], "0.95": [97.0, 97.0]},
                "populations": 1,
                "smallest_n": 60,
            },
        ],
        "mcc": [
            {
                "methods": ["midp_draws"],
                "rows": "",
                "levels": {"0.9": [99.0, 99.0], "0.95": [100.0, 100.0]},
                "populations": 1,
                "smallest_n": 70,
            }
        ],
    }
    stored = json.loads(as_json(summary(found), 2000))
    assert stored["samples"] == 2000
    assert stored["measures"] == summary(found)


def test_every_stored_line_names_a_measure_and_methods_that_there_are() -> None:
    stored = json.loads(DATA.read_text(encoding="utf-8"))
    assert stored["measures"]
    for spelling in stored["measures"]:
        measure, options = parse(spelling)
        assert measure.spelled(options) == spelling
        for row in coverage_of(spelling):
            assert set(row.methods) <= set(METHODS)
            assert row.rows in ("", "clusters", "weights")
            assert "0.95" in row.levels
            assert all(0 <= lowest <= mean <= 100 for mean, lowest in row.levels.values())


def test_a_measure_that_was_not_simulated_has_no_line() -> None:
    assert coverage_of("f1(average=never)") == ()


def test_the_stored_lines_of_f1_say_what_the_page_says() -> None:
    # docs/reference/coverage.md: two classes, f1 through the Jaccard share on 8 populations or more.
    (plain,) = (row for row in coverage_of("f1") if not row.rows)
    assert isinstance(plain, Simulated)
    assert plain.methods == ("jaccard",)
    page = (DATA.parents[3] / "docs" / "reference" / "coverage.md").read_text(encoding="utf-8")
    (line,) = (row for row in page.splitlines() if row.startswith("| Two classes | `f1` |"))
    assert plain.levels["0.95"][1] <= float(line.split("|")[5])


# ---------------------------------------------------------------------- which measures are simulated
class Demanding(Measure):
    """A measure that cannot be had without an option."""

    def bind(self, tally: Tally, **options: Any) -> Bound:
        raise OptionError("demanding needs costs=.")


def test_new_measures_are_simulated_as_they_are_unless_they_need_something(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = made(youden, OneVsRest, (-1, 1), name="brand_new")
    facts = {name: getattr(plain, name) for name in plain.__dataclass_fields__}
    monkeypatch.setitem(CATALOGUE, "brand_new", plain)
    monkeypatch.setitem(CATALOGUE, "demanding", Demanding(**{**facts, "name": "demanding"}))
    monkeypatch.setitem(CATALOGUE, "f_beta", made(f_of, OneVsRest, (0, 1), name="f_beta", beta=1.0, alpha=None))
    wanted = ("Two classes", "Five classes, of 50, 25, 14, 8 and 3%")
    two, five = (
        {m.spelled(o) for m, o in family.cases()} for title in wanted for family in SINGLE if family.title == title
    )
    assert {"brand_new", "f_beta(beta=2)"} <= two
    assert {"brand_new(average=macro)", "f_beta(average=macro,beta=2)"} <= five
    assert not any("demanding" in spelling for spelling in two | five)
    # Differences take long, so only what is shown by default is compared.
    assert "brand_new" not in {m.name for m, _ in PAIRED[0].cases()}
