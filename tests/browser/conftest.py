"""One Chromium for all tests of a process, and a new profile for each test.

Its tests run on the event loop of the whole run, since playwright's connection belongs to a loop.
"""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext

from support.chromium import chromium


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run asynchronous tests of this folder on the loop that has the browser."""
    for item in items:
        if pytest_asyncio.is_async_test(item) and "/browser/" in str(item.path):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The browser; it starts once."""
    async with chromium() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def profile(browser: Browser) -> AsyncIterator[BrowserContext]:
    """A profile without cookies."""
    context = await browser.new_context()
    yield context
    await context.close()
