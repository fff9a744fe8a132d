"""Loop on one task: repeat it at the end of each turn until the agent promises.

On by default in its profile, and idle until a loop is started with `hookd loop start "TASK"`, or by
a prompt that begins with `/ralph-loop TASK`, optionally with `--completion-promise WORDS` and
`--max-iterations N`. Some clients do not pass on commands that they do not know; `hookd loop start`
works in all of them. `hookd loop status` shows the loop.

A loop belongs to one conversation, and survives compactions. It ends when the agent's last message
has `<promise>DONE</promise>`, when its rounds are used up, at `/cancel-ralph` or `hookd loop
cancel`, when the user says "stop continuing", with the conversation, and after two hours without
activity. It also ends when the client reports that the user interrupted a tool; most interrupts by
Esc are not reported. Prompts never count as the promise.

Its rounds are its own limit: `user_hooks.max_consecutive_stop_blocks` does not apply, so 100 rounds
are 100 rounds. Claude Code itself ends a turn after 8 blocked stops without a tool call in between;
the loop then pauses, and continues at the end of the next turn that the user begins. It also pauses
while background tasks run or a wake-up is scheduled, in plan mode, in a window that is nearly full,
after an API error, in a turn that a machine began, while a question to the user is open, and when
the agent did nothing for two rounds; the user is notified of the reason. In mode `warn` no agent is
kept from stopping.
"""

import re
from typing import Any

from pydantic import Field

from hookd.config.models import PolicyOptions
from hookd.core.model.fact_requests import TodosOfSession
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.loop import (
    MAX_PROMISE_CHARS,
    MAX_ROUNDS,
    POLICY_NAME,
    PROMISE,
    Loop,
    advance,
    new_loop,
    parse_loop,
    store_loop,
)
from hookd.events.model import HookInput, PostToolUseFailure, Stop, UserPrompt
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.continuation import STOPPED, hindrance, hold, stopped

_OPTION = lazy_compile(
    r"(?:^|\s)--(completion-promise|max-iterations)(?:=|\s++)(\"[^\"]*+\"|'[^']*+'|\S++)"
)


class Options(PolicyOptions):
    """Defaults of a loop."""

    max: int = Field(100, ge=1, le=MAX_ROUNDS, description="Maximum rounds of a loop.")
    promise: str = Field(
        "DONE",
        pattern=PROMISE,
        max_length=MAX_PROMISE_CHARS,
        description="Promise by which the agent ends the loop. Literal, in any case.",
    )


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Start, continue and end a loop."""
    session = facts.session
    if session is None or session.agent_id:
        return None
    loop = parse_loop(facts.policy_state.get(POLICY_NAME))
    if isinstance(event, UserPrompt):
        return None if event.by_machine else _prompted(event.prompt, loop, facts, options)
    if loop is None:
        return None
    if isinstance(event, PostToolUseFailure):
        return _ended(loop, session, "the user has interrupted it") if event.is_interrupt else None
    return _held(event, loop, facts, options) if isinstance(event, Stop) else None


def _prompted(prompt: str, loop: Loop | None, facts: Facts, options: Options) -> Opinion | None:
    first, rest = (*prompt.split(None, 1), "", "")[:2]
    if first == "/ralph-loop":
        return _started(rest, facts, options)
    if loop is None and first == "/cancel-ralph":
        told = "There is no loop in this conversation."
        return Opinion(context=f"[hookd:{POLICY_NAME}] {told}", system_message=f"hookd: {told}")
    if loop is None or facts.session is None:
        return None
    if first == "/cancel-ralph" or STOPPED in facts.shared:
        return _ended(loop, facts.session, "the user has cancelled it")
    if loop.is_stale(facts):
        return _ended(loop, facts.session, "no activity for two hours")
    return Opinion(effects=(store_loop(advance(loop, facts), facts.session.id),))


def _started(text: str, facts: Facts, options: Options) -> Opinion | None:
    given = {name: value.strip("\"'") for name, value in _OPTION.findall(text)}
    task = _OPTION.sub(" ", text).strip()
    promise = given.get("completion-promise", options.promise)
    most = given.get("max-iterations", str(options.max))
    problem = _problem(task, promise, most, facts)
    if facts.session is None or problem:
        told = f"Loop not started: {problem}."
        return Opinion(context=f"[hookd:{POLICY_NAME}] {told}", system_message=f"hookd: {told}")
    loop = new_loop(task, promise, int(most), facts)
    return Opinion(
        context=f"[hookd:{POLICY_NAME}] The user has started a loop on this task, round"
        f" {loop.round}. To end it, put <promise>{loop.promise}</promise> in the last message, once"
        " that is true.",
        system_message=f"hookd: loop started, round {loop.round}. To end it: /cancel-ralph or hookd"
        " loop cancel",
        effects=(store_loop(loop, facts.session.id),),
    )


def _problem(task: str, promise: str, most: str, facts: Facts) -> str:
    if not task:
        return "the task is missing. Usage: /ralph-loop TASK"
    if len(promise) > MAX_PROMISE_CHARS or not re.match(PROMISE, promise):
        return f"the promise must have 1 to {MAX_PROMISE_CHARS} characters, without < and >"
    if not re.fullmatch("[0-9]{1,4}", most) or not 0 < int(most) <= MAX_ROUNDS:
        return f"--max-iterations must be a whole number from 1 to {MAX_ROUNDS}"
    if stopped(facts) or STOPPED in facts.shared:
        return 'the user has said "stop continuing"; say "continue working" first'
    return ""


def _held(event: Stop, loop: Loop, facts: Facts, options: Options) -> Opinion | None:
    session = facts.session
    if session is None:
        return None
    if loop.is_promised(event.last_assistant_message or ""):
        return _ended(loop, session, "the agent gave the promise")
    if loop.is_stale(facts):
        return _ended(loop, session, "no activity for two hours")
    if loop.iteration >= loop.max:
        return _ended(loop, session, "all rounds are used up")
    if why := hindrance(event, facts, own_cap=True):
        told = (
            f"hookd: loop paused in round {loop.round}: {why}. It continues at the end of the turn"
            " after your next prompt. To end it: hookd loop cancel"
        )
        return Opinion(system_message=told, effects=(store_loop(advance(loop, facts), session.id),))
    after = advance(loop, facts, rounds=1)
    opinion = Opinion(
        "deny", _reason(after), rule=POLICY_NAME, effects=(store_loop(after, session.id),)
    )
    return hold(opinion, event, facts, options.mode)


def _reason(loop: Loop) -> str:
    return (
        f"{POLICY_NAME}: round {loop.round}: no promise yet. Earlier work is in the files: continue"
        f" with what is missing. The user's task:\n\n{loop.prompt}\n\n"
        f"To end the loop, put <promise>{loop.promise}</promise> in the last message, once that is"
        ' true. The user can say "stop continuing" or run: hookd loop cancel'
    )


def _ended(loop: Loop, session: Session, why: str) -> Opinion:
    told = f"hookd: loop ended in round {loop.round}: {why}."
    return Opinion(system_message=told, effects=(store_loop(None, session.id),))


_BEGUN = "2026-01-31T08:00:00.000Z"


def _facts(iteration: int = 1, **more: Any) -> Facts:
    state = {
        "prompt": "Add pages",
        "promise": "DONE",
        "max": 3,
        "iteration": iteration,
        "started_at": _BEGUN,
        "at": _BEGUN,
        "calls": 0,
    }
    return Facts(
        session=Session(2, "s"),
        policy_state={POLICY_NAME: state},
        resolved={TodosOfSession(2): ()},
        **more,
    )


def _stop(message: str = "Half of it.", **more: Any) -> Stop:
    return Stop(hook_event_name="Stop", last_assistant_message=message, **more)


def _says(prompt: str) -> UserPrompt:
    return UserPrompt(hook_event_name="UserPromptSubmit", prompt=prompt)


def _examples() -> tuple[PolicyExample, ...]:
    idle = Facts(session=Session(2, "s"))
    interrupt = PostToolUseFailure(
        hook_event_name="PostToolUseFailure", tool_name="Bash", tool_input={}, is_interrupt=True
    )
    return (
        PolicyExample(_stop(), _facts(), says="deny"),
        PolicyExample(_stop("So <promise>done</promise>"), _facts(), says="user"),
        PolicyExample(_stop(), _facts(iteration=3), says="user"),
        PolicyExample(_stop(background_tasks=[{"id": "b1"}]), _facts(), says="user"),
        PolicyExample(_stop(), idle, says=""),
        PolicyExample(_says("/ralph-loop Add pages --max-iterations 3"), idle, says="context"),
        PolicyExample(_says("/ralph-loop"), idle, says="context"),
        PolicyExample(_says("Add pages"), idle, says=""),
        PolicyExample(_says("/cancel-ralph"), _facts(), says="user"),
        PolicyExample(_says("/cancel-ralph"), idle, says="context"),
        PolicyExample(_says("Mind the tests"), _facts(), says="effects"),
        PolicyExample(interrupt, _facts(), says="user"),
    )


POLICY = Policy(
    name=POLICY_NAME,
    priority=160,
    events=frozenset({"UserPromptSubmit", "PostToolUseFailure", "Stop"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
