"""Tests of the sets and tables that are derived from the catalogue."""

from hookd.programs.catalogue import by_program, flags_of, rules, with_trait
from hookd.programs.model import Launch


def test_programs_with_one_of_several_traits() -> None:
    shells = with_trait("shell")
    assert {"sh", "bash", "zsh"} <= shells
    assert with_trait("shell", "evaluates") == shells | {"eval", "source", ".", "exec"}


def test_flags_of_each_name_of_a_program() -> None:
    flags = flags_of(lambda program: program.saves)
    assert flags["sort"] == ("-o", "--output")
    assert "cat" not in flags


def test_a_field_of_each_name_of_a_program() -> None:
    launches = by_program(lambda program: program.launch)
    assert launches["npm"].verbs == "exec x"
    assert launches["corepack"] == Launch("")
    assert "sudo" not in launches


def test_rules_are_listed_with_their_programs() -> None:
    found = [names for names, _, rule in rules() if rule.id == "terraform.destroy"]
    assert found == ["terraform tofu", "terragrunt terramate"]
