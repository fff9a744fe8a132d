"""Home of the table of secrets: what reads, sends or prints them, and what a pipe makes of it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hookd.core.danger.entry import Call, Danger, Place, Rule
from hookd.core.danger.secret_files import ENVIRONMENT, may_name
from hookd.core.danger.secret_prints import PRINTS
from hookd.core.danger.secret_reads import READS, SHOWING, handed, names_only
from hookd.core.danger.secret_sends import ASK_USER, SENDERS, SENDS
from hookd.core.danger.verbs import joined
from hookd.core.shell import Command, Shell
from hookd.core.shell.escapes import names


def _both(program: str) -> Rule:
    rules = [table[program] for table in (READS, SENDS, PRINTS) if program in table]
    return joined(*rules)


RULES: Mapping[str, Rule] = {program: _both(program) for program in {**READS, **SENDS, **PRINTS}}
"""By program: the secrets that it reads, sends or prints."""

_FILTERS = names("grep egrep fgrep rg sed awk gawk sort uniq head tail tr cat cut xargs column")
_USUAL = re.compile(
    r"\^?(?:NODE_ENV|NODE|PATH|HOME|LANG|LC_|\w*PROXY|SHELL|TERM|PYTHON\w*|VIRTUAL_ENV|JAVA_HOME"
    r"|GOPATH|DISPLAY|XDG\w*|EDITOR|TZ|PORT|HOST)=?",
    re.IGNORECASE,
)
"""What is looked for in an environment that is no secret."""

_SINKS = ("--password-stdin", "--with-token", "--stdin")
_QUIET = names("ssh-add pbcopy gpg-agent chpasswd wl-copy xclip")
_TELLS = "Whoever needs it can be told by the user."


def settled(shell: Shell, place: Place, found: Iterable[Danger]) -> tuple[Danger, ...]:
    """Return the dangers of secrets in a whole line, of those found in its single commands.

    What a pipe leaves but the names of, or hands to a program that shows nothing, is none; what a
    program may take to somebody else is denied.
    """
    calls = tuple(Call(command, place) for command in shell.commands)
    ran: dict[str, list[int]] = {}
    for at, call in enumerate(calls):
        ran.setdefault(call.text, []).append(at)
    told = dict.fromkeys(one for one in found if one.kind == "secrets")
    shown = [one for one in told if not _swallowed(one, calls, ran.get(one.command, ()))]
    shown += (*_opened(shell, calls, place), *handed(calls))
    if not shown or all(one.weight == "deny" for one in shown):
        return tuple(shown)
    sender = next((call.program for call in calls if _takes(call, shell)), "")
    return tuple(_sent(one, sender) if sender else one for one in shown)


def _sent(one: Danger, sender: str) -> Danger:
    return replace(one, weight="deny", why=f"{one.why}, where {sender} can send it", instead=_TELLS)


def _takes(call: Call, shell: Shell) -> bool:
    """Whether a program that sends gets the output of another, or a file that is opened for it."""
    if call.program not in SENDERS or (call.program == "openssl" and call.verb != "s_client"):
        return False
    taken = any("$(" in word or "`" in word for word in call.command.words)
    opened = any(redirect.operator == "<" for redirect in shell.redirects)
    return call.command.fed or opened or (taken and not call.command.exact)


def _opened(shell: Shell, calls: tuple[Call, ...], place: Place) -> Iterator[Danger]:
    """Yield the secrets that the shell itself opens for what it runs."""
    if calls and all(names_only(call) for call in calls):
        return
    for redirect in shell.redirects:
        if redirect.operator in ("<", "<>") and (f := may_name(redirect.path, place)):
            way = (
                "Names without values are shown by `cut -d= -f1`."
                if f.what == ENVIRONMENT
                else ASK_USER
            )
            yield Danger(
                "secrets", f.weight, f"reads {f.path}, {f.what}", way, command=f"< {f.path}"
            )


def _swallowed(one: Danger, calls: tuple[Call, ...], places: Sequence[int]) -> bool:
    return bool(places) and all(_ends_silent(calls, at, one) for at in places)


def _ends_silent(calls: tuple[Call, ...], at: int, one: Danger) -> bool:
    """Whether what a command shows goes down a pipe that shows no value of it."""
    if calls[at].command.straight:
        return False
    for call in calls[at + 1 :]:
        if not call.command.fed:
            return False
        usual = calls[at].program in ("env", "printenv") and _looks_for_usual(call)
        if usual or names_only(call) or (one.weight == "ask" and _keeps_it(call.command)):
            return True
        if call.program not in _FILTERS:
            shown = call.program in SENDERS | SHOWING or call.program == "tee"
            return calls[at].program in ("echo", "printf", "print") and not shown
    return False


def _looks_for_usual(call: Call) -> bool:
    given = {flag for flag, _ in call.words.flags}
    one = call.items[0].text if len(call.items) == 1 and not call.items[0].unknown else ""
    return (
        call.program in ("grep", "egrep") and given <= {"-i", "-E"} and bool(_USUAL.fullmatch(one))
    )


def _keeps_it(command: Command) -> bool:
    return command.words[:1] != () and (
        command.words[0] in _QUIET or any(word in _SINKS for word in command.words)
    )
