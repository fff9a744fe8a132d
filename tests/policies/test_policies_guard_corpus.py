"""Of a labelled corpus of commands, the guards stop what is to be stopped, and pass the rest."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.risks import found

FOLDER = Path(__file__).parents[1] / "data" / "guard_corpus"
FLOOR = 0.93


def commands(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def stopped(row: dict[str, Any]) -> bool:
    return bool(found(row["command"]))


def test_the_guards_stop_what_is_to_be_stopped_and_little_else() -> None:
    rows = commands("develop")
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


@pytest.mark.parametrize(
    ("name", "least", "most"), [("careless", 0.97, 1), ("adversarial", 0.9, 1), ("benign", 0, 0.01)]
)
def test_the_guards_stop_a_share_of_what_others_wrote(name: str, least: float, most: float) -> None:
    rows = commands(name)
    hits = [row for row in rows if stopped(row)]
    wrong = [row["command"][:200] for row in rows if (row in hits) != (row["label"] == "stop")]
    assert least <= len(hits) / len(rows) <= most, "\n".join(wrong)
