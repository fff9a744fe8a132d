"""`make dist` in a clean folder: contents, metadata, equal bytes, and what `install` takes."""

import os
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename

import hookd
from support.native_shim import NO_COMPILER
from support.paths import ROOT

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(
        sys.platform == "linux" and not shutil.which("musl-gcc"), reason=NO_COMPILER
    ),
]

PACKAGE = ROOT / "daemon" / "hookd"
PROGRAM = "hookd/shims/native/hookd-hook.native"


def build(folder: Path) -> Path:
    """Build all files from a copy of what git knows; return the folder that has them."""
    tree, out = folder / "tree", folder / "dist"
    listed = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, timeout=60).stdout
    for name in filter(None, os.fsdecode(names).split("\0")):
        if (ROOT / name).is_file() and not name.startswith("tests/payloads/"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    command = [sys.executable, tree / "packaging" / "build.py", out]
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300)
    return out


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("first"))


def one(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def wheels(built: Path) -> list[zipfile.ZipFile]:
    return [zipfile.ZipFile(path) for path in sorted(built.glob("*.whl"))]


def test_a_release_is_an_sdist_a_wheel_for_all_and_one_for_this_platform(built: Path) -> None:
    assert [path.name for path in built.glob("*.tar.gz")] == [f"hookd-{hookd.__version__}.tar.gz"]
    tags = [parse_wheel_filename(path.name)[3] for path in built.glob("*.whl")]
    platforms = sorted(sorted(tag.platform for tag in each) for each in tags)
    assert len(platforms) == 2
    assert platforms[0] == ["any"]
    assert all(name.endswith(os.uname().machine) for name in platforms[1])
    assert {(tag.interpreter, tag.abi) for each in tags for tag in each} == {("py3", "none")}


def test_wheels_have_what_hookd_reads_and_nothing_else(built: Path) -> None:
    needed = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {"hookd/changelog.md", "hookd/store/schema.sql"} <= needed
    for content in wheels(built):
        names = set(content.namelist())
        assert needed <= names
        outside = {name for name in names if not name.startswith(("hookd/", "hookd-"))}
        odd = {name for name in names if name.endswith((".png", ".webp", ".pyc"))}
        assert (outside, odd, {name for name in names if "test" in Path(name).parts}) == (
            set(),
            set(),
            set(),
        )


def test_shims_are_executable_in_wheels(built: Path) -> None:
    for content in wheels(built):
        programs = [
            info
            for info in content.infolist()
            if info.filename.startswith("hookd/shims/hookd-") or info.filename == PROGRAM
        ]
        assert len(programs) >= 4
        assert [
            one.filename for one in programs if not one.external_attr >> 16 & stat.S_IXUSR
        ] == []


def test_the_sdist_has_no_tests_and_no_pictures(built: Path) -> None:
    with tarfile.open(one(built, "*.tar.gz")) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    assert {"README.md", "LICENSE", "pyproject.toml", "docs/changelog.md"} <= names
    assert {name for name in names if name.startswith("tests")} == set()
    pictures = {name for name in names if name.endswith((".svg", ".png", ".webp"))}
    assert {Path(name).name for name in pictures} == {"icon.svg"}


def test_the_metadata_is_what_an_index_takes(built: Path) -> None:
    for content in wheels(built):
        (name,) = (name for name in content.namelist() if name.endswith("/METADATA"))
        raw = content.read(name)
        about = Metadata.from_email(raw, validate=True)
        assert (about.name, str(about.version)) == ("hookd", hookd.__version__)
        assert about.description_content_type == "text/markdown"
        assert about.description
        assert BytesParser().parsebytes(raw)["Requires-Python"] == ">=3.11"
        assert {"web", "metrics", "fast"} <= set(about.provides_extra or ())


def test_two_builds_have_equal_bytes(built: Path, tmp_path: Path) -> None:
    again = build(tmp_path)
    names = sorted(path.name for path in built.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    differing = [
        name for name in names if (built / name).read_bytes() != (again / name).read_bytes()
    ]
    assert differing == []


def test_install_takes_the_program_of_the_wheel(built: Path, tmp_path: Path) -> None:
    """The unpacked wheel is an installed package; its dependencies are those of the tests."""
    place, home = tmp_path / "site", tmp_path / "home"
    home.mkdir()
    with zipfile.ZipFile(one(built, "*-none-m*.whl")) as content:
        content.extractall(place)
    for path in (place / "hookd" / "shims").glob("hookd-*"):
        path.chmod(0o755)  # zipfile does not set modes
    bare = {"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(place)}
    done = subprocess.run(
        [sys.executable, "-m", "hookd", "install", "--shim", "native", "--json"],
        cwd=home,
        env=bare,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"built": "prebuilt"' in done.stdout
    installed = one(home, ".local/share/hookd/shims/hookd-hook.native")
    assert installed.read_bytes() == (place / PROGRAM).read_bytes()
