"""Commands that wait for a terminal, and their non-interactive alternatives.

Each program is judged by its documented behavior with the given arguments.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.risk.execution import placed_commands
from hookd.risk.model import CallContext, CommandCall
from hookd.shell.commands import Shell
from hookd.shell.quoting import names


@dataclass(frozen=True, slots=True)
class InteractiveCommand:
    """A command that waits for a terminal: its name, and the alternative."""

    command: str
    alternative: str


Rule = Callable[[CommandCall], InteractiveCommand | None]

_EDIT = "Use Edit, Write or `sed -i`."
_SHOW = "Use Read, `cat`, `head` or `sed -n`."
_MESSAGE = "Give the message with `-m` or `-F FILE`, or keep it with `--no-edit`."
_EDITORS = lazy_compile(r"\b(?:GIT_EDITOR|GIT_SEQUENCE_EDITOR|core\.editor|sequence\.editor)=")
_ABOUT = ("--version", "--help", "-h", "-V")
_VERBATIM = names("-m -F -C --message --file --reuse-message --no-edit --fixup --dry-run")


def waiting(shell: Shell, place: CallContext, command: str) -> tuple[InteractiveCommand, ...]:
    """Return the interactive commands of a text, each once; `command` is the text itself."""
    edited = _EDITORS.search(command) is not None
    return tuple(dict.fromkeys(_waiting(shell, place, edited=edited)))


def _waiting(shell: Shell, place: CallContext, *, edited: bool) -> Iterator[InteractiveCommand]:
    fed = any(opened.operator == "<" for opened in shell.redirects)
    for one in placed_commands(shell, place):
        call = CommandCall(replace(one.command, piped_input=one.command.piped_input or fed), place)
        program = "python" if _PYTHON.fullmatch(call.program) else call.program
        rule = _TABLE.get(program)
        said = rule(call) if rule and not call.has(*_ABOUT[:2]) else None
        if said and not (edited and said.alternative in (_MESSAGE, _PLAN)):
            yield said


_PYTHON = lazy_compile(r"python\d?(?:\.\d+)?")


def _always(instead: str, *unless: str) -> Rule:
    def rule(call: CommandCall) -> InteractiveCommand | None:
        return None if call.has(*unless) else InteractiveCommand(call.program, instead)

    return rule


def _prompts(instead: str, *unless: str, most: int = 0) -> Rule:
    """Return a rule for programs that prompt without words, flags or a pipe."""

    def rule(call: CommandCall) -> InteractiveCommand | None:
        command = call.command
        if command.stdin or command.piped_input or len(call.items) > most or call.has(*unless):
            return None
        return InteractiveCommand(call.program, instead)

    return rule


_PLAN = "Use `git rebase` without -i, `git cherry-pick` or `git commit --fixup`."
_PARTS = "Use `git add FILE` for whole files, `git apply --cached` for single changes."


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
    """Match a login: a host without a command, and without -N, -f, -W and the like."""
    values = {item.place for item in call.values(*_SSH_VALUES)}
    words = [item for item in call.items if item.place not in values]
    other = call.has("-N", "-f", "-W", "-O", "-Q", "-G", "-V", "-T")
    if len(words) != 1 or other or call.command.stdin or call.command.piped_input:
        return None
    return InteractiveCommand("ssh without a command", "Use `ssh -o BatchMode=yes HOST COMMAND`.")


_NEW = "Use `-y` for the default answers."


def _npm(call: CommandCall) -> InteractiveCommand | None:
    verb = call.verb if call.verb in ("init", "create", "login", "adduser") else ""
    if verb in ("", "create") or call.has("-y", "--yes", "-f", "--force"):
        return None
    way = _NEW if verb == "init" else "Ask the user to log in."
    return InteractiveCommand(f"{call.program} {verb}", way)


_SWITCHES = names("--rm --init --privileged --read-only -i --interactive -d --detach -P")
_TTY = names("-t --tty -it -ti")


def _docker(call: CommandCall) -> InteractiveCommand | None:
    """Match -t before the container's name; later flags are for the command inside."""
    words = call.command.words
    verb = next((at for at, word in enumerate(words) if word in ("run", "exec")), len(words))
    at = verb + 1
    while at < len(words) and words[at][:1] == "-":
        if words[at] in _TTY:
            return InteractiveCommand(f"{call.program} {words[verb]} -t", "Omit `-t`.")
        at += 1 if words[at] in _SWITCHES or "=" in words[at] else 2
    return None


_SQL = "Pass the statement by a flag, or on standard input."

_TABLE: dict[str, Rule] = {
    **dict.fromkeys(names("vim vi nvim view vimdiff"), _always(_EDIT, "-es", "-Es", "--headless")),
    **dict.fromkeys(names("nano pico joe micro hx"), _always(_EDIT)),
    "emacs": _always(_EDIT, "--batch", "-batch", "--script"),
    **dict.fromkeys(names("less more most man"), _always(_SHOW)),
    "top": _always("Use `top -b -n 1` or `ps aux`.", "-b"),
    **dict.fromkeys(names("htop btop"), _always("Use `top -b -n 1` or `ps aux`.")),
    "git": _git,
    **dict.fromkeys(names("tig lazygit"), _always("Use `git log` or `git diff`.")),
    "python": _prompts("Use `python -c` or a script.", "-c", "-m", "-V"),
    "ipython": _prompts("Use `python -c` or a script.", "-c", "-m"),
    "node": _prompts("Use `node -e` or a script.", "-e", "-p", "--eval", "-v"),
    "ssh": _ssh,
    **dict.fromkeys(names("npm yarn pnpm"), _npm),
    **dict.fromkeys(names("docker podman nerdctl kubectl"), _docker),
    "psql": _prompts(_SQL, "-c", "-f", "-l", "--command", "--file", "--list", "-V", most=99),
    **dict.fromkeys(names("mysql mariadb"), _prompts(_SQL, "-e", "--execute", "-V", most=99)),
    "sqlite3": _prompts(_SQL, "-version", most=1),
    "redis-cli": _prompts("Use `redis-cli COMMAND`."),
}
"""Rules by the program's name in lower case."""
