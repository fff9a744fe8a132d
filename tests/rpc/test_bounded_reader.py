"""Bounded reading: messages are whole however their bytes arrive, and what they hold is counted."""

import asyncio
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.events.protocol import MAX_MESSAGE_BYTES
from hookd.rpc.bounded_reader import Inbox, Intake, TooLongError

ENDS = (b"\n", b"\x1e")
MESSAGES = st.lists(
    st.tuples(
        st.binary(max_size=40).map(lambda body: body.replace(b"\n", b"").replace(b"\x1e", b"")),
        st.sampled_from(ENDS),
        st.sampled_from([0, 3, 300_000]),
    ),
    max_size=6,
)


async def received(stream: bytes, cuts: list[int], ends: list[bytes]) -> tuple[list[bytes], Inbox]:
    """Return the messages with these ends, of a stream that arrives in pieces."""
    reader = asyncio.StreamReader()
    inbox = Inbox(reader, Intake(lambda _name, _why: None))

    async def send() -> None:
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
            if stream[start:end]:
                reader.feed_data(stream[start:end])
            await asyncio.sleep(0)
        reader.feed_eof()

    sending = asyncio.gather(send())
    messages = [await inbox.until(end) for end in ends]
    with pytest.raises(asyncio.IncompleteReadError) as ended:
        await inbox.until(b"\n")
    await sending
    return [*messages, ended.value.partial], inbox


@given(MESSAGES, st.binary(max_size=9), st.lists(st.integers(0, 400), max_size=8).map(sorted))
def test_messages_are_whole_however_their_bytes_arrive(
    sent: list[tuple[bytes, bytes, int]], last: bytes, cuts: list[int]
) -> None:
    last = last.replace(b"\n", b"")
    bodies = [body + b" " * spaces for body, _, spaces in sent]
    ends = [end for _, end, _ in sent]
    stream = b"".join(body + end for body, end in zip(bodies, ends, strict=True)) + last
    messages, inbox = asyncio.run(received(stream, [min(cut, len(stream)) for cut in cuts], ends))
    assert messages == [*bodies, last]
    inbox.close()
    assert inbox.held == 0


async def test_what_is_held_is_the_message_and_what_follows_it() -> None:
    reader = asyncio.StreamReader()
    inbox = Inbox(reader, Intake(lambda _name, _why: None))
    reader.feed_data(b"a" * 300_000)
    reader.feed_data(b"\nbcd")
    assert await inbox.until(b"\n") == b"a" * 300_000
    assert inbox.held == 300_003
    reader.feed_data(b"\x1e")
    assert await inbox.until(b"\x1e") == b"bcd"
    assert inbox.held == 3
    inbox.close()
    assert inbox.held == 0


async def test_what_is_too_long_is_read_to_its_end_and_thrown_away() -> None:
    reader = asyncio.StreamReader()
    inbox = Inbox(reader, Intake(lambda _name, _why: None))
    reader.feed_data(b"x" * (MAX_MESSAGE_BYTES + 1) + b"\nnext\n")
    with pytest.raises(TooLongError):
        await inbox.until(b"\n")
    assert await inbox.until(b"\n") == b"next"
    reader.feed_data(b"x" * MAX_MESSAGE_BYTES + b"\n")
    assert len(await inbox.until(b"\n")) == MAX_MESSAGE_BYTES


async def test_a_message_in_tiny_parts_takes_about_what_is_counted() -> None:
    reader = asyncio.StreamReader()
    inbox = Inbox(reader, Intake(lambda _name, _why: None))
    waiting = asyncio.ensure_future(inbox.until(b"\n"))
    await asyncio.sleep(0)
    tracemalloc.start()
    for _ in range(5_000):
        reader.feed_data(b"ab")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert inbox.held >= 9_000
    assert taken < 2 * inbox.held
    reader.feed_data(b"\n")
    assert await waiting == b"ab" * 5_000
