"""What the guard of hookd itself says of the calls of tools."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hookd.config.models import PolicyOptions
from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.fact_requests import FactRequest, RealPath
from hookd.core.model.facts import Facts, Guard, Project, Session
from hookd.core.model.identity import Identity
from hookd.core.model.policy import opinion_kind
from hookd.core.model.renamed_commands import RENAMED_COMMANDS
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policies.destructive_guard import Options as Destructive
from hookd.policies.self_guard import POLICY, Options
from hookd.system.file_lookup import Found
from support.paper_disk import Disk, looked
from support.parametrize import parametrize_all

SHOP = "/home/me/shop"
STATE = "/home/me/.local/state/hookd"
DAEMON = DaemonState(
    pid=4242,
    socket=f"{STATE}/run/hookd.sock",
    database=f"{STATE}/hookd.db",
    log=f"{STATE}/hookd.log",
    settings="/home/me/.config/hookd/settings.json",
    claude="/home/me/.claude",
    own=(
        f"{STATE}/run/hookd.pid",
        f"{STATE}/run/hookd.stopped",
        f"{STATE}/hookd.lock",
        f"{STATE}/hookd.db-wal",
        "/home/me/.local/share/hookd/shims",
        "/home/me/.local/share/hookd/shims/hookd-hook",
    ),
)
FACTS = Facts(
    project=Project(1, SHOP),
    session=Session(1, "s"),
    identity=Identity(home="/home/me"),
    daemon=DAEMON,
    guards=(Guard(1, "no-force", "user", "{}"),),
)


def heard(
    tool: str,
    tool_input: Mapping[str, Any],
    options: Mapping[str, PolicyOptions] | None = None,
    links: Mapping[str, str] | None = None,
) -> Opinion | None:
    event = PreToolUse(
        hook_event_name="PreToolUse", tool_name=tool, tool_input=dict(tool_input), cwd=SHOP
    )
    facts = replace(FACTS, options=options or {})
    return looked(POLICY, event, facts, Disk(links=links or {}))


def of(command: str, **more: Any) -> str:
    return opinion_kind(heard("Bash", {"command": command}, **more))


COMMANDS = [
    "hookd policy disable destructive-guard",
    "hookd event export -o ~/.config/hookd/settings.json",
    "hookd completion bash --install",
    "hookd policy enable single-task",
    "hookd policy set secrets-guard mode off",
    "hookd policy set self-guard allow '[\"Bash\"]' --scope project",
    "hookd guard add x 'Read(*/.env)' --ask 'Y' --scope project",
    "hookd guard add x 'Read(*/.env)' --ask 'Y' --scope=project",
    "hookd guard add x 'Read(*/.env)' --ask 'Y' --project",
    "hookd guard import --from-claude --write",
    "hookd trust --yes",
    "hookd trust . --remove",
    "hookd hook add Stop ./x.sh",
    "hookd hook remove mine",
    "hookd hook disable mine",
    "hookd hook enable mine",
    "hookd hook import x.json",
    "hookd hook test Stop --untrusted",
    "hookd stop",
    "hookd daemon stop",
    "hookd daemon start --settings x.json",
    "hookd restart --json",
    "hookd upgrade",
    "hookd start --settings evil.json",
    "hookd serve --settings=evil.json",
    "hookd guard remove no-force",
    "hookd guard add no-force 'Bash(true)' --deny x",
    "hookd guard add --ask x no-force 'Bash(true)'",
    "hookd guard add mine Bash --tell x",
    "hookd guard add mine Bash --rule '{}'",
    "hookd guard add mine Bash --tell x --denies ls",
    "hookd guard test --junit .hookd/rules.yaml",
    "hookd deny 4711 --yes",
    "hookd trust --loosen x",
    'hookd guard add "$NAME" Bash --deny x',
    "hookd uninstall",
    "hookd install --events Stop",
    "hookd service uninstall",
    "hookd session forget 12 --yes",
    "hookd rpc mail.allow '{\"id\": 12}'",
    "hookd rpc session.forget '{}'",
    'hookd rpc guards.remove \'{"ruleId": "no-force"}\'',
    "hookd rpc userHooks.trust '{}'",
    "hookd rpc commands.trust '{}'",
    "hookd rpc daemon.stop",
    "hookd rpc session.updateContextUsage '{}'",
    'hookd rpc "$METHOD"',
    "hookd run -- claude",
    "hookd pause 8h",
    "hookd rpc daemon.pause '{}'",
    "hookd wat",
    "hookd $verb",
    "python -m hookd stop",
    "python3.11 -I -m hookd policy disable overflow",
    "python3 -mhookd stop",
    "uv run -m hookd stop",
    "uv run python -m hookd.cli stop",
    "python3 ~/bin/hookd stop",
    "HOOKD_HOME=/home/me/.hookd hookd stop",
    "env HOOKD_HOME=/x hookd stop",
    "/usr/local/bin/hookd stop",
    "~/.local/bin/hookd stop",
    "$(which hookd) stop",
    '"$HOOKD" stop',
    "H=hookd; $H stop",
    "uvx hookd stop",
    "pipx run hookd stop",
    "sudo -u me hookd stop",
    "nohup timeout 5 hookd stop &",
    "sh -c 'hookd stop'",
    "bash -lc 'cd /x && hookd restart'",
    "bash <<'X'\nhookd stop\nX",
    "echo 'hookd stop' | sh",
    "eval 'hookd stop'",
    "f() { hookd stop; }; f",
    "if true; then hookd stop; fi",
    "echo no-force | xargs hookd guard remove",
    "echo stop | xargs hookd",
    "find . -name x -exec hookd trust {} ;",
    "ssh localhost hookd stop",
    "hookd log done && hookd stop",
    "hookd status; hookd --version; hookd stop",
    "python3 -c \"import os; os.system('hookd stop')\"",
    "node -e \"require('child_process').execSync('hookd stop')\"",
    "python3 -c 'from hookd.cli import main; main([\"stop\"])'",
    "python3 - <<'X'\nimport hookd.app\nX",
    "echo '{}' | hookd-hook --event SessionEnd",
    "echo '{}' | ~/.local/share/hookd/shims/hookd-hook.native",
    "echo '{}' | ~/.local/share/hookd/shims/user/SessionEnd",
    "sh -c /home/me/.local/share/hookd/shims/local-0123abcd/PreToolUse",
    "kill 4242",
    "kill -9 4242",
    "kill -TERM -- -4242",
    "kill $(cat ~/.local/state/hookd/run/hookd.pid)",
    "kill `pgrep hookd`",
    "pkill -f hookd",
    "pkill hook",
    "pkill -P 1",
    "hookd serve & pkill -P $$",
    "pkill -f 'serve --detach'",
    "killall hookd",
    "systemctl --user stop hookd",
    "systemctl --user disable --now hookd.service",
    "launchctl bootout gui/501/hookd",
    "pip uninstall -y hookd",
    "uv tool uninstall hookd",
    "claude plugin disable hookd@tools",
    "claude -p hi --settings '{\"disableAllHooks\": true}'",
    "claude --setting-sources project -p hi",
    "claude --bare -p hi",
    "CLAUDE_CONFIG_DIR=/tmp/x claude -p hi",
    "hookd dialogue export -o /home/me/notes.md",
    "hookd dialogue export --output=.hookd/settings.json --force",
    "hookd db backup /home/me/copy.db",
]


@parametrize_all("command", COMMANDS)
def test_a_command_that_may_change_hookd_is_asked_about(command: str) -> None:
    assert of(command) == "ask"


HARMLESS = [
    "hookd",
    "hookd --help",
    "hookd --version",
    "hookd stop --help",
    "hookd policy set -h",
    "hookd status --json",
    "hookd doctor",
    "hookd doctor transcript x.jsonl",
    "hookd start",
    "hookd logs -f",
    "hookd daemon logs -f",
    "hookd daemon status",
    "hookd help stop",
    "hookd log 'hookd stop and hookd trust --yes'",
    'hookd log "$(git log -1)"',
    "hookd log - <<'X'\nhookd stop\nX",
    "hookd effort start tasks/a implement",
    "hookd claim 'src/**' --for 30m",
    "hookd release --all",
    "hookd rpc claims.add '{}'",
    "hookd effort phase '2: Build' --proof x=y",
    "hookd effort finish",
    "hookd handover save",
    "hookd handover save - --restart",
    'hookd handover save <<\'X\'\n{"summary": "hookd stop"}\nX',
    "cat handover.json | hookd handover save",
    "hookd send builder 'hookd stop'",
    "git diff | hookd send @task - --priority high",
    "hookd reply 12 done",
    "hookd inbox --all",
    "hookd wait --for builder --timeout 30m",
    "hookd mail list --state held",
    "hookd mail show 12",
    "hookd session show 3",
    "hookd session forget 12 --dry-run",
    "hookd task list",
    "hookd skill show build",
    "hookd fleet",
    "hookd event --rule guard-rules -n 5",
    "hookd why 12",
    "hookd message list",
    "hookd dialogue export",
    "hookd dialogue export -o notes/talk.md --force",
    "hookd dialogue export -o /tmp/talk.md",
    "hookd db size",
    "hookd db backup /tmp/copy.db",
    "hookd query 'SELECT * FROM guards'",
    "hookd policy",
    "hookd policy list",
    "hookd event export -o events.jsonl",
    "hookd completion bash",
    "hookd version --json",
    "hookd help policy disable",
    "hookd policy show self-guard --json",
    "hookd guard list",
    "hookd guard builtin read-throttle",
    "hookd guard explain 'hookd stop'",
    "hookd guard test --ci --json",
    "hookd guard add no-rm 'Bash(rm *)' --deny 'Ask first.'",
    "hookd guard add secrets 'Read(*/.env)' --ask 'Is it meant?' --scope local",
    "hookd guard add read-throttle --builtin",
    "hookd hook list",
    "hookd hook log -f",
    "hookd hook test Stop",
    "hookd hook import x.json --dry-run",
    "hookd install --dry-run --events Stop",
    "hookd settings check",
    "hookd settings schema",
    "hookd loop start 'Fix it' --max 5",
    "hookd loop cancel",
    "hookd resume",
    "hookd redact test x.txt",
    "hookd checkpoint before",
    "hookd checkpoint restore x --to /tmp/y",
    "hookd agent list",
    'hookd rpc effort.log \'{"text": "x"}\'',
    "hookd rpc guards.list",
    "hookd rpc mail.inbox",
    "hookd rpc userHooks.list",
    "hookd rpc commands.list",
    "python3 -m hookd status",
    "python3 -m pytest tests/hookd",
    "python3 script.py",
    "sudo hookd status",
    "docker exec web hookd stop",
    "echo hookd stop",
    "grep -rn 'hookd stop' docs",
    "git commit -m 'hookd stop, hookd trust'",
    "git log --grep hookd",
    "gh pr create --title 'hookd.db' --body 'hookd stop'",
    "which hookd",
    "pgrep -fa hookd",
    "cat ~/.local/share/hookd/shims/user/config",
    "git config -l; cat config",
    "rm config",
    "ps aux | grep hookd",
    "kill 4243",
    "kill -0 4242",
    "kill %1",
    "pkill -f 'node server.js'",
    "pkill -P $$ sleep",
    "pkill -TERM -P $$",
    "ls src | xargs -I{} cp {} out/",
    "ls src | xargs -I{} mv {} {}.bak",
    "systemctl --user status hookd",
    "systemctl restart nginx",
    "pip install -e .",
    "pip show hookd",
    "uv run hookd status",
    "brew uninstall wget",
    "claude -p 'what is hookd?'",
    "claude mcp list",
    "npm test",
    "make stop",
    "if (",
]


@parametrize_all("command", HARMLESS)
def test_what_reads_reports_or_is_done_every_day_is_silent(command: str) -> None:
    assert of(command) == ""


def formerly(commands: list[str]) -> list[str]:
    """Return the commands of hookd among these with the former names of the subcommands."""
    return [
        command.replace(f"hookd {name} ", f"hookd {former} ")
        for former, name in RENAMED_COMMANDS.items()
        for command in commands
        if f"hookd {name} " in command
    ]


@parametrize_all("command", formerly(COMMANDS))
def test_a_change_by_the_former_name_of_a_command_is_asked_about(command: str) -> None:
    assert of(command) == "ask"


@parametrize_all("command", formerly(HARMLESS))
def test_reading_by_the_former_name_of_a_command_is_silent(command: str) -> None:
    assert of(command) == ""


def test_the_former_names_are_tried() -> None:
    assert len(formerly(COMMANDS)) > 10
    assert len(formerly(HARMLESS)) > 5


CHANGED = [
    "echo '{}' > .hookd/settings.json",
    "cat > ./.hookd/settings.local.json <<'X'\n{}\nX",
    "echo x >> ~/.config/hookd/settings.json",
    "tee .claude/settings.json < x",
    "sed -i s/enforce/off/ ~/.config/hookd/settings.json",
    "perl -pi -e s/a/b/ $HOME/.config/hookd/settings.json",
    "rm ~/.claude/settings.json",
    "rm -rf .hookd",
    "rm -rf ~/.config/hookd",
    "rm -rf ~/.local/state/*",
    "rm -f .hookd/*",
    "rm -f ~/.config/hookd/{settings,x}.json",
    'rm "$XDG_CONFIG_HOME/hookd/settings.json"',
    'rm -rf "$STATE/hookd"',
    "mv .hookd/settings.json x",
    "mv ~/.config/hookd ~/.config/old",
    "cp evil.json .hookd/settings.json",
    "cp settings.json .hookd/",
    "cp -r evil/. ~/.config/hookd/",
    "ln -sfn /tmp/evil ~/.config/hookd",
    "cd ~/.config/hookd && rm settings.json",
    "cd .hookd && echo {} > settings.json",
    "touch ~/.local/state/hookd/run/hookd.stopped",
    "rm -f ~/.local/state/hookd/run/hookd.sock",
    "rm ~/.local/state/hookd/hookd.lock",
    "truncate -s 0 ~/.local/state/hookd/hookd.db",
    "rm -rf ~/.local/share/hookd/shims",
    "cp /bin/true ~/.local/share/hookd/shims/hookd-hook",
    "chmod -x ~/.local/share/hookd/shims/hookd-hook",
    "cp /bin/true ~/.local/share/hookd/shims/hookd-hook.native",
    "rm ~/.local/share/hookd/shims/user/config",
    "echo 'events 13 open PreToolUse' >> ~/.local/share/hookd/shims/local-0123abcd/config",
    "sed -i s/closed/open/ ~/.local/share/hookd/shims/user/config",
    "cd ~/.local/share/hookd/shims/user && sed -i s/closed/open/ config",
    "cd ~/.local/share/hookd/shims/user && rm PreToolUse",
    "ln -sf /bin/true ~/.local/share/hookd/shims/user/PreToolUse",
    "rm ~/.local/share/hookd/shims/*/config",
    "rm -rf ~/.local/share/hookd/shims/project-0123abcd",
    "echo {} > ~/.local/share/hookd/fleet/cursor.json",
    "cd ~/.local/share/hookd && rm fleet/credential.json",
    "rm -r ~/.local/share/hookd/fleet",
    "rm ~/.local/share/hookd/fleet/*.json",
    "find ~/.local/share/hookd -name config -delete",
    'rm "$DATA/shims/user/PreToolUse"',
    "python3 -c \"open('/home/me/.local/share/hookd/shims/user/config', 'w')\"",
    "chmod 000 ~/.config/hookd",
    "vim ~/.config/hookd/settings.json",
    "sudo nano /etc/hookd/settings.json",
    "git checkout HEAD~3 -- .hookd/settings.json",
    "git rm -r .hookd",
    "sqlite3 ~/.local/state/hookd/hookd.db 'delete from guards'",
    f"sqlite3 file:{STATE}/hookd.db 'delete from guards'",
    f"python3 -c \"import sqlite3; sqlite3.connect('{STATE}/hookd.db').execute('x')\"",
    "python3 -c \"open('.hookd/settings.json', 'w').write('{}')\"",
    "node -e \"require('fs').writeFileSync('.claude/settings.json', '{}')\"",
    f"socat - UNIX-CONNECT:{STATE}/run/hookd.sock",
    "nc -U ~/.local/state/hookd/run/hookd.sock",
    "curl --unix-socket ~/.local/state/hookd/run/hookd.sock http://x",
    "jq . .hookd/settings.json > x && mv x .hookd/settings.json",
    "bash -c 'echo {} > .claude/settings.local.json'",
    "rm /HOME/me/.CONFIG/hookd/Settings.json",
    "rm ../other/.hookd/settings.json",
    "find . -name 'settings*' -delete",
    "cd ~ && rm -rf .c*",
    "cd ~/.config && rm -rf *",
    "(cd .hookd; rm *.json)",
    "echo '{}' > ~/.config/hookd/plugins/mine/hooks.json",
    "rm ~/.config/systemd/user/hookd.service",
    "find . -delete -name '*.pyc'",
    "find . -name '*.pyc' -o -delete",
    "find . -name '*.pyc' -delete; rm -rf ../shop",
    "find .hookd -type f -delete",
    "echo '{}' > ~/.codex/hooks.json",
    "sed -i s/true/false/ ~/.codex/config.toml",
    "rm -rf ~/.codex",
    "echo '{}' > .codex/hooks.json",
    "rm .codex/config.toml",
    "cp x.json ~/.gemini/settings.json",
    "jq . x > .qwen/settings.json",
    "rm ~/.copilot/hooks/hookd.json",
    "echo '{}' > ~/.copilot/settings.json",
    "mv ~/.copilot/hooks ~/.copilot/old",
    "rm .github/hooks/hookd.json",
    "rm ~/.config/opencode/plugins/hookd.js",
    "truncate -s 0 .opencode/plugins/hookd.js",
]


@parametrize_all("command", CHANGED)
def test_a_command_that_changes_what_hookd_goes_by_is_asked_about(command: str) -> None:
    assert of(command) == "ask"


UNCHANGED = [
    "cat .hookd/settings.json",
    "jq .policies ~/.config/hookd/settings.json",
    "sudo tail -f ~/.local/state/hookd/hookd.log",
    "ls -la ~/.local/state/hookd ~/.claude",
    "cp .hookd/settings.json /tmp/x.json",
    "cp ~/.config/hookd/settings.json .",
    "git add .hookd/settings.json",
    "git diff .claude/settings.json",
    "git checkout main",
    "git checkout .",
    "git stash",
    "python3 -m json.tool .hookd/settings.json",
    "sqlite3 -readonly ~/.local/state/hookd/hookd.db 'select 1'",
    "echo x > settings.json",
    "echo x > src/settings.json",
    "rm -rf build dist node_modules",
    "rm *.log",
    "cd src && rm -rf *",
    "cd ~ && rm -f *.txt",
    "echo '{}' > plugins/mine/hooks.json",
    'rm -rf "$TMP"',
    'echo x > "$OUT"',
    "rm -rf .claude/worktrees/a",
    "echo x > .claude/agents/a.md",
    "cp agent.md ~/.claude/agents/",
    "mkdir -p .hookd .claude/skills",
    "echo x > commands/a.md",
    "find . -name '*.pyc' -delete",
    "touch src/hookd/app.py",
    "sed -i s/a/b/ README.md",
    "tar czf x.tgz .claude",
    "find ~ -iname '*.tmp' -type f -delete",
    "npm run build > /tmp/log 2>&1",
    "cat ~/.codex/config.toml ~/.gemini/settings.json",
    "echo x > .github/hooks/lint.json",
    "echo x > config.toml",
    "rm -rf ~/.codex/sessions/2026",
    "echo x > src/hooks.json",
]


@parametrize_all("command", UNCHANGED)
def test_what_leaves_these_files_alone_is_silent(command: str) -> None:
    assert of(command) == ""


TOOLS = [
    ("Write", {"file_path": f"{SHOP}/.hookd/settings.json"}, "ask"),
    ("Edit", {"file_path": f"{SHOP}/.claude/settings.local.json"}, "ask"),
    ("MultiEdit", {"file_path": "/home/me/.claude/settings.json"}, "ask"),
    ("Write", {"file_path": "/home/me/.config/hookd/settings.json"}, "ask"),
    ("Write", {"file_path": f"{SHOP}/src/../.hookd/settings.json"}, "ask"),
    ("Write", {"file_path": "/home/me/other/.hookd/settings.json"}, "ask"),
    ("Write", {"file_path": f"{STATE}/run/hookd.stopped"}, "ask"),
    ("Write", {"file_path": "~/.config/hookd/settings.json"}, "ask"),
    ("Write", {"file_path": "/home/me/.local/share/hookd/shims/user/config"}, "ask"),
    ("Edit", {"file_path": "~/.local/share/hookd/shims/file-0123abcd/config"}, "ask"),
    ("Write", {"file_path": f"{SHOP}/shims/user/config"}, ""),
    ("Edit", {"file_path": "/home/me/.codex/config.toml"}, "ask"),
    ("Write", {"file_path": ".gemini/settings.json"}, "ask"),
    ("Write", {"file_path": f"{SHOP}/.github/hooks/hookd.json"}, "ask"),
    ("Write", {"file_path": f"{SHOP}/.gemini/commands/a.toml"}, ""),
    ("Write", {"file_path": ".hookd/settings.json"}, "ask"),
    ("NotebookEdit", {"notebook_path": f"{SHOP}/.hookd/settings.json"}, "ask"),
    ("mcp__files__write_file", {"path": f"{SHOP}/.hookd/settings.json"}, "ask"),
    ("mcp__x__do", {"ops": [{"uri": "file:///home/me/.claude/settings.json"}]}, "ask"),
    ("mcp__files__read_file", {"path": f"{SHOP}/.hookd/settings.json"}, ""),
    ("mcp__files__write_file", {"path": f"{SHOP}/a.txt", "text": "hookd stop"}, ""),
    ("Read", {"file_path": f"{SHOP}/.hookd/settings.json"}, ""),
    ("Grep", {"pattern": "x", "path": f"{SHOP}/.hookd"}, ""),
    ("Write", {"file_path": f"{SHOP}/settings.json"}, ""),
    ("Write", {"file_path": f"{SHOP}/commands/a.md"}, ""),
    ("Edit", {"file_path": f"{SHOP}/src/hookd/policies/self_guard.py"}, ""),
    ("Write", {}, ""),
    ("Bash", {}, ""),
]


@parametrize_all(("tool", "given", "says"), TOOLS)
def test_tools_that_are_given_a_file(tool: str, given: dict[str, Any], says: str) -> None:
    assert opinion_kind(heard(tool, given)) == says


@parametrize_all(
    ("links", "path"),
    [
        ({f"{SHOP}/notes.json": f"{SHOP}/.hookd/settings.json"}, f"{SHOP}/notes.json"),
        ({f"{SHOP}/conf": "/home/me/.config"}, f"{SHOP}/conf/hookd/settings.json"),
        ({"/home/me/.claude/settings.json": f"{SHOP}/claude.json"}, f"{SHOP}/claude.json"),
        ({"/home/me/.config/hookd": f"{SHOP}/dots"}, f"{SHOP}/dots/settings.json"),
    ],
)
def test_links_are_followed_on_either_side(links: dict[str, str], path: str) -> None:
    assert opinion_kind(heard("Write", {"file_path": path}, links=links)) == "ask"
    assert of(f"echo x > {path}", links=links) == "ask"
    assert opinion_kind(heard("Write", {"file_path": path})) in ("", "ask")
    assert opinion_kind(heard("Write", {"file_path": f"{path}.bak"}, links=links)) == ""


def test_what_is_allowed_passes_and_nothing_beside_it() -> None:
    lets = {POLICY.name: Options(allow=("Bash(hookd restart)", f"Write({SHOP}/.hookd/*)"))}
    assert of("hookd restart", options=lets) == ""
    assert of("hookd restart && hookd stop", options=lets) == "ask"
    path = {"file_path": f"{SHOP}/.hookd/settings.json"}
    assert opinion_kind(heard("Write", path, options=lets)) == ""
    assert opinion_kind(heard("Edit", path, options=lets)) == "ask"
    lets = {POLICY.name: Options(allow=("Bash(hookd service *)",))}
    assert of("hookd service uninstall", options=lets) == ""
    assert of("hookd service uninstall --kind launchd", options=lets) == "ask"


@parametrize_all("command", ["if (", "x" * 70_000, "echo $(", "base64 -d x | sh"])
def test_what_cannot_be_read_is_asked_about_where_nobody_else_does(command: str) -> None:
    off = {"destructive-guard": Destructive(mode="off")}
    assert of(command, options=off) == "ask"
    assert of(command) == ""
    assert of("ls | wc -l", options=off) == ""


def test_the_reason_says_what_is_changed_and_the_way_out() -> None:
    opinion = heard("Bash", {"command": "hookd stop; rm .hookd/settings.json"})
    assert opinion is not None
    assert opinion.reason == (
        "self-guard: `hookd stop` ends the daemon that judges calls; the call removes"
        " .hookd/settings.json, which is protected."
    )


def test_where_little_is_known_it_still_decides() -> None:
    event = PreToolUse(tool_name="Bash", tool_input={"command": "hookd stop"})
    bare = Facts()
    event = event.model_copy(update={"hook_event_name": "PreToolUse"})
    (one,) = ask_policies([POLICY], event, bare, lambda: 0.0)
    assert (one.fault, opinion_kind(one.opinion)) == (None, "ask")
    write = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name="Write",
        tool_input={"file_path": "/x/.hookd/settings.json"},
    )
    opinion = looked(POLICY, write, bare, Disk(answers=False))
    assert opinion_kind(opinion) == "ask"


UNRESOLVED = [
    ("Write", {"file_path": f"{SHOP}/app.py"}, "ask"),
    ("Write", {"file_path": f"{SHOP}/a\0.py"}, "ask"),
    ("Bash", {"command": "echo x > app.py"}, "ask"),
    ("Bash", {"command": "rm -r build"}, "ask"),
    ("Bash", {"command": "make test > /dev/null 2>&1"}, ""),
    ("Bash", {"command": "cat app.py && git status"}, ""),
    ("Read", {"file_path": f"{SHOP}/app.py"}, ""),
]


@parametrize_all(("tool", "tool_input", "says"), UNRESOLVED)
def test_a_change_of_a_path_that_cannot_be_resolved_is_asked_about(
    tool: str, tool_input: Mapping[str, Any], says: str
) -> None:
    event = PreToolUse(
        hook_event_name="PreToolUse", tool_name=tool, tool_input=dict(tool_input), cwd=SHOP
    )
    assert opinion_kind(looked(POLICY, event, FACTS, Disk(answers=False))) == says


def test_a_protected_path_that_cannot_be_resolved_may_be_where_another_one_leads() -> None:
    class Part(Disk):
        def sees(self, want: FactRequest) -> Found | None:
            dark = isinstance(want, RealPath) and want.path.startswith("/home/me/.claude/")
            return None if dark else super().sees(want)

    path = {"file_path": f"{SHOP}/app.py"}
    event = PreToolUse(hook_event_name="PreToolUse", tool_name="Edit", tool_input=path, cwd=SHOP)
    assert opinion_kind(looked(POLICY, event, FACTS, Part())) == "ask"
    assert opinion_kind(looked(POLICY, event, FACTS, Disk())) == ""


def test_a_long_line_of_many_commands_is_judged_to_its_end() -> None:
    assert of("; ".join(["echo x > a.txt"] * 150 + ["hookd stop"])) == "ask"
    assert of("rm " + " ".join(f"f{n}" for n in range(501))) == "ask"
    assert of("rm " + " ".join(f"f{n}" for n in range(300))) == ""


def test_the_same_command_is_judged_anew_where_what_is_known_differs() -> None:
    """The analysis of a text is kept: only for the same rules, folder, values and daemon."""

    def said(command: str, facts: Facts, folder: str = SHOP, **files: str) -> str:
        event = PreToolUse(
            hook_event_name="PreToolUse",
            tool_name="Bash",
            tool_input={"command": command},
            cwd=folder,
        )
        disk = Disk(files={f"{SHOP}/{name}/setup.cfg": text for name, text in files.items()})
        return opinion_kind(looked(POLICY, event, facts, disk))

    add = "hookd guard add no-force Bash --ask x"
    assert [said(add, replace(FACTS, guards=())), said(add, FACTS)] == ["", "ask"]
    folders = (f"{SHOP}/src", f"{SHOP}/.hookd", f"{SHOP}/src")
    assert [said("rm settings.json", FACTS, at) for at in folders] == ["", "ask", ""]
    moved = replace(FACTS, daemon=replace(DAEMON, pid=7))
    assert [said("kill 4242", facts) for facts in (moved, FACTS, moved)] == ["", "ask", ""]
    sources = ("name = shop", "name = hookd", "name = shop")
    install = "pip install ./tool"
    assert [said(install, FACTS, tool=text) for text in sources] == ["", "ask", ""]
