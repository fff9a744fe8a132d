"""The record of the native shim, problems with the programs of hooks, and the way back to bash."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from hookd.core.model.shim_paths import ALONE, COLD
from hookd.system import native_shim
from hookd.system.native_shim import RECORD, Build, machine

NATIVE = "hookd-hook.native"


@pytest.fixture
def shims(tmp_path: Path) -> Path:
    """A folder as `hookd install` makes it: two scopes, one of them with the native shim."""
    for name in ("hookd-hook", "hookd-statusline", NATIVE):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    for scope, name in (("user", NATIVE), ("local-0123abcd", "hookd-hook")):
        (tmp_path / scope).mkdir()
        for event in ("PreToolUse", "Stop"):
            (tmp_path / scope / event).symlink_to(f"../{name}")
    (tmp_path / "user" / "hookd-statusline").symlink_to(f"../{NATIVE}")
    build = Build("cc", "/usr/bin/cc", "s", native_shim.digest(tmp_path / NATIVE), machine(), "1")
    (tmp_path / RECORD).write_bytes(native_shim.text(build))
    return tmp_path


def target(shims: Path, link: str) -> str:
    return (shims / link).readlink().name


def record(shims: Path, **changes: str) -> None:
    build = native_shim.read(shims)
    assert build
    (shims / RECORD).write_bytes(native_shim.text(replace(build, **changes)))


def test_the_record_is_read_back_and_every_scope_is_named(shims: Path) -> None:
    build = native_shim.read(shims)
    assert build
    assert (build.how, build.machine) == ("cc", machine())
    assert native_shim.registered(shims) == {"user": NATIVE, "local-0123abcd": "hookd-hook"}
    assert native_shim.problem(shims) == ""


@pytest.mark.parametrize("text", ["", "7", "{", '{"how": 7}', "\udcff"])
def test_a_record_that_cannot_be_read_is_none(shims: Path, text: str) -> None:
    (shims / RECORD).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert native_shim.read(shims) is None
    assert native_shim.problem(shims) == f"{RECORD} is missing or unreadable"


def test_a_folder_that_is_not_there_has_no_problem(tmp_path: Path) -> None:
    assert native_shim.registered(tmp_path / "none") == {}
    assert native_shim.problem(tmp_path / "none") == ""


def test_a_program_that_is_gone_or_changed_is_a_problem(shims: Path) -> None:
    with (shims / NATIVE).open("a") as file:
        file.write("x")
    assert native_shim.problem(shims) == f"{NATIVE} was changed after its installation"
    (shims / NATIVE).chmod(0o644)
    assert native_shim.problem(shims) == f"{NATIVE} is not executable"
    (shims / NATIVE).unlink()
    assert native_shim.problem(shims) == f"{NATIVE} is not there"
    (shims / "hookd-hook").unlink()
    assert native_shim.problem(shims) == "hookd-hook is not there"


def test_a_program_for_another_machine_is_a_problem(shims: Path) -> None:
    record(shims, machine="Plan9 mips")
    assert native_shim.problem(shims) == f"{NATIVE} is made for Plan9 mips, and this is {machine()}"


def test_hooks_can_be_led_to_the_shim_of_bash(shims: Path) -> None:
    native_shim.avoid(shims, "it was changed")
    assert target(shims, "user/PreToolUse") == "hookd-hook"
    assert target(shims, "user/Stop") == "hookd-hook"
    assert target(shims, "user/hookd-statusline") == "hookd-statusline"
    assert native_shim.problem(shims) == "it was changed, so hooks start hookd-hook"
    assert sorted(one.name for one in (shims / "user").iterdir()) == [
        "PreToolUse", "Stop", "hookd-statusline",
    ]  # fmt: skip
    assert not native_shim.lead_to_bash(shims), "there is none left"


def test_all_links_count_where_a_scope_is_mixed(shims: Path) -> None:
    native_shim.lead_to_bash(shims)
    assert not native_shim.leads_to_native(shims)
    native_shim.link(shims / "user" / "Stop", f"../{NATIVE}")
    assert native_shim.registered(shims)["user"] == "mixed"
    assert native_shim.leads_to_native(shims)
    (shims / NATIVE).write_text("damaged")
    assert native_shim.problem(shims) == f"{NATIVE} was changed after its installation"
    native_shim.lead_to_bash(shims)
    native_shim.link(shims / "user" / "hookd-statusline", f"../{NATIVE}")
    assert native_shim.problem(shims) == f"{NATIVE} was changed after its installation"
    assert native_shim.leads_to_native(shims)


@pytest.mark.parametrize("name", ["hookd-hook", COLD, ALONE, "hookd-statusline"])
def test_what_the_native_shim_passes_events_to_is_checked(shims: Path, name: str) -> None:
    (shims / "hookd-hook").write_text(f"#!/bin/sh\n. {COLD}\n")
    for one, text in ((COLD, f". {ALONE}\n"), (ALONE, ":\n")):
        (shims / one).write_text(text)
    assert native_shim.problem(shims) == ""
    (shims / name).write_text("")
    assert native_shim.problem(shims) == f"{name} is empty"
    (shims / name).unlink()
    assert native_shim.problem(shims) == f"{name} is not there"


def test_the_reason_is_recorded_before_a_link_is_changed(shims: Path) -> None:
    (shims / "user" / f".PreToolUse.{os.getpid()}").mkdir()
    with pytest.raises(OSError, match=r"directory|permitted"):
        native_shim.avoid(shims, "it was changed")
    build = native_shim.read(shims)
    assert build
    assert build.why == "it was changed, so hooks start hookd-hook"


def test_the_lock_is_held_by_one_and_follows_the_folder(shims: Path, tmp_path: Path) -> None:
    with native_shim.locked(shims):
        with pytest.raises(native_shim.BusyError), native_shim.locked(shims, 0.1):
            pass
        shims.rename(tmp_path.with_name("before"))
        shims.mkdir()
        with native_shim.locked(shims):
            pass


def test_without_the_shim_of_bash_nothing_is_changed(shims: Path) -> None:
    (shims / "hookd-hook").unlink()
    native_shim.avoid(shims, "it was changed")
    assert target(shims, "user/PreToolUse") == NATIVE
    assert json.loads((shims / RECORD).read_text())["why"] == ""


def test_the_origin_of_a_program_is_told_in_words() -> None:
    assert native_shim.made_by("musl-gcc -static") == "compiled by musl-gcc -static"
    assert native_shim.made_by(native_shim.READY) == "prebuilt in the package"
