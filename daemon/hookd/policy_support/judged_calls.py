"""The calls that guards judge in place of a call that does several things, or may do another one.

A call of ApplyPatch is judged by its parts; a command that runs `apply_patch` as a command, and by
the parts of the patch; a WebFetch of several addresses by each of them; a batch by each call that
it carries. Text that is typed into a running program is judged as a command, and as input of each
program that would run it as code. Every other call is judged alone.
"""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from hookd.core.evaluation.judged_call import JudgedCall
from hookd.core.model.facts import Facts
from hookd.events.call_parts import (
    APPLY_PATCH,
    BATCH,
    CallPart,
    parts_of_patch,
    patch_text,
    unreadable_part,
)
from hookd.events.model import HookInput, ToolInput
from hookd.events.patch import MAX_FILES
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.call_context import context_of
from hookd.risk.patch_commands import AppliedPatch, applied_patches

_UNKNOWN_FOLDER = "the folder in which the patch is applied is not known"


def may_have_parts(event: HookInput) -> bool:
    """Return whether an event may have other calls to judge than itself; costs next to nothing."""
    fields = vars(event)  # isinstance of a model is slow
    tool = fields.get("tool_name")
    if tool != "Bash":
        more = tool == _FETCH and "urls" in fields["tool_input"]
        return more or tool in _WITH_PARTS or bool(fields.get("typed_text"))
    command = fields["tool_input"].get("command")
    return isinstance(command, str) and (
        "patch" in command or "*** " in command or fields["typed_text"]
    )


def judged_calls(event: HookInput, facts: Facts) -> tuple[JudgedCall, ...]:
    """Return the calls to judge for an event; the event itself for most."""
    if not isinstance(event, ToolInput) or not may_have_parts(event):
        return (JudgedCall(event),) if isinstance(event, ToolInput) else ()
    if event.tool_name == APPLY_PATCH:
        found = parts_of_patch(patch_text(event.tool_input), event.cwd or "")
        return tuple(_judged(event, part) for part in found)
    if event.tool_name == _FETCH:
        return _pages(event)
    if event.tool_name == BATCH:
        return tuple(_carried(event, facts))
    typed = tuple(_as_input(event)) if event.typed_text else ()
    if event.call.shell.unreadable:
        return (JudgedCall(event), *typed)
    patches = tuple(applied_patches(event.call.shell, context_of(event, facts)))
    parts = tuple(judged for patch in patches for judged in _of_command(event, patch))
    if len(parts) > _MAX_PARTS:
        why = f"the patches have more than {MAX_FILES} files"
        parts = (_judged(event, unreadable_part(why)),)
    return (JudgedCall(event), *parts, *typed)


_WITH_PARTS = frozenset({APPLY_PATCH, BATCH})
_MAX_PARTS = 4 * MAX_FILES

_FETCH = "WebFetch"
_MAX_PAGES = 100
_MAX_CALLS = 100

_PROGRAMS = {
    "python3 -c": "",
    "node -e": "",
    "ruby -e": "",
    "perl -e": "",
    "psql -c": "",
    "redis-cli <<<": "",
    "mongosh --eval": "db",
}
"""How programs are given code, and what it contains for them; psql is each that reads SQL."""

_ESCAPE = lazy_compile(r"(?m)^[ \t]*(?:\\?!|[.:]?(?:shell|system)\b)[ \t]*(.+)")
"""A line that such a program gives to a shell: `!ls`, `\\! ls`, `.shell ls`."""


_MAX_ESCAPES = 16
"""Such lines of one text that are judged."""


def _as_input(event: ToolInput) -> Iterator[JudgedCall]:
    """Yield the commands that do what a typed text does in a program that is no shell."""
    text = event.tool_input.get("command")
    if not isinstance(text, str) or not text.strip():
        return
    found = {f"{name} {shlex.quote(text)}": name for name, has in _PROGRAMS.items() if has in text}
    found |= {escaped[1]: "shell" for escaped in islice(_ESCAPE.finditer(text), _MAX_ESCAPES)}
    for command, name in found.items():
        part = CallPart("Bash", {"command": command}, f"as input of {name.split(' ')[0]}")
        yield replace(_judged(event, part, part_of=""), reading=True)


def _carried(event: ToolInput, facts: Facts) -> Iterator[JudgedCall]:
    """Yield the calls that a batch carries, each with its own parts."""
    calls = event.tool_input.get("calls")
    if not isinstance(calls, list) or len(calls) > _MAX_CALLS:
        why = f"the batch has no list of at most {_MAX_CALLS} calls"
        yield _judged(event, unreadable_part(why))
        return
    for number, call in enumerate(calls, 1):
        name = f"call {number} of the batch"
        one = _carried_call(event, call, name)
        if one is None:
            yield _judged(event, unreadable_part(f"{name} cannot be read"))
        elif may_have_parts(one.event):
            found = judged_calls(one.event, facts)
            yield from (part if part.file else replace(part, file=name) for part in found)
        else:
            yield one


def _carried_call(event: ToolInput, call: object, name: str) -> JudgedCall | None:
    """Return a call of a batch; None if it is malformed, or a batch itself."""
    if not isinstance(call, Mapping) or not isinstance(call.get("tool_input"), dict):
        return None
    tool = call.get("tool_name")
    if not isinstance(tool, str) or tool == BATCH:
        return None
    readings = call.get("tool_readings")
    names = tuple(map(str, readings)) if isinstance(readings, list) else ()
    own = event.model_copy(update={"tool_readings": names})
    return _judged(own, CallPart(tool, call["tool_input"], name), part_of=BATCH)


def _pages(event: ToolInput) -> tuple[JudgedCall, ...]:
    """Return a call for each of the `urls`: a client may fetch several pages by one call."""
    named, first = event.tool_input["urls"], event.tool_input.get("url")
    urls = [one for one in named if isinstance(one, str)] if isinstance(named, list) else []
    urls = [first, *urls] if urls and isinstance(first, str) else urls
    if not urls:
        return (JudgedCall(event),)
    if len(urls) > _MAX_PAGES:
        return (_judged(event, unreadable_part(f"it fetches more than {_MAX_PAGES} pages")),)
    rest = {key: value for key, value in event.tool_input.items() if key != "urls"}
    pages = (CallPart(_FETCH, rest | {"url": url}, url) for url in dict.fromkeys(urls))
    return tuple(_judged(event, page, part_of="") for page in pages)


def _of_command(event: ToolInput, patch: AppliedPatch) -> Iterator[JudgedCall]:
    for folder in patch.folders:
        if patch.text:
            for part in parts_of_patch(patch.text, folder or event.cwd or ""):
                yield _judged(event, part)
        if folder is None:
            yield _judged(event, unreadable_part(_UNKNOWN_FOLDER))
    if patch.problem:
        yield _judged(event, unreadable_part(patch.problem))


def _judged(event: ToolInput, part: CallPart, part_of: str = APPLY_PATCH) -> JudgedCall:
    copied = event.model_copy(update={"tool_name": part.tool, "tool_input": part.input})
    copied.__dict__.pop("call", None)  # the call of the whole event, if it was read before
    copied.__dict__["call"] = replace(copied.call, part_of=part_of)  # no payload can set it
    return JudgedCall(copied, part.file)
