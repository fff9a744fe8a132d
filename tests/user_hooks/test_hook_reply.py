"""A hook's exit code and its answer mean on every event what they mean to Claude Code."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules.model import Hook, HookExecution, Layer, OnFailure, Source
from hookd.core.model.verdict import Opinion
from hookd.events.answer_fields import OF_EVENT
from hookd.events.protocol import EVENTS
from hookd.user_hooks.hook_reply import later, opinion, reply_of
from support.parametrize import parametrize_all

RULE = "no-push"


def hook(event: str, layer: Layer = "user", **more: Any) -> Hook:
    source = Source(layer, "/home/user/.config/hookd/settings.json", f"hooks.{event}[0]")
    return Hook(RULE, event, "command", source, command="./check.sh", **more)


def ran(event: str, code: int = 0, out: Any = "", err: str = "", **more: Any) -> HookExecution:
    printed = out if isinstance(out, str) else json.dumps(out)
    return HookExecution(hook(event, **more), code, printed, err)


def spoken(verdict: Any = None, reason: str = "", **more: Any) -> Opinion:
    return Opinion(verdict, reason, rule=RULE, **more)


def own(event: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event} | more}


DENIED = spoken("deny", "not so")
DECLINED = spoken("deny", "not so", event_fields={"action": "decline"})
HALTED = spoken("deny", "not so", stops_turn=True, stop_reason="not so")
TO_USER = spoken(system_message="not so")
TO_MODEL = spoken(context="not so")
CONTEXT = spoken(context="so it is")

# event: what plain text with exit code 0 becomes, and what stderr with exit code 2.
EXITS: dict[str, tuple[Opinion | None, Opinion | None]] = {
    "PreToolUse": (None, DENIED),
    "PermissionRequest": (None, None),
    "PostToolUse": (None, DENIED),
    "PostToolUseFailure": (None, TO_MODEL),
    "PostToolBatch": (None, DENIED),
    "UserPromptSubmit": (CONTEXT, DENIED),
    "UserPromptExpansion": (CONTEXT, DENIED),
    "SessionStart": (CONTEXT, TO_USER),
    "PostModelSwitch": (CONTEXT, TO_USER),
    "Setup": (None, TO_USER),
    "SubagentStart": (None, TO_USER),
    "Stop": (None, DENIED),
    "SubagentStop": (None, DENIED),
    "TeammateIdle": (None, HALTED),
    "TaskCreated": (None, DENIED),
    "TaskCompleted": (None, HALTED),
    "PreCompact": (spoken(event_fields={"compact_instructions": "so it is"}), DENIED),
    "PostCompact": (
        spoken(event_fields={"compact_message": "so it is"}),
        spoken(event_fields={"compact_message": "not so"}),
    ),
    "PreModelSwitch": (None, DENIED),
    "WorktreeCreate": (None, None),
    "Elicitation": (None, DECLINED),
    "ElicitationResult": (None, DECLINED),
    "ConfigChange": (None, DENIED),
    "SessionEnd": (None, None),
    "CwdChanged": (None, None),
    "FileChanged": (None, None),
    "DirectoryAdded": (None, None),
    "StopFailure": (None, None),
    "Notification": (None, None),
    "InstructionsLoaded": (None, None),
    "PermissionDenied": (None, None),
    "WorktreeRemove": (None, None),
    "MessageDisplay": (None, None),
}


def test_the_table_has_every_event() -> None:
    assert set(EXITS) == set(EVENTS)


@parametrize_all("event", EXITS)
def test_plain_text_is_context_where_the_client_takes_it_so(event: str) -> None:
    assert opinion(ran(event, 0, "so it is\n", "a word"), event) == EXITS[event][0]
    assert opinion(ran(event, 0, "", "a word"), event) is None


@parametrize_all("event", EXITS)
def test_exit_code_2_blocks_where_the_event_can_be_blocked(event: str) -> None:
    assert opinion(ran(event, 2, "so it is", "not so\n"), event) == EXITS[event][1]


@parametrize_all("event", EXITS)
@parametrize_all("code", [1, 3, 127, 255, -9])
def test_any_other_code_is_a_line_in_the_log_alone(event: str, code: int) -> None:
    heard = reply_of(ran(event, code, "so it is", "not so"), event)
    assert heard.opinion is None
    if event != "WorktreeCreate":
        assert heard.notes == (f"Hook failed with exit code {code}",)


CAN_BE_BLOCKED = [
    event for event, (_, two) in EXITS.items() if two is not None and two.verdict == "deny"
]
CAN_BE_ASKED = ["PreToolUse", "PermissionRequest", "PreModelSwitch"]
NEVER_FORCED = {"Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"}


@parametrize_all("event", EXITS)
def test_a_failure_blocks_where_the_user_said_so(event: str) -> None:
    expected = EXITS[event][1] if event not in NEVER_FORCED else None
    expected = DENIED if event == "PermissionRequest" else expected
    for code in (1, 127):
        one = ran(event, code, "", "  not so\n", on_failure="block")
        assert opinion(one, event) == expected
    broken = ran(event, 0, '{"continue": 1}', "not so", on_failure="block")
    assert (opinion(broken, event) == expected) or event in ("PreCompact", "PostCompact")


def test_a_failure_without_a_word_has_a_reason_all_the_same() -> None:
    heard = opinion(ran("PreToolUse", 1, on_failure="block"), "PreToolUse")
    assert heard == spoken("deny", "Hook exited with non-zero status")
    heard = opinion(ran("PreToolUse", 2), "PreToolUse")
    assert heard == spoken("deny", "Blocked by a PreToolUse hook that gave no reason.")
    # What a hook that ended well prints to stderr is for its log.
    heard = opinion(ran("PreToolUse", 0, {"decision": "block"}, "debug"), "PreToolUse")
    assert heard == spoken("deny", "Blocked by a PreToolUse hook that gave no reason.")


def test_a_failure_without_stderr_is_told_by_what_stands_on_stdout() -> None:
    lines = [f"a.py:{number}: undefined name" for number in range(500)]
    for out in ("a.py:1: undefined name", "\n".join(lines)):
        heard = opinion(ran("PostToolUse", 1, out, on_failure="block"), "PostToolUse")
        assert heard is not None
        assert heard.reason.startswith("a.py:")
        assert len(heard.reason) <= 4_004
    assert heard.reason.endswith(": undefined name\n...")
    heard = opinion(ran("PostToolUse", 1, out, "of stderr", on_failure="block"), "PostToolUse")
    assert heard == spoken("deny", "of stderr")
    heard = opinion(ran("PostToolUse", 1, '{"continue": 1}', on_failure="block"), "PostToolUse")
    assert heard == spoken("deny", 'its answer has a wrong "continue"')


@parametrize_all("event", EXITS)
def test_a_failure_asks_where_the_user_said_so_and_the_event_can(event: str) -> None:
    reason = f"Hook {RULE} failed (exit code 1) and could not judge this."
    for out, err in (("", " not so\n"), ("not so\n", "")):
        expected = spoken("ask", f"{reason}\nnot so") if event in CAN_BE_ASKED else None
        assert opinion(ran(event, 1, out, err, on_failure="ask"), event) == expected
    expected = spoken("ask", reason) if event in CAN_BE_ASKED else None
    assert opinion(ran(event, 1, on_failure="ask"), event) == expected


@parametrize_all("on_failure", ["warn", "block", "ask"])
@parametrize_all("event", sorted(set(EXITS) - {"PreModelSwitch", "WorktreeCreate"}))
def test_a_hook_that_never_ended_blocks_nobody(event: str, on_failure: OnFailure) -> None:
    faults = [
        HookExecution(
            hook(event, on_failure=on_failure), fault="could not be started: no such file"
        ),
        HookExecution(
            hook(event, on_failure=on_failure), fault="timed out after 5 s", timed_out=True
        ),
        HookExecution(hook(event, on_failure=on_failure), timed_out=True),
    ]
    for one in faults:
        heard = reply_of(one, event)
        assert heard.notes == (one.fault or "timed out",)
        asks = on_failure == "ask" and event in CAN_BE_ASKED
        assert (heard.opinion.verdict if heard.opinion else None) == ("ask" if asks else None)


def test_a_model_is_not_switched_while_nobody_could_judge_it() -> None:
    one = HookExecution(hook("PreModelSwitch"), fault="timed out after 5 s", timed_out=True)
    heard = opinion(one, "PreModelSwitch")
    assert heard == spoken("deny", f"Hook {RULE}: timed out after 5 s")
    gone = HookExecution(hook("PreModelSwitch"), fault="could not be started: no such file")
    assert opinion(gone, "PreModelSwitch") is not None
    refused = HookExecution(
        replace(hook("PreModelSwitch"), type="http"), fault="connection refused"
    )
    assert opinion(refused, "PreModelSwitch") is None


ALLOW = own("PreToolUse", permissionDecision="allow", permissionDecisionReason="fine")
DENY = own("PreToolUse", permissionDecision="deny", permissionDecisionReason="never")
ASK = own("PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?")


@parametrize_all("code", [0, 1, 3, 127])
@parametrize_all(
    ("answer", "expected"),
    [
        (ALLOW, spoken("allow", "fine")),
        (DENY, spoken("deny", "never")),
        (ASK, spoken("ask", "sure?")),
        (own("PreToolUse", permissionDecision="defer"), spoken("defer")),
        ({"decision": "block", "reason": "never"}, spoken("deny", "never")),
        ({"decision": "approve", "reason": "fine"}, spoken("allow", "fine")),
        (own("PreToolUse", updatedInput={"a": 1}), spoken(updated_input={"a": 1})),
        (own("PreToolUse", additionalContext="look"), spoken(context="look")),
        ({"systemMessage": "look"}, spoken(system_message="look")),
        ({"continue": False, "stopReason": "x"}, spoken(stops_turn=True, stop_reason="x")),
        ({"continue": True, "stopReason": "x"}, None),
        ({"decision": "block", "reason": "never"} | ALLOW, spoken("deny", "never")),
        (ALLOW | {"suppressOutput": True}, spoken("allow", "fine")),
        ({}, None),
    ],
)
def test_an_answer_alone_decides_on_every_code_but_2(
    code: int, answer: dict[str, Any], expected: Opinion | None
) -> None:
    heard = reply_of(ran("PreToolUse", code, answer, "stderr is not heard"), "PreToolUse")
    assert (heard.opinion, heard.notes) == (expected, ())


@parametrize_all(
    ("answer", "reason"),
    [
        (ALLOW, "not so"),
        (ASK, "not so"),
        (DENY, "never"),
        ({"decision": "block", "reason": "never"}, "never"),
        ({"decision": "block"}, "not so"),
        ({"decision": "approve"}, "not so"),
        ({"continue": "yes"}, "not so"),
        (own("Stop", additionalContext="x"), "not so"),
        ("{}{}", "not so"),
    ],
)
def test_no_answer_undoes_exit_code_2(answer: Any, reason: str) -> None:
    heard = opinion(ran("PreToolUse", 2, answer, "not so"), "PreToolUse")
    assert heard == spoken("deny", reason)


@parametrize_all("answer", [ALLOW, {}, {"systemMessage": "x"}])
def test_what_must_not_fail_blocks_or_asks_beside_a_good_answer(answer: Any) -> None:
    blocked = opinion(ran("PreToolUse", 1, answer, "not so", on_failure="block"), "PreToolUse")
    asked = opinion(ran("PreToolUse", 1, answer, "not so", on_failure="ask"), "PreToolUse")
    assert blocked is not None
    assert asked is not None
    assert (blocked.verdict, blocked.reason) == ("deny", "not so")
    assert asked.verdict == "ask"


def test_a_question_about_a_failure_does_not_weaken_a_denial() -> None:
    heard = opinion(ran("PreToolUse", 1, DENY, on_failure="ask"), "PreToolUse")
    assert heard == spoken("deny", "never")


def test_a_permission_is_decided_by_its_own_object_alone() -> None:
    event = "PermissionRequest"
    for answer in ({"decision": "block", "reason": "x"}, {"decision": "approve"}, DENY):
        assert opinion(ran(event, 0, answer), event) is None
        assert opinion(ran(event, 2, answer, "not so"), event) is None
    deny = own(event, decision={"behavior": "deny", "message": "no", "interrupt": True})
    assert opinion(ran(event, 2, deny), event) == spoken(
        "deny", "no", event_fields={"interrupt": True}
    )
    allow = own(event, decision={"behavior": "allow", "updatedInput": {"a": 1}})
    assert opinion(ran(event, 0, allow), event) == spoken("allow", updated_input={"a": 1})
    assert opinion(ran(event, 2, allow), event) is None


@parametrize_all("event", sorted(NEVER_FORCED))
@parametrize_all(
    "words", ["sh: ./gone.sh: No such file or directory", "python3: can't open file 'x'"]
)
def test_a_stop_is_not_held_up_by_a_program_that_is_gone(event: str, words: str) -> None:
    heard = reply_of(ran(event, 2, "", words), event)
    assert (heard.opinion, heard.notes) == (None, ("Hook failed with exit code 2",))
    assert opinion(ran(event, 2, "a word", words), event) is not None
    assert opinion(ran("PreToolUse", 2, "", words), "PreToolUse") is not None


def test_a_plugin_s_gone_program_holds_up_no_prompt_either() -> None:
    words, event = "sh: ./gone.sh: No such file or directory", "UserPromptSubmit"
    assert opinion(ran(event, 2, "", words, layer="plugin"), event) is None
    assert opinion(ran(event, 2, "", words), event) == spoken("deny", words)


FIELDS: list[tuple[str, dict[str, Any]]] = [
    ("SessionStart", own("SessionStart", initialUserMessage="go")),
    ("SessionStart", own("SessionStart", sessionTitle="t", reloadSkills=True)),
    ("UserPromptSubmit", own("UserPromptSubmit", suppressOriginalPrompt=True)),
    ("UserPromptExpansion", own("UserPromptExpansion", suppressOriginalPrompt=True)),
    ("PostToolUse", own("PostToolUse", updatedToolOutput={"stdout": ""})),
    ("PostToolUse", own("PostToolUse", updatedMCPToolOutput=["x"])),
    ("PostToolUse", own("PostToolUse", classifierContext="x")),
    ("PermissionDenied", own("PermissionDenied", retry=True)),
    ("CwdChanged", own("CwdChanged", watchPaths=["/x"])),
    ("FileChanged", own("FileChanged", watchPaths=["/x"])),
    ("Elicitation", own("Elicitation", action="accept", content={"a": 1})),
    ("ElicitationResult", own("ElicitationResult", action="cancel")),
    ("MessageDisplay", own("MessageDisplay", displayContent="x")),
    ("Stop", own("Stop", additionalContext="more")),
    ("SubagentStop", own("SubagentStop", additionalContext="more")),
]


@parametrize_all(("event", "answer"), FIELDS)
def test_what_an_event_alone_has_is_passed_on(event: str, answer: dict[str, Any]) -> None:
    own_keys = answer["hookSpecificOutput"]
    expected = {
        field.name: own_keys[field.key] for field in OF_EVENT[event] if field.key in own_keys
    }
    assert opinion(ran(event, 0, answer), event) == spoken(event_fields=expected)


@parametrize_all(("event", "answer"), FIELDS)
def test_it_is_not_passed_on_at_another_event(event: str, answer: dict[str, Any]) -> None:
    fields = answer["hookSpecificOutput"] | {"hookEventName": "TaskCreated"}
    assert opinion(ran("TaskCreated", 0, {"hookSpecificOutput": fields}), "TaskCreated") is None


def test_a_question_is_answered_by_an_action_alone() -> None:
    answer = own("Elicitation", content={"a": 1})
    assert opinion(ran("Elicitation", 0, answer), "Elicitation") is None
    accepts = own("Elicitation", action="accept", content={"a": 1})
    assert opinion(ran("Elicitation", 2, accepts, "not so"), "Elicitation") == DECLINED


def test_a_text_is_shown_as_it_is_where_its_hook_fails() -> None:
    answer = own("MessageDisplay", displayContent="x")
    for code in (1, 2):
        assert opinion(ran("MessageDisplay", code, answer), "MessageDisplay") is None


def test_what_follows_a_change_of_folders_is_told() -> None:
    heard = opinion(ran("DirectoryAdded", 0, {"systemMessage": "x"}), "DirectoryAdded")
    assert heard == spoken(event_fields={"folder_note": "x"})
    assert opinion(ran("CwdChanged", 0, {"systemMessage": "x"}), "CwdChanged") is None


@parametrize_all("event", sorted(event for event in EVENTS if not EVENTS[event].engine))
def test_no_turn_ends_where_none_is_under_way(event: str) -> None:
    heard = opinion(ran(event, 0, {"continue": False, "systemMessage": "x"}), event)
    assert heard is None or (not heard.stops_turn and not heard.system_message)


def test_what_is_printed_at_a_compaction_is_text_even_as_an_answer() -> None:
    answer = {"systemMessage": "x"}
    heard = opinion(ran("PreCompact", 0, answer), "PreCompact")
    assert heard == spoken(event_fields={"compact_instructions": json.dumps(answer)})
    assert opinion(ran("PreCompact", 0, "{}"), "PreCompact") is None
    block = {"decision": "block", "reason": "not so"}
    assert opinion(ran("PreCompact", 0, block), "PreCompact") == DENIED


@parametrize_all(
    ("sequence", "passes"),
    [
        ("\x07", True),
        ("\x1b]0;title\x07", True),
        ("\x1b]2;title\x1b\\\x07", True),
        ("\x1b]9;4;1;50\x07\x1b]99;;done\x1b\\", True),
        ("\x1b]777;notify;hookd;done\x07", True),
        ("\x1b]52;c;aGk=\x07", False),
        ("\x1b]0;title", False),
        ("\x1b]0;a\x1b[2J\x07", False),
        ("\x1b]0;a\x9b2J\x07", False),
        ("\x1b[2J", False),
        ("words", False),
    ],
)
def test_a_terminal_gets_titles_notifications_and_bells_alone(sequence: str, passes: bool) -> None:
    heard = reply_of(ran("Stop", 0, {"terminalSequence": sequence}), "Stop")
    assert heard.opinion == (
        spoken(event_fields={"terminal_sequence": sequence}) if passes else None
    )
    assert bool(heard.notes) is not passes


def test_a_hook_that_is_not_waited_for_decides_nothing() -> None:
    event = "PreToolUse"
    assert opinion(ran(event, 2, DENY, "not so", background=True), event) is None
    assert opinion(ran(event, 0, {"async": True, "asyncTimeout": 1}), event) is None
    assert opinion(ran(event, 2, '{"async":true}\nmore', "not so"), event) is None
    began = HookExecution(hook(event), 2, json.dumps(DENY), "not so", started_background=True)
    assert opinion(began, event) is None


BOTH = own("PostToolUse", additionalContext="c") | {"systemMessage": "m"}
LATER: list[tuple[int, str, str, bool, str]] = [
    (0, json.dumps(BOTH), "", False, "c\n\nm"),
    (0, '{"async":true}\n{"systemMessage":"m"}', "", False, "m"),
    (0, 'at work\n{"systemMessage":"m"}', "", False, "m"),
    (0, '{"async":true}\n{\n"systemMessage":\n"m"}', "", False, "m"),
    (2, "out", "err", False, ""),
    (0, "words", "", False, ""),
    (0, "", "", False, ""),
    (2, "out", "err", True, "err"),
    (2, "out", "", True, "out"),
    (0, '{"systemMessage":"m"}', "err", True, ""),
    (1, "out", "err", True, ""),
]


@parametrize_all(("code", "out", "err", "rewake", "expected"), LATER)
def test_what_it_says_is_told_later(
    code: int, out: str, err: str, rewake: bool, expected: str
) -> None:
    one = ran("PostToolUse", code, out, err, background=True, rewake=rewake)
    assert later(one, "PostToolUse") == expected


def test_a_late_hook_that_never_ended_tells_nothing() -> None:
    one = HookExecution(
        hook("Stop", rewake=True), None, "out", "err", fault="timed out", timed_out=True
    )
    assert later(one, "Stop") == ""


def test_a_path_for_a_worktree_is_not_taken_and_the_log_says_so() -> None:
    heard = reply_of(ran("WorktreeCreate", 0, "/home/user/tree"), "WorktreeCreate")
    assert heard.opinion is None
    assert heard.notes == ("what a hook says on WorktreeCreate is not taken",)
    assert reply_of(ran("Unheard", 2), "Unheard").opinion is None


def test_a_denial_that_was_cut_off_is_no_silence_where_the_user_said_so() -> None:
    whole = json.dumps(DENY)
    for on_failure, verdict in (("warn", None), ("block", "deny"), ("ask", "ask")):
        one = HookExecution(
            hook("PreToolUse", on_failure=on_failure), 0, whole[:-4], truncated=True
        )
        heard = reply_of(one, "PreToolUse")
        assert (heard.opinion.verdict if heard.opinion else None) == verdict
        assert heard.notes == ("its answer is longer than hookd keeps",)


RUNS = st.builds(
    ran,
    st.just("PreToolUse"),
    st.sampled_from([0, 1, 2, 127]),
    st.one_of(st.text(), st.sampled_from([ALLOW, DENY, ASK, {}, {"decision": "block"}])),
    st.text(),
    on_failure=st.sampled_from(["warn", "block", "ask"]),
)


@given(RUNS, st.sampled_from(sorted(EVENTS)))
def test_every_run_is_read_and_exit_code_2_is_never_lost(one: HookExecution, event: str) -> None:
    heard = opinion(one, event)
    if one.exit_code == 2 and event in CAN_BE_BLOCKED and event not in NEVER_FORCED:
        assert heard is not None
        assert heard.verdict == "deny"
        assert heard.reason
    assert heard is None or heard.rule == RULE
