"""`hookd why`: explain the decision on one event, such as `(hookd #4711)`."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from hookd.cli.history.event_lines import DECISIONS
from hookd.cli.lib import completions, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.core.model.client_names import client_label
from hookd.display.amounts import milliseconds, percent
from hookd.display.approval_words import state_words
from hookd.display.event_text import stage_name, who
from hookd.display.explanation import (
    Explanation,
    Judges,
    applies,
    explain,
    judges_of,
    known,
    opinions_of,
)

_MAX_CHARS = 2_000


@click.command(
    epilog="""\b
    Examples:
      hookd why                          the newest decision, of any session
      hookd why 4711
      hookd why '#4711'
      hookd why 4711 --json | jq .facts.opinions
    """
)
@click.argument("number", metavar="[ID]", required=False, shell_complete=completions.events)
@json_option()
def why(number: str | None, as_json: bool) -> None:
    """Show an event, the opinions on it, and the answer.

    ID is the number in a reason: (hookd #4711). Without it, the newest event with a decision is
    shown, whatever its session.
    """
    event, policies = _event(_newest() if number is None else number_of(number))
    guards = call("guards.list", {"limit": 100_000})["guards"]
    runs = call("userHooks.runs", {"eventId": event["id"], "limit": 1_000})["runs"]
    held = _approval(event)
    judges = _judges(event, policies, complete=as_json)
    if as_json:
        applicable = [guard for guard in guards if applies(guard, event)]
        more = {"judges": judges.asked, "guards": applicable, "runs": runs, "approval": held}
        output.show_json({**event, **more})
        return
    found = explain(event, judges, guards, runs)
    output.show_facts(_facts(event, found), f"Event {found.number}: {found.title}")
    for line in (*_opinions(found), *_runs(found), *_person(held), *_answer(event)):
        click.echo(line)


def number_of(text: str) -> int:
    """Return the number in 4711, #4711 or (hookd #4711). Raise Problem for anything else."""
    digits = text.strip("()").removeprefix("hookd").strip().removeprefix("#")
    if not digits.isdecimal() or not 0 < int(digits[:19]) < 2**63:
        raise Problem(f"{text!r} is not the number of an event.", "hookd event; hookd why 4711")
    return int(digits)


def _newest() -> int:
    """Return the number of the newest event with a decision. Raise Problem if there is none."""
    found = [
        event["id"]
        for decision in DECISIONS
        for event in call("events.list", {"decision": decision, "limit": 1})["events"]
    ]
    if not found:
        raise Problem("No event has a decision yet.", "hookd event, then hookd why ID")
    return int(max(found))


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


def _judges(event: Mapping[str, Any], policies: list[str], *, complete: bool) -> Judges:
    """Return who evaluates such events: the event's method, if the daemon has one, and policies.

    The daemon and the settings are asked only for a silent event, unless it is to be `complete`.
    """
    if opinions_of(event) and not complete:
        return Judges((), policies)
    known_methods = {method["name"] for method in call("rpc.discover")["methods"]}
    judges = judges_of(event["event"], policies, _off(event, policies))
    methods = [name for name in judges.methods if name in known_methods]
    return Judges(methods, policies, judges.off)


def _off(event: Mapping[str, Any], policies: list[str]) -> list[str]:
    """Return the policies that are off in the event's project, by the current settings."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    choices = effective.read(known(event).get("project") or str(Path.home())).choices
    return [name for name in policies if name in choices and choices[name].options.mode == "off"]


def _facts(event: Mapping[str, Any], found: Explanation) -> dict[str, Any]:
    """Return the time, the caller, the place and the call of an event."""
    context = found.context
    facts = {
        "when": event["at"],
        "deliveries": _repeats(event),
        "who": who(event),
        "client": client_label(event.get("client"), event.get("clientVersion")) or None,
        "session": event["sessionId"],
        "clientSession": event["claudeSessionId"],
        "project": context.get("project"),
        "effort" if event["facts"] else "effortNow": context.get("effort"),
        "task": context.get("task"),
        "skill": context.get("skill"),
        "phase": context.get("phase"),
        "callsSinceLog": context.get("heartbeat") if context.get("effort") else None,
        "context": percent(context["contextUsage"]) if "contextUsage" in context else None,
        **_latency(found),
        "kind": "a self test by hookd doctor" if event["kind"] == "canary" else None,
    }
    about = {"call": f"{event['toolName']} {_short(found.call)}"} if found.call else {}
    about = about or {"payload": _short(event["payload"])}
    return {key: value for key, value in facts.items() if value is not None} | about


def _latency(found: Explanation) -> dict[str, str]:
    """Return the duration of an event and of its stages; nothing if it was not measured."""
    if found.duration_us is None:
        return {}
    policy = found.slowest
    slowest = f", slowest policy {policy[0]} {milliseconds(policy[1])} ms" if policy else ""
    parts = [f"{stage_name(name)} {milliseconds(spent)}" for name, spent in found.stages]
    return {
        "took": f"{milliseconds(found.duration_us)} ms{slowest}",
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


def _short(value: Any) -> Any:
    """Return a value as text, cut to a length that fits a screen."""
    text = output.cell(value)
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}… (whole: --json)"


def _opinions(found: Explanation) -> Iterator[str]:
    """Yield each opinion with its source; for a silent event, who was asked."""
    if found.silence:
        yield from ("", output.cell(found.silence))
        yield from _steps(found.steps)
    for opinion in found.opinions:
        yield from ("", output.cell(f"{opinion.rule}: {opinion.verdict}"))
        for text in (opinion.reason, opinion.context, opinion.system_message):
            for line in text.splitlines():
                yield f"  {output.cell(line)}"
        yield from (f"  -> {output.cell(source.text)}" for source in opinion.sources)
        if opinion.rule_ids:
            yield f"  -> found by the rule {output.cell(', '.join(opinion.rule_ids))}"
        yield from _steps(opinion.steps)


def _steps(steps: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield each command with what it does."""
    yield from (f"  -> {does}: {command}" for does, command in steps)


def _approval(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the permission request that waited for a person, None if the event was none."""
    if event["event"] != "PermissionRequest":
        return None
    found = call("approvals.list", {"eventId": event["id"], "pending": None})["approvals"]
    return found[0] if found else None


def _person(held: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield how a permission request ended that waited for a person outside the client."""
    if held is not None:
        state = output.cell(state_words(held))
        yield from ("", f"request {held['id']} outside the client: {state}")


def _runs(found: Explanation) -> Iterator[str]:
    """Yield the result of each user hook that ran on the event."""
    if found.hook_runs:
        yield from ("", "user hooks")
    for run in found.hook_runs:
        yield f"  {output.cell(run.hook)}: {output.cell(run.result)}"


def _answer(event: Mapping[str, Any]) -> Iterator[str]:
    if event["answer"] is not None:
        yield from ("", "answer", f"  {_short(event['answer'])}")
