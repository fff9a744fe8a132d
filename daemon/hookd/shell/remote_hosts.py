"""Home of programs that run a command elsewhere, or with secrets: `heroku run`, `ddev exec`."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from hookd.shell.quoting import names
from hookd.shell.words import Word
from hookd.shell.wrappers import Inner, program_of


class _Host(NamedTuple):
    """What stands before the command: the subcommand, flags with a value, words with a name.

    `text` are flags whose value is the command itself. `away`: another shell reads the words.
    """

    verb: str
    valued: str = ""
    operands: int = 0
    text: str = ""
    away: bool = True


_HEROKU = "-a --app -s --size -e --env -r --remote --type"
_SSH = "-a --app -s --select --address -u --user --machine -g --process-group -o --org"
_LXC = _Host("exec", "--env --user --group --cwd --mode", 1)
_TABLE: Mapping[str, tuple[_Host, ...]] = {
    "heroku": (_Host("run", _HEROKU), _Host("run:detached", _HEROKU)),
    "railway": (_Host("run", "-s --service -e --environment -p --project", away=False),),
    "infisical": (
        _Host("run", "--env --path --projectId --token --tags", text="-c --command", away=False),
    ),
    "chamber": (_Host("exec", "-b --backend -r --retries", 1, away=False),),
    "dotenvx": (_Host("run", "-f --env-file -e --env -fv --env-vault-file", away=False),),
    **dict.fromkeys(("fly", "flyctl"), (_Host("ssh console", _SSH, text="-C --command"),)),
    "kamal": (_Host("app exec", "-d --destination -h --hosts -r --roles -c --config-file"),),
    "dokku": (_Host("run", operands=1),),
    "ddev": (_Host("exec", "-s --service -d --dir"),),
    "lando": (_Host("ssh", "-s --service -u --user", text="-c --command"),),
    **dict.fromkeys(("lxc", "incus"), (_LXC,)),
    "multipass": (_Host("exec", "-d --working-directory", 1),),
}


def _hosted(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield what a command runs where it is sent to."""
    for host in _TABLE[program_of(words)]:
        verb = tuple(host.verb.split())
        begin = _after(words, 1, host)
        if tuple(word.text for word in words[begin : begin + len(verb)]) == verb:
            yield from _behind(words[begin + len(verb) :], host)


def _behind(rest: tuple[Word, ...], host: _Host) -> Iterator[Inner]:
    """Yield what stands behind the subcommand: the texts of flags, or the words themselves."""
    for word, after in pairwise(rest):
        if word.text in host.text.split():
            yield Inner("script", (after,))
    start = _start(rest, host)
    if rest[start:] and (host.operands or not host.text or not host.away):
        yield Inner("script" if host.away else "command", rest[start:])


def _start(rest: tuple[Word, ...], host: _Host) -> int:
    """Return where the command begins: behind `--`, else behind the flags and the names."""
    start = _after(rest, 0, host)
    dashes = next((at for at, word in enumerate(rest) if word.text == "--"), -1)
    if dashes >= 0 and (host.operands or dashes < start):
        return dashes + 1
    for _ in range(host.operands):
        start = _after(rest, start + 1, host)
    return start


def _after(words: tuple[Word, ...], at: int, host: _Host) -> int:
    """Return where the flags end that begin at `at`, with the values that some of them take."""
    valued = names(f"{host.valued} {host.text}")
    while at < len(words) and words[at].known and words[at].text[:1] == "-":
        if words[at].text == "--":
            return at + 1
        at += 2 if words[at].text in valued else 1
    return at


HOSTS: Mapping[str, Callable[[tuple[Word, ...]], Iterator[Inner]]] = dict.fromkeys(_TABLE, _hosted)
"""By program: what it runs."""
