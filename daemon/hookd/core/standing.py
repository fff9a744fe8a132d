"""What is known without asking the database: the running daemon, the settings, the options."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hookd.core.options import PolicyOptions, Settings


@dataclass(frozen=True, slots=True)
class Daemon:
    """The running daemon, for those who ask how it is."""

    pid: int = 0
    version: str = ""
    started_at: str = ""
    socket: str = ""
    database: str = ""
    log: str = ""
    settings: str = ""
    claude: str = ""  # the folder of Claude Code's own configuration
    paused_until: str = ""  # a time; hooks pass until then, see core/pausing.py
    problem: str = ""  # why the user's settings do not hold, where they cannot be used
    own: tuple[str, ...] = ()  # all files and folders that it stands on: lock, shims, ...


_STANDING = Settings()


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known without asking the database, and holds until the settings are read again."""

    daemon: Daemon = Daemon()
    options: Mapping[str, PolicyOptions] = field(default_factory=dict)
    settings: Settings = _STANDING
