"""Risks of secrets in a whole command line: what reads, sends or prints them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.risk.model import CallContext, CommandCall, Risk, RiskRule
from hookd.risk.secrets.paths import possible_secret
from hookd.risk.secrets.printers import PRINTS, SENDERS, SENDS
from hookd.risk.secrets.readers import (
    LISTS,
    READS,
    SHOWING,
    alternative_to_reading,
    looks_for_usual,
    masks,
    names_only,
    passed_to_xargs,
)
from hookd.risk.secrets.unknown_readers import unknown_reader_risks
from hookd.risk.secrets.variables import SNIPPETS, VARIABLES, printed_input
from hookd.risk.subcommands import joined_rule
from hookd.shell.commands import Command, Shell, read
from hookd.shell.interpreters import SHELLS

_TABLES = (READS, LISTS, SENDS, PRINTS, VARIABLES, SNIPPETS)


_KNOWN = frozenset(program for table in _TABLES if table is not SNIPPETS for program in table)


def _both(program: str) -> RiskRule:
    rules = [table[program] for table in _TABLES if program in table]
    return joined_rule(*rules)


SECRET_RULES: Mapping[str, RiskRule] = {
    program: _both(program) for table in _TABLES for program in table
}
"""By program: the rule for the secrets that it reads, sends or prints."""

_FILTERS = with_trait("narrows")
_ASSIGNING = with_trait("assigns")
_ADDRESSES = ("_URL", "_DSN")
_SINKS = ("--password-stdin", "--with-token", "--stdin")
_QUIET = with_trait("keeps-input")
_TELLS = "The user can give the value to the receiver."


_PLANNERS = ("terraform", "tofu", "terragrunt")
_FIELD = (
    r"\.(?:address|type|name|mode|module_address|provider_name|index|change\.actions(?:\[\d\])?)"
)
_JOINED = r"(?:\s*\|\s*(?:join\(\"[^\"\\]*\"\)|@\w+))?"
_SELECTED = r"select\((?>(?:[^()\\]|\([^()\\]*\))*)\)"
_NAMES_OF_CHANGES = lazy_compile(
    r"(?!.*\b(?:debug|stderr|error|env|ENV|inputs?)\b)"
    rf"\[?\s*\.resource_changes(?:\[\]\??)?\s*(?>(?:\|\s*(?:\.\[\]|{_SELECTED})\s*)*)"
    rf"(?:\]?\s*\|\s*length|\|\s*(?:{_FIELD}{_JOINED}"
    rf"|\"(?>(?:[^\"\\]|\\\(\s*{_FIELD}{_JOINED}\s*\))*)\")\s*\]?\s*)",
    re.DOTALL,
)
"""Queries on a plan that print names and actions of its resources, or count them."""


def assess_secrets(shell: Shell, place: CallContext, risks: Iterable[Risk]) -> tuple[Risk, ...]:
    """Return the secret risks of a whole line, from those in its single commands.

    A pipe that leaves only names of variables, or that ends in a program that prints nothing,
    removes a risk; a program that may send the secret makes it denied.
    """
    calls = tuple(CommandCall(command, place) for command in shell.commands)
    secret_risks = dict.fromkeys(risk for risk in risks if risk.kind == "secrets")
    ran: dict[str, list[int]] = {}
    for at, call in enumerate(calls) if secret_risks else ():
        ran.setdefault(call.text, []).append(at)
    printed = [
        risk for risk in secret_risks if not _swallowed(risk, calls, ran.get(risk.command, ()))
    ]
    printed += (
        *_opened(shell, calls, place),
        *passed_to_xargs(calls),
        *printed_input(shell, calls),
        *_traced(calls),
    )
    printed += tuple(unknown_reader_risks(shell, place, _KNOWN))
    if not printed or all(risk.severity == "deny" for risk in printed):
        return tuple(printed)
    sender = next((call.program for call in calls if _takes(call, shell)), "")
    return tuple(_sent(risk, sender) if sender else risk for risk in printed)


def _sent(risk: Risk, sender: str) -> Risk:
    return replace(
        risk,
        severity="deny",
        reason=f"{risk.reason}, where {sender} can send it",
        alternative=_TELLS,
    )


def _takes(call: CommandCall, shell: Shell) -> bool:
    """Return whether a sending program receives the output of another, or an opened file."""
    if call.program not in SENDERS or (call.program == "openssl" and call.verb != "s_client"):
        return False
    taken = any("$(" in word or "`" in word for word in call.command.words)
    opened = any(redirect.operator == "<" for redirect in shell.redirects)
    return call.command.piped_input or opened or (taken and not call.command.exact)


def _opened(shell: Shell, calls: tuple[CommandCall, ...], place: CallContext) -> Iterator[Risk]:
    """Yield the secrets that the shell itself opens for its commands."""
    if calls and all(names_only(call) for call in calls):
        return
    for redirect in shell.redirects:
        if redirect.operator in ("<", "<>") and (f := possible_secret(redirect.path, place)):
            why = f"reads {f.phrase}"
            yield Risk(
                "secrets",
                f.severity,
                why,
                alternative_to_reading(f),
                command=f"< {f.path}",
                rule="secrets.read",
            )


def _traced(calls: tuple[CommandCall, ...]) -> Iterator[Risk]:
    """Yield the environment files that a shell prints line by line while it runs them."""
    if not any(_traces(call) for call in calls):
        return
    for call in calls:
        for item in call.items[:1] if call.program in ("source", ".") else ():
            if secret := possible_secret(item.text, call.context):
                why = f"reads {secret.phrase}, and prints each line that runs"
                instead = "After `set +x` nothing of it is printed."
                yield Risk(
                    "secrets",
                    secret.severity,
                    why,
                    instead,
                    command=call.text,
                    rule="secrets.read",
                )


def _traces(call: CommandCall) -> bool:
    if call.program != "set" and call.program not in SHELLS:
        return False
    short = "".join(flag for flag, _ in call.words.flags if flag[:2] != "--")
    return bool({"x", "v"} & set(short)) or any(
        item.text in ("xtrace", "verbose") for item in call.items
    )


def _swallowed(risk: Risk, calls: tuple[CommandCall, ...], places: Sequence[int]) -> bool:
    return bool(places) and all(_ends_silent(calls, at, risk) for at in places)


def _ends_silent(calls: tuple[CommandCall, ...], at: int, risk: Risk) -> bool:
    """Return whether a command's output goes down a pipe that prints no value of it."""
    if calls[at].command.unconditional:
        return False
    if _becomes_words(calls, at):
        return True
    for call in calls[at + 1 :]:
        if not call.command.piped_input:
            return False
        if _hides(call, calls[at], risk):
            return True
        if call.program not in _FILTERS:
            prints = call.program in SENDERS | SHOWING or call.program == "tee"
            return calls[at].program in ("echo", "printf", "print") and not prints
    return False


def _hides(call: CommandCall, before: CommandCall, risk: Risk) -> bool:
    """Return whether a program after a pipe prints no secret of its input."""
    usual = before.program in ("env", "printenv") and looks_for_usual(call)
    masked = risk.reason.endswith(_ADDRESSES) and masks(call)
    planned = before.starts("show") and before.program in _PLANNERS and _lists_changes(call)
    stored = risk.severity == "ask" and _keeps_it(call.command)
    return usual or masked or planned or stored or names_only(call)


def _lists_changes(call: CommandCall) -> bool:
    """Return whether jq prints only names and actions of a plan, or counts them."""
    if call.program not in ("jq", "gojq") or len(call.items) != 1 or call.items[0].unknown:
        return False
    return _NAMES_OF_CHANGES.fullmatch(call.items[0].text.strip()) is not None


def _becomes_words(calls: tuple[CommandCall, ...], at: int) -> bool:
    """Return whether the output becomes variables of a command: `env $(grep -v ... .env) x`."""
    words = calls[at].command.words
    for call in calls[:at]:
        if call.program not in _ASSIGNING:
            continue
        inside = [item for item in call.items if item.unknown and item.text[:2] == "$("]
        runs = call.program != "env" or call.items[-1:] not in ((), tuple(inside[-1:]))
        if runs and any(
            words == command.words for item in inside for command in read(item.text[2:-1]).commands
        ):
            return True
    return False


def _keeps_it(command: Command) -> bool:
    return command.words[:1] != () and (
        command.words[0] in _QUIET or any(word in _SINKS for word in command.words)
    )
