"""Law: texts use plain, standard English; phrases that obscure the meaning do not occur."""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import hookd

ROOT = Path(hookd.__file__).parent.parent.parent

PHRASES = {
    r"the home of|home of what": "name the subject itself",
    r"(?:is|was|are|were|be) told|told (?:by|of)|tells of": "receives, is notified, reports",
    r"stands? (?:in|for|above|beside|aside|there|here|on|at|below|against)": "is in, means",
    r"holds? (?:from|for|here|now|everywhere)": "applies, lasts",
    r"(?:held|hold|holds) back|(?:held|holds?) up": "blocked, asked about; delayed",
    r"mend(?:s|ed|ing)?": "fix, repair",
    r"anew": "again, re-",
    r"nobody|somebody": "no process, another process; no one where people are meant",
    r"by (?:it|them|him|her)sel(?:f|ves)": "automatically, alone",
    r"(?:is|are|was) meant": "is intentional",
    r"let(?:s)? through": "allowed",
    r"(?:goes|go|gone|went) on(?! \w+day)": "continues, resumed",
    r"a word of|without a word|a word in time": "a message, silently",
    r"(?:is|are|was|were|be) heard|hears?": "receives, runs, is delivered",
    r"(?:is|are) asked of": "is required of",
    r"for ever": "forever, permanently",
    r"by hand": "manually",
    r"at hand": "available",
    r"tak(?:e|es|en) away|tak(?:e|es|en) out|put(?:s)? in(?=[.,;)])": "remove, insert",
    r"one that|those who|he who": "the noun",
    r"where nobody|where none": "if no",
    r"strangers?(?:'s)?": "foreign process, other user",
}
"""Each phrase as a regex, and what to write instead. Removing one needs a reason in the commit."""

OPENING = re.compile(r"(?:\A|[.:]\s+)What (?:is|was|has|does|may|can)\b")
"""A sentence that paraphrases a noun. Questions, which end in a question mark, are fine."""

EXEMPT: dict[tuple[str, str], str] = {
    ("daemon/hookd/risk/rules/permissions.py", "nobody"): "the name of a user",
}
"""(path, text): why a phrase stays: it quotes an API, a client, or a test's data."""

_OPENING_ANYWHERE = re.compile(r"\bWhat (?:is|was|has|does|may|can)\b")
_ANY = re.compile("|".join(rf"\b(?:{phrase})\b" for phrase in PHRASES), re.IGNORECASE)
_AREAS = ("daemon/hookd", "docs", "README.md", "tests", "bench", "examples")


# A string that continues on the next line, and the mark of a line's end or tab within one.
_CONTINUED = re.compile(r"""["']\s*\n\s*[rbfRBF]{0,2}["']""")
_MARK = re.compile(r"\\[nt]")


def may_have_a_phrase(source: str) -> bool:
    """Return whether a phrase is anywhere in Python code: as it is written, or in its strings."""
    joined = _MARK.sub(" ", _CONTINUED.sub("", source))
    return bool(_ANY.search(joined) or _OPENING_ANYWHERE.search(joined))


def texts(path: Path) -> Iterator[str]:
    """Yield what people read in a file: prose, docstrings, comments, texts of messages."""
    source = path.read_text("utf-8")
    if path.suffix != ".py":  # prose, and shell scripts with their comments
        yield re.sub(r"```.*?```", "", source, flags=re.DOTALL)
        return
    if not may_have_a_phrase(source):
        return  # to parse the file costs thirty times as much, and would find nothing
    strict = ROOT / "daemon" in path.parents
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        elif strict and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
    ends = "\n".join(line[line.find("#") :] for line in source.splitlines() if "#" in line)
    if not (_ANY.search(ends) or OPENING.search(ends)):
        return  # to take the file apart costs ten times as much, and would find nothing
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def found(path: Path) -> list[str]:
    """Return the phrases in a file, docstrings once."""
    name = str(path.relative_to(ROOT))
    hits = []
    for text in dict.fromkeys(texts(path)):
        hits += [hit.group() for hit in _ANY.finditer(text)]
        hits += [hit.group() for hit in OPENING.finditer(text) if "?" not in text[hit.start() :]]
    return [hit for hit in hits if (name, hit.lower()) not in EXEMPT]


def files() -> Iterator[Path]:
    """Yield every file with prose or comments; data of tests is left out."""
    for top in _AREAS:
        start = ROOT / top
        for path in [start] if start.is_file() else sorted(start.rglob("*")):
            known = path.suffix in {".py", ".md", ".sh", ".c"} or path.parent.name == "shims"
            hidden = {"data", "__pycache__", "shims.py"} & set(path.parts)
            if path.is_file() and known and not hidden and path.name != Path(__file__).name:
                yield path


def test_no_phrase_obscures_the_meaning() -> None:
    hits = {str(path.relative_to(ROOT)): found(path) for path in files()}
    left = {name: phrases for name, phrases in hits.items() if phrases}
    assert not left, f"{left}; to see the lines: python tests/laws/{Path(__file__).name}"


def test_phrases_are_found() -> None:
    for text in ("The home of locks.", "Nobody waits. What is left stays."):
        assert _ANY.search(text) or OPENING.search(text), text


def test_phrases_are_found_wherever_python_has_them(tmp_path: Path) -> None:
    for source in (
        '"""Nobody waits."""',
        'def f():\n    """Say.\n\n    What is left stays.\n    """\n',
        "a = 1  # it goes on\n",
        'a = (\n    "it is held "\n    "back"\n)\n',
        'a = f"1\\nheld back"\n',
    ):
        assert may_have_a_phrase(source), source
    assert not may_have_a_phrase('def nobody_told(what_is: int) -> None:\n    """Run."""\n')


def advice(hit: str) -> str:
    """Return what to write instead of a phrase."""
    fits = (to for phrase, to in PHRASES.items() if re.fullmatch(phrase, hit, re.IGNORECASE))
    return next(fits, "the noun")


def show(prefix: str) -> None:
    """Print each phrase in the files below a path, with its line and what to write instead."""
    for path in files():
        name = str(path.relative_to(ROOT))
        if not name.startswith(prefix):
            continue
        lines = path.read_text("utf-8").splitlines()
        for hit in dict.fromkeys(found(path)):
            word = hit.strip(". :\n")
            for number, line in enumerate(lines, 1):
                if re.search(rf"\b{re.escape(word)}\b", line):
                    text = f"{word} -> {advice(word)}: {line.strip()[:100]}"
                    sys.stdout.write(f"{name}:{number}: {text}\n")


if __name__ == "__main__":
    show(sys.argv[1] if sys.argv[1:] else "")
