"""`hookd doctor transcript`: what is wrong with a conversation's file, and what is not."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code.transcript_check import check_transcript
from support.home import Home
from support.transcripts import transcript_file


def said(key: str, *kinds: str, **more: Any) -> bytes:
    """Return the line of a message of the model."""
    blocks = [{"type": kind, "id": f"call-{key}", "name": "Bash"} for kind in kinds]
    return json.dumps(
        {"type": "assistant", "message": {"id": key, "content": blocks} | more}
    ).encode()


def result(key: str) -> bytes:
    content = [{"type": "tool_result", "tool_use_id": f"call-{key}", "content": "ok"}]
    return json.dumps({"type": "user", "message": {"role": "user", "content": content}}).encode()


PROMPT = b'{"type": "user", "message": {"role": "user", "content": "go on"}}'
NOTE = b'{"type": "summary", "summary": "It was about orders."}'


@pytest.mark.parametrize(
    ("lines", "flaws"),
    [
        ([], []),
        ([NOTE, PROMPT, said("m1", "thinking", "text")], []),
        ([said("m1", "redacted_thinking"), said("m1", "text")], []),
        ([said("m1", "text")], []),
        # Thinking may come again behind a call, once it came first.
        ([said("m1", "thinking", "tool_use"), said("m1", "thinking"), result("m1")], []),
        ([said("m1", "text", "thinking")], [(1, "fail", "thinking is not first")]),
        (
            [said("m1", "text"), said("m1", "thinking", "thinking"), said("m1", "thinking")],
            [(2, "fail", "thinking is not first")],
        ),
        ([said("m1", "tool_use"), result("m1"), said("m2", "text")], []),
        (
            [said("m1", "tool_use"), PROMPT, said("m2", "text")],
            [(1, "fail", "call without result")],
        ),
        ([said("m1", "text"), said("m2", "tool_use")], [(2, "warn", "call without result")]),
        ([b"{", PROMPT], [(1, "fail", "broken line")]),
        ([b"[1]", None], [(1, "fail", "broken line"), (2, "fail", "broken line")]),
        ([b"[" * 100_000], [(1, "fail", "broken line")]),
        ([b'{"type": "assistant", "message": 3}', b'{"type": "user", "message": {}}'], []),
    ],
)
def test_what_is_wrong_is_told_by_its_line(
    lines: list[bytes | None], flaws: list[tuple[int, str, str]]
) -> None:
    checked = check_transcript(lines)
    assert [(one.line, one.state, one.problem) for one in checked.flaws] == flaws
    assert checked.lines == len(lines)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "message", "content", "id", "tool_use_id"]), inner, max_size=4
        )
    ),
    max_leaves=15,
)


@given(st.lists(st.binary(max_size=30) | JSON.map(lambda value: json.dumps(value).encode())))
def test_no_line_is_too_odd_to_be_checked(lines: list[bytes]) -> None:
    assert check_transcript(lines).lines == len(lines)


@pytest.fixture
def file(home: Home) -> Path:
    """A transcript of the client's, whose last line is still being written."""
    folder = home.path / ".claude" / "projects" / "-work-orders"
    folder.mkdir(parents=True)
    path = folder / "5bf4ada3-c8bc-419b-b25c-01463c2f2673.jsonl"
    path.write_bytes(said("m1", "thinking") + b"\n\n" + PROMPT + b'\n{"type": "assi')
    return path


def test_a_sound_transcript_is_found_by_the_beginning_of_its_session(
    home: Home, file: Path
) -> None:
    done = home.hookd("doctor", "transcript", "--session", "5bf4ada3")
    assert "nothing is wrong" in done.stdout
    assert "3 lines with 1 message of the model were read" in done.stdout


def test_what_is_wrong_is_an_exit_code_and_a_list(home: Home, file: Path) -> None:
    file.write_bytes(said("m1", "text") + b"\n" + said("m1", "thinking") + b"\nnothing\n")
    done = home.hookd("doctor", "transcript", str(file), "--json", check=False)
    assert done.returncode == 1
    assert [one["problem"] for one in json.loads(done.stdout)] == [
        *("thinking is not first", "broken line")
    ]
    shown = home.hookd("doctor", "transcript", str(file), check=False).stdout
    assert "2 findings" in shown


def test_what_may_still_run_is_no_failure(home: Home, file: Path) -> None:
    file.write_bytes(said("m1", "tool_use") + b"\n")
    assert "warn" in home.hookd("doctor", "transcript", str(file)).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--session", "../../x"), "is not the id of a session"),
        (("--session", "77"), "no transcript of a session 77"),
        (("/nowhere/at/all.jsonl",), "cannot be read"),
        (("/dev/null",), "is not a regular file"),
        ((), "Give a FILE"),
    ],
)
def test_a_transcript_that_is_not_there_is_one_sentence(
    home: Home, words: tuple[str, ...], said: str
) -> None:
    done = home.hookd("doctor", "transcript", *words, check=False)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


SESSIONS = {
    "codex": ("01a209a7", ".codex/sessions/2026/11/23"),
    "gemini": ("52d5487f-adee-4abe-84bc-f2088e23acdc", ".gemini/tmp/shop/chats"),
    "qwen": ("a42cead5", ".qwen/projects/-home-user-shop/chats"),
    "copilot": ("9bdf587b", ".copilot/session-state/9bdf587b-505b-4775-87c3-4420ae9439b9"),
}


def test_a_session_of_another_client_is_found_and_checked(home: Home) -> None:
    for client, (session, folder) in SESSIONS.items():
        source = transcript_file(client)
        path = home.path / folder / source.name
        path.parent.mkdir(parents=True)
        path.write_bytes(source.read_bytes())
        done = home.hookd("doctor", "transcript", "--session", session)
        assert "of the model were read: nothing is wrong." in done.stdout, client
        assert source.name in done.stdout
