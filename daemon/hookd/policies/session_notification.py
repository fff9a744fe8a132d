"""Notify the user when an agent waits for a person; off by default.

The user is notified when the main agent has finished a turn and its session has been quiet for
`idle_ms`, and at once when the client requests a person (a permission, a question), a permission
request waits for an answer outside the client (the setting `approvals`), mail of agents waits for a
person or has expired, or an API error has ended a turn. There is no further notification until the
session continues. The end of a turn is not reported while background tasks run, or task list items
are open. To enable it: `hookd policy enable session-notification`.

Channels: `desktop` is notify-send, or osascript on macOS; `tmux` is a line in the terminal of an
agent of the fleet; `command` is a program of your own, which reads the title and the text from
standard input, one line each; `bell` rings the terminal, but not at the end of a turn. Unavailable
channels are skipped. `title`, `text` and the arguments of `command` may contain `{agent}`, `{why}`
and `{project}`; `texts`, which replaces `{why}`, may contain `{agent}` and `{project}`. No shell is
involved.
"""

from typing import Any, Literal

from pydantic import Field, field_validator

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.effects.after_commit import NotifyUser
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import OpenTodos, StateOfSession
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.agent_status import ATTENTION
from hookd.events.model import HookInput, Notification, Stop, StopFailure, UserPrompt
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.redact import redact

NAME = "session-notification"

_ACTIVITY = (
    *("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
)
"""Events that show that a session continues."""

_WHY = {
    "Stop": "is done and waits for you",
    "StopFailure": "was stopped by an API error",
    "approval": "asks for an approval",
    "mail": "has mail for you",
    "permission_prompt": "needs a permission",
    "idle_prompt": "waits for you",
    "agent_needs_input": "needs your input",
    "elicitation_dialog": "has a question",
    "elicitation_url_dialog": "has a URL to open",
    "agent_completed": "has a finished agent",
    "auth_success": "has signed in",
    "elicitation_complete": "has its answer",
    "elicitation_response": "has its answer",
}
_EVENTS = ("Stop", "StopFailure", "approval", "mail")
_KINDS = (*_EVENTS, *sorted(ATTENTION))

_NO_SESSION = 0
"""The session of a notification that replaces none of a session's."""

_PLACEHOLDER = lazy_compile(r"\{(agent|why|project)\}")
_ANY_PLACEHOLDER = lazy_compile(r"\{(\w+)\}")
_CONTROL = lazy_compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")
_MAX_READ_CHARS = 2_000
_MAX_TITLE_CHARS, _MAX_TEXT_CHARS = 100, 300
_MAX_ASKED_CHARS = 200

Channel = Literal["desktop", "tmux", "command", "bell"]


class Options(PolicyOptions):
    """Occasions, channels and texts of notifications."""

    mode: Mode = Field("off", description="Off by default; `enforce` notifies the user.")
    channels: tuple[Channel, ...] = Field(
        ("desktop",), description="Channels: `desktop`, `tmux`, `command`, `bell`."
    )
    command: tuple[str, ...] = Field(
        (),
        max_length=50,
        description="Program of the channel `command`, with its arguments: a name on the daemon's"
        " PATH, or an absolute path.",
    )
    kinds: tuple[str, ...] = Field(
        _KINDS,
        description="Occasions: `Stop`, `StopFailure`, `approval` (a permission request waits for"
        " an answer, see `approvals`), `mail` (an agent wrote to you, mail waits for you or has"
        " expired), and these types of notifications: "
        + ", ".join(f"`{kind}`" for kind in _WHY if kind not in _EVENTS)
        + ".",
    )
    title: str = Field("{agent}", description="Title of the notification.")
    text: str = Field("{why} ({project})", description="Text below the title.")
    texts: dict[str, str] = Field(
        default_factory=dict,
        description='Your own texts for `{why}`, by occasion: `{"Stop": "has finished"}`.',
    )
    idle_ms: int = Field(
        1_500,
        ge=0,
        le=600_000,
        description="Milliseconds of quiet after the end of a turn. 0: at once.",
    )
    only_when_todos_done: bool = Field(
        True, description="Report the end of a turn only if no task list item is open."
    )

    @field_validator("kinds")
    @classmethod
    def _known(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        return _expect_known(kinds)

    @field_validator("title", "text")
    @classmethod
    def _with_places(cls, text: str) -> str:
        _expect_places(text, ("agent", "why", "project"))
        return text

    @field_validator("texts")
    @classmethod
    def _named(cls, texts: dict[str, str]) -> dict[str, str]:
        _expect_known(tuple(texts))
        for text in texts.values():
            _expect_places(text, ("agent", "project"))
        return texts

    @field_validator("command")
    @classmethod
    def _found(cls, command: tuple[str, ...]) -> tuple[str, ...]:
        program = command[0] if command else "/"
        if not program or ("/" in program and not program.startswith("/")):
            raise ValueError("the program must be a name without a slash, or an absolute path")
        return command


def _expect_places(text: str, known: tuple[str, ...]) -> None:
    """Raise ValueError if a text has an unknown placeholder."""
    for name in _ANY_PLACEHOLDER.findall(text):
        if name not in known:
            places = " and ".join(f"{{{place}}}" for place in known)
            raise ValueError(f"unknown placeholder {{{name}}}; available are {places}")


def _expect_known(kinds: tuple[str, ...]) -> tuple[str, ...]:
    for kind in kinds:
        if kind not in _WHY:
            raise ValueError(f"unknown kind {kind!r}; available are {', '.join(_WHY)}")
    return kinds


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Notify the user that an agent waits, once until the session continues."""
    session = facts.session
    if session is None:
        return None
    if event.hook_event_name in _ACTIVITY:
        return _active(session, facts)
    if session.agent_id is not None:
        return None
    kind = _kind(event)
    if kind not in options.kinds or (isinstance(event, Stop) and _works(event, facts, options)):
        return None
    if isinstance(event, Notification) and facts.policy_state.get(NAME) is not None:
        return None
    return _telling(event, kind, session, facts, options)


def held_effects(facts: Facts, number: int, event_id: int, what: str) -> tuple[Effect, ...]:
    """Return the effects of a permission request that begins to wait: the user is notified.

    `number` is the request's and `event_id` its event's, `what` the call in words, redacted.
    """
    options, session = facts.options.get(NAME), facts.session
    if not isinstance(options, Options) or options.mode == "off" or session is None:
        return ()
    if "approval" not in options.kinds:
        return ()
    head = f"asks: {_line(what, _MAX_ASKED_CHARS)}"
    why = f"{head}. To answer: hookd approval allow {number}, or deny"
    texts = _texts("approval", why, session, facts, options)
    return _effects(NotifyUser(session.id, event_id, **texts), "approval")


def mail_effects(facts: Facts, session: Session | None, why: str) -> tuple[Effect, ...]:
    """Return the effects of mail that a person has to see; "" for `why`: there is none.

    `session` is the sender's, None for another one's.
    """
    options = facts.options.get(NAME)
    if not why or not isinstance(options, Options) or options.mode == "off":
        return ()
    if "mail" not in options.kinds:
        return ()
    texts = _texts("mail", why, session or Session(_NO_SESSION, ""), facts, options)
    tell = NotifyUser(_NO_SESSION, 0, **texts)
    return (tell,) if tell.channels else ()


def _active(session: Session, facts: Facts) -> Opinion | None:
    """Clear the notification of the window, also when one of its subagents is active."""
    window, told = session.id, facts.policy_state.get(NAME) is not None
    if session.agent_id is not None and session.parent_session_id is not None:
        window = session.parent_session_id
        told = facts.require(StateOfSession(window, NAME)) is not None
    return Opinion(effects=(Remember(window, NAME, None),)) if told else None


def _kind(event: HookInput) -> str:
    if isinstance(event, Notification):
        return event.notification_type
    return event.hook_event_name


def _works(event: Stop, facts: Facts, options: Options) -> bool:
    """Return whether work continues after the turn: background tasks or open items."""
    if event.background_tasks or facts.session is None:
        return bool(event.background_tasks)
    return options.only_when_todos_done and bool(facts.require(OpenTodos(facts.session.id, "")))


def _telling(
    event: HookInput, kind: str, session: Session, facts: Facts, options: Options
) -> Opinion:
    stopped = isinstance(event, Stop)
    tell = NotifyUser(
        session.id,
        facts.next.event,
        **_texts(kind, _said(event, kind), session, facts, options),
        wait=options.idle_ms / 1000 if stopped else 0.0,
        unless=_ACTIVITY if stopped else (),
    )
    rings = "bell" in options.channels and not stopped
    return Opinion(
        effects=_effects(tell, kind),
        event_fields={"terminal_sequence": "\a"} if rings else {},
    )


def _effects(tell: NotifyUser, kind: str) -> tuple[Effect, ...]:
    """Return the notification, if a channel is left for it, and that the user was notified."""
    said = Remember(tell.session_id, NAME, {"told": kind})
    return (tell, said) if tell.channels else (said,)


def _texts(kind: str, why: str, session: Session, facts: Facts, options: Options) -> dict[str, Any]:
    """Return the texts of a notification and its channels, but for the bell."""
    agent = _line(session.owner or facts.identity.agent or "", _MAX_TITLE_CHARS) or "Claude Code"
    project = _line(facts.project.name, _MAX_TITLE_CHARS) if facts.project else ""
    words = {"agent": agent, "project": project or "no project"}
    own = options.texts.get(kind)
    words["why"] = _line(_filled(own, words) if own else why, _MAX_TEXT_CHARS)
    return {
        "title": _line(_filled(options.title, words), _MAX_TITLE_CHARS),
        "text": _line(_filled(options.text, words), _MAX_TEXT_CHARS),
        "channels": tuple(one for one in dict.fromkeys(options.channels) if one != "bell"),
        "command": (*options.command[:1], *(_filled(word, words) for word in options.command[1:])),
    }


def _said(event: HookInput, kind: str) -> str:
    """Return why the agent waits, in the client's own words if it gives any."""
    if isinstance(event, StopFailure):
        return f"{_WHY[kind]} ({event.error})"
    message = event.message if isinstance(event, Notification) else ""
    return message.strip() or _WHY[kind]


def _filled(text: str, words: dict[str, str]) -> str:
    """Return a text with its placeholders replaced, in one pass."""
    return _PLACEHOLDER.sub(lambda place: words[place[1]], text)


def _line(text: str, most: int) -> str:
    """Return a text as one line that a program cannot take for an option."""
    return _CONTROL.sub(" ", redact(text[:_MAX_READ_CHARS])).strip(" ").lstrip("- ")[:most]


_ON = {NAME: Options(mode="enforce")}
_SESSION = Session(1, "s", owner="backend")


def _facts(*, told: bool = False, left: int = 0) -> Facts:
    return Facts(
        session=_SESSION,
        project=Project(1, "/work/orders"),
        options=_ON,
        policy_state={NAME: {"told": "Stop"}} if told else {},
        resolved={OpenTodos(1, ""): left},
    )


def _examples() -> tuple[PolicyExample, ...]:
    stop = Stop(hook_event_name="Stop")
    prompt = UserPrompt(hook_event_name="UserPromptSubmit", prompt="continue")
    asks = Notification(
        hook_event_name="Notification",
        notification_type="permission_prompt",
        message="Claude needs your permission to use Bash",
    )
    return (
        PolicyExample(stop, _facts(), says="effects"),
        PolicyExample(stop, _facts(told=True), says="effects"),
        PolicyExample(stop, _facts(left=2), says=""),
        PolicyExample(
            Stop(hook_event_name="Stop", background_tasks=[{"id": "b1"}]), _facts(), says=""
        ),
        PolicyExample(asks, _facts(), says="effects"),
        PolicyExample(asks, _facts(told=True), says=""),
        PolicyExample(
            Notification(hook_event_name="Notification", notification_type="auth_success"),
            _facts(),
            says="",
        ),
        PolicyExample(
            StopFailure(hook_event_name="StopFailure", error="overloaded"), _facts(), says="effects"
        ),
        PolicyExample(prompt, _facts(told=True), says="effects"),
        PolicyExample(prompt, _facts(), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=210,
    events=frozenset({"Stop", "StopFailure", "Notification", *_ACTIVITY}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    examples=_examples,
)
