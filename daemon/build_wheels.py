"""Build the wheels of a release into `dist`: one for each platform, and one without a program.

`make wheels` runs it with an interpreter that has ziglang; hatchling of the development environment
packs. Usage: build_wheels.py PYTHON, the interpreter that has hatchling.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "daemon" / "hookd" / "shims" / "native" / "hookd-hook.c"
TARGETS = {
    "x86_64-linux-musl": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "aarch64-linux-musl": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
}
"""The tag of the wheel by zig's name of the platform."""

_FLAGS = ("-std=c11", "-Os", "-s", "-fstack-protector-strong", "-Wall", "-Wextra", "-Werror")


def main(python: str) -> None:
    """Build all wheels, and print the sizes of the programs and of the wheels."""
    with tempfile.TemporaryDirectory() as folder:
        for target, tag in TARGETS.items():
            program = Path(folder, f"hookd-hook-{target}")
            static = ("-static",) if "linux" in target else ()
            words = ["-m", "ziglang", "cc", "-target", target, *static, *_FLAGS]
            _run([sys.executable, *words, "-o", str(program), str(SOURCE)])
            wheel = _wheel(python, HOOKD_NATIVE_SHIM=str(program), HOOKD_WHEEL_PLATFORM=tag)
            _print(f"{target}: {program.stat().st_size:,} bytes, in {wheel}")
    _print(f"all other platforms: {_wheel(python)}")


def _wheel(python: str, **variables: str) -> str:
    """Build a wheel; return its name and size."""
    words = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    with tempfile.TemporaryDirectory() as folder:
        _run([*words, "--wheel-dir", folder, str(ROOT)], variables)
        (made,) = Path(folder).iterdir()
        place = ROOT / "dist" / made.name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(made.read_bytes())
    return f"dist/{place.name} ({place.stat().st_size:,} bytes)"


def _run(words: list[str], variables: dict[str, str] | None = None) -> None:
    subprocess.run(words, check=True, env={**os.environ, **(variables or {})})


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
