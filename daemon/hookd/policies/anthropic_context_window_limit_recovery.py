"""Recover from a request that exceeded the model's context window.

Claude Code compacts automatically, and usually in time. If the API still refuses a request as too
long, or cuts off an answer at its limit, the session is marked. At the next prompt the user and
the model are notified once, with the remedy.

A compaction, a successful tool call or a completed turn removes the mark. If a marked window ends
after reading files, without an active effort or a handover, a short handover is saved, so that the
next window knows those files. With an active effort the next window is informed from the effort's
own files in any case.
"""

import json
from typing import Any

from hookd.config.models import PolicyOptions
from hookd.core.context_window.client_commands import compact, new_window
from hookd.core.context_window.handover import MAX_FILES
from hookd.core.model.effects.sessions import Remember, SaveHandover
from hookd.core.model.facts import Effort, Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.failures import error_text, is_window_full, token_counts
from hookd.events.model import HookInput, PostToolUse, SessionEnd, Stop, StopFailure, UserPrompt

NAME = "anthropic-context-window-limit-recovery"


class Options(PolicyOptions):
    """No options besides the mode."""


def opine(event: HookInput, facts: Facts, _options: Options) -> Opinion | None:
    """Mark a full window, notify once, and save a handover if it ends while full."""
    session = facts.session
    if session is None or session.agent_id:
        return None
    kept = facts.policy_state.get(NAME)
    match event:
        case StopFailure():
            return _marked(event, session)
        case UserPrompt():
            return _told(session, kept, facts.client) if isinstance(kept, dict) else None
        case SessionEnd():
            return _left(session, kept, facts) if isinstance(kept, dict) else None
        case Stop() | PostToolUse():
            forgotten = (Remember(session.id, NAME, None),)
            return Opinion(effects=forgotten) if kept is not None else None
        case _:
            return None


def _marked(event: StopFailure, session: Session) -> Opinion | None:
    said = error_text(event.last_assistant_message, event.error_details)
    if is_window_full(said):
        mark = {"limit": "window", "tokens": token_counts(said), "told": False}
        return Opinion(effects=(Remember(session.id, NAME, mark),))
    if event.error == "max_output_tokens":
        return Opinion(effects=(Remember(session.id, NAME, {"limit": "answer", "told": False}),))
    return None


def _left(session: Session, mark: dict[str, Any], facts: Facts) -> Opinion | None:
    """Save a handover if the next window would otherwise find nothing."""
    known = session.handover or (facts.effort is not None and facts.effort.active)
    if known or mark.get("limit") != "window" or not session.loaded_files:
        return None
    refused = "The API refused a request that exceeded the context window"
    export = f"hookd dialogue export --session {session.claude_session_id}"
    payload = {
        "summary": "The previous window was full before its work was done, and saved no handover.",
        "lastAction": f"{refused}{_numbers(mark)}.",
        "nextSteps": [f"Read the dialogue: `{export}`. Ask the user about the remaining work."],
        "requiredFiles": list(session.loaded_files[-MAX_FILES:]),
    }
    return Opinion(effects=(SaveHandover(session.id, json.dumps(payload)),))


def _told(session: Session, mark: dict[str, Any], client: str) -> Opinion | None:
    if mark.get("told") or mark.get("limit") not in ("window", "answer"):
        return None
    kept = (Remember(session.id, NAME, {**mark, "told": True}),)
    if mark["limit"] == "answer":
        text = "The previous answer was cut off at the output limit. Answer in smaller parts."
        return Opinion(context=f"[hookd:{NAME}] {text}", effects=kept)
    text = f"The previous request exceeded the context window{_numbers(mark)}."
    commands = f"{compact(client)} or {new_window(client)}"
    context = (
        f"[hookd:{NAME}] {text} To continue, the user can type {commands}. To continue in a new"
        " window: hookd handover save (with `--restart`, `hookd run` restarts its client)."
    )
    return Opinion(context=context, system_message=f"{text} Next: {compact(client)}", effects=kept)


def _numbers(mark: dict[str, Any]) -> str:
    match mark.get("tokens"):
        case [int(had), int(most)]:
            return f" ({had:,} tokens, {most:,} fit)"
        case _:
            return ""


def _facts(state: object = None, **more: Any) -> Facts:
    session = Session(1, "s", loaded_files=("/work/orders.py",))
    return Facts(session=session, policy_state={NAME: state} if state else {}, **more)


def _failure(error: str, said: str) -> StopFailure:
    return StopFailure(hook_event_name="StopFailure", error=error, last_assistant_message=said)


_MARK = {"limit": "window", "tokens": [205_000, 200_000], "told": False}


def _examples() -> tuple[PolicyExample, ...]:
    full = _failure("invalid_request", "Prompt is too long: 205000 tokens > 200000 maximum")
    prompt = UserPrompt(hook_event_name="UserPromptSubmit", prompt="continue")
    ends = SessionEnd(hook_event_name="SessionEnd")
    tool = PostToolUse(hook_event_name="PostToolUse", tool_name="Bash", tool_input={})
    effort = Effort(1, "/work/demo", "implement")
    return (
        PolicyExample(full, _facts(), says="effects"),
        PolicyExample(_failure("max_output_tokens", ""), _facts(), says="effects"),
        PolicyExample(_failure("invalid_request", "a broken image"), _facts(), says=""),
        PolicyExample(prompt, _facts(_MARK), says="context"),
        PolicyExample(prompt, _facts({"limit": "answer", "told": False}), says="context"),
        PolicyExample(prompt, _facts({**_MARK, "told": True}), says=""),
        PolicyExample(prompt, _facts(), says=""),
        PolicyExample(tool, _facts(_MARK), says="effects"),
        PolicyExample(tool, _facts(), says=""),
        PolicyExample(ends, _facts(_MARK), says="effects"),
        PolicyExample(ends, _facts(_MARK, effort=effort), says=""),
        PolicyExample(ends, _facts(), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=156,
    events=frozenset({"StopFailure", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
