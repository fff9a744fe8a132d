"""A hostile page on another port of this machine can neither read nor change anything.

Cookies do not know ports, so the browser sends the cookie of the page with its requests.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Error, Page, Response

from support.home import Home, window_in
from support.hostile_site import READS, WRITES, hostile_site
from support.web_page import Web, web

pytestmark = pytest.mark.slow

SECRET = "what-the-user-said"


@pytest.fixture(scope="module")
def server(shared: Home) -> Iterator[Web]:
    """Pages that allow changes, of a home in which something was said."""
    window_in(shared).says("UserPromptSubmit", prompt=SECRET)
    with web(shared, "--allow-changes") as one:
        yield one


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of the hostile page."""
    with hostile_site() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def victim(browser: Browser, server: Web) -> AsyncIterator[BrowserContext]:
    """A profile that has the server's cookie."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(server.press_enter())
    await page.get_by_text(SECRET).wait_for()
    yield context
    await context.close()


def base(server: Web) -> str:
    return server.origin + server.root


async def hostile_page(victim: BrowserContext, site: str) -> Page:
    page = await victim.new_page()
    await page.goto(site)
    return page


def statuses(page: Page, server: Web) -> set[int]:
    """Return a set to which the status of each answer of the server is added."""
    found: set[int] = set()

    def note(response: Response) -> None:
        if response.url.startswith(server.origin):
            found.add(response.status)

    page.on("response", note)
    return found


PATHS = ["", "decisions", "live?topics=events", "static/live.js", "static/icon.svg"]


@pytest.mark.parametrize("way", READS)
async def test_no_way_reads_a_page_from_another_port(
    victim: BrowserContext, server: Web, site: str, way: str
) -> None:
    page = await hostile_page(victim, site)
    refused = statuses(page, server)
    for path in PATHS:
        try:
            read = await page.evaluate(
                f"Promise.race([({READS[way]})('{base(server)}{path}'),"
                " new Promise(done => setTimeout(done, 1000))])"
            )
        except Error:
            read = None
        assert not read, path
    assert refused <= {403}


async def test_a_window_that_a_hostile_page_opens_shows_nothing(
    victim: BrowserContext, server: Web, site: str
) -> None:
    page = await hostile_page(victim, site)
    async with victim.expect_page() as opened:
        await page.evaluate(f"window.other = open('{base(server)}'); 0")
    window = await opened.value
    await window.wait_for_load_state()
    assert SECRET not in await window.inner_text("body")
    with pytest.raises(Error):
        await page.evaluate("other.document.body.innerText")


@pytest.mark.parametrize("way", WRITES)
async def test_no_way_posts_a_form_from_another_port(
    victim: BrowserContext, server: Web, site: str, way: str
) -> None:
    page = await hostile_page(victim, site)
    refused = statuses(page, server)
    with suppress(Error):  # the browser tells the page nothing of the answer
        await page.evaluate(WRITES[way], [base(server) + "approvals/1", "answer=allow&csrf=x"])
    assert refused <= {403}


async def test_a_cookie_that_another_port_sets_changes_nothing(
    victim: BrowserContext, server: Web, site: str
) -> None:
    page = await hostile_page(victim, site)
    await page.evaluate(f"document.cookie = 'hookd=x; path={server.root}decisions'")
    await page.goto(base(server) + "decisions")
    await page.get_by_role("heading", name="Decisions").wait_for()


async def test_a_link_works_once(browser: Browser, server: Web) -> None:
    link = server.press_enter()
    first, second = await browser.new_context(), await browser.new_context()
    try:
        page = await first.new_page()
        await page.goto(link)
        await page.wait_for_url(base(server))
        again = await second.new_page()
        answer = await again.goto(link)
        assert answer is not None
        assert answer.status == 403
        assert SECRET not in await again.inner_text("body")
        assert await second.cookies() == []
        (cookie,) = await first.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        assert cookie["path"] == server.root
    finally:
        await first.close()
        await second.close()
