"""Live: each event is stored with the time that the daemon took for it, by stages."""

import json

from support.home import Home
from support.user_hooks import at_work, nested

STAGES = ["parse", "redact", "settings", "wait", "facts", "policies", "write"]
ROWS = "SELECT event, tool_name, duration_us, stages FROM events WHERE kind = 'hook' ORDER BY id"


def test_an_event_has_its_duration_and_its_stages(home: Home) -> None:
    window = at_work(home, nested("Stop", "sleep 0.05"))
    window.bash("rm -rf /")
    window.says("Stop")
    found = {row[0]: row[2:] for row in home.rows(ROWS)}
    took, text = found["PreToolUse"]
    stages = json.loads(text)
    policy, spent = stages.pop("policy")
    assert ([one for one in stages if one != "files"], bool(policy)) == (STAGES, True)
    assert 0 <= spent <= stages["policies"]
    assert 0 <= took - sum(stages.values()) <= len(stages), "the stages are all of it"
    took, text = found["Stop"]
    stages = json.loads(text)
    assert (stages["user_hooks"] >= 50_000, took >= 50_000) == (True, True)
    assert "commit" in stages, "the first commit of an event with hooks is known at its second"
