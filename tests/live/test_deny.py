"""Live: a call that went through becomes a rule, shown first, for its project or its file."""

import json
import re
from pathlib import Path

from support import forkserver
from support.home import Window
from support.payloads import verdict

PUBLISH = "npm publish --tag next"


def passed(window: Window, command: str = PUBLISH) -> str:
    """Let a call pass; return the number of its event."""
    assert window.bash(command) is None
    sql = "SELECT max(id) FROM events WHERE claude_session_id = ?"
    ((number,),) = window.home.rows(sql, window.id)
    return str(number)


def deny(window: Window, *args: str, typed: str = "") -> tuple[int, str]:
    """Run `hookd deny` at a terminal."""
    env = window.home.env | window.identity
    return forkserver.at_a_terminal(("deny", *args), env, window.project, typed)


def test_a_call_becomes_a_rule_after_a_question(window: Window) -> None:
    number = passed(window, "make release")
    why = window.home.hookd("why", number, cwd=window.project).stdout
    assert f"deny such calls from now on: hookd deny {number}\n" in why
    code, said = deny(window, number, typed="n\n")
    assert (code, "Nothing was added." in said) == (1, True), said
    assert f"This rule is for you, in {window.project}:" in said
    assert "match: Bash(make release)" in said
    code, said = deny(window, f"#{number}", "--text", "A person releases.", typed="y\n")
    assert code == 0, said
    assert "deny-make-release applies now." in said
    decision, reason = verdict(window.bash("make release"))
    assert (decision, "A person releases." in reason) == ("deny", True)
    assert window.bash("make test") is None
    undo = said.rpartition("To undo it: hookd ")[2].split()
    window.home.hookd(*undo)
    assert window.bash("make release") is None


def test_the_rule_is_written_to_the_project_s_file(window: Window) -> None:
    number = passed(window, "cd a; make release")
    code, said = deny(window, number, "--ask", "--project", "--yes")
    assert code == 0, said
    path = Path(window.project, ".hookd", "rules.yaml")
    assert "  - id: ask-make-release\n    match: Bash(make release)\n" in path.read_text()
    assert "    asks:\n      - cd a; make release\n" in path.read_text()
    assert verdict(window.bash("make release"))[0] == "ask"
    tested = window.home.hookd("guard", "test", "--ci", cwd=window.project)
    assert tested.stdout == "1 example of 1 rule: 1 passed, 0 failed.\n"


def test_without_a_terminal_or_with_json_the_rule_is_only_shown(window: Window) -> None:
    number = passed(window, "make release")
    done = window.home.hookd("deny", number, check=False, cwd=window.project)
    assert (done.returncode, "add --yes" in done.stderr) == (1, True)
    assert "match: Bash(make release)" in done.stdout
    told = json.loads(window.home.hookd("deny", number, "--json", "--user").stdout)
    assert (told["added"], told["scope"]) == (False, "user")
    assert told["rule"]["match"] == "Bash(make release)"
    assert window.bash("make release") is None
    preview = window.home.hookd("deny", number, "--preview", cwd=window.project).stdout
    assert re.search(r"newly denied +[1-9]", preview), preview
    assert window.bash("make release") is None


def test_what_makes_no_rule_says_why(window: Window) -> None:
    number = passed(window, "make a && make b")
    done = window.home.hookd("deny", number, check=False)
    assert "the command runs several programs" in done.stderr
    assert "  Bash(make a)\n  Bash(make b)\n" in done.stderr
    done = window.home.hookd("deny", number, "--match", "Bash(make a)", "--yes")
    assert "deny-make-a applies now" in done.stdout
    assert verdict(window.bash("make a && make b"))[0] == "deny"
    sql = "SELECT max(id) FROM events WHERE claude_session_id = ?"
    ((denied,),) = window.home.rows(sql, window.id)
    said = window.home.hookd("deny", str(denied), check=False).stderr
    assert f"The call of event {denied} was denied already, by deny-make-a." in said
    assert "There is no event 9999999." in window.home.hookd("deny", "9999999", check=False).stderr
