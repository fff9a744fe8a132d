"""Guard rules that were stored before hookd redacted them, or before it knew a form of secret.

New rules are redacted when they are set; these are, whenever a daemon starts.
"""

from sqlite3 import Connection

from hookd.core.guard_rules.dead_rules import stored_without_secrets


def redact_rules(db: Connection) -> int:
    """Take the secrets out of the texts of all stored rules; return how many rules had some."""
    rows = db.execute("SELECT id, rule_json FROM guards").fetchall()
    changed = [(text, row) for row, old in rows if (text := stored_without_secrets(old)) != old]
    if changed:
        db.execute("PRAGMA secure_delete = ON")  # the old text goes out of the file, too
        db.executemany("UPDATE guards SET rule_json = ? WHERE id = ?", changed)
        db.execute("PRAGMA secure_delete = OFF")
    return len(changed)


def rules_set_by_command(db: Connection, root: str) -> list[tuple[str, str]]:
    """Return name and JSON of the rules that no file has and that apply in a project."""
    return db.execute(
        "SELECT name, rule_json FROM guards WHERE source IS NULL AND (scope = 'user' OR project_id"
        " IN (SELECT id FROM projects WHERE ?1 = path OR substr(?1, 1, length(path) + 1) ="
        " path || '/')) ORDER BY id",
        (root,),
    ).fetchall()
