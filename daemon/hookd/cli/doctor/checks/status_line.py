"""Whether hookd's status line is shown, around whose command, and what it lacks."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from hookd import paths
from hookd.cli.doctor.checks.command_line import speaks_to_us, transport_trouble, without_transport
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, ok, warn
from hookd.cli.doctor.checks.settings_layers import Layer, install
from hookd.cli.install import scope_folder
from hookd.cli.install.shims import PACKAGED
from hookd.clients.claude_code import status_line_entry
from hookd.clients.claude_code.status_line_entry import LINE_SHIM, Wrapped
from hookd.core.model.shim_paths import NATIVE
from hookd.system import native_shim

_CHECK = "status line"
_NONE = (
    "hookd's is not registered, so how full a context window is, is only read from transcripts; "
    "hookd install --statusline registers it."
)


def check_status_line(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Report whose status line Claude Code shows. `layers` begin with the strongest."""
    holding = [layer for layer in layers if "statusLine" in layer.value]
    ours = [layer for layer in holding if status_line_entry.parse(layer.value)]
    if not ours:
        yield ok(_CHECK, _NONE)
        return
    shown, mine = holding[0], ours[0]
    if shown is not mine:
        what = f"The status line in {shown.path} is shown instead of hookd's in {mine.path}."
        yield warn(_CHECK, what, _renewal(shown))
    elif found := status_line_entry.parse(mine.value):
        yield from _trouble(mine, found) or [ok(_CHECK, _told(mine, found))]


def _told(layer: Layer, found: Wrapped) -> str:
    own = "alone" if found.own is None else f"below that of: {found.own}"
    return f"{layer.name} settings, {layer.path}: hookd's line is shown {own}."


def _trouble(layer: Layer, found: Wrapped) -> list[Finding]:
    """Return the problems of hookd's status line, and of the user's own in it."""
    config = None
    if "--socket" not in found.words:
        config = scope_folder.read(Path(found.words[0]).parent)
    entry = Hook(layer.name, layer.path, _CHECK, "", {}, found.words, config=config)
    said = []
    if flaw := _flaw(found.words[0]):
        said.append(f"The shim {found.words[0]}, which {layer.path} names, {flaw}.")
    if without_transport(entry):
        which = ", ".join(f"{one} {transport_trouble(one)}" for one in entry.transports)
        said.append(f"The transport {which}.")
    if not speaks_to_us(entry):
        asked, here = entry.option("--socket") or "no socket", paths.paths().socket
        said.append(f"It asks on {asked}, but this hookd is on {here}.")
    return [warn(_CHECK, what, _renewal(layer)) for what in said]


def _flaw(program: str) -> str:
    """Return the problem of the shim, "" if there is none."""
    place = shutil.which(program, path=paths.search_path())
    if place is None:
        return "is not executable" if Path(program).exists() else "is not there"
    real = Path(place).resolve()
    if real.name == NATIVE:
        if why := native_shim.unfit(real.parent):
            return f"cannot be used: {why}"
        real = real.with_name(LINE_SHIM)  # it runs the user's own command
    try:
        same = real.read_bytes() == (PACKAGED / LINE_SHIM).read_bytes()
    except OSError as error:
        return f"cannot be compared: {error.filename}: {error.strerror}"
    return "" if same else "is not the one of this hookd, but an older or changed one"


def _renewal(layer: Layer) -> str:
    return install(layer.name, " --statusline")
