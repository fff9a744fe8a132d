"""Commands and files in assigned values that another program runs: shells, git, npm.

`x='rm -rf ~' bash -c '$x'`, `GIT_CONFIG_VALUE_0='!rm -rf ~' git x`, `npm pkg set scripts.x='...'`,
`BASH_ENV=./x.sh bash -c true`, `LD_PRELOAD=./x.so ls`.
"""

import re
from collections.abc import Iterator

from hookd.lazy_pattern import lazy_compile
from hookd.risk.model import Risk
from hookd.risk.quoting import one_line

_VALUE = r"(?:'(?P<single>[^'\n]*)'|\"(?P<double>[^\"$`\\\n]*)\"|(?P<bare>[^\s;&|<>()$`'\"\\]+))"
_ASSIGNED = lazy_compile(rf"(?<![\w$.{{/-])(?P<name>[A-Za-z_]\w*)={_VALUE}(?=[\s;&|)]|$)")
_SCRIPT = lazy_compile(
    r"\b(?:ba|da|k|z|a)?sh\s+(?:-[a-z]+\s+)*-[a-z]*c\s+'(?P<text>[^'\n]*\$[^'\n]*)'"
)
_SET = lazy_compile(
    rf"\bnpm\s+(?:pkg\s+set\s+scripts\.[\w:-]+=|set-script\s+[\w:-]+\s+){_VALUE}"
    r"|\bnpm\s+pkg\s+set\s+(?P<sign>['\"])scripts\.[\w:-]+=(?P<quoted>[^'\"\n]*)(?P=sign)"
)
_CONFIG = lazy_compile(r"GIT_CONFIG_VALUE_\d+$")
_SETTINGS = lazy_compile(r"'[\w.-]+(?:'?='?|=)!?([^']*)'")
_MAX_VALUES = 16


def run_from_values(text: str) -> tuple[str, ...]:
    """Return the texts of commands that programs run out of values that a text assigns."""
    if "=" not in text and "set-script" not in text:
        return ()
    if " -" not in text and "GIT_CONFIG" not in text and "npm" not in text:
        return ()
    return tuple(
        value for _, value in zip(range(_MAX_VALUES), _found(text), strict=False) if value.strip()
    )


def _found(text: str) -> Iterator[str]:
    scripts = [match["text"] for match in _SCRIPT.finditer(text)]
    if scripts or "GIT_CONFIG" in text:
        values = {match["name"]: _value(match) for match in _ASSIGNED.finditer(text)}
        for script in scripts:
            filled = re.sub(
                r"\$(?:(\w+)|\{(\w+)\})",
                lambda match: values.get(match[1] or match[2], match[0]),
                script,
            )
            if filled != script:
                yield filled
        for name, value in values.items():
            if _CONFIG.match(name):
                yield value.removeprefix("!")
        if "GIT_CONFIG_PARAMETERS" in values:
            yield from _SETTINGS.findall(values["GIT_CONFIG_PARAMETERS"])
    yield from map(_value, _SET.finditer(text))


def _value(match: re.Match[str]) -> str:
    quoted = match["quoted"] if "quoted" in match.re.groupindex else ""
    return match["single"] or match["double"] or match["bare"] or quoted or ""


_GIVEN = lazy_compile(rf"(?<![\w$.{{/-])(?P<name>[A-Za-z_]\w*)={_VALUE}(?=[ \t]+[\w./$\"'-])")
"""A variable that one command, or what follows an `export`, receives."""

_SHELL_FILES = {
    "BASH_ENV": ("bash",),
    "ENV": ("sh", "dash", "ksh", "bash", "ash", "mksh"),
    "PYTHONSTARTUP": ("python", "python2", "python3", "ipython"),
    "ZDOTDIR": ("zsh",),
}
"""By variable: the programs that run the file it names when they start."""

_LIBRARIES = ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES")
_OPTIONS = {
    "PERL5OPT": lazy_compile(r"-[mMI]\W*(?!strict|warnings|utf8|Devel::Cover|v5)[\w:./=]+"),
    "PERL5DB": lazy_compile(r"\S.*"),
    "RUBYOPT": lazy_compile(r"-r\s*(?:\.{0,2}/|~)\S+|-I\s*(?:/tmp|\.)"),
    "NODE_OPTIONS": lazy_compile(
        r"(?:-r|--require|--import|--(?:experimental-)?loader)[= ]\s*"
        r"(?:/tmp/|/var/tmp/|/dev/shm/|\./[\w.-]+\.\w+(?:\s|$)|data:)\S*"
    ),
    **dict.fromkeys(
        ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"),
        lazy_compile(r"-(?:javaagent|agentpath|agentlib):(?:/tmp|\./|\w+\.jar)\S*"),
    ),
}
"""By variable: the options that make a program load code before its own."""

_LOADED = tuple(f"{name}=" for name in (*_SHELL_FILES, *_LIBRARIES, *_OPTIONS))
_SAFE_FILE = lazy_compile(
    r"~?/?(?>(?:[\w.-]+/){0,16})\.\w*(?:rc|profile|env|startup)(?:\.\w+)?|/etc/\S+|\s*|/dev/null"
)
_SYSTEM_LIBRARY = lazy_compile(
    r"(?:/usr|/lib|/opt|/nix|/snap|/home/linuxbrew)\S*|[\w.+-]+|\$\S*|\s*"
)
_CODE = "runs the code of {name} before the program itself, and its content is not known"
_WITHOUT = "Run the program without {name}; a file that it needs can be named in its arguments."


def loaded_code(text: str) -> Iterator[Risk]:
    """Yield that a variable makes a program load code that the text does not show."""
    if "=" not in text or not any(name in text for name in _LOADED):
        return
    words = set(_PROGRAMS.findall(text))
    for match in _ASSIGNED.finditer(text):
        name, value = match["name"], _value(match)
        if _loads(name, value, words):
            yield Risk(
                "unreadable",
                "ask",
                _CODE.format(name=f"{name}={one_line(value, 60)}"),
                _WITHOUT.format(name=name),
                command=one_line(text, 80),
                rule="shell.loads-code",
            )


_PROGRAMS = lazy_compile(r"(?<![\w.-])[a-z][\w.-]*")


def _loads(name: str, value: str, words: set[str]) -> bool:
    if name in _SHELL_FILES:
        runs = not words.isdisjoint(_SHELL_FILES[name])
        path = "/" in value or "." in value
        return runs and path and _SAFE_FILE.fullmatch(value) is None
    if name in _LIBRARIES:
        return any(_SYSTEM_LIBRARY.fullmatch(path) is None for path in re.split(r"[:\s]", value))
    option = _OPTIONS.get(name)
    return option is not None and option.search(value) is not None


def given_texts(text: str) -> tuple[str, ...]:
    """Return the values with blanks that a command receives in variables: it may run them."""
    if ("='" not in text and '="' not in text) or _HARMFUL.search(text) is None:
        return ()
    found: dict[str, None] = {}
    for match in _GIVEN.finditer(text):
        value = _value(match).lstrip("!|- ")
        if " " in value and _HARMFUL.search(value):
            found[value] = None
            found.update(dict.fromkeys(_INNER.findall(value)))
        if len(found) >= _MAX_VALUES:
            break
    return tuple(each for each in found if " " in each)


_HARMFUL = lazy_compile(
    r"\b(?:rm|dd|mkfs[.\w]*|shred|find|curl|wget|chmod|chown|mv|truncate|sudo|git|kill|rmdir|unlink)\b"
)
_INNER = lazy_compile(r"[\"'(]([^\"'()]{3,200})[\"')]")
