"""Remote code: programs from the network, or encoded, that a command line runs."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.risk.model import CallContext, CommandCall, Risk
from hookd.risk.path_areas import paths
from hookd.shell.argv import Item
from hookd.shell.commands import Redirect, Shell
from hookd.shell.interpreters import SHELLS

_FETCHERS = with_trait("fetches")
_DECODERS = with_trait("decodes")
_CHANGERS = frozenset({"tr", "rev", "sed", "gsed", "awk", "gawk", "cut", "tac", "perl", "rot13"})
"""Programs that change a text that they are given."""

_UNPACKERS = frozenset({"gunzip", "unxz", "bunzip2", "unzstd", "unlzma", "uncompress"})
_INTERPRETER = lazy_compile(
    r"(?:python|pypy|perl|ruby|php|node|nodejs|deno|bun|lua|tclsh|osascript|pwsh|powershell"
    r"|rscript|guile|julia|groovy|scala|swift)[\d.]*"
)
_GIVEN = ("-c", "-m", "-e", "-E", "-n", "-p", "-r", "--eval", "--print", "-ne", "-pe", "-x")
_READERS = with_trait("shell", "evaluates")
_STDIN = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_NAMED = lazy_compile(r"[\w.+-]+")
_SUBSTITUTED = ("$(", "<(", "`", "=(")
_SOCKET = lazy_compile(r"/dev/(?:tcp|udp)/")
_PROBED = lazy_compile(
    r"/dev/tcp/(?:localhost|127\.0\.0\.1|::1)/(?:\d+|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})"
)
"""A port of this machine: whether a server listens there is usual to ask."""

_RUNS_SHELL = lazy_compile(r"(?:-\w*[ec]$|--(?:sh-)?exec$)")
_SOCAT = lazy_compile(r"\b(?:exec|system|shell):", re.IGNORECASE)

_INSTEAD = "Save it to a file, read the file, then run it."


def remote_code_risks(shell: Shell, place: CallContext) -> Iterator[Risk]:
    """Yield that a text runs code from the network, or encoded code."""
    calls = [CommandCall(command, place) for command in shell.commands]
    fetches = any(call.program in _FETCHERS for call in calls)
    decodes = any(call.program in _DECODERS for call in calls)
    saved = _saved(shell, calls, place) if fetches else frozenset()
    decoded = _decoded(shell, calls, place)
    composed = _composed(shell, calls, place)
    yield from _sockets(shell, calls)
    for call in calls:
        if fetches and _reads(call, _FETCHERS):
            yield _network(call, "runs what it fetches from the network")
        elif decodes and _reads(call, _DECODERS):
            yield _encoded(call)
        elif saved and _runs(shell, call, saved, place):
            yield _network(call, "fetches a file from the network and runs it")
        elif decoded and _runs(shell, call, decoded, place):
            yield _decoded_file(call, sure=len(_unknown_writes(shell)) <= 1)
        elif composed and _runs(shell, call, composed, place):
            yield _composition(call)
        elif call.program in ("nc", "ncat", "netcat", "socat") and _serves_shell(call):
            yield _shell_for_others(call)


def _network(call: CommandCall, why: str) -> Risk:
    reason = f"{why}: no one has read it, and the server decides what it does"
    rule = "shell.network-code"
    return Risk("network-shell", "deny", reason, _INSTEAD, command=call.text, rule=rule)


def _shell_for_others(call: CommandCall) -> Risk:
    why = "gives a shell to the network: who connects runs commands as the user"
    instead = "Use ssh, which asks who connects."
    rule = "shell.network-shell"
    return Risk("network-shell", "deny", why, instead, command=call.text, rule=rule)


def _encoded(call: CommandCall) -> Risk:
    return Risk(
        "unreadable",
        "deny",
        "runs an encoded text: what it does cannot be read before",
        "Write the decoded commands instead.",
        command=call.text,
        rule="shell.encoded-code",
    )


def _decoded_file(call: CommandCall, *, sure: bool) -> Risk:
    """Return the risk of running a decoded file; `sure`: the line writes no other one."""
    file = "decodes a text to a file and runs it" if sure else "runs a file that may be decoded"
    why = f"{file}: what it does cannot be read before"
    return replace(_encoded(call), reason=why, severity="deny" if sure else "ask")


def _unknown_writes(shell: Shell) -> list[Redirect]:
    """Return the redirections that write an unknown text to a file."""
    opened = (each for each in shell.redirects if each.writes and each.text is None)
    return [each for each in opened if not each.path.startswith("/dev/")]


def _composition(call: CommandCall) -> Risk:
    return Risk(
        "unreadable",
        "ask",
        "runs a file whose text another program composes: what it does cannot be read before",
        "Write the text of the file as it is to run.",
        command=call.text,
        rule="shell.composed-code",
    )


def _decoded(shell: Shell, calls: list[CommandCall], place: CallContext) -> frozenset[str]:
    """Return the paths, or the names only, of the files that may contain what is decoded."""
    decoders = [call for call in calls if _decodes(call)]
    if not decoders or len(calls) < 2:
        return frozenset()
    kept = {path for call in decoders for path in _decoded_by(call, place)}
    return _moved_too(shell, calls, place, kept)


def _decodes(call: CommandCall) -> bool:
    """Return whether a program decodes: most of them encode without a flag."""
    if call.program in ("base64", "base32", "basenc", "openssl"):
        return call.has("-d", "-D", "--decode")
    return call.program in _DECODERS | _UNPACKERS and (call.program != "xxd" or call.has("-r"))


def _decoded_by(call: CommandCall, place: CallContext) -> Iterator[str]:
    for item in call.values("-o", "--output", "-out"):
        yield from paths(item, place)
    if call.program in _UNPACKERS and not call.has("-c", "--stdout", "--to-stdout"):
        for item in call.items:
            yield from paths(replace(item, text=posixpath.splitext(item.text)[0]), place)
    elif call.program == "xxd" and len(call.items) > 1:
        yield from paths(call.items[-1], place)


def _composed(shell: Shell, calls: list[CommandCall], place: CallContext) -> frozenset[str]:
    """Return the files that receive a text of the line after another program has changed it."""
    if not any(call.program in _CHANGERS and _is_given(call) for call in calls):
        return frozenset()
    return _moved_too(shell, calls, place, set())


def _is_given(call: CommandCall) -> bool:
    """Return whether a program that changes texts receives a text of the line."""
    return bool(call.command.stdin) and not call.command.piped_input


def _moved_too(
    shell: Shell, calls: list[CommandCall], place: CallContext, kept: set[str]
) -> frozenset[str]:
    """Return the files, those that the line writes without a known text, and copies of both."""
    unknown = _unknown_writes(shell)
    kept |= {path for redirect in unknown for path in _written(redirect, place)}
    tees = (item for call in calls if call.program == "tee" for item in call.items)
    kept |= {path for item in tees for path in paths(item, place)}
    saved = frozenset(kept - {""})
    return saved | _moved(calls, saved, place)


def _reads(call: CommandCall, programs: frozenset[str]) -> bool:
    """Return whether a shell or an interpreter runs the output of one of these programs."""
    runs = call.program in _READERS
    interprets = _INTERPRETER.fullmatch(call.program) is not None
    if not (runs or interprets):
        return False
    run = call.items if call.program in ("eval", "exec") or _given(call) else call.items[:1]
    if any(_mentions(item, programs) for item in run if item.unknown):
        return True
    unknown = any(item.hole and item.hole.any for item in call.items[:1])  # by xargs
    return call.command.piped_input and (unknown or not _has_own(call))


def _mentions(item: Item, programs: frozenset[str]) -> bool:
    """Return whether the output of one of the programs is a part of the word, or of its file."""
    inside = any(mark in item.text for mark in _SUBSTITUTED)
    return inside and not programs.isdisjoint(_NAMED.findall(item.text))


def _given(call: CommandCall) -> bool:
    return any(flag in _GIVEN for flag, _ in call.words.flags)


def _has_own(call: CommandCall) -> bool:
    """Return whether its program is not on its input, or it runs none."""
    if call.program in SHELLS:
        flags = "".join(flag for flag, _ in call.words.flags if flag[:2] != "--")
        if set(flags) & set("cn"):
            return True
        if "s" in flags:
            return False
    elif call.program in ("eval", "exec") or _given(call):
        return True
    return any(item.text not in _STDIN for item in call.items[:1])


def _runs(shell: Shell, call: CommandCall, saved: frozenset[str], place: CallContext) -> bool:
    """Return whether a call runs one of the saved files, by its name or as its input."""
    first = None if call.program in _FETCHERS else run_file(call)
    if first is not None:
        return _is_of(first, saved, place)
    if call.program not in SHELLS or call.items or _given(call):
        return False
    inputs = (Item(each.path, 0) for each in shell.redirects if each.operator == "<")
    return any(_is_of(item, saved, place) for item in inputs)


def _is_of(item: Item, saved: frozenset[str], place: CallContext) -> bool:
    return not saved.isdisjoint((*paths(item, place), posixpath.basename(item.text) or "/"))


def _saved(shell: Shell, calls: list[CommandCall], place: CallContext) -> frozenset[str]:
    """Return the paths, or the names only, of the files that may contain what is fetched."""
    fetched = (path for call in calls if call.program in _FETCHERS for path in _kept(call))
    written = (path for redirect in shell.redirects for path in _written(redirect, place))
    tees = (item for call in calls if call.program == "tee" for item in call.items)
    copied = (path for item in tees for path in paths(item, place))
    saved = frozenset((*fetched, *written, *copied)) - {""}
    return saved | _moved(calls, saved, place)


def _moved(calls: list[CommandCall], saved: frozenset[str], place: CallContext) -> frozenset[str]:
    """Return the targets to which saved files are copied or moved."""
    moves = [call for call in calls if call.program in ("cp", "mv", "install") and call.items[1:]]
    taken = [call for call in moves if any(_is_of(item, saved, place) for item in call.items[:-1])]
    return frozenset(path for call in taken for path in paths(call.items[-1], place))


def run_file(call: CommandCall) -> Item | None:
    """Return the file that a call runs: itself, by its path, or its argument."""
    if call.program in ("make", "gmake"):
        return next(iter(call.values("-f", "--file", "--makefile")), Item("Makefile", 0))
    if call.program in SHELLS | {"source", "."} or _INTERPRETER.fullmatch(call.program):
        return None if _given(call) or not call.items else call.items[0]
    return Item(call.words.path, 0) if "/" in call.words.path else None


def _kept(call: CommandCall) -> Iterator[str]:
    """Yield the paths, or the names only, of the files that a fetching program saves."""
    named = call.values("-o", "--output", "--output-document", "--out")
    if call.program.startswith("wget"):
        named = call.values("-O", "--output-document")
    for item in named:
        yield from paths(item, call.context)
    if not named and (call.program != "curl" or call.has("-O", "--remote-name")):
        urls = (item.text for item in call.items if "/" in item.text)
        yield from (posixpath.basename(url.partition("?")[0]) for url in urls)


def _written(redirect: Redirect, place: CallContext) -> tuple[str, ...]:
    return paths(Item(redirect.path, 0, redirect.hole), place) if redirect.writes else ()


def _sockets(shell: Shell, calls: list[CommandCall]) -> Iterator[Risk]:
    """Yield that a shell, or a file, is connected to a socket that bash itself opens."""
    sockets = [redirect for redirect in shell.redirects if _SOCKET.match(redirect.path)]
    if sockets:
        shells = [call for call in calls if call.program in SHELLS]
        if shells:
            yield _shell_for_others(shells[0])
        elif not all(_PROBED.fullmatch(redirect.path) for redirect in sockets):
            yield Risk(
                "network-shell",
                "ask",
                "opens a network connection by the shell itself",
                "Use curl, which names the data and the address.",
                rule="shell.network-socket",
            )


def _serves_shell(call: CommandCall) -> bool:
    if call.program == "socat":
        return any(_SOCAT.search(item.text) for item in call.items)
    return any(_RUNS_SHELL.match(flag) for flag, _ in call.words.flags)
