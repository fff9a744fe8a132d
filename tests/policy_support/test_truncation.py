"""A long output is made shorter and keeps its shape, whatever that is."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.policy_support.truncation import MIN_OUTPUT_CHARS, cut, length, shortened
from support.parametrize import parametrize_all

LINES = "".join(f"line {number}\n" for number in range(10_000))


def block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def test_a_text_keeps_its_first_whole_lines_and_says_what_is_missing() -> None:
    short = shortened(LINES, 2_000)
    head, _, note = short.rpartition("[cut by hookd: ")
    assert LINES.startswith(head)
    assert head.endswith("\n")
    assert 1_900 < len(head) <= 2_000
    lines = LINES.count("\n") - head.count("\n")
    assert note == (
        f"{len(LINES) - len(head):,} characters in {lines:,} lines of this output are left out]"
    )


def test_the_first_three_lines_are_kept_also_where_there_is_less_room() -> None:
    header = "".join(f"{name} {'-' * 80}\n" for name in ("first", "second", "third"))
    assert cut(header + LINES, 100).startswith(header)
    assert cut(header, 100) == header


def test_a_text_without_lines_is_cut_between_characters() -> None:
    assert cut("ab" + "\ud83d\ude00" * 500, 101).startswith("ab" + "\ud83d\ude00" * 49 + "\n[cut")
    assert cut("x" * 300, 100) == (
        "x" * 100 + "\n[cut by hookd: 200 characters of this output are left out]"
    )


def test_where_there_is_no_room_only_the_note_is_left() -> None:
    assert shortened(LINES, 0) == (
        "[cut by hookd: 108,890 characters in 10,000 lines of this output are left out]"
    ).replace("108,890", f"{len(LINES):,}")


@parametrize_all("output", ["x" * MIN_OUTPUT_CHARS, {"a": ["x" * 900, 7, None]}, None, 7, [], {}])
def test_what_is_short_or_has_no_text_comes_back_as_it_was(output: Any) -> None:
    assert shortened(output, 0) is output


def test_of_a_structure_the_longest_texts_are_cut_and_the_rest_stays() -> None:
    output = {"url": "https://a.example", "code": 200, "result": LINES, "more": {"snippet": "s"}}
    short = shortened(output, 2_000)
    assert {**short, "result": ""} == {**output, "result": ""}
    assert len(short["result"]) < 2_200


def test_two_long_texts_share_the_room() -> None:
    short = shortened({"stdout": LINES, "stderr": LINES}, 4_000)
    assert short["stdout"] == short["stderr"]
    assert 1_800 < len(short["stdout"]) < 2_200


@parametrize_all(
    "picture",
    [
        {"type": "image", "data": "A" * 50_000, "mimeType": "image/png"},
        {"type": "image", "source": {"type": "base64", "data": "A" * 50_000}},
        {"type": "resource", "resource": {"uri": "x", "blob": "A" * 50_000}},
    ],
)
def test_a_picture_is_neither_counted_nor_cut(picture: dict[str, Any]) -> None:
    assert shortened([picture], 100) == [picture]
    short = shortened({"content": [picture, block(LINES)]}, 2_000)
    assert short["content"][0] == picture
    assert len(short["content"][1]["text"]) < 2_200


def test_the_output_of_a_command_that_is_a_picture_stays() -> None:
    output = {"stdout": "A" * 50_000, "isImage": True}
    assert shortened(output, 100) is output


def test_of_many_short_blocks_the_last_ones_are_left_out() -> None:
    short = shortened([block("row " + "x" * 96) for _ in range(1_000)], 2_000)
    assert len(short) == 21
    assert short[-1] == block("[cut by hookd: 980 blocks of this output are left out]")


def test_what_lies_too_deep_is_left_as_it_is() -> None:
    deep: Any = LINES
    for _ in range(5_000):
        deep = [deep]
    assert shortened(deep, 100) is deep


def holding(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)


OUTPUTS = st.recursive(st.none() | st.integers() | st.text(max_size=2_500), holding, max_leaves=8)


def shape(output: Any) -> Any:
    if isinstance(output, dict):
        return {key: shape(value) for key, value in output.items()}
    return [shape(one) for one in output] if isinstance(output, list) else type(output)


@given(output=OUTPUTS, room=st.integers(-5, 6_000))
def test_every_output_keeps_its_shape_and_has_no_more_text_than_it_had_room_for(
    output: Any, room: int
) -> None:
    short = shortened(output, room)
    assert shape(short) == shape(output)
    texts = length(output)
    most = max(room, MIN_OUTPUT_CHARS)
    assert length(short) <= (texts if texts <= most else most + 8 * 1_100)
