"""Checks of the Claude Code plugin: whether its hooks run hookd, and nothing runs it twice."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from hookd import __version__
from hookd.cli.doctor.checks.hook_entries import parse_hooks
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.doctor.checks.settings_layers import PLUGIN, Layer, configured
from hookd.cli.install import plugin_scope
from hookd.cli.lib.claude_version import Client
from hookd.clients.claude_code import registration
from hookd.clients.hook_groups import Shim

_CHECK = "plugin"
_SETUP = "type /hookd:setup in Claude Code"


def plugin_layers(layers: Sequence[Layer], project: Path) -> list[Layer]:
    """Return what the enabled plugin registers, as a layer; none if settings register hookd.

    Then the plugin's hooks are silent.
    """
    config = plugin_scope.config()
    name = plugin_scope.enabled(layer.value for layer in layers)
    if config is None or not name or _registering(layers):
        return []
    shim = Shim(str(plugin_scope.folder()))
    value, file = registration.register({}, shim, config.events), plugin_scope.registry()
    hooks, flaws = parse_hooks(value, PLUGIN, file, project)
    return [Layer(PLUGIN, file, value, tuple(map(configured, hooks)), flaws, names=True)]


def check_plugin(layers: Sequence[Layer], client: Client) -> Iterator[Finding]:
    """Report a plugin that is disabled, not set up, of another version, or beside settings."""
    values = [layer.value for layer in layers if layer.name != PLUGIN]
    name, registering = plugin_scope.known(values), _registering(layers)
    if not name:
        return
    if plugin_scope.enabled(values) != name:
        what = f"The plugin {name} is disabled: its hooks do not run from the next session on."
        say = warn if registering else fail
        yield say(_CHECK, what, f"claude plugin enable {name}, unless it is intended")
        return
    if refusal := plugin_scope.refusal(client):
        yield fail(_CHECK, refusal, "claude update; or hookd install, without the plugin")
        return
    why = plugin_scope.failure(plugin_scope.data_folder(name))
    if why and not registering:
        yield fail(_CHECK, f"The plugin {name} is not set up: {why}.", _SETUP)
    elif registering:
        what = f"{registering[0].path} and the plugin {name} both register hookd: the plugin's"
        step = f"hookd uninstall --settings {registering[0].path}, which leaves it to the plugin"
        yield warn(_CHECK, f"{what} hooks stay silent where the settings' run.", step)
    elif plugin_scope.config() is None:
        yield fail(_CHECK, f"The plugin {name} is not set up: no call is judged.", _SETUP)
    else:
        yield from _version(name)


def _version(name: str) -> Iterator[Finding]:
    """Report whether the plugin is of this hookd's version."""
    found = plugin_scope.version(name)
    if found and found != __version__:
        what = f"The plugin {name} is of version {found}, and hookd of {__version__}."
        yield warn(_CHECK, what, f"{_SETUP}, or upgrade the older one")
    else:
        yield ok(_CHECK, f"The plugin {name} runs hookd.")


def _registering(layers: Sequence[Layer]) -> list[Layer]:
    """Return the settings that register hookd."""
    own = (layer for layer in layers if layer.name != PLUGIN)
    return [layer for layer in own if any(hook.ours for hook in layer.hooks)]
