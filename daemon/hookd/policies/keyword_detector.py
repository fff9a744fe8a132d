"""Recognize keywords in prompts that request a way of working, such as `ultrawork`.

The model reads what the user wants by the word. A keyword must be a whole word, in any case and
language. It is ignored in code, in quotation marks, in lines that begin with `>`, in text from
hookd, in a path, when negated ("no ultrawork"), in a question about it ("what does ultrawork do?"),
and in prompts not written by a person. If `cancel` matches, other keywords are ignored. Subagents
are not notified.

Built-in keywords are `cancel` ("cancel", "stop" or "end" with "ultrawork" or "autopilot"),
`ultrawork` ("ultrawork", "ulw"), `autopilot` ("autopilot", "auto pilot", "full auto") and `plan`
("plan first", "make a plan", "plan this", "plan mode"). Your own (option `keywords`) are added, or
replace one of the same name; one without words is disabled:
`{"ship": {"words": ["ship it"], "text": "The user wants it committed and pushed."}}`. The groups
`search` and `analyze` are everyday words, and need `broad`. `search`: "search", "find", "locate",
"look for", "look up", "explore", "where is" and "list all". `analyze`: "analyze", "analyse",
"investigate", "debug", "audit", "review", "why is" and "why does". Both include common ones in
Korean, Japanese, Chinese and Vietnamese.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from unicodedata import normalize

from pydantic import Field, field_validator

from hookd.config.models import PolicyOptions, Strict
from hookd.core.context_window.injections import has_tag
from hookd.core.context_window.prompt_text import sentences, unquoted_prose
from hookd.core.model.facts import Facts
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import UserPrompt
from hookd.lazy_pattern import lazy_compile

_NAME = "keyword-detector"
_KEYWORD = lazy_compile(r"[a-z][a-z0-9-]{0,39}")


class Keyword(Strict):
    """Words or phrases that match literally, and the text for the model.

    Without a text the keyword is only passed to later policies.
    """

    words: tuple[str, ...] = Field(
        (),
        max_length=100,
        description="Words and phrases, matched literally, as a whole, in any case.",
    )
    text: str = Field("", max_length=2_000, description="Text for the model.")
    questions: bool = Field(False, description="Match in questions as well.")

    @field_validator("words")
    @classmethod
    def _are_words(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(word) > 60 or not any(map(str.isalnum, word)) for word in words):
            raise ValueError("each needs a letter, and at most 60 characters")
        return tuple(normalize("NFC", " ".join(word.split())) for word in words)


class Options(PolicyOptions):
    """Keywords that are recognized."""

    keywords: dict[str, Keyword] = Field(
        default_factory=dict,
        max_length=50,
        description="Your own keywords by name: `words`, `text`, and `questions` (match in"
        " questions as well).",
    )
    broad: bool = Field(False, description="Recognize the groups `search` and `analyze` as well.")

    @field_validator("keywords")
    @classmethod
    def _are_named(cls, keywords: dict[str, Keyword]) -> dict[str, Keyword]:
        if not all(map(_KEYWORD.fullmatch, keywords)):
            raise ValueError("a name consists of lower-case letters, digits and -")
        return keywords


_BUILTIN: Mapping[str, Keyword] = {
    "cancel": Keyword(
        words=tuple(
            f"{verb} {mode}"
            for mode in ("ultrawork", "autopilot")
            for verb in ("cancel", "stop", "end")
        ),
        text="The user cancels ultrawork and autopilot: work as usual again.",
    ),
    "ultrawork": Keyword(
        words=("ultrawork", "ulw"),
        text="The user asks for full effort: finish the work in one go and verify it by running it,"
        " delegate independent parts to several agents in parallel, and name anything left out.",
    ),
    "autopilot": Keyword(
        words=("autopilot", "auto pilot", "full auto"),
        text="The user asks for the whole task without further questions: choose reasonable answers"
        " to open questions and list them at the end, complete each step, and ask only before an"
        " irreversible action.",
    ),
    "plan": Keyword(
        words=("plan first", "make a plan", "plan this", "plan mode"),
        text="The user asks for a plan before any change: gather information, present the steps,"
        " affected files and risks, and wait for approval.",
    ),
}
_BROAD: Mapping[str, Keyword] = {
    "search": Keyword(
        words=(
            *("search", "find", "locate", "look for", "look up", "explore", "where is", "list all"),
            *("검색", "찾아", "検索", "探して", "搜索", "查找", "寻找", "tìm kiếm", "tra cứu"),
        ),
        text="The user is looking for something: run independent searches in parallel, and say in"
        " the answer what was searched.",
        questions=True,
    ),
    "analyze": Keyword(
        words=(
            *(
                "analyze",
                "analyse",
                "investigate",
                "debug",
                "audit",
                "review",
                "why is",
                "why does",
            ),
            *("분석", "조사", "分析", "調査", "调查", "排查", "phân tích", "điều tra"),
        ),
        text="The user wants to understand something: gather the context first, and separate facts"
        " from assumptions.",
        questions=True,
    ),
}

# Scripts without spaces between words, next to which words may begin or end.
_SPACELESS = (
    r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f"
    r"\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W{_SPACELESS}]"
_QUESTION = ("?", "？", "؟")
_CLOSING = " \t\"'”’»)]*_"
_REQUEST = lazy_compile(r"\b(?:please|(?:can|could|would|will) (?:you|we))\b", re.IGNORECASE)
_NEGATION = lazy_compile(
    r"\b(?:no|not|never|without|do not|don['’]?t|stop|disable|why|explain|describe|about|word"
    r"|keyword|called|how (?:does|do|is|to)|what(?:['’]s| is| are| does| do)?)"
    r"(?:\s+\w+)?\s*\Z",
    re.IGNORECASE,
)
_NEGATION_CHARS = 40
"""Characters before a match that are searched for a negation."""


def opine(event: UserPrompt, _facts: Facts, options: Options) -> Opinion | None:
    """Tell the model what the keywords in the prompt request."""
    if event.agent_id or event.by_machine or has_tag(event.prompt):
        return None
    table = _table(options)
    prompt = normalize("NFC", event.prompt)
    low = prompt.casefold()
    if not any(_may_stand(word, low) for one in table.values() for word in one.words):
        return None
    found = _found(prompt, table)
    if not found:
        return None
    texts = [f"{name}: {table[name].text}" for name in found if table[name].text]
    context = f"[hookd:{_NAME}] " + "\n\n".join(texts) if texts else ""
    return Opinion(context=context, shared_facts={"keywords_detected": found})


def _table(options: Options) -> dict[str, Keyword]:
    """Return the keywords by name in order: `cancel`, built-in ones, the user's own."""
    broad = _BROAD if options.broad else {}
    return {**_BUILTIN, **broad, **options.keywords}


def _may_stand(word: str, low: str) -> bool:
    return word.split(maxsplit=1)[0].casefold() in low


def _found(prompt: str, table: Mapping[str, Keyword]) -> list[str]:
    said = [(one, _asks(one)) for one in sentences(unquoted_prose(prompt))]
    found = [name for name, keyword in table.items() if _is_meant(keyword, said)]
    return ["cancel"] if "cancel" in found else found


def _asks(sentence: str) -> bool:
    return sentence.rstrip(_CLOSING).endswith(_QUESTION) and not _REQUEST.search(sentence)


def _is_meant(keyword: Keyword, said: Iterable[tuple[str, bool]]) -> bool:
    if not keyword.words:
        return False
    pattern = _pattern(keyword.words)
    if keyword.questions:
        return any(pattern.search(sentence) for sentence, _ in said)
    return any(
        not _NEGATION.search(sentence[max(0, at - _NEGATION_CHARS) : at])
        for sentence, asks in said
        if not asks
        for at in _places(pattern, sentence)
    )


def _places(pattern: re.Pattern[str], sentence: str) -> Iterator[int]:
    return (found.start() for found in pattern.finditer(sentence))


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return one pattern of the words, each literal and whole."""
    by_edges: dict[tuple[str, str], list[str]] = {}
    for word in dict.fromkeys(words):
        by_edges.setdefault(_edges(word), []).append(r"\s+".join(map(re.escape, word.split())))
    # Case matters outside: large classes of letters take long to compile where it does not.
    found = (
        f"{before}(?i:{'|'.join(bodies)}){after}" for (before, after), bodies in by_edges.items()
    )
    return re.compile("|".join(found))


def _edges(word: str) -> tuple[str, str]:
    """Return the patterns that must not match right before and right after a match."""
    # Names in paths, flags or URLs do not count.
    before = rf"(?<![/\\.@-])(?<!{_LETTER})" if re.match(_LETTER, word[0]) else ""
    after = rf"(?![/\\-]|\.{_LETTER}|{_LETTER})" if re.match(_LETTER, word[-1]) else ""
    return before, after


def _says(prompt: str) -> UserPrompt:
    return UserPrompt(prompt=prompt)


def _examples() -> tuple[PolicyExample, ...]:
    by_hand = Options(keywords={"ship": Keyword(words=("ship it",))})
    return (
        PolicyExample(_says("Ultrawork: cut the pages"), Facts(), says="context"),
        PolicyExample(_says("please stop ultrawork"), Facts(), says="context"),
        PolicyExample(_says("Ship  it."), Facts(options={_NAME: by_hand}), says="effects"),
        PolicyExample(_says("What does ultrawork do?"), Facts(), says=""),
        PolicyExample(_says("Rename `ultrawork` to x"), Facts(), says=""),
        PolicyExample(_says("<task-notification>ultrawork"), Facts(), says=""),
        PolicyExample(_says("[hookd:heartbeat] ultrawork"), Facts(), says=""),
        PolicyExample(_says("Find the bug"), Facts(), says=""),
        PolicyExample(
            _says("Find the bug"), Facts(options={_NAME: Options(broad=True)}), says="context"
        ),
    )


POLICY = Policy(
    name=_NAME,
    priority=50,
    events=frozenset({"UserPromptSubmit"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
