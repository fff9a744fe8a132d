"""The plugin file: it names its configuration in the first line, and is known by it."""

import pytest

from hookd.clients.hook_groups import Changes, ShapeError, Shim
from hookd.clients.opencode.registration import (
    NAMES,
    bare,
    changes,
    config_of,
    notes,
    programs,
    register,
    registered,
    settings_of,
    text_of,
    unregister,
)
from hookd.core.model.shim_paths import link_event
from support.parametrize import parametrize_all

SHIM = Shim('/my "data"/shims/opencode-user-0123abcd')
CONFIG = f"{SHIM.folder}/hookd.json"
PLUGIN = 'const CONFIG = "";\nexport const Hookd = async () => ({});\n'


def test_the_first_line_of_the_plugin_names_the_configuration() -> None:
    settings = register({}, SHIM, NAMES)
    text = text_of(None, PLUGIN, settings)
    assert text.splitlines() == [
        'const CONFIG = "/my \\"data\\"/shims/opencode-user-0123abcd/hookd.json";',
        "export const Hookd = async () => ({});",
    ]
    assert (config_of(text), settings_of(text)) == (CONFIG, settings)
    assert text_of(text, PLUGIN, settings) == text
    assert text_of(None, PLUGIN.partition("\n")[2], settings) == text


@parametrize_all(
    "text",
    [
        "",
        "export const Mine = async () => ({});\n",
        'const CONFIG = "/home/ana/mine.json";\n',
        'const CONFIG = "/x/shims/opencode-user-0123abcd/other.json";\n',
        'const CONFIG = "\\x";\n',
    ],
)
def test_a_file_of_others_is_not_replaced(text: str) -> None:
    assert (config_of(text), settings_of(text)) == (None, {})
    with pytest.raises(ShapeError):
        text_of(text, PLUGIN, register({}, SHIM, NAMES))


def test_a_file_of_ours_sends_every_event_and_goes_as_a_whole() -> None:
    settings = register({}, SHIM, NAMES)
    assert registered(settings) == list(NAMES)
    assert [link_event(path) for _, path in programs(settings)] == list(NAMES)
    assert (unregister(settings), bare(settings), notes(settings)) == ({}, (), [])
    every = list(dict.fromkeys(NAMES.values()))
    moved = register({}, Shim("/x/shims/opencode-user"), NAMES)
    assert changes({}, settings) == Changes(every, [], [])
    assert changes(settings, moved) == Changes([], every, [])
    assert changes(settings, {}) == Changes([], [], every)
    assert changes(settings, settings) == Changes([], [], [])
