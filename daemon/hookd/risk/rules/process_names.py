"""Processes that a name, or the output of a program, selects: a few, or too many.

The owner of a port is one process. A name such as `python` selects many, also other users'.
"""

import re

from hookd.lazy_pattern import lazy_compile
from hookd.shell.quoting import names

_BROAD = names(
    "python py node nodejs ruby perl java php bash sh zsh fish dash deno bun go cargo make npm npx"
    " yarn pnpm uv docker dockerd containerd podman ssh sshd systemd init dbus tmux screen code"
    " cursor chrome chromium firefox safari electron postgres mysqld mongod redis redis-server"
    " nginx apache httpd xorg wayland gnome launchd finder dock windowserver claude hookd serve"
    " server dev start run main app test tests worker daemon local usr bin home src lib tmp opt"
)
_SHORTEST = 3
_FEW = 3
"""Words that are too common alone, but specific if there are so many."""

_FIRST = lazy_compile(r"[\s\"]*(?:\$\(|`)\s*(?:sudo\s+)?([\w-]+)\b([^|;&]*)")
_PORT = lazy_compile(
    r"-\w*i\s*[\"']?(?:[46]?(?:tcp|udp)?)?(?:@[\w.]+)?:(?:\d+(?:,\d+)*(?![-\d])|\$)", re.IGNORECASE
)
_SOCKET = lazy_compile(r"\d+/(?:tcp|udp)\b")
_LOCAL_PORT = lazy_compile(r":\d{2,}\b")
_OF_PORT = {"lsof": _PORT, "fuser": _SOCKET, "ss": _LOCAL_PORT, "netstat": _LOCAL_PORT}
_RANGE = lazy_compile(r"\{-?\d+\.\.")


def is_broad(pattern: str) -> bool:
    """Return whether a name, or a pattern of names, is likely to mean more than one program."""
    return any(_means_many(name) for name in re.sub(r"\[(\w)\]", r"\1", pattern).split("|"))


def _means_many(pattern: str) -> bool:
    plain = re.sub(r"\.\*|[\[\]^$*+?(){}\\]", " ", pattern.lower())
    words = [re.sub(r"[\d.]+$", "", word.rpartition("/")[2]).strip("-.") for word in plain.split()]
    common = all(word in _BROAD or len(word) < _SHORTEST for word in words)
    return common and len(words) < _FEW


def names_many(text: str) -> bool:
    """Return whether the numbers of a substitution or a range may be those of any process."""
    match = _FIRST.match(text)
    if match is None:
        return _RANGE.search(text) is not None
    program, words = match[1], match[2].rstrip(")` ")
    if program in ("pgrep", "pidof"):
        return _by_name(words)
    if pattern := _OF_PORT.get(program):
        return pattern.search(text) is None
    return program in ("ps", "ls", "find", "seq") or (program == "cat" and "*" in words)


def _by_name(words: str) -> bool:
    """Return whether `pgrep` or `pidof` has no name, a broad one, or selects by something else."""
    parts = re.findall(r"'[^']*'|\"[^\"]*\"|\S+", re.sub(r"\d?>\s*\S+", "", words))
    flags = [part for part in parts if part[:1] == "-"]
    named = [part.strip("'\"") for part in parts if part[:1] != "-"]
    if any(not re.fullmatch(r"-[fxnoai]+|-\d+", flag) for flag in flags):
        return True
    return not named or "$" in words or any(map(is_broad, named))
