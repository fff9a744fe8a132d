"""`hookd event export`: recorded events as JSON lines and CSV, of a real database."""

import csv
import json
import stat
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from support import forkserver
from support.home import Home, Window, window_in


def exported(window: Window, *args: str) -> list[dict[str, Any]]:
    """Return the window's events, from JSON lines."""
    done = window.home.hookd("event", "export", "--session", window.id, *args)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_json_lines_are_the_rows_of_the_list_the_oldest_first(window: Window) -> None:
    window.says("UserPromptSubmit", prompt="Build it.")
    window.bash("rm -rf ~")
    listed = window.home.hookd("event", "--session", window.id, "--json").stdout
    assert exported(window) == json.loads(listed)
    assert [row["decision"] for row in exported(window)] == [None, "deny"]


@pytest.mark.parametrize(
    ("options", "commands"),
    [
        (("--decision", "deny"), ["rm -rf ~"]),
        (("--rule", "destructive-guard"), ["rm -rf ~"]),
        (("--event", "pretooluse"), ["ls", "rm -rf ~"]),
        (("--event", "Stop"), []),
        (("--since", "1h"), ["ls", "rm -rf ~"]),
        (("--since", "2999-01-01"), []),
        (("--agent", "unknown"), []),
    ],
)
def test_options_choose_events(
    window: Window, options: tuple[str, ...], commands: list[str]
) -> None:
    window.bash("ls")
    window.bash("rm -rf ~")
    done = window.home.hookd("event", "export", "--session", window.id, *options)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["payload"]["tool_input"]["command"] for row in rows] == commands
    assert done.stderr == ("" if commands else "No events match.\n")


def test_a_project_is_its_folder_or_its_name(shared: Home) -> None:
    one, other = window_in(shared), window_in(shared)
    one.bash("echo one")
    other.bash("echo other")
    for name in (one.project, Path(one.project).name):
        done = shared.hookd("event", "export", "--project", name)
        assert [json.loads(line)["project"] for line in done.stdout.splitlines()] == [one.project]


def test_a_whole_payload_replaces_its_excerpt(window: Window) -> None:
    text = "word " * 6_000
    window.calls("Write", file_path=f"{window.project}/a", content=text)
    (cut,) = exported(window)
    (whole,) = exported(window, "--bodies")
    assert "[cut by hookd" in cut["payload"]["tool_input"]["content"]
    assert cut["payloadSha256"]
    assert whole["payload"]["tool_input"]["content"] == text
    assert whole["payloadSha256"] is None


def test_csv_has_a_line_for_each_event_and_no_formula(window: Window) -> None:
    window.bash("=HYPERLINK(1)\n\x1b[31m,\"'")
    window.says("UserPromptSubmit", prompt="plain")
    done = window.home.hookd("event", "export", "--session", window.id, "--format", "csv")
    first, second = csv.DictReader(StringIO(done.stdout))
    assert first["about"] == "'=HYPERLINK(1) \\x1b[31m,\"'"
    assert (second["event"], second["about"], second["decision"]) == (
        "UserPromptSubmit",
        "plain",
        "",
    )
    assert "payload" not in first


def test_a_file_is_private_and_is_not_overwritten(window: Window, tmp_path: Path) -> None:
    window.bash("ls")
    file = tmp_path / "events.csv"
    args = ("event", "export", "--session", window.id, "-o", str(file))
    assert window.home.hookd(*args).stdout == f"Wrote 1 event to {file}.\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().startswith("id,at,event,")  # CSV by the file's name
    refused = window.home.hookd(*args, check=False)
    assert (refused.returncode, "--force" in refused.stderr) == (1, True)
    window.home.hookd(*args, "--force", "--format", "jsonl")
    assert json.loads(file.read_text())["toolName"] == "Bash"


def test_an_export_needs_no_daemon_and_a_replay_reads_it(home: Home, tmp_path: Path) -> None:
    window = window_in(home.serves())
    window.bash("make deploy")
    home.ends()
    file = tmp_path / "events.jsonl"
    home.hookd("event", "export", "--bodies", "-o", str(file))
    rule = ("--rule", "Bash(make deploy)", "--deny", "--json")
    report = json.loads(home.hookd("replay", str(file), *rule).stdout)
    assert (report["events"], report["notComparable"]["count"]) == (1, 0)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--session", "nothing"), "There is no session nothing."),
        (("--project", "nothing"), "There is no project nothing."),
        (("--event", "Nothing"), "There is no event 'Nothing'."),
        (("--since", "soon"), "neither an age nor a time"),
        (("-o", "/nowhere/x"), "/nowhere/x cannot be written"),
    ],
)
def test_wrong_options_are_named(shared: Home, args: tuple[str, ...], says: str) -> None:
    done = shared.hookd("event", "export", *args, check=False)
    assert done.returncode in (1, 2)
    assert says in done.stderr


def test_without_a_database_the_next_step_is_named(home: Home) -> None:
    done = home.hookd("event", "export", check=False)
    assert (done.returncode, "hookd start" in done.stderr) == (1, True)


def test_options_of_the_list_before_the_command_are_refused(shared: Home) -> None:
    done = shared.hookd("events", "--limit", "3", "export", check=False)
    assert (done.returncode, "after the command" in done.stderr) == (2, True)


def test_a_terminal_shows_no_progress_between_the_events(window: Window) -> None:
    window.bash("ls")
    args = ("event", "export", "--session", window.id)
    code, said = forkserver.at_a_terminal(args, window.home.env | {"TERM": "xterm"})
    assert (code, [json.loads(line)["event"] for line in said.splitlines()]) == (0, ["PreToolUse"])
