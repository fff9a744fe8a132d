"""Return who calls a tool of hookd's MCP server: by its PreToolUse event, else by its process.

The server names the tool and the digest of its input. A PreToolUse event of that tool with that
input, of the last 30 seconds, not denied, names its session, subagent and tool call, once. Where
the client's process is known, it must be the server's. Without such an event it is the open session
of the client that started the server, and `verified` is false.
"""

from datetime import timedelta

from pydantic import Field

from hookd.core.model.effects.own_calls import UseOwnCall
from hookd.core.model.fact_requests import CallerSession, ProcessOrigin
from hookd.core.model.facts import Facts, iso
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire
from hookd.core.model.own_call import OwnCall
from hookd.core.model.work_requests import OwnCallsOf
from hookd.core.sessions.own_tools import CALL_SECONDS


class Params(Wire):
    """`tool` is the tool's name without its server; `digest` is in hexadecimal digits."""

    tool: str = Field(pattern=r"^[a-z_]{1,40}$")
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")


class Result(Wire):
    """The caller; all is null if it is unknown. `agent` is its AGENT_ID, `agentId` its subagent."""

    verified: bool
    session_id: int | None = None
    conversation: str | None = None
    agent: str | None = None
    agent_id: str | None = None
    tool_use_id: str | None = None


def decide(params: Params, facts: Facts) -> Change:
    """Find the call and use it, else find the session of the process."""
    since = iso(facts.now - timedelta(seconds=CALL_SECONDS))
    calls = facts.require(OwnCallsOf(params.tool, params.digest, since)) or ()
    client = _client(facts)
    call = next((one for one in calls if _may_be(one, client)), None)
    if call is not None:
        result = Result(
            verified=True,
            session_id=call.session_id,
            conversation=call.conversation,
            agent=call.agent,
            agent_id=call.agent_id,
            tool_use_id=call.tool_use_id,
        )
        return Change(result, (UseOwnCall(call.id),))
    session = facts.require(CallerSession(client, facts.identity.agent)) if client else None
    if session is None:
        return Change(Result(verified=False))
    return Change(
        Result(
            verified=False,
            session_id=session.id,
            conversation=session.claude_session_id,
            agent=session.owner,
        )
    )


def _client(facts: Facts) -> str:
    """Return the client's process above the server, "" if it is unknown."""
    peer = facts.identity.peer
    origin = facts.require(ProcessOrigin(peer)) if peer else None
    return origin.client if origin else ""


def _may_be(call: OwnCall, client: str) -> bool:
    return not (client and call.client_process) or client == call.client_process


METHOD = ChangeMethod(
    "mcp.caller",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"tool": "fleet", "digest": "0" * 64}, says="an unknown caller"),),
)
