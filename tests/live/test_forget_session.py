"""Live: a forgotten session is found nowhere in the state folder; all others are as they were."""

import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from support import forkserver
from support.home import Home, Window, place, until, window_in

MARK = "Zebra4711Quagga"


@pytest.fixture(scope="module")
def scene() -> Iterator[Home]:
    """A daemon with a user hook that fails with what it reads, and a rule that asks."""
    with place() as home:
        hook = home.path / "hook.py"
        hook.write_text("import sys; sys.stderr.write(sys.stdin.read()); sys.exit(1)")
        command = f"{sys.executable} -S -E {hook}"
        home.settings({"hooks": {"PreToolUse": [{"hooks": [{"command": command}]}]}})
        home.serves().hookd("guard", "add", "careful", "Bash(make *)", "--ask", "Now?")
        yield home


def with_mark(home: Home) -> list[str]:
    """Return the files below the home that have the mark, in plain or in compressed bodies."""
    files = (path for path in home.path.rglob("*") if path.is_file())
    found = [path.name for path in files if MARK.encode() in path.read_bytes()]
    with closing(connect(home.database)) as db:
        bodies = [zlib.decompress(row[0]) for row in db.execute("SELECT zlib FROM bodies")]
    return found + ["bodies" for body in bodies if MARK.encode() in body]


def lives(window: Window) -> int:
    """Fill a session with everything that is recorded, and end it; return its number."""
    home, inside = window.home, window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    window.starts()
    window.says("UserPromptSubmit", prompt=f"Find the {MARK}.")
    window.bash(f"rm -rf ~/{MARK}")
    window.calls("Write", file_path=f"{window.project}/{MARK}", content=f"{MARK} " * 1_500)
    window.bash(f"make {MARK}")
    window.says("PostToolUse", tool_name="Bash", tool_input={"command": f"make {MARK}"})
    for turn in range(20):
        window.bash(f"echo {turn} {MARK} {'x' * 40 * turn}")
    todo = {"id": "1", "content": MARK, "status": "pending", "activeForm": MARK}
    window.says("PostToolUse", tool_name="TodoWrite", tool_input={"todos": [todo]})
    window.says("SubagentStart", agent_id=f"a{MARK}", agent_type="Explore")
    window.calls("Bash", command=f"ls {MARK}", event={"agent_id": f"a{MARK}"})
    home.rpc("effort.log", {"text": f"## Found\n\nThe {MARK} is grey.", "env": inside})
    home.rpc("effort.log", {"text": "The other entry.", "env": window.identity})
    payload = {
        "summary": f"The {MARK} ran.",
        "nextSteps": [MARK],
        "lastAction": MARK,
        "requiredFiles": [],
    }
    home.rpc("handover.save", {"payload": payload, "env": inside})
    window.says("SessionEnd", reason="clear")
    number: int = window.sessions("id")[0][0]
    return number


def test_nothing_of_a_forgotten_session_is_left(scene: Home) -> None:
    other, window = window_in(scene), window_in(scene)
    other.bash("rm -rf ~/other")
    number = lives(window)
    later = Window(scene, window.project)
    later.says("SessionStart", source="clear")
    denials = "SELECT min(id) FROM events WHERE decision = 'deny' AND session_id = ?"
    ((denied,),) = scene.rows(denials, number)
    allowed = forkserver.at_a_terminal(("allow", str(denied)), scene.env, typed="y\n")
    assert allowed[0] == 0, allowed
    ((neighbour,),) = other.sessions("id")
    events = "SELECT * FROM events WHERE session_id = ?"
    before = scene.rows(events, neighbour)
    assert {"hookd.db-wal", "bodies"} <= set(with_mark(scene))
    said = scene.hookd("session", "forget", str(number), "--yes").stdout
    assert said.startswith(f"Forgotten: session {number} and 1 of subagents, ")
    assert with_mark(scene) == []
    assert scene.rows(events, neighbour) == before
    assert "The other entry." in next(Path(window.project).rglob("*_LOG.md")).read_text()
    assert scene.hookd("db", "check").stdout == "The database is intact.\n"


def test_counts_lose_the_session_and_keep_the_others(home: Home) -> None:
    one, other = window_in(home.serves()), window_in(home)
    for window in (one, other):
        window.bash("rm -rf ~")
        window.says("SessionEnd")
    home.restarts()  # events of an earlier daemon are counted at once
    denials = "SELECT sum(events) FROM hourly_events WHERE decision = 'deny'"
    until(lambda: home.rows(denials) == [(2,)])
    (number,) = one.sessions("id")[0]
    home.hookd("session", "forget", str(number), "--yes")
    assert home.rows(denials) == [(1,)]


def test_an_open_session_is_refused_unless_forced(scene: Home) -> None:
    window = window_in(scene)
    window.bash("ls")
    number = str(window.sessions("id")[0][0])
    refused = scene.hookd("session", "forget", number, "--yes", check=False)
    assert (refused.returncode, "is open" in refused.stderr) == (1, True)
    scene.hookd("session", "forget", number, "--yes", "--force")
    assert window.sessions("id") == []


def test_a_dry_run_changes_nothing_and_counts_rows(scene: Home) -> None:
    window = window_in(scene)
    window.bash("ls")
    number = str(window.sessions("id")[0][0])
    found = json.loads(scene.hookd("session", "forget", number, "--dry-run", "--json").stdout)
    assert (found["rows"]["events"], found["rows"]["sessions"]) == (1, 1)
    table = scene.hookd("session", "forget", number, "--dry-run").stdout.splitlines()
    assert " ".join(table[0].split()) == "table would delete"
    assert len(window.sessions("id")) == 1


def test_a_number_of_a_forgotten_event_is_not_given_again(home: Home) -> None:
    window = window_in(home.serves())
    window.bash("ls")
    home.hookd("session", "forget", "1", "--yes", "--force")
    later = window_in(home)
    later.bash("ls")
    assert home.rows("SELECT id, kind FROM events ORDER BY id") == [(1, "forgotten"), (2, "hook")]
    assert len(json.loads(home.hookd("event", "--json").stdout)) == 1


def test_copies_that_still_have_it_are_named(home: Home) -> None:
    window = window_in(home.serves())
    window.bash("ls")
    for name in ("gone.db", "kept.db"):
        home.hookd("db", "backup", str(home.path / name))
    (home.path / "gone.db").unlink()
    said = home.hookd("session", "forget", "1", "--yes", "--force").stdout
    assert str(home.path / "kept.db") in said
    assert "gone.db" not in said


def test_a_person_is_asked_at_a_terminal(scene: Home) -> None:
    window = window_in(scene)
    window.bash("ls")
    number = str(window.sessions("id")[0][0])
    args = ("session", "forget", number, "--force")
    assert scene.hookd(*args, check=False).returncode == 1
    code, said = forkserver.at_a_terminal(args, scene.env | {"TERM": "xterm"}, typed="n\n")
    assert (code, "Nothing was deleted." in said) == (1, True)
    code, said = forkserver.at_a_terminal(args, scene.env | {"TERM": "xterm"}, typed="y\n")
    assert (code, f"Forgotten: session {number}" in said) == (0, True)


def test_a_session_that_is_not_there_is_named(scene: Home) -> None:
    done = scene.hookd("session", "forget", "4711", "--yes", check=False)
    assert done.stderr == "hookd: There is no session 4711.\n  next: hookd session list\n"
