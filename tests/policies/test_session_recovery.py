"""Hints after failures: by class, how often, and the report of a cut-off turn."""

from datetime import timedelta
from typing import Any

from hookd.core.model.facts import Facts, Session
from hookd.events.failures import api_kind, error_text, is_window_full, token_counts, tool_kind
from hookd.events.model import PostToolUse, PostToolUseFailure, StopFailure, UserPrompt
from hookd.policies.session_recovery import NAME, POLICY, Options
from support.parametrize import parametrize_all
from support.policy_session import Talk, says

SESSION = Session(1, "s")
PROMPT = UserPrompt(hook_event_name="UserPromptSubmit", prompt="go on")
FAILURES = "PostToolUseFailure"


def failed(error: str, tool: str = "Bash", **more: Any) -> PostToolUseFailure:
    return PostToolUseFailure(
        hook_event_name=FAILURES, tool_name=tool, tool_input={}, error=error, **more
    )


def succeeded(tool: str = "Bash") -> PostToolUse:
    return PostToolUse(hook_event_name="PostToolUse", tool_name=tool, tool_input={})


def stopped(error: str, said: str = "", **more: Any) -> StopFailure:
    return StopFailure(
        hook_event_name="StopFailure", error=error, last_assistant_message=said, **more
    )


def talk(**options: Any) -> Talk:
    return Talk(POLICY, Facts(session=SESSION, options={NAME: Options(**options)}))


@parametrize_all(
    ("error", "kind"),
    [
        ("Command timed out after 2m 0s", "timeout"),
        ("Exit code 127\nbash: rg: command not found", "missing_command"),
        ("Exit code 6\ncurl: (6) Could not resolve host: example.org", "network"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "network"),
        ("Request failed with status code 429", "rate_limit"),
        ("Exit code 1\ncp: cannot create 'x': Permission denied", "permission"),
        ("EACCES: permission denied, open '/etc/x'", "permission"),
        ("write error: No space left on device", "no_space"),
        ("Exit code 2\nls: cannot access 'x': No such file or directory", "missing_file"),
        ("Exit code 1\n3 failed, 12 passed", None),
        ("Exit code 1\nassert timeout == 3", None),
        ("", None),
    ],
)
def test_a_tools_failure_has_its_class(error: str, kind: str | None) -> None:
    assert tool_kind(error_text(error)) == kind
    assert (says(POLICY, failed(error), Facts(session=SESSION)) is not None) == (kind is not None)


@parametrize_all(
    ("error", "said", "kind"),
    [
        ("rate_limit", "", "rate_limit"),
        ("oauth_org_not_allowed", "", "oauth_org_not_allowed"),
        ("unknown", "API Error: (529) Overloaded", "overloaded"),
        ("unknown", "API Error: Request rejected (429)", "rate_limit"),
        ("unknown", "Connection error.", "connection"),
        ("", "Request timed out", "timeout"),
        ("unknown", "something else", "unknown"),
    ],
)
def test_an_error_of_the_api_has_its_kind(error: str, said: str, kind: str) -> None:
    assert api_kind(error, error_text(said)) == kind


def test_what_is_no_text_is_not_searched_and_a_long_text_only_in_its_beginning() -> None:
    assert error_text(None, {"a": 1}, "Timed Out", 3) == "timed out"
    assert not is_window_full(error_text("x" * 20_000 + "prompt is too long"))
    assert len(error_text("x" * 1_000_000)) == 20_000


@parametrize_all(
    ("said", "found"),
    [
        ("prompt is too long: 205000 tokens > 200000 maximum", (205_000, 200_000)),
        ("1,205,000 tokens > 1,000,000 maximum", (1_205_000, 1_000_000)),
        ("many tokens > few", None),
        ("9" * 100 + " tokens", None),
    ],
)
def test_how_many_tokens_there_were_is_read(said: str, found: tuple[int, int] | None) -> None:
    assert token_counts(said) == found


def test_hints_of_a_class_are_limited_and_reset_by_a_success_of_the_tool() -> None:
    one = talk(retries=2, cooldown=0)
    assert one.reads(failed("timed out")).startswith("[hookd:session-recovery] It timed out.")
    assert "2 times" in one.reads(failed("timed out"))
    assert one.hears(failed("timed out")) is None
    assert one.reads(failed("permission denied"))
    assert one.hears(succeeded("Read")) is None
    assert one.hears(failed("timed out")) is None
    one.hears(succeeded("Bash"))
    assert one.reads(failed("timed out"))


def test_a_hint_is_not_given_again_while_it_cools_down() -> None:
    one = talk(cooldown=30)
    now = one.facts.now
    assert one.reads(failed("timed out"))
    assert not one.reads(failed("timed out"), now=now + timedelta(seconds=29))
    assert one.reads(failed("timed out"), now=now + timedelta(seconds=30))
    # A clock that was set back must not silence it forever.
    assert one.reads(failed("timed out"), now=now - timedelta(hours=1))


def test_a_hint_is_not_given_again_within_five_minutes_unless_somebody_wants_that() -> None:
    one = talk()
    now = one.facts.now
    assert one.reads(failed("timed out"))
    assert not one.reads(failed("timed out"), now=now + timedelta(minutes=4))
    assert one.reads(failed("timed out"), now=now + timedelta(minutes=5))


def test_what_fails_and_succeeds_in_turns_is_not_told_each_time() -> None:
    one = talk(cooldown=30)
    now = one.facts.now
    told = []
    for second in range(0, 60, 10):
        at = now + timedelta(seconds=second)
        told.append(bool(one.reads(failed("no such file or directory"), now=at)))
        one.hears(succeeded())
    assert told == [True, False, False, True, False, False]


def test_a_kind_of_error_that_nobody_knows_is_kept_in_short_and_without_secrets() -> None:
    one = talk()
    key = "sk-ant-api03-" + "a1B2" * 12
    one.hears(stopped(f"new {key} {'x' * 900_000}"))
    assert len(str(one.facts.policy_state)) < 300
    assert key not in one.reads(PROMPT)


@parametrize_all(
    "event",
    [
        failed("timed out", is_interrupt=True),
        failed("permission denied", "Edit"),
        failed("permission denied", "NotebookEdit"),
        failed("permission denied", "Write"),
        failed("rate limit", "Agent"),
    ],
)
def test_what_the_user_stopped_and_what_others_speak_of_brings_no_hint(
    event: PostToolUseFailure,
) -> None:
    assert says(POLICY, event, Facts(session=SESSION)) is None


def test_a_turn_that_was_cut_off_is_told_once_with_the_next_prompt() -> None:
    one = talk()
    stop = one.hears(stopped("rate_limit"))
    assert stop is not None
    assert (stop.context, stop.system_message, dict(stop.event_fields)) == ("", "", {})
    assert "(rate_limit)" in one.reads(PROMPT)
    assert one.hears(PROMPT) is None
    one.hears(stopped("rate_limit"))
    assert "(rate_limit, 2 times in this session)" in one.reads(PROMPT)


@parametrize_all(
    "event",
    [
        stopped("max_output_tokens"),
        stopped("invalid_request", "Prompt is too long"),
        stopped("unknown", "API error", error_details="input is too long"),
    ],
)
def test_a_full_window_is_left_to_its_own_policy(event: StopFailure) -> None:
    assert says(POLICY, event, Facts(session=SESSION)) is None


def test_without_a_session_and_for_a_subagents_turn_nothing_is_kept() -> None:
    assert says(POLICY, stopped("rate_limit"), Facts()) is None
    below = Session(2, "s", agent_id="a1", parent_session_id=1)
    assert says(POLICY, stopped("rate_limit"), Facts(session=below)) is None


@parametrize_all("kept", [3, [], {"failures": 3, "errors": 3, "untold": 3}])
def test_what_it_cannot_have_kept_is_nothing(kept: Any) -> None:
    facts = Facts(session=SESSION, policy_state={NAME: kept})
    assert says(POLICY, failed("timed out"), facts) is not None
    assert says(POLICY, PROMPT, facts) is None
    assert says(POLICY, succeeded(), facts) is None
