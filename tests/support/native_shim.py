"""The native shim, compiled once for all tests, and folders as `hookd install` makes them."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from support.paths import ROOT

SHIMS = ROOT / "daemon" / "hookd" / "shims"
SOURCE = SHIMS / "native" / "hookd-hook.c"
NATIVE = "native"
"""The kind of shim that connects by itself, beside the transports of the bash shim."""

NO_COMPILER = "no C compiler is here to build the native shim"
"""The reason with which its tests are skipped."""

STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wconversion", "-Wshadow")


def compiler() -> tuple[str, ...]:
    """Return the words that start a compiler: CC's, else the first that is there; none without."""
    if "CC" in os.environ:
        words = os.environ["CC"].split()
        return tuple(words) if words and shutil.which(words[0]) else ()
    if musl := shutil.which("musl-gcc"):
        return (musl, "-static")
    found = shutil.which("/usr/bin/cc") or shutil.which("cc")
    return (found,) if found else ()


def native() -> Path:
    """Return the compiled shim; skip the test that runs where it cannot be compiled."""
    words = compiler()
    if not words:
        pytest.skip(NO_COMPILER)
    options = (*words, "-Os", "-g", *STRICT, *os.environ.get("CFLAGS", "").split())
    digest = hashlib.sha256("\0".join(options).encode() + SOURCE.read_bytes()).hexdigest()
    place = ROOT / ".pytest_cache" / "native" / digest[:16] / "hookd-hook.native"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        # Several processes of tests may be here at once: each writes a file of its own.
        handle, name = tempfile.mkstemp(dir=place.parent)
        os.close(handle)
        subprocess.run([*options, "-o", name, SOURCE], check=True, timeout=120)
        Path(name).rename(place)
    return place


def linked(folder: Path, kind: str = NATIVE) -> None:
    """Put the shims into a folder, by links: a copy could still be open when it is started."""
    for one in SHIMS.glob("hookd-*"):
        (folder / one.name).symlink_to(one)
    if kind == NATIVE:
        (folder / "hookd-hook.native").symlink_to(native())
