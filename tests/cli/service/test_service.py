"""`hookd service` with hosts that run real daemons from the files it writes."""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from support import service_managers as service_hosts
from support.home import HOOKD, Home, until, window_in
from support.service_managers import asked

pytestmark = pytest.mark.gate


@pytest.fixture
def host(home: Home) -> Iterator[Home]:
    """A home whose services are run; none runs when the test ends."""
    with service_hosts.furnished(home.path) as env:
        home.env |= env
        yield home
        (home.path / "host" / "ending").touch()  # nothing is begun again
        if home.socket.exists():
            home.ends()
        until(lambda: not (home.path / "host" / "pid").exists())


def done(home: Home, *args: str, **env: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(home.hookd("service", *args, "--json", env=env).stdout)
    return facts


def status(home: Home, **env: str) -> dict[str, Any]:
    said = home.hookd("service", "status", "--json", check=False, env=env)
    facts: dict[str, Any] = json.loads(said.stdout)
    assert said.returncode == (0 if facts["active"] else 3)
    return facts


def refused(home: Home, *args: str) -> str:
    said = home.hookd("service", *args, check=False)
    assert (said.returncode, said.stdout) == (1, "")
    assert "\n  next: " in said.stderr
    return said.stderr.splitlines()[0]


def tree(home: Home) -> set[str]:
    """Return every file and link of the home but what daemons and hosts keep for themselves."""
    config = home.path / ".config", home.path / "Library"
    return {str(one) for top in config for one in top.rglob("*") if not one.is_dir()}


def journal(home: Home) -> str:
    return (home.path / "host" / "journal").read_text()


# install


def test_install_writes_a_unit_and_returns_when_its_daemon_answers(host: Home) -> None:
    facts = done(host, "install")
    file = Path(facts["file"])
    assert file.parent == host.path / ".config/systemd/user"
    assert file.stat().st_mode & 0o777 == 0o644
    assert facts["daemon"] == host.pid == host.rpc("daemon.status")["pid"]
    assert (facts["changed"], facts["before"]) == (True, None)
    verbs = ["daemon-reload", "enable", "reset-failed", "restart"]
    assert [line.split()[2] for line in asked(host.path)] == verbs


def test_the_service_has_the_places_of_the_shell_that_installed_it_and_no_others(
    host: Home,
) -> None:
    done(host, "install", SECRET_TOKEN="hush", XDG_CONFIG_HOME="")
    known = host.rpc("daemon.status")
    assert known["socket"] == str(host.socket), "though its host has another HOOKD_HOME"
    (file,) = [Path(one) for one in tree(host) if not Path(one).is_symlink()]
    assert "hush" not in file.read_text()
    command, env = service_hosts.read_unit(file.read_text())
    assert command == [str(HOOKD), "service", "run"]
    assert env["HOOKD_HOME"] == str(host.path)
    assert "XDG_RUNTIME_DIR" not in env


def test_systemd_has_nothing_to_say_against_the_unit(host: Home) -> None:
    odd = {"XDG_DATA_HOME": '/a "b"/%h/c\\d/$e/é'}
    text = Path(done(host, "install", **odd)["file"]).read_text()
    assert service_hosts.read_unit(text)[1]["XDG_DATA_HOME"] == odd["XDG_DATA_HOME"]
    file = host.path / "hookd-verified.service"
    file.write_text(text)
    if tool := shutil.which("systemd-analyze"):
        env = host.env | {"XDG_RUNTIME_DIR": str(host.path)}
        command = [tool, "--user", "--man=no", "verify", str(file)]
        said = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert (said.returncode, said.stderr) == (0, "")


def test_a_daemon_that_runs_hands_over_and_no_event_is_lost(host: Home) -> None:
    host.serves()
    before, window = host.pid, window_in(host)
    window.says("SessionStart")
    sent = [window.event("PreToolUse", tool_name="Read") for _ in range(40)]
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(host.said, one, env=window.identity) for one in sent[:20]]
        said = host.hookd("service", "install").stdout
        answers += [pool.submit(host.said, one, env=window.identity) for one in sent[20:]]
        assert [one.result() for one in answers] == [None] * 40
    assert f"The daemon that ran (process {before}) has handed over." in said
    assert f"the daemon that ran (process {before}) hands over to this one" in journal(host)
    assert host.rows("SELECT count(*) FROM events WHERE event = 'PreToolUse'") == [(40,)]
    facts = status(host)
    assert facts["daemon"] == facts["process"] != before


def test_a_second_install_does_nothing(host: Home) -> None:
    first = done(host, "install")
    were = len(asked(host.path)), Path(first["file"]).stat().st_mtime_ns
    again = done(host, "install")
    assert (again["changed"], again["daemon"]) == (False, first["daemon"])
    assert again["said"].startswith("Nothing changed")
    assert (len(asked(host.path)), Path(first["file"]).stat().st_mtime_ns) == were


def test_an_install_from_another_environment_renews_the_unit_and_the_daemon(host: Home) -> None:
    first = done(host, "install")
    other = {"XDG_DATA_HOME": str(host.path / "other")}
    assert any("XDG_DATA_HOME" in line for line in status(host, **other)["differs"])
    again = done(host, "install", **other)
    assert again["changed"]
    assert again["daemon"] != first["daemon"]
    assert status(host, **other)["next"] is None


def test_a_dry_run_shows_the_file_and_does_nothing(host: Home) -> None:
    said = host.hookd("service", "install", "--dry-run").stdout
    assert f'+ExecStart="{HOOKD}" service run' in said.splitlines()
    assert tree(host) == set()
    assert asked(host.path) == []
    assert not host.socket.exists()


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_file_that_hookd_has_not_written_is_left_alone(host: Home, verb: str) -> None:
    file = Path(done(host, "install", "--dry-run")["file"])
    file.parent.mkdir(parents=True)
    file.write_text("[Service]\nExecStart=/bin/true\n")
    assert "is not hookd's" in refused(host, verb)
    assert file.read_text() == "[Service]\nExecStart=/bin/true\n"
    file.rename(file.with_name("elsewhere"))
    file.symlink_to("elsewhere")
    assert "is not hookd's" in refused(host, verb)
    facts = status(host)
    assert (facts["stands"], facts["installed"]) == ("not hookd's", False)
    assert asked(host.path) == []


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_unit_that_somebody_changed_is_left_alone(host: Home, verb: str) -> None:
    file = Path(done(host, "install")["file"])
    changed = file.read_text().replace("RestartSec=1", "RestartSec=9")
    file.write_text(changed)
    were = asked(host.path)
    assert "was changed since hookd wrote it" in refused(host, verb)
    assert (file.read_text(), asked(host.path)) == (changed, were)
    facts = status(host)
    assert facts["stands"] == "edited"
    assert {"-RestartSec=9", "+RestartSec=1"} <= set(facts["differs"])


def test_a_value_that_no_unit_can_hold_is_refused(host: Home) -> None:
    said = host.hookd("service", "install", check=False, env={"LANG": "C\nExecStartPre=/bin/rm"})
    assert said.returncode == 1
    assert said.stderr.startswith("hookd: LANG has a character")
    assert tree(host) == set()


def test_a_daemon_that_cannot_start_is_told_with_where_to_read_why(host: Home) -> None:
    with closing(connect(host.database)) as db:
        db.execute("PRAGMA user_version = 99")
    assert "its daemon does not answer" in refused(host, "install")
    assert not status(host)["active"]


def test_a_host_that_refuses_is_an_error_in_its_own_words(host: Home) -> None:
    (host.path / "host" / "refused").write_text("enable")
    said = refused(host, "install")
    assert said.startswith("hookd: systemctl enable hookd-")
    assert said.endswith(".service: Failed: the unit is masked.")


# no service manager


def test_without_systemd_the_file_is_written_and_the_commands_are_told(host: Home) -> None:
    (host.path / "host" / "deaf").touch()
    facts = done(host, "install")
    enable = f"systemctl --user enable --now {facts['service']}"
    assert facts["next"] == f"systemctl --user daemon-reload && {enable}"
    assert "Failed to connect to bus: No medium found" in facts["said"]
    assert tree(host) == {facts["file"]}
    known = status(host)
    assert (known["installed"], known["enabled"], known["active"]) == (True, None, None)
    assert known["next"] == facts["next"]


def test_without_systemctl_that_is_said(home: Home) -> None:
    bare = home.path / "bare"
    bare.mkdir()
    said = home.hookd("service", "install", env={"PATH": str(bare)}).stdout
    assert "systemctl is not on the PATH" in said


def test_a_stop_is_not_ended_where_nobody_starts_a_daemon(host: Home) -> None:
    (host.path / "host" / "deaf").touch()
    host.hookd("stop", "--yes")
    done(host, "install")
    assert host.stopped.exists()


def test_without_systemd_uninstall_takes_the_link_too(host: Home) -> None:
    done(host, "install")
    (host.path / "host" / "deaf").touch()
    assert "the service was not ended" in done(host, "uninstall")["said"]
    assert tree(host) == set()


# its life


def test_uninstall_takes_out_what_install_put_in_and_hooks_are_heard_on(host: Home) -> None:
    done(host, "install")
    assert len(tree(host)) == 2
    kept = host.path / ".config/systemd/user/other.service"
    kept.write_text("[Service]\n")
    assert done(host, "uninstall", "--dry-run")["changed"]
    assert len(tree(host)) == 3
    assert done(host, "uninstall")["changed"]
    assert tree(host) == {str(kept)}
    assert not host.socket.exists()
    assert not host.stopped.exists(), "an end that is no stop silences no hook"
    window_in(host).says("SessionStart")
    assert host.rows("SELECT count(*) FROM events") == [(1,)]
    assert not done(host, "uninstall")["changed"]


def test_a_stop_ends_the_service_and_is_kept_until_it_is_installed_anew(host: Home) -> None:
    done(host, "install")
    host.hookd("stop", "--yes")
    until(lambda: not status(host)["active"])
    said = host.hookd("service", "run")
    assert "stopped, by hookd stop" in said.stderr
    assert (host.stopped.exists(), host.socket.exists()) == (True, False)
    assert "hookd stop has ended" in done(host, "install")["said"]
    assert not host.stopped.exists()
    assert status(host)["next"] is None


def test_a_daemon_that_dies_is_begun_again_in_the_place_of_what_a_hook_has_started(
    host: Home,
) -> None:
    pid = done(host, "install")["daemon"]
    os.kill(pid, signal.SIGKILL)
    window = window_in(host)
    window.says("SessionStart")
    until(lambda: host.socket.exists() and status(host)["daemon"] not in (None, pid))
    until(lambda: (facts := status(host))["active"] and facts["daemon"] == facts["process"])
    window.bash()
    assert host.rows("SELECT count(*) FROM events") == [(2,)]


def opened(pid: int) -> set[str]:
    """Return the files and folders that a process has open."""
    found = set()
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was just closed
            found.add(str(one.readlink()))
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="it needs /proc")
def test_a_service_beside_a_daemon_that_is_too_busy_to_answer_tries_again(home: Home) -> None:
    home.socket.parent.mkdir(mode=0o700, exist_ok=True)
    with ExitStack() as stack:
        state = os.open(home.path, os.O_RDONLY | os.O_DIRECTORY)
        stack.callback(os.close, state)
        fcntl.flock(state, fcntl.LOCK_EX)
        command = [str(HOOKD), "service", "run"]
        service = stack.enter_context(
            subprocess.Popen(command, env=home.env, stderr=subprocess.PIPE, text=True)
        )
        until(lambda: str(home.path.resolve()) in opened(service.pid))
        busy = stack.enter_context(socket.socket(socket.AF_UNIX))
        busy.bind(str(home.socket))
        busy.listen()
        assert service.stderr is not None
        assert "a daemon is running already" in service.stderr.read()
        assert service.wait(30) == 75


def test_a_service_whose_daemon_does_not_answer_is_begun_anew(host: Home) -> None:
    pid = done(host, "install")["daemon"]
    host.socket.unlink()
    facts = status(host)
    assert (facts["active"], facts["process"], facts["daemon"]) == (True, pid, None)
    assert facts["next"] == "hookd service install"
    assert done(host, "install")["daemon"] not in (None, pid)


def test_a_daemon_outside_of_the_service_is_named(host: Home) -> None:
    done(host, "install")
    host.hookd("stop", "--yes")
    until(lambda: not status(host)["active"])
    host.serves()
    facts = status(host)
    assert (facts["process"], facts["daemon"]) == (None, host.pid)
    assert facts["next"] == "hookd service install"
    assert "outside of the service" in host.hookd("service", "status", check=False).stdout
    assert done(host, "install")["before"] == facts["daemon"]


def test_a_daemon_that_hangs_is_named_and_not_taken_over(host: Home) -> None:
    host.socket.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(host.socket))
        deaf.listen()
        assert "does not answer on" in refused(host, "run")
    host.socket.unlink()


# launchd


def test_launchd_runs_it_too(host: Home) -> None:
    facts = done(host, "install", "--for", "launchd")
    assert Path(facts["file"]).parent == host.path / "Library/LaunchAgents"
    domain = f"gui/{os.getuid()}"
    enable = f"launchctl enable {domain}/{facts['service']}"
    assert asked(host.path) == [enable, f"launchctl bootstrap {domain} {facts['file']}"]
    known = done(host, "status", "--for", "launchd")
    assert known["daemon"] == known["process"] == facts["daemon"]
    assert (known["enabled"], known["differs"], known["next"]) == (True, [], None)
    assert not done(host, "install", "--for", "launchd")["changed"]
    assert len(asked(host.path)) == 2
    done(host, "uninstall", "--for", "launchd")
    assert asked(host.path)[2:] == [f"launchctl bootout {domain}/{facts['service']}"]
    assert (tree(host), host.socket.exists()) == (set(), False)


def test_launchd_gets_a_changed_file_in_the_place_of_the_old_one(host: Home) -> None:
    first = done(host, "install", "--for", "launchd")
    other = {"XDG_DATA_HOME": str(host.path / "other")}
    again = done(host, "install", "--for", "launchd", **other)
    assert again["daemon"] != first["daemon"]
    verbs = [line.split()[1] for line in asked(host.path)]
    assert verbs == ["enable", "bootstrap", "bootout", "enable", "bootstrap"]


def test_launchd_gets_a_file_again_that_was_unloaded_manually(host: Home) -> None:
    facts = done(host, "install", "--for", "launchd")
    target = f"gui/{os.getuid()}/{facts['service']}"
    subprocess.run([host.path / "host" / "launchctl", "bootout", target], env=host.env, check=True)
    known = json.loads(
        host.hookd("service", "status", "--for", "launchd", "--json", check=False).stdout
    )
    assert (known["enabled"], known["active"]) == (False, False)
    assert known["next"] == "hookd service install"
    assert done(host, "install", "--for", "launchd")["daemon"] == host.pid
