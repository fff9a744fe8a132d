"""Commands of hookd that a person types at the client's prompt: /hookd:allow and /hookd:pause.

They weaken guards, so hookd carries them out itself, at the event of the typed command. The model
never reads them: the answer is a block, which the client shows to the user alone. Where it is not
known that a person typed the command, the answer names the command for a terminal.
"""

import shlex
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from hookd.core.evaluation.allow_call import Scope, rules_for_event
from hookd.core.evaluation.pause import pause_until
from hookd.core.model.durations import duration
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import PromptTyped
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import UserPromptExpansion
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.risk.quoting import one_line

RULE = "typed-command"
"""The rule in the record of such an event."""

_MAX_CHARS = 300
_NUMBER = lazy_compile(r"\(?(?:hookd )?#?([1-9][0-9]{0,17})\)?")
_TYPED = lazy_compile(r"\s*/hookd:(allow|pause)(?![\w:-])")


class _UsageError(ValueError):
    """The arguments are no command; the text is a clause that says why."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What a command has done: a text for the user, and the effects."""

    text: str
    effects: tuple[Effect, ...]


def is_typed_command(prompt: str) -> bool:
    """Return whether a prompt is one of these commands, whoever wrote it."""
    return _TYPED.match(prompt) is not None


def run_typed_command(event: UserPromptExpansion, facts: Facts) -> Opinion | None:
    """Carry out a command and block its prompt; None for every other command.

    Raise MissingFacts to learn who typed it.
    """
    run = _COMMANDS.get(event.command_name)
    if run is None or event.expansion_type != "slash_command":
        return None
    name = event.command_name.removeprefix("hookd:")
    terminal = one_line(f"hookd {name} {event.command_args}".strip(), _MAX_CHARS)
    if why := _why_not_typed(event, facts):
        return _answer(
            f"hookd has done nothing: {why}, so it is not known that you typed this."
            f" Next, in a terminal of your own: {terminal}"
        )
    try:
        done = run(_words(event.command_args), facts)
    except _UsageError as error:
        return _answer(f"hookd has done nothing: {error}. Next: {_USAGE[name]}")
    except DomainError as error:
        return _answer(f"hookd has done nothing: {error}.")
    return _answer(done.text, done.effects)


def _answer(text: str, effects: tuple[Effect, ...] = ()) -> Opinion:
    return Opinion("deny", text, rule=RULE, effects=effects, event_fields={"hide_prompt": True})


def _why_not_typed(event: UserPromptExpansion, facts: Facts) -> str:
    if event.agent_id or (facts.session and facts.session.agent_id):
        return "a subagent has sent it"
    peer = facts.identity.peer
    if not peer:
        return "the process that sent it is not known"
    found = facts.require(PromptTyped(peer, facts.now))
    return "the process that sent it is not known" if found is None else found


def _words(args: str) -> list[str]:
    try:
        return shlex.split(args)
    except ValueError as error:
        raise _UsageError(f"its arguments cannot be parsed ({error})") from None


def _allow(words: Sequence[str], facts: Facts) -> _Done:
    """Allow the call of an event: `N [--for TIME] [--project]`."""
    number, span, scope = _allow_options(words)
    new = rules_for_event(number, scope, facts.now + span if span else None, facts)
    where = "in all sessions of this project" if scope == "project" else "in all your sessions"
    ends = f"until {_local(new.until)}" if new.until else "without an end"
    guards = " and ".join(dict.fromkeys(rule.guard for rule in new.rules))
    lines = [f"hookd: allowed. This call may pass {guards}, {where}, {ends}:"]
    for tool, text, folder in dict.fromkeys((one.tool, one.text, one.folder) for one in new.rules):
        place = f" in {one_line(folder, _MAX_CHARS)}" if folder else ""
        lines.append(f"  {tool}: {one_line(text, _MAX_CHARS)}{place}")
    lines += [f"{other} blocks it as well, and still will." for other in new.others]
    lines.append(f"To undo it, in a terminal: hookd allow remove {number}")
    return _Done("\n".join(lines), new.rules)


def _allow_options(words: Sequence[str]) -> tuple[int, timedelta | None, Scope]:
    left, numbers, span, scope = list(words), list[str](), None, "call"
    while left:
        word = left.pop(0)
        if word == "--project":
            scope = "project"
        elif word == "--for" or word.startswith("--for="):
            text = word[6:] if word.startswith("--for=") else (left.pop(0) if left else "")
            span = duration(text)
            if span is None:
                raise _UsageError(f"{one_line(text, 40)!r} is not a duration")
        else:
            numbers.append(word)
    found = _NUMBER.fullmatch(numbers[0]) if len(numbers) == 1 else None
    if found is None:
        raise _UsageError("it needs the number of a denial: (hookd #4711)")
    return int(found[1]), span, "project" if scope == "project" else "call"


def _pause(words: Sequence[str], facts: Facts) -> _Done:
    """Turn off all guards for a time: `10m`."""
    span = duration(words[0]) if len(words) == 1 else None
    if span is None:
        raise _UsageError("it needs a duration")
    effect = pause_until(facts.now + span, facts)
    return _Done(
        f"hookd is paused until {_local(effect.until)}: no guard applies, in any session."
        " To end it early, in a terminal: hookd resume",
        (effect,),
    )


def _local(until: str | None) -> str:
    """Return a time as the user's clock shows it."""
    return datetime.fromisoformat(str(until)).astimezone().strftime("%H:%M:%S (%d %b)")


_COMMANDS: dict[str, Callable[[Sequence[str], Facts], _Done]] = {
    "hookd:allow": _allow,
    "hookd:pause": _pause,
}
_USAGE = {
    "allow": "/hookd:allow 4711, with --for 1h or --project",
    "pause": "/hookd:pause 10m; at most 8h",
}
