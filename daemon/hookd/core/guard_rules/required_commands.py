"""Commands that have to succeed before a call: what a session has proven, and what is missing.

A session's state lists the requirements that are met: a requirement is added when its command has
succeeded, and removed when it fails or when a file is edited. Subagents share the state of the
window that they run in.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from hookd.core.guard_rules.conditions import After, command_pattern
from hookd.core.guard_rules.subjects import files_match
from hookd.core.model.fact_requests import StateOfSession
from hookd.core.model.facts import Facts, Session
from hookd.events.tool_pattern import ToolCall
from hookd.risk.changed_files import changed_files
from hookd.risk.execution import placed_commands
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.path_areas import area_of
from hookd.risk.written_files import TouchedFile
from hookd.shell.commands import read
from hookd.shell.quoting import names
from hookd.shell.success_chain import chains, succeeded

STATE = "required-commands"
"""Key of the state that lists the requirements that are met."""

_TRANSPARENT = names(
    "env time timeout gtimeout nice ionice command stdbuf xvfb-run dotenv doppler direnv npx pnpm"
    " yarn bunx poetry pipenv uv uvx pdm hatch rye bundle nix"
)
"""Programs that run a command after their own words, and end with its exit status."""

_NO_EDITS = frozenset({"rebuildable", "scratch", "repository"})
"""Areas in which a change is no edit: a build recreates it, or it is not the work."""

_MOVING_VERBS = names("merge pull rebase revert cherry-pick am apply switch checkout")
_ALL = ("**",)

IsSubject = Callable[[ToolCall], bool]


def requirement_key(one: After) -> str:
    """Return the text that represents a requirement in the state."""
    return "\x1f".join((one.command, one.since, *(one.edits or ())))


def owner_id(session: Session) -> int:
    """Return the session that has the state: of a subagent, that of its window."""
    shared = session.agent_id is not None and session.parent_session_id
    return session.parent_session_id if shared and session.parent_session_id else session.id


def met(facts: Facts) -> tuple[str, ...]:
    """Return the requirements that are met. Raise MissingFacts in a subagent."""
    session = facts.session
    if session is None:
        return ()
    if owner_id(session) == session.id:
        value = facts.policy_state.get(STATE)
    else:
        text = facts.require(StateOfSession(owner_id(session), STATE))
        value = json.loads(text) if text else None
    return tuple(map(str, value)) if isinstance(value, list) else ()


def missing(
    needed: Iterable[After],
    call: ToolCall,
    place: CallContext,
    is_subject: IsSubject,
    facts: Facts,
) -> tuple[After, ...]:
    """Return the requirements that a call does not meet. Raise MissingFacts in a subagent.

    A command in the same text meets one if the call depends on its success:
    `npm test && git commit`.
    """
    return tuple(one for one in needed if not _is_met(one, call, place, is_subject, facts))


def _is_met(
    one: After, call: ToolCall, place: CallContext, is_subject: IsSubject, facts: Facts
) -> bool:
    if call.name == "Bash" and _is_met_before(one, call, place, is_subject):
        return True
    if requirement_key(one) not in met(facts):
        return False
    return one.since == "start" or not (call.name == "Bash" and edits(one, call, place))


def _is_met_before(one: After, call: ToolCall, place: CallContext, is_subject: IsSubject) -> bool:
    """Return whether a chain of the text runs the command, and then what the rule is about."""
    found = chains(call.primary or "")
    for chain in found:
        at = next((at for at, text in enumerate(chain) if runs(one, text)), None)
        if at is None or is_subject(_joined(chain[: at + 1], call)):
            continue
        if any(is_subject(_joined(other, call)) for other in found if other != chain):
            continue
        if one.since == "start" or not edits(one, _joined(chain[at + 1 :], call), place):
            return True
    return False


def _joined(texts: Sequence[str], call: ToolCall) -> ToolCall:
    return ToolCall("Bash", {"command": " && ".join(texts)}, call.cwd, call.agent)


def runs(one: After, text: str) -> bool:
    """Return whether a simple command is the required one, perhaps run by `env` or `npx`."""
    patterns = command_pattern(one.command).commands
    for at, command in enumerate(read(text).commands):
        direct = not command.wrappers and at == 0
        through = bool(command.wrappers) and _TRANSPARENT.issuperset(command.wrappers)
        if (direct or through) and any(form.hits(command.argv) for form in patterns):
            return True
    return False


def edits(one: After, call: ToolCall, place: CallContext) -> bool:
    """Return whether a call changes a file that counts as an edit; an unknown file does."""
    globs = one.edits or _ALL
    files = tuple(file for file in changed_files(call, place) if not _is_output(file, place))
    if files and files_match(globs, files, place, None) != "no":
        return True
    return call.name == "Bash" and any(_moves_tree(call, place))


def _is_output(file: TouchedFile, place: CallContext) -> bool:
    known = (*file.paths, *file.wild)
    return bool(known) and all(area_of(path, place) in _NO_EDITS for path in known)


def _moves_tree(call: ToolCall, place: CallContext) -> Iterator[bool]:
    """Yield True for each command of git that changes the files of the working tree."""
    for placed in placed_commands(call.shell, place):
        one = CommandCall(placed.command, place)
        if one.program != "git":
            continue
        if (
            (one.verb in _MOVING_VERBS and not one.has("-b", "-B", "-c", "-C", "--create"))
            or (one.verb == "reset" and one.has("--hard", "--merge", "--keep"))
            or (one.verb == "stash" and not any(one.starts("stash", v) for v in ("list", "show")))
        ):
            yield True


def state_after(
    before: Sequence[str],
    needed: Mapping[str, After],
    call: ToolCall,
    place: CallContext,
    *,
    success: bool,
) -> tuple[str, ...]:
    """Return the requirements that are met after a call; `success` if it ended well."""
    now = [key for key in before if key in needed]
    chain = succeeded(call.primary or "") if success and call.name == "Bash" else ()
    for key, one in needed.items():
        at = next((at for at in reversed(range(len(chain))) if runs(one, chain[at])), None)
        rest = None if at is None else _joined(chain[at + 1 :], call)
        if rest is not None and (one.since == "start" or not edits(one, rest, place)):
            now += () if key in now else (key,)
        elif key in now and _undone(one, call, place, success=success):
            now.remove(key)
    return tuple(now)


def _undone(one: After, call: ToolCall, place: CallContext, *, success: bool) -> bool:
    if one.since == "edit" and (success or call.name == "Bash") and edits(one, call, place):
        return True
    failed = not success and call.name == "Bash"
    return failed and any(runs(one, command.line) for command in call.shell.commands)
