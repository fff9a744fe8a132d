"""Where things live: HOOKD_HOME before XDG before the home folder, and never too long a socket."""

import os
import socket
from pathlib import Path

import pytest

from hookd import paths
from hookd.paths import SOCKET_LIMIT, Paths

VARIABLES = (
    "HOOKD_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "TMPDIR",
)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/user")


PLACES = {
    "nothing is set": (
        {},
        Paths(
            Path("/home/user/.local/state/hookd/run/hookd.sock"),
            Path("/home/user/.local/state/hookd"),
            Path("/home/user/.config/hookd"),
            Path("/home/user/.local/share/hookd"),
        ),
    ),
    "every XDG variable is set": (
        {
            "XDG_RUNTIME_DIR": "/run/user/7",
            "XDG_STATE_HOME": "/x/state",
            "XDG_CONFIG_HOME": "/x/config",
            "XDG_DATA_HOME": "/x/data",
        },
        Paths(
            Path("/run/user/7/hookd/hookd.sock"),
            Path("/x/state/hookd"),
            Path("/x/config/hookd"),
            Path("/x/data/hookd"),
        ),
    ),
    "relative and empty ones are ignored": (
        {
            "XDG_RUNTIME_DIR": "run",
            "XDG_STATE_HOME": "state",
            "XDG_CONFIG_HOME": "",
            "XDG_DATA_HOME": "../data",
        },
        Paths(
            Path("/home/user/.local/state/hookd/run/hookd.sock"),
            Path("/home/user/.local/state/hookd"),
            Path("/home/user/.config/hookd"),
            Path("/home/user/.local/share/hookd"),
        ),
    ),
    "HOOKD_HOME is before all": (
        {"HOOKD_HOME": "/srv/hookd", "XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "/x"},
        Paths(
            Path("/srv/hookd/run/hookd.sock"),
            Path("/srv/hookd"),
            Path("/srv/hookd"),
            Path("/srv/hookd"),
        ),
    ),
    "HOOKD_HOME may begin with a tilde": (
        {"HOOKD_HOME": "~/second"},
        Paths(
            Path("/home/user/second/run/hookd.sock"),
            Path("/home/user/second"),
            Path("/home/user/second"),
            Path("/home/user/second"),
        ),
    ),
    "an empty HOOKD_HOME is none": (
        {"HOOKD_HOME": "", "XDG_RUNTIME_DIR": "/run/user/7"},
        Paths(
            Path("/run/user/7/hookd/hookd.sock"),
            Path("/home/user/.local/state/hookd"),
            Path("/home/user/.config/hookd"),
            Path("/home/user/.local/share/hookd"),
        ),
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_places_are_those_that_the_environment_names(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, expected = PLACES[name]
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert paths.paths() == expected


def test_a_relative_home_is_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOOKD_HOME", "here")
    assert paths.paths().state == tmp_path / "here"


def test_every_file_has_its_name() -> None:
    places = paths.under(Path("/h"))
    found = {name: str(getattr(places, name)) for name in ("database", "log", "settings", "shims")}
    assert found == {
        "database": "/h/hookd.db",
        "log": "/h/hookd.log",
        "settings": "/h/settings.json",
        "shims": "/h/shims",
    }
    assert [str(one) for one in (places.lock, places.pid, places.stopped)] == [
        "/h/hookd.lock",
        "/h/run/hookd.pid",
        "/h/run/hookd.stopped",
    ]


def long(length: int) -> Path:
    """Return a home whose socket has a path of so many bytes."""
    rest = length - len("/run/hookd.sock")
    return Path("/" + "a" * (rest - 1))


@pytest.mark.parametrize("length", [20, SOCKET_LIMIT - 1, SOCKET_LIMIT])
def test_a_socket_whose_path_can_be_bound_stays_where_it_belongs(length: int) -> None:
    home = long(length)
    assert len(os.fsencode(home / "run" / "hookd.sock")) == length
    assert paths.under(home).socket == home / "run" / "hookd.sock"


@pytest.mark.parametrize("home", [long(SOCKET_LIMIT + 1), long(4000), Path("/" + "\u00e9" * 50)])
def test_a_path_that_is_too_long_has_a_short_stand_in_of_its_own(home: Path) -> None:
    short = paths.under(home).socket
    assert len(os.fsencode(short)) <= SOCKET_LIMIT
    assert str(os.getuid()) in str(short)
    assert short == paths.under(home).socket
    assert short != paths.under(home / "b").socket
    assert paths.under(home).database == home / "hookd.db"


def test_the_limit_is_one_that_can_be_bound(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("s")
    name = "x" * (SOCKET_LIMIT - len(os.fsencode(folder)) - 1)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / name))


def test_who_asks_is_told_with_the_folder_he_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in paths.IDENTITY:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AGENT_ID", "builder")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a secret")
    assert paths.identity() == {"AGENT_ID": "builder", "CWD": str(tmp_path)}


def test_a_daemon_inherits_no_secret_and_nothing_of_one_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ANTHROPIC_API_KEY", "AGENT_ID", "CLAUDE_CODE_SESSION_ID", "PYTHONPATH", "TMUX"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("HOOKD_HOME", "/srv/hookd")
    found = paths.daemon_environment()
    assert found["HOOKD_HOME"] == "/srv/hookd"
    assert "x" not in found.values()


def test_a_variable_that_is_not_set_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paths.variable("HOOKD_HOME") is None
    monkeypatch.setenv("HOOKD_HOME", "/x")
    assert paths.variable("HOOKD_HOME") == "/x"
    monkeypatch.delenv("PATH")
    assert paths.search_path() == os.defpath


FOLDERS = {
    "claude-code": ("CLAUDE_CONFIG_DIR", "/home/user/.claude", "/c"),
    "codex": ("CODEX_HOME", "/home/user/.codex", "/c"),
    "gemini": ("GEMINI_CLI_HOME", "/home/user/.gemini", "/c/.gemini"),
    "qwen": ("QWEN_HOME", "/home/user/.qwen", "/c"),
    "copilot": ("COPILOT_HOME", "/home/user/.copilot", "/c"),
    "opencode": ("OPENCODE_CONFIG_DIR", "/home/user/.config/opencode", "/c"),
}


@pytest.mark.parametrize("client", FOLDERS)
def test_a_client_s_folder_is_in_the_home_unless_its_variable_names_another(
    client: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable, usual, named = FOLDERS[client]
    monkeypatch.delenv(variable, raising=False)
    assert paths.client_folder(client) == Path(usual)
    monkeypatch.setenv(variable, "/c")
    assert paths.client_folder(client) == Path(named)


def test_opencode_keeps_its_settings_where_xdg_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENCODE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/x")
    assert paths.client_folder("opencode") == Path("/x/opencode")
