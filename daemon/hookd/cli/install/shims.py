"""Shims in the data folder: `hookd install` copies them, `uninstall` removes them."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from hookd import paths
from hookd.cli.install import settings_file, used_version
from hookd.cli.lib.errors import Problem
from hookd.core.model.shim_paths import ALONE, COLD, FORMER, NATIVE, SHIM, SOURCE, named_in
from hookd.system import native_shim

PACKAGED = Path(__file__).parents[2] / "shims"
"""The package's shims."""

_WAIT_S = 60.0
"""How long a command waits for another one that changes the shims, which may compile."""


@contextmanager
def alone(*, makes: bool = False) -> Iterator[None]:
    """Keep other commands and the daemon from changing the shims meanwhile.

    The folder is made if `makes`; else, without it, there is no lock. Raise Problem if another
    command changes the shims for a minute.
    """
    folder = paths.paths().shims
    with ExitStack() as stack:
        while makes or folder.is_dir():
            if makes:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                stack.enter_context(native_shim.locked(folder, _WAIT_S))
                break
            except FileNotFoundError:
                continue  # an uninstall has removed it
            except native_shim.BusyError:
                sentence = f"Another command has been changing {folder} for {_WAIT_S:g} s."
                step = "wait until it has ended, then run the command again"
                raise Problem(sentence, step) from None
        yield


def sweep() -> None:
    """Remove what commands that were killed left behind, such as a half compiled program."""
    for file in paths.paths().shims.glob(".hookd-*.????????"):
        if file.is_file():
            file.unlink()


def shipped(*more: str) -> list[Path]:
    """Return the package's shims of bash, the hook's last: it reads the files beside it.

    Raise Problem if a required one, or one of `more`, is missing.
    """
    for name in (SHIM, COLD, ALONE, *more):
        if not (PACKAGED / name).is_file():
            raise Problem(
                f"The package hookd has no {name}.",
                "Install the package again: pip install --force-reinstall hookd",
            )
    files = (file for file in PACKAGED.iterdir() if file.is_file())
    return sorted(files, key=lambda file: (file.name == SHIM, file.name))


def copy(files: list[Path]) -> bool:
    """Copy the shims to the data folder, apart from the package; return whether one changed.

    What older shims read stays until all are replaced, so that each shim finds its own at any time.
    """
    folder = paths.paths().shims
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    renewed = False
    for source in files:
        target, content = folder / source.name, source.read_bytes()
        old = settings_file.contents(target)
        if old != content or target.stat().st_mode & 0o777 != 0o755:
            settings_file.replace(target, old, content, 0o755)
            renewed = True
    for name in FORMER:
        (folder / name).unlink(missing_ok=True)
    return renewed


def outdated() -> list[Path]:
    """Return the installed shims that differ from this package's, such as older ones."""
    differing = []
    shims = paths.paths().shims
    for target in sorted(shims.glob("hookd-*")):
        shipped_file = PACKAGED / target.name
        with suppress(OSError):
            if shipped_file.is_file() and target.read_bytes() != shipped_file.read_bytes():
                differing.append(target)
    build = native_shim.read(shims)
    if build and build.program and build.source != native_shim.digest(PACKAGED / SOURCE):
        differing.append(shims / NATIVE)
    return differing


def remove(naming: Sequence[str]) -> str | None:
    """Remove the installed shims and the record of their version.

    They stay if settings still name one: `naming` tells which, and where.

    Return what became of them; None if there are none.
    """
    folder = paths.paths().shims
    # install makes no linked folder: its target may be the only copy.
    if folder.is_symlink() or not folder.is_dir():
        return None
    if naming:
        return f"kept: {'; '.join(naming)}"
    if any(folder.glob("plugin-*/config")):
        return "kept: the Claude Code plugin runs them (hookd plugin remove)"
    sweep()
    for shim in folder.glob("hookd-*"):
        shim.unlink()
    used_version.end()
    with suppress(OSError):
        folder.rmdir()
    return "removed"


def names_shims(settings: Path) -> bool:
    """Return whether a settings file names a shim, or cannot be read."""
    try:
        return any(True for _ in named_in(settings.read_bytes()))
    except FileNotFoundError:
        return False
    except OSError:
        # An unreadable file may name them.
        return True
