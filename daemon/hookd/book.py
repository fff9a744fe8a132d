"""The book of what the settings of all layers say in each project, kept current: hooks, policies.

A project's own files count once they are trusted with exactly that content. After a change their
hooks do not, and what they said of policies holds on as it was trusted, until trust or distrust is
said: no stranger's change takes a guard away, or loosens one. A daemon that is started anew cannot
know what that was. A file that an edit has broken goes on as it was when it could be read last, and
says so.
"""

import asyncio
import json
import posixpath
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace

from pydantic import ValidationError

from hookd.core.commands.findings import Problem
from hookd.core.commands.layers import combined
from hookd.core.commands.match import Table
from hookd.core.commands.page import Page
from hookd.core.commands.parse import Parsed, parse_hooks
from hookd.core.commands.places import LAYERS, Place, files
from hookd.core.options import Policies, Section
from hookd.core.refusal import refusal
from hookd.files import hooks as sheets
from hookd.files.hooks import Sheet
from hookd.journal import LOG
from hookd.policies import configured

_LOOK = 1.0
"""Seconds between two looks at the files."""

_BEGINNING = 2.0
"""Seconds that the files outside of any project may hold up the start."""

_MOST = 500
"""Projects that are remembered; one that comes again is read again."""

_OWN = ("project", "local")
UNTRUSTED = "not trusted: hookd trust"
_HOLDS_ON = (
    "what it said of policies when it was trusted last holds on, until you say `hookd trust` or"
    " `hookd trust --remove`"
)

Trusted = Callable[[], Awaitable[Mapping[str, str]]]
"""Returns the digest that each project is trusted with."""


class Book:
    """Reads the settings of hooks when a project is first seen, and again when they change."""

    def __init__(
        self,
        home: str,
        config: str,
        trusted: Trusted,
        extra: tuple[Place, ...] = (),
        runs_claude: Callable[[], bool] = bool,
    ) -> None:
        self._runs_claude = runs_claude
        self._home, self._config, self._extra = home, config, extra
        self._trusted = trusted
        self._pages: dict[str | None, Page] = {}
        self._stamps: dict[str | None, Mapping[str, sheets.Stamp | None]] = {}
        self._good: dict[str, Parsed] = {}
        self._stale: set[str] = set()
        self._agreed: dict[str, tuple[str, tuple[Parsed, ...]]] = {}
        self._reading = asyncio.Lock()

    def known(self, root: str | None) -> Page | None:
        """Return what holds in a project, None where that was not read yet."""
        return self._pages.get(root)

    async def page(self, root: str | None) -> Page:
        """Return what holds in a project."""
        return self._pages.get(root) or await self.renew(root)

    async def renew(self, root: str | None) -> Page:
        """Read the settings of a project again; the new ones hold from the next event on."""
        async with self._reading:
            held = await self._trusted()
            page, stamps = await asyncio.to_thread(self.read, root, held)
            if len(self._pages) >= _MOST and root not in self._pages:
                oldest = next(one for one in self._pages if one is not None)
                del self._pages[oldest], self._stamps[oldest]
            self._pages[root], self._stamps[root] = page, stamps
        return page

    async def begin(self) -> None:
        """Read what holds outside of any project: it also holds where a project cannot be read."""
        try:
            async with asyncio.timeout(_BEGINNING):
                await self.renew(None)
        except Exception:  # noqa: BLE001 - a daemon without it still guards
            LOG.exception("what holds outside of any project cannot be had")

    async def run(self) -> None:
        """Look at the files now and then, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK)
            try:
                changed = await asyncio.to_thread(self._changed)
            except OSError:
                LOG.exception("the files of hooks could not be looked at")
                continue
            for root in changed:
                await self._again(root)

    async def _again(self, root: str | None) -> None:
        try:
            page = await self.renew(root)
        except Exception:  # noqa: BLE001 - what cannot be read now holds as it was
            LOG.exception("the hooks could not be read again", extra={"about": {"project": root}})
            return
        about = {"project": root, "hooks": len(page.combined.hooks)}
        LOG.info("the hooks were read again", extra={"about": about})

    def _changed(self) -> list[str | None]:
        plugins, seen = sheets.plugins(self._config), dict[str, sheets.Stamp | None]()

        def stamp(path: str) -> sheets.Stamp | None:
            if path not in seen:  # the user's own files are in every project's list
                seen[path] = sheets.stamp(path)
            return seen[path]

        return [
            root
            for root, stamps in tuple(self._stamps.items())
            if {one.path: stamp(one.path) for one in self._places(root, plugins)} != stamps
        ]

    def ancestor(self, folder: str) -> str | None:
        """Return the nearest folder above this one, or itself, whose hooks are known as its own."""
        while folder != "/":
            page = self._pages.get(folder)
            if page is not None and page.digest is not None:
                return folder
            folder = posixpath.dirname(folder) or "/"
        return None

    def _places(
        self, root: str | None, plugins: tuple[Place, ...] | None = None
    ) -> tuple[Place, ...]:
        extra = (*(sheets.plugins(self._config) if plugins is None else plugins), *self._extra)
        found = files(root, self._home, self._config, extra, macos=sys.platform == "darwin")
        if not self._runs_claude():
            return found
        return tuple(replace(place, runs=True) for place in found)

    def read(
        self, root: str | None, trusted: Mapping[str, str]
    ) -> tuple[Page, Mapping[str, sheets.Stamp | None]]:
        """Read all settings files of a project; return its page and the files' stamps.

        It blocks: run it in a thread where an event loop runs.
        """
        found = [sheets.read(place) for place in self._places(root)]
        parts = [part for sheet in found if (part := self._parsed(sheet)) is not None]
        own = [part for part in parts if part.place.layer in _OWN and part.place.runs]
        digest = trust = None
        if root is not None and not all(part.silent for part in own):
            paths = {part.place.path for part in own}
            theirs = [sheet for sheet in found if sheet.place.path in paths]
            # What cannot be read now is not what somebody could have looked at and agreed to.
            if all(sheet.text is not None and self._sound(sheet) for sheet in theirs):
                digest = sheets.digest(theirs)
            trust = digest is not None and trusted.get(root) == digest
        held = {} if trust is not False else {part.place.path: UNTRUSTED for part in own}
        agreed = self._last(root, digest if trust else None, trusted, own)
        said = [part for part in parts if part.place.path not in held and part not in own]
        sections, problems = _sections((*said, *(own if trust else agreed)))
        kept, _ = _sections(() if trust else agreed)
        on = tuple(Problem(one.path, "policies", _HOLDS_ON) for one in kept)
        whole = combined(parts, held)
        whole = replace(whole, problems=(*whole.problems, *problems, *on))
        page = Page(root, whole, Table.of(whole.hooks), digest, trust, sections, kept)
        return page, {sheet.place.path: sheet.stamp for sheet in found}

    def _last(
        self,
        root: str | None,
        digest: str | None,
        trusted: Mapping[str, str],
        own: Iterable[Parsed],
    ) -> tuple[Parsed, ...]:
        """Return the project's own files as they were trusted last; none where none are trusted.

        `digest` is theirs now, where that is trusted.
        """
        if root is None:
            return ()
        if digest is not None:
            self._agreed[root] = digest, tuple(own)
        then, files = self._agreed.get(root, ("", ()))
        if trusted.get(root) != then:
            self._agreed.pop(root, None)
            return ()
        return files

    def _sound(self, sheet: Sheet) -> bool:
        """Whether what holds of a file is what it says now."""
        return sheet.place.path not in self._stale

    def _parsed(self, sheet: Sheet) -> Parsed | None:
        """Return what a file says; where it cannot be read, what it said last."""
        path = sheet.place.path
        self._stale.discard(path)
        if sheet.stamp is None and not sheet.fault:
            self._good.pop(path, None)
            return None
        fault = sheet.fault
        if not fault:
            try:
                self._good[path] = parse_hooks(json.loads(sheet.text or b"{}"), sheet.place)
                return self._good[path]
            except (ValueError, RecursionError) as error:
                fault = f"it is no JSON: {error}"
        self._stale.add(path)
        # A project's own file holds only as it is: else it would be trusted for what it said once.
        if sheet.place.layer in _OWN:
            self._good.pop(path, None)
        before = self._good.get(path) or Parsed(sheet.place)
        kept = "; what it said before holds on" if path in self._good else ""
        problem = Problem(path, "", f"{fault}{kept}", fatal=True)
        LOG.error("a file of hooks cannot be read", extra={"about": {"path": path, "why": fault}})
        return replace(before, problems=(problem, *before.problems))


def _sections(parts: Iterable[Parsed]) -> tuple[tuple[Section, ...], tuple[Problem, ...]]:
    """Return what files say of policies, the weakest first; what cannot be used is a problem."""
    found: list[Section] = []
    problems: list[Problem] = []
    for part in sorted(parts, key=lambda one: LAYERS.index(one.place.layer)):
        if part.policies is None:
            continue
        path = part.place.path
        try:
            said = Policies.model_validate(part.policies)
            section = Section(said, path, final=part.place.layer == "managed")
            configured([section])
        except ValidationError as error:
            key, why = refusal(error, "there is no such setting")
            problems.append(Problem(path, f"policies.{key}".rstrip("."), why))
        except ValueError as error:
            problems.append(Problem(path, "policies", str(error)))
        else:
            found.append(section)
    return tuple(found), tuple(problems)
