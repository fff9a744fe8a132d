"""Loads settings files into the models of core/options; an error names the file and the key."""

import json
from pathlib import Path

from pydantic import ValidationError

from hookd.config.models import Settings
from hookd.config.refusal import first_error


class SettingsError(Exception):
    """A settings file cannot be used; the text names the file, the key and what is wrong."""


def load(path: Path) -> Settings:
    """Return the settings in the file, or the defaults where there is none. Raise SettingsError."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"the settings {path} cannot be read: {error}") from error
    try:
        return Settings.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise SettingsError(f"the settings {path} are not JSON: {error.msg} at {place}") from error
    except (ValueError, RecursionError) as error:
        raise settings_error(path, error) from error


def settings_error(path: Path, error: Exception) -> SettingsError:
    """Return the error for a value in the file that a model, or a policy, does not take."""
    if not isinstance(error, ValidationError):
        return SettingsError(f"the settings {path} are refused: {error}")
    key, said = first_error(error, "there is no such setting")
    return SettingsError(f"the settings {path} are refused: {key or 'the whole file'}: {said}")
