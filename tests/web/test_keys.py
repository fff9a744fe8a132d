"""Links for one use, sessions, and the tokens of their forms."""

from hookd.web.keys import LINK_SECONDS, Keys


def test_a_link_is_for_one_use() -> None:
    keys = Keys()
    token = keys.link_token(0)
    session = keys.redeem(token, 1)
    assert session in keys.sessions
    assert keys.redeem(token, 2) is None


def test_a_link_is_valid_for_a_minute() -> None:
    keys = Keys()
    first, second = keys.link_token(0), keys.link_token(0)
    assert keys.redeem(first, LINK_SECONDS + 0.1) is None
    assert keys.redeem(second, LINK_SECONDS) is not None


def test_an_unknown_token_opens_nothing() -> None:
    keys = Keys()
    keys.link_token(0)
    assert [keys.redeem(token, 1) for token in ("", "x", "é")] == [None, None, None]


def test_only_the_newest_links_and_sessions_are_valid() -> None:
    keys = Keys()
    tokens = [keys.link_token(0) for _ in range(9)]
    assert keys.redeem(tokens[0], 1) is None
    first = keys.redeem(tokens[-1], 1)
    for _ in range(64):
        keys.redeem(keys.link_token(1), 1)
    assert first not in keys.sessions
    assert len(keys.sessions) == 64


def test_secrets_are_long_and_differ() -> None:
    one, other = Keys(), Keys()
    assert len(one.prefix) == len(one.link_token(0)) == 32  # 192 bits
    assert one.prefix != other.prefix
    assert one.csrf("a") != one.csrf("b") != other.csrf("b")
    assert one.csrf("a") == one.csrf("a")
