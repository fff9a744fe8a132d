"""The system's Chromium, driven by playwright; playwright's own download is never used."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from support.programs import needed

if TYPE_CHECKING:
    from playwright.async_api import Browser


@asynccontextmanager
async def chromium() -> AsyncIterator["Browser"]:
    """Yield a headless browser; skip the test where Chromium is not installed."""
    program = needed("chromium")
    from playwright.async_api import async_playwright

    # No sandbox: the checks run as root in a container, and the pages are our own.
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=program, chromium_sandbox=False)
        try:
            yield browser
        finally:
            await browser.close()
