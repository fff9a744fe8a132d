"""The catalogue of programs: each program once, known traits, unique rule ids."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hookd.programs.catalogue import CHECKS, PROGRAMS, rules
from hookd.programs.model import TRAITS, Check, Rule
from support.paths import ROOT

NAMES = [name for program in PROGRAMS for name in program.names.split()]
RULES = {rule.id: rule for _, _, rule in rules()}


def test_each_program_is_in_the_catalogue_once() -> None:
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []


def test_the_name_of_a_program_is_in_lower_case_as_it_is_looked_up() -> None:
    assert [name for name in NAMES if name != name.lower()] == ["GET"]  # of libwww-perl


def test_each_trait_is_described_and_used() -> None:
    used = {trait for program in PROGRAMS for trait in program.traits.split()}
    assert used == TRAITS.keys()


def test_no_program_has_a_trait_twice() -> None:
    assert all(len(set(one.traits.split())) == len(one.traits.split()) for one in PROGRAMS)


def test_no_two_rules_share_an_id() -> None:
    assert [rule for _, _, rule in rules() if RULES[rule.id] is not rule] == []


def test_an_id_is_a_program_and_a_risk() -> None:
    form = re.compile(r"[a-z0-9_]+(?:-[a-z0-9_]+)*\.[a-z0-9_]+(?:-[a-z0-9_]+)*")
    assert [one for one in RULES if form.fullmatch(one) is None] == []


DROP_INS = {
    "7zz": "7z",
    "aptitude": "apt",
    "buildah": "docker",
    "bun cnpm": "pnpm",
    "cdktf": "cdk",
    "claude-code": "claude",
    "docker-compose": "docker",
    "glab tea": "gh",
    "gopass": "pass",
    "microdnf": "dnf",
    "mcli": "mc",
    "ntl": "netlify",
    "oc k": "kubectl",
    "podman-compose": "docker-compose",
    "sail": "artisan",
    "setup.py": "setuptools",
    "terragrunt terramate": "terraform",
    "yadm": "git",
    "yay paru": "pacman",
}
"""Programs with the subcommands of another one, whose rules they share."""


def test_a_table_belongs_to_its_programs() -> None:
    """An id in a reason names the program that was called, or one with the same subcommands."""
    alike = {name: first for more, first in DROP_INS.items() for name in more.split()}
    strangers = {
        (rule.id, names)
        for names, _, rule in rules()
        if isinstance(rule, Rule)
        for own in [names.split()]
        if not {rule.id.partition(".")[0]} & {*own, *(alike.get(name) for name in own)}
    }
    assert strangers == set()


def test_each_rule_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "risk-rules.md").read_text("utf-8")
    assert [one for one in RULES if f"| `{one}` |" not in page] == []


def test_a_program_has_one_table_of_a_kind() -> None:
    for program in PROGRAMS:
        kinds = [table.kind for table in program.tables]
        assert len(set(kinds)) == len(kinds), program.names


def test_a_reason_is_a_clause_whose_subject_is_the_command() -> None:
    assert [one.reason for one in RULES.values() if not re.match(r"[a-z].*[^.]$", one.reason)] == []
    whole = re.compile(r"(?:[A-Z`].*\.)?")
    ways = [one.alternative for one in RULES.values() if isinstance(one, Rule)]
    assert [way for way in ways if whole.fullmatch(way) is None] == []


def test_each_rule_of_code_is_in_the_catalogue_and_each_check_is_used() -> None:
    package = ROOT / "daemon" / "hookd"
    files = [*(package / "risk").rglob("*.py"), *(package / "policies").glob("*_guard.py")]
    texts = {
        node.value
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    checks = {one.id for one in RULES.values() if isinstance(one, Check)}
    first = set(CHECKS.values())
    assert checks - texts - first == set()
    assert set(_rule_arguments(files)) - RULES.keys() == set()


def _rule_arguments(files: list[Path]) -> Iterator[str]:
    """Yield the texts that code passes as `rule=`, or as the second argument of `call_risk`."""
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "")
                given = [one.value for one in node.keywords if one.arg == "rule"]
                given += node.args[1:2] if name in ("call_risk", "force_risk") else []
                for value in given:
                    if isinstance(value, ast.Constant) and isinstance(value.value, str):
                        yield value.value
