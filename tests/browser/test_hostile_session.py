"""Hostile texts reach every field of the database that takes a text from outside."""

from fnmatch import fnmatch

import pytest

from support.approvals import HOLD
from support.home import Home
from support.hostile_session import (
    allows,
    by_shim,
    conversation,
    counted,
    denied_request,
    misses,
    settings,
    texts_of,
)
from support.hostile_texts import ALL_IN_ONE

OWN = (
    "*_at *.at *.timestamp *.hour *.day *.status *.state *.scope *.kind *.lifecycle *.role",
    "*.client *.client_version *.client_process *.source *.layer *.context_source *.until",
    "*.decision *.decided_by *.verdict *.found *.rule *.guard guards.name",  # names with a pattern
    "hourly_rules.event unjudged.event efforts.skill skills.name hook_runs.hook_id",
    "*.delivery_key *.payload_sha256 *.call_key allowances.call *.digest *.stamp",  # digests
    "meta.* counting.* policy_state.* *.stages *.starter_json *.metadata_json messages.ref",
    "approvals.reason approvals.risk_json approvals.answered_by",
    "*.tool messages.tool_name sessions.last_counted sessions.last_heartbeat",
    "sessions.run sessions.handover_run",  # ids of supervised runs
    "*.tmux_pane *.tmux_socket",  # of a tmux server that runs
    "skills.modes_json skills.templates_json skills.cmd_dependencies_json",  # file names
    "efforts.discovered_*_json sessions.touched_dirs_json sessions.preloaded_files_json",
    "injections.path trusts.root projects.repository claims.root claims.released_by",
    "file_views.*",  # paths of files that exist, in sessions that are not alone
    "agent_mail.sender_kind agent_mail.to_kind agent_mail.origin agent_mail.priority",
    "agent_mail.channel agent_mail.reason",
    "tasks.description tasks.keywords_json hook_runs.error hook_runs.notes",
)
"""Columns with words, numbers and names of hookd's own, or with paths of files that exist."""


@pytest.mark.slow
def test_each_column_that_takes_a_text_from_outside_holds_a_hostile_one(home: Home) -> None:
    home.settings(settings(ALL_IN_ONE) | HOLD)
    window = conversation(home.serves(), ALL_IN_ONE, by_shim)
    denied_request(window, ALL_IN_ONE)
    allows(window)
    misses(home, ALL_IN_ONE)
    counted(home)
    own = " ".join(OWN).split()
    held = {
        column: any("onerror=top.ran=1" in text for text in texts)
        for column, texts in texts_of(home.database).items()
        if not any(fnmatch(column, pattern) for pattern in own)
    }
    assert [column for column, hostile in held.items() if not hostile] == []
