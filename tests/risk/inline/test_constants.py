"""Texts that a program composes are read as if they were written out."""

import base64
import string

from hypothesis import given
from hypothesis import strategies as st

from hookd.risk.inline.constants import Text, folded
from hookd.risk.inline.snippets import snippet
from support.parametrize import parametrize_all
from support.risks import said

LETTERS = st.text(string.ascii_letters + string.digits + " /-~._", min_size=1, max_size=24)


def composed(source: str, language: str) -> str:
    """Return the last text of a program: what is composed is appended."""
    return snippet(source, language).texts[-1].content


@given(LETTERS, st.integers(0, 24), st.sampled_from(["python", "js", "ruby", "php", "perl", "lua"]))
def test_a_text_in_two_parts_is_the_text(text: str, at: int, language: str) -> None:
    sign = {"php": ".", "perl": ".", "lua": ".."}.get(language, "+")
    assert composed(f"x = '{text[:at]}' {sign} '{text[at:]}'", language) == text


@given(LETTERS)
def test_a_decoded_text_is_the_text(text: str) -> None:
    coded = base64.b64encode(text.encode()).decode()
    for language, source in (
        ("python", f"base64.b64decode('{coded}')"),
        ("python", f"bytes.fromhex('{text.encode().hex()}').decode()"),
        ("python", f"bytes([{','.join(str(ord(sign)) for sign in text)}])"),
        ("python", f"''.join([{','.join(f'chr({ord(sign)})' for sign in text)}])"),
        ("python", f"'{text[::-1]}'[::-1]"),
        ("js", f"Buffer.from('{coded}', 'base64').toString()"),
        ("js", f"atob('{coded}')"),
        ("js", f"String.fromCharCode({','.join(str(ord(sign)) for sign in text)})"),
        ("perl", f"pack('H*', '{text.encode().hex()}')"),
        ("perl", f"decode_base64('{coded}')"),
        ("php", f"base64_decode('{coded}')"),
        ("php", f"strrev('{text[::-1]}')"),
        ("ruby", f"['{text.encode().hex()}'].pack('H*')"),
        ("ruby", f"Base64.decode64('{coded}')"),
    ):
        assert composed(source, language) == text, source


@parametrize_all(
    ("source", "language", "text"),
    [
        ("'%s -rf %s' % ('rm', '~')", "python", "rm -rf ~"),
        ("'{} -rf ~'.format('rm')", "python", "rm -rf ~"),
        ("a='rm'; f'{a} -rf ~'", "python", "rm -rf ~"),
        ("' '.join(['rm', '-rf', '~'])", "python", "rm -rf ~"),
        ("['rm', '-rf', '~'].join(' ')", "js", "rm -rf ~"),
        ("join(' ', 'rm', '-rf')", "perl", "rm -rf"),
        ("'xm'.replace('x', 'r')", "python", "rm"),
        ("scalar reverse 'mr'", "perl", "rm"),
        ('sprintf("%c%c", 114, 109)', "awk", "rm"),
        ("codecs.decode('ez', 'rot13')", "python", "rm"),
    ],
)
def test_a_composition_is_computed(source: str, language: str, text: str) -> None:
    assert composed(source, language) == text


@parametrize_all(
    "source", ["'a' + x", "x + 'a'", "b64decode(x)", "b64decode('=')", "print('a', 'b')", "chr(x)"]
)
def test_what_is_unknown_stays_as_it_is(source: str) -> None:
    program = snippet(source, "python")
    assert program.code == program.written


def test_a_composition_that_grows_ends() -> None:
    texts = [Text("ab" * 4096)]
    code = folded("+".join(["\x010\x02"] * 64), texts, "python")
    assert all(len(text.content) <= 16_384 for text in texts)
    assert code


@parametrize_all(
    ("text", "expected"),
    [
        ("""python3 -c "import os; os.system('mr'[::-1] + ' -rf ~')" """, "deny deletes"),
        ("""php -r 'system(base64_decode("cm0gLXJmIH4="));'""", "deny deletes"),
        ("""ruby -e 'system ["726d202d7266207e"].pack("H*")'""", "deny deletes"),
        ("""python3 -c "print('a' + 'b')" """, ""),
        ("""python3 -c "import os; os.system('l' + 's')" """, ""),
    ],
)
def test_a_composed_command_is_assessed(text: str, expected: str) -> None:
    assert said(text) == expected
