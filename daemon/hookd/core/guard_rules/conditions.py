"""Conditions of a guard rule: the schema of what a call does, and of when the rule applies.

What the call does: `changes`, `reaches`, `protectedBranches`. When: `after`, `largerThan`,
`branch`, `agents`, `client`, `context`, `budget`. A rule fires if everything that it names is true.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
    model_validator,
)

from hookd.core.guard_rules.trigger_schema import Part, Share
from hookd.core.model.client_names import CLIENTS
from hookd.events import tool_pattern
from hookd.events.tool_pattern import ToolPattern
from hookd.lazy_pattern import lazy_compile

_HOST = lazy_compile(r"(?:\*|(?:\*\.)?[\w*-]+(?:\.[\w*-]+)*\.?|\[?[0-9a-f:]+\]?)", re.IGNORECASE)
_SCHEME = lazy_compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SIZE = lazy_compile(
    r"(?P<number>\d{1,12}(?:\.\d{1,3})?)\s*(?P<unit>lines?|characters?|chars?|kb|mb|b|bytes?)?",
    re.IGNORECASE,
)
_UNITS = {"k": 1_000, "m": 1_000_000}
_PERCENT = lazy_compile(r"(\d{1,3}(?:\.\d{1,3})?)\s*%")
_SENTENCE = lazy_compile(
    r"""(?P<quote>["']?)(?P<command>.+?)(?P=quote)\s+succeeded(?P<since>\s+since\s+the\s+last"""
    r"""\s+edit)?""",
    re.DOTALL,
)


def _listed(value: Any) -> Any:
    """Return a single text as a list of one."""
    return (value,) if isinstance(value, str) else value


def _path_glob(glob: str) -> str:
    bare = glob.removeprefix("!")
    if not bare.strip():
        raise ValueError("a path needs at least one character, such as migrations/**")
    if ".." in bare.split("/"):
        raise ValueError(f"invalid path {glob!r}: use an absolute path instead of ..")
    if not {"{", "}", "\0"}.isdisjoint(bare):
        raise ValueError(f"invalid path {glob!r}: only *, **, ? and [] are wildcards; give several")
    return glob


def _host_glob(glob: str) -> str:
    bare = glob.removeprefix("!")
    if _SCHEME.match(bare) or "/" in bare:
        host = _SCHEME.sub("", bare).partition("/")[0]
        raise ValueError(f"{glob!r} is no domain: leave the scheme and the path out: {host}")
    if not _HOST.fullmatch(bare):
        raise ValueError(f"{glob!r} is no domain: write example.com, or *.example.com")
    return glob


def _branch_glob(glob: str) -> str:
    bare = glob.removeprefix("refs/heads/")
    if not bare or re.search(r"[\s~^:\\\0]", bare):
        raise ValueError(f"{glob!r} is no branch: write main, or release/*")
    return bare


def _agent_glob(glob: str) -> str:
    if not glob.strip():
        raise ValueError("an agent needs a name: main, subagent, or a type such as Explore")
    return glob


def _client_name(name: str) -> str:
    if name not in CLIENTS:
        raise ValueError(f"{name!r} is no client: write one of {', '.join(CLIENTS)}")
    return name


def _some(values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        raise ValueError("an empty list matches nothing: leave the key out, or name something")
    if all(one.startswith("!") for one in values):
        raise ValueError("an exception needs something before it: name what it is an exception to")
    return values


class _OneOrSeveral:
    """JSON Schema of a list whose items may be texts, and that may be one of them alone."""

    def __get_pydantic_json_schema__(
        self, core_schema: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        schema = handler(core_schema)
        one = schema["items"]
        items = [{"type": "string"}, *([] if one == {"type": "string"} else [one])]
        several = {**schema, "items": {"anyOf": items} if len(items) > 1 else items[0]}
        return {"anyOf": [*items, several]}


ONE_OR_SEVERAL = _OneOrSeveral()
"""Annotation of a list that may be written as a single text or object."""

_Listed = BeforeValidator(_listed)
_Some = AfterValidator(_some)
_ONE_OR_SEVERAL = WithJsonSchema(
    {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
)
Globs = Annotated[
    tuple[Annotated[str, AfterValidator(_path_glob)], ...], _Listed, _Some, _ONE_OR_SEVERAL
]
"""Globs of paths; a glob after `!` is an exception to those before it."""

Hosts = Annotated[
    tuple[Annotated[str, AfterValidator(_host_glob)], ...], _Listed, _Some, _ONE_OR_SEVERAL
]
"""Hosts, `*.example.com` with all below it; `!` as in Globs."""

Branches = Annotated[
    tuple[Annotated[str, AfterValidator(_branch_glob)], ...], _Listed, _Some, _ONE_OR_SEVERAL
]
"""Globs of branches; `*` crosses `/`."""

Agents = Annotated[
    tuple[Annotated[str, AfterValidator(_agent_glob)], ...], _Listed, _Some, _ONE_OR_SEVERAL
]
"""`main`, `subagent`, or globs of a subagent's type."""

ClientName = Annotated[
    str, AfterValidator(_client_name), WithJsonSchema({"type": "string", "enum": list(CLIENTS)})
]
"""The name of a client, such as `codex`."""

Clients = Annotated[tuple[ClientName, ...], _Listed, _Some, ONE_OR_SEVERAL]
"""Names of clients."""


def _size(value: Any) -> str:
    text = str(value).strip() if isinstance(value, str | int) and value is not True else ""
    if not _SIZE.fullmatch(text):
        raise ValueError("give a size: 500 lines, 64 kB, or a number of characters")
    return text


Size = Annotated[
    str, BeforeValidator(_size), WithJsonSchema({"type": ["string", "integer"], "minimum": 1})
]
"""A size of the input: `500 lines`, `64 kB`, `20000`."""


def _share(value: Any) -> Any:
    found = _PERCENT.fullmatch(value.strip()) if isinstance(value, str) else None
    return float(found[1]) / 100 if found else value


ContextShare = Annotated[
    Share, BeforeValidator(_share), WithJsonSchema({"type": ["string", "number"]})
]
"""A share of the context window: 0.8, `80 %`, or a level."""

Dollars = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]


class Budget(Part):
    """Costs in US dollars, of which at least one is reached: days begin at midnight UTC.

    `session`: of the conversation, its subagents included. `agent`: of all sessions of this
    AGENT_ID today. `day`: of all sessions today.
    """

    session: Dollars | None = None
    agent: Dollars | None = None
    day: Dollars | None = None

    @model_validator(mode="after")
    def _names_one(self) -> "Budget":
        if not self.limits:
            raise ValueError("give at least one of session, agent, day: {session: 5}")
        return self

    @property
    def limits(self) -> dict[str, float]:
        """The limits by name."""
        named = {"session": self.session, "agent": self.agent, "day": self.day}
        return {name: limit for name, limit in named.items() if limit is not None}


def _command(text: str) -> str:
    bare = text.strip()
    if bare.startswith("Bash(") and bare.endswith(")"):
        bare = bare[5:-1]
    command_pattern(bare)
    return bare


class After(Part):
    """A command that has to succeed before the call: since the last edit, or since the start.

    `edits` are the files whose change counts as an edit; by default all files of the project.
    """

    command: Annotated[str, Field(min_length=1), AfterValidator(_command)]
    since: Literal["edit", "start"] = "edit"
    edits: Globs | None = None

    @model_validator(mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        said = _SENTENCE.fullmatch(value.strip())
        if said is None:
            return {"command": value}
        return {"command": said["command"], "since": "edit" if said["since"] else "start"}

    @model_validator(mode="after")
    def _fits(self) -> "After":
        if self.edits is not None and self.since == "start":
            raise ValueError("edits has no meaning with since: start")
        return self


def _requirements(value: Any) -> Any:
    return (value,) if isinstance(value, str | Mapping | After) else value


def _some_commands(values: tuple[After, ...]) -> tuple[After, ...]:
    if not values:
        raise ValueError("an empty list needs no command: leave the key out")
    return values


Requirements = Annotated[
    tuple[After, ...],
    BeforeValidator(_requirements),
    AfterValidator(_some_commands),
    ONE_OR_SEVERAL,
]
"""Commands that all have to succeed before the call."""


@lru_cache(maxsize=1024)
def command_pattern(text: str) -> ToolPattern:
    """Return the pattern of a required command. Raise ValueError if it can match no command."""
    return tool_pattern.widened(tool_pattern.parse(f"Bash({text})"))


@lru_cache(maxsize=1024)
def size_limit(text: str) -> tuple[bool, float]:
    """Return whether a size counts lines, not characters, and its number."""
    found = _SIZE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no size")
    unit = (found["unit"] or "").lower()
    scale = _UNITS.get(unit[:1], 1) if unit in ("kb", "mb") else 1
    return unit.startswith("line"), float(found["number"]) * scale
