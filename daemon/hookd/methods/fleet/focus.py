"""Mark as checked the agent or session in a tmux pane that a person looks at.

Only attention changes to checked. No event causes it: `statusEventId` is 0.
"""

from pydantic import Field

from hookd.core.model.effects.messages import SetAgentStatus
from hookd.core.model.effects.sessions import SetSessionStatus
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`pane` is tmux's name for it, such as %3; `socket` the path of its server's socket.

    `server` is the process of that server, if it is known.
    """

    pane: str = Field(pattern=r"^%[0-9]{1,9}$")
    socket: str = Field(min_length=1, max_length=4096)
    server: int | None = None


class Result(Wire):
    """The agent of that pane, or its session as the fleet names it; `checked` if that changed."""

    agent: str | None = None
    checked: bool = False


def where(params: Params, _identity: Identity) -> Where:
    """Locate the agent or the session that runs there."""
    return Where(tmux=(params.socket, params.pane, params.server))


def decide(_params: Params, facts: Facts) -> Change:
    """Mark it as checked if it waited."""
    agent, session = facts.agent, facts.session
    waits = agent is not None and agent.status == "attention"
    if session is not None and session.owner is None and not waits:
        name = f"session {session.id}"
        if session.status != "attention":
            return Change(Result(agent=name))
        checked = SetSessionStatus(session.id, "checked", 0)
        return Change(Result(agent=name, checked=True), (checked,))
    if agent is None:
        return Change(Result())
    if not waits:
        return Change(Result(agent=agent.id))
    return Change(Result(agent=agent.id, checked=True), (SetAgentStatus(agent.id, "checked", 0),))


METHOD = ChangeMethod(
    "fleet.focus",
    Params,
    Result,
    where,
    decide,
    (Example({"pane": "%3", "socket": "/run/user/1000/fleet"}, says="agent null"),),
)
