"""The guard denies what cannot be undone, asks about what is risky, and says what it holds."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import (
    ExistingPaths,
    File,
    FileText,
    GitCopy,
    MissingFacts,
    RealPath,
)
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.identity import Identity
from hookd.core.model.policy import opinion_kind
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policies.destructive_guard import NAME, POLICY, Options
from support.parametrize import parametrize_all

ROOT = "/home/me/work/shop"
FACTS = Facts(
    project=Project(1, ROOT),
    session=Session(1, "s"),
    daemon=DaemonState(claude="/home/me/.claude"),
    resolved={RealPath(ROOT): ROOT},
)


def call(tool: str, cwd: str | None = ROOT, **tool_input: object) -> PreToolUse:
    return PreToolUse(hook_event_name="PreToolUse", tool_name=tool, tool_input=tool_input, cwd=cwd)


def heard(event: PreToolUse, facts: Facts = FACTS, **options: Any) -> Opinion | None:
    """Return what the guard says, by these options."""
    given = replace(facts, options={NAME: Options(**options)})
    try:
        (one,) = ask_policies([POLICY], event, given, lambda: 0.0)
    except MissingFacts as lack:
        if {type(want) for want in lack.requests} != {ExistingPaths, GitCopy}:
            raise
        known = {
            one: one.paths if isinstance(one, ExistingPaths) else "none" for one in lack.requests
        }
        given = given.with_facts(known)
        (one,) = ask_policies([POLICY], event, given, lambda: 0.0)
    assert one.fault is None
    return one.opinion


def verdict(command: str, **options: Any) -> str:
    return opinion_kind(heard(call("Bash", command=command), **options))


def writing(path: str, real: str | None = None, root: str = ROOT, tool: str = "Write") -> str:
    """Return what is said of writing a file that leads, by links, somewhere else."""
    seen = {RealPath(path): real or path, RealPath(ROOT): root}
    field = "notebook_path" if tool == "NotebookEdit" else "file_path"
    return opinion_kind(heard(call(tool, **{field: path}), replace(FACTS, resolved=seen)))


def test_a_reason_about_files_names_the_container_once_per_window() -> None:
    inside = replace(FACTS, daemon=replace(FACTS.daemon, container="Podman"))
    for command, told in (("rm -rf ~/work", True), ("git push -f", False)):
        opinion = heard(call("Bash", command=command), inside)
        assert opinion is not None
        assert ("This is inside a container (Podman)." in opinion.reason) == told


def test_the_container_is_remembered_beside_the_attempts_of_a_window() -> None:
    inside = replace(FACTS, daemon=replace(FACTS.daemon, container="Podman"))
    first = heard(call("Bash", command="rm -rf ~/work"), inside)
    assert first is not None
    assert first.effects == (Remember(1, NAME, ["container"]),)
    told = replace(inside, policy_state={NAME: ["container"]})
    second = heard(call("Bash", command="rm -rf ~/work"), told)
    assert second is not None
    assert (second.effects, "Podman" in second.reason) == ((), False)


def test_a_reason_tells_what_is_held_why_and_what_can_be_done() -> None:
    opinion = heard(call("Bash", command="rm -rf ~/work; rm -rf src"))
    assert opinion is not None
    assert opinion.reason == (
        "destructive-guard: `rm -rf ~/work` deletes ~/work (a folder that contains the project) and"
        " everything below it. `rm -rf src` deletes src (a part of the project) and everything"
        " below it. (deletes: it cannot be undone) Ask the user to delete it: nothing restores what"
        " is outside of the project. Commit what matters in it first: nothing else can be restored."
    )


def test_a_reason_tells_of_three_dangers_and_how_many_more_there_are() -> None:
    opinion = heard(call("Bash", command="; ".join(f"rm -rf d{n}" for n in range(5))))
    assert opinion is not None
    assert "`rm -rf d2`" in opinion.reason
    assert "There are 2 more." in opinion.reason
    assert "d3" not in opinion.reason


def test_a_long_command_is_not_quoted_whole() -> None:
    opinion = heard(call("Bash", command=f"rm -rf src {'x' * 500}"))
    assert opinion is not None
    assert len(opinion.reason) < 900


@parametrize_all("command", ["if (", "x" * 70_000, "ls \0", "ls \udcff"])
def test_what_cannot_be_read_is_asked_about(command: str) -> None:
    assert verdict(command) == "ask"


@parametrize_all("tool_input", [{}, {"command": 7}, {"command": None}])
def test_a_call_of_bash_without_a_command_is_asked_about(tool_input: dict[str, object]) -> None:
    assert opinion_kind(heard(call("Bash", **tool_input))) == "ask"


def test_powershell_is_judged_by_what_its_cmdlets_do() -> None:
    assert (
        opinion_kind(heard(call("PowerShell", command="Remove-Item -Recurse -Force ~"))) == "deny"
    )
    assert opinion_kind(heard(call("PowerShell", command="ls;" * 20_000))) == "ask"
    assert heard(call("PowerShell", command="Remove-Item -Recurse dist; npm test")) is None


@parametrize_all(
    ("names", "expected"),
    [
        (("mcp__github-delete__repo", "mcp__github__delete-repo"), "ask"),
        (("mcp__github-mcp-server__get_file", "mcp__github__mcp-server-get_file"), ""),
        (("mcp__docs__search-truncate", "mcp__docs-search__truncate"), "ask"),
    ],
)
def test_a_tool_with_several_names_is_judged_by_each(names: tuple[str, str], expected: str) -> None:
    event = call(names[0], id=7).model_copy(update={"tool_readings": names[1:]})
    opinion = heard(event)
    assert (opinion.verdict if opinion else "") == expected


def test_other_tools_are_not_its_business() -> None:
    assert heard(call("Read", file_path="/etc/passwd")) is None
    assert heard(call("mcp__wiki__write_page", path="/docs/a")) is None


@parametrize_all(
    ("tool", "given", "expected"),
    [
        ("mcp__pg__query", {"sql": "DROP DATABASE prod"}, "deny"),
        ("mcp__pg__execute", {"query": "DELETE FROM users"}, "ask"),
        ("mcp__mysql__execute_sql", {"statement": "/* x */ TRUNCATE orders"}, "deny"),
        ("mcp__pg__query", {"sql": "SELECT 1; DROP TABLE users"}, "deny"),
        ("mcp__pg__query", {"sql": "DELETE FROM users WHERE id = 7"}, ""),
        ("mcp__pg__query", {"sql": "SELECT * FROM drops"}, ""),
        ("mcp__pg__query", {"sql": "/**/" * 2_000 + "x"}, ""),
        ("mcp__docs__search", {"query": "how to drop table rows"}, ""),
        ("mcp__git__git_push", {"force": True}, "ask"),
        ("mcp__git__git_push", {"force": False}, ""),
        ("mcp__pg__run", {"command": "DROP DATABASE prod"}, "deny"),
        ("mcp__x__search_code", {"query": "drop table users"}, ""),
        ("mcp__x__run", {"command": "rm", "args": ["-rf", "/"]}, "deny"),
        ("mcp__x__run", {"cmd": "rm -rf ~"}, "deny"),
        ("mcp__x__run", {"commandLine": "git push --force"}, "deny"),
        ("mcp__x__run", {"command_line": "git reset --hard"}, "ask"),
        ("mcp__x__run", {"commands": ["ls", "rm -rf /"]}, "deny"),
        ("mcp__x__run_script", {"script": "rm -rf ~"}, "deny"),
        ("mcp__proxy__call", {"tool_name": "sh", "arguments": {"cmd": "rm -rf ~"}}, "deny"),
        ("mcp__proxy__call", {"tool_name": "pg", "params": {"sql": "DROP TABLE x"}}, "deny"),
        ("mcp__proxy__call", {"tool_name": "sh", "arguments": {"cmd": "ls"}}, ""),
        ("mcp__aws__call_aws", {"cli_command": "aws s3 rb s3://x --force"}, "deny"),
        ("mcp__git__git", {"args": ["push", "--force"]}, "deny"),
        ("mcp__kubernetes__kubectl", {"args": "delete ns prod"}, "deny"),
        ("mcp__redis__execute", {"command": "FLUSHALL"}, "deny"),
        ("mcp__mongo__run", {"command": "db.dropDatabase()"}, "deny"),
        ("mcp__ide__executeCode", {"code": "import shutil; shutil.rmtree('/home/me')"}, "deny"),
        ("mcp__ide__executeCode", {"code": "!rm -rf /\nx = 1"}, "deny"),
        ("mcp__ide__executeCode", {"code": "%%bash\nrm -rf /\n"}, "deny"),
        ("mcp__ide__executeCode", {"code": "df.drop(columns=['x'])"}, ""),
        ("mcp__x__eval", {"code": "require('fs').rmSync('/', {recursive: true})"}, "deny"),
        ("mcp__sandbox__run", {"code": "rm -rf /", "language": "bash"}, "deny"),
        ("mcp__browser__evaluate", {"script": "() => document.title"}, ""),
        ("mcp__browser__evaluate", {"code": "() => {"}, ""),
        ("mcp__x__run", {"script": "if ("}, ""),
        ("mcp__x__run", {"command": "if ("}, "ask"),
        ("mcp__x__describe", {"args": "a b", "command": "ls"}, ""),
        ("mcp__slack__post", {"text": "rm -rf /", "args": [7]}, ""),
    ],
)
def test_statements_that_a_server_is_given_are_judged(
    tool: str, given: dict[str, Any], expected: str
) -> None:
    assert opinion_kind(heard(call(tool, **given))) == expected


@parametrize_all(
    ("tool", "given", "expected"),
    [
        ("mcp__neon__delete_project", {"id": "x"}, "ask"),
        ("mcp__supabase__reset_branch", {"id": "x"}, "ask"),
        ("mcp__supabase__merge_branch", {"id": "x"}, "ask"),
        ("mcp__github__merge_pull_request", {"number": 7}, "ask"),
        ("mcp__mongo__dropCollection", {"name": "users"}, "ask"),
        ("mcp__redis__flushdb", {}, "ask"),
        ("mcp__notion__API-delete-a-block", {"id": "x"}, "ask"),
        ("mcp__wiki__deletePage", {"path": "docs/a"}, "ask"),
        ("mcp__jira__issue", {"action": "delete", "id": "A-1"}, "ask"),
        ("mcp__http__request", {"method": "DELETE", "url": "https://x.io/a"}, "ask"),
        ("mcp__proxy__call", {"tool_name": "delete_project", "arguments": {"id": 1}}, "ask"),
        ("mcp__proxy__call", {"params": {"operation": "reset"}}, "ask"),
        ("mcp__jira__issue", {"action": "get", "id": "A-1"}, ""),
        ("mcp__http__request", {"method": "GET", "url": "https://x.io/delete"}, ""),
        (
            "mcp__x__plan",
            {"action": "plan how to delete the old rows of a table, then do it all"},
            "",
        ),
        ("mcp__x__purge_cache", {"dry_run": True}, ""),
        ("mcp__x__list_deleted", {}, ""),
        ("mcp__x__get_reset_status", {}, ""),
        ("mcp__x__preview_merge", {}, ""),
        ("mcp__delete_tools__list", {}, ""),
        ("mcp__github__create_issue", {"title": "delete this"}, ""),
        ("mcp__fs__delete_file", {"path": "/tmp/x"}, ""),
        ("mcp__fs__delete_file", {"path": f"{ROOT}/build/x"}, ""),
        ("mcp__fs__delete_file", {"path": "/home/me/.bashrc"}, "ask"),
        ("DeleteTool", {"id": "x"}, ""),
    ],
)
def test_a_tool_is_asked_about_by_its_name(tool: str, given: dict[str, Any], expected: str) -> None:
    assert opinion_kind(heard(call(tool, **given))) == expected


def test_a_file_of_statements_is_read_where_it_is_at_hand() -> None:
    path = f"{ROOT}/a.sql"
    event = call("Bash", command="psql -f a.sql")
    with pytest.raises(MissingFacts) as missing:
        heard(event)
    (request,) = missing.value.requests
    assert request == FileText(path, ROOT)
    for text, whole, expected in (
        ("DROP TABLE users", True, "ask"),
        ("SELECT 1", True, ""),
        ("SELECT 1", False, "ask"),
    ):
        read = replace(FACTS, resolved={**FACTS.resolved, request: File(path, text, "", whole)})
        assert opinion_kind(heard(event, read)) == expected
    absent = replace(FACTS, resolved={**FACTS.resolved, request: None})
    opinion = heard(event, absent)
    assert opinion is not None
    assert "runs the statements of a.sql, which cannot be read" in opinion.reason


def test_a_reason_names_the_kind_of_the_risk_that_denies() -> None:
    """An unknown word may be denied as another kind: only what is certain is named."""
    for command in ("rm -rf /$X; git push --force", "git push -f; rm -rf ~/$X"):
        opinion = heard(call("Bash", command=command))
        assert opinion is not None
        assert "(force-push: it cannot be undone)" in opinion.reason


def test_secrets_are_left_to_their_own_guard() -> None:
    assert verdict("cat ~/.ssh/id_rsa") == ""
    assert verdict("cat .env; rm -rf src") == "ask"


def test_what_is_allowed_by_a_pattern_passes_as_a_whole_or_not_at_all() -> None:
    allow = ("Bash(rm -rf legacy/*)", "Write(/srv/*)")
    assert verdict("rm -rf legacy/x", allow=allow) == ""
    assert verdict("rm -rf legacy/x && rm -rf src", allow=allow) == "ask"
    assert opinion_kind(heard(call("Write", file_path="/srv/a"), allow=allow)) == ""


def test_a_kind_can_be_let_through() -> None:
    assert verdict("rm -rf src", ignore=("deletes",)) == ""
    assert verdict("rm -rf src; git reset --hard", ignore=("deletes",)) == "ask"


def test_further_scratch_folders_can_be_named() -> None:
    assert verdict("rm -rf /data/scratch/x") == "deny"
    assert verdict("rm -rf /data/scratch/x", scratch=("/data/scratch/",)) == ""


@parametrize_all(
    "options",
    [{"allow": ["Bash("]}, {"scratch": ["tmp"]}, {"scratch": ["/"]}, {"ignore": ["everything"]}],
)
def test_an_option_that_means_nothing_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Options(**options)


def test_one_strike_denies_once_and_lets_the_second_attempt_through() -> None:
    event = call("Bash", command="rm -rf src")
    first = heard(event, one_strike=True)
    assert first is not None
    assert first.verdict == "deny"
    assert first.reason.startswith("[block: one-strike] ")
    assert first.reason.endswith("Repeat the call to run it.")
    (kept,) = first.effects
    assert isinstance(kept, Remember)
    assert not kept.lasts
    tried = replace(FACTS, policy_state={NAME: kept.value})
    assert heard(event, tried, one_strike=True) is None
    assert (
        opinion_kind(heard(call("Bash", command="rm -rf tests"), tried, one_strike=True)) == "deny"
    )
    elsewhere = call("Bash", f"{ROOT}/web", command="rm -rf src")
    assert opinion_kind(heard(elsewhere, tried, one_strike=True)) == "deny"


ONE_STRIKE = [
    *["rm -r src", "rm -f *", "git reset --hard", "git clean -f"],
    *["git checkout .", "git restore .", "git stash drop"],
]


@parametrize_all("command", ONE_STRIKE)
def test_one_strike_holds_back_what_is_risky_in_a_workflow(command: str) -> None:
    assert verdict(command, one_strike=True) == "deny"


@parametrize_all(
    "command",
    [
        *["git stash list", "git restore --staged .", "git reset --soft HEAD~1"],
        *["cat <<'E' > notes.md\nrm -rf src\nE", "git commit -m 'rm -rf src'"],
    ],
)
def test_one_strike_passes_what_only_looks_like_it(command: str) -> None:
    assert verdict(command, one_strike=True) == ""


def test_one_strike_never_lets_through_what_cannot_be_undone() -> None:
    event = call("Bash", command="rm -rf ~")
    for _ in range(2):
        opinion = heard(event, one_strike=True)
        assert opinion is not None
        assert opinion.verdict == "deny"
        assert not opinion.effects


def test_one_strike_asks_where_nothing_can_be_kept() -> None:
    facts = replace(FACTS, session=None)
    assert opinion_kind(heard(call("Bash", command="rm -rf src"), facts, one_strike=True)) == "ask"


def test_a_window_keeps_a_bounded_number_of_attempts() -> None:
    facts = replace(FACTS, policy_state={NAME: [str(n) for n in range(100)]})
    opinion = heard(call("Bash", command="rm -rf src"), facts, one_strike=True)
    assert opinion is not None
    (kept,) = opinion.effects
    assert isinstance(kept, Remember)
    assert len(kept.value) == 64


@parametrize_all("state", [None, "x", {"a": 1}, 7])
def test_a_strange_state_is_as_good_as_none(state: object) -> None:
    facts = replace(FACTS, policy_state={NAME: state})
    assert opinion_kind(heard(call("Bash", command="rm -rf src"), facts, one_strike=True)) == "deny"


@parametrize_all("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
def test_a_file_tool_is_judged_by_what_it_writes(tool: str) -> None:
    assert writing(f"{ROOT}/a", tool=tool) == ""
    assert writing("/tmp/a", tool=tool) == ""
    assert writing("/etc/a", tool=tool) == "deny"
    assert writing("/home/me/.bashrc", tool=tool) == "ask"
    assert writing(f"{ROOT}/.git/config", tool=tool) == "ask"


def test_a_link_is_judged_by_where_it_leads() -> None:
    assert writing(f"{ROOT}/link", real="/etc/hosts") == "deny"
    assert writing(f"{ROOT}/link", real=f"{ROOT}/src/a") == ""


def test_a_project_that_is_reached_by_a_link_is_still_the_project() -> None:
    assert writing(f"{ROOT}/a", real="/data/shop/a", root="/data/shop") == ""


def test_where_a_file_leads_is_looked_up_together_with_the_project() -> None:
    facts = replace(FACTS, resolved={})
    with pytest.raises(MissingFacts) as unseen:
        POLICY.opine(call("Write", file_path=f"{ROOT}/a"), facts, Options())
    assert unseen.value.requests == (RealPath(f"{ROOT}/a"), RealPath(ROOT))


def test_the_client_may_keep_its_own_notes() -> None:
    assert writing("/home/me/.claude/plans/a.md") == ""
    assert writing("/home/me/.claude/plans/../settings.json") == "ask"
    assert writing("/home/me/.claude/settings.json") == "ask"


def test_a_file_tool_without_a_file_is_asked_about() -> None:
    assert opinion_kind(heard(call("Write", content="x"))) == "ask"


def test_a_folder_that_the_user_has_added_is_worked_in() -> None:
    facts = replace(FACTS, session=Session(1, "s", added_dirs=("/srv/lib",)))
    assert opinion_kind(heard(call("Bash", command="rm -rf /srv/lib/src"), facts)) == "ask"
    assert opinion_kind(heard(call("Bash", command="rm -f /srv/lib/a.py"), facts)) == ""


def test_the_home_is_where_the_client_says_it_is() -> None:
    elsewhere = replace(
        FACTS, identity=Identity(home="/srv/ada"), daemon=DaemonState(claude="/etc/c")
    )
    assert opinion_kind(heard(call("Bash", command="rm -rf ~/a/b"), elsewhere)) == "deny"
    inside = replace(elsewhere, project=Project(1, "/srv/ada/shop"))
    event = call("Bash", cwd="/srv/ada/shop", command="rm -rf ~/shop/dist")
    assert opinion_kind(heard(event, inside)) == ""
    without = replace(inside, identity=Identity())
    assert opinion_kind(heard(event, without)) == "deny"


def test_without_a_project_the_folder_at_hand_stands_for_it() -> None:
    facts = Facts(session=Session(1, "s"))
    assert opinion_kind(heard(call("Bash", "/work/x", command="rm -rf src"), facts)) == "ask"
    assert opinion_kind(heard(call("Bash", None, command="rm -rf /srv/x"), facts)) == "deny"


def test_in_mode_warn_it_only_tells() -> None:
    opinion = heard(call("Bash", command="rm -rf ~"), mode="warn")
    assert opinion is not None
    assert opinion.verdict is None
    assert opinion.context.startswith("[hookd:destructive-guard] ")


def second(first: PreToolUse, then: PreToolUse) -> str:
    """Return what is said of a call after another one was tried, with one strike."""
    opinion = heard(first, one_strike=True)
    assert opinion is not None
    kept = [effect.value for effect in opinion.effects if isinstance(effect, Remember)]
    facts = replace(FACTS, resolved=SEEN, policy_state={NAME: kept[0]} if kept else {})
    return opinion_kind(heard(then, facts, one_strike=True))


BASHRC = "/home/me/.bashrc"
SEEN = {RealPath(ROOT): ROOT, RealPath(BASHRC): BASHRC}


def test_one_strike_lets_the_very_same_call_through_and_no_other() -> None:
    first = call("Write", file_path=BASHRC, content="a")
    assert second(first, first) == ""
    assert second(first, call("Write", file_path=BASHRC, content="b")) == "deny"
    assert second(first, call("Edit", file_path=BASHRC, old_string="a", new_string="b")) == "deny"


@parametrize_all("command", ["if (", 'eval "$(cat x)"', "ls " + "x" * 70_000])
def test_one_strike_never_lets_through_what_cannot_be_read(command: str) -> None:
    event = call("Bash", command=command)
    assert second(event, event) == "ask"


def test_what_is_allowed_is_neither_more_flags_nor_another_folder() -> None:
    allow = ("Bash(rm -rf legacy/*)", "Bash(git push --force origin *)")
    assert verdict("rm -rf legacy/../../..", allow=allow) == "deny"
    assert verdict("git push --force --mirror origin x", allow=allow) == "deny"
    assert verdict("git push --force origin x", allow=allow) == ""


def test_where_something_is_sure_the_guesses_are_left_out() -> None:
    opinion = heard(call("Bash", command='rm -rf ~; rm -rf "$X"; if ('))
    assert opinion is not None
    assert "$X" not in opinion.reason
    assert "cannot be analyzed" not in opinion.reason


@parametrize_all(
    ("command", "hidden"),
    [
        ("mysql -phunter22 -e 'drop database x'", "hunter22"),
        ("git push -f https://u:hunter22@example.com/o/r", "hunter22"),
        ("rm -rf '\x1b[2J'", "\x1b"),
        ("rm -rf $'\\u202e'", "\u202e"),
    ],
)
def test_a_reason_shows_no_secret_and_no_sign_that_acts(command: str, hidden: str) -> None:
    opinion = heard(call("Bash", command=command))
    assert opinion is not None
    assert hidden not in opinion.reason


def test_any_tool_that_takes_a_command_is_judged_by_it() -> None:
    assert opinion_kind(heard(call("Monitor", command="rm -rf ~"))) == "deny"
    assert opinion_kind(heard(call("mcp__x__start_process", command=["rm", "-rf", "/"]))) == "deny"
    assert heard(call("mcp__x__start_process", command="d=$(mktemp -d); rm -rf $d")) is None
    assert opinion_kind(heard(call("mcp__fs__delete", path="/home/me"))) == "ask"


def test_what_stands_beside_the_notes_of_a_repository_is_no_note() -> None:
    assert writing(f"{ROOT}/.git/info/exclude") == ""
    assert writing(f"{ROOT}/.git/info/../hooks/pre-commit") == "ask"
    assert writing(f"{ROOT}/.git/COMMIT_EDITMSG/../hooks/x") == "ask"


REASONS = {
    'rm -rf "$OUT"/*': (
        "deletes $OUT/* (a place that is not known from the text) and everything below it, from the"
        " root of the file system if OUT is empty.",
        "Name the folder; `${OUT:?}` stops if the variable is empty.",
    ),
    "mv src /tmp/x && rm -rf /tmp/x": (
        "`rm -rf /tmp/x` deletes src (a part of the project), which is moved there before.",
        "Commit it first: a move to a temporary folder does not keep it.",
    ),
    "shred notes.txt": (
        "overwrites notes.txt (a part of the project).",
        "Ask the user: no program restores what shred has overwritten.",
    ),
    "dscl . -delete /Users/ada": (
        "deletes an entry of a user or a group.",
        "Only the user should change accounts.",
    ),
    "spctl --master-disable": (
        "changes the protection of the system.",
        "Only the user should change it.",
    ),
    "find . -name '*.ts' -exec rm {} +": (
        "deletes what it finds below . (the whole project).",
        "Without -exec it lists them.",
    ),
    "rsync -a --delete empty/ src/": (
        "deletes what the source does not have in src/ (a part of the project).",
        "`--dry-run` lists what would be deleted.",
    ),
    "chown me ~/x": (
        "changes the owner of ~/x (outside of the project).",
        "Only the user should change this outside of the project.",
    ),
}


@parametrize_all(("command", "parts"), list(REASONS.items()))
def test_reasons_about_files_name_the_part_and_a_way_that_is_safe(
    command: str, parts: tuple[str, str]
) -> None:
    opinion = heard(call("Bash", command=command))
    assert opinion is not None
    assert parts[0] in opinion.reason
    assert parts[1] in opinion.reason


@parametrize_all("command", [*REASONS, "rm -rf src", "rm -rf ~/x", "git clean -fdx", "mv * /tmp/"])
def test_no_reason_leads_around_the_guard(command: str) -> None:
    opinion = heard(call("Bash", command=command))
    assert opinion is not None
    assert "below /tmp" not in opinion.reason
    assert "single files by name" not in opinion.reason
