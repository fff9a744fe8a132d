"""Trust of hooks in Codex, as Codex writes it when a person trusts all of them."""

import json
from pathlib import Path

from hookd.clients.codex import trust


def trust_all(home: Path, **more: str) -> None:
    """Write the trust of all hooks of the user's file; `more` are lines by event."""
    file = home / ".codex" / "hooks.json"
    lines = []
    for event, groups in json.loads(file.read_text())["hooks"].items():
        digest = trust.definition_hash(event, groups[-1], groups[-1]["hooks"][0])
        key = f"{file}:{trust.snake_case(event)}:{len(groups) - 1}:0"
        lines += [f'[hooks.state."{key}"]', f'trusted_hash = "{digest}"', more.get(event, "")]
    (file.parent / "config.toml").write_text("\n".join(lines) + "\n")
