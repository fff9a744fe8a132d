"""Which processes are coding agents, by their programs, their marks, and the hooks they fire."""

import pytest

from hookd.core.model.client_process import Process, client_name, firing, marked

CLAUDE = "Claude Code"
PACKAGE = "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"


def process(*args: str, program: str = "", name: str = "", pid: int = 7) -> Process:
    return Process(pid, 1, 0, program, name, args)


@pytest.mark.parametrize(
    ("one", "client"),
    [
        (process("claude", "-p", "x"), CLAUDE),
        (process("/home/me/.local/bin/claude"), CLAUDE),
        (process("x", program="/home/me/.local/share/claude/versions/2.1.139"), CLAUDE),
        (process("x", program="/opt/claude (deleted)"), CLAUDE),
        (process("renamed", name="claude"), CLAUDE),
        (process("C:\\x", program="/mnt/c/bin/Claude.EXE"), CLAUDE),
        (process("node", "--max-old-space-size=4096", PACKAGE, program="/usr/bin/node"), CLAUDE),
        (process("node", "--require", "./a.js", PACKAGE, program="/usr/bin/node"), CLAUDE),
        (process("node", "/usr/local/bin/claude", program="/usr/bin/node"), CLAUDE),
        (process("bun", PACKAGE), CLAUDE),
        (process("codex", "exec"), "Codex"),
        (process("node", "/x/node_modules/@openai/codex/bin/codex.js", program="/n/node"), "Codex"),
        (process("node", "/x/bundle/gemini.js", program="/usr/bin/node"), "Gemini CLI"),
        (process("node", "/x/node_modules/@qwen-code/qwen-code/cli-entry.js"), "Qwen Code"),
        (process("/x/copilot-linux-x64/copilot"), "Copilot CLI"),
        (process("opencode", "run"), "opencode"),
        (process("node", "/h/.local/share/cursor-agent/versions/1/index.js"), "Cursor"),
        (process("vim", "claude"), ""),
        (process("bash", "/home/me/claude/build.sh"), ""),
        (process("tail", "-f", "codex"), ""),
        (process("node", "deploy.js", "gemini", program="/usr/bin/node"), ""),
        (process("/home/me/claude/bin/tool", program="/home/me/claude/bin/tool"), ""),
        (process("python3", "-m", "pytest", program="/usr/bin/python3"), ""),
        (process("node", program="/usr/bin/node"), ""),
        (process("-zsh", program="/bin/zsh", name="zsh"), ""),
        (process(), ""),
    ],
)
def test_a_client_is_known_by_its_program(one: Process, client: str) -> None:
    assert client_name(one) == client


@pytest.mark.parametrize(
    ("environment", "client"),
    [
        (b"PATH=/bin\0CLAUDECODE=1\0", CLAUDE),
        (b"GEMINI_CLI=1", "Gemini CLI"),
        (b"CLAUDECODE=\0X=1", ""),
        (b"CLAUDECODE=0", ""),
        (b"NOT_CLAUDECODE=1\0CLAUDECODE_X=1", ""),
        (b"", ""),
    ],
)
def test_a_client_marks_what_it_starts(environment: bytes, client: str) -> None:
    assert marked(environment) == client


NC = process("/bin/nc", "-U", program="/bin/nc", pid=9)
SHIM = process("/bin/bash", "-p", "/h/shims/user/PreToolUse", program="/bin/bash", pid=8)
OLD_SHIM = process("/bin/bash", "-p", "/h/hookd-hook", "--event", "Stop", program="/bin/bash")
NATIVE = process("/h/shims/user/PreToolUse", program="/h/shims/hookd-hook.native", pid=8)
LOST = process("/h/shims/user/Stop", program="/h/shims/hookd-hook.native (deleted)", pid=8)
BY_SH = process("/bin/sh", "-c", "/h/shims/user/PreToolUse", program="/bin/dash")
SHELL = process("-bash", program="/bin/bash")
AGENT = process("my-agent", program="/opt/my-agent", pid=5)
TMUX = process("tmux", program="/usr/bin/tmux", name="tmux: server", pid=4)


@pytest.mark.parametrize(
    ("chain", "client"),
    [
        ((NC, SHIM, AGENT, SHELL), AGENT),
        ((NC, OLD_SHIM, AGENT), AGENT),
        ((NC, SHIM, BY_SH, AGENT, SHELL), AGENT),
        ((SHIM, AGENT), AGENT),
        ((NATIVE, AGENT, SHELL), AGENT),
        ((NATIVE, BY_SH, AGENT), AGENT),
        ((LOST, AGENT), AGENT),
        ((NATIVE, SHELL, AGENT), None),
        ((NC, SHIM, SHELL, AGENT), None),
        ((NC, SHIM, TMUX), None),
        ((NC, SHIM, process("/sbin/init", program="/sbin/init", pid=1)), None),
        ((NC, AGENT), None),
        ((NC, SHIM), None),
        ((), None),
    ],
    ids=str,
)
def test_who_runs_a_shim_is_a_client(chain: tuple[Process, ...], client: Process | None) -> None:
    assert firing(chain) is client
