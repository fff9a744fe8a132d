"""Examples of a guard rule: calls, each in a situation, and what the rule says of them.

`denies`, `asks`, `tells` and `allows` of a rule list them. They change nothing about calls:
`hookd guard test` evaluates them.
"""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from hookd.core.guard_rules.conditions import (
    ONE_OR_SEVERAL,
    Budget,
    ClientName,
    ContextShare,
    Size,
    size_limit,
)
from hookd.core.guard_rules.situation import MAIN, text_field
from hookd.core.guard_rules.trigger_schema import Count, Part
from hookd.events.call_parts import APPLY_PATCH
from hookd.events.patch import looks_like_patch
from hookd.events.tool_names import TOOLS
from hookd.events.tool_pattern import main_field
from hookd.lazy_pattern import lazy_compile

Expected = Literal["denies", "asks", "tells", "allows"]
"""What a rule says of a call; `allows`: the rule does not apply to it."""

KINDS: tuple[Expected, ...] = ("denies", "asks", "tells", "allows")
"""The keys of a rule that list examples."""

_CALL = lazy_compile(r"(?P<tool>[A-Z]\w*|mcp__[\w.-]+)(?:\((?P<rest>.*)\))?", re.DOTALL)
_FIELDS = {"WebSearch": "query", "LS": "path", "NotebookRead": "notebook_path"}
"""The main field of tools that have no field for globs."""

_MAX_SIZE = 2_000_000
"""Characters, or lines, that an example's input may have."""


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


_Commands = Annotated[tuple[str, ...], BeforeValidator(_listed), ONE_OR_SEVERAL]


class Example(Part):
    """A call, and the situation in which it is made; an unset value is unknown, or none."""

    call: str = Field(
        min_length=1,
        max_length=10_000,
        description="A command, such as `git push`, or a tool with its main argument or its input"
        """ as JSON: `Edit(src/a.py)`, `mcp__db__query({"sql": "DROP TABLE x"})`.""",
    )
    input: dict[str, Any] | None = Field(
        None, description="The input of a tool that `call` only names."
    )
    folder: str = Field("", description="The working folder, from the project's root.")
    branch: str | None = Field(None, description="The branch that is checked out.")
    agent: str = Field(MAIN, description="main, subagent, or a type of subagent.")
    client: ClientName | None = Field(None, description="The client that makes the call.")
    after: _Commands = Field(
        (), description="The commands that have succeeded since the last edit."
    )
    context: ContextShare | None = Field(
        None, description="The use of the context window: 85%, 0.85, or a level."
    )
    spent: Budget | None = Field(None, description="Costs in US dollars: {session: 6}.")
    size: Size | None = Field(
        None, description="The size of the input: 501 lines, 64 kB, or a number of characters."
    )
    phase: str | None = Field(None, description="The phase of the effort.")
    lifecycle: Literal["loading", "dehydrating", "active", "finished"] | None = Field(
        None, description="The state of the effort; without it and a phase there is none."
    )
    heartbeat: Count = Field(0, description="The calls since the last log entry.")
    tool_calls: Count = Field(0, alias="toolCalls", description="All calls of the window.")

    @model_validator(mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return {"call": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _readable(self) -> "Example":
        self.tool_call()
        return self

    def tool_call(self) -> tuple[str, dict[str, Any]]:
        """Return the tool and its input. Raise ValueError if they cannot be read."""
        tool, given = _parsed(self.call)
        if self.input is not None:
            if given:
                raise ValueError("the call has an input of its own: leave `input` out")
            given = dict(self.input)
        return tool, given if self.size is None else _enlarged(tool, given, self.size)

    @property
    def words(self) -> str:
        """The example on one line, with its situation."""
        rest = self.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"call"})
        more = ", ".join(f"{key}: {_plain(value)}" for key, value in rest.items())
        call = " ".join(self.call.split())
        return f"{call} ({more})" if more else call


def _examples(value: Any) -> Any:
    return (value,) if isinstance(value, str | Mapping | Example) else value


Examples = Annotated[
    Annotated[tuple[Example, ...], Field(min_length=1, max_length=100)],
    BeforeValidator(_examples),
    ONE_OR_SEVERAL,
]
"""Examples: one, or a list. Each is a text, or an object with its situation."""


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _parsed(text: str) -> tuple[str, dict[str, Any]]:
    """Return the tool and the input that a text names: a command, if it names no tool."""
    found = _CALL.fullmatch(text.strip())
    if found is None or not (found["rest"] is not None or _is_tool(found["tool"])):
        return "Bash", {"command": text}
    tool, rest = found["tool"], (found["rest"] or "").strip()
    if not rest:
        return tool, {}
    if rest.startswith("{"):
        return tool, _object(tool, rest)
    field = main_field(tool) or _FIELDS.get(tool)
    if field is None:
        raise ValueError(f'write the input of {tool} as JSON: {tool}({{"key": "value"}})')
    if tool == APPLY_PATCH and not looks_like_patch(rest):
        rest = f"*** Begin Patch\n*** Update File: {rest}\n*** End Patch\n"
    return tool, {field: rest}


def _is_tool(name: str) -> bool:
    return name in TOOLS or name.startswith("mcp__")


def _object(tool: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError(f"the input of {tool} is no JSON object")
    return value


def _enlarged(tool: str, given: dict[str, Any], size: str) -> dict[str, Any]:
    """Return an input whose text has this size: it is filled with empty lines, or spaces."""
    by_lines, most = size_limit(size)
    if most > _MAX_SIZE:
        raise ValueError(f"an example has at most {_MAX_SIZE:,} characters, or lines")
    field, wanted = text_field(tool), int(most)
    text = given.get(field, "")
    if not isinstance(text, str):
        raise ValueError(f"size: {field} of {tool} is no text")
    if by_lines:
        lines = text.count("\n") + (bool(text) and not text.endswith("\n"))
        end = "" if not text or text.endswith("\n") or lines >= wanted else "\n"
        return {**given, field: text + end + "\n" * (wanted - lines)}
    return {**given, field: text + " " * (wanted - len(text))}
