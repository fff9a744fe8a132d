"""Gemini CLI asks only if a person is at its terminal: otherwise it would wait without end."""

import pytest

from hookd.clients.gemini.headless import attended
from hookd.core.model.client_process import RunningClient

PTS = "/dev/pts/3"


@pytest.mark.parametrize(
    ("args", "variables", "stdin", "stdout", "expected"),
    [
        (("gemini",), (), PTS, PTS, True),
        (("node", "/usr/bin/gemini", "--yolo"), ("TERM=x",), PTS, "/dev/tty1", True),
        (("gemini", "-i", "fix it"), ("CI=false",), "/dev/console", PTS, True),
        (("gemini", "--prompt-interactive", "fix it"), (), PTS, PTS, True),
        (("gemini", "-p", "fix it"), (), PTS, PTS, False),
        (("gemini", "-p=fix it"), (), PTS, PTS, False),
        (("gemini", "-yp", "fix it"), (), PTS, PTS, False),
        (("gemini", "--prompt", "fix it"), (), PTS, PTS, False),
        (("gemini", "--prompt=fix it"), (), PTS, PTS, False),
        (("gemini",), ("CI=true",), PTS, PTS, False),
        (("gemini",), ("GITHUB_ACTIONS=true",), PTS, PTS, False),
        (("gemini",), (), "/dev/null", PTS, False),
        (("gemini",), (), "pipe:[7]", PTS, False),
        (("gemini",), (), PTS, "/home/user/log", False),
        (("gemini",), (), PTS, "/dev/pts/3 (deleted)", False),
        (("gemini", "--acp"), (), "socket:[7]", "socket:[8]", False),
    ],
)
def test_the_rule_is_the_clients_own(
    args: tuple[str, ...], variables: tuple[str, ...], stdin: str, stdout: str, expected: bool
) -> None:
    known = frozenset(one.encode() for one in variables)
    assert attended(RunningClient(args, known, stdin, stdout)) is expected
