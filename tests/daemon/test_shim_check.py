"""The daemon sees that the programs of hooks are damaged, and has hooks start the shim of bash."""

import asyncio
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from hookd.daemon import shim_check
from hookd.daemon.shim_check import ShimCheck
from hookd.log.incidents import Incidents
from hookd.system import native_shim
from hookd.system.native_shim import RECORD, Build, machine

NATIVE = "hookd-hook.native"


def furnish(shims: Path) -> None:
    for name in ("hookd-hook", NATIVE):
        (shims / name).write_text("#!/bin/sh\n")
        (shims / name).chmod(0o755)
    (shims / "user").mkdir()
    (shims / "user" / "PreToolUse").symlink_to(f"../{NATIVE}")
    build = Build("cc", "/usr/bin/cc", "s", native_shim.digest(shims / NATIVE), machine(), "1")
    (shims / RECORD).write_bytes(native_shim.text(build))


async def test_a_native_shim_that_stays_damaged_is_avoided(tmp_path: Path) -> None:
    furnish(tmp_path)
    incidents = Incidents()
    check = ShimCheck(tmp_path, incidents)
    await check.run_once()
    assert incidents.shim_problem == ""
    (tmp_path / NATIVE).write_text("damaged")
    await check.run_once()
    damaged = f"{NATIVE} was changed after its installation"
    assert incidents.shim_problem == damaged
    assert (tmp_path / "user" / "PreToolUse").readlink().name == NATIVE, "it may be replaced now"
    await check.run_once()
    assert (tmp_path / "user" / "PreToolUse").readlink().name == "hookd-hook"
    assert incidents.shim_problem == f"{damaged}, so hooks start hookd-hook"
    await check.run_once()
    assert incidents.shim_problem == f"{damaged}, so hooks start hookd-hook"


async def test_hooks_stay_as_they_are_while_a_command_changes_them(tmp_path: Path) -> None:
    furnish(tmp_path)
    (tmp_path / NATIVE).write_text("damaged")
    incidents = Incidents()
    check = ShimCheck(tmp_path, incidents)
    with native_shim.locked(tmp_path):
        for _ in range(2):
            await check.run_once()
    assert (tmp_path / "user" / "PreToolUse").readlink().name == NATIVE
    assert incidents.shim_problem == f"{NATIVE} was changed after its installation"


async def test_one_link_among_those_of_bash_is_changed_too(tmp_path: Path) -> None:
    furnish(tmp_path)
    native_shim.link(tmp_path / "user" / "SessionStart", "../hookd-hook")
    (tmp_path / NATIVE).write_text("damaged")
    check = ShimCheck(tmp_path, Incidents())
    for _ in range(2):
        await check.run_once()
    assert native_shim.registered(tmp_path) == {"user": "hookd-hook"}


async def test_a_missing_shim_of_bash_is_told_and_the_problem_ends_with_its_cause(
    tmp_path: Path,
) -> None:
    furnish(tmp_path)
    native_shim.lead_to_bash(tmp_path)
    program = tmp_path / "hookd-hook"
    text = program.read_text()
    program.unlink()
    incidents = Incidents()
    check = ShimCheck(tmp_path, incidents)
    for _ in range(3):
        await check.run_once()
    assert incidents.shim_problem == "hookd-hook is not there"
    program.write_text(text)
    program.chmod(0o755)
    await check.run_once()
    assert incidents.shim_problem == ""


async def test_a_check_that_no_thread_can_do_does_not_end_the_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(shim_check, "_INTERVAL_S", 0)
    furnish(tmp_path)
    (tmp_path / NATIVE).write_text("damaged")
    incidents = Incidents()
    before = threading.stack_size(1 << 47)  # more than there is: no thread starts
    task = asyncio.create_task(ShimCheck(tmp_path, incidents).run())
    try:
        for _ in range(20):
            await asyncio.sleep(0)
        assert "the programs of hooks were not checked" in caplog.text
    finally:
        threading.stack_size(before)
    async with asyncio.timeout(10):
        while not incidents.shim_problem:
            await asyncio.to_thread(str)  # the check has its turn
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
