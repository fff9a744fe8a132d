"""The calls that guards judge in place of a call that applies a patch, or reads several pages.

A call of ApplyPatch is judged by its parts; a command that runs `apply_patch` as a command, and by
the parts of the patch; a WebFetch of several addresses by each of them. Every other call is judged
alone.
"""

from collections.abc import Iterator
from dataclasses import replace

from hookd.core.evaluation.judged_call import JudgedCall
from hookd.core.model.facts import Facts
from hookd.events.call_parts import (
    APPLY_PATCH,
    CallPart,
    parts_of_patch,
    patch_text,
    unreadable_part,
)
from hookd.events.model import HookInput, ToolInput
from hookd.events.patch import MAX_FILES
from hookd.policy_support.call_context import context_of
from hookd.risk.patch_commands import AppliedPatch, applied_patches

_UNKNOWN_FOLDER = "the folder in which the patch is applied is not known"


def may_have_parts(event: HookInput) -> bool:
    """Return whether an event may have other calls to judge than itself; costs next to nothing."""
    fields = vars(event)  # isinstance of a model is slow
    tool = fields.get("tool_name")
    if tool != "Bash":
        return tool == APPLY_PATCH or (tool == _FETCH and "urls" in fields["tool_input"])
    command = fields["tool_input"].get("command")
    return isinstance(command, str) and ("patch" in command or "*** " in command)


def judged_calls(event: HookInput, facts: Facts) -> tuple[JudgedCall, ...]:
    """Return the calls to judge for an event; the event itself for most."""
    if not isinstance(event, ToolInput) or not may_have_parts(event):
        return (JudgedCall(event),) if isinstance(event, ToolInput) else ()
    if event.tool_name == APPLY_PATCH:
        found = parts_of_patch(patch_text(event.tool_input), event.cwd or "")
        return tuple(_judged(event, part) for part in found)
    if event.tool_name == _FETCH:
        return _pages(event)
    if event.call.shell.unreadable:
        return (JudgedCall(event),)
    patches = tuple(applied_patches(event.call.shell, context_of(event, facts)))
    parts = tuple(judged for patch in patches for judged in _of_command(event, patch))
    if len(parts) > _MAX_PARTS:
        why = f"the patches have more than {MAX_FILES} files"
        parts = (_judged(event, unreadable_part(why)),)
    return (JudgedCall(event), *parts)


_MAX_PARTS = 4 * MAX_FILES

_FETCH = "WebFetch"
_MAX_PAGES = 100


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
