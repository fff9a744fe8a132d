"""Calls of a client itself that let it work without hookd."""

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.risk.inline.source import language_of
from hookd.risk.model import CommandCall
from hookd.shell.quoting import names

_WITHOUT = "starts or configures a client without hookd"
_UNKNOWN = "starts Claude Code with unknown settings"
_PROGRAMS = with_trait("client")
_SCRIPT = lazy_compile(
    r"/claude-code/|/claude/cli\.[cm]?js$|/@openai/codex/|/gemini-cli/|/qwen-code/"
    r"|/@github/copilot/|/opencode-ai/"
)
_BARE = ("--setting-sources", "--safe-mode", "--bare", "--disable-hooks", "--pure")
_VALUES = ("-c", "--config", "--disable")
"""Options of Codex with a setting, or the name of a feature to switch off."""

_MANAGED = frozenset({"config", "hooks", "features", "plugin", "plugins", "extensions"})
_OFF = names("disable uninstall remove rm off set")
SETS = lazy_compile(
    r"(?<![\w-])(?:env:)?(?:HOME|CLAUDE_CONFIG_DIR|CLAUDE_CODE_SIMPLE|CLAUDE_CODE_SAFE_MODE"
    r"|CODEX_HOME|GEMINI_CLI_HOME|GEMINI_CLI_SYSTEM_SETTINGS_PATH|QWEN_HOME|COPILOT_HOME"
    r"|OPENCODE_(?:CONFIG(?:_DIR|_CONTENT)?|PURE)"
    r"|HOOKD_HOME|XDG_(?:RUNTIME|CONFIG|STATE|DATA)_(?:DIR|HOME))['\"]?\]?\s*(?:=(?!=)|:\s*['\"])"
)
"""Variables that lead a client to other settings, or the shims to another daemon."""

_FRESH = lazy_compile(
    r"\benv\s++(?>(?:[^\s=-][^\s=]*+=\S*+\s++)*)(?:-i|-|--ignore-environment|(?:-u\s*|--unset=)HOME)\s"
)
_APART = with_trait("isolates")
"""Programs that run a client as another user, or with another file system."""

_HELP = ("--help", "-h", "--version", "-v")


def client_change(call: CommandCall, text: str) -> str:
    """Return what a call of a client changes, as a clause; `text` is the whole command."""
    if not _is_client(call) or call.has(*_HELP):
        return _managed(call)
    if _configures(call):
        return _WITHOUT
    if call.has(*_BARE) or "disableAllHooks" in text or SETS.search(text) or _FRESH.search(text):
        return _WITHOUT
    if _APART & set(call.command.wrappers):
        return _WITHOUT
    given = [item.text for item in call.values("--settings")]
    return _UNKNOWN if any(not one.lstrip().startswith("{") for one in given) else ""


def _configures(call: CommandCall) -> bool:
    """Return whether a call switches hooks, or a plugin of hookd, off."""
    verbs = {item.text for item in call.items if not item.unknown}
    if verbs & _MANAGED and verbs & _OFF and "hook" in " ".join(verbs).lower():
        return True
    return any("hook" in item.text.lower() for item in call.values(*_VALUES))


def _managed(call: CommandCall) -> str:
    """Return that a command sets preferences by which an administrator manages Claude Code."""
    named = any("anthropic.claude" in item.text.lower() for item in call.items)
    return _WITHOUT if call.program in _PREFERENCES and named and call.verb != "read" else ""


_PREFERENCES = with_trait("sets-preferences")


def _is_client(call: CommandCall) -> bool:
    if call.program in _PROGRAMS:
        return True
    if not call.program:  # behind assignments of env that hold what is not known
        words = [word for word in call.command.words if "=" not in word]
        return bool(words) and words[0].rpartition("/")[2] in _PROGRAMS
    script = call.items[:1] if language_of(call.command) == "js" else ()
    return any(_SCRIPT.search(item.text) for item in script)
