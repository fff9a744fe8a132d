"""Which commands wait for a terminal, and what git is given in front."""

from typing import Any

import pytest

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policies import destructive_guard
from hookd.policies.non_interactive_env import NAME, POLICY, Options
from support.parametrize import parametrize_all


def heard(command: Any, **options: Any) -> Opinion | None:
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name="Bash",
        tool_input={"command": command, "description": "d", "timeout": 5},
        cwd="/work",
    )
    facts = Facts(options={NAME: Options(mode="enforce", **options)})
    (one,) = ask_policies([POLICY], event, facts, lambda: 0.0)
    assert one.fault is None
    return one.opinion


WAITS = [
    "vim a",
    "sudo vi /etc/hosts",
    "nano a",
    "emacs -nw a",
    "cd x && less a",
    "git log | more",
    "man ls",
    "top",
    "htop",
    "git add -p",
    "git add -i",
    "git -C x add --patch a",
    "git stash push -p",
    "git rebase -i HEAD~2",
    "git rebase --interactive main",
    "git commit",
    "git commit -a --amend",
    "git -c user.name=x commit -a",
    "git tag -a v1",
    "python",
    "python3.12",
    "node",
    "ssh web",
    "ssh -p 22 -i key ada@web",
    "npm init",
    "yarn init",
    "docker run -it ubuntu bash",
    "docker exec -u 1 -ti web sh",
    "kubectl exec -it web -- sh",
    "psql",
    "psql -h db shop",
    "mysql shop",
    "sqlite3 shop.db",
    "redis-cli",
]
GOES_ON = [
    "ls",
    "echo vim",
    "grep -r less .",
    "vim --version",
    "vim -es -c 'wq' a",
    "nvim --headless +q",
    "emacs --batch -l a.el",
    "top -b -n 1",
    "git add a",
    "git add -A",
    "git log -p",
    "git rebase main",
    "GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~2",
    "git -c core.editor=true commit",
    "git commit -m x",
    "git commit -am x",
    "git commit -F- <<'E'\nx\nE",
    "git commit --amend --no-edit",
    "git commit -C HEAD",
    "git commit --message=x",
    "git tag v1",
    "git tag -a v1 -m x",
    "python a.py",
    "python -c 'print(1)'",
    "python -m http.server",
    "python <<'E'\nprint()\nE",
    "echo 'print()' | python3",
    "ssh web ls",
    "ssh -p 22 web ls",
    "ssh -N -L 1:web:2 web",
    "ssh web <<'E'\nls\nE",
    "npm init -y",
    "npm run init",
    "docker run --rm ubuntu ls -ti",
    "docker run -d -p 80:80 web",
    "psql -c 'select 1'",
    "psql shop < dump.sql",
    "echo 'select 1' | psql shop",
    "sqlite3 shop.db 'select 1'",
    "redis-cli ping",
    "if (",
]


@parametrize_all("command", WAITS)
def test_what_waits_for_a_terminal_is_told_of_with_a_way_to_do_without(command: str) -> None:
    opinion = heard(command)
    assert opinion is not None
    assert opinion.verdict is None
    assert opinion.updated_input is None
    head, _, way = opinion.context.partition(" waits for a terminal, and there is none. ")
    assert head.startswith(f"[hookd:{NAME}] `")
    assert way.endswith(".")


@parametrize_all("command", GOES_ON)
def test_what_goes_on_by_itself_is_left_alone(command: str) -> None:
    assert heard(command) is None


def rewritten(command: Any, **options: Any) -> str | None:
    opinion = heard(command, rewrite=True, **options)
    given = opinion.updated_input if opinion else None
    assert given is None or {**given, "command": ""} == {
        "command": "",
        "description": "d",
        "timeout": 5,
    }
    return given["command"] if given else None


USUAL = (
    "export GIT_TERMINAL_PROMPT=0 GIT_EDITOR=: GIT_PAGER=cat PAGER=cat"
    " DEBIAN_FRONTEND=noninteractive CI=1; "
)


@parametrize_all(
    "command",
    ["git push", "cd x && /usr/bin/git pull", "sudo git fetch", "git commit -F- <<'E'\nx\nE"],
)
def test_git_is_given_its_variables_once(command: str) -> None:
    once = rewritten(command)
    assert once == USUAL + command
    assert rewritten(once) is None


LEFT = ("ls", "echo git", "GIT_EDITOR=vim git commit -m x", "export CI=; git push", "git push (")


@parametrize_all("command", [*LEFT, None, "", pytest.param(" " * 70_000 + "git", id="long")])
def test_what_runs_no_git_or_sets_them_itself_or_cannot_be_read_stays_as_it_is(
    command: Any,
) -> None:
    assert rewritten(command) is None


def test_a_value_is_a_value_and_nothing_is_run_of_it() -> None:
    given = rewritten("git push", variables={"GIT_EDITOR": "x; rm -rf '$HOME'"})
    assert given == """export GIT_EDITOR='x; rm -rf '"'"'$HOME'"'"''; git push"""


def test_the_guards_have_nothing_against_what_it_writes() -> None:
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name="Bash",
        tool_input={"command": rewritten("git push")},
        cwd="/work",
    )
    facts = Facts(project=Project(1, "/work"), session=Session(1, "s"))
    (one,) = ask_policies([destructive_guard.POLICY], event, facts, lambda: 0.0)
    assert one.opinion is None


@parametrize_all("variables", [{}, {"A B": "x"}, {"A;rm": "x"}, {"A": "x\ny"}, {"É": "1"}])
def test_what_is_no_variable_is_refused(variables: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="variables"):
        Options(variables=variables)


def test_another_tool_is_none_of_its_business() -> None:
    event = PreToolUse(
        hook_event_name="PreToolUse", tool_name="Write", tool_input={"command": "vim"}
    )
    assert POLICY.opine(event, Facts(), Options(mode="enforce")) is None
