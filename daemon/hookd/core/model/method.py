"""Method contracts: the kinds of JSON-RPC methods, their parts, and their examples."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import field
from types import ModuleType
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel, to_snake

from hookd.core.hook_rules.model import Hook
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.verdict import Opinion, Outcome
from hookd.events.model import HookInput, PreToolUse
from hookd.lazy_dataclass import dataclass


class Wire(BaseModel):
    """A shape on the wire: camelCase there, snake_case here; both are accepted."""

    model_config = ConfigDict(
        defer_build=True,  # most methods are not called in a day
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        hide_input_in_errors=True,
    )


RowId = Annotated[int, Field(ge=1, le=2**63 - 1)]
"""A row's number."""


class HookResult(Wire):
    """The result of a `hooks.*` method; `hookOutput` is the client's answer, null is silence."""

    hook_output: dict[str, Any] | None = None


class StatusResult(HookResult):
    """Whether the status of the agent, or of a session without one, changed."""

    agent_updated: bool = False


@dataclass(frozen=True)
class Example:
    """One working call; the tests run it, the documentation prints it."""

    params: Mapping[str, Any]
    says: str = ""


E = TypeVar("E", bound=HookInput)
P = TypeVar("P", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of an event's handler: `facts` are those after its effects, for the policies."""

    facts: Facts
    effects: tuple[Effect, ...] = ()
    opinion: Opinion | None = None


@dataclass(frozen=True)
class HookMethod(Generic[E]):
    """A method that handles one hook event. `decide` and `answer` are pure."""

    name: str
    event: str
    params: type[E]
    result: type[HookResult]
    decide: Callable[[E, Facts], Decision]
    answer: Callable[[E, Facts, Outcome], HookResult]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """The decision of a change method: the result, and the effects."""

    result: BaseModel
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class ChangeMethod(Generic[P]):
    """A method that changes state: it is decided and written in one transaction.

    `person`: it weakens guards, so it is rejected for a caller whose process ancestry contains a
    client. A function decides it for each call.
    """

    name: str
    params: type[P]
    result: type[BaseModel]
    where: Callable[[P, Identity], Where]
    decide: Callable[[P, Facts], Change]
    examples: tuple[Example, ...]
    person: bool | Callable[[P, Facts], bool] = False


@dataclass(frozen=True, slots=True)
class View:
    """Rows of a view of the schema that equal `where`, newest first.

    A value of None sets no condition. The columns of `above` must be greater.
    """

    name: str
    where: Mapping[str, object] = field(default_factory=dict)
    above: Mapping[str, object] = field(default_factory=dict)
    order: str = "id DESC"
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Query:
    """One statement of the user's own, run read-only; at most `limit` rows."""

    sql: str
    args: tuple[Any, ...] = ()
    limit: int = 1000


@dataclass(frozen=True, slots=True)
class Integrity:
    """A check of the whole database; its rows are the errors."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of the database: one row with a column for each measure."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the database in a new file; its row is the size in bytes."""

    path: str


@dataclass(frozen=True, slots=True)
class Condition:
    """The daemon's status: one row with its own state and counts from the database."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """The database, compacted to drop free pages; its row has the bytes before and after."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts since a time, of a project or of all: one row with a column for each kind of rows.

    Without a time they begin at midnight (UTC) six days ago. `client` is a client's name.
    """

    since: str | None = None
    project: str | None = None
    client: str | None = None


ReadRequest = View | Query | Integrity | Sizes | Backup | Condition | Compaction | Statistics
"""Requests of a read-only method to the store."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a query: `more` is true if the limit cut them.

    `raw` is the whole result of a Query as JSON text, which is forwarded as it is.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool = False
    raw: bytes = b""


@dataclass(frozen=True)
class ListMethod(Generic[P]):
    """A read-only method: `select` names the rows, the store reads them, `shape` arranges them.

    Bytes from `shape` are the result as JSON text.
    """

    name: str
    params: type[P]
    result: type[BaseModel]
    select: Callable[[P, Identity], ReadRequest]
    shape: Callable[[P, Rows], BaseModel | bytes]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """A tool call as the pipeline evaluates it, with nothing recorded and no user hook run.

    `asked` are the policies that evaluated it, `hooks` the user hooks that would run, `answer` is
    what the client would get; None is silence.
    """

    event: PreToolUse
    facts: Facts
    asked: tuple[str, ...]
    said: tuple[Opinion, ...]
    outcome: Outcome
    hooks: tuple[Hook, ...]
    answer: dict[str, Any] | None


@dataclass(frozen=True)
class TrialMethod(Generic[P]):
    """A method that evaluates a call as if a client made it; `shape` arranges the result.

    `client` names that client.
    """

    name: str
    params: type[P]
    result: type[BaseModel]
    event: Callable[[P, Identity], PreToolUse]
    who: Callable[[P, Identity], Identity]
    client: Callable[[P], str]
    shape: Callable[[P, Trial], BaseModel]
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class PushMethod(Generic[P]):
    """A method that subscribes the connection to the notifications of a topic.

    `person` says whether a call with these parameters is for a person only, as in ChangeMethod.
    """

    name: str
    params: type[P]
    result: type[BaseModel]
    topic: Callable[[P], str]
    examples: tuple[Example, ...]
    person: Callable[[P], bool] | None = None


Method = HookMethod[Any] | ChangeMethod[Any] | ListMethod[Any] | TrialMethod[Any] | PushMethod[Any]


def method_module(method: Method) -> ModuleType:
    """Return the module of a method: its path is the method's name, in snake_case."""
    return sys.modules[f"hookd.methods.{to_snake(method.name)}"]


def method_doc(method: Method) -> str:
    """Return the docstring of a method's module."""
    return method_module(method).__doc__ or ""
