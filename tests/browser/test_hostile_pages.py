"""No hostile text runs in any page, whatever field it is in, and none contacts another host."""

import asyncio
from urllib.parse import quote, urlencode

import pytest
from playwright.async_api import BrowserContext

from support.crawl import crawl
from support.home import Home
from support.hostile_session import (
    allows,
    by_socket,
    conversation,
    counted,
    file_name,
    misses,
    settings,
)
from support.hostile_texts import ALL_IN_ONE, TEXTS
from support.watched_page import Watch
from support.web_page import web

pytestmark = pytest.mark.gate

SHOWN = "onerror=top.ran=1"

AUDIT = """async paths => {
  const odd = [];
  const forbidden = ["iframe", "object", "embed", "base", "style"];
  for (const path of paths) {
    const answer = await fetch(path, {headers: {accept: "text/html"}});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.status !== 200) odd.push(`${path}: ${answer.status}`);
    for (const one of page.querySelectorAll("*")) {
      const source = one.getAttribute("src") || "";
      const runs = [...one.attributes].some(({name}) => name.startsWith("on"));
      const loads = ["script", "img"].includes(one.localName) && !source.includes("/static/");
      if (runs || loads || forbidden.includes(one.localName)) odd.push(`${path}: ${one.outerHTML}`);
    }
  }
  return odd;
}"""


async def test_no_page_runs_a_text_of_a_hostile_session(
    home: Home, profile: BrowserContext
) -> None:
    home.settings(settings(ALL_IN_ONE))
    allows(conversation(home.serves(), ALL_IN_ONE))
    misses(home, ALL_IN_ONE)
    counted(home)
    with web(home, "--allow-changes") as server:
        watch = Watch(server)
        page = await watch.enter(profile)
        texts = await crawl(page, watch, searches=False)
    assert watch.problems == []
    assert sum(SHOWN in text for text in texts.values()) >= 4, "the pages do not show the texts"


@pytest.mark.slow
async def test_no_page_runs_any_text_of_the_corpus(home: Home, profile: BrowserContext) -> None:
    home.serves()
    for hostile in TEXTS:
        await asyncio.to_thread(conversation, home, hostile.text, by_socket)
    await asyncio.to_thread(counted, home)
    with web(home) as server:
        watch = Watch(server)
        page = await watch.enter(profile)
        await crawl(page, watch, most=20)
        numbers = [row[0] for row in home.rows("SELECT id FROM events WHERE event <> 'PreCompact'")]
        assert await page.evaluate(AUDIT, [f"{server.root}events/{one}" for one in numbers]) == []
    assert watch.problems == []


@pytest.mark.slow
async def test_no_text_of_an_address_runs(shared: Home, profile: BrowserContext) -> None:
    with web(shared) as server:
        watch = Watch(server)
        page = await watch.enter(profile, "decisions")
        names = await page.eval_on_selector_all(
            "form [name]", "found => [...new Set(found.map(one => one.name))]"
        )
        for hostile in TEXTS:
            text = hostile.text[:500].encode(errors="replace").decode()
            await page.goto(f"{watch.first}decisions?{urlencode(dict.fromkeys(names, text))}")
            await watch.shown(page)
        assert watch.problems == []
        for hostile in TEXTS:
            await page.goto(watch.first + quote(file_name(hostile.text)))
            await watch.shown(page)
    assert [one for one in watch.problems if "404" not in one] == []


@pytest.mark.slow
async def test_no_text_runs_that_arrives_while_a_page_is_open(
    home: Home, profile: BrowserContext
) -> None:
    with web(home.serves()) as server:
        watch = Watch(server)
        page = await watch.enter(profile, "decisions?all=1")
        fleet = await profile.new_page()
        await fleet.goto(watch.first)
        for hostile in TEXTS:
            await asyncio.to_thread(conversation, home, hostile.text, by_socket)
        await asyncio.to_thread(conversation, home, ALL_IN_ONE)
        await page.get_by_text(SHOWN).first.wait_for()
        await fleet.get_by_text(SHOWN).first.wait_for()
        await watch.shown(page)
        await watch.shown(fleet)
    assert watch.problems == []
