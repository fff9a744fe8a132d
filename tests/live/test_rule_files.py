"""Rules files with a real daemon: listed before trust, in force after it, kept over mistakes."""

import json
from pathlib import Path

import pytest

from hookd.core.guard_rules.rule_file import read_rules
from support import forkserver
from support.home import Home, Window, until, window_in
from support.payloads import verdict

pytestmark = pytest.mark.gate

TEXT = "rules:\n  - id: no-push\n    match: Bash(git push *)\n    deny: PULL REQUEST, PLEASE\n"


def file(window: Window, text: str = TEXT) -> Path:
    path = Path(window.project, ".hookd", "rules.yaml")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def states(window: Window) -> list[str]:
    found = window.home.rpc("guards.files", {"root": window.project})["files"]
    return [one["state"] for one in found]


def guards(window: Window) -> list[str]:
    return [one["ruleId"] for one in window.home.rpc("guards.list", {})["guards"]]


def trusts(window: Window, *more: str) -> str:
    return window.home.hookd("trust", "--yes", *more, cwd=window.project).stdout


def terminal(window: Window, *words: str, typed: str) -> tuple[int, str]:
    """Run hookd at a pseudo-terminal in the window's project."""
    return forkserver.at_a_terminal(words, window.home.env, window.project, typed)


def denied(window: Window) -> bool:
    return "PULL REQUEST" in json.dumps(window.bash("git push"))


def starts(window: Window) -> str:
    return json.dumps(window.says("SessionStart", source="startup"))


def test_rules_are_listed_before_trust_and_apply_after_it(window: Window) -> None:
    path = file(window)
    until(lambda: states(window) == ["untrusted"])
    assert not denied(window)
    said = window.says("SessionStart", source="startup")
    assert f"{path} has 1 rule that does not apply yet" in said["systemMessage"]
    assert "PULL" not in json.dumps(said)
    listed = window.home.hookd("guard", "list", cwd=window.project)
    assert "no-push" in listed.stdout
    assert "PULL" not in listed.stdout
    assert "its rule applies" in trusts(window)
    assert states(window) == ["applies"]
    assert denied(window)
    assert "apply" not in starts(window)
    listed = window.home.hookd("guard", "list", cwd=window.project)
    assert str(path) in listed.stdout
    explained = window.home.hookd("guard", "explain", "git push", cwd=window.project)
    assert f"no-push: matches (project file {path})" in explained.stdout


def test_the_version_trusted_last_applies_over_a_change_a_mistake_a_removal_and_a_restart(
    window: Window,
) -> None:
    path = file(window)
    trusts(window)
    file(window, "rules:\n  - {id: other, match: Edit, deny: OTHER}\n")
    until(lambda: states(window) == ["changed"])
    assert denied(window)
    file(window, "rules:\n  - id: other\n    deny: 3\n")
    until(lambda: states(window) == ["broken"])
    window.home.restarts()
    assert denied(window)
    place = f"{path}, line 3, column 5: deny: expected a text"
    assert place in starts(window)
    for command in ("status",), ("guard", "list"), ("doctor",):
        shown = window.home.hookd(*command, cwd=window.project, check=False)
        assert "line 3, column 5" in " ".join((shown.stdout + shown.stderr).split())
    path.unlink()
    until(lambda: states(window) == ["missing"])
    assert denied(window)
    window.home.hookd("trust", "--remove", cwd=window.project)
    assert states(window) == []
    assert not denied(window)


def test_the_user_s_file_applies_at_once_and_keeps_its_last_good_version(home: Home) -> None:
    window = window_in(home.serves())
    path = Path(home.rpc("daemon.status")["settings"]).with_name("rules.yaml")
    path.write_text(TEXT)
    until(lambda: guards(window) == ["no-push"])
    assert denied(window)
    path.write_text("rules: 3")
    until(lambda: "broken" in states(window))
    assert denied(window)
    path.unlink()
    until(lambda: guards(window) == [])
    assert not denied(window)


def test_a_team_s_file_applies_everywhere_once_it_is_trusted(home: Home) -> None:
    window = window_in(home.serves())
    path = Path(window.project).with_name("team.yaml")
    path.write_text(TEXT)
    home.settings({"rules": {"team": [str(path)]}})
    until(lambda: states(window) == ["untrusted"])
    assert not denied(window)
    home.hookd("trust", "--yes", str(path), cwd=window.project)
    assert denied(window)
    home.settings({})
    until(lambda: guards(window) == [])


def test_a_rule_of_a_file_softens_only_after_a_second_confirmation(window: Window) -> None:
    force = "git push --force origin release"
    soft = f"rules:\n  - id: soft\n    match: Bash({force})\n    ask: Why?\n    softens: true\n"
    file(window, soft)
    code, said = terminal(window, "trust", typed="y\n")
    assert code == 0, said
    assert "the built-in guards ask instead of denying only after hookd trust --loosen soft" in said
    assert "destructive-guard" in json.dumps(window.bash(force))
    assert verdict(window.bash(force))[0] == "deny"
    code, said = terminal(window, "trust", "--loosen", "soft", typed="n\n")
    assert (code, verdict(window.bash(force))[0]) == (1, "deny"), said
    code, said = terminal(window, "trust", "--loosen", "soft", "--yes", typed="y\n")
    assert (code, "Let soft spare or soften these calls" in said) == (0, True), said
    assert verdict(window.bash(force))[0] == "ask"


def test_trust_asks_at_a_terminal_and_shows_the_rules(window: Window) -> None:
    path = file(window, f"{TEXT}    denies: git push\n")
    code, said = terminal(window, "trust", typed="n\n")
    assert (code, f"{path} is not trusted with this content." in said) == (1, True), said
    assert "no-push denies Bash(git push *): PULL REQUEST, PLEASE" in said
    assert "{" not in said
    assert f"Apply these rules, and trust this content of {path}? [y/N]" in said
    assert not denied(window)
    code, said = terminal(window, "trust", typed="y\n")
    assert (code, "is trusted: its rule applies from now on." in said) == (0, True), said
    assert denied(window)
    for words in (("trust", "list"), ("trust", "--list")):
        listed = window.home.hookd(*words, cwd=window.project).stdout
        assert str(path) in listed
    rows = json.loads(window.home.hookd("trust", "--list", "--json").stdout)
    assert str(path) in [row["path"] for row in rows]


def test_a_rule_that_can_never_match_is_a_mistake_and_the_last_good_version_applies(
    window: Window,
) -> None:
    path = file(window)
    trusts(window)
    for rule, why in {
        "match: WebFetch(x.example)": "a URL begins with http:// or https://",
        "match: Read\n    changes: a/**": "changes: no call of Read changes a file",
        "match: Edit\n    except: Edit": "exempt every call",
        "match: Edit\n    deny: x\n    softens: true": "softens: only a rule that asks",
    }.items():
        text = rule if "deny:" in rule else f"{rule}\n    deny: x"
        path.write_text(f"rules:\n  - id: x\n    {text}\n")
        until(lambda: states(window) == ["broken"])
        said = window.home.hookd("status", cwd=window.project, check=False).stdout
        assert why in " ".join(said.split())
        assert "the rules that were trusted last apply" in " ".join(said.split())
        assert denied(window)
        path.write_text(TEXT)
        until(lambda: states(window) == ["applies"])


def test_an_agent_s_edit_of_the_file_is_asked_about_by_any_road(window: Window) -> None:
    path = file(window)
    for command in (
        "echo x > .hookd/rules.yaml", "sed -i s/a/b/ .hookd/rules.yaml", "mv x .hookd/rules.yaml",
        "rm -r .hookd", "cp /tmp/rules.yaml .hookd/", "git apply --directory=.hookd p.patch",
        "python3 -c \"open('.hookd/rules.yaml','w')\"", "tee .hookd/rules.yaml",
        "echo x > .hookd/commands/a.md",
    ):  # fmt: skip
        said = json.dumps(window.bash(command, cwd=window.project))
        assert "self-guard" in said, command
    for tool, field in (("Edit", "file_path"), ("Write", "file_path")):
        assert "self-guard" in json.dumps(window.calls(tool, **{field: str(path)}, content="x"))


def test_rules_of_the_database_are_exported_as_a_file_with_the_same_rules(home: Home) -> None:
    window = window_in(home.serves())
    rule = {
        "id": "x",
        "match": ["Edit"],
        "except": ["Edit(a)"],
        "deny": "two\nlines",
        "priority": 3,
    }
    home.rpc("guards.add", {"rule": rule, "scope": "user"})
    text = home.hookd("guard", "export", "--scope", "user", cwd=window.project).stdout
    assert text.startswith("# yaml-language-server: $schema=rules.schema.json\n")
    there = read_rules(text.encode())
    assert not there.problems
    stored = home.rpc("guards.list", {})["guards"][0]["rule"]
    assert json.loads(there.rules[0].text) == stored
    shown = json.loads(home.hookd("guard", "schema", cwd=window.project).stdout)
    assert "deny" in shown["$defs"]["Rule"]["properties"]


def test_a_rule_for_the_project_is_written_to_its_file_and_waits_for_a_person(home: Home) -> None:
    window = window_in(home.serves())

    def run(*words: str) -> str:
        done = home.hookd("guard", *words, cwd=window.project, check=False)
        return done.stdout + done.stderr

    path = Path(window.project, ".hookd", "rules.yaml")
    add = ("add", "x", "Bash(make deploy)", "--deny", "NO", "--scope", "project")
    assert f"by {path}" in run(*add)  # a person; there was no file
    assert "NO" in json.dumps(window.bash("make deploy"))
    path.write_text("# kept\n" + path.read_text())
    until(lambda: states(window) == ["changed"])
    said = run("add", "y", "Edit", "--ask", "SURE", "--scope", "project")
    assert "after: hookd trust" in said
    assert path.read_text().startswith("# kept\n")
    assert guards(window) == ["x"]
    trusts(window)
    assert guards(window) == ["x", "y"]
    assert "removed from" in run("remove", "x", "--scope", "project")
    assert guards(window) == ["y"]
    run("add", "z", "Edit", "--tell", "T", "--scope", "local")
    assert "z" not in path.read_text()
    assert "no longer" in run("remove", "z", "--scope", "project")  # it is not in the file
    path.write_text("rules: 3")
    assert "line 1, column 1" in run(*add)
    assert path.read_text() == "rules: 3"


def test_permission_rules_of_claude_code_are_imported_on_demand(home: Home) -> None:
    window = window_in(home.serves())
    settings = Path(window.project, ".claude", "settings.json")
    settings.parent.mkdir()
    settings.write_text('{"permissions": {"deny": ["Read(.env)"]}}')
    words = ("guard", "import", "--from-claude")
    shown = home.hookd(*words, cwd=window.project).stdout
    assert not Path(window.project, ".hookd").exists()
    assert [one.rule.id for one in read_rules(shown.encode()).rules] == ["deny-read-env"]
    home.hookd(*words, "--write", cwd=window.project)
    assert guards(window) == ["deny-read-env"]
