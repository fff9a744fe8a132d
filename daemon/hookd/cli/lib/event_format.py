"""Format an event in a few words: its agent, the subject of its payload, its slowest stage."""

import re
from collections.abc import Mapping
from typing import Any

from hookd.display.event_subject import subject_line, tool_input

_HUMP = re.compile("[A-Z]")


def who(event: Mapping[str, Any]) -> str:
    """Return the agent of an event, or its session's number, with the subagent's id."""
    number = event["sessionId"]
    name = event["agent"] or (f"session {number}" if number else "")
    return f"{name}/{event['agentId'][:8]}" if event["agentId"] else name


def about(event: Mapping[str, Any], limit: int = 60) -> str:
    """Return the subject of an event, on one line of at most `limit` characters."""
    return subject_line(event["payload"], limit)


def milliseconds(microseconds: float | None) -> str:
    """Return a duration in milliseconds, with one decimal below 100."""
    if microseconds is None:
        return "-"
    value = microseconds / 1_000
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def slowest_stage(stages: Mapping[str, int]) -> str:
    """Return the stage of an event that took longest, with its milliseconds."""
    if not stages:
        return ""
    stage = max(stages, key=lambda name: stages[name])
    return f"{stage_name(stage)} {milliseconds(stages[stage])}"


def stage_name(stage: str) -> str:
    """Return the name of a stage as words: user hooks."""
    return _HUMP.sub(lambda hump: f" {hump[0].lower()}", stage).replace("_", " ")


def call_of(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the input of the event's tool call; empty if it has none."""
    return tool_input(event["payload"])
