"""A family that nothing else knows of: one tally and one measure, evaluated, compared and shown in every format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

import assay
from assay.advice.commands import Piece
from assay.cli.main import exit_code
from assay.errors import DataError
from assay.jobs.answers.results import Report
from assay.jobs.comparison.systems import compare_systems
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.facts import Worked
from assay.measures.declare.family import FAMILIES, KINDS, family
from assay.measures.declare.forms import Jackknife
from assay.measures.declare.measure import measure
from assay.options import FORMATS
from assay.report.page.render import page_html
from assay.tally.contract.base import Evidence, Tally
from assay.tally.contract.restored import Columns, Wholes
from assay.tally.contract.sampling import Floats
from assay.tally.contract.systems import Systems
from assay.tally.count.counts import Counts, Slicing, Together


@dataclass(frozen=True, eq=False, repr=False)
class Preferred(Tally):
    """Units are judgements of two answers: won (2), tied (1) or lost (0)."""

    kind: ClassVar[str] = "preferred"
    item: ClassVar[str] = "judgement"
    stored_columns: ClassVar[Columns] = {"judgement": Wholes(), "outcome": Wholes(most=2)}

    @classmethod
    def from_outcomes(cls, outcomes: Any, start: int = 0) -> Self:
        """Count the outcomes; every judgement stays a unit, so that two systems can be paired."""
        held = np.asarray(outcomes, np.int64)
        place = np.arange(start, start + len(held))
        return cls(keys={"judgement": place, "outcome": held}, counts=np.ones(len(held), np.int64))


@dataclass(frozen=True, eq=False)
class Outcomes(Evidence):
    """How often each unit counts, and its outcome."""

    outcome: Floats
    w: Floats

    @classmethod
    def of(cls, tally: Preferred, w: Floats) -> Self:
        """The outcomes beside their multiplicities."""
        return cls(tally.keys["outcome"] / 2, w)


def loss_rate(e: Outcomes) -> Floats:
    """Share of the judgements that were not won, ties counting half.

    1 − win rate
    """
    return 1 - win_rate(e)


def win_rate(e: Outcomes) -> Floats:
    """Share of the judgements that were won, ties counting half.

    (wins + ties / 2) / n
    """
    return np.asarray(e.w @ e.outcome / e.w.sum(-1))


FACTS: dict[str, Any] = {
    "reads": Outcomes,
    "range": (0, 1),
    "best": 1,
    "undefined": "there are no judgements",
    "no_skill": None,
    "interval": Jackknife(),
    "worked": (Worked(Preferred.from_outcomes([2, 1, 0, 0]), {}, 3 / 8, "a win and half a tie of four"),),
    "cite": "made up for this test",
}
OLD = [2, 2, 0, 1, 0, 0, 1, 2, 0, 0, 1, 0]
NEW = [2, 2, 2, 1, 0, 2, 2, 2, 0, 1, 1, 2]


@pytest.fixture(autouse=True)
def new_family() -> Iterator[None]:
    """The family for as long as a test runs."""
    everywhere: list[dict[Any, Any]] = [catalogue(), KINDS, FAMILIES]
    before = [dict(known) for known in everywhere]
    family(Preferred, "from_outcomes", Outcomes)
    measure(**FACTS)(win_rate)
    yield
    for known, kept in zip(everywhere, before, strict=True):
        known.clear()
        known.update(kept)


def evaluated() -> Report:
    return assay.evaluate(Preferred.from_outcomes(NEW))


def compared() -> Report:
    systems = {"old": Preferred.from_outcomes(OLD), "new": Preferred.from_outcomes(NEW)}
    return assay.evaluate(Counts(systems, together=Together(Systems(systems)))).compare()


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


def stored(path: Path, part: slice) -> str:
    """The file of the counts of some of the judgements."""
    systems = {name: Preferred.from_outcomes(each[part], part.start) for name, each in (("old", OLD), ("new", NEW))}
    path.write_text(Counts(systems).to_json(), encoding="utf-8")
    return str(path)


def test_its_stored_counts_are_read_merged_evaluated_compared_and_verified(tmp_path: Path) -> None:
    shards = [stored(tmp_path / f"{i}.json", part) for i, part in enumerate((slice(0, 5), slice(5, 12)))]
    whole, report = stored(tmp_path / "whole.json", slice(0, 12)), str(tmp_path / "report.json")
    merged = str(tmp_path / "merged.json")
    assert exit_code(["merge", *shards, "--out", merged]) == 0
    assert Path(merged).read_text(encoding="utf-8").strip() == Path(whole).read_text(encoding="utf-8").strip()
    assert [row.value for row in assay.evaluate(merged).rows] == [9 / 24, 17 / 24]
    (difference,) = [row for row in compare_systems(merged, unpaired=True).rows if row.quantity == "difference"]
    assert difference.value == pytest.approx((9 - 17) / 24)
    for command in ("evaluate", "compare"):
        apart = ["--unpaired"] if command == "compare" else []
        assert exit_code([command, merged, *apart, "--format", "json", "--out", report]) == 0
        assert exit_code(["verify", report, merged]) == 0
    with pytest.raises(DataError, match=r"systems\.old\.preferred\.units\.outcome\[0\] is 3; a whole number"):
        Counts.from_json(Path(whole).read_text(encoding="utf-8").replace('"outcome": [2', '"outcome": [3', 1))


def test_what_it_declares_is_shown_first_and_compared_between_groups() -> None:
    family(
        Preferred, "from_outcomes", Outcomes, usual=lambda _: ["loss_rate", "win_rate"], sliced=lambda _: ["win_rate"]
    )
    measure(**{**FACTS, "best": 0})(loss_rate)
    report = evaluated()
    assert [row.measure for row in report.rows] == ["loss_rate", "win_rate"]
    assert report.systems[0].primary == "loss_rate"
    groups = {name: Systems({"a": Preferred.from_outcomes(some)}) for name, some in (("x", OLD), ("y", NEW))}
    sliced = assay.evaluate(Counts({"a": Preferred.from_outcomes(OLD + NEW)}, (Slicing("site", groups),)))
    assert {row.measure for row in sliced.rows if row.slice} == {"win_rate"}


def test_json_and_csv_hold_the_same_rows() -> None:
    report = compared()
    rows = json.loads(report.to_json())["rows"]
    listed = list(csv.DictReader(io.StringIO(report.to_csv())))
    assert [row["measure"] for row in rows] == [row["measure"] for row in listed] == ["win_rate"] * 3
    assert json.loads(report.to_json())["advice"] == []


def test_who_asks_for_advice_on_it_is_told_that_there_is_none() -> None:
    with pytest.raises(DataError, match="no advice for a preferred tally"):
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
