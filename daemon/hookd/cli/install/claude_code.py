"""Registration with Claude Code: what an install of its options writes."""

from dataclasses import replace
from pathlib import Path

from hookd.cli.hooks import own_files
from hookd.cli.install import (
    deadlines,
    options,
    plan,
    scope_folder,
    settings_record,
    taken_over,
    waking,
)
from hookd.cli.install import shims as installed_shims
from hookd.cli.install.clients import EVERY
from hookd.cli.install.plan import Plan, Wanted, record
from hookd.cli.install.scope import Target
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import claude_version, transport
from hookd.cli.policies import profile as policies_profile
from hookd.clients.claude_code import registration
from hookd.clients.claude_code.status_line_entry import LINE_SHIM
from hookd.clients.hook_groups import Json, Shim
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.core.model.shim_config import ShimConfig
from hookd.lazy_dataclass import dataclass

_STEP = "start Claude Code; running sessions reload their hooks automatically"


@dataclass(frozen=True)
class Additions:
    """What the settings have beside the hooks; None: as before."""

    statusline: bool | None
    permissions: tuple[str, ...] | None
    wake: bool | None


def permitted(
    document: Document, wanted: bool | None, profile: str | None, *, ask: bool
) -> tuple[str, ...] | None:
    """Return the permission entries to have, asking at a terminal if there is no choice yet."""
    before = settings_record.recall(record(), document.path).permissions
    profile = profile or policies_profile.chosen()
    return options.permission_choice(
        document.value, before, wanted=wanted, profile=profile, ask=ask
    )


def planned(
    document: Document,
    target: Target,
    wanted: Wanted,
    additions: Additions,
) -> Plan:
    """Return what an install of the options writes. Raise Problem if they cannot be registered."""
    before = registration.registered(document.value)
    events = (
        options.parse_events(wanted.events) if wanted.events else options.unchanged_events(before)
    )
    shim = _shim(document, target, wanted, events)
    config = _config(document, wanted, events, shim)
    line = options.status_line_shim(document.value, shim, wanted=additions.statusline)
    shipped = installed_shims.shipped(*([LINE_SHIM] if line else []))
    client = claude_version.read()
    notes = [unknown] if (unknown := claude_version.check(client)) else []
    past = settings_record.recall(record(), document.path)
    value = settings_record.registered(document, shim, events, record(), line)
    value = waking.registered(value, target, past.bare, wanted=additions.wake)
    value, entries = settings_record.permitted(value, additions.permissions, past)
    notes = taken_over.notes(document.path, document.value, config) + notes
    notes += _notes(value, config, client)
    notes += options.event_notes(events, before, chosen=bool(wanted.events))
    notes += options.status_line_notes(value, target)
    facts = {"client_version": client.text}
    facts |= options.status_line_facts(document.value, value)
    facts |= options.permission_facts(document.value, value, target)
    facts |= waking.facts(document.value, value)
    return Plan(
        client=EVERY[CLAUDE_CODE],
        document=document,
        target=target,
        folder=Path(shim.folder),
        config=config,
        events=events,
        value=value,
        after=document.rewritten(value),
        notes=notes,
        loosens=_loosens(document, value, shim, config),
        step=plan.next_step(_STEP),
        own=target.scope == "local",
        shipped=shipped,
        line=bool(line),
        permissions=entries,
        facts=facts,
        preview_notes=options.permission_notes(entries),
    )


def _loosens(document: Document, value: Json, shim: Shim, config: ShimConfig) -> str:
    """Return how a registration weakens the one before, "" if it does not."""
    path, old = document.path, document.value
    no_verdict = scope_folder.no_verdict(path, old), config.no_verdict
    weakenings = (
        taken_over.loosens(path, old, config),
        options.permission_weakening(old, value),
        *plan.weakening(registration.registered(old), list(config.events), shim, no_verdict),
    )
    return next(filter(None, weakenings), "")


def _shim(document: Document, target: Target, wanted: Wanted, events: list[str]) -> Shim:
    """Return the registration of these events, with what fails closed and how long it waits."""
    before = scope_folder.closed(document.value)
    closed = options.fail_closed_events(wanted.closed, events, before)
    closed = options.default_closed(wanted.no_verdict, closed, events)
    waits = deadlines.of(replace(target, path=document.path), own_files.project())
    folder = f"{scope_folder.shims()}/{scope_folder.name(target.scope, document.path)}"
    return Shim(folder, closed, tuple(before), waits)


def _config(document: Document, wanted: Wanted, events: list[str], shim: Shim) -> ShimConfig:
    """Return the configuration of the scope's shims."""
    before = scope_folder.no_verdict(document.path, document.value)
    no_verdict = options.no_verdict(wanted.no_verdict, before, shim.closed)
    program = options.shim(wanted.shim, scope_folder.shim(document.path, document.value))
    sent = plan.forwarded(wanted, scope_folder.sent(document.path, document.value))
    made = plan.config(document.path, events, shim, program, no_verdict)
    return replace(made, variables=sent)


def _notes(value: Json, config: ShimConfig, client: claude_version.Client) -> list[str]:
    """Return notes for the user about the entries, the programs and the client."""
    notes = registration.notes(value)
    notes += [f"{gone}: {plan.linked(config)}"] if (gone := transport.off_path()) else []
    return [*notes, *transport.refused(), *options.fail_closed_notes(config.closed, client)]
