"""/hookd:allow and /hookd:pause: carried out for a person who typed them, refused to all others."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from hookd.core.evaluation.typed_command import is_typed_command, run_typed_command
from hookd.core.model.effects.messages import AddAllowance, AddMessage, Pause
from hookd.core.model.fact_requests import DecisionRecord, MissingFacts, PromptTyped
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity
from hookd.core.model.verdict import Opinion
from hookd.events.model import UserPrompt, UserPromptExpansion
from hookd.methods.hooks import user_prompt

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
ASKED = PromptTyped(7, NOW)
CALL = {
    "key": "k",
    "tool": "Bash",
    "text": "rm -rf build\x1b[2J",
    "folder": "/work",
    "project_key": "p",
    "project": "/work",
}
RECORD = {"opinions": [{"verdict": "deny", "rule": "destructive-guard", "call": CALL}]}


def typed(command: str, why: str = "", **event: Any) -> Opinion | None:
    name, _, args = command.partition(" ")
    facts = Facts(
        now=NOW,
        identity=Identity(peer=7),
        resolved={
            ASKED: why,
            DecisionRecord(5): json.dumps(RECORD),
            DecisionRecord(6): "",
            DecisionRecord(9): None,
        },
    )
    given = {"command_name": name, "command_args": args, "prompt": f"/{command}", **event}
    return run_typed_command(UserPromptExpansion(**given), facts)


def test_a_call_is_allowed_and_the_prompt_kept_from_the_model() -> None:
    said = typed("hookd:allow 5")
    assert said is not None
    assert (said.verdict, said.event_fields) == ("deny", {"hide_prompt": True})
    assert said.effects == (
        AddAllowance("destructive-guard", "k", "Bash", CALL["text"], "/work", 5, None),
    )
    assert "may pass destructive-guard, in all your sessions, without an end" in said.reason
    assert "Bash: rm -rf build\\x1b[2J in /work" in said.reason
    assert said.reason.endswith("hookd allow remove 5")


@pytest.mark.parametrize("number", ["5", "#5", "(hookd #5)"])
def test_a_number_is_read_as_a_denial_shows_it(number: str) -> None:
    said = typed(f"hookd:allow '{number}' --for 1h --project")
    assert said is not None
    (rule,) = said.effects
    assert isinstance(rule, AddAllowance)
    assert (rule.key, rule.folder) == ("p", "/work/**")
    assert rule.until == "2026-01-31T09:00:00.000Z"


def test_a_pause_ends_by_itself() -> None:
    said = typed("hookd:pause 10m")
    assert said is not None
    assert said.effects == (Pause("2026-01-31T08:10:00.000Z"),)
    assert said.reason.startswith("hookd is paused until ")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("hookd:allow", "needs the number of a denial"),
        ("hookd:allow five", "needs the number of a denial"),
        ("hookd:allow 5 6", "needs the number of a denial"),
        ("hookd:allow 5 --for soon", "'soon' is not a duration"),
        ("hookd:allow 5 --for", "'' is not a duration"),
        ("hookd:allow 'x", "cannot be parsed"),
        ("hookd:allow 6", "no guard blocked the call of event 6"),
        ("hookd:allow 9", "there is no event 9"),
        ("hookd:pause", "needs a duration"),
        ("hookd:pause 0m", "needs a duration"),
        ("hookd:pause 9h", "at most 8 hours"),
    ],
)
def test_bad_input_changes_nothing_and_says_what_is_wrong(command: str, says: str) -> None:
    said = typed(command)
    assert said is not None
    assert (said.verdict, said.effects) == ("deny", ())
    assert said.reason.startswith("hookd has done nothing: ")
    assert says in said.reason


def test_what_nobody_typed_is_refused_with_the_command_for_a_terminal() -> None:
    said = typed("hookd:allow 5", "nothing was typed into its terminal for 36 s")
    assert said is not None
    assert (said.verdict, said.effects) == ("deny", ())
    assert "36 s, so it is not known that you typed this" in said.reason
    assert said.reason.endswith("in a terminal of your own: hookd allow 5")
    by_subagent = typed("hookd:pause 1h", agent_id="a1")
    assert by_subagent is not None
    assert (by_subagent.verdict, by_subagent.effects) == ("deny", ())


def test_who_typed_it_is_asked_before_anything_is_done() -> None:
    event = UserPromptExpansion(command_name="hookd:pause", command_args="1h")
    with pytest.raises(MissingFacts) as missing:
        run_typed_command(event, Facts(now=NOW, identity=Identity(peer=7)))
    assert missing.value.requests == (ASKED,)
    unknown = run_typed_command(event, Facts(now=NOW))
    assert unknown is not None
    assert unknown.effects == ()


def test_other_commands_are_not_hookds() -> None:
    assert typed("hookd:why 5") is None
    assert typed("allow 5") is None
    assert typed("hookd:allow 5", expansion_type="mcp_prompt") is None


@pytest.mark.parametrize(
    ("prompt", "own"),
    [
        ("/hookd:allow 5", True),
        ("  /hookd:pause 1h", True),
        ("/hookd:allow", True),
        ("/hookd:allowed 5", False),
        ("/hookd:why 5", False),
        ("what does /hookd:allow do?", False),
    ],
)
def test_a_prompt_is_known_as_one_of_them(prompt: str, own: bool) -> None:
    assert is_typed_command(prompt) is own


def test_the_prompt_of_such_a_command_is_not_kept() -> None:
    facts = Facts(now=NOW, session=Session(1, "s"))
    for prompt, kept in (("/hookd:allow 5", False), ("allow it", True)):
        decision = user_prompt.decide(UserPrompt(prompt=prompt), facts)
        assert any(isinstance(one, AddMessage) for one in decision.effects) is kept
        assert decision.opinion is None
