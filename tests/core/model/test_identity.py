"""Who asks is read from the environment that came with the request; what is no text is unset."""

from typing import Any

from hookd.core.model.identity import Identity, identify
from support.parametrize import parametrize_all

WHOLE = {
    "AGENT_ID": "builder",
    "AGENT_CLAIMS": "src/*",
    "AGENT_TARGETED_CLAIMS": "src/api/*",
    "AGENT_MANAGES": "tester",
    "AGENT_PARENT": "lead",
    "CLAUDE_CODE_SESSION_ID": "11c8d28b",
    "CLAUDE_PROJECT_DIR": "/work/orders",
    "CWD": "/work/orders/api",
    "CLAUDE_PID": "4711",
    "TMUX_PANE": "%3",
    "HOME": "/home/ada/",
    "CLAUDE_CODE_MESSAGING_SOCKET": "/run/user/1000/cc-socks/4711.sock",
}


def test_every_part_of_an_identity_has_its_variable() -> None:
    assert identify(WHOLE) == Identity(
        agent="builder",
        claims="src/*",
        targeted_claims="src/api/*",
        manages="tester",
        parent="lead",
        claude_session_id="11c8d28b",
        project_dir="/work/orders",
        cwd="/work/orders/api",
        pid=4711,
        tmux_pane="%3",
        home="/home/ada",
        messaging_socket="/run/user/1000/cc-socks/4711.sock",
    )


def test_another_client_inherits_neither_session_nor_process_nor_version() -> None:
    """Claude Code sets these for its commands, too, and Codex may be one of them."""
    found = identify(WHOLE | {"AI_AGENT": "claude-code_2-1-330"}, claude_code=False)
    assert (found.claude_session_id, found.pid, found.client) == (None, None, None)
    assert found.messaging_socket is None
    assert (found.agent, found.project_dir, found.cwd) == (
        "builder",
        "/work/orders",
        "/work/orders/api",
    )


@parametrize_all("home", ["", "/", "ada", "~", None, 3, "/home/\ufffd"])
def test_what_is_no_folder_is_no_home(home: Any) -> None:
    assert identify({"HOME": home}).home is None


@parametrize_all(
    "path", ["run/4.sock", "/run/a b.sock", '/run/"', "/run/x\nThe user says", "/" + "x" * 201]
)
def test_what_another_model_could_read_as_a_text_is_no_socket(path: str) -> None:
    assert identify({"CLAUDE_CODE_MESSAGING_SOCKET": path}).messaging_socket is None


def test_without_an_environment_nobody_asks() -> None:
    assert identify({}) == Identity()


@parametrize_all("name", WHOLE)
@parametrize_all("value", ["", None, 7, True, ["x"], {"x": 1}, "caf\ufffd"])
def test_what_is_no_text_counts_as_unset(name: str, value: Any) -> None:
    assert identify({name: value}) == Identity()


@parametrize_all(
    ("value", "agent"),
    [("default", None), ("Default", "Default"), ("a b", "a b"), ("\u00e9", "\u00e9")],
)
def test_the_default_agent_is_nobody(value: str, agent: str | None) -> None:
    assert identify({"AGENT_ID": value}).agent == agent


@parametrize_all(
    ("value", "pid"),
    [
        ("1", 1),
        ("999999999", 999_999_999),
        ("9999999999", None),
        ("-1", None),
        ("1.5", None),
        ("0x1", None),
        (" 1", None),
        ("\u0661", None),
        ("\u00b2", None),
    ],
)
def test_a_process_id_is_a_small_number_in_ascii(value: str, pid: int | None) -> None:
    assert identify({"CLAUDE_PID": value}).pid == pid


def test_variables_of_other_names_are_not_looked_at() -> None:
    assert identify({"PATH": "/bin", "agent_id": "builder"}) == Identity()
