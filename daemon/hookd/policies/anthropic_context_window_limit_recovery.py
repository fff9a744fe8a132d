"""What to do when a request did not fit into the model's window.

Claude Code compacts by itself, and usually in time. Where the API has refused a request as too long
all the same, or has cut an answer off at its limit, the session is marked. With the next prompt the
user and the model are told once what happened, and what helps.

A compaction, a tool that goes well or a turn that ends well removes the mark. A window that ends
with it, has read files, and has neither an active effort nor a handover, is given a short one, so
that the next window knows which files those were. With an active effort the next window is told
from the effort's own files in any case.
"""

import json
from typing import Any

from hookd.config.models import PolicyOptions
from hookd.core.context_window.handover import MAX_FILES
from hookd.core.model.effects.sessions import Remember, SaveHandover
from hookd.core.model.facts import Effort, Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.failures import error_text, is_window_full, token_counts
from hookd.events.model import HookInput, PostToolUse, SessionEnd, Stop, StopFailure, UserPrompt

NAME = "anthropic-context-window-limit-recovery"


class Options(PolicyOptions):
    """It has none but its mode."""


def opine(event: HookInput, facts: Facts, _options: Options) -> Opinion | None:
    """Mark a full window, tell of it once, and leave a handover where it ends like that."""
    session = facts.session
    if session is None or session.agent_id:
        return None
    kept = facts.policy_state.get(NAME)
    match event:
        case StopFailure():
            return _marked(event, session)
        case UserPrompt():
            return _told(session, kept) if isinstance(kept, dict) else None
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
    """Leave something for the next window, where it would find nothing at all."""
    known = session.handover or (facts.effort is not None and facts.effort.active)
    if known or mark.get("limit") != "window" or not session.loaded_files:
        return None
    refused = "A request to the model was refused, since it was longer than the window"
    export = f"hookd dialogue export --session {session.claude_session_id}"
    payload = {
        "summary": "The window before was full before its work was done, and wrote no handover.",
        "lastAction": f"{refused}{_numbers(mark)}.",
        "nextSteps": [f"`{export}` shows what was said; the user knows what is left to do."],
        "requiredFiles": list(session.loaded_files[-MAX_FILES:]),
    }
    return Opinion(effects=(SaveHandover(session.id, json.dumps(payload)),))


def _told(session: Session, mark: dict[str, Any]) -> Opinion | None:
    if mark.get("told") or mark.get("limit") not in ("window", "answer"):
        return None
    kept = (Remember(session.id, NAME, {**mark, "told": True}),)
    if mark["limit"] == "answer":
        text = "The answer before was cut off at the limit of its length. Smaller parts fit."
        return Opinion(context=f"[hookd:{NAME}] {text}", effects=kept)
    text = f"The request before was too long for the context window{_numbers(mark)}."
    context = (
        f"[hookd:{NAME}] {text} It needs less to go on: the user can type /compact or /clear;"
        " `hookd handover save` leaves the work for the next window, and with `--restart` a client"
        " that `hookd run` started begins anew."
    )
    return Opinion(context=context, system_message=f"{text} /compact makes room.", effects=kept)


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


_FULL = _failure("invalid_request", "Prompt is too long: 205000 tokens > 200000 maximum")
_PROMPT = UserPrompt(hook_event_name="UserPromptSubmit", prompt="go on")
_ENDS = SessionEnd(hook_event_name="SessionEnd")
_TOOL = PostToolUse(hook_event_name="PostToolUse", tool_name="Bash", tool_input={})
_EFFORT = Effort(1, "/work/demo", "implement")
_MARK = {"limit": "window", "tokens": [205_000, 200_000], "told": False}

POLICY = Policy(
    name=NAME,
    priority=156,
    events=frozenset({"StopFailure", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=(
        PolicyExample(_FULL, _facts(), says="effects"),
        PolicyExample(_failure("max_output_tokens", ""), _facts(), says="effects"),
        PolicyExample(_failure("invalid_request", "a broken image"), _facts(), says=""),
        PolicyExample(_PROMPT, _facts(_MARK), says="context"),
        PolicyExample(_PROMPT, _facts({"limit": "answer", "told": False}), says="context"),
        PolicyExample(_PROMPT, _facts({**_MARK, "told": True}), says=""),
        PolicyExample(_PROMPT, _facts(), says=""),
        PolicyExample(_TOOL, _facts(_MARK), says="effects"),
        PolicyExample(_TOOL, _facts(), says=""),
        PolicyExample(_ENDS, _facts(_MARK), says="effects"),
        PolicyExample(_ENDS, _facts(_MARK, effort=_EFFORT), says=""),
        PolicyExample(_ENDS, _facts(), says=""),
    ),
)
