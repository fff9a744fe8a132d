"""Each page can be used: without JavaScript, by keyboard, with a screen reader, on a phone."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, BrowserContext, Page, expect

from support.crawl import crawl
from support.home import Home, place
from support.hostile_session import allows, conversation, counted
from support.hostile_texts import ALL_IN_ONE
from support.watched_page import Watch
from support.web_page import Web, web

pytestmark = pytest.mark.slow

PHONE = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def lived() -> Iterator[Home]:
    """A home in which a calm session and a hostile one have used everything."""
    with place() as home:
        home.serves()
        for text in ("Add the endpoint /orders", ALL_IN_ONE, "W" * 3_000):
            allows(conversation(home, text))
        counted(home)
        yield home


@pytest.fixture(scope="module")
def server(lived: Home) -> Iterator[Web]:
    with web(lived, "--allow-changes") as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser) -> AsyncIterator[BrowserContext]:
    """A profile with a narrow window."""
    context = await browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    yield context
    await context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_serious_on_any_page(
    browser: Browser, server: Web, scheme: str
) -> None:
    context = await browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    watch = Watch(server)
    page = await watch.enter(context)
    found = {}
    for path in await crawl(page, watch):
        await page.goto(watch.first + path)
        response = (await Axe().run(page)).response
        found[path] = [
            (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"][:200])
            for one in response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
    await context.close()
    assert {path: odd for path, odd in found.items() if odd} == {}


async def test_no_page_scrolls_sideways_on_a_phone(phone: BrowserContext, server: Web) -> None:
    watch = Watch(server)
    await crawl(await watch.enter(phone), watch, most=3)
    assert watch.problems == []


async def test_a_page_without_javascript_has_the_same_content(
    browser: Browser, profile: BrowserContext, server: Web
) -> None:
    plain = await browser.new_context(java_script_enabled=False)
    watch = Watch(server)
    with_scripts, without = await watch.enter(profile), await watch.enter(plain)
    different = []
    for path in await crawl(with_scripts, watch):
        texts = []
        for page in (with_scripts, without):
            await page.goto(watch.first + path)
            texts.append(await page.inner_text("main"))
        if texts[0] != texts[1]:
            different.append(path)
    await plain.close()
    assert different == []
    assert watch.problems == []


async def test_the_theme_is_the_system_s_or_the_one_that_was_chosen(
    browser: Browser, server: Web
) -> None:
    colors = {}
    for scheme in ("light", "dark"):
        context = await browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
        page = await Watch(server).enter(context)
        colors[scheme] = await background(page)
        button = page.get_by_role("button", name="Theme")
        while "light" not in await button.inner_text():
            await button.click()
        colors[f"{scheme}, light chosen"] = await background(page)
        await page.reload()
        colors[f"{scheme}, loaded again"] = await background(page)
        await context.close()
    light, dark = colors.pop("light"), colors.pop("dark")
    assert light != dark
    assert set(colors.values()) == {light}


async def background(page: Page) -> str:
    color: str = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    return color


async def test_the_keyboard_reaches_the_filter_and_the_rows(
    profile: BrowserContext, server: Web
) -> None:
    page = await Watch(server).enter(profile, "decisions")
    await page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    await expect(skip).to_be_focused()
    await expect(skip).to_be_in_viewport()
    reached = []
    for _ in range(40):
        await page.keyboard.press("Tab")
        reached.append(await page.evaluate(_FOCUSED))
    names = [name for name, _ in reached]
    assert names.index("input text") < names.index("a row"), names
    assert all(outlined for _, outlined in reached if outlined is not None), reached
    await page.keyboard.press("/")
    await expect(page.get_by_role("searchbox")).to_be_focused()
    await page.keyboard.type("forbidden")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**text=forbidden**")
    await page.get_by_role("row").nth(1).wait_for()
    await page.keyboard.press("j")
    assert (await page.evaluate(_FOCUSED))[0] == "a row"
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/events/*")


_FOCUSED = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  const name = [one.localName, one.name || one.className].filter(Boolean).join(" ");
  if (one === document.body) return [name, null];
  return [name, style.outlineStyle !== "none" || style.boxShadow !== "none"];
}"""
