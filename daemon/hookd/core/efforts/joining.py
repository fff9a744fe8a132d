"""Joining: whether a session works on the latest effort of its project (`efforts.join`)."""

from dataclasses import replace

from hookd.config.models import Join, Settings
from hookd.core.model.fact_requests import ProcessOrigin
from hookd.core.model.facts import Effort, Facts
from hookd.core.model.origin import UNKNOWN, Origin


def join_setting(settings: Settings) -> Join:
    """Return the setting `efforts.join`; where it is not set, the profile decides."""
    usual: Join = "latest" if settings.policies.profile == "workflow" else "own-terminal"
    return settings.efforts.join or usual


def joins(join: Join, starter: Origin | None, here: Origin) -> bool:
    """Return whether a session joins an effort; `starter` is None if it was not recorded."""
    if join == "own-terminal":
        return starter is not None and starter.shares(here)
    return join == "latest"


def without_unjoined_effort(facts: Facts) -> Facts:
    """Return the facts without an effort that the session that begins does not join.

    Only the project's latest effort is in question: one that was handed on, or that belongs to the
    agent, is the session's anyway. Guard rules of the effort go with it. Raise MissingFacts.
    """
    effort = facts.effort if facts.by_project else None
    if effort is None or _joins(effort, facts):
        return facts
    guards = tuple(one for one in facts.guards if one.scope != "effort")
    return replace(facts, effort=None, by_project=False, guards=guards)


def request_origin(facts: Facts) -> Origin:
    """Return where a request comes from. Raise MissingFacts."""
    peer = facts.identity.peer
    found = facts.require(ProcessOrigin(peer)) if peer else None
    return replace(found or UNKNOWN, pane=facts.identity.pane)


def _joins(effort: Effort, facts: Facts) -> bool:
    if facts.identity.agent:  # `identity.share_efforts` decides for agents
        return True
    join = join_setting(facts.settings)
    here = request_origin(facts) if join == "own-terminal" else UNKNOWN
    return joins(join, effort.starter, here)
