"""How results look: on a terminal, in a pipe, and as JSON."""

import json
import os
import pty
import re
import struct
import subprocess
import sys
from fcntl import ioctl
from termios import TIOCSWINSZ
from typing import Any

import pytest

from hookd.cli.lib import output
from hookd.cli.lib.output import Column
from hookd.display.amounts import percent

COLUMNS = [
    Column("agent", "agent"),
    Column("status", "status", firm=True, styles={"working": "green"}),
    Column("context", "context", percent, firm=True, right=True),
    output.moment("last seen", "lastSeen"),
]
ROWS: list[dict[str, Any]] = [
    {"agent": "ana", "status": "working", "context": 0.914, "lastSeen": "2026-01-31T08:00:00.123Z"},
    {"agent": "日本", "status": "idle", "context": None, "lastSeen": None},
]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def shown(capsys: pytest.CaptureFixture[str], rows: Any, *, as_json: bool = False) -> str:
    output.show(rows, COLUMNS, as_json=as_json, empty="Nobody yet. Try: hookd start")
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def on_terminal(code: str, width: int, **environment: str) -> str:
    """Return what Python code prints on a terminal of this width."""
    master, slave = pty.openpty()
    ioctl(slave, TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    unset = {"NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=kept | {"TERM": "xterm-256color"} | environment,
    ) as process:
        os.close(slave)
        pieces = []
        while piece := read(master):
            pieces.append(piece)
    os.close(master)
    assert process.returncode == 0
    return b"".join(pieces).decode().replace("\r\n", "\n")


def read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:  # Linux says so where the other side is closed
        return b""


def drawn(width: int, rows: Any = ROWS, **environment: str) -> str:
    code = (
        "from hookd.cli.lib import output as table\n"
        "from hookd.cli.lib.output import Column, moment\n"
        "from hookd.display.amounts import percent\n"
        "columns = [Column('agent', 'agent'),"
        " Column('status', 'status', firm=True, styles={'working': 'green'}),"
        " Column('context', 'context', percent, firm=True, right=True),"
        " moment('last seen', 'lastSeen'), Column('id', 'id', cut=True)]\n"
        f"table.show([{{'id': 'x' * 30, **row}} for row in {rows!r}],"
        " columns, as_json=False, empty='')"
    )
    return on_terminal(code, width, **environment)


class TestPiped:
    def test_aligned_plain_text(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert shown(capsys, ROWS).splitlines() == [
            "agent  status   context  last seen",
            "ana    working      91%  2026-01-31 09:00:00+01:00",
            "日本   idle           -  -",
        ]

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        out = shown(capsys, ROWS, as_json=True)
        assert out.count("\n") == 1
        assert "日本" in out
        assert json.loads(out) == ROWS

    def test_none(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert shown(capsys, []) == "Nobody yet. Try: hookd start\n"
        assert shown(capsys, [], as_json=True) == "[]\n"

    def test_rows_may_be_sequences(self, capsys: pytest.CaptureFixture[str]) -> None:
        columns = [Column("a", 0), Column("a", 1, right=True)]
        output.show([["x", 10], ["y", 5]], columns, as_json=False, empty="")
        assert capsys.readouterr().out == "a   a\nx  10\ny   5\n"

    def test_facts(self, capsys: pytest.CaptureFixture[str]) -> None:
        facts = {"id": 3, "createdAt": "2026-01-31T08:00:00Z", "mode": None, "files": ["a"]}
        output.show_facts(facts, "Effort 3")
        assert capsys.readouterr().out.splitlines() == [
            "Effort 3",
            "  id          3",
            "  created at  2026-01-31 09:00:00+01:00",
            "  mode        -",
            '  files       ["a"]',
        ]

    def test_a_long_fact_continues_on_the_next_line(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        facts = {"problem": "The sync process does not run: nothing is sent.", "id": 3}
        monkeypatch.setenv("COLUMNS", "")
        output.show_facts(facts)
        assert len(capsys.readouterr().out.splitlines()) == 2
        monkeypatch.setenv("COLUMNS", "40")
        output.show_facts(facts)
        assert capsys.readouterr().out.splitlines() == [
            "  problem  The sync process does not",
            "           run: nothing is sent.",
            "  id       3",
        ]


class TestCells:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (None, "-"),
            ("", "-"),
            (0, "0"),
            (True, "true"),
            (1.5, "1.5"),
            ({"ä": [1]}, '{"ä": [1]}'),
            ("2026-01-31T08:00:00.000Z", "2026-01-31 09:00:00+01:00"),
            ("at 2026-01-31T08:00:00.000Z", "at 2026-01-31T08:00:00.000Z"),
            ("two\nlines\tand \x1b[2J\x9b", r"two\nlines\tand \x1b[2J\x9b"),
            ("right\u202eleft", r"right\u202eleft"),
        ],
    )
    def test_text(self, value: Any, text: str) -> None:
        assert output.text(value) == text


class TestTerminal:
    def test_wide(self) -> None:
        out = drawn(100)
        assert "\x1b[32mworking\x1b[0m" in out
        lines = [line.rstrip() for line in ESCAPE.sub("", out).splitlines()]
        assert lines[0].split() == ["agent", "status", "context", "last", "seen", "id"]
        assert set(lines[1]) == {"─"}
        assert lines[2] == "ana    working      91%  2026-01-31 09:00:00+01:00  " + "x" * 30
        assert len(lines) == 4

    def test_no_color(self) -> None:
        out = drawn(100, NO_COLOR="1")
        assert "\x1b" not in out
        assert "working" in out

    def test_narrow_tables_fold_and_cut(self) -> None:
        lines = [line.rstrip() for line in drawn(60, NO_COLOR="1").splitlines()]
        assert max(map(len, lines)) <= 60
        assert lines[2].endswith("xxx…")

    def test_the_narrowest_has_the_day_above_the_hour(self) -> None:
        rows = [row | {"agent": "a" * 20} for row in ROWS[:1]]
        lines = [line.rstrip() for line in drawn(54, rows, NO_COLOR="1").splitlines()]
        assert max(map(len, lines)) <= 54
        assert any("2026-01-31" in line and "09:00" not in line for line in lines)
        assert sum(line.count("a") for line in lines[2:]) == 20

    def test_what_does_not_fit_stands_below_each_other(self) -> None:
        lines = drawn(30, NO_COLOR="1").splitlines()
        assert lines[:2] == ["agent      ana", "status     working"]
        assert lines[3:5] == ["last seen  2026-01-31", "           09:00:00+01:00"]
        assert lines[5:8] == ["id         " + "x" * 19, "           " + "x" * 11, ""]

    def test_what_stands_below_each_other_is_folded_as_well(self) -> None:
        rows = [
            row | {"agent": "ana and the others of the house 日本日本日本日本"} for row in ROWS[:1]
        ]
        lines = drawn(30, rows, NO_COLOR="1").splitlines()
        assert lines[:2] == ["agent      ana and", "           the"]
        assert max(map(len, lines)) <= 30

    def test_text_for_people_is_folded_to_the_terminal_and_else_to_a_hundred(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code = "from hookd.cli.lib import output as table; print(table.folded('word ' * 60, 4))"
        lines = on_terminal(code, 80).splitlines()
        assert max(map(len, lines)) <= 80
        assert all(line.startswith("    word") for line in lines)
        assert max(map(len, output.folded("word " * 60).splitlines())) <= 100

    def test_text_is_no_markup(self) -> None:
        rows = [row | {"agent": "[red]a[/red] :bell:"} for row in ROWS[:1]]
        assert "[red]a[/red] :bell:" in drawn(120, rows)

    def test_very_long_cells_are_cut(self) -> None:
        rows = [row | {"agent": "a" * 5000} for row in ROWS[:1]]
        out = ESCAPE.sub("", drawn(100, rows))
        assert 350 < out.count("a") < 450

    def test_json_is_indented(self) -> None:
        out = on_terminal(
            "from hookd.cli.lib import output as table; table.show_json({'a': [1]})", 80
        )
        assert out == '{\n  "a": [\n    1\n  ]\n}\n'


STRAY = "a\x9b31m\u202eb\u200fc\x07\u2066d"


def test_json_holds_no_control_character_and_says_the_same() -> None:
    text = output.json_text({"a": STRAY, "b": "\n\x1b[2J é日"}, indent=2)
    assert (
        re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", text)
        is None
    )
    assert json.loads(text) == {"a": STRAY, "b": "\n\x1b[2J é日"}
    assert "é日" in text


def test_a_terminal_gets_no_control_character_of_a_text() -> None:
    code = (
        "from hookd.cli.lib import terminal; import click; terminal.protect()\n"
        f"click.echo({STRAY!r}); print('\\x1b[2J\\x1b]0;title\\x07 é日')\n"
        "click.secho('red', fg='red'); click.echo(terminal.CLEAR, nl=False)"
    )
    seen = on_terminal(code, 80)
    first, second, third, clear = seen.split("\n")
    assert first == r"a\x9b31m\u202eb\u200fc\x07\u2066d"
    assert second == r"\x1b[2J\x1b]0;title\x07 é日"
    assert third == "\x1b[31mred\x1b[0m"
    assert clear == "\x1b[H\x1b[2J"
