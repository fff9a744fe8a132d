"""Commands that type into another terminal or window, where a person may be asked for an approval.

They are asked about only where permission requests wait for answers from outside the client.
"""

from hookd.risk.model import CommandCall
from hookd.shell.quoting import names

_TYPES = "types into another terminal, where permission requests may be answered"

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

_ANY = "keystroke", "key code"
"""Texts of scripts for `osascript`."""


def typed_keys(call: CommandCall) -> str:
    """Return that a command types into another terminal, in words; "" if it does not."""
    if call.program in _TYPISTS:
        return _TYPES
    if call.program == "osascript":
        return _TYPES if any(word in call.text for word in _ANY) else ""
    verbs = _BY_WORD.get(call.program)
    if verbs is None:
        return ""
    said = any(item.unknown or item.text.startswith(verbs) for item in call.items)
    return _TYPES if said else ""
