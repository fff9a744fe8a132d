"""Shim configuration: what is written is read back, and nothing odd in it breaks the reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.shim_config import EventRule, ShimConfig, event_rules, parse, render
from hookd.events.protocol import EVENTS

CONFIG = ShimConfig(
    socket="/run/hookd.sock",
    hookd="/usr/bin/hookd",
    python="/usr/bin/python3.11",
    settings="/home/ana/.claude/settings.json",
    no_verdict="judge",
    shim="bash",
    environment=("HOME=/home/ana", "XDG_DATA_HOME=/home/ana/my data"),
    transports=("nc:/usr/bin/nc", "python3:/opt/py 3"),
    variables=("CI",),
    client="gemini",
    events=event_rules(("PreToolUse", "Stop", "SessionEnd"), ("PreToolUse",)),
    denials={"PreToolUse": '{"decision":"deny","reason":@}'},
)


def test_the_file_has_a_line_for_each_value() -> None:
    assert render(CONFIG).splitlines()[1:] == [
        "socket /run/hookd.sock",
        "hookd /usr/bin/hookd",
        "python /usr/bin/python3.11",
        "settings /home/ana/.claude/settings.json",
        "no-verdict judge",
        "shim bash",
        "client gemini",
        "env HOME=/home/ana",
        "env XDG_DATA_HOME=/home/ana/my data",
        "transport nc:/usr/bin/nc",
        "transport python3:/opt/py 3",
        "send CI",
        "events 13 closed PreToolUse",
        "events 28 open Stop",
        "events 1 open SessionEnd",
        'denial PreToolUse {"decision":"deny","reason":@}',
    ]


def test_the_rule_of_an_event_is_its_deadline_and_its_fail_policy() -> None:
    assert CONFIG.events["PreToolUse"] == EventRule(13, True)
    assert CONFIG.closed == ("PreToolUse",)


def test_unknown_keys_and_malformed_lines_are_left_out() -> None:
    text = "later x\n\nevents x open Stop\nevents\nevents 9\nevents 9 open Later Stop\nsocket"
    text += "\ndenial\ndenial Stop\ndenial Stop \ndenial Later {}\nclient"
    assert parse(text) == ShimConfig(events={"Stop": EventRule(9, False)})


@pytest.mark.parametrize("value", ["a\nb", "a\0b"])
def test_a_value_that_no_line_can_hold_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="socket"):
        render(ShimConfig(socket=value))
    with pytest.raises(ValueError, match="denial PreToolUse"):
        render(ShimConfig(denials={"PreToolUse": value}))


@pytest.mark.parametrize("name", ["Gemini", "a b", "codex2", "a/b", 'a"', "ä", "a\n"])
def test_a_client_that_is_no_plain_word_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="client"):
        render(ShimConfig(client=name))


texts = st.text(st.characters(exclude_characters="\n\0"), min_size=1, max_size=20)
configs = st.builds(
    ShimConfig,
    *[texts | st.just("")] * 6,
    st.text("abcz-", max_size=9),
    st.lists(texts, max_size=3).map(tuple),
    st.lists(texts, max_size=3).map(tuple),
    st.lists(texts, max_size=3).map(tuple),
    st.sets(st.sampled_from(list(EVENTS))).map(lambda some: event_rules(sorted(some), ["Stop"])),
    st.dictionaries(st.sampled_from(list(EVENTS)), texts, max_size=3),
)


@given(configs)
def test_whatever_is_written_is_read_back(config: ShimConfig) -> None:
    assert parse(render(config)) == config


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    parse(text)
