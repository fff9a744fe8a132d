"""The home of the switches in Claude Code's settings that silence hooks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.doctor.checks.settings_layers import MANAGED, Layer

_CHECK = "switches"


def check_switches(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Tell which switch silences hookd, and in which file it stands.

    `layers` come with the one that overrides the others first.
    """
    administered = [layer for layer in layers if layer.name == MANAGED]
    # Hooks of managed settings run on, whatever is said elsewhere.
    kept = any(hook.ours for layer in administered for hook in layer.hooks)
    said = list(_disabled(layers, kept))
    for key, off in (("allowManagedHooksOnly", _is_true), ("strictPluginOnlyCustomization", _bars)):
        if layer := _first(administered, key, off):
            what = f"{key} in {layer.path} lets no hooks of the user or the project run"
            said.append(_silenced(what, kept, "have your administrator register hookd there"))
    yield from said or [ok(_CHECK, "No settings switch hooks off.")]


def _disabled(layers: Sequence[Layer], kept: bool) -> Iterator[Finding]:
    """Yield what `disableAllHooks` does: the strongest file that holds it decides."""
    key = "disableAllHooks"
    layer = _first(layers, key, lambda value: isinstance(value, bool))
    if layer is None or layer.value[key] is False:
        return
    what = f"{key} is true in {layer.path}: Claude Code runs no hooks"
    if layer.name == MANAGED:
        yield _silenced(what, False, "have your administrator take it out")
    else:
        yield _silenced(what, kept, "take it out of that file")


def _first(layers: Sequence[Layer], key: str, fits: Callable[[Any], bool]) -> Layer | None:
    return next((one for one in layers if key in one.value and fits(one.value[key])), None)


def _is_true(value: Any) -> bool:
    return value is True


def _bars(value: Any) -> bool:
    return value is True or (isinstance(value, list) and "hooks" in value)


def _silenced(what: str, kept: bool, step: str) -> Finding:
    if kept:
        return warn(_CHECK, f"{what}, but for those in managed settings, as hookd's is.", step)
    return fail(_CHECK, f"{what}.", step)
