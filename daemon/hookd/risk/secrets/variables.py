"""Variables with secrets: their names, and commands that print or send them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.programs.model import Severity
from hookd.risk.inline.known_calls import LANGUAGES, SHOWS
from hookd.risk.inline.source import Program, programs
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.shell.commands import Shell
from hookd.shell.quoting import names

_WORDS = lazy_compile(
    r"TOKEN(?!IZ|S_)|SECRET(?!AR)|PASSWORD(?!LESS)|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_?KEY"
    r"|ACCESS_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|MASTER_?KEY|CREDENTIAL|DATABASE_URL"
    r"|_(?:PAT|PASS|PWD|DSN)(?![A-Z])|CONNECTION_STRING|AUTH_?KEY|WEBHOOK_URL|SESSION_?KEY"
    r"|KEY_?BASE(?!D)"
)
_PUBLIC = lazy_compile(r"(?:^|_)(?:PUBLIC|PUBLISHABLE)_(?!.*(?:SECRET|PRIVATE|PASSWORD|TOKEN))")
_NAME = lazy_compile(r"[A-Z0-9_]+")
_NO_SECRET = tuple(
    names(
        "_COUNT _LIMIT _FILE _PATH _NAME _DIR _ID TOKENS _LENGTH _LEN _TTL _EXPIRY _EXPIRES"
        " _TYPE _USERNAME _ENDPOINT _REGION _ENABLED"
    )
)

_SHOWN = lazy_compile(r"\$(\w+)|\$\{!?(\w+)(?!\w)(?!:?\+)")
_RENAMED = lazy_compile(r"(?<![\w$])(\w{1,64})=[\"']?\$\{?(\w{1,128})")
_RENAMING = ("=$", '="$', "='$")
_REFERRED = lazy_compile(r" -n (\w{1,64})=(\w{1,128})")
_USED = lazy_compile(r"\$\{?(\w{1,64})(?!\w|:?\+)")
_TERMINAL = ("/dev/stdout", "/dev/stderr", "/dev/tty", "1", "2")
_BY_NAME = lazy_compile(r"\$\{!\w+[}:#%/-]")

_SAYING = with_trait("prints-words")
_PASSING = with_trait("repeats")
"""Programs that print their input."""

_LOOKING_UP = with_trait("looks-up")
_FETCHING = with_trait("requests")
_SHOWING_WHO = names(
    "-H --header -u --user --oauth2-bearer -U --proxy-user --proxy-header -b --cookie --pass"
    " --aws-sigv4 -a --auth --http-user --http-password --password -E --cert --key"
)
"""Flags whose value authenticates the client."""

_BODY = ("-d", "--data", "--json", "-F", "--form", "-A", "-e", "--url-query", "--post-data")
_HEADER = lazy_compile(r"[\w-]+:(?![/=])")
_ADDRESS = lazy_compile(r"[\"']?\$\{?\w+\}?[\"']?")
_LOCAL = lazy_compile(r"(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/?]|$)")


def is_secret(variable: str) -> bool:
    """Return whether a variable has the name of a secret."""
    named = _NAME.fullmatch(variable) and _WORDS.search(variable)
    if named is None or variable.endswith(_NO_SECRET):
        return False
    return not ("PUBLI" in variable and _PUBLIC.search(variable))


def how_to_check(variable: str) -> str:
    """Return the sentence that says how to check whether a variable is set."""
    return f"`echo ${{{variable}:+set}}` says whether it is set."


def secret_in_text(text: str) -> str:
    """Return the first variable with a secret in a shell text; empty if there is none."""
    for found in _SHOWN.findall(text):
        if variable := next((name for name in found if name and is_secret(name)), ""):
            return str(variable)
    return ""


def _said(call: CommandCall, why: str, instead: str, weight: Severity = "ask") -> Risk:
    return Risk("secrets", weight, why, instead, command=call.text, rule="secrets.variable")


def _showing(call: CommandCall, texts: Iterable[str]) -> Iterator[Risk]:
    for text in texts:
        if variable := secret_in_text(text):
            yield _said(call, f"prints the value of {variable}", how_to_check(variable))
            return


def _echo(call: CommandCall) -> Iterator[Risk]:
    texts = [item.text for item in call.items if item.unknown]
    yield from _showing(call, texts)
    if any(_BY_NAME.search(text) for text in texts):
        way = "Write the variable's name in the command."
        yield _said(call, "prints a variable whose name is unknown", way)


def _looked_up(call: CommandCall) -> Iterator[Risk]:
    """Yield the secrets in a host name that is looked up: others see it."""
    for item in call.items:
        if item.unknown and (variable := secret_in_text(item.text)):
            why = f"sends the value of {variable} in a host name that is looked up"
            yield _said(call, why, how_to_check(variable), "deny")
            return


def _asked(call: CommandCall) -> Iterator[Risk]:
    """Yield the secrets in an address or a body; those for authentication are allowed."""
    words = call.command.words
    addresses = [word for word in words[1:] if "://" in word or _LOCAL.match(word)]
    if addresses and all(map(_LOCAL.match, addresses)):
        return
    unknown = {hole.at for hole in call.command.holes}
    for at, (before, word) in enumerate(pairwise(words), 1):
        address = _ADDRESS.fullmatch(word) and not before.startswith(_BODY)
        if at not in unknown or before in _SHOWING_WHO or address or _tells_who(call, word):
            continue
        if variable := secret_in_text(word):
            way = "Use a header of the request, such as Authorization."
            yield _said(call, f"sends the value of {variable} in an address or a body", way)
            return


def _tells_who(call: CommandCall, word: str) -> bool:
    glued = word[:2] == "--" and word.partition("=")[0] in _SHOWING_WHO
    header = call.program not in ("curl", "wget") and _HEADER.match(word) is not None
    return glued or header or word[:2] in ("-H", "-u", "-U", "-b")


def printed_input(shell: Shell, calls: tuple[CommandCall, ...]) -> Iterator[Risk]:
    """Yield the secrets in the input of programs that print it."""
    if any(redirect.writes and redirect.path not in _TERMINAL for redirect in shell.redirects):
        return
    for call in calls:
        if call.program in _PASSING and call.command.piped_input:
            yield from _showing(call, (text for text in call.command.stdin if "$" in text))


def printed_by_other_name(text: str, calls: Iterable[CommandCall]) -> Iterator[Risk]:
    """Yield the secrets that a text prints by other names: `x=$API_KEY; echo $x`."""
    # The patterns try every word of a text; most texts cannot match.
    renames = any(sign in text for sign in _RENAMING)
    pairs = _RENAMED.findall(text) if renames else []
    pairs += _REFERRED.findall(text) if " -n " in text else []
    others = {name: original for name, original in pairs if is_secret(original)}
    for call in calls if others else ():
        words = (item.text for item in call.items if item.unknown and call.program in _SAYING)
        for found in (name for word in words for name in _USED.findall(word) if name in others):
            variable = others[found]
            yield _said(call, f"prints the value of {variable}", how_to_check(variable))
            return


VARIABLES: Mapping[str, RiskRule] = {
    **dict.fromkeys(_SAYING, _echo),
    **dict.fromkeys(_LOOKING_UP, _looked_up),
    **dict.fromkeys(_FETCHING, _asked),
}
"""By program: the variables that it prints, or sends."""


_TAKES = r"(?!\s*(?:\[|\.(?:get|setdefault|pop|update|copy)\b))"
_WHOLE: Mapping[str, re.Pattern[str]] = {
    "python": lazy_compile(
        rf"(?<![\"'] in )(?<! not in )(?<!import )(?<!\bos\.)\benviron\b(?!\s+as\b){_TAKES}"
        r"|\bdotenv_values\(\s*\)"
    ),
    "js": lazy_compile(r"\bprocess\.env\b(?!\s*[.\[])|\bdotenv['\"]\)\.config\("),
    "php": lazy_compile(r"\bphpinfo\(|\$_SERVER\b(?!\s*\[)"),
    "awk": lazy_compile(r"\bENVIRON\b(?!\s*\[\s*\")"),
}
_ALIAS = lazy_compile(r"\bimport\s+environ\s+as\s+(\w{1,64})")
_ONE: Mapping[str, re.Pattern[str]] = {
    "python": lazy_compile(
        r"(?<!bool\()(?<!bool\(os\.)\benviron(?:\.get\(|\[)\s*['\"](\w{1,128})['\"]"
    ),
    "js": lazy_compile(r"(?<!!!)\bprocess\.env(?:\.|\[\s*['\"])(\w{1,128})"),
    "awk": lazy_compile(r"\bENVIRON\s*\[\s*\"(\w{1,128})\""),
}
_SHOWS_ALWAYS = ("phpinfo(",)
_JQ_ENV = lazy_compile(r"(?<![\w.$\"])(?:env|\$ENV)\b(?!\s*\.|\s*\[|\w)")
_JQ_ONE = lazy_compile(r"(?<![\w.\"])(?:env|\$ENV)\.(\w{1,128})|\bstrenv\((\w{1,128})\)")
_JQ = with_trait("queries-json")


def _shown_by_code(call: CommandCall, variable: str) -> Risk:
    if not variable:
        why = "prints the whole environment with its values"
        way = "`printenv | cut -d= -f1` prints the names alone, `printenv NAME` one value."
    else:
        why, way = f"prints the value of {variable}", how_to_check(variable)
    return Risk("secrets", "ask", why, way, command=call.text, rule="secrets.variable")


def _interpreted(call: CommandCall) -> Iterator[Risk]:
    for code in programs(call):
        if _shows(call, code) and (variable := _taken(code)) is not None:
            yield _shown_by_code(call, variable)
            return


def _shows(call: CommandCall, code: Program) -> bool:
    printed = code.language == "js" and call.has("-p", "--print")
    return (
        printed or any(it in code.source for it in _SHOWS_ALWAYS) or bool(SHOWS.search(code.source))
    )


def _taken(code: Program) -> str | None:
    """Return the variable that a program takes; empty for all of them."""
    whole, single = _WHOLE.get(code.language), _ONE.get(code.language)
    if whole is not None and (whole.search(code.source) or _aliased(code)):
        return ""
    names_taken = single.findall(code.source) if single is not None else []
    return next((name for name in names_taken if is_secret(name)), None)


def _aliased(code: Program) -> bool:
    """Return whether a program has the environment by another name and uses all of it."""
    alias = _ALIAS.search(code.source) if code.language == "python" else None
    if alias is None:
        return False
    return re.search(rf"\b{alias[1]}\b{_TAKES}", code.source[alias.end() :]) is not None


def _queried(call: CommandCall) -> Iterator[Risk]:
    """Yield the variables that a query of jq takes from its environment."""
    if call.program == "yq" and call.has("-i", "--inplace"):
        return
    for item in call.items[:8]:
        if _JQ_ENV.search(item.text) and "/" not in item.text:
            yield _shown_by_code(call, "")
            return
        for match in _JQ_ONE.findall(item.text):
            if is_secret(match[0] or match[1]):
                yield _shown_by_code(call, match[0] or match[1])
                return


SNIPPETS: Mapping[str, RiskRule] = {
    **{
        f"{name}{version}": _interpreted
        for name in LANGUAGES
        for version in ("", "2", "3", *(f"3.{minor}" for minor in range(6, 20)))
    },
    **dict.fromkeys(_JQ, _queried),
}
"""By program: the variables that its inline code prints."""
