"""Folders that a command gives to a container, where protected files lie in them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.policy_support.self_guard.files import ProtectedFiles
from hookd.risk.model import CommandCall
from hookd.risk.path_areas import paths
from hookd.shell.argv import Item
from hookd.shell.quoting import names

_SOURCE = re.compile(r"(?:^|,)(?:source|src)=([^,]*)")
_READ_ONLY = re.compile(r"(?:^|[,:])(?:ro|readonly(?:=(?:true|1))?)(?:[,:]|$)")
_CONTAINERS = names("docker podman nerdctl docker-compose podman-compose buildah")
_FLAGS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_CONTAINERS, ("-v", "--volume", "--mount")),
    "systemd-nspawn": ("--bind",),
    **dict.fromkeys(names("apptainer singularity"), ("-B", "--bind", "--mount")),
}


def given_away(call: CommandCall, own: ProtectedFiles) -> str:
    """Return the folder with protected files that a container may change; "" where there is none.

    A project may be mounted: its own settings are in it, and that is done every day.
    """
    for item in _sources(call):
        for path in paths(item, call.context):
            if own.holder(path) or own.above(path):
                return item.text
    return ""


def _sources(call: CommandCall) -> Iterator[Item]:
    for item in call.values(*_FLAGS.get(call.program, ())):
        found = _SOURCE.search(item.text)
        text = found[1] if found else item.text.partition(":")[0]
        if not _READ_ONLY.search(item.text) and text[:1] in ("/", "~", ".", "$", "`"):
            yield _named(item, text)
    if call.program in ("lxc", "incus"):
        for item in call.items:
            if found := _SOURCE.search(item.text):
                yield _named(item, found[1])
    if call.program == "bwrap":
        yield from _bound(call)


def _bound(call: CommandCall) -> Iterator[Item]:
    """Yield what bubblewrap mounts to be written: `--bind FROM TO`."""
    for flag, place in call.words.flags:
        if flag in ("--bind", "--bind-try", "--dev-bind"):
            yield from (item for item in call.items if item.place == place + 1)


def _named(item: Item, text: str) -> Item:
    return replace(item, text=text, hole=item.hole if re.search(r"[$`*?]", text) else None)
