"""Explanation of a decision: the event, each opinion with its source, user hooks, the answer.

`hookd why`, board and page show the same explanation. It is made of an event with the keys of
`events.list`, and of the rows that belong to it; texts are as stored, to be made safe where shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from shlex import quote
from typing import Any, Literal

from hookd.display.event_subject import tool_input
from hookd.display.event_text import who
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass

Row = Mapping[str, Any]

_DID = {"deny": "denied", "ask": "asked about", "allow": "allowed", "block": "blocked"}
_COMMENT = re.compile(r"\[hookd:([^\]\s]+)\]")
"""Name of a guard in a context that it added."""


@dataclass(frozen=True, slots=True)
class Judges:
    """Who evaluates events of a kind: its method, the policies, and of these the ones off here."""

    methods: Sequence[str] = ()
    policies: Sequence[str] = ()
    off: Sequence[str] = ()

    @property
    def asked(self) -> list[str]:
        """The names of those that are on."""
        return [*self.methods, *(name for name in self.policies if name not in self.off)]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a name in an opinion comes from, as a sentence.

    `change` is the command that shows or removes it; "" without one. `file` is its rules file.
    """

    name: str
    kind: Literal["policy", "guard", "removed"]
    text: str
    change: str = ""
    file: str | None = None


@dataclass(frozen=True, slots=True)
class OpinionPart:
    """One opinion. `verdict` is deny, ask, allow, defer, allowed (by an allow rule) or comment.

    `steps` are commands that change the verdict on such calls, each with what it does.
    """

    rule: str
    verdict: str
    reason: str
    context: str
    system_message: str
    sources: tuple[Source, ...]
    rule_ids: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HookRun:
    """A run of a user hook; `result` is how it ended, and what it decided."""

    hook: str
    result: str
    command: str | None
    milliseconds: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """A text that the answer gave to the model, or to the user."""

    to: Literal["model", "user"]
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """An event explained. `title` is a clause: PreToolUse, denied by destructive-guard.

    `who` is the agent, or the session; "" without one. `at` is the stored time of the event.
    `call` is the input of its tool call, empty for another event. `silence` says why there is no
    opinion; "" if there is one. `stages` are names and microseconds in their order, `slowest` the
    slowest policy. `guards` are the guard rules that apply there now.
    """

    number: int
    who: str
    at: str
    title: str
    context: Row
    call: Row
    opinions: tuple[OpinionPart, ...]
    silence: str
    steps: tuple[tuple[str, str], ...]
    hook_runs: tuple[HookRun, ...]
    guards: tuple[Source, ...]
    told: tuple[Told, ...]
    answer: Any
    duration_us: int | None
    stages: tuple[tuple[str, int], ...] = ()
    slowest: tuple[str, int] | None = None
    judges: Judges = field(default_factory=Judges)


def explain(
    event: Row,
    judges: Judges,
    guards: Sequence[Row] = (),
    runs: Sequence[Row] = (),
    told: tuple[Told, ...] = (),
) -> Explanation:
    """Explain an event.

    `guards` are all current guard rules, `runs` the hook runs on it, `told` the texts of its
    answer, by the client's adapter.
    """
    here = [guard for guard in guards if applies(guard, event)]
    opinions = tuple(_opinion(one, event, judges, here) for one in opinions_of(event))
    denies = not opinions and event["event"] == "PreToolUse" and event["answer"] is None
    step = ("deny such calls from now on", f"hookd deny {event['id']}")
    stages = dict(event["stages"] or {})
    slowest = stages.pop("policy", None)
    return Explanation(
        number=event["id"],
        who=who(event),
        at=event["at"],
        title=title(event),
        context=known(event),
        call=tool_input(event["payload"]),
        opinions=opinions,
        silence="" if opinions else silence(event, judges, here),
        steps=(step,) if denies else (),
        hook_runs=tuple(map(hook_run, runs)),
        guards=tuple(map(_guard, here)),
        told=told,
        answer=event["answer"],
        duration_us=event.get("durationUs"),
        stages=tuple(stages.items()),
        slowest=tuple(slowest) if slowest else None,
        judges=judges,
    )


def opinions_of(event: Row) -> Sequence[Row]:
    """Return the opinions that are stored with an event; empty for a silent one."""
    stored: Mapping[str, Sequence[Row]] = event["facts"] or {}
    return stored.get("opinions", ())


def title(event: Row) -> str:
    """Return what happened to an event, as a clause."""
    name = event["event"] or "an event without a name"
    if event["answer"] is None:
        passed = event["rule"] == "allow"
        return f"{name}, allowed by hookd allow" if passed else f"{name}; no decision"
    did = _DID.get(event["decision"], event["decision"])
    outcome = f"{name}, {did} by {event['rule']}" if did else f"{name}; only commented on"
    late = "; too late: the client had gone, so its fail policy applied instead"
    return f"{outcome}{late}" if event.get("lost") else outcome


def known(event: Row) -> Row:
    """Return the facts stored with the answer; for a silent event, its project and effort.

    An opinion that came later, such as a person's, is stored with a silent event alone.
    """
    now = {"project": event["project"], "effort": event["effortId"]}
    facts: Row = event["facts"] or {}
    return facts if facts.keys() - {"opinions"} else {**now, **facts}


def silence(event: Row, judges: Judges, guards: Sequence[Row]) -> str:
    """Return why an event has no opinion, in sentences. `guards` are those that apply to it now."""
    if event["answer"] is not None:
        return "The source of the decision is not stored."
    if event["rule"] == "pause":
        return "No decision: hookd was paused, and no policy was evaluated."
    if event["rule"] == "unreadable":
        return (
            "No decision: the event could not be read, and no policy was evaluated. The shim"
            " applied its fail policy, see hookd status."
        )
    asked = judges.asked
    if not asked:
        return "No decision: no policy applies to this event, it is only recorded."
    count = len(guards)
    rules = f"{count} guard {'rule applies' if count == 1 else 'rules apply'} here at present"
    applicable = f"; {rules}, see hookd guard list" if "guard-rules" in asked else ""
    others = f" Off here at present: {', '.join(judges.off)}." if judges.off else ""
    return f"No decision. Evaluated: {', '.join(asked)}{applicable}.{others}"


def applies(guard: Row, event: Row) -> bool:
    """Return whether a current rule applies in the event's project or effort."""
    context = known(event)
    if guard["scope"] == "project":
        return bool(guard["project"] == context.get("project"))
    if guard["scope"] == "effort":
        return bool(guard["effortId"] == context.get("effort"))
    return True


def judges_of(event: str, policies: Sequence[str], off: Sequence[str] = ()) -> Judges:
    """Return who evaluates events of a name, of whom `policies` are the policies."""
    return Judges((EVENTS[event].method,) if event in EVENTS else (), policies, off)


def _opinion(opinion: Row, event: Row, judges: Judges, guards: Sequence[Row]) -> OpinionPart:
    allowed = opinion.get("allowed")
    steps = []
    if opinion.get("call"):
        steps.append(("allow exactly this call", f"hookd allow {event['id']}"))
    if allowed:
        steps.append(("block it again", f"hookd allow remove {allowed}"))
    former = (event["facts"] or {}).get("guards", ())
    return OpinionPart(
        rule=opinion.get("rule") or event["event"],
        verdict=opinion.get("verdict") or ("allowed" if allowed else "comment"),
        reason=opinion.get("reason", ""),
        context=opinion.get("context", ""),
        system_message=opinion.get("systemMessage", ""),
        sources=tuple(_sources(opinion, judges.policies, guards, former)),
        rule_ids=tuple(opinion.get("ruleIds", ())),
        steps=tuple(steps),
    )


def _sources(
    opinion: Row, policies: Sequence[str], guards: Sequence[Row], former: Sequence[str]
) -> Iterator[Source]:
    """Yield the source of each name in an opinion.

    `former` are the names of the guard rules that applied to the event.
    """
    names = [*opinion.get("rule", "").split(", "), *_COMMENT.findall(opinion.get("context", ""))]
    for name in dict.fromkeys(filter(None, names)):
        matches = [guard for guard in guards if guard["ruleId"] == name]
        yield from map(_guard, matches)
        if name in policies:
            show = f"hookd policy show {name}"
            yield Source(name, "policy", f"policy {name}: description and options: {show}", show)
        elif name in former and not matches:
            yield Source(name, "removed", f"guard {name} has been removed since")


def _guard(guard: Row) -> Source:
    """Return where a guard rule applies, and the command that removes it."""
    name, scope = guard["ruleId"], guard["scope"]
    remove, file = f"hookd guard remove {name}", guard.get("source")
    if scope == "project":
        place = guard["project"]
        if file:
            text = f"guard {name} applies in {place}, by its file {file}"
            return Source(name, "guard", text, "", file)
        remove = f"{remove} --scope local --project-dir {quote(place)}"
        text = f"guard {name} applies in {place}; remove it: {remove}"
        return Source(name, "guard", text, remove)
    if scope == "effort":
        number = guard["effortId"]
        remove = f"{remove} --effort {number}"
        text = f"guard {name} applies in effort {number}; remove it: {remove}"
        return Source(name, "guard", text, remove)
    text = f"guard {name} applies everywhere; remove it: {remove}"
    return Source(name, "guard", text, remove, file)


def hook_run(run: Row) -> HookRun:
    """Return a run of a user hook, a row with the keys of `userHooks.runs`."""
    ended = run["fault"] or (None if run["exitCode"] is None else f"exit {run['exitCode']}")
    facts = [ended, run["decision"], "in the background" if run["background"] else None]
    result = ", ".join(filter(None, facts)) or "ended"
    return HookRun(run["hook"], result, run.get("command"), run.get("durationMs"))
