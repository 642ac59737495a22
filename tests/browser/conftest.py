from __future__ import annotations

from collections.abc import Iterator

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
    """The pages, written once for all tests."""
    return Site(tmp_path_factory.mktemp("site"))
