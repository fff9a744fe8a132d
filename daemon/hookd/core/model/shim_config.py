"""Shim configuration: what the shims of one scope need beside their event's name.

`hookd install` writes it as `config` in the scope's folder, lines of `key value`; the shims and
`hookd doctor` read it. Unknown keys are ignored, so an older shim can read a newer file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType

from hookd.core.model.deadlines import shim_deadline
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

CONFIG = "config"
"""The file's name, beside the links that are registered."""

AUTO, BASH, NATIVE = SHIMS = ("auto", "bash", "native")
"""Values of --shim: the compiled shim if there can be one, that of bash, the compiled one."""

_HEAD = "# Read by hookd's shims. Written by hookd install; next: hookd doctor\n"
_SINGLE = ("socket", "hookd", "python", "settings", "no-verdict", "shim", "client")
_EVENTS = "events"
_DENIAL = "denial"
_CLIENT = lazy_compile("[a-z-]*")
_CLOSED = {True: "closed", False: "open"}


@dataclass(frozen=True)
class EventRule:
    """How the shim treats one event: seconds until it gives up, and its fail policy then."""

    deadline: int
    closed: bool


@dataclass(frozen=True)
class ShimConfig:
    """The configuration of one scope. Paths are absolute, an empty text is a missing value.

    `transports` are programs that carry bytes to the socket, as `KIND:/path`, the preferred one
    first. `python` is the interpreter that has hookd. `settings` is the file that registers the
    scope, `variables` are names of environment variables to send beside the usual ones.
    `no_verdict` is the fail policy for an event that no daemon answers: see fail_closed.py.
    `shim` is the chosen one of SHIMS, "" for `auto`; the shims themselves ignore it.
    `client` is the name of the client that runs the hooks, "" for Claude Code. `denials` has, by
    event, the answer by which another client denies it if it fails closed and there is no verdict:
    one line of JSON, in which the reason as a JSON string replaces the first @.
    `environment` has the variables that locate hookd's files, as `NAME=VALUE`: those of a session
    could differ.
    """

    socket: str = ""
    hookd: str = ""
    python: str = ""
    settings: str = ""
    no_verdict: str = ""
    shim: str = ""
    client: str = ""
    environment: tuple[str, ...] = ()
    transports: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    events: Mapping[str, EventRule] = field(default_factory=dict)
    denials: Mapping[str, str] = field(default_factory=dict)

    @property
    def closed(self) -> tuple[str, ...]:
        """The events that fail closed."""
        return tuple(name for name, rule in self.events.items() if rule.closed)


def event_rules(
    events: Iterable[str],
    closed: Iterable[str],
    deadlines: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, EventRule]:
    """Return the rule of each event, by name.

    `closed` are those that fail closed, `deadlines` the seconds that their hooks need.
    """
    refused = set(closed)
    return {
        name: EventRule(shim_deadline(EVENTS[name], deadlines), name in refused) for name in events
    }


def render(config: ShimConfig) -> str:
    """Return the text of the file.

    Raise ValueError that names a value with a line break, or a client that is no plain word.
    """
    if not _CLIENT.fullmatch(config.client):
        raise ValueError(f"client {config.client!r}")
    rows = [(key, getattr(config, _field(key))) for key in _SINGLE]
    rows += [("env", one) for one in config.environment]
    rows += [("transport", one) for one in config.transports]
    rows += [("send", name) for name in config.variables]
    rows += [
        (f"{_EVENTS} {rule.deadline} {_CLOSED[rule.closed]}", " ".join(names))
        for rule, names in _grouped(config.events).items()
    ]
    rows += [(f"{_DENIAL} {name}", template) for name, template in config.denials.items()]
    for key, value in rows:
        if set(value) & {"\n", "\0"}:
            raise ValueError(f"{key} {value!r}")
    return _HEAD + "".join(f"{key} {value}\n" for key, value in rows if value)


def parse(text: str) -> ShimConfig:
    """Return the configuration in a file's text; malformed or unknown lines are ignored."""
    values = dict[str, list[str]]()
    for line in text.split("\n"):
        key, _, value = line.partition(" ")
        values.setdefault(key, []).append(value)
    events = dict[str, EventRule]()
    for line in values.get(_EVENTS, ()):
        seconds, _, rest = line.partition(" ")
        policy, *names = rest.split(" ")
        if seconds.isascii() and seconds.isdecimal():
            rule = EventRule(int(seconds), policy == _CLOSED[True])
            events |= {name: rule for name in names if name in EVENTS}
    denials = dict[str, str]()
    for line in values.get(_DENIAL, ()):
        name, _, template = line.partition(" ")
        denials |= {name: template} if name in EVENTS and template else {}
    single = {_field(key): values.get(key, [""])[0] for key in _SINGLE}
    return ShimConfig(
        **single,
        environment=tuple(values.get("env", ())),
        transports=tuple(values.get("transport", ())),
        variables=tuple(values.get("send", ())),
        events={name: events[name] for name in EVENTS if name in events},
        denials=denials,
    )


def _field(key: str) -> str:
    return key.replace("-", "_")


def _grouped(events: Mapping[str, EventRule]) -> dict[EventRule, list[str]]:
    found = dict[EventRule, list[str]]()
    for name, rule in events.items():
        found.setdefault(rule, []).append(name)
    return found
