"""Live: conversations in one project that claim files, by the real daemon and the real shim."""

import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from support.home import Home, Window, until, window_in

ALL = "SELECT kind, pattern, automatic, agent, released_by FROM claims ORDER BY id"


@pytest.fixture
def pair(daemon: Home) -> tuple[Window, Window]:
    """Two agents in one project, both open."""
    ann = window_in(daemon, AGENT_ID="ann")
    bob = Window(daemon, ann.project, env={"AGENT_ID": "bob"})
    for each in (ann, bob):
        each.says("SessionStart", source="startup")
    return ann, bob


def file(window: Window, name: str, text: str = "one\n") -> str:
    """Write a file of the project; return its path."""
    path = Path(window.project, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def cli(window: Window, *args: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
    """Run hookd as a command of the agent."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    return window.home.hookd(*args, env=env, cwd=window.project, check=check)


def before(window: Window, tool: str, path: str, call: str = "") -> Any:
    """Let a file tool be about to run; return its part of the answer, None for silence."""
    more = {"tool_use_id": call or uuid4().hex}
    said = window.calls(tool, event=more, file_path=path, **_INPUT.get(tool, {}))
    return said["hookSpecificOutput"] if said else None


_INPUT = {"Edit": {"old_string": "one", "new_string": "two"}, "Write": {"content": "new"}}


def after(window: Window, tool: str, path: str, call: str) -> None:
    """Let a file tool have run."""
    tool_input = {"file_path": path} | _INPUT.get(tool, {})
    answer = {"tool_name": tool, "tool_input": tool_input, "tool_response": {"type": "text"}}
    window.says("PostToolUse", tool_use_id=call, **answer)


def reads(window: Window, path: str) -> Any:
    """Read a file by the tool; return what hookd says before."""
    call = uuid4().hex
    said = before(window, "Read", path, call)
    after(window, "Read", path, call)
    return said


def edits(window: Window, path: str, text: str, tool: str = "Edit") -> Any:
    """Change a file by a tool, unless it is denied or asked about; return what hookd says."""
    call = uuid4().hex
    said = before(window, tool, path, call)
    if not said or "permissionDecision" not in said:
        Path(path).write_text(text)
        after(window, tool, path, call)
    return said


def test_an_explicit_claim_asks_another_conversation_and_names_its_holder(
    pair: tuple[Window, Window],
) -> None:
    ann, bob = pair
    path = file(ann, "src/api/orders.py")
    said = cli(ann, "claim", "src/api/**", "--for", "30m", "--why", "the new routes").stdout
    assert said.startswith("Claimed until ")
    found = before(bob, "Edit", path)
    assert found["permissionDecision"] == "ask"
    reason = found["permissionDecisionReason"]
    assert "src/api/** is claimed by ann (claude-code, session " in reason
    assert '"the new routes"' in reason
    assert "hookd send ann" in reason
    assert before(ann, "Edit", path) is None, "the holder is not asked"
    assert before(bob, "Edit", file(bob, "src/web.py")) is None, "nor is anybody for other files"


def test_the_subagents_and_the_next_window_of_a_conversation_hold_what_it_claimed(
    pair: tuple[Window, Window],
) -> None:
    ann, _ = pair
    path = file(ann, "a.py")
    cli(ann, "claim", "a.py")
    ann.says("SubagentStart", agent_id="helper", agent_type="Explore")
    sub = {"agent_id": "helper", "agent_type": "Explore"}
    tool_input = {"file_path": path, "old_string": "one", "new_string": "two"}
    assert ann.says("PreToolUse", tool_name="Edit", tool_input=tool_input, **sub) is None
    ann.says("SessionStart", source="compact")
    assert before(ann, "Edit", path) is None
    assert ann.home.rows(ALL) == [("path", _below(path), 0, "ann", None)]


def test_a_claim_of_what_another_holds_is_refused_whole(pair: tuple[Window, Window]) -> None:
    ann, bob = pair
    file(ann, "src/a.py")
    cli(ann, "claim", "src/*.py")
    done = cli(bob, "claim", "other.md", "src/**", check=False)
    assert done.returncode == 1
    assert "nothing was claimed: " in done.stderr.lower()
    assert "ann" in done.stderr
    assert "hookd release 1" in done.stderr
    assert len(ann.home.rows(ALL)) == 1


@pytest.mark.parametrize("words", [("",), ("nowhere/x.py",), ("nowhere/**",), ("/",)])
def test_a_claim_of_nothing_is_an_error_that_names_it(
    pair: tuple[Window, Window], words: tuple[str, ...]
) -> None:
    done = cli(pair[0], "claim", *words, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "hookd claim --help" in done.stderr
    assert pair[0].home.rows(ALL) == []


def test_an_agent_ends_only_its_own_claims(pair: tuple[Window, Window]) -> None:
    ann, bob = pair
    file(ann, "a.py")
    cli(ann, "claim", "a.py", "resource:staging")
    done = cli(bob, "release", "1", check=False)
    assert done.returncode == 1
    assert "claimed by ann" in done.stderr
    assert cli(ann, "release", "a.py").stdout.startswith("Released 1: ")
    assert cli(ann, "release", "--all").stdout == "Released 2: resource:staging\n"
    assert [row[4] for row in ann.home.rows(ALL)] == ["holder", "holder"]
    assert "hookd claim list" in cli(ann, "release", "1", check=False).stderr


def test_claims_end_with_the_session(pair: tuple[Window, Window]) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    cli(ann, "claim", "a.py")
    ann.says("SessionEnd", reason="other")
    assert ann.home.rows(ALL) == [("path", _below(path), 0, "ann", "session")]
    assert before(bob, "Edit", path) is None


def test_claims_end_when_the_agent_dies(daemon: Home) -> None:
    with subprocess.Popen(["sleep", "600"]) as client:
        ann = window_in(daemon, AGENT_ID="ann", CLAUDE_PID=str(client.pid))
        ann.says("SessionStart", source="startup")
        file(ann, "a.py")
        cli(ann, "claim", "a.py")
        daemon.rpc("daemon.sweep")
        client.kill()
        client.wait()
    daemon.rpc("daemon.sweep")
    until(lambda: [row[4] for row in daemon.rows(ALL)] == ["session"])


def test_claims_end_by_time(pair: tuple[Window, Window]) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    cli(ann, "claim", "a.py", "--for", "1s")
    until(lambda: cli(ann, "claim", "list").stdout.startswith("No claims."))
    assert before(bob, "Edit", path) is None
    ann.home.rpc("daemon.sweep")
    until(lambda: [row[4] for row in ann.home.rows(ALL) if row[3] == "ann"] == ["time"])


def test_an_edit_claims_its_file_and_another_model_learns_it_once(
    pair: tuple[Window, Window],
) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    assert edits(ann, path, "two\n") is None
    assert ann.home.rows(ALL) == [("path", _below(path), 1, "ann", None)]
    told = before(bob, "Edit", path)
    assert "permissionDecision" not in told
    assert "is being edited by ann (claude-code, session" in told["additionalContext"]
    assert before(bob, "Edit", path) is None, "once"


def test_a_session_that_is_alone_claims_and_records_nothing(daemon: Home) -> None:
    ann = window_in(daemon)
    ann.says("SessionStart", source="startup")
    path = file(ann, "a.py")
    assert reads(ann, path) is None
    assert edits(ann, path, "two\n") is None
    assert daemon.rows(ALL) == []
    assert daemon.rows("SELECT * FROM file_views") == []


def test_an_edit_on_a_stale_view_is_denied_until_the_file_is_read_again(
    pair: tuple[Window, Window],
) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    reads(ann, path)
    reads(bob, path)
    assert edits(bob, path, "two, by bob\n") is None
    denied = edits(ann, path, "three, by ann\n")
    assert denied["permissionDecision"] == "deny"
    assert "has changed since you last read it" in denied["permissionDecisionReason"]
    assert "bob" in denied["permissionDecisionReason"]
    assert Path(path).read_text() == "two, by bob\n"
    reads(ann, path)
    assert "permissionDecision" not in (edits(ann, path, "three\n") or {})
    assert Path(path).read_text() == "three\n"
    assert "permissionDecision" not in (edits(ann, path, "four\n") or {}), "its own change"


def test_a_file_that_a_formatter_changes_after_an_edit_is_not_stale(
    pair: tuple[Window, Window],
) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    reads(ann, path)
    edits(ann, path, "two\n")
    Path(path).write_text("two, formatted\n")
    assert edits(ann, path, "three\n") is None
    reads(bob, path)
    edits(bob, path, "four, by bob\n")
    assert before(ann, "Edit", path)["permissionDecision"] == "deny"


def test_a_read_that_did_not_run_changes_no_view(pair: tuple[Window, Window]) -> None:
    ann, _ = pair
    path = file(ann, "a.py")
    reads(ann, path)
    Path(path).write_text("changed by another program\n")
    before(ann, "Read", path)
    assert before(ann, "Edit", path)["permissionDecision"] == "deny"


@pytest.mark.parametrize("command", ["sed -i s/one/two/ a.py", "mv a.py c.py"])
def test_a_command_that_changes_a_file_on_a_stale_view_is_denied_until_it_is_read_again(
    pair: tuple[Window, Window], command: str
) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    file(ann, "b.py")
    reads(ann, path)
    assert ran(ann, command, check=False) is None, "nothing has changed"
    assert "permissionDecision" not in (edits(bob, path, "two, by bob\n") or {})
    denied = ran(ann, command)
    assert denied["permissionDecision"] == "deny"
    reason = denied["permissionDecisionReason"]
    assert "a.py has changed since you last read it. bob (claude-code, session" in reason
    assert "run the command again" in reason
    ran(ann, "cat a.py")
    assert "permissionDecision" not in (ran(ann, command) or {})


def ran(window: Window, command: str, failed: str = "", *, check: bool = True) -> Any:
    """Have a command run, unless it is denied, without effect; return what hookd says before."""
    call = {"tool_use_id": uuid4().hex}
    said = window.bash(command, **call)
    found = said["hookSpecificOutput"] if said else None
    if check and not (found and "permissionDecision" in found):
        answer = {"error": failed} if failed else {"tool_response": {}}
        name = "PostToolUseFailure" if failed else "PostToolUse"
        tool_input = {"command": command}
        window.says(name, tool_name="Bash", tool_input=tool_input, **answer, **call)
    return found


@pytest.mark.parametrize("seen", ["", "cat out.js", "make > out.js"])
def test_a_command_may_write_a_file_that_the_conversation_has_only_seen_by_commands(
    pair: tuple[Window, Window], seen: str
) -> None:
    ann, bob = pair
    path = file(ann, "out.js")
    ran(ann, seen or "ls")
    edits(bob, path, "two, by bob\n", "Write")
    for command in ("make > out.js", "echo >> out.js", "rm out.js"):
        assert "permissionDecision" not in (ran(ann, command, check=False) or {}), command


def test_a_command_may_write_a_file_that_only_a_program_has_changed(
    pair: tuple[Window, Window],
) -> None:
    ann, _ = pair
    path = file(ann, "out.js")
    reads(ann, path)
    Path(path).write_text("built\n")
    assert ran(ann, "make > out.js", check=False) is None
    assert before(ann, "Edit", path)["permissionDecision"] == "deny"


def test_what_a_failed_command_has_changed_and_shown_is_seen(pair: tuple[Window, Window]) -> None:
    ann, bob = pair
    path, other = file(ann, "a.py"), file(ann, "b.py")
    for each in (path, other):
        reads(ann, each)
    edits(bob, other, "two, by bob\n")
    before(ann, "Edit", path)
    Path(path).write_text("two\n")
    ran(ann, "sed -i s/one/two/ a.py; cat b.py; make test", "exit code 2")
    for each in (path, other):
        assert "permissionDecision" not in (before(ann, "Edit", each) or {})


def test_a_file_that_was_only_touched_is_not_stale(pair: tuple[Window, Window]) -> None:
    ann, _ = pair
    path = file(ann, "a.py")
    reads(ann, path)
    until(lambda: ann.home.rows("SELECT 1 FROM file_views WHERE sha256 IS NOT NULL"))
    os.utime(path, (2_000_000_000, 2_000_000_000))
    assert before(ann, "Edit", path) is None


def test_a_command_that_shows_a_file_is_a_read_of_it(pair: tuple[Window, Window]) -> None:
    ann, _ = pair
    path = file(ann, "a.py")
    reads(ann, path)
    Path(path).write_text("changed by another program\n")
    assert before(ann, "Edit", path)["permissionDecision"] == "deny"
    call = {"tool_use_id": uuid4().hex}
    ann.bash("cat a.py", **call)
    ran = {"tool_name": "Bash", "tool_input": {"command": "cat a.py"}, "tool_response": {}}
    ann.says("PostToolUse", **ran, **call)
    assert before(ann, "Edit", path) is None


def test_what_a_conversation_read_while_it_was_alone_is_stale_after_anothers_edit(
    daemon: Home,
) -> None:
    ann = window_in(daemon, AGENT_ID="ann")
    ann.says("SessionStart", source="startup")
    path = file(ann, "a.py")
    reads(ann, path)
    bob = Window(daemon, ann.project, env={"AGENT_ID": "bob"})
    bob.says("SessionStart", source="startup")
    assert before(ann, "Edit", path) is None, "nothing has changed"
    edits(bob, path, "two, by bob\n")
    assert before(ann, "Edit", path)["permissionDecision"] == "deny"


def test_worktrees_and_links_of_a_repository_are_one(daemon: Home) -> None:
    git = ["git", "-c", "user.email=a@b", "-c", "user.name=a"]
    ann = window_in(daemon, AGENT_ID="ann")
    file(ann, "src/a.py")
    tree = f"{ann.project}-tree"
    for args in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["worktree", "add", tree]):
        subprocess.run([*git, *args], cwd=ann.project, check=True, capture_output=True)
    link = Path(f"{ann.project}-link")
    link.symlink_to(ann.project)
    bob = Window(daemon, tree, env={"AGENT_ID": "bob"})
    cid = Window(daemon, str(link), env={"AGENT_ID": "cid"})
    for each in (ann, bob, cid):
        each.says("SessionStart", source="startup")
    cli(bob, "claim", "src/**")
    assert before(ann, "Edit", f"{ann.project}/src/a.py")["permissionDecision"] == "ask"
    assert before(cid, "Edit", f"{link}/src/a.py")["permissionDecision"] == "ask"
    assert before(bob, "Edit", f"{tree}/src/a.py") is None


def test_the_first_call_of_a_session_without_a_start_is_compared_with_claims(
    pair: tuple[Window, Window],
) -> None:
    ann, _ = pair
    path = file(ann, "a.py")
    cli(ann, "claim", "a.py")
    late = Window(ann.home, ann.project)
    assert before(late, "Edit", path)["permissionDecision"] == "ask"


def test_commands_and_patches_that_change_a_claimed_file_are_asked_about(
    pair: tuple[Window, Window],
) -> None:
    ann, bob = pair
    file(ann, "src/a.py")
    cli(ann, "claim", "src/a.py")
    for command in ("sed -i s/a/b/ src/a.py", "rm -r src", "echo x > src/a.py", "mv src/*.py old"):
        said = bob.bash(command)
        assert said, command
        assert said["hookSpecificOutput"]["permissionDecision"] == "ask", command
    assert bob.bash("cat src/a.py; ls src") is None
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-one\n+two\n*** End Patch\n"
    said = bob.bash(f"apply_patch <<'EOF'\n{patch}EOF\n")
    assert said["hookSpecificOutput"]["permissionDecision"] == "ask"


@pytest.mark.parametrize(("explicit", "verdict"), [("deny", "deny"), ("tell", None), ("off", None)])
def test_the_option_decides_what_happens(home: Home, explicit: str, verdict: str | None) -> None:
    home.settings({"policies": {"options": {"claim-guard": {"explicit": explicit}}}})
    home.serves()
    ann = window_in(home)
    bob = Window(home, ann.project)
    for each in (ann, bob):
        each.says("SessionStart", source="startup")
    path = file(ann, "a.py")
    cli(ann, "claim", "a.py")
    said = before(bob, "Edit", path) or {}
    assert said.get("permissionDecision") == verdict
    assert ("additionalContext" in said) == (explicit == "tell")


def test_an_agent_claims_at_its_start_what_its_variables_name(daemon: Home) -> None:
    ann = window_in(daemon, AGENT_ID="ann", AGENT_CLAIMS="src/**, the backend")
    ann.env["AGENT_TARGETED_CLAIMS"] = "README.md"
    path = file(ann, "src/a.py")
    file(ann, "README.md")
    assert ann.says("SessionStart", source="startup") is None, "in silence"
    rows = daemon.rows(ALL)
    assert [(kind, agent) for kind, _, _, agent, _ in rows] == [("glob", "ann"), ("path", "ann")]
    bob = Window(daemon, ann.project, env={"AGENT_ID": "bob", "AGENT_CLAIMS": "src/a.py docs/*"})
    file(bob, "docs/x.md")
    told = bob.says("SessionStart", source="startup")["hookSpecificOutput"]["additionalContext"]
    assert "Not claimed for you" in told
    assert "ann" in told
    assert before(bob, "Edit", path)["permissionDecision"] == "ask"
    again = Window(daemon, ann.project, env=ann.env)
    assert again.says("SessionStart", source="startup") is None, "the agent was started again"
    assert before(again, "Edit", path) is None


def test_a_person_claims_and_releases_without_a_session(daemon: Home) -> None:
    ann = window_in(daemon, AGENT_ID="ann")
    ann.says("SessionStart", source="startup")
    path = file(ann, "a.py")
    daemon.hookd("claim", "a.py", cwd=ann.project)
    found = before(ann, "Edit", path)
    assert found["permissionDecision"] == "ask", "also of a session that is alone"
    assert "claimed by the user" in found["permissionDecisionReason"]
    cli(ann, "claim", "resource:staging")
    daemon.hookd("release", "1", "2", cwd=ann.project)
    assert [row[4] for row in daemon.rows(ALL)] == ["person", "person"]
    assert before(ann, "Edit", path) is None


def test_claims_are_listed(pair: tuple[Window, Window]) -> None:
    ann, _ = pair
    file(ann, "a.py")
    cli(ann, "claim", "a.py", "--why", "a rewrite")
    text = cli(ann, "claim", "list").stdout
    assert all(word in text for word in ("a.py", "ann", "a rewrite"))
    ann.env["COLUMNS"] = "80"
    assert all(len(line) <= 80 for line in cli(ann, "claim", "list").stdout.splitlines())
    (row,) = json.loads(cli(ann, "claim", "list", "--json").stdout)
    assert (row["state"], row["agent"], row["automatic"]) == ("open", "ann", False)


def test_status_and_fleet_show_the_open_claims(pair: tuple[Window, Window]) -> None:
    ann, _ = pair
    wide = {"COLUMNS": "300"}
    assert "claims" not in ann.home.hookd("status").stdout
    assert "resource:" not in ann.home.hookd("fleet", env=wide).stdout
    edits(ann, file(ann, "a.py"), "two\n")
    assert "claims" not in ann.home.hookd("status").stdout, "an automatic one does not count"
    cli(ann, "claim", "resource:staging", "resource:printer")
    assert "2 open; hookd claim list shows them" in ann.home.hookd("status").stdout
    assert json.loads(ann.home.hookd("status", "--json").stdout)["claims"] == 2
    shown = ann.home.hookd("fleet", env=wide).stdout
    assert "resource:staging resource:printer" in shown
    rows = json.loads(ann.home.hookd("fleet", "--json").stdout)
    assert {row["agent"]: row["claims"] for row in rows} == {
        "ann": "resource:staging resource:printer",
        "bob": None,
    }


def ask(home: Home, window: Window, patterns: list[str]) -> dict[str, Any]:
    """Claim by RPC; return the daemon's answer, {} if it was killed before."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id, "CWD": window.project}
    params = {"patterns": patterns, "env": env}
    request = {"jsonrpc": "2.0", "id": 1, "method": "claims.add", "params": params}
    with suppress(OSError):
        line = home.line(json.dumps(request).encode())
        return json.loads(line) if line else {}
    return {}


@pytest.mark.parametrize("killed", [False, True])
def test_of_many_that_claim_the_same_at_once_one_holds_it(daemon: Home, killed: bool) -> None:
    first = window_in(daemon)
    agents = [Window(daemon, first.project, env={"AGENT_ID": f"agent-{n}"}) for n in range(8)]
    for number, agent in enumerate(agents):
        agent.says("SessionStart", source="startup")
        file(agent, f"src/{number}.py")
    with ThreadPoolExecutor(len(agents)) as pool:
        said = [
            pool.submit(ask, daemon, agent, [f"src/{number}.py", "src/**"])
            for number, agent in enumerate(agents)
        ]
        if killed:
            os.kill(daemon.pid, signal.SIGKILL)
        answers = [one.result() for one in said]
    if killed:
        daemon.serves()
    held = daemon.rows("SELECT agent, count(*) FROM claims GROUP BY agent")
    granted = [agent for agent, one in zip(agents, answers, strict=True) if "result" in one]
    assert len(granted) <= 1
    if not killed:
        assert len(granted) == 1
    assert held in ([], [(held[0][0], 2)] if held else [])
    assert all(held == [(agent.env["AGENT_ID"], 2)] for agent in granted), "what was answered is"


def test_a_killed_daemon_leaves_every_claim_whole_or_not_there(daemon: Home) -> None:
    ann = window_in(daemon, AGENT_ID="ann")
    ann.says("SessionStart", source="startup")
    for number in range(30):
        file(ann, f"{number}.py")
    names = [f"{number}.py" for number in range(30)]
    with ThreadPoolExecutor(1) as pool:
        said = pool.submit(ask, daemon, ann, names)
        os.kill(daemon.pid, signal.SIGKILL)
        answered = "result" in said.result()
    daemon.serves()
    count = len(daemon.rows(ALL))
    assert count in ((30,) if answered else (0, 30))
    cli(ann, "claim", *names)
    assert len(daemon.rows(ALL)) == 30, "claimed again, each is there once"


def _below(path: str) -> str:
    return path.lstrip("/")


def test_a_tool_of_a_server_that_changes_a_claimed_file_is_asked_about(
    pair: tuple[Window, Window],
) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    cli(ann, "claim", "a.py")
    said = bob.calls("mcp__fs__write_file", path=path, content="two")
    assert said["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert bob.calls("mcp__fs__read_file", path=path) is None


def test_an_edit_of_a_subagent_is_a_claim_of_its_session(pair: tuple[Window, Window]) -> None:
    ann, bob = pair
    cid = Window(ann.home, ann.project)
    cid.says("SessionStart", source="startup")
    sub = {"agent_id": "helper", "agent_type": "Explore"}
    cid.says("SubagentStart", **sub)
    path = file(ann, "a.py")
    tool_input = {"file_path": path, "old_string": "one", "new_string": "two"}
    cid.says("PreToolUse", tool_name="Edit", tool_input=tool_input, **sub)
    told = before(bob, "Edit", path)["additionalContext"]
    assert f"{path} is being edited by session 3 (claude-code) since" in told


def test_a_claim_without_a_repository_is_named_by_its_absolute_path(
    pair: tuple[Window, Window],
) -> None:
    ann, bob = pair
    path = file(ann, "a.py")
    assert cli(ann, "claim", "a.py").stdout.endswith(f": {path}\n")
    assert f" {path} is claimed by ann" in before(bob, "Edit", path)["permissionDecisionReason"]
    assert f" {path} " in cli(ann, "claim", "list").stdout.replace("\n", " ")
    (row,) = ann.home.rows("SELECT claims FROM fleet_status WHERE agent = 'ann'")
    assert row == (path,)
    assert cli(bob, "claim", path, check=False).stderr.count(path) == 1
    assert cli(ann, "release", path).stdout == f"Released 1: {path}\n"
