"""A page whose misdeeds are noted: dialogs, errors, requests to another host, texts that ran."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Dialog, Page, Request, Response

from support.hostile_texts import CONTROL, PRODUCT
from support.web_page import Web

_FACTS = """() => {
  const own = location.origin;
  const odd = [];
  for (const one of document.querySelectorAll("*")) {
    for (const attribute of one.attributes) {
      if (attribute.name.startsWith("on")) odd.push(`${one.localName} has ${attribute.name}`);
      if (["href", "src", "action", "formaction", "srcdoc", "data"].includes(attribute.name)) {
        const url = new URL(attribute.value, document.baseURI);
        const outside = url.origin !== own && !(one.localName === "a" && url.protocol === "https:");
        if (outside) odd.push(`${one.localName} leads to ${url}`);
      }
    }
    if (["iframe", "object", "embed", "base"].includes(one.localName)) odd.push(one.localName);
    if (one.localName === "script" && !one.src) odd.push("a script without a file");
  }
  return {ran: window.ran, odd, text: document.body.innerText, title: document.title,
          wide: document.documentElement.scrollWidth - document.documentElement.clientWidth};
}"""


@dataclass
class Watch:
    """Notes what a profile's pages do. `problems` is empty as long as all is well."""

    server: Web
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        """The address of the first page; those of all others begin with it."""
        return self.server.origin + self.server.root

    async def enter(self, context: BrowserContext, path: str = "") -> Page:
        """Open a link for one use in a new page, watch the profile, and go to a page."""
        self.over(context)
        page = await context.new_page()
        await page.goto(self.server.press_enter())
        await page.wait_for_url(self.first)
        if path:
            await page.goto(self.first + path)
        return page

    def over(self, context: BrowserContext) -> None:
        """Watch every page of a profile, those that it opens later, too."""
        context.on("page", self._page)
        context.on("request", self._request)
        context.on("response", self._response)
        for page in context.pages:
            self._page(page)

    def _page(self, page: Page) -> None:
        page.on("dialog", self._dialog)
        page.on("pageerror", lambda error: self.problems.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda message: self.problems.extend(
                [f"{page.url}: {message.text}"] * (message.type in ("error", "warning"))
            ),
        )

    async def _dialog(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        parts = urlsplit(request.url)
        if f"{parts.scheme}://{parts.netloc}" != self.server.origin:
            self.problems.append(f"a request to {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status} for {response.url}")

    async def shown(self, page: Page) -> str:
        """Return the text of a page; note what is wrong with it."""
        facts = await page.evaluate(_FACTS)
        text = f"{facts['title']}\n{facts['text']}"
        where = re.sub(r".*?/[\w-]{20,}/", "", page.url)
        found = [f"{where}: {odd}" for odd in facts["odd"]]
        found += [f"{where}: a text ran"] * bool(facts["ran"])
        found += [f"{where}: a template was evaluated"] * (PRODUCT in text)
        found += [f"{where}: {mark[0]!r} is shown raw" for mark in CONTROL.finditer(text)]
        found += [f"{where}: {facts['wide']} px too wide"] * (facts["wide"] > 0)
        self.problems += found
        return text
