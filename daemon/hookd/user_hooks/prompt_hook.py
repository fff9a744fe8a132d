"""Runs the user's prompt hooks: a model judges the event, by an endpoint or by a program.

The endpoint's key is read at each call, and is in the request's header alone.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from hookd import json_text
from hookd.config.models import PromptOptions
from hookd.core.hook_rules.http_policy import Target, parse_url, remove_secrets
from hookd.core.hook_rules.model import Hook, HookExecution
from hookd.core.hook_rules.prompt_protocol import (
    SUPPORTED_EVENTS,
    SYSTEM_PROMPT,
    Verdict,
    as_execution,
    build_prompt,
    parse_reply,
    parse_verdict,
)
from hookd.lazy_dataclass import dataclass
from hookd.paths import variable
from hookd.user_hooks.http_client import Answer, ExchangeError, Request, aside, exchange

_API = "2023-06-01"
_READ = 1024 * 1024
_KEY = 4096


@dataclass(frozen=True, slots=True)
class PromptBackend:
    """What the daemon lends to a prompt hook.

    `spend` takes one call from the day's budget, or says no. `run` runs a command hook with this
    text on its stdin, as any other of this event. `refusal` returns what a command prints to refuse
    an event, by the event and the reason.
    """

    spend: Callable[[], bool]
    run: Callable[[Hook, bytes], Awaitable[HookExecution]]
    refusal: Callable[[str, str], str]


async def judge(
    hook: Hook, payload: bytes, deadline: float, options: PromptOptions, means: PromptBackend
) -> HookExecution:
    """Return what the model's verdict says on this event, by the loop's clock until `deadline`."""
    clock = asyncio.get_running_loop().time
    began = clock()
    try:
        async with asyncio.timeout_at(deadline):
            verdict = await _asked(hook, payload, deadline, options, means)
            ran = as_execution(hook, verdict, means.refusal)
    except TimeoutError:
        fault = f"timed out after {max(deadline - began, 0):.3g} s"
        ran = HookExecution(hook, timed_out=True, fault=fault)
    except (ExchangeError, ValueError) as error:
        ran = HookExecution(hook, fault=str(error))
    return replace(ran, milliseconds=(clock() - began) * 1000)


async def _asked(
    hook: Hook, payload: bytes, deadline: float, options: PromptOptions, means: PromptBackend
) -> Verdict:
    if hook.event not in SUPPORTED_EVENTS:
        raise ExchangeError(f"a prompt hook has no say on {hook.event}")
    if len(payload) > options.max_event:
        size = f"{len(payload):,} bytes, more than user_hooks.prompt.max_event"
        raise ExchangeError(f"the event is too long to be judged: {size}")
    asked = build_prompt(hook.prompt, payload)
    if options.command:
        _spent(means.spend)
        return parse_verdict(await _by_program(hook, asked, options, means))
    if not options.endpoint:
        raise ExchangeError(
            "prompt hooks are off: set user_hooks.prompt.endpoint or user_hooks.prompt.command"
        )
    target = _target(options.endpoint)
    key = await aside(lambda: _key(options))
    request = _request(target, key, hook.model or options.model, asked, options.max_tokens)
    _spent(means.spend)
    return parse_verdict(remove_secrets(_read(await exchange(request, deadline)), [key]))


def _spent(spend: Callable[[], bool]) -> None:
    if not spend():
        raise ExchangeError("the calls of this day are used up: user_hooks.prompt.budget_per_day")


async def _by_program(hook: Hook, asked: str, options: PromptOptions, means: PromptBackend) -> str:
    program, *args = options.command
    command = replace(
        hook,
        type="command",
        command=program,
        args=tuple(args),
        background=False,
        rewake=False,
        chain=None,
    )
    ran = await means.run(command, f"{SYSTEM_PROMPT}\n\n{asked}\n".encode("utf-8", "replace"))
    if ran.timed_out:
        raise TimeoutError
    if ran.fault or ran.exit_code:
        why = ran.fault or f"exit code {ran.exit_code}"
        raise ExchangeError(f"the program of user_hooks.prompt.command failed: {why}")
    return ran.stdout


def _target(endpoint: str) -> Target:
    try:
        return parse_url(endpoint)
    except ValueError as error:
        raise ExchangeError(f"user_hooks.prompt.endpoint: {error}") from error


def _request(target: Target, key: str, model: str | None, asked: str, room: int) -> Request:
    if not model:
        raise ExchangeError("no model is named: set user_hooks.prompt.model")
    said = {
        "model": model,
        "max_tokens": room,
        "system": SYSTEM_PROMPT,
        "messages": [{"role": "user", "content": asked}],
    }
    headers = {"Content-Type": "application/json", "anthropic-version": _API}
    if key:
        headers["x-api-key"] = key
    return Request(target, json_text.dump(said), headers, _READ, guarded=bool(key))


def _read(answer: Answer) -> str:
    if answer.status in (401, 403):
        raise ExchangeError(
            f"the endpoint answered {answer.status}: is user_hooks.prompt.key_file right?"
        )
    if not 200 <= answer.status < 300:
        raise ExchangeError(f"the endpoint answered {answer.status}")
    try:
        return parse_reply(answer.body)
    except ValueError as error:
        raise ExchangeError(f"the endpoint's answer cannot be read: {error}") from error


def _key(options: PromptOptions) -> str:
    """Return the endpoint's key, or "" if none is named: a local endpoint needs none."""
    if options.key_file:
        name, text = "user_hooks.prompt.key_file", _from_file(options.key_file)
    elif options.key_env:
        name, text = "user_hooks.prompt.key_env", variable(options.key_env) or ""
    else:
        return ""
    key = text.strip()
    if not key:
        raise ExchangeError(f"{name} names nothing that holds a key")
    if not key.isascii() or not key.isprintable() or " " in key or len(key) >= _KEY:
        raise ExchangeError(f"what {name} names is no key")
    return key


def _from_file(named: str) -> str:
    path = Path(named).expanduser()
    try:
        if not path.is_file():  # a pipe would be waited for
            return ""
        with path.open("rb") as file:
            return file.read(_KEY).decode("utf-8", "replace")
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no such user's home
        why = getattr(error, "strerror", None) or "it names no place"
        raise ExchangeError(f"user_hooks.prompt.key_file cannot be read: {why}") from error
