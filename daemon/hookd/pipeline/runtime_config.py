"""Read the settings that apply to every event."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hookd.config import load as settings
from hookd.config.models import PolicyOptions, Settings
from hookd.core.model.daemon_state import DaemonState
from hookd.lazy_dataclass import dataclass
from hookd.paths import Paths
from hookd.policies import configure
from hookd.system.container import container


@dataclass(frozen=True)
class Configured:
    """Settings that apply; `problem` says why the user's own do not, if they cannot be used.

    `deprecations` has a notice for each deprecated key in them.
    """

    settings: Settings
    options: Mapping[str, PolicyOptions]
    problem: str = ""
    deprecations: tuple[str, ...] = ()


def configured(path: Path) -> Configured:
    """Return the settings at `path`, or the defaults and what is wrong with the file.

    A daemon with the defaults still guards; without a daemon nothing would be guarded.
    """
    try:
        wanted = settings.load(path)
        try:
            options = configure(wanted.settings.policies)
        except ValueError as error:
            raise settings.settings_error(path, error) from error
        return Configured(wanted.settings, options, deprecations=wanted.deprecations)
    except settings.SettingsError as error:
        defaults = Settings()
        return Configured(defaults, configure(defaults.policies), str(error))


def described(paths: Paths, claude: Path, files: Sequence[str] = ()) -> DaemonState:
    """Return the state of hookd's own files for decisions; `files` are further ones.

    `claude` is the folder of Claude Code's own configuration.
    """
    return DaemonState(
        socket=str(paths.socket),
        database=str(paths.database),
        log=str(paths.log),
        settings=str(paths.settings),
        claude=str(claude),
        container=container(),
        own=(*map(str, paths.own), *files),
    )
