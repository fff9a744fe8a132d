"""The clients beside Claude Code, by the name that `hookd install --client` takes."""

from clients.drivers.codex import Codex
from clients.drivers.copilot import Copilot
from clients.drivers.driver import Driver
from clients.drivers.gemini import Gemini
from clients.drivers.opencode import Opencode
from clients.drivers.qwen import Qwen

DRIVERS: dict[str, type[Driver]] = {
    one.name: one for one in (Codex, Gemini, Qwen, Copilot, Opencode)
}
