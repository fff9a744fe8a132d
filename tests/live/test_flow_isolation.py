"""Live: what is not brought before a model, not kept, not counted away, not taken from others."""

import pytest

from support.flows import (
    after_clear,
    called,
    hands_over,
    has_read,
    put,
    skill,
    typed,
    with_templates,
    within,
)
from support.home import Window, window_in
from support.payloads import context, verdict

KEY = "sk-ant-api03-" + "a1B2" * 24


def kept(window: Window) -> str:
    """Return everything that the database holds of this window's project, as one text."""
    found = window.home.rows("SELECT * FROM events WHERE claude_session_id = ?", window.id)
    found += window.home.rows("SELECT * FROM injections")
    found += window.home.rows("SELECT * FROM skills")
    found += window.home.rows("SELECT * FROM tasks")
    return str(found)


def test_what_waits_goes_on_with_a_conversation_that_is_resumed(window: Window) -> None:
    put(f"{window.project}/AGENTS.md", "The rules. " * 2_500)
    window.starts()
    window.says("SessionStart")
    first = has_read(window, f"{window.project}/x.py")
    assert "part 1 of" in first
    window.says("SessionEnd", reason="other")
    window.says("SessionStart", source="resume")
    rest = [context(window.says("UserPromptSubmit")) for _ in range(4)]
    total = int(first.partition("part 1 of ")[2].partition(")")[0])
    for part in range(2, total + 1):
        assert any(f"(part {part} of {total})" in text for text in rest), part


@pytest.mark.parametrize("deed", ["--deny", "--ask"])
def test_a_rule_over_read_holds_for_what_hookd_brings(window: Window, deed: str) -> None:
    put(f"{window.project}/private/plan.md", "the secret plan")
    put(f"{window.project}/AGENTS.md", "the secret rules")
    guard = ("guard", "add", "quiet", "Read(*/private/*)", "Read(*/AGENTS.md)", deed, "No.")
    window.home.hookd(*guard, "--scope", "local", env=window.identity)
    window.starts()
    window.says("SessionStart")
    assert has_read(window, f"{window.project}/x.py") == ""
    hands_over(window, requiredFiles=["private/plan.md"])
    _, text = after_clear(window)
    assert "plan.md (blocked: guard quiet)" in text
    assert "the secret" not in text


def test_a_file_of_variables_is_never_brought(window: Window) -> None:
    put(f"{window.project}/.env", "TOKEN_FOR_X=hunter2hunter2xyz")
    text = with_templates("LOG.md").replace("phases:", "directives: ['.env']\nphases:")
    skill(window, "plan", text)
    window.starts("plan")
    window.says("SessionStart")
    assert "hunter2" not in has_read(window, f"{window.project}/x.py")
    hands_over(window, requiredFiles=[".env"])
    _, said = after_clear(window)
    assert ".env (blocked: an .env file)" in said
    assert "hunter2" not in said + kept(window)


def test_a_secret_that_is_typed_names_no_task(window: Window) -> None:
    skill(window)
    typed(window, "implement", "deploy with password=hunter2hunter2xyz now")
    ((task,),) = window.home.rows(
        "SELECT task_dir FROM efforts JOIN projects p ON p.id = project_id WHERE p.path = ?",
        window.project,
    )
    assert "hunter2" not in task
    assert "hunter2" not in kept(window)


def test_a_secret_in_a_skill_is_not_kept(window: Window) -> None:
    text = with_templates("LOG.md").replace("---\n", f"---\ndescription: uses {KEY}\n", 1)
    skill(window, "plan", text)
    called(window, "plan", "x")
    assert KEY not in kept(window)


def test_another_effort_is_no_log_entry(window: Window) -> None:
    window.starts(blockAfter=3)
    for number in range(3):
        window.bash(f"echo {number}")
    within(window, "effort.start", taskDir=f"{window.project}/t", skill="review")
    assert window.count == 3


@pytest.mark.parametrize("key", ["loading", "dehydrating", "loadedFiles"])
def test_what_hookd_keeps_of_an_effort_nobody_else_sets(window: Window, key: str) -> None:
    params = f'{{"taskDir": "{window.project}/t", "skill": "x", "metadata": {{"{key}": true}}}}'
    done = window.home.hookd("rpc", "effort.start", params, env=window.identity, check=False)
    assert done.returncode == 1
    assert f"metadata.{key} is kept by hookd" in done.stderr


def test_a_phase_of_another_effort_leaves_the_counter_alone(window: Window) -> None:
    other = window.starts("other")
    window.starts("implement")
    for number in range(4):
        window.bash(f"echo {number}")
    within(window, "effort.phase", effortId=other["effortId"], phase="1: Any")
    assert window.count == 4


def test_nobody_takes_another_agent_s_effort(window: Window) -> None:
    skill(window)
    window.env["AGENT_ID"] = f"a-{window.id[:8]}"
    typed(window, "implement", "pages")
    thief = Window(window.home, window.project, env={"AGENT_ID": f"b-{window.id[:8]}"})
    assert "is active" in context(typed(thief, "implement", "pages"))
    sql = (
        "SELECT a.id, e.ordinal FROM agents a JOIN efforts e ON e.id = a.effort_id"
        " WHERE a.id IN (?, ?) ORDER BY a.id"
    )
    names = (window.env["AGENT_ID"], thief.env["AGENT_ID"])
    assert window.home.rows(sql, *names) == [(names[0], 1), (names[1], 2)]
    (number,) = window.sessions("effort_id")[-1]
    done = window.home.hookd("effort", "resume", str(number), env=thief.identity, check=False)
    assert done.returncode == 1
    assert f"is that of agent {names[0]}" in done.stderr


def test_a_handover_of_an_unknown_session_is_kept_nowhere(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    payload = '{"summary": "x", "lastAction": "x", "nextSteps": ["x"], "requiredFiles": []}'
    args = ("handover", "save", "--session", "999999", "-")
    done = window.home.hookd(*args, env=window.identity, check=False, input=payload)
    assert done.returncode == 1
    assert window.sessions("handover_json")[-1] == (None,)


def test_a_log_entry_of_no_words_frees_nobody(window: Window) -> None:
    window.starts(blockAfter=2)
    for number in range(3):
        window.bash(f"echo {number}")
    assert verdict(window.bash("hookd log ''"))[0] == ""
    assert verdict(window.bash("ls"))[0] == "deny"


def test_another_window_on_the_effort_is_counted_while_one_hands_over(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    second = Window(window.home, window.project)
    second.says("SessionStart")
    hands_over(window)
    for one in (window, second):
        for number in range(3):
            one.bash(f"echo {number}")
    assert (window.count, second.count) == (0, 3)
    assert window_in(window.home).project != window.project
