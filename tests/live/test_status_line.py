"""Live: what the client tells its status line is kept, and the line that hookd adds to it."""

import json
from shutil import copy
from typing import Any

import pytest

from support.flows import skill
from support.home import SHIM, Home, Window, until

HANDOVER = "\x1b[2mhandover at 90 %\x1b[0m"


def status(window: Window, **more: Any) -> dict[str, Any]:
    return {
        "session_id": window.id,
        "model": {"id": "claude-opus-4-6", "display_name": "Opus"},
        "cost": {"total_cost_usd": 1.254},
        "context_window": {
            "context_window_size": 200_000,
            "used_percentage": 45,
            "current_usage": {
                "input_tokens": 10,
                "cache_creation_input_tokens": 990,
                "cache_read_input_tokens": 89_000,
                "output_tokens": 5_000,
            },
        },
    } | more


def line(window: Window, body: Any, env: Any = None) -> Any:
    """Ask as hookd-statusline does: the payload follows the request, up to one record separator."""
    head = {"body": True, "env": window.identity | (env or {})}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "session.statusLine", "params": head}
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    with window.home.link() as link, link.makefile("rb") as lines:
        link.sendall(json.dumps(asked).encode() + b"\n" + raw + b"\x1e")
        assert b"hooks.accepted" in lines.readline()
        answer = lines.readline()
        assert lines.read() == b""
        return json.loads(answer)


def test_what_the_client_tells_is_kept_by_its_tokens_with_the_window_size(window: Window) -> None:
    window.says("SessionStart")
    said = line(window, status(window))["result"]["line"]
    assert said == f"$1.25 · \x1b[2mctx 45 %\x1b[0m · {HANDOVER}"
    columns = "context_usage, context_source, cost, window_tokens, model"
    assert window.sessions(columns) == [(0.45, "statusline", 1.254, 200_000, "claude-opus-4-6")]


def test_the_line_says_task_skill_phase_agent_cost_and_how_full_it_is(
    shared: Home, window: Window
) -> None:
    window.env["AGENT_ID"] = f"agent-{window.id[:6]}"
    effort = window.starts()
    window.says("SessionStart")
    window.rpc("effort.phase", phase="2: Build", reason="to see it")
    told = line(window, status(window, context_window={"used_percentage": 91}))["result"]["line"]
    words = told.split(" · ")
    task = effort["taskDir"].rpartition("/")[2]
    assert words[:2] == [task, "implement"]
    assert words[2].endswith("Build")
    assert words[3:] == [window.env["AGENT_ID"], "$1.25", "\x1b[31mctx 91 %\x1b[0m", HANDOVER]


def test_a_window_that_hookd_does_not_know_is_said_to_be_none(window: Window) -> None:
    assert line(window, status(window))["result"]["line"] == "\x1b[31mNo session\x1b[0m"
    assert window.sessions("id") == []


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"session_id": []}', b"\xff\xfe", b'{"context_window": "full"}'],
    ids=repr,
)
def test_a_payload_of_any_other_kind_keeps_nothing_and_breaks_nothing(
    window: Window, body: bytes
) -> None:
    answer = line(window, body)
    assert ("error" in answer) != ("line" in answer.get("result", {}))
    assert window.home.rpc("daemon.status")


@pytest.mark.parametrize(
    "told",
    [
        {"context_window": {"used_percentage": None, "context_window_size": 200_000}},
        {"context_window": {"used_percentage": -1}},
        {"context_window": {"used_percentage": True}},
        {"context_window": {}},
        {"context_window": None},
    ],
    ids=repr,
)
def test_what_is_not_said_is_not_made_up(window: Window, told: dict[str, Any]) -> None:
    window.says("SessionStart")
    assert "%" not in line(window, status(window) | told)["result"]["line"]
    assert window.sessions("context_usage, context_source") == [(None, None)]


def test_the_line_holds_nothing_that_json_would_escape_but_colours(window: Window) -> None:
    window.env["AGENT_ID"] = 'a"b\\c\td'
    window.says("SessionStart")
    asked = {"status": status(window), "env": window.identity}
    request = {"jsonrpc": "2.0", "id": 1, "method": "session.statusLine", "params": asked}
    raw = window.home.line(json.dumps(request).encode())
    assert b"a'b/c d" in raw
    assert raw.replace(b"\\u001b", b"").count(b"\\") == 0


def test_levels_come_from_the_status_line(window: Window) -> None:
    window.says("SessionStart")
    told = []
    for percent in (72, 83, 91, 96):
        line(window, status(window, context_window={"used_percentage": percent}))
        first, second = window.bash(), window.bash()
        told.append(first["hookSpecificOutput"]["additionalContext"].split("full.")[0])
        assert second is None, "each level is told once"
    for text, percent in zip(told, ("72%", "83%", "91%", "96%"), strict=True):
        assert percent in text


def test_a_phase_has_its_place_and_a_later_effort_its_number(window: Window) -> None:
    skill(window)
    first = window.starts()
    window.rpc("effort.finish", effortId=first["effortId"])
    window.rpc("effort.start", taskDir=first["taskDir"], skill="implement")
    window.says("SessionStart")
    for phase in ("0: Setup", "1: Build"):
        window.rpc("effort.phase", phase=phase)
    words = line(window, status(window))["result"]["line"].split(" · ")
    assert words[1:3] == ["2:implement", "[2 of 3] Build"]


def test_another_model_s_number_is_forgotten_until_it_is_told(window: Window) -> None:
    window.says("SessionStart")
    line(window, status(window))
    window.says("PostModelSwitch", to_model="claude-haiku-4-5", context_tokens=None)
    assert window.sessions("context_usage, context_source, model") == [
        (None, None, "claude-haiku-4-5")
    ]
    line(window, status(window))
    assert window.sessions("context_usage, context_source") == [(0.45, "statusline")]


def test_a_payload_beyond_a_megabyte_is_refused(window: Window) -> None:
    assert "error" in line(window, {"session_id": "x" * 1_000_001})


def test_damaged_programs_of_hooks_are_shown(home: Home) -> None:
    scope = home.path / "shims" / "user"
    scope.mkdir(parents=True)
    for shim in SHIM.parent.glob("hookd-*"):
        copy(shim, scope.parent)
    (scope / "PreToolUse").symlink_to("../hookd-hook.native")
    home.serves()
    shown = "\x1b[31mhooks: hookd-hook.native is not there\x1b[0m · "
    asked = {"status": {"session_id": "s"}}
    until(lambda: home.rpc("session.statusLine", asked)["line"].startswith(shown))
    assert "hookd-hook.native is not there" in home.hookd("status").stdout
