"""Live: compaction, subagents that begin, instructions that are loaded, batches, model switches."""

from pathlib import Path

from support.flows import has_read, put, skill, with_templates, within
from support.home import Home, Window, window_in
from support.payloads import context, verdict


def chain(window: Window) -> list[tuple[str, str | None, bool]]:
    """Return source, end and whether it is linked, of the conversation's windows."""
    rows = window.sessions("source, end_reason, prev_session_id IS NOT NULL")
    return [(source, end, bool(linked)) for source, end, linked in rows]


def test_a_window_that_the_client_compacts_ends_and_the_next_goes_on(window: Window) -> None:
    effort = window.starts()
    window.says("SessionStart")
    within(window, "effort.log", text="Half of it is done.")
    window.bash()
    assert window.says("PreCompact.auto") is None
    assert chain(window) == [("startup", None, False)]
    text = context(window.says("SessionStart.compact"))
    assert chain(window) == [("startup", "compact", False), ("compact", None, True)]
    window.says("PostCompact", compact_summary="They talked about pages.")
    assert len(chain(window)) == 2, "what follows opens none"
    assert "Heartbeat: 0/" in text
    assert window.count == 0
    assert effort["taskDir"] in text
    assert "Half of it is done." in text
    sql = (
        "SELECT content FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE s.claude_session_id = ? AND role = 'system'"
    )
    assert window.home.rows(sql, window.id) == [("They talked about pages.",)]


def test_what_a_person_compacts_changes_nothing(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    window.bash()
    assert window.says("PreCompact", trigger="manual") is None
    assert chain(window) == [("startup", None, False)]
    assert window.count == 1


def test_a_compaction_that_the_client_gives_up_changes_nothing(window: Window) -> None:
    window.starts(blockAfter=3)
    window.says("SessionStart")
    for _ in range(2):
        window.bash()
    window.says("PreCompact.auto")
    window.bash()
    assert chain(window) == [("startup", None, False)]
    assert verdict(window.bash())[0] == "deny"
    # It is a person's that follows in the end: what was given up does not count.
    window.says("PreCompact", trigger="manual")
    assert "Heartbeat: 4/3" in context(window.says("SessionStart.compact"))


def test_after_a_person_s_compaction_the_context_line_tells_the_heartbeat_that_counts(
    window: Window,
) -> None:
    window.starts(blockAfter=2)
    window.says("SessionStart")
    window.bash()
    window.says("PreCompact", trigger="manual")
    assert "Heartbeat: 1/2" in context(window.says("SessionStart.compact"))
    assert "2/2 tool calls" in verdict(window.bash())[1]


def test_the_settings_keep_the_client_from_compacting(home: Home) -> None:
    home.settings({"precompact": {"action": "block"}})
    home.serves()
    window = window_in(home)
    window.says("SessionStart")
    answer = window.says("PreCompact.auto")
    assert answer["decision"] == "block"
    assert "hookd handover save" in answer["reason"]
    assert window.says("PreCompact", trigger="manual") is None
    assert chain(window) == [("startup", None, False)]


def test_a_subagent_is_told_what_it_works_on(window: Window) -> None:
    text = with_templates("x").replace("  t0: x", "  log: LOG.md\n  plan: PLAN.md")
    folder = skill(window, "plan", text)
    put(f"{folder}/LOG.md", "# An entry")
    put(f"{folder}/PLAN.md", "# A plan")
    put(f"{window.project}/AGENTS.md", "The rules.")
    effort = window.starts("plan")
    window.says("SessionStart")
    has_read(window, f"{window.project}/x.py")
    said = context(window.says("SubagentStart", agent_id="a1", agent_type="Explore"))
    assert f"part of effort {effort['effortId']}: plan on {effort['taskDir']}" in said
    assert effort["logPath"] in said
    for there, text in ((True, "# An entry"), (True, "The rules."), (False, "# A plan")):
        assert (text in said) == there, text
    ((parent, same),) = window.sessions("parent_session_id, effort_id", "agent_id = 'a1'")
    assert (parent, same) == window.sessions("id, effort_id")[-1]


def test_a_subagent_without_an_effort_is_told_nothing(window: Window) -> None:
    window.says("SessionStart")
    assert window.says("SubagentStart", agent_id="a1", agent_type="Explore") is None


def test_what_the_client_has_loaded_itself_is_not_brought_again(window: Window) -> None:
    path = put(f"{window.project}/AGENTS.md", "The rules.")
    window.starts()
    window.says("SessionStart")
    window.says("InstructionsLoaded", file_path=path)
    assert has_read(window, f"{window.project}/x.py") == ""


def test_a_batch_brings_what_had_no_room_beside_its_calls(window: Window) -> None:
    put(f"{window.project}/AGENTS.md", "The rules. " * 1_200)
    window.starts()
    window.says("SessionStart")
    assert "part 1 of 2" in has_read(window, f"{window.project}/x.py")
    assert "part 2 of 2" in context(window.says("PostToolBatch"))
    assert window.says("PostToolBatch") is None


def test_a_switch_of_the_model_is_kept(window: Window) -> None:
    window.says("SessionStart", model="claude-opus-5-5")
    window.says("PostModelSwitch")
    assert window.sessions("model") == [("claude-sonnet-5-5",)]


def test_the_folder_that_the_agent_goes_to_is_kept(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    ((project,),) = window.sessions("project_id")
    there = str(Path(put(f"{window.project}/web/x", "")).parent)
    assert window.says("CwdChanged", cwd=there, new_cwd=there) is None
    assert window.sessions("cwd, project_id, effort_id IS NOT NULL") == [(there, project, 1)]


def test_a_question_of_a_server_is_attention_until_it_is_answered(window: Window) -> None:
    window.env["AGENT_ID"] = f"agent-{window.id[:8]}"
    window.says("SessionStart")
    sql = "SELECT status FROM agents WHERE id = ?"
    for event, status in (("Elicitation", "attention"), ("ElicitationResult", "working")):
        assert window.says(event) is None
        assert window.home.rows(sql, window.env["AGENT_ID"]) == [(status,)]
