"""The home of a project's own files of hooks, as they are trusted."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from hookd import paths
from hookd.core.hook_rules.parse import Parsed, parse_hooks
from hookd.core.hook_rules.sources import files
from hookd.pipeline.runtime_config import configured
from hookd.user_hooks import files as sheets
from hookd.user_hooks.files import HookFile

OWN = ("project", "local")


def read(root: str) -> tuple[HookFile, ...]:
    """Read the files that stand in a project and whose hooks would run there."""
    places = paths.paths()
    options = configured(places.settings).settings.commands  # where they are broken, the defaults
    claudes = options.claude_settings == "run"
    own = (place for place in files(root, str(Path.home()), str(places.config)))
    wanted = (place for place in own if place.layer in OWN and (place.runs or claudes))
    return tuple(
        sheet for sheet in map(sheets.read, wanted) if sheet.stamp is not None or sheet.error
    )


def put(found: Iterable[HookFile], changed: HookFile) -> tuple[HookFile, ...]:
    """Return the files as they are once one of them holds something else."""
    others = (one for one in found if one.place.path != changed.place.path)
    return (*others, replace(changed, stamp=changed.stamp or (0, 0, 0)))


def parsed(sheet: HookFile) -> Parsed | None:
    """Return what a file says, None where it cannot be read."""
    try:
        return None if sheet.error else parse_hooks(json.loads(sheet.text or b"{}"), sheet.place)
    except (ValueError, RecursionError):
        return None


def silent(found: Iterable[HookFile]) -> bool:
    """Whether files run nothing and switch nothing off, for certain."""
    said = [parsed(sheet) for sheet in found]
    return all(one is not None and one.silent for one in said)
