"""`hookd install --mcp` and its removal: the file of MCP servers, byte for byte."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.lib import transport
from hookd.clients.claude_code import mcp_entry
from support.installation import done, furnish, hookd, mode, refused

OTHERS = '{\n\t"numStartups": 1.50,\n\t"mcpServers": {"notes": {"command": "notes"}}\n}'
SERVERS = st.dictionaries(st.sampled_from(["notes", "db"]), st.just({"command": "x"}))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch)


@pytest.fixture
def servers(home: Path) -> Path:
    return home / ".claude.json"


def test_the_server_is_registered_only_if_it_is_wanted(servers: Path) -> None:
    assert "mcp" not in done("install")
    assert not servers.exists()
    facts = done("install", "--mcp")
    assert (facts["mcp"], facts["changed"]) == (str(servers), True)
    entry = json.loads(servers.read_text())["mcpServers"]["hookd"]
    assert (entry["type"], entry["args"]) == ("stdio", ["mcp"])
    assert Path(entry["command"]) == transport.hookd()
    assert entry["env"]["HOOKD_HOME"]
    assert mode(servers) == 0o600
    again = done("install")
    assert (again["mcp"], again["changed"]) == (str(servers), False), "the choice stays"


@pytest.mark.parametrize("before", [None, "", "{}\n", OTHERS, '{"mcpServers": {}}', "\r\n{ }"])
def test_an_uninstall_restores_the_file_byte_for_byte(before: str | None, servers: Path) -> None:
    if before is not None:
        servers.write_bytes(before.encode())
    done("install", "--mcp")
    assert mcp_entry.is_registered(json.loads(servers.read_text()))
    facts = done("uninstall")
    assert facts["mcp"] == str(servers)
    assert (servers.read_bytes().decode() if servers.exists() else None) == before
    assert [one.name for one in servers.parent.glob(".claude.json*")] == (
        [] if before is None else [".claude.json"]
    )
    assert "mcp" not in done("uninstall")


def test_what_the_client_writes_meanwhile_stays(servers: Path) -> None:
    servers.write_text(OTHERS)
    done("install", "--mcp")
    servers.write_text(servers.read_text().replace("1.50", "2.50"))
    done("uninstall")
    assert servers.read_text() == OTHERS.replace("1.50", "2.50")


def test_the_server_is_removed_alone(home: Path, servers: Path) -> None:
    servers.write_text(OTHERS)
    done("install", "--mcp")
    assert done("install", "--no-mcp")["mcp"] is None
    assert servers.read_text() == OTHERS
    assert (home / ".claude" / "settings.json").exists()
    assert "mcp" not in done("install")


def test_a_project_has_a_file_of_its_own_which_uninstall_all_finds(home: Path) -> None:
    project = home / "orders"
    project.mkdir()
    where = ("--scope", "project", "--project-dir", str(project))
    done("install", "--mcp", *where)
    entry = json.loads((project / ".mcp.json").read_text())["mcpServers"]["hookd"]
    assert entry == {"type": "stdio", "command": "hookd", "args": ["mcp"]}, "others use it, too"
    done("uninstall", "--all")
    assert not (project / ".mcp.json").exists()


def test_a_project_with_the_user_s_hooks_gets_the_server_alone(home: Path) -> None:
    project = home / "orders"
    project.mkdir()
    where = ("--scope", "project", "--project-dir", str(project))
    done("install")
    preview = hookd("install", "--mcp", *where, "--diff").stdout
    assert preview.startswith("hookd's MCP server would be registered with Claude Code;")
    assert '"hookd": {' in preview
    assert not list(project.iterdir())
    facts = done("install", "--mcp", *where)
    assert facts["mcp"] == str(project / ".mcp.json")
    assert facts["hooks"] == str(home / ".claude" / "settings.json")
    assert [one.name for one in project.iterdir()] == [".mcp.json"], "no second set of hooks"
    said = hookd("install", "--mcp", *where).stdout
    assert said.startswith("Nothing changed: hookd's MCP server is registered there.")
    assert done("install", "--no-mcp", *where)["mcp"] is None
    assert not list(project.iterdir())
    assert "not registered there" in hookd("install", "--no-mcp", *where).stdout
    done("install", "--mcp", "--events", "PreToolUse", *where)
    assert (project / ".claude" / "settings.json").exists(), "wanted, by another option"


def test_the_title_names_the_server_where_the_hooks_stay(home: Path) -> None:
    done("install")
    for option, said in (("--mcp", "registered with"), ("--no-mcp", "removed from")):
        out = hookd("install", option).stdout
        assert out.startswith(f"hookd's MCP server is {said} Claude Code. The hooks stay.\n")


def test_nothing_is_written_by_a_preview(servers: Path) -> None:
    facts = done("install", "--mcp", "--dry-run")
    assert any('"hookd": {' in line for line in facts["diff"])
    assert not servers.exists()


def test_another_server_of_that_name_is_refused(servers: Path) -> None:
    servers.write_text('{"mcpServers": {"hookd": {"command": "other"}}}')
    assert "mcpServers.hookd is another server than hookd's" in refused("install", "--mcp")
    servers.write_text('{"mcpServers": []}')
    assert "mcpServers is no object" in refused("install", "--mcp")
    assert "--scope user or --scope project" in refused("install", "--mcp", "--scope", "local")
    assert hookd("install", "--mcp", "--client", "codex").exit_code == 2


@given(SERVERS, st.booleans())
def test_to_register_and_unregister_changes_nothing(servers: dict[str, object], has: bool) -> None:
    value = {"mcpServers": servers, "a": 1} if has or servers else {"a": 1}
    registered = mcp_entry.register(value, "/bin/hookd", {})
    assert mcp_entry.is_registered(registered)
    assert mcp_entry.register(registered, "/bin/hookd", {}) == registered
    assert mcp_entry.unregister(registered, mcp_entry.empty_containers(value)) == value
