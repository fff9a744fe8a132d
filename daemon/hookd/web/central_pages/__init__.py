"""Pages of the central board: `hookd web --fleet` shows all hosts of a fleet, and changes nothing.

They read the central store by `central/board.py`. `PAGES` is the table, in the order of the menu.
"""

from hookd.web.central_pages import event, host, hosts, minutes, session, sessions
from hookd.web.page import Page

PAGES: tuple[Page, ...] = (
    hosts.PAGE,
    sessions.PAGE,
    minutes.PAGE,
    host.PAGE,
    session.PAGE,
    event.PAGE,
)
