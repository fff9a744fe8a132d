"""A hook as a plain script, started for each event: hookd is compared with it.

It does the least that is equivalent: reads the event, counts the call in SQLite, checks one rule.
"""

import json
import re
import sqlite3
import sys

RULE = re.compile(r"\brm\s+-\w*[rf]")


def main() -> None:
    event = json.load(sys.stdin)
    db = sqlite3.connect(sys.argv[1])
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("CREATE TABLE IF NOT EXISTS calls (session TEXT PRIMARY KEY, number INTEGER)")
    db.execute(
        "INSERT INTO calls VALUES (?, 1) ON CONFLICT (session) DO UPDATE SET number = number + 1",
        (event["session_id"],),
    )
    db.commit()
    db.close()
    if RULE.search(str(event["tool_input"].get("command", ""))):
        said = {"permissionDecision": "deny", "permissionDecisionReason": "Move it to the trash."}
        said["hookEventName"] = "PreToolUse"
        print(json.dumps({"hookSpecificOutput": said}))


main()
