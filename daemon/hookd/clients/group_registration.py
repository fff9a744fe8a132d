"""Registration with a client whose settings hold hook groups: the same for each but for its form.

A client's `registration` module makes one `GroupRegistration` and names its methods. hookd's names
of events come in and go out; in the settings are the client's.
"""

import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from itertools import chain

from hookd.clients import hook_groups
from hookd.clients.hook_groups import Changes, Form, Json, Shim
from hookd.core.model.shim_paths import is_shim
from hookd.events.protocol import EVENTS, EventSpec
from hookd.lazy_dataclass import dataclass


def shell_program(hook: Json) -> str | None:
    """Return the path of our shim that a shell command runs; None if the entry is not ours.

    Only a command that is this path alone, quoted as `shlex.quote` does or not at all, is ours.
    """
    command = hook.get("command")
    if hook.get("type") != "command" or not isinstance(command, str):
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    spelled = len(words) == 1 and command in (words[0], shlex.quote(words[0]))
    return words[0] if spelled and is_shim(words[0]) else None


@dataclass(frozen=True)
class GroupRegistration:
    """How a client is registered with.

    `names` are the client's names of the events that are registered, by hookd's; `more` are its
    other events. `entry` makes the entry of an event. `matchers` narrow an event of hookd's name.
    `positional` is as for `Form`. `switched_off` returns the setting that keeps our entries from
    running, as a sentence, "" if none does.
    """

    names: Mapping[str, str]
    entry: Callable[[EventSpec, Shim], Json]
    more: Collection[str] = ()
    matchers: Mapping[str, str] = field(default_factory=dict)
    positional: bool = False
    switched_off: Callable[[Json], str] = lambda _settings: ""

    @property
    def form(self) -> Form:
        """How the client's groups are read and written."""
        known = frozenset(chain(self.names.values(), self.more))
        return Form(known, shell_program, positional=self.positional)

    def register(
        self, settings: Json, shim: Shim, events: Iterable[str], kept: Collection[str] = ()
    ) -> Json:
        """Return `settings` with our entry for each of `events`, and for no other event.

        See `hook_groups.register`. Raise ShapeError if `settings` cannot be read.
        """
        fresh = {self.names[name]: self._group(name, shim) for name in events}
        return hook_groups.register(settings, self.form, fresh, kept)

    def unregister(self, settings: Json, kept: Collection[str] = ()) -> Json:
        """Return `settings` without our entries, as `hook_groups.unregister` does."""
        return hook_groups.unregister(settings, self.form, kept)

    def bare(self, settings: Json) -> tuple[str, ...]:
        """Return the key paths of the empty containers that an entry would be put into."""
        return hook_groups.bare(settings, self.form)

    def registered(self, settings: Json) -> list[str]:
        """Return hookd's names of the events that have an entry of ours, in its order."""
        found = hook_groups.own(settings, self.form)
        return [name for name, theirs in self.names.items() if theirs in found]

    def programs(self, settings: Json) -> Iterator[tuple[str, str]]:
        """Yield the client's event and the shim path of each entry of ours."""
        return hook_groups.programs(settings, self.form)

    def changes(self, before: Json, after: Json) -> Changes:
        """Return whose entries of ours differ between two settings, by the client's names."""
        return hook_groups.changes(before, after, self.form)

    def notes(self, settings: Json) -> list[str]:
        """Return what a person should know who registers hookd in `settings`, a sentence each.

        It is each entry of ours that a person's matcher narrows, and that none runs.
        """
        found = hook_groups.events(settings, self.form)
        own = {theirs: self.matchers.get(name, "*") for name, theirs in self.names.items()}
        narrowed = [
            f"{name}: your matcher is kept, so hookd sees only what it names"
            for name, groups in found.items()
            if (matchers := hook_groups.ours_in(groups, self.form))
            and not {"*", own.get(name)} & set(matchers)
        ]
        off = self.switched_off(settings)
        return [*narrowed, off] if off else narrowed

    def _group(self, name: str, shim: Shim) -> Json:
        made = {"hooks": [self.entry(EVENTS[name], shim)]}
        return {"matcher": self.matchers[name], **made} if name in self.matchers else made
