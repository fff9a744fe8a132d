"""Hook program checks: the compiled shim, why there is none, and how long a hook takes."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from hookd.cli.doctor.checks import own_programs as own
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, State, fail, ok, warn
from hookd.cli.doctor.checks.settings_layers import install
from hookd.cli.install import native_build
from hookd.cli.install import shims as installed_shims
from hookd.cli.lib import shim_trial
from hookd.core.model.shim_config import BASH
from hookd.core.model.shim_paths import NATIVE, SHIM
from hookd.system import native_shim

_SECONDS = 0.1
"""How long hooks of one kind are measured."""

_ROOM = "set TMPDIR to a folder that you can write, then hookd doctor"


def check_native(program: Path, hook: Hook) -> Finding:
    """Report whether the compiled shim that an entry starts is the installed one, and runs."""
    folder, again = program.parent, install(hook.layer)
    if why := native_shim.unfit(folder):
        return fail("shim", f"Hooks cannot rely on the native shim: {why}.", again)
    try:
        if why := shim_trial.trouble(program):
            return fail("shim", f"The native shim {program} does not work: {why}.", again)
    except shim_trial.UntriedError as error:
        return warn("shim", f"The native shim {program} was not tried: {error}.", _ROOM)
    if differs := check_bash(folder / SHIM, again):
        return differs
    if folder / NATIVE in installed_shims.outdated():
        return warn("shim", f"The native shim {program} is made from an older source.", again)
    build = native_shim.read(folder)
    how = native_shim.made_by(build.how) if build else ""
    return ok("shim", f"{program} works, {how}, and the shim of bash beside it is of this hookd.")


def check_bash(program: Path, step: str) -> Finding | None:
    """Return how the shim of bash, or a file that it reads, differs from the package's.

    None if nothing differs; `step` is the next step.
    """
    try:
        found = own.differing(str(program))
    except OSError as error:
        return fail("shim", f"{error.filename}: {error.strerror}.", step)
    for file, cut in sorted(found.items(), key=lambda one: not one[1]):
        if cut:
            return fail("shim", f"The end of the shim {file} is missing.", step)
        what = f"The shim {file} is not the one of this hookd, but an older or changed one."
        return warn("shim", what, step)
    return None


def check_hook_program(ours: Sequence[Hook], project: Path) -> Iterator[Finding]:
    """Report which shim the hooks start, why it is not the native one, and its milliseconds."""
    first = dict[str, Hook]()
    for hook in ours:
        if hook.linked and hook.config and not own.foreign_program(hook, project):
            first.setdefault(os.path.realpath(hook.words[0]), hook)
    for place, hook in first.items():
        if Path(place).is_file():
            yield _timed(Path(place), hook)


def _timed(program: Path, hook: Hook) -> Finding:
    transports = hook.config.transports if hook.config else ()
    kind = "the native shim" if program.name == NATIVE else "the shim of bash"
    try:
        taken = shim_trial.milliseconds(program, transports, _SECONDS)
    except shim_trial.UntriedError as error:
        return warn("hook time", f"A hook by {kind} was not measured: {error}.", _ROOM)
    if taken is None:
        what = f"A hook by {kind} gave no answer at a socket of doctor's own."
        return warn("hook time", what, install(hook.layer))
    whole, bash = taken
    what = f"A hook takes {whole:.1f} ms by {kind}, {whole / bash:.1f} x `bash -c :`, without"
    what += " the time of the daemon."
    data: dict[str, str | float]
    data = {"shim": program.name, "ms": round(whole, 2), "bash_ms": round(bash, 2)}
    state, why, step = _reason(program, hook)
    return Finding("hook time", state, f"{what}{why}", step, data)


def _reason(program: Path, hook: Hook) -> tuple[State, str, str | None]:
    """Return why the shim of bash is used, as a sentence, and the next step to change that."""
    if program.name == NATIVE:
        return State.OK, "", None
    if hook.config and hook.config.shim == BASH:
        return State.OK, " It was chosen by --shim bash.", None
    build = native_shim.read(program.parent)
    if build is None or not build.why:
        return State.OK, f" To have the native one: {install(hook.layer)}.", None
    if build.program:
        return State.WARN, f" The native one is not used: {build.why}.", install(hook.layer)
    why, step = f" There is no native one: {build.why}", native_build.step(build.why)
    if build.why == native_build.NO_COMPILER:
        return State.OK, f"{why}. To have it: {step}.", None
    return State.WARN, f"{why}.", step
