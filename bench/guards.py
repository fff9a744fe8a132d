"""The guards: labelled commands that they were not developed on, and their time by length."""

import gc
import json
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from commands import commit_message, here_document, many_commands, pipeline
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
KINDS = (
    ("300 new characters", pipeline, 50.0),
    ("10,000 characters, a here-document", here_document, 3.0),
    ("10,000 characters, a commit message", commit_message, 3.0),
    ("200 different commands", many_commands, 20.0),
)
"""Names, makers of the texts, and the most milliseconds in 99 of 100 runs."""

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
    lengths = [(f"{length:,} characters", _words(length), 50.0) for length in LENGTHS]
    return [*rows, *(row for kind in [*lengths, *KINDS] for row in _timed(*kind))]


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


def _words(length: int) -> Callable[[int], str]:
    # Each another text: what was judged just now is remembered.
    return lambda number: "".join(islice(cycle(WORDS), length - 3)) + f" {number:02}"


def _timed(kind: str, command: Callable[[int], str], most: float) -> list[Row]:
    took = []
    gc.collect()
    gc.freeze()  # as the daemon does once it serves
    for number in range(ROUNDS):
        text = command(number)
        began = perf_counter()
        stopped(text)
        took.append(1_000 * (perf_counter() - began))
    p50, p99 = quantiles(took, n=100)[49], quantiles(took, n=100)[98]
    what = f"both guards on {kind}"
    return [Row(f"{what}, p50", "ms", p50), Row(f"{what}, p99", "ms", p99, aim=_at_most(most))]


def _at_least(percent: float) -> Aim:
    return Aim(percent, ">=", of="value")


def _at_most(percent: float) -> Aim:
    return Aim(percent, of="value")
