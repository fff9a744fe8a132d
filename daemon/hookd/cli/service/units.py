"""Content of service files: systemd's unit and launchd's property list, as bytes.

Values in, bytes out. One line of each file is the digest of all others, by which foreign and edited
files are recognized.
"""

import hashlib
import plistlib
import re
from collections.abc import Mapping
from enum import StrEnum

from hookd.cli.lib.errors import Problem
from hookd.lazy_dataclass import dataclass

PLACES = (
    "HOOKD_HOME",
    "CLAUDE_CONFIG_DIR",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "TMPDIR",
)
"""Variables for paths: the service must use the socket that is registered for the shim."""

_MARK = "Written by hookd service install, sha256 of the other lines: "
_SIGNED = re.compile(rb"(?m)^(?:# |<!-- )" + _MARK.encode() + rb"([0-9a-f]{64})(?: -->)?\n")

_UNIT = """\
[Unit]
Description={description}
# What cannot start is tried five times; hooks start the daemon themselves when they need it.
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart={program} {words}
WorkingDirectory=/
{environment}
Restart=on-failure
RestartSec=1
# Requests in flight are finished: the programs that answer them are not to be ended first.
KillMode=mixed
TimeoutStopSec=20
# A hook of the user's that takes all memory is no reason to end the daemon.
OOMPolicy=continue

[Install]
WantedBy=default.target
"""


class Standing(StrEnum):
    """Owner of the file at a service's path."""

    ABSENT = "absent"
    OURS = "ours"
    EDITED = "edited"
    FOREIGN = "not hookd's"


@dataclass(frozen=True)
class Job:
    """Job of a service: hookd's program, an absolute path, its environment, and its arguments."""

    program: str
    environment: Mapping[str, str]
    words: tuple[str, ...] = ("service", "run")
    description: str = "hookd, one warm daemon for the hooks of coding agents"


def unit(job: Job) -> bytes:
    """Return the signed unit for systemd. Raise Problem for a value that no unit can contain."""
    _check(job)
    lines = [f"Environment={_quoted(f'{name}={job.environment[name]}')}" for name in _names(job)]
    unset = [name for name in PLACES if name not in job.environment]
    lines += [f"UnsetEnvironment={' '.join(unset)}"] if unset else []
    text = _UNIT.format(
        description=job.description,
        program=_quoted(job.program),
        words=" ".join(job.words),
        environment="\n".join(lines),
    ).encode()
    return f"# {_MARK}{_digest(text)}\n".encode() + text


def plist(label: str, job: Job) -> bytes:
    """Return the signed property list for launchd. Raise Problem as `unit` does."""
    _check(job)
    value = {
        "Label": label,
        "ProgramArguments": [job.program, *job.words],
        "EnvironmentVariables": {name: job.environment[name] for name in _names(job)},
        "WorkingDirectory": "/",
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 10,
        "ExitTimeOut": 20,
        "ProcessType": "Interactive",  # else it is throttled, and every hook waits for it
    }
    text = plistlib.dumps(value, sort_keys=False)
    head, root, rest = text.partition(b"<plist")
    return head + f"<!-- {_MARK}{_digest(text)} -->\n".encode() + root + rest


def standing(content: bytes | None) -> Standing:
    """Return the owner of a file by its content; None is a missing file."""
    if content is None:
        return Standing.ABSENT
    signed = _SIGNED.search(content)
    if not signed:
        return Standing.FOREIGN
    same = signed[1].decode() == _digest(body(content))
    return Standing.OURS if same else Standing.EDITED


def body(content: bytes) -> bytes:
    """Return a file without its signature."""
    return _SIGNED.sub(b"", content, count=1)


def _names(job: Job) -> list[str]:
    return sorted(job.environment)


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _quoted(text: str) -> str:
    """Return a text as one word of a unit, where `$` is not expanded."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _check(job: Job) -> None:
    for name, value in {"The path of hookd": job.program, **job.environment}.items():
        if not value.isprintable():
            sentence = f"{name} has a character that a service file cannot contain: {value!a}."
            raise Problem(sentence, "set it to another value, then run the command again")
