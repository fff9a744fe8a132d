"""A notice for the user when an agent waits for a person: which agent, and why.

It is off by default; `policies.enabled` switches it on. When the main agent has finished a turn,
and for `idle_ms` nothing more has come of its session, the user is told. So is it at once when the
client asks for a person (a permission, a question) and when an error of the API has ended a turn.
Then nothing is said until the session goes on. While tasks run in the background, or items of its
list are open, the end of a turn is not told.

The channels: `desktop` is notify-send, or osascript on macOS; `tmux` is a line in the terminal of
an agent of the fleet; `command` is a program of your own, which finds the title and the text on
standard input, a line each; `bell` rings the terminal, but not at the end of a turn. A channel that
is not there is passed over. In `title`, `text` and the arguments of `command`, `{agent}`, `{why}`
and `{project}` stand for what they say; in `texts`, the words for `{why}`, `{agent}` and
`{project}` do. No shell reads them.
"""

import re
from typing import Literal

from pydantic import Field, field_validator

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.effects.after_commit import NotifyUser
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import OpenTodos, StateOfSession
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.agent_status import ATTENTION
from hookd.events.model import HookInput, Notification, Stop, StopFailure, UserPrompt
from hookd.redaction.redact import redact

NAME = "session-notification"

_ACTIVITY = (
    *("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
)
"""Events by which a session goes on."""

_WHY = {
    "Stop": "is done and waits for you",
    "StopFailure": "was stopped by an error of the API",
    "permission_prompt": "needs a permission",
    "idle_prompt": "waits for you",
    "agent_needs_input": "needs your input",
    "elicitation_dialog": "has a question",
    "elicitation_url_dialog": "has an address to open",
    "agent_completed": "has an agent that is done",
    "auth_success": "has signed in",
    "elicitation_complete": "has its answer",
    "elicitation_response": "has its answer",
}
_KINDS = ("Stop", "StopFailure", *sorted(ATTENTION))

_PLACE = re.compile(r"\{(agent|why|project)\}")
_ANY_PLACE = re.compile(r"\{(\w+)\}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")
_READ = 2_000
_TITLE, _TEXT = 100, 300

Channel = Literal["desktop", "tmux", "command", "bell"]


class Options(PolicyOptions):
    """When the user is told, how, and in which words."""

    mode: Mode = Field("off", description="`enforce` tells the user; `off` is the default.")
    channels: tuple[Channel, ...] = Field(
        ("desktop",), description="Where it is said: `desktop`, `tmux`, `command`, `bell`."
    )
    command: tuple[str, ...] = Field(
        (),
        max_length=50,
        description="The program of the channel `command`, and its arguments. The program is a name"
        " on the daemon's PATH, or an absolute path.",
    )
    kinds: tuple[str, ...] = Field(
        _KINDS,
        description="What is told: `Stop`, `StopFailure`, and types of notifications, of these: "
        + ", ".join(f"`{kind}`" for kind in _WHY if kind not in ("Stop", "StopFailure"))
        + ".",
    )
    title: str = Field("{agent}", description="The title.")
    text: str = Field("{why} ({project})", description="The text below it.")
    texts: dict[str, str] = Field(
        default_factory=dict,
        description="Words of your own for `{why}`, by what is told:"
        ' `{"Stop": "would like to go on"}`.',
    )
    idle_ms: int = Field(
        1_500, ge=0, le=600_000, description="Milliseconds of quiet after the end of a turn."
    )
    only_when_todos_done: bool = Field(
        True, description="The end of a turn is told only when no item of the task list is open."
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
            raise ValueError("its program is a name without a slash, or an absolute path")
        return command


def _expect_places(text: str, known: tuple[str, ...]) -> None:
    """Raise ValueError where a text has a place for which nothing would stand."""
    for name in _ANY_PLACE.findall(text):
        if name not in known:
            places = " and ".join(f"{{{one}}}" for one in known)
            raise ValueError(f"{{{name}}} stands for nothing here; {places} do")


def _expect_known(kinds: tuple[str, ...]) -> tuple[str, ...]:
    for kind in kinds:
        if kind not in _WHY:
            raise ValueError(f"{kind!r} is none of {', '.join(_WHY)}")
    return kinds


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Tell the user that somebody is waited for, once until the session goes on."""
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


def _active(session: Session, facts: Facts) -> Opinion | None:
    """Forget that the user was told: of the window, also where a subagent of it goes on."""
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
    """Whether the end of a turn is no end: something runs on, or is left to do."""
    if event.background_tasks or facts.session is None:
        return bool(event.background_tasks)
    return options.only_when_todos_done and bool(facts.require(OpenTodos(facts.session.id, "")))


def _telling(
    event: HookInput, kind: str, session: Session, facts: Facts, options: Options
) -> Opinion:
    agent = _line(session.owner or facts.identity.agent or "", _TITLE) or "Claude Code"
    project = _line(facts.project.name, _TITLE) if facts.project else ""
    words = {"agent": agent, "project": project or "no project"}
    own = options.texts.get(kind)
    words["why"] = _line(_filled(own, words) if own else _said(event, kind), _TEXT)
    stopped = isinstance(event, Stop)
    outside = tuple(one for one in dict.fromkeys(options.channels) if one != "bell")
    tell = NotifyUser(
        session_id=session.id,
        event=facts.next.event,
        title=_line(_filled(options.title, words), _TITLE),
        text=_line(_filled(options.text, words), _TEXT),
        channels=outside,
        command=(*options.command[:1], *(_filled(word, words) for word in options.command[1:])),
        wait=options.idle_ms / 1000 if stopped else 0.0,
        unless=_ACTIVITY if stopped else (),
    )
    rings = "bell" in options.channels and not stopped
    return Opinion(
        effects=(*((tell,) if outside else ()), Remember(session.id, NAME, {"told": kind})),
        event_fields={"terminal_sequence": "\a"} if rings else {},
    )


def _said(event: HookInput, kind: str) -> str:
    """Return why a person is waited for: by the client's own words, where it has some."""
    if isinstance(event, StopFailure):
        return f"{_WHY[kind]} ({event.error})"
    message = event.message if isinstance(event, Notification) else ""
    return message.strip() or _WHY[kind]


def _filled(text: str, words: dict[str, str]) -> str:
    """Return a text with its places filled; what is filled in is no text with places."""
    return _PLACE.sub(lambda place: words[place[1]], text)


def _line(text: str, most: int) -> str:
    """Return a text in one line; in a command's words it is never an option."""
    return _CONTROL.sub(" ", redact(text[:_READ])).strip(" ").lstrip("- ")[:most]


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


_STOP = Stop(hook_event_name="Stop")
_PROMPT = UserPrompt(hook_event_name="UserPromptSubmit", prompt="go on")
_ASKS = Notification(
    hook_event_name="Notification",
    notification_type="permission_prompt",
    message="Claude needs your permission to use Bash",
)

POLICY = Policy(
    name=NAME,
    priority=210,
    events=frozenset({"Stop", "StopFailure", "Notification", *_ACTIVITY}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    examples=(
        PolicyExample(_STOP, _facts(), says="effects"),
        PolicyExample(_STOP, _facts(told=True), says="effects"),
        PolicyExample(_STOP, _facts(left=2), says=""),
        PolicyExample(
            Stop(hook_event_name="Stop", background_tasks=[{"id": "b1"}]), _facts(), says=""
        ),
        PolicyExample(_ASKS, _facts(), says="effects"),
        PolicyExample(_ASKS, _facts(told=True), says=""),
        PolicyExample(
            Notification(hook_event_name="Notification", notification_type="auth_success"),
            _facts(),
            says="",
        ),
        PolicyExample(
            StopFailure(hook_event_name="StopFailure", error="overloaded"), _facts(), says="effects"
        ),
        PolicyExample(_PROMPT, _facts(told=True), says="effects"),
        PolicyExample(_PROMPT, _facts(), says=""),
    ),
)
