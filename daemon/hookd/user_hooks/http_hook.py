"""Runs the user's http hooks: posts the event's JSON; what comes back is read like stdout."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from hookd import json_text
from hookd.core.hook_rules import http_policy
from hookd.core.hook_rules.http_policy import parse_url, url_allowed
from hookd.core.hook_rules.model import Hook, HookExecution
from hookd.lazy_dataclass import dataclass
from hookd.user_hooks.http_client import Answer, ExchangeError, Request, exchange

KEPT = 30 * 1024
"""Bytes that an answer may have."""


@dataclass(frozen=True, slots=True)
class AllowList:
    """What the settings let http hooks do: the URLs, as globs, and the variables in headers."""

    urls: tuple[str, ...] = ()
    env: tuple[str, ...] = ()


async def post(
    hook: Hook, payload: bytes, deadline: float, allow: AllowList, env: Mapping[str, str]
) -> HookExecution:
    """Return what the hook's URL answers until the loop's clock comes to `deadline`."""
    clock = asyncio.get_running_loop().time
    began = clock()
    try:
        ran = await _posted(hook, payload, deadline, allow, env)
    except TimeoutError:
        fault = f"timed out after {max(deadline - began, 0):.3g} s"
        ran = HookExecution(hook, timed_out=True, fault=fault)
    except (ExchangeError, ValueError) as error:
        ran = HookExecution(hook, fault=str(error))
    return replace(ran, milliseconds=(clock() - began) * 1000)


async def _posted(
    hook: Hook, payload: bytes, deadline: float, allow: AllowList, env: Mapping[str, str]
) -> HookExecution:
    target = parse_url(hook.url)
    if not url_allowed(target, allow.urls):
        raise ExchangeError(
            f"{target.authority} is not allowed: user_hooks.http_allow lists no such URL"
        )
    sent = http_policy.interpolate(hook.headers, set(hook.allowed_env) & set(allow.env), env)
    told = {**sent.values, "Content-Type": "application/json"}
    answer = await exchange(Request(target, payload, told, KEPT), deadline)
    return replace(_read(hook, answer, sent.secrets), notes=sent.notes)


def _read(hook: Hook, answer: Answer, secrets: tuple[str, ...]) -> HookExecution:
    if 300 <= answer.status < 400:
        return HookExecution(hook, fault=f"answered {answer.status}: a redirect is not followed")
    if not 200 <= answer.status < 300:
        return HookExecution(hook, fault=f"answered {answer.status}")
    if answer.cut:
        return HookExecution(
            hook, truncated=True, fault=f"the answer is longer than {KEPT // 1024} KiB"
        )
    text = answer.body.decode("utf-8-sig", "replace").strip()
    if text and not _is_object(text):
        return HookExecution(hook, fault="the answer is no JSON object")
    return HookExecution(hook, exit_code=0, stdout=http_policy.remove_secrets(text, secrets))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json_text.parse(text.encode()), dict)
    except ValueError:
        return False
