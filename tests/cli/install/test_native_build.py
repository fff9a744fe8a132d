"""`hookd install --shim`: real compilers, stand-ins, and every reason not to have a native shim."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.install import native_build
from hookd.cli.install import shims as installed_shims
from hookd.cli.install.native_build import Compiler
from hookd.cli.lib import shim_trial
from hookd.system import native_shim
from support.installation import config, done, furnish, hookd, mode, program, refused, shims
from support.native_shim import SOURCE, native

pytestmark = pytest.mark.gate

NATIVE = "hookd-hook.native"
real_compilers = native_build.compilers
BROKEN = """#!/bin/sh
echo "x.c:1: error: not C" >&2
echo more >&2
exit 1
"""


@pytest.fixture(scope="session")
def compiled() -> Path:
    """The compiled shim; made before a test changes the PATH."""
    return native()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, and a package with the source of the native shim; no compiler is found."""
    furnish(tmp_path, monkeypatch)
    source = tmp_path / "packaged" / "native" / SOURCE.name
    source.parent.mkdir()
    shutil.copy(SOURCE, source)
    monkeypatch.setattr(native_build, "compilers", lambda: iter(()))
    return tmp_path


def compilers(monkeypatch: pytest.MonkeyPatch, *found: Path | Compiler) -> None:
    """Have these compilers, and no others."""
    all_ = [one if isinstance(one, Compiler) else Compiler(str(one), one.name) for one in found]
    monkeypatch.setattr(native_build, "compilers", lambda: iter(all_))


def copying(home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a compiler that copies the compiled shim: it leaves a line for each time."""
    made = f'printf "%s\\n" "$*" >> {home}/log; while [ "$1" != -o ]; do shift; done'
    place = program(home, "cc", f'#!/bin/sh\n{made}; cat {compiled} > "$2"\n')
    compilers(monkeypatch, place)
    return home / "log"


def prebuilt(home: Path, content: bytes, **record: str) -> None:
    """Put a program and its record into the package; `record` has fields that do not fit."""
    native = home / "packaged" / "native"
    (native / NATIVE).write_bytes(content)
    fits = {
        "source": native_shim.digest(native / SOURCE.name),
        "program": native_shim.digest(native / NATIVE),
        "machine": native_shim.machine(),
    }
    (native / f"{NATIVE}.json").write_text(json.dumps(fits | record))


def link(home: Path, scope: str = "user") -> str:
    return (shims(home) / scope / "PreToolUse").readlink().name


def build(home: Path) -> native_shim.Build:
    found = native_shim.read(shims(home))
    assert found
    return found


def shim(*arguments: str) -> dict[str, Any]:
    facts: dict[str, Any] = done("install", *arguments)["shim"]
    return facts


# where it comes from


def test_a_real_compiler_builds_the_shim_that_hooks_start(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = next(real_compilers())
    compilers(monkeypatch, found)
    assert shim() == {"wanted": "auto", "used": "native", "built": found.name, "why": ""}
    assert (link(home), mode(shims(home) / NATIVE), mode(shims(home))) == (NATIVE, 0o755, 0o700)
    assert build(home).compiler == found.path
    assert native_shim.problem(shims(home)) == ""
    assert {one.name for one in shims(home).iterdir()} == {
        "hookd-alone", "hookd-hook", "hookd-cold", NATIVE, f"{NATIVE}.json", "user",
    }  # fmt: skip


def test_a_second_install_compiles_nothing_and_a_damaged_program_is_replaced(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = copying(home, compiled, monkeypatch)
    assert shim()["used"] == "native"
    assert hookd("install").stdout.startswith("Nothing changed")
    assert len(log.read_text().splitlines()) == 1
    for damage in (
        lambda: (shims(home) / NATIVE).write_bytes(b"\x7fELF"),
        (shims(home) / NATIVE).unlink,
        lambda: (shims(home) / NATIVE).chmod(0o644),
        (shims(home) / f"{NATIVE}.json").unlink,
        lambda: native_shim.avoid(shims(home), "it was changed"),
    ):
        log.unlink()
        damage()
        assert "shims or configuration were updated" in hookd("install").stdout
        assert native_shim.problem(shims(home)) == ""
        assert (link(home), mode(shims(home) / NATIVE)) == (NATIVE, 0o755)
        assert len(log.read_text().splitlines()) == 1


def test_another_source_is_compiled_and_status_asks_for_it(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = copying(home, compiled, monkeypatch)
    shim()
    with (home / "packaged" / "native" / SOURCE.name).open("a") as file:
        file.write("/* newer */\n")
    assert NATIVE in hookd("status").stdout
    assert [one.name for one in installed_shims.outdated()] == [NATIVE]
    shim()
    assert installed_shims.outdated() == []
    assert len(log.read_text().splitlines()) == 2


def test_a_prebuilt_program_comes_before_any_compiler(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prebuilt(home, compiled.read_bytes())
    log = copying(home, compiled, monkeypatch)
    assert shim()["built"] == "prebuilt"
    assert not log.exists()
    assert (shims(home) / NATIVE).read_bytes() == compiled.read_bytes()
    assert "native, prebuilt in the package" in hookd("install").stdout


def test_a_prebuilt_program_that_does_not_run_here_is_passed_over(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prebuilt(home, b"\x7fELF of another machine")
    copying(home, compiled, monkeypatch)
    assert shim()["built"] == "cc"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"program": "0" * 64}, f"{NATIVE} was changed after its installation"),
        ({"machine": "Plan9 mips"}, f"{NATIVE} is made for Plan9 mips, and this is "),
        ({"source": "0" * 64}, f"{NATIVE} is made from another source"),
    ],
)
def test_a_prebuilt_program_that_its_record_does_not_fit_is_not_tried(
    home: Path,
    compiled: Path,
    monkeypatch: pytest.MonkeyPatch,
    record: dict[str, str],
    why: str,
) -> None:
    prebuilt(home, compiled.read_bytes(), **record)
    facts = shim()
    assert facts["used"] == "bash"
    assert facts["why"].startswith(f"prebuilt: {why}")
    copying(home, compiled, monkeypatch)
    assert shim()["built"] == "cc"


def test_a_prebuilt_program_without_a_record_is_not_tried(home: Path, compiled: Path) -> None:
    prebuilt(home, compiled.read_bytes())
    (home / "packaged" / "native" / f"{NATIVE}.json").unlink()
    assert shim()["why"] == f"prebuilt: {NATIVE}.json is missing or unreadable"


def test_the_next_compiler_is_tried_after_one_that_fails(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying(home, compiled, monkeypatch)
    good = home / "bin" / "cc"
    compilers(monkeypatch, program(home, "musl-gcc", BROKEN), good)
    assert shim()["built"] == "cc"


def test_a_compiler_sees_no_variable_of_the_project(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying(home, compiled, monkeypatch)
    cc = home / "bin" / "cc"
    cc.write_text(cc.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\nenv > {home}/env\n"))
    monkeypatch.setenv("CPATH", "/project")
    shim()
    assert "/project" not in (home / "env").read_text()
    assert f"PATH={home}/bin:/usr/bin:/bin\n" in (home / "env").read_text()


# where there is none


def test_without_a_compiler_hooks_start_the_shim_of_bash_and_it_is_said_in_one_line(
    home: Path,
) -> None:
    out = hookd("install").stdout
    assert out.count("compiler was") == 1
    assert "  shim       bash: no C compiler was found\n" in out
    assert (link(home), (shims(home) / NATIVE).exists()) == ("hookd-hook", False)
    assert native_shim.problem(shims(home)) == ""
    assert hookd("install").stdout.startswith("Nothing changed")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BROKEN, "cc: x.c:1: error: not C"),
        ("#!/bin/sh\nexit 3\n", "cc: exit code 3"),
        (
            '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nprintf "#!/bin/sh\\nexit 4" > "$2"\n',
            "cc: it did not print the answer to 52 bytes (exit code 4)",
        ),
    ],
)
def test_a_build_that_fails_leaves_bash_or_is_an_error_where_native_was_wanted(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    compilers(monkeypatch, program(home, "cc", text))
    assert shim() == {"wanted": "auto", "used": "bash", "built": "", "why": why}
    assert link(home) == "hookd-hook"
    before = (home / ".claude/settings.json").read_bytes()
    assert refused("install", "--shim", "native") == (
        f"hookd: The native shim cannot be used: {why}."
    )
    assert (home / ".claude/settings.json").read_bytes() == before
    assert [one.name for one in shims(home).iterdir() if one.name.startswith(".")] == []


def test_a_native_shim_that_cannot_be_renewed_leaves_no_scope_without_a_shim(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying(home, compiled, monkeypatch)
    (home / "project" / ".git").mkdir(parents=True)
    shim()
    monkeypatch.chdir(home / "project")
    shim("--scope", "local")
    (shims(home) / NATIVE).write_bytes(b"damaged")
    compilers(monkeypatch)
    assert shim()["used"] == "bash"
    assert set(native_shim.registered(shims(home)).values()) == {"hookd-hook"}
    assert not (shims(home) / NATIVE).exists()


# two commands at once


def test_no_other_command_changes_the_shims_between_the_program_and_its_links(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying(home, compiled, monkeypatch)
    monkeypatch.setattr(installed_shims, "_WAIT_S", 0.1)
    (home / "project" / ".git").mkdir(parents=True)
    monkeypatch.chdir(home / "project")
    other = ("install", "--scope", "local", "--shim", "bash")
    prepare, said = native_build.prepare, list[str]()

    def interrupted(wanted: str) -> native_build.Prepared:
        made = prepare(wanted)
        monkeypatch.setattr(native_build, "prepare", prepare)
        said.append(refused(*other))
        return made

    monkeypatch.setattr(native_build, "prepare", interrupted)
    assert shim()["used"] == "native"
    assert said == [f"hookd: Another command has been changing {shims(home)} for 0.1 s."]
    assert (native_shim.problem(shims(home)), (shims(home) / NATIVE).exists()) == ("", True)
    with native_shim.locked(shims(home)):
        assert refused("uninstall") == said[0]
    assert (done(*other)["shim"]["used"], native_shim.problem(shims(home))) == ("bash", "")


def test_success_is_not_reported_without_a_program(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying(home, compiled, monkeypatch)
    unneeded = native_build.unneeded

    def removed() -> None:
        unneeded()
        (shims(home) / NATIVE).unlink()

    monkeypatch.setattr(native_build, "unneeded", removed)
    said = f"hookd: hookd is registered, but hooks cannot run: {NATIVE} is not there."
    assert refused("install") == said


def test_what_a_killed_command_left_is_removed(home: Path) -> None:
    shim()
    for command in ("install", "uninstall"):
        left = shims(home) / f".{NATIVE}.abcd_123"
        left.write_text("half")
        done(command)
        assert not left.exists()


def test_a_trial_that_cannot_be_prepared_keeps_a_program_that_passed_one(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = copying(home, compiled, monkeypatch)
    shim()
    monkeypatch.setattr(shim_trial, "short_folder", lambda: "/nowhere")
    assert (shim()["used"], len(log.read_text().splitlines())) == ("native", 1)
    (shims(home) / NATIVE).unlink()
    why = shim()["why"]
    assert why.startswith("cc: it was not tried: /nowhere/hookd-"), why


# the choice


def test_the_choice_is_kept_until_another_one_is_made(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying(home, compiled, monkeypatch)
    assert shim("--shim", "bash")["used"] == "bash"
    assert shim() == {"wanted": "bash", "used": "bash", "built": "", "why": ""}
    assert config(home).shim == "bash"
    assert shim("--shim", "native")["used"] == "native"
    assert shim()["wanted"] == "native"
    assert shim("--shim", "auto")["used"] == "native"
    assert "shim" not in (shims(home) / "user" / "config").read_text().split()


def test_the_program_goes_with_the_last_scope_that_uses_it(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying(home, compiled, monkeypatch)
    (home / "project" / ".git").mkdir(parents=True)
    shim()
    monkeypatch.chdir(home / "project")
    shim("--scope", "local", "--shim", "bash")
    assert (shims(home) / NATIVE).exists(), "the user's own scope uses it"
    shim("--shim", "bash")
    assert not (shims(home) / NATIVE).exists()
    assert not (shims(home) / f"{NATIVE}.json").exists()
    shim("--shim", "native")
    done("uninstall", "--scope", "local")
    assert done("uninstall")["shims"] == "removed"
    assert not shims(home).exists()


def test_a_dry_run_compiles_nothing(
    home: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = copying(home, compiled, monkeypatch)
    facts = done("install", "--dry-run", "--shim", "native")
    assert facts["shim"] == {"wanted": "native"}
    assert not log.exists()
    assert not shims(home).exists()


# the compilers of this machine


def test_musl_comes_first_and_then_the_system_s_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("cc", "gcc", "musl-gcc"):
        program(tmp_path, name, f"#!/bin/sh\n# {name}\n")
    found = list(native_build.compilers())
    names = [one.name for one in found]
    assert names == sorted(names, reverse=True), "musl's come first"
    of_path = [one for one in found if one.path.startswith(str(tmp_path))]
    assert [Path(one.path).name for one in of_path] == ["musl-gcc", "cc", "gcc"]
    assert of_path[0].options == ("-static",)
    fixed = [one.path for one in found if one not in of_path]
    assert set(fixed) <= {"/usr/bin/musl-gcc", "/usr/bin/cc"}
    assert names.index("cc") == next(i for i, one in enumerate(found) if one.name == "cc")


def test_a_compiler_that_others_control_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    program(tmp_path, "cc", "#!/bin/sh\n")
    (tmp_path / "bin").chmod(0o777)
    assert str(tmp_path / "bin" / "cc") not in [one.path for one in native_build.compilers()]


def test_the_reason_leads_to_a_command(home: Path) -> None:
    assert "hookd install --shim native" in native_build.step(native_build.NO_COMPILER)
    assert "hookd install --shim native" in native_build.step("cc: error")
