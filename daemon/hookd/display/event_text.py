"""Texts of an event: whose it is, and the names of its stages."""

import re
from collections.abc import Mapping
from typing import Any

from hookd.display.amounts import milliseconds
from hookd.display.event_subject import subject_line

_HUMP = re.compile("[A-Z]")


def who(event: Mapping[str, Any]) -> str:
    """Return the agent of an event, or its session's number, with the subagent's id."""
    number = event["sessionId"]
    name = event["agent"] or (f"session {number}" if number else "")
    return f"{name}/{event['agentId'][:8]}" if event["agentId"] else name


def about(event: Mapping[str, Any], limit: int = 60) -> str:
    """Return the subject of an event, on one line of at most `limit` characters."""
    return subject_line(event["payload"], limit)


def slowest_stage(stages: Mapping[str, int]) -> str:
    """Return the stage of an event that took longest, with its milliseconds."""
    if not stages:
        return ""
    stage = max(stages, key=lambda name: stages[name])
    return f"{stage_name(stage)} {milliseconds(stages[stage])}"


def stage_name(stage: str) -> str:
    """Return the name of a stage as words: user hooks."""
    return _HUMP.sub(lambda hump: f" {hump[0].lower()}", stage).replace("_", " ")
