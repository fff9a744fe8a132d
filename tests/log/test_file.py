"""The log: one JSON object a line, without secrets, for the user alone, and it never grows."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hookd.config.models import LogOptions
from hookd.log.file import FORGOTTEN, close_log, erase_texts, open_log
from hookd.log.logger import LOG

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"

Open = Callable[..., logging.Handler]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hookd.log"


@pytest.fixture
def opened(path: Path) -> Iterator[Open]:
    handlers: list[logging.Handler] = []
    before = LOG.level, LOG.propagate

    def opening(**options: Any) -> logging.Handler:
        handlers.append(open_log(path, LogOptions(**options)))
        return handlers[-1]

    yield opening
    for handler in handlers:
        close_log(handler)
    LOG.setLevel(before[0])
    LOG.propagate = before[1]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_line_says_when_how_grave_what_and_about_what(opened: Open, path: Path) -> None:
    opened()
    LOG.warning("slow policy", extra={"about": {"policy": "heartbeat", "milliseconds": 61.2}})
    (line,) = lines(path)
    at = line.pop("at")
    assert len(at) == len("2026-01-31T08:00:00.000Z")
    assert at.endswith("Z")
    assert line == {
        "level": "warning",
        "message": "slow policy",
        "policy": "heartbeat",
        "milliseconds": 61.2,
    }


def test_a_fault_comes_with_its_traceback(opened: Open, path: Path) -> None:
    opened()
    try:
        raise ValueError("out\nof lines")
    except ValueError:
        LOG.exception("an event failed")
    (line,) = lines(path)
    assert line["level"] == "error"
    assert line["traceback"].startswith("Traceback ")
    assert line["traceback"].endswith("ValueError: out\nof lines")


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("debug", ["debug", "info", "warning", "error"]),
        ("info", ["info", "warning", "error"]),
        ("warning", ["warning", "error"]),
        ("error", ["error"]),
    ],
)
def test_what_is_less_than_the_level_is_not_written(
    level: str, expected: list[str], opened: Open, path: Path
) -> None:
    opened(level=level)
    for each in ("debug", "info", "warning", "error"):
        getattr(LOG, each)("said")
    assert [line["level"] for line in lines(path)] == expected


SAID = [
    "a plain word",
    "two\nlines\r\nand a \u2028 third",
    'a "quoted" \\ word',
    "\u00e9\U0001f600",
    "\x00\x1b[31m",
    "a lone \ud800 surrogate",
]


@pytest.mark.parametrize("text", SAID, ids=ascii)
def test_whatever_is_said_is_one_line_of_json(text: str, opened: Open, path: Path) -> None:
    opened()
    LOG.info(text, extra={"about": {"why": text}})
    raw = path.read_bytes()
    assert raw.count(b"\n") == 1
    (line,) = map(json.loads, raw.decode("utf-8").split("\n")[:-1])
    expected = text.replace("\ud800", "?")
    assert (line["message"], line["why"]) == (expected, expected)


class Thing:
    """Something that JSON cannot hold, with a secret in its words."""

    def __str__(self) -> str:
        return f"a thing with {KEY}"


SECRETS = [
    f"the key is {KEY}",
    f'the key is "{KEY}"',
    f'{{"api_key": "{KEY}"}}',
    f"--token {KEY}",
    'password="hunter2hunter2"',
    "Authorization: Bearer hunter2hunter2hunter2",
    "-----BEGIN PRIVATE KEY-----\nhunter2hunter2",
    'Cookie: session=hunter2hunter2"x',
]


@pytest.mark.parametrize("text", SECRETS)
def test_no_secret_is_logged_and_the_line_stays_json(text: str, opened: Open, path: Path) -> None:
    opened()
    LOG.info(text, extra={"about": {"why": text, "deep": [{"a": text}], "thing": Thing()}})
    try:
        raise ValueError(text)
    except ValueError:
        LOG.exception("failed: %s", text)
    assert len(lines(path)) == 2
    raw = path.read_text("utf-8")
    assert KEY not in raw
    assert "hunter2" not in raw


def test_numbers_and_nothing_stay_what_they_are(opened: Open, path: Path) -> None:
    opened()
    about = {"pid": 7, "seconds": 0.5, "ok": True, "none": None}
    LOG.info("said", extra={"about": about})
    (line,) = lines(path)
    assert {name: line[name] for name in about} == about


def test_the_log_is_the_users_alone_after_it_was_turned_too(opened: Open, path: Path) -> None:
    opened(max_bytes=10_000)
    for number in range(100):
        LOG.info("%s %s", number, "x" * 1_000)
    parts = sorted(path.parent.iterdir())
    assert [part.name for part in parts] == [
        "hookd.log",
        "hookd.log.1",
        "hookd.log.2",
        "hookd.log.3",
    ]
    assert {part.stat().st_mode & 0o777 for part in parts} == {0o600}
    assert all(part.stat().st_size <= 10_000 for part in parts)
    assert lines(path)[-1]["message"].startswith("99 ")


def test_a_log_that_stands_already_is_gone_on_with(opened: Open, path: Path) -> None:
    close_log(opened())
    first = opened()
    LOG.info("first")
    close_log(first)
    opened()
    LOG.info("second")
    assert [line["message"] for line in lines(path)] == ["first", "second"]


def test_nothing_is_logged_once_it_is_closed(opened: Open, path: Path) -> None:
    handler = opened()
    close_log(handler)
    assert handler not in LOG.handlers
    assert path.read_text() == ""


def test_a_log_that_cannot_be_written_is_an_error(path: Path) -> None:
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        open_log(path, LogOptions())


def test_texts_of_a_forgotten_session_leave_the_log(opened: Open, path: Path) -> None:
    opened()
    LOG.info("before")
    LOG.error("policy failed", extra={"about": {"policy": "x", "count": 2, "why": "a secret plan"}})
    LOG.info("named", extra={"about": {"session": "6f1f0a3e"}})
    path.with_name("hookd.log.1").write_text('no JSON of 6f1f0a3e\n{"at": "2020", "why": "old"}\n')
    assert erase_texts("6f1f0a3e", "2021", "2999") == ()
    LOG.info("after")
    assert [line["message"] for line in lines(path)] == ["before", "policy failed", "after"]
    about = {"policy": "x", "count": 2, "why": FORGOTTEN}
    assert about.items() <= lines(path)[1].items()
    assert path.with_name("hookd.log.1").read_text() == '{"at": "2020", "why": "old"}\n'
