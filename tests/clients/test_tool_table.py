"""A client's tools and inputs become those of `events/`, and back."""

from typing import Any

import pytest

from hookd.clients.tool_table import Tool, absolute, in_client, in_events, mcp_call, renamed_call

SHELL = Tool("Bash", {"is_background": "run_in_background"}, folder="directory")


@pytest.mark.parametrize(
    ("path", "cwd", "expected"),
    [
        ("a.txt", "/work", "/work/a.txt"),
        ("../a.txt", "/work/orders", "/work/a.txt"),
        ("./.env", "/work", "/work/.env"),
        ("/etc/passwd", "/work", "/etc/passwd"),
        ("~/.ssh/id_rsa", "/work", "~/.ssh/id_rsa"),
        ("", "/work", ""),
        ("a.txt", "", "a.txt"),
        ("a.txt", None, "a.txt"),
        (7, "/work", 7),
    ],
)
def test_a_relative_path_becomes_absolute(path: Any, cwd: Any, expected: Any) -> None:
    assert absolute(path, cwd) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"command": "ls", "is_background": True}, {"command": "ls", "run_in_background": True}),
        ({"command": "rm -rf .", "directory": "/"}, {"command": "cd /\nrm -rf ."}),
        ({"command": "ls", "directory": "a b"}, {"command": "cd '/work/a b'\nls"}),
        ({"command": "ls", "directory": "/work"}, {"command": "ls"}),
        ({"command": "ls", "directory": ""}, {"command": "ls", "directory": ""}),
        ({"command": 7, "directory": "/"}, {"command": 7, "directory": "/"}),
        ({"new": 1}, {"new": 1}),
    ],
)
def test_a_command_shows_the_folder_that_it_runs_in(given: Any, expected: Any) -> None:
    assert in_events(SHELL, given, "/work") == expected


def test_an_input_goes_back_to_the_clients_names() -> None:
    given = {"command": "cd /\nls", "run_in_background": False, "new": 1}
    assert in_client(SHELL, given) == {"command": "cd /\nls", "is_background": False, "new": 1}


def test_another_input_goes_back_by_its_older_name_too() -> None:
    tool = Tool("Read", older={"absolute_path": "file_path"})
    given = in_events(tool, {"absolute_path": "a"}, "/work")
    assert given == {"absolute_path": "a", "file_path": "/work/a"}
    assert in_client(tool, given | {"file_path": "/b"}) == {
        "absolute_path": "/b",
        "file_path": "/b",
    }


@pytest.mark.parametrize(
    "fields",
    [{}, {"tool_name": "unknown", "tool_input": {}}, {"tool_name": 7}, {"tool_name": None}],
)
def test_a_call_of_no_known_tool_stays_as_it_is(fields: dict[str, Any]) -> None:
    assert renamed_call(fields, {"shell": SHELL}) == {}


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("shell", "rm -rf /", {"command": "rm -rf /"}),
        ("shell", None, {}),
        ("shell", ["rm"], {"command": ["rm"]}),
        ("unknown", "text", {"input": "text"}),
    ],
)
def test_an_input_that_is_no_object_is_made_one(tool: str, given: Any, expected: Any) -> None:
    named = renamed_call({"tool_name": tool, "tool_input": given}, {"shell": SHELL})
    assert named["tool_input"] == expected


def test_no_input_by_the_name_in_events_takes_the_place_of_the_clients() -> None:
    tool = Tool("Write", {"filePath": "file_path"}, always={"mode": "all"})
    path, other = ("filePath", "/etc/passwd"), ("file_path", "a.txt")
    for given in ([path, other], [other, path]):
        made = in_events(tool, {**dict(given), "mode": "none"}, "/work")
        assert made == {"file_path": "/etc/passwd", "mode": "all"}
    assert in_client(tool, made) == {"filePath": "/etc/passwd"}


def test_a_name_with_many_places_has_a_limited_number_of_readings() -> None:
    made = mcp_call("own", "a_" * 100, "_")
    assert (made["tool_name"], made["client_tool"]) == ("mcp__a__" + "a_" * 99, "own")
    assert len(made["tool_readings"]) == 31


@pytest.mark.parametrize("flat", ["", "_", "tool", "_tool", "server_"])
def test_a_name_without_a_server_is_no_mcp_tool(flat: str) -> None:
    assert mcp_call("own", flat, "_") == {}
