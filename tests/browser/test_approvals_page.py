"""A permission request of the real shim is answered in the page, and by no other page."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from playwright.async_api import BrowserContext, Error, Page, expect

from support.approvals import HOLD, answer_of, asking, status
from support.home import Home, window_in
from support.hostile_site import WRITES, hostile_site
from support.hostile_texts import ALL_IN_ONE
from support.watched_page import Watch
from support.web_page import web

pytestmark = pytest.mark.gate


def call(command: str) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command, "description": command}}


async def press(page: Page, command: str, button: str, message: str = "") -> None:
    """Wait for the card of a command, and press one of its buttons."""
    card = page.get_by_role("article").filter(has_text=command)
    if message:
        await card.get_by_role("textbox").fill(message)
    async with page.expect_event("load"):  # the form leads to the page again
        await card.get_by_role("button", name=button).click()
    await expect(card).to_have_count(0)


async def test_a_click_lets_the_call_pass_denies_it_or_leaves_it_to_the_dialog(
    home: Home, profile: BrowserContext
) -> None:
    home.settings(HOLD)
    window = window_in(home.serves())
    answers = {}
    with web(home, "--allow-changes") as server:
        watch = Watch(server)
        page = await watch.enter(profile, "approvals")
        for command, button, message in (
            (f"touch allowed {ALL_IN_ONE}", "Allow", ""),
            ("touch denied", "Deny", f"Use the build folder. {ALL_IN_ONE}"),
            ("touch left", "Leave to the dialog", ""),
        ):
            with asking(window, **call(command)) as shim:
                await press(page, command[:13], button, message)
                answers[button] = await asyncio.to_thread(answer_of, shim)
        await watch.shown(page)
    assert answers["Allow"] == {"behavior": "allow"}
    assert answers["Deny"]["behavior"] == "deny"
    assert answers["Deny"]["message"].startswith("Use the build folder. '")
    assert answers["Leave to the dialog"] is None
    assert watch.problems == []


@pytest.mark.slow
async def test_a_page_on_another_port_answers_nothing(home: Home, profile: BrowserContext) -> None:
    home.settings(HOLD)
    window = window_in(home.serves())
    with web(home, "--allow-changes") as server, hostile_site() as site:
        watch = Watch(server)
        page = await watch.enter(profile, "approvals")
        with asking(window, **call("touch x")) as shim:
            await page.get_by_role("article").filter(has_text="touch x").wait_for()
            address = f"{watch.first}approvals/1"
            for way in WRITES.values():
                hostile = await profile.new_page()
                await hostile.goto(site)
                with suppress(Error):  # the browser tells the page nothing of the answer
                    await hostile.evaluate(way, [address, "answer=allow&csrf=x"])
                assert status(home, 1) == "pending"
            await press(page, "touch x", "Allow")
            assert await asyncio.to_thread(answer_of, shim) == {"behavior": "allow"}
