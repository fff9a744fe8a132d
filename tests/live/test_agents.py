"""Live: who asks. AGENT_ID and its family come with every event, and nothing of them is shared."""

from support.home import Home, Window, window_in
from support.payloads import context


def agent_rows(home: Home, *names: str) -> list[tuple[object, ...]]:
    """Return agents as the database has them, by name."""
    marks = ", ".join("?" * len(names))
    sql = f"SELECT id, status, effort_id FROM agents WHERE id IN ({marks}) ORDER BY id"
    return home.rows(sql, *names)


def as_agent(window: Window, name: str) -> Window:
    """Return another conversation in the same project, of an agent."""
    return Window(window.home, window.project, env={"AGENT_ID": name})


def test_an_agent_works_on_its_own_effort(window: Window) -> None:
    ann, bob = as_agent(window, "ann"), as_agent(window, "bob")
    mine, yours = ann.starts("implement"), bob.starts("review")
    assert "Skill: implement" in context(ann.says("SessionStart"))
    assert "Skill: review" in context(bob.says("SessionStart"))
    assert agent_rows(window.home, "ann", "bob") == [
        ("ann", "working", mine["effortId"]),
        ("bob", "working", yours["effortId"]),
    ]
    assert ann.sessions("owner, effort_id") == [("ann", mine["effortId"])]


def test_a_session_registers_its_agent_with_its_family(window: Window) -> None:
    env = {
        "AGENT_ID": "cleo",
        "AGENT_CLAIMS": "docs/*",
        "AGENT_TARGETED_CLAIMS": "README.md",
        "AGENT_MANAGES": "dora",
        "AGENT_PARENT": "boss",
        "TMUX_PANE": "%7",
        "CLAUDE_PID": "4711",
    }
    window.env.update(env)
    window.bash()
    columns = "id, claims, targeted_claims, manages, parent, tmux_pane, status"
    assert window.home.rows(f"SELECT {columns} FROM agents WHERE id = 'cleo'") == [
        ("cleo", "docs/*", "README.md", "dora", "boss", "%7", "working")
    ]
    assert window.sessions("owner, pid") == [("cleo", 4711)]


def test_an_agent_without_an_effort_does_not_fall_back_to_the_project_s(window: Window) -> None:
    window.starts()
    assert as_agent(window, "eve").says("SessionStart") is None
    assert context(window.says("SessionStart")), "who is no agent does"


def test_with_shared_efforts_an_agent_falls_back_to_the_project_s(home: Home) -> None:
    home.settings({"identity": {"share_efforts": True}})
    home.serves()
    window = window_in(home)
    window.starts("plan")
    assert "Skill: plan" in context(as_agent(window, "eve").says("SessionStart"))


def test_the_agent_called_default_is_none(window: Window) -> None:
    window.starts("plan")
    default = as_agent(window, "default")
    assert "Skill: plan" in context(default.says("SessionStart"))
    assert default.sessions("owner") == [(None,)]
    assert agent_rows(window.home, "default") == []


def test_a_session_that_ends_leaves_its_agent_done(window: Window) -> None:
    window.env["AGENT_ID"] = "finn"
    window.says("SessionStart")
    window.says("SessionEnd", reason="other")
    assert agent_rows(window.home, "finn") == [("finn", "done", None)]
    window.bash()
    assert agent_rows(window.home, "finn") == [("finn", "working", None)]


def test_after_clear_the_agent_goes_on_in_a_new_window_with_its_effort(window: Window) -> None:
    window.env["AGENT_ID"] = "gil"
    effort = window.starts()
    window.says("SessionStart")
    window.bash()
    window.says("SessionEnd", reason="clear")
    assert agent_rows(window.home, "gil") == [("gil", "working", effort["effortId"])]
    after = as_agent(window, "gil")  # the client gives the conversation a new id
    assert effort["taskDir"] in context(after.says("SessionStart", source="clear"))
    (before,) = window.sessions("id, end_reason, effort_id, heartbeat_counter")
    assert before[1:] == ("clear", effort["effortId"], 1)
    assert after.sessions("prev_session_id, effort_id, source, heartbeat_counter") == [
        (before[0], effort["effortId"], "clear", 0)
    ]


def test_a_start_closes_the_window_that_the_agent_left_open(window: Window) -> None:
    first, second = as_agent(window, "hal"), as_agent(window, "hal")
    first.says("SessionStart")
    second.says("SessionStart")
    assert first.sessions("end_reason") == [("superseded",)]
    ((before,),) = first.sessions("id")
    assert second.sessions("end_reason, prev_session_id") == [(None, before)]


def test_clear_without_an_agent_inherits_the_project_s_effort(window: Window) -> None:
    effort = window.starts()
    window.says("SessionStart")
    window.says("SessionEnd", reason="clear")
    after = Window(window.home, window.project)
    assert effort["taskDir"] in context(after.says("SessionStart", source="clear"))


def test_clear_without_an_agent_follows_the_window_of_the_same_process(window: Window) -> None:
    windows = [Window(window.home, window.project) for _ in range(4)]
    for number, one in enumerate(windows):
        one.env["CLAUDE_PID"] = str(1000 + number % 2)
    first, second, third, fourth = windows
    for one in (first, second):
        one.says("SessionStart")
        one.says("SessionEnd", reason="clear")
    for one in (third, fourth):
        one.says("SessionStart", source="clear")
    ids = [one.sessions("id")[0] for one in windows]
    assert [one.sessions("prev_session_id")[0] for one in (third, fourth)] == ids[:2]
    stray = Window(window.home, window.project)
    stray.says("SessionStart", source="clear")
    assert stray.sessions("prev_session_id") == [(None,)], "both have their successors"


def test_a_name_that_is_not_utf_8_is_nobody_s(window: Window) -> None:
    window.env["AGENT_ID"] = "\udcff\udcfe"
    window.bash()
    assert window.sessions("owner") == [(None,)]


def test_quotes_and_controls_in_a_name_stay_in_the_name(window: Window) -> None:
    name = 'ivy" , "CWD":"/" \\ \t& \n'
    window.env["AGENT_ID"] = name
    window.bash()
    assert window.sessions("owner") == [(name,)]
