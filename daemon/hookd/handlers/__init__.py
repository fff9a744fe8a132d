"""The methods, pure: one file a method, and the one table of them all.

A hook event without a file here is recorded and answered with silence.
"""

from hookd.core.method import HookMethod, Method
from hookd.handlers.daemon import canary, integrity, query, status, stop
from hookd.handlers.effort import finish, log
from hookd.handlers.effort import list as effort_list
from hookd.handlers.effort import start as effort_start
from hookd.handlers.fleet import status as fleet_status
from hookd.handlers.guards import add, remove
from hookd.handlers.guards import list as guards_list
from hookd.handlers.hooks import (
    post_tool_use,
    pre_tool_use,
    session_end,
    session_start,
    user_prompt,
)
from hookd.handlers.session import list as session_list
from hookd.handlers.session import update_context_usage

_TABLE: tuple[Method, ...] = (
    session_start.METHOD,
    user_prompt.METHOD,
    pre_tool_use.METHOD,
    post_tool_use.METHOD,
    session_end.METHOD,
    session_list.METHOD,
    update_context_usage.METHOD,
    effort_start.METHOD,
    effort_list.METHOD,
    log.METHOD,
    finish.METHOD,
    add.METHOD,
    guards_list.METHOD,
    remove.METHOD,
    fleet_status.METHOD,
    status.METHOD,
    query.METHOD,
    integrity.METHOD,
    canary.METHOD,
    stop.METHOD,
)

METHODS: dict[str, Method] = {method.name: method for method in _TABLE}
"""Every method by its JSON-RPC name, in the order of the documentation."""

HOOKS = {method.event: method for method in _TABLE if isinstance(method, HookMethod)}
"""The methods that serve hook events, by the event's name."""
