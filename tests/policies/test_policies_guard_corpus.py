"""Of a labelled corpus of commands, the guards stop what is to be stopped, and pass the rest."""

import json
from pathlib import Path
from typing import Any

from support.risks import found

CORPUS = Path(__file__).parents[1] / "data" / "guard_corpus" / "develop.jsonl"
FLOOR = 0.93


def stopped(row: dict[str, Any]) -> bool:
    return bool(found(row["command"]))


def test_the_guards_stop_what_is_to_be_stopped_and_little_else() -> None:
    rows = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
    hits = [row for row in rows if stopped(row)]
    true = [row for row in hits if row["label"] == "stop"]
    missed = [row for row in rows if row["label"] == "stop" and row not in true]
    needless = [row for row in hits if row["label"] == "pass"]
    recall = len(true) / (len(true) + len(missed))
    precision = len(true) / len(hits)
    wrong = "\n".join(
        f"{'missed' if row in missed else 'needless'} {row['kind']}: {row['command'][:200]}"
        for row in (*missed, *needless)
    )
    assert recall >= FLOOR, wrong
    assert precision >= FLOOR, wrong
