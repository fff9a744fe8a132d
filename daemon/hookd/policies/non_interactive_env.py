"""Advise on commands that wait for a terminal; off by default.

A Bash call that starts an editor, a pager, `git rebase -i`, `git commit` without a message, a
prompt of Python or of a database, `ssh` without a command and the like continues, and the model is
told how to do the same without a terminal.

With `rewrite`, a command that runs git, and sets none of the `variables` itself, is prefixed with
them: `export GIT_EDITOR=: ...; COMMAND`. Then git fails instead of waiting. It is a separate option
because the user then approves another command than the model wrote. A command that
cannot be parsed is left unchanged.
"""

import re
import shlex

from pydantic import Field, field_validator

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.facts import Facts
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.call_context import context_of
from hookd.policy_support.interactive_commands import waiting
from hookd.risk.execution import placed_commands
from hookd.risk.model import CallContext

NAME = "non-interactive-env"

_VARIABLE = lazy_compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)
_MAX_LISTED = 3
"""Commands that one text names."""


class Options(PolicyOptions):
    """Rewriting of commands."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    rewrite: bool = Field(False, description="Prefix commands that run git with the variables.")
    variables: dict[str, str] = Field(
        {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_EDITOR": ":",
            "GIT_PAGER": "cat",
            "PAGER": "cat",
            "DEBIAN_FRONTEND": "noninteractive",
            "CI": "1",
        },
        min_length=1,
        description="Variables to set, by name.",
    )

    @field_validator("variables")
    @classmethod
    def _named(cls, given: dict[str, str]) -> dict[str, str]:
        for name, value in given.items():
            if not _VARIABLE.fullmatch(name):
                raise ValueError(f"{name!r} is not a valid variable name")
            if not value.isprintable():
                raise ValueError(f"the value of {name} must be one line of text")
        return given


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Inform about commands that wait for a terminal; set variables for git if enabled."""
    command = event.call.primary
    if event.tool_name != "Bash" or not command or event.call.shell.unreadable:
        return None
    place = context_of(event, facts)
    context = _context(event, place, command)
    if options.rewrite and _runs_git(event, place) and not _sets(command, options):
        rewritten = {**event.tool_input, "command": _with(options.variables, command)}
        return Opinion(context=context, updated_input=rewritten)
    return Opinion(context=context) if context else None


def _context(event: PreToolUse, place: CallContext, command: str) -> str:
    waits = waiting(event.call.shell, place, command)[:_MAX_LISTED]
    if not waits:
        return ""
    told = ", ".join(f"`{one.command}`" for one in waits)
    ways = " ".join(dict.fromkeys(one.alternative for one in waits))
    return f"[hookd:{NAME}] {told} waits for a terminal, and there is none. {ways}"


def _runs_git(event: PreToolUse, place: CallContext) -> bool:
    words = (
        one.command.words for one in placed_commands(event.call.shell, place) if one.where == "here"
    )
    return any(some and some[0].rpartition("/")[2] == "git" for some in words)


def _sets(command: str, options: Options) -> bool:
    """Return whether a text sets one of the variables; a rewritten command does."""
    return any(f"{name}=" in command for name in options.variables)


def _with(variables: dict[str, str], command: str) -> str:
    given = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
    return f"export {given}; {command}"


def _bash(command: str) -> PreToolUse:
    return PreToolUse(tool_name="Bash", tool_input={"command": command}, cwd="/work")


def _examples() -> tuple[PolicyExample, ...]:
    on = Facts(options={NAME: Options(mode="enforce")})
    rewrites = Facts(options={NAME: Options(mode="enforce", rewrite=True)})
    return (
        PolicyExample(_bash("git rebase -i HEAD~3"), on, says="context"),
        PolicyExample(_bash("cd app && vim main.py"), on, says="context"),
        PolicyExample(_bash("git commit"), on, says="context"),
        PolicyExample(_bash("git commit -am 'Fix it'"), on, says=""),
        PolicyExample(_bash("git push"), rewrites, says="rewrite"),
        PolicyExample(_bash("GIT_EDITOR=true git rebase --continue"), rewrites, says=""),
        PolicyExample(_bash("ls"), rewrites, says=""),
        PolicyExample(_bash("git push"), on, says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=60,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    examples=_examples,
)
