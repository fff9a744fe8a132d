"""Delivery identity: which deliveries are one firing of an event, for every event."""

from hashlib import sha256
from typing import Any

from hookd.events.delivery_identity import Firings, Sender, call_key, payload_key, sender_in
from hookd.events.model import HookInput, PermissionRequest, PreToolUse
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all

CALLS = {"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied"}
"""Events that the client fires once for a tool call, so that its id identifies them."""

USER, PROJECT = "hookd-hook --event Stop", "hookd-hook --event Stop --fail-closed"


def call(**more: Any) -> PreToolUse:
    given: dict[str, Any] = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_01",
    }
    return PreToolUse.model_validate(given | more)


def event(name: str = "UserPromptSubmit", **more: Any) -> HookInput:
    given = {"hook_event_name": name, "session_id": "s", "prompt_id": "p"}
    return HookInput.model_validate(given | more)


@parametrize_all("name", [*EVENTS, "NewerThanThisHookd"])
def test_only_events_about_one_tool_call_are_identified_by_an_id_of_theirs(name: str) -> None:
    one = event(name, tool_use_id="toolu_01", tool_name="Bash", tool_input={}, task_id="1")
    assert (call_key(one) is not None) == (name in CALLS)
    assert payload_key(one, b"{}") is not None


DIFFERENT = [
    {"session_id": "t"},
    {"agent_id": "a"},
    {"tool_use_id": "toolu_02"},
    {"tool_name": "Write"},
    {"client_tool": "write_stdin"},
    {"tool_input": {"command": "rm"}},
    {"hook_event_name": "PostToolUse"},
]


@parametrize_all("more", DIFFERENT, ids=str)
def test_another_call_has_another_key(more: dict[str, Any]) -> None:
    assert call_key(call(**more)) != call_key(call())


def test_a_call_has_the_same_key_whatever_else_its_event_carries() -> None:
    again = call(cwd="/work/elsewhere", permission_mode="plan", something_new=1)
    assert call_key(again) == call_key(call())


LONG = "x" * 20_000


@parametrize_all(
    "inputs",
    [
        {"content": LONG[:-1] + "y", "file_path": "/a"},
        {"content": LONG, "file_path": "/b"},
        {"content": LONG},
        {"old_string": LONG, "file_path": "/a"},
        {"content": LONG, "file_path": "/a", "more": LONG},
        {"content": sha256(LONG.encode()).hexdigest(), "file_path": "/a"},
        {"content": {"text": LONG}, "file_path": "/a"},
    ],
    ids=lambda inputs: str(sorted(inputs)),
)
def test_a_long_text_belongs_to_the_key(inputs: dict[str, Any]) -> None:
    one = call(tool_input={"content": LONG, "file_path": "/a"})
    assert call_key(one) == call_key(call(tool_input={"content": LONG, "file_path": "/a"}))
    assert call_key(call(tool_input=inputs)) != call_key(one)


def test_parts_of_a_key_do_not_run_into_each_other() -> None:
    one, two = call(agent_id="a", tool_use_id="bc"), call(agent_id="ab", tool_use_id="c")
    assert call_key(one) != call_key(two)


def test_keys_of_one_session_are_neighbours() -> None:
    keys = (call_key(call()), payload_key(event(), b"{}"))
    one, two = (str(key).split("-")[0] for key in keys)
    assert one == two
    assert keys[0] != keys[1]


@parametrize_all("one", [call(tool_use_id=None), call(tool_use_id=""), call(session_id="")])
def test_a_call_without_an_id_or_a_session_has_no_key(one: HookInput) -> None:
    assert call_key(one) is None


def test_a_permission_request_is_not_identified_by_a_call() -> None:
    asked = {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "toolu_01"}
    one = PermissionRequest(hook_event_name="PermissionRequest", session_id="s", **asked)
    assert call_key(one) is None


@parametrize_all(
    ("other", "body"),
    [
        (event(), b'{"prompt": "continue!"}'),
        (event("Stop"), b'{"prompt": "continue"}'),
        (event(session_id="t"), b'{"prompt": "continue"}'),
    ],
)
def test_another_payload_event_or_session_is_another_firing(other: HookInput, body: bytes) -> None:
    assert payload_key(other, body) != payload_key(event(), b'{"prompt": "continue"}')


def test_a_key_can_be_made_of_any_text() -> None:
    assert call_key(call(session_id="\ud800", tool_use_id="\udfff")) is not None
    assert payload_key(event("\ud800", session_id="\udfff"), b"\xff") is not None


# Deliveries of equal payloads in their order: registration, process, seconds; and which firing
# each of them is of.
ORDERS = {
    "two registrations": ([(USER, "1", 0), (PROJECT, "2", 0.02)], "aa"),
    "the same text typed again": ([(USER, "1", 0), (USER, "2", 0.3)], "ab"),
    "typed again with two registrations": (
        [(USER, "1", 0), (PROJECT, "2", 0), (PROJECT, "3", 0.3), (USER, "4", 0.3)],
        "aabb",
    ),
    "one registration is slower than the typist": (
        [(USER, "1", 0), (USER, "2", 0.3), (PROJECT, "3", 2), (PROJECT, "4", 2)],
        "abab",
    ),
    "an attempt is repeated": ([(USER, "1", 0), (USER, "1", 5)], "aa"),
    "an attempt is repeated after the same text": (
        [(USER, "1", 0), (USER, "2", 1), (PROJECT, "3", 1), (PROJECT, "4", 1), (PROJECT, "4", 3)],
        "ababb",
    ),
    "a registration that was added later": ([(USER, "1", 0), (PROJECT, "2", 600)], "ab"),
}


@parametrize_all(("deliveries", "firings"), list(ORDERS.values()), ids=list(ORDERS))
def test_equal_payloads_are_told_apart_by_who_delivers_them(
    deliveries: list[tuple[str, str, float]], firings: str
) -> None:
    known = Firings()
    keys = [known.key("k", Sender(one, process), at) for one, process, at in deliveries]
    assert [chr(ord("a") + list(dict.fromkeys(keys)).index(key)) for key in keys] == list(firings)


def test_a_repeated_attempt_has_its_key_after_a_restart_of_the_daemon() -> None:
    sender = Sender(USER, "1")
    assert Firings().key("k", sender, 0) == Firings().key("k", sender, 9)
    assert Firings().key("k", sender, 0) != Firings().key("k", Sender(USER, "2"), 9)


def test_what_is_remembered_is_bounded() -> None:
    known = Firings()
    for number in range(5_000):
        known.key(f"k{number}", Sender(USER, "1"), 0)
    assert len(known._by_payload) == 2_000


ODD: list[Any] = [
    None,
    "x",
    {},
    {"registration": "x"},
    {"process": "1"},
    {"registration": 1, "process": "1"},
    {"registration": "x", "process": ""},
]


@parametrize_all("named", ODD, ids=str)
def test_a_sender_that_is_not_named_in_full_is_none(named: Any) -> None:
    assert sender_in({"sender": named}) is None
    assert sender_in({}) is None


def test_a_sender_is_kept_as_hashes() -> None:
    sender = sender_in({"sender": {"registration": "/home/ada/x", "process": "7-1"}})
    assert sender is not None
    assert "ada" not in sender.registration
