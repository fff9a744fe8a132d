"""User hooks in the settings of a real daemon, and their runs."""

from typing import Any

from support.home import Home, Window, window_in


def nested(event: str, command: str, **more: Any) -> dict[str, Any]:
    matcher = {"matcher": more.pop("matcher")} if "matcher" in more else {}
    hook = {"type": "command", "command": command} | more
    return {"hooks": {event: [matcher | {"hooks": [hook]}]}}


def at_work(home: Home, settings: dict[str, Any]) -> Window:
    home.settings(settings)
    home.serves()
    return window_in(home)


def runs(home: Home, columns: str = "exit_code, decision") -> list[Any]:
    return home.rows(f"SELECT {columns} FROM hook_runs ORDER BY id")
