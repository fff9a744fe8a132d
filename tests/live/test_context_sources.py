"""Live: how full a window is, hookd finds out without a status line, and says who told it."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.home import Home, Window, until, window_in
from support.payloads import context, verdict

OPUS, SONNET, HAIKU = "claude-opus-5-5", "claude-sonnet-4-6", "claude-haiku-4-5"
USAGE = "context_usage, context_source"


def file_of(window: Window) -> Path:
    return Path(window.project) / f"{window.id}.jsonl"


def answers(window: Window, tokens: int, model: str = "claude-opus-4-5-20251101") -> None:
    """Let the client append an answer of the model, and tell that a tool has run."""
    usage = {"input_tokens": 1, "cache_read_input_tokens": tokens - 1, "output_tokens": 7}
    message = {"role": "assistant", "model": model, "content": [], "usage": usage}
    with file_of(window).open("a") as file:
        file.write(json.dumps({"type": "assistant", "isSidechain": False, "message": message}))
        file.write("\n")
    window.says("PostToolUse", transcript_path=str(file_of(window)))


def told(window: Window, usage: float, source: str = "statusline") -> None:
    params = {"claudeSessionId": window.id, "usage": usage, "source": source}
    window.rpc("session.updateContextUsage", **params)


def now(window: Window) -> Any:
    return window.sessions(USAGE)[-1]


def switch(window: Window, name: str, to: str, tokens: int | None, came_from: str = OPUS) -> Any:
    return window.says(name, from_model=came_from, to_model=to, context_tokens=tokens)


def test_a_transcript_is_enough_for_a_word_in_time(window: Window) -> None:
    window.says("SessionStart", transcript_path=str(file_of(window)))
    answers(window, 100_000)
    until(lambda: now(window) == (0.5, "transcript"))
    assert window.bash() is None
    answers(window, 150_000)
    until(lambda: now(window) == (0.75, "transcript"))
    assert "[hookd:overflow] The context window is 75% full." in context(window.bash())


def test_after_a_compaction_nothing_old_is_said_of_the_new_window(window: Window) -> None:
    path = str(file_of(window))
    window.says("SessionStart", transcript_path=path)
    answers(window, 190_000)
    until(lambda: now(window) == (0.95, "transcript"))
    window.says("PreCompact.auto", transcript_path=path)
    window.says("SessionStart.compact", transcript_path=path, model=None)
    with file_of(window).open("a") as file:
        boundary = {"type": "system", "subtype": "compact_boundary"}
        file.write(json.dumps(boundary | {"compactMetadata": {"postTokens": 10_000}}) + "\n")
    window.says("UserPromptSubmit", transcript_path=path)
    until(lambda: now(window) == (0.05, "transcript"))
    assert window.sessions(USAGE) == [(0.95, "transcript"), (0.05, "transcript")]


def test_what_a_status_line_told_is_not_overruled_by_a_transcript(window: Window) -> None:
    window.bash()
    told(window, 0.3)
    answers(window, 150_000)
    other = window_in(window.home)
    other.says("SessionStart")
    answers(other, 20_000)
    until(lambda: now(other) == (0.1, "transcript"))
    assert now(window) == (0.3, "statusline")


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_window_that_goes_on_begins_with_what_its_event_counts(
    window: Window, source: str
) -> None:
    window.says("SessionStart", model=HAIKU)
    window.says("SessionStart.resume", source=source, context_tokens=150_000)
    assert window.sessions(f"model, {USAGE}")[-1] == (HAIKU, 0.75, "event")
    assert "75% full" in context(window.bash())


def test_a_model_that_is_named_goes_before_that_of_the_window_before(window: Window) -> None:
    window.says("SessionStart", model=HAIKU)
    window.says("SessionStart.resume", model=OPUS, context_tokens=150_000)
    assert window.sessions(f"model, {USAGE}")[-1] == (OPUS, 0.15, "event")


def test_a_switch_counts_for_the_window_of_the_new_model(window: Window) -> None:
    window.says("SessionStart", model=OPUS)
    assert switch(window, "PreModelSwitch", HAIKU, 150_000) is None
    assert window.sessions(f"model, {USAGE}") == [(OPUS, 0.15, "event")]
    assert switch(window, "PostModelSwitch", HAIKU, 150_000) is None
    assert window.sessions(f"model, {USAGE}") == [(HAIKU, 0.75, "event")]


def test_a_switch_is_asked_what_the_new_window_would_hold(window: Window) -> None:
    window.says("SessionStart", model=OPUS)
    event = window.event("PreModelSwitch", to_model=HAIKU, context_tokens=150_000)
    result = window.rpc("hooks.preModelSwitch", **event)
    assert (result["contextUsage"], result["hookOutput"]) == (0.75, None)
    strange = window.event("PreModelSwitch", to_model=HAIKU, context_tokens="many")
    assert window.rpc("hooks.preModelSwitch", **strange)["contextUsage"] is None


def test_what_a_status_line_told_of_the_old_model_s_window_counts_no_more(window: Window) -> None:
    window.says("SessionStart", model=OPUS)
    told(window, 0.15)
    window.says("UserPromptSubmit")
    switch(window, "PreModelSwitch", OPUS, 500_000)
    switch(window, "PostModelSwitch", OPUS, 500_000)
    assert now(window) == (0.15, "statusline")
    switch(window, "PreModelSwitch", HAIKU, 160_000)
    assert now(window) == (0.15, "statusline")
    switch(window, "PostModelSwitch", HAIKU, 160_000)
    assert window.sessions(f"window_tokens, {USAGE}") == [(None, 0.8, "event")]


def test_the_settings_say_how_large_the_window_is(home: Home) -> None:
    home.settings({"context": {"window": 50_000}})
    home.serves()
    window = window_in(home)
    window.says("SessionStart.resume", model=OPUS, context_tokens=20_000)
    assert now(window) == (0.4, "event")
    home.settings({"context": {"window": 999}})
    home.restarts()
    assert "context.window" in home.hookd("status").stdout


def test_the_lists_say_who_told_it(window: Window) -> None:
    window.says("SessionStart.resume", model=HAIKU, context_tokens=144_000)
    ((number,),) = window.sessions("id")
    listed = json.loads(window.home.hookd("session", "list", "--json").stdout)
    board = json.loads(window.home.hookd("fleet", "--json").stdout)
    for rows, key in ((listed, "id"), (board, "sessionId")):
        (row,) = [row for row in rows if row[key] == number]
        assert (row["contextUsage"], row["contextSource"]) == (0.72, "event")
    lines = window.home.hookd("session", "list").stdout.splitlines()
    (line,) = [line for line in lines if line.split()[0] == str(number)]
    assert "  72%  event" in line


def test_a_rule_can_name_a_level(window: Window) -> None:
    trigger = {"type": "contextThreshold", "condition": {"gte": "warn"}}
    rule = json.dumps({"trigger": trigger})
    deny = ("--deny", "$contextUsage is in use.", "--scope", "local", "--rule", rule)
    window.home.hookd("guard", "add", "late", "Bash", *deny, env=window.identity)
    window.bash()
    told(window, 0.79)
    assert verdict(window.bash())[0] == ""
    told(window, 0.81)
    assert verdict(window.bash())[1].startswith("guard late: 81% is in use.")
    wrong = json.dumps({"trigger": trigger | {"condition": {"gte": "full"}}})
    done = window.home.hookd(
        *("guard", "add", "late", "Bash", "--deny", "x", "--rule", wrong), check=False
    )
    assert done.returncode != 0
    assert "notice, warn, overflow, critical" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_subagent_has_a_number_of_its_own_and_the_settings_may_say_the_size(home: Home) -> None:
    home.settings({"context": {"window": 50_000}})
    home.serves()
    window = window_in(home)
    window.says("SessionStart")
    window.says("SubagentStart", agent_id="a3f8")

    def counted(name: str, tokens: int, *, sidechain: bool) -> str:
        message = {"model": "claude-opus-5", "usage": {"input_tokens": tokens}}
        line = {"type": "assistant", "isSidechain": sidechain, "message": message}
        path = Path(window.project) / name
        path.write_text(json.dumps(line) + "\n")
        return str(path)

    main = counted("main.jsonl", 10_000, sidechain=False)
    own = counted("agent-a3f8.jsonl", 25_000, sidechain=True)
    window.says("SubagentStop", agent_id="a3f8", agent_transcript_path=own, transcript_path=main)
    window.says("Stop", transcript_path=main)
    sql = "SELECT agent_id, context_usage, context_source FROM sessions ORDER BY id"
    expected = [(None, 0.2, "transcript"), ("a3f8", 0.5, "transcript")]
    until(lambda: home.rows(sql) == expected)
