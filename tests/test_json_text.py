"""Any JSON text that the client can write is read, however deep or odd; nothing else is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.json_text import CUT, DEPTH, Raw, dump, parse, shallow
from support.parametrize import parametrize_all

MARK = json.loads(CUT)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ASCII = st.booleans()
INDENTS = st.sampled_from([None, 0, 2, "\t"])
PADDING = st.text(" \t\r\n", max_size=3)


@given(VALUES)
def test_what_is_dumped_is_read_as_it_was(value: Any) -> None:
    assert parse(dump(value)) == value


@given(VALUES, ASCII, INDENTS, PADDING, PADDING)
def test_it_reads_what_the_standard_parser_reads(
    value: Any, ascii_only: bool, indent: Any, before: str, after: str
) -> None:
    text = before + json.dumps(value, ensure_ascii=ascii_only, indent=indent) + after
    assert parse(text.encode()) == json.loads(text)


@given(st.text('[]{}",:\\ abu0123456789-.eE+tfn\n', max_size=30))
def test_it_takes_no_text_that_the_standard_parser_refuses(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=_refuse)
    except ValueError:
        with pytest.raises(ValueError):
            parse(text.encode())
    else:
        assert parse(text.encode()) == expected


def _refuse(name: str) -> None:
    raise ValueError(name)


@given(VALUES)
def test_what_is_shallow_enough_is_not_touched(value: Any) -> None:
    text = json.dumps(value, indent=1)
    assert shallow(text) == text


ODD = {
    "an empty object": (b"{}", {}),
    "a bare number": (b"0", 0),
    "a negative zero": (b"-0.0", -0.0),
    "an exponent": (b"1E+2", 100.0),
    "a number too small to hold": (b"1e-999", 0.0),
    "a number of 20 digits": (b"12345678901234567890", 12345678901234567890),
    "a key twice: the last one holds": (b'{"a":1,"a":2}', {"a": 2}),
    "a byte order mark": (b'\xef\xbb\xbf{"a":1}', {"a": 1}),
    "bytes that are not UTF-8": (b'{"a":"x\xff\xfey"}', {"a": "x\ufffd\ufffdy"}),
    "a character of two units": (b'"\\ud83d\\ude00"', "\U0001f600"),
    "a lone high surrogate": (b'"a\\ud83db"', "a?b"),
    "a lone low surrogate": (b'{"\\udc00":1}', {"?": 1}),
    "surrogates the wrong way round": (b'"\\ude00\\ud83d"', "??"),
    "a zero character": (b'"\\u0000"', "\0"),
    "brackets in a text": (b'"]}[{"', "]}[{"),
    "an escaped quote before a bracket": (b'["\\"]["]', ['"][']),
    "an escaped backslash before a quote": (b'["\\\\","]"]', ["\\", "]"]),
    "every escape": (b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'),
    "the separators of lines": ('"\u2028\u2029"'.encode(), "\u2028\u2029"),
}


@parametrize_all("name", ODD)
def test_odd_json_is_read_as_the_client_means_it(name: str) -> None:
    text, value = ODD[name]
    assert parse(text) == value
    assert repr(parse(text)) == repr(value)


@parametrize_all("digits", [299, 300, 4_300, 4_301, 10_000])
@parametrize_all("sign", ["", "-"])
def test_a_number_of_thousands_of_digits_is_no_reason_to_give_up(digits: int, sign: str) -> None:
    value = parse(f'{{"n":{sign}{"9" * digits},"a":1}}'.encode())
    assert value["a"] == 1
    assert isinstance(value["n"], int | float)
    assert (value["n"] < 0) == bool(sign)


GARBAGE = [
    b"",
    b" ",
    b"nul",
    b"NaN",
    b"[NaN]",
    b"Infinity",
    b"-Infinity",
    b"01",
    b"1.",
    b".5",
    b"+1",
    b"0x10",
    b"[1,]",
    b'{"a":1,}',
    b"{a:1}",
    b"{'a':1}",
    b"[1 2]",
    b"1 2",
    b"{} {}",
    b'{"a":1}x',
    b"{}\x00",
    b'"\n"',
    b'"\\x41"',
    b'"\\u12"',
    b'"open',
    b'{"a":"]}',
    b"[",
    b"]",
    b"[}",
    b"{]",
    b"][",
    b"[[]",
    b"[]]",
    b"// a comment\n1",
    b"\x0c1",
]


@parametrize_all("text", GARBAGE, ids=repr)
def test_what_is_no_json_raises_value_error(text: bytes) -> None:
    with pytest.raises(ValueError):
        parse(text)


def depth(value: Any) -> int:
    levels = 0
    while isinstance(value, list | dict):
        value = value[0] if isinstance(value, list) else value["a"]
        levels += 1
    return levels


@parametrize_all("levels", [99, 100, 101, 150, 199, 200, 201, 1_000, 10_000])
@parametrize_all(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[ {"a":\n', "} ]"), ("[\n", "\n]")]
)
def test_deep_nesting_is_read_whatever_it_is_made_of(
    levels: int, opening: str, closing: str
) -> None:
    text = '{"tool":"Bash","deep":%s,"command":"rm -rf x"}'
    value = parse((text % (opening * levels + "1" + closing * levels)).encode())
    assert (value["tool"], value["command"]) == ("Bash", "rm -rf x")
    assert depth(value["deep"]) <= 400


def test_what_lies_deeper_than_a_hundred_levels_is_cut_and_its_siblings_stay() -> None:
    inner = '["deep",' + "[" * 10_000 + "]" * 10_000 + ',"deeper"]'
    text = '["before",' * DEPTH + inner + ',"after"]' * DEPTH
    value = parse(text.encode())
    for _ in range(DEPTH):
        before, value, after = value
        assert (before, after) == ("before", "after")
    assert value == MARK


def test_the_hundredth_level_is_kept_and_the_next_is_cut() -> None:
    hundred = "[" * DEPTH + "]" * DEPTH
    assert shallow(hundred) == hundred
    deeper = "[" * (DEPTH + 1) + "]" * (DEPTH + 1)
    assert shallow(deeper) == "[" * DEPTH + CUT + "]" * DEPTH


def test_each_of_several_deep_values_is_cut() -> None:
    deep = "[" * 300 + '"]","["' + "]" * 300
    value = parse(f'{{"a":{deep},"b":"kept","c":{deep},"d":[1]}}'.encode())
    assert list(value) == ["a", "b", "c", "d"]
    assert (value["b"], value["d"]) == ("kept", [1])
    assert depth(value["a"]) == depth(value["c"]) == DEPTH - 1


@parametrize_all("text", ["[" * 10_000, "]" * 10_000, "[" * 300 + "]" * 299])
def test_brackets_that_do_not_match_up_are_no_json_at_any_depth(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text.encode())


def test_what_was_read_can_be_stored_as_utf_8() -> None:
    value = parse(b'{"\\ud800":["\\udfff",{"a":"\\ud800"}]}')
    assert json.dumps(value, ensure_ascii=False).encode() == b'{"?": ["?", {"a": "?"}]}'


@parametrize_all(
    ("value", "text"),
    [
        (None, b"null"),
        ({"b": 1, "a": [True, "\u00e9"]}, '{"b":1,"a":[true,"\u00e9"]}'.encode()),
        (float("inf"), b"null"),
        (float("nan"), b"null"),
        ("a\nb\x1e", b'"a\\nb\\u001e"'),
        (Raw(b"[ 1 ]"), b"[ 1 ]"),
    ],
)
def test_a_value_becomes_one_line_of_compact_json(value: Any, text: bytes) -> None:
    assert dump(value) == text


def test_a_path_whose_bytes_are_not_utf_8_is_written_with_an_escape() -> None:
    value = {"home": "/home/caf\udce9", "n": [1, None, True]}
    text = dump(value)
    assert text.isascii()
    assert json.loads(text) == value
