"""Wheels: for one platform with a ready program and its tag, else for all; each has the source."""

import hashlib
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

import hookd
from support.paths import ROOT

pytestmark = pytest.mark.gate

SOURCE = "hookd/shims/native/hookd-hook.c"
PROGRAM = "hookd/shims/native/hookd-hook.native"


def wheel(folder: Path) -> Path:
    (made,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(made)


def page_files() -> set[str]:
    """Return the templates and static files of the page, as a wheel names them."""
    folder = ROOT / "daemon" / "hookd" / "web"
    found = [*folder.glob("templates/*.html"), *folder.glob("static/*")]
    assert len(found) > 8
    return {path.relative_to(ROOT / "daemon").as_posix() for path in found}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "made"
    made.write_text("a program")
    monkeypatch.setenv("HOOKD_NATIVE_SHIM", str(made))
    monkeypatch.setenv("HOOKD_WHEEL_PLATFORM", "macosx_11_0_arm64")
    return made


def test_without_variables_the_wheel_is_for_all_platforms(tmp_path: Path) -> None:
    made = wheel(tmp_path)
    assert made.name.endswith("-py3-none-any.whl")
    names = set(zipfile.ZipFile(made).namelist())
    assert {SOURCE} == names & {SOURCE, PROGRAM}
    assert page_files() <= names
    assert [name for name in names if name.endswith("data/share/man/man1/hookd.1")]


def test_a_ready_program_is_taken_and_the_tag_is_set(tmp_path: Path, program: Path) -> None:
    made = wheel(tmp_path)
    assert made.name.endswith("-py3-none-macosx_11_0_arm64.whl")
    content = zipfile.ZipFile(made)
    assert content.read(PROGRAM) == program.read_bytes()
    assert json.loads(content.read(f"{PROGRAM}.json")) == {
        "how": "prebuilt",
        "source": hashlib.sha256(content.read(SOURCE)).hexdigest(),
        "program": hashlib.sha256(program.read_bytes()).hexdigest(),
        "machine": "Darwin arm64",
        "version": hookd.__version__,
    }
    (about,) = (name for name in content.namelist() if name.endswith(".dist-info/WHEEL"))
    assert b"Root-Is-Purelib: false" in content.read(about)
    assert SOURCE in content.namelist()


@pytest.mark.parametrize("missing", ["HOOKD_NATIVE_SHIM", "HOOKD_WHEEL_PLATFORM"])
def test_a_program_without_a_tag_or_a_tag_without_a_program_is_an_error(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.delenv(missing)
    with pytest.raises(ValueError, match="HOOKD_NATIVE_SHIM must be"):
        wheel(tmp_path)


@pytest.mark.parametrize("tag", ["win_amd64", "macosx_11_0_universal2", "linux_x86_64"])
def test_a_platform_without_a_shim_is_an_error(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch, tag: str
) -> None:
    monkeypatch.setenv("HOOKD_WHEEL_PLATFORM", tag)
    with pytest.raises(ValueError, match="is no tag of Linux or macOS"):
        wheel(tmp_path)


def test_a_source_distribution_can_build_both(tmp_path: Path) -> None:
    (made,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(made) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    assert {f"daemon/{SOURCE}", "daemon/wheel_hook.py", "requirements/release.txt"} <= names
    assert {f"daemon/{name}" for name in page_files()} <= names
