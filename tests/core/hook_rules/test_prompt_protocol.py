"""A model's verdict is read strictly, and said in the words that the event understands."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules.model import Hook, Source
from hookd.core.hook_rules.prompt_protocol import (
    SUPPORTED_EVENTS,
    Verdict,
    as_execution,
    build_prompt,
    parse_reply,
    parse_verdict,
)
from hookd.events.protocol import EVENTS
from hookd.user_hooks.hook_output import refusal
from hookd.user_hooks.hook_reply import opinion
from support.parametrize import parametrize_all

SOURCE = Source("user", "/home/u/settings.json", "hooks.Stop[0].hooks[0]")


def hook(event: str) -> Hook:
    return Hook("h1", event, "prompt", SOURCE, prompt="Is it done?")


QUESTIONS = [
    ("Is $ARGUMENTS fine?", b'{"a": 1}\n', 'Is {"a": 1} fine?'),
    ("Is it fine?", b'{"a": 1}\n', 'Is it fine?\n\n{"a": 1}'),
    ("$ARGUMENTS, $ARGUMENTS", b"{}", "{}, {}"),
    ("See $ARGUMENTS", b'{"prompt": "$ARGUMENTS"}', 'See {"prompt": "$ARGUMENTS"}'),
    ("See $ARGUMENTS", b'{"a": "\xff"}', 'See {"a": "\ufffd"}'),
]


@parametrize_all(("prompt", "payload", "asked"), QUESTIONS)
def test_the_event_stands_in_its_place_or_behind_the_prompt(
    prompt: str, payload: bytes, asked: str
) -> None:
    assert build_prompt(prompt, payload) == asked


READ = [
    ('{"ok": true}', Verdict(ok=True)),
    ('{"ok": true, "reason": null}', Verdict(ok=True)),
    ('{"ok": false, "reason": " tests fail\\n"}', Verdict(ok=False, reason="tests fail")),
    ('{"ok": false}', Verdict(ok=False)),
    (
        '{"ok": false, "reason": "no", "impossible": true}',
        Verdict(ok=False, reason="no", impossible=True),
    ),
    ('```json\n{"ok": true}\n```', Verdict(ok=True)),
    ('Here it is: {"ok": false, "reason": "a {b}"}. Done.', Verdict(ok=False, reason="a {b}")),
    ('{"ok": false, "more": {"ok": true}}', Verdict(ok=False)),
]


@parametrize_all(("text", "verdict"), READ)
def test_a_verdict_is_read(text: str, verdict: Verdict) -> None:
    assert parse_verdict(text) == verdict


UNREADABLE = [
    ("", "holds no JSON object"),
    ("Yes, it is fine.", "holds no JSON object"),
    ("true", "holds no JSON object"),
    ('[{"ok": true}] {}', "holds no JSON object"),
    ('{"ok": true} or {"ok": false}', "or more than one"),
    ('{"ok": true', "holds no JSON object"),
    ("} {", "holds no JSON object"),
    ("{}", "does not say `ok`"),
    ('{"ok": "true"}', "does not say `ok`"),
    ('{"ok": 1}', "does not say `ok`"),
    ('{"OK": true}', "does not say `ok`"),
    ('{"ok": false, "reason": 7}', "`reason` is no text"),
    ('{"ok": false, "impossible": "yes"}', "`impossible` not true or false"),
    ("{" * 5_000 + "}" * 5_000, "holds no JSON object"),
]


@parametrize_all(("text", "said"), UNREADABLE, ids=lambda told: told[:30])
def test_what_is_no_verdict_is_refused_not_guessed(text: str, said: str) -> None:
    with pytest.raises(ValueError, match="answer") as caught:
        parse_verdict(text)
    assert said in str(caught.value)


@given(st.text(max_size=60) | st.from_regex(r'\{"ok": (true|false).{0,30}\}', fullmatch=True))
def test_any_text_is_a_verdict_or_refused(text: str) -> None:
    try:
        verdict = parse_verdict(text)
    except ValueError:
        return
    assert f'"ok": {str(verdict.ok).lower()}' in text


def block(reason: str) -> dict[str, Any]:
    return {"decision": "block", "reason": reason}


def permission(event: str, reason: str) -> dict[str, Any]:
    said = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {"hookEventName": event, **said}}


NO = {
    "PreToolUse": (0, permission("PreToolUse", "no"), ""),
    "PreModelSwitch": (0, permission("PreModelSwitch", "no"), ""),
    "PostToolUse": (0, block("no"), ""),
    "PostToolBatch": (0, block("no"), ""),
    "UserPromptSubmit": (0, block("no"), ""),
    "UserPromptExpansion": (0, block("no"), ""),
    "Stop": (0, block("no"), ""),
    "SubagentStop": (0, block("no"), ""),
    "TaskCreated": (0, block("no"), ""),
    "TaskCompleted": (2, None, "no"),
    "TeammateIdle": (2, None, "no"),
    "PostToolUseFailure": (
        0,
        {"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "no"}},
        "",
    ),
}


def test_every_event_that_hears_a_no_stands_in_the_table() -> None:
    assert set(NO) == SUPPORTED_EVENTS
    assert set(EVENTS) >= SUPPORTED_EVENTS


@parametrize_all("event", NO)
def test_a_no_is_said_as_a_command_would_say_it(event: str) -> None:
    code, printed, stderr = NO[event]
    ran = as_execution(hook(event), Verdict(ok=False, reason="no"), refusal)
    assert (ran.exit_code, ran.stderr, ran.fault) == (code, stderr, "")
    assert (json.loads(ran.stdout) if ran.stdout else None) == printed


@parametrize_all("event", NO)
def test_a_no_is_heard_as_that_of_any_hook(event: str) -> None:
    heard = opinion(as_execution(hook(event), Verdict(ok=False, reason="no"), refusal), event)
    assert heard is not None
    told = (None, "", "no") if event == "PostToolUseFailure" else ("deny", "no", "")
    assert (heard.verdict, heard.reason, heard.context) == told


@parametrize_all("event", NO)
def test_a_yes_is_silence(event: str) -> None:
    ran = as_execution(hook(event), Verdict(ok=True, reason="fine"), refusal)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "", "")


def test_a_no_without_a_reason_says_so() -> None:
    ran = as_execution(hook("Stop"), Verdict(ok=False), refusal)
    assert json.loads(ran.stdout)["reason"] == "A prompt hook said no, and gave no reason."


@parametrize_all("event", NO)
def test_what_can_never_be_met_holds_up_no_stop_and_still_denies_a_call(event: str) -> None:
    ran = as_execution(hook(event), Verdict(ok=False, reason="no", impossible=True), refusal)
    if event in ("Stop", "SubagentStop"):
        assert (ran.exit_code, ran.stdout) == (0, "")
        assert ran.notes == ("the condition cannot be met: no",)
    else:
        assert (ran.stdout, ran.stderr) != ("", "")


REPLIES: list[tuple[Any, str]] = [
    ({"content": [{"type": "text", "text": "a"}]}, "a"),
    ({"content": [{"type": "thinking"}, {"type": "text", "text": "a"}]}, "a"),
    ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
    ({"content": []}, ""),
    ({"content": [7, {"type": "text", "text": 7}]}, ""),
]


@parametrize_all(("reply", "text"), REPLIES, ids=repr)
def test_the_text_of_a_reply_is_found(reply: Any, text: str) -> None:
    assert parse_reply(json.dumps(reply).encode()) == text


@parametrize_all(
    "reply",
    ["", "x", "[]", "{}", '{"content": "a"}', '{"content": [], "stop_reason":"max_tokens"}'],
)
def test_what_is_no_reply_is_refused(reply: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_reply(reply.encode())
