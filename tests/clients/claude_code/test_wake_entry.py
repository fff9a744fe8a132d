"""Entry on Stop that wakes an idle Claude Code: whose it is, adding and removing it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code import wake_entry
from hookd.clients.claude_code.registration import bare

COMMANDS = st.sampled_from(["lint", "hookd mail list", "echo hookd mail wake; true", "'"])
GROUPS = st.lists(
    st.builds(
        lambda commands: {"hooks": [{"type": "command", "command": one} for one in commands]},
        st.lists(COMMANDS, max_size=2),
    ),
    max_size=2,
)


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("hookd mail wake", "hookd"),
        ("env 'HOOKD_HOME=/a b' HOME=/a /opt/hookd mail wake", "/opt/hookd"),
        ("sh -c date /opt/hookd mail wake", None),
        ("env sh -c date /opt/hookd mail wake", None),
        ("date; /opt/hookd mail wake", None),
        ("$(date)/hookd mail wake", None),
        ("'/a b/hookd' mail wake", "/a b/hookd"),
        ("/opt/myhookd mail wake", None),
        ("mail wake", None),
        ("hookd mail wake --hours 2", None),
        ("hookd mail 'wake", None),
    ],
)
def test_an_entry_is_known_by_its_command(command: str, program: str | None) -> None:
    assert wake_entry.program({"type": "command", "command": command}) == program
    assert wake_entry.program({"type": "prompt", "command": command}) is None


@given(GROUPS, st.booleans())
def test_to_register_and_unregister_changes_nothing(
    groups: list[dict[str, object]], has: bool
) -> None:
    value = {"hooks": {"Stop": groups}} if has or groups else {"model": "opus"}
    registered = wake_entry.register(value, "/bin/hookd", {"HOOKD_HOME": "/a b"}, bare(value))
    (entry,) = wake_entry.entries(registered)
    assert wake_entry.wakes(entry)
    assert wake_entry.register(registered, "/bin/hookd", {"HOOKD_HOME": "/a b"}) == registered
    assert wake_entry.unregister(registered, bare(value)) == value or any(
        not group["hooks"] for group in groups
    )
