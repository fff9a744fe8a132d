"""Subagent types: whether a subagent can run `hookd log`, by the definition of its type.

A definition is a Markdown file in `.claude/agents` of the project or of the user; its front matter
names the tools. Definitions of plugins and of the command line are not read.
"""

from collections.abc import Iterator
from typing import Any

from hookd.core.context_window.front_matter import parse_front_matter, split_front_matter
from hookd.core.model.fact_requests import DirListing, FileText
from hookd.core.model.facts import Facts

_BUILT_IN = frozenset({"general-purpose", "Explore", "Plan"})
"""Built-in types of the client that have Bash."""

_HEAD = 4_000
"""Characters of a definition that are read."""

_MOST = 50
"""Maximum definitions that are read in one folder."""


def can_log(agent_type: str | None, facts: Facts) -> bool | None:
    """Return whether subagents of a type have Bash, None if that is unknown."""
    if not agent_type or "/" in agent_type or "\0" in agent_type:
        return None
    homes = (f"{facts.project.path}/.claude" if facts.project else "", facts.daemon.claude)
    for home in filter(None, homes):
        for keys in _definitions(f"{home}/agents", agent_type, facts):
            return _has_bash(keys)
    return True if agent_type in _BUILT_IN else None


def _definitions(folder: str, name: str, facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the definitions of a type in a folder; usually the file is named after its type."""
    own = FileText(f"{folder}/{name}.md", "/", _HEAD)
    there = DirListing(folder, "/")
    facts.require_all(own, there)
    if file := facts.require(own):
        keys = parse_front_matter(split_front_matter(file.text)[0])
        if keys.get("name", name) == name:
            yield keys
            return
    listed = facts.require(there)
    named = [one for one in listed.names if one.endswith(".md")] if listed else []
    others = [
        FileText(f"{folder}/{one}", "/", _HEAD) for one in named[:_MOST] if one != f"{name}.md"
    ]
    facts.require_all(*others)
    for other in others:
        file = facts.require(other)
        keys = parse_front_matter(split_front_matter(file.text)[0]) if file else {}
        if keys.get("name") == name:
            yield keys


def _has_bash(keys: dict[str, Any]) -> bool | None:
    """Return whether a front matter gives Bash; None for Bash with a pattern."""
    given, taken = _tools(keys.get("tools")), _tools(keys.get("disallowedTools"))
    if "Bash" in (taken or ()):
        return False
    if given is None or {"Bash", "*", "Bash(*)"} & set(given):
        return True
    return None if any(tool.startswith("Bash(") for tool in given) else False


def _tools(value: Any) -> list[str] | None:
    """Return names of tools, as a list or with commas between them; None if none are named."""
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return None
    return [str(one).strip() for one in value]
