"""Results of tools in Gemini CLI and Qwen Code: the text for the model, and failed commands.

Both report a command that ran as a success, whatever its exit code is: the code is in a line after
the output, and Gemini CLI writes that line only for a code that is not 0.
"""

import re
from collections.abc import Mapping
from typing import Any

from hookd.clients.contract import Json
from hookd.lazy_pattern import lazy_compile

_ENDING = lazy_compile(
    r"^Exit Code: (?P<code>[0-9]+|\(none\))(?:\nSignal: (?P<signal>.*))?"
    r"(?:\nBackground PIDs: .*)?(?:\nProcess Group PGID: .*)?\s*(?:</untrusted_context>\s*)?\Z",
    re.MULTILINE,
)
_NONE = (None, "(none)")


def shell_failed(text: str) -> bool:
    r"""Return whether a result's text says that its command failed, or ended by a signal.

    >>> shell_failed("Output: 1 failed\nExit Code: 1\nProcess Group PGID: 7")
    True
    >>> shell_failed("Output: Exit Code: 1\nProcess Group PGID: 7")
    False
    """
    found = _ENDING.search(text)
    return found is not None and (
        found["code"] not in ("0", "(none)") or found["signal"] not in _NONE
    )


def result_in_events(fields: Mapping[str, Any]) -> Json:
    """Return the fields of a result that have other values in `events/`.

    The text for the model becomes the `content`, of a subagent as a block. A command that failed
    also has its text as `error`.
    """
    response = fields.get("tool_response")
    if not isinstance(response, dict) or "llmContent" not in response:
        return {}
    told = response["llmContent"]
    rest = {key: value for key, value in response.items() if key != "llmContent"}
    text, tool = told if isinstance(told, str) else None, fields.get("tool_name")
    content = [{"type": "text", "text": text}] if tool == "Agent" and text else told
    named: Json = {"tool_response": {"content": content, **rest}}
    failed = tool == "Bash" and text is not None and shell_failed(text)
    return named | {"error": text} if failed else named
