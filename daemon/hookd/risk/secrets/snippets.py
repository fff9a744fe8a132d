"""Home of the programs in other languages that show variables of the environment."""

import re
from collections.abc import Iterator, Mapping

from hookd.risk.inline.known_calls import LANGUAGES, SHOWS
from hookd.risk.inline.source import Program, programs
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.secrets.variables import is_secret, whether_set
from hookd.shell.quoting import names

_TAKES = r"(?!\s*(?:\[|\.(?:get|setdefault|pop|update|copy)\b))"
_WHOLE: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(
        rf"(?<![\"'] in )(?<! not in )(?<!import )(?<!\bos\.)\benviron\b(?!\s+as\b){_TAKES}"
        r"|\bdotenv_values\(\s*\)"
    ),
    "js": re.compile(r"\bprocess\.env\b(?!\s*[.\[])|\bdotenv['\"]\)\.config\("),
    "php": re.compile(r"\bphpinfo\(|\$_SERVER\b(?!\s*\[)"),
    "awk": re.compile(r"\bENVIRON\b(?!\s*\[\s*\")"),
}
_ALIAS = re.compile(r"\bimport\s+environ\s+as\s+(\w{1,64})")
_ONE: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(
        r"(?<!bool\()(?<!bool\(os\.)\benviron(?:\.get\(|\[)\s*['\"](\w{1,128})['\"]"
    ),
    "js": re.compile(r"(?<!!!)\bprocess\.env(?:\.|\[\s*['\"])(\w{1,128})"),
    "awk": re.compile(r"\bENVIRON\s*\[\s*\"(\w{1,128})\""),
}
_SHOWS_ALWAYS = ("phpinfo(",)
_JQ_ENV = re.compile(r"(?<![\w.$\"])(?:env|\$ENV)\b(?!\s*\.|\s*\[|\w)")
_JQ_ONE = re.compile(r"(?<![\w.\"])(?:env|\$ENV)\.(\w{1,128})|\bstrenv\((\w{1,128})\)")
_JQ = names("jq gojq jaq yq")


def _said(call: CommandCall, variable: str) -> Risk:
    if not variable:
        why, way = "shows the whole environment with its values", "One value has a name."
        way = "Names alone are shown by `printenv | cut -d= -f1`, and one value by its name."
    else:
        why, way = f"shows the value of {variable}", whether_set(variable)
    return Risk("secrets", "ask", why, way, command=call.text)


def _interpreted(call: CommandCall) -> Iterator[Risk]:
    for one in programs(call):
        if _shows(call, one) and (found := _taken(one)) is not None:
            yield _said(call, found)
            return


def _shows(call: CommandCall, one: Program) -> bool:
    printed = one.language == "js" and call.has("-p", "--print")
    return (
        printed or any(it in one.source for it in _SHOWS_ALWAYS) or bool(SHOWS.search(one.source))
    )


def _taken(one: Program) -> str | None:
    """Return which variable a program takes; empty for all of them."""
    whole, single = _WHOLE.get(one.language), _ONE.get(one.language)
    if whole is not None and (whole.search(one.source) or _aliased(one)):
        return ""
    found = single.findall(one.source) if single is not None else []
    return next((name for name in found if is_secret(name)), None)


def _aliased(one: Program) -> bool:
    """Whether a program has the environment by another name and uses all of it."""
    alias = _ALIAS.search(one.source) if one.language == "python" else None
    if alias is None:
        return False
    return re.search(rf"\b{alias[1]}\b{_TAKES}", one.source[alias.end() :]) is not None


def _queried(call: CommandCall) -> Iterator[Risk]:
    """A query of jq may take variables of its environment."""
    if call.program == "yq" and call.has("-i", "--inplace"):
        return
    for item in call.items[:8]:
        if _JQ_ENV.search(item.text) and "/" not in item.text:
            yield _said(call, "")
            return
        for found in _JQ_ONE.findall(item.text):
            if is_secret(found[0] or found[1]):
                yield _said(call, found[0] or found[1])
                return


SNIPPETS: Mapping[str, RiskRule] = {
    **{
        f"{name}{version}": _interpreted
        for name in LANGUAGES
        for version in ("", "2", "3", *(f"3.{minor}" for minor in range(6, 20)))
    },
    **dict.fromkeys(_JQ, _queried),
}
"""By program: the variables that what it is given to run shows."""
