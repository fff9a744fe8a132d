"""Live: corners of the flows where two rights meet: denied calls, parallel windows, odd places."""

from support.flows import PHASED, after_clear, called, hands_over, has_read, put, skill, typed
from support.home import Home, Window, window_in
from support.payloads import context, verdict


def test_a_log_by_the_effort_command_frees_a_model_that_is_held(window: Window) -> None:
    window.starts()
    for number in range(10):
        window.bash(f"echo {number}")
    assert verdict(window.calls("Skill", skill="effort", args="log 'Parser done.'"))[0] == ""
    called(window, "effort", "log 'Parser done.'")
    assert window.count == 0


def test_an_effort_command_that_is_denied_does_nothing(window: Window) -> None:
    guard = ("guard", "add", "no-effort", "Skill", "--deny", "No.", "--scope", "local")
    window.home.hookd(*guard, env=window.identity)
    assert verdict(window.calls("Skill", skill="effort", args="start t implement"))[0] == "deny"
    sql = "SELECT count(*) FROM efforts e JOIN projects p ON p.id = e.project_id WHERE p.path = ?"
    assert window.home.rows(sql, window.project) == [(0,)]


def test_a_secret_that_the_tail_of_the_log_cuts_in_two_is_kept_nowhere(window: Window) -> None:
    task = window.starts()["taskDir"]
    window.says("SessionStart")
    key = "sk-ant-api03-" + "a1B2" * 24
    put(f"{task}/1_IMPLEMENT_LOG.md", "word " * 2000 + key + "z" + " w" * 1980)
    second, _ = after_clear(window)
    sql = "SELECT i.content FROM injections i JOIN sessions s ON s.id = i.session_id"
    kept = window.home.rows(f"{sql} WHERE s.claude_session_id = ?", second.id)
    kept += window.home.rows("SELECT answer FROM events WHERE claude_session_id = ?", second.id)
    assert "a1B2a1B2" not in str(kept)


def test_another_window_does_not_take_what_an_open_one_leaves_for_its_next(
    window: Window,
) -> None:
    window.starts()
    window.says("SessionStart")
    hands_over(window)
    other = Window(window.home, window.project)
    other.says("SessionStart")
    other.says("UserPromptSubmit")
    assert "handover of the previous session" in after_clear(window)[1]


def test_while_loading_the_skill_goes_on_with_its_task_whatever_the_words(
    window: Window,
) -> None:
    skill(window)
    typed(window, "implement", "pages of orders")
    for number in range(5):
        window.bash(f"echo {number}")  # not counted while loading: the window seems untouched
    assert "is resumed" in context(typed(window, "implement", "and the last page"))


def test_an_effort_that_was_started_for_this_window_is_the_task_of_its_skill(
    window: Window,
) -> None:
    skill(window)
    window.says("SessionStart")
    window.rpc("effort.start", taskDir=f"{window.project}/tasks/demo", skill="implement")
    assert "is resumed" in context(typed(window, "implement", "with pages"))


def test_a_daemon_that_a_hook_starts_knows_the_client_s_folder(home: Home) -> None:
    home.env["CLAUDE_CONFIG_DIR"] = str(home.path / "elsewhere")
    put(home.path / "elsewhere" / "skills" / "implement" / "SKILL.md", PHASED)
    window = window_in(home)
    assert "Phases: 0: Setup; " in context(typed(window, "implement", "pages"))


def test_a_log_that_cannot_be_written_is_told_and_the_call_is_judged(window: Window) -> None:
    window.says("SessionStart")
    put(f"{window.project}/tasks", "a file where the folder should be")
    called(window, "effort", "start pages implement")
    assert "Logged" in called(window, "effort", "log 'x'"), "the entry is kept in the database"
    logged = window.home.logged("after-commit effect failed")
    assert any(f"{window.project}/tasks" in str(line) for line in logged)


def test_a_window_that_resumes_is_not_given_again_what_it_holds(window: Window) -> None:
    put(f"{window.project}/AGENTS.md", "The rules.")
    window.starts()
    window.says("SessionStart")
    assert "The rules." in has_read(window, f"{window.project}/x.py")
    window.says("UserPromptSubmit")  # it was read: what was not, would come again
    window.says("SessionEnd", reason="other")
    assert "The rules." not in context(window.says("SessionStart", source="resume"))
    assert has_read(window, f"{window.project}/x.py") == ""


def test_the_effort_command_keeps_to_the_project(window: Window) -> None:
    window.says("SessionStart")
    answer = window.calls("Skill", skill="effort", args="start ../../outside implement")
    assert verdict(answer)[0] == "deny"


def test_what_was_called_before_an_effort_does_not_count_against_it(window: Window) -> None:
    window.says("SessionStart")
    for number in range(12):
        window.bash(f"echo {number}")
    window.starts()
    assert verdict(window.bash("ls"))[0] == ""
    assert window.count == 1
    (effort,) = window.sessions("effort_id")[-1]
    window.rpc("effort.resume", effortId=effort)
    assert window.count == 1, "going on with the same effort is no log entry"


def test_a_path_below_the_folder_for_tasks_is_the_task_though_it_is_new(window: Window) -> None:
    skill(window)
    answer = context(typed(window, "implement", "tasks/brand-new with care"))
    assert f"implement on {window.project}/tasks/brand-new." in answer


def test_a_rebuilt_window_is_told_what_an_earlier_one_left(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    hands_over(window)
    second, _ = after_clear(window)
    second.says("UserPromptSubmit", prompt="Go on")
    _, text = after_clear(second)
    assert "rebuilt from the effort's files" in text
    assert "Earlier handover" in text


def test_at_a_terminal_nobody_guesses_which_of_several_efforts_is_meant(window: Window) -> None:
    window.starts("plan")
    two = window.starts("implement")
    env = {"CLAUDE_PROJECT_DIR": window.project}
    done = window.home.hookd("effort", "finish", env=env, check=False)
    assert done.returncode == 1
    assert "2 efforts are active in this project" in done.stderr
    window.home.hookd("effort", "finish", str(two["effortId"]), env=env)
    assert "is finished: plan on" in window.home.hookd("effort", "finish", env=env).stdout
