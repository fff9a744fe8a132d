"""Live: rules about what a call does, and when, are set on the command line and hold."""

import json
import shlex
import subprocess
from pathlib import Path

from hookd.core.guard_rules.dead_rules import validate_rule
from support.home import Window, window_in
from support.paths import ROOT
from support.payloads import verdict


def guard(window: Window, *args: str) -> str:
    """Run `hookd guard` for the window's project; return what it prints."""
    scope = ("--scope", "local") if args[0] == "add" else ()
    return window.home.hookd("guard", *args, *scope, env=window.identity).stdout


def on_branch(window: Window, name: str) -> None:
    """Put the window's project on a branch."""
    folder = Path(window.project)
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "-q", "-b", name], cwd=folder, check=True)
        return
    (folder / ".git" / "HEAD").write_text(f"ref: refs/heads/{name}\n")


def test_a_protected_branch_is_not_pushed_to(window: Window) -> None:
    said = guard(
        window,
        *("add", "no-main", "--protected-branches", "main,release/*", "--deny", "Open a request."),
    )
    assert said.startswith("no-main now denies pushes to main or release/*, in ")
    on_branch(window, "fix")
    for command in ("git push origin main", "git push origin x:release/1", "git push --mirror b"):
        decision, reason = verdict(window.bash(command))
        assert decision == "deny", command
        assert "guard no-main: Open a request." in reason
    for command in ("git push", "git push -u origin HEAD", "git push origin fix"):
        assert window.bash(command) is None, command
    assert verdict(window.bash('git push origin "$BRANCH"'))[0] == "ask"
    on_branch(window, "main")
    assert verdict(window.bash("git push"))[0] == "deny"
    assert window.bash("git checkout -b fix && git push -u origin HEAD") is None


def test_a_file_is_protected_however_it_is_changed(window: Window) -> None:
    guard(window, "add", "frozen", "--changes", "migrations/**", "--ask", "Is that right?")
    root = Path(window.project)
    (root / "migrations").mkdir()
    (root / "migrations" / "a.sql").write_text("x")
    (root / "link.sql").symlink_to("migrations/a.sql")
    edit = {"old_string": "a", "new_string": "b"}
    for path in ("migrations/a.sql", "link.sql"):
        answer = window.calls("Edit", file_path=f"{root}/{path}", **edit)
        assert verdict(answer)[0] == "ask", path
    for command in ("echo x > migrations/a.sql", "echo x >> link.sql", "git mv migrations/a.sql b"):
        assert "guard frozen: Is that right?" in verdict(window.bash(command))[1], command
    assert window.calls("Edit", file_path=f"{root}/src/a", **edit) is None
    assert window.bash("cat migrations/a.sql") is None


def test_a_domain_is_not_reached(window: Window) -> None:
    guard(window, "add", "paste", "--reaches", "pastebin.com", "--deny", "Nothing leaves.")
    on_branch(window, "main")
    config = Path(window.project) / ".git" / "config"
    config.write_text('[remote "paste"]\n\turl = https://pastebin.com/x\n')
    for command in ("curl -s https://pastebin.com/x", "nc pastebin.com 80", "git fetch paste"):
        assert "guard paste: Nothing leaves." in verdict(window.bash(command))[1], command
    fetched = window.calls("WebFetch", url="https://www.pastebin.com/x", prompt="x")
    assert verdict(fetched)[0] == "deny"
    assert window.calls("WebFetch", url="https://example.com", prompt="x") is None


def test_a_rule_applies_only_in_its_situation(window: Window) -> None:
    on_branch(window, "main")
    guard(window, "add", "b", "Bash(make x)", "--branch", "main", "--deny", "Not on main.")
    guard(window, "add", "s", "Write", "--larger-than", "2 lines", "--stop", "Split it.")
    guard(window, "add", "a", "Bash(make y)", "--agents", "Explore", "--deny", "Only read.")
    guard(window, "add", "c", "Bash(make z)", "--context", "80%", "--deny", "In parts.")
    window.says("SessionStart")
    assert verdict(window.bash("make x"))[0] == "deny"
    on_branch(window, "fix")
    assert window.bash("make x") is None
    path = f"{window.project}/a"
    decision, reason = verdict(window.calls("Write", file_path=path, content="a\nb\nc\n"))
    assert (decision, "Stop here and tell the user why." in reason) == ("deny", True)
    assert window.calls("Write", file_path=path, content="a\nb\n") is None
    assert window.bash("make y") is None
    agent = {"agent_id": "a1", "agent_type": "Explore"}
    assert verdict(window.bash("make y", **agent))[0] == "deny"
    assert window.bash("make z") is None
    window.rpc("session.updateContextUsage", claudeSessionId=window.id, usage=0.85, source="test")
    assert verdict(window.bash("make z"))[0] == "deny"


def test_a_condition_is_listed_and_explained(window: Window) -> None:
    guard(window, "add", "frozen", "Bash", "--changes", "a/**", "--branch", "main", "--ask", "Why?")
    listed = json.loads(guard(window, "list", "--json"))[-1]
    assert listed["rule"]["changes"] == ["a/**"]
    assert listed["rule"]["branch"] == ["main"]
    assert validate_rule(listed["rule"]).changes == ("a/**",)
    assert "asks about Bash, changes a/**, on branch main" in " ".join(
        guard(window, "list").split()
    )
    on_branch(window, "main")
    where = ("--cwd", window.project)
    assert "frozen: matches" in guard(window, "explain", "rm a/b", *where)
    assert "frozen: does not match" in guard(window, "explain", "rm b", *where)
    assert "frozen: may match" in guard(window, "explain", 'rm "$X"', *where)


def test_a_combination_that_never_matches_is_refused(window: Window) -> None:
    args = ("guard", "add", "x", "Read", "--changes", "a/**", "--deny", "No.")
    run = window.home.hookd(*args, check=False, env=window.identity)
    assert run.returncode
    assert "changes: no call of Read changes a file" in run.stderr


def after(window: Window, command: str, *, failed: bool = False, **fields: object) -> None:
    """Report that a command has ended."""
    call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command}
    if failed:
        window.says("PostToolUseFailure", **call, error="Exit code 1", **fields)
    else:
        window.says("PostToolUse", **call, tool_response={"stdout": ""}, **fields)


def test_tests_run_before_a_commit(window: Window) -> None:
    window.says("SessionStart")
    guard(window, "add", "t", "Bash(git commit *)", "--after", "make test", "--deny", "Test first.")
    commit = "git commit -m x"
    decision, reason = verdict(window.bash(commit))
    assert decision == "deny"
    assert "Test first." in reason
    assert "Run first: make test. It has not succeeded since the last edit" in reason
    assert window.bash("make test && git commit -m x") is None
    for command, failed in (("make test", True), ("make test | tail", False)):
        after(window, command, failed=failed)
        assert verdict(window.bash(commit))[0] == "deny", command
    after(window, "make test")
    assert window.bash(commit) is None
    agent = {"agent_id": "a1", "agent_type": "Explore"}
    window.says("SubagentStart", **agent)
    assert window.bash(commit, **agent) is None, "a subagent knows what its window has proven"
    edit = {"file_path": f"{window.project}/a.py", "old_string": "a", "new_string": "b"}
    window.says("PostToolUse", tool_name="Edit", tool_input=edit, tool_response={}, tool_use_id="e")
    assert verdict(window.bash(commit))[0] == "deny"
    after(window, "make test", **agent)
    assert window.bash(commit) is None
    window.says("SessionStart", source="compact")
    assert window.bash(commit) is None, "the next window of the conversation knows it"


def test_a_rule_softens_a_denial_of_the_built_in_guards(window: Window) -> None:
    force = "git push --force origin release"
    assert verdict(window.bash(force))[0] == "deny"
    pattern = f"Bash({force})"
    said = guard(window, "add", "rel", pattern, "--ask", "A release?", "--softens")
    assert "rel now asks about" in said
    assert "softening the built-in guards" in said
    decision, reason = verdict(window.bash(force))
    assert decision == "ask"
    assert "Without the guard rule rel, which softens it, it would be denied." in reason
    assert "guard rel: A release?" in reason
    for other in (f"{force} && rm -rf /", f"{force} --no-verify", "git push --force origin main"):
        assert verdict(window.bash(other))[0] == "deny", other
    assert "Without the guard rule rel" in guard(window, "explain", force, "--cwd", window.project)
    args = ("guard", "add", "x", pattern, "--deny", "No.", "--softens")
    run = window.home.hookd(*args, check=False, env=window.identity)
    assert "softens: only a rule that asks" in run.stderr


def test_a_rule_that_softens_is_for_a_person(window: Window) -> None:
    rule = {"id": "x", "urgency": "ask", "softens": True, "toolFilter": {"include": ["Bash(x)"]}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "guards.add", "params": {"rule": rule}}
    answer = json.loads(window.home.line(json.dumps(request).encode()))
    assert "error" in answer


def test_a_preset_adds_rules_that_can_be_read(window: Window) -> None:
    printed = window.home.hookd("guard", "preset", "node", "--print", env=window.identity).stdout
    assert "id: no-push-to-main" in printed
    assert "no-push-to-main" not in guard(window, "list")
    said = window.home.hookd("guard", "preset", "node", env=window.identity).stdout
    path = Path(window.project, ".hookd", "rules.yaml")
    assert f"4 rules are in {path}. They apply now." in said
    tested = window.home.hookd("guard", "test", "--ci", env=window.identity).stdout
    assert "rules: " in tested
    assert "0 failed.\n" in tested
    assert "no-push-to-main" in guard(window, "list")
    assert verdict(window.bash("git push origin main"))[0] == "deny"
    assert verdict(window.bash("sed -i s/a/b/ package-lock.json"))[0] == "ask"


def spends(window: Window, cost: float) -> None:
    """Report what the window's conversation has cost so far."""
    told = {"usage": 0.1, "source": "test", "cost": cost}
    window.rpc("session.updateContextUsage", claudeSessionId=window.id, **told)


def test_a_budget_asks_once_each_time_it_is_reached(window: Window) -> None:
    window.says("SessionStart")
    guard(window, "add", "more", "--budget", "session=5", "--ask", "Another 5 dollars?")
    spends(window, 4.9)
    assert window.bash("make x") is None
    spends(window, 5.1)
    call = {"tool_name": "Bash", "tool_input": {"command": "make y"}, "tool_use_id": "y"}
    for _ in range(2):  # the user has not let it run
        answer = window.says("PreToolUse", **call)
        assert verdict(answer)[0] == "ask"
    window.says("PostToolUse", **call, tool_response={"stdout": ""})
    assert window.bash("make z") is None
    spends(window, 10.2)
    assert verdict(window.bash("make z"))[0] == "ask"


def test_a_budget_of_the_day_stops_every_session(window: Window) -> None:
    window.says("SessionStart")
    guard(window, "add", "limit", "--budget", "day=100", "--stop", "The budget is spent.")
    spends(window, 60)
    assert window.bash("make x") is None
    other = window_in(window.home)
    other.says("SessionStart")
    spends(other, 60)
    decision, reason = verdict(window.bash("make x"))
    assert (decision, "The budget is spent." in reason) == ("deny", True)
    spends(other, 1)  # the client counts from zero again
    (total,) = window.home.rows(
        "SELECT sum(usd) FROM costs WHERE session_id IN"
        " (SELECT id FROM sessions WHERE claude_session_id = ?)",
        other.id,
    )
    assert total == (61,)


def cleared(window: Window) -> Window:
    """Clear a conversation; return the window that follows."""
    window.says("SessionEnd", reason="clear")
    following = Window(window.home, window.project)
    following.says("SessionStart", source="clear")
    return following


def spent(window: Window) -> float:
    """Return what a conversation has cost, rounded to cents."""
    sql = (
        "SELECT coalesce(sum(c.usd), 0) FROM costs c JOIN sessions s ON s.id = c.session_id"
        " WHERE s.claude_session_id = ?"
    )
    ((usd,),) = window.home.rows(sql, window.id)
    return round(usd, 2)


def test_a_conversation_after_clear_has_its_own_costs(window: Window) -> None:
    window.says("SessionStart")
    guard(window, "add", "own", "--budget", "session=2", "--deny", "It has cost enough.")
    spends(window, 3)
    assert verdict(window.bash("make x"))[0] == "deny"
    following = cleared(window)
    assert following.bash("make x") is None
    spends(following, 3)  # the client counts on, and nothing was spent yet
    assert spent(following) == 0
    last = cleared(cleared(following))  # a window in between reports nothing
    spends(last, 3.5)
    assert (spent(window), spent(following), spent(last)) == (3, 0, 0.5)
    later = cleared(last)
    spends(later, 0.4)  # the client begins at zero
    spends(later, 2.4)
    assert spent(later) == 2.4
    assert verdict(later.bash("make x"))[0] == "deny"


STOPPED = {
    "no-main": "git push origin main",
    "frozen": "sed -i s/a/b/ migrations/a.sql",
    "env": "cat .env",
    "publish": "cargo publish --dry-run",
    "only-pnpm": "npm install",
    "checks": "git commit -n -m x",
    "tested": "git commit -m x",
    "inside": "touch /srv/a",
    "paste": "curl https://pastebin.com/x",
}
"""A command that each rule of the guide denies or asks about."""


def test_the_rules_of_the_guide_do_what_they_say(window: Window) -> None:
    text = (ROOT / "docs" / "guides" / "guards.md").read_text()
    block = text.partition("## Ten rules to paste")[2].partition("```sh\n")[2].partition("```")[0]
    for line in block.splitlines():
        guard(window, *shlex.split(line)[2:])
    root = Path(window.project)
    for name, command in STOPPED.items():
        rules = json.loads(guard(window, "explain", command, "--cwd", str(root), "--json"))["rules"]
        assert {one["ruleId"]: one["matches"] for one in rules}[name] == "yes", name
    written = window.calls("Write", file_path=f"{root}/a", content="a\n" * 501)
    assert "guard small: Split the file." in verdict(written)[1]
    for command in ("git status", "pnpm test", "touch a", "curl https://example.com"):
        assert window.bash(command) is None, command
