"""Reply of a user hook: its exit code and output, read as an opinion on the event.

As Claude Code reads it: an answer on stdout is read on every exit code; 2 blocks where the event
can be blocked, and no answer undoes it; any other code but 0, without an answer, is a failure, and
what follows a failure is the hook's own `on_failure`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from hookd.core.hook_rules.model import HookExecution
from hookd.core.model.verdict import Opinion, Verdict
from hookd.events.answer_fields import OF_EVENT
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.user_hooks.hook_output import Output, parse

_PLAIN_IS_CONTEXT = frozenset(
    {"SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch"}
)
_PRINTED_IS = {"PreCompact": "compact_instructions", "PostCompact": "compact_message"}
"""Events where what is printed, an answer or not, is used as text, and the field it becomes."""

_STOPS = frozenset({"Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"})
"""Where a hook that fails must not keep the agent running forever: its failure never blocks."""

_HALTS = frozenset({"TaskCompleted", "TeammateIdle"})
"""Events that no answer blocks: it can only end the turn."""

_ELICITS = frozenset({"Elicitation", "ElicitationResult"})
_TOLD_TO_USER = frozenset({"SessionStart", "PostModelSwitch", "Setup", "SubagentStart"})

# No control character inside: one could end the sequence early and begin another.
_HARMLESS_SEQUENCES = lazy_compile(
    r"(?:\x07|\x1b\](?:0|1|2|9|99|777);[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\))*"
)
"""OSC 0, 1, 2, 9, 99 and 777 (titles, progress, notifications) and BEL."""

_NOT_THERE = ("no such file", "can't open")

_TOLD, _SHOWN = 4_000, 500
"""Characters of what a hook printed that a model reads on stdout, and that a user is asked with."""

Weight = Literal["block", "ask"]


@dataclass(frozen=True, slots=True)
class HookReply:
    """Reply of a hook: its opinion, None for silence, and sentences for the log."""

    opinion: Opinion | None = None
    notes: tuple[str, ...] = ()


def opinion(ran: HookExecution, event: str) -> Opinion | None:
    """Return the opinion of a hook on an event; None is silence."""
    return reply_of(ran, event).opinion


def reply_of(ran: HookExecution, event: str) -> HookReply:
    """Return the reply of a hook to an event. A background hook decides nothing."""
    if ran.hook.background or ran.started_background:
        return HookReply()
    if event == "WorktreeCreate" or event not in EVENTS:
        return HookReply(notes=(f"what a hook says on {event or 'no event'} is not taken",))
    if ran.fault or ran.timed_out:
        return _never_ended(ran, event)
    output = parse(ran.stdout, event, cut=ran.truncated)
    return HookReply() if output.handed_over else _ended(ran, event, output)


def later(ran: HookExecution, event: str) -> str:
    """Return the text for the model of a background hook that has ended; "" if there is none."""
    if ran.fault or ran.timed_out:
        return ""
    if ran.hook.rewake:
        return (ran.stderr.strip() or ran.stdout.strip()) if ran.exit_code == 2 else ""
    lines = ran.stdout.strip().splitlines()
    rest = lines[1:] if lines and parse(lines[0], event).handed_over else lines
    outputs = (parse(text, event) for text in ("\n".join(rest), *rest))
    found = next((output for output in outputs if output.answer is not None), Output())
    told = (found.specific.get("additionalContext"), (found.answer or {}).get("systemMessage"))
    return "\n\n".join(text for text in told if text)


def _never_ended(ran: HookExecution, event: str) -> HookReply:
    why = ran.fault or "timed out"
    notes = (why,)
    if event == "PreModelSwitch" and (ran.timed_out or ran.hook.type == "command"):
        # The client itself blocks here: a switch cannot be taken back.
        return HookReply(
            _blocked(event, Opinion(rule=ran.hook.id), f"Hook {ran.hook.id}: {why}"), notes
        )
    wishes = (ran.hook.on_error, ran.hook.on_failure if ran.hook.on_failure == "ask" else "warn")
    if "block" in wishes and event not in _STOPS:
        return HookReply(
            _blocked(event, Opinion(rule=ran.hook.id), f"Hook {ran.hook.id}: {why}"), notes
        )
    if "ask" in wishes and _knows_ask(event):
        return HookReply(_asked(Opinion(rule=ran.hook.id), ran, why), notes)
    return HookReply(None, notes)


def _ended(ran: HookExecution, event: str, output: Output) -> HookReply:
    code = ran.exit_code or 0
    spoken, notes = _spoken(ran, event, output)
    refuses = code == 2 and event != "PermissionRequest" and not _broken(ran, event)
    failed = bool(output.fault) or (code != 0 and not refuses)
    weight: Weight | None = "block" if refuses or output.blocks is not None else None
    if failed and weight is None:
        weight = _on_failure(ran, event)
    spoken = _beside_exit_code(code, event, spoken)
    if weight == "block":
        spoken = _blocked(event, spoken, _reason(ran, event, output, spoken))
    elif weight == "ask" and spoken.verdict not in ("deny", "defer"):
        spoken = _asked(spoken, ran, output.fault or f"exit code {code}")
    if spoken.verdict == "deny" and not spoken.reason:
        spoken = replace(spoken, reason=_default(event))
    said = None if spoken == Opinion(rule=ran.hook.id) else spoken
    return HookReply(said, (*notes, *_notes(event, code, output, refuses)))


def _beside_exit_code(code: int, event: str, spoken: Opinion) -> Opinion:
    """Return the opinion of an answer, less what its exit code takes back."""
    if code == 2 and spoken.verdict == "allow":
        return replace(spoken, verdict=None, updated_input=None)
    if code and event == "MessageDisplay":
        return replace(spoken, event_fields={})  # the client shows the text itself then
    return spoken


def _notes(event: str, code: int, output: Output, refuses: bool) -> Iterator[str]:
    if output.fault:
        yield output.fault
    if refuses and not _can_be_blocked(event):
        yield f"{event} cannot be blocked: exit code 2 only adds a message"
    elif code and not refuses and output.answer is None:
        yield f"Hook failed with exit code {code}"


def _can_be_blocked(event: str) -> bool:
    return bool(EVENTS[event].decides) or event in _HALTS | _ELICITS


def _broken(ran: HookExecution, event: str) -> bool:
    """Return whether an exit code 2 only says that the hook's own program is not there."""
    plugin = event == "UserPromptSubmit" and ran.hook.source.layer == "plugin"
    if ran.stdout.strip() or not (event in _STOPS or plugin):
        return False
    return any(words in ran.stderr.lower() for words in _NOT_THERE)


def _on_failure(ran: HookExecution, event: str) -> Weight | None:
    what = ran.hook.on_failure
    if what == "block" and event not in _STOPS:
        return "block"
    return "ask" if what == "ask" and _knows_ask(event) else None


def _knows_ask(event: str) -> bool:
    return EVENTS[event].decides in ("permission", "request", "switch")


def _asked(spoken: Opinion, ran: HookExecution, why: str) -> Opinion:
    reason = f"Hook {ran.hook.id} failed ({why}) and could not judge this."
    # The client shows the user nothing else of it.
    printed = _head(ran.stderr.strip() or ran.stdout.strip(), _SHOWN)
    return replace(spoken, verdict="ask", reason="\n".join(filter(None, (reason, printed))))


def _reason(ran: HookExecution, event: str, output: Output, spoken: Opinion) -> str:
    """Return why it blocks: as its answer says, else as it printed; stderr before stdout."""
    told = output.blocks or (spoken.reason if spoken.verdict == "deny" else "")
    printed = ran.stderr.strip() if ran.exit_code or output.fault else ""
    if told or printed:
        return told or printed
    if ran.exit_code in (None, 0, 2):
        return _default(event)
    return _head(output.text, _TOLD) or output.fault or "Hook exited with non-zero status"


def _head(text: str, room: int) -> str:
    """Return the beginning of what was printed, and whether that is all: whole lines, if it can."""
    if len(text) <= room:
        return text
    kept = text[:room].rpartition("\n")[0] or text[:room]
    return f"{kept}\n..."


def _default(event: str) -> str:
    return f"Blocked by a {event} hook that gave no reason."


def _blocked(event: str, spoken: Opinion, reason: str) -> Opinion:
    """Return the opinion as the block that the event knows."""
    if not _can_be_blocked(event):
        return _shown_instead(event, spoken, reason)
    denied = replace(spoken, verdict="deny", reason=reason, updated_input=None)
    if event in _HALTS:
        return replace(denied, stops_turn=True, stop_reason=reason)
    return replace(denied, event_fields={"action": "decline"}) if event in _ELICITS else denied


def _shown_instead(event: str, spoken: Opinion, reason: str) -> Opinion:
    """Return the opinion on an event that cannot be blocked: some show the reason instead."""
    if event == "PostToolUseFailure":
        return replace(spoken, context=_joined(spoken.context, reason))
    if event in _TOLD_TO_USER:
        return replace(spoken, system_message=_joined(spoken.system_message, reason))
    if event == "PostCompact":
        return replace(spoken, event_fields={**spoken.event_fields, "compact_message": reason})
    return spoken


def _joined(one: str, other: str) -> str:
    return f"{one}\n\n{other}" if one else other


def _spoken(ran: HookExecution, event: str, output: Output) -> tuple[Opinion, tuple[str, ...]]:
    """Return what the hook printed as an opinion, and notes; without its exit code's weight."""
    used = _printed_text(ran, event, output)
    if output.answer is not None:
        spoken, notes = _answered(ran.hook.id, event, output)
        return replace(spoken, event_fields={**spoken.event_fields, **used}), notes
    context = output.text if event in _PLAIN_IS_CONTEXT and not ran.exit_code else ""
    return Opinion(context=context, rule=ran.hook.id, event_fields=used), ()


def _printed_text(ran: HookExecution, event: str, output: Output) -> dict[str, Any]:
    name, printed = _PRINTED_IS.get(event), ran.stdout.strip()
    if name is None or ran.exit_code or output.blocks is not None or printed in ("", "{}"):
        return {}
    return {name: printed}


def _answered(rule: str, event: str, output: Output) -> tuple[Opinion, tuple[str, ...]]:
    spec, answer, own = EVENTS[event], output.answer or {}, output.specific
    verdict, reason, updated = _decided(event, answer, own)
    also, notes = _event_fields(event, answer, own)
    halts = spec.engine and answer.get("continue") is False
    opinion = Opinion(
        verdict,
        reason,
        context=own.get("additionalContext", "") if spec.context else "",
        system_message=answer.get("systemMessage", "") if spec.engine else "",
        updated_input=updated,
        rule=rule,
        stops_turn=halts,
        stop_reason=answer.get("stopReason", "") if halts else "",
        event_fields=also,
    )
    return opinion, notes


def _decided(
    event: str, answer: Mapping[str, Any], own: Mapping[str, Any]
) -> tuple[Verdict | None, str, dict[str, Any] | None]:
    decides = EVENTS[event].decides
    if decides == "request":
        decision = own.get("decision", {})
        given = decision.get("behavior")
        return given, decision.get("message", ""), decision.get("updatedInput")
    if decides not in ("permission", "switch"):
        return None, "", None
    verdict: Verdict | None = own.get("permissionDecision")
    reason = own.get("permissionDecisionReason", "") if verdict else ""
    if verdict is None and decides == "permission" and answer.get("decision") == "approve":
        verdict, reason = "allow", answer.get("reason", "")
    return verdict, reason, own.get("updatedInput")


def _event_fields(
    event: str, answer: Mapping[str, Any], own: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the fields that this event alone has, and a note where one is not passed on."""
    places = {"top": answer, "specific": own, "decision": own.get("decision", {})}
    found = {
        field.name: places[field.place][field.key]
        for field in OF_EVENT[event]
        if field.key in places[field.place] and field.name not in _PRINTED_IS.values()
    }
    if "content" in found and "action" not in found:
        del found["content"]
    if _is_harmless_sequence(found.get("terminal_sequence", "")):
        return found, ()
    del found["terminal_sequence"]
    return found, ("its terminalSequence holds more than titles, notifications and bells",)


def _is_harmless_sequence(text: str) -> bool:
    return _HARMLESS_SEQUENCES.fullmatch(text) is not None
