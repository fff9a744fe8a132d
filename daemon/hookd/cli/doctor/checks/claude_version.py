"""The home of whether the Claude Code that is installed runs hooks as they are registered."""

from collections.abc import Iterator, Sequence

from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, State, fail, found, ok, warn
from hookd.cli.lib import claude_version
from hookd.cli.lib.claude_version import EXEC_FORM, Client
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code.fail_closed import BLOCKS
from hookd.clients.claude_code.registration import ON_FAILURE

_CHECK = "claude code"


def check_client(client: Client, ours: Sequence[Hook]) -> Iterator[Finding]:
    """Tell what the installed client does not do of what the settings ask for."""
    try:
        if note := claude_version.check(client):
            step = "see that claude is on your PATH and answers: claude --version"
            yield warn(_CHECK, f"{note}.", step)
            return
    except Problem as problem:
        state = State.FAIL if ours else State.WARN
        yield found(_CHECK, state, Problem(problem.message, "claude update"))
        return
    yield ok(_CHECK, f"Claude Code {client.text} is on the PATH.")
    older = dict.fromkeys(hook.event for hook in ours if len(hook.words) > 1)
    if older and client.version and client.version < EXEC_FORM:
        what = f"Claude Code {client.text} ignores the arguments of entries of an older form: "
        yield fail(_CHECK, f"{what}{', '.join(older)}.", "hookd install")
    named = dict.fromkeys(hook.event for hook in ours if ON_FAILURE in hook.value)
    if named and client.version and client.version < BLOCKS:
        what = f"Claude Code {client.text} does not know onFailure, which stands at "
        yield warn(
            _CHECK, f"{what}{', '.join(named)}: without the shim they go on.", "claude update"
        )
