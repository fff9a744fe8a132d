"""Report of `hookd doctor`: versions, findings, settings, last errors and timings, redacted."""

import json
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hookd import __version__, paths
from hookd.cli.doctor.checks.result import Finding
from hookd.cli.doctor.checks.timeouts import ask, run
from hookd.cli.lib import claude_version, client
from hookd.cli.lib.errors import Problem

DEFAULT = Path("hookd-report.md")
_TITLE = "# hookd report"
_ERRORS = 50
"""Log lines that are copied: the newest warnings and errors."""
_RUNS = 200
"""Runs of the user's hooks that the table of their times covers."""
_ROUND_TRIPS = 20
_MAX_LOG_BYTES = 4_000_000
"""Bytes at the end of the log that are searched for errors."""
_LEVELS = ("warning", "error", "critical")
_PROGRAMS = (("bash", "--version"), ("nc", "-h"), ("socat", "-V"), ("tmux", "-V"))


def write(path: Path, findings: Sequence[Finding], settings: Iterable[Path]) -> None:
    """Write the report for the user alone (0600), over an earlier report of the user's.

    `settings` are the files to copy. Secrets are redacted and the home folder is written as `~`.
    Raise Problem if `path` is another file.
    """
    text = "\n".join(_lines(findings, settings)) + "\n"
    replaces = _is_report(path)
    mode = os.O_TRUNC | os.O_NOFOLLOW if replaces else os.O_CREAT | os.O_EXCL
    try:
        number = os.open(path, os.O_WRONLY | mode, 0o600)
    except FileExistsError:
        step = f"hookd doctor --report other-{path.name}, or rm {path}"
        raise Problem(f"{path} exists already, and is not a report of hookd.", step) from None
    except OSError as error:
        step = "name a file in a folder that you can write: hookd doctor --report FILE"
        raise Problem(f"{path} cannot be written: {error.strerror}.", step) from None
    with os.fdopen(number, "w", encoding="utf-8", errors="replace") as file:
        os.fchmod(number, 0o600)
        file.write(text)


def _is_report(path: Path) -> bool:
    """Return whether there is a report of the user's, which another one may replace."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            own = status.st_uid == os.geteuid() and status.st_nlink == 1 and not path.is_symlink()
            return own and file.read(len(_TITLE) + 1) == f"{_TITLE}\n".encode()
    except OSError:
        return False


def _lines(findings: Sequence[Finding], settings: Iterable[Path]) -> Iterator[str]:
    yield _TITLE
    yield from _section("Versions", _fenced(_versions()))
    yield from _section("Findings of hookd doctor", _fenced(map(_finding, findings)))
    yield from _section("Daemon", _fenced(_daemon()))
    for path in settings:
        yield from _section(f"Settings {_plain(str(path))}", _fenced([_settings(path)]))
    yield from _section("Last warnings and errors", _fenced(_errors(paths.paths().log)))
    yield from _section("Timings", _fenced(_timings()))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ("", f"## {title}", "")
    yield from lines


def _fenced(lines: Iterable[str]) -> Iterator[str]:
    yield "~~~~"
    yield from (line.replace("~~~~", "~ ~ ~ ~") for line in lines)
    yield "~~~~"


def _versions() -> Iterator[str]:
    installed = claude_version.read()
    yield f"hookd {__version__}"
    yield f"Claude Code {installed.text or installed.unknown}"
    yield f"Python {platform.python_version()}, {_plain(sys.executable)}"
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
    for name, option in _PROGRAMS:
        place = shutil.which(name, path=paths.search_path())
        ran = run([place, option], 2) if place else None
        text = (ran.out or ran.err).decode("utf-8", "replace").strip() if ran else ""
        yield _plain(f"{name}: {place or 'not installed'} {text.partition(chr(10))[0]}".rstrip())


def _finding(finding: Finding) -> str:
    step = f" Next: {finding.next}" if finding.next else ""
    return _plain(f"{finding.check}: {finding.state}: {finding.what}{step}")


def _daemon() -> Iterator[str]:
    try:
        facts = {**ask("daemon.status"), **ask("daemon.size")}
    except Problem as problem:
        yield _plain(problem.message)
        return
    yield from (_plain(f"{name}: {json.dumps(value)}") for name, value in facts.items())


def _settings(path: Path) -> str:
    """Return a settings file without its secrets; text that is not JSON is redacted as text."""
    try:
        text = path.read_text("utf-8", "replace")
    except FileNotFoundError:
        return "not there"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    with suppress(ValueError, RecursionError):
        kept = _plain(json.dumps(_without_environment(json.loads(text)), ensure_ascii=False))
        return json.dumps(json.loads(kept), indent=2, ensure_ascii=False)
    return _plain(text)


def _without_environment(value: Any) -> Any:
    """Return settings without the values of `env`, which may be secrets."""
    if not isinstance(value, Mapping) or not isinstance(value.get("env"), Mapping):
        return value
    return {**value, "env": dict.fromkeys(value["env"], "[left out]")}


def _errors(log: Path) -> Sequence[str]:
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _MAX_LOG_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError as error:
        return [f"the log cannot be read: {error.strerror}"]
    found = [line for line in lines if _level(line) in _LEVELS]
    return [_plain(line) for line in found[-_ERRORS:]] or ["none"]


def _level(line: str) -> str:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return str(entry.get("level", "")).lower() if isinstance(entry, dict) else ""


def _timings() -> Iterator[str]:
    if client.probe(paths.paths().socket) is not client.State.LISTENING:
        yield "no daemon answers"
        return
    times = []
    for _ in range(_ROUND_TRIPS):
        began = time.perf_counter()
        ask("daemon.status")
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    middle, slowest = times[len(times) // 2], times[-1]
    yield f"daemon.status, {_ROUND_TRIPS} calls: median {middle:.2f} ms, slowest {slowest:.2f} ms"
    runs = ask("userHooks.runs", {"limit": _RUNS})["runs"]
    spent: dict[str, list[float]] = {}
    for one in runs:
        spent.setdefault(str(one.get("hook")), []).append(float(one.get("durationMs") or 0))
    for hook, each in spent.items():
        line = f"hook {hook}: {len(each)} runs, mean {sum(each) / len(each):.0f} ms, "
        yield _plain(f"{line}slowest {max(each):.0f} ms")


def _plain(text: str) -> str:
    """Return text without secrets and without the name of the user's home folder."""
    # Slow to import, and only a report needs it.
    from hookd.redaction.redact import redact  # noqa: PLC0415

    home = re.escape(str(Path.home()))
    return re.sub(rf"{home}(?![\w.-])", "~", redact(text)) if len(home) > 1 else redact(text)
