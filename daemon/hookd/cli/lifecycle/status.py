"""`hookd status`: whether the daemon runs, its files, and events that no daemon evaluated."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from hookd import __version__, paths
from hookd.cli.doctor.checks.incidents import sentence
from hookd.cli.doctor.checks.storage import damaged_step, unkept_step
from hookd.cli.fleet.membership import fleet_sentence, membership_facts
from hookd.cli.hooks import project_files
from hookd.cli.install import in_force, scope_folder, waking
from hookd.cli.install import shims as installed_shims
from hookd.cli.lib import args, output
from hookd.cli.lib.client import START, State, absent, call, probe, stop_sentence
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.core.evaluation import unjudged
from hookd.core.model.fail_policy import NO_VERDICT
from hookd.display.amounts import local_time, milliseconds
from hookd.system import native_shim, stop_marker, unjudged_spool

_NOT_RUNNING = 3
"""Exit code for a program that does not run, as in init scripts."""

_UPGRADES = {
    "daemon": f"hookd restart, since hookd {__version__} is installed",
    "shims": "hookd install, which updates the shims",
}
"""The next step if a part is of another version."""


@click.command(
    epilog="""\b
    Examples:
      hookd status
      hookd status --json
      hookd status > /dev/null || hookd start
    """
)
@json_option()
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show whether the daemon runs, and its files.

    Exit code 3: it does not run.
    """
    places = paths.paths()
    state = probe(places.socket)
    facts: dict[str, Any] = {"state": str(state), "socket": str(places.socket)}
    facts["damaged"] = [str(path) for path in places.damaged()]
    facts["noVerdict"] = _no_verdict()
    facts |= _shims(places.shims)
    facts["clients"] = other_clients()
    facts["wake"] = list(map(str, waking.places()))
    facts |= {"installed": __version__, "upgrade": _upgrade(None)}
    if state is not State.LISTENING:
        _report_absent(state, facts, as_json)
        ctx.exit(_NOT_RUNNING)
    facts |= call("daemon.status")
    facts["upgrade"] = _upgrade(facts["version"])
    facts["unread"] = project_files.unreadable_user_files()
    facts["rules"] = project_files.rule_file_sentences()
    facts["fleet"] = membership_facts(places)
    facts |= recorded_missed_events(facts.get("now"))
    stop = stop_marker.read(places.stopped)
    facts |= _stopped(stop)
    if as_json:
        output.show_json(facts)
        return
    output.show_facts(_shown(facts), stop_sentence(stop) if stop else "hookd")


def _no_verdict() -> dict[str, str]:
    """Return by scope what happens to a call that no daemon answers."""
    configs = {folder.name: scope_folder.read(folder) for folder in scope_folder.every()}
    return {name: one.no_verdict or NO_VERDICT[0] for name, one in configs.items() if one}


def _shims(folder: Path) -> dict[str, Any]:
    """Return by scope which shim hooks start, and why they cannot run, "" if they can."""
    return {"shim": native_shim.kinds(folder), "shimProblem": native_shim.problem(folder)}


def _upgrade(running: str | None) -> list[dict[str, str]]:
    """Return the parts of another version than the installed one; `running` is the daemon's."""
    found = []
    if running not in (None, __version__):
        text = f"the daemon is hookd {running}, but hookd {__version__} is installed"
        found.append({"part": "daemon", "text": text})
    if shims := installed_shims.outdated():
        names = ", ".join(shim.name for shim in shims)
        text = f"in {shims[0].parent}, not of hookd {__version__}: {names}"
        found.append({"part": "shims", "text": text})
    return found


def _stopped(stop: stop_marker.Stop | None) -> dict[str, Any]:
    """Return whether hookd is stopped, and since when, for JSON."""
    at = stop.at.isoformat(timespec="milliseconds") if stop and stop.at else None
    return {"stopped": stop is not None, "stoppedAt": at and at.replace("+00:00", "Z")}


def _shown(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts to print, with the next step for the most important one."""
    facts["since"] = facts["startedAt"]
    names = ["socket", "state", "pid", "version", "since", "database", "log", "settings", "events"]
    names += _latency(facts) + _mail(facts) + _waking(facts) + _without_daemon(facts)
    if facts.get("pausedUntil"):
        names[2:2] = ["pausedUntil", *(["pausedBy"] if facts.get("pausedBy") else [])]
        facts["next"] = "hookd resume, in a terminal: until then no guard applies"
    if upgrade := facts["upgrade"]:
        names.insert(names.index("version") + 1, "upgrade")
        facts["upgrade"] = "; ".join(one["text"] for one in upgrade)
        facts["next"] = _UPGRADES[upgrade[0]["part"]]
    if facts["problem"]:
        names.append("problem")
        facts["next"] = "fix the settings: they are reloaded within a second"
    elif facts["unread"]:
        facts["next"] = "fix the file: it is reloaded within a second"
    if facts["unread"]:
        names.append("unread")
        facts["unread"] = "; ".join(facts["unread"])
    names += _claims(facts) + _work(facts) + _fleet(facts)
    names += _rules(facts) + _incidents(facts) + _clients(facts)
    if facts["damaged"]:
        names.append("damaged")
        facts["damaged"], facts["next"] = "; ".join(facts["damaged"]), damaged_step()
    if facts.get("unkept"):
        names.insert(2, "unkept")
        facts["next"] = unkept_step(facts)
    if facts["shimProblem"]:
        names.insert(2, "shimProblem")
        facts["next"] = "hookd install, which repairs it; hookd doctor has details"
    if facts["stopped"]:
        names.insert(2, "stopped")
        facts["stopped"] = f"{paths.paths().stopped} is there, so the hooks do not ask the daemon"
        facts["next"] = START
    return {name: facts[name] for name in (*names, "next") if name in facts}


def _latency(facts: dict[str, Any]) -> list[str]:
    """Put the latency of the last hour into words; return the name of that fact."""
    latency = facts.get("latency")  # an older daemon measures none
    if not latency:
        return []
    half, most = milliseconds(latency["p50Us"]), milliseconds(latency["p99Us"])
    count = latency["events"]
    facts["latency"] = f"p50 {half} ms, p99 {most} ms ({count} events of the last hour)"
    return ["latency"]


def _mail(facts: dict[str, Any]) -> list[str]:
    """Put mail of agents that waits into words; return the name of that fact."""
    counts = facts.get("mail") or {}  # an older daemon has none
    words = {"waiting": "not delivered", "forYou": "for you", "held": "held"}
    words["unreachable"] = "that no open session gets"
    facts["mail"] = ", ".join(
        f"{counts[name]} {word}" for name, word in words.items() if counts.get(name)
    )
    if counts.get("forYou"):
        facts["next"] = "hookd inbox, which prints it"
    if counts.get("held"):
        facts["next"] = "hookd mail list --state held: allow or drop it"
    return ["mail"] if facts["mail"] else []


def _waking(facts: dict[str, Any]) -> list[str]:
    """Put where mail wakes an idle Claude Code into words; return the name of that fact."""
    if facts["wake"]:
        facts["wake"] = f"mail wakes an idle Claude Code, by {', '.join(facts['wake'])}"
    return ["wake"] if facts["wake"] else []


def _work(facts: dict[str, Any]) -> list[str]:
    """Put unfinished work items into words; return the name of that fact."""
    work = facts.get("work")  # an older daemon has none
    if not work:
        return []
    counts = ", ".join(f"{count} {state}" for state, count in sorted(work.items()))
    facts["work"] = f"{counts}; hookd work list --all shows the items"
    return ["work"]


def _without_daemon(facts: dict[str, Any]) -> list[str]:
    """Put calls without a daemon into words; return the names of those facts."""
    facts["noVerdict"] = _by_scope(facts["noVerdict"])
    names = [name for name in ("hooksWarn", "withoutDaemon", "unjudged") if facts[name]]
    facts |= {name: facts[name]["text"] for name in names}
    if names:
        facts["next"] = "hookd daemon logs -n 20, which shows what happened before"
    facts["shim"] = _by_scope(facts["shim"])
    return [*(name for name in ("noVerdict", "shim") if facts[name]), *names]


def _claims(facts: dict[str, Any]) -> list[str]:
    """Put the open claims into words; return the name of that fact."""
    count = facts.get("claims")  # an older daemon has none
    if count:
        facts["claims"] = f"{count} open; hookd claim list shows them"
    return ["claims"] if count else []


def _fleet(facts: dict[str, Any]) -> list[str]:
    """Put the membership in a fleet of many hosts into words; return the name of that fact."""
    found = facts["fleet"]
    facts["fleet"] = fleet_sentence(found)
    if found["next"]:
        facts.setdefault("next", found["next"])
    return ["fleet"] if facts["fleet"] else []


def _rules(facts: dict[str, Any]) -> list[str]:
    """Put rules files that do not apply as they are into words; return the name of that fact."""
    if not facts["rules"]:
        return []
    facts["rules"] = "; ".join(facts["rules"])
    facts.setdefault("next", "hookd guard list; hookd trust applies a changed rules file")
    return ["rules"]


def other_clients() -> list[dict[str, str]]:
    """Return the registrations with other clients that are not in force, for JSON."""
    damaged = in_force.damaged_record()
    if damaged:
        return [{"client": "", "settings": "", "problem": damaged.what, "next": damaged.step}]
    return [
        {
            "client": client.name,
            "settings": str(path),
            "problem": trouble.what,
            "next": trouble.step,
        }
        for client, path, trouble in in_force.everywhere()
    ]


def _clients(facts: dict[str, Any]) -> list[str]:
    """Put registrations that are not in force into words; return the name of that fact."""
    found = facts["clients"]
    if not found:
        return []
    facts["clients"] = " ".join(one["problem"] for one in found)
    facts.setdefault("next", found[0]["next"])
    return ["clients"]


def _incidents(facts: dict[str, Any]) -> list[str]:
    """Put incidents since the start into words; return the names of those facts."""
    facts["incidents"] = "; ".join(map(sentence, facts.get("incidents") or ()))
    facts["suspended"] = ", ".join(facts.get("suspended") or ())
    if facts["incidents"]:
        facts["next"] = "hookd daemon logs -n 50, which has details"
    if facts["suspended"]:
        facts["next"] = "hookd restart resumes the suspended policies; hookd doctor has the reason"
    return [name for name in ("suspended", "incidents") if facts[name]]


def _by_scope(choices: dict[str, str]) -> str:
    """Return the choices in one line: one word if they are equal in all scopes."""
    if len(set(choices.values())) <= 1:
        return next(iter(choices.values()), "")
    return ", ".join(f"{name}: {choice}" for name, choice in choices.items())


def _report_absent(state: State, facts: dict[str, Any], as_json: bool) -> None:
    ended = state in (State.NONE, State.DEAD)
    stop = stop_marker.read(paths.paths().stopped) if ended else None
    waiting = spooled_missed_events(paths.paths().unjudged)
    if as_json:
        output.show_json(facts | _stopped(stop) | waiting)
        return
    problem = absent(state)
    upgrade = "; ".join(one["text"] for one in facts.pop("upgrade"))
    facts["upgrade"] = upgrade and f"{upgrade}; hookd install updates them"
    _waking(facts)
    shown = {name: value for name, value in facts.items() if value and name != "installed"}
    for name in ("noVerdict", "shim"):
        if facts[name]:
            shown[name] = _by_scope(facts[name])
    if stop:
        shown["stopped"] = f"since {local_time(stop.at.isoformat())}" if stop.at else "yes"
    shown |= {name: summary["text"] for name, summary in waiting.items() if summary}
    step = "hookd install, which repairs the hooks" if facts["shimProblem"] else problem.step
    output.show_facts(shown | {"next": step}, problem.message)


Summaries = dict[str, dict[str, Any] | None]
"""Missed events by key: `unjudged`, `withoutDaemon` (judged without it), `hooksWarn`."""


def recorded_missed_events(now: str | None) -> Summaries:
    """Return the missed events of the last days that the daemon has imported."""
    try:
        asked = {"since": args.timestamp(f"{unjudged.REPORT_DAYS}d", now)} if now else {}
        rows = call("daemon.unjudged", asked).get("unjudged", [])
    except Problem:
        rows = []
    return _summaries([_missed(row) for row in rows])


def spooled_missed_events(spool: Path) -> Summaries:
    """Return the missed events that shims have recorded for the next daemon."""
    if not unjudged_spool.waits(spool):
        return _summaries(())
    try:
        lines = unjudged_spool.read(spool, 0)
        changed = datetime.fromtimestamp(spool.stat().st_mtime, UTC)
    except OSError:
        return _summaries(())
    at = changed.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return _summaries(
        unjudged.parse(
            lines.decode("ascii", "replace"), at, full=len(lines) >= unjudged.MAX_FILE_BYTES
        )
    )


def _missed(row: dict[str, Any]) -> unjudged.Missed:
    more = bool(row["more"])
    return unjudged.Missed(
        row["event"], row["reason"], row["count"], row["firstAt"], row["lastAt"], more
    )


def _summaries(missed: Sequence[unjudged.Missed]) -> Summaries:
    lost, judged = unjudged.split(missed)
    warned = [one for one in missed if one.warned]
    return {
        "unjudged": _summed(lost, unjudged.missed_summary(lost, local_time)) if lost else None,
        "withoutDaemon": _summed(judged, unjudged.judged_summary(judged, local_time))
        if judged
        else None,
        "hooksWarn": _summed(warned, unjudged.warnings(warned)) if warned else None,
    }


def _summed(missed: Sequence[unjudged.Missed], text: str) -> dict[str, Any]:
    last = max(missed, key=lambda one: one.last)
    return {
        "count": sum(one.count for one in missed),
        "atLeast": any(one.more for one in missed),
        "first": min(one.first for one in missed),
        "last": last.last,
        "reason": last.reason,
        "text": text,
    }
