"""Home of the programs that read files, and of what is shown of the secrets among them."""

import re
from collections.abc import Iterator, Mapping

from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.secrets.harmless import looks_for_usual, names_only
from hookd.risk.secrets.names import ENVIRONMENT
from hookd.risk.secrets.operands import operands, searched
from hookd.risk.secrets.paths import Secret, glob_may_name, in_project, may_name, named, within
from hookd.risk.secrets.senders import ASK_USER, REMOTE, sent
from hookd.risk.subcommands import joined
from hookd.shell.argv import Item
from hookd.shell.quoting import names

_ENV_WAY = (
    "Names without values are shown by `cut -d= -f1 {path}`; .env.example tells what is expected."
)

SHOWING = names(
    "cat tac nl less more most head tail bat batcat view vim vi nvim nano pico emacs ed ex micro od"
    " xxd hexdump hd hexyl strings base64 gbase64 base32 basenc uuencode sort gsort uniq paste join"
    " comm fold fmt expand unexpand pr rev column csplit split iconv shuf xclip wl-copy pygmentize"
    " highlight glow ccat lolcat zcat gzcat bzcat xzcat zstdcat zless zmore gzip bzip2 xz zstd lz4"
    " zip 7z 7za 7zz rar cpio pax diff sdiff colordiff vimdiff delta difft jc xmllint plutil"
    " sqlite3 look m4 code-minimap pv ptx tsort lynx w3m elinks pandoc cpp gcat ghead gtail age"
    " csvlook tar gtar bsdtar cut gcut"
)
MATCHING = names(
    "grep egrep fgrep zgrep ggrep rg ripgrep ag ack ugrep pcregrep sed gsed awk gawk mawk nawk jq"
    " yq gojq jaq dasel perl ruby"
)
COPYING = names("cp gcp mv gmv ln gln install ginstall rsync scp")
_TAR = names("tar gtar bsdtar")
_QUOTING = names("sed gsed awk gawk mawk nawk")
_RECURSING = names("rg ripgrep ag ack ugrep")
_SED_READS = re.compile(r"(?:^|[\s;{}\d$/,])[rR]\s*([^\s;{}]{1,400})")
_TEXT = re.compile(r"\"([^\"\s]{1,400})\"")
_OPENSSL = names("pkey rsa ec dsa pkcs8 pkcs12 enc base64 asn1parse")


def way(found: Secret) -> str:
    """Return the sentence with what can be done instead of reading a secret."""
    return _ENV_WAY.format(path=found.said) if found.what == ENVIRONMENT else ASK_USER


def reading(call: CommandCall, found: Secret) -> Risk:
    """Return the danger of reading a secret."""
    return _danger(call, found, f"reads {found.said}, {found.what}", way(found))


def _danger(call: CommandCall, found: Secret, why: str, instead: str) -> Risk:
    return Risk("secrets", found.weight, why, instead, command=call.text)


def first(call: CommandCall, items: tuple[Item, ...]) -> Secret | None:
    """Return the first secret, or folder that holds one, of those that words name."""
    return next(filter(None, (within(item, call.context) for item in items)), None)


def _shows(call: CommandCall) -> Iterator[Risk]:
    if not names_only(call) and (found := first(call, operands(call))):
        yield reading(call, found)


def _matches(call: CommandCall) -> Iterator[Risk]:
    if names_only(call) or _edits(call):
        return
    files, everything = searched(call), _recurses(call) and not call.command.piped_input
    found = first(call, files or ((Item(".", 0),) if everything else ()))
    for item in call.values("-g", "--glob", "--iglob", "--include") if everything else ():
        found = found or (None if item.text[:1] == "!" else glob_may_name(item.text, call.context))
    if found and not (found.what == ENVIRONMENT and looks_for_usual(call)):
        yield reading(call, found)


def _quoted_in(call: CommandCall) -> Iterator[Risk]:
    """A program of sed or awk may name the files that it reads."""
    sed = call.program in ("sed", "gsed")
    pattern = _SED_READS if sed else _TEXT
    texts = [item.text for item in call.items if sed or "getline" in item.text]
    named_in = [path for text in texts for path in pattern.findall(text)[:64]]
    if not sed:
        named_in += [item.text for item in call.values("-f", "--file")]
        named_in += [item.text.partition("=")[2] for item in call.values("-v", "--assign")]
    found = next(filter(None, (may_name(path, call.context) for path in named_in if path)), None)
    if found:
        yield reading(call, found)


def _recurses(call: CommandCall) -> bool:
    """Whether a program goes through folders."""
    if call.program in _RECURSING:
        return not call.has("--files", "--version", "--type-list")
    greps = call.program in ("grep", "egrep", "fgrep", "ggrep", "zgrep")
    return greps and call.has("-r", "-R", "--recursive", "--dereference-recursive")


def _edits(call: CommandCall) -> bool:
    inplace = any(flag.startswith(("-i", "--in-place")) for flag, _ in call.words.flags)
    return call.program in ("sed", "gsed", "perl", "ruby", "yq") and inplace


def _archives(call: CommandCall) -> Iterator[Risk]:
    """Put files into an archive: from the folder that -C names, where there is one."""
    first_word = next(iter(call.command.words[1:]), "")
    letters = "".join((first_word, *(flag for flag, _ in call.words.flags if flag[:2] != "--")))
    if not set(letters) & set("cruA") and not call.has("--create", "--append", "--update"):
        return
    items = (*operands(call), *call.values("-C", "--directory"))
    if found := first(call, items):
        yield reading(call, found)


def _copies(call: CommandCall) -> Iterator[Risk]:
    items = operands(call)
    into = any(flag.startswith(("-t", "--target-directory")) for flag, _ in call.words.flags)
    sources, target = (items, None) if into else (items[:-1], items[-1] if items else None)
    found = first(call, sources)
    if found is None:
        return
    if target is not None and REMOTE.match(target.text):
        yield sent(call, found)
    elif target is None or not (_keeps(call, target, found) or _moves(call, (*sources, target))):
        yield _danger(call, found, f"copies {found.said}, {found.what}", ASK_USER)


def _moves(call: CommandCall, items: tuple[Item, ...]) -> bool:
    """Whether files are moved from one place of the project to another."""
    return call.program in ("mv", "gmv") and all(in_project(one, call.context) for one in items)


def _keeps(call: CommandCall, target: Item, found: Secret) -> bool:
    """Whether a copy is known to be as secret as what it is made of."""
    kept = named(target, call.context)
    return kept is not None and (kept.weight == "deny" or found.weight == "ask")


def _dd(call: CommandCall) -> Iterator[Risk]:
    for item in call.items:
        if item.text.startswith("if=") and (found := may_name(item.text[3:], call.context)):
            yield reading(call, found)


def _openssl(call: CommandCall) -> Iterator[Risk]:
    hidden = call.has("-noout", "-pubout") and not call.has("-text")
    if call.verb in _OPENSSL and not hidden:
        for flag, place in call.words.flags:
            for item in call.items:
                if flag == "-in" and item.place == place + 1 and (f := named(item, call.context)):
                    yield reading(call, f)


def _gpg(call: CommandCall) -> Iterator[Risk]:
    if any("-export-secret" in flag for flag, _ in call.words.flags):
        why = "exports secret keys"
        yield Risk("secrets", "deny", why, ASK_USER, command=call.text)
    elif call.has("-d", "--decrypt") and (found := first(call, call.items)):
        yield reading(call, found)


def _sources(call: CommandCall) -> Iterator[Risk]:
    """To source an environment file is what it is for, and shows nothing."""
    found = first(call, call.items[:1])
    if found and found.what != ENVIRONMENT:
        yield reading(call, found)


def _git(call: CommandCall) -> Iterator[Risk]:
    if call.verb in ("add", "stage") and (found := first(call, call.items[1:])):
        why = f"adds {found.said}, {found.what}, to what is committed"
        yield _danger(call, found, why, "Where it is named in .gitignore, it stays out.")
    elif call.verb in ("show", "cat-file", "diff", "log", "blame", "annotate", "grep", "archive"):
        quiet = call.has("--stat", "--name-only", "--name-status", "--oneline", "--shortstat")
        shown = call.has("-p", "--patch", "-u") or call.verb != "log"
        parts = (item.text.rpartition(":")[2] for item in call.items[1:])
        found = next(filter(None, (may_name(part, call.context) for part in parts)), None)
        if found and shown and not quiet:
            yield reading(call, found)


def _rules() -> Iterator[tuple[frozenset[str], RiskRule]]:
    yield SHOWING - _TAR, _shows
    yield _TAR, _archives
    yield MATCHING - _QUOTING, _matches
    yield _QUOTING, joined(_matches, _quoted_in)
    yield COPYING, _copies
    yield names("dd"), _dd
    yield names("openssl"), _openssl
    yield names("gpg gpg2"), _gpg
    yield names("source ."), _sources
    yield names("git"), _git


READS: Mapping[str, RiskRule] = {name: rule for programs, rule in _rules() for name in programs}
"""By program: the secrets that it reads or sends."""
