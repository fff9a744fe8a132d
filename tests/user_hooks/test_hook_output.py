"""What a hook prints is an answer, plain text, or an answer that cannot be read: never a fault."""

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from hookd import json_text
from hookd.events.protocol import EVENTS
from hookd.user_hooks.hook_output import Output, parse
from support.parametrize import parametrize_all

DENY = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "no",
    }
}
DENIED = json.dumps(DENY)


@parametrize_all(
    "printed",
    [DENIED, f"\n  {DENIED}\n\n", "\ufeff" + DENIED, json.dumps(DENY, indent=2)],
)
def test_one_object_and_nothing_beside_it_is_an_answer(printed: str) -> None:
    assert parse(printed, "PreToolUse") == Output(answer=DENY)


PLAIN = {
    "nothing": "",
    "words": "all is well",
    "a list": "[1]",
    "a number": "42",
    "a text": '"{}"',
    "a banner before the answer": f"Welcome!\n{DENIED}",
    "words behind the answer": f"{DENIED}\ndone",
    "two answers": f"{DENIED}\n{DENIED}",
    "two answers on one line": f"{DENIED} {DENIED}",
    "an answer between others": "{}{}\n\n{}",
    "an answer without its end": DENIED[:-3],
}


@parametrize_all("name", PLAIN)
def test_anything_else_is_plain_text(name: str) -> None:
    assert parse(PLAIN[name] + "\n", "PreToolUse") == Output(text=PLAIN[name])


BROKEN = {
    "a comma at the end": '{"continue": false,}',
    "a word that is none": "{continue}",
    "one bracket too few": DENIED[:-1],
    "words between two answers": "{} and {}",
    "no number": '{"x": NaN}',
    "an endless number": '{"x": Infinity}',
    "levels without end": '{"x":' * 5000 + "1" + "}" * 5000,
    "a hundred levels": '{"x":' * 100 + "1" + "}" * 100,
}


@parametrize_all("name", BROKEN)
def test_what_looks_like_an_answer_and_is_none_is_a_fault(name: str) -> None:
    output = parse(BROKEN[name], "PreToolUse")
    assert output.answer is None
    assert output.text == ""
    assert output.fault.startswith("its answer is no valid JSON: ")


def test_an_answer_that_is_longer_than_is_kept_is_a_fault_and_no_text() -> None:
    assert parse(DENIED[:-3], "PreToolUse", cut=True).fault == (
        "its answer is longer than hookd keeps"
    )
    assert parse(DENIED, "PreToolUse", cut=True).answer == DENY
    assert parse("many words", "PreToolUse", cut=True) == Output(text="many words")


@parametrize_all(
    "printed",
    [
        '{"async": true}',
        '{"async":true,"asyncTimeout":15000}',
        '{\n  "async": true,\n  "asyncTimeout": 15000\n}',
        '{"async":true}\nstill at work',
        '{"async":true}\n' + DENIED,
    ],
)
def test_a_first_line_may_hand_the_event_over(printed: str) -> None:
    assert parse(printed, "PreToolUse") == Output(handed_over=True)


@parametrize_all("printed", ['{"async": false}', '{"async": 1}', '{"async": "true"}'])
def test_nothing_else_hands_it_over(printed: str) -> None:
    assert parse(printed, "PreToolUse").answer is not None


def own(event: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event} | more}


def decision(**more: Any) -> dict[str, Any]:
    return own("PermissionRequest", decision=more)


RULE = {"toolName": "Bash", "ruleContent": "ls"}
ADD = {"type": "addRules", "rules": [RULE], "behavior": "allow", "destination": "session"}

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("Stop", {"continue": "false"}, "continue"),
    ("Stop", {"continue": None}, "continue"),
    ("Stop", {"stopReason": 1}, "stopReason"),
    ("Stop", {"suppressOutput": 0}, "suppressOutput"),
    ("Stop", {"decision": "deny", "reason": "x"}, "decision"),
    ("Stop", {"decision": ["block"]}, "decision"),
    ("Stop", {"decision": "block", "reason": None}, "reason"),
    ("Stop", {"systemMessage": ["x"]}, "systemMessage"),
    ("Stop", {"terminalSequence": 7}, "terminalSequence"),
    ("Stop", {"hookSpecificOutput": "x"}, "hookSpecificOutput"),
    ("Stop", own("Stop", additionalContext=1), "additionalContext"),
    ("PreToolUse", own("PreToolUse", permissionDecision="block"), "permissionDecision"),
    ("PreToolUse", own("PreToolUse", permissionDecision=True), "permissionDecision"),
    ("PreToolUse", own("PreToolUse", permissionDecisionReason=1), "permissionDecisionReason"),
    ("PreToolUse", own("PreToolUse", updatedInput="ls"), "updatedInput"),
    ("PreToolUse", own("PreToolUse", updatedInput=["ls"]), "updatedInput"),
    ("PreToolUse", own("PreToolUse", additionalContext={}), "additionalContext"),
    ("PreModelSwitch", own("PreModelSwitch", permissionDecision="defer"), "permissionDecision"),
    ("UserPromptSubmit", own("UserPromptSubmit", sessionTitle=1), "sessionTitle"),
    (
        "UserPromptSubmit",
        own("UserPromptSubmit", suppressOriginalPrompt="yes"),
        "suppressOriginalPrompt",
    ),
    ("SessionStart", own("SessionStart", watchPaths="/x"), "watchPaths"),
    ("SessionStart", own("SessionStart", watchPaths=[1]), "watchPaths"),
    ("SessionStart", own("SessionStart", reloadSkills="no"), "reloadSkills"),
    ("SessionStart", own("SessionStart", initialUserMessage=[]), "initialUserMessage"),
    ("PostToolUse", own("PostToolUse", classifierContext=1), "classifierContext"),
    ("PermissionDenied", own("PermissionDenied", retry="true"), "retry"),
    ("Elicitation", own("Elicitation", action="agree"), "action"),
    ("ElicitationResult", own("ElicitationResult", action="accept", content=[]), "content"),
    ("MessageDisplay", own("MessageDisplay", displayContent=None), "displayContent"),
    ("CwdChanged", own("CwdChanged", watchPaths=None), "watchPaths"),
    ("PermissionRequest", own("PermissionRequest", decision="deny"), "decision"),
    ("PermissionRequest", decision(), "decision"),
    ("PermissionRequest", decision(behavior="ask"), "decision"),
    ("PermissionRequest", decision(behavior=["deny"]), "decision"),
    ("PermissionRequest", decision(behavior="deny", message=1), "decision"),
    ("PermissionRequest", decision(behavior="deny", interrupt="yes"), "decision"),
    ("PermissionRequest", decision(behavior="allow", updatedInput="ls"), "decision"),
    ("PermissionRequest", decision(behavior="allow", updatedPermissions=ADD), "decision"),
    *(
        ("PermissionRequest", decision(behavior="allow", updatedPermissions=[wrong]), "decision")
        for wrong in (
            "addRules",
            {},
            {"type": "allowAll", "destination": "session"},
            {"type": ["addRules"]},
            ADD | {"destination": "everywhere"},
            ADD | {"behavior": "perhaps"},
            ADD | {"rules": [{"ruleContent": "ls"}]},
            ADD | {"rules": ["Bash"]},
            {"type": "setMode", "destination": "session"},
            {"type": "addDirectories", "directories": "/x", "destination": "session"},
        )
    ),
]


@parametrize_all(("event", "answer", "key"), WRONG)
def test_a_known_key_of_a_wrong_type_voids_the_whole_answer(
    event: str, answer: dict[str, Any], key: str
) -> None:
    assert parse(json.dumps(answer), event) == Output(fault=f'its answer has a wrong "{key}"')


RIGHT: list[tuple[str, dict[str, Any]]] = [
    ("Stop", {}),
    ("Stop", {"unknown": [1, {"x": None}]}),
    ("Stop", own("Stop", unknown=None)),
    ("Stop", own("Stop", permissionDecision="of another event, and so unknown here")),
    ("TaskCreated", {"decision": "block", "reason": "x"} | own("TaskCreated")),
    ("PostToolUse", own("PostToolUse", updatedToolOutput=None)),
    ("PostToolUse", own("PostToolUse", updatedToolOutput=[1, "x"])),
    ("PermissionRequest", decision(behavior="deny")),
    ("PermissionRequest", decision(behavior="allow", updatedPermissions=[])),
    ("PermissionRequest", decision(behavior="allow", updatedPermissions=[ADD])),
    (
        "PermissionRequest",
        decision(
            behavior="allow",
            updatedPermissions=[
                {"type": "setMode", "mode": "plan", "destination": "session"},
                {"type": "addDirectories", "directories": ["/x"], "destination": "cliArg"},
            ],
        ),
    ),
]


@parametrize_all(("event", "answer"), RIGHT)
def test_unknown_keys_are_no_fault(event: str, answer: dict[str, Any]) -> None:
    assert parse(json.dumps(answer), event).answer == answer


@parametrize_all("named", [{}, {"hookEventName": "Stop"}, {"hookEventName": 1}])
def test_an_answer_for_another_event_is_a_fault_but_its_block_holds(named: dict[str, Any]) -> None:
    answer = {"decision": "block", "reason": "so", "hookSpecificOutput": named}
    output = parse(json.dumps(answer), "PostToolUse")
    assert (output.answer, output.blocks) == (None, "so")
    assert output.fault.startswith('its "hookSpecificOutput" ')
    assert parse(json.dumps(answer), "PermissionRequest").blocks is None


def test_half_a_character_becomes_a_question_mark() -> None:
    output = parse('{"systemMessage": "a \\ud83d b \\ud83d\\ude00"}', "Stop")
    assert output.answer == {"systemMessage": "a ? b \U0001f600"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KNOWN = st.sampled_from(
    [
        *("continue", "stopReason", "decision", "reason", "systemMessage", "terminalSequence"),
        *("hookSpecificOutput", "async", "permissionDecision", "updatedInput", "watchPaths"),
        *("action", "content", "hookEventName", "retry", "additionalContext"),
    ]
)
OWN = st.dictionaries(KNOWN, VALUES, max_size=4)
ANSWERS = st.dictionaries(KNOWN, VALUES | OWN, max_size=4)
TEXTS = st.one_of(st.text(), ANSWERS.map(json.dumps), ANSWERS.map(lambda one: json.dumps(one)[:-1]))


@given(TEXTS, st.sampled_from([*EVENTS, "", "Unheard"]), st.booleans())
@example('{"x": ' + "9" * 5000 + "}", "Stop", False)
@example("{" * 100_000 + "}", "Stop", False)
@example("{}" * 5000, "Stop", False)
def test_whatever_is_printed_is_read_and_can_be_written_again(
    printed: str, event: str, cut: bool
) -> None:
    output = parse(printed, event, cut=cut)
    assert isinstance(output.blocks, str | None)
    assert json_text.parse(json_text.dump(output.answer)) is None or output.answer is not None
