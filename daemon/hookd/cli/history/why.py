"""`hookd why`: explain the decision on one event, such as `(hookd #4711)`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from hookd.cli.lib import completions, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.event_format import call_of, milliseconds, stage_name, who
from hookd.events.protocol import EVENTS

_DID = {"deny": "denied", "ask": "asked about", "allow": "allowed", "block": "blocked"}
_MAX_CHARS = 2_000
_COMMENT = re.compile(r"\[hookd:([^\]\s]+)\]")
"""Name of a guard in a context that it added."""


@click.command(
    epilog="""\b
    Examples:
      hookd why 4711
      hookd why '#4711'
      hookd why 4711 --json | jq .facts.opinions
    """
)
@click.argument("number", metavar="ID", shell_complete=completions.events)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def why(number: str, as_json: bool) -> None:
    """Show an event, the opinions on it, and the answer.

    ID is the number in a reason: (hookd #4711).
    """
    event, policies = _event(number_of(number))
    guards = call("guards.list", {"limit": 100_000})["guards"]
    applicable = [guard for guard in guards if _applies(guard, event)]
    runs = call("userHooks.runs", {"eventId": event["id"], "limit": 1_000})["runs"]
    if as_json:
        off = _off(event, policies)
        judges = [*_method(event), *(policy for policy in policies if policy not in off)]
        output.show_json({**event, "judges": judges, "guards": applicable, "runs": runs})
        return
    output.show_facts(_facts(event), f"Event {event['id']}: {_outcome(event)}")
    for line in (*_opinions(event, policies, applicable), *_runs(runs), *_answer(event)):
        click.echo(line)


def number_of(text: str) -> int:
    """Return the number in 4711, #4711 or (hookd #4711). Raise Problem for anything else."""
    digits = text.strip("()").removeprefix("hookd").strip().removeprefix("#")
    if not digits.isdecimal() or not 0 < int(digits[:19]) < 2**63:
        raise Problem(f"{text!r} is not the number of an event.", "hookd event; hookd why 4711")
    return int(digits)


def whole_event(number: int) -> dict[str, Any]:
    """Return an event with its whole payload. Raise Problem if there is none."""
    return _event(number)[0]


def _event(number: int) -> tuple[dict[str, Any], list[str]]:
    """Return the event, and the policies that events of its kind are put to."""
    listing = call("events.list", {"id": number, "kind": None})
    if not listing["events"]:
        raise Problem(f"There is no event {number}.", "hookd event lists the last ones")
    event = listing["events"][0]
    if event.get("payloadSha256"):
        whole = call("events.body", {"id": number})["payload"]
        event["payload"] = event["payload"] if whole is None else whole
    return event, listing["judges"].get(event["event"], [])


def _method(event: Mapping[str, Any]) -> list[str]:
    """Return the event's method, if the daemon has one: it decides before the policies."""
    name = EVENTS[event["event"]].method if event["event"] in EVENTS else None
    methods = call("rpc.discover")["methods"]
    return [method["name"] for method in methods if method["name"] == name]


def _outcome(event: Mapping[str, Any]) -> str:
    name = event["event"] or "an event without a name"
    if event["answer"] is None:
        passed = event["rule"] == "allow"
        return f"{name}, allowed by hookd allow" if passed else f"{name}; no decision"
    did = _DID.get(event["decision"], event["decision"])
    outcome = f"{name}, {did} by {event['rule']}" if did else f"{name}; only commented on"
    late = "; too late: the client had gone, so its fail policy applied instead"
    return f"{outcome}{late}" if event.get("lost") else outcome


def _facts(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the time, the caller, the place and the call of an event."""
    known = _context(event)
    facts = {
        "when": event["at"],
        "deliveries": _repeats(event),
        "who": who(event),
        "claudeSession": event["claudeSessionId"],
        "project": known.get("project"),
        "effort" if event["facts"] else "effortNow": known.get("effort"),
        "task": known.get("task"),
        "skill": known.get("skill"),
        "phase": known.get("phase"),
        "callsSinceLog": known.get("heartbeat") if known.get("effort") else None,
        "context": output.percent(known["contextUsage"]) if "contextUsage" in known else None,
        **_latency(event),
        "kind": "a self test by hookd doctor" if event["kind"] == "canary" else None,
    }
    tool_input = call_of(event)
    about = {"call": f"{event['toolName']} {_short(tool_input)}"} if tool_input else {}
    about = about or {"payload": _short(event["payload"])}
    return {key: value for key, value in facts.items() if value is not None} | about


def _latency(event: Mapping[str, Any]) -> dict[str, str]:
    """Return the duration of an event and of its stages; nothing if it was not measured."""
    if event.get("durationUs") is None:
        return {}
    stages = dict(event["stages"] or {})
    policy = stages.pop("policy", None)
    slowest = f", slowest policy {policy[0]} {milliseconds(policy[1])} ms" if policy else ""
    parts = [f"{stage_name(name)} {milliseconds(spent)}" for name, spent in stages.items()]
    return {
        "took": f"{milliseconds(event['durationUs'])} ms{slowest}",
        "stages": f"{', '.join(parts)} ms",
    }


def _repeats(event: Mapping[str, Any]) -> str | None:
    """Return the count of deliveries, None for one."""
    count = event.get("repeats")
    if not count:
        return None
    last = output.text(event["repeatedAt"])
    later = "a later one repeats" if count == 1 else f"{count} later ones repeat"
    return f"{count + 1}: {later} this event and got its answer, last at {last}"


def _context(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the facts stored with the answer; for a silent event, its project and effort."""
    now = {"project": event["project"], "effort": event["effortId"]}
    facts: Mapping[str, Any] | None = event["facts"]
    return now if facts is None else facts


def _short(value: Any) -> Any:
    """Return a value as text, cut to a length that fits a screen."""
    text = output.cell(value)
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}… (whole: --json)"


def _opinions(
    event: Mapping[str, Any], policies: list[str], guards: list[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield each opinion with its source; for a silent event, who was asked."""
    stored = event["facts"] or {}
    opinions, former_guards = stored.get("opinions", []), stored.get("guards", [])
    if not opinions:
        yield from ("", _silence(event, policies, guards))
        if event["event"] == "PreToolUse" and event["answer"] is None:
            yield f"  -> deny such calls from now on: hookd deny {event['id']}"
        return
    for opinion in opinions:
        verdict = opinion.get("verdict") or ("allowed" if opinion.get("allowed") else "comment")
        yield from ("", f"{output.cell(opinion.get('rule') or event['event'])}: {verdict}")
        for key in ("reason", "context", "systemMessage"):
            for line in opinion.get(key, "").splitlines():
                yield f"  {output.cell(line)}"
        yield from (f"  -> {line}" for line in _sources(opinion, policies, guards, former_guards))
        if opinion.get("ruleIds"):
            yield f"  -> found by the rule {output.cell(', '.join(opinion['ruleIds']))}"
        if opinion.get("call"):
            yield f"  -> allow exactly this call: hookd allow {event['id']}"
        if opinion.get("allowed"):
            yield f"  -> block it again: hookd allow remove {opinion['allowed']}"


def _silence(event: Mapping[str, Any], policies: list[str], guards: list[Mapping[str, Any]]) -> str:
    if event["answer"] is not None:
        return "The source of the decision is not stored."
    if event["rule"] == "pause":
        return "No decision: hookd was paused, and no policy was evaluated."
    if event["rule"] == "unreadable":
        return (
            "No decision: the event could not be read, and no policy was evaluated. The shim"
            " applied its fail policy, see hookd status."
        )
    off = _off(event, policies)
    asked = [*_method(event), *(policy for policy in policies if policy not in off)]
    if not asked:
        return "No decision: no policy applies to this event, it is only recorded."
    count = len(guards)
    rules = f"{count} guard {'rule applies' if count == 1 else 'rules apply'} here at present"
    applicable = f"; {rules}, see hookd guard list" if "guard-rules" in asked else ""
    others = f" Off here at present: {', '.join(off)}." if off else ""
    return f"No decision. Evaluated: {', '.join(asked)}{applicable}.{others}"


def _off(event: Mapping[str, Any], policies: list[str]) -> list[str]:
    """Return the policies that are off in the event's project, by the current settings."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    choices = effective.read(_context(event).get("project") or str(Path.home())).choices
    return [name for name in policies if name in choices and choices[name].options.mode == "off"]


def _sources(
    opinion: Mapping[str, str],
    policies: list[str],
    guards: list[Mapping[str, Any]],
    former_guards: Sequence[str],
) -> Iterator[str]:
    """Yield the source of each name in an opinion, and how to change it.

    `former_guards` are the names of the guards that applied to the event.
    """
    names = [*opinion.get("rule", "").split(", "), *_COMMENT.findall(opinion.get("context", ""))]
    for name in dict.fromkeys(filter(None, names)):
        matches = [guard for guard in guards if guard["ruleId"] == name]
        yield from map(_source, matches)
        if name in policies:
            yield f"policy {name}: description and options: hookd policy show {name}"
        elif name in former_guards and not matches:
            yield f"guard {output.cell(name)} has been removed since"


def _runs(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the result of each user hook that ran on the event."""
    if runs:
        yield from ("", "user hooks")
    for run in runs:
        ended = run["fault"] or (None if run["exitCode"] is None else f"exit {run['exitCode']}")
        facts = [ended, run["decision"], "in the background" if run["background"] else None]
        result = ", ".join(filter(None, facts)) or "ended"
        yield f"  {output.cell(run['hook'])}: {output.cell(result)}"


def _source(guard: Mapping[str, Any]) -> str:
    name, scope = output.cell(guard["ruleId"]), guard["scope"]
    remove = f"hookd guard remove {name}"
    if scope == "project":
        place, directory = output.cell(guard["project"]), output.cell(quote(guard["project"]))
        if guard.get("source"):
            return f"guard {name} applies in {place}, by its file {output.cell(guard['source'])}"
        there = f"--scope local --project-dir {directory}"
        return f"guard {name} applies in {place}; remove it: {remove} {there}"
    if scope == "effort":
        number = guard["effortId"]
        return f"guard {name} applies in effort {number}; remove it: {remove} --effort {number}"
    return f"guard {name} applies everywhere; remove it: {remove}"


def _applies(guard: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Return whether a current rule applies in the event's project or effort."""
    known = _context(event)
    if guard["scope"] == "project":
        return bool(guard["project"] == known.get("project"))
    if guard["scope"] == "effort":
        return bool(guard["effortId"] == known.get("effort"))
    return True


def _answer(event: Mapping[str, Any]) -> Iterator[str]:
    if event["answer"] is not None:
        yield from ("", "answer", f"  {_short(event['answer'])}")
