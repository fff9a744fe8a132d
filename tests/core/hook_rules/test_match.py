"""A user's hook runs on its event, where its matcher and its condition say so, as in the client."""

import re
import string
import warnings
from collections.abc import Mapping
from typing import Any

import hypothesis
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules.match import (
    GlobRoots,
    HookTable,
    condition_holds,
    condition_problem,
    matcher_problem,
    matches,
)
from hookd.core.hook_rules.model import Form, Hook, Source
from hookd.events.matcher import accepts
from hookd.events.model import HookInput, PreToolUse
from hookd.events.protocol import EVENTS
from hookd.events.tool_names import unknown_tool_problems
from hookd.methods import HOOKS
from hookd.shell.globs import text_fits
from support.parametrize import parametrize_all
from support.patches import add, delete, patch, update

MORE = hypothesis.settings(
    max_examples=3 * hypothesis.settings.default.max_examples,
)
"""No property here is about time."""

HERE = GlobRoots(home="/home/ann", project="/p")


def hook(event: str, form: Form = "nested", **fields: Any) -> Hook:
    source = Source("user", "/home/ann/settings.json", f"hooks.{event}[0]", form)
    return Hook("h", event, "command", source, command="true", **fields)


def told(name: str, **fields: Any) -> HookInput:
    model = HOOKS[name].params if name in HOOKS else HookInput
    event = model.model_validate(fields | {"hook_event_name": name})
    assert isinstance(event, HookInput)
    return event


def call(tool: str, *, event: str = "PreToolUse", cwd: str = "/p", **given: Any) -> HookInput:
    return told(event, tool_name=tool, tool_input=given, cwd=cwd)


NAMES = [
    # everything
    (None, "Bash", True),
    ("", "Bash", True),
    ("*", "Bash", True),
    ("*", "mcp__mem__save", True),
    # exact names
    ("Edit", "Edit", True),
    ("Edit", "Write", False),
    ("Edit", "NotebookEdit", False),
    ("Edit", "MultiEdit", False),
    ("Edit", "edit", False),
    ("Edit|Write", "Edit", True),
    ("Edit|Write", "Write", True),
    ("Edit|Write", "Read", False),
    ("Edit|Write", "NotebookEdit", False),
    ("Edit, Write", "Write", True),
    ("Edit,Write", "Edit", True),
    (" Edit | Write ", "Write", True),
    ("Edit Write", "Edit", False),
    ("Edit|", "Edit", True),
    ("Edit|", "Write", False),
    ("|", "Edit", False),
    (" ", "Edit", False),
    ("code-reviewer", "code-reviewer", True),
    ("mcp__mem", "mcp__mem__save", False),
    ("mcp__mem__save", "mcp__mem__save", True),
    ("mcp__my-server__save", "mcp__my-server__save", True),
    # regular expressions: not anchored, case-sensitive
    ("mcp__mem__.*", "mcp__mem__save", True),
    ("mcp__.*", "mcp__mem__save", True),
    ("mcp__.*", "Bash", False),
    ("Edit.*", "NotebookEdit", True),
    ("^Edit", "NotebookEdit", False),
    ("^Edit$", "Edit", True),
    ("^(Edit|Write)$", "MultiEdit", False),
    ("Notebook.*", "NotebookEdit", True),
    ("notebook.*", "NotebookEdit", False),
    (".", "Bash", True),
    ("mcp__*", "mcp__mem__save", True),
    ("*Edit", "Edit", False),
    ("**", "Edit", False),
    ("Bash(git *)", "Bash", False),
    # what JavaScript reads in a way of its own
    (r"^\w+$", "Bash", True),
    (r"^\w+$", "B\u00e4sh", False),
    (r"^\d$", "\u0664", False),
    ("^Bash$", "Bash\n", False),
    ("^a.b$", "a\nb", False),
    ("^a.b$", "a\u2028b", False),
    ("^a[^]b$", "a\nb", True),
    ("a[]b", "ab", False),
    ("^[[]$", "[", True),
    ("^[a&&b]$", "&", True),
    ("^[a--]$", "-", False),
    ("^[+--]$", ",", True),
    (r"^a\/b$", "a/b", True),
    (r"^\Bash$", "Bash", False),
    (r"^\Agent$", "Agent", True),
    (r"^B\u0061sh$", "Bash", True),
    (r"^B\x61sh$", "Bash", True),
    ("^a{,2}$", "a{,2}", True),
    ("^a{2}$", "aa", True),
    ("^a{b$", "a{b", True),
    ("(?<x>Ba)sh", "Bash", True),
    (r"^(?<x>a)\k<x>$", "aa", True),
    ("(?<!Notebook)Edit.?", "NotebookEdit", False),
    ("^(?!Bash).*", "Bash", False),
    ("^(?!Bash).*", "Read", True),
    ("(?:Ed)it.*?", "Edit", True),
    # what JavaScript cannot read never matches
    ("(?i)bash.*", "bash", False),
    ("(?P<x>Bash)", "Bash", False),
    ("Bash++", "Bash", False),
    ("(Bash", "Bash", False),
    ("Bash)", "Bash", False),
    ("[Bash", "Bash", False),
    ("Bash\\", "Bash", False),
    ("a{99999999999}", "a", False),
    # tools were renamed
    ("Task", "Agent", True),
    ("Agent", "Task", True),
    ("Agent", "Agent", True),
    ("^Task$", "Agent", True),
    ("KillShell", "TaskStop", True),
    ("BashOutputTool|Read", "TaskOutput", True),
    ("Task", "TaskCreate", False),
    ("run_command", "Bash", False),
    # a patch of Codex, as in Codex
    ("Edit|Write", "ApplyPatch", True),
    ("^Write$", "ApplyPatch", True),
    ("apply_patch", "ApplyPatch", True),
    ("ApplyPatch", "ApplyPatch", True),
    ("MultiEdit", "ApplyPatch", False),
    ("Bash", "ApplyPatch", False),
    ("apply_patch", "Edit", False),
]


@parametrize_all(("matcher", "tool", "true"), NAMES)
def test_a_matcher_picks_tools_as_the_client_does(
    matcher: str | None, tool: str, true: bool
) -> None:
    assert matches(hook("PreToolUse", matcher=matcher), call(tool)) is true


FIELDS = [
    ("SessionStart", "startup", {"source": "startup"}, True),
    ("SessionStart", "startup|resume", {"source": "clear"}, False),
    ("SessionStart", "startup, fork", {"source": "fork"}, True),
    ("SessionEnd", "logout", {"reason": "logout"}, True),
    ("Notification", "idle_prompt", {"notification_type": "idle_prompt"}, True),
    ("Notification", "idle_prompt", {"notification_type": "permission_prompt"}, False),
    ("Notification", ".*_prompt", {"notification_type": "permission_prompt"}, True),
    ("PreCompact", "manual", {"trigger": "auto"}, False),
    ("PreCompact", "auto", {"trigger": "auto"}, True),
    ("SubagentStop", "code-reviewer", {"agent_type": "code-reviewer"}, True),
    ("SubagentStop", "code-reviewer", {"agent_type": ""}, False),
    ("SubagentStop", "code-reviewer", {}, False),
    ("SubagentStop", ".*", {}, False),
    ("SubagentStop", "*", {}, True),
    ("SubagentStart", "Task", {"agent_type": "Agent"}, False),
    ("UserPromptExpansion", "my-plugin:.*", {"command_name": "my-plugin:go"}, True),
    ("PreModelSwitch", "claude-opus-5", {"to_model": "claude-opus-5[1m]"}, True),
    ("PostModelSwitch", "^.*opus-5$", {"to_model": "claude-opus-5[1m]"}, True),
    ("PostModelSwitch", "claude-opus-5", {"to_model": "claude-sonnet-5"}, False),
    ("Elicitation", "github", {"mcp_server_name": "github"}, True),
    ("Elicitation", "github", {}, False),
    ("ConfigChange", "skills", {"source": "skills"}, True),
    ("FileChanged", ".env", {"file_path": "/p/.env"}, True),
    ("FileChanged", ".envrc|.env", {"file_path": "/p/deep/.envrc"}, True),
    ("FileChanged", "package", {"file_path": "/p/package/x"}, False),
    ("FileChanged", "Makefile|Dockerfile", {"file_path": "/p/Makefile"}, True),
    ("FileChanged", "Makefile, Dockerfile", {"file_path": "/p/Makefile"}, False),
    ("StopFailure", "rate_limit|overloaded", {"error": "overloaded"}, True),
    ("StopFailure", "rate_limit, overloaded", {"error": "overloaded"}, False),
    ("StopFailure", "rate", {"error": "rate_limit"}, False),
    ("Stop", "anything", {}, True),
    ("UserPromptSubmit", "x(", {"prompt": "hello"}, True),
    ("CwdChanged", "nothing", {}, True),
    ("SomethingNew", "nothing", {}, True),
]


@parametrize_all(("event", "matcher", "fields", "true"), FIELDS)
def test_every_event_has_a_field_of_its_own_to_match(
    event: str, matcher: str, fields: Mapping[str, Any], true: bool
) -> None:
    assert matches(hook(event, matcher=matcher), told(event, **fields)) is true


def test_a_hook_of_another_event_does_not_match() -> None:
    assert not matches(hook("PostToolUse", matcher="*"), call("Bash"))


def test_a_very_long_name_is_looked_at_in_its_beginning() -> None:
    assert matches(hook("PreToolUse", matcher="^a.*"), call("a" * 100_000))
    assert not matches(hook("PreToolUse", matcher=".*b"), call("a" * 255 + "b"))
    assert matches(hook("PreToolUse", matcher="a" * 300), call("a" * 300))


FOREIGN = [
    ("edit_file|write_file", "Edit", True),
    ("edit_file|write_file", "Write", True),
    ("edit_file|write_file", "Read", False),
    ("edit_file|write_file|multi_edit", "MultiEdit", True),
    ("run_command", "Bash", True),
    ("^run_.*", "Bash", True),
    ("read_file", "Read", True),
    ("mcp__.*", "mcp__mem__save", True),
    ("Bash", "Bash", True),
]


@parametrize_all(("matcher", "tool", "true"), FOREIGN)
def test_hooks_of_other_agents_know_tools_by_the_names_of_those(
    matcher: str, tool: str, true: bool
) -> None:
    event = call(tool)
    assert matches(hook("PreToolUse", "opta", matcher=matcher), event) is true
    assert matches(hook("PreToolUse", env_sets=("plain",), matcher=matcher), event) is true


def test_a_matcher_with_a_problem_is_told_of_in_a_sentence() -> None:
    problems = {
        ("PreToolUse", "(?i)bash"): "nothing to repeat",
        ("PreToolUse", "(Bash"): "cannot be read",
        ("PreToolUse", "Bash)"): "closed that was not opened",
        ("PreToolUse", "[Bash"): "bracket is not closed",
        ("PreToolUse", "Bash\\"): "ends in a backslash",
        ("PreToolUse", "Bash++"): "nothing to repeat",
        ("PreToolUse", "(a+)+$"): "take forever",
        ("PreToolUse", "(a|a)*b"): "take forever",
        ("PreToolUse", "(a?){30}"): "take forever",
        ("PreToolUse", "((a*)b?)*"): "take forever",
        ("PreToolUse", r"\w*\w*\w*\w*x"): "take forever",
        ("PreToolUse", "(a|aa)" * 12 + "x"): "take forever",
        ("PreToolUse", "x" * 1_001 + "."): "longer than",
        ("PreToolUse", "mcp__mem"): "write 'mcp__mem__.*'",
        ("StopFailure", "a,("): "cannot be read",
        ("Stop", "Bash"): "is ignored",
    }
    for (event, matcher), words in problems.items():
        assert words in (matcher_problem(event, matcher) or ""), matcher


def test_a_matcher_that_does_what_it_seems_to_has_no_problem() -> None:
    for matcher in (None, "", "*", "Edit|Write", "mcp__mem__.*", r"^(mcp__\w+__(get|list)_.*)?$"):
        assert matcher_problem("PreToolUse", matcher) is None
    assert matcher_problem("Stop", "*") is None
    assert matcher_problem("FileChanged", ".envrc|.env") is None
    assert matcher_problem("SomethingNew", "x(") is None


SHELL = [
    # the client's own table
    ("git *", "FOO=bar git push", True),
    ("git *", "npm test && git push", True),
    ("rm *", "echo $(rm -rf /)", True),
    ("rm *", "echo `rm -rf /`", True),
    ("rm *", "echo $(date)", False),
    ("cat *", "echo before $(date) after", False),
    ("git *", "$TOOL git push", True),
    ("git push *", "echo $(date)", True),
    ("git push *", "echo `date`", True),
    ("git push *", 'echo "$HOME"', True),
    ("git push *", "awk '{print $1}' x", False),
    ("git push *", "ls", False),
    # words
    ("git *", "git", True),
    ("git *", "git push", True),
    ("git *", "gitk", False),
    ("git*", "gitk", True),
    ("git:*", "git push", True),
    ("git:*", "git", True),
    ("git:*", "gitk", False),
    ("npm run test:*", "npm run test --watch", True),
    ("npm run test:*", "npm run test:unit", False),
    ("npm run build", "npm run build", True),
    ("npm run build", "npm run build --prod", False),
    ("npm run build", "npm  run   build", True),
    ("* --version", "node --version", True),
    ("* install", "pip install", True),
    ("git * main", "git push origin main", True),
    ("git * main", "git push origin next", False),
    ("git commit -m *", "git commit -m 'a message'", True),
    ('git commit -m "a b"', "git commit -m 'a b'", True),
    ("git *", "echo 'git push'", False),
    ("git *", "git.exe push", False),
    ("GIT *", "git push", False),
    ("a*b*c", "abc", True),
    ("a*b*c", "acb", False),
    ("aa*aa", "aaa", False),
    ("git status && ls", "git status && ls", True),
    # where a command may hide
    ("npm test *", "timeout 30 npm test", True),
    ("npm test *", "nohup npm test a | tee log", True),
    ("git *", "bash -c 'git push'", True),
    ("git *", "for f in a b; do git add $f; done", True),
    ("git *", "(cd x; git push) &", True),
    ("git *", "if true\nthen\ngit push\nfi", True),
    ("git *", "cat <<'E'\ngit push\nE", False),
    # invalid
    ("git *", "echo 'not closed", True),
    ("git *", "eval $x", True),
    ("git *", "echo $(", True),
]


@parametrize_all(("inside", "command", "true"), SHELL)
def test_a_condition_on_bash_looks_at_every_command(inside: str, command: str, true: bool) -> None:
    assert condition_holds(f"Bash({inside})", call("Bash", command=command), HERE) is true


def test_the_name_that_codex_has_for_patches_is_known() -> None:
    assert unknown_tool_problems("PreToolUse", "apply_patch|ApplyPatch|Edit") == []
    (problem,) = unknown_tool_problems("PreToolUse", "applypatch")
    assert "Did you mean ApplyPatch?" in problem


PATCHES = [
    ("Edit(src/**)", True),
    ("Write(src/**)", True),
    ("ApplyPatch(src/**)", True),
    ("ApplyPatch", True),
    ("Edit", True),
    ("Edit(docs/**)", True),
    ("Edit(old.md)", True),
    ("Edit(test/**)", False),
    ("MultiEdit(src/**)", False),
    ("Bash(rm *)", False),
    ("Read(src/**)", False),
]


@parametrize_all(("rule", "true"), PATCHES)
def test_a_condition_on_files_looks_at_each_file_of_a_patch(rule: str, true: bool) -> None:
    text = patch(add("src/a.ts"), update("docs/a.md", "docs/b.md"), delete("old.md"))
    assert condition_holds(rule, call("ApplyPatch", command=text), HERE) is true


def test_a_patch_that_cannot_be_read_matches_every_condition_on_files() -> None:
    assert condition_holds("Edit(src/**)", call("ApplyPatch", command="?"), HERE)
    assert condition_problem("PreToolUse", "ApplyPatch(src/**)") is None
    assert condition_problem("PreToolUse", "ApplyPatch(!src/**)") is not None


FILES = [
    ("*.ts", "/p/a.ts", True),
    ("*.ts", "/p/deep/er/a.ts", True),
    ("*.ts", "/p/a.tsx", False),
    ("*.ts", "/elsewhere/a.ts", False),
    ("**/*.ts", "/p/deep/a.ts", True),
    (".env", "/p/.env", True),
    (".env", "/p/deep/.env", True),
    ("./.env", "/p/.env", True),
    ("./.env", "/p/deep/.env", False),
    ("src/**", "/p/src/deep/a.ts", True),
    ("src/**", "/p/lib/src/a.ts", False),
    ("**/src/**", "/p/lib/src/a.ts", True),
    ("src/**/*.ts", "/p/src/a.ts", True),
    ("src/**/*.ts", "/p/src/x/y/a.ts", True),
    ("src/*.ts", "/p/src/x/a.ts", False),
    ("src", "/p/lib/src/a.ts", True),
    ("src/", "/p/lib/src/a.ts", True),
    ("src/", "/p/lib/src", False),
    ("/src/**", "/p/src/a.ts", True),
    ("/src/**", "/src/a.ts", False),
    ("/src", "/p/lib/src/a.ts", False),
    ("//etc/**", "/etc/passwd", True),
    ("//etc/**", "/p/etc/passwd", False),
    ("//**/.env", "/anywhere/at/all/.env", True),
    ("~/x/**", "/home/ann/x/y/z", True),
    ("~/x/**", "/home/bob/x/y/z", False),
    ("~/.zshrc", "~/.zshrc", True),
    ("../q/*.ts", "/q/a.ts", True),
    ("**", "/p/a", True),
    ("*", "/q/a", True),
    ("a?c", "/p/abc", True),
    ("[ab].ts", "/p/b.ts", True),
    ("[!ab].ts", "/p/b.ts", False),
    ("src/**", "/p/src/../lib/a.ts", False),
    ("src/**", "src/a.ts", True),
    ("**/**/**/x", "/p/x", True),
]


@parametrize_all(("inside", "path", "true"), FILES)
def test_a_condition_on_a_file_is_a_line_of_a_gitignore(inside: str, path: str, true: bool) -> None:
    assert condition_holds(f"Edit({inside})", call("Edit", file_path=path), HERE) is true


OTHERS = [
    ("Bash", "Bash", {"command": "ls"}, True),
    ("Bash(*)", "Bash", {"command": "ls"}, True),
    ("Bash()", "Bash", {"command": "ls"}, True),
    ("Bash", "Edit", {"file_path": "/p/a"}, False),
    ("Edit(*.ts)", "Write", {"file_path": "/p/a.ts"}, False),
    ("Write(*.ts)", "Write", {"file_path": "/p/a.ts"}, True),
    ("NotebookEdit(*.ipynb)", "NotebookEdit", {"notebook_path": "/p/a.ipynb"}, True),
    ("Edit(*.ts)", "Edit", {}, False),
    ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com/x"}, True),
    ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://EXAMPLE.com.:8/x"}, True),
    ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com.evil.org"}, False),
    ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://x.org/example.com"}, False),
    ("WebFetch(domain:*.example.com)", "WebFetch", {"url": "https://a.b.example.com"}, True),
    ("WebFetch(domain:*.example.com)", "WebFetch", {"url": "https://example.com"}, False),
    ("WebFetch(domain:github.*)", "WebFetch", {"url": "https://github.io"}, True),
    ("WebFetch(domain:github.*)", "WebFetch", {"url": "https://github.evil.com"}, False),
    ("WebFetch(domain:*)", "WebFetch", {"url": "https://any.org"}, True),
    ("WebFetch(domain:a.org)", "WebFetch", {"url": "https://[broken"}, False),
    ("mcp__mem", "mcp__mem__save", {}, True),
    ("mcp__mem__*", "mcp__mem__save", {}, True),
    ("mcp__mem__save", "mcp__mem__save", {}, True),
    ("mcp__mem__save", "mcp__mem__load", {}, False),
    ("mcp__mem", "mcp__memory__save", {}, False),
    ("Agent(Explore)", "Agent", {"subagent_type": "Explore"}, True),
    ("Agent(Explore)", "Agent", {"subagent_type": "Plan"}, False),
    ("Task(Explore)", "Agent", {"subagent_type": "Explore"}, True),
    ("Agent(Explore)", "Task", {"subagent_type": "Explore"}, True),
    ("Skill(review)", "Skill", {"skill": "review", "args": "all"}, True),
    ("Skill(review *)", "Skill", {"skill": "review", "args": "all"}, True),
    ("Skill(review one)", "Skill", {"skill": "review", "args": "all"}, False),
    ("Glob(src/*)", "Glob", {"pattern": "src/**/*.ts"}, True),
    ("PowerShell(Remove-Item *)", "PowerShell", {"command": "ls"}, True),
    ("Edit(*.ts)|Write(*.ts)", "Edit", {"file_path": "/p/a.ts"}, False),
    ("not a rule", "Bash", {"command": "ls"}, False),
]


@parametrize_all(("rule", "tool", "given", "true"), OTHERS)
def test_a_condition_is_for_the_calls_of_one_tool(
    rule: str, tool: str, given: Mapping[str, Any], true: bool
) -> None:
    assert condition_holds(rule, call(tool, **given), HERE) is true


@parametrize_all("matcher", ["mcp__a__b-c", "mcp__a-b__c", "mcp__a__.*", "mcp__a-b__.*"])
def test_a_hook_runs_for_each_name_that_a_tool_may_have(matcher: str) -> None:
    event = told(
        "PreToolUse", tool_name="mcp__a-b__c", tool_input={}, tool_readings=["mcp__a__b-c"]
    )
    assert accepts("PreToolUse", matcher, "mcp__a-b__c", readings=("mcp__a__b-c",))
    assert condition_holds("mcp__a__b-c", event, HERE)
    assert condition_holds("mcp__a-b", event, HERE)
    assert not condition_holds("mcp__b", event, HERE)


def test_the_folder_that_a_path_is_looked_at_from_may_have_wandered_off() -> None:
    event = call("Edit", cwd="/p/deep", file_path="/p/a.ts")
    assert condition_holds("Edit(*.ts)", event, HERE)
    assert condition_holds("Edit(/a.ts)", event, HERE)
    assert not condition_holds("Edit(*.ts)", event)


def test_without_a_known_home_nothing_is_at_home() -> None:
    assert not condition_holds("Read(~/x)", call("Read", file_path="/home/ann/x"))


@parametrize_all("event", sorted(EVENTS))
def test_a_condition_holds_on_the_events_of_tool_calls_alone(event: str) -> None:
    spec = EVENTS[event]
    fields = {"tool_name": "Bash", "tool_input": {"command": "git push"}}
    about_a_call = {
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PermissionRequest",
        "PermissionDenied",
    }
    if event in about_a_call:
        assert matches(hook(event, condition="Bash(git *)"), told(event, **fields))
        assert condition_problem(event, "Bash(git *)") is None
    else:
        bare = HookInput.model_validate(fields | {"hook_event_name": event, str(spec.match): "x"})
        assert not matches(hook(event, condition="Bash"), bare)
        assert "never runs" in (condition_problem(event, "Bash") or "")


def test_a_matcher_and_a_condition_must_both_say_yes() -> None:
    event = call("Bash", command="git push")
    assert matches(hook("PreToolUse", matcher="Bash", condition="Bash(git *)"), event)
    assert not matches(hook("PreToolUse", matcher="Edit", condition="Bash(git *)"), event)
    assert not matches(hook("PreToolUse", matcher="Bash", condition="Bash(rm *)"), event)


def test_a_condition_with_a_problem_is_told_of_in_a_sentence() -> None:
    problems = {
        "not a rule": "is no permission rule",
        "": "is no permission rule",
        "Bash(git *": "is no permission rule",
        "Edit(*.ts)|Write(*.ts)": "several rules",
        "Edit(*.ts) || Write(*.ts)": "several rules",
        "Bash(git *)|Bash(npm *)": "several rules",
        "mcp__mem__save(x)": "takes nothing in parentheses",
        "WebSearch(x)": "takes nothing in parentheses",
        "WebFetch(example.com)": "WebFetch(domain:example.com)",
        "WebFetch(domain:)": "no domain",
        "Edit(!*.ts)": "cannot exclude",
    }
    for rule, words in problems.items():
        assert words in (condition_problem("PreToolUse", rule) or ""), rule
    for rule in ("Bash", "Bash(git *)", "Edit(*.ts)", "mcp__mem__*", "Bash(echo $(date) (x))"):
        assert condition_problem("PreToolUse", rule) is None
    assert condition_problem("Stop", None) is None


def test_a_table_keeps_the_order_of_the_settings_and_knows_events_without_hooks() -> None:
    first = hook("PreToolUse", matcher="Bash")
    second = hook("Stop")
    third = hook("PreToolUse", matcher="Edit")
    fourth = hook("PreToolUse", condition="Bash(ls)")
    table = HookTable.of([first, second, third, fourth])
    assert table.for_event("PreToolUse") == (first, third, fourth)
    assert table.for_event("Stop") == (second,)
    assert table.for_event("SessionEnd") == ()
    assert table.matching(call("Bash", command="ls")) == (first, fourth)
    assert table.matching(call("Read", file_path="/p/a")) == ()
    assert HookTable.of([]).for_event("PreToolUse") == ()


SIGNS = st.text(alphabet=string.ascii_letters[:6] + r"0127.*+?|,- ()[]{}^$\/<>=!:&~'" + '"`;\n')


@MORE
@given(SIGNS | st.text(), SIGNS | st.text(), st.sampled_from(sorted(EVENTS)))
def test_no_matcher_ever_raises_or_warns(matcher: str, text: str, event: str) -> None:
    fields = {"hook_event_name": event, "tool_name": text, str(EVENTS[event].match): text}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        matches(hook(event, matcher=matcher), HookInput.model_validate(fields))
        matcher_problem(event, matcher)


TOOLS = st.sampled_from(["Bash", "Edit", "WebFetch", "Skill", "mcp__a__b", "Agent", "Odd"])


@MORE
@given(TOOLS, SIGNS | st.text(), SIGNS | st.text(), st.booleans())
def test_no_condition_ever_raises(tool: str, inside: str, text: str, bare: bool) -> None:
    given = dict.fromkeys(("command", "file_path", "url", "skill", "args", "subagent_type"), text)
    event = PreToolUse(hook_event_name="PreToolUse", tool_name=tool, tool_input=given, cwd=text)
    rule = inside if bare else f"{tool}({inside})"
    assert isinstance(condition_holds(rule, event, HERE), bool)
    condition_problem("PreToolUse", rule)


@MORE
@given(
    st.lists(st.sampled_from(["Bash", "Edit", "Read", "", " Write ", "mcp__a__b", "x-y"])),
    st.sampled_from(["|", ",", ", ", " | "]),
    st.sampled_from(["Bash", "Edit", "Read", "Write", "mcp__a__b", "x-y", "Editor"]),
)
def test_a_list_of_names_means_its_names(names: list[str], between: str, tool: str) -> None:
    matcher = between.join(names)
    expected = matcher == "" or tool in {name.strip() for name in names}
    assert matches(hook("PreToolUse", matcher=matcher), call(tool)) is expected


@MORE
@given(st.text(alphabet="ab*", max_size=8), st.text(alphabet="ab", max_size=8))
def test_a_text_is_met_as_a_regular_expression_would(glob: str, text: str) -> None:
    expected = re.fullmatch(".*".join(map(re.escape, glob.split("*"))), text) is not None
    assert text_fits(glob, text) is expected
