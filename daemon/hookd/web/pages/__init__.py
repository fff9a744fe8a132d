"""The pages: one module and one template each. `PAGES` is the table, in the order of the menu."""

from hookd.web.page import Change, Page, Site
from hookd.web.pages import (
    approvals,
    decisions,
    efforts,
    event,
    fleet,
    health,
    hooks,
    policies,
    rules,
    session,
    statistics,
    work_items,
)

PAGES: tuple[Page, ...] = (
    fleet.PAGE,
    decisions.PAGE,
    event.PAGE,
    session.PAGE,
    approvals.PAGE,
    rules.PAGE,
    policies.PAGE,
    policies.ONE,
    statistics.PAGE,
    efforts.PAGE,
    efforts.ONE,
    efforts.HANDOVERS,
    work_items.PAGE,
    hooks.PAGE,
    health.PAGE,
)

CHANGES: tuple[Change, ...] = (approvals.ANSWER, event.ALLOW, rules.REMOVE)

SITE = Site(PAGES, CHANGES)
"""The pages of this machine."""
