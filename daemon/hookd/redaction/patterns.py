"""Secret patterns: the regex of each known form of secret, and the hints that locate it.

No regex here searches. Each is matched where one of its hints occurs; every repetition in it is
possessive, bounded, or over characters that the rest cannot match, and a long match is not tested
(see LONG). So no text takes more than linear time.
"""

import binascii
import re
from collections.abc import Callable

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.token_forms import FORMS, Form

Judge = Callable[[re.Match[str]], bool]
"""Decides whether a match is a secret; the whole text is `match.string`."""
Context = Callable[[str, int], bool]
"""Decides, by a text and the place of a hint in it, whether a match there would count."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form of secret. `regex` is matched at each hint; its group `secret` is replaced.

    Hints are lower-case. A hint that ends in `_`, `.` or `-` is only searched for before at least
    RUN characters of a key, so the regex must require as many, unless the hint is in ANYWHERE.
    """

    kind: str
    regex: re.Pattern[str]
    hints: tuple[str, ...]
    judge: Judge | None = None
    context: Context | None = None


RUN = 14
"""Minimum number of characters of a key after a hint that ends in `_`, `.` or `-`."""

ANYWHERE = frozenset(("-----begin", "whsec_", "xoxd-"))
"""Hints that end in `_`, `.` or `-` and count before any text: the first characters of a key in
base64 can be `+` or `/`, and those of a percent-encoded key `%`."""

LONG = 200
"""Longer matches are secrets without a further test: no reference, count or code is that long."""

MARK = "[redacted:"
_MARK = r"(?!\[redacted:)"

_W = "[A-Za-z0-9_-]"
# An edge is also after a JSON escape (`\n`) or a colour (`\x1b[31m`), so no run is read twice.
_AFTER = r"(?<=\\[nrt])|(?<=[\[;][0-9]m)|(?<=[\[;][0-9]{2}m)"
_EDGE, _START = (rf"(?:(?<![{signs}])|{_AFTER})" for signs in ("A-Za-z0-9_-", "A-Za-z"))


def _vendor(form: Form) -> Pattern:
    each = form.prefixes.split()
    edges = [_EDGE if form.apart or len(one) < 4 or one[-1] not in "_.-" else "" for one in each]
    starts = "|".join(edge + re.escape(one) for edge, one in zip(edges, each, strict=True))
    regex = lazy_compile(f"(?P<secret>(?:{starts}){form.body})", re.ASCII)
    return Pattern(form.kind, regex, tuple(map(str.lower, each)))


# The name of a secret value, matched from the word that shows it. The text before that word
# (DB_PASSWORD) does not matter; the text after it (token_count) does.
_KEYS = "api access account app auth encryption license master private secret session shared \
signing ssh storage subscription webhook"
_OF_KEY = "|".join(f"(?<={word})|(?<={word}[_-])" for word in _KEYS.split())
NAME = rf"""(?P<name>(?i:
    passw(?:or)?d | passphrase | passcode | (?<=[_-])pass | (?<![a-z])pwd | secret(?:[_-]?id)?
    | token | credentials? | (?<![a-z]_)(?<=_)auth | (?<=[a-z_-])(?:{_OF_KEY})key)
    (?>(?i:[_-]?(?:key|value|base|hash|confirm(?:ation)?|[0-9]{{1,3}})){{0,2}}))"""
_NAME_HINTS = "pass|pwd|secret|token|credential|auth|key"

# A quoted value ends at the same quote. Inside a JSON text the quote is escaped (one backslash,
# three in a text within a text); deeper escapes belong to the value.
_OPEN = r"""(?>(?:[fFbBrRuU@$]{0,2}(?P<escape>\\{1,7})?(?P<quote>["'`]))?)"""
_QUOTED = r"""(?(escape)(?!(?P=escape)(?P=quote))(?:[^\\\n"]|\\++(?P=quote)?)
    |(?:(?!(?P=quote))[^\\\n]|\\.))"""
# A value without quotes ends at a separator of a shell, a URL or a programming language.
_WORD = r"""(?:[^\s"'`,;&|<>\\()\[\]}]|[)\]}](?=[\w!#$%^*+-])|\[(?!redacted:))"""
_VALUE = rf"{_OPEN}(?P<secret>{_MARK}(?>(?:(?(quote){_QUOTED}|{_WORD})){{3,}}))"
_CLOSE = r"""\\{0,7}["']?\]?"""  # between a name and its sign: `["password"] =`
_TYPE = r":\s{0,2}[A-Za-z_][\w.\[\]|,\ ]{0,40}\s=(?=\s)"  # `token: str = `
_EQUALS = rf"\s{{0,4}}(?:{_TYPE}|=>|:=|=(?![=~>])|:|>(?=[^<>\s]{{3,200}}</))\s{{0,4}}"
_APART = r"""\s{1,8}(?!-)|(?<!\]),\s{0,4}(?=\\{0,7}["'])"""  # `--token x`, `"--token", "x"`
_PLAIN_VALUE = rf"""["']?(?P<secret>{_MARK}[^\s"'`;&|<>\\]{{2,}}+)"""
_PAIR = rf"""["']?[^\s:"'\\]{{1,100}}+:(?P<secret>{_MARK}[^\s"'\\]++)"""

_REFERENCE = lazy_compile(
    r"(?i)\$[a-z_({]|[{<*]|%[a-z_(]|x{3,}$|\.{3}|(?:https?|file|op|vault)://|arn:|env:|id=|\s?[,+)]\s"
    r"|(?:~|\.{1,2})/|/(?:home|usr|etc|var|run|tmp|opt|root|users|mnt|srv|dev|work|app)/"
    r"|(?-i:[A-Z_]{0,40}?(?:TOKEN|PASSWORD|SECRET|KEY)\Z)"
    r"|(?:process|os|import\.meta|secrets|vars|config|settings|self|this)\."
)
_NO_SECRET = lazy_compile(
    r"(?i)(?:none|null|nil|true|false|undefined|str|string|bytes|int|integer|number|bool|boolean|any"
    r"|object|optional|required|void|self|this|default|unset|empty|inherit|include|omit|same-origin"
    r"|redacted|hidden|unknown|secretstr)\Z"
)
_CALL = lazy_compile(r"(?:await |new )?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)*[(\[]")
_PATH = lazy_compile(r"[A-Za-z_]+(?:(?:\.|->|::|\?\.)[A-Za-z_]+)+")
_PLAIN = lazy_compile(r"[A-Za-z_./:@-]+")
_LINE = lazy_compile(r"[ \t]{0,16}(?:(?:export|set|ENV)[ \t]{1,4})?\w*")
_NETRC = lazy_compile(r"\blogin\s{1,8}\S{1,100}\s{1,8}\Z")
_END = lazy_compile(r"[;|]|&&|(?<!\\)\n")
_DIGITS = lazy_compile(r"[0-9][0-9.,_]*")
_FLAG = lazy_compile(r"(?<![\w-])--?(?:[A-Za-z0-9]{1,40}[-_]){0,4}\Z|(?<=\\[nrt])--?\Z")


def _is_literal(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not _REFERENCE.match(value) and not _NO_SECRET.match(value)


def _is_value(match: re.Match[str]) -> bool:
    """Return whether a literal is a secret, not a count (`token: 1240`) or a path (`PWD=/home`)."""
    name, value = match["name"].lower(), match["secret"]
    if name == "pwd" and value[0] in "/\\":
        return False
    if _DIGITS.fullmatch(value) and len(value) < 8:
        return name.startswith(("pass", "pwd"))
    return _is_literal(match)


def _is_named(match: re.Match[str]) -> bool:
    if not _is_value(match):
        return False
    is_flag = _is_flag(match.string, match.start())
    if is_flag or not match["sign"].strip(" \t\r\n,"):
        return is_flag
    return bool(match["quote"]) or not _is_code(match)


def _is_code(match: re.Match[str]) -> bool:
    """Return whether a bare value is code: `token = next(it)`, `password: str`."""
    name, sign, value = match["name"], match["sign"], match["secret"]
    if value == name or _PATH.fullmatch(value) or _CALL.match(match.string, match.start("secret")):
        return True
    if not _PLAIN.fullmatch(value):
        return len(value) < 6 and sign != "=" and not name.lower().startswith("pass")
    if sign == ">" or (name.isupper() and "=" in sign):
        return False
    if sign == "=":
        return match.string[match.end() : match.end() + 1] in tuple(",)]}(")
    return sign != ": " or not _is_last(match)


def _is_flag(text: str, at: int) -> bool:
    return text[at - 1 : at] in ("-", "_") and bool(_FLAG.search(text[max(0, at - 80) : at]))


def _is_line(text: str, at: int) -> bool:
    start = text.rfind("\n", max(0, at - 80), at) + 1
    return (start > 0 or at < 80) and _LINE.fullmatch(text, start, at) is not None


def _is_netrc(text: str, at: int) -> bool:
    return text[at - 1 : at].isspace() and bool(_NETRC.search(text[max(0, at - 120) : at]))


def _is_last(match: re.Match[str]) -> bool:
    """Return whether a lower-case word ends its line, as in YAML: `password: hunter`."""
    rest = match.string[match.end() : match.end() + 2]
    return match["secret"].islower() and (rest[:1] in ("", "\r", "\n") or rest == "\\n")


def _is_token(match: re.Match[str]) -> bool:
    return any(map(str.isdigit, match["secret"])) and _is_literal(match)


def _is_header(match: re.Match[str]) -> bool:
    return _is_literal(match) if match["scheme"] else _is_token(match)


def _is_pair(match: re.Match[str]) -> bool:
    """Return whether the base64 text decodes to `user:password`."""
    try:
        return b":" in binascii.a2b_base64(match["secret"] + "==")
    except ValueError:
        return False


def _after(*programs: str) -> Context:
    """Return a context: one of `programs` precedes the flag in the same command."""

    def runs(text: str, at: int) -> bool:
        since = max(text.rfind(program, max(0, at - 200), at) for program in programs)
        return since >= 0 and _END.search(text, since, at) is None

    return runs


# fmt: off
def _pattern(kind: str, hints: str, regex: str, judge: Judge | None = None,
             context: Context | None = None) -> Pattern:
    return Pattern(kind, lazy_compile(regex, re.VERBOSE), tuple(hints.split("|")), judge, context)


# Before Python 3.11.5 a possessive repetition of a group forgets what was tried within it; where
# that matters, an atomic group holds the repetition: (?>(?:...)*).
PATTERNS = (
    # PEM, OpenSSH and PGP. A block without an end extends to the end of the text. Code that joins
    # lines ("..." + "...") is one block; a header alone in quotes, as after grep, is none.
    _pattern("private-key", "-----begin",
        r"""(?P<secret>-----BEGIN[ ][A-Z0-9 ]{0,40}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----
        (?!\\*+["'`](?!\s*+\+?\s*+["'`]))
        (?>(?:(?!-----END)(?:[^"\\]|\\++[^"\\]|"\s*+\+?\s*+"))*)
        (?:-----END[ ][A-Z0-9 ]{0,40}-----)?)"""),
    *map(_vendor, FORMS),
    _pattern("telegram-token", ":aa", rf"(?<=[0-9]{{8}}):(?P<secret>AA{_W}{{30,}})"),
    # A Discord token begins with its bot's number in base64: 17 to 19 digits.
    _pattern("discord-token", ".",
        rf"""\.(?:(?<=[MNO][A-Za-z]{_W}{{21}}\.)|(?<=[MNO][A-Za-z]{_W}{{22}}\.)
        |(?<=[MNO][A-Za-z]{_W}{{24}}\.))(?P<secret>{_W}{{6}}\.{_W}{{27,}})""", _is_token),
    _pattern("webhook", "hooks",  # of Slack and of Discord
        r"hooks(?:\.slack(?:-gov)?\.com/[a-z]{1,20}/|/)(?P<secret>[A-Z0-9][\w-]{7,30}/[\w/-]{8,})"),
    _pattern("signature", "sig",  # of a URL of Azure's or of Amazon's
        rf"(?:{_START}(?i:sig)|(?<=-)(?i:signature))=(?P<secret>[\w%+/-]{{20,}}+={{0,2}})"),
    _pattern("azure-secret", "q~", r"(?<=[0-9])Q~(?P<secret>[\w.~-]{30,})"),
    _pattern("url-password", "://",
        rf"""://[^\s/:@"'\\]{{0,100}}+:(?![0-9]{{1,5}}[/?\#])
        (?P<secret>{_MARK}[^\s/@"'\\<>]{{1,256}}+)@""", _is_literal),
    _pattern("header", "auth",
        rf"""(?i:authorization){_CLOSE}\s{{0,8}}[:=](?!=)\s{{0,8}}\[?
        (?>(?:[fFbBrRuU]{{0,2}}\\{{0,7}}["'`])?)
        (?P<scheme>(?i:bearer|basic|token|bot|apikey|negotiate|aws4-hmac-sha256)\s{{1,8}})?
        (?P<secret>{_MARK}[^\s"'`,;\\]{{4,}}+)""", _is_header),
    _pattern("cookie", "cookie",
        rf"""(?i:cookie)(?:{_CLOSE}\s{{0,4}}[:=]|(?<=--cookie)\s)\s{{0,4}}\[?\\{{0,7}}["']?
        (?P<secret>{_MARK}[\w.-]{{1,100}}+=(?![=${{<])[^\r\n"'\\]{{1,}}+)"""),
    _pattern("bearer", "bearer",
        rf"{_START}(?i:bearer)\s{{1,8}}(?P<secret>{_MARK}[\w.~+/=-]{{12,}}+)", _is_token),
    _pattern("basic", "basic ",
        rf"{_START}(?i:basic)\s{{1,8}}(?P<secret>[A-Za-z0-9+/]{{8,}}+={{0,2}})", _is_pair),
    _pattern("basic", "auth",  # as in .docker/config.json
        rf"""(?<=["'])auth{_CLOSE}\s{{0,4}}:\s{{0,4}}\\{{0,7}}["']
        (?P<secret>[A-Za-z0-9+/]{{8,}}+={{0,2}})""", _is_pair),
    _pattern("aws-secret", "secret",
        r"""(?i:secret_?access_?key)\s{1,8}["']?(?P<secret>[A-Za-z0-9/+]{40})(?![\w/+=])"""),
    _pattern("flag", " -u", rf"\s-u[ =]?{_PAIR}", _is_literal, _after("curl", "http", "wget")),
    _pattern("flag", "-user=|-user ", rf"(?:(?<=-)|(?<=--proxy))-user[ =]{_PAIR}", _is_literal),
    _pattern("flag", " -a", rf"\s-a[ ]{_PAIR}", _is_literal, _after("http")),
    _pattern("flag", " -a", rf"\s-a[ ]{_PLAIN_VALUE}", _is_literal, _after("redis-cli")),
    _pattern("flag", " -p", rf"\s-p(?![0-9]{{1,5}}:[0-9]){_PLAIN_VALUE}",
        _is_literal, _after("mysql", "mariadb", "sshpass", "7z")),
    _pattern("flag", " -p", rf"\s-[pP][ ]{{1,4}}{_PLAIN_VALUE}",
        _is_literal, _after("sshpass", "login", "mongo", "zip")),
    _pattern("flag", " pass:", rf"\spass:{_PLAIN_VALUE}", _is_literal, _after("openssl")),
    _pattern("login", "pass",  # .netrc
        rf"password\s{{1,8}}(?P<secret>{_MARK}[^\s\"\\]++)", _is_literal, _is_netrc),
    _pattern("login", "password '|identified by",  # SQL
        rf"(?i:password|identified[ ]by)\s{{1,4}}'(?P<secret>{_MARK}[^'\n\\\"]{{3,}}+)'"),
    # A line that is nothing but the assignment: the value is all of it, whatever its characters.
    _pattern("value", _NAME_HINTS, rf"""{NAME}(?P<sign>=)(?P<quote>(?!))?
        (?P<secret>{_MARK}[^\s"'`\\\[]{{3,}}+)(?=\r?\n|\Z)""", _is_named, _is_line),
    _pattern("value", _NAME_HINTS,
        rf"{NAME}{_CLOSE}(?P<sign>{_EQUALS}|{_APART}){_VALUE}", _is_named),
)
"""Every known form of secret, the most specific first."""
# fmt: on
