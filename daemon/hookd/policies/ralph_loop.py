"""A loop: the agent is given one task again at the end of each turn, until it gives a promise.

On, and idle until one is started: by `hookd loop start "TASK"`, or by a prompt that begins with
`/ralph-loop TASK`, with `--completion-promise WORDS` and `--max-iterations N` if wanted. The client
keeps commands that it does not know to itself in some places; `hookd loop start` works in all of
them. `hookd loop status` shows what goes on.

A loop is of one conversation, and goes over a compaction. It ends when the agent's last message has
`<promise>DONE</promise>`, when all its rounds are used up, at `/cancel-ralph` or `hookd loop
cancel`, when the user says "stop continuing", with the conversation, and after two hours in which
nothing was done. It also ends where the client tells that the user has interrupted a tool; of most
interrupts by Esc it tells nobody. What a prompt says is never taken for the promise.

Its rounds are its own cap: `user_hooks.max_consecutive_stop_blocks` does not apply, so 100 rounds
are 100 rounds. Claude Code itself ends a turn after 8 blocked stops without a tool call in between;
the loop rests then, and continues at the end of the next turn that the user begins. It also rests
while tasks run in the background or a wake-up is scheduled, in plan mode, in a window that is
nearly full, after an error of the API, in a turn that a machine began, while a question to the user
is open, and when the agent was held twice and did nothing; the user is told why. In mode `warn`
nobody is held.
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
from hookd.policy_support.continuation import STOPPED, hindrance, hold, stopped

_OPTION = re.compile(
    r"(?:^|\s)--(completion-promise|max-iterations)(?:=|\s++)(\"[^\"]*+\"|'[^']*+'|\S++)"
)


class Options(PolicyOptions):
    """What holds where the one who starts a loop does not say."""

    max: int = Field(100, ge=1, le=MAX_ROUNDS, description="Rounds that a loop has.")
    promise: str = Field(
        "DONE",
        pattern=PROMISE,
        max_length=MAX_PROMISE_CHARS,
        description="What the agent says when the task is done. Literal, in any case.",
    )


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Start, end and go on."""
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
        return _ended(loop, facts.session, "nothing was done for two hours")
    return Opinion(effects=(store_loop(advance(loop, facts), facts.session.id),))


def _started(text: str, facts: Facts, options: Options) -> Opinion | None:
    given = {name: value.strip("\"'") for name, value in _OPTION.findall(text)}
    task = _OPTION.sub(" ", text).strip()
    promise = given.get("completion-promise", options.promise)
    most = given.get("max-iterations", str(options.max))
    problem = _problem(task, promise, most, facts)
    if facts.session is None or problem:
        told = f"No loop was started: {problem}."
        return Opinion(context=f"[hookd:{POLICY_NAME}] {told}", system_message=f"hookd: {told}")
    loop = new_loop(task, promise, int(most), facts)
    return Opinion(
        context=f"[hookd:{POLICY_NAME}] The user has started a loop on this task, round"
        f" {loop.round}. It ends when a last message has <promise>{loop.promise}</promise>, which"
        " is given once that is true.",
        system_message=f"hookd: the loop has begun, round {loop.round}. /cancel-ralph or hookd loop"
        " cancel ends it.",
        effects=(store_loop(loop, facts.session.id),),
    )


def _problem(task: str, promise: str, most: str, facts: Facts) -> str:
    if not task:
        return "it has no task; /ralph-loop TASK"
    if len(promise) > MAX_PROMISE_CHARS or not re.match(PROMISE, promise):
        return f"its promise is one to {MAX_PROMISE_CHARS} characters without < and >"
    if not re.fullmatch("[0-9]{1,4}", most) or not 0 < int(most) <= MAX_ROUNDS:
        return f"--max-iterations is a whole number from 1 to {MAX_ROUNDS}"
    if stopped(facts) or STOPPED in facts.shared:
        return 'the user has said that nothing is to go on by itself; "continue working" lifts that'
    return ""


def _held(event: Stop, loop: Loop, facts: Facts, options: Options) -> Opinion | None:
    session = facts.session
    if session is None:
        return None
    if loop.is_promised(event.last_assistant_message or ""):
        return _ended(loop, session, "the promise was given")
    if loop.is_stale(facts):
        return _ended(loop, session, "nothing was done for two hours")
    if loop.iteration >= loop.max:
        return _ended(loop, session, "all its rounds are used up")
    if why := hindrance(event, facts, own_cap=True):
        told = (
            f"hookd: the loop rests in round {loop.round}: {why}. It goes on at the end of the next"
            " turn that a prompt of yours begins; hookd loop cancel ends it."
        )
        return Opinion(system_message=told, effects=(store_loop(advance(loop, facts), session.id),))
    after = advance(loop, facts, rounds=1)
    opinion = Opinion(
        "deny", _reason(after), rule=POLICY_NAME, effects=(store_loop(after, session.id),)
    )
    return hold(opinion, event, facts, options.mode)


def _reason(loop: Loop) -> str:
    return (
        f"{POLICY_NAME}: round {loop.round}: the promise was not given. What was done so far is in"
        " the files; what is missing comes next. The task, as the user gave it:\n\n"
        f"{loop.prompt}\n\n<promise>{loop.promise}</promise> in the last message ends the loop,"
        " once that is true."
        ' The user can say "stop continuing"; hookd loop cancel ends it, too.'
    )


def _ended(loop: Loop, session: Session, why: str) -> Opinion:
    told = f"hookd: the loop has ended in round {loop.round}: {why}."
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


_IDLE = Facts(session=Session(2, "s"))
_INTERRUPT = PostToolUseFailure(
    hook_event_name="PostToolUseFailure", tool_name="Bash", tool_input={}, is_interrupt=True
)

POLICY = Policy(
    name=POLICY_NAME,
    priority=160,
    events=frozenset({"UserPromptSubmit", "PostToolUseFailure", "Stop"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=(
        PolicyExample(_stop(), _facts(), says="deny"),
        PolicyExample(_stop("So <promise>done</promise>"), _facts(), says="user"),
        PolicyExample(_stop(), _facts(iteration=3), says="user"),
        PolicyExample(_stop(background_tasks=[{"id": "b1"}]), _facts(), says="user"),
        PolicyExample(_stop(), _IDLE, says=""),
        PolicyExample(_says("/ralph-loop Add pages --max-iterations 3"), _IDLE, says="context"),
        PolicyExample(_says("/ralph-loop"), _IDLE, says="context"),
        PolicyExample(_says("Add pages"), _IDLE, says=""),
        PolicyExample(_says("/cancel-ralph"), _facts(), says="user"),
        PolicyExample(_says("/cancel-ralph"), _IDLE, says="context"),
        PolicyExample(_says("Mind the tests"), _facts(), says="effects"),
        PolicyExample(_INTERRUPT, _facts(), says="user"),
    ),
)
