"""Registration with a client besides Claude Code: what an install of its options writes."""

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookd.cli.hooks import own_files
from hookd.cli.install import (
    codex_config,
    deadlines,
    in_force,
    options,
    plan,
    scope_folder,
    settings_record,
)
from hookd.cli.install import shims as installed_shims
from hookd.cli.install.clients import Client
from hookd.cli.install.plan import Plan, Wanted, record
from hookd.cli.install.scope import Target
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import transport
from hookd.cli.lib.errors import Problem
from hookd.clients.hook_groups import Json, Shim
from hookd.clients.opencode.registration import CONFIG as PLUGIN_CONFIG
from hookd.core.model.fail_policy import CLOSABLE, USUAL
from hookd.core.model.shim_config import ShimConfig


def planned(client: Client, document: Document, target: Target, wanted: Wanted) -> Plan:
    """Return what an install of the options writes. Raise Problem if they cannot be registered."""
    registration = client.registration
    before = registration.registered(document.value)
    events = _events(client, wanted.events, before)
    folder = Path(scope_folder.shims(), scope_folder.name(target.scope, document.path, client.name))
    old = scope_folder.read(folder) or ShimConfig()
    denials = _denials(client, events)
    closed = _closed(client, wanted, events, old, denials)
    project = target.project if target.scope == "project" else None
    waits = deadlines.needed(project, own_files.project())
    shim = Shim(str(folder), closed, old.closed, waits)
    no_verdict = options.no_verdict(wanted.no_verdict, old.no_verdict, closed)
    made = plan.config(document.path, events, shim, options.shim(wanted.shim, old.shim), no_verdict)
    made = replace(
        made,
        client=client.name,
        denials=denials,
        variables=plan.forwarded(wanted, old.variables),
    )
    past = settings_record.recall(record(), document.path)
    value = registration.register(document.value, shim, events, past.bare)
    replaced = _replaced(client, document.value, folder)
    weakenings = plan.weakening(before, events, shim, (old.no_verdict, no_verdict))
    notes = [*replaced, *registration.notes(value), *_notes(client, target, made)]
    step = _step(client, target, replace(document, value=value))
    return Plan(
        client=client,
        document=document,
        target=target,
        folder=folder,
        config=made,
        events=events,
        value=value,
        after=client.rewritten(document, value),
        notes=notes,
        loosens=next(iter([*replaced[:1], *weakenings]), ""),
        step=plan.next_step(step or f"start {client.title} again" * (value != document.value)),
        own=target.scope == "project",
        shipped=installed_shims.shipped(),
        files={PLUGIN_CONFIG: _plugin_config(made)} if client.starts == "plugin" else {},
    )


def _step(client: Client, target: Target, registered: Document) -> str:
    """Return what a person does to let the client run what is registered, "" for nothing."""
    if client.trusts and not in_force.awaits_trust(client, registered):
        return ""
    return client.steps.get(target.scope, "")


def _events(client: Client, texts: tuple[str, ...], before: list[str]) -> list[str]:
    """Return the events to register: the named ones, else those before, else all."""
    names = client.registration.NAMES
    if not texts:
        return before or list(names)
    options.parse_events(texts)
    words = {word for text in texts for word in text.replace(",", " ").split()}
    if strange := words - {*names, options.DEFAULT_WORD}:
        sentence = f"{client.title} has no event for {', '.join(sorted(strange))}."
        raise Problem(sentence, f"--events takes these for it: {', '.join(names)}")
    return [name for name in names if name in words or options.DEFAULT_WORD in words]


def _denials(client: Client, events: list[str]) -> dict[str, str]:
    """Return the templates of the events that can fail closed."""
    from hookd.clients.adapters import adapter_of  # noqa: PLC0415 - slow, and rarely needed

    of = adapter_of(client.name).capabilities.denial_template
    found = {name: of(name) for name in CLOSABLE if name in events}
    return {name: template for name, template in found.items() if template}


def _closed(
    client: Client, wanted: Wanted, events: list[str], old: ShimConfig, denials: Collection[str]
) -> tuple[str, ...]:
    """Return which events fail closed. Raise Problem for another wanted one."""
    chosen = set(old.closed) if wanted.closed is None else wanted.closed
    closed = tuple(name for name in events if name in chosen and name in denials)
    for name in sorted(wanted.closed or ()):
        if name not in denials and not (closed and name in USUAL):
            why = "it cannot be denied there" if name in events else "it is not registered"
            step = f"These can: {', '.join(denials) or 'none'}."
            raise Problem(f"{name} cannot fail closed with {client.title}: {why}.", step)
    if wanted.no_verdict == "closed" and not closed:
        return tuple(name for name in events if name in USUAL and name in denials)
    return closed


def _replaced(client: Client, value: Json, folder: Path) -> list[str]:
    """Return a sentence for each other folder of links whose entries are replaced."""
    places = (str(Path(path).parent) for _, path in client.registration.programs(value))
    others = dict.fromkeys(place for place in places if place != str(folder))
    return [f"replaces the entries of another hookd, in {place}" for place in others]


def _notes(client: Client, target: Target, made: ShimConfig) -> list[str]:
    """Return notes for the user about the programs and the client."""
    notes = [f"{gone}: {plan.linked(made)}"] if (gone := transport.off_path()) else []
    if not client.on_path:
        absent = f"{client.program} is not on the PATH"
        notes.append(f"{absent}: {client.title} runs hookd's hooks once it is installed")
    notes += transport.refused()
    if client.trusts:
        notes += codex_config.notes(target.path.parent, client.folder)
    if client.blocks:
        lost = "if hookd's program is missing, it denies every tool call"
        notes.append(f"{client.title}: {lost}; so run hookd uninstall before you remove hookd")
    elif made.closed:
        notes.append(f"if the shim itself is missing, {client.title} runs these calls")
    return notes


def _plugin_config(config: ShimConfig) -> str:
    """Return what the plugin of opencode reads beside the scope's configuration."""
    content: dict[str, Any] = {
        "client": config.client,
        "socket": config.socket,
        "hookd": config.hookd,
        "noVerdict": config.no_verdict,
        "deadlines": {name: rule.deadline for name, rule in config.events.items()},
        "closed": list(config.closed),
        "variables": list(config.variables),
    }
    return json.dumps(content, indent=2) + "\n"
