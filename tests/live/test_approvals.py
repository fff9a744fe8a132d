"""Live: a person outside the client answers its permission requests, while a viewer is open."""

import json
import os
import signal
from collections.abc import Iterator

import pytest

from support import forkserver
from support.approvals import HOLD, answer_of, answers, asking, ends_as, leave, looking, status
from support.home import Home, Window, place, until, window_in
from support.payloads import header
from support.subscription import listening

TOUCH = {"tool_name": "Bash", "tool_input": {"command": "touch x", "description": "make x"}}


@pytest.fixture(scope="module")
def holding() -> Iterator[Home]:
    """A daemon that holds permission requests."""
    with place() as home:
        home.settings(HOLD)
        yield home.serves()


@pytest.fixture
def window(holding: Home) -> Window:
    return window_in(holding, AGENT_ID="worker-1")


def test_a_person_allows_a_request_and_it_is_recorded_who(holding: Home, window: Window) -> None:
    window.says("SessionStart")
    more = {"tool_name": "Bash", "tool_input": {"command": "git clean -fd"}}
    with looking(holding) as viewer, asking(window, **more) as shim:
        row = viewer.pending()
        assert (row["agent"], row["project"]) == ("worker-1", window.project)
        assert (row["tool"], row["text"]) == ("Bash", "git clean -fd")
        assert row["input"] == more["tool_input"]
        assert (row["status"], row["answeredBy"], row["diff"]) == ("pending", None, None)
        assert row["risk"]["rules"] == ["git.clean"]
        assert "deletes untracked files" in row["reason"]
        assert holding.rpc("approvals.list")["approvals"] == [row]
        code, said = answers(holding, "allow", row["id"])
        assert (code, said) == (0, "Allowed: Bash: git clean -fd\n")
        assert answer_of(shim) == {"behavior": "allow"}
        ended = viewer.ended()
    assert (ended["status"], ended["message"]) == ("allowed", None)
    assert ended["answeredBy"].endswith(ended["answeredBy"].partition(", ")[2])
    assert ", pts/" in ended["answeredBy"]
    ((decision, rule, answer),) = holding.rows(
        "SELECT decision, decided_by, answer FROM events WHERE id = ?", row["eventId"]
    )
    assert (decision, rule) == ("allow", "approvals")
    assert json.loads(answer)["hookSpecificOutput"]["decision"] == {"behavior": "allow"}
    why = holding.hookd("why", str(row["eventId"])).stdout
    assert "PermissionRequest, allowed by approvals" in why
    assert f"allowed by {ended['answeredBy']} after" in why


def test_a_denial_brings_the_model_the_message(holding: Home, window: Window) -> None:
    with looking(holding) as viewer, asking(window, **TOUCH) as shim:
        row = viewer.pending()
        code, _ = answers(holding, "deny", row["id"], "-m", "Use the build folder.")
        assert code == 0
        said = f"Use the build folder. (hookd #{row['eventId']})"
        assert answer_of(shim) == {"behavior": "deny", "message": said}
        assert viewer.ended()["message"] == "Use the build folder."
    code, said = answers(holding, "allow", row["id"])
    assert code != 0
    assert f"No permission request {row['id']} waits" in said


def test_a_request_can_be_left_to_the_dialog(holding: Home, window: Window) -> None:
    with looking(holding) as viewer, asking(window, **TOUCH) as shim:
        row = viewer.pending()
        assert answers(holding, "leave", row["id"])[0] == 0
        assert answer_of(shim) is None
        assert viewer.ended()["status"] == "dialog"


def test_nothing_waits_without_somebody_who_can_answer(holding: Home, window: Window) -> None:
    with asking(window, **TOUCH) as shim:
        assert answer_of(shim) is None
    with listening(holding, "approvals.subscribe") as ear:
        assert ear.next() == ("approvals.changed", {"pending": [], "ended": []})
        with asking(window, **TOUCH) as shim:
            assert answer_of(shim) is None
    with looking(holding) as viewer, asking(window, **TOUCH) as shim:
        row = viewer.pending()
        leave(viewer)
        assert answer_of(shim) is None, "the last who could answer is gone"
        ends_as(holding, row["id"], "dialog")


def test_the_client_s_own_dialog_ends_a_request(holding: Home, window: Window) -> None:
    with looking(holding) as viewer:
        with asking(window, **TOUCH) as shim:
            row = viewer.pending()
            shim.kill()  # so the client does once its dialog is answered
            ended = viewer.ended()
        assert (ended["id"], ended["status"]) == (row["id"], "ended")
        assert ended["message"] == "answered in the client's own dialog"
        for event, more in (
            ("PostToolUse", TOUCH),
            ("PostToolUseFailure", TOUCH),
            ("PermissionDenied", TOUCH),
            ("Stop", {}),
            ("UserPromptSubmit", {}),
            ("SessionEnd", {}),
        ):
            with asking(window, **TOUCH) as shim:
                row = viewer.pending()
                window.says(event, **more)
                assert answer_of(shim) is None, event
                assert viewer.ended()["id"] == row["id"], event


def test_an_answer_that_came_too_late_is_recorded_as_that(holding: Home, window: Window) -> None:
    with looking(holding) as viewer:
        with asking(window, **TOUCH) as shim:
            row = viewer.pending()
            assert answers(holding, "deny", row["id"])[0] == 0
            assert answer_of(shim)["behavior"] == "deny"
            assert viewer.ended()["status"] == "denied"
        window.says("PostToolUse", **TOUCH)  # the client's own dialog was answered before
        late = viewer.ended()
        assert (late["id"], late["status"]) == (row["id"], "ended")
        assert late["message"] == "the client's own dialog had allowed it first"
        with asking(window, **TOUCH) as shim:
            row = viewer.pending()
            assert answers(holding, "allow", row["id"])[0] == 0
            assert viewer.ended()["status"] == "allowed"
        window.says("Stop")
        late = viewer.ended()
        assert (late["id"], late["status"]) == (row["id"], "allowed")
        assert late["message"].startswith("no result of the call followed")


def test_other_events_and_sessions_do_not_wait_for_it(holding: Home, window: Window) -> None:
    other = window_in(holding)
    with looking(holding) as viewer, asking(window, **TOUCH) as shim:
        row = viewer.pending()
        window.says("PostToolUse", tool_name="Bash", tool_input={"command": "ls"})
        assert window.bash("ls") is None
        other.says("Stop")
        assert shim.poll() is None
        assert status(holding, row["id"]) == "pending"


@pytest.mark.gate
def test_a_request_waits_until_its_deadline(holding: Home, window: Window) -> None:
    # Without a shim: on a loaded machine it would give up before it has the answer.
    event = json.dumps(window.event("PermissionRequest", **TOUCH)).encode()
    line = header("PermissionRequest", window.identity, deadline=4)
    with looking(holding) as viewer, holding.link() as link, link.makefile("rb") as said:
        link.sendall(line + event + b"\x1e")
        row = viewer.pending()
        assert b"hooks.accepted" in said.readline()
        assert json.loads(said.readline())["result"] is None
        assert viewer.ended()["status"] == "expired"
        assert row["until"] > row["askedAt"]


def test_a_request_ends_when_its_session_is_forgotten(holding: Home, window: Window) -> None:
    with looking(holding) as viewer, asking(window) as shim:
        row = viewer.pending()
        holding.hookd("session", "forget", str(row["sessionId"]), "--yes", "--force")
        ended = viewer.ended()
        assert (ended["id"], ended["status"], ended["text"]) == (row["id"], "ended", "")
        assert (ended["input"], ended["diff"]) == ({}, None)
        assert answer_of(shim) is None


def test_the_end_of_the_daemon_leaves_it_to_the_dialog(home: Home) -> None:
    home.settings(HOLD)
    window = window_in(home.serves())
    with looking(home) as viewer, asking(window, **TOUCH) as shim:
        row = viewer.pending()
        home.ends()
        assert answer_of(shim) is None
    assert status(home, row["id"]) == "dialog"


def test_what_a_killed_daemon_left_is_ended(home: Home) -> None:
    home.settings(HOLD)
    window = window_in(home.serves())
    with looking(home) as viewer, asking(window, **TOUCH):
        row = viewer.pending()
        os.kill(home.pid, signal.SIGKILL)
    home.serves()
    assert status(home, row["id"]) == "ended"


def test_decided_requests_are_not_held(home: Home) -> None:
    home.settings(HOLD)
    home.serves()
    script = home.path / "allow.sh"
    said = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    said = {"hookSpecificOutput": said}
    script.write_text(f"#!/bin/sh\nprintf '%s' '{json.dumps(said)}'\n")
    script.chmod(0o755)
    window = window_in(home)
    home.hookd("hook", "add", "PermissionRequest", str(script), "--matcher", "Edit")
    with looking(home):
        with asking(window, tool_name="Bash", tool_input={"command": "rm -rf /"}) as shim:
            assert answer_of(shim) is None, "a guard denies it: no person is asked"
        ((number, decision),) = home.rows("SELECT max(id), decision FROM events")
        why = home.hookd("why", str(number)).stdout
        assert "  not held: guard destructive-guard denies the call" in why
        assert (decision, window.project in why) == (None, True)
        with asking(window, tool_name="Edit", tool_input={"file_path": "/x"}) as shim:
            assert answer_of(shim) == {"behavior": "allow"}
        forkserver.at_a_terminal(("pause", "10m"), home.env)
        with asking(window, **TOUCH) as shim:
            assert answer_of(shim) is None, "hookd is paused"
        home.hookd("resume", "--yes")
        big = {"command": f"echo {'x' * 300_000}"}
        with asking(window, tool_name="Bash", tool_input=big) as shim:
            assert answer_of(shim) is None, "it is too large"
    assert home.rows("SELECT * FROM approvals") == []


def test_agents_and_projects_are_chosen(home: Home) -> None:
    chosen = window_in(home, AGENT_ID="worker-1")
    other = window_in(home, AGENT_ID="worker-2")
    home.settings({"approvals": {"agents": {"worker-1": True}}})
    home.serves()
    with looking(home) as viewer:
        with asking(other, **TOUCH) as shim:
            assert answer_of(shim) is None
        with asking(chosen, **TOUCH) as shim:
            assert viewer.pending()["agent"] == "worker-1"


def test_a_repeated_delivery_waits_with_the_first(holding: Home, window: Window) -> None:
    event = window.event("PermissionRequest", **TOUCH)
    with (
        looking(holding) as viewer,
        asking(window, event=event) as first,
        asking(window, event=event, options=("--fail-closed",)) as second,
    ):
        row = viewer.pending()
        answers(holding, "allow", row["id"])
        assert answer_of(first) == answer_of(second) == {"behavior": "allow"}
    assert len(holding.rows("SELECT * FROM approvals WHERE session_id = ?", row["sessionId"])) == 1


def test_an_edit_shows_its_diff(holding: Home, window: Window) -> None:
    file = f"{window.project}/a.py"
    given = {"file_path": file, "old_string": "a = 1\nb = 2", "new_string": "a = 1\nb = 3"}
    with looking(holding) as viewer, asking(window, tool_name="Edit", tool_input=given):
        row = viewer.pending()
    assert row["text"] == file
    assert row["diff"].splitlines()[3:] == [" a = 1", "-b = 2", "+b = 3"]
    shown = holding.hookd("approval", "show", str(row["id"])).stdout
    assert "+b = 3" in shown


def test_the_user_is_notified_at_once(home: Home) -> None:
    told = home.path / "told"
    script = home.path / "tell.sh"
    script.write_text(f"#!/bin/sh\ncat > {told}.part\nmv {told}.part {told}\n")
    script.chmod(0o755)
    options = {"mode": "enforce", "channels": ["command"], "command": [str(script)]}
    home.settings({**HOLD, "policies": {"options": {"session-notification": options}}})
    window = window_in(home.serves(), AGENT_ID="worker-1")
    with looking(home) as viewer, asking(window, **TOUCH):
        row = viewer.pending()
        until(told.exists)
    title, text = told.read_text().splitlines()
    assert title == "worker-1"
    assert text.startswith("asks: Bash: touch x. To answer: hookd approval allow")
    assert str(row["id"]) in text
