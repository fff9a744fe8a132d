"""The guards: labelled commands that they were not developed on, and their time by length."""

import json
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from rows import Aim, Row

from hookd.core.evaluation.policies import PolicyAnswer, ask_policies
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.fact_requests import MissingFacts
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.identity import Identity
from hookd.events.model import PreToolUse
from hookd.policies import POLICIES

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "guard_corpus"
GUARDS = tuple(one for one in POLICIES if one.name in ("destructive-guard", "secrets-guard"))
HOME, PROJECT = "/home/me", "/home/me/work/shop"
ROUNDS = 60
LENGTHS = (10, 100, 1_000, 10_000, 60_000)
WORDS = "cd src && grep -rn 'TODO' . | sort -u > /tmp/todo.txt; npm test -- -w; git diff; "


def measure() -> list[Row]:
    """Return how many are stopped that must be, and that must not; and how long it takes."""
    corpus = [
        json.loads(line) for line in (CORPUS / "measure.jsonl").read_text("utf-8").splitlines()
    ]
    must = [stopped(one["command"]) for one in corpus if one["label"] == "stop"]
    harmless = [stopped(one["command"]) for one in corpus if one["label"] == "pass"]
    caught = 100 * sum(must) / len(must)
    needless = 100 * sum(harmless) / len(harmless)
    precise = 100 * sum(must) / (sum(must) + sum(harmless))
    rows = [
        Row("dangerous commands that the guards stop (recall)", "%", caught, aim=_at_least(85)),
        Row("harmless commands that they stop", "%", needless, aim=_at_most(10)),
        Row("of what they stop, what is dangerous (precision)", "%", precise),
    ]
    return [*rows, *(row for length in LENGTHS for row in _timed(length))]


def stopped(command: str) -> bool:
    """Whether the guards deny a command, or ask about it."""
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name="Bash",
        tool_input={"command": command},
        cwd=PROJECT,
    )
    facts = Facts(
        identity=Identity(project_dir=PROJECT),
        daemon=DaemonState(claude=f"{HOME}/.claude"),
        project=Project(1, PROJECT),
        session=Session(1, "s", project_id=1),
    )
    heard: list[PolicyAnswer] | None = None
    while heard is None:
        try:
            heard = list(ask_policies(GUARDS, event, facts, perf_counter))
        except MissingFacts as lack:  # on this disk of paper every path leads to itself
            facts = facts.with_facts({want: getattr(want, "path", None) for want in lack.requests})
    return any(one.opinion is not None and one.opinion.verdict in ("deny", "ask") for one in heard)


def _timed(length: int) -> list[Row]:
    took = []
    for number in range(ROUNDS):
        # Each another text: what was judged just now is remembered.
        command = "".join(islice(cycle(WORDS), length - 3)) + f" {number:02}"
        began = perf_counter()
        stopped(command)
        took.append(1_000 * (perf_counter() - began))
    p50, p99 = quantiles(took, n=100)[49], quantiles(took, n=100)[98]
    what = f"both guards on a command of {length:,} characters"
    return [Row(f"{what}, p50", "ms", p50), Row(f"{what}, p99", "ms", p99, aim=_in_time())]


def _at_least(percent: float) -> Aim:
    return Aim(percent, ">=", of="value")


def _at_most(percent: float) -> Aim:
    return Aim(percent, of="value")


def _in_time() -> Aim:
    return Aim(50, of="value")
