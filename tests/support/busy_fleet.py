"""A morning of five agents in three projects, played through the real shim: data for pictures."""

from typing import Any

from support.flows import put
from support.home import Home, Window
from support.hook_files import on, run

SETTINGS = on("PostToolUse", run("true", id="format", statusMessage="format"), matcher="Edit|Write")

_IDS = "{:08x}-b95a-42d8-86b9-1f4e8aa7a4b7"


def play(home: Home) -> None:
    """Play the morning in a home whose daemon runs; the same events in the same order each time."""
    home.hookd("guard", "add", "no-force", "Bash(git push --force *)", "--deny", _NO_FORCE)
    for begin in (_orders, _guide, _billing, _shop, _release):
        begin(home)


_NO_FORCE = "Push with --force-with-lease, to a branch of your own."


def _window(home: Home, number: int, project: str, branch: str, agent: str = "") -> Window:
    folder = home.path / "projects" / project
    put(folder / ".git" / "HEAD", f"ref: refs/heads/{branch}\n")
    env = {"AGENT_ID": agent} if agent else {}
    window = Window(home, str(folder), _IDS.format(0x11C8D28B * number % 2**32), env)
    window.says("SessionStart", source="startup", model="claude-opus-5")
    return window


def _ran(window: Window, tool: str, number: int, response: Any = None, **tool_input: Any) -> Any:
    """Let a tool be about to run, and run if nothing denies it; return the answer."""
    ids = {"tool_use_id": f"toolu_{window.id[:8]}{number:04d}"}
    answer = window.calls(tool, event=ids, **tool_input)
    if answer is None:
        more = {"tool_name": tool, "tool_input": tool_input, "tool_response": response or {}}
        window.says("PostToolUse", **more, **ids)
    return answer


def _shell(window: Window, number: int, command: str, output: str = "") -> Any:
    return _ran(window, "Bash", number, {"stdout": output, "stderr": ""}, command=command)


def _read(window: Window, number: int, name: str) -> None:
    _ran(window, "Read", number, file_path=f"{window.project}/{name}")


def _edit(window: Window, number: int, name: str, old: str, new: str) -> None:
    path = f"{window.project}/{name}"
    _ran(window, "Edit", number, file_path=path, old_string=old, new_string=new)


def _status(window: Window, share: int, cost: float) -> None:
    """Tell how full the window is in percent, and what it has cost in dollars."""
    window.rpc("session.statusLine", status=_line(window, share, cost))


def _line(window: Window, share: int, cost: float) -> dict[str, Any]:
    used = {"input_tokens": share * 2_000, "output_tokens": 0}
    used |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    return {
        "session_id": window.id,
        "model": {"id": "claude-opus-5", "display_name": "Opus"},
        "cost": {"total_cost_usd": cost},
        "context_window": {
            "context_window_size": 200_000,
            "used_percentage": share,
            "current_usage": used,
        },
    }


def _orders(home: Home) -> None:
    """Build pagination, with an effort and its phases; a push by force is denied."""
    window = _window(home, 1, "orders", "paging", "orders")
    within = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    task = f"{window.project}/tasks/pagination"
    home.rpc("effort.start", {"taskDir": task, "skill": "implement", "env": within})
    home.rpc("effort.phase", {"phase": "2: Build", "reason": "planned before", "env": within})
    window.says("UserPromptSubmit", prompt="Add pagination to GET /orders")
    _read(window, 1, "orders.py")
    _edit(window, 2, "orders.py", "def orders():", "def orders(page: int = 1):")
    _shell(window, 3, "pytest -q tests/test_orders.py", "4 passed in 0.31s")
    home.rpc("effort.log", {"text": "## Pages of orders\n\nGET /orders takes page.", "env": within})
    _shell(window, 4, "git push --force origin paging")
    _shell(window, 5, "git push --force-with-lease origin paging")
    _shell(window, 6, "curl -s localhost:8000/orders?page=2 | jq length", "20")
    _status(window, 41, 2.37)


def _guide(home: Home) -> None:
    """Describe it in the guide; wait for a person."""
    window = _window(home, 2, "orders", "guide", "docs")
    window.says("UserPromptSubmit", prompt="Describe pagination in the guide, with an example")
    _read(window, 1, "docs/guide.md")
    _edit(window, 2, "docs/guide.md", "## Orders", "## Orders\n\nPages have 20 orders.")
    _shell(window, 3, "vale docs/guide.md", "0 errors")
    message = "Claude needs your permission to use WebFetch"
    window.says("Notification", message=message, notification_type="permission_prompt")
    _status(window, 12, 0.48)


def _billing(home: Home) -> None:
    """Look for an error in sums; what would delete the database is denied."""
    window = _window(home, 3, "billing", "main")
    window.says("UserPromptSubmit", prompt="Why do invoices round twice?")
    _ran(window, "Grep", 1, pattern="round\\(", path=window.project)
    _read(window, 2, "billing/invoice.py")
    _shell(window, 3, "psql billing -c 'DROP TABLE invoices'")
    _shell(window, 4, "pytest -q -k rounding", "2 failed, 31 passed in 1.94s")
    _edit(window, 5, "billing/invoice.py", "round(total, 2)", "total")
    _status(window, 78, 4.12)


def _shop(home: Home) -> None:
    """Move a page to another interface; a request to delete folders is denied or asked about."""
    window = _window(home, 4, "shop", "cart-v2", "shop")
    window.says("UserPromptSubmit", prompt="Move the cart to the new orders API")
    _shell(window, 1, "rm -rf ~/.cache node_modules")
    _shell(window, 2, "npm ci && npm test", "Tests: 118 passed")
    subagent = {"agent_id": "a3f80ee08b1849471", "agent_type": "Explore"}
    window.says("SubagentStart", **subagent)
    command = {"command": "rg -l useCart src"}
    window.says("PreToolUse.Bash", tool_input=command, tool_use_id="toolu_explore", **subagent)
    _status(window, 29, 1.05)


def _release(home: Home) -> None:
    """Finish a release."""
    window = _window(home, 5, "shop", "main", "release")
    window.says("UserPromptSubmit", prompt="Write the changelog of 2.4")
    _shell(window, 1, "git log --oneline v2.3..HEAD", "31 commits")
    _shell(window, 2, "cat .env.production")
    window.says("Stop", last_assistant_message="The changelog is in CHANGELOG.md.")
    _status(window, 33, 0.91)
