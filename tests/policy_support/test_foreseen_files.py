"""What guards request for a file tool or a command is foreseen, so that each is evaluated once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.identity import Identity
from hookd.events.model import HookInput, PostToolUse, PreToolUse
from hookd.pipeline.evaluation import PolicyEngine, evaluate_event
from hookd.policies import POLICIES
from hookd.policy_support.foreseen_files import foreseen_files
from support.paper_disk import Disk
from support.parametrize import parametrize_all
from support.patches import DRESSES, add, delete, patch, update

SHOP = "/home/me/shop"
KNOWN = Facts(
    identity=Identity(cwd=SHOP, project_dir=SHOP, home="/home/me"),
    daemon=DaemonState(
        pid=4242,
        socket="/home/me/.hookd/run/hookd.sock",
        database="/home/me/.hookd/hookd.db",
        settings="/home/me/.hookd/settings.json",
        claude="/home/me/.claude",
        own=("/home/me/.hookd/shims",),
    ),
)
IN_DATABASE = {"project": Project(1, SHOP), "session": Session(1, "s")}


def call(tool: str, path: str, kind: type[HookInput] = PreToolUse) -> HookInput:
    """Return a call of a file tool."""
    key = "notebook_path" if tool == "NotebookEdit" else "file_path"
    given = {"tool_name": tool, "tool_input": {key: path}, "cwd": SHOP, "session_id": "s"}
    transcript = {"transcript_path": "/home/me/.claude/projects/x/s.jsonl"}
    return kind.model_validate({**given, **transcript, "hook_event_name": kind.__name__})


TOOLS = ["Read", "Write", "Edit", "MultiEdit", "NotebookEdit"]
PATHS = [f"{SHOP}/src/app.py", f"{SHOP}/link", "/tmp/notes.txt", "/home/me/.bashrc", f"{SHOP}/.env"]
PATHS += ["/home/me/notes.txt", "/home/me/other/a.py", "src/app.py", "~/notes.txt"]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("path", PATHS)
def test_guards_request_nothing_that_was_not_foreseen(tool: str, path: str) -> None:
    disk = Disk(links={f"{SHOP}/link": "/etc/hosts"})
    event = call(tool, path)
    found = {want: disk.sees(want) for want in foreseen_files(event, KNOWN)}
    facts = Facts(identity=KNOWN.identity, daemon=KNOWN.daemon, resolved=found, **IN_DATABASE)
    assert [one.fault for one in ask_policies(POLICIES, event, facts, lambda: 0.0)].count(None) > 3


COMMANDS = [
    "git status",
    "cat src/app.py",
    "grep -n total < orders.csv | sort -u",
    "echo 1 > out.txt",
    "npm run build > ../build.log 2>&1; cp out.txt /home/me/out.txt; date >> ../log.txt",
    "rm app.db && echo A=1 > .env && cp .env.example web/.env",
    "cd src && touch a.py b.py && rm -rf build ../link",
    "cp src/app.py /tmp/app.py; cat link >> /home/me/.bashrc",
    "cat > notes.md <<'EOF'\n" + "a line of text\n" * 500 + "EOF",
]


@parametrize_all("command", COMMANDS)
def test_guards_request_nothing_of_a_command_that_was_not_foreseen(command: str) -> None:
    disk = Disk(links={f"{SHOP}/link": "/etc/hosts"})
    event = bash(command)
    found = {want: disk.sees(want) for want in foreseen_files(event, KNOWN)}
    facts = Facts(
        identity=KNOWN.identity,
        daemon=KNOWN.daemon,
        resolved=found,
        any_allowances=False,
        **IN_DATABASE,
    )
    assert [one.fault for one in ask_policies(POLICIES, event, facts, lambda: 0.0)].count(None) > 3


SECTIONS = [
    (add("src/app.py"), update("src/b.py")),
    (update("link"), add("/home/me/.bashrc"), update("src/a.py", "src/b.py")),
    (delete("app.db"), delete("src/app.py")),
]


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("sections", SECTIONS)
def test_guards_request_nothing_of_a_patch_that_was_not_foreseen(
    sections: tuple[str, ...], dress: Callable[[str], tuple[str, dict[str, Any]]]
) -> None:
    tool, given = dress(patch(*sections))
    event = PreToolUse(
        hook_event_name="PreToolUse", tool_name=tool, tool_input=given, cwd=SHOP, session_id="s"
    )
    disk = Disk(links={f"{SHOP}/link": "/etc/hosts"})
    found = {want: disk.sees(want) for want in foreseen_files(event, KNOWN)}
    facts = replace(KNOWN, resolved=found, any_allowances=False, **IN_DATABASE)
    found_by = evaluate_event(PolicyEngine(RuntimeConfig(facts.daemon)), event, None, facts)
    assert found_by.facts is facts


def bash(command: str) -> PreToolUse:
    """Return a call of Bash."""
    given = {"tool_name": "Bash", "tool_input": {"command": command}, "session_id": "s"}
    return PreToolUse.model_validate({**given, "cwd": SHOP, "hook_event_name": "PreToolUse"})


NOTHING = [
    call("Read", ""),
    call("Read", "/" + "x" * 5_000),
    bash("ls"),
    bash("if ("),
    bash("cat src/app.py; " + "ls -la; " * 200),
    bash("cat <<EOF > a.py\n" + "x" * 12_000 + "\nEOF"),
    bash("apply_patch <<'EOF'\n" + patch(add("a", *["x" * 99] * 150)) + "\nEOF"),
    PreToolUse(
        tool_name="ApplyPatch",
        tool_input={"command": patch(add("a", *["x" * 99] * 150))},
        cwd=SHOP,
        session_id="s",
    ),
    bash("touch " + " ".join(f"file{n}" for n in range(40))),
    PreToolUse(tool_name="Bash", tool_input={}, cwd=SHOP, session_id="s"),
    call("Read", f"{SHOP}/app.py", PostToolUse),
]


@parametrize_all("event", NOTHING)
def test_nothing_is_foreseen_of_other_calls(event: HookInput) -> None:
    assert foreseen_files(event, KNOWN) == ()
