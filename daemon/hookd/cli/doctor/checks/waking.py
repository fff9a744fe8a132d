"""Whether mail wakes an idle Claude Code: the entry of `hookd install --wake`, tried once."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from hookd import paths
from hookd.cli.doctor.checks.result import Finding, ok, warn
from hookd.cli.doctor.checks.settings_layers import Layer, install
from hookd.cli.lib import transport
from hookd.clients.claude_code import wake_entry
from hookd.clients.hook_groups import Json, ShapeError

_CHECK = "mail wake"
_NONE = (
    "An idle Claude Code is not woken for mail of other agents; hookd install --wake registers it."
)
_TIMEOUT_S = 10.0
"""Limit of a trial: without a session the program ends at once."""


def check_waking(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Report the entry of each layer, and whether its program runs."""
    found = [(layer, entry) for layer in layers for entry in _entries(layer)]
    if not found:
        yield ok(_CHECK, _NONE)
    for layer, entry in found:
        trouble = _trouble(entry)
        where = f"{layer.name} settings, {layer.path}"
        if trouble:
            what = f"{where}: an idle Claude Code is not woken for mail: {trouble}."
            yield warn(_CHECK, what, install(layer.name, " --wake"))
        else:
            yield ok(_CHECK, f"{where}: mail wakes an idle Claude Code.")
    if len(found) > 1:
        what = f"{len(found)} entries wake an idle Claude Code; one is enough."
        yield warn(_CHECK, what, install(found[0][0].name, " --no-wake"))


def _entries(layer: Layer) -> list[Json]:
    with suppress(ShapeError):  # the check of the settings reports it
        return wake_entry.entries(layer.value)
    return []


def _trouble(entry: Json) -> str:
    """Return why an entry wakes no client, "" if it does."""
    if not wake_entry.wakes(entry):
        return "its asyncRewake is not true"
    named = wake_entry.program(entry) or ""
    found = shutil.which(named, path=paths.search_path())
    if found is None:
        return f"{named} is not there"
    if not Path(found).samefile(transport.hookd()):  # a project's file can name any program
        return f"{named} is another program than this hookd"
    if _differs(wake_entry.environment(entry)):
        return "it waits for the daemon of another home"
    return _trial(found)


def _differs(environment: dict[str, str]) -> bool:
    """Return whether variables of an entry lead to another daemon than this command's."""
    here = paths.place_environment()
    return any(here.get(name) != value for name, value in environment.items())


def _trial(program: str) -> str:
    """Return why the program does not run, "" if it does."""
    words = [program, "mail", "wake"]
    try:
        done = subprocess.run(
            words, input=b"{}", capture_output=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{program} did not end within {_TIMEOUT_S:g} s"
    except OSError as error:
        return f"{program} cannot be run: {error.strerror or error}"
    return f"{program} ended with exit code {done.returncode}" if done.returncode else ""
