"""Trying hooks out: they run as the daemon runs them, without one, and nothing is kept."""

import json
from typing import Any

import pytest

from support.home import Home
from support.payloads import payload


def on(home: Home, event: str, *entries: dict[str, Any], **group: Any) -> None:
    hooks = [{"type": "command", **entry} for entry in entries]
    home.settings({"hooks": {event: [{**group, "hooks": hooks}]}})


def tried(home: Home, *args: str, **more: Any) -> dict[str, Any]:
    done = home.hookd("hook", "test", *args, "--json", cwd=home.path, **more)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


BASH = ("PreToolUse", "--tool", "Bash", "--input", '{"command": "git push"}')


def test_a_no_is_what_the_client_would_get(home: Home) -> None:
    on(home, "PreToolUse", {"command": "echo never >&2; exit 2", "id": "no"}, matcher="Bash")
    told = tried(home, *BASH)
    (ran,) = told["hooks"]
    assert (ran["id"], ran["exitCode"], ran["decision"]) == ("no", 2, "deny")
    assert told["answer"]["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "never" in told["answer"]["hookSpecificOutput"]["permissionDecisionReason"]
    assert not home.database.exists()


def test_a_person_reads_what_ran_and_what_it_blocked(home: Home) -> None:
    on(home, "PreToolUse", {"command": "echo never >&2; exit 2", "statusMessage": "looking"})
    lines = home.hookd("hook", "test", *BASH).stdout.splitlines()
    assert lines[:2] == ["Running hooks...", "▶ PreToolUse: looking"]
    assert lines[2].startswith("✗ never  (PreToolUse-")
    assert lines[3].startswith("  The tool did not run. ")
    assert "hookd hook disable PreToolUse-" in lines[3]


def test_a_reason_of_several_lines_is_shown_in_lines(home: Home) -> None:
    on(home, "PreToolUse", {"command": "printf 'one\\ntwo\\n' >&2; exit 2"})
    lines = home.hookd("hook", "test", *BASH).stdout.splitlines()
    at = lines.index("  reason: one")
    assert lines[at + 1] == "    two"


def test_a_failure_that_only_stdout_tells_of_is_told(home: Home) -> None:
    on(home, "PreToolUse", {"command": "echo undefined name; exit 1", "on_failure": "ask"})
    said = home.hookd("hook", "test", *BASH).stdout
    assert "✗ undefined name  (" in said
    assert "could not judge this.\n    undefined name\n" in said


def test_an_answer_for_another_event_is_noted(home: Home) -> None:
    said = {"hookSpecificOutput": {"hookEventName": "Stop"}}
    on(home, "PreToolUse", {"command": f"echo '{json.dumps(said)}'"})
    lines = home.hookd("hook", "test", *BASH).stdout.splitlines()
    assert '  note: its "hookSpecificOutput" is for Stop' in lines


def test_what_says_nothing_lets_the_call_go_its_way(home: Home) -> None:
    on(home, "PreToolUse", {"command": "cat >/dev/null"})
    assert tried(home, *BASH)["answer"] is None
    assert "✓" in home.hookd("hook", "test", *BASH).stdout


def test_all_answers_become_one(home: Home) -> None:
    said = {"hookEventName": "PreToolUse", "additionalContext": "look twice"}
    word = f"echo '{json.dumps({'hookSpecificOutput': said})}'"
    on(home, "PreToolUse", {"command": word}, {"command": "echo no >&2; exit 2"})
    answer = tried(home, *BASH)["answer"]["hookSpecificOutput"]
    assert answer["additionalContext"] == "look twice"
    assert answer["permissionDecision"] == "deny"


def test_a_hook_is_given_the_payload_and_the_variables(home: Home) -> None:
    command = 'read -r line; printf "%s %s" "$HOOKD_COMMAND" "$line" >&2'
    on(home, "PreToolUse", {"command": command})
    (ran,) = tried(home, *BASH)["hooks"]
    variable, _, line = ran["stderr"].partition(" {")
    assert variable == "git push"
    assert json.loads("{" + line)["tool_input"] == {"command": "git push"}


def test_what_runs_in_the_background_is_waited_for(home: Home) -> None:
    entry = {"command": "sleep 0.2; echo broken >&2; exit 2", "asyncRewake": True}
    on(home, "PostToolUse", entry)
    args = ("PostToolUse", "--tool", "Bash")
    (ran,) = tried(home, *args)["hooks"]
    assert (ran["exitCode"], ran["decision"], ran["later"]) == (2, None, "broken")


def test_a_payload_of_the_clients_own_is_taken(home: Home) -> None:
    on(home, "Stop", {"command": "cat >&2"})
    value = payload("Stop", last_assistant_message="all is done")
    text = json.dumps(value)
    (ran,) = tried(home, "Stop", "--payload", "-", input=text)["hooks"]
    assert json.loads(ran["stderr"])["last_assistant_message"] == "all is done"
    (home.path / "p.json").write_text(text)
    assert len(tried(home, "Stop", "--payload", str(home.path / "p.json"))["hooks"]) == 1


def test_only_what_matches_is_named_in_a_dry_run(home: Home) -> None:
    on(home, "PreToolUse", {"command": "touch ran", "if": "Bash(git push *)"}, matcher="Bash")
    told = tried(home, *BASH, "--dry-run")
    assert [one["action"] for one in told["hooks"]] == ["touch ran"]
    assert not (home.path / "ran").exists()
    assert tried(home, "PreToolUse", "--tool", "Edit", "--dry-run")["hooks"] == []


def test_hooks_of_a_project_that_nobody_trusts_do_not_run(home: Home) -> None:
    project = home.path / "p"
    (project / ".hookd").mkdir(parents=True)
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "echo hi >&2"}]}]}
    (project / ".hookd" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    where = ("Stop", "--project-dir", str(project))
    done = home.hookd("hook", "test", *where)
    assert "No hook matches" in done.stdout
    assert "1 hook of the project is not trusted" in done.stderr
    assert len(tried(home, *where, "--untrusted")["hooks"]) == 1


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["Nothing"], 2, "There is no event 'Nothing'"),
        (["PreToolUse"], 2, "needs a tool: give --tool"),
        (["Stop", "--input", "{}"], 2, "--input requires --tool"),
        (["PreToolUse", "--tool", "Bash", "--input", "[]"], 2, "takes a JSON object"),
        (["PreToolUse", "--tool", "Bash", "--input", "{"], 1, "Invalid JSON: line 1"),
        (["PreToolUse", "--payload", "/nowhere.json"], 1, "No such file"),
        (["Stop", "--payload", "-", "--tool", "Bash"], 2, "--payload excludes --tool"),
    ],
)
def test_bad_input_gets_a_sentence(args: list[str], code: int, said: str, home: Home) -> None:
    done = home.hookd("hook", "test", *args, check=False, input="{}")
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_payload_that_lacks_its_tool_is_refused(home: Home) -> None:
    done = home.hookd("hook", "test", "PreToolUse", "--payload", "-", check=False, input="{}")
    assert "Invalid payload of PreToolUse: tool_name" in done.stderr
