"""Home of the programs that read files: which words are files, and what is shown of them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from hookd.core.danger.entry import Call, Danger, Rule
from hookd.core.danger.secret_files import ENVIRONMENT, Secret, may_name, named
from hookd.core.danger.secret_sends import ASK_USER, REMOTE, sent
from hookd.core.shell.escapes import names
from hookd.core.shell.flags import Item

_ENV_WAY = (
    "Names without values are shown by `cut -d= -f1 {path}`; .env.example tells what is expected."
)

SHOWING = names(
    "cat tac nl less more most head tail bat batcat view vim vi nvim nano pico emacs ed ex micro od"
    " xxd hexdump hd hexyl strings base64 gbase64 base32 basenc uuencode sort gsort uniq paste join"
    " comm fold fmt expand unexpand pr rev column csplit split iconv shuf xclip wl-copy pygmentize"
    " highlight glow ccat lolcat zcat gzcat bzcat xzcat zstdcat zless zmore gzip bzip2 xz zstd lz4"
    " zip 7z 7za 7zz rar cpio pax diff sdiff colordiff vimdiff delta difft jc xmllint plutil"
    " sqlite3 look m4 code-minimap gcat ghead gtail age csvlook tar gtar bsdtar cut gcut"
)
_MATCHING = names(
    "grep egrep fgrep zgrep ggrep rg ripgrep ag ack ugrep pcregrep sed gsed awk gawk mawk nawk jq"
    " yq gojq jaq dasel perl ruby"
)
_COPYING = names("cp gcp mv gmv ln gln install ginstall rsync scp")
_NAMING = names("find gfind fd fdfind ls echo printf grep rg locate git")
"""Programs whose output may be names of files that stand among their own words."""

_COUNTING = ("-c", "--count", "-q", "--quiet", "--silent", "-l", "--files-with-matches", "-L")

_VALUED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(names("head tail ghead gtail"), names("-n -c --lines --bytes")),
    **dict.fromkeys(names("cut gcut"), names("-d -f -c -b --delimiter --fields")),
    **dict.fromkeys(names("sort gsort"), names("-k -t -o -S -T --key --output")),
    **dict.fromkeys(names("tar gtar bsdtar"), names("-f -X -C --file --exclude --directory")),
    **dict.fromkeys(
        names("grep egrep fgrep zgrep ggrep pcregrep"),
        names(
            "-e -f -A -B -C -m -D -d --regexp --file --include --exclude --exclude-dir --context"
            " --max-count --after-context --before-context --label"
        ),
    ),
    **dict.fromkeys(
        names("rg ripgrep ag ack ugrep"),
        names(
            "-e -f -A -B -C -m -g -t -T -r --regexp --file --glob --iglob --type --type-not"
            " --replace --context --max-count --ignore --ignore-dir --include --exclude"
        ),
    ),
    **dict.fromkeys(names("sed gsed"), names("-e -f -l --expression --file")),
    **dict.fromkeys(names("awk gawk mawk nawk"), names("-F -v -f --file --assign -e -i")),
    **dict.fromkeys(names("jq gojq jaq yq dasel"), names("-f --from-file --indent -o -p")),
    **dict.fromkeys(names("perl ruby"), names("-e -E -I -r -C")),
    **dict.fromkeys(names("zip 7z 7za"), names("-x -i")),
    **dict.fromkeys(names("install ginstall"), names("-m -o -g --mode --owner --group")),
    **dict.fromkeys(names("rsync"), names("-e -f --rsh --exclude --include --filter --files-from")),
    **dict.fromkeys(names("scp"), names("-i -P -F -J -c -l -o -S")),
    **dict.fromkeys(names("base64 base32 basenc fold fmt"), names("-w")),
    **dict.fromkeys(names("xxd"), names("-l -s -c -g -o")),
    **dict.fromkeys(names("od hexdump hd"), names("-N -j -n -s -A -t -e")),
}
_PROGRAM_IN_FLAG = names("--regexp --expression --file --from-file")
_OPENSSL = names("pkey rsa ec dsa pkcs8 pkcs12 enc base64 asn1parse")


def reading(call: Call, found: Secret) -> Danger:
    """Return the danger of reading a secret."""
    way = _ENV_WAY.format(path=found.path) if found.what == ENVIRONMENT else ASK_USER
    return _danger(call, found, f"reads {found.path}, {found.what}", way)


def _danger(call: Call, found: Secret, why: str, way: str) -> Danger:
    return Danger("secrets", found.weight, why, way, command=call.text)


def operands(call: Call) -> tuple[Item, ...]:
    """Return the words that are neither flags nor values of flags."""
    valued = _VALUED.get(call.program, frozenset())
    values = {
        place + 1
        for flag, place in call.words.flags
        if flag in valued or (not flag.startswith("--") and f"-{flag[-1]}" in valued)
    }
    return tuple(item for item in call.items if item.place not in values)


def _first(call: Call, items: tuple[Item, ...]) -> Secret | None:
    return next(filter(None, (named(item, call.place) for item in items)), None)


def _shows(call: Call) -> Iterator[Danger]:
    if not names_only(call) and (found := _first(call, operands(call))):
        yield reading(call, found)


def _matches(call: Call) -> Iterator[Danger]:
    """A program or a pattern stands before the files, unless a flag brings it."""
    if names_only(call) or _edits(call):
        return
    letters = "eE" if call.program in ("perl", "ruby") else "ef"
    given = any(
        flag in _PROGRAM_IN_FLAG or (flag[:2] != "--" and flag[-1] in letters)
        for flag, _ in _flags(call)
    )
    if found := _first(call, operands(call)[0 if given else 1 :]):
        yield reading(call, found)


def _edits(call: Call) -> bool:
    inplace = any(flag.startswith(("-i", "--in-place")) for flag, _ in _flags(call))
    return call.program in ("sed", "gsed", "perl", "ruby", "yq") and inplace


def _flags(call: Call) -> tuple[tuple[str, int], ...]:
    return call.words.flags


def names_only(call: Call) -> bool:
    """Whether the program shows no more of its input than the names of variables, or counts it."""
    words = call.command.words
    if call.program in ("cut", "gcut"):
        text = " ".join(words[1:])
        return re.fullmatch(r"(?:-d ?=|-f ?1|-s| |[^ =-][^ ]*)+", text) is not None and (
            re.search(r"-d ?=(?: |$)", text) is not None
            and re.search(r"-f ?1(?: |$)", text) is not None
        )
    if call.program in ("awk", "gawk", "mawk", "nawk"):
        return call.has("-F=") and any(
            re.fullmatch(r"\{ ?print \$1;? ?\}", word) for word in words[1:]
        )
    if call.program in ("sed", "gsed"):
        program = next((item.text for item in call.items), "")
        return re.fullmatch(r"s([/|#,])=\.\*\$?\1(?:=?[*.x<>A-Z]*)\1g?", program) is not None
    if call.program in ("grep", "egrep", "fgrep", "rg", "ag", "ugrep", "zgrep"):
        return call.has(*_COUNTING)
    if call.program in ("diff", "comm"):
        return call.has("-q", "--brief")
    return call.program in ("wc", "sha256sum", "sha1sum", "md5sum", "cksum", "cmp")


def _copies(call: Call) -> Iterator[Danger]:
    items = operands(call)
    into = any(flag.startswith(("-t", "--target-directory")) for flag, _ in _flags(call))
    sources, target = (items, None) if into else (items[:-1], items[-1] if items else None)
    found = _first(call, sources)
    if found is None:
        return
    if target is not None and REMOTE.match(target.text):
        yield sent(call, found)
    elif target is None or not _keeps(call, target, found):
        yield _danger(call, found, f"copies {found.path}, {found.what}", ASK_USER)


def _keeps(call: Call, target: Item, found: Secret) -> bool:
    """Whether a copy is known to be as secret as what it is made of."""
    kept = named(target, call.place)
    return kept is not None and (kept.weight == "deny" or found.weight == "ask")


def _dd(call: Call) -> Iterator[Danger]:
    for item in call.items:
        if item.text.startswith("if=") and (found := may_name(item.text[3:], call.place)):
            yield reading(call, found)


def _openssl(call: Call) -> Iterator[Danger]:
    hidden = call.has("-noout", "-pubout") and not call.has("-text")
    if call.verb in _OPENSSL and not hidden:
        for flag, place in call.words.flags:
            for item in call.items:
                if flag == "-in" and item.place == place + 1 and (f := named(item, call.place)):
                    yield reading(call, f)


def _gpg(call: Call) -> Iterator[Danger]:
    if any("-export-secret" in flag for flag, _ in _flags(call)):
        why = "exports secret keys"
        yield Danger("secrets", "deny", why, ASK_USER, command=call.text)
    elif call.has("-d", "--decrypt") and (found := _first(call, call.items)):
        yield reading(call, found)


def _sources(call: Call) -> Iterator[Danger]:
    """To source an environment file is what it is for, and shows nothing."""
    found = _first(call, call.items[:1])
    if found and found.what != ENVIRONMENT:
        yield reading(call, found)


def _git(call: Call) -> Iterator[Danger]:
    if call.verb in ("add", "stage") and (found := _first(call, call.items[1:])):
        why = f"adds {found.path}, {found.what}, to what is committed"
        yield _danger(call, found, why, "Where it is named in .gitignore, it stays out.")
    elif call.verb in ("show", "cat-file", "diff", "log", "blame", "annotate", "grep", "archive"):
        quiet = call.has("--stat", "--name-only", "--name-status", "--oneline", "--shortstat")
        shown = call.has("-p", "--patch", "-u") or call.verb != "log"
        parts = (item.text.rpartition(":")[2] for item in call.items[1:])
        found = next(filter(None, (may_name(part, call.place) for part in parts)), None)
        if found and shown and not quiet:
            yield reading(call, found)


def _find(call: Call) -> Iterator[Danger]:
    """What find names is read where it starts a program that reads."""
    words = call.command.words
    runs = {after for word, after in pairwise(words) if word[:5] in ("-exec", "-ok")}
    if not {one.rpartition("/")[2] for one in runs} & (SHOWING | _MATCHING | _COPYING):
        return
    tests = names("-name -iname -path -ipath -wholename -iwholename")
    for word, after in pairwise(words):
        if word in tests and (found := may_name(after, call.place)):
            yield reading(call, found)
            return


def _lists(call: Call) -> Iterator[Danger]:
    """The words of a file become the words of a command, which xargs shows where it is told to."""
    if found := _first(call, call.values("-a", "--arg-file")):
        yield reading(call, found)


def handed(calls: tuple[Call, ...]) -> Iterator[Danger]:
    """Yield the secrets whose names are handed to xargs, which runs what reads them."""
    reader = next((call for call in calls if _by_xargs(call)), None)
    for call in calls if reader is not None else ():
        if call.program not in _NAMING:
            continue
        listed = (may_name(item.text, call.place) for item in call.items)
        if found := next(filter(None, listed), None):
            yield replace(reading(call, found), command=reader.text if reader else "")


def _by_xargs(call: Call) -> bool:
    by = bool({"xargs", "gxargs", "parallel"} & set(call.command.through[-1:]))
    return by and call.program in SHOWING | _MATCHING | _COPYING and not names_only(call)


def _rules() -> Iterator[tuple[frozenset[str], Rule]]:
    yield SHOWING, _shows
    yield _MATCHING, _matches
    yield _COPYING, _copies
    yield names("dd"), _dd
    yield names("openssl"), _openssl
    yield names("gpg gpg2"), _gpg
    yield names("source ."), _sources
    yield names("git"), _git
    yield names("find gfind"), _find
    yield names("xargs gxargs"), _lists


READS: Mapping[str, Rule] = {name: rule for programs, rule in _rules() for name in programs}
"""By program: the secrets that it reads or sends."""
