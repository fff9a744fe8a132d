"""Read the settings that apply to every event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hookd.config import load as settings
from hookd.config.models import PolicyOptions, Settings
from hookd.core.model.daemon_state import DaemonState
from hookd.paths import Paths
from hookd.policies import configure
from hookd.system.container import container


@dataclass(frozen=True)
class Configured:
    """Settings that hold; `problem` says why the user's own do not, where they cannot be used."""

    settings: Settings
    options: Mapping[str, PolicyOptions]
    problem: str = ""


def configured(path: Path) -> Configured:
    """Return the settings at `path`, or the defaults and what is wrong with the file.

    A daemon with the defaults still guards; one that did not start would guard nothing.
    """
    try:
        wanted = settings.load(path)
        try:
            return Configured(wanted, configure(wanted.policies))
        except ValueError as error:
            raise settings.settings_error(path, error) from error
    except settings.SettingsError as error:
        defaults = Settings()
        return Configured(defaults, configure(defaults.policies), str(error))


def described(places: Paths, claude: Path, files: Sequence[str] = ()) -> DaemonState:
    """Return what decisions may know of hookd's own files; `files` are further ones.

    `claude` is the folder of Claude Code's own configuration.
    """
    return DaemonState(
        socket=str(places.socket),
        database=str(places.database),
        log=str(places.log),
        settings=str(places.settings),
        claude=str(claude),
        container=container(),
        own=(*map(str, places.own), *files),
    )
