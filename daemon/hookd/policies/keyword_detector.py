"""Words in a prompt by which the user asks for a way of working, such as `ultrawork`.

The model is told what the user means by the word. A word counts where it stands whole, whatever its
case, in any language. It does not count in code, in quotation marks, in lines that begin with `>`,
in what hookd itself has brought, in a path, where it is denied ("no ultrawork"), in a question
about it ("what does ultrawork do?"), or in a prompt that no person wrote. Where `cancel` is met, no
other keyword counts. A subagent is told nothing.

The usual keywords are `cancel` ("cancel", "stop" or "end" with "ultrawork" or "autopilot"),
`ultrawork` ("ultrawork", "ulw"), `autopilot` ("autopilot", "auto pilot", "full auto") and `plan`
("plan first", "make a plan", "plan this", "plan mode"). Your own (option `keywords`) are added to
them, or replace one of the same name; one without words is off:
`{"ship": {"words": ["ship it"], "text": "The user wants it committed and pushed."}}`. The groups
`search` and `analyze` are everyday words, and are looked for where `broad` is set. Those of
`search` are "search", "find", "locate", "look for", "look up", "explore", "where is" and "list
all"; those of `analyze` are "analyze", "analyse", "investigate", "debug", "audit", "review", "why
is" and "why does"; and the usual ones in Korean, Japanese, Chinese and Vietnamese.
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

_NAME = "keyword-detector"
_KEYWORD = re.compile(r"[a-z][a-z0-9-]{0,39}")


class Keyword(Strict):
    """Words or phrases, none a pattern; what the model is told; whether a question may hold them.

    Without a text the keyword is only told to the policies that are asked later.
    """

    words: tuple[str, ...] = Field(
        (), max_length=100, description="Words and phrases, whole and in any case; none a pattern."
    )
    text: str = Field("", max_length=2_000, description="What the model is told.")
    questions: bool = Field(False, description="Whether a question may hold them.")

    @field_validator("words")
    @classmethod
    def _are_words(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(word) > 60 or not any(map(str.isalnum, word)) for word in words):
            raise ValueError("each has a letter in it, and 60 characters at most")
        return tuple(normalize("NFC", " ".join(word.split())) for word in words)


class Options(PolicyOptions):
    """Which words are looked for."""

    keywords: dict[str, Keyword] = Field(
        default_factory=dict,
        max_length=50,
        description="Your own keywords by name: `words`, `text`, and `questions` (a question may"
        " hold them, too).",
    )
    broad: bool = Field(False, description="Look for the groups `search` and `analyze` as well.")

    @field_validator("keywords")
    @classmethod
    def _are_named(cls, keywords: dict[str, Keyword]) -> dict[str, Keyword]:
        if not all(map(_KEYWORD.fullmatch, keywords)):
            raise ValueError("a name is made of small letters, figures and -")
        return keywords


_USUAL: Mapping[str, Keyword] = {
    "cancel": Keyword(
        words=tuple(
            f"{verb} {mode}"
            for mode in ("ultrawork", "autopilot")
            for verb in ("cancel", "stop", "end")
        ),
        text="The user wants the usual way of working again; what was asked for with ultrawork or"
        " autopilot no longer applies.",
    ),
    "ultrawork": Keyword(
        words=("ultrawork", "ulw"),
        text="The user asks for full effort by this word: the work is finished in one go and"
        " checked by running it, independent parts of it may go to several agents at once, and"
        " what is left out is named.",
    ),
    "autopilot": Keyword(
        words=("autopilot", "auto pilot", "full auto"),
        text="The user asks for the whole task without further questions by this word: choose"
        " reasonable answers to open questions and name them at the end, carry on through each"
        " step, and ask only before something that cannot be undone.",
    ),
    "plan": Keyword(
        words=("plan first", "make a plan", "plan this", "plan mode"),
        text="The user asks for a plan before any change: gather what is needed, then present the"
        " steps, the files they touch and the risks, and wait for the user's agreement.",
    ),
}
_BROAD: Mapping[str, Keyword] = {
    "search": Keyword(
        words=(
            *("search", "find", "locate", "look for", "look up", "explore", "where is", "list all"),
            *("검색", "찾아", "検索", "探して", "搜索", "查找", "寻找", "tìm kiếm", "tra cứu"),
        ),
        text="The user is looking for something: searches that do not depend on each other can run"
        " at once, and what was searched belongs into the answer.",
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
        text="The user wants to understand something: the context is gathered first, and what is"
        " known is told apart from what is assumed.",
        questions=True,
    ),
}

# Between these and others no space need stand: a word may begin or end right there.
_SPACELESS = (
    r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f"
    r"\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W{_SPACELESS}]"
_QUESTION = ("?", "？", "؟")
_CLOSING = " \t\"'”’»)]*_"
_REQUEST = re.compile(r"\b(?:please|(?:can|could|would|will) (?:you|we))\b", re.IGNORECASE)
_NOT_MEANT = re.compile(
    r"\b(?:no|not|never|without|do not|don['’]?t|stop|disable|why|explain|describe|about|word"
    r"|keyword|called|how (?:does|do|is|to)|what(?:['’]s| is| are| does| do)?)"
    r"(?:\s+\w+)?\s*\Z",
    re.IGNORECASE,
)
_NEAR = 40
"""Characters before a word that tell whether it is meant."""


def opine(event: UserPrompt, _facts: Facts, options: Options) -> Opinion | None:
    """Tell the model what the words in the prompt ask for."""
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
    """Return the keywords by name in their order: `cancel` first, then the usual, then the own."""
    broad = _BROAD if options.broad else {}
    return {**_USUAL, **broad, **options.keywords}


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
        not _NOT_MEANT.search(sentence[max(0, at - _NEAR) : at])
        for sentence, asks in said
        if not asks
        for at in _places(pattern, sentence)
    )


def _places(pattern: re.Pattern[str], sentence: str) -> Iterator[int]:
    return (found.start() for found in pattern.finditer(sentence))


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the words as one pattern, each literal and whole."""
    by_edges: dict[tuple[str, str], list[str]] = {}
    for word in dict.fromkeys(words):
        by_edges.setdefault(_edges(word), []).append(r"\s+".join(map(re.escape, word.split())))
    # Case matters outside: large classes of letters take long to compile where it does not.
    found = (
        f"{before}(?i:{'|'.join(bodies)}){after}" for (before, after), bodies in by_edges.items()
    )
    return re.compile("|".join(found))


def _edges(word: str) -> tuple[str, str]:
    """Return what must not stand right before and right behind a word."""
    # A name in a path, a flag or an address is no word of a sentence.
    before = rf"(?<![/\\.@-])(?<!{_LETTER})" if re.match(_LETTER, word[0]) else ""
    after = rf"(?![/\\-]|\.{_LETTER}|{_LETTER})" if re.match(_LETTER, word[-1]) else ""
    return before, after


def _says(prompt: str) -> UserPrompt:
    return UserPrompt(prompt=prompt)


_BY_HAND = Options(keywords={"ship": Keyword(words=("ship it",))})

POLICY = Policy(
    name=_NAME,
    priority=50,
    events=frozenset({"UserPromptSubmit"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=(
        PolicyExample(_says("Ultrawork: cut the pages"), Facts(), says="context"),
        PolicyExample(_says("please stop ultrawork"), Facts(), says="context"),
        PolicyExample(_says("Ship  it."), Facts(options={_NAME: _BY_HAND}), says="effects"),
        PolicyExample(_says("What does ultrawork do?"), Facts(), says=""),
        PolicyExample(_says("Rename `ultrawork` to x"), Facts(), says=""),
        PolicyExample(_says("<task-notification>ultrawork"), Facts(), says=""),
        PolicyExample(_says("[hookd:heartbeat] ultrawork"), Facts(), says=""),
        PolicyExample(_says("Find the bug"), Facts(), says=""),
        PolicyExample(
            _says("Find the bug"), Facts(options={_NAME: Options(broad=True)}), says="context"
        ),
    ),
)
