"""Commands in assigned values that another program runs: shells, git, npm.

`x='rm -rf ~' bash -c '$x'`, `GIT_CONFIG_VALUE_0='!rm -rf ~' git x`, `npm pkg set scripts.x='...'`.
"""

import re
from collections.abc import Iterator

from hookd.lazy_pattern import lazy_compile

_VALUE = r"(?:'(?P<single>[^'\n]*)'|\"(?P<double>[^\"$`\\\n]*)\"|(?P<bare>[^\s;&|<>()$`'\"\\]+))"
_ASSIGNED = lazy_compile(rf"(?<![\w$.{{/-])(?P<name>[A-Za-z_]\w*)={_VALUE}(?=[\s;&|)]|$)")
_SCRIPT = lazy_compile(
    r"\b(?:ba|da|k|z|a)?sh\s+(?:-[a-z]+\s+)*-[a-z]*c\s+'(?P<text>[^'\n]*\$[^'\n]*)'"
)
_SET = lazy_compile(rf"\bnpm\s+(?:pkg\s+set\s+scripts\.[\w:-]+=|set-script\s+[\w:-]+\s+){_VALUE}")
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
    return match["single"] or match["double"] or match["bare"] or ""
