"""MCP tools are assessed by the command, or by the local files, that they name."""

from dataclasses import replace

from hookd.risk.mcp_tools import command_of, file_risks, run_texts
from support.parametrize import parametrize_all
from support.risks import SHOP

HOME = "/home/me"


@parametrize_all(
    ("tool", "given", "expected"),
    [
        ("Monitor", {"command": "ls"}, "ls"),
        ("mcp__x__start", {"command": ["rm", "-rf", "a b"]}, "rm -rf 'a b'"),
        ("mcp__x__start", {"cmd": "ls"}, "ls"),
        ("mcp__x__start", {"command": 7}, None),
        ("mcp__x__start", {"command": []}, None),
        ("PowerShell", {"command": "ri x"}, "rm -f x"),
        ("PowerShell", {"command": ["ls"]}, None),
        ("Read", {"file_path": "x"}, None),
    ],
)
def test_a_command_is_found_in_the_field_of_its_name(
    tool: str, given: dict[str, object], expected: str | None
) -> None:
    assert command_of(tool, given) == expected


@parametrize_all(
    ("given", "expected"),
    [
        ({"command": "ls"}, [("ls", True)]),
        ({"command": "git", "args": ["log", "a b"]}, [("git", True), ("git log 'a b'", True)]),
        ({"args": "log"}, [("log", False)]),
        ({"code": "x", "language": "Python"}, [("python3 -c x", True)]),
        ({"code": "x", "lang": "sh"}, [("x", True)]),
        ({"code": "x"}, [("python3 -c x", False), ("node -e x", False)]),
        ({"script": "x"}, [("x", False)]),
        ({"text": "ls", "code": 7, "script": ["x"]}, []),
        ({"commands": [f"c{n}" for n in range(20)]}, [(f"c{n}", True) for n in range(8)]),
    ],
)
def test_the_texts_that_a_call_runs(
    given: dict[str, object], expected: list[tuple[str, bool]]
) -> None:
    assert list(run_texts("mcp__x__do", given)) == expected


@parametrize_all(
    ("tool", "given", "expected"),
    [
        ("mcp__fs__write_file", {"path": "/etc/hosts"}, ["outside"]),
        ("mcp__fs__writeFile", {"path": "~/.bashrc"}, ["outside"]),
        ("mcp__fs__edit", {"uri": "file:///home/me/.bashrc"}, ["outside"]),
        ("mcp__fs__delete", {"path": "/home/me"}, ["deletes"]),
        ("mcp__fs__delete_files", {"paths": ["/tmp/x", "/home/me/a/b"]}, ["deletes"]),
        ("mcp__fs__move_file", {"source": "/tmp/a", "destination": "/etc/a"}, ["outside"]),
        ("mcp__fs__delete", {"path": f"{SHOP.project}/src"}, ["deletes"]),
        ("mcp__fs__write_file", {"path": f"{SHOP.project}/a"}, []),
        ("mcp__fs__write_file", {"path": "/tmp/a"}, []),
        ("mcp__wiki__write_page", {"path": "/docs/a"}, []),
        ("mcp__wiki__delete_page", {"path": "docs/a"}, []),
        ("mcp__fs__read_file", {"path": "/etc/hosts"}, []),
        ("Write", {"path": "/etc/hosts"}, []),
    ],
)
def test_a_file_of_this_machine_is_asked_about(
    tool: str, given: dict[str, object], expected: list[str]
) -> None:
    found = list(file_risks(tool, given, replace(SHOP, home=HOME)))
    assert [one.kind for one in found] == expected
    assert all(one.severity == "ask" and one.alternative for one in found)
