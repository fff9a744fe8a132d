"""Native shim: take it from the package or compile it, try it, and put it in its place.

Without one, hooks start the shim of bash, which can do the same. A compiler is only used if others
cannot replace it, and with an environment of its own: a project could set CPATH or COMPILER_PATH.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from hookd import __version__, paths
from hookd.cli.install import settings_file, shims
from hookd.cli.lib import program_search, shim_trial
from hookd.cli.lib.errors import Problem
from hookd.core.model.shim_config import BASH
from hookd.core.model.shim_config import NATIVE as COMPILED
from hookd.core.model.shim_paths import NATIVE, PREBUILT, SHIM, SOURCE
from hookd.lazy_dataclass import dataclass
from hookd.system import native_shim
from hookd.system.native_shim import READY, RECORD, Build

NO_COMPILER = "no C compiler was found"
_SYSTEM = os.uname().sysname
_TIMEOUT_S = 60
_CHECKS = ("-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")
_LINUX = ("-s", "-Wl,-z,relro,-z,now")
_STATIC = ("-static",)

_Make = Callable[[Path], str]
"""Writes the program to a path; returns why it cannot, "" if it did."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler; `name` is what reports show, with the option that matters."""

    path: str
    name: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prepared:
    """The shim that links are to lead to, how it was made, and whether a file changed."""

    shim: str
    build: Build
    changed: bool = False

    @property
    def facts(self) -> dict[str, str]:
        """What a report says: which shim is used, how it was built, or why there is none."""
        used = COMPILED if self.shim == NATIVE else BASH
        return {"used": used, "built": self.build.how, "why": self.build.why}


def prepare(mode: str) -> Prepared:
    """Return the shim for `auto`, `bash` or `native`; a native one is installed if necessary.

    Raise Problem if `native` is wanted and cannot be had.
    """
    folder = paths.paths().shims
    if mode == BASH:
        return Prepared(SHIM, Build())
    known = native_shim.read(folder)
    source = native_shim.digest(shims.PACKAGED / SOURCE)
    if known and known.source == source and not known.why and _works(folder):
        return Prepared(NATIVE, known)
    build, changed = _made(folder, source)
    if build.program:
        return Prepared(NATIVE, build, changed)
    if mode == COMPILED:
        next_step = step(build.why) if build.why == NO_COMPILER else "hookd install --shim bash"
        raise Problem(f"The native shim cannot be used: {build.why}.", next_step)
    return Prepared(SHIM, build, _forget(folder, build))


def step(why: str) -> str:
    """Return the next step for a reason why there is no native shim."""
    again = "hookd install --shim native"
    if why != NO_COMPILER:
        return f"{again}, which shows the reason; hookd install --shim bash goes without it"
    if _SYSTEM == "Darwin":
        return f"xcode-select --install, then {again}"
    return f"apt-get install gcc libc6-dev, or your system's C compiler; then {again}"


def unneeded() -> None:
    """Remove the native shim if no link leads to it; the reason why none can be made stays."""
    folder = paths.paths().shims
    if native_shim.leads_to_native(folder):
        return
    (folder / NATIVE).unlink(missing_ok=True)
    build = native_shim.read(folder)
    if build is None or build.program or not build.why:
        (folder / RECORD).unlink(missing_ok=True)


def expect_usable() -> None:
    """Raise Problem if a registered program is missing or damaged, whichever scope it is of."""
    if why := native_shim.damage(paths.paths().shims):
        raise Problem(f"hookd is registered, but hooks cannot run: {why}.", native_shim.STEP)


def _works(folder: Path) -> bool:
    """Return whether the installed program is what was installed, and runs if it can be tried."""
    if native_shim.unfit(folder) or (folder / NATIVE).stat().st_mode & 0o777 != 0o755:
        return False
    try:
        return not shim_trial.trouble(folder / NATIVE)
    except shim_trial.UntriedError:
        return True


def _made(folder: Path, source: str) -> tuple[Build, bool]:
    """Put the first program in place that passes its trial; return its build, or why none does."""
    refusals = []
    for build, make in _ways(source):
        handle, name = tempfile.mkstemp(dir=folder, prefix=f".{NATIVE}.")
        os.close(handle)
        made = Path(name)
        try:
            why = make(made) or _tried(made)
            if not why:
                return _placed(folder, made, build), True
            named = why.startswith(f"{build.how}: ")
            refusals.append(why if named else f"{build.how}: {why}")
        finally:
            made.unlink(missing_ok=True)
    why = "; ".join(refusals) or (NO_COMPILER if source else f"the package has no {SOURCE}")
    return Build(source=source, why=why), False


def _placed(folder: Path, made: Path, build: Build) -> Build:
    """Rename a program that passed its trial to its place, and record it."""
    done = replace(
        build,
        program=native_shim.digest(made),
        machine=native_shim.machine(),
        version=__version__,
    )
    with made.open("rb") as file:
        os.fsync(file.fileno())
    made.replace(folder / NATIVE)
    _record(folder, done)
    return done


def _record(folder: Path, build: Build) -> None:
    place = folder / RECORD
    settings_file.replace(place, settings_file.contents(place), native_shim.text(build), 0o600)


def _forget(folder: Path, build: Build) -> bool:
    """Have all links lead to the shim of bash, as there is no native one; return if any changed."""
    if native_shim.read(folder) != build:
        _record(folder, build)
    changed = native_shim.lead_to_bash(folder)
    (folder / NATIVE).unlink(missing_ok=True)
    return changed


def _ways(source: str) -> Iterator[tuple[Build, _Make]]:
    """Yield the ways to a program, each with the function that writes it to a path."""
    ready = shims.PACKAGED / PREBUILT
    if ready.is_file():
        yield Build(READY, str(ready), source), partial(_copy, ready, source)
    for compiler in compilers() if source else ():
        build = Build(compiler.name, compiler.path, source)
        yield build, partial(_compile, compiler)


def compilers() -> Iterator[Compiler]:
    """Yield the C compilers to try: musl's, the system's, then those of the PATH.

    A program that musl links statically starts fastest.
    """
    seen = set[str]()
    fixed = () if _without_tools() else ("/usr/bin/cc",)
    found: list[tuple[str, str, tuple[str, ...]]]
    found = [(one, "musl-gcc", _STATIC) for one in ("/usr/bin/musl-gcc", *_on_path("musl-gcc"))]
    found += [(one, "cc", ()) for one in (*fixed, *_on_path("cc"), *_on_path("gcc"))]
    for place, name, options in found:
        real = os.path.realpath(place)
        if real not in seen and os.access(real, os.X_OK):
            seen.add(real)
            yield Compiler(place, " ".join((name, *options)), options)


def _on_path(name: str) -> list[str]:
    unusable = "/usr/bin/" if _without_tools() else "\0"
    return [one for one in program_search.candidates(name) if not one.startswith(unusable)]


def _without_tools() -> bool:
    """Return whether this is a Mac whose /usr/bin/cc would only offer to install a compiler."""
    if _SYSTEM != "Darwin":
        return False
    asked = subprocess.run(["/usr/bin/xcode-select", "-p"], capture_output=True, check=False)
    return asked.returncode != 0


def _copy(ready: Path, source: str, made: Path) -> str:
    """Copy the package's program; return why not: its record must fit the file and the machine."""
    if why := native_shim.unfit(ready.parent):
        return why
    record = native_shim.read(ready.parent)
    if record is None or record.source != source:
        return f"{ready.name} is made from another source"
    shutil.copyfile(ready, made)
    return ""


def _compile(compiler: Compiler, made: Path) -> str:
    """Compile the shim; return why it cannot be, with the first line of the compiler's errors."""
    flags = (*_CHECKS, *(_LINUX if _SYSTEM == "Linux" else ()))
    source = str(shims.PACKAGED / SOURCE)
    words = [compiler.path, *compiler.options, "-Os", *flags, "-o", str(made), source]
    folder = Path(compiler.path).parent
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "LC_ALL": "C"}
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
        cwd="/",
        start_new_session=True,
    ) as process:
        try:
            said = process.communicate(timeout=_TIMEOUT_S)[1].decode("utf-8", "replace")
        except BaseException as error:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                return f"it did not end within {_TIMEOUT_S} s"
            raise
    first = said.strip().partition("\n")[0]
    return "" if process.returncode == 0 else first or f"exit code {process.returncode}"


def _tried(made: Path) -> str:
    made.chmod(0o755)
    try:
        return shim_trial.trouble(made)
    except shim_trial.UntriedError as error:
        return f"it was not tried: {error}"
