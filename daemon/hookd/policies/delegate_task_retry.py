"""Explain why a delegated call failed, and what a correct call looks like.

Recognized errors, in this order: unknown agent types (with the available ones, if the error lists
them), a missing prompt or description, unknown models, full context windows, timeouts, rate limits,
lost connections and aborted runs. Other errors get a general hint. User interrupts are ignored.
"""

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.delegation import TOOLS, report
from hookd.events.model import HookInput, PostToolUse, PostToolUseFailure
from hookd.events.tool_results import Failure, failures, reported_state, unreported
from hookd.lazy_pattern import lazy_compile


class Options(PolicyOptions):
    """No options besides the mode."""


_NAME = "delegate-task-retry"

_CALL = (
    'A call needs a short "description" and a "prompt" with the whole task; "subagent_type",'
    ' "model" and "run_in_background" are optional: {"description": "Check the tests", "prompt":'
    ' "Run the tests of ... and report ...", "subagent_type": "general-purpose"}.'
)

_DENIED = ("denied by permission", "permission to use", "has been denied")
_UNKNOWN = ("unknown agent", "invalid agent", "agent not found", "unknown subagent")
_MISSING = ("inputvalidationerror", "required parameter", "invalid arguments", "missing required")
_MODEL = (
    "model not found", "unknown model", "invalid model", "issue with the selected model",
    "model_not_found", "not_found_error", "model is not available",
)  # fmt: skip

_KINDS = (
    (
        (
            "prompt is too long", "context_length", "context length", "context window",
            "too many tokens", "maximum context", "input is too long",
        ),
        "The subagent's context window was full. Split the task, or name files instead of quoting"
        " them.",
    ),
    (
        ("timed out", "timeout", "etimedout"),
        "The subagent timed out. Retry, preferably with a smaller task or"
        ' "run_in_background": true.',
    ),
    (
        ("rate limit", "rate_limit", "ratelimit", "error: 429", "too many requests", "overloaded",
         "error: 529", "usage limit"),
        "The service limits requests. Retry after a pause, with fewer subagents at a time.",
    ),
    (
        ("econnrefused", "econnreset", "enotfound", "connection", "network", "fetch failed",
         "socket hang up"),
        "The connection was lost. Retry the same call.",
    ),
    (
        ("aborted", "aborterror", "cancelled", "canceled", "was interrupted", "was stopped"),
        "The subagent was aborted. Its changes may be incomplete: check them, then repeat the"
        " call if the result is still needed.",
    ),
)  # fmt: skip
"""Words that identify an error, in lower case, and the hint for it."""

_LISTS = ("available agents:", "available agent types:", "available types:", "available:")


def opine(event: HookInput, facts: Facts, _options: Options) -> Opinion | None:
    """Give a hint for each failed delegation that has none yet."""
    state, session = facts.policy_state.get(_NAME), facts.session
    found = unreported(_failed(event), state)
    if not found:
        return None
    lines = dict.fromkeys(f"[hookd:{_NAME}] {_hint(one.text)}" for one in found)
    return Opinion(
        context="\n".join(list(lines)[:3]),
        effects=(Remember(session.id, _NAME, reported_state(found, state)),) if session else (),
    )


def _failed(event: HookInput) -> tuple[Failure, ...]:
    if isinstance(event, PostToolUse):
        known = report(event)
        error = known.error if known else ""
        call = Failure(event.tool_name, event.tool_input, event.tool_use_id, error)
        return (call,) if error else ()
    return failures(event, TOOLS)


def _hint(error: str) -> str:
    said = error.casefold()
    return _wrong(said, error) or next(
        (hint for texts, hint in _KINDS if _any(texts, said)),
        f"The delegated call failed. Correct the call as its error says. {_CALL}",
    )


def _wrong(said: str, error: str) -> str:
    """Return the hint for an invalid call; "" if it is valid."""
    if _any(_DENIED, said):
        return "The user's permissions deny this subagent. Use another type, or ask the user."
    if _any(_UNKNOWN, said) or ("agent type" in said and "not found" in said):
        return f"This agent type does not exist.{_available(error)} {_CALL}"
    if _any(_MISSING, said):
        named = [f'"{name}"' for name in ("prompt", "description", "subagent_type") if name in said]
        about = f": {' and '.join(named)}" if named else ""
        return f"The call is invalid{about}. {_CALL}"
    if _any(_MODEL, said):
        return (
            f'The model is not available to this account. Omit "model" to use the default. {_CALL}'
        )
    return ""


def _available(error: str) -> str:
    """Return the available types that the error lists, as one line."""
    said = error.casefold()
    place, mark = next(((said.find(mark), mark) for mark in _LISTS if mark in said), (-1, ""))
    listed = error[place + len(mark) :].strip().partition("\n")[0].strip(" .") if mark else ""
    # Names and nothing else: the error may be a subagent's own words.
    names = [name for one in listed.split(",") if _TYPE.fullmatch(name := one.strip())]
    whole = ", ".join(names)
    whole = (
        whole
        if len(whole) <= _MAX_LIST_CHARS
        else f"{whole[:_MAX_LIST_CHARS].rpartition(',')[0]}, ..."
    )
    return f" Available: {whole}." if names else ""


_MAX_LIST_CHARS = 600
"""Maximum characters of the list of available types."""

_TYPE = lazy_compile(r"[\w:.@/-]{1,100}")


def _any(texts: tuple[str, ...], said: str) -> bool:
    return any(text in said for text in texts)


def _error(text: str, **more: object) -> PostToolUseFailure:
    event = {"hook_event_name": "PostToolUseFailure", "tool_name": "Agent", "error": text}
    return PostToolUseFailure.model_validate({**event, "tool_input": {}, **more})


def _done(response: object) -> PostToolUse:
    event = {"hook_event_name": "PostToolUse", "tool_name": "Task", "tool_input": {}}
    return PostToolUse.model_validate({**event, "tool_response": response})


def _batch(result: str) -> HookInput:
    call = {"tool_name": "Agent", "tool_use_id": "toolu_1", "tool_response": result}
    return HookInput.model_validate({"hook_event_name": "PostToolBatch", "tool_calls": [call]})


_NO_PROMPT = "<tool_use_error>InputValidationError: `prompt` is missing</tool_use_error>"


def _examples() -> tuple[PolicyExample, ...]:
    known = Facts(session=Session(1, "s"))
    return (
        PolicyExample(
            _error("Agent type 'x' not found. Available agents: Explore, Plan"),
            known,
            says="context",
        ),
        PolicyExample(_error("something new"), Facts(), says="context"),
        PolicyExample(_batch(_NO_PROMPT), known, says="context"),
        PolicyExample(_done("Error: rate limit"), known, says="context"),
        PolicyExample(_done({"status": "completed", "content": "a timeout"}), known, says=""),
        PolicyExample(_error("aborted", is_interrupt=True), known, says=""),
        PolicyExample(_error("aborted", tool_name="Bash"), known, says=""),
        PolicyExample(_batch("a report"), known, says=""),
    )


POLICY = Policy(
    name=_NAME,
    priority=135,
    events=frozenset({"PostToolUseFailure", "PostToolUse", "PostToolBatch"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
