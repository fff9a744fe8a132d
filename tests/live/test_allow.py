"""Live: a person lets a single call pass a guard, by the number that its denial names."""

import json
import re
from typing import Any

import pytest

from support import forkserver
from support.home import Home, Window, window_in
from support.payloads import verdict

PUSH = "git push --force origin main"


def denied(window: Window, command: str) -> tuple[str, int]:
    """Return what a guard says of a command, and the number of its event."""
    decision, reason = verdict(window.bash(command))
    assert decision in ("deny", "ask"), "the guards are silent"
    return reason, int(reason.rpartition("(hookd #")[2].rstrip(")"))


def allow(home: Home, *args: str | int, typed: str = "", **env: str) -> tuple[int, str]:
    """Run `hookd allow` on a terminal."""
    return forkserver.at_a_terminal(("allow", *map(str, args)), home.env | env, None, typed)


def test_a_call_that_is_allowed_passes_from_then_on(window: Window) -> None:
    reason, number = denied(window, PUSH)
    assert reason.endswith(f"The user can allow this: hookd allow {number} (hookd #{number})")
    code, said = allow(window.home, number, typed="y\n")
    assert code == 0, said
    shown = f"  Bash: {PUSH}    in {window.project}\n"
    assert shown in said
    assert "may then pass destructive-guard, in all your sessions, until hookd allow remove" in said
    assert said.endswith(f"Allowed. To undo it: hookd allow remove {number}\n")
    assert window.bash(PUSH) is None
    assert window.bash(PUSH, cwd=f"{window.project}/..") is not None
    assert window.bash(f"{PUSH} dev") is not None
    (passed,) = window.home.rows(
        "SELECT id, decision FROM events WHERE decided_by = 'allow' AND claude_session_id = ?",
        window.id,
    )
    assert passed[1] is None
    why = window.home.hookd("why", str(passed[0])).stdout
    assert "PreToolUse, allowed by hookd allow" in why
    assert f"block it again: hookd allow remove {number}" in why
    blocked = window.home.hookd("why", str(number)).stdout
    assert f"allow exactly this call: hookd allow {number}" in blocked
    assert "found by the rule git.push-force" in blocked
    assert PUSH in window.home.hookd("allow", "list").stdout
    assert "lets a call pass a guard" in window.home.hookd("doctor", "-v", check=False).stdout
    window.home.hookd("allow", "remove", f"#{number}")
    assert verdict(window.bash(PUSH))[0] == "deny"
    done = window.home.hookd("allow", "remove", str(number), check=False)
    assert f"There is no allow rule of event {number}." in done.stderr


def test_a_rule_for_a_while_ends_by_itself(window: Window) -> None:
    number = denied(window, PUSH)[1]
    code, said = allow(window.home, number, "--for", "1h", "--yes")
    assert (code, "until 20" in said) == (0, True), said
    assert window.bash(PUSH) is None
    sql = "SELECT until > created_at FROM allowances WHERE event_id = ?"
    assert window.home.rows(sql, number) == [(1,)]
    code, said = allow(window.home, number, "--for", "soon")
    assert (code, "'soon' is not a duration" in said) == (1, True)


def test_a_rule_for_the_project_covers_its_folders_and_no_other_project(window: Window) -> None:
    number = denied(window, PUSH)[1]
    code, said = allow(window.home, number, "--project", "--for", "7d", typed="y\n")
    assert code == 0, said
    assert "in all sessions of this project, until 20" in said
    assert f"  Bash: {PUSH}    in {window.project}/**\n" in said
    assert window.bash(PUSH) is None
    assert window.bash(PUSH, cwd=f"{window.project}/packages/a") is None
    assert window.bash(f"{PUSH} dev") is not None
    assert window.bash(PUSH, cwd=f"{window.project}-other") is not None
    other = window_in(window.home)
    assert verdict(other.bash(PUSH))[0] == "deny"
    row = json.loads(window.home.hookd("allow", "list", "--json").stdout)[-1]
    assert (row["folder"], row["until"] is None) == (f"{window.project}/**", False)
    window.home.hookd("allow", "remove", str(number))
    assert verdict(window.bash(PUSH))[0] == "deny"


def test_who_says_no_or_has_no_terminal_allows_nothing(window: Window) -> None:
    number = denied(window, PUSH)[1]
    code, said = allow(window.home, number, typed="n\n")
    assert (code, "Nothing was allowed." in said) == (1, True)
    done = window.home.hookd("allow", str(number), "--yes", check=False)
    assert "hookd allow is for a person at a terminal" in done.stderr
    code, said = allow(window.home, number, "--yes", CLAUDECODE="1")
    assert (code, "is for a person at a terminal" in said) == (1, True)
    assert verdict(window.bash(PUSH))[0] == "deny"


def test_a_model_is_denied_the_command_and_told_of_no_rule_for_it(window: Window) -> None:
    decision, reason = verdict(window.bash("hookd allow 4711 --yes"))
    assert (decision, "is for a person, in a terminal of their own" in reason) == ("deny", True)
    assert "The user can allow this" not in reason
    assert window.bash("hookd allow list") is None


def test_a_rule_of_one_s_own_goes_on_to_deny(daemon: Home, window: Window) -> None:
    own = Window(daemon, window.project)
    daemon.hookd("guard", "add", "mine", "Bash(git push *)", "--deny", "No.")
    reason, number = denied(own, PUSH)
    assert "The user can allow this" not in reason
    code, said = allow(daemon, number, "--yes")
    assert (code, "mine blocks it as well, and still will" in said) == (0, True), said
    assert verdict(own.bash(PUSH))[1].startswith("guard mine: No. (hookd #")
    number = denied(own, "git push origin dev")[1]
    code, said = allow(daemon, number, "--yes")
    sentence = f"The call of event {number} was blocked by mine, and no allow rule changes that."
    assert (code, sentence in said) == (1, True), said


def test_a_heartbeat_denial_is_answered_with_what_the_user_can_do(window: Window) -> None:
    window.starts(blockAfter=1)
    window.bash("ls")
    decision, reason = verdict(window.bash("ls -l"))
    number = reason.rpartition("(hookd #")[2].rstrip(")")
    code, said = allow(window.home, number)
    assert (decision, code) == ("deny", 1)
    assert "hookd log --effort ID TEXT" in said
    assert f"hookd why {number} shows the ID" in said
    assert "hookd policy set heartbeat block_after" in said


HOSTILE = "git push --force origin main \u202egpj.txt\x1b[2J\n  Bash: ls    in /tmp"


def test_what_is_shown_cannot_rewrite_the_terminal(window: Window) -> None:
    number = denied(window, HOSTILE)[1]
    _, said = allow(window.home, number, typed="n\n")
    assert f"  Bash: {HOSTILE.encode('unicode_escape').decode()}    in " in said
    assert not re.search("[\x1b\u202e]", said)


CALLS: dict[str, dict[str, Any]] = {
    "a file": {"tool": "Write", "file_path": "/etc/hosts", "content": "x" * 100_000},
    "a secret": {"tool": "Read", "file_path": "/home/me/.ssh/id_ed25519"},
    "hookd's own": {"tool": "Bash", "command": "hookd restart"},
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_calls_of_other_tools_and_guards_pass_too(window: Window, call: dict[str, Any]) -> None:
    tool, given = call["tool"], {key: call[key] for key in call if key != "tool"}
    reason = verdict(window.calls(tool, **given))[1]
    number = reason.rpartition("(hookd #")[2].rstrip(")")
    assert f"The user can allow this: hookd allow {number} " in reason
    assert allow(window.home, number, "--yes")[0] == 0
    assert window.calls(tool, **given) is None


def test_a_call_that_a_policy_rewrites_is_allowed_as_the_model_made_it(
    daemon: Home, window: Window
) -> None:
    options = {"mode": "enforce", "rewrite": True}
    daemon.settings({"policies": {"options": {"non-interactive-env": options}}})
    daemon.restarts()
    own = Window(daemon, window.project)
    assert "updatedInput" in own.bash("git status")["hookSpecificOutput"]
    number = denied(own, PUSH)[1]
    assert allow(daemon, number, "--yes")[0] == 0
    said = own.bash(PUSH)["hookSpecificOutput"]
    assert (said.get("permissionDecision"), PUSH in said["updatedInput"]["command"]) == (None, True)


def test_a_number_of_no_held_back_call_is_refused(window: Window) -> None:
    window.bash("ls")
    ((number,),) = window.home.rows(
        "SELECT max(id) FROM events WHERE claude_session_id = ?", window.id
    )
    for given, sentence in {
        number: f"No guard blocked the call of event {number}.",
        9_999_999: "There is no event 9999999.",
    }.items():
        code, said = allow(window.home, given, "--yes")
        assert (code, sentence in said) == (1, True), said
    assert json.loads(window.home.hookd("allow", "list", "--json").stdout) is not None
