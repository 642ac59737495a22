from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Opener, chromium
from tests.browser.site import Site


@pytest.fixture(scope="session")
def opening() -> Iterator[Opener]:
    """Opens pages in one Chromium that lives as long as the tests."""
    with chromium() as browser:
        yield Opener(browser)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The pages, in one folder for all processes that run tests."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"
    folder.mkdir(exist_ok=True)
    return Site(folder)


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the documentation, which `make test-browser` builds first."""
    folder = Path(__file__).parents[2] / "build" / "site"
    if not (folder / "index.html").exists():
        pytest.fail("there is no documentation in build/site; 'make docs' builds it", pytrace=False)
    return folder
