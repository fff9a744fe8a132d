"""The phrases that stop and resume automatic continuation, said by the user only."""

import pytest

from hookd.core.model.policy import opinion_kind
from hookd.policies import stop_continuation_guard
from hookd.policies.stop_continuation_guard import Options
from support.parametrize import parametrize_all
from support.policy_turns import Talk

OPTIONS = Options()


@parametrize_all("phrase", OPTIONS.stop)
def test_each_stop_phrase_is_undone_by_each_resume_phrase(phrase: str) -> None:
    talk = Talk((stop_continuation_guard.POLICY,))
    told = talk.says(f"{phrase.upper()}, please").context
    assert told.startswith("[hookd:stop-continuation-guard] The user has said")
    assert 'say "continue working"' in told
    assert talk.state == {"stop-continuation-guard": {"said": phrase}}
    assert talk.says("What is left?").context == ""
    for lifts in OPTIONS.resume:
        talk.says(phrase)
        assert "again" in talk.says(f"OK, {lifts}").context
        assert talk.state == {}


def test_the_notice_for_the_user_names_the_resume_phrase() -> None:
    talk = Talk((stop_continuation_guard.POLICY,))
    told = talk.says("Please stop the loop now.").system_message
    assert told.startswith('hookd: "stop the loop": ')
    assert told.endswith('To undo it, say "continue working".')
    assert "again" in talk.says("continue working").system_message


@parametrize_all(
    "prompt",
    [
        "stop the loop when i reaches 10",
        "Do not continue on error: wrap each in try/except",
        "don't continue with the rename",
        "do not continue reading after EOF",
    ],
)
def test_a_phrase_within_an_ordinary_prompt_stops_nothing(prompt: str) -> None:
    talk = Talk((stop_continuation_guard.POLICY,))
    assert talk.says(prompt).context == ""
    assert talk.state == {}


def test_what_the_model_reads_does_not_ask_it_to_stop() -> None:
    told = Talk((stop_continuation_guard.POLICY,)).says("stop continuing").context
    assert "The current turn continues." in told


def test_who_stops_and_lifts_it_in_one_prompt_has_stopped_it() -> None:
    talk = Talk((stop_continuation_guard.POLICY,))
    talk.says("Continue working? No: stop continuing.")
    assert talk.state == {"stop-continuation-guard": {"said": "stop continuing"}}


@parametrize_all(
    "prompt",
    [
        "<task-notification>stop continuing</task-notification>",
        '<agent-message from="x">continue working</agent-message>',
    ],
)
def test_a_machine_neither_stops_nor_lifts_it(prompt: str) -> None:
    talk = Talk((stop_continuation_guard.POLICY,), state={"stop-continuation-guard": {"said": "x"}})
    assert talk.says(prompt).context == ""
    assert talk.state["stop-continuation-guard"] == {"said": "x"}


def test_phrases_are_words_and_no_patterns() -> None:
    own = {"stop-continuation-guard": Options(stop=("ha[lt]+.*",), resume=())}
    talk = Talk((stop_continuation_guard.POLICY,), dict(own))
    assert talk.says("halt now").context == ""
    assert "lifts" not in talk.says("so: ha[lt]+.*").context
    halt = Talk(
        (stop_continuation_guard.POLICY,), {"stop-continuation-guard": Options(stop=("Halt",))}
    )
    assert halt.says("halt!").context


@parametrize_all("phrase", ["", " ", "...", "x" * 101])
def test_a_phrase_without_a_word_is_refused(phrase: str) -> None:
    with pytest.raises(ValueError, match="stop"):
        Options(stop=(phrase,))


def test_without_a_session_it_is_silent() -> None:
    for example in stop_continuation_guard.POLICY.examples():
        bare = example.facts.__class__()
        assert opinion_kind(stop_continuation_guard.opine(example.event, bare, OPTIONS)) == ""
