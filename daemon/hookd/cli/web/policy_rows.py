"""Rows of the policies for the page: as `hookd policy list` and `show` have them.

This module imports the daemon's modules, which are slow to import: import it where it is needed.
"""

from typing import Any

from hookd.cli.lib.errors import Problem
from hookd.cli.policies import effective


class PolicyRows:
    """Reads the settings of a project at each call."""

    def rows(self, root: str) -> list[dict[str, Any]]:
        """Return a row for each policy: its mode in a project and why."""
        return effective.read(root).rows()

    def one(self, name: str, root: str) -> dict[str, Any] | None:
        """Return a policy with its description and options; None if there is none."""
        try:
            policy = effective.named(name)
        except Problem:
            return None
        page = effective.read(root)
        return page.row(policy) | {
            "about": effective.description(policy),
            "options": effective.option_rows(policy, page.choices[policy.name]),
        }
