"""Expand custom slash commands from `.hookd/commands/name.md`; off by default.

If a prompt begins with `/name`, and `.hookd/commands` of the project, or else the folder `commands`
beside your hookd settings, has a file `name.md`, the model is given its text without the front
matter. `/group:name` is `group/name.md`. `$ARGUMENTS` is replaced by all words after the name, `$1`
to `$9` by single words; text in double quotes is one word. Arguments are inserted literally,
nothing is executed.

Commands that Claude Code knows, from `.claude/commands` or a skill, are left to it, and so are
prompts that it has expanded. A file that a guard rule protects from reading is not used. Names
cannot lead outside of these folders.
"""

import posixpath
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from pydantic import Field

from hookd.config.models import Mode, PolicyOptions
from hookd.core.context_window.front_matter import split_front_matter
from hookd.core.context_window.injections import truncate_quote
from hookd.core.guard_rules.rule import read_refusal
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import DirListing, File, FileText, Folder
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput, UserPrompt, UserPromptExpansion
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

_NAME = "auto-slash-command"
_CALL = lazy_compile(
    r"/(?P<name>[A-Za-z][A-Za-z0-9_-]{0,63}(?::[A-Za-z][A-Za-z0-9_-]{0,63}){0,3})(?:\s+(?P<args>.*))?",
    re.DOTALL,
)
_PLACEHOLDER = lazy_compile(r"\$(ARGUMENTS|[1-9])(?![A-Za-z0-9_])")
_WORD = lazy_compile(r'"([^"]*)"|(\S+)')
_OTHER_POLICIES = frozenset({"ralph-loop", "cancel-ralph", "ulw-loop", "stop-continuation"})
"""Prompts that other policies handle."""
_MAX_TEXT_CHARS = 6_000
_MAX_ARGS_CHARS = 2_000
"""Maximum characters of the arguments."""


class Options(PolicyOptions):
    """Commands that are expanded."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    only: tuple[str, ...] = Field(
        (), description="Names of the commands to expand, as typed. Empty: all."
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Candidate file of a command, in a folder that must not lead out of its root."""

    file: FileText
    folder: DirListing


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Give the text of the command in a prompt; record prompts that the client expanded."""
    if isinstance(event, UserPromptExpansion):
        return _noted(event, facts)
    return _answered(event, facts, options) if isinstance(event, UserPrompt) else None


def _answered(event: UserPrompt, facts: Facts, options: Options) -> Opinion | None:
    called = _CALL.fullmatch(event.prompt.strip())
    if called is None or event.by_machine or _expanded(event, facts):
        return None
    name = called["name"]
    if name in _OTHER_POLICIES or (options.only and name not in options.only):
        return None
    found = _file(name, facts)
    if found is None:
        return None
    text = _filled(split_front_matter(found.text)[1], (called["args"] or "")[:_MAX_ARGS_CHARS])
    head = f"[hookd:{_NAME}] /{name} is a command of the user with this text:\n"
    return Opinion(context=head + truncate_quote(text, _MAX_TEXT_CHARS, found.path))


def _noted(event: UserPromptExpansion, facts: Facts) -> Opinion | None:
    if facts.session is None or not event.prompt_id:
        return None
    # A prompt typed into the turn of an expanded command has the same prompt_id.
    expanded = {"expanded": event.prompt_id, "words": _words(event.prompt)}
    return Opinion(effects=(Remember(facts.session.id, _NAME, expanded),))


def _expanded(event: UserPrompt, facts: Facts) -> bool:
    kept = facts.policy_state.get(_NAME)
    expanded = {"expanded": event.prompt_id, "words": _words(event.prompt)}
    return event.prompt_id is not None and kept == expanded


def _words(prompt: str) -> str:
    """Return a hash of a prompt: its words may hold a secret."""
    return sha256(prompt.strip().encode("utf-8", "replace")).hexdigest()[:24]


def _file(name: str, facts: Facts) -> File | None:
    """Return the file of a command, unless the client knows it or a guard rule protects it."""
    places, clients = tuple(_places(name, facts)), tuple(_of_client(name, facts))
    wants = [want for one in places for want in (one.file, one.folder)]
    facts.require_all(*wants, *clients)
    if any(facts.require(want) for want in clients):
        return None
    there = [one.file for one in places if facts.require(one.folder) and facts.require(one.file)]
    file = facts.require(there[0]) if there else None
    if file is None or read_refusal(there[0].path, facts) or read_refusal(file.path, facts):
        return None
    return file


def _places(name: str, facts: Facts) -> Iterator[_Place]:
    path = f"{name.replace(':', '/')}.md"
    if facts.project:
        root = facts.project.path
        folder = posixpath.join(root, ".hookd/commands")
        yield _Place(FileText(posixpath.join(folder, path), folder), DirListing(folder, root))
    if facts.daemon.settings:
        folder = posixpath.join(posixpath.dirname(facts.daemon.settings), "commands")
        yield _Place(FileText(posixpath.join(folder, path), folder), DirListing(folder, folder))


def _of_client(name: str, facts: Facts) -> Iterator[FileText]:
    homes = [facts.daemon.claude, f"{facts.project.path}/.claude" if facts.project else ""]
    plain, nested = name.rpartition(":")[2], name.replace(":", "/")
    for home in filter(None, homes):
        for path in dict.fromkeys((f"commands/{plain}.md", f"commands/{nested}.md")):
            yield FileText(posixpath.join(home, path), "/", 1)
        yield FileText(f"{home}/skills/{plain}/SKILL.md", "/", 1)


def _filled(text: str, args: str) -> str:
    """Return a text with its placeholders replaced, in one pass: arguments are not expanded."""
    words = [quoted or plain for quoted, plain in _WORD.findall(args)]

    def put(place: re.Match[str]) -> str:
        if place[1] == "ARGUMENTS":
            return args.strip()
        number = int(place[1])
        return words[number - 1] if number <= len(words) else ""

    return _PLACEHOLDER.sub(put, text[: _MAX_TEXT_CHARS * 2])


_ROOT = "/work/orders"
_FOLDER = f"{_ROOT}/.hookd/commands"
_AT = f"{_FOLDER}/ship.md"


def _facts(text: str | None, known: str | None = None, **state: str) -> Facts:
    seen: dict[Any, Any] = {
        FileText(f"{home}/{path}", "/", 1): None
        for home in ("/home/ada/.claude", f"{_ROOT}/.claude")
        for path in ("commands/ship.md", "skills/ship/SKILL.md")
    }
    if known:
        seen[FileText(known, "/", 1)] = File(known, "x", "1-1-1")
    seen[FileText(_AT, _FOLDER)] = None if text is None else File(_AT, text, "1-1-1")
    seen[DirListing(_FOLDER, _ROOT)] = Folder(_FOLDER, ("ship.md",))
    return Facts(
        project=Project(1, _ROOT),
        session=Session(1, "s"),
        daemon=DaemonState(claude="/home/ada/.claude"),
        policy_state={_NAME: state} if state else {},
        resolved=seen,
    )


def _says(prompt: str) -> UserPrompt:
    return UserPrompt(hook_event_name="UserPromptSubmit", prompt=prompt, prompt_id="p1")


def _expands(command: str) -> UserPromptExpansion:
    name = "UserPromptExpansion"
    return UserPromptExpansion(
        hook_event_name=name, command_name=command, prompt=f"/{command}", prompt_id="p1"
    )


def _expansion(prompt: str) -> dict[str, str]:
    return {"expanded": "p1", "words": _words(prompt)}


_SHIP = "---\ndescription: Ships.\n---\nShip $1."


def _examples() -> tuple[PolicyExample, ...]:
    return (
        PolicyExample(_says("/ship orders"), _facts(_SHIP), says="context"),
        PolicyExample(_says("/ship orders"), _facts(None), says=""),
        PolicyExample(_says("/ship it"), _facts(_SHIP, **_expansion("/ship it")), says=""),
        PolicyExample(_says("/ship it"), _facts(_SHIP, **_expansion("/greet")), says="context"),
        PolicyExample(_says("/ship"), _facts(_SHIP, f"{_ROOT}/.claude/commands/ship.md"), says=""),
        PolicyExample(_says("/usr/bin is full"), _facts(_SHIP), says=""),
        PolicyExample(_says("Ship it"), _facts(_SHIP), says=""),
        PolicyExample(_expands("ship"), _facts(_SHIP), says="effects"),
    )


POLICY = Policy(
    name=_NAME,
    priority=55,
    events=frozenset({"UserPromptSubmit", "UserPromptExpansion"}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    examples=_examples,
)
