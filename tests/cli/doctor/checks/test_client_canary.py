"""A canary in each client's words: the registered command is run as the client runs it."""

import json

import pytest

from hookd.cli.doctor.checks.client_canary import denies
from hookd.clients.adapters import adapter_of
from support.home import Home
from support.installation import FOLDERS
from support.parametrize import parametrize_all
from support.programs import needed

CODEX = adapter_of("codex").capabilities.denial_template("PreToolUse")


@parametrize_all(
    ("template", "answer", "denied"),
    [
        ('{"decision":"deny","reason":@}', {"decision": "deny", "reason": "the 42, arrived"}, True),
        ('{"decision":"deny","reason":@}', {"decision": "deny", "reason": "other"}, False),
        ('{"decision":"deny","reason":@}', {"decision": "allow", "reason": "42"}, False),
        ('{"decision":"deny","reason":@}', {"reason": "42"}, False),
        ('{"decision":"deny","reason":@}', ["deny", "42"], False),
        ('{"decision":"deny","reason":@}', None, False),
        ('{"deny":@}', {"deny": 42}, False),
        (CODEX, json.loads(CODEX.replace("@", '"42"')), True),
        ("", {}, False),
    ],
)
def test_only_the_client_s_own_denial_with_the_secret_counts(
    template: str, answer: object, denied: bool
) -> None:
    assert denies(template, json.dumps(answer).encode(), "42") is denied


def test_an_output_that_is_no_json_is_no_denial() -> None:
    assert not denies('{"deny":@}', b"42", "42")
    assert not denies('{"deny":@}', b"{", "42")


@pytest.mark.gate
def test_what_is_registered_denies_a_call_of_each_client(home: Home) -> None:
    """A running daemon, the installed shims, and the commands of the clients' files."""
    place = {"HOME": str(home.path)} | dict.fromkeys(FOLDERS, "")
    names = ("codex", "gemini", "qwen", "copilot", "opencode")
    needed("node")
    home.hookd("install", "--client", ",".join(names), env=place)
    home.serves()
    said = home.hookd("doctor", "--client", ",".join(names), "--json", env=place, check=False)
    tried = {
        row["check"]: (row["state"], row["what"])
        for row in json.loads(said.stdout)
        if row["check"].endswith("canary")
    }
    assert set(tried) == {f"{name} canary" for name in names}
    for state, what in tried.values():
        assert (state, what.partition(" registers ")[2]) == ("ok", "denied a test call."), what
    home.settings({"policies": {"disabled": ["guard-rules"]}})
    home.restarts()
    said = home.hookd("doctor", "--client", "codex", "--json", env=place, check=False)
    failed = [row["what"] for row in json.loads(said.stdout) if row["check"] == "codex canary"]
    assert failed[0].endswith("did not deny a call: nothing came back.")
