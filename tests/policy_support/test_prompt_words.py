"""What a user has said in own words: phrases are found whole, and not in what is quoted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.policy_support.prompt_words import opened, own_words, said, spelled

SAID = [
    ("stop continuing", True),
    ("Please STOP   continuing.", True),
    ("Fine, stop continuing, thanks", True),
    ("Well, don’t continue", True),
    ("please stop continuing now", True),
    ("I said stop continuing!", True),
    ("Can you stop continuing for now, thank you?", True),
    ("That is enough. stop continuing", True),
    ("first this\nstop continuing\nthen that", True),
    ("the users' wish: stop continuing", True),
    ("5 'x; stop continuing", True),
    ("Do not continue on error: wrap each in try/except", False),
    ("don't continue with the rename", False),
    ("If a check fails, don't continue.", False),
    ("it should log why we don't continue", False),
    ("the script must stop continuing after 3 errors", False),
    ("stop continuing " + "now " * 30, False),
    ("[hookd:x] Something\n\nstop continuing", True),
    ("```\ncode\n```\nstop continuing", True),
    ("`code` stop continuing `more`", True),
    ('"quote": stop continuing "here"', True),
    ("/stop-continuation", True),
    ("never stop continuing", False),
    ("please do not stop continuing", False),
    ("stop. continuing", False),
    ("nonstop continuing", False),
    ("stop continuingly", False),
    ("stop the continuing", False),
    ("/a/stop-continuation", False),
    ('what does "stop continuing" do?', False),
    ("what does “stop continuing” do?", False),
    ("what does «stop continuing» do?", False),
    ("what does 'stop continuing' do?", False),
    ("what does `stop continuing` do?", False),
    ("what does ``stop continuing`` do?", False),
    ("> stop continuing\nwhat is this?", False),
    ("```text\nstop continuing\n```", False),
    ("~~~\nstop continuing\n~~~\n", False),
    ("[hookd:x] It is said:\nstop continuing", False),
    ("", False),
]
PHRASES = ("stop continuing", "don't continue", "/stop-continuation")


@pytest.mark.parametrize(("prompt", "there"), SAID)
def test_a_phrase_is_found_where_the_user_says_it(prompt: str, there: bool) -> None:
    assert bool(said(PHRASES, own_words(prompt))) is there


OPENED = [
    ("continue working", True),
    ("OK, please continue working on it", True),
    ("Thanks. Now continue working!", True),
    ("It is done\ncontinue working", True),
    ("don't continue working", False),
    ("I may continue working", False),
    ("will you continue working?", False),
    ("pleased continue working", False),
    ("continue workings", False),
]


@pytest.mark.parametrize(("prompt", "there"), OPENED)
def test_a_phrase_that_opens_a_sentence_is_told_from_one_that_does_not(
    prompt: str, there: bool
) -> None:
    assert bool(opened(("continue working",), own_words(prompt))) is there


def test_a_phrase_of_no_words_is_said_by_nobody() -> None:
    assert said(("", "  "), own_words("a  b")) == ""
    assert opened(("",), own_words("")) == ""


HOSTILE = [
    "`",
    "``` ",
    "\n```\nx\n```\n",
    "“",
    "«",
    "'",
    ' "',
    "\n>",
    "\n~~~\nx\n~~~\n",
    " ",
    "don't continue ",
    "(",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_prompt_of_a_megabyte_is_read_whatever_it_holds(piece: str) -> None:
    """A search that takes the square of the length would take hours for each of these."""
    words = own_words("x" + piece * (1_000_000 // len(piece)) + "\nstop continuing")
    assert said(("stop continuing",), words)


@pytest.mark.slow
def test_a_megabyte_of_the_words_that_are_looked_for_is_read() -> None:
    assert not said(("now", "x"), spelled("now " * 250_000))
    please = spelled("please " * 100_000 + "continue working " * 10_000)
    assert opened(("continue working",), please)


@given(st.text(alphabet="ab \n'\"`>.~“”", max_size=60))
def test_what_is_left_of_a_prompt_are_words_of_it(prompt: str) -> None:
    left = own_words(prompt)
    assert left[0] == left[-1] == " "
    assert set(left) <= {*prompt, " ", ","}
