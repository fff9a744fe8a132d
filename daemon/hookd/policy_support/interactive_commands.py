"""The home of which commands wait for somebody at a terminal, and how to do without one.

Each program is judged by what its documentation says that it does with the words it is given.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from hookd.risk.execution import found
from hookd.risk.model import CallContext, CommandCall
from hookd.shell.commands import Shell
from hookd.shell.quoting import names


@dataclass(frozen=True, slots=True)
class InteractiveCommand:
    """A command that waits for a terminal: what people call it, and how to do without one."""

    command: str
    alternative: str


Rule = Callable[[CommandCall], InteractiveCommand | None]

_EDIT = "Edit and Write change files, and so does `sed -i`."
_SHOW = "Read, `cat`, `head` and `sed -n` show a text without pages."
_MESSAGE = "`-m` or `-F FILE` brings the message, `--no-edit` keeps the one that is there."
_EDITORS = re.compile(r"\b(?:GIT_EDITOR|GIT_SEQUENCE_EDITOR|core\.editor|sequence\.editor)=")
_ABOUT = ("--version", "--help", "-h", "-V")
_VERBATIM = names("-m -F -C --message --file --reuse-message --no-edit --fixup --dry-run")


def waiting(shell: Shell, place: CallContext, command: str) -> tuple[InteractiveCommand, ...]:
    """Return what in a text waits for a terminal, each once; `command` is the text itself."""
    edited = _EDITORS.search(command) is not None
    return tuple(dict.fromkeys(_waiting(shell, place, edited=edited)))


def _waiting(shell: Shell, place: CallContext, *, edited: bool) -> Iterator[InteractiveCommand]:
    fed = any(opened.operator == "<" for opened in shell.redirects)
    for one in found(shell, place):
        call = CommandCall(replace(one.command, piped_input=one.command.piped_input or fed), place)
        program = "python" if _PYTHON.fullmatch(call.program) else call.program
        rule = _TABLE.get(program)
        said = rule(call) if rule and not call.has(*_ABOUT[:2]) else None
        if said and not (edited and said.alternative in (_MESSAGE, _PLAN)):
            yield said


_PYTHON = re.compile(r"python\d?(?:\.\d+)?")


def _always(instead: str, *unless: str) -> Rule:
    def rule(call: CommandCall) -> InteractiveCommand | None:
        return None if call.has(*unless) else InteractiveCommand(call.program, instead)

    return rule


def _prompts(instead: str, *unless: str, most: int = 0) -> Rule:
    """Return a rule for what reads commands where it is given none: by words, flags or a pipe."""

    def rule(call: CommandCall) -> InteractiveCommand | None:
        command = call.command
        if command.stdin or command.piped_input or len(call.items) > most or call.has(*unless):
            return None
        return InteractiveCommand(call.program, instead)

    return rule


_PLAN = "`git rebase` without -i, `git cherry-pick` and `git commit --fixup` need no editor."
_PARTS = "`git add FILE` takes whole files, and `git apply --cached` single changes."


def _git(call: CommandCall) -> InteractiveCommand | None:
    verb = f"git {call.verb}"
    patched = names("add checkout reset restore stash commit")
    if call.verb in patched and call.has("-p", "--patch", "--interactive"):
        return InteractiveCommand(f"{verb} --patch", _PARTS)
    if call.verb == "add" and call.has("-i", "-e", "--edit"):
        return InteractiveCommand("git add --interactive", _PARTS)
    if call.verb == "rebase" and call.has("-i", "--interactive", "--edit-todo"):
        return InteractiveCommand("git rebase --interactive", _PLAN)
    commits = call.verb == "commit" and (call.has("-e", "--edit") or not call.has(*_VERBATIM))
    tags = call.verb == "tag" and call.has("-a", "-s", "--annotate", "--sign")
    if commits or (tags and not call.has("-m", "-F", "--message", "--file")):
        return InteractiveCommand(f"{verb} without a message", _MESSAGE)
    return None


_SSH_VALUES = tuple("-" + letter for letter in "bcDEeFIiJLlmOopQRSWw")


def _ssh(call: CommandCall) -> InteractiveCommand | None:
    """A host alone is a login; -N, -f, -W and their kin are none."""
    values = {item.place for item in call.values(*_SSH_VALUES)}
    words = [item for item in call.items if item.place not in values]
    other = call.has("-N", "-f", "-W", "-O", "-Q", "-G", "-V", "-T")
    if len(words) != 1 or other or call.command.stdin or call.command.piped_input:
        return None
    return InteractiveCommand(
        "ssh without a command", "`ssh -o BatchMode=yes HOST COMMAND` runs one command."
    )


_NEW = "`-y` takes the usual answers."


def _npm(call: CommandCall) -> InteractiveCommand | None:
    verb = call.verb if call.verb in ("init", "create", "login", "adduser") else ""
    if verb in ("", "create") or call.has("-y", "--yes", "-f", "--force"):
        return None
    way = _NEW if verb == "init" else "The user can log in."
    return InteractiveCommand(f"{call.program} {verb}", way)


_SWITCHES = names("--rm --init --privileged --read-only -i --interactive -d --detach -P")
_TTY = names("-t --tty -it -ti")


def _docker(call: CommandCall) -> InteractiveCommand | None:
    """Only flags before the container's name: what stands behind it is for what runs in there."""
    words = call.command.words
    verb = next((at for at, word in enumerate(words) if word in ("run", "exec")), len(words))
    at = verb + 1
    while at < len(words) and words[at][:1] == "-":
        if words[at] in _TTY:
            return InteractiveCommand(
                f"{call.program} {words[verb]} -t", "Without `-t` it needs no terminal."
            )
        at += 1 if words[at] in _SWITCHES or "=" in words[at] else 2
    return None


_SQL = "A statement can be given by a flag, or on standard input."

_TABLE: dict[str, Rule] = {
    **dict.fromkeys(names("vim vi nvim view vimdiff"), _always(_EDIT, "-es", "-Es", "--headless")),
    **dict.fromkeys(names("nano pico joe micro hx"), _always(_EDIT)),
    "emacs": _always(_EDIT, "--batch", "-batch", "--script"),
    **dict.fromkeys(names("less more most man"), _always(_SHOW)),
    "top": _always("`top -b -n 1` and `ps aux` show it once.", "-b"),
    **dict.fromkeys(names("htop btop"), _always("`top -b -n 1` and `ps aux` show it once.")),
    "git": _git,
    **dict.fromkeys(names("tig lazygit"), _always("`git log` and `git diff` show it.")),
    "python": _prompts("`python -c` and a script need no terminal.", "-c", "-m", "-V"),
    "ipython": _prompts("`python -c` and a script need no terminal.", "-c", "-m"),
    "node": _prompts("`node -e` and a script need no terminal.", "-e", "-p", "--eval", "-v"),
    "ssh": _ssh,
    **dict.fromkeys(names("npm yarn pnpm"), _npm),
    **dict.fromkeys(names("docker podman nerdctl kubectl"), _docker),
    "psql": _prompts(_SQL, "-c", "-f", "-l", "--command", "--file", "--list", "-V", most=99),
    **dict.fromkeys(names("mysql mariadb"), _prompts(_SQL, "-e", "--execute", "-V", most=99)),
    "sqlite3": _prompts(_SQL, "-version", most=1),
    "redis-cli": _prompts("`redis-cli COMMAND` runs one command."),
}
"""By the program's name in lower case."""
