"""No secret rests on disk, and what is no secret stays readable.

The keys here are put together from pieces, so that no scanner of secrets barks at this file.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hookd.redaction.patterns import ANYWHERE, PATTERNS, RUN
from hookd.redaction.redact import LIMIT, record, redact, redact_json
from redaction.token_facts import KEYS
from support.parametrize import parametrize_all

pytestmark = pytest.mark.usefixtures("engine")

A, X, U = "a1B2" * 10, "0a1b" * 10, "A1B2" * 4
JWT = f"eyJ{A}.eyJ{A}.{A}"
P = "PRIVATE"

# One row is the kind, the secret, and texts in which § is replaced by it.
SHAPES: list[tuple[str, str, list[str]]] = [
    *((kind, key, ["§", "x § y", '{"a":"\\n§"}', "\x1b[32m§\x1b[0m"]) for kind, key in KEYS),
    ("jwt", JWT, ["§", "token § was", '"jwt":"§"', "?jwt=§&x=1"]),
    ("jwt", f"eyJ{A}.eyJ{A}", ["§", "cut off: §"]),
    ("telegram-token", f"AA{A[:33]}", ["123456789:§", "/bot123456789:§/getMe"]),
    (
        "discord-token",
        f"Cl2FMQ.{A[:27]}",
        ["MTk4NjIyNDgzNDcxOTI1MjQ4.§", "x NzkyNzE1NDU0MTk2MDg4ODQy.§"],
    ),
    ("webhook", f"T{U[:8]}/B{U[:8]}/{A[:24]}", ["https://hooks.slack.com/services/§"]),
    ("webhook", f"123456789012345678/{A}", ["https://discord.com/api/webhooks/§?wait=1"]),
    ("signature", A + "%3D", ["https://x.blob.core.windows.net/c?sv=1&sig=§&se=2"]),
    ("signature", X, ["https://s3.aws/b?X-Amz-Signature=§"]),
    ("azure-secret", A, ["abc8Q~§", "x='y~18Q~§'"]),
    (
        "private-key",
        f"-----BEGIN RSA {P} KEY-----\nProc-Type: 4\n\n{A}\n{A}==\n-----END RSA {P} KEY-----",
        ["§", "x\n§\ny"],
    ),
    ("private-key", f"-----BEGIN OPENSSH {P} KEY-----\\n{A}\\n", ["§", '{"k":"§"}']),
    ("private-key", f"-----BEGIN PGP {P} KEY BLOCK-----\n\n{A}\n{A}", ["§", 'x = "§"']),
    ("private-key", f'-----BEGIN {P} KEY-----\\n" +\n  "{A}\\n', ['k = "§"']),
    ("url-password", "hunter", ["postgres://bob:§@host/db", "x https://bob:§@h.io/p?q#f y"]),
    ("url-password", "a.b;c$1!", ["redis://:§@h:6379/0", '"amqp://u:§@[::1]"']),
    ("header", "hunter", ["Authorization: Bearer §", "-H 'authorization: token §'"]),
    ("header", "abc123xyz", ["Proxy-Authorization: §", '"Authorization":["§"]']),
    ("header", "hunter", ['{\\"Authorization\\": \\"Bearer §\\"}', 'h["Authorization"] = "Bot §"']),
    (
        "cookie",
        "sid=abc; b=c",
        ["Cookie: §", "-H 'cookie: §'", '"Set-Cookie":["§"]', "--cookie '§'"],
    ),
    ("bearer", "abcdefgh1234", ["Bearer §", "with bearer   § x"]),
    ("basic", "Ym9iOmh1bnRlcg==", ["Basic §", '"auths":{"x":{"auth":"§"}}', "basic §, x"]),
    ("aws-secret", "aB/1" * 10, ["aws configure set aws_secret_access_key § --profile x"]),
    ("aws-secret", "/B+1" * 10, ["AWS_SECRET_ACCESS_KEY §"]),
    ("flag", "hunter", ["curl -u bob:§ http://h", "curl -s \\\n -ubob:§", "--proxy-user=bob:§"]),
    ("flag", "hunter", ["mysql -u root -p§ db", "sshpass -p§ ssh h", "sshpass -p '§' ssh h"]),
    (
        "flag",
        "hunter",
        ["docker login -u bob -p § r.io", "unzip -P § a.zip", "redis-cli -a § get x"],
    ),
    ("flag", "hunter", ["openssl rsa -in k -passin pass:§", "http -a bob:§ h.io", "--user bob:§"]),
    ("login", "hunter", ["machine h login bob password §", "login bob\n  password §\n"]),
    ("login", "hunter", ["create role bob with password '§'", "user 'x' IDENTIFIED BY '§'"]),
    ("value", "hunter", ["x --password § y", "--token=§", '--api-key "§"', "-db-password §"]),
    ("value", "hun)t&er", ["DB_PASS=§", "x\nexport API_TOKEN=§\ny"]),
    ("value", "hunter", ['"--token", "§"', '\\"--token\\",\\"§\\"', "-Token '§'"]),
    (
        "value",
        "hunter",
        ['"password": "§"', '\\"password\\":\\"§\\"', '\\\\\\"secret\\\\\\":\\\\\\"§\\\\\\"'],
    ),
    ("value", 'hu\\"nter', ['"password": "§", "b": 1', '{"password":"§","b":1}']),
    ("value", 'hu\\\\\\"nter', ['"{\\"password\\": \\"§\\", \\"b\\": 1}"']),
    ("value", "hunter two", ["password = '§'", "clientSecret: `§`", 'config["token"] = "§"']),
    ("value", "hunter", ["password: §", "  password: §\nuser: bob", "host=h password=§ port=1"]),
    (
        "value",
        "hunter",
        ["Uid=sa;Pwd=§;Db=x", "?user=bob&password=§&x=1", "<password>§</password>"],
    ),
    (
        "value",
        "hunter",
        [
            "--client-secret=§",
            'token: str = "§"',
            'apiKey => "§"',
            'secret := "§"',
            '"api_key": b"§"',
        ],
    ),
    ("value", "hunter22", ["Password: § is it", "x-api-key: §", "SECRET_KEY_BASE=§", "_auth = §"]),
    ("value", "12345678", ["TOKEN=§", "password = §"]),
    ("value", "aB/1" * 10, ["aws_secret_access_key = §", "x AccountKey=§;X=1"]),
]
ROWS = [(kind, key, shape) for kind, key, shapes in SHAPES for shape in shapes]

HARMLESS = """max_tokens: 1240
"input_tokens": 1240, "token_count": 5, "tokenizer": "x"
a password reset page; the secret is out: nobody knows
$TOKEN ${SECRET} "$PASSWORD" --token $TOKEN --token="${TOKEN}" TOKEN=$(cat x) token: {{ token }}
API_KEY=process.env.API_KEY
const apiKey = process.env.API_KEY, token = await getToken(user);
API_KEY = os.environ["API_KEY"]
def get_token(self):
def login(password: str, token: Token | None = None, *, secret: bytes = b"") -> str:
connect(password=password, token=token)
self.token = token
token = next(it); password = getpass.getpass()
if token == "abc": return
class Token(Base): ...
import { token } from "./token1"
token: string;
f(secret=secret or b, token=token if c else d); g("Password: ", x=1); h("token=" + repr(x))
f"Bearer {token}" `Bearer ${token}` "Bearer $TOKEN" "Authorization": "Bearer " + token
--token-count 5 --password-stdin --password-file x --max-token 1240 [--token TOKEN]
usage: x --password <password> --secret PASSWORD
credentials: "include", secrets: inherit, secretName: my-secret
Authorization: only for admins. Bearer authentication and basic authentication.
cookie: string; set a cookie: yes
http://localhost:8080/a?email=a@b.io https://x.io/p?q=1#f //cdn.io/x
git clone git@github.com:a/b.git && scp x user@host:path
docker run -p 8080:80 -u 1000:1000 mysql && mkdir -p foo && cp -a a:b c
grep -r '-----BEGIN RSA PRIVATE KEY-----' src | head
-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----
commit 9b1f0d2c4e6a8b0c2d4e6f8091a2b3c4d5e6f708 of 0b8f3c1e-1111-4222-8333-444455556666
sk-learn-compatible-estimator-check-of-many-things, task-sk-x, xoxo, hf_hub_download
npm_config_registry_of_something_quite_long=1 key: value; primary_key=True; public_key: abc1234
PWD=/home/bob OLDPWD=/tmp pwd: ./x cd "$(pwd)"
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA
%(password)s ${{ secrets.TOKEN }} password=**** token: ... secret=arn:aws:sm:1:x
a.some_quite_long_function_name.another_quite_long_function_name_of_it
""".splitlines()

COMMON, OTHERS = KEYS[::7], [key for at, (_, key) in enumerate(KEYS) if at % 7]
FRAGMENTS = st.sampled_from(
    [key for _, key in COMMON]
    + ["password", "token=", "secret", "api_key", "--token", "-p ", "Authorization: ", "Bearer "]
    + [
        "Cookie: sid=1",
        "://",
        "@",
        "curl",
        " -u a:",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "=",
        " ",
        "'",
        '"',
    ]
    + [
        "\n",
        "\\",
        '\\"',
        "`",
        "$",
        "hunter2",
        "[redacted:",
        "login ",
        "A=",
        "<",
        ">",
        f"BEGIN {P} KEY-----",
    ]
    + [f"-----BEGIN {P} KEY-----", f"-----END {P} KEY-----"]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=6), max_size=30).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@parametrize_all(("kind", "secret", "shape"), ROWS)
def test_a_secret_becomes_its_kind_and_what_stands_around_it_stays(
    kind: str, secret: str, shape: str
) -> None:
    clean = redact(shape.replace("§", secret))
    assert clean == shape.replace("§", f"[redacted:{kind}]")
    assert secret not in clean
    assert redact(clean) == clean


@parametrize_all("text", HARMLESS)
def test_a_harmless_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_every_kind_is_in_the_table_in_two_shapes() -> None:
    shapes = Counter(kind for kind, _, _ in ROWS)
    assert {pattern.kind for pattern in PATTERNS if shapes[pattern.kind] < 2} == set()


def test_every_prefix_of_a_vendor_is_in_the_table() -> None:
    hints = {hint for one in PATTERNS for hint in one.hints if hint[-1] in "_.-"}
    assert {hint for hint in hints if not any(hint in key.lower() for _, key, _ in ROWS)} == set()


def test_a_hint_with_a_separator_stands_before_a_run_as_long_as_promised() -> None:
    for _, key in KEYS:
        hints = [h for p in PATTERNS for h in p.hints if h[-1] in "_-" and h in key.lower()]
        runs = [re.search(rf"{re.escape(hint)}([a-z0-9_-]*)", key.lower()) for hint in hints]
        kept = any(run and len(run[1]) >= RUN for run in runs)
        assert not hints or kept or not ANYWHERE.isdisjoint(hints), key


def repeats(parsed: Any) -> Iterator[tuple[Any, bool]]:
    """Every repetition of a parsed regex, and whether anything comes after it."""
    for at, (op, args) in enumerate(parsed):
        last = at == len(parsed) - 1
        if str(op) == "ATOMIC_GROUP":
            yield from repeats(args)  # nothing behind it makes it give back
            continue
        if str(op) in ("MAX_REPEAT", "MIN_REPEAT"):
            yield args, not last
        for inner in args if isinstance(args, tuple | list) else [args]:
            for one in inner if isinstance(inner, list) else [inner]:
                if isinstance(one, re._parser.SubPattern):
                    yield from ((found, more or not last) for found, more in repeats(one))


@parametrize_all("pattern", PATTERNS, ids=lambda pattern: pattern.kind)
def test_no_pattern_gives_back_a_repetition_without_bound(pattern: Any) -> None:
    # A regex is matched at a place, never searched. So it can take more than linear time only by
    # giving back: an unbounded repetition must be possessive, or the last thing in the regex.
    parsed = re._parser.parse(pattern.regex.pattern, pattern.regex.flags)
    for (_, most, _), more in repeats(parsed):
        assert most <= 4096 or not more, pattern.regex.pattern


@pytest.mark.slow
@pytest.mark.parametrize("hint", sorted({hint for one in PATTERNS for hint in one.hints}))
def test_64_kb_of_nothing_but_hints_takes_no_more_than_linear_time(hint: str) -> None:
    # What is quadratic takes seconds for each of these, and minutes for all: no clock is needed.
    for tail in ("", "=", '="', "a ") if hint[-1] not in "_.-" else ("", "a"):
        text = (hint + tail) * (LIMIT // len(hint + tail))
        assert len(redact(text)) <= 4 * LIMIT


@given(TEXTS, TEXTS, st.sampled_from(OTHERS), st.booleans())
def test_a_known_secret_between_spaces_is_gone_whatever_stands_around_it(
    before: str, after: str, secret: str, env_file: bool
) -> None:
    assert secret not in redact(f"{before} {secret} {after}", env_file=env_file)


@given(TEXTS, st.booleans())
@example("sk-" + A + "sk-" + A, False)
def test_a_redacted_text_stays_as_it_is(text: str, env_file: bool) -> None:
    clean = redact(text, env_file=env_file)
    assert redact(clean, env_file=env_file) == clean


@given(st.dictionaries(TEXTS, VALUES))
@example({"ghp_" + A + "-PWD": 1, "token=": None, "sk-" + A: None, "'": "'"})
@example({"password": -10, "": ["--token"]})
def test_a_json_text_stays_one(value: Any) -> None:
    clean = redact(json.dumps(value))
    assert isinstance(json.loads(clean), dict)
    assert redact(clean) == clean


HEX = st.text("0123456789abcdef", min_size=63, max_size=65)


@given(TEXTS, VALUES, HEX, st.sampled_from(OTHERS), st.booleans())
def test_members_of_an_answer_change_nothing_about_what_is_redacted(
    reason: str, value: Any, digest: str, secret: str, leaks: bool
) -> None:
    told = f"{reason} {secret}" if leaks else reason
    output = {"hookSpecificOutput": {"permissionDecisionReason": told, "updatedInput": value}}
    told_of = {"opinions": [{"call": {"key": digest, "text": told}, "reason": reason}]}
    for answer in (output, told_of, output | told_of | {"key": digest, "value": told}):
        for text in (json.dumps(answer), json.dumps(answer, separators=(",", ":"))):
            assert json.loads(redact_json(text)) == json.loads(record(answer).text)


@given(VALUES, st.sampled_from(OTHERS))
def test_a_record_is_json_without_the_secret_and_recording_it_again_changes_nothing(
    value: Any, secret: str
) -> None:
    kept = record({"a": value, f"b {secret}": [{"c": f"x {secret} y"}, secret]})
    assert secret not in kept.text
    assert kept.sha256 is None
    assert record(json.loads(kept.text)).text == kept.text


def test_a_harmless_payload_is_kept_as_it_is() -> None:
    payload = {"tool_name": "Edit", "tool_input": {"old_string": "a\u2028é", "n": [1, 2.5, None]}}
    assert json.loads(record(payload).text) == payload
    assert record(payload).sha256 is None


def test_a_key_that_names_a_secret_loses_its_text_and_its_number_but_nothing_else() -> None:
    gone = {"password": "x", "apiKey": 12, "DB_PASS": 1.5, "Cookie": ["a", "b"], "x-api-key": "q"}
    kept = {"token": None, "secret": True, "token_count": 5, "password": {"hint": "x"}, "key": "v"}
    pairs = [{"name": "MY_SECRET", "value": "x"}, {"name": "HOME", "value": "x"}]
    clean = json.loads(record({"a": gone, "b": kept, "c": pairs, "password": ""}).text)
    mark = "[redacted:value]"
    assert clean["a"] == dict.fromkeys(gone, mark) | {"Cookie": [mark, mark]}
    assert clean["b"] == kept
    assert clean["c"] == [{"name": "MY_SECRET", "value": mark}, {"name": "HOME", "value": "x"}]
    assert clean["password"] == ""


def test_an_argument_behind_a_flag_that_names_a_secret_is_gone() -> None:
    args = ["-y", "--api-key", "hunter", "--port", "80"]
    assert json.loads(record({"args": args}).text)["args"][2] == "[redacted:value]"
    assert json.loads(record({"args": args}).text)["args"][3:] == ["--port", "80"]


ENV = "# a comment\nA=1\n  export B = two words # x\nC='x\ny'\nD=\"q\nr\"\n\nE=\nF: x"
CLEAN = "# a comment\nA=§\n  export B = §\nC=§\nD=§\n\nE=\nF: x".replace("§", "[redacted:env]")


@parametrize_all(
    "inputs",
    [
        {"file_path": "/x/.env"},
        {"file_path": "C:\\x\\prod.env"},
        {"file_path": ".env.production.local"},
        {"command": "cat .env | sort"},
        {"command": "grep -r . --include=.env* ; ls"},
        {"path": "/x/.envrc"},
    ],
)
def test_a_payload_about_an_env_file_loses_every_value(inputs: dict[str, str]) -> None:
    kept = record({"tool_input": inputs, "tool_response": {"file": {"content": ENV}}}).text
    assert json.loads(kept) == {"tool_input": inputs, "tool_response": {"file": {"content": CLEAN}}}


@parametrize_all("line", ["    12→A=§", "12\tA=§", "+A=§", ".env:A=§", "x/.env:3:A=§", "#A=§"])
def test_a_listing_of_an_env_file_loses_its_values_too(line: str) -> None:
    clean = redact(line.replace("§", "some thing"), env_file=True)
    assert clean == line.replace("§", "[redacted:env]")


def test_a_command_that_writes_an_env_file_loses_the_values_in_it() -> None:
    command = "echo A=hunter >> .env; printf 'B=\"x y\"' >> .env"
    kept = json.loads(record({"tool_input": {"command": command}}).text)["tool_input"]["command"]
    assert kept == "echo A=[redacted:env] >> .env; printf 'B=[redacted:env]' >> .env"


@parametrize_all(
    "inputs",
    [
        {"command": "node -e 'process.env.X'"},
        {"file_path": "/x/.env.example"},
        {"file_path": "/x/.env/lib.py"},
        {"content": "copy the .env"},
        {"command": "ls .environment"},
    ],
)
def test_what_only_looks_like_an_env_file_keeps_its_values(inputs: dict[str, str]) -> None:
    assert "A=1\\n" in record({"tool_input": inputs, "tool_response": ENV}).text


def test_a_payload_that_is_too_large_is_cut_and_the_hash_is_of_the_whole() -> None:
    payload = {"a": "x" * 50_000, "b": ["y" * 50_000, "z"], "c": 1}
    kept = record(payload)
    assert LIMIT - 100 < len(kept.text) < LIMIT + 100
    assert json.loads(kept.text)["b"][0].endswith("y[cut by hookd: 50000 characters in all]")
    assert kept.sha256 == sha256(json.dumps(payload, separators=(",", ":")).encode()).hexdigest()
    assert record(payload, whole=b"raw").sha256 == sha256(b"raw").hexdigest()


@pytest.mark.parametrize(
    "text", ["\x01", '"', "é", "漢", "😀", "\\", "ab\x02", "--token abc1 ", "A=b\n"]
)
@pytest.mark.parametrize("shape", [lambda t: t, lambda t: [t[:50]] * 9_999, lambda t: {t: t}])
def test_no_payload_becomes_more_than_the_limit(text: str, shape: Any) -> None:
    kept = record({"tool_input": {"command": "cat .env"}, "x": shape(text * 100_000)})
    assert json.loads(kept.text)
    assert len(kept.text) < LIMIT + 200
    assert kept.sha256 is not None


@given(st.integers(-60, 20), st.sampled_from(["sk-ant-" + A, JWT, "ghp_" + A]), st.booleans())
@settings(max_examples=30)
def test_a_secret_astride_the_cut_is_never_half_visible(at: int, secret: str, shrunk: bool) -> None:
    # What is redacted before the cut is shorter afterwards, which moves the cut towards the secret.
    text = ("ghp_" + "b2" * 100 + " ") * 50 if shrunk else ""
    text += "y " * ((LIMIT - len(text) + at) // 2) + secret
    for more in ("", " z" * 5_000, "\n" + secret):
        assert secret[4:12] not in record({"a": text + more}).text


@parametrize_all("past", [-3, 40, 8_150, 8_191, 8_192])
def test_a_secret_at_the_end_of_what_is_read_is_never_half_visible(past: int) -> None:
    text = "ghp_" + "b2" * 6_000 + " " + "y " * ((LIMIT + past - 12_005) // 2) + "sk-ant-" + A * 9
    assert A[:8] not in record({"a": text + " z" * 9_000}).text


def test_what_lies_too_deep_is_cut() -> None:
    deep: Any = "ghp_" + A
    for _ in range(500):
        deep = {"a": [deep]}
    kept = record(deep, whole=b"x")
    assert "cut by hookd: deeper than 100 levels" in kept.text
    assert kept.sha256 == sha256(b"x").hexdigest()


def test_a_lone_surrogate_does_no_harm() -> None:
    assert json.loads(record({"a": "x\ud800y", "\udfff": 1}).text) == {"a": "x?y", "?": 1}
    assert redact("token=abc123 \ud800") == "token=[redacted:value] \ud800"
    assert (
        redact('{"token": "abc123", "b": "\ud800"') == '{"token": "[redacted:value]", "b": "\ud800"'
    )


@parametrize_all("payload", [None, 5, "x", [], {}, [1], {"tool_input": 5}])
def test_any_value_can_be_recorded(payload: Any) -> None:
    assert json.loads(record(payload).text) == payload


def test_marks_that_are_longer_than_their_secrets_do_not_break_the_limit() -> None:
    payload = {"a": ["\x01" * 50] * 90 + ["token=ab1"] * 3_000}
    assert len(json.dumps(payload, separators=(",", ":"))) < LIMIT
    assert len(record(payload).text) < LIMIT + 200
