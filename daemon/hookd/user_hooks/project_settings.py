"""Read what the settings of all layers say in one project: hooks, and policies.

A project's own files apply once they are trusted with exactly that content. After a change their
hooks do not, and what they said of policies still applies as it was trusted, until `hookd trust` is
run: no foreign change removes a guard, or loosens one. A new process cannot know what that
was. A file that an edit has broken applies as it was when it could last be read, and says so.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from pydantic import ValidationError

from hookd.config.models import Policies, Section
from hookd.config.refusal import first_error
from hookd.core.guard_rules.file_state import FileState, notice
from hookd.core.hook_rules.layers import ProjectConfig, merge_layers
from hookd.core.hook_rules.match import HookTable
from hookd.core.hook_rules.parse import ParsedHooks, parse_hooks
from hookd.core.hook_rules.problems import Problem
from hookd.core.hook_rules.sources import LAYERS, HookFileLocation, hook_files
from hookd.log.logger import LOG
from hookd.policies import POLICIES, configured
from hookd.user_hooks import files as sheets
from hookd.user_hooks.files import HookFile
from hookd.user_hooks.rule_files import RuleFileReader

UNTRUSTED = "not trusted: hookd trust"
_OWN = ("project", "local")
_POLICIES = frozenset(policy.name for policy in POLICIES)
_STAYS = (
    "what it said of policies when it was trusted last stays in force until you say"
    " `hookd trust` or `hookd trust --remove`"
)

Stamps = Mapping[str, sheets.Stamp | None]
"""The stamp of each file that a page was read from, by its path."""


class Pages:
    """Reads the pages of projects; remembers what their files said when they could be read."""

    def __init__(
        self,
        home: str,
        config: str,
        extra: tuple[HookFileLocation, ...] = (),
        runs_claude: Callable[[], bool] = bool,
        rules: RuleFileReader | None = None,
    ) -> None:
        self._runs_claude, self._rules = runs_claude, rules
        self._home, self._config, self._extra = home, config, extra
        self._good: dict[str, ParsedHooks] = {}
        self._stale: set[str] = set()
        self._agreed: dict[str, tuple[str, tuple[ParsedHooks, ...]]] = {}

    def plugins(self) -> tuple[HookFileLocation, ...]:
        """Return the files of plugins."""
        return sheets.plugins(self._config)

    def places(
        self, root: str | None, plugins: tuple[HookFileLocation, ...] | None = None
    ) -> tuple[HookFileLocation, ...]:
        """Return the files of a project, the weakest layer first."""
        extra = (*(self.plugins() if plugins is None else plugins), *self._extra)
        found = hook_files(root, self._home, self._config, extra, macos=sys.platform == "darwin")
        if not self._runs_claude():
            return found
        return tuple(replace(place, runs=True) for place in found)

    def read(self, root: str | None, trusted: Mapping[str, str]) -> tuple[ProjectConfig, Stamps]:
        """Read all settings files of a project; return its page and the files' stamps.

        It blocks: run it in a thread where an event loop runs.
        """
        found = [sheets.read(place) for place in self.places(root)]
        parts = [part for sheet in found if (part := self._parsed(sheet)) is not None]
        own = [part for part in parts if part.place.layer in _OWN and part.place.runs]
        digest = trust = None
        if root is not None and not all(part.is_empty for part in own):
            paths = {part.place.path for part in own}
            theirs = [sheet for sheet in found if sheet.place.path in paths]
            # A file that cannot be read is not the trusted file.
            if all(sheet.text is not None and self._sound(sheet) for sheet in theirs):
                digest = sheets.digest(theirs)
            trust = digest is not None and trusted.get(root) == digest
        held = {} if trust is not False else {part.place.path: UNTRUSTED for part in own}
        agreed = self._last(root, digest if trust else None, trusted, own)
        others = [part for part in parts if part.place.path not in held and part not in own]
        sections, problems = _sections((*others, *(own if trust else agreed)))
        sections = (*sections, *fleet_sections(trusted))
        kept, _ = _sections(() if trust else agreed)
        on = tuple(Problem(one.path, "policies", _STAYS) for one in kept)
        whole = merge_layers(parts, held)
        whole = replace(whole, problems=(*whole.problems, *problems, *on))
        stamps = {sheet.place.path: sheet.stamp for sheet in found}
        rules: tuple[FileState, ...] = ()
        if self._rules is not None:
            rules, more = self._rules.read(root, trusted)
            stamps |= more
        said = notice(rules)
        table = HookTable.of(whole.hooks)
        page = ProjectConfig(root, whole, table, digest, trust, sections, kept, rules, said)
        return page, stamps

    def paths(
        self, root: str | None, plugins: tuple[HookFileLocation, ...] | None = None
    ) -> tuple[str, ...]:
        """Return the paths of all files that a project's page is read from."""
        rules = self._rules.locations(root) if self._rules else ()
        return (*(one.path for one in self.places(root, plugins)), *(one.path for one in rules))

    def _last(
        self,
        root: str | None,
        digest: str | None,
        trusted: Mapping[str, str],
        own: Iterable[ParsedHooks],
    ) -> tuple[ParsedHooks, ...]:
        """Return the project's own files as they were trusted last; empty if none are.

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

    def _sound(self, sheet: HookFile) -> bool:
        """Whether what holds of a file is what it says now."""
        return sheet.place.path not in self._stale

    def _parsed(self, sheet: HookFile) -> ParsedHooks | None:
        """Return what a file says; where it cannot be read, what it said last."""
        path = sheet.place.path
        self._stale.discard(path)
        if sheet.stamp is None and not sheet.error:
            self._good.pop(path, None)
            return None
        fault = sheet.error
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
        before = self._good.get(path) or ParsedHooks(sheet.place)
        kept = "; what it said before stays in force" if path in self._good else ""
        problem = Problem(path, "", f"{fault}{kept}", fatal=True)
        LOG.error("a file of hooks cannot be read", extra={"about": {"path": path, "why": fault}})
        return replace(before, problems=(problem, *before.problems))


def fleet_sections(trusted: Mapping[str, str]) -> tuple[Section, ...]:
    """Return the policies that the fleet of this host turns on, as they are stored."""
    found = []
    for source, names in trusted.items():
        if not source.startswith("fleet "):
            continue
        try:
            enabled = tuple(name for name in json.loads(names) if name in _POLICIES)
        except ValueError:
            LOG.error("policies of the fleet cannot be read", extra={"about": {"source": source}})
            continue
        found.append(Section(Policies(enabled=enabled), source, tightens=True))
    return tuple(found)


def _sections(parts: Iterable[ParsedHooks]) -> tuple[tuple[Section, ...], tuple[Problem, ...]]:
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
            key, why = first_error(error, "there is no such setting")
            problems.append(Problem(path, f"policies.{key}".rstrip("."), why))
        except ValueError as error:
            problems.append(Problem(path, "policies", str(error)))
        else:
            found.append(section)
    return tuple(found), tuple(problems)
