"""Which files the guard of paths keeps whom from."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import opinion_kind
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policies.path_guard import NAME, POLICY, Options
from support.paper_disk import Disk, looked
from support.parametrize import parametrize_all

SHOP = "/work/shop"
PLANS = {"allow": ["plans/**/*.md"]}


def heard(
    tool: str, text: Any, *rules: dict[str, Any], disk: Disk | None = None, **event: Any
) -> Opinion | None:
    key = {"Bash": "command", "NotebookEdit": "notebook_path"}.get(tool, "file_path")
    given = {"tool_name": tool, "tool_input": {} if text is None else {key: text}, "cwd": SHOP}
    given |= {"transcript_path": "/home/ada/.claude/projects/x/s.jsonl"}
    call = PreToolUse.model_validate({**given, "hook_event_name": "PreToolUse", **event})
    facts = Facts(
        project=Project(1, SHOP),
        session=Session(1, "s"),
        options={NAME: Options.model_validate({"rules": rules})},
    )
    return looked(POLICY, call, facts, disk or Disk())


WHOM = [
    ({"agent_types": ["planner"]}, {"agent_type": "planner", "agent_id": "a"}, "deny"),
    ({"agent_types": ["plan*"]}, {"agent_type": "planner", "agent_id": "a"}, "deny"),
    ({"agent_types": ["planner"]}, {"agent_type": "builder", "agent_id": "a"}, ""),
    ({"agent_types": ["planner"]}, {}, ""),
    ({"agent_types": ["planner"]}, {"agent_id": "a"}, "deny"),  # it does not say who it is
    ({"agent_types": ["main"]}, {}, "deny"),
    ({"agent_types": ["main"]}, {"agent_type": "builder"}, "deny"),  # started as that agent
    ({"agent_types": ["builder"]}, {"agent_type": "builder"}, "deny"),
    ({"agent_types": ["main"]}, {"agent_type": "builder", "agent_id": "a"}, ""),
    ({"permission_modes": ["plan"]}, {"permission_mode": "plan"}, "deny"),
    ({"permission_modes": ["plan"]}, {"permission_mode": "acceptEdits"}, ""),
    ({"permission_modes": ["plan"]}, {}, "deny"),  # nor this
    (
        {"permission_modes": ["plan"], "agent_types": ["planner"]},
        {"permission_mode": "plan", "agent_type": "builder"},
        "",
    ),
    ({"tools": ["Bash"]}, {}, ""),
    ({}, {}, "deny"),
]


@parametrize_all(("rule", "event", "says"), WHOM)
def test_a_rule_holds_for_those_whom_it_is_about(
    rule: dict[str, Any], event: dict[str, Any], says: str
) -> None:
    assert opinion_kind(heard("Write", f"{SHOP}/src/a.py", {**PLANS, **rule}, **event)) == says


ALLOWED = [
    ("plans/a.md", ""),
    ("plans/deep/er/a.md", ""),
    ("./plans//deep/../a.md", ""),
    ("plans/a.py", "deny"),
    ("plans/x.md/a.py", "deny"),
    ("plans", "deny"),
    ("PLANS/a.md", "deny"),
    ("plans/../src/a.md", "deny"),
    ("src/plans/a.md", "deny"),
    ("../plans/a.md", "deny"),
    ("/etc/plans/a.md", "deny"),
    ("/home/ada/plans/a.md", "deny"),
    ("link/a.md", "deny"),
    ("plans/out/a.md", "deny"),
    ("plans/link.md", "deny"),
    ("plans/" + "x" * 5_000 + ".md", "ask"),
]
LINKS = {
    f"{SHOP}/link": "/etc",
    f"{SHOP}/plans/out": "/srv/out",
    f"{SHOP}/plans/link.md": f"{SHOP}/src/a.py",
}


@parametrize_all("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
@parametrize_all(("path", "says"), ALLOWED)
def test_only_what_is_allowed_may_be_changed(tool: str, path: str, says: str) -> None:
    whole = path if path.startswith("/") else f"{SHOP}/{path}"
    assert opinion_kind(heard(tool, whole, PLANS, disk=Disk(links=LINKS))) == says
    assert opinion_kind(heard(tool, path, PLANS, disk=Disk(links=LINKS))) == says


DENIED = [
    ([".env"], ".env", "deny"),
    ([".env"], "deep/.ENV", "deny"),
    ([".env"], ".env.example", ""),
    (["*.pem"], "keys/a.Pem", "deny"),
    (["secret/**"], "secret/a/b", "deny"),
    (["secret/"], "secret/a/b", "deny"),
    (["secret"], "secret/a/b", "deny"),
    (["Secret/*"], "sECRET/a", "deny"),
    (["secret/**"], "src/../secret/a", "deny"),
    (["secret/**"], "src/secret/a", ""),
    (["secret/**"], "door/a", "deny"),
    (["vault/**"], "/srv/vault/a", "deny"),  # where the project's folder leads
    (["/etc/**"], "/etc/hosts", "deny"),
    (["/etc/**"], "etc/hosts", ""),
    (["~/.bashrc"], "/home/ada/.bashrc", "deny"),
    (["~/.bashrc"], "~/.bashrc", "deny"),
    (["/etc"], "tcetera/hosts", "deny"),
]


@parametrize_all(("deny", "path", "says"), DENIED)
def test_what_is_denied_may_not_be_changed(deny: list[str], path: str, says: str) -> None:
    links = {f"{SHOP}/door": f"{SHOP}/secret", f"{SHOP}/vault": "/srv/vault"}
    disk = Disk(links={**links, f"{SHOP}/tcetera": "/etc"})
    assert opinion_kind(heard("Write", path, {"deny": deny}, disk=disk)) == says


def test_a_project_that_is_reached_by_a_link_is_itself() -> None:
    disk = Disk(links={"/work": "/mnt/work"})
    assert heard("Write", f"{SHOP}/plans/a.md", PLANS, disk=disk) is None
    assert heard("Write", "/mnt/work/shop/plans/a.md", PLANS, disk=disk) is None
    assert opinion_kind(heard("Write", "/mnt/work/shop/a.md", PLANS, disk=disk)) == "deny"
    assert (
        opinion_kind(heard("Write", "/mnt/work/shop/x/.env", {"deny": ["x/.env"]}, disk=disk))
        == "deny"
    )


def test_an_absolute_glob_allows_what_is_outside() -> None:
    rule = {"allow": ["plans/**", "/tmp/out/**", "~/.claude/plans/*.md"]}
    disk = Disk(links={"/tmp": "/private/tmp"})
    for path in ("/tmp/out/a", "/private/tmp/out/a", "/home/ada/.claude/plans/a.md"):
        assert heard("Write", path, rule, disk=disk) is None
    assert opinion_kind(heard("Write", "/tmp/a", rule, disk=disk)) == "deny"


def test_deny_wins_over_allow_and_every_rule_is_held_to() -> None:
    both = {"allow": ["plans/**"], "deny": ["plans/done/**"]}
    assert opinion_kind(heard("Write", "plans/done/a", both)) == "deny"
    assert heard("Write", "plans/a", both) is None
    assert opinion_kind(heard("Write", "plans/a.txt", both, PLANS)) == "deny"
    assert heard("Write", "plans/a.md", both, PLANS) is None


BASH = [
    ("ls -la", ""),
    ("ls > plans/a.md", ""),
    ("ls > src/a.py", "deny"),
    ("ls >> src/a.py", "deny"),
    ("ls >| src/a.py", "deny"),
    ("ls &> src/a.py", "deny"),
    ("ls > plans/a.md 2> err.txt", "deny"),
    ("ls 2>&1 > /dev/null", ""),
    ("cat < src/a.py", ""),
    ("ls > $OUT", "ask"),
    ('ls > "$(date).md"', "ask"),
    ("cd src && ls > a.md", "deny"),
    ("cd plans && ls > a.md", ""),
    ("cd plans > a.md && ls", "ask"),
    ("(cd plans; ls > a.md); ls > plans/b.md", "ask"),
    ("cd $X && ls > a.md", "ask"),
    ("cd plans && ls > ../src/a.md", "deny"),
    ("sh -c 'ls > src/a.py'", "deny"),
    ("ls | sudo tee src/a.py", "deny"),
    ("ls | tee plans/a.md", ""),
    ("cp plans/a.md src/", "deny"),
    ("cp src/a.md plans/", ""),
    ("cp src/a.md plans/b.md", ""),
    ("cp src/a.py plans/", "deny"),
    ("cp -t src plans/a.md", "deny"),
    ("mv plans/a.md plans/b.md", ""),
    ("mv src/a.md plans/b.md", "deny"),
    ("ln -s ../src/a.py plans/a.md", ""),
    ("rm src/a.py", "deny"),
    ("rm -rf plans", "deny"),
    ("find . -name '*.md' | xargs rm", "ask"),
    ("sed -i s/a/b/ src/a.py", "deny"),
    ("sed -n 1p src/a.py", ""),
    ("gzip -9 src/a.py", "deny"),
    ("gzip -c src/a.py > plans/a.md", ""),
    ("xz --keep src/a.py", ""),
    ("patch -p1 src/a.py plans/a.diff", "deny"),
    ("patch -i src/a.diff plans/a.md", ""),
    ("printf '%s\\n' d w | ed -s src/a.py", "deny"),
    ("ex -c wq src/a.py", "deny"),
    ("touch -d now plans/a.md", ""),
    ("dd if=/dev/zero of=src/a.py count=1", "deny"),
    ("curl -o src/a.py https://example.com", "deny"),
    ("find src -delete", "deny"),
    ("python -c \"open('src/a.py', 'w')\"", ""),  # not covered
    ("if (", "ask"),
    (None, "ask"),
    ("ls > plans/a.md; " * 200, ""),
    ("touch " + " ".join(f"plans/{n}.md" for n in range(200)), "ask"),
]


@parametrize_all(("command", "says"), BASH)
def test_a_command_is_judged_by_the_files_that_it_is_seen_to_change(
    command: str | None, says: str
) -> None:
    assert opinion_kind(heard("Bash", command, PLANS)) == says


@parametrize_all(
    ("command", "says"),
    [
        ("rm -rf secret", "deny"),
        ("rm -rf .", "deny"),
        ("mv secret elsewhere", "deny"),
        ("cp a secret", "deny"),  # it may be a folder
        ("cp a other", ""),
        ("rm -rf other", ""),
        ("ls > SECRET/a", "deny"),
        ("cat secret/a", ""),
    ],
)
def test_with_a_folder_goes_what_is_denied_in_it(command: str, says: str) -> None:
    assert opinion_kind(heard("Bash", command, {"deny": ["secret/**"]})) == says


@parametrize_all(("read", "says"), [(True, "deny"), (False, "")])
def test_reading_is_meant_only_where_the_rule_says_so(read: bool, says: str) -> None:
    rule = {"deny": ["secret/**"], "read": read}
    assert opinion_kind(heard("Read", f"{SHOP}/secret/a", rule)) == says
    assert opinion_kind(heard("Bash", "sort < secret/a", rule)) == says
    assert heard("Read", f"{SHOP}/open/a", rule) is None


def test_a_call_that_nobody_can_tell_about_is_asked_about() -> None:
    assert opinion_kind(heard("Write", None, PLANS)) == "ask"
    assert opinion_kind(heard("Write", "plans/a.md", PLANS, disk=Disk(answers=False))) == "ask"
    assert (
        opinion_kind(heard("Write", ".env", {"deny": [".env"]}, disk=Disk(answers=False))) == "deny"
    )
    assert heard("Write", None) is None


INFRA = {"deny": ["infra/**"], "message": "Ask ana."}


def test_a_reason_says_where_a_file_is_that_the_call_names_otherwise() -> None:
    opinion = heard("Bash", "cd infra && touch x", INFRA)
    assert opinion is not None
    assert opinion.reason == (
        "Blocked: x (infra/x) may not be changed (infra/**). Ask ana."
        " Next: ask the user, who can edit the rule: hookd policy show path-guard"
    )


def test_a_target_that_is_not_known_is_asked_about_once_and_without_the_message() -> None:
    opinion = heard("Bash", "cp a $D", INFRA)
    assert opinion is not None
    assert opinion.verdict == "ask"
    assert opinion.reason.count("whose path is unknown") == 1
    assert "Ask ana." not in opinion.reason


def test_a_source_that_is_not_known_is_asked_about_all_the_same() -> None:
    opinion = heard("Bash", "cp $F infra", INFRA)
    assert opinion is not None
    assert opinion.verdict in ("ask", "deny")


@parametrize_all(
    ("rule", "path", "clause"),
    [
        (PLANS, "/tmp/foo", "/tmp/foo is outside the project."),
        (PLANS, "../foo", "../foo (/work/foo) is outside the project."),
        ({"allow": ["**"]}, "/tmp/foo", "/tmp/foo is outside the project."),
        (PLANS, "src/a.py", "src/a.py may not be changed, only plans/**/*.md."),
        ({"allow": ["/srv/**"]}, "/tmp/foo", "/tmp/foo may not be changed, only /srv/**."),
    ],
)
def test_the_reason_says_what_is_wrong_with_a_path(
    rule: dict[str, Any], path: str, clause: str
) -> None:
    opinion = heard("Write", path, rule)
    assert opinion is not None
    assert opinion.reason.startswith(f"Blocked: {clause} ")


DEVICES = [
    ("echo x | tee /dev/stderr", ""),
    ("ls 2> /dev/null", ""),
    ("ls > /dev/fd/3", ""),
    ("ls > /proc/self/fd/2", ""),
    ("cp a /dev/stdout", ""),
    ("dd if=a of=/dev/null", ""),
    ("curl -o /dev/null https://example.com", ""),
    ("echo x > /dev/tty", ""),
    ("cd /dev && ls > null", ""),
    ("ls > /dev/fd/../cwd/a.py", "deny"),
    ("ls > /dev/null/../../etc/passwd", "deny"),
    ("ls > /dev/sda", "deny"),
    ("ln -sf /tmp/x /dev/null", "deny"),
    ("rm /dev/null", "deny"),
]


@parametrize_all(("command", "says"), DEVICES)
def test_a_device_is_no_file(command: str, says: str) -> None:
    assert opinion_kind(heard("Bash", command, {"allow": ["**"]})) == says


def test_a_device_is_no_file_for_the_tools_that_edit_and_read() -> None:
    rule = {"allow": ["**"], "deny": ["/dev/**"], "read": True}
    assert heard("Write", "/dev/stderr", rule) is None
    assert heard("Read", "/dev/stdin", rule) is None
    assert opinion_kind(heard("Write", "/dev/sda", rule)) == "deny"


def test_the_reason_names_the_file_the_globs_and_the_message() -> None:
    opinion = heard("Write", f"{SHOP}/src/a.py", {**PLANS, "message": "Plans come first."})
    assert opinion is not None
    for word in (f"{SHOP}/src/a.py", "plans/**/*.md", "Plans come first.", "ask the user"):
        assert word in opinion.reason


@parametrize_all(
    "rule",
    [
        {},
        {"agent_types": ["planner"]},
        {"allow": [""]},
        {"deny": ["../x"]},
        {"deny": ["*.{pem,key}"]},
        {"deny": ["!.env"]},
        {"deny": ["x"], "tools": ["Wriet"]},
        {"deny": ["x"], "permission_modes": ["planing"]},
        {"deny": ["x"], "denny": ["y"]},
    ],
)
def test_a_rule_that_means_nothing_is_refused(rule: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="rules"):
        Options.model_validate({"rules": [rule]})


STEP = st.sampled_from([".", "..", "plans", "src", "secret", "SECRET", "a.md", "door", ""])


@given(st.lists(STEP, min_size=1, max_size=8))
def test_no_way_of_writing_a_path_leads_around_a_rule(steps: list[str]) -> None:
    disk = Disk(links={f"{SHOP}/door": f"{SHOP}/secret"})
    path = f"{SHOP}/{'/'.join(steps)}"
    real = disk.real(path).lower()
    opinion = heard("Write", path, {"deny": ["secret/**"]}, disk=disk)
    if real.startswith(f"{SHOP}/secret/"):
        assert opinion_kind(opinion) == "deny"
    allowed = heard("Write", path, {"allow": ["plans/**"]}, disk=disk)
    assert (allowed is None) == disk.real(path).startswith(f"{SHOP}/plans/")
