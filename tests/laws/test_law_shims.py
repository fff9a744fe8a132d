"""Laws of shims: they run under bash 3.2, and the host cannot influence them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import hookd

FOLDER = Path(hookd.__file__).parent / "shims"
SHIMS = sorted(path for path in FOLDER.iterdir() if path.is_file())
SHIM = pytest.mark.parametrize("shim", SHIMS, ids=lambda path: path.name)

LACKING = {
    "associative arrays": r"\b(?:declare|local|typeset|readonly)\s+-[a-zA-Z]*A",
    "global declarations": r"\b(?:declare|typeset)\s+-[a-zA-Z]*g",
    "name references": r"\b(?:declare|local|typeset)\s+-[a-zA-Z]*n",
    "lower and upper case": r"\$\{\w+(?:\[[^]]*\])?(?:,|\^)",
    "transformations": r"\$\{\w+(?:\[[^]]*\])?@[A-Za-z]\}",
    "negative offsets of arrays": r"\$\{\w+\[-",
    "mapfile": r"\bmapfile\b",
    "readarray": r"\breadarray\b",
    "appending both streams": r"&>>",
    "coprocesses": r"\bcoproc\b",
    "waiting for any child": r"\bwait\s+-[a-z]*[np]",
    "piping both streams": r"\|&",
    "falling through": r";;?&",
    "waiting a part of a second": r"\bread\b[^\n|;]*\s-[a-zA-Z]*t\s*(?:0?\.\d|\d+\.\d)",
    "numbers of descriptors in a variable": r"\{\w+\}[<>]",
    "printing the time": r"%\([^)]*\)T",
    "time without a process": r"\$\{?EPOCH(?:SECONDS|REALTIME)",
    "the process of a subshell": r"\$\{?BASHPID",
    "testing for a variable": r"\[\[\s+(?:!\s+)?-[vR]\s",
    "inheriting options": r"\binherit_errexit\b|\blastpipe\b|\bglobstar\b",
    "negative lengths": r"\$\{\w+:[^}]*:\s*-",
    "padded braces": r"\{0\d+\.\.",
    "better random numbers": r"\bSRANDOM\b|\bBASH_ARGV0\b",
    "a command without a fork": r"\$\{[ |]",
}
"""What bash has only since 4.0 or later: macOS ships 3.2."""


def code(shim: Path) -> str:
    """Return the shim without its comments; no `#` of its code stands after white space."""
    return re.sub(r"(?m)(?:^|\s)#.*$", "", shim.read_text("utf-8"))


def test_there_are_two_shims_and_what_one_of_them_reads() -> None:
    assert [shim.name for shim in SHIMS] == [
        "hookd-alone",
        "hookd-cold",
        "hookd-hook",
        "hookd-statusline",
    ]


@pytest.mark.parametrize("what", LACKING)
@SHIM
def test_a_shim_uses_nothing_that_bash_3_2_lacks(shim: Path, what: str) -> None:
    assert re.findall(LACKING[what], code(shim)) == []


@SHIM
def test_a_shim_reads_a_number_of_bytes_only_where_it_asked_for_the_version(shim: Path) -> None:
    lines = code(shim).splitlines()
    for number, line in enumerate(lines):
        if re.search(r"\bread\b[^\n|;]*\s-[a-zA-Z]*N", line):
            near = "\n".join(lines[max(0, number - 3) : number + 1])
            assert "BASH_VERSINFO" in near, line


@SHIM
def test_a_shim_is_started_without_what_the_host_exports(shim: Path) -> None:
    assert shim.read_text("utf-8").startswith("#!/bin/bash -p\n")
    assert shim.stat().st_mode & 0o111 == 0o111


@SHIM
def test_a_shim_needs_no_program_that_may_be_missing(shim: Path) -> None:
    assert re.findall(r"\b(?:jq|node|ruby|gawk|timeout|setsid|flock)\b", code(shim)) == []


@SHIM
def test_shellcheck_is_content_with_a_shim(shim: Path) -> None:
    tool = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([tool, shim], capture_output=True, check=False, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")


def test_what_two_shims_hold_is_the_same_in_both() -> None:
    """Reading a third file at every event would cost more than these lines."""
    found = [re.findall(r"(?ms)^quote\(\) \{\n.*?^\}\n", shim.read_text("utf-8")) for shim in SHIMS]
    assert [len(texts) for texts in found] == [0, 1, 0, 1]
    assert found[1] == found[3]


def test_the_perl_of_two_shims_is_the_same() -> None:
    found = [re.findall(r"(?s) -f -e '\n(.*?)\n}' ", shim.read_text("utf-8")) for shim in SHIMS]
    assert [len(texts) for texts in found] == [0, 0, 1, 1]
    assert found[2] == found[3]


def test_the_warm_path_is_short() -> None:
    """bash parses it at every event, comments too."""
    lines = SHIMS[2].read_text("utf-8").splitlines()
    (end,) = (n for n, line in enumerate(lines) if line.startswith("# The warm path ends here."))
    assert end <= 120


@pytest.mark.parametrize(("name", "last"), [("hookd-cold", "recover"), ("hookd-alone", "start")])
def test_a_file_that_is_sourced_ends_with_the_function_that_shows_it_is_complete(
    name: str, last: str
) -> None:
    text = (FOLDER / name).read_text("utf-8")
    assert re.findall(r"(?m)^(\w+)\(\) \{", text)[-1] == last
    assert text.endswith("\n}\n")


FORBIDDEN = [
    ("associative arrays", "declare -A map"),
    ("lower and upper case", 'x="${x,,}"'),
    ("lower and upper case", "${x^^}"),
    ("mapfile", "mapfile -t lines"),
    ("readarray", "readarray lines"),
    ("appending both streams", "run &>> log"),
    ("coprocesses", "coproc nc"),
    ("waiting for any child", "wait -n"),
    ("piping both streams", "run |& cat"),
    ("waiting a part of a second", "IFS= read -r -t 0.5 ack"),
    ("numbers of descriptors in a variable", "exec {fd}<file"),
    ("name references", "local -n ref=x"),
    ("negative lengths", "${text:1:-1}"),
    ("padded braces", "{01..10}"),
    ("better random numbers", "$SRANDOM"),
    ("a command without a fork", "${ date; }"),
]


@pytest.mark.parametrize(("what", "line"), FORBIDDEN)
def test_the_law_sees_what_it_forbids(what: str, line: str) -> None:
    assert re.search(LACKING[what], line)
