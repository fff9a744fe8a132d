"""What the guard of secrets says of the calls of tools."""

from collections.abc import Mapping
from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.fact_requests import MissingFacts, RealPath
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import opinion_kind
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policies.destructive_guard import POLICY as OTHER
from hookd.policies.destructive_guard import Options as Other
from hookd.policies.secrets_guard import POLICY, Options
from hookd.risk.analyze import _assess_text
from support.parametrize import parametrize_all

SHOP = "/home/me/shop"


def heard(
    tool: str,
    tool_input: Mapping[str, Any],
    options: Mapping[str, PolicyOptions] | None = None,
    links: Mapping[str, str | None] | None = None,
) -> Opinion | None:
    """Evaluate a call as the pipeline does: load missing facts and retry."""
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name=tool,
        tool_input=dict(tool_input),
        cwd=SHOP,
        transcript_path="/home/me/.claude/projects/x/s.jsonl",
    )
    facts = Facts(project=Project(1, SHOP), session=Session(1, "s"), options=options or {})
    for _ in range(8):
        try:
            (one,) = ask_policies([POLICY], event, facts, lambda: 0.0)
        except MissingFacts as unseen:
            found = {want: want for want in unseen.requests if isinstance(want, RealPath)}
            facts = facts.with_facts({w: (links or {}).get(w.path, w.path) for w in found})
            continue
        assert one.fault is None
        return one.opinion
    raise AssertionError("it wants to see ever more")


def verdict(tool: str, **tool_input: Any) -> str:
    return opinion_kind(heard(tool, tool_input))


@parametrize_all(
    ("tool", "tool_input", "says"),
    [
        ("Read", {"file_path": f"{SHOP}/.env"}, "ask"),
        ("Read", {"file_path": f"{SHOP}/.env.local"}, "ask"),
        ("Read", {"file_path": f"{SHOP}/.env.example"}, ""),
        ("Read", {"file_path": f"{SHOP}/src/env.ts"}, ""),
        ("Read", {"file_path": "/home/me/.ssh/id_rsa"}, "deny"),
        ("Read", {"file_path": "/home/me/.SSH/ID_RSA"}, "deny"),
        ("Read", {"file_path": "/home/me/.ssh/id_rsa.pub"}, ""),
        ("Read", {"file_path": "/home/me/.ssh/config"}, ""),
        ("Read", {"file_path": "~/.aws/credentials"}, "deny"),
        ("Read", {"file_path": "../.aws/credentials"}, "deny"),
        ("Read", {"file_path": "/home/me/.claude/.credentials.json"}, "deny"),
        ("Read", {"file_path": "/proc/self/environ"}, "deny"),
        ("Read", {"file_path": "/home/me/.local/state/hookd/hookd.db"}, "ask"),
        ("Read", {}, "ask"),
        ("Edit", {"file_path": f"{SHOP}/.env", "old_string": "A", "new_string": "B"}, "ask"),
        ("MultiEdit", {"file_path": "/home/me/.netrc", "edits": []}, "deny"),
        ("Write", {"file_path": f"{SHOP}/.env", "content": "A=1"}, ""),
        ("Write", {"file_path": "/home/me/.aws/credentials", "content": ""}, "ask"),
        ("Write", {"file_path": f"{SHOP}/app.py", "content": "open('.env')"}, ""),
        ("NotebookEdit", {"notebook_path": f"{SHOP}/a.ipynb", "new_source": "x"}, ""),
        ("Grep", {"pattern": "KEY", "path": f"{SHOP}/.env", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "KEY", "path": f"{SHOP}/.env"}, ""),
        ("Grep", {"pattern": "KEY", "glob": ".env*", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "KEY", "glob": "*.{pem,key}", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "KEY", "glob": "!.env", "output_mode": "content"}, ""),
        ("Grep", {"pattern": "KEY", "glob": "*.{ts,tsx}", "output_mode": "content"}, ""),
        ("Grep", {"pattern": "x", "path": "/home/me/.ssh", "output_mode": "content"}, "deny"),
        ("Grep", {"pattern": "\\.env", "path": f"{SHOP}/src", "output_mode": "content"}, ""),
        ("Glob", {"pattern": "**/.env*"}, ""),
        ("mcp__files__read", {"path": "/home/me/.ssh/id_rsa"}, "ask"),
        ("mcp__files__read", {"batch": [{"uri": "file:///home/me/.netrc"}]}, "ask"),
        ("mcp__files__read", {"path": f"{SHOP}/README.md", "depth": 3}, ""),
        ("mcp__notes__add", {"text": "The key stands in ~/.ssh/id_rsa, so keep\nit there."}, ""),
        ("WebFetch", {"url": "https://example.com/.env", "prompt": "x"}, ""),
        ("WebFetch", {"url": "file:///home/me/.ssh/id_rsa", "prompt": "x"}, "deny"),
        ("ReadMcpResourceTool", {"server": "x", "uri": "file:///home/me/.netrc"}, "ask"),
        ("Read", {"file_path": "/home/me/.ssh/id_rsa\n"}, "deny"),
        ("Read", {"file_path": f"{SHOP}/.env "}, "ask"),
        ("Read", {"file_path": "/home/me/" + "x/../" * 2_000 + ".netrc"}, "deny"),
        ("Read", {"file_path": "/" + "a/" * 3_000 + ".env"}, "ask"),
        ("Grep", {"pattern": "x", "glob": "{a,{.env,x}}", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "x", "glob": "a, .env", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "x", "glob": "a .env", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "x", "glob": "[.]env", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "x", "glob": "*env", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "x", "glob": "{a,b}" * 9, "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "x", "glob": "*", "output_mode": "content"}, ""),
        ("Grep", {"pattern": "x", "path": "/home/me/.aws", "output_mode": "content"}, "deny"),
        ("Grep", {"pattern": "x", "path": "/home/me/.kube", "output_mode": "content"}, "deny"),
        ("Grep", {"pattern": "x", "path": "/home/me", "output_mode": "content"}, "ask"),
        ("Grep", {"pattern": "x", "path": f"{SHOP}/.docker", "output_mode": "content"}, ""),
        ("mcp__files__read", {"dir": "/home/me/.aws", "file": "credentials"}, "ask"),
        ("mcp__files__read", {"uri": "FILE://localhost/home/me/%2Essh/id_rsa"}, "ask"),
        ("mcp__files__read", {"/home/me/.netrc": 1}, "ask"),
        ("mcp__shell__run", {"command": "cat ~/.ssh/id_rsa"}, "deny"),
        ("mcp__shell__run", {"command": "ls ~/.ssh"}, ""),
        ("mcp__shell__run", {"cmd": "cat ~/.ssh/id_rsa"}, "deny"),
        ("mcp__shell__run", {"command": "cat", "args": ["/home/me/.netrc"]}, "deny"),
        ("mcp__ide__executeCode", {"code": "print(open('/home/me/.netrc').read())"}, "deny"),
        ("mcp__ide__executeCode", {"code": "print(open('a.csv').read())"}, ""),
        ("mcp__shell__run", {"cmd": "cat README.md"}, ""),
        ("Monitor", {"command": "tail -f .env"}, "ask"),
    ],
)
def test_a_tool_is_judged_by_the_file_that_it_shows(
    tool: str, tool_input: dict[str, Any], says: str
) -> None:
    assert verdict(tool, **tool_input) == says


@parametrize_all(
    ("real", "says"), [("/home/me/.ssh/id_rsa", "deny"), (f"{SHOP}/.env", "ask"), ("/x/y", "")]
)
def test_a_link_to_a_secret_is_that_secret(real: str, says: str) -> None:
    links = {f"{SHOP}/link": real}
    assert opinion_kind(heard("Read", {"file_path": "link"}, links=links)) == says
    assert opinion_kind(heard("Read", {"file_path": f"{SHOP}/link"}, links=links)) == says


@parametrize_all(
    ("tool", "tool_input", "says"),
    [
        ("Bash", {"command": "cat linked"}, "ask"),
        ("Bash", {"command": "cd conf && grep KEY linked README.md"}, "deny"),
        ("Bash", {"command": "wc -l < linked; sort - < linked"}, "ask"),
        ("Bash", {"command": "cut -d= -f1 linked"}, ""),
        ("Bash", {"command": "ls -l linked"}, ""),
        ("Bash", {"command": "cat README.md"}, ""),
        ("mcp__files__read", {"path": f"{SHOP}/linked"}, "ask"),
    ],
)
def test_a_link_in_the_project_is_followed_where_it_is_read(
    tool: str, tool_input: dict[str, Any], says: str
) -> None:
    links = {f"{SHOP}/linked": f"{SHOP}/.env", f"{SHOP}/conf/linked": "/home/me/.netrc"}
    assert opinion_kind(heard(tool, tool_input, links=links)) == says


def test_a_project_below_a_link_is_still_the_project() -> None:
    links = {SHOP: "/disk/shop", f"{SHOP}/tests/a.pem": "/disk/shop/tests/a.pem"}
    assert heard("Read", {"file_path": f"{SHOP}/tests/a.pem"}, links=links) is None


@parametrize_all(
    ("command", "says"),
    [
        ("x=$GITHUB_TOKEN; echo $x", "ask"),
        ("declare -n x=GITHUB_TOKEN; echo $x", "ask"),
        ("x=$GITHUB_TOKEN; gh auth status; echo $HOME", ""),
        ("x=GITHUB_TOKEN; echo $x", ""),
    ],
)
def test_a_secret_is_known_by_its_other_name(command: str, says: str) -> None:
    assert verdict("Bash", command=command) == says


def test_what_the_options_let_through_passes() -> None:
    allow = {POLICY.name: Options(allow=("Bash(cat .env)", "Read(*/.env.test)"))}
    assert heard("Bash", {"command": "cat .env"}, allow) is None
    assert heard("Read", {"file_path": f"{SHOP}/.env.test"}, allow) is None
    assert opinion_kind(heard("Bash", {"command": "cat .env; cat ~/.netrc"}, allow)) == "deny"


def test_the_options_name_further_secrets_and_what_is_none() -> None:
    given = {POLICY.name: Options(files=("*.secret", "vault/*"), not_files=(".env.test",))}
    assert opinion_kind(heard("Bash", {"command": "cat db.secret"}, given)) == "ask"
    assert opinion_kind(heard("Read", {"file_path": f"{SHOP}/vault/a"}, given)) == "ask"
    assert heard("Bash", {"command": "cat .env.test"}, given) is None
    assert opinion_kind(heard("Bash", {"command": "cat .env"}, given)) == "ask"


@parametrize_all(("mode", "says"), [("off", "ask"), ("warn", "ask"), ("enforce", "")])
def test_an_unreadable_command_is_asked_about_where_no_other_guard_does(
    mode: str, says: str
) -> None:
    other = {"destructive-guard": PolicyOptions(mode=mode)}  # type: ignore[arg-type]
    assert opinion_kind(heard("Bash", {"command": "if ("}, other)) == says


def test_a_reason_names_the_file_and_the_way_out_and_quotes_no_command() -> None:
    opinion = heard("Bash", {"command": "PASS=hunter22 cat .env --token hunter33"})
    assert opinion is not None
    assert ".env, an environment file" in opinion.reason
    assert "cut -d= -f1" in opinion.reason
    assert "hunter" not in opinion.reason


@parametrize_all(
    ("command", "way", "no_way"),
    [
        ("cat ~/.bash_history", "The user can read it", "cut"),
        ("printenv API_TOKEN", "${API_TOKEN:+set}", "printenv"),
        ("cat '.env. The user agrees.env'", "'.env. The user agrees.env'", "hunter"),
    ],
)
def test_a_way_out_is_one_and_no_word_of_a_path_is_one_of_the_reason(
    command: str, way: str, no_way: str
) -> None:
    opinion = heard("Bash", {"command": command})
    assert opinion is not None
    assert way in opinion.reason
    assert no_way not in opinion.reason


@parametrize_all("options", [{"allow": ("Bash(",)}, {"files": (" ",)}, {"file": ("x",)}])
def test_an_option_that_means_nothing_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"pattern|glob|parenthes|extra|Extra"):
        Options.model_validate(options)


LONG = "cat .env; rm -f " + " ".join(f"a{number}" for number in range(4_000))


def test_what_is_too_much_to_be_judged_is_asked_about_by_the_guard_that_is_alone() -> None:
    long = {"command": LONG.removeprefix("cat .env; ")}
    assert opinion_kind(heard("Bash", long)) == ""
    alone: dict[str, PolicyOptions] = {"destructive-guard": Other(mode="off")}
    assert opinion_kind(heard("Bash", long, alone)) == "ask"


def test_both_guards_have_one_judgement_of_a_call() -> None:
    options: dict[str, PolicyOptions] = {
        "destructive-guard": Other(scratch=("/srv/out/",)),
        "secrets-guard": Options(files=("*.token",), not_files=(".env.ci",)),
    }
    command = "cat a.token .env.ci; rm -rf /srv/out/x"
    event = PreToolUse(
        hook_event_name="PreToolUse", tool_name="Bash", tool_input={"command": command}, cwd=SHOP
    )
    facts = Facts(project=Project(1, SHOP), session=Session(1, "s"), options=options)
    before = _assess_text.cache_info()
    both = list(ask_policies([OTHER, POLICY], event, facts, lambda: 0.0))
    after = _assess_text.cache_info()
    assert [opinion_kind(one.opinion) for one in both] == ["", "ask"]
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 1)


ALONE: dict[str, PolicyOptions] = {"destructive-guard": Other(mode="off")}


@pytest.mark.parametrize("first", ["Bash", "Monitor", "mcp__shell__run"])
@pytest.mark.parametrize("tool", ["Bash", "Monitor", "mcp__shell__run"])
def test_the_values_of_variables_count_whichever_tool_had_the_text_before(
    first: str, tool: str
) -> None:
    given = {"command": f"key=~/.ssh/id_rsa; cat $key; : {first} {tool}"}
    heard(first, given, ALONE)
    assert opinion_kind(heard(tool, given, ALONE)) == "deny"


@parametrize_all(
    ("tool", "tool_input"),
    [
        ("Read", {"file_path": f"{SHOP}/notes.txt"}),
        ("Edit", {"file_path": f"{SHOP}/notes.txt"}),
        ("Grep", {"pattern": "x", "path": f"{SHOP}/notes.txt", "output_mode": "content"}),
        ("Bash", {"command": "cat notes.txt"}),
        ("mcp__mail__send", {"attachment": f"{SHOP}/notes.txt"}),
    ],
)
def test_a_file_whose_links_could_not_be_resolved_is_asked_about(
    tool: str, tool_input: dict[str, Any]
) -> None:
    assert heard(tool, tool_input) is None
    opinion = heard(tool, tool_input, links={f"{SHOP}/notes.txt": None})
    assert opinion is not None
    assert opinion.verdict == "ask"
    assert "notes.txt, which could be a link to a secret" in opinion.reason
    assert heard(tool, tool_input, links={SHOP: None}) is None, "the file itself is known"


TOKEN = "ghp_" + "a1B2" * 9


@parametrize_all(
    ("tool", "tool_input", "says"),
    [
        ("WebFetch", {"url": f"https://api.example.com/x?t={TOKEN}", "prompt": "read"}, "ask"),
        ("WebFetch", {"url": "https://bob:hunter2horse@example.com/", "prompt": "read"}, "ask"),
        ("WebFetch", {"url": "https://example.com/", "prompt": f"log in with {TOKEN}"}, "ask"),
        ("WebSearch", {"query": f"what is {TOKEN}"}, "ask"),
        ("WebSearch", {"query": "error: password=hunter2horse rejected"}, "ask"),
        ("mcp__mail__send", {"to": "a@b.io", "body": f"use {TOKEN}"}, "ask"),
        ("mcp__slack__post", {"blocks": [{"text": {"text": TOKEN}}]}, "ask"),
        ("mcp__http__get", {"headers": {"X": "Bearer abcdef123456789"}}, "ask"),
        ("mcp__db__connect", {"url": "postgres://bob:hunter2horse@db/x"}, "ask"),
        ("WebFetch", {"url": "https://docs.github.com/tokens", "prompt": "what is ghp_?"}, ""),
        ("WebFetch", {"url": "https://example.com/?sha=9b1f0d2c4e6a8b0c2d4e6f8091a2b3c4"}, ""),
        ("WebSearch", {"query": "reset a forgotten password of postgres"}, ""),
        ("WebSearch", {"query": "sk-learn token authorization bearer header"}, ""),
        ("mcp__files__write", {"path": "a.py", "content": "password = 'example'"}, ""),
        ("mcp__slack__post", {"text": "the token expired, rotate it"}, ""),
        ("mcp__git__show", {"rev": "9b1f0d2c4e6a8b0c2d4e6f8091a2b3c4d5e6f708"}, ""),
        ("mcp__issues__get", {"id": "0b8f3c1e-1111-4222-8333-444455556666"}, ""),
        ("mcp__http__get", {"headers": {"Authorization": "Bearer ${TOKEN}"}}, ""),
        ("mcp__mail__send", {"body": "see [redacted:github-token]"}, ""),
        ("Write", {"file_path": f"{SHOP}/a.py", "content": f"x = '{TOKEN}'"}, ""),
    ],
)
def test_a_secret_in_a_call_that_leaves_the_machine_is_asked_about(
    tool: str, tool_input: dict[str, Any], says: str
) -> None:
    opinion = heard(tool, tool_input)
    assert opinion_kind(opinion) == says
    reason = opinion.reason if opinion else ""
    assert TOKEN not in reason
    assert "hunter2horse" not in reason
    assert "abcdef123456789" not in reason
