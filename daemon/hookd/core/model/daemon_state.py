"""What is known without asking the database: the running daemon, the settings, the options."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hookd.config.models import PolicyOptions, Settings
from hookd.core.evaluation.unjudged import Missed


@dataclass(frozen=True, slots=True)
class DaemonState:
    """The running daemon, for those who ask how it is."""

    pid: int = 0
    version: str = ""
    started_at: str = ""
    socket: str = ""
    database: str = ""
    log: str = ""
    settings: str = ""
    claude: str = ""  # the folder of Claude Code's own configuration
    paused_until: str = ""  # a time; hooks pass until then, see core/evaluation/pause.py
    unjudged: tuple[Missed, ...] = ()  # not yet reported: core/evaluation/unjudged.py
    problem: str = ""  # why the user's settings do not hold, where they cannot be used
    rules_unread: bool = False  # the database cannot be read, and the user did not fail closed
    replaced: str = ""  # the damaged database that was kept aside when this daemon started
    container: str = ""  # the kind of the container that it runs in
    python: str = ""  # the interpreter that runs the daemon
    suspended: tuple[str, ...] = ()  # policies that exceeded their time limit repeatedly
    own: tuple[str, ...] = ()  # all files and folders that it stands on: lock, shims, ...


_DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class RuntimeConfig:
    """What is known without asking the database, and holds until the settings are read again."""

    daemon: DaemonState = DaemonState()
    options: Mapping[str, PolicyOptions] = field(default_factory=dict)
    settings: Settings = _DEFAULTS
