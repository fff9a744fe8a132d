"""Tokens of vendors: each documented form is replaced as a whole; what resembles one is kept."""

import base64
import random
import re
from hashlib import sha1, sha256, sha512
from string import ascii_lowercase
from typing import Any
from uuid import UUID

import pytest

from hookd.redaction.redact import redact
from hookd.redaction.token_forms import FORMS
from redaction.token_facts import OUTSIDE, ROWS, body
from support.parametrize import parametrize_all

pytestmark = pytest.mark.usefixtures("engine")

PLACES = {
    "alone": "§",
    "a sentence": "the one § of today",
    "a URL": "curl 'https://api.example.com/v1/users?page=2&t=§&sort=asc'",
    "a path": "https://example.com/hooks/§?x=1",
    "JSON": '{"id":12,"value":"§","next":[1,2]}',
    "JSON in a text": 'body = "{\\"v\\":\\"§\\",\\"w\\":2}"',
    "a header": "GET / HTTP/1.1\r\nX-Vendor: §\r\nAccept: */*\r\n",
    "an assignment": "export V=§ && make deploy",
    "an assignment in quotes": "V='§' ./run.sh --fast",
    "a line of .env": "HOST=db.example.com\nV=§\nPORT=5432\n",
    "YAML": "env:\n  - name: V\n    value: §\n  - name: W\n",
    "a flag": "tool --with §, --more",
    "a list": "[§,§;§]",
    "a colour": "\x1b[32m§\x1b[0m",
}
WORDS = [
    "module",
    "handler",
    "create",
    "reference",
    "with",
    "final",
    "client",
    "session",
    "value",
    "config",
    "manager",
]
CHANCE = random.Random(11)


def replaced(text: str, kind: str) -> str:
    return text.replace("§", f"[redacted:{kind}]")


@parametrize_all(("vendor", "kind", "prefix", "shape"), ROWS)
def test_a_token_is_replaced_as_a_whole_wherever_it_stands(
    vendor: str, kind: str, prefix: str, shape: str
) -> None:
    for name, place in PLACES.items():
        if name == "a path" and prefix in ("AKCp", "oy2", "EAA", "EAAA", "ABSK"):
            continue
        token = prefix + body(shape, CHANCE)
        assert redact(place.replace("§", token)) == replaced(place, kind), (vendor, name)


@parametrize_all(("vendor", "kind", "prefix", "shape"), ROWS)
def test_what_is_too_short_or_of_another_alphabet_is_kept(
    vendor: str, kind: str, prefix: str, shape: str
) -> None:
    made = body(shape, CHANCE)
    literal = re.match(r"'([^']*)'", shape)
    start = len(literal[1]) if literal else 0
    alphabet = shape[len(literal[0]) :].strip()[0] if literal else shape[0]
    inner = start + 4
    for text in (
        prefix,
        prefix + made[:8],
        prefix + made[:inner] + OUTSIDE[alphabet] + made[inner : inner + 6],
        prefix + "…" + made,
        f"{prefix}<your-token-here>",
        f"${{{prefix}}}",
    ):
        assert redact(f"x {text} y") == f"x {text} y", (vendor, text)


@parametrize_all(("vendor", "kind", "prefix", "shape"), ROWS)
def test_a_token_that_was_cut_is_replaced_too(
    vendor: str, kind: str, prefix: str, shape: str
) -> None:
    exact = {"live_", "secret_", "sha256~", "aio_", "oy2", "akab-", "ico-", "cu_", "fc-", "QN_"}
    exact |= {"SK", "dapi", "AKIA", "ASIA", "sdk-", "A3-", "EAAA", "xaat-", "xapt-", "pk_"}
    if prefix in exact or "g1" in shape:
        return
    made = prefix + body(shape, CHANCE)
    kept = made[: -max(1, len(made) // 30)].rstrip("_-+/=.")
    assert redact(f"x {kept} y") == replaced("x § y", kind), vendor


def test_each_prefix_of_each_vendor_has_an_example_and_the_reverse() -> None:
    forms = {prefix for form in FORMS for prefix in form.prefixes.split()}
    assert forms == {prefix for _, _, prefix, _ in ROWS}
    assert {form.kind for form in FORMS} == {kind for _, kind, _, _ in ROWS}
    assert len(FORMS) > 150


def hashes() -> list[str]:
    """Return lines with hashes of every length, in hexadecimal and in base64."""
    lines = []
    for number in range(300):
        seed = str(number).encode()
        lines += [sha1(seed).hexdigest(), sha256(seed).hexdigest(), sha512(seed).hexdigest()]
        lines.append(base64.b64encode(sha256(seed).digest()).decode())
        lines.append(base64.b64encode(sha512(seed).digest()).decode())
        lines.append(base64.urlsafe_b64encode(sha512(seed).digest()).decode())
    return lines


def lockfiles() -> list[str]:
    """Return what package managers write beside the names of packages."""
    lines = []
    for number in range(200):
        seed = str(number).encode()
        hex64, wide = sha256(seed).hexdigest(), base64.b64encode(sha512(seed).digest()).decode()
        name = "-".join(CHANCE.choices(WORDS, k=3))
        lines += [
            f'      "resolved": "https://registry.npmjs.org/@types/{name}/-/{name}-1.{number}.0.tgz",',
            f'      "integrity": "sha512-{wide}",',
            f"  /@scope/{name}@2.{number}.1(react@18.2.0):",
            f"    resolution: {{integrity: sha512-{wide}}}",
            f'name = "{name}"\nversion = "0.{number}.3"\nchecksum = "{hex64}"',
            f'    {{file = "{name}-1.0-py3-none-any.whl", hash = "sha256:{hex64}"}},',
            f"{name}==1.0.{number} --hash=sha256:{hex64}",
            f"github.com/example/{name} v0.0.0-20240102030405-{hex64[:12]} h1:{wide[:43]}=",
            f'"{name}@npm:^1.{number}.0":\n  checksum: 10c0/{sha512(seed).hexdigest()}',
            f"    sha256: {hex64}\n  dependency_overrides:",
            f'  "{name}": {{"hashes": ["sha256:{hex64}"], "index": "pypi"}}',
            f"{name} (1.{number}.0) sha256={hex64}",
        ]
    return lines


def images() -> list[str]:
    """Return binary data in base64: random, full of zeros, and in lines as in a mail."""
    kinds = {"png": b"\x89PNG\r\n", "jpeg": b"\xff\xd8\xff", "gif": b"GIF89a", "woff2": b"wOF2"}
    lines = []
    for kind, magic in kinds.items():
        for density in (256, 16, 2):
            data = magic + bytes(CHANCE.randrange(density) for _ in range(9_000))
            lines.append(f"data:image/{kind};base64,{base64.b64encode(data).decode()}")
            lines.append(base64.encodebytes(data).decode())
            lines.append(base64.urlsafe_b64encode(data).decode())
    return lines


def minified() -> list[str]:
    """Return code as a bundler writes it."""
    letters = ascii_lowercase + ascii_lowercase.upper() + "_$"
    lines = []
    for _ in range(60):
        names = ["".join(CHANCE.choices(letters, k=CHANCE.randrange(1, 4))) for _ in range(80)]
        fours = [names[at : at + 4] for at in range(0, 80, 4)]
        calls = [f"{a}.{b}.{c}({d},{a}[{len(b)}])" for a, b, c, d in fours]
        lines.append(f"!function(e,t){{{';'.join(calls)}}}(this,{len(lines)});")
    return lines


LOOSE = (
    *("sk-", "gsk_", "hf_", "api_org_", "pplx-", "r8_", "xai-", "gh", "github_pat_", "gl", "npm_"),
    *("ATATT3", "ATCTT3", "ATSTT3", "PMAK-", "cfk_", "cfut_", "cfat_", "ya29.", "1//0", "GOCSPX-"),
    *("AIza", "HRKU-", "nfp_", "dp.", "hvs.", "hvb.", "hvr.", "pscale_", "NRAK-", "sk_live_"),
    *("sk_test_", "rk_live_", "rk_test_", "whsec_", "lin_", "ntn_", "xox", "xapp-", "xwfp-"),
)
"""Prefixes of which no name in code is known: what follows them needs no digit to be a token."""


@parametrize_all(("vendor", "kind", "prefix", "shape"), ROWS)
def test_a_name_in_code_that_begins_like_a_token_is_kept(
    vendor: str, kind: str, prefix: str, shape: str
) -> None:
    if prefix.startswith(LOOSE):
        return
    for name in ("_".join(WORDS), "-".join(WORDS), "".join(map(str.title, WORDS))):
        assert redact(f"{prefix}{name}(x)") == f"{prefix}{name}(x)", (vendor, kind, shape)


@pytest.mark.parametrize(
    "made", [hashes, lockfiles, images, minified], ids=lambda made: made.__name__
)
def test_what_programs_write_is_kept(made: Any) -> None:
    lines = made()
    assert [line[:200] for line in lines if redact(line) != line] == []
    whole = "\n".join(lines)
    assert redact(whole) == whole


def test_uuids_are_kept() -> None:
    lines = [str(UUID(int=CHANCE.getrandbits(128))) for _ in range(3_000)]
    assert redact("\n".join(lines)) == "\n".join(lines)
    assert redact(" ".join(lines)) == " ".join(lines)
