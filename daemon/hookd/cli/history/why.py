"""The home of `hookd why`: all that is kept of one event, for who reads `(hookd #4711)`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.event_format import call_of, who
from hookd.events.protocol import EVENTS

_DID = {"deny": "denied", "ask": "asked about", "allow": "allowed", "block": "blocked"}
_LONGEST = 2_000
_COMMENT = re.compile(r"\[hookd:([^\]\s]+)\]")
"""How a guard that only comments names itself."""


@click.command(
    epilog="""\b
    Examples:
      hookd why 4711
      hookd why '#4711'
      hookd why 4711 --json | jq .facts.opinions
    """
)
@click.argument("number", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def why(number: str, as_json: bool) -> None:
    """Show what an event was, who said what of it, and what the answer was.

    ID is the number in a reason: (hookd #4711).
    """
    event, policies = _event(number_of(number))
    guards = call("guards.list", {"limit": 100_000})["guards"]
    held = [one for one in guards if _holds(one, event)]
    runs = call("userHooks.runs", {"eventId": event["id"], "limit": 1_000})["runs"]
    if as_json:
        off = _off(event, policies)
        judges = [*_method(event), *(one for one in policies if one not in off)]
        output.show_json({**event, "judges": judges, "guards": held, "runs": runs})
        return
    output.show_facts(_facts(event), f"Event {event['id']}: {_outcome(event)}")
    for line in (*_opinions(event, policies, held), *_runs(runs), *_answer(event)):
        click.echo(line)


def number_of(text: str) -> int:
    """Return an event's number as people copy it: 4711, #4711, (hookd #4711)."""
    digits = text.strip("()").removeprefix("hookd").strip().removeprefix("#")
    if not digits.isdecimal() or not 0 < int(digits[:19]) < 2**63:
        raise Problem(f"{text!r} is no event's number.", "hookd events; hookd why 4711")
    return int(digits)


def _event(number: int) -> tuple[dict[str, Any], list[str]]:
    """Return the event and who is asked about events like it."""
    found = call("events.list", {"id": number, "kind": None})
    if not found["events"]:
        raise Problem(f"There is no event {number}.", "hookd events lists the last ones")
    event = found["events"][0]
    if event.get("payloadSha256"):
        whole = call("events.body", {"id": number})["payload"]
        event["payload"] = event["payload"] if whole is None else whole
    return event, found["judges"].get(event["event"], [])


def _method(event: Mapping[str, Any]) -> list[str]:
    """Return the method of the event, where the daemon has one: it speaks before the policies."""
    name = EVENTS[event["event"]].method if event["event"] in EVENTS else None
    return [one["name"] for one in call("rpc.discover")["methods"] if one["name"] == name]


def _outcome(event: Mapping[str, Any]) -> str:
    name = event["event"] or "an event without a name"
    if event["answer"] is None:
        passed = event["rule"] == "allow"
        return f"{name}, let through by hookd allow" if passed else f"{name}; nothing was said"
    did = _DID.get(event["decision"], event["decision"])
    said = f"{name}, {did} by {event['rule']}" if did else f"{name}; it was only commented on"
    late = "; too late: the client had gone, so its fail policy held instead"
    return f"{said}{late}" if event.get("lost") else said


def _facts(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return when, who, where and what."""
    known = _then(event)
    told = {
        "when": event["at"],
        "deliveries": _repeats(event),
        "who": who(event),
        "claudeSession": event["claudeSessionId"],
        "project": known.get("project"),
        "effort" if event["facts"] else "effortNow": known.get("effort"),
        "task": known.get("task"),
        "skill": known.get("skill"),
        "phase": known.get("phase"),
        "heartbeat": known.get("heartbeat") if known.get("effort") else None,
        "context": output.percent(known["contextUsage"]) if "contextUsage" in known else None,
        "kind": "a check by hookd doctor" if event["kind"] == "canary" else None,
    }
    given = call_of(event)
    about = {"call": f"{event['toolName']} {_short(given)}"} if given else {}
    about = about or {"payload": _short(event["payload"])}
    return {key: value for key, value in told.items() if value is not None} | about


def _repeats(event: Mapping[str, Any]) -> str | None:
    """Return how often the event was delivered, if more than once."""
    count = event.get("repeats")
    if not count:
        return None
    last = output.text(event["repeatedAt"])
    later = "a later one repeats" if count == 1 else f"{count} later ones repeat"
    return f"{count + 1}: {later} this event and got its answer, last at {last}"


def _then(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the facts of the answer; those of a silent event are what is known of it now."""
    now = {"project": event["project"], "effort": event["effortId"]}
    facts: Mapping[str, Any] | None = event["facts"]
    return now if facts is None else facts


def _short(value: Any) -> Any:
    """Return a value as text that a screen has room for."""
    text = output.cell(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… (whole: --json)"


def _opinions(
    event: Mapping[str, Any], policies: list[str], guards: list[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield who said what; of a silent event, who was asked."""
    known = event["facts"] or {}
    opinions, then = known.get("opinions", []), known.get("guards", [])
    if not opinions:
        yield from ("", _silence(event, policies, guards))
        return
    for one in opinions:
        verdict = one.get("verdict") or ("let through" if one.get("allowed") else "comment")
        yield from ("", f"{output.cell(one.get('rule') or event['event'])}: {verdict}")
        for key in ("reason", "context", "systemMessage"):
            for line in one.get(key, "").splitlines():
                yield f"  {output.cell(line)}"
        yield from (f"  -> {line}" for line in _sources(one, policies, guards, then))
        if one.get("call"):
            yield f"  -> let exactly this call pass: hookd allow {event['id']}"
        if one.get("allowed"):
            yield f"  -> hold it back again: hookd allow remove {one['allowed']}"


def _silence(event: Mapping[str, Any], policies: list[str], guards: list[Mapping[str, Any]]) -> str:
    if event["answer"] is not None:
        return "Who said so was not kept."
    if event["rule"] == "pause":
        return "Nothing was said: hookd was paused, and nobody was asked."
    off = _off(event, policies)
    asked = [*_method(event), *(one for one in policies if one not in off)]
    if not asked:
        return "Nothing was said: nobody is asked about this event, it is only recorded."
    count = len(guards)
    rules = f"{count} guard {'rule holds' if count == 1 else 'rules hold'} here now"
    held = f"; {rules}, see hookd guard list" if "guard-rules" in asked else ""
    others = f" Off here now: {', '.join(off)}." if off else ""
    return f"Nothing was said. These were asked: {', '.join(asked)}{held}.{others}"


def _off(event: Mapping[str, Any], policies: list[str]) -> list[str]:
    """Return which of the policies are off in the event's project, by the settings of now."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    choices = effective.read(_then(event).get("project") or str(Path.home())).choices
    return [one for one in policies if one in choices and choices[one].options.mode == "off"]


def _sources(
    opinion: Mapping[str, str],
    policies: list[str],
    guards: list[Mapping[str, Any]],
    then: Sequence[str],
) -> Iterator[str]:
    """Yield for each name in an opinion where it comes from, and how to change that.

    `then` are the guards that held when it was given.
    """
    names = [*opinion.get("rule", "").split(", "), *_COMMENT.findall(opinion.get("context", ""))]
    for name in dict.fromkeys(filter(None, names)):
        found = [one for one in guards if one["ruleId"] == name]
        yield from (_source(one) for one in found)
        if name in policies:
            yield f"policy {name}: what it does, and its options: hookd policies show {name}"
        elif name in then and not found:
            yield f"guard {output.cell(name)} has been taken away since"


def _runs(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield how each user hook ended that ran on the event."""
    if runs:
        yield from ("", "user hooks")
    for run in runs:
        ended = run["fault"] or (None if run["exitCode"] is None else f"exit {run['exitCode']}")
        said = [ended, run["decision"], "in the background" if run["background"] else None]
        end = ", ".join(filter(None, said)) or "ended"
        yield f"  {output.cell(run['hook'])}: {output.cell(end)}"


def _source(guard: Mapping[str, Any]) -> str:
    name, scope = output.cell(guard["ruleId"]), guard["scope"]
    remove = f"hookd guard remove {name}"
    if scope == "project":
        place = output.cell(guard["project"])
        return f"guard {name} holds in {place}; take it away there: {remove} --project"
    if scope == "effort":
        number = guard["effortId"]
        return f"guard {name} holds in effort {number}; take it away: {remove} --effort {number}"
    return f"guard {name} holds everywhere; take it away: {remove}"


def _holds(guard: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Return whether a rule that is set now holds where the event was."""
    known = _then(event)
    if guard["scope"] == "project":
        return bool(guard["project"] == known.get("project"))
    if guard["scope"] == "effort":
        return bool(guard["effortId"] == known.get("effort"))
    return True


def _answer(event: Mapping[str, Any]) -> Iterator[str]:
    if event["answer"] is not None:
        yield from ("", "answer", f"  {_short(event['answer'])}")
