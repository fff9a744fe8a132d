"""Aliases: other names that a program gives to a function that deletes or runs.

`from shutil import rmtree as r; r(x)` is read as `shutil.rmtree(x)`, so one table judges both. In
the code of a program each of its texts is a number between two signs.
"""

import re
from collections.abc import Iterator, Sequence

_NAMES = (
    r"(?:rmtree|removedirs|remove|unlink|rmdir|f?truncate|system|popen|run|call|check_call"
    r"|check_output|Popen|rm|rename|replace|move|kill|getoutput"
    r"|(?:rm|unlink|rmdir|truncate|exec|spawn|execFile)Sync|exec|spawn|execFile)"
)
_HINTS = re.compile(r"\bimport\b|\brequire\b|__|\x02\]\s*\(|[=:]\s*\w+\.")
_IMPORTED = re.compile(r"__import__\(\s*\x01(\d+)\x02\s*\)")
_INDEXED = re.compile(r"(?:\.__dict__)?(?<=[\w)])\[\s*\x01(\d+)\x02\s*\](?=\s*\()")
_FROM = re.compile(r"\bfrom\s+(\w+)\s+import\s+\(?([\w \t,]+)")
_MODULE = re.compile(r"\bimport\s+([\w. \t,]+)")
_PARTS = re.compile(
    r"\{([^{}]{1,400})\}\s*=\s*(?:await\s+)?(?:require|import)\(\s*\x01(\d+)\x02\s*\)"
    r"|\bimport\s*\{([^{}]{1,400})\}\s*from\s*\x01(\d+)\x02"
)
_SET = re.compile(
    rf"(?<![\w.])([A-Za-z_$][\w$]*)\s*=\s*((?:require\(\s*\x01\d+\x02\s*\)|[A-Za-z_]\w*)"
    rf"(?:\.\w+)*\.{_NAMES})\s*(?=[;\n,]|\Z)"
)
_MOST = 16
"""Names of one program that are looked at."""


def renamed(code: str, texts: Sequence[str], language: str) -> str:
    """Return the code of a program with the usual names in place of its own."""
    if language not in ("python", "js") or _HINTS.search(code) is None:
        return code
    code = _IMPORTED.sub(lambda one: texts[int(one[1])], code)
    code = _INDEXED.sub(lambda one: _member(texts[int(one[1])], one[0]), code)
    found = _python(code) if language == "python" else _js(code, texts)
    for _, (name, usual) in zip(range(_MOST), (*found, *_assigned(code)), strict=False):
        if name != usual:
            own = rf"(?<![\w.$:]){re.escape(name)}(?=\s*[(.])"
            code = re.sub(own, lambda _, usual=usual: usual, code)  # type: ignore[misc]
    return code


def _member(name: str, source: str) -> str:
    return f".{name}" if re.fullmatch(_NAMES, name) else source


def _python(code: str) -> Iterator[tuple[str, str]]:
    for one in _FROM.finditer(code):
        for name, own in _parted(one[2]):
            if re.fullmatch(_NAMES, name):
                yield own, f"{one[1]}.{name}"
    for one in _MODULE.finditer(code):
        for name, own in _parted(one[1]):
            if name in ("os", "shutil", "subprocess") and own != name:
                yield own, name


def _parted(listed: str) -> Iterator[tuple[str, str]]:
    for part in listed.split(",")[:_MOST]:
        name, _, own = part.strip().partition(" as ")
        yield name.strip(), (own or name).strip()


def _js(code: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for one in _PARTS.finditer(code):
        module = texts[int(one[2] or one[4])].rpartition(":")[2].partition("/")[0]
        for part in (one[1] or one[3]).split(",")[:_MOST]:
            name, *own = re.split(r"\s*:\s*|\s+as\s+", part.strip())
            if re.fullmatch(_NAMES, name):
                yield own[0] if own else name, f"{module}.{name}"


def _assigned(code: str) -> Iterator[tuple[str, str]]:
    for one in _SET.finditer(code):
        usual = re.sub(r"require\([^()]*\)", "child_process" if "exec" in one[2] else "fs", one[2])
        yield one[1], usual
