"""Live: a window fills up, leaves a handover at the terminal, and the next window is given it."""

import json
from pathlib import Path

import pytest

from support.flows import after_clear, handover, hands_over, put, told, within
from support.home import Window
from support.payloads import context, verdict

MARK = "## Session Recovery (Dehydrated Context), handover of the previous session"


@pytest.fixture
def working(window: Window) -> Window:
    """A window that works on an effort, in a process of its own."""
    window.env["CLAUDE_PID"] = "4712"
    window.starts()
    window.says("SessionStart")
    return window


def units(text: str) -> int:
    """Return the length as the client counts it."""
    return len(text.encode("utf-16-le")) // 2


def test_a_window_that_fills_up_is_told_how_to_hand_over(working: Window) -> None:
    for usage, full in ((0.72, False), (0.85, False), (0.91, True)):
        working.rpc("session.updateContextUsage", claudeSessionId=working.id, usage=usage)
        event = working.event("PreToolUse.Bash") | {"env": working.identity}
        result = working.home.rpc("hooks.preToolUse", event)
        assert (result["overflowWarning"], result["contextUsage"]) == (full, usage)
        assert result["allow"] is True
    said = result["hookOutput"]["hookSpecificOutput"]["additionalContext"]
    assert "91% full" in said
    assert "hookd handover save" in said


def test_what_a_window_leaves_is_given_to_the_next_one_and_only_to_that(working: Window) -> None:
    required = put(f"{working.project}/docs/api.md", "# The API\n")
    saved = hands_over(working, requiredFiles=[required])
    assert saved["dropped"] == []
    second, text = after_clear(working)
    line, mark, where, *rest = text.split("\n\n")
    assert line.startswith("[Session Context]")
    assert mark == MARK
    assert where.startswith("Task: ") and where.endswith("| Skill: implement | Phase: none")
    assert rest == [
        "### Summary\nGET /orders takes page and size.",
        "### Last action\nWrote the test of the last page.",
        "### Next steps\n1. Document both.\n2. Ask for a review.",
        "### Handover instructions\nMind the index.",
        "### What the user asked for\n- pages of orders, please",
        f"[Preloaded: {required}]\n# The API",
    ]
    ((before, delivered),) = working.sessions("id, handover_delivered_at")
    assert delivered is None
    second.says("UserPromptSubmit")
    ((offers, delivered),) = working.sessions("handover_offers, handover_delivered_at")
    assert offers == 1
    assert delivered is not None
    assert second.sessions("prev_session_id") == [(before,)]
    third, text = after_clear(second)
    assert MARK not in text
    assert third.sessions("prev_session_id") == second.sessions("id")


def test_required_files_may_be_named_from_the_project_s_root(working: Window) -> None:
    path = put(f"{working.project}/docs/api.md", "# The API\n")
    within(working, "handover.save", payload=handover(requiredFiles=["docs/api.md"]))
    assert f"[Preloaded: {path}]\n# The API" in after_clear(working)[1]


def test_required_files_beyond_eight_are_dropped_and_named(working: Window) -> None:
    paths = [put(f"{working.project}/{n}.md", f"number {n}") for n in range(10)]
    assert hands_over(working, requiredFiles=paths)["dropped"] == paths[8:]
    text = after_clear(working)[1]
    assert [f"number {n}" in text for n in range(10)] == [True] * 8 + [False] * 2


def test_a_required_file_outside_of_the_project_is_not_read(working: Window) -> None:
    secret = put(working.home.path / "outside" / f"{working.id}.txt", "the user's own")
    Path(working.project, "link").symlink_to(secret)
    paths = [secret, f"{working.project}/link", "../../outside/" + Path(secret).name]
    hands_over(working, requiredFiles=paths)
    text = after_clear(working)[1]
    assert MARK in text
    assert "the user's own" not in text
    assert f"{secret} (missing)" in text
    assert "/link (missing)" in text


@pytest.mark.parametrize("ends", [True, False], ids=["ended", "vanished"])
@pytest.mark.parametrize("effort", [True, False], ids=["effort", "no effort"])
def test_windows_that_die_at_once_leave_it_for_the_next_three_times_at_most(
    window: Window, ends: bool, effort: bool
) -> None:
    window.env["CLAUDE_PID"] = "4713"
    if effort:
        window.starts()
    window.says("SessionStart")
    hands_over(window)
    given = []
    for _ in range(4):
        window, text = after_clear(window, ends=ends or not given)
        given.append(MARK in text)
    assert given == [True, True, True, False]


def test_a_window_that_was_only_looked_at_has_not_had_it(working: Window) -> None:
    hands_over(working)
    second, text = after_clear(working)
    assert MARK in text
    second.says("Notification")
    second.says("InstructionsLoaded")
    assert MARK in after_clear(second)[1]


def test_a_window_that_resumes_has_it_all_still(working: Window) -> None:
    hands_over(working)
    working.says("SessionEnd", reason="other")
    assert "Session Recovery" not in context(working.says("SessionStart", source="resume"))
    assert told(working) == []
    assert working.sessions("handover_offers")[0] == (0,)


def test_what_was_left_before_a_later_handover_is_not_given_any_more(working: Window) -> None:
    hands_over(working, summary="The first.")
    working.says("SessionEnd", reason="other")
    working.says("SessionStart", source="resume")
    hands_over(working, summary="The second.")
    second, text = after_clear(working)
    assert "The second." in text
    second.says("UserPromptSubmit")
    assert "The first." not in after_clear(second)[1]


def test_saved_again_the_later_takes_the_earlier_s_place(working: Window) -> None:
    assert hands_over(working, summary="The first.")["replaced"] is False
    assert hands_over(working, summary="The second.")["replaced"] is True
    text = after_clear(working)[1]
    assert "The second." in text
    assert "The first." not in text


@pytest.mark.parametrize("sign", ["x", "ü", "🚀"], ids=["ascii", "two bytes", "beyond the BMP"])
@pytest.mark.parametrize("line", [80, 40_000], ids=["lines", "one line"])
def test_a_long_one_arrives_in_pieces_complete_and_in_order(
    working: Window, sign: str, line: int
) -> None:
    words = [f"<{number}>{sign * 20}" for number in range(1_200)]
    body = "".join(
        word + ("\n" if at % 4 == 3 and line == 80 else "") for at, word in enumerate(words)
    )
    hands_over(working, summary=body.strip())
    second, first = after_clear(working)
    pieces = [first, *told(second)]
    assert all(units(piece) <= 10_000 for piece in pieces)
    assert len(pieces) >= 3
    marks = [f"(part {at} of {len(pieces)})\n" for at in range(1, len(pieces) + 1)]
    assert [mark in piece for mark, piece in zip(marks, pieces, strict=True)] == [True] * len(marks)
    whole = "".join(piece.partition(mark)[2] for mark, piece in zip(marks, pieces, strict=True))
    said = whole.partition("### Summary\n")[2].partition("\n\n### Last action")[0]
    assert said.replace("\n", "") == "".join(words)
    assert "1. Document both." in pieces[-1]
    assert working.sessions("handover_delivered_at IS NOT NULL") == [(1,)]


def test_a_long_one_of_which_a_window_got_the_beginning_is_given_anew(working: Window) -> None:
    hands_over(working, summary="word " * 6_000)
    second, text = after_clear(working)
    assert "(part 1 of 4)" in text
    assert "(part 2 of 4)" in context(second.says("UserPromptSubmit"))
    third, text = after_clear(second)
    assert "(part 1 of 4)" in text
    assert len(told(third)) == 3


def test_a_handover_is_refused_by_the_field_that_is_wrong(working: Window) -> None:
    command = ("handover", "save", "-")
    for text in ('{"summary": "x"}', "[]", "{", ""):
        done = working.home.hookd(*command, input=text, env=working.identity, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("hookd: ")
        assert "  next: " in done.stderr
        assert "Traceback" not in done.stderr
    assert working.sessions("handover_json") == [(None,)]


def test_a_model_that_is_held_can_still_hand_over(working: Window) -> None:
    for _ in range(11):
        answer = working.bash()
    assert verdict(answer)[0] == "deny"
    heredoc = 'hookd handover save <<\'EOF\'\n{"summary": "x"}\nEOF'
    for command in ("hookd handover save h.json", heredoc):
        assert verdict(working.bash(command))[0] == "", command


def test_of_two_windows_on_one_effort_each_next_one_gets_its_own(working: Window) -> None:
    pair = [Window(working.home, working.project, env={"CLAUDE_PID": str(n)}) for n in (1, 2)]
    for one in pair:
        one.says("SessionStart")
    for number, one in enumerate(pair):
        hands_over(one, summary=f"Of window {number}.")
    for number, one in enumerate(pair):
        following, text = after_clear(one)
        assert f"Of window {number}." in text
        assert f"Of window {1 - number}." not in text
        following.says("UserPromptSubmit")


def test_compaction_does_not_show_that_the_model_has_read_it(working: Window) -> None:
    hands_over(working)
    second, _ = after_clear(working)
    for name in ("PreCompact", "PostCompact"):
        second.says(name)
    assert working.sessions("handover_delivered_at") == [(None,)]
    second.says("Stop")
    assert working.sessions("handover_delivered_at IS NULL") == [(0,)]


def test_an_effort_that_is_finished_meanwhile_does_not_keep_it_back(working: Window) -> None:
    hands_over(working)
    within(working, "effort.finish")
    assert MARK in after_clear(working)[1]


def added(path: str, text: str) -> None:
    """Write to a transcript what the client writes of a hook's context."""
    attachment = {"type": "hook_additional_context", "content": [text], "hookName": "SessionStart"}
    with Path(path).open("a") as file:
        file.write(json.dumps({"type": "attachment", "attachment": attachment}) + "\n")


@pytest.mark.parametrize("kept", [True, False], ids=["in the transcript", "lost with the client"])
def test_after_a_compaction_in_between_a_resumed_conversation_has_it_once(
    working: Window, kept: bool
) -> None:
    path = str(Path(working.project) / "t.jsonl")
    hands_over(working)
    working.says("SessionEnd", reason="other")
    assert MARK not in context(working.says("SessionStart.resume", transcript_path=path))
    working.says("PreCompact", transcript_path=path)
    working.says("SubagentStop", agent_id="abbba640596ceee9f", agent_type="")
    first = context(working.says("SessionStart.compact", transcript_path=path))
    assert MARK in first
    if kept:
        added(path, first)
    working.says("PostCompact", transcript_path=path)
    working.says("SessionEnd", transcript_path=path)
    resumed = working.says("SessionStart.resume", transcript_path=path)
    owed = working.sessions("handover_delivered_at IS NULL", "handover_json IS NOT NULL")
    assert owed == [(0 if kept else 1,)]
    prompted = working.says("UserPromptSubmit", transcript_path=path)
    again = [MARK in context(answer) for answer in (resumed, prompted)]
    assert sum(again) == (0 if kept else 1)
