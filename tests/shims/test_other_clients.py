"""Shims of other clients than Claude Code send its name, and deny in its words without a verdict.

Whatever fails, stdout has one JSON object or nothing, stderr is empty and the exit code is 0:
Gemini reads stderr as the answer, Copilot refuses a call for any other exit code.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hookd.clients.adapters import adapter_of
from hookd.core.evaluation.unjudged import parse
from hookd.core.model.fail_policy import CLOSABLE
from hookd.core.model.shim_config import EventRule, ShimConfig, event_rules, render
from hookd.events.protocol import EVENTS
from hookd.system import stop_marker
from support.hook_shim import ACK, BIG, PATH, Daemon, result
from support.native_shim import NATIVE, SHIMS, native
from support.programs import PYTHON

OK = result({"ok": True})
DENIALS = {
    client: {
        event: template
        for event in CLOSABLE
        if (template := adapter_of(client).capabilities.denial_template(event))
    }
    for client in ("codex", "gemini", "qwen", "copilot")
}
"""The denial of each event, by client; opencode has no shim."""

CASES = [(client, event) for client in DENIALS for event in ("PreToolUse", "UserPromptSubmit")]
CASES += [(client, event) for client in DENIALS for event in ("PermissionRequest", "Stop")]


@dataclass
class Scope:
    """A scope of another client, with shims of its own, so that they can be damaged."""

    folder: Path
    kind: str
    client: str

    @property
    def sock(self) -> Path:
        return self.folder / "hookd.sock"

    @property
    def links(self) -> Path:
        return self.folder / "shims" / f"{self.client}{'-' * bool(self.client)}user-0123abcd"

    @property
    def config(self) -> Path:
        return self.links / "config"

    def registers(self, closed: tuple[str, ...] = CLOSABLE, **more: Any) -> None:
        self.links.mkdir(parents=True)
        for one in SHIMS.glob("hookd-*"):
            shutil.copy(one, self.links.parent)
        program = "hookd-hook"
        if self.kind == NATIVE:
            program = "hookd-hook.native"
            (self.links.parent / program).symlink_to(native())
        rules = event_rules(EVENTS, closed) | {"PreToolUse": EventRule(5, "PreToolUse" in closed)}
        known: dict[str, Any] = {
            "socket": str(self.sock),
            "client": self.client,
            "transports": (f"python3:{PYTHON}",),
            "events": rules,
            "denials": DENIALS.get(self.client, {}),
        }
        self.config.write_text(render(ShimConfig(**known | more)))
        for name in EVENTS:
            (self.links / name).symlink_to(f"../{program}")

    def adds(self, line: str) -> None:
        """Add a line to the configuration, which then counts."""
        self.config.write_text(self.config.read_text() + line + "\n")

    def runs(
        self, event: str, payload: bytes = b"{}", *words: str, **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [self.links / event, *words],
            input=payload,
            env={"PATH": PATH} | env,
            capture_output=True,
            check=False,
            timeout=60,
        )

    def noted(self) -> list[tuple[str, str]]:
        """Return event and reason of each line that the daemon would import."""
        file = self.sock.with_suffix(".unjudged")
        text = file.read_text() if file.exists() else ""
        return [(one.event, one.reason) for one in parse(text, "")]


@pytest.fixture
def make(kind: str) -> Iterator[Callable[..., Scope]]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hk") as name:

        def scope(client: str, **more: Any) -> Scope:
            made = Scope(Path(name), kind, client)
            made.registers(**more)
            return made

        yield scope


def silent(done: subprocess.CompletedProcess[bytes]) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def denied(done: subprocess.CompletedProcess[bytes], client: str, event: str) -> str:
    """Check that this is the client's denial of the event, and return its reason."""
    assert (done.returncode, done.stderr) == (0, b"")
    before, after = DENIALS[client][event].encode().split(b"@")
    assert done.stdout.startswith(before)
    assert done.stdout.endswith(after + b"\n")
    assert isinstance(json.loads(done.stdout), dict)
    reason = json.loads(done.stdout[len(before) : len(done.stdout) - len(after) - 1])
    assert reason.startswith("hookd could not judge this call (")
    return str(reason)


def test_the_denials_of_a_call_are_those_that_the_clients_honour() -> None:
    claude = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",'
    claude += '"permissionDecisionReason":@}}'
    assert {client: denials["PreToolUse"] for client, denials in DENIALS.items()} == {
        "codex": claude,
        "gemini": '{"decision":"deny","reason":@}',
        "qwen": claude,
        "copilot": '{"permissionDecision":"deny","permissionDecisionReason":@}',
    }


# the name


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("agent", ["ana", 'a"b'], ids=["warm", "cold"])
def test_the_name_is_sent_before_the_event(
    make: Callable[..., Scope], closed: bool, agent: str
) -> None:
    scope = make("some-client", closed=("PreToolUse",) if closed else ())
    with Daemon(scope.sock, answer=OK) as daemon:
        done = scope.runs("PreToolUse", AGENT_ID=agent)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"ok": true}\n', b"")
    before = b'"params":{"body":true,"deadline":5,' + b'"closed":true,' * closed
    assert before + b'"client":"some-client","event":"PreToolUse",' in daemon.header


@pytest.mark.parametrize("payload", [b"{}", BIG], ids=["small", "large"])
@pytest.mark.parametrize("hung", [False, True], ids=["no daemon", "an error"])
def test_the_judge_gets_the_name(make: Callable[..., Scope], payload: bytes, hung: bool) -> None:
    scope = make("codex")
    judge = scope.folder / "python"
    judge.write_text(
        f"#!/bin/sh\nhead -n 1 >{scope.folder}/asked\ncat >/dev/null\necho noise >&2\n"
        """echo '{"jsonrpc":"2.0","id":1,"result":{"judged":true}}'\n"""
    )
    judge.chmod(0o755)
    scope.adds(f"python {judge}")
    if hung:
        with Daemon(scope.sock, answer=b'{"error":{}}\n'):
            done = scope.runs("PreToolUse", payload)
    else:
        done = scope.runs("PreToolUse", payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"judged":true}\n', b"")
    params = json.loads((scope.folder / "asked").read_text())["params"]
    assert list(params)[-4:] == ["client", "event", "sender", "env"]
    assert params["client"] == "codex"


@pytest.mark.parametrize("lost", [False, True], ids=["no daemon", "a daemon that ends"])
def test_a_daemon_that_is_started_gets_the_name(make: Callable[..., Scope], lost: bool) -> None:
    scope = make("qwen")
    other, hookd = scope.folder / "other.sock", scope.folder / "hookd"
    hookd.write_text(f"#!/bin/sh\nmv {other} {scope.sock}\necho noise >&2\n")
    hookd.chmod(0o755)
    scope.adds(f"hookd {hookd}")
    if lost:
        scope.sock.with_suffix(".pid").write_text(f"{os.getpid()}\n")
    ends = Daemon(scope.sock, hang_up_first=True) if lost else nullcontext()
    with Daemon(other, answer=OK) as daemon, ends:
        done = scope.runs("PreToolUse")
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"ok": true}\n', b"")
    assert b'"client":"qwen","event":"PreToolUse",' in daemon.header


def test_a_client_is_known_by_the_variables_that_it_sets(make: Callable[..., Scope]) -> None:
    """A hook that is registered for Claude Code may be run by another client."""
    scope = make("")
    known = {
        "COPILOT_PROJECT_DIR": "/p",
        "GEMINI_SESSION_ID": "g",
        "QWEN_PROJECT_DIR": "/q",
    }
    with Daemon(scope.sock) as daemon:
        scope.runs("Stop", **known)
        assert json.loads(daemon.header)["params"]["env"].items() >= known.items()
        scope.runs("Stop", QWEN_PROJECT_DIR='"')
        assert json.loads(daemon.header)["params"]["env"]["QWEN_PROJECT_DIR"] == '"'
        scope.runs("Stop")
        assert not json.loads(daemon.header)["params"]["env"].keys() & known.keys()
        assert b'"deadline":28,"event":"Stop",' in daemon.header


# no verdict


def no_daemon(_: Scope) -> Daemon | None:
    return None


def no_cold_file(scope: Scope) -> Daemon | None:
    (scope.links.parent / "hookd-cold").unlink()
    return None


def no_file_for_no_daemon(scope: Scope) -> Daemon | None:
    (scope.links.parent / "hookd-alone").write_text("")
    return None


def no_transport(scope: Scope) -> Daemon | None:
    text = scope.config.read_text().replace(f"transport python3:{PYTHON}", "transport nc:/nowhere")
    scope.config.write_text(text)
    return None


def an_error(scope: Scope) -> Daemon | None:
    return Daemon(scope.sock, answer=b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603}}\n')


def another_acknowledgement(scope: Scope) -> Daemon | None:
    return Daemon(scope.sock, ack=b"what\n")


FAILURES = [no_daemon, an_error, another_acknowledgement]
FAILURES += [no_cold_file, no_file_for_no_daemon, no_transport]


def fails(
    scope: Scope, failure: Callable[[Scope], Daemon | None], event: str
) -> subprocess.CompletedProcess[bytes]:
    daemon = failure(scope)
    if daemon is None:
        return scope.runs(event)
    with daemon:
        return scope.runs(event, BIG)


@pytest.mark.parametrize("client", ["codex", "gemini", "copilot"])
@pytest.mark.parametrize("failure", FAILURES)
def test_a_call_that_fails_closed_is_denied_in_the_client_s_words(
    make: Callable[..., Scope], client: str, failure: Callable[[Scope], Daemon | None]
) -> None:
    scope = make(client)
    done = fails(scope, failure, "PreToolUse")
    assert denied(done, client, "PreToolUse").endswith(" is set to fail closed. Next: hookd status")
    known = failure is no_cold_file and scope.kind != NATIVE  # bash cannot leave a line without it
    assert [event for event, _ in scope.noted()] == ["PreToolUse"] * (not known)


@pytest.mark.parametrize("failure", FAILURES)
def test_a_call_that_fails_open_passes_without_a_word(
    make: Callable[..., Scope], failure: Callable[[Scope], Daemon | None]
) -> None:
    silent(fails(make("gemini", closed=()), failure, "PreToolUse"))


@pytest.mark.parametrize(("client", "event"), CASES)
def test_every_event_is_denied_by_its_template_or_passes(
    make: Callable[..., Scope], client: str, event: str
) -> None:
    scope = make(client)
    done = scope.runs(event)
    if event in DENIALS[client]:
        denied(done, client, event)
    else:
        silent(done)
    why = "no daemon is running, and there is no hookd to start"
    assert scope.noted() == [(event, why)]


def test_a_daemon_that_hangs_is_given_up(make: Callable[..., Scope]) -> None:
    scope = make("copilot")
    with Daemon(scope.sock, ack=b"", answer=b"", patience=1.5):
        why = denied(scope.runs("PreToolUse"), "copilot", "PreToolUse")
    assert "(the daemon did not acknowledge the call)" in why


def test_a_daemon_that_gives_no_answer_in_time_is_given_up(make: Callable[..., Scope]) -> None:
    scope = make("gemini", events=event_rules(EVENTS, CLOSABLE))
    scope.adds("events 1 closed PreToolUse")
    with Daemon(scope.sock, ack=ACK, answer=b"", patience=1.5):
        why = denied(scope.runs("PreToolUse"), "gemini", "PreToolUse")
    assert "(the daemon gave no answer)" in why


def test_a_daemon_that_does_not_start_says_nothing_to_the_client(
    make: Callable[..., Scope],
) -> None:
    scope = make("gemini")
    hookd = scope.folder / "hookd"
    hookd.write_text("#!/bin/sh\necho noise\necho noise >&2\nexit 1\n")
    hookd.chmod(0o755)
    scope.adds(f"hookd {hookd}")
    why = denied(scope.runs("PreToolUse"), "gemini", "PreToolUse")
    assert "(the daemon did not start; hookd start says why)" in why


def test_no_warning_reaches_the_client(make: Callable[..., Scope]) -> None:
    scope = make("gemini")
    text = scope.config.read_text().replace("transport ", "transport nc:/nowhere/nc\ntransport ", 1)
    scope.config.write_text(f"send no name\n{text}")
    scope.sock.with_suffix(".stopped").mkdir()
    with Daemon(scope.sock, answer=OK):
        done = scope.runs("SessionStart", b"{}", "--colour")
        assert (done.returncode, done.stdout, done.stderr) == (0, b'{"ok": true}\n', b"")
    assert {event for event, _ in scope.noted()} == {"SessionStart"}


def test_while_hookd_is_stopped_every_call_passes_without_a_word(
    make: Callable[..., Scope],
) -> None:
    scope = make("copilot")
    stop_marker.write(scope.sock.with_suffix(".stopped"))
    for event in ("PreToolUse", "SessionStart", "Stop"):
        silent(scope.runs(event))


def test_the_native_shim_keeps_bash_quiet_about_a_locale(make: Callable[..., Scope]) -> None:
    scope = make("gemini")
    done = scope.runs("PreToolUse", LC_ALL="xx_YY.UTF-8")
    if scope.kind == NATIVE:
        denied(done, "gemini", "PreToolUse")
    assert done.stdout.startswith(b'{"decision":"deny",')


# a configuration that says less


BROKEN_NAMES = ["client Codex", "client a b", "client ", 'client "', "client codex2", "client ä"]


@pytest.mark.parametrize("line", BROKEN_NAMES)
def test_a_name_that_is_none_counts_as_an_unknown_fail_policy(
    make: Callable[..., Scope], line: str
) -> None:
    """Neither the daemon nor the judge is asked: they would answer in the words of a client."""
    scope = make("gemini", closed=(), python=PYTHON)
    scope.adds(line)
    with Daemon(scope.sock, answer=OK) as daemon:
        call, other = scope.runs("PreToolUse", BIG), scope.runs("Stop")
    assert daemon.calls == 0
    why = f"({scope.config} names no client), and whether to fail closed is not known."
    assert why in denied(call, "gemini", "PreToolUse")
    silent(other)
    assert [event for event, _ in scope.noted()] == ["PreToolUse", "Stop"]


def test_an_event_without_a_rule_is_denied_if_there_is_a_template(
    make: Callable[..., Scope],
) -> None:
    scope = make("copilot", events={})
    said = denied(scope.runs("PreToolUse"), "copilot", "PreToolUse")
    assert said.endswith("whether to fail closed is not known. Next: hookd install")
    silent(scope.runs("UserPromptSubmit"))


TEMPLATES = {
    '{"a":@,"b":"@"}': '{{"a":{},"b":"@"}}',
    '{"a":1}': '{{"a":1}}',
    ' {"\\n":"&\\1$x",  "a":@}': ' {{"\\n":"&\\1$x",  "a":{}}}',
}


@pytest.mark.parametrize("damaged", [False, True], ids=["whole", "without hookd-cold"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_the_first_mark_of_a_template_becomes_the_reason(
    make: Callable[..., Scope], template: str, damaged: bool
) -> None:
    scope = make("codex", denials={"PreToolUse": "{}"})
    scope.adds(f"denial Stop {{}}\ndenial PreToolUse {template}\ndenial PreToolUseX []")
    if damaged:
        no_cold_file(scope)
    printed = scope.runs("PreToolUse").stdout.decode()
    before, _, after = TEMPLATES[template].partition("{}")
    assert printed.startswith(before.format())
    assert printed.endswith((after or before).format() + "\n")
    assert printed.count("hookd could not judge") == ("@" in template)


def test_a_reason_with_odd_characters_stays_a_text(make: Callable[..., Scope]) -> None:
    scope = make("gemini")
    odd = '/no"where\\&/@\x01'
    text = scope.config.read_text().replace(PYTHON, odd)
    scope.config.write_text(text)
    assert f"python3:{odd}" in denied(scope.runs("PreToolUse"), "gemini", "PreToolUse")


def test_without_a_configuration_it_is_not_known_which_client_asks(
    make: Callable[..., Scope],
) -> None:
    scope = make("codex")
    scope.config.unlink()
    done = scope.runs("PreToolUse")
    assert b'"permissionDecision":"ask"' in done.stdout
    assert scope.runs("Stop").returncode == 1


# without bash


@pytest.mark.parametrize(("client", "event"), CASES)
@pytest.mark.parametrize("kind", [NATIVE])
def test_the_native_shim_applies_the_fail_policy_alone(
    make: Callable[..., Scope], client: str, event: str
) -> None:
    scope = make(client)
    (scope.links.parent / "hookd-hook").unlink()
    done = scope.runs(event, BIG)
    if event in DENIALS[client]:
        assert "(the bash shim cannot be started; " in denied(done, client, event)
    else:
        silent(done)
    why = "the bash shim cannot be started; hookd install puts it back"
    assert scope.noted() == [(event, why)]


@pytest.mark.parametrize("kind", [NATIVE])
@pytest.mark.parametrize("line", ["client Codex", "client "])
def test_the_native_shim_alone_denies_for_a_client_whose_name_is_none(
    make: Callable[..., Scope], line: str
) -> None:
    scope = make("gemini", closed=())
    scope.adds(line)
    (scope.links.parent / "hookd-hook").unlink()
    denied(scope.runs("PreToolUse"), "gemini", "PreToolUse")
    silent(scope.runs("Stop"))


def test_what_the_host_sets_is_no_client(make: Callable[..., Scope]) -> None:
    scope = make("")
    names = {"client": "codex", "denial": "{}", "template": "{}", "lines": "client codex"}
    done = scope.runs("PreToolUse", **names)
    assert b'"permissionDecision":"deny"' in done.stdout
    assert scope.runs("Stop", **names).stderr.startswith(b"hookd: Stop not judged: ")
    (scope.links.parent / "hookd-cold").unlink()
    assert scope.runs("Stop", **names).stderr.startswith(b"hookd: Stop not judged: ")
