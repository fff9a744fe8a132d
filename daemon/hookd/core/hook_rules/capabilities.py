"""The home of what a hook needs that the settings of `commands` have not given it: http, prompt."""

from typing import TYPE_CHECKING

from hookd.core.hook_rules.model import Hook
from hookd.core.hook_rules.url_policy import listed, parse_url

if TYPE_CHECKING:
    from hookd.config.models import CommandOptions, PromptOptions


def lacking(hook: Hook, options: "CommandOptions") -> str:
    """Return why a hook cannot be asked, as the settings are; nothing where it can."""
    if hook.type == "http":
        return _address(hook, options.http_allow)
    return _judge(hook, options.prompt) if hook.type == "prompt" else ""


def _address(hook: Hook, allowed: tuple[str, ...]) -> str:
    try:
        target = parse_url(hook.url)
    except ValueError as error:
        return str(error)
    if listed(target, allowed):
        return ""
    return "commands.http_allow lists no such URL" if allowed else "commands.http_allow is not set"


def _judge(hook: Hook, options: "PromptOptions") -> str:
    if options.command:
        return ""
    if options.endpoint is None:
        return "neither commands.prompt.endpoint nor commands.prompt.command is set"
    return "" if hook.model or options.model else "commands.prompt.model is not set"
