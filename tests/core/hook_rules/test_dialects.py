"""Settings of hooks, in every form that they are written in, become hooks of one normal form."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookd.core.hook_rules.dialects import EVENT_ALIASES, UNSUPPORTED_EVENTS
from hookd.core.hook_rules.field_reader import COMMON_KEYS, TYPE_KEYS
from hookd.core.hook_rules.model import Hook
from hookd.core.hook_rules.parse import ParsedHooks, parse_hooks
from hookd.core.hook_rules.problems import Problem
from hookd.core.hook_rules.sources import Dialect, HookFileLocation, dialect_of
from hookd.events.protocol import EVENTS
from support.hook_files import EXAMPLES, example, on, parsed, run
from support.parametrize import parametrize_all


def only(found: ParsedHooks) -> Hook:
    """Return the one hook of a file with which nothing is wrong."""
    assert found.problems == ()
    (hook,) = found.hooks
    return hook


def said(found: ParsedHooks) -> list[tuple[str, str, bool]]:
    return [(problem.key, problem.sentence, problem.fatal) for problem in found.problems]


def one(event: str, entry: dict[str, Any], dialect: Dialect = "hookd") -> ParsedHooks:
    return parsed(on(event, entry), dialect)


SAMPLES: dict[str, tuple[Dialect, list[tuple[Any, ...]]]] = {
    "settings.nested.json": (
        "hookd",
        [
            ("PreToolUse", "Bash", ".hookd/hooks/block-rm.sh", 5, "warn", False),
            ("PostToolUse", "Write|Edit", 'npm run format "$HOOKD_FILE_PATH"', 60, "warn", False),
            ("PostToolUse", "Write|Edit", 'npm run lint:fix "$HOOKD_FILE_PATH"', 60, "warn", False),
            ("PostToolUse", "Bash", "https://hooks.example.com/audit", 60, "warn", True),
            ("SessionStart", "startup", 'echo "Welcome!"', 60, "warn", False),
        ],
    ),
    "settings.flat.json": (
        "hookd",
        [
            (
                "PostToolUse",
                "Edit|Write",
                ".hookd/hooks/run-linter.sh $HOOKD_FILE_PATH",
                60,
                "warn",
                False,
            ),
            ("Notification", None, "afplay ~/.hookd/sounds/notify.mp3", 60, "warn", False),
        ],
    ),
    "settings.local.json": (
        "hookd",
        [("Stop", None, "notify-send 'Claude Code' 'has finished'", 60, "warn", False)],
    ),
    "plugin.hooks.json": (
        "hookd",
        [("PermissionRequest", "Bash", "notify-send", 2.5, "block", False)],
    ),
    "opta.config.json": (
        "opta",
        [
            ("PreToolUse", "run_command", ".opta/hooks/block-rm.sh", 10, "block", False),
            ("PostToolUse", "edit_file|write_file", ".opta/hooks/auto-lint.sh", 15, "warn", False),
            ("SessionEnd", None, "git add -A && git commit -m 'opta: done'", 1, "warn", True),
        ],
    ),
    "gen.settings.json": (
        "gencode",
        [
            ("PreToolUse", "Bash", 'echo "pre bash"', 5, "block", False),
            ("PostToolUse", "Write|Edit", "npm run lint", 60, "warn", False),
            ("Stop", None, "afplay done.mp3", 60, "warn", False),
        ],
    ),
    "mycode.settings.json": (
        "gencode",
        [
            ("PostToolUse", "Write|Edit", "npm run lint:fix $FILE_PATH", 60, "warn", False),
            ("Stop", None, "afplay ~/.mycode/sounds/done.mp3", 60, "warn", False),
            ("SessionStart", None, 'echo "Welcome!"', 60, "warn", False),
        ],
    ),
}


@parametrize_all("name", SAMPLES)
def test_every_example_loads_unchanged(name: str) -> None:
    dialect, expected = SAMPLES[name]
    found = parsed(example(name), dialect)
    assert found.problems == ()
    assert [
        (h.event, h.matcher, h.command or h.url, h.timeout, h.on_failure, h.background)
        for h in found.hooks
    ] == expected


def test_every_example_has_its_line_in_the_table_above() -> None:
    assert {path.name for path in EXAMPLES.iterdir()} == set(SAMPLES)


def test_a_hook_says_where_it_stands_and_in_what_form() -> None:
    nested = parsed(example("settings.nested.json")).hooks[2]
    assert (nested.source.layer, nested.source.path) == ("project", "/p/hookd.json")
    assert nested.source.key == "hooks.PostToolUse[0].hooks[1]"
    assert nested.source.form == "nested"
    flat = parsed(example("settings.flat.json")).hooks[1]
    assert (flat.source.key, flat.source.form) == ("hooks.Notification[0]", "flat")
    array = parsed(example("opta.config.json")).hooks[2]
    assert (array.source.key, array.source.form) == ("hooks[2]", "opta")


def test_the_array_runs_in_its_order_and_has_the_variables_of_opta_wherever_it_stands() -> None:
    for dialect in ("hookd", "opta"):
        hooks = parsed(example("opta.config.json"), dialect).hooks
        assert {hook.chain for hook in hooks} == {f"/p/{dialect}.json:hooks"}
        assert {hook.env_sets for hook in hooks} == {("opta",)}
        assert hooks[1].timeout == 15


def test_a_file_of_gencode_has_the_plain_variables_and_its_status_message() -> None:
    hooks = parsed(example("gen.settings.json"), "gencode").hooks
    assert {hook.env_sets for hook in hooks} == {("plain",)}
    assert hooks[1].status_message == "Running linter..."


def test_a_sequential_group_is_a_chain_of_its_own() -> None:
    found = parsed(
        {
            "hooks": {
                "Stop": [
                    {"hooks": [run("a"), run("b")], "sequential": True},
                    {"hooks": [run("c")]},
                    {"hooks": [run("d")], "sequential": True},
                    run("e", sequential=True),
                    run("f", sequential=True),
                ]
            }
        }
    )
    assert found.problems == ()
    path = "/p/hookd.json:hooks.Stop"
    assert [hook.chain for hook in found.hooks] == [
        f"{path}[0]",
        f"{path}[0]",
        None,
        f"{path}[2]",
        path,
        path,
    ]


@parametrize_all(("alias", "events"), EVENT_ALIASES.items())
def test_an_event_is_known_by_its_other_names(alias: str, events: tuple[str, ...]) -> None:
    array = parsed({"hooks": [{"event": alias, "command": "true"}]})
    keyed = parsed({"hooks": {alias: [{"hooks": [run("true")]}]}})
    for found in (array, keyed):
        assert found.problems == ()
        assert tuple(hook.event for hook in found.hooks) == events
        assert set(events) <= set(EVENTS)


def test_one_entry_for_two_events_is_two_hooks_with_a_name_each() -> None:
    found = parsed({"hooks": [{"event": "error", "command": "true", "id": "oops"}]})
    assert [hook.id for hook in found.hooks] == ["oops.PostToolUseFailure", "oops.StopFailure"]


@parametrize_all("event", [name for name in EVENTS if name not in UNSUPPORTED_EVENTS])
def test_a_hook_has_the_time_that_its_event_has(event: str) -> None:
    seconds = {"PreToolUse": 10, "UserPromptSubmit": 10, "SessionEnd": 1}.get(event, 60)
    assert only(one(event, run("true"))).timeout == seconds


@parametrize_all(
    ("dialect", "keys", "seconds", "note"),
    [
        ("hookd", {"timeout": 0.5}, 0.5, None),
        ("hookd", {"timeout": 600}, 600, None),
        ("hookd", {"timeout_ms": 1500}, 1.5, None),
        ("hookd", {"timeout": 601}, 600, "600 seconds are the most, and are taken"),
        (
            "hookd",
            {"timeout": 30000},
            600,
            "looks like milliseconds, but is in seconds; 600, the most, is taken",
        ),
        ("hookd", {"timeout": 0.01}, 0.1, "0.1 seconds are the least, and are taken"),
        ("hookd", {"timeout": 10**400}, 600, "looks like milliseconds"),
        ("hookd", {"timeout": 5, "timeout_ms": 700}, 0.7, "the same as `timeout_ms`, which counts"),
        ("gencode", {"timeout": 30000}, 30, None),
        ("gencode", {"timeout": 30}, 0.1, "100 milliseconds are the least, and are taken, not sec"),
        ("opta", {"timeout": 700_000}, 600, "600000 milliseconds are the most, and are taken"),
    ],
)
def test_a_timeout_is_in_the_unit_of_its_file_and_within_bounds(
    dialect: Dialect, keys: dict[str, Any], seconds: float, note: str | None
) -> None:
    found = one("Stop", run("true", **keys), dialect)
    assert found.hooks[0].timeout == seconds
    if note is None:
        assert found.problems == ()
    else:
        (problem,) = found.problems
        assert problem.sentence.startswith(note)
        assert not problem.fatal


@parametrize_all("value", [0, -1, "5", None, True, float("nan"), []])
def test_a_timeout_that_is_no_number_above_0_is_refused(value: object) -> None:
    found = one("Stop", run("true", timeout=value))
    assert found.hooks == ()
    key = "hooks.Stop[0].hooks[0].timeout"
    assert said(found) == [(key, "must be a number above 0", True)]


FAILING: list[tuple[Dialect, str, dict[str, Any], str, str]] = [
    ("hookd", "PreToolUse", {}, "warn", "warn"),
    ("hookd", "PreToolUse", {"on_failure": "block"}, "block", "warn"),
    ("hookd", "PreToolUse", {"on_failure": "ask", "on_error": "block"}, "ask", "block"),
    ("hookd", "PreToolUse", {"on_error": "ask"}, "warn", "ask"),
    ("hookd", "PreToolUse", {"onFailure": "block"}, "block", "block"),
    ("hookd", "PreToolUse", {"onFailure": "continue"}, "warn", "warn"),
    ("hookd", "PreToolUse", {"onFailure": "block", "on_error": "warn"}, "block", "warn"),
    ("hookd", "Stop", {"onFailure": "block"}, "block", "warn"),
    ("hookd", "Stop", {"blocking": True}, "block", "warn"),
    ("gencode", "PostToolUse", {"blocking": True}, "block", "warn"),
    ("gencode", "PostToolUse", {"blocking": False}, "warn", "warn"),
    ("opta", "PreToolUse", {}, "block", "warn"),
    ("opta", "PreToolUse", {"blocking": False}, "warn", "warn"),
    ("opta", "PreToolUse", {"on_failure": "warn"}, "warn", "warn"),
    ("opta", "PostToolUse", {}, "warn", "warn"),
]


@parametrize_all(("dialect", "event", "keys", "on_failure", "on_error"), FAILING)
def test_what_follows_a_failure(
    dialect: Dialect, event: str, keys: dict[str, Any], on_failure: str, on_error: str
) -> None:
    hook = only(one(event, run("true", **keys), dialect))
    assert (hook.on_failure, hook.on_error) == (on_failure, on_error)


@parametrize_all(
    ("keys", "background", "rewake"),
    [
        ({"async": True}, True, False),
        ({"background": True}, True, False),
        ({"asyncRewake": True}, True, True),
        ({"rewake": True, "async": False}, True, True),
        ({"async": False}, False, False),
        ({"blocking": False}, False, False),
    ],
)
def test_what_is_not_waited_for(keys: dict[str, Any], background: bool, rewake: bool) -> None:
    hook = only(one("Stop", run("true", **keys)))
    assert (hook.background, hook.rewake) == (background, rewake)


def test_every_other_key_is_kept() -> None:
    hook = only(
        one(
            "PreToolUse",
            run(
                "jq",
                args=["-r", ".x"],
                shell="bash",
                always=True,
                inherit_env=True,
                env_compat=["opta", "plain", "opta"],
                id="my.hook-1_a",
                **{"if": "Bash(git *)"},
            ),
        )
    )
    assert (hook.command, hook.args, hook.always, hook.inherit_env) == (
        "jq",
        ("-r", ".x"),
        True,
        True,
    )
    assert (hook.env_sets, hook.id, hook.condition) == (
        ("opta", "plain"),
        "my.hook-1_a",
        "Bash(git *)",
    )


def test_requests_and_questions_have_keys_of_their_own() -> None:
    http = {"type": "http", "url": "http://127.0.0.1/x", "headers": {"A": "$T", "B": "b"}}
    hook = only(one("Stop", http | {"allowedEnvVars": ["T"]}))
    assert (hook.url, hook.headers, hook.allowed_env) == (
        "http://127.0.0.1/x",
        (("A", "$T"), ("B", "b")),
        ("T",),
    )
    hook = only(one("Stop", {"type": "prompt", "prompt": "Done?", "model": "m"}))
    assert (hook.prompt, hook.model) == ("Done?", "m")
    assert only(one("Stop", {"type": "prompt", "prompt": "Done?", "continueOnBlock": True}))


@parametrize_all("matcher", ["", "*", None])
def test_no_matcher_is_for_everything(matcher: str | None) -> None:
    group = {} if matcher is None else {"matcher": matcher}
    assert only(parsed(on("Stop", run("true"), **group))).matcher is None


def test_an_id_is_the_same_in_every_file_and_form_and_another_for_another_hook() -> None:
    entry = run("npm test", timeout=5)
    nested = only(parsed(on("PostToolUse", entry, matcher="Edit")))
    flat = only(parsed({"hooks": {"PostToolUse": [run("npm test", matcher="Edit")]}}, "gencode"))
    array = only(
        parsed({"hooks": [{"event": "tool.post", "command": "npm test", "matcher": "Edit"}]})
    )
    assert nested.id == flat.id == array.id == "PostToolUse-bc764851"
    others = [
        on("PostToolUse", run("npm test")),
        on("PostToolUse", run("npm tests"), matcher="Edit"),
        on("PreToolUse", run("npm test"), matcher="Edit"),
        on("PostToolUse", run("npm test", args=[]), matcher="Edit"),
        on("PostToolUse", run("npm test", **{"if": "Edit(*.ts)"}), matcher="Edit"),
    ]
    ids = {only(parsed(other)).id for other in others}
    assert len(ids | {nested.id}) == len(others) + 1


SHIMS = [
    run("/data/shims/hookd-hook", args=["--event", "Stop"]),
    run("'/my data/hookd-hook' --event Stop"),
    run("/my data/hookd-hook"),
    run("env A=b bash ~/.local/share/hookd/shims/hookd-hook --event Stop"),
    run("bash", args=["/data/shims/hookd-hook"]),
    run("/data/hookd-hook 'unclosed"),
    run("env A=b /bin/hookd mail wake", asyncRewake=True, timeout=86_400),  # install --wake
]


@parametrize_all("entry", SHIMS)
def test_a_shim_of_hookd_is_never_a_hook_of_its_own(entry: dict[str, Any]) -> None:
    for document in (on("Stop", entry), {"hooks": {"Stop": [entry]}}):
        found = parsed(document, "claude")
        assert (found.hooks, found.problems) == ((), ())


def test_a_command_that_only_sounds_like_the_shim_is_a_hook() -> None:
    assert only(one("Stop", run("./not-hookd-hook"))).command == "./not-hookd-hook"
    assert only(parsed(on("Stop", run("fetchmail mail wake")), "claude")).command


def test_an_entry_that_is_switched_off_is_kept_apart() -> None:
    found = one("Stop", run("true", disabled=True))
    assert found.hooks == ()
    assert [hook.command for hook in found.disabled_hooks] == ["true"]


@parametrize_all("document", [{}, {"hooks": {}}, {"hooks": []}, {"hooks": {"Stop": []}}])
def test_no_hooks_are_no_hooks(document: object) -> None:
    assert (parsed(document).hooks, parsed(document).problems) == ((), ())


G = "hooks.Stop[0]"
H = "hooks.Stop[0].hooks[0]"
TEXTS = "must be a list of texts, but is text"
WRONG: list[tuple[object, str, str]] = [
    ([], "", "the file must hold an object, but holds a list"),
    ({"hooks": None}, "hooks", "must be an object of events, but is null"),
    ({"hooks": 3}, "hooks", "must be an object of events, but is a number"),
    ({"hooks": {"Stop": {}}}, "hooks.Stop", "must be a list, but is an object"),
    ({"hooks": {"Stop": ["x"]}}, G, "must be an object, but is text"),
    ({"hooks": {"Stop": [{"hooks": {}}]}}, f"{G}.hooks", "must be a list, but is an object"),
    (on("Stop", 1), H, "must be an object, but is a number"),
    (
        {"hooks": {"PreTooluse": []}},
        "hooks.'PreTooluse'",
        "there is no such event; did you mean `PreToolUse`?",
    ),
    ({"hooks": {"x" * 99: []}}, f"hooks.'{'x' * 57}...'", "there is no such event"),
    ({"hooks": ["x"]}, "hooks[0]", "must be an object, but is text"),
    (
        {"hooks": [{"command": "x"}]},
        "hooks[0].event",
        "must be the name of an event, such as `tool.pre`",
    ),
    ({"hooks": [{"event": "invalid", "command": "x"}]}, "hooks[0].event", "there is no such event"),
    ({"hooks": [{"event": "stop"}]}, "hooks[0].command", "is missing"),
    (
        on("Stop", run("x"), matcher=3),
        f"{G}.matcher",
        "must be text, such as `Edit|Write`, but is a number",
    ),
    (on("Stop", {"command": "x"}), f"{H}.type", 'must be command, http or prompt; write "type": '),
    (on("Stop", {"type": []}), f"{H}.type", "must be command, http or prompt"),
    (on("Stop", {"type": "agent", "prompt": "x"}), f"{H}.type", "`agent` is run by Claude Code al"),
    (on("Stop", {"type": "command"}), f"{H}.command", "is missing"),
    (on("Stop", run(" ")), f"{H}.command", "must not be empty"),
    (on("Stop", run("a\0b")), f"{H}.command", "must not hold the character NUL"),
    (on("Stop", run("a\ud800b")), f"{H}.command", "holds one half of a character"),
    (on("Stop", run("x", args=["\0"])), f"{H}.args[0]", "must not hold the character NUL"),
    (on("Stop", run("x"), matcher="\udfff"), f"{G}.matcher", "holds one half of a character"),
    (
        on("Stop", {"type": "http", "url": "http://x", "headers": {"A": "\0"}}),
        f"{H}.headers",
        "'A' must not hold the character NUL",
    ),
    (on("Stop", run("x", args="y")), f"{H}.args", TEXTS),
    (on("Stop", run("x", args=["y", 1])), f"{H}.args[1]", "must be text, but is a number"),
    (on("Stop", run("x", shell="powershell")), f"{H}.shell", "must be 'bash'"),
    (on("Stop", run("x", always=1)), f"{H}.always", "must be true or false, but is a number"),
    (on("Stop", run("x", statusMessage={})), f"{H}.statusMessage", "must be text, but is an objec"),
    (
        on("Stop", run("x", on_failure="halt")),
        f"{H}.on_failure",
        "must be 'warn', 'block', 'ask' or 'continue'",
    ),
    (on("Stop", run("x", env_compat="all")), f"{H}.env_compat", "must be 'opta' or 'plain'"),
    (
        on("Stop", run("x", env_compat=["all"])),
        f"{H}.env_compat",
        "must hold nothing but 'opta' and 'plain'",
    ),
    (
        on("Stop", run("x", id="a b")),
        f"{H}.id",
        "must be made of letters, digits, dots, dashes and underscores",
    ),
    (on("Stop", run("x", id="")), f"{H}.id", "must not be empty"),
    (
        on("Stop", run("x", **{"if": "Bash(git *)"})),
        f"{H}.if",
        "Stop has no `if`: the hook would never run; remove it",
    ),
    (
        on("PreToolUse", run("x", **{"if": "git push"})),
        "hooks.PreToolUse[0].hooks[0].if",
        "the condition 'git push' is no permission rule, such as Bash(git *); the hook would never",
    ),
    (on("Stop", {"type": "http", "url": "ftp://x"}), f"{H}.url", "must begin with http:// or http"),
    (
        on("Stop", {"type": "http", "url": "http://x", "headers": {"A": 1}}),
        f"{H}.headers",
        "'A' must be text, but is a number",
    ),
    (on("Stop", {"type": "prompt"}), f"{H}.prompt", "is missing"),
    ({"disabled_hooks": "lint"}, "disabled_hooks", "must be a list of ids, but is text"),
    (
        {"disabled_hooks": ["a", 1]},
        "disabled_hooks[1]",
        "must be an id of a hook, or a glob such as `lint-*`",
    ),
]


def test_the_deprecated_list_of_disabled_hooks_applies_with_a_note() -> None:
    found = parsed({"disable": ["lint"]} | on("Stop", run("true")))
    assert (found.disabled_ids, len(found.hooks)) == (("lint",), 1)
    (note,) = found.problems
    assert (note.key, note.sentence) == ("disable", "deprecated: use disabled_hooks")
    assert not note.fatal
    both = parsed({"disable": ["lint"], "disabled_hooks": ["build"]})
    assert both.disabled_ids == ("build",)
    assert both.problems[0].sentence == "deprecated and ignored: disabled_hooks is set too"
    broken = parsed({"disable": "lint"})
    assert [(one.key, one.fatal) for one in broken.problems] == [
        ("disable", False),
        ("disable", True),
    ]


def test_a_removed_option_of_a_policy_is_left_out_with_a_note() -> None:
    options = {"todo-continuation-enforcer": {"mode": "enforce", "countdown": 3}}
    found = parsed({"policies": {"options": options}})
    assert found.policies == {"options": {"todo-continuation-enforcer": {"mode": "enforce"}}}
    (note,) = found.problems
    assert note.sentence == "deprecated: it has no effect, remove it"


@parametrize_all(("document", "key", "sentence"), WRONG)
def test_a_bad_entry_is_named_by_file_and_key(document: object, key: str, sentence: str) -> None:
    found = parsed(document)
    assert found.hooks == ()
    (problem,) = found.problems
    assert (problem.path, problem.key, problem.fatal) == ("/p/hookd.json", key, True)
    assert problem.sentence.startswith(sentence)


NOTED: list[tuple[object, str, str]] = [
    (
        on("Stop", run("x", timeuot=3)),
        H,
        "no such key: 'timeuot'; did you mean `timeout`?",
    ),
    (on("Stop", run("x", ONFAILURE="warn")), H, "no such key: 'ONFAILURE'; did you mean `onFailu"),
    (on("Stop", run("x", once=True)), f"{H}.once", "has no effect in settings: the hook runs eac"),
    (
        on("Stop", run("x", url="http://x")),
        f"{H}.url",
        "is for the type `http`; it has no effect here",
    ),
    (
        on("Stop", run("x", matcher="Bash")),
        f"{H}.matcher",
        "belongs into the group, beside `hooks`; no effect here",
    ),
    (on("Stop", run("x"), command="y"), G, "no such key in a group: 'command'"),
    (on("Stop", run("x"), matchr="y"), G, "no such key in a group: 'matchr'; did you mean `matche"),
    (on("Stop", run("x"), sequential=1), f"{G}.sequential", "must be true or false, but is a numb"),
    (
        on("Stop", run("x"), matcher="Bash"),
        f"{G}.matcher",
        "Stop has nothing that a matcher is tested against: 'Bash' is ignored",
    ),
    (
        on("PreToolUse", run("x"), matcher="Bash("),
        "hooks.PreToolUse[0].matcher",
        "the matcher 'Bash(' never matches: ",
    ),
    (
        on("PreToolUse", run("x"), matcher="mcp__memory"),
        "hooks.PreToolUse[0].matcher",
        "'mcp__memory' is a server, no tool: write 'mcp__memory__.*'",
    ),
    (
        on("Stop", {"type": "prompt", "prompt": "x", "continueOnBlock": False}),
        f"{H}.continueOnBlock",
        "has no effect: a blocked call never ends the turn",
    ),
    (
        on("Stop", run("x", **{"async": True, "background": False})),
        f"{H}.background",
        "the same as `async`, which counts",
    ),
]


@parametrize_all(("document", "key", "sentence"), NOTED)
def test_a_doubtful_entry_is_noted_and_holds(document: object, key: str, sentence: str) -> None:
    found = parsed(document)
    assert len(found.hooks) == 1
    (problem,) = found.problems
    assert (problem.key, problem.fatal) == (key, False)
    assert problem.sentence.startswith(sentence)


def test_a_bad_entry_leaves_the_others_alone() -> None:
    found = parsed(
        {
            "hooks": {
                "Nonsense": [run("a")],
                "Stop": [
                    {"hooks": [run("b"), run("c", timeout="soon"), 4, run("d")]},
                    {"matcher": [], "hooks": [run("e")]},
                    run("f"),
                ],
            }
        }
    )
    assert [hook.command for hook in found.hooks] == ["b", "d", "f"]
    assert [problem.key for problem in found.problems] == [
        "hooks.'Nonsense'",
        "hooks.Stop[0].hooks[1].timeout",
        "hooks.Stop[0].hooks[2]",
        "hooks.Stop[1].matcher",
    ]


def test_an_entry_for_two_events_tells_what_is_wrong_with_it_once() -> None:
    found = parsed({"hooks": {"error": [{"hooks": [run("x", timeuot=1)]}]}})
    assert len(found.hooks) == 2
    assert len(found.problems) == 1


def test_a_problem_reads_as_one_line_and_tells_no_value() -> None:
    secret = "sk-live-0123456789"
    found = one("Stop", {"type": "http", "url": secret, "headers": {"A": [secret]}})
    lines = list(map(str, found.problems))
    assert lines[0] == f"/p/hookd.json: {H}.url: must begin with http:// or https://"
    assert not any(secret in line for line in lines)
    assert str(Problem("/f", "", "is odd")) == "/f: is odd"


@parametrize_all(
    ("path", "dialect"),
    [
        ("/p/.hookd/settings.json", "hookd"),
        ("/p/.claude/settings.local.json", "claude"),
        ("/p/.gen/settings.json", "gencode"),
        ("/p/.mycode/settings.json", "gencode"),
        ("/p/.opta/config.json", "opta"),
        ("/h/.config/opta/config.json", "opta"),
        ("config.json", "hookd"),
    ],
)
def test_the_folder_of_a_file_tells_whose_it_is(path: str, dialect: Dialect) -> None:
    assert dialect_of(path) == dialect


NAMES = sorted({*COMMON_KEYS, *(key for keys in TYPE_KEYS.values() for key in keys)})
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
WORD = st.sampled_from(["command", "http", "prompt", "block", "opta", "Bash(", "http://x", "a*"])
ANY = st.recursive(
    LEAF | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
ENTRY = st.dictionaries(st.sampled_from([*NAMES, "matcher", "sequential", "hooks"]), ANY)
EVENT = st.sampled_from([*EVENTS, *EVENT_ALIASES]) | st.text(max_size=5)
BY_EVENT = st.dictionaries(
    EVENT,
    ANY | st.lists(ENTRY | st.fixed_dictionaries({"hooks": st.lists(ENTRY, max_size=3)})),
    max_size=3,
)
ARRAY = st.lists(st.builds(lambda event, entry: {"event": event, **entry}, EVENT, ENTRY))
FILES = ANY | st.fixed_dictionaries(
    {}, optional={"hooks": ANY | BY_EVENT | ARRAY, "disabled_hooks": ANY, "disable": ANY}
)


@settings(max_examples=3 * settings.default.max_examples)
@given(FILES, st.sampled_from(["hookd", "claude", "gencode", "opta"]))
def test_any_value_gives_hooks_or_problems_and_never_an_error(
    document: object, dialect: Dialect
) -> None:
    found = parsed(document, dialect)
    for hook in (*found.hooks, *found.disabled_hooks):
        assert hook.event in EVENTS
        assert hook.id
        assert 0.1 <= hook.timeout <= 600
        assert hook.command.strip() or hook.url.strip() or hook.prompt.strip()
        assert hook.source.key
    for problem in found.problems:
        assert problem.sentence.isprintable()
        assert problem.key.isprintable()
    assert found.place == HookFileLocation("project", f"/p/{dialect}.json", dialect)


@parametrize_all(
    ("dialect", "where"),
    [("hookd", "leave it in Claude Code's settings"), ("claude", "it stays there")],
)
def test_what_claude_code_alone_runs_is_left_out_with_a_word(dialect: Dialect, where: str) -> None:
    for file in (on("WorktreeCreate", run("a")), on("Stop", {"type": "agent", "prompt": "a"})):
        ((_, sentence, fatal),) = said(parsed(file, dialect))
        assert (parsed(file, dialect).hooks, fatal) == ((), True)
        assert "Claude Code alone" in sentence
        assert sentence.endswith(f": {where}")


def test_what_claude_code_alone_runs_is_no_problem_of_its_own_file() -> None:
    place = HookFileLocation("user", "/home/user/.claude/settings.json", "claude", runs=False)
    for file in (on("WorktreeCreate", run("a")), on("Stop", {"type": "agent", "prompt": "a"})):
        assert parse_hooks(file, place).problems == ()


@parametrize_all(
    ("element", "problem"),
    [
        ({}, ("hooks.Stop[0].hooks", "is missing")),
        ({"matcher": "Bash"}, ("hooks.Stop[0].hooks", "is missing")),
        ({"hook": []}, ("hooks.Stop[0].hooks", "is missing; did you mean `hooks`?")),
        ({"comand": "a"}, ("hooks.Stop[0].type", "must be command, http or prompt")),
    ],
)
def test_a_group_without_its_hooks_is_told_from_an_entry(
    element: dict[str, Any], problem: tuple[str, str]
) -> None:
    assert problem in [found[:2] for found in said(parsed({"hooks": {"Stop": [element]}}))]
