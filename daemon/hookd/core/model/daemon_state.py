"""Daemon state and runtime configuration: facts that are known without the database."""

from collections.abc import Mapping
from dataclasses import field

from hookd.config.models import PolicyOptions, Settings
from hookd.core.evaluation.unjudged import Missed
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DaemonState:
    """The state of the running daemon."""

    pid: int = 0
    version: str = ""
    started_at: str = ""
    socket: str = ""
    database: str = ""
    log: str = ""
    settings: str = ""
    claude: str = ""  # the folder of Claude Code's own configuration
    paused_until: str = ""  # a time; hooks pass until then, see core/evaluation/pause.py
    paused_by: str = ""  # the fleet that paused it; "": a person here
    unjudged: tuple[Missed, ...] = ()  # not yet reported: core/evaluation/unjudged.py
    problem: str = ""  # why the user's settings are not in use, if they are invalid
    rules_unread: bool = False  # the database cannot be read, and the user did not fail closed
    replaced: str = ""  # the damaged database that was kept aside when this daemon started
    container: str = ""  # the kind of the container that it runs in
    python: str = ""  # the interpreter that runs the daemon
    suspended: tuple[str, ...] = ()  # policies that exceeded their time limit repeatedly
    rules_notice: str = ""  # about rules files that do not apply as they are
    shim_problem: str = ""  # what is wrong with the programs that hooks start
    own: tuple[str, ...] = ()  # all files and folders that it depends on: lock, shims, ...


_DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class RuntimeConfig:
    """Daemon state, policy options and settings, valid until the settings are reloaded."""

    daemon: DaemonState = DaemonState()
    options: Mapping[str, PolicyOptions] = field(default_factory=dict)
    settings: Settings = _DEFAULTS
