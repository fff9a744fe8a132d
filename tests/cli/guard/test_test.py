"""`hookd guard test`: examples of rules files and of the database, in CI and as JUnit XML."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from support.home import Home, window_in
from support.paths import ROOT

TEXT = """\
# The rules of the shop.
rules:
  - id: no-push
    match: Bash(git push *)
    deny: Open a pull request.
    denies:
      - git push origin main
      - git pull          # wrong
    allows: git status
  - id: tested
    match: Bash(git commit *)
    after: npm test
    ask: Test first?
    asks: git commit -m x
    allows:
      - call: git commit -m x
        after: npm test
  - id: style
    match: Edit(*.py)
    tell: Lines end at 100.
"""


@pytest.fixture
def project(home: Home) -> Path:
    path = home.path / "shop" / ".hookd" / "rules.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    return path.parents[1]


def run(home: Home, project: Path, *words: str, check: bool = False) -> Any:
    return home.hookd("guard", "test", *words, cwd=project, check=check)


def test_a_failure_names_file_line_rule_and_both_verdicts(home: Home, project: Path) -> None:
    done = run(home, project, "--ci")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        ".hookd/rules.yaml:8: no-push: expected: denies git pull; said: allows",
        "5 examples of 2 rules: 4 passed, 1 failed.",
        "1 rule without examples: style",
    ]
    found = json.loads(run(home, project, "--ci", "--json").stdout)
    assert (found["passed"], found["failed"], found["withoutExamples"]) == (4, 1, ["style"])
    assert found["sources"][0]["results"][1] == {
        "rule": "no-push",
        "line": 8,
        "call": "git pull",
        "expected": "denies",
        "said": "allows",
        "passed": False,
    }
    assert not home.socket.exists()
    assert not home.database.exists()


def test_examples_that_pass_end_with_0(home: Home, project: Path) -> None:
    path = project / ".hookd" / "rules.yaml"
    path.write_text(TEXT.replace("      - git pull          # wrong\n", ""))
    done = run(home, project, "--ci", check=True)
    assert done.stdout.startswith("4 examples of 2 rules: 4 passed, 0 failed.\n")
    assert "3 examples of 1 rule" not in done.stdout
    one = run(home, project, "--rule", "tested", check=True).stdout
    assert one == "2 examples of 1 rule: 2 passed, 0 failed.\n"
    assert "no guard rule 'odd'" in run(home, project, "--rule", "odd").stderr


def test_junit_xml_has_a_case_for_each_example(home: Home, project: Path) -> None:
    path = project / ".hookd" / "rules.yaml"
    path.write_text(TEXT.replace("git status", "\"git status '<&>' \\e[0m\""))
    assert run(home, project, "--ci", "--junit", "out.xml").returncode == 1
    (suite,) = ElementTree.parse(project / "out.xml").getroot()
    assert suite.attrib == {
        "name": ".hookd/rules.yaml",
        "tests": "6",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }
    cases = [(one.get("classname"), one.get("name"), one.get("line")) for one in suite]
    assert cases[1:3] == [
        ("no-push", "denies git pull", "8"),
        ("no-push", "allows git status '<&>'  [0m", "9"),
    ]
    (failure,) = suite[1]
    assert failure.get("message") == "expected: denies; said: allows"
    assert suite[-1][0].tag == "skipped"


def test_a_mistake_in_a_file_fails_with_its_place(home: Home, project: Path) -> None:
    path = project / ".hookd" / "rules.yaml"
    path.write_text(TEXT.replace("call: git commit -m x", "call: mcp__x__y(a)"))
    done = run(home, project, "--ci", "--junit", "out.xml")
    assert done.returncode == 1
    assert done.stdout.startswith(".hookd/rules.yaml:16: allows.0: write the input of mcp__x__y")
    suite = ElementTree.parse(project / "out.xml").getroot()[0]
    assert (suite.get("errors"), suite[0][0].tag) == ("1", "error")
    path.unlink()
    assert "There is no .hookd/rules.yaml in" in run(home, project, "--ci").stderr


def test_rules_of_the_database_and_of_all_files_are_tested(home: Home, project: Path) -> None:
    window = window_in(home.serves())
    push = ("add", "own", "Bash(git push *)", "--deny", "No.", "--denies", "git push")
    home.hookd("guard", *push, "--allows", "git pull")
    user = Path(home.rpc("daemon.status")["settings"]).with_name("rules.yaml")
    user.write_text("rules:\n  - {id: mine, match: Edit, deny: x, denies: Edit(a), allows: Edit}\n")
    home.ends()
    found = json.loads(run(home, Path(window.project), "--json").stdout)
    names = [(Path(one["name"]).name, one["rules"]) for one in found["sources"]]
    assert names == [("rules.yaml", ["mine"]), ("database", ["own"])]
    assert (found["passed"], found["failed"]) == (3, 1)
    assert "database" not in run(home, Path(window.project), str(user)).stdout


def test_a_database_that_cannot_be_read_is_named(home: Home, project: Path) -> None:
    (project / ".hookd" / "rules.yaml").unlink()
    home.database.write_text("no database")
    done = run(home, project)
    assert done.returncode == 1
    assert done.stdout == "database: it cannot be read, so none of its rules is tested\n"


def test_a_rule_whose_example_fails_is_not_added(home: Home, project: Path) -> None:
    home.serves()
    add = ("guard", "add", "own", "Bash(git push *)", "--deny", "No.")
    done = home.hookd(*add, "--denies", "git pull", check=False, cwd=project)
    assert done.returncode == 1
    assert "An example fails: own: expected: denies git pull; said: allows" in done.stderr
    assert home.rpc("guards.list")["guards"] == []
    (project / ".hookd" / "rules.yaml").unlink()
    more = ("--scope", "project", "--denies", "git push", "--allows", "git pull")
    home.hookd(*add, *more, cwd=project)
    text = (project / ".hookd" / "rules.yaml").read_text()
    assert "    denies:\n      - git push\n    allows:\n      - git pull\n" in text
    assert "2 examples of 1 rule: 2 passed" in run(home, project, check=True).stdout


def test_examples_are_exported_as_they_are_written(home: Home, project: Path) -> None:
    home.serves()
    rule = {
        "id": "own",
        "match": "Bash(git push *)",
        "deny": "No.",
        "denies": ["git push", {"call": "git push -f", "branch": "main"}],
    }
    home.rpc("guards.add", {"rule": rule})
    text = home.hookd("guard", "export", "--scope", "user", cwd=project).stdout
    assert (
        "    denies:\n      - git push\n      - call: git push -f\n        branch: main\n" in text
    )


def test_the_examples_of_the_guide_pass(home: Home, project: Path) -> None:
    text = (ROOT / "docs" / "guides" / "guards.md").read_text()
    block = text.partition("## Test your rules")[2].partition("```yaml\n")[2].partition("```")[0]
    (project / ".hookd" / "rules.yaml").write_text(block)
    shown = run(home, project, check=True).stdout
    assert shown == "7 examples of 2 rules: 7 passed, 0 failed.\n"
    assert f"$ hookd guard test\n{shown}" in text
