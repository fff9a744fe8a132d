"""Hosts that a call reaches: WebFetch, curl, git, ssh, nc, sockets of bash, tools of MCP.

It knows the programs that connect to a host in their arguments, and URLs in the arguments of other
programs. What a script, a build or a package manager connects to is not in the text.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from hookd.events.tool_pattern import ToolCall, host_of
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.risk.execution import placed_commands
from hookd.risk.inline.source import language_of, programs
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.registry import effect_texts
from hookd.shell.argv import Item
from hookd.shell.commands import Redirect, Shell, read
from hookd.shell.quoting import names

_URL = lazy_compile(r"\s*[a-z][a-z0-9+.-]*:(?://|\\\\)\S*\s*", re.IGNORECASE)
_URLS = lazy_compile(r"[a-z][a-z0-9+.-]{0,15}://[^\s'\"<>`|]{1,2000}", re.IGNORECASE)
_AUTHORITY = lazy_compile(
    r"(?:[a-z][a-z0-9+.-]*://)?(?:[^/@\s]*@)?([\w.-]+|\[[0-9a-f:]+\])[/:?#](?!//)", re.IGNORECASE
)
_HOSTLIKE = lazy_compile(
    r"(?:[\w-]+\.)+[a-z][\w-]*\.?|localhost|[0-9.]+|\[[0-9a-f:]+\]", re.IGNORECASE
)
_SCP = lazy_compile(r"(?:[^/@\s:]+@)?([\w.-]+|\[[0-9a-f:]+\]):(?!//)")
_SOCKET = lazy_compile(r"/dev/(?:tcp|udp)/([^/\s]+)/")
_SOCAT = lazy_compile(
    r"(?:tcp|udp|openssl|ssl|sctp)[46]?(?:-connect)?:(\[[^\]]+\]|[^:,]+)", re.IGNORECASE
)
_MAX_VALUES = 256
"""Maximum values of one call of MCP that are looked at."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A host that a call reaches. `host` is "" if the text does not say which.

    `certain` is False for a URL in the arguments of a program that may use it, or not. `remote` is
    the name of a remote of git, whose host its configuration in `folder` has.
    """

    text: str
    host: str = ""
    certain: bool = True
    remote: str = ""
    folder: str | None = None


def reached_hosts(call: ToolCall, place: CallContext) -> Iterator[Reach]:
    """Yield the hosts that a call reaches; a text that cannot be parsed has an unknown one."""
    if call.name == "Bash":
        yield from _by_command(call.shell, place, depth=0)
    elif call.name == "WebFetch":
        url = call.primary or ""
        yield Reach(url, host_of(url if "//" in url else f"//{url}"))
    elif call.name == "PowerShell":
        yield from (Reach(url, host_of(url)) for url in _URLS.findall(call.primary or ""))
    elif call.name.startswith("mcp__"):
        urls = (one for one in _strings(call.input) if _URL.fullmatch(one))
        yield from (Reach(url, host) for url in urls if (host := host_of(url)))


def _strings(value: object) -> Iterator[str]:
    """Yield the texts in a value, the first ones."""
    todo, left = [value], _MAX_VALUES
    while todo and left:
        one, left = todo.pop(), left - 1
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            todo += list(one.values())[:left]
        elif isinstance(one, list | tuple):
            todo += list(one)[:left]


def _by_command(shell: Shell, place: CallContext, *, depth: int) -> Iterator[Reach]:
    if shell.unreadable is not None:
        yield Reach("")
    yield from filter(None, map(_by_socket, shell.redirects))
    for placed in placed_commands(shell, place):
        call = CommandCall(placed.command, replace(place, cwd=placed.folders[-1]))
        yield from _of_program(call)
        if not depth and language_of(placed.command):
            yield from _by_code(call)


def _by_code(call: CommandCall) -> Iterator[Reach]:
    """Yield the URLs in the code that an interpreter is given; certain if the code connects."""
    texts = effect_texts(call.command)
    certain = any("network" in text.split() for text in texts)
    for text in texts:
        yield from _by_command(read(text), call.context, depth=1)
    for code in programs(call):
        for url in _URLS.findall(code.source)[:_MAX_VALUES]:
            yield Reach(url, host_of(url), certain)


def _by_socket(opened: Redirect) -> Reach | None:
    found = _SOCKET.match(opened.path)
    if found is None:
        return Reach(opened.path) if opened.path.startswith(("/dev/tcp/", "/dev/udp/")) else None
    known = "$" not in found[1] and "`" not in found[1]
    return Reach(opened.path, found[1] if known else "")


def _of_program(call: CommandCall) -> Iterator[Reach]:
    rule = _TABLE.get(call.program)
    if rule is not None:
        yield from rule(call)
    elif call.program not in _SILENT:
        holes = {hole.at: hole for hole in call.command.holes}
        for place, text in enumerate(call.command.words):
            for url in _URLS.findall(text):
                yield Reach(url, _known(Item(url, place, holes.get(place))), certain=False)


def _known(item: Item) -> str:
    """Return the host of a URL, with or without a scheme; "" if the text does not say."""
    if not item.unknown:
        return host_of(item.text if "//" in item.text else f"//{item.text}")
    head = re.split(r"[$`]", item.text, maxsplit=1)[0]
    found = _AUTHORITY.match(head)
    return found[1].strip("[]").lower() if found else ""


def _operands(call: CommandCall, flags: str) -> list[Item]:
    """Return the words that are neither flags nor the values of these."""
    skipped = {item.place for item in call.values(*flags.split())}
    return [item for item in call.items if item.place not in skipped]


def _fetches(flags: str, url_flags: str = "--url") -> Callable[[CommandCall], Iterator[Reach]]:
    """Return the rule of a program whose operands are URLs, perhaps without a scheme."""

    def rule(call: CommandCall) -> Iterator[Reach]:
        for item in (*_operands(call, flags), *call.values(*url_flags.split())):
            if item.unknown or _is_address(item.text):
                yield Reach(item.text, _known(item))

    return rule


def _is_address(text: str) -> bool:
    if _URL.fullmatch(text):
        return not text.lower().startswith("file:")
    authority = re.split(r"[/?#]", text, maxsplit=1)[0].rpartition("@")[2]
    host = authority if authority.startswith("[") else authority.partition(":")[0]
    return _HOSTLIKE.fullmatch(host) is not None


def _httpie(call: CommandCall) -> Iterator[Reach]:
    """Yield the URL of httpie: the first word, or the one after a method."""
    words = _operands(call, "-a --auth -A -o --output --session -p --print --timeout -f --verify")
    methods = names("get post put patch delete head options")
    first = words[1:] if words and words[0].text.lower() in methods else words
    for item in first[:1]:
        local = item.text.startswith((":", "/"))
        yield Reach(item.text, "localhost" if local else _known(item))


_GIT_REACHES = names("clone fetch pull push ls-remote archive send-pack fetch-pack")


def _git(call: CommandCall) -> Iterator[Reach]:
    """Yield the hosts of URLs that git is given, and the remotes that it uses by name."""
    verb, words = (
        call.verb,
        _operands(call, "-o --push-option -b --branch --depth -c -j --jobs")[1:],
    )
    if verb in ("remote", "submodule"):
        if [item.text for item in words[:1]] in (["add"], ["set-url"]):
            yield from _remotes(words[1:])
        elif call.starts("remote", "update") or call.starts("submodule", "update"):
            yield Reach(call.text, remote="*", folder=call.context.cwd)
        return
    if verb not in _GIT_REACHES:
        return
    urls = tuple(_remotes((*words[:1], *call.values("--repo", "--remote"))))
    yield from urls
    if not urls:
        name = words[0].text if words else "*"
        yield Reach(call.text, remote=name, folder=call.context.cwd)


def _remotes(words: Iterable[Item]) -> Iterator[Reach]:
    """Yield the hosts of words that are URLs of repositories, or paths as scp has them."""
    for item in words:
        if _URL.fullmatch(item.text):
            yield Reach(item.text, _known(item))
        elif found := _SCP.match(item.text):
            yield Reach(item.text, found[1].strip("[]"))
        elif item.unknown:
            yield Reach(item.text)


_SSH_VALUES = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -P --port"


def _login(call: CommandCall) -> Iterator[Reach]:
    """Yield the host of ssh and its like: the first operand, and of the host that it jumps over."""
    for item in (*_operands(call, _SSH_VALUES)[:1], *call.values("-J")):
        host = host_of(f"//{item.text.partition('//')[2] or item.text}")
        yield Reach(item.text, "" if item.unknown and not _known(item) else host)


def _copies(call: CommandCall) -> Iterator[Reach]:
    """Yield the hosts in `[user@]host:path`."""
    for item in _operands(call, f"{_SSH_VALUES} --rsh --exclude --include"):
        if _URL.fullmatch(item.text):
            yield Reach(item.text, _known(item))
        elif found := _SCP.match(item.text):
            known = "$" not in found[1]
            yield Reach(item.text, found[1].strip("[]") if known else "")
        elif item.unknown and ":" in item.text and not item.text.startswith("/"):
            yield Reach(item.text)


def _connects(flags: str) -> Callable[[CommandCall], Iterator[Reach]]:
    """Return the rule of a program whose first operand is a host, unless it listens."""

    def rule(call: CommandCall) -> Iterator[Reach]:
        if call.has("-l", "--listen"):
            return
        for item in _operands(call, flags)[:1]:
            known = "" if item.unknown else item.text.rpartition("@")[2]
            host = host_of(known) if "//" in known else known.partition(":")[0]
            yield Reach(item.text, host)

    return rule


def _socat(call: CommandCall) -> Iterator[Reach]:
    for item in call.items:
        if found := _SOCAT.match(item.text):
            yield Reach(item.text, found[1].strip("[]") if "$" not in found[1] else "")


def _openssl(call: CommandCall) -> Iterator[Reach]:
    for item in call.values("-connect", "-host", "-proxy"):
        yield Reach(item.text, "" if item.unknown else item.text.rpartition(":")[0] or item.text)


def _hosted(host: str) -> Callable[[CommandCall], Iterator[Reach]]:
    """Return the rule of a program for one service."""
    return lambda call: iter((Reach(call.text, host),))


_CURL = (
    "-o --output -H --header -d --data --data-raw --data-binary --data-urlencode --json -X"
    " --request -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -F --form"
    " -T --upload-file -m --max-time -w --write-out -K --config -E --cert --key --cacert"
    " --capath -C --continue-at -D --dump-header -r --range -Q --quote -Y -y -z --time-cond"
    " --retry --retry-delay --connect-timeout --limit-rate --max-filesize --output-dir -t"
    " --resolve --connect-to --retry-max-time --ciphers --noproxy -x --proxy --proxy-user"
    " --interface --url --unix-socket --form-string --max-redirs --oauth2-bearer --trace"
    " --trace-ascii --stderr"
)
_WGET = (
    "-O --output-document -o --output-file -a --append-output -P --directory-prefix -t --tries"
    " -T --timeout -w --wait -U --user-agent --header --post-data --post-file --user --password"
    " -i --input-file -e --execute -A --accept -R --reject -l --level -D --domains -Q --quota"
    " --limit-rate --method --body-data --body-file --referer --load-cookies --save-cookies -B"
)
_SILENT = names(
    "echo printf grep egrep fgrep rg ag ack sed awk gawk cat bat head tail less more jq yq export"
    " test [ true false : cd ls find fd xargs env sudo sh bash zsh dash time timeout nohup nice"
    " node python python3 python2 ruby perl php deno bun tee diff cmp wc sort uniq cut tr gh glab"
    " hookd basename dirname touch mkdir rm cp mv ln chmod read set local declare typeset return"
)
"""Programs that reach no host because their arguments have a URL, or whose code is read itself."""

_TABLE: Mapping[str, Callable[[CommandCall], Iterator[Reach]]] = {
    **dict.fromkeys(names("curl curlie"), _fetches(_CURL)),
    **dict.fromkeys(names("wget wget2"), _fetches(_WGET)),
    **dict.fromkeys(names("http https xh xhs"), _httpie),
    **dict.fromkeys(
        names("aria2c axel lynx w3m links elinks yt-dlp youtube-dl ab wrk hey siege vegeta k6"),
        _fetches("-o -O -d --dir --out -n -c -t -m -H -T -p -i"),
    ),
    **dict.fromkeys(names("websocat wscat open xdg-open"), _fetches("-H -c -x -a -b")),
    "git": _git,
    **dict.fromkeys(names("ssh autossh mosh sftp ssh-copy-id ssh-keyscan"), _login),
    **dict.fromkeys(names("scp rsync"), _copies),
    **dict.fromkeys(names("nc ncat netcat nc.openbsd"), _connects("-w -p -s -i -q -e -c -x -X")),
    **dict.fromkeys(names("telnet ftp lftp tftp ping ping6"), _connects("-c -W -i -w -u")),
    "socat": _socat,
    "openssl": _openssl,
    "gh": _hosted("github.com"),
    "glab": _hosted("gitlab.com"),
}
"""By the program's name."""


def remote_hosts(config: str, name: str) -> Iterator[str]:
    """Yield the hosts of a remote in the text of a `.git/config`; `*` is every remote."""
    section = ""
    for line in config.splitlines():
        text = line.strip()
        if text.startswith("["):
            section = text
        elif section.lower().startswith("[remote ") and re.match(r"(?i)(?:push)?url\s*=", text):
            known = section.partition('"')[2].rpartition('"')[0]
            url = text.partition("=")[2].strip()
            if name in ("*", known) and (found := _remote_host(url)):
                yield found


def _remote_host(url: str) -> str:
    if _URL.fullmatch(url):
        return host_of(url)
    found = _SCP.match(url)
    return found[1].strip("[]") if found and not posixpath.isabs(url) else ""
