"""Hooks written for other agents mean here what they meant there: events, variables, exit codes."""

import json
from typing import Any

from hookd.core.hook_rules.environment import event_variables, process_environment
from hookd.core.hook_rules.match import HookTable
from hookd.core.hook_rules.model import Hook, HookExecution
from hookd.core.hook_rules.sources import Dialect
from hookd.core.model.verdict import merge
from hookd.events import matcher
from hookd.events.model import HookInput
from hookd.methods import HOOKS
from hookd.user_hooks.hook_reply import reply_of
from support.claude_code import render
from support.hook_files import example, on, parsed, run
from support.parametrize import parametrize_all
from support.payloads import payload

NAMES = {
    "session.start": ["SessionStart"],
    "session.end": ["SessionEnd"],
    "tool.pre": ["PreToolUse"],
    "tool.post": ["PostToolUse"],  # of calls that succeeded alone
    "compact": ["PostCompact"],  # after it, not before
    "error": ["PostToolUseFailure", "StopFailure"],
    "turn.done": ["Stop"],
    "prompt.pre": ["UserPromptSubmit"],
    "stop": ["Stop"],
    "chat.message": ["UserPromptSubmit"],
    "tool.execute.before": ["PreToolUse"],
    "tool.execute.after": ["PostToolUse"],
    "session.idle": ["Stop"],
    "session.error": ["StopFailure"],
    "session.deleted": ["SessionEnd"],
    "experimental.session.compacting": ["PreCompact"],
}


@parametrize_all(("name", "events"), NAMES.items())
def test_the_events_of_other_agents_are_these(name: str, events: list[str]) -> None:
    array = parsed({"hooks": [{"event": name, "command": "true"}]}, "opta")
    assert [hook.event for hook in array.hooks] == events


def only(document: object, dialect: Dialect = "hookd") -> Hook:
    (hook,) = parsed(document, dialect).hooks
    return hook


def event(name: str, **more: Any) -> HookInput:
    """Return the event that the real client sent, with `more` added."""
    value = payload(name, **more)
    model = HOOKS[value["hook_event_name"]].params
    found = model.model_validate(value)
    assert isinstance(found, HookInput)
    return found


def variables(name: str, prefix: str, env_set: str, **more: Any) -> dict[str, str]:
    """Return the variables of one set that a hook is given; the rest of its environment is not."""
    hook = only(on("Stop", run("true", env_compat=env_set) if env_set else run("true")))
    sent = {"CLAUDE_PROJECT_DIR": "/p", "AGENT_ID": "orders"}
    given = process_environment(hook, event_variables(event(name, **more), sent, model="opus"), {})
    own = {key: text for key, text in given.items() if key not in sent}
    ours = own if not env_set else {k: v for k, v in own.items() if not k.startswith("HOOKD_")}
    return {key.removeprefix(prefix): text for key, text in ours.items() if key.startswith(prefix)}


ALWAYS = {"EVENT", "SESSION_ID", "CWD", "MODEL"}
OF_OPTA = [
    ("SessionStart", "session.start", set()),
    ("SessionEnd", "session.end", set()),
    ("PreToolUse.Bash", "tool.pre", {"TOOL_NAME", "TOOL_ARGS"}),
    ("PostToolUse.Bash", "tool.post", {"TOOL_NAME", "TOOL_ARGS", "TOOL_RESULT"}),
    ("PostCompact", "compact", set()),
    ("PostToolUseFailure.Bash", "error", {"TOOL_NAME", "TOOL_ARGS", "ERROR"}),
    ("StopFailure", "error", {"ERROR"}),
    ("Stop", "turn.done", set()),
    ("UserPromptSubmit", "prompt.pre", set()),
]


@parametrize_all(("name", "theirs", "more"), OF_OPTA)
def test_each_event_of_opta_has_its_variables_and_no_more(
    name: str, theirs: str, more: set[str]
) -> None:
    given = variables(name, "OPTA_", "opta")
    assert set(given) == ALWAYS | more
    assert (given["EVENT"], given["MODEL"]) == (theirs, "opus")
    assert given["SESSION_ID"] == payload(name)["session_id"]
    assert given["CWD"] == payload(name)["cwd"]
    if "TOOL_ARGS" in more:
        assert json.loads(given["TOOL_ARGS"]) == payload(name)["tool_input"]
    if "ERROR" in more:
        assert given["ERROR"] == payload(name)["error"]


def test_a_result_is_told_by_its_first_two_kilobytes() -> None:
    assert variables("PostToolUse.Bash", "OPTA_", "opta", tool_response="x" * 5_000)[
        "TOOL_RESULT"
    ] == ("x" * 2_048)


def test_the_plain_names_tell_the_file_the_command_and_how_it_ended() -> None:
    bash = payload("PostToolUse.Bash")
    assert variables("PostToolUse.Bash", "", "plain") == {
        "HOOK_EVENT_NAME": "PostToolUse",
        "TOOL_NAME": "Bash",
        "SESSION_ID": bash["session_id"],
        "CWD": bash["cwd"],
        "COMMAND": "echo one",
        "EXIT_CODE": "0",
    }
    assert variables("PostToolUseFailure.Bash", "", "plain")["EXIT_CODE"] == "3"
    edit = payload("PostToolUse.Edit")
    given = variables("PostToolUse.Edit", "", "plain")
    assert given["FILE_PATH"] == edit["tool_input"]["file_path"]
    assert "COMMAND" not in given


OWN = {"EVENT", "SESSION_ID", "CWD", "MODEL", "AGENT_ID", "PROJECT_DIR"}
OF_HOOKD = [
    ("PreToolUse.Edit", {"TOOL_NAME", "TOOL_INPUT", "FILE_PATH"}),
    ("PostToolUse.Bash", {"TOOL_NAME", "TOOL_INPUT", "TOOL_RESULT", "COMMAND", "EXIT_CODE"}),
    ("PostToolUseFailure.Bash", {"TOOL_NAME", "TOOL_INPUT", "COMMAND", "ERROR", "EXIT_CODE"}),
    ("StopFailure", {"ERROR"}),
    ("SessionStart", set()),
    ("UserPromptSubmit", set()),
    ("Notification", set()),
    ("Stop", set()),
]


@parametrize_all(("name", "more"), OF_HOOKD)
def test_each_event_has_the_variables_that_it_can_fill(name: str, more: set[str]) -> None:
    assert set(variables(name, "HOOKD_", "")) == OWN | more


PLACE = {"PATH", "HOME", "USER", "SHELL", "TERM", "LANG", "LC_ALL", "NODE_ENV", "TMPDIR", "TZ"}
PLACE |= {"LOGNAME", "VIRTUAL_ENV", "HOOKD_HOME", "CLAUDE_CONFIG_DIR"}
ASKER = {"AGENT_ID", "CLAUDE_PROJECT_DIR", "TMUX", "TMUX_PANE", "HOOKD_RUN"}
OTHERS = {"ANTHROPIC_API_KEY", "OPTA_TOKEN", "LD_PRELOAD", "PYTHONPATH", "OTEL_EXPORTER", "EDITOR"}


def test_a_hook_has_the_usual_variables_of_both_and_its_asker_s_alone() -> None:
    everything = dict.fromkeys(PLACE | ASKER | OTHERS, "x")
    hook, stop = only(on("Stop", run("true"))), event("Stop")
    of_daemon = process_environment(hook, event_variables(stop, {}), everything)
    of_client = process_environment(hook, event_variables(stop, everything), {})
    assert {name for name in of_daemon if name in everything} == PLACE
    assert {name for name in of_client if name in everything} == PLACE | ASKER
    both = process_environment(
        hook, event_variables(stop, {"VIRTUAL_ENV": "/client"}), {"VIRTUAL_ENV": "/daemon"}
    )
    assert both["VIRTUAL_ENV"] == "/client", "the daemon's shell is not the user's"


def answer(hook: Hook, code: int, stdout: str = "", stderr: str = "") -> Any:
    """Return the client's answer if only this hook ran."""
    opinion = reply_of(HookExecution(hook, code, stdout, stderr), hook.event).opinion
    return render(hook.event, merge([opinion] if opinion else [], hook.event), 0)


def opta(name: str) -> Hook:
    return parsed({"hooks": [{"event": name, "command": "check.sh"}]}).hooks[0]


@parametrize_all("name", ["session.start", "session.end", "tool.post", "compact", "error"])
def test_of_opta_s_events_none_but_the_one_before_a_call_can_block(name: str) -> None:
    hook = opta(name)
    assert answer(hook, 1, stderr="it failed") is None


@parametrize_all("code", [1, 2, 3, 127])
def test_any_exit_code_but_0_cancels_a_call_with_what_was_printed(code: int) -> None:
    refused = answer(opta("tool.pre"), code, stderr="  Blocked: no.\n\n")
    assert refused["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert refused["hookSpecificOutput"]["permissionDecisionReason"] == "Blocked: no."
    assert answer(opta("tool.pre"), 0, stderr="Blocked: no.") is None


def test_two_blocks_and_another_code_is_only_a_warning_unless_the_entry_says_blocking() -> None:
    cases = [
        ({}, 0, None),
        ({}, 1, None),
        ({"blocking": False}, 1, None),
        ({}, 2, "block"),
        ({"blocking": True}, 1, "block"),
        ({"blocking": True}, 0, None),
    ]
    for keys, code, decision in cases:
        document = on("PostToolUse", run("npm test", **keys), matcher="Write|Edit")
        found = answer(only(document, "gencode"), code, stderr="2 tests fail")
        assert (found or {}).get("decision") == decision, (keys, code)
        assert found is None or "2 tests fail" in found["reason"]


def test_a_greeting_at_the_start_is_context_for_the_model() -> None:
    *_, greeting = parsed(example("mycode.settings.json"), "gencode").hooks
    found = answer(greeting, 0, "Welcome!\n")
    assert found["hookSpecificOutput"]["additionalContext"] == "Welcome!"


def test_a_matcher_is_compiled_once_however_often_it_is_looked_at() -> None:
    table = HookTable.of([only(on("PreToolUse", run("true"), matcher="compiled_once.*"))])
    before = matcher._read.cache_info().misses
    for _ in range(50):
        assert table.matching(event("PreToolUse.Bash")) == ()
    assert matcher._read.cache_info().misses <= before + 1


def test_a_matcher_that_cannot_be_read_leaves_the_other_hooks_alone() -> None:
    groups = [{"matcher": pattern, "hooks": [run(pattern)]} for pattern in ("(Bash", "Bash")]
    found = parsed({"hooks": {"PreToolUse": groups}})
    (problem,) = found.problems
    assert (problem.key, problem.path) == ("hooks.PreToolUse[0].matcher", "/p/hookd.json")
    running = HookTable.of(found.hooks).matching(event("PreToolUse.Bash"))
    assert [hook.command for hook in running] == ["Bash"]
