"""Build a release into a folder: the sdist, the wheel for all platforms, and that of this machine.

Usage: build.py FOLDER, with the Python that has hatchling. The wheels are built from the unpacked
sdist, so a file that it lacks is noticed here. Two builds of one commit have equal bytes.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = "daemon/hookd/shims/native/hookd-hook.c"
STRICT = ("-std=c11", "-Os", "-Wall", "-Wextra", "-Werror")
CHECKS = ("-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")
OLDEST_MACOS = "11.0"


def main(folder: Path) -> None:
    """Build all three, and print each file with its size."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in build(folder):
        sys.stdout.write(f"{file} ({file.stat().st_size:,} bytes)\n")


def build(folder: Path) -> Iterator[Path]:
    """Yield each file when it is built. Raise SystemExit without a compiler that fits."""
    compiler, tag = platform()
    yield (sdist := _built(ROOT, folder, "sdist"))
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(sdist) as content:
            # An attribute: Python before 3.11.4 knows no such argument.
            content.extraction_filter = getattr(tarfile, "data_filter", None)
            content.extractall(place)
        (root,) = Path(place).iterdir()
        yield _built(root, folder, "wheel")
        program = Path(place, "hookd-hook.native")
        words = [*compiler, *STRICT, *CHECKS, "-o", str(program), SOURCE]
        subprocess.run(words, check=True, cwd=root)
        variables = {"HOOKD_NATIVE_SHIM": str(program), "HOOKD_WHEEL_PLATFORM": tag}
        yield _built(root, folder, "wheel", variables)


def platform() -> tuple[list[str], str]:
    """Return the words of this machine's compiler, and the tag of its wheel.

    A program for Linux is static: it runs with each C library, and in a container without one.
    Raise SystemExit if there is no such compiler.
    """
    here = os.uname()
    if here.sysname == "Darwin":
        tag = f"macosx_{OLDEST_MACOS.replace('.', '_')}_{here.machine}"
        return ["/usr/bin/cc", f"-mmacosx-version-min={OLDEST_MACOS}"], tag
    musl = shutil.which("musl-gcc")
    if here.sysname != "Linux" or musl is None:
        sys.exit("musl-gcc links the program of a wheel.\n  next: apt-get install musl-tools")
    tags = ("manylinux_2_17", "manylinux2014", "musllinux_1_1")
    return [musl, "-static", "-s"], ".".join(f"{one}_{here.machine}" for one in tags)


def _built(root: Path, folder: Path, kind: str, variables: dict[str, str] | None = None) -> Path:
    """Build one file from the project at `root` into the folder; return its path there."""
    with tempfile.TemporaryDirectory() as place:
        words = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", place]
        environment = {**os.environ, **(variables or {})}
        subprocess.run(words, check=True, cwd=root, env=environment, stderr=subprocess.PIPE)
        (made,) = Path(place).iterdir()
        return Path(shutil.copy(made, folder))


if __name__ == "__main__":
    main(Path(*sys.argv[1:]))
