"""A project's hook files: read, trusted digests, and the hooks and policies in effect.

The daemon's modules are imported by the functions that need them: they are slow to import.
"""

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookd import paths
from hookd.cli.hooks import own_files
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem

if TYPE_CHECKING:
    from hookd.config.models import Section
    from hookd.core.hook_rules.layers import ProjectConfig
    from hookd.core.hook_rules.parse import ParsedHooks
    from hookd.user_hooks.files import HookFile


def read(root: str) -> tuple["HookFile", ...]:
    """Read the existing files of a project whose hooks would run there."""
    from hookd.core.hook_rules.sources import hook_files  # noqa: PLC0415
    from hookd.user_hooks.files import read as read_file  # noqa: PLC0415

    runs_claude = _runs_claude()
    locations = hook_files(root, str(Path.home()), str(paths.paths().config))
    own = (location for location in locations if location.layer in ("project", "local"))
    found = map(read_file, (location for location in own if location.runs or runs_claude))
    return tuple(file for file in found if file.stamp is not None or file.error)


def with_changed(found: Iterable["HookFile"], changed: "HookFile") -> tuple["HookFile", ...]:
    """Return the files with one of them replaced by its new content, or added."""
    others = (file for file in found if file.place.path != changed.place.path)
    return (*others, replace(changed, stamp=changed.stamp or (0, 0, 0)))


def parsed(file: "HookFile") -> "ParsedHooks | None":
    """Return the parsed content of a file, None if it cannot be read."""
    from hookd.core.hook_rules.parse import parse_hooks  # noqa: PLC0415

    try:
        return None if file.error else parse_hooks(json.loads(file.text or b"{}"), file.place)
    except (ValueError, RecursionError):
        return None


def silent(found: Iterable["HookFile"]) -> bool:
    """Return whether files certainly run nothing and switch nothing off."""
    contents = [parsed(file) for file in found]
    return all(content is not None and content.is_empty for content in contents)


def effective(root: str | None, trusted: Mapping[str, str] | None = None) -> "ProjectConfig":
    """Return what the settings of all layers configure; without a root, those of no project.

    `trusted` are digests by project root. Settings named by `hookd start --settings` are known to
    the daemon alone, and not read.
    """
    from hookd.log.logger import LOG  # noqa: PLC0415
    from hookd.user_hooks.project_settings import Pages  # noqa: PLC0415

    # Problems of files are in the result; the log would print them a second time.
    LOG.addHandler(logging.NullHandler())
    runs_claude = _runs_claude()
    pages = Pages(str(Path.home()), str(paths.paths().config), runs_claude=lambda: runs_claude)
    return pages.read(root, trusted or {})[0]


def trusted_digests(root: str) -> dict[str, str]:
    """Return the digest that the daemon trusts, by root; empty if none, or no daemon answers.

    Policies that the fleet turns on are in it as they are stored, by the version of its rules.
    """
    try:
        listing = call("userHooks.list", {"root": root})
    except Problem:
        return {}
    fleet = {source: json.dumps(names) for source, names in listing.get("fleet", {}).items()}
    return fleet | ({root: listing["digest"]} if listing["trusted"] else {})


def last_trusted_policies(root: str) -> "tuple[Section, ...]":
    """Return the policy sections that the daemon still applies though their files have changed."""
    from hookd.config.models import Policies, Section  # noqa: PLC0415

    try:
        listing = call("userHooks.list", {"root": root})
    except Problem:
        return ()
    rows = listing.get("kept", ())
    return tuple(Section(Policies.model_validate(row["policies"]), row["path"]) for row in rows)


def rule_files(root: str | None = None) -> list[dict[str, Any]]:
    """Return the rules files of a project, by default of this one; empty without a daemon.

    A daemon of an older version knows none either.
    """
    try:
        listing = call("guards.files", {"root": root or own_files.project()})
    except Problem:
        return []
    found: list[dict[str, Any]] = listing.get("files", [])
    return found


def rule_file_sentences() -> list[str]:
    """Return a sentence for each rules file that does not apply as it is."""
    return [output.cell(one["sentence"]) for one in rule_files() if one["sentence"]]


def unreadable_user_files() -> list[str]:
    """Return a sentence for each file of the user's that the daemon cannot read.

    Files named by `hookd start --settings` are included; the user's settings are reported
    elsewhere. Empty if no daemon answers, or it does not know of hooks.
    """
    try:
        problems = call("userHooks.list", {"root": None}).get("problems", [])
    except Problem:
        return []
    settings = str(paths.paths().settings)
    return [
        output.cell(f"{own_files.in_home(row['path'])}: {row['sentence']}")
        for row in problems
        if row["fatal"] and not row["key"] and row["path"] != settings
    ]


def _runs_claude() -> bool:
    """Return whether hooks of Claude Code's settings run too; by default if settings are broken."""
    from hookd.pipeline.runtime_config import configured  # noqa: PLC0415

    return configured(paths.paths().settings).settings.user_hooks.claude_settings == "run"
