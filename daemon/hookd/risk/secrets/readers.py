"""Programs that read files, and what they print of the secrets among them.

Which arguments are files, which programs and uses print no value, and which secrets one program
names for another to read: by find, by xargs.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import flags_of, with_trait
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.rules.deletion import start_folders
from hookd.risk.secrets.paths import (
    ENVIRONMENT,
    Secret,
    contained_secret,
    in_project,
    named_secret,
    possible_secret,
    secret_by_glob,
)
from hookd.risk.secrets.printers import ASK_USER, REMOTE, sending_risk
from hookd.risk.subcommands import call_risk, joined_rule
from hookd.shell.argv import Item
from hookd.shell.interpreters import SHELLS
from hookd.shell.quoting import names

_FLAGS = flags_of(lambda program: program.values)
_VALUED = {name: frozenset(flags) for name, flags in _FLAGS.items()}
_EVALUATES = lazy_compile(r"-[nplaswi0-9]*[eE]")
_PROGRAM_IN_FLAG = names("--regexp --expression --file --from-file")


def operands(call: CommandCall) -> tuple[Item, ...]:
    """Return the words that are neither flags nor values of flags."""
    valued = _VALUED.get(call.program, frozenset())
    values = {
        place + 1
        for flag, place in call.words.flags
        if flag in valued or (not flag.startswith("--") and f"-{flag[-1]}" in valued)
    }
    return tuple(item for item in call.items if item.place not in values)


def searched_files(call: CommandCall) -> tuple[Item, ...]:
    """Return the file arguments of a program whose first argument is a pattern or a program.

    Unless a flag provides the pattern.
    """
    by_flag = any(flag in _PROGRAM_IN_FLAG or _brings(call, flag) for flag, _ in call.words.flags)
    return operands(call)[0 if by_flag else 1 :]


def _brings(call: CommandCall, flag: str) -> bool:
    if call.program in ("perl", "ruby"):
        return _EVALUATES.match(flag) is not None
    return flag[:2] != "--" and flag[-1] in "ef"


QUIET = with_trait("prints-nothing")
"""Programs that print nothing of the content of their files."""

_HANDS_OVER = lazy_compile(
    r"env|key|cert|config|ident|cred|secret|pass|token|auth|netrc|var-file|state|store|tls|ssl|pem"
    r"|vault|pfx|p12|defaults|--?ks$|--?ca$|settings"
)
"""Flags with the path of a program's own secret."""

_COUNTING = ("-c", "--count", "-q", "--quiet", "--silent", "-l", "--files-with-matches", "-L")
_MATCHERS = with_trait("searches")
_USUAL = lazy_compile(
    r"\^?(?:NODE_ENV|NODE|PATH|HOME|LANG|LC_|\w*PROXY|SHELL|TERM|PYTHON\w*|VIRTUAL_ENV|JAVA_HOME"
    r"|GOPATH|DISPLAY|XDG\w*|EDITOR|TZ|(?:\w*_)?(?:PORT|HOST|DEBUG|LEVEL|MODE|REGION|TIMEOUT)"
    r"|(?:APP|RAILS|FLASK|VITE)_ENV)=?",
    re.IGNORECASE,
)
"""Names in an environment that are no secrets."""

_NAME = lazy_compile(r"\^\[[A-Za-z0-9_-]{1,40}\](?:\*|\\?\+)=?")
_FIRST = lazy_compile(r"\{ ?print \$1;? ?\}")
_BLANKED = lazy_compile(r"s([/|#,])=\.\*\$?\1(?:=?[*.x<>A-Z]*)\1g?")
_MASKED = lazy_compile(r"s([/|#,]):[^\s@]{0,40}@\1:?[*x.<>/-]{1,12}@\1g?")
_PLAIN_LETTERS = frozenset("iEFnwoxhHs")


def hands_over(flag: str) -> bool:
    """Return whether the value of a flag is a file that the program itself needs."""
    return _HANDS_OVER.search(flag.partition("=")[0].lower()) is not None


def names_only(call: CommandCall) -> bool:
    """Return whether the program prints only the names of variables in its input, or counts it."""
    rule = _NAMES_ONLY.get(call.program)
    return rule is not None and rule(call)


def _cuts(call: CommandCall) -> bool:
    return _cuts_names(call.command.words[1:])


def _takes_first(call: CommandCall) -> bool:
    programs = call.command.words[1:]
    return call.has("-F=") and any(_FIRST.fullmatch(program) for program in programs)


def _blanks_values(call: CommandCall) -> bool:
    program = next((item.text for item in call.items), "")
    return _BLANKED.fullmatch(program) is not None


def masks(call: CommandCall) -> bool:
    """Return whether a program hides the text between the colon and the `@` of an address."""
    program = next((item.text for item in call.items), "")
    return call.program in ("sed", "gsed") and _MASKED.fullmatch(program) is not None


def _finds_no_values(call: CommandCall) -> bool:
    return call.has(*_COUNTING) or _finds_names(call)


def _tells_whether(call: CommandCall) -> bool:
    return call.has("-q", "--brief")


def _tells_where(call: CommandCall) -> bool:
    return not call.has("-l", "-b", "--verbose", "--print-bytes")


def _counts(_: CommandCall) -> bool:
    return True


def _cuts_names(words: Sequence[str]) -> bool:
    """Return whether cut prints only the text before the first `=`."""
    options: dict[str, str] = {}
    awaited = ""
    for word in words:
        if awaited:
            options[awaited], awaited = word, ""
        elif word in ("-d", "-f", "--delimiter", "--fields"):
            awaited = word.lstrip("-")[0]
        elif word.startswith(("--delimiter=", "--fields=")):
            options[word[2]] = word.partition("=")[2]
        elif word.startswith(("-d", "-f")):
            options[word[1]] = word[2:]
        elif word[:1] == "-" and word not in ("-", "-s", "--only-delimited"):
            return False
    return options == {"d": "=", "f": "1"} and not awaited


def _finds_names(call: CommandCall) -> bool:
    return call.has("-o", "--only-matching") and _all_match(call, _NAME)


def looks_for_usual(call: CommandCall) -> bool:
    """Return whether a program searches an environment only for names that are no secrets."""
    letters = "".join(flag[1:] for flag, _ in call.words.flags)
    return (
        call.program in _MATCHERS
        and _PLAIN_LETTERS.issuperset(letters)
        and _all_match(call, _USUAL)
    )


def _all_match(call: CommandCall, pattern: re.Pattern[str]) -> bool:
    """Return whether every pattern of a program has this form."""
    sought = call.values("-e", "--regexp") or operands(call)[:1]
    return bool(sought) and all(
        not item.unknown and pattern.fullmatch(item.text) for item in sought
    )


_NAMES_ONLY: Mapping[str, Callable[[CommandCall], bool]] = {
    **dict.fromkeys(names("cut gcut"), _cuts),
    **dict.fromkeys(names("awk gawk mawk nawk"), _takes_first),
    **dict.fromkeys(names("sed gsed"), _blanks_values),
    **dict.fromkeys(_MATCHERS, _finds_no_values),
    **dict.fromkeys(names("diff comm"), _tells_whether),
    "cmp": _tells_where,
    **dict.fromkeys(names("wc sha256sum sha1sum md5sum cksum"), _counts),
}
"""By program: whether a call of it prints no value of its input."""


_ENV_WAY = (
    "`cut -d= -f1 {path}` prints the names without values; .env.example says what is expected."
)

SHOWING = with_trait("shows")
MATCHING = with_trait("filters")
COPYING = with_trait("copies")
_TAR = with_trait("archives")
_QUOTING = with_trait("quotes-files")
_RECURSING = with_trait("searches-folders")
_SED_READS = lazy_compile(r"(?:^|[\s;{}\d$/,])[rR]\s*([^\s;{}]{1,400})")
_TEXT = lazy_compile(r"\"([^\"\s]{1,400})\"")
_OPENSSL = names("pkey rsa ec dsa pkcs8 pkcs12 enc base64 asn1parse")


def alternative_to_reading(secret: Secret) -> str:
    """Return the sentence with an alternative to reading a secret."""
    return (
        _ENV_WAY.format(path=secret.quoted_path) if secret.description == ENVIRONMENT else ASK_USER
    )


def reading_risk(call: CommandCall, secret: Secret) -> Risk:
    """Return the risk of reading a secret."""
    instead = alternative_to_reading(secret)
    return replace(_danger(call, secret, f"reads {secret.phrase}", instead), rule="secrets.read")


def _danger(call: CommandCall, secret: Secret, why: str, instead: str) -> Risk:
    return Risk("secrets", secret.severity, why, instead, command=call.text, rule="secrets.copy")


def first_secret(call: CommandCall, items: tuple[Item, ...]) -> Secret | None:
    """Return the first secret, or folder that contains one, among the words."""
    return _first(contained_secret(item, call.context) for item in items)


def _first(secrets: Iterable[Secret | None]) -> Secret | None:
    return next(filter(None, secrets), None)


def _shows(call: CommandCall) -> Iterator[Risk]:
    if not names_only(call) and (secret := first_secret(call, operands(call))):
        yield reading_risk(call, secret)


def _matches(call: CommandCall) -> Iterator[Risk]:
    if names_only(call) or _edits(call):
        return
    files, everything = searched_files(call), _recurses(call) and not call.command.piped_input
    secret = first_secret(call, files or ((Item(".", 0),) if everything else ()))
    for item in call.values("-g", "--glob", "--iglob", "--include") if everything else ():
        secret = secret or (
            None if item.text[:1] == "!" else secret_by_glob(item.text, call.context)
        )
    if secret and not (secret.description == ENVIRONMENT and looks_for_usual(call)):
        yield reading_risk(call, secret)


def _quoted_in(call: CommandCall) -> Iterator[Risk]:
    """Yield the files that a program of sed or awk itself names."""
    sed = call.program in ("sed", "gsed")
    pattern = _SED_READS if sed else _TEXT
    texts = [item.text for item in call.items if sed or "getline" in item.text]
    named_in = [path for text in texts for path in pattern.findall(text)[:64]]
    if not sed:
        named_in += [item.text for item in call.values("-f", "--file")]
        named_in += [item.text.partition("=")[2] for item in call.values("-v", "--assign")]
    secret = _first(possible_secret(path, call.context) for path in named_in if path)
    if secret:
        yield reading_risk(call, secret)


def _recurses(call: CommandCall) -> bool:
    """Return whether a program searches folders."""
    if call.program in _RECURSING:
        return not call.has("--files", "--version", "--type-list")
    greps = call.program in ("grep", "egrep", "fgrep", "ggrep", "zgrep")
    return greps and call.has("-r", "-R", "--recursive", "--dereference-recursive")


def _edits(call: CommandCall) -> bool:
    inplace = any(flag.startswith(("-i", "--in-place")) for flag, _ in call.words.flags)
    return call.program in ("sed", "gsed", "perl", "ruby", "yq") and inplace


def _archives(call: CommandCall) -> Iterator[Risk]:
    """Yield the files that are put into an archive: in the folder of -C, if it is given."""
    first_word = next(iter(call.command.words[1:]), "")
    letters = "".join((first_word, *(flag for flag, _ in call.words.flags if flag[:2] != "--")))
    if not set(letters) & set("cruA") and not call.has("--create", "--append", "--update"):
        return
    items = (*operands(call), *call.values("-C", "--directory"))
    if secret := first_secret(call, items):
        yield reading_risk(call, secret)


def _copies(call: CommandCall) -> Iterator[Risk]:
    items = operands(call)
    into = any(flag.startswith(("-t", "--target-directory")) for flag, _ in call.words.flags)
    sources, target = (items, None) if into else (items[:-1], items[-1] if items else None)
    secret = first_secret(call, sources)
    if secret is None:
        return
    if target is not None and REMOTE.match(target.text):
        yield sending_risk(call, secret)
    elif target is None or not (_keeps(call, target, secret) or _moves(call, (*sources, target))):
        yield _danger(call, secret, f"copies {secret.phrase}", ASK_USER)


def _moves(call: CommandCall, items: tuple[Item, ...]) -> bool:
    """Return whether files are moved within the project."""
    return call.program in ("mv", "gmv") and all(in_project(item, call.context) for item in items)


def _keeps(call: CommandCall, target: Item, secret: Secret) -> bool:
    """Return whether a copy is certainly as secret as its original."""
    target_secret = named_secret(target, call.context)
    return target_secret is not None and (
        target_secret.severity == "deny" or secret.severity == "ask"
    )


def _dd(call: CommandCall) -> Iterator[Risk]:
    for item in call.items:
        if item.text.startswith("if=") and (secret := possible_secret(item.text[3:], call.context)):
            yield reading_risk(call, secret)


def _openssl(call: CommandCall) -> Iterator[Risk]:
    hidden = call.has("-noout", "-pubout") and not call.has("-text")
    if call.verb in _OPENSSL and not hidden:
        for flag, place in call.words.flags:
            for item in call.items:
                if (
                    flag == "-in"
                    and item.place == place + 1
                    and (f := named_secret(item, call.context))
                ):
                    yield reading_risk(call, f)


def _gpg(call: CommandCall) -> Iterator[Risk]:
    if any("-export-secret" in flag for flag, _ in call.words.flags):
        why = "exports secret keys"
        yield call_risk(call, "gpg.export-secret", "deny", why, ASK_USER)
    elif call.has("-d", "--decrypt") and (secret := first_secret(call, call.items)):
        yield reading_risk(call, secret)


def _sources(call: CommandCall) -> Iterator[Risk]:
    """Yield the secrets that `source` reads; environment files are for that purpose."""
    secret = first_secret(call, call.items[:1])
    if secret and secret.description != ENVIRONMENT:
        yield reading_risk(call, secret)


def _git(call: CommandCall) -> Iterator[Risk]:
    if call.verb in ("add", "stage") and (secret := first_secret(call, call.items[1:])):
        why = f"adds {secret.phrase}, to the next commit"
        yield _danger(call, secret, why, "Add it to .gitignore.")
    elif call.verb in ("show", "cat-file", "diff", "log", "blame", "annotate", "grep", "archive"):
        quiet = call.has("--stat", "--name-only", "--name-status", "--oneline", "--shortstat")
        prints = call.has("-p", "--patch", "-u") or call.verb != "log"
        parts = (item.text.rpartition(":")[2] for item in call.items[1:])
        secret = _first(possible_secret(part, call.context) for part in parts)
        if secret and prints and not quiet:
            yield reading_risk(call, secret)


def _rules() -> Iterator[tuple[frozenset[str], RiskRule]]:
    yield SHOWING - _TAR, _shows
    yield _TAR, _archives
    yield MATCHING - _QUOTING, _matches
    yield _QUOTING, joined_rule(_matches, _quoted_in)
    yield COPYING, _copies
    yield names("dd"), _dd
    yield names("openssl"), _openssl
    yield names("gpg gpg2"), _gpg
    yield names("source ."), _sources
    yield names("git"), _git


READS: Mapping[str, RiskRule] = {name: rule for programs, rule in _rules() for name in programs}
"""By program: the secrets that it reads or sends."""


_FINDERS = names("find gfind")
_NAMING = with_trait("prints-names")
"""Programs whose output may be names of files that are among their own words."""

_TESTS = names("-name -iname -path -ipath -wholename -iwholename")
_COUNTED = ("-l", "-c", "-q", "-L", "--count", "--quiet", "--files-with-matches", "-noout")
_READERS = SHOWING | MATCHING | COPYING


def _find(call: CommandCall) -> Iterator[Risk]:
    """Yield the secrets that find names, if it starts a program that reads them."""
    words = call.command.words
    for at, (word, after) in enumerate(pairwise(words)):
        if word not in ("-exec", "-execdir", "-ok", "-okdir"):
            continue
        rest = words[at + 2 :]
        command = rest[: next((n for n, one in enumerate(rest) if one in (";", "+")), len(rest))]
        runs = after.rpartition("/")[2]
        counts = runs in MATCHING | {"openssl"} and not set(command).isdisjoint(_COUNTED)
        if runs not in QUIET and not counts and (secret := _found(call)):
            yield reading_risk(call, secret)
            return


def _found(call: CommandCall) -> Secret | None:
    """Return the first secret that find may find: by its tests, else by its start folders."""
    asked = list(_asked(call.command.words))
    begins = start_folders(call)
    if not asked:
        return first_secret(call, begins)
    joined = (f"{start.text.rstrip('/')}/{test}" for start in begins[:8] for test in asked[:8])
    return _first(possible_secret(pattern, call.context) for pattern in (*asked, *joined))


def _asked(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the patterns of names that find tests, without those that it excludes."""
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        if word in _TESTS and before not in ("!", "-not"):
            yield after


def _lists(call: CommandCall) -> Iterator[Risk]:
    """Yield the file whose words become arguments, if xargs prints them."""
    if secret := first_secret(call, call.values("-a", "--arg-file")):
        yield reading_risk(call, secret)


def passed_to_xargs(calls: tuple[CommandCall, ...]) -> Iterator[Risk]:
    """Yield the secrets whose names are passed to xargs, which runs a program that reads them."""
    reader = next((call for call in calls if _by_xargs(call)), None)
    for call in calls if reader is not None else ():
        if call.program not in _NAMING:
            continue
        if call.program in _FINDERS:
            secret = _found(call)
        else:
            secret = _first(contained_secret(item, call.context) for item in call.items)
        if secret:
            yield replace(reading_risk(call, secret), command=reader.text if reader else "")


def _by_xargs(call: CommandCall) -> bool:
    by = bool({"xargs", "gxargs", "parallel"} & set(call.command.wrappers[-1:]))
    return by and call.program in _READERS | SHELLS and not names_only(call)


LISTS: Mapping[str, RiskRule] = {
    **dict.fromkeys(_FINDERS, _find),
    **dict.fromkeys(names("xargs gxargs"), _lists),
}
"""By program: the secrets that it names for another to read."""
