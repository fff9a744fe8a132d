"""The home of which hooks hold in a project, as it is read here and not asked of the daemon."""

import logging
from collections.abc import Mapping
from pathlib import Path

from hookd import paths
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.config.models import Policies, Section
from hookd.core.hook_rules.project_page import ProjectConfig
from hookd.log.logger import LOG
from hookd.pipeline.runtime_config import configured
from hookd.user_hooks.project_settings import Pages


def read(root: str | None, trusted: Mapping[str, str] | None = None) -> ProjectConfig:
    """Read the settings of all layers; without a root, those that are of no project.

    `trusted` are the digests that projects are trusted with. What `hookd start --settings` named is
    known to the daemon alone, and not read.
    """
    # What is wrong with a file is a problem of the page; a log would say it a second time.
    LOG.addHandler(logging.NullHandler())
    places = paths.paths()
    options = configured(places.settings).settings.commands  # where they are broken, the defaults
    home, config = str(Path.home()), str(places.config)
    pages = Pages(home, config, runs_claude=lambda: options.claude_settings == "run")
    return pages.read(root, trusted or {})[0]


def trusted_now(root: str) -> dict[str, str]:
    """Return what the daemon trusts of a project; nothing where it cannot be asked."""
    try:
        told = call("commands.list", {"root": root})
    except Problem:
        return {}
    return {root: told["digest"]} if told["trusted"] else {}


def kept_now(root: str) -> tuple[Section, ...]:
    """Return what the daemon lets hold on of policies though the project's files have changed."""
    try:
        told = call("commands.list", {"root": root})
    except Problem:
        return ()
    rows = told.get("kept", ())
    return tuple(Section(Policies.model_validate(one["policies"]), one["path"]) for one in rows)
