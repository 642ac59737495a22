"""`assay prefer` of many systems: what is worked out once for all of them, and what of it a terminal shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

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
