"""A hook that the settings do not allow is known before it runs."""

from typing import Any

from hookd.config.models import UserHookOptions
from hookd.core.hook_rules.http_policy import inactive_reason
from hookd.core.hook_rules.model import Hook, HookType, Source
from support.parametrize import parametrize_all

URL = "https://hooks.example.com/audit"
JUDGE = "https://api.example.com/v1/messages"


@parametrize_all(
    ("type_", "more", "options", "why"),
    [
        ("command", {"command": "a"}, {}, ""),
        ("http", {"url": URL}, {}, "user_hooks.http_allow is not set"),
        (
            "http",
            {"url": URL},
            {"http_allow": ["https://x.example/*"]},
            "user_hooks.http_allow lists no such URL",
        ),
        ("http", {"url": URL}, {"http_allow": ["https://hooks.example.com/*"]}, ""),
        ("http", {"url": "https://"}, {"http_allow": ["*"]}, "the URL names no host"),
        (
            "prompt",
            {},
            {},
            "neither user_hooks.prompt.endpoint nor user_hooks.prompt.command is set",
        ),
        ("prompt", {}, {"prompt": {"endpoint": JUDGE}}, "user_hooks.prompt.model is not set"),
        ("prompt", {"model": "m"}, {"prompt": {"endpoint": JUDGE}}, ""),
        ("prompt", {}, {"prompt": {"endpoint": JUDGE, "model": "m"}}, ""),
        ("prompt", {}, {"prompt": {"command": ["ask"]}}, ""),
    ],
)
def test_what_is_not_set_is_named(
    type_: HookType, more: dict[str, Any], options: dict[str, Any], why: str
) -> None:
    hook = Hook("a", "Stop", type_, Source("user", "/settings.json", "hooks"), **more)
    assert inactive_reason(hook, UserHookOptions.model_validate(options)) == why
