"""Read a settings file into the model; an error names the file and the key."""

import json
from pathlib import Path

from pydantic import ValidationError

from hookd.config.deprecated_keys import CurrentSettings, current_settings
from hookd.config.models import Settings
from hookd.config.refusal import first_error
from hookd.lazy_dataclass import dataclass


class SettingsError(Exception):
    """A settings file is invalid; the text names the file, the key and the problem."""


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings of a file, and a notice for each deprecated key in it."""

    settings: Settings
    deprecations: tuple[str, ...] = ()


def load(path: Path) -> LoadedSettings:
    """Return the settings in the file, or the defaults if there is none. Raise SettingsError."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"the settings {path} cannot be read: {error}") from error
    current = CurrentSettings(None)
    try:
        current = current_settings(json.loads(text))
        notices = tuple(f"the settings {path}: {one}" for one in current.deprecations)
        return LoadedSettings(Settings.model_validate(current.value), notices)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise SettingsError(f"the settings {path} are not JSON: {error.msg} at {place}") from error
    except (ValueError, RecursionError) as error:
        raise settings_error(path, error, current) from error


_AS_WRITTEN = CurrentSettings(None)


def settings_error(
    path: Path, error: Exception, current: CurrentSettings = _AS_WRITTEN
) -> SettingsError:
    """Return the error for a value in the file that a model or a policy refuses."""
    if not isinstance(error, ValidationError):
        return SettingsError(f"the settings {path} are refused: {error}")
    key, said = first_error(error, "there is no such setting")
    named = current.key_in_file(key) or "the whole file"
    return SettingsError(f"the settings {path} are refused: {named}: {said}")
