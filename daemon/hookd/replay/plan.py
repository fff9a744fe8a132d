"""Plan of a replay: the settings of both sides, and the rows that apply to every session.

It is sent to the processes that replay, so it has plain values only.
"""

from dataclasses import replace

from hookd.config.models import Settings
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.lazy_dataclass import dataclass
from hookd.policies import POLICIES, configure
from hookd.replay.change import AddedRule, Change, affected_policies, changed_settings
from hookd.store.replays import LastingRows

_EVERY = frozenset(policy.name for policy in POLICIES)
_BY_RULE_NAMES = frozenset({"self-guard"})


@dataclass(frozen=True)
class SideConfig:
    """One side: its settings, and the rules that are added and removed."""

    daemon: DaemonState
    settings: Settings
    rules: tuple[AddedRule, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def runtime(self) -> RuntimeConfig:
        """The configuration of the pipeline. Raise ValueError if the options are invalid."""
        return RuntimeConfig(self.daemon, configure(self.settings.policies), self.settings)


@dataclass(frozen=True)
class Plan:
    """What every session is replayed with.

    Without `changed`, events are compared with the decisions that were recorded. `affected` are the
    policies that the change affects; `home` is the user's folder, `config_folder` that of hookd's
    settings.
    """

    base: SideConfig
    changed: SideConfig | None
    affected: frozenset[str]
    rows: LastingRows
    home: str
    config_folder: str

    @property
    def shared(self) -> frozenset[str]:
        """The policies whose opinion is the same on both sides if the facts are.

        self-guard is none of them if rules change: it knows the names of the rules.
        """
        rules = self.changed is not None and (self.changed.rules or self.changed.removed)
        return _EVERY - self.affected - (_BY_RULE_NAMES if rules else frozenset())


def make_plan(
    daemon: DaemonState,
    settings: Settings,
    change: Change,
    rows: LastingRows,
    places: tuple[str, str],
) -> Plan:
    """Return the plan for a change; `places` are the user's folder and hookd's settings folder.

    Raise ValueError that names the key that is wrong.
    """
    base = SideConfig(replace(daemon, pid=0), settings)
    if not change:
        return Plan(base, None, frozenset(), rows, *places)
    after = changed_settings(settings, change)
    rules = tuple(one for one in change.rules if one.tried)
    changed = SideConfig(base.daemon, after, rules, change.removed)
    before_options, after_options = base.runtime.options, changed.runtime.options
    affected = affected_policies(change, (settings, before_options), (after, after_options))
    return Plan(base, changed, affected, rows, *places)
