"""Headless mode of Gemini CLI: whether a person can answer the questions of a running client.

The rule is Gemini CLI's own (0.61.0): it is interactive if both standard streams are terminals, no
variable says that this is a CI run, and no prompt was given by `-p`. An unclear case counts as
headless, because there a question is never answered.
"""

from hookd.core.model.client_process import RunningClient
from hookd.lazy_pattern import lazy_compile

_TERMINAL = lazy_compile(r"/dev/(?:pts/[0-9]+|tty[^ ]*|console)")
_CI = frozenset({b"CI=true", b"GITHUB_ACTIONS=true"})
_PROMPT = lazy_compile(r"-[A-Za-z]*p.*|--prompt(?:=.*)?")
"""`-p`, also among other letters (`-yp`) and with its value (`-p=x`)."""


def attended(client: RunningClient) -> bool:
    """Return whether a person can answer a question of this client.

    >>> attended(RunningClient(("gemini",), frozenset(), "/dev/pts/3", "/dev/pts/3"))
    True
    >>> attended(RunningClient(("gemini", "-p", "x"), frozenset(), "/dev/pts/3", "/dev/pts/3"))
    False
    """
    streams = (client.stdin, client.stdout)
    if not all(map(_TERMINAL.fullmatch, streams)) or not _CI.isdisjoint(client.variables):
        return False
    return not any(map(_PROMPT.fullmatch, client.args))
