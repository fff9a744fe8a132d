"""The home of the known forms of secret: what each looks like, and the hint it is found by.

No regex here searches. Each is matched where one of its hints stands, every repetition in it is
possessive, bounded, or over characters that what follows cannot match. So the work is the number
of hints times a bounded look, and no text, however made, takes more than linear time.
"""

import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

Judge = Callable[[re.Match[str]], bool]
"""Says of a match whether it is a secret indeed; it sees the whole text as `found.string`."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form of secret. Where a hint stands, `regex` is matched; its group `secret` is replaced.

    Hints are lower-case. One that ends in `_`, `.` or `-` is looked for only before at least
    RUN characters of a key, so the regex must ask for as many.
    """

    kind: str
    regex: re.Pattern[str]
    hints: tuple[str, ...]
    judge: Judge | None = None


RUN = 14
"""How many characters of a key follow a hint that ends in `_`, `.` or `-`, at least."""

MARK = "[redacted:"
_MARK = r"(?!\[redacted:)"

# Vendors: kind, prefixes, body. Sources: the vendors' own pages on their token formats. A body has
# no upper bound, because a token must go as a whole; a lower bound below the documented length
# catches one that was cut.
_A, _W, _X = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[a-f0-9]"
_VENDORS = (
    ("anthropic-key", "sk-ant-", _W + "{16,}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", _W + "{20,}"),
    ("openrouter-key", "sk-or-", _W + "{20,}"),
    ("langfuse-key", "sk-lf-", _W + "{20,}"),
    ("openai-key", "sk-", _A + "{20,}"),  # also DeepSeek, Moonshot and others of that shape
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", _W + "{20,}"),
    ("github-token", "github_pat_", _W + "{20,}"),
    (
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glrtr-",
        rf"{_W}{{16,}}+(?:\.{_W}++)*+",
    ),
    ("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"[\w%.-]{14,}"),
    ("slack-token", "xoxe.", r"xox[bp]-[\w-]{14,}"),
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", _A + "{16,}"),
    ("google-token", "ya29.", r"[A-Za-z0-9_.-]{20,}"),
    ("google-secret", "GOCSPX-", _W + "{20,}"),
    ("npm-token", "npm_", _A + "{30,}"),
    ("pypi-token", "pypi-", rf"AgE{_W}{{30,}}"),
    ("rubygems-key", "rubygems_", _X + "{32,}"),
    ("huggingface-token", "hf_ api_org_", _A + "{30,}"),
    ("sendgrid-key", "SG.", rf"{_W}{{16,}}+\.{_W}{{16,}}"),
    ("mailgun-key", "key-", _X + "{32,}"),
    ("brevo-key", "xkeysib-", _W + "{40,}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _X + "{40,}"),
    ("heroku-key", "HRKU-", _W + "{30,}"),
    ("vault-token", "hvs. hvb. hvr.", _W + "{20,}"),
    ("terraform-token", "atlasv1.", _W + "{40,}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", "[a-fA-F0-9]{32,}"),
    ("cloudflare-token", "cfk_ cfut_ cfat_", _A + "{40,}"),
    ("supabase-key", "sbp_ sb_secret_", _W + "{20,}"),
    ("docker-token", "dckr_pat_ dckr_oat_", _W + "{20,}"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.-]{30,}"),
    ("planetscale-secret", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.-]{30,}"),
    ("pulumi-token", "pul-", _X + "{40,}"),
    ("postman-key", "PMAK-", rf"{_X}{{20,}}+-{_X}{{30,}}"),
    ("grafana-token", "glsa_ glc_", r"[\w+/=]{30,}"),
    ("newrelic-key", "NRAK-", _A + "{20,}"),
    ("sentry-token", "sntrys_ sntryu_", r"[\w+/=]{40,}"),
    ("sonar-token", "squ_ sqp_ sqa_", _X + "{40,}"),
    ("square-secret", "sq0csp- sq0atp-", _W + "{20,}"),
    ("figma-token", "figd_", _W + "{30,}"),
    ("linear-key", "lin_api_ lin_oauth_", _A + "{30,}"),
    ("notion-token", "ntn_ secret_", _A + "{40,}"),
    ("netlify-token", "nfp_", _A + "{30,}"),
    ("buildkite-token", "bkua_", _X + "{30,}"),
    ("tailscale-key", "tskey-auth- tskey-api- tskey-client-", _W + "{16,}"),
    ("groq-key", "gsk_", _A + "{20,}"),
    ("xai-key", "xai-", _A + "{20,}"),
    ("perplexity-key", "pplx-", _A + "{30,}"),
    ("nvidia-key", "nvapi-", _W + "{40,}"),
    ("replicate-token", "r8_", _A + "{30,}"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", r"\w{32,}"),
    ("age-key", "AGE-SECRET-KEY-", r"1[A-Z0-9]{50,}"),
    # Those below have no separator behind the prefix: the prefix must stand at an edge.
    ("aws-key-id", "AKIA ASIA ABIA", r"[A-Z0-9]{16}(?![A-Za-z0-9+/=])"),
    ("google-key", "AIza", _W + "{30,}"),
    ("databricks-token", "dapi", rf"{_X}{{32}}(?:-[0-9])?(?!{_A})"),
    ("atlassian-token", "ATATT3 ATCTT3", r"[\w=-]{40,}"),
    ("gitlab-token", "GR1348941", _W + "{16,}"),
    ("google-token", "1//0", _W + "{30,}"),
    ("twilio-key", "SK", rf"{_X}{{32}}(?!{_A})"),
    # JSON web tokens: two base64url JSON objects begin with eyJ. The signature may be missing.
    ("jwt", "eyJ", rf"{_W}{{8,}}+\.eyJ{_W}{{8,}}+(?:\.{_W}*+){{0,3}}"),
)
# An edge is also what follows an escape of a JSON text (`\n`) or a colour code (`\x1b[31m`).
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=[0-9]m))"


def _vendor(kind: str, prefixes: str, body: str) -> Pattern:
    each = prefixes.split()
    edge = _EDGE if any(len(one) < 4 or one[-1] not in "_.-" for one in each) else ""
    regex = rf"{edge}(?P<secret>(?:{'|'.join(map(re.escape, each))}){body})"
    return Pattern(kind, re.compile(regex), tuple(map(str.lower, each)))


# A name that says that its value is a secret, seen from the word that says so. What stands before
# that word (DB_PASSWORD) does not matter; what stands behind it (token_count) does.
_KEYS = "api access account app auth encryption license master private secret session shared \
signing ssh storage subscription webhook"
_OF_KEY = "|".join(f"(?<={word})|(?<={word}[_-])" for word in _KEYS.split())
NAME = rf"""(?P<name>(?i:
    passw(?:or)?d | passphrase | passcode | (?<=[_-])pass | (?<![a-z])pwd
    | secret(?:[_-]?id)? | token | credentials? | (?<![a-z])_auth | (?:{_OF_KEY})key)
    (?i:[_-]?(?:key|value|base|hash|confirm(?:ation)?|[0-9]{{1,3}})){{0,2}}+)"""
NAME_HINTS = ("pass", "pwd", "secret", "token", "credential", "_auth", "key")

# A value in quotes ends where its quote comes again. Inside a JSON text the quote is escaped (one
# backslash, in a text within a text three), and what is escaped more deeply belongs to the value.
_OPEN = r"""(?:[fFbBrRuU@$]{0,2}(?P<escape>\\{1,7})?(?P<quote>["'`]))?+"""
_QUOTED = r"""(?:(?(escape)(?!(?P=escape)(?P=quote))(?:[^\\\n"]|\\++(?P=quote)?)
    |(?:(?!(?P=quote))[^\\\n]|\\.)))"""
# One without quotes ends at what a shell, a URL or a programming language would end it with.
_WORD = r"""(?:[^\s"'`,;&|<>\\()\[\]{}]|[()\]}](?=[\w!#$%^*+-])|\[(?!redacted:)|[{])"""
_VALUE = rf"{_OPEN}(?P<secret>{_MARK}(?(quote){_QUOTED}|{_WORD}){{3,}}+)"
_SEPARATOR = r"""\s{0,4}(?::\s{0,2}[A-Za-z_][\w.\[\]|, ]{0,40}\s=(?=\s)|=>|:=|=(?![=~>])|:)\s{0,4}"""

_CODE = re.compile(
    r"(?:await |new )?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)*(?:[(\[]|$)"
    r"|[A-Za-z_]+(?:(?:\.|->|::|\?\.)[A-Za-z_]+)+$"
)
_REFERENCE = re.compile(
    r"(?i)\$[a-z_({]|[{<*]|%[a-z_(]|x{3,}$|\.{3}|(?:https?|file|op|arn|vault)://?|arn:|env:|id="
    r"|(?:~|\.{1,2})/|/(?:home|usr|etc|var|run|tmp|opt|root|users|mnt|srv|dev|work|app)/"
    r"|(?:process|os|import\.meta|secrets|vars|config|settings|self|this)\."
)
_NO_SECRET = frozenset(
    "none null nil true false undefined str string bytes int integer number bool boolean any"
    " object optional required void self this default unset empty inherit include omit same-origin"
    " redacted hidden unknown secretstr".split()
)
_PLAIN = re.compile(r"[A-Za-z_./:@-]+")
_FLAG = re.compile(r"(?:^|(?<=[\s\"'`=(\[\\,n]))--?(?:[A-Za-z0-9]{1,40}[-_]){0,4}\Z")
_DIGITS = re.compile(r"[0-9][0-9.,_]*")


def _is_reference(found: re.Match[str]) -> bool:
    value = found["secret"]
    return _REFERENCE.match(value) is not None or value.lower() in _NO_SECRET


def _is_flag(found: re.Match[str]) -> bool:
    before = found.string[max(0, found.start() - 80) : found.start()]
    return _FLAG.search(before) is not None and _is_value(found)


def _is_value(found: re.Match[str]) -> bool:
    """Whether it is no reference and, where it is a number, no count."""
    value, is_password = found["secret"], found["name"][:4].lower() in ("pass", "pwd")
    if _is_reference(found):
        return False
    if found["name"].lower() == "pwd" and value[:1] in "/\\":
        return False
    return not _DIGITS.fullmatch(value) or len(value) >= (3 if is_password else 8)


def _is_assigned(found: re.Match[str]) -> bool:
    """Whether a value is a secret rather than code: `token = next(it)`, `password: str`."""
    if not _is_value(found):
        return False
    if found["quote"]:
        return True
    value, separator = found["secret"], found["separator"]
    if _is_dotted_or_called(found):
        return False
    if not _PLAIN.fullmatch(value):
        return len(value) >= 6 or separator == "=" or found["name"].lower().startswith("pass")
    if separator == "=":
        return found["name"].isupper() or found.string[found.end() : found.end() + 1] not in ",)]}("
    return _is_at_the_end(found) and (found["name"].isupper() or ":" in separator)


def _is_dotted_or_called(found: re.Match[str]) -> bool:
    value = found["secret"]
    code = _CODE.match(found.string, found.start("secret"))
    if code is None:
        return False
    return code[0][-1] in "([" or ("." in value and _PLAIN.fullmatch(value) is not None)


def _is_at_the_end(found: re.Match[str]) -> bool:
    """Whether a line of lower-case ends with the value, as in `password: hunter` of a YAML file."""
    rest = found.string[found.end() : found.end() + 2]
    return found["secret"].islower() and (not rest or rest[0] in "\r\n" or rest == "\\n")


def _is_token(found: re.Match[str]) -> bool:
    return any(map(str.isdigit, found["secret"])) and not _is_reference(found)


def _is_pair(found: re.Match[str]) -> bool:
    """Whether base64 says `user:password`."""
    try:
        return b":" in binascii.a2b_base64(found["secret"] + "==")
    except ValueError:
        return False


def _in_command(*names: str) -> Judge:
    """Return a judge that asks for one of `names` before the flag, in the same command."""
    program = re.compile(rf"(?<![\w-])(?:{'|'.join(names)})(?![\w.])")

    def judge(found: re.Match[str]) -> bool:
        before = found.string[max(0, found.start() - 400) : found.start()]
        return not _is_reference(found) and (
            program.search(re.split(r"\n|;\s|&&|\s\|", before)[-1]) is not None
        )

    return judge


def _pattern(kind: str, regex: str, hints: str, judge: Judge | None = None) -> Pattern:
    return Pattern(kind, re.compile(regex, re.VERBOSE), tuple(hints.split("/")), judge)


_BARE = rf"""["']?(?P<secret>{_MARK}[^\s"'`;&|<>\\]{{2,}}+)"""
_PAIR = rf"""["']?[^\s:"'\\]{{1,100}}+:(?P<secret>{_MARK}[^\s"'\\]++)"""
_KNOWN = tuple(_vendor(*row) for row in _VENDORS)
_ANY_NAME = "/".join(NAME_HINTS)

PATTERNS = (
    # PEM, OpenSSH and PGP. One without an end goes on to the end of its text. Code that joins lines
    # ("..." + "...") is one block; a header alone in quotes, as after grep, is none.
    _pattern(
        "private-key",
        r"""(?P<secret>-----BEGIN[ ][A-Z0-9 ]{0,40}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----
        (?!\\*["'`](?!\s*+\+?\s*+["'`]))
        (?:(?!-----END)(?:[^"\\]|\\++[^"\\]|"\s*+\+?\s*+"))*+
        (?:-----END[ ][A-Z0-9 ]{0,40}-----)?)""",
        "-----begin",
    ),
    *_KNOWN,
    _pattern("telegram-token", rf"(?<=[0-9]{{8}}):(?P<secret>AA{_W}{{30,}})", ":aa"),
    _pattern(
        "discord-token",
        rf"""\.(?:(?<=[MNO][A-Za-z]{_W}{{21}}\.)|(?<=[MNO][A-Za-z]{_W}{{22}}\.)
        |(?<=[MNO][A-Za-z]{_W}{{24}}\.))(?P<secret>{_W}{{6}}\.{_W}{{27,}})""",
        ".",
        _is_token,
    ),
    _pattern(
        "webhook",
        r"""(?:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/)
        (?P<secret>[\w/-]{10,})""",
        "hooks.slack.com/discord.com/discordapp.com".replace(".com/d", ".com/d"),
    ),
    _pattern(
        "azure-key",
        r"(?i:accountkey|sharedaccesskey|(?<![a-z])sig)=(?P<secret>[A-Za-z0-9+/%]{20,}+={0,2})",
        "accountkey/sharedaccesskey/sig=",
    ),
    _pattern("azure-secret", rf"(?<=[0-9])Q~(?P<secret>[\w.~-]{{30,}})", "q~"),
    _pattern(
        "signed-url", r"(?i:signature)=(?P<secret>[A-Za-z0-9%+/_-]{20,}+={0,2})", "signature="
    ),
)
