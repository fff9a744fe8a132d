"""`hookd doctor` as a whole: a real daemon, the installed shim, and a call that must be denied."""

import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from hookd.cli.doctor.checks.canary import judge, payload, weakened
from hookd.cli.doctor.checks.result import Finding, State, fail, ok, warn
from hookd.cli.doctor.checks.timeouts import Ran
from hookd.cli.doctor.doctor import verdict
from hookd.system import stop_marker
from support.doctor_home import OTHER, Scene, guarded
from support.home import SHIM, Home, until
from support.paths import ROOT

pytestmark = pytest.mark.gate


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A scene in which hookd is installed, and its daemon runs."""
    with guarded(home, monkeypatch) as scene:
        yield scene


def rewritten(scene: Scene, event: str = "PreToolUse", **changes: Any) -> None:
    """Change keys of the registered entry of one event."""
    settings = json.loads(scene.files["user"].read_text())
    settings["hooks"][event][0]["hooks"][0].update(changes)
    scene.write("user", settings)


def instead(scene: Scene, text: str) -> None:
    """Put another program in the place of the shim."""
    (scene.home.path / "shims" / "hookd-hook").write_text(text)


def canary(scene: Scene) -> tuple[str, str]:
    """Return the state of the trial, and what it says behind the name of the file."""
    ((state, what),) = scene.found("canary")
    return state, what.removeprefix(f"The command line in {scene.files['user']} ")


# the whole


def test_a_fresh_installation_guards(scene: Scene) -> None:
    assert scene.bad() == []
    code, out = scene.doctor()
    assert (code, out.splitlines()[-1].startswith("hookd guards here")) == (0, True)


def test_every_finding_that_is_not_ok_has_a_next_step(scene: Scene) -> None:
    scene.program("claude", "#!/bin/sh\necho 2.1.1\n")
    scene.write("project", '{"hooks": {"PreToolUse": 7}}')
    nowhere = scene.entries(
        "PreToolUse", "Stop", scope="local-0123abcd", transports=("nc:/nowhere",)
    )
    scene.write("local", nowhere)
    instead(scene, "#!/bin/sh\n")
    found = scene.findings()
    assert {one.state for one in found} == {"ok", "warn", "fail"}
    assert [one for one in found if (one.state == "ok") == bool(one.next)] == []


def test_the_table_shows_checks_states_and_next_steps(scene: Scene) -> None:
    rewritten(scene, timeout=2)
    code, out = scene.doctor("-v")
    assert code == 0
    assert out.splitlines()[0].split() == ["check", "state", "what", "next"]
    assert "  hookd install\n" in out
    assert re.search(r"\nhookd guards here; \d warnings?\.\n$", out)  # slow machines add some


def fine(scene: Scene) -> int:
    return sum(one["state"] == "ok" for one in json.loads(scene.doctor("--json")[1]))


def test_without_v_only_what_needs_attention_is_shown(scene: Scene) -> None:
    rewritten(scene, timeout=2)
    before = fine(scene)
    code, out = scene.doctor()
    assert code == 0
    lines = out.splitlines()
    headings = [line for line in lines if line.startswith(("warn  ", "fail  "))]
    assert len(headings) >= 1
    assert "    next: hookd install" in lines
    counted = {before, fine(scene)}  # a check of a busy machine may warn once
    said = {f"{count} checks are fine; hookd doctor -v shows them." for count in counted}
    assert said & set(lines)
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_summary_fits_the_screen(home: Home, width: int) -> None:
    done = home.hookd("doctor", check=False, cwd=home.path, env={"COLUMNS": str(width)})
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[0] == "fail  registration"
    assert max(map(len, lines)) <= width
    assert "    next: hookd install" in lines


def test_json_is_one_list_of_findings(scene: Scene) -> None:
    code, out = scene.doctor("--json")
    found = json.loads(out)
    assert code == 0
    assert {"check", "state", "what", "next", "data"} == set().union(*found)
    ((data,),) = [[one["data"]] for one in found if "data" in one]
    assert data["shim"] == "hookd-hook"
    assert 0 < data["ms"] < 10_000
    assert {one["next"] for one in found if one["state"] == "ok"} == {None}


def test_what_fails_is_the_exit_code(scene: Scene) -> None:
    scene.write("local", {"disableAllHooks": True})
    for args in ([], ["--json"]):
        done = scene.home.hookd("doctor", *args, check=False)
        assert (done.returncode, done.stderr) == (1, "")


def test_without_an_installation_it_fails_with_a_next_step(home: Home) -> None:
    done = home.hookd("doctor", check=False, cwd=home.path)
    assert done.returncode == 1
    assert "hookd install" in done.stdout
    assert done.stdout.endswith("hookd does not guard here as it should: 1 check fails.\n")


def test_a_folder_that_is_gone_is_told_in_a_sentence(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = scene.home.path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    code, out = scene.doctor()
    assert (code, out) == (1, "")


def test_doctor_counts_as_nothing_and_leaves_the_user_s_guards_alone(scene: Scene) -> None:
    scene.home.hookd("guard", "add", "all", "*", "--deny", "No.")
    assert canary(scene)[0] == "ok"
    assert scene.home.rows("SELECT count(*) FROM sessions") == [(0,)]
    assert scene.home.rows("SELECT DISTINCT kind FROM events WHERE event = 'PreToolUse'") == [
        ("canary",)
    ]
    assert scene.home.rows("SELECT * FROM event_latency") == []


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([ok("canary", "")], "hookd guards here."),
        ([ok("canary", ""), warn("a", "", "")], "hookd guards here; 1 warning."),
        ([warn("canary", "", "")] * 2, "Nothing fails, but no hook was tried; 2 warnings."),
        ([ok("a", "")], "Nothing fails, but no hook was tried."),
        (
            [ok("canary", ""), fail("a", "", ""), fail("b", "", ""), warn("c", "", "")],
            "hookd does not guard here as it should: 2 checks fail.",
        ),
    ],
)
def test_the_verdict_claims_no_more_than_was_tried(findings: list[Finding], said: str) -> None:
    assert verdict(findings) == said


# the trial


def test_the_registered_command_line_denies_a_call(scene: Scene) -> None:
    assert canary(scene) == ("ok", "denied a test call.")


def test_each_different_command_line_is_tried(scene: Scene) -> None:
    scene.write("project", json.loads(scene.files["user"].read_text()))
    assert [state for state, _ in scene.found("canary")] == ["ok"]
    scope = "project-0123abcd"
    scene.write("project", scene.entries("PreToolUse", scope=scope, transports=("nc:/nowhere",)))
    assert [state for state, _ in scene.found("canary")] == ["fail", "ok"]


@pytest.mark.parametrize("version", ["2.1.112", "2.1.139"])
def test_a_line_is_started_as_the_installed_client_does(scene: Scene, version: str) -> None:
    """Clients before 2.1.139 pass it to `sh`, and know no arguments."""
    scene.program("claude", f"#!/bin/sh\necho '{version} (Claude Code)'\n")
    assert canary(scene) == ("ok", "denied a test call.")
    scene.write("user", scene.older("PreToolUse"))
    state, _ = canary(scene)
    assert state == ("fail" if version == "2.1.112" else "ok")
    found = [one for one in scene.findings("claude code") if one.state == "fail"]
    assert [one.next for one in found] == (["hookd install"] if version == "2.1.112" else [])


def test_a_line_without_arguments_knows_no_socket_and_fails(scene: Scene) -> None:
    settings = scene.older("PreToolUse")
    del settings["hooks"]["PreToolUse"][0]["hooks"][0]["args"]
    scene.write("user", settings)
    assert canary(scene) == ("fail", "does not ask this daemon, so it was not tried.")


def test_a_text_that_no_argument_can_hold_does_not_break_the_trial(scene: Scene) -> None:
    rewritten(scene, args=["--socket", "\ud800"])
    assert canary(scene)[0] == "fail"


@pytest.mark.parametrize("seconds", ["9e99", "1e999", "1" + "0" * 400])
def test_a_timeout_beyond_all_time_does_not_break_the_trial(scene: Scene, seconds: str) -> None:
    text = json.dumps(json.loads(scene.files["user"].read_text()))
    scene.write("user", text.replace('"timeout": 15', f'"timeout": {seconds}'))
    assert canary(scene)[0] == "ok"


@pytest.mark.parametrize(
    ("shim", "what"),
    [
        ("#!/bin/sh\n", "did not deny a call: nothing came back."),
        ("#!/bin/sh\necho no >&2\n", "did not deny a call: nothing came back: no."),
        ("#!/bin/sh\nexit 2\n", "did not deny a call: it ended with exit code 2."),
        (
            "#!/bin/sh\necho why >&2; exit 1\n",
            "did not deny a call: it ended with exit code 1: why.",
        ),
        ("#!/bin/sh\necho '{}'\n", "did not deny a call: something else came back: {}."),
        (
            "#!/nowhere/sh\n",
            "did not deny a call: it cannot be started: No such file or directory.",
        ),
    ],
)
def test_anything_but_the_denial_fails_and_is_told(scene: Scene, shim: str, what: str) -> None:
    instead(scene, shim)
    assert canary(scene) == ("fail", what)


def test_a_line_that_never_answers_is_ended_with_its_timeout(scene: Scene) -> None:
    instead(scene, "#!/bin/sh\nexec tail -f /dev/null\n")
    rewritten(scene, timeout=0.2)
    assert canary(scene) == ("fail", "did not deny a call: it did not answer within 1.2 s.")


def transported(scene: Scene, transport: str, **more: Any) -> None:
    """Have the shim reach the daemon by that transport alone."""
    scene.write("user", scene.entries("PreToolUse", transports=(transport,), **more))


def test_a_line_whose_transport_is_gone_is_not_run_and_the_daemon_is_left_alone(
    scene: Scene,
) -> None:
    pid = scene.home.pid
    transported(scene, "nc:/nowhere/nc")
    assert canary(scene) == ("fail", "has no transport that works, so it was not tried.")
    assert scene.home.pid == pid


def test_a_transport_that_does_not_carry_is_told_with_the_shim_s_own_words(scene: Scene) -> None:
    transported(scene, f"nc:{scene.program('nc', '#!/bin/sh')}")
    state, what = canary(scene)
    assert state == "fail"
    assert what.startswith("did not deny a call: nothing came back: hookd: PreToolUse not judged")


def test_a_shim_that_denies_without_the_daemon_does_not_pass(scene: Scene) -> None:
    transported(scene, f"nc:{scene.program('nc', '#!/bin/sh')}", closed=("PreToolUse",))
    state, what = canary(scene)
    assert state == "fail"
    assert what.startswith("did not deny a call: a deny came back: hookd could not judge this call")


FORGER = """#!{python}
import json, sys
event = json.load(sys.stdin)
said = {{"permissionDecision": "deny", "permissionDecisionReason": json.dumps(event)}}
print(json.dumps({{"hookSpecificOutput": {{"hookEventName": "PreToolUse"}} | said}}))
"""
FORGETFUL = """#!{python}
import sqlite3, subprocess, sys
subprocess.run(["{shim}"], check=True)
with sqlite3.connect("{database}", timeout=30) as db:
    db.execute("DELETE FROM events WHERE kind = 'canary'")
"""


def test_a_program_that_denies_by_what_it_was_sent_does_not_pass(scene: Scene) -> None:
    instead(scene, FORGER.format(python=sys.executable))
    state, what = canary(scene)
    assert state == "fail"
    assert what.startswith('did not deny a call: a deny came back: {"session_id": "hookd-canary-')


def test_a_denial_whose_event_was_not_kept_is_a_warning(scene: Scene) -> None:
    database = scene.home.database
    beside = scene.home.path / "shims" / "user"
    (beside / "other").symlink_to(SHIM)
    text = FORGETFUL.format(python=sys.executable, shim=beside / "other", database=database)
    instead(scene, text)
    said = "denied a test call, but the event was not stored."
    assert canary(scene) == ("warn", said)


WARNS = 'policies.options.guard-rules.mode is "warn", so guards only inform'
OFF = (
    'policies.options.guard-rules.mode is "off", policies.options.guard-rules.clients leaves out'
    " this client, or policies.disabled names guard-rules"
)


@pytest.mark.parametrize(
    ("policies", "setting"),
    [
        ({"options": {"guard-rules": {"mode": "warn"}}}, WARNS),
        ({"options": {"guard-rules": {"mode": "off"}}}, OFF),
        ({"disabled": ["guard-rules"]}, OFF),
    ],
)
def test_a_setting_that_keeps_guards_from_denying_is_named(
    scene: Scene, policies: dict[str, Any], setting: str
) -> None:
    scene.home.settings({"policies": policies})
    scene.home.restarts()
    assert canary(scene) == ("fail", f"did not deny a call: {setting}.")
    (finding,) = scene.findings("canary")
    file = scene.home.path / "settings.json"
    assert finding.next == f"fix that in {file}; it is reloaded within a second"


def test_hookd_that_was_stopped_beside_its_daemon_does_not_pass(scene: Scene) -> None:
    stop_marker.write(scene.home.stopped)
    assert canary(scene) == ("fail", "did not deny a call: nothing came back.")


def test_a_line_for_another_daemon_is_not_run_and_starts_none(scene: Scene) -> None:
    other = scene.home.path / "other" / "run" / "hookd.sock"
    scene.write("user", scene.entries(socket=str(other)))
    ((state, what),) = scene.found("canary")
    assert (state, "does not ask this daemon, so it was not tried" in what) == ("fail", True)
    assert not other.parent.exists()


NONCE = "0f3a9c21"


def answer(decision: object, reason: object = f"guard canary: {NONCE}") -> bytes:
    said = {"permissionDecision": decision, "permissionDecisionReason": reason}
    return json.dumps({"hookSpecificOutput": said}).encode()


@pytest.mark.parametrize(
    ("out", "trouble"),
    [
        (answer("deny"), ""),
        (answer("deny", "mine."), "a deny came back: mine"),
        (answer("ask"), f"an ask came back: guard canary: {NONCE}"),
        (answer("allow", ""), "an allow came back"),
        (answer(7), f"a 7 came back: guard canary: {NONCE}"),
        (b" \n", "nothing came back"),
        (b"[]", "something else came back: []"),
        (b'{"hookSpecificOutput": 7}', 'something else came back: {"hookSpecificOutput": 7}'),
        (b"Hello " + answer("deny")[:5], 'something else came back: Hello {"hoo'),
        (b"[" * 100_000, "something else came back: " + "[" * 200),
        (b"\xff", "something else came back: \ufffd"),
    ],
)
def test_what_came_back_is_judged(out: bytes, trouble: str) -> None:
    assert judge(Ran(0, out, b""), NONCE) == trouble


ADVICE = {"hookSpecificOutput": {"additionalContext": f"[hookd:canary] {NONCE}"}}


@pytest.mark.parametrize(
    ("ran", "setting"),
    [
        (Ran(0, json.dumps(ADVICE).encode(), b""), WARNS),
        (Ran(0, b"", b""), OFF),
        (Ran(0, b"", b"hookd: not judged"), ""),
        (Ran(1, b"", b""), ""),
        (Ran(0, b'{"hookSpecificOutput": {"additionalContext": "x"}}', b""), ""),
        (Ran(0, answer("ask"), b""), ""),
    ],
)
def test_a_setting_is_told_by_what_came_back(ran: Ran, setting: str) -> None:
    assert weakened(ran, NONCE) == setting


def test_a_denial_with_another_exit_code_does_not_pass() -> None:
    assert judge(Ran(1, answer("deny"), b""), NONCE).startswith("it ended with exit code 1: {")


def test_the_call_is_one_line_of_json_whatever_the_folder_is_named() -> None:
    odd = os.fsdecode(b"/caf\xe9/a\nb")
    line = payload(NONCE, odd)
    assert line.count(b"\n") == 1
    assert json.loads(line)["session_id"] == f"hookd-canary-{NONCE}"
    assert json.loads(line)["cwd"] == odd


def test_every_state_and_every_check_is_documented(scene: Scene) -> None:
    page = (ROOT / "docs" / "guides" / "doctor.md").read_text("utf-8")
    scene.write("project", "7")
    scene.write("local", {"hooks": {"PreToolUse": [{"hooks": [OTHER]}]}})
    names = {one.check for one in scene.findings()} | set(State)
    assert {"settings", "others"} < names
    assert [name for name in names if f"\n| `{name}` |" not in page] == []


# the user's own hooks


def test_own_hooks_that_do_not_hold_are_told(scene: Scene) -> None:
    assert scene.found("own hooks") == [("ok", "0 of your own hooks hold here.")]
    entry = {"type": "command", "command": "true"}
    scene.home.settings({"hooks": {"PreToolUse": [{"matcher": "(", "hooks": [entry]}]}})
    ((_, what),) = until(lambda: [one for one in scene.found("own hooks") if one[0] == "warn"])
    assert "hooks.PreToolUse[0].matcher" in what


def test_one_of_the_own_hooks_is_told_as_one(scene: Scene) -> None:
    entry = {"type": "command", "command": "true", "timeout": 5}
    scene.home.settings({"hooks": {"Stop": [{"hooks": [entry]}]}})
    until(lambda: scene.found("own hooks") == [("ok", "1 of your own hooks holds here.")])


def test_a_file_that_the_daemon_was_started_with_and_cannot_read_is_told(scene: Scene) -> None:
    bad = scene.home.path / "bad.json"
    bad.write_text("{")
    scene.home.ends()
    scene.home.hookd("start", "--settings", str(bad))
    ((state, what),) = scene.found("own hooks")
    assert (state, what[:27]) == ("warn", "~/bad.json: it is no JSON: ")
