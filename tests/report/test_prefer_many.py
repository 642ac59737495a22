"""`assay prefer` of many systems: what is worked out once for all of them, and what of it a terminal shows."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, takewhile
from typing import Any

import pytest
from rich.cells import cell_len

import assay
from assay.measures import preference_fit
from assay.tally import preferences
from assay.tally.contract.sampling import Clusters
from tests.arena import arena


def strengths(systems: int) -> dict[str, float]:
    return {f"model-{'abcdefghijkl'[i]}": 0.8 - 0.2 * i for i in range(systems)}


def test_judgments_are_summed_and_models_fitted_as_often_for_many_systems_as_for_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> None:
        made = getattr(owner, name)

        def called(*given: Any) -> Any:
            calls[name] += 1
            return made(*given)

        monkeypatch.setattr(owner, name, called)

    counted(preferences, "sum_by")
    counted(preference_fit, "_fitted")
    counted(Clusters, "renumbered")
    done = []
    for systems in (3, 8):
        calls.clear()
        assay.prefer(arena(600, strengths=strengths(systems)), item="prompt")
        done.append(dict(calls))
    assert done[0] == done[1]
    assert done[0]["_fitted"] == done[0]["sum_by"] == 2  # of all judgments, and of all but one prompt in turn


def terminal(columns: dict[str, list[str]], width: int = 80, *, explain: bool = True) -> list[str]:
    return assay.prefer(columns, item="prompt").to_text(width, explain=explain).splitlines()


def table(lines: list[str], head: str) -> list[str]:
    """The rows of the table whose head starts with this."""
    start = next(i for i, line in enumerate(lines) if line.startswith(f" {head}"))
    return list(takewhile(lambda line: " – " in line or " to " in line, lines[start + 1 :]))


def test_pairs_stand_in_the_order_of_strength_whatever_the_names_are() -> None:
    turned = dict(zip(strengths(5), reversed(strengths(5).values()), strict=True))
    report = assay.prefer(arena(600, strengths=turned), item="prompt")
    assert report.contest is not None
    order = [s.system for s in report.contest.standings]
    assert order[0] == "model-e"
    assert [c.names for c in report.contest.tested] == list(combinations(order, 2))
    assert all(c.difference is not None and c.difference >= 0 for c in report.contest.tested)
    head_to_head = [(row.system, row.versus) for row in report.rows if row.quantity == "head to head"]
    assert head_to_head == list(combinations(order, 2))


@pytest.mark.parametrize(("systems", "pairs"), [(6, 15), (9, 8)])
def test_a_terminal_shows_all_pairs_of_six_systems_and_the_neighbors_in_rank_of_more(systems: int, pairs: int) -> None:
    columns = arena(1500, strengths=strengths(systems))
    lines = terminal(columns)
    assert len(table(lines, "comparison")) == len(table(lines, "head to head")) == pairs
    left = systems * (systems - 1) // 2 - pairs
    told = [line for line in lines if line.startswith(f" … and {left} more")]
    assert len(told) == (2 if left else 0)
    report = assay.prefer(columns, item="prompt")
    assert len(re.findall(r"\| model-\w vs\. model-", report.to_markdown())) == systems * (systems - 1) // 2


def test_pairs_of_long_names_fit_80_columns_and_stay_apart() -> None:
    long = {f"some-laboratory/chat-model-{size}b-instruct-2024": 0.1 * size for size in range(1, 6)}
    lines = terminal(arena(600, strengths=long))
    rows = table(lines, "comparison")
    names = {name.strip() for row in rows for name in row[:40].split(" − ")[:2]}
    assert max(map(cell_len, rows)) <= 80
    assert len({row.split("  ")[0] for row in rows}) == len(rows) == 10
    assert all(any(f"{size}b" in name for name in names) for size in range(1, 6))
    assert len({row.split("  ")[0] for row in table(lines, "system")}) == len(long)


def test_strengths_in_one_column_have_the_same_number_of_decimals() -> None:
    # One system is judged rarely, so that its interval is wide.
    columns = arena(900, strengths=strengths(3))
    rare = arena(40, seed=5, strengths={"model-a": 0.8, "rare": 0.0})
    rows = table(terminal({name: [*columns[name], *rare[name]] for name in columns}), "system")
    decimals = {len(number.partition(".")[2]) for row in rows for number in re.findall(r"\d+\.\d+", row)}
    assert len(rows) == 4
    assert decimals == {2}


def test_hypotheses_and_the_test_are_named_in_words() -> None:
    text = " ".join(" ".join(terminal(arena())).split())
    assert "test based on the paired interval, because answers cannot be exchanged" in text
    assert "Bradley–Terry strength differs between atlas and cedar." in text
    assert "bradley_terry" not in text
