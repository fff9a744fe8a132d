"""A page shows what happens while it is open, and says when it cannot."""

import asyncio

import pytest
from playwright.async_api import BrowserContext, expect

from support.home import Home, window_in
from support.watched_page import Watch
from support.web_page import web

pytestmark = pytest.mark.gate


async def test_a_denied_call_appears_and_a_restart_of_the_daemon_is_told(
    daemon: Home, profile: BrowserContext
) -> None:
    window = window_in(daemon)
    with web(daemon) as server:
        watch = Watch(server)
        page = await watch.enter(profile, "decisions")
        await page.evaluate("window.kept = true")
        await asyncio.to_thread(window.bash, "rm -rf ~/first")
        row = page.get_by_role("row").filter(has_text="rm -rf ~/first")
        await expect(row).to_contain_text("deny")
        await asyncio.to_thread(daemon.ends)
        notice = page.locator(".banner")
        await expect(notice.first).to_contain_text("hookd")
        await asyncio.to_thread(daemon.serves)
        await expect(page.locator("#banners .banner")).to_have_count(0)
        await asyncio.to_thread(window.bash, "rm -rf ~/second")
        await page.get_by_text("rm -rf ~/second").first.wait_for()
        assert await page.evaluate("window.kept"), "the page was loaded again"
    assert watch.problems == []


@pytest.mark.slow
async def test_a_page_says_that_its_server_has_gone(daemon: Home, profile: BrowserContext) -> None:
    with web(daemon) as server:
        page = await Watch(server).enter(profile)
        await expect(page.locator("#offline")).to_be_hidden()
    await expect(page.locator("#offline")).to_be_visible()
    await expect(page.locator("#offline")).to_contain_text("does not answer")
