"""Your own hooks: sums for each, and their runs."""

from urllib.parse import urlencode

from hookd.store.browse import user_hooks
from hookd.web.page import Ask, Page, Values


async def view(ask: Ask) -> Values:
    """Return sums of the newest runs for each hook, and the runs that match."""
    hook, failed, before = ask.text("hook"), ask.text("failed") is not None, ask.number("before")
    page = await ask.read(lambda db: user_hooks.runs(db, hook, failed=failed, before=before))
    kept = {name: text for name, text in (("hook", hook), ("failed", failed and "1")) if text}
    return {
        "hooks": await ask.read(user_hooks.by_hook),
        "rows": page.rows,
        "partial": page.partial,
        "older": urlencode(kept | {"before": str(page.before)}) if page.before else "",
        "newest": urlencode(kept) if before else None,
        "hook": hook,
        "failed": failed,
        "topics": [] if before else ["events"],
    }


PAGE = Page("hooks", "Your hooks", "hooks.html", view, menu="Hooks")
