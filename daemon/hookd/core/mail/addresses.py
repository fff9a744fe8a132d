"""Addresses of mail: AGENT, a session, @task, @all, @person or NAME@HOST, as conversations."""

import posixpath
from collections.abc import Sequence

from hookd.core.fleet.peers import PERSON, Peer, peer_of, peer_of_key
from hookd.core.mail.senders import Sender
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import TaskByDir
from hookd.core.model.facts import Facts
from hookd.core.model.fleet_requests import FleetMembership
from hookd.core.model.mail import Mail, OpenAgent, ToKind
from hookd.core.model.mail_requests import OpenAgents
from hookd.core.sessions.open_session import project_of, repository_root
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

_NUMBERED = lazy_compile(r"(?:session |#)?([1-9][0-9]{0,17})")
_SHORT_ID = 8
"""Characters that the beginning of a conversation's id has at least, as an address."""

_LISTED = 8
"""Agents that an error names."""


@dataclass(frozen=True, slots=True)
class Address:
    """A resolved address: its kind, the name that is shown, the windows, and the task if any.

    `peer` is an agent of another host.
    """

    kind: ToKind
    shown: str
    windows: tuple[OpenAgent, ...] = ()
    task: str | None = None
    peer: Peer | None = None

    @property
    def conversations(self) -> tuple[str, ...]:
        """The client's ids of the conversations, each once; of a peer, its key."""
        if self.peer is not None:
            return (self.peer.key,)
        return tuple(dict.fromkeys(one.conversation for one in self.windows))


def resolve(to: str, sender: Sender, facts: Facts) -> Address:
    """Return the address that `to` means. NO_RECIPIENT names who is there; MAIL_REFUSED."""
    if to == "@person":
        return Address("person", "@person")
    everybody = facts.require(OpenAgents()) or ()
    others = tuple(one for one in everybody if one.conversation != sender.conversation)
    near = _reachable(others, sender, facts)
    if to == "@task" or to.startswith("@task:"):
        return _to_task(to, near, sender, facts)
    if to == "@all":
        here = _repository(sender, facts)
        chosen = tuple(one for one in near if one.repository == here)
        if not chosen:
            raise DomainError(
                "NO_RECIPIENT", f"no other session is open in this project{_in(near)}"
            )
        return Address("all", "@all", chosen)
    if to.startswith("@"):
        told = f"there is no address {to}, only @task, @all and @person"
        raise DomainError("NO_RECIPIENT", f"{told}{_in(near)}")
    found = _named(to, others)
    if not found:
        if (peer := peer_of(to)) is not None:
            return to_peer(peer, facts)
        you = bool(_named(to, everybody))
        told = f"you are {to} yourself" if you else f"no open session is {to}"
        raise DomainError("NO_RECIPIENT", f"{told}{_in(near)}")
    chosen = tuple(one for one in found if one in near)
    if not chosen:
        raise _far(to, found[0])
    kind: ToKind = "agent" if chosen[0].name else "session"
    return Address(kind, chosen[0].shown, chosen)


def to_peer(peer: Peer, facts: Facts) -> Address:
    """Return the address of an agent of another host. NO_RECIPIENT without a fleet."""
    known = facts.require(FleetMembership())
    if known is None:
        told = f"no open session is {peer.address}, and this host is in no fleet: hookd fleet join"
        raise DomainError("NO_RECIPIENT", told)
    if "mail" not in known.accept:
        told = "this host exchanges no mail with others: hookd fleet join FILE --accept mail"
        raise DomainError("NO_RECIPIENT", told)
    if peer.host == known.host:
        raise DomainError("NO_RECIPIENT", f"{peer.host} is this host; write to {peer.name}")
    return Address("person" if peer.name == PERSON else "agent", peer.address, peer=peer)


def to_local(name: str, facts: Facts) -> Address:
    """Return the address of a name that another host wrote to. NO_RECIPIENT without one."""
    if name == PERSON:
        return Address("person", "@person")
    found = _named(name, facts.require(OpenAgents()) or ())
    if not found:
        raise DomainError("NO_RECIPIENT", "no open session there has this name")
    return Address("agent" if found[0].name else "session", found[0].shown, found)


def session_number(to: str) -> int | None:
    """Return the number of the session that an address names, None if it names none by number.

    >>> session_number("7"), session_number("#7"), session_number("session 7"), session_number("x")
    (7, 7, 7, None)
    """
    found = _NUMBERED.fullmatch(to)
    return int(found[1]) if found else None


def known_sender(name: str, facts: Facts) -> bool:
    """Return whether mail of this name can come: an open session, or no agent of this host."""
    if name.casefold() in ("person", "script", "hookd") or peer_of(name) is not None:
        return True
    return bool(_named(name, facts.require(OpenAgents()) or ()))


def answer_to(mail: Mail, sender: Sender, facts: Facts) -> Address:
    """Return the address of a mail's sender. MAIL_REFUSED, NO_RECIPIENT."""
    if (peer := peer_of_key(mail.sender_conversation)) is not None:
        if peer.name == "hookd":
            raise DomainError(
                "MAIL_REFUSED", f"mail {mail.id} is from hookd, which reads no answer"
            )
        return to_peer(peer, facts)
    if mail.sender_kind == "hookd":
        raise DomainError("MAIL_REFUSED", f"mail {mail.id} is from hookd, which reads no answer")
    if mail.sender_kind in ("person", "script"):
        return Address("person", "@person")
    everybody = facts.require(OpenAgents()) or ()
    if sender.conversation is not None and mail.sender_conversation == sender.conversation:
        raise DomainError("MAIL_REFUSED", f"mail {mail.id} is your own")
    windows = tuple(one for one in everybody if one.conversation == mail.sender_conversation)
    if not windows:
        told = f"{mail.sender}, who wrote mail {mail.id}, has no open session by now"
        raise DomainError("NO_RECIPIENT", told)
    return Address("agent" if windows[0].name else "session", windows[0].shown, windows[-1:])


def _reachable(agents: Sequence[OpenAgent], sender: Sender, facts: Facts) -> tuple[OpenAgent, ...]:
    """Return the windows that the sender may write to: a person to all of them."""
    if sender.kind == "person" or facts.settings.mail.across_projects:
        return tuple(agents)
    here = _repository(sender, facts)
    return tuple(one for one in agents if one.repository == here)


def _repository(sender: Sender, facts: Facts) -> str | None:
    """Return the root that the worktrees of the sender's project share, None without a project."""
    if sender.session is not None:
        return next((one.repository for one in _own(sender, facts)), None)
    project, _ = project_of(facts, facts.identity.cwd)
    return repository_root(project, facts) if project else None


def _to_task(to: str, near: Sequence[OpenAgent], sender: Sender, facts: Facts) -> Address:
    _, _, named = to.partition(":")
    if named:
        task = posixpath.normpath(posixpath.join(facts.identity.cwd or "/", named))
        known = facts.require(TaskByDir(task))
        if known is None or not known.known:
            raise DomainError("NOT_FOUND", f"there is no task {task}")
    else:
        own = next((one.task for one in _own(sender, facts) if one.task), None)
        if own is None:
            raise DomainError("NO_ACTIVE_EFFORT", "you have no effort, so @task is no task")
        task = own
    return Address("task", f"@task {task}", tuple(one for one in near if one.task == task), task)


def _own(sender: Sender, facts: Facts) -> tuple[OpenAgent, ...]:
    everybody = facts.require(OpenAgents()) or ()
    return tuple(one for one in everybody if one.conversation == sender.conversation)


def _named(to: str, agents: Sequence[OpenAgent]) -> tuple[OpenAgent, ...]:
    """Return the windows of an agent, else the one of a session's number or id."""
    if found := tuple(one for one in agents if one.name == to):
        return found
    if number := session_number(to):
        return tuple(one for one in agents if one.session_id == number)
    folded = to.casefold()
    if found := tuple(one for one in agents if one.name and one.name.casefold() == folded):
        return found
    if len(to) < _SHORT_ID:
        return ()
    found = tuple(one for one in agents if one.conversation.startswith(to))
    return found if len({one.conversation for one in found}) == 1 else ()


def _in(agents: Sequence[OpenAgent]) -> str:
    """Return who is there, as the end of a sentence."""
    if not agents:
        return "; there is no other session"
    named = [_described(one) for one in agents[:_LISTED]]
    more = f" and {len(agents) - _LISTED} more" if len(agents) > _LISTED else ""
    return f"; there is {', '.join(named)}{more}"


def _described(one: OpenAgent) -> str:
    where = f"{one.client or 'unknown client'}, session {one.session_id}"
    return f"{one.name} ({where})" if one.name else where


def _far(to: str, one: OpenAgent) -> DomainError:
    where = f"works in {one.project}" if one.project else "works in no project"
    return DomainError(
        "MAIL_REFUSED",
        f"the agent {to} {where}, and mail to other projects is off: a person can send it, or turn"
        " it on (setting mail.across_projects)",
    )
