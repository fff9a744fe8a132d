"""Live: the user's own guard rules, where they hold and what they do."""

import json

from support.home import Home, Window, window_in
from support.payloads import context, verdict

FORCE = "make deploy --force now"


def guard(window: Window, *args: str) -> str:
    """Run `hookd guard` in the window's project; return what it prints."""
    return window.home.hookd("guard", *args, env=window.identity).stdout


def test_a_user_s_guard_holds_everywhere_until_it_is_removed(window: Window) -> None:
    other = window_in(window.home)
    guard(
        window, "add", "no-force", "Bash(make deploy --force *)", "--deny", "Open a pull request."
    )
    for one in (window, other):
        decision, reason = verdict(one.bash(FORCE))
        assert decision == "deny"
        assert reason.startswith("guard no-force: Open a pull request. (hookd #")
        assert verdict(one.bash("make deploy")) == ("", "")
    assert window.home.rows(
        "SELECT decision, decided_by FROM events WHERE claude_session_id = ? ORDER BY id", window.id
    ) == [("deny", "no-force"), (None, None)]
    guard(window, "remove", "no-force")
    assert window.bash(FORCE) is None


def test_a_guard_sees_through_the_ways_to_write_a_command(window: Window) -> None:
    guard(window, "add", "mine", "Bash(make deploy --force *)", "--deny", "No.", "--scope", "local")
    for command in (
        "cd x && make deploy --force origin",
        "make deploy now --force",
        "sudo make deploy --force origin",
        'bash -c "make deploy --force origin"',
        "echo $(make deploy --force origin)",
        "'make' \"deploy\" --force origin",
    ):
        assert verdict(window.bash(command))[0] == "deny", command
    assert verdict(window.bash('echo "make deploy --force origin"'))[0] == ""
    assert verdict(window.bash("if ("))[0] == "ask", "what cannot be read is asked about"


def test_a_guard_of_another_project_does_not_hold(window: Window) -> None:
    other = window_in(window.home)
    guard(
        window, "add", "mine", "Bash(make deploy)", "--deny", "Not from here.", "--scope", "local"
    )
    assert verdict(window.bash("make deploy"))[0] == "deny"
    assert other.bash("make deploy") is None
    guard(window, "remove", "mine", "--scope", "local")
    assert window.bash("make deploy") is None


def test_a_guard_of_an_effort_holds_while_that_effort_is_worked_on(window: Window) -> None:
    window.says("SessionStart")
    effort = window.starts()
    guard(window, "add", "late", "Edit", "--deny", "Plan first.", "--effort")
    edit = {"file_path": f"{window.project}/a.py", "old_string": "a", "new_string": "b"}
    assert verdict(window.calls("Edit", **edit))[0] == "deny"
    other = window_in(window.home)
    assert other.calls("Edit", **edit | {"file_path": f"{other.project}/a.py"}) is None
    window.rpc("effort.finish", effortId=effort["effortId"])
    assert window.calls("Edit", **edit) is None


def test_a_guard_can_ask_and_can_tell(window: Window) -> None:
    guard(window, "add", "env", "Read(*/drafts/*)", "--ask", "Is this meant?", "--scope", "local")
    guard(window, "add", "style", "Edit(*.py)", "--tell", "Lines end at 100.", "--scope", "local")
    decision, reason = verdict(window.calls("Read", file_path="/work/drafts/a.md"))
    assert (decision, reason.partition(" (hookd")[0]) == ("ask", "guard env: Is this meant?")
    told = window.calls("Edit", file_path=f"{window.project}/a.py", old_string="a", new_string="b")
    assert verdict(told) == ("", "")
    assert context(told) == "[hookd:style] Lines end at 100."


def test_the_strongest_of_several_guards_wins(window: Window) -> None:
    guard(window, "add", "b", "Bash(rm *)", "--ask", "Sure?", "--scope", "local")
    guard(window, "add", "a", "Bash(rm -rf *)", "--deny", "Never.", "--scope", "local")
    guard(window, "add", "c", "Bash", "--tell", "Be brief.", "--scope", "local")
    answer = window.bash("rm -rf x")
    assert verdict(answer)[0] == "deny"
    assert "Never." in verdict(answer)[1] and "Sure?" not in verdict(answer)[1]
    assert context(answer) == "[hookd:c] Be brief."


def test_a_guard_of_the_same_name_replaces_the_first(window: Window) -> None:
    guard(window, "add", "one", "Bash(make a)", "--deny", "Not a.", "--scope", "local")
    guard(window, "add", "one", "Bash(make b)", "--ask", "Is b meant?", "--scope", "local")
    assert window.bash("make a") is None
    assert verdict(window.bash("make b"))[0] == "ask"
    rows = window.home.rows(
        "SELECT g.name FROM guards g JOIN projects p ON p.id = g.project_id WHERE p.path = ?",
        window.project,
    )
    assert rows == [("one",)]


def test_a_guard_may_hang_on_the_heartbeat(window: Window) -> None:
    rule = '{"condition": {"field": "heartbeat_counter", "op": "gte", "value": 3}}'
    guard(window, "add", "soon", "Bash", "--deny", "Log first.", "--rule", rule, "--scope", "local")
    assert [verdict(window.bash())[0] for _ in range(4)] == ["", "", "deny", "deny"]


def test_a_guard_holds_for_subagents_too(window: Window) -> None:
    guard(window, "add", "mine", "Bash(make deploy)", "--deny", "No.", "--scope", "local")
    assert verdict(window.bash("make deploy", agent_id="a1", agent_type="x"))[0] == "deny"


def test_a_guard_that_is_no_rule_is_refused_and_not_kept(window: Window) -> None:
    add = ("guard", "add", "bad", "Bash(", "--deny", "x", "--scope", "local")
    done = window.home.hookd(*add, env=window.identity, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("hookd: The daemon refuses this rule: ")
    assert "Traceback" not in done.stderr
    assert window.bash("anything") is None


def test_a_rule_that_takes_another_s_place_says_so(window: Window) -> None:
    add = ("add", "mine", "Bash(make deploy)", "--deny", "No.", "--scope", "local")
    assert "instead of" not in guard(window, *add)
    assert "instead of" in guard(window, *add)
    assert "instead of" not in guard(window, *add[:-2], "--scope", "user")
    guard(window, "remove", "mine")


def test_a_permission_rule_of_the_client_is_a_guard_rule(window: Window) -> None:
    guard(
        window, "add", "host", "WebFetch(domain:example.com)", "--deny", "No.", "--scope", "local"
    )
    guard(window, "add", "src", "Edit(/src/**)", "--deny", "No.", "--scope", "local")
    assert verdict(window.calls("WebFetch", url="https://example.com/a", prompt="x"))[0] == "deny"
    assert window.calls("WebFetch", url="https://example.org/a", prompt="x") is None
    inside = {"file_path": f"{window.project}/src/a.py", "content": "x"}
    assert verdict(window.calls("Write", **inside))[0] == "deny"


def test_a_rule_that_never_matches_is_refused_or_told_of_everywhere(window: Window) -> None:
    home, env = window.home, window.identity
    dead = ("guard", "add", "dead", "WebFetch(example.com)", "--deny", "No.", "--scope", "local")
    refused = home.hookd(*dead, env=env, check=False)
    assert refused.returncode == 1
    assert "WebFetch(domain:example.com)" in refused.stderr
    bash = ("guard", "add", "low", "bash(rm *)", "--deny", "No.", "--scope", "local")
    assert "Did you mean Bash?" in home.hookd(*bash, env=env).stderr
    assert "warning: guard low: " in home.hookd("guard", "list", env=env).stderr
    found = json.loads(home.hookd("doctor", "--json", env=env, check=False).stdout)
    rules = [one for one in found if one["check"] == "guard rules"]
    assert [one["state"] for one in rules if "'bash'" in one["what"]] == ["warn"]
    home.hookd("guard", "remove", "low", "--scope", "local", env=env)


def test_in_the_root_folder_the_guards_tell_the_system_from_its_contents(daemon: Home) -> None:
    window = Window(daemon, "/")
    for command in ("rm -rf *", "rm -rf ./etc", "rm -rf ~"):
        assert verdict(window.bash(command))[0] == "deny", command
    for command in ("git status", "touch notes.txt", "make"):
        assert window.bash(command) is None, command
