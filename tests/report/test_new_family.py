"""A family that nothing else knows of: one tally and one measure, evaluated, compared and shown in every format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pytest

import assay
from assay.advice.commands import Piece
from assay.errors import DataError
from assay.jobs.results import Report
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.forms import Jackknife
from assay.measures.declare.family import BUILDERS, KINDS, family
from assay.measures.declare.measure import Worked, measure
from assay.options import FORMATS
from assay.report.page.render import page_html
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.sampling import Floats
from assay.tally.counts import Counts, Together


@dataclass(frozen=True, eq=False, repr=False)
class Preferred(Tally):
    """Units are judgements of two answers: won (2), tied (1) or lost (0)."""

    kind: ClassVar[str] = "preferred"
    item: ClassVar[str] = "judgement"

    @classmethod
    def from_outcomes(cls, outcomes: Any) -> Self:
        """Count the outcomes; every judgement stays a unit, so that two systems can be paired."""
        held = np.asarray(outcomes, np.int64)
        return cls(keys={"judgement": np.arange(len(held)), "outcome": held}, counts=np.ones(len(held), np.int64))


@dataclass(frozen=True, eq=False)
class Outcomes(Evidence):
    """How often each unit counts, and its outcome."""

    outcome: Floats
    w: Floats

    @classmethod
    def of(cls, tally: Preferred, w: Floats) -> Self:
        """The outcomes beside their multiplicities."""
        return cls(tally.keys["outcome"] / 2, w)


def win_rate(e: Outcomes) -> Floats:
    """Share of the judgements that were won, ties counting half.

    (wins + ties / 2) / n
    """
    return np.asarray(e.w @ e.outcome / e.w.sum(-1))


OLD = [2, 2, 0, 1, 0, 0, 1, 2, 0, 0, 1, 0]
NEW = [2, 2, 2, 1, 0, 2, 2, 2, 0, 1, 1, 2]


@pytest.fixture(autouse=True)
def new_family() -> Iterator[None]:
    """The family for as long as a test runs."""
    everywhere: list[dict[Any, Any]] = [catalogue(), KINDS, BUILDERS]
    before = [dict(known) for known in everywhere]
    family(Preferred, "from_outcomes", Outcomes)
    measure(
        reads=Outcomes,
        range=(0, 1),
        best=1,
        undefined="there are no judgements",
        no_skill=None,
        interval=Jackknife(),
        worked=(Worked(Preferred.from_outcomes([2, 1, 0, 0]), {}, 3 / 8, "a win and half a tie of four"),),
        cite="made up for this test",
    )(win_rate)
    yield
    for known, kept in zip(everywhere, before, strict=True):
        known.clear()
        known.update(kept)


def evaluated() -> Report:
    return assay.evaluate(Preferred.from_outcomes(NEW))


def compared() -> Report:
    systems = {"old": Preferred.from_outcomes(OLD), "new": Preferred.from_outcomes(NEW)}
    return assay.evaluate(Counts(systems, together=Together(systems))).compare()


def shown(report: Report, format: str) -> str:
    return page_html(report.page()) if format == "html" else report.formatted(format)


@pytest.mark.parametrize("format", [*FORMATS, "html"])
def test_a_family_without_rules_of_advice_is_shown_in_every_format(format: str) -> None:
    report = evaluated()
    assert report.rows[0].value == 17 / 24
    assert report.rows[0].has_limits
    text = shown(report, format)
    assert "win_rate" in text or "Win rate" in text
    assert any(value in text for value in ("0.71", ".71", "0.7083", "0.708"))


@pytest.mark.parametrize("format", [*FORMATS, "html"])
def test_its_systems_are_compared_in_every_format(format: str) -> None:
    report = compared()
    (difference,) = [row for row in report.rows if row.quantity == "difference"]
    assert difference.value == pytest.approx((9 - 17) / 24)
    assert difference.p is not None
    assert difference.has_limits
    text = shown(report, format)
    assert "old" in text
    assert "new" in text
    assert "0.33" in text.replace("−", "-")


def test_json_and_csv_hold_the_same_rows() -> None:
    report = compared()
    rows = json.loads(report.to_json())["rows"]
    listed = list(csv.DictReader(io.StringIO(report.to_csv())))
    assert [row["measure"] for row in rows] == [row["measure"] for row in listed] == ["win_rate"] * 3
    assert json.loads(report.to_json())["advice"] == []


def test_who_asks_for_advice_on_it_is_told_that_there_is_none() -> None:
    with pytest.raises(DataError, match="no rules of advice for a preferred tally"):
        assay.advise(Preferred.from_outcomes(NEW))


@pytest.mark.parametrize("format", ["csv", "latex"])
def test_a_format_without_advice_does_not_work_it_out(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.advice.advise.advice_for", lambda *_, **__: pytest.fail("advice was worked out"))
    confusion = assay.Confusion.from_predictions([0, 1, 1, 0], [0, 1, 0, 0])
    shown(assay.evaluate(confusion), format)


def test_who_names_measures_has_no_advice_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.advice.advise.advice_for", lambda *_, **__: pytest.fail("advice was worked out"))
    confusion = assay.Confusion.from_predictions([0, 1, 1, 0], [0, 1, 0, 0])
    report = assay.evaluate(confusion, measures="accuracy")
    assert "Accuracy" in report.to_text()
    assert "Accuracy" in report.to_markdown()


def test_advice_is_worked_out_once_for_all_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.advice import advise

    usual, asked = advise.advice_for, []

    def counted(tallies: Sequence[Tally], **how: Any) -> tuple[Piece, ...]:
        asked.append(tallies)
        return usual(tallies, **how)

    monkeypatch.setattr(advise, "advice_for", counted)
    report = assay.evaluate(assay.Confusion.from_predictions([0, 1, 1, 0], [0, 1, 0, 0]))
    assert not asked
    for format in (*FORMATS, "html"):
        shown(report, format)
    assert len(asked) == 1
