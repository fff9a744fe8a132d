"""Services without a rule table: verbs of deletion behind a program that is not known.

`op item delete`, `stripe customers delete`, `twilio api:core:messages:remove`: the words before the
verb name a resource, and what it had is lost. Tools of everyday development are in the catalogue,
and nouns such as `plugin` or `cache` name what can be recreated; both pass.
"""

from collections.abc import Iterator

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import PROGRAMS, with_trait
from hookd.programs.model import DRY_RUN_FLAGS
from hookd.risk.model import CommandCall, Risk
from hookd.risk.subcommands import (
    DELETING_VERBS,
    OTHER_VERBS,
    call_risk,
    has_exact_flag,
    without_values,
)
from hookd.shell.quoting import names

SERVICES = with_trait("service")
_KNOWN = frozenset(name for program in PROGRAMS for name in program.names.split()) - SERVICES

_BY_NOUN = names("remove rm del reset")
"""Verbs that delete behind a noun; alone, they are those of package managers and settings."""

_LOCAL_NOUNS = names(
    "plugin plugins extension extensions context contexts cache caches config configs"
    " configuration configurations alias aliases profile profiles session sessions completion"
    " completions kernelspec venv virtualenv history settings defaults telemetry toolchain shim"
    " shims package packages pkg dependency dependencies deps component components mcp"
)
"""Nouns of what belongs to this machine, and can be installed, added or set again."""

_REMOVABLE_NOUNS = names(
    "remote repo repos source sources server servers daemon workspace worktree template templates"
    " hook hooks addon addons tap target targets store node python ruby version versions runtime"
    " tool tools sdk skill skills bookmark snippet shortcut layout pane window tab lock path env"
)
"""Nouns that a tool of this machine adds and removes; behind `delete` they are resources."""

_WORDS = _LOCAL_NOUNS | _REMOVABLE_NOUNS
"""Words that a parser may take for programs, since they follow a wrapper such as pnpm or nix."""

_SUBCOMMAND = lazy_compile(r"[A-Za-z][\w:.-]*")
_SCRIPT = lazy_compile(r".+\.(?:sh|bash|py|js|mjs|ts|rb|pl|php|ps1|bat|cmd)")
_HARMLESS = (*DRY_RUN_FLAGS, "-h", "-help", "--dryrun", "--version", "--preview", "--whatif")
_DEEPEST = 4
"""The verb is among so many first words; what follows them are values."""

_INSTEAD = "The list command of the same program shows what would be deleted."


def may_delete_at_service(call: CommandCall) -> bool:
    """Return whether a program may be a client of a service that has no table for this call."""
    name = call.program
    if not name or name in _KNOWN or name in _WORDS or _SCRIPT.fullmatch(name):
        return False
    if call.command.wrappers and call.command.wrappers[-1] in SERVICES:
        return False  # the service's own words, which its own call has, too
    return "/" not in call.words.path or _is_installed(call.words.path)


def _is_installed(path: str) -> bool:
    """Return whether a program is an installed one, not a script of the project."""
    return path.startswith("/") or "node_modules/.bin/" in path


def service_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield that a subcommand deletes something at a service."""
    noun = call.program if call.program in SERVICES else ""  # `vercel remove NAME`
    for item in without_values(call)[:_DEEPEST]:
        word = item.text.lower()
        if item.unknown:
            noun = "a resource"
            continue
        if _SUBCOMMAND.fullmatch(word) is None or word in OTHER_VERBS:
            return
        before, _, last = word.rpartition(":")
        subject = before.rpartition(":")[2] or noun
        if _deletes(last, subject):
            if not has_exact_flag(call, _HARMLESS):
                why = f"has the subcommand `{word}`, by which clients of services delete data"
                yield call_risk(call, "services.delete", "ask", why, _INSTEAD)
            return
        noun = last


def _deletes(verb: str, noun: str) -> bool:
    """Return whether a subcommand deletes what a noun names; the noun may be empty."""
    first, dash, rest = verb.partition("-")
    if dash:  # `delete-bucket`, `bucket-delete`
        last = verb.rpartition("-")[2]
        deletes = first in DELETING_VERBS or last in DELETING_VERBS
        return deletes and not {rest, noun, verb.rpartition("-")[0]} & _LOCAL_NOUNS
    if noun in _LOCAL_NOUNS:
        return False
    return verb in DELETING_VERBS or (
        verb in _BY_NOUN and bool(noun) and noun not in _REMOVABLE_NOUNS
    )
