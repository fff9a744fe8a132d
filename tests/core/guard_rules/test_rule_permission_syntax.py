"""Guard rules in Claude Code's own permission-rule syntax: what they match, and what spares."""

import json
from typing import Any

from hookd.core.guard_rules.rule import fired
from hookd.core.model.facts import Facts, Guard, Project
from hookd.core.model.identity import Identity
from hookd.events.tool_pattern import ToolCall
from support.parametrize import parametrize_all

SHOP = "/work/shop"
FIELDS = {
    "Bash": "command",
    "PowerShell": "command",
    "WebFetch": "url",
    "Skill": "skill",
    "Agent": "subagent_type",
    "Task": "subagent_type",
    "Grep": "pattern",
    "mcp__github__create_issue": "title",
}


def call(tool: str, text: str, **more: Any) -> ToolCall:
    return ToolCall(tool, {FIELDS.get(tool, "file_path"): text, **more}, cwd=f"{SHOP}/web")


def search(tool: str, **given: str) -> ToolCall:
    return ToolCall(tool, {"pattern": "key", **given}, cwd=SHOP)


def fires(pattern: str, asked: ToolCall, root: str | None = None, **rule: Any) -> str:
    """Return `yes`, `ask` if it is unknown, or `no`."""
    given = {"id": "a", "urgency": "block", "toolFilter": {"include": [pattern]}} | rule
    facts = Facts(
        identity=Identity(home="/home/ada"),
        project=Project(1, SHOP),
        guards=(Guard(1, "a", "user", json.dumps(given), root=root),),
    )
    found = fired(asked, facts)
    return ("yes" if found[0].certain else "ask") if found else "no"


MATCHES = [
    ("WebFetch(domain:example.com)", call("WebFetch", "https://example.com/a?b#c"), "yes"),
    ("WebFetch(domain:example.com)", call("WebFetch", "http://EXAMPLE.com:8080"), "yes"),
    ("WebFetch(domain:example.com)", call("WebFetch", "https://ada@example.com./"), "yes"),
    ("WebFetch(domain:example.com)", call("WebFetch", r"https://example.com\@other.org"), "yes"),
    ("WebFetch(domain:example.com)", call("WebFetch", "https://www.example.com"), "no"),
    ("WebFetch(domain:example.com)", call("WebFetch", "https://example.com.evil.org"), "no"),
    ("WebFetch(domain:example.com)", call("WebFetch", "https://o.org/example.com"), "no"),
    ("WebFetch(domain:*.example.com)", call("WebFetch", "https://a.b.example.com"), "yes"),
    ("WebFetch(domain:example.com)", call("WebFetch", "example.com/a"), "ask"),
    ("WebFetch(domain:example.com)", call("WebFetch", "http://[bad/"), "ask"),
    ("WebFetch(https://example.com/*)", call("WebFetch", "https://example.com/a"), "yes"),
    ("Read(//etc/**)", call("Read", "/etc/ssl/key"), "yes"),
    ("Read(//etc/**)", call("Read", "/work/shop/etc/ssl"), "no"),
    ("Read(//etc)", call("Read", "/etc/ssl/key"), "yes"),
    ("Read(~/.ssh/**)", call("Read", "/home/ada/.ssh/id"), "yes"),
    ("Read(~/.ssh/**)", call("Read", "~/.ssh/id"), "yes"),
    ("Read(~/.ssh/**)", call("Read", "/home/bob/.ssh/id"), "no"),
    ("Edit(/src/**/*.ts)", call("Edit", f"{SHOP}/src/a/b.ts"), "yes"),
    ("Edit(/src/**/*.ts)", call("Write", f"{SHOP}/src/b.ts"), "yes"),
    ("Edit(/src/**/*.ts)", call("Edit", f"{SHOP}/web/src/b.ts"), "no"),
    ("Edit(/src/**)", call("Edit", f"{SHOP}/web/../src/a"), "yes"),
    ("Read(/etc/*)", call("Read", "/etc/hosts"), "yes"),  # an absolute glob, as it always was
    ("Read(src/**)", call("Read", f"{SHOP}/src/a"), "yes"),
    ("Read(./src/**)", call("Read", f"{SHOP}/web/src/a"), "yes"),
    ("Read(src/**)", call("Read", "/work/other/src/a"), "no"),
    ("Read(.env)", call("Read", f"{SHOP}/api/.env"), "yes"),
    ("Read(.env)", call("Read", f"{SHOP}/.env.example"), "no"),
    ("Read(*.pem)", call("Read", "/srv/a.pem"), "yes"),
    ("Read(../secrets/**)", call("Read", "/work/secrets/a"), "yes"),
    ("Read(src/**)", call("Read", "../src/a"), "yes"),
    ("Read(./secrets/**)", search("Grep", path="secrets"), "yes"),
    ("Read(./secrets/**)", search("Glob", path=f"{SHOP}/secrets/old"), "yes"),
    ("Read(./secrets/**)", search("Grep", path="secrets/a.txt"), "yes"),
    ("Read(./secrets/**)", search("Glob", pattern="secrets/*.pem"), "yes"),
    ("Read(./secrets/**)", search("Grep", path="src"), "no"),
    ("Read(./secrets/**)", search("Grep"), "no"),
    ("Read(./secrets/**)", search("Grep", glob="!secrets/**"), "no"),
    ("Read(.env)", search("Grep", path="api/.env"), "yes"),
    ("Read(.env)", search("Grep", path="api", glob=".env"), "yes"),
    ("Read(*.env)", search("Grep", glob="*.env"), "yes"),
    ("Read(.env)", search("Grep", glob="*.{ts,tsx} {.env,.envrc}"), "yes"),
    ("Read(.env)", search("Grep", glob="a.ts,.env"), "yes"),
    ("Read(.env)", search("Grep", glob="*.{ts,tsx}, !.env"), "no"),
    ("Read(./secrets/**)", search("Grep", glob="/secrets/*"), "yes"),
    ("Read(./secrets/**)", search("Glob", pattern="{src,secrets}/*"), "yes"),
    ("Read(.env)", search("Grep", glob="{a,b}" * 9), "ask"),
    ("Read(.env)", search("Grep", pattern=".env"), "no"),
    ("Read(.env)", search("Glob", pattern="**/*.ts"), "no"),
    ("Read(*/.claude/*)", search("Grep", path="/home/ada/.claude"), "yes"),
    ("Read(*/.claude/*)", search("Grep", path="src"), "no"),
    ("Read(~/.ssh/**)", search("LS", path="~/.ssh"), "yes"),
    ("Read(**)", search("Glob", pattern="*.ts"), "yes"),
    ("Read", search("Grep", path="secrets"), "no"),
    ("mcp__github", call("mcp__github__create_issue", "x"), "yes"),
    ("mcp__github__*", call("mcp__github__create_issue", "x"), "yes"),
    ("mcp__github__create_issue", call("mcp__github__create_issue", "x"), "yes"),
    ("mcp__git", call("mcp__github__create_issue", "x"), "no"),
    ("mcp__github__create_issue(title:dep*)", call("mcp__github__create_issue", "deps"), "yes"),
    ("mcp__github__create_issue(title:dep*)", call("mcp__github__create_issue", "x"), "no"),
    ("Agent(Explore)", call("Agent", "Explore"), "yes"),
    ("Task(Explore)", call("Agent", "Explore"), "yes"),
    ("Agent(Explore)", call("Task", "Explore"), "yes"),
    ("Agent(Explore)", call("Agent", "Plan"), "no"),
    ("Agent(model:opus)", call("Agent", "Plan", model="opus"), "yes"),
    ("Agent(model:opus)", call("Agent", "Plan", model="haiku"), "no"),
    ("Agent(model:opus)", ToolCall("Agent", {"prompt": "x"}), "no"),
    ("KillShell", ToolCall("TaskStop", {"task_id": "b1"}), "yes"),
    ("Skill(deploy)", call("Skill", "deploy", args="prod"), "yes"),
    ("Skill(deploy *)", call("Skill", "deploy", args="prod"), "yes"),
    ("Skill(deploy *)", call("Skill", "deploy"), "yes"),
    ("Skill(deploy:*)", call("Skill", "deploy", args="prod"), "yes"),
    ("Skill(deploy prod)", call("Skill", "deploy", args="test"), "no"),
    ("Bash(npm run test:*)", call("Bash", "npm run test -- -u"), "yes"),
    ("Bash(git * main)", call("Bash", "git checkout -b topic main"), "yes"),
    ("Bash(git * main)", call("Bash", "cd x && git merge main"), "yes"),
    ("Bash(git * main)", call("Bash", "git checkout topic"), "no"),
    ("Bash(* --version)", call("Bash", "node --version"), "yes"),
    ("Bash(run_in_background:true)", call("Bash", "ls", run_in_background=True), "yes"),
    ("Bash(run_in_background:true)", call("Bash", "ls"), "no"),
    ("Bash(timeout:*)", call("Bash", "ls", timeout=5), "no"),
    ("Bash(timeout:*)", call("Bash", "timeout 5 ls"), "yes"),
    ("PowerShell(Remove-Item *)", call("PowerShell", "cd x; remove-item -r y"), "yes"),
    ("PowerShell(Remove-Item *)", call("PowerShell", "Get-Item y"), "no"),
]


@parametrize_all(("pattern", "asked", "expected"), MATCHES)
def test_a_rule_matches_as_in_claude_code(pattern: str, asked: ToolCall, expected: str) -> None:
    assert fires(pattern, asked) == expected


def test_a_rule_of_a_project_is_anchored_at_its_own_root() -> None:
    asked = call("Edit", "/work/src/a.ts")
    assert fires("Edit(/src/**)", asked, root="/work") == "yes"
    assert fires("Edit(/src/**)", asked) == "no"


SPARES = [
    ("WebFetch(domain:example.com)", call("WebFetch", "https://example.com/a"), True),
    ("WebFetch(domain:example.com)", call("WebFetch", r"https://evil.org\@example.com"), False),
    ("Write(/plans/**)", call("Write", f"{SHOP}/plans/a.md"), True),
    ("Write(/plans/**)", call("Write", f"{SHOP}/plans/../src/a"), False),
    ("Write(plans/**)", call("Write", f"{SHOP}/plans/a.md"), True),
    ("Write(plans/**)", call("Write", f"{SHOP}/web/plans/a.md"), False),  # where `cd` has led to
    ("Write(~/notes/**)", call("Write", "/home/ada/notes/a"), True),
    ("mcp__github", call("mcp__github__create_issue", "x"), True),
    ("Bash(git * main)", call("Bash", "git push --force origin main"), False),
    ("Bash(run_in_background:true)", call("Bash", "rm x", run_in_background=True), False),
    ("PowerShell(Get-Item *)", call("PowerShell", "Get-Item x; Remove-Item y"), False),
    ("PowerShell(Get-Item x)", call("PowerShell", "Get-Item x"), True),
]


@parametrize_all(("pattern", "asked", "spared"), SPARES)
def test_an_exception_covers_only_what_it_is_sure_of(
    pattern: str, asked: ToolCall, spared: bool
) -> None:
    rule = {"toolFilter": {"exclude": [pattern]}}
    assert fires("*", asked, **rule) == ("no" if spared else "yes")
