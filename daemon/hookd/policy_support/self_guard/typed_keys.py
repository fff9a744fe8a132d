"""Commands that type into another terminal, or open the board there: a person may approve in it.

They are asked about only where permission requests wait for answers from outside the client; keys
with a command of hookd, such as `/hookd:allow`, everywhere.
"""

from collections.abc import Mapping

from hookd.risk.model import CommandCall
from hookd.shell.quoting import names

_TYPES = "types into another terminal, where permission requests may be answered"

_OPENS = "opens the board in another terminal, where permission requests may be answered"

_TYPISTS = names("xdotool ydotool wtype dotool cliclick")
_BY_WORD = {
    "tmux": ("send", "paste"),
    "byobu": ("send", "paste"),
    "screen": ("stuff", "paste", "readbuf"),
    "zellij": ("write",),
    "wezterm": ("send-text",),
    "kitty": ("send-text", "send-key"),
    "kitten": ("send-text", "send-key"),
}
"""Programs that type, and the beginnings of the words that say so."""

_WINDOWS = {
    "tmux": ("new", "split", "respawn", "popup", "display-popup"),
    "byobu": ("new", "split", "respawn"),
    "screen": ("",),
    "zellij": ("run", "action"),
    "wezterm": ("start", "spawn", "split-pane", "cli"),
    "kitty": ("launch", "hookd"),
}
"""Programs that open windows, and the beginnings of the words that say so."""

_ANY = "keystroke", "key code"
"""Texts of scripts for `osascript`."""


def typed_keys(call: CommandCall) -> str:
    """Return that a command types into another terminal, in words; "" if it does not."""
    if call.program in _TYPISTS:
        return _TYPES
    if call.program == "osascript":
        return _TYPES if any(word in call.text for word in _ANY) else ""
    if _says(call, _BY_WORD):
        return _TYPES
    # Without words, hookd opens the board where a terminal is.
    board = any(item.text.rpartition("/")[2].strip() == "hookd" for item in call.items)
    return _OPENS if board and _says(call, _WINDOWS) else ""


def types_command(call: CommandCall) -> bool:
    """Return whether a command types a command of hookd, which the client takes for a person's."""
    return "/hookd:" in call.text and typed_keys(call) == _TYPES


def _says(call: CommandCall, words: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether a command has one of the words for its program, or may have it."""
    verbs = words.get(call.program)
    return verbs is not None and any(
        item.unknown or item.text.startswith(verbs) for item in call.items
    )
