"""Keywords: which words count, which only look like them, and what a large prompt costs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.context_window.injections import has_tag, truncate_quote
from hookd.core.context_window.prompt_text import prose, sentences, unquoted_prose
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import UserPrompt
from hookd.policies.keyword_detector import POLICY, Options
from support.parametrize import parametrize_all


def heard(prompt: str, options: Options | None = None, **more: Any) -> Opinion | None:
    event = UserPrompt(hook_event_name="UserPromptSubmit", prompt=prompt, **more)
    opinion: Opinion | None = POLICY.opine(event, Facts(), options or Options())
    return opinion


def found(prompt: str, options: Options | None = None, **more: Any) -> list[str]:
    opinion = heard(prompt, options, **more)
    names: list[str] = opinion.shared_facts["keywords_detected"] if opinion else []
    return names


MEANT = [
    "ultrawork",
    "ULTRAWORK: cut the pages.",
    "Cut the pages. Ultrawork!",
    "Cut the pages (ulw).",
    "- ultrawork",
    "Is it done? Then ultrawork on the tests.",
    "can you ultrawork this, please?",
    "Could we do that with ultrawork?",
    "请ultrawork一下",
    "ultraworkで全部直して",
    "ultrawork 모드로",
    "**ultrawork** now",
    "See `main.py` and ultrawork",
    "```\ncode\n```\nultrawork",
    "> quoted\nultrawork",
    "Look:\n[hookd:heartbeat] three calls\n\nultrawork",
    "What does ulw do? Whatever: ultrawork",
]
ONLY_NAMED = [
    "",
    "work",
    "ultraworking",
    "myultrawork",
    "ultra work",
    "ultrawork_mode = 1",
    "What does ultrawork do?",
    "what is ultrawork",
    "What's ulw",
    "ultrawork是什么？",
    "ultrawork って何？",
    "ما هو ultrawork؟",
    "Should I use ultrawork?",
    'Rename the word "ultrawork"',
    "Rename “ultrawork” to «ulw»",
    "Rename 「ultrawork」",
    "Rename `ultrawork`",
    "the keyword ultrawork is odd",
    "no ultrawork today",
    "Don't use ultrawork",
    "don’t ultrawork",
    "without ultrawork",
    "Explain ultrawork",
    "```\nultrawork\n```",
    "~~~sh\nultrawork\n~~~",
    "```\nultrawork",
    "````\n```\nultrawork\n````",
    "> ultrawork",
    "see src/ultrawork/main.py",
    "see ultrawork.py",
    "run x --ultrawork",
    "mail@ultrawork",
    "/ultrawork fix it",
    "[hookd:keyword-detector] ultrawork: full effort",
    "  [hookd:x] ultrawork",
    "[hookd:x] three calls\n\nultrawork",
    "Look:\n[hookd:x] it says ultrawork\nand ulw",
    "<task-notification>ultrawork</task-notification>",
]


@parametrize_all("prompt", MEANT)
def test_a_word_that_is_meant_counts(prompt: str) -> None:
    assert found(prompt) == ["ultrawork"]


@parametrize_all("prompt", ONLY_NAMED)
def test_a_word_that_is_only_named_does_not_count(prompt: str) -> None:
    assert heard(prompt) is None


def test_the_model_is_told_by_whom_and_what_is_meant() -> None:
    opinion = heard("ultrawork on it")
    assert opinion is not None
    assert opinion.context.startswith("[hookd:keyword-detector] ultrawork: The user asks for")
    assert has_tag(opinion.context)
    assert heard(opinion.context) is None


def test_a_prompt_that_no_person_wrote_and_one_in_a_subagent_do_not_count() -> None:
    assert found("ultrawork", source="user") == ["ultrawork"]
    for more in ({"source": "loop_wakeup"}, {"source": "system"}, {"agent_id": "a1"}):
        assert heard("ultrawork", **more) is None


@parametrize_all(
    ("prompt", "names"),
    [
        ("autopilot: build the importer", ["autopilot"]),
        ("Go full auto on this", ["autopilot"]),
        ("Make a plan for the importer", ["plan"]),
        ("Plan first, then build it on autopilot", ["autopilot", "plan"]),
        ("Stop autopilot", ["cancel"]),
        ("The plan is in docs/plan.md", []),
        ("What does autopilot do?", []),
    ],
)
def test_autopilot_and_plan_are_known(prompt: str, names: list[str]) -> None:
    assert found(prompt) == names


def test_cancel_comes_first_and_then_nothing_else_counts() -> None:
    assert found("ultrawork, no: stop ultrawork") == ["cancel"]
    assert found("Cancel   ULTRAWORK and search", Options(broad=True)) == ["cancel"]
    assert found("never stop ultrawork") == []


OWN = Options.model_validate(
    {
        "keywords": {
            "ship": {"words": ["  ship  it ", "ausliefern"], "text": "It is to be pushed."},
            "quiet": {"words": ["c++", "静かに", "(a|b)*"]},
            "ultrawork": {"words": []},
            "asked": {"words": ["which way"], "questions": True},
        }
    }
)


@parametrize_all(
    ("prompt", "names"),
    [
        ("Ship  it and ausliefern", ["ship"]),
        ("Ship\nit", []),
        ("Bitte AUSLIEFERN", ["ship"]),
        ("write it in C++", ["quiet"]),
        ("とても静かにして", ["quiet"]),
        ("(a|b)*", ["quiet"]),
        ("aaa bbb", []),
        ("静かに, then ship it", ["ship", "quiet"]),
        ("Which way is it?", ["asked"]),
        ("ultrawork", []),
        ("stop ultrawork", ["cancel"]),
    ],
)
def test_own_words_are_literal_and_stand_in_the_order_of_the_table(
    prompt: str, names: list[str]
) -> None:
    assert found(prompt, OWN) == names


def test_a_keyword_without_a_text_is_told_to_the_policies_alone() -> None:
    opinion = heard("静かに", OWN)
    assert opinion is not None
    assert (opinion.context, opinion.shared_facts) == ("", {"keywords_detected": ["quiet"]})


@parametrize_all(
    ("prompt", "names"),
    [
        ("Find the config", ["search"]),
        ("Where is the config?", ["search"]),
        ("設定を探して", ["search"]),
        ("查找配置", ["search"]),
        ("코드를 찾아줘", ["search"]),
        ("hãy tìm kiếm lỗi", ["search"]),
        ("Why is it slow?", ["analyze"]),
        ("分析一下这个错误", ["analyze"]),
        ("findings", []),
    ],
)
def test_everyday_words_count_where_that_is_set(prompt: str, names: list[str]) -> None:
    assert found(prompt, Options(broad=True)) == names
    assert found(prompt) == []


@parametrize_all(
    "keywords",
    [
        {"Ship": {"words": ["x"]}},
        {"ship": {"words": [""]}},
        {"ship": {"words": ["..."]}},
        {"ship": {"words": ["x" * 61]}},
        {"ship": {"word": ["x"]}},
        {"ship": {"text": "x" * 2_001}},
    ],
)
def test_a_keyword_that_cannot_be_one_is_refused(keywords: object) -> None:
    with pytest.raises(ValueError, match="keywords"):
        Options.model_validate({"keywords": keywords})


MANY = 200_000
LARGE = {
    "letters": "a" * MANY,
    "backticks": "`" * MANY,
    "odd backticks": "` a" * MANY,
    "one backtick a line": "` ulw\n" * (MANY // 4),
    "quotes": '"' * (MANY - 1),
    "openers": "“" * MANY,
    "fences": "```\n~~~\n" * (MANY // 4),
    "spaces": "stop" + " " * MANY + "x",
    "questions": "what does ulw do? " * (MANY // 4),
    "one question": "ulw " * MANY + "?",
    "denied": "no ulw " * (MANY // 4),
    "tags": "[hookd:" * MANY,
    "ends": "." * MANY,
}


@pytest.mark.slow
@parametrize_all("kind", LARGE)
def test_a_large_prompt_is_read_in_one_pass(kind: str) -> None:
    assert found(f"{LARGE[kind]}\n\nultrawork") == (
        [] if kind in ("fences", "backticks") else ["ultrawork"]
    )


@given(st.text(st.sampled_from("`~\"“”'>[hookd:x] \n.?！ulw静"), max_size=60))
def test_what_is_left_of_a_prompt_was_in_it_and_is_left_again(prompt: str) -> None:
    rest = prose(prompt)
    # A last line that is empty has no end of its own to be kept by.
    same = prose(rest).rstrip("\n") == rest.rstrip("\n")
    assert same or "~~~" in prompt or "```" in prompt or "[hookd" in prompt
    lines = prompt.splitlines()
    assert all(line in lines for line in rest.split("\n") if line)
    for one in sentences(unquoted_prose(prompt)):
        assert one == one.strip() != ""


@given(st.text(max_size=300), st.integers(60, 200))
def test_a_text_is_cut_to_its_room_and_says_where_the_rest_is(text: str, room: int) -> None:
    cut = truncate_quote(text, room, "/work/a.md")
    assert cut == text or cut.endswith("\n[cut: the whole text is in /work/a.md]")
    assert len(cut.encode("utf-16-le", "replace")) // 2 <= room
