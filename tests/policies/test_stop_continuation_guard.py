"""The user's word that nothing goes on by itself: heard, kept, lifted, and nobody else's."""

import pytest
from turns import Talk

from hookd.core.options import Policies
from hookd.core.policy import said
from hookd.policies import stop_continuation_guard as guard
from hookd.policies.stop_continuation_guard import Options

OPTIONS = Options()


@pytest.mark.parametrize("phrase", OPTIONS.stop)
def test_each_phrase_stops_and_each_of_the_others_lifts_it(phrase: str) -> None:
    talk = Talk((guard.POLICY,))
    told = talk.says(f"{phrase.upper()}, please").context
    assert told.startswith("[hookd:stop-continuation-guard] The user has said")
    assert '"continue working" lifts that' in told
    assert talk.state == {"stop-continuation-guard": {"said": phrase}}
    assert talk.says("What is left?").context == ""
    for lifts in OPTIONS.resume:
        talk.says(phrase)
        assert "again" in talk.says(f"OK, {lifts}").context
        assert talk.state == {}


def test_who_stops_and_lifts_it_in_one_prompt_has_stopped_it() -> None:
    talk = Talk((guard.POLICY,))
    talk.says("Continue working? No: stop continuing.")
    assert talk.state == {"stop-continuation-guard": {"said": "stop continuing"}}


@pytest.mark.parametrize(
    "prompt",
    [
        "<task-notification>stop continuing</task-notification>",
        '<agent-message from="x">continue working</agent-message>',
    ],
)
def test_a_machine_neither_stops_nor_lifts_it(prompt: str) -> None:
    talk = Talk((guard.POLICY,), state={"stop-continuation-guard": {"said": "x"}})
    assert talk.says(prompt).context == ""
    assert talk.state["stop-continuation-guard"] == {"said": "x"}


def test_phrases_are_words_and_no_patterns() -> None:
    own = {"stop-continuation-guard": Options(stop=("ha[lt]+.*",), resume=())}
    talk = Talk((guard.POLICY,), dict(own))
    assert talk.says("halt now").context == ""
    assert "lifts" not in talk.says("so: ha[lt]+.*").context
    halt = Talk((guard.POLICY,), {"stop-continuation-guard": Options(stop=("Halt",))})
    assert halt.says("halt!").context


@pytest.mark.parametrize("phrase", ["", " ", "...", "x" * 101])
def test_a_phrase_without_a_word_is_refused(phrase: str) -> None:
    with pytest.raises(ValueError, match="stop"):
        Options(stop=(phrase,))


def test_without_a_session_it_is_silent() -> None:
    for example in guard.POLICY.examples:
        bare = example.facts.__class__()
        assert said(guard.opine(example.event, bare, OPTIONS)) == ""


def test_it_is_on_by_default() -> None:
    assert OPTIONS.mode == "enforce"
    assert Policies().disabled == ()
