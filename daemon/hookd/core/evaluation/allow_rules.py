"""Allow rules: the key of a blocked call, so that exactly this call can pass a guard.

The key has the tool and its input: for Bash the command and its folder, for a tool that edits or
reads a file the file's path, for any other tool the whole input and the folder. It is narrow on
purpose: the same command in another folder is another call. An allow rule for a project covers the
call in all folders of that project, and in no other one.

A command, a file and a page are the same in every client. What another tool does is known only of
its client: servers of MCP may have the same name, and clients apply the same patch to other files.
"""

import json
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from hookd.core.guard_rules.rule import softening_rule
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.core.model.fact_requests import AllowancesForCall
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import BlockedCall, Opinion
from hookd.events.call_parts import APPLY_PATCH, patched_names
from hookd.events.model import HookInput, PreToolUse
from hookd.redaction.redact import redact

MAX_CALL_CHARS = 4_000
"""Maximum characters of a call that a person can read before allowing it."""

SOFTENED = frozenset({"destructive-guard", "secrets-guard"})
"""Guards whose denial a guard rule with `softens` makes a question."""

_FILES = {
    "Read": "file_path",
    "Edit": "file_path",
    "Write": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
}
_SAME_EVERYWHERE = frozenset({"Bash", "PowerShell", "WebFetch", *_FILES})
"""Tools that do the same in every client."""

_IGNORED_FIELDS = frozenset({"description", "timeout"})
"""Fields of Bash that do not change the command."""


def held_call(event: PreToolUse, project: str = "", client: str = "") -> BlockedCall | None:
    """Return a call with its keys; None if it is too long for a person to read.

    `project` is the root of the project, `client` the name of the client that makes the call.
    """
    given, folder = event.tool_input, event.cwd or ""
    field = _FILES.get(event.tool_name)
    path = given.get(field) if field else None
    if isinstance(path, str):
        text = posixpath.normpath(posixpath.join(folder or "/", path))
        key, folder = text, ""
    else:
        if event.tool_name == "Bash":
            given = {name: value for name, value in given.items() if name not in _IGNORED_FIELDS}
        key = json.dumps(given, sort_keys=True, ensure_ascii=False, default=str)
        text = _shown(event.tool_name, given, key)
    if len(text) > MAX_CALL_CHARS:
        return None
    tool = _tool_key(event, path, client)
    call = BlockedCall(_digest(*tool, folder, key), event.tool_name, redact(text), folder)
    if not project or not f"{event.cwd or ''}/".startswith(f"{project.rstrip('/')}/"):
        return call
    wide = _digest("project", project, *tool, key)
    return replace(call, project_key=wide, project=project)


def _tool_key(event: PreToolUse, path: object, client: str) -> tuple[str, ...]:
    """Return the tool's name; also its client's, if another client's may do something else.

    Some clients take `~/x` for a file of the home folder, others for one of the working folder.
    """
    home = isinstance(path, str) and path.startswith("~")
    same = event.tool_name in _SAME_EVERYWHERE and not home and not event.typed_text
    if same or client in ("", CLAUDE_CODE):
        return (event.tool_name,)
    return (client, event.client_tool, event.tool_name)


def _shown(tool: str, given: Mapping[str, Any], key: str) -> str:
    """Return what a person reads of a call: a command or a patch; of a long patch its files."""
    command = given.get("command") if tool in ("Bash", APPLY_PATCH) else None
    text = command if isinstance(command, str) and len(given) == 1 else key
    if tool == APPLY_PATCH and len(text) > MAX_CALL_CHARS:
        return f"a patch of {', '.join(patched_names(given))}"
    return text


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def apply_allow_rules(policy: str, opinion: Opinion, event: HookInput, facts: Facts) -> Opinion:
    """Return a guard's opinion with the blocked call, or without a verdict if it is allowed.

    Raise MissingFacts.
    """
    if opinion.verdict not in ("deny", "ask") or not isinstance(event, PreToolUse):
        return opinion
    opinion = _softened(policy, opinion, event, facts)
    project = facts.project.path if facts.project else ""
    call = None if opinion.lasting else held_call(event, project, facts.client)
    if call is None:
        return opinion
    if not facts.any_allowances:
        return replace(opinion, call=call)
    requests = [AllowancesForCall(key, facts.at) for key in (call.key, call.project_key) if key]
    facts.require_all(*requests)
    rules = (rule for request in requests for rule in facts.require(request) or ())
    rule = next((rule for rule in rules if rule.guard == policy), None)
    if rule is None:
        return replace(opinion, call=call)
    why = f"allowed by the allow rule of event {rule.event}; otherwise: {opinion.reason}"
    return Opinion(reason=why, rule=policy, context=opinion.context, allowed=rule.event)


def _softened(policy: str, opinion: Opinion, event: PreToolUse, facts: Facts) -> Opinion:
    """Return a denial as a question if a rule of the user softens it. Raise MissingFacts."""
    if opinion.verdict != "deny" or policy not in SOFTENED or not facts.guards:
        return opinion
    name = softening_rule(event.call, facts)
    if not name:
        return opinion
    why = f"{opinion.reason} Without the guard rule {name}, which softens it, it would be denied."
    return replace(opinion, verdict="ask", reason=why)


def any_allowed(opinions: Iterable[Opinion]) -> bool:
    """Return whether an allow rule allowed a call."""
    return any(opinion.allowed for opinion in opinions)
