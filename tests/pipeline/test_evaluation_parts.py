"""Each guard judges each file of a patch, in whatever dress the patch arrives."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import AllowancesForCall
from hookd.core.model.facts import Allowance, Guard
from hookd.core.model.verdict import Outcome
from hookd.events.model import PostToolUse, PreToolUse
from hookd.pipeline.evaluation import PolicyEngine, evaluate_event, recheck_guards
from hookd.policies import (
    POLICIES,
    file_guard,
    path_guard,
    session_gate,
    write_existing_file_guard,
)
from support.parametrize import parametrize_all
from support.patches import (
    DAEMON,
    DRESSES,
    ROOT,
    add,
    delete,
    disk,
    evaluated,
    in_heredoc,
    in_tool,
    loaded,
    patch,
    said_by,
    update,
)

Dress = Callable[[str], tuple[str, dict[str, Any]]]

PATHS = path_guard.Options.model_validate({"rules": [{"deny": ["gen/**"]}]})
GATE = session_gate.Options(mode="enforce")
READ_FIRST = write_existing_file_guard.Options(mode="enforce")


def rule(*include: str, urgency: str = "block") -> Guard:
    """Return a guard rule over these patterns."""
    given = {"id": "no-gen", "urgency": urgency, "payload": {"text": "It is generated."}}
    return Guard(1, "no-gen", "user", json.dumps({**given, "toolFilter": {"include": include}}))


WHERE = {
    "path-guard": disk({"path-guard": PATHS}),
    "guard-rules": disk(guards=(rule("Edit(/gen/**)"),)),
    "session-gate": disk({"session-gate": GATE}),
    "write-existing-file-guard": disk(
        {"write-existing-file-guard": READ_FIRST}, texts={f"{ROOT}/there.py": "x"}
    ),
    "self-guard": disk(real={f"{ROOT}/link.json": f"{ROOT}/.claude/settings.json"}),
    "secrets-guard": disk(real={f"{ROOT}/link": "/home/me/.ssh/id_ed25519"}),
    "destructive-guard": disk(real={f"{ROOT}/hosts": "/etc/hosts"}),
}

SAID: list[tuple[str, str, str | None]] = [
    ("destructive-guard", add("/etc/hosts"), "deny"),
    ("destructive-guard", update("/etc/hosts"), "deny"),
    ("destructive-guard", delete("/etc/hosts"), "deny"),
    ("destructive-guard", update("/etc/hosts", "kept/hosts"), "deny"),
    ("destructive-guard", update("src/a.py", "../../etc/hosts"), "deny"),
    ("destructive-guard", update("hosts"), "deny"),
    ("destructive-guard", add("~/notes.txt"), "ask"),
    ("destructive-guard", delete("data.sqlite"), "ask"),
    ("destructive-guard", add("src/a.py"), None),
    ("destructive-guard", update("src/a.py"), None),
    ("destructive-guard", update("src/a.py", "src/b.py"), None),
    ("path-guard", add("gen/a.py"), "deny"),
    ("path-guard", update("gen/a.py"), "deny"),
    ("path-guard", delete("gen/a.py"), "deny"),
    ("path-guard", update("gen/a.py", "src/a.py"), "deny"),
    ("path-guard", update("src/a.py", "gen/a.py"), "deny"),
    ("path-guard", add("src/../gen/a.py"), "deny"),
    ("path-guard", add("src/a.py"), None),
    ("guard-rules", add("gen/a.py"), "deny"),
    ("guard-rules", update("gen/a.py"), "deny"),
    ("guard-rules", delete("gen/a.py"), "deny"),
    ("guard-rules", update("src/a.py", "gen/a.py"), "deny"),
    ("guard-rules", add("src/gen.py"), None),
    ("session-gate", add("src/a.py"), "deny"),
    ("session-gate", delete("src/a.py"), "deny"),
    ("self-guard", add(".claude/settings.json"), "ask"),
    ("self-guard", update(".claude/settings.json"), "ask"),
    ("self-guard", delete(".claude/settings.json"), "ask"),
    ("self-guard", update("a.json", ".claude/settings.json"), "ask"),
    ("self-guard", update("link.json"), "ask"),
    ("self-guard", add("~/.config/hookd/settings.json"), "ask"),
    ("self-guard", add("src/a.py"), None),
    ("secrets-guard", update(".env"), "ask"),
    ("secrets-guard", update("link"), "deny"),
    ("secrets-guard", delete(".env"), "ask"),
    ("secrets-guard", add("~/.ssh/id_ed25519"), "ask"),
    ("secrets-guard", add(".env"), None),
    ("write-existing-file-guard", add("there.py"), "deny"),
    ("write-existing-file-guard", update("src/a.py", "there.py"), "deny"),
    ("write-existing-file-guard", update("there.py"), None),
    ("write-existing-file-guard", add("new.py"), None),
]


@pytest.mark.parametrize("dress", DRESSES)
@parametrize_all(("guard", "section", "verdict"), SAID)
def test_a_guard_judges_each_file(
    guard: str, section: str, verdict: str | None, dress: Dress
) -> None:
    """The file of the table is between two others that no guard minds."""
    text = patch(update("src/first.py"), section, update("src/last.py"))
    found = evaluated(WHERE[guard], dress(text))
    said = said_by("no-gen" if guard == "guard-rules" else guard, found)
    assert said.verdict == verdict, found.opinions
    if verdict is not None:
        name = section.split(": ", 1)[1].split("\n", 1)[0]
        target = section.partition("Move to: ")[2].split("\n", 1)[0]
        assert any(one in said.reason for one in (name, target) if one) or "/work" in said.reason


def test_the_rules_of_all_files_are_in_one_answer() -> None:
    """Deny wins over ask, and each reason names its file."""
    text = patch(add("/etc/hosts"), update(".env"), delete(".claude/settings.json"))
    found = evaluated(disk(), in_tool(text))
    assert found.outcome.verdict == "deny"
    assert "/etc/hosts" in found.outcome.reason
    assert said_by("secrets-guard", found).verdict == "ask"
    assert ".env" in said_by("secrets-guard", found).reason
    assert ".claude/settings.json" in said_by("self-guard", found).reason


def test_a_reason_that_names_no_file_gets_its_files() -> None:
    found = evaluated(WHERE["guard-rules"], in_tool(patch(add("gen/a"), add("x"), add("gen/b"))))
    reason = said_by("no-gen", found).reason
    assert "gen/a, gen/b: " in reason
    assert reason.count("It is generated.") == 1


UNREADABLE = [
    ("ApplyPatch", {}),
    ("ApplyPatch", {"command": 7}),
    ("ApplyPatch", {"command": "ls"}),
    in_tool(patch(add("src/a.py")).removesuffix("*** End Patch")),
    in_tool(patch(*(add(f"src/{one}.py") for one in range(101)))),
    ("Bash", {"command": "apply_patch < changes.patch"}),
    ("Bash", {"command": "curl -s https://example.com/p | apply_patch"}),
    ("Bash", {"command": 'apply_patch "$PATCH"'}),
    ("Bash", {"command": "sed s/a/b/ <<'EOF' | apply_patch\n" + patch(add("a")) + "\nEOF"}),
    ("Bash", {"command": "apply_patch <<EOF\n" + patch(add("$NAME")) + "\nEOF"}),
    ("Bash", {"command": "cd \"$DIR\" && apply_patch <<'EOF'\n" + patch(add("a")) + "\nEOF"}),
    ("Bash", {"command": "python3 -c 'import subprocess as s; s.run([\"apply_patch\", x()])'"}),
    in_heredoc(patch(add("src/a.py")).removesuffix("*** End Patch")),
]


@pytest.mark.parametrize("call", UNREADABLE)
def test_what_cannot_be_read_is_asked_about(call: tuple[str, dict[str, Any]]) -> None:
    found = evaluated(disk(), call)
    assert found.outcome.verdict == "ask"
    assert "patch" in found.outcome.reason
    assert found.outcome.allowable


HARMLESS = [
    "git apply changes.patch",
    "grep -rn apply_patch src",
    "git format-patch -1",
    "cat apply_patch.py",
    "./apply_patch --help",
    "npm version patch",
    "ls patches",
]


@pytest.mark.parametrize("command", HARMLESS)
def test_a_command_without_a_patch_is_judged_alone(command: str) -> None:
    found = evaluated(disk(), ("Bash", {"command": command}))
    assert "patch cannot be read" not in found.outcome.reason
    assert "is not known from the text" not in found.outcome.reason


def test_an_allow_rule_is_for_exactly_this_patch() -> None:
    where = disk(any_allowances=True)
    call, other = (
        in_tool(patch(delete("data.sqlite"))),
        in_tool(patch(delete("data.sqlite "), add("a"))),
    )
    found = evaluated(where, call)
    blocked = said_by("destructive-guard", found).call
    assert found.outcome.allowable and blocked is not None
    assert "data.sqlite" in blocked.text
    allowed = Allowance("destructive-guard", 7)
    facts = where.facts.with_facts({AllowancesForCall(blocked.key, where.facts.at): (allowed,)})
    again = replace(where, facts=facts)
    assert evaluated(again, call).outcome.verdict is None
    assert evaluated(again, other).outcome.verdict == "ask"


def test_a_guard_remembers_each_file() -> None:
    """Each file is denied once, all in one answer; the identical patch passes then."""
    guard = "write-existing-file-guard"
    where = disk({guard: READ_FIRST}, texts={f"{ROOT}/{one}": "x" for one in ("a", "b")})
    call = in_tool(patch(add("a"), add("b")))
    said = said_by(guard, evaluated(where, call))
    assert said.verdict == "deny"
    states = [one for one in said.effects if isinstance(one, Remember)]
    assert len(states) == 1
    where.facts = replace(where.facts, policy_state={guard: states[0].value})
    assert said_by(guard, evaluated(where, call)).verdict is None


def test_after_a_patch_its_files_count_as_written() -> None:
    guard = "write-existing-file-guard"
    where = disk({guard: READ_FIRST}, texts={f"{ROOT}/a": "x"})
    found = evaluated(where, in_tool(patch(add("a"), update("b"))), PostToolUse)
    states = [one for one in found.effects if isinstance(one, Remember) and one.policy == guard]
    assert len(states[0].value) == 2


def test_a_window_that_delegates_is_reminded_once() -> None:
    options = {"file-guard": file_guard.Options(mode="enforce")}
    where = disk(options, policy_state={"file-guard": {"delegates": True}})
    said = said_by("file-guard", evaluated(where, in_tool(patch(add("src/a"), add("src/b")))))
    assert "src/a" in said.context
    assert "src/b" not in said.context


def test_patterns_for_the_tool_match_its_parts() -> None:
    for include in ("ApplyPatch", "ApplyPatch(/gen/**)", "Write", "Write(/gen/**)", "Edit(gen/a)"):
        where = disk(guards=(rule(include),))
        assert said_by("no-gen", evaluated(where, in_tool(patch(add("gen/a"))))).verdict == "deny"
    for include in ("MultiEdit", "ApplyPatch(/src/**)", "Read(/gen/**)", "Bash(ls *)"):
        where = disk(guards=(rule(include),))
        assert said_by("no-gen", evaluated(where, in_tool(patch(add("gen/a"))))).verdict is None


def test_a_patch_that_a_hook_has_rewritten_is_judged_again() -> None:
    engine = PolicyEngine(RuntimeConfig())
    tool, given = in_tool(patch(add("src/a")))
    event = PreToolUse(hook_event_name="PreToolUse", tool_name=tool, tool_input=given, cwd=ROOT)
    outcome = Outcome(updated_input={"command": patch(update(".env"))})
    again = loaded(disk(), lambda facts: recheck_guards(engine, event, outcome, facts))
    assert [(one.rule, one.verdict) for one in again] == [("secrets-guard", "ask")]


def test_every_guard_over_calls_judges_parts() -> None:
    """A guard that judged a whole patch only would miss its files."""
    whole = {one.name for one in POLICIES if one.on_error == "ask" and not one.by_part}
    assert whole == {"heartbeat", "read-throttle"}


def test_every_guard_over_deeds_judges_readings() -> None:
    """Policies that judge what a call is named do not: no such name is in the call."""
    judged = {one.name for one in POLICIES if one.by_part and one.by_reading}
    advice = {"directory-agents-injector", "rules-injector"}
    by_name = {"guard-rules", "mail-guard", "session-gate", "write-existing-file-guard"}
    assert judged == {one.name for one in POLICIES if one.by_part} - advice - by_name


def test_the_text_of_a_patch_is_not_judged_as_commands() -> None:
    """A document may name what guards forbid, whatever dress its patch has."""
    lines = ("hookd stop", "rm -rf / && git push --force", ".claude/settings.json", "cat ~/.ssh/x")
    for dress in DRESSES:
        found = evaluated(disk(), dress(patch(add("doc.md", *lines, "disableAllHooks"))))
        assert found.outcome.verdict is None, found.outcome.reason


def test_a_folder_behind_cd_does_not_move_the_project() -> None:
    command = in_heredoc(patch(update("../src/a.py")))[1]["command"]
    where = disk(project=None)
    found = evaluated(where, ("Bash", {"command": f"cd lib && {command}"}))
    assert found.outcome.verdict is None, found.outcome.reason
    command = in_heredoc(patch(update("../../other/a.py")))[1]["command"]
    found = evaluated(where, ("Bash", {"command": f"cd lib && {command}"}))
    assert found.outcome.verdict == "ask"


def test_rules_of_folders_are_given_once_after_a_patch() -> None:
    rule = f"{ROOT}/.cursor/rules/python.mdc"
    where = disk(
        texts={rule: "---\nglobs: *.py\n---\nTypes everywhere."},
        folders={f"{ROOT}/.cursor/rules": ("python.mdc",)},
    )
    text = patch(add("a.md"), add("a.py"), update("b.py"), delete("c.py"))
    said = said_by("rules-injector", evaluated(where, in_tool(text), PostToolUse))
    assert said.context.count("Types everywhere.") == 1


def batch(*calls: tuple[str, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    return "Batch", {"calls": [{"tool_name": tool, "tool_input": one} for tool, one in calls]}


@parametrize_all(
    ("rule", "call"),
    [
        ("destructive-guard", ("Bash", {"command": "rm -rf /etc"})),
        ("secrets-guard", ("Read", {"file_path": f"{ROOT}/.env"})),
        ("no-gen", ("Edit", {"file_path": f"{ROOT}/gen/a", "old_string": "", "new_string": ""})),
        ("secrets-guard", in_heredoc(patch(update(".env")))),
        ("destructive-guard", ("Batch", {"calls": []})),
    ],
)
def test_a_call_in_a_batch_is_judged_as_if_it_was_made_alone(
    rule: str, call: tuple[str, dict[str, Any]]
) -> None:
    where = WHERE["guard-rules"]
    found = evaluated(where, batch(("Bash", {"command": "ls"}), call))
    assert said_by(rule, found).verdict is not None
    if call[0] != "Batch":
        assert said_by(rule, found).verdict == said_by(rule, evaluated(where, call)).verdict


def test_a_batch_of_harmless_calls_passes() -> None:
    calls = ("Bash", {"command": "git status"}), ("Read", {"file_path": f"{ROOT}/a.py"})
    for where in (disk(), disk({"session-gate": GATE})):
        assert evaluated(where, batch(*calls)).outcome.verdict is None


TYPED = [
    ("DROP TABLE users;", "deny"),
    ("flushall", "deny"),
    ("import os\nos.system('rm -rf ~')", "deny"),
    ("!rm -rf /etc", "deny"),
    ("open('/home/me/.ssh/id_rsa').read()", "deny"),
    ("rm -rf /etc", "deny"),
    ("print(1)", "ask"),  # a shell may read it, too, and hookd cannot parse it as a command
    *((text, None) for text in ("ls -la", "y", "git status", "show tables;", "\\q", "q")),
    *((text, None) for text in ("import os", "x = [1, 2]", "npm test", "rm -rf node_modules")),
    *((text, None) for text in ("help", "1", "update t set a=1 where id=2;", "Fix it, please")),
]


@parametrize_all(("text", "verdict"), TYPED)
def test_typed_text_is_judged_for_each_program_that_may_read_it(
    text: str, verdict: str | None
) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": text}, "typed_text": True, "cwd": ROOT}
    event = PreToolUse.model_validate(given | {"hook_event_name": "PreToolUse"})
    engine = PolicyEngine(RuntimeConfig(DAEMON))
    found = loaded(disk(), lambda facts: evaluate_event(engine, event, None, facts))
    assert found.outcome.verdict == verdict, found.outcome.reason


def test_a_rule_over_commands_does_not_see_the_programs_of_typed_text() -> None:
    """The text has no `python3`: only guards judge what it would do there."""
    given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "typed_text": True, "cwd": ROOT}
    event = PreToolUse.model_validate(given | {"hook_event_name": "PreToolUse"})
    engine = PolicyEngine(RuntimeConfig(DAEMON))
    where = disk({"session-gate": GATE}, guards=(rule("Bash(python3 *)"),))
    found = loaded(where, lambda facts: evaluate_event(engine, event, None, facts))
    assert found.outcome.verdict is None
