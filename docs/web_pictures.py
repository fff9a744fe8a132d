"""Takes the pictures of the pages of `hookd web` for the guide, from sessions that it plays first.

Without Chromium nothing is changed. Times and durations differ from run to run, so the pictures
show others: a picture changes only if its page does.
"""

import asyncio
import shutil
import sys
from base64 import b64decode, b64encode
from pathlib import Path

from playwright.async_api import Browser, Page

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from support.busy_fleet import SETTINGS, play  # noqa: E402 - after the path is known
from support.chromium import chromium  # noqa: E402
from support.home import place  # noqa: E402
from support.watched_page import Watch  # noqa: E402
from support.web_page import Web, web  # noqa: E402

SIZES = {1280: (800, "light"), 768: (1024, "dark"), 390: (844, "light")}
"""Width of the window: its height, and the theme."""

MOST_BYTES = 600_000
"""Limit for all pictures together."""

STILL = """home => {
  const clock = new Date("2026-01-30T14:20:00");
  const times = [...document.querySelectorAll("time")];
  const sorted = [...new Set(times.map(one => one.dateTime))].sort();
  for (const one of times) {
    const at = new Date(clock.getTime() + 8000 * sorted.indexOf(one.dateTime));
    one.textContent = at.toTimeString().slice(0, 8);
  }
  let durations = 0;
  const duration = () => `${Math.max(0.2, 4.8 - 0.23 * durations++).toFixed(1)} ms`;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let one; (one = walker.nextNode());) {
    one.data = one.data
      .replaceAll(home + "/projects", "/work")
      .replaceAll(home, "/home/me")
      .replace(/\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d(:\\d\\d)?/g, "2026-01-30 14:20:16")
      .replace(/\\d+(\\.\\d)? ms\\b/g, duration);
  }
}"""
"""Makes a page the same in each run: times in their order, durations, and paths."""

WEBP = """async bytes => {
  const picture = await createImageBitmap(new Blob([Uint8Array.fromBase64(bytes)]));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const blob = await canvas.convertToBlob({type: "image/webp", quality: 0.9});
  return new Uint8Array(await blob.arrayBuffer()).toBase64();
}"""


async def main() -> None:
    """Take all pictures, and write them into docs/images."""
    if shutil.which("chromium") is None:
        print("docs: the pictures of the pages stay as they are: chromium is not installed.")
        return
    with place() as home:
        home.settings(SETTINGS)
        play(home.serves())
        denied = home.rows("SELECT max(id) FROM events WHERE decided_by LIKE '%no-force%'")[0][0]
        session = home.rows("SELECT id FROM sessions WHERE owner = 'orders'")[0][0]
        pages = {"fleet": "", "session": f"sessions/{session}", "event": f"events/{denied}"}
        with web(home) as served:
            async with chromium() as browser:
                for width in SIZES:
                    await _pictures(browser, served, pages, width, str(home.path))
    total = _total()
    if total > MOST_BYTES:
        sys.exit(f"docs: the pictures of the pages take {total} bytes, more than {MOST_BYTES}.")


def _total() -> int:
    """Return the size of all pictures in bytes."""
    return sum(path.stat().st_size for path in (HERE / "images").glob("web-*.webp"))


async def _pictures(
    browser: Browser, served: Web, pages: dict[str, str], width: int, home: str
) -> None:
    """Take a picture of each page at one size."""
    height, theme = SIZES[width]
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    watch = Watch(served)
    page, converter = await watch.enter(context), await context.new_page()
    for name, path in pages.items():
        await page.goto(watch.first + path)
        await page.evaluate(STILL, home)
        picture = await _picture(page, converter)
        (HERE / "images" / f"web-{name}-{width}.webp").write_bytes(picture)
    await context.close()


async def _picture(page: Page, converter: Page) -> bytes:
    """Return what the window shows, as WebP: PNG takes twice as much."""
    taken = await page.screenshot(animations="disabled", caret="hide")
    made: str = await converter.evaluate(WEBP, b64encode(taken).decode())
    return b64decode(made)


if __name__ == "__main__":
    asyncio.run(main())
