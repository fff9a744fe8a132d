"""Let the user stop automatic continuation: "stop continuing".

Once the user says one of the phrases in `stop`, no policy keeps the agent from stopping at the end
of a turn: for this conversation, including after compactions, until the user begins a sentence with
a phrase in `resume`. The user and the model are notified of both. A phrase must be a whole
sentence, apart from words such as `please` or `can you` before it and `now` or `thanks` after it:
"stop the loop when i reaches 10" does not match. Only the user's own words count: no code, no
quotations, and no prompt by a machine.

It also records the state that all these policies check: until the user's next prompt, the agent may
stop after an interrupt that the client reported, after an API error, while a question to the user
is open, or if the prompt came from a machine. If this policy is off, nothing is recorded, and
earlier records are ignored.
"""

from dataclasses import replace
from typing import Annotated

from pydantic import AfterValidator, Field

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput, PostToolUseFailure, PreToolUse, UserPrompt
from hookd.policy_support.continuation import STOPPED, stopped, turn
from hookd.policy_support.prompt_words import opened, own_words, said, spelled


def _with_a_word(phrase: str) -> str:
    if not any(map(str.isalnum, spelled(phrase))):
        raise ValueError("a phrase needs at least one letter or digit")
    return phrase


Phrase = Annotated[str, Field(max_length=100), AfterValidator(_with_a_word)]


class Options(PolicyOptions):
    """Phrases of the user, matched literally and in any case."""

    stop: tuple[Phrase, ...] = Field(
        (
            "stop continuing",
            "stop the loop",
            "stop looping",
            "don't continue",
            "dont continue",
            "do not continue",
            "no more continuation",
            "/stop-continuation",
        ),
        description="Phrases that stop automatic continuation, each a whole sentence.",
    )
    resume: tuple[Phrase, ...] = Field(
        ("continue working", "resume the loop", "/resume-continuation"),
        description="Phrases that allow it again, at the beginning of a sentence.",
    )


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Record the state of the turn, and the phrases of the user."""
    marks = turn(event, facts)
    heard = Opinion()
    if isinstance(event, UserPrompt) and not event.by_machine:
        heard = _heard(event, facts, options)
    effects = (*marks, *heard.effects)
    if not effects and not heard.context:
        return None
    return replace(heard, effects=effects)


def _heard(event: UserPrompt, facts: Facts, options: Options) -> Opinion:
    session, words = facts.session, own_words(event.prompt)
    if session is None:
        return Opinion()
    if phrase := said(options.stop, words):
        lifts = f' To undo it, say "{options.resume[0]}".' if options.resume else ""
        return Opinion(
            context=f'[hookd:{STOPPED}] The user has said "{phrase}": hookd starts no further'
            f" rounds in this conversation. The current turn continues.{lifts}",
            system_message=f'hookd: "{phrase}": no policy starts further rounds in this'
            f" conversation.{lifts}",
            effects=(Remember(session.id, STOPPED, {"said": phrase}, lasts=True),),
            shared_facts={STOPPED: phrase},
        )
    phrase = opened(options.resume, words) if stopped(facts) else ""
    if not phrase:
        return Opinion()
    return Opinion(
        context=f'[hookd:{STOPPED}] The user has said "{phrase}": hookd may start further'
        " rounds again.",
        system_message=f'hookd: "{phrase}": policies may start further rounds again.',
        effects=(Remember(session.id, STOPPED, None),),
    )


def _says(prompt: str) -> UserPrompt:
    return UserPrompt(hook_event_name="UserPromptSubmit", prompt=prompt)


def _failed(*, interrupt: bool) -> PostToolUseFailure:
    return PostToolUseFailure(
        hook_event_name="PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "make"},
        is_interrupt=interrupt,
    )


def _uses(tool: str) -> PreToolUse:
    return PreToolUse(hook_event_name="PreToolUse", tool_name=tool, tool_input={})


def _examples() -> tuple[PolicyExample, ...]:
    here = Facts(session=Session(1, "s"))
    after_stop = Facts(session=Session(1, "s"), policy_state={STOPPED: {"said": "stop continuing"}})
    in_turn = Facts(session=Session(1, "s"), policy_state={"continuation": {"interrupted": True}})
    return (
        PolicyExample(_says("Please stop continuing."), here, says="context"),
        PolicyExample(_says("Add pages. Then don’t continue!"), here, says="context"),
        PolicyExample(_says('What does "stop continuing" do?'), here, says=""),
        PolicyExample(_says("Never stop the loop."), here, says=""),
        PolicyExample(_says("Stop the loop when i reaches 10."), here, says=""),
        PolicyExample(_says("<task-notification>stop the loop"), here, says="effects"),
        PolicyExample(_says("OK, continue working."), after_stop, says="context"),
        PolicyExample(_says("I may continue working on it"), after_stop, says=""),
        PolicyExample(_says("continue working"), here, says=""),
        PolicyExample(_says("Next, the tests"), in_turn, says="effects"),
        PolicyExample(_failed(interrupt=True), here, says="effects"),
        PolicyExample(_failed(interrupt=False), here, says=""),
        PolicyExample(_uses("AskUserQuestion"), here, says="effects"),
        PolicyExample(_uses("Bash"), here, says=""),
    )


POLICY = Policy(
    name=STOPPED,
    priority=150,
    events=frozenset(
        {
            *("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"),
            *("StopFailure", "Elicitation", "ElicitationResult"),
        }
    ),
    options=Options,
    on_error="silence",
    opine=opine,
    examples=_examples,
)
