"""The browser obeys each hostile text where a page shows it unescaped: each can fail a test."""

import pytest
from playwright.async_api import Browser, Dialog, Page, Request

from support.hostile_texts import ELSEWHERE, TEXTS, Hostile

ORIGIN = "http://127.0.0.1:9/"
"""Where the pages seem to be from. Nobody listens there: playwright answers."""


async def obeyed(page: Page, hostile: Hostile) -> bool:
    """Return whether a page that shows the text unescaped runs it, or contacts another host."""
    found: list[str] = []

    async def dismiss(dialog: Dialog) -> None:
        found.append("dialog")
        await dialog.dismiss()

    def asked(request: Request) -> None:
        found.extend(["request"] * (ELSEWHERE in request.url))

    page.on("dialog", dismiss)
    page.on("request", asked)
    body = hostile.page().encode(errors="replace")
    await page.route(
        f"{ORIGIN}**", lambda route: route.fulfill(body=body, content_type="text/html;charset=utf8")
    )
    await page.route(f"**{ELSEWHERE}**", lambda route: route.abort())
    await page.goto(ORIGIN)
    if not found:
        await page.wait_for_timeout(100)
    if found:
        return True
    return bool(await page.evaluate("top.ran"))


@pytest.mark.slow
async def test_each_text_does_harm_where_it_is_not_escaped(browser: Browser) -> None:
    harmless = []
    for hostile in TEXTS:
        if hostile.place:
            context = await browser.new_context()
            if not await obeyed(await context.new_page(), hostile):
                harmless.append(hostile.name)
            await context.close()
    assert harmless == []
