"""Cache of the pages of projects, kept current while the daemon runs."""

import asyncio
import posixpath
from collections.abc import Awaitable, Callable, Mapping, Sequence

from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.sources import HookFileLocation
from hookd.core.model.effects.messages import ForgetTeamFiles, SetFileRules
from hookd.log.logger import LOG
from hookd.user_hooks import files
from hookd.user_hooks.project_settings import Pages, Stamps
from hookd.user_hooks.rule_files import RuleFileReader

_POLL_INTERVAL_S = 1.0
"""Seconds between two looks at the files."""

_START_TIMEOUT_S = 2.0
"""Seconds that the start waits for the files outside of any project."""

_MOST = 500
"""Projects that are cached; the oldest is dropped."""

Trusted = Callable[[], Awaitable[Mapping[str, str]]]
"""Returns the digest that each project is trusted with."""

StoreRules = Callable[[Sequence[SetFileRules | ForgetTeamFiles]], Awaitable[None]]
"""Stores the rules of rules files."""


class ProjectConfigStore:
    """Reads the settings of hooks when a project is first seen, and again when they change."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        home: str,
        config: str,
        trusted: Trusted,
        extra: tuple[HookFileLocation, ...] = (),
        runs_claude: Callable[[], bool] = bool,
        rules: RuleFileReader | None = None,
        store_rules: StoreRules | None = None,
    ) -> None:
        self._reader = Pages(home, config, extra, runs_claude, rules)
        self._trusted, self._rules, self._store_rules = trusted, rules, store_rules
        self._team: tuple[str, ...] | None = None
        self._pages: dict[str | None, ProjectConfig] = {}
        self._stamps: dict[str | None, Stamps] = {}
        self._reading = asyncio.Lock()

    def cached(self, root: str | None) -> ProjectConfig | None:
        """Return what holds in a project, None where that was not read yet."""
        return self._pages.get(root)

    async def load(self, root: str | None) -> ProjectConfig:
        """Return what holds in a project."""
        return self._pages.get(root) or await self.reload(root)

    async def reload(self, root: str | None) -> ProjectConfig:
        """Read the settings of a project again; the new ones apply from the next event on."""
        async with self._reading:
            held = await self._trusted()
            page, stamps = await asyncio.to_thread(self._reader.read, root, held)
            if await self._stored(page, held):
                held = await self._trusted()
                page, stamps = await asyncio.to_thread(self._reader.read, root, held)
            if len(self._pages) >= _MOST and root not in self._pages:
                oldest = next(one for one in self._pages if one is not None)
                del self._pages[oldest], self._stamps[oldest]
            self._pages[root], self._stamps[root] = page, stamps
        return page

    async def reload_all(self) -> None:
        """Read the settings of all known projects again."""
        for root in tuple(self._pages):
            await self.reload(root)

    async def _stored(self, page: ProjectConfig, trusted: Mapping[str, str]) -> bool:
        """Store the rules of files that need no trust, if they changed; return whether any did.

        A file with a mistake changes nothing: what it said last applies. The rules of a team's file
        that the settings no longer name are removed.
        """
        if self._rules is None or self._store_rules is None:
            return False
        effects: list[SetFileRules | ForgetTeamFiles] = [
            SetFileRules(one.path, one.layer, None, one.digest, one.stored_rules)
            for one in page.rule_files
            if one.needs_no_trust and not one.problems and one.digest != trusted.get(one.path)
        ]
        changed = bool(effects)
        if (team := self._rules.team_paths()) != self._team:
            effects.append(ForgetTeamFiles(team))
        if effects:
            await self._store_rules(effects)
        self._team = team
        return changed

    async def start(self) -> None:
        """Read what holds outside of any project: it also holds where a project cannot be read."""
        try:
            async with asyncio.timeout(_START_TIMEOUT_S):
                await self.reload(None)
        except Exception:  # noqa: BLE001 - a daemon without it still guards
            LOG.exception("what holds outside of any project cannot be had")

    async def run(self) -> None:
        """Look at the files now and then, until cancelled."""
        while True:
            await asyncio.sleep(_POLL_INTERVAL_S)
            try:
                changed = await asyncio.to_thread(self._changed)
            except OSError:
                LOG.exception("the files of hooks could not be looked at")
                continue
            for root in changed:
                await self._again(root)

    async def _again(self, root: str | None) -> None:
        try:
            page = await self.reload(root)
        except Exception:  # noqa: BLE001 - what cannot be read now holds as it was
            LOG.exception("the hooks could not be read again", extra={"about": {"project": root}})
            return
        about = {"project": root, "hooks": len(page.merged.hooks)}
        LOG.info("the hooks were read again", extra={"about": about})

    def _changed(self) -> list[str | None]:
        plugins, seen = self._reader.plugins(), dict[str, files.Stamp | None]()

        def stamp(path: str) -> files.Stamp | None:
            if path not in seen:  # the user's own files are in every project's list
                seen[path] = files.stamp(path)
            return seen[path]

        return [
            root
            for root, stamps in tuple(self._stamps.items())
            if {one: stamp(one) for one in self._reader.paths(root, plugins)} != stamps
        ]

    def ancestor(self, folder: str) -> str | None:
        """Return the nearest folder above this one, or itself, whose hooks are known as its own."""
        while folder != "/":
            page = self._pages.get(folder)
            if page is not None and page.digest is not None:
                return folder
            folder = posixpath.dirname(folder) or "/"
        return None
