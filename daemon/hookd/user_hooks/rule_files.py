"""Read rules files from disk: the managed one, the user's, those of teams, the project's."""

import posixpath
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from hookd.core.guard_rules.file_state import NAME, FileLayer, FileState
from hookd.core.guard_rules.rule_file import MAX_BYTES, RuleFile, read_rules
from hookd.core.hook_rules.sources import MANAGED, MANAGED_MACOS, HookFileLocation
from hookd.lazy_dataclass import dataclass
from hookd.user_hooks import files

_FILE = "rules.yaml"


@dataclass(frozen=True, slots=True)
class RuleFileReader:
    """Reads the rules files of a project.

    `config` is the user's folder of hookd, `home` the user's folder; `team` returns the paths of
    the teams' files.
    """

    config: str
    home: str
    team: Callable[[], Sequence[str]] = tuple

    def team_paths(self) -> tuple[str, ...]:
        """Return the absolute paths of the teams' files."""
        spelled = (f"{self.home}{one[1:]}" if one[:2] == "~/" else one for one in self.team())
        absolute = (posixpath.normpath(one) for one in spelled if one.startswith("/"))
        return tuple(dict.fromkeys(absolute))

    def locations(self, root: str | None) -> tuple[FileState, ...]:
        """Return the files, the strongest layer first; they need not exist."""
        managed = posixpath.dirname(MANAGED_MACOS if sys.platform == "darwin" else MANAGED)
        named: list[tuple[FileLayer, str, str | None]] = [
            ("managed", f"{managed}/{_FILE}", None),
            ("user", f"{self.config}/{_FILE}", None),
            *(("team", path, None) for path in self.team_paths()),
        ]
        if root is not None:
            named.append(("project", f"{root.rstrip('/')}/{NAME}", root))
        found: dict[str, FileState] = {}
        for layer, path, project in named:
            found.setdefault(path, FileState(layer, path, project))
        return tuple(found.values())

    def read(
        self, root: str | None, trusted: Mapping[str, str]
    ) -> tuple[tuple[FileState, ...], dict[str, files.Stamp | None]]:
        """Return the files as they are, and their stamps. `trusted` are digests by path."""
        states, stamps = [], {}
        for place in self.locations(root):
            found = files.read(HookFileLocation("project", place.path))
            stamps[place.path] = found.stamp
            known = trusted.get(place.path)
            if found.text is None:
                state = FileState(
                    place.layer, place.path, place.root, trusted=known, error=found.error
                )
            else:
                digest = files.digest([found])
                state = FileState(
                    place.layer, place.path, place.root, digest, known, _parsed(found.text)
                )
            states.append(state)
        return tuple(states), stamps


def _parsed(text: bytes) -> RuleFile:
    # A file of any size below the limit of settings is read; what is too long is a mistake in it.
    return read_rules(text) if len(text) > MAX_BYTES else _cached(text)


@lru_cache(maxsize=32)
def _cached(text: bytes) -> RuleFile:
    return read_rules(text)
