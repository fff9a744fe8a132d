"""Joining: whether a new session works on the latest effort of its project (`efforts.join`)."""

from dataclasses import replace

from hookd.config.models import Join, Settings
from hookd.core.model.fact_requests import ProcessOrigin
from hookd.core.model.facts import Effort, Facts
from hookd.core.model.origin import UNKNOWN, Origin


def join_setting(settings: Settings) -> Join:
    """Return the setting `efforts.join`; unset, the profile decides."""
    usual: Join = "latest" if settings.policies.profile == "workflow" else "own-terminal"
    return settings.efforts.join or usual


def joins(join: Join, starter: Origin | None, here: Origin) -> bool:
    """Return whether a session joins an effort; `starter` is None if it was not recorded."""
    if join == "own-terminal":
        return starter is not None and starter.shares(here)
    return join == "latest"


def without_unjoined_effort(facts: Facts) -> Facts:
    """Return the facts without the effort, if the new session does not join it.

    Only the project's latest effort can be dropped: an inherited effort, or the agent's own, stays.
    Its guard rules are dropped with it. Raise MissingFacts.
    """
    effort = facts.effort if facts.by_project else None
    if effort is None or _joins(effort, facts):
        return facts
    guards = tuple(guard for guard in facts.guards if guard.scope != "effort")
    return replace(facts, effort=None, by_project=False, guards=guards)


def request_origin(facts: Facts) -> Origin:
    """Return the terminal, client process and pane of a request. Raise MissingFacts."""
    peer = facts.identity.peer
    found = facts.require(ProcessOrigin(peer)) if peer else None
    return replace(found or UNKNOWN, pane=facts.identity.pane)


def _joins(effort: Effort, facts: Facts) -> bool:
    if facts.identity.agent:  # `identity.share_efforts` decides for agents
        return True
    join = join_setting(facts.settings)
    here = request_origin(facts) if join == "own-terminal" else UNKNOWN
    return joins(join, effort.starter, here)
