"""JSON Schema of hook settings, for editors: strictly Claude Code's form.

The other forms and names that the parser accepts are for files of other programs.
"""

from typing import Any

from hookd.core.hook_rules.dialects import EVENT_ALIASES, UNSUPPORTED_EVENTS
from hookd.core.hook_rules.parse import IF_EVENTS, MAX_TIMEOUT_S, MIN_TIMEOUT_S
from hookd.events.protocol import EVENTS

Json = dict[str, Any]

_FULL = r"\S"
_FAILURE = ["warn", "block", "ask"]


def schema() -> Json:
    """Return the schema, draft 2020-12, of a file that holds nothing but settings of hooks."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hooks of hookd",
        "description": "Commands, requests and questions that hookd runs on Claude Code's events.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "$schema": _text("For editors; not read."),
            "description": _text("What these hooks are for; not read."),
            "hooks": _hooks(),
            "disabled_hooks": _disabled_hooks(),
            "disable": _disabled_hooks() | {"deprecated": True},
        },
        "$defs": {
            "group": _group(),
            "command": _handler("command", "A command", "command", _command()),
            "http": _handler("http", "A request over HTTP", "url", _http()),
            "prompt": _handler("prompt", "A question to a model", "prompt", _prompt()),
        },
    }


def _disabled_hooks() -> Json:
    return {
        "title": "Disabled hooks",
        "description": "Ids, or globs of ids, of hooks of weaker layers that do not run.",
        "type": "array",
        "items": {"type": "string", "minLength": 1},
    }


def _hooks() -> Json:
    return {
        "title": "Hooks by event",
        "description": "What runs on each event; the hooks of all files are joined.",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _event(name) for name in EVENTS if name not in UNSUPPORTED_EVENTS},
    }


def _event(name: str) -> Json:
    other = [alias for alias, names in EVENT_ALIASES.items() if name in names]
    match = EVENTS[name].match
    said = f"The matcher is tested against `{match}`." if match else "It has nothing to match."
    group: Json = {"$ref": "#/$defs/group"}
    if name not in IF_EVENTS:
        bare = {"properties": {"hooks": {"items": {"not": {"required": ["if"]}}}}}
        group = {"allOf": [group, bare]}
    if other:
        said += f" Elsewhere it is called {', '.join(other)}."
    return {"title": name, "description": said, "type": "array", "items": group}


def _group() -> Json:
    kinds = [{"$ref": f"#/$defs/{kind}"} for kind in ("command", "http", "prompt")]
    return {
        "title": "A group of hooks",
        "description": "Hooks that run for the same matcher.",
        "type": "object",
        "additionalProperties": False,
        "required": ["hooks"],
        "properties": {
            "matcher": _text(
                "Names, as in `Edit|Write`, or else a regular expression. None: everything."
            ),
            "sequential": _flag("They run one after the other, in their order."),
            "hooks": {
                "title": "Hooks",
                "description": "What runs.",
                "type": "array",
                "items": {"oneOf": kinds},
            },
        },
    }


def _handler(kind: str, title: str, needed: str, own: Json) -> Json:
    type_ = {"description": f"{title}.", "const": kind}
    return {
        "title": title,
        "description": f"{title}, run on the event.",
        "type": "object",
        "additionalProperties": False,
        "required": ["type", needed],
        "properties": {"type": type_} | own | _common(),
    }


def _common() -> Json:
    return {
        "id": _text("Its name in lists, logs and `disabled_hooks`.", pattern="^[A-Za-z0-9_.-]+$"),
        "if": _text(f"A permission rule, such as `Bash(git *)`; on {', '.join(IF_EVENTS)}."),
        "timeout": {
            "description": "Timeout in seconds. 10 on PreToolUse and UserPromptSubmit, 1 on"
            " SessionEnd, 60 elsewhere.",
            "type": "number",
            "minimum": MIN_TIMEOUT_S,
            "maximum": MAX_TIMEOUT_S,
        },
        "statusMessage": _text("Text to show while it runs."),
        "async": _flag("Run in the background, without a decision."),
        "asyncRewake": _flag("Like `async`; if it fails, its output is given to the model later."),
        "on_failure": _one("Reaction to an exit code other than 0.", _FAILURE),
        "on_error": _one("Reaction to a missing answer, such as a timeout.", _FAILURE),
        "onFailure": _one("Claude Code's key for both.", ["continue", "block"]),
        "always": _flag("Run it even if the call is denied already."),
        "inherit_env": _flag("Pass the whole environment of the daemon."),
        "env_compat": {
            "description": "Further sets of variables to pass.",
            "type": "array",
            "items": {"enum": ["opta", "plain"]},
        },
        "disabled": _flag("List it, but do not run it."),
    }


def _command() -> Json:
    return {
        "command": _text("A line for the shell, or with `args` the program itself.", pattern=_FULL),
        "args": _texts("Its arguments; it runs without a shell then."),
        "shell": {"description": "The shell.", "const": "bash"},
    }


def _http() -> Json:
    return {
        "url": _text("Where the event is posted to, as JSON.", pattern="^https?://"),
        "headers": {
            "description": "Headers; $NAME is replaced where allowedEnvVars names it.",
            "type": "object",
            "additionalProperties": {"type": "string"},
        },
        "allowedEnvVars": _texts("Variables that headers may hold."),
    }


def _prompt() -> Json:
    return {
        "prompt": _text("The prompt for the model; $ARGUMENTS is the event.", pattern=_FULL),
        "model": _text("The model; unset: the one of the settings."),
    }


def _text(description: str, **further: str) -> Json:
    return {"description": description, "type": "string"} | further


def _texts(description: str) -> Json:
    return {"description": description, "type": "array", "items": {"type": "string"}}


def _flag(description: str) -> Json:
    return {"description": description, "type": "boolean"}


def _one(description: str, words: list[str]) -> Json:
    return {"description": description, "enum": words}
