"""What a hook's process is given: names, values, what is left out, and how long it may be."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules.environment import (
    MAX_VARIABLE_BYTES,
    HookEnvironment,
    event_variables,
    expand_placeholders,
    process_environment,
)
from hookd.core.hook_rules.event_summary import exit_code, summarize, truncate_bytes
from hookd.core.hook_rules.model import Hook, Source
from hookd.core.hook_rules.path_policy import (
    PathPolicy,
    blocked_folder,
    named_programs,
    program_refusal,
)
from hookd.events.model import HookInput, PostToolUse, PostToolUseFailure, PreToolUse, SessionStart
from support.parametrize import parametrize_all
from support.patches import add, delete, patch, update
from support.payloads import payload

SOURCE = Source("user", "/home/user/.hookd/settings.json", "hooks.PreToolUse[0].hooks[0]")
BASE = {"PATH": "/usr/bin", "HOME": "/home/user", "LANG": "C.UTF-8", "TMPDIR": "/tmp"}


def hook(**more: Any) -> Hook:
    return Hook("h", "PreToolUse", "command", SOURCE, **more)


def before(tool: str = "Bash", **tool_input: Any) -> PreToolUse:
    return PreToolUse.model_validate(
        payload("PreToolUse", tool_name=tool, tool_input=tool_input, cwd="/work/orders")
    )


def of(event: HookInput, **sent: str) -> dict[str, str]:
    return process_environment(hook(), event_variables(event, sent), BASE)


def test_the_client_is_told_and_none_is_inherited() -> None:
    given = {"HOOKD_CLIENT": "codex"}
    own = event_variables(before(command="ls"), given, client="gemini")
    assert process_environment(hook(inherit_env=True), own, given)["HOOKD_CLIENT"] == "gemini"
    none = event_variables(before(command="ls"), given)
    assert "HOOKD_CLIENT" not in process_environment(hook(inherit_env=True), none, given)


def test_a_patch_is_told_by_its_files() -> None:
    """No variable has the content of a file."""
    one = of(before("ApplyPatch", command=patch(add("src/a.py"), delete("b.py"))))
    assert one["HOOKD_FILE_PATH"] == one["HOOKD_FILE_PATHS"] == "src/a.py"
    assert one["HOOKD_TOOL_INPUT"] == '{"files":["src/a.py","b.py"]}'
    assert "HOOKD_COMMAND" not in one
    two = of(before("ApplyPatch", command=patch(add("a"), update("b", "c"))))
    assert two["HOOKD_FILE_PATHS"] == "a\nc"
    assert "HOOKD_FILE_PATH" not in two


def test_the_files_of_a_patch_are_left_out_whole() -> None:
    for names, why in ((["/etc/hosts", "a"], "the file is in /etc"), (["x" * 2_100], "too long")):
        event = before("ApplyPatch", command=patch(*map(add, names), add("b")))
        said = event_variables(event, {}, reach=PathPolicy(("/etc",)))
        assert "FILE_PATHS" not in said.values
        assert why in said.notes[-1]


def test_a_call_of_a_tool_is_told() -> None:
    event = before(command="ls -l")
    given = of(event, CLAUDE_PROJECT_DIR="/work", AGENT_ID="orders", PATH="/opt/bin")
    assert given == BASE | {
        "PATH": "/opt/bin",
        "AGENT_ID": "orders",
        "CLAUDE_PROJECT_DIR": "/work",
        "HOOKD_EVENT": "PreToolUse",
        "HOOKD_SESSION_ID": event.session_id,
        "HOOKD_CWD": "/work/orders",
        "HOOKD_TOOL_NAME": "Bash",
        "HOOKD_TOOL_INPUT": '{"command":"ls -l"}',
        "HOOKD_COMMAND": "ls -l",
        "HOOKD_AGENT_ID": "orders",
        "HOOKD_PROJECT_DIR": "/work",
    }


def test_a_result_and_its_file_are_told_without_what_is_in_the_file() -> None:
    given = of(PostToolUse.model_validate(payload("PostToolUse")))
    assert given["HOOKD_FILE_PATH"] == payload("PostToolUse")["tool_input"]["file_path"]
    result = json.loads(given["HOOKD_TOOL_RESULT"])
    assert result["file"]["numLines"] == 2
    assert "hello" not in given["HOOKD_TOOL_RESULT"]


def test_an_error_is_told_with_its_exit_code() -> None:
    given = of(PostToolUseFailure.model_validate(payload("PostToolUseFailure")))
    assert (given["HOOKD_ERROR"], given["HOOKD_EXIT_CODE"]) == ("Exit code 3\noops", "3")


BASH = [
    ({"stdout": "x"}, "0"),
    ("x", None),
    ({"stdout": "x", "interrupted": True}, None),
    ({"stdout": "", "returnCodeInterpretation": "No matches found"}, None),
    ({"stdout": "", "backgroundTaskId": "b1"}, None),
]


@parametrize_all(("response", "code"), BASH)
def test_an_exit_code_is_told_where_it_is_known(response: Any, code: str | None) -> None:
    event = payload("PostToolUse", tool_name="Bash", tool_input={}, tool_response=response)
    assert exit_code(PostToolUse.model_validate(event)) == code


def test_the_model_is_told_where_it_is_known() -> None:
    start = SessionStart(hook_event_name="SessionStart", model="opus")
    switch = HookInput.model_validate({"hook_event_name": "PreModelSwitch", "to_model": "haiku"})
    assert event_variables(start, {}).values["MODEL"] == "opus"
    assert event_variables(switch, {}, model="opus").values["MODEL"] == "haiku"
    assert event_variables(before(), {}, model="opus").values["MODEL"] == "opus"
    assert "MODEL" not in event_variables(before(), {}).values


def test_a_file_that_changed_is_told() -> None:
    changed = {"hook_event_name": "FileChanged", "file_path": "/work/.env", "cwd": "/work"}
    assert of(HookInput.model_validate(changed))["HOOKD_FILE_PATH"] == "/work/.env"


def test_a_set_of_opta_has_its_names_for_all_that_it_knows() -> None:
    event = event_variables(before(command="ls"), {}, model="opus")
    given = process_environment(hook(env_sets=("opta",)), event, {})
    assert {name: given[name] for name in given if name.startswith("OPTA_")} == {
        "OPTA_EVENT": "tool.pre",
        "OPTA_SESSION_ID": event.values["SESSION_ID"],
        "OPTA_CWD": "/work/orders",
        "OPTA_MODEL": "opus",
        "OPTA_TOOL_NAME": "run_command",
        "OPTA_TOOL_ARGS": '{"command":"ls"}',
    }


@parametrize_all(
    ("tool", "given", "name", "args"),
    [
        ("Edit", {"file_path": "/w/a.py", "new_string": "x"}, "edit_file", '{"path":"/w/a.py"}'),
        ("Write", {"file_path": "/w/a.py", "content": "x"}, "write_file", '{"path":"/w/a.py"}'),
        ("MultiEdit", {"file_path": "/w/a.py"}, "multi_edit", '{"path":"/w/a.py"}'),
        ("Read", {"file_path": "/w/a.py"}, "read_file", '{"path":"/w/a.py"}'),
        ("mcp__db__query", {"sql": "x"}, "mcp__db__query", '{"sql":"x"}'),
    ],
)
def test_a_set_of_opta_names_tools_and_paths_as_its_scripts_read_them(
    tool: str, given: dict[str, str], name: str, args: str
) -> None:
    variables = process_environment(
        hook(env_sets=("opta",)), event_variables(before(tool, **given), {}), {}
    )
    assert (variables["OPTA_TOOL_NAME"], variables["OPTA_TOOL_ARGS"]) == (name, args)
    assert variables["HOOKD_TOOL_NAME"] == tool


def test_a_set_of_plain_names_can_be_given_to_every_hook() -> None:
    event = event_variables(before("Edit", file_path="/work/a.py"), {})
    given = process_environment(hook(), event, {}, env_sets=("plain",))
    assert given["HOOK_EVENT_NAME"] == "PreToolUse"
    assert (given["TOOL_NAME"], given["FILE_PATH"], given["CWD"]) == (
        "Edit",
        "/work/a.py",
        "/work/orders",
    )
    assert "FILE_PATH" not in process_environment(hook(), event, {})


SENT = {"ANTHROPIC_API_KEY": "sk", "NPM_TOKEN": "t", "NPM_CONFIG": "c", "OTHER": "o"}
PASSES = [
    ((), set()),
    (("NPM_*",), {"NPM_CONFIG"}),
    (("*",), {"NPM_CONFIG", "OTHER"}),
    (("NPM_TOKEN",), {"NPM_TOKEN"}),
]


@parametrize_all(("globs", "names"), PASSES)
@parametrize_all("base", [True, False])
def test_a_secret_passes_only_under_its_own_name(
    globs: tuple[str, ...], names: set[str], base: bool
) -> None:
    inside, outside = (SENT, {}) if base else ({}, SENT)
    given = process_environment(hook(), HookEnvironment({}, outside), inside, globs)
    assert set(given) == names


def test_a_hook_that_inherits_the_environment_has_all_but_who_started_the_daemon() -> None:
    base = SENT | {"AGENT_ID": "of the daemon", "TMUX": "x", "OTEL_EXPORTER": "otlp"}
    assert process_environment(hook(inherit_env=True), HookEnvironment({}, {}), base) == SENT


def test_what_the_daemon_was_told_of_another_event_is_not_handed_on() -> None:
    base = {"HOOKD_FILE_PATH": "/other", "FILE_PATH": "/other", "OPTA_ERROR": "other"}
    given = process_environment(
        hook(inherit_env=True, env_sets=("opta", "plain")),
        HookEnvironment({"EVENT": "Stop"}, {}),
        base,
    )
    assert given == {"HOOKD_EVENT": "Stop", "HOOK_EVENT_NAME": "Stop"}


def test_the_usual_agent_is_none() -> None:
    assert "HOOKD_AGENT_ID" not in of(before(), AGENT_ID="default")


def test_a_value_that_was_no_text_counts_as_unset() -> None:
    assert "VIRTUAL_ENV" not in of(before(), VIRTUAL_ENV="/ven\ufffd")


def test_an_unknown_set_adds_nothing() -> None:
    assert process_environment(hook(env_sets=("no such",)), HookEnvironment({}, {}), {}) == {}


BLOCKED = [
    ("/etc/passwd", "/etc"),
    ("/etc", "/etc"),
    ("//etc/passwd", "/etc"),
    ("/home/../etc/passwd", "/etc"),
    ("/private/etc/passwd", "/etc"),
    ("/private/var/db/x", "/var"),
    ("/proc/1/environ", "/proc"),
    ("/dev/sda", "/dev"),
    ("/dev/null", None),
    ("/var/tmp/x", None),
    ("/var/folders/ab/x", None),
    ("/private/var/folders/ab/x", None),
    ("/var/folders/../log/x", "/var"),
    ("/etcetera", None),
    ("/home/user/etc/x", None),
    ("/tmp/x", None),
    ("/", None),
]


@parametrize_all(("path", "folder"), BLOCKED)
def test_a_path_leads_into_a_blocked_folder_or_not(path: str, folder: str | None) -> None:
    assert blocked_folder(path, PathPolicy().blocked) == folder
    event = event_variables(before("Read", file_path=path), {})
    assert event.values.get("FILE_PATH") == (None if folder else path)
    assert bool(event.notes) == bool(folder)


def test_a_file_whose_links_lead_into_a_blocked_folder_is_not_told() -> None:
    event = event_variables(before("Read", file_path="/work/x"), {}, leads_to="/etc/shadow")
    assert "FILE_PATH" not in event.values
    assert event.notes == ("FILE_PATH is not given: the file is in /etc",)


def test_a_relative_file_is_found_from_its_folder() -> None:
    assert event_variables(before("Read", file_path="../../etc/hosts"), {}).notes
    assert event_variables(before("Read", file_path="a.py"), {}).values["FILE_PATH"] == "a.py"


def test_what_is_blocked_is_the_users_choice() -> None:
    reach = PathPolicy(blocked=("/work/private/",))
    assert event_variables(before("Read", file_path="/work/private/x"), {}, reach=reach).notes
    assert not event_variables(before("Read", file_path="/etc/hosts"), {}, reach=reach).notes


@parametrize_all("path", ["/work/" + "x" * MAX_VARIABLE_BYTES, "/work/a\0b"])
def test_a_path_that_does_not_fit_is_left_out_whole(path: str) -> None:
    event = event_variables(before("Read", file_path=path), {})
    assert "FILE_PATH" not in event.values
    assert event.notes == ("FILE_PATH is not given: it holds a NUL, or is too long",)


WRITTEN = [
    ("Write", {"file_path": "/a", "content": "SECRET"}, {"file_path": "/a"}),
    (
        "Edit",
        {"file_path": "/a", "old_string": "SECRET", "new_string": "SECRET", "replace_all": True},
        {"file_path": "/a", "replace_all": True},
    ),
    (
        "MultiEdit",
        {"file_path": "/a", "edits": [{"old_string": "SECRET", "new_string": "SECRET"}]},
        {"file_path": "/a", "edits": [{}]},
    ),
    (
        "NotebookEdit",
        {"notebook_path": "/a.ipynb", "new_source": "SECRET"},
        {"notebook_path": "/a.ipynb"},
    ),
    ("Task", {"content": "kept"}, {"content": "kept"}),
]


@parametrize_all(("tool", "tool_input", "kept"), WRITTEN)
def test_what_is_written_in_a_file_is_left_out(tool: str, tool_input: Any, kept: Any) -> None:
    given = of(before(tool, **tool_input))
    assert json.loads(given["HOOKD_TOOL_INPUT"]) == kept
    assert not any("SECRET" in value for value in given.values())


def test_a_long_input_is_still_json() -> None:
    tool_input = {"command": "echo " + "é" * 100_000, "description": "d" * 5_000, "timeout": 5}
    text = of(before(**tool_input))["HOOKD_TOOL_INPUT"]
    assert len(text.encode()) <= MAX_VARIABLE_BYTES
    kept = json.loads(text)
    assert kept["timeout"] == 5
    assert kept["command"].startswith("echo éé")


def test_an_input_of_many_levels_is_cut() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    assert summarize("Bash", deep, MAX_VARIABLE_BYTES) == "[" * 16 + '"..."' + "]" * 16


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=40,
)


@given(st.text(st.characters()), st.integers(0, 40))
def test_a_text_is_capped_between_two_characters(text: str, limit: int) -> None:
    short = truncate_bytes(text, limit)
    whole = text.replace("\0", "").encode("utf-8", "replace").decode()
    assert whole.startswith(short)
    assert len(short.encode()) <= limit
    assert short == whole or len((whole[: len(short) + 1]).encode()) > limit


@given(JSON, st.sampled_from(["Bash", "Write"]))
def test_whatever_a_tool_is_given_fits(value: Any, tool: str) -> None:
    text = summarize(tool, value, 200)
    assert len(text.encode()) <= 200
    assert "\0" not in text


@given(
    st.dictionaries(st.text(), st.text(st.characters())),
    st.dictionaries(st.text(), st.text(st.characters())),
    st.text(st.characters()),
)
def test_every_environment_can_be_handed_to_a_process(
    base: dict[str, str], sent: dict[str, str], command: str
) -> None:
    given = process_environment(
        hook(inherit_env=True), event_variables(before(command=command), sent), base
    )
    for name, value in given.items():
        assert name
        assert "=" not in name
        assert b"\0" not in name.encode() + value.encode()
        assert not name.startswith("HOOKD_") or len(value.encode()) <= MAX_VARIABLE_BYTES


PROGRAMS = [
    (hook(command="x", args=("a",)), ("x",)),
    (hook(command="npm run lint"), ()),
    (hook(command="/etc/x.sh | tee /var/log/x"), ("/etc/x.sh",)),
    (hook(command="cd /work && ./a.sh; if true; then ../b.sh; fi"), ("./a.sh", "../b.sh")),
    (hook(command='"$CLAUDE_PROJECT_DIR"/x.sh'), ()),
    (hook(command="echo 'unclosed"), ()),
]


@parametrize_all(("one", "named"), PROGRAMS)
def test_the_programs_of_a_command_are_known_as_far_as_it_names_them(
    one: Hook, named: tuple[str, ...]
) -> None:
    assert named_programs(one) == named


REFUSED = [
    (("/etc/x", "/etc/x"), (), True),
    (("/home/x", "/etc/x"), (), True),
    (("/home/x", "/home/x"), (), False),
    (("/home/x", "/home/x"), ("/opt/hooks",), True),
    (("/opt/hooks/x", "/opt/hooks/x"), ("/opt/hooks",), False),
    (("/opt/hooks/x", "/home/x"), ("/opt/hooks",), True),
    (("/opt/hooks/x", "/opt/hooks/x"), ("/srv", "/opt/hooks/"), False),
]


@parametrize_all(("paths", "allowed", "refused"), REFUSED)
def test_a_program_may_run_by_where_it_stands(
    paths: tuple[str, str], allowed: tuple[str, ...], refused: bool
) -> None:
    assert bool(program_refusal("x", paths, PathPolicy(allowed=allowed))) == refused


def test_claude_codes_own_placeholders_are_filled_in_and_nothing_else() -> None:
    text = "${CLAUDE_PROJECT_DIR}/${CLAUDE_PLUGIN_ROOT}/$CLAUDE_PROJECT_DIR/${HOME}"
    assert expand_placeholders(text, {"CLAUDE_PROJECT_DIR": "/a b", "HOME": "/h"}) == (
        "/a b//$CLAUDE_PROJECT_DIR/${HOME}"
    )
