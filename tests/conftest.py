from __future__ import annotations

import gc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.snapshot import Snapshot

# The same examples on every machine and in every run: a test fails because of a change, never by luck.
# Without a deadline, because a slow machine is not a wrong result.
settings.register_profile(
    "assay", derandomize=True, max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# For a long search by hand: pytest --hypothesis-profile=search
settings.register_profile("search", max_examples=2_000, deadline=None)
settings.load_profile("assay")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-snapshots",
        action="store_true",
        help="approve the texts that tests compare with tests/snapshots/",
    )


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over the thousands of collected tests, which stay until the end anyway."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Snapshot:
    folder = Path(__file__).parent / "snapshots"
    return Snapshot(folder, update=bool(request.config.getoption("--update-snapshots")))


@pytest.fixture(autouse=True)
def _usual_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text is as wide as it is for everyone, whatever terminal the tests run in."""
    monkeypatch.delenv("COLUMNS", raising=False)
