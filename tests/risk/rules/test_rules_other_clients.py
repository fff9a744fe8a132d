"""Rules for other clients, and losses that are intentional."""

from support.parametrize import parametrize_all
from support.risks import said

ROWS = {
    "deny database": ["python manage.py dbshell <<< 'DROP TABLE x'", "dropdb contest"],
    "deny deletes": ["gio remove -f ~/old/*"],
    "ask deletes": [
        *["gio remove ~/notes.txt", "ansible all -m file -a 'path=/srv/x state=absent'"],
        """trap 'rm -rf "$tmp"/*' EXIT; tmp=$(mktemp -d); ls "$tmp" """,
    ],
    "deny disk": ["wsl --unregister Ubuntu"],
    "ask disk": ["xcrun simctl erase all"],
    "ask unreadable": ["pwsh -EncodedCommand aABvAG8AawA=", "${X:-rm} -rf ~"],
    "ask permissions": [
        *[
            "claude -p 'fix it' --dangerously-skip-permissions",
            "claude --permission-mode bypassPermissions",
        ],
        *[
            "claude -p x --permission-mode=bypassPermissions",
            "npx claude --dangerously-skip-permissions",
        ],
        *[
            "codex exec --dangerously-bypass-approvals-and-sandbox x",
            "codex --yolo",
            "gemini --yolo -p x",
        ],
        *["gemini -y -p x", "cursor-agent -p --force x", "aider --yes-always -m x"],
    ],
    "ask containers": ["docker image prune -af"],
    "": [
        *["dropdb --if-exists test_db && createdb test_db", "dropdb shop_test"],
        *["redis-cli FLUSHALL --help", "${PYTHON:-python3} -m pytest", "docker image prune -f"],
        """trap 'rm -rf "$tmp"' EXIT; tmp=$(mktemp -d); ls "$tmp" """,
        *["claude -p 'explain --dangerously-skip-permissions'", "claude --permission-mode plan"],
        *["claude -p x --allowedTools Read", "codex exec x", "gemini -p x", "aider -m x"],
        *["gio trash ~/x", "wsl ls", "ansible all -m file -a 'path=/srv/x state=absent' --check"],
    ],
}


@parametrize_all(("text", "expected"), [(text, said) for said in ROWS for text in ROWS[said]])
def test_other_clients_are_assessed_by_their_losses(text: str, expected: str) -> None:
    assert said(text) == expected
