"""Read Codex's `config.toml`: what it says about hooks. It is never written."""

import tomllib
from pathlib import Path
from typing import Any

from hookd.cli.install import settings_file
from hookd.cli.lib.errors import Problem
from hookd.clients.codex import trust

FILE = "config.toml"


def read(folder: Path) -> dict[str, Any]:
    """Return the configuration in a folder of Codex, {} without. Raise Problem if it is no TOML."""
    file = folder / FILE
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Problem(f"{file} is not valid TOML: {error}.", settings_file.MEND) from None
    except OSError as error:
        sentence = f"{file} cannot be read: {error.strerror or error}."
        raise Problem(sentence, f"look at it: ls -l {file}") from None


def notes(folder: Path, user_folder: Path) -> list[str]:
    """Return what a person should know who registers hooks in a folder, a sentence each."""
    found = []
    for place in dict.fromkeys((folder, user_folder)):
        config = read(place)
        if trust.switched_off(config):
            found.append(f"features.hooks is false in {place / FILE}: Codex runs no hooks")
        if place == folder and trust.in_config(config):
            also = f"{place / FILE} has hooks, too"
            found.append(f"{also}: Codex runs both, and warns about it at each start")
    return found
