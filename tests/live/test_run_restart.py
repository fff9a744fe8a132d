"""Live: only a client that `hookd run` started is restarted."""

import json
from typing import Any

import pytest

from support.home import Home, Window, window_in
from support.payloads import context
from support.subscription import listening

RUN = "0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11"
HANDOVER = {
    "summary": "Half of it stands.",
    "lastAction": "Wrote a test.",
    "nextSteps": ["Write the other half."],
    "requiredFiles": [],
}


@pytest.fixture
def restarting(home: Home) -> Home:
    home.settings({"precompact": {"action": "restart"}})
    home.serves()
    return home


def supervised(home: Home, **env: str) -> Window:
    return window_in(home, HOOKD_RUN=RUN, **env)


def test_a_full_window_is_not_compacted_but_its_client_started_anew(restarting: Home) -> None:
    window = supervised(restarting)
    effort = window.starts()
    with listening(restarting, "run.attach", runId=RUN) as ear:
        assert ear.answer["result"] == {"attached": True}
        window.says("SessionStart")
        answer = window.says("PreCompact.auto")
        assert answer["decision"] == "block"
        method, params = ear.next()
        assert (method, params["runId"]) == ("run.restart", RUN)
        assert params["reason"] == "the context window is full"
        assert effort["taskDir"] in params["prompt"]
        assert window.sessions("end_reason, run") == [("restart", RUN)]


@pytest.mark.parametrize(
    "env", [{}, {"HOOKD_RUN": RUN.replace("0", "1")}], ids=["no run", "nobody there"]
)
def test_who_has_no_supervisor_is_compacted_as_usual(restarting: Home, env: dict[str, str]) -> None:
    window = window_in(restarting, **env)
    window.starts()
    with listening(restarting, "run.attach", runId=RUN):
        window.says("SessionStart")
        assert window.says("PreCompact.auto") is None
        assert window.sessions("end_reason") == [(None,)]


def test_what_a_person_compacts_starts_nobody_anew(restarting: Home) -> None:
    window = supervised(restarting)
    window.starts()
    with listening(restarting, "run.attach", runId=RUN):
        window.says("SessionStart")
        assert window.says("PreCompact", trigger="manual") is None
        assert window.sessions("end_reason") == [(None,)]


def test_a_window_that_leaves_nothing_is_compacted(restarting: Home) -> None:
    window = supervised(restarting)
    with listening(restarting, "run.attach", runId=RUN):
        window.says("SessionStart")
        assert window.says("PreCompact.auto") is None
        window.says("SessionStart.compact")
        save(window)
        assert window.says("PreCompact.auto")["decision"] == "block"


def test_a_client_that_a_supervised_one_starts_is_not_supervised(restarting: Home) -> None:
    outer, inner = supervised(restarting), supervised(restarting)
    outer.starts()
    with listening(restarting, "run.attach", runId=RUN) as ear:
        outer.says("SessionStart")
        save(outer)
        assert "Half of it stands." not in context(inner.says("SessionStart"))
        assert save(inner, restart=True)["restarting"] is False
        assert inner.says("PreCompact.auto") is None
        assert save(outer, restart=True)["restarting"] is True
        ear.next()


def test_windows_of_a_client_that_has_ended_end_with_it(restarting: Home) -> None:
    window = supervised(restarting)
    window.says("SessionStart")
    save(window)
    assert restarting.rpc("run.end", {"runId": RUN}) == {"ended": 1}
    assert window.sessions("end_reason") == [("client ended",)]
    fresh = Window(restarting, window.project, env=window.env)
    assert "Half of it stands." in context(fresh.says("SessionStart"))


def test_a_person_at_a_terminal_may_ask_for_it_as_well(daemon: Home) -> None:
    window = supervised(daemon)
    window.says("SessionStart")
    outside = {"CLAUDE_PROJECT_DIR": window.project}
    with listening(daemon, "run.attach", runId=RUN) as ear:
        asked = {"payload": HANDOVER, "restart": True, "env": outside}
        assert daemon.rpc("handover.save", asked)["restarting"] is True
        ear.next()
    unknown = daemon.hookd(
        "handover", "save", "--session", "99", input=json.dumps(HANDOVER), check=False
    )
    assert "no session 99" in unknown.stderr.lower()


def test_a_run_counts_as_long_as_its_supervisor_listens(restarting: Home) -> None:
    window = supervised(restarting)
    window.says("SessionStart")
    with listening(restarting, "run.attach", runId=RUN):
        pass
    restarting.rpc("daemon.status")  # the end of that connection was seen before this one's line
    assert window.says("PreCompact.auto") is None


def save(window: Window, **more: Any) -> Any:
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    return window.home.rpc("handover.save", {"payload": HANDOVER, "env": env} | more)


def test_a_handover_can_ask_for_the_restart(daemon: Home) -> None:
    window = supervised(daemon)
    window.says("SessionStart")
    with listening(daemon, "run.attach", runId=RUN) as ear:
        assert save(window)["restarting"] is False
        assert save(window, restart=True)["restarting"] is True
        assert ear.next()[1]["reason"] == "it has handed over to the next window"
    window.says("SessionEnd", reason="other")
    fresh = Window(daemon, window.project, env=window.env)
    text = context(fresh.says("SessionStart"))
    assert "Half of it stands." in text, "the same run goes on, under another id"
    assert fresh.sessions("prev_session_id IS NOT NULL") == [(1,)]


def test_a_handover_is_kept_where_nobody_can_start_the_client_anew(daemon: Home) -> None:
    window = window_in(daemon)
    window.says("SessionStart")
    assert save(window, restart=True)["restarting"] is False
    assert window.sessions("handover_json IS NOT NULL") == [(1,)]
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    done = daemon.hookd("handover", "save", "--restart", input=json.dumps(HANDOVER), env=env)
    assert "not restarted" in done.stderr
