"""Secret files: tables of their names and folders, and arguments that name one."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import Severity
from hookd.risk.model import CallContext
from hookd.risk.quoting import quoted_word
from hookd.risk.secrets import credential_files
from hookd.shell.argv import Item
from hookd.shell.quoting import names

Known = tuple[str, Severity]
"""The kind of a file, and the severity of reading it."""

ENVIRONMENT, KEY, LOGIN = "an environment file", "a private key", "a file of credentials"
HOME = "the home folder, and all secrets in it"
_HISTORY, _BROWSER = "a history of commands", "a store of passwords or sessions"
_OWN = "hookd's own state"

PUBLIC = tuple(
    names(
        ".pub .example .sample .template .tmpl .tpl .dist .defaults .schema .vault .md .enc .age"
        " .sops .crt .cer .csr"
    )
)
"""Endings of names of files that are public, or encrypted."""

COPIES = ("~", ".bak", ".old", ".orig", ".save", ".backup")
"""Suffixes that editors and people add to the name of a copy."""

NAMES: Mapping[str, Known] = {
    **dict.fromkeys(
        (name for _, *files in credential_files.NAMED for name in files), (LOGIN, "deny")
    ),
    **dict.fromkeys(
        names("id_rsa id_dsa id_ecdsa id_ed25519 id_xmss id_ecdsa_sk id_ed25519_sk"),
        (KEY, "deny"),
    ),
    **dict.fromkeys(
        names(
            ".bash_history .zsh_history .sh_history .ash_history .ksh_history .histfile"
            " fish_history .python_history .node_repl_history .psql_history .mysql_history"
            " .sqlite_history .rediscli_history .irb_history .pry_history .dbshell"
            " .mongorc_history mongosh_repl_history .lesshst .viminfo .php_history .rhistory"
        ),
        (_HISTORY, "ask"),
    ),
    **dict.fromkeys(names(".env .envrc .dev.vars local.settings.json"), (ENVIRONMENT, "ask")),
    **dict.fromkeys(
        names(
            "secrets.yml secrets.yaml secrets.json secrets.toml secret.yml secret.yaml"
            " .secrets master.key service-account.json serviceaccount.json .claude.json"
            " application_default_credentials.json"
        ),
        (LOGIN, "ask"),
    ),
    **dict.fromkeys(
        names("login.keychain login.keychain-db key4.db logins.json"), (_BROWSER, "deny")
    ),
    **dict.fromkeys(names("hookd.db hookd.db-wal hookd.sock"), (_OWN, "ask")),
}
"""By name, in any folder."""

PLACED: Mapping[str, Known] = dict.fromkeys(
    (place for _, *files in credential_files.PLACES for place in files), (LOGIN, "deny")
)
"""By folder and name."""

FOLDERS: Mapping[str, Known] = {
    **dict.fromkeys(names(".ssh .gnupg .password-store hookd/fleet"), (KEY, "deny")),
    **dict.fromkeys(
        (name for _, *kept in credential_files.FOLDERS for name in kept), (LOGIN, "deny")
    ),
}
"""Folders of secrets, by the last one or two parts of their paths; nearly every file is one."""

_FOLDER_STARTS = frozenset(folder.partition("/")[0] for folder in FOLDERS)
HOLDERS = names(".aws .kube .docker config/gh")
"""Folders that contain a secret beside other files: a command over a whole folder reads it."""

IN_SSH = names("known_hosts known_hosts.old config config.d authorized_keys rc allowed_signers")

_HOMES_OF_BROWSERS = names(
    "google-chrome chrome chromium brave-browser microsoft-edge firefox .mozilla"
)
_IN_BROWSERS = frozenset(("login data", "cookies", "cookies.sqlite", "web data", "local state"))

ENDS: Mapping[str, str] = {
    **dict.fromkeys(names("p12 pfx jks keystore kdbx ppk pkcs12 bks"), KEY),
    **dict.fromkeys(names("key pem p8"), KEY),
    **dict.fromkeys(names("tfvars tfstate"), LOGIN),
}
_SOFT = names("key pem p8")
_PUBLIC_KEY = lazy_compile(r"(?:^|[._-])pub(?:lic)?(?:[._-]|key|$)")
_CERTIFICATE = lazy_compile(
    r"(?:^|[._-])(?:ca|cacert|certs?|certificate|chain|fullchain|root|crt)(?:[._-]|\d|$)"
)
_OF_PROJECTS = names(".npmrc .yarnrc .yarnrc.yml")
_TRIED = names("test tests testdata fixtures __fixtures__ __tests__ spec mocks")
_OBJECTS = names("process.env meta.env import.meta.env os.env sys.env")
_SHOWN_STEMS = ("example", "sample", "template", "dist", "default", "defaults")
_ACCOUNTS = tuple(
    names("service-account service_account serviceaccount client-secret client_secret")
)
_STATES = (".tfstate.backup", ".auto.tfvars", ".tfvars.json")
_SOURCES = (".ts", ".js", ".py", ".go", ".rs", ".rb", ".java", ".php", ".sh", ".tsx", ".mjs")

POINTING = names(
    "KUBECONFIG GOOGLE_APPLICATION_CREDENTIALS AWS_SHARED_CREDENTIALS_FILE NETRC PGPASSFILE"
)
"""Variables that contain the path of a file of credentials."""


def browser_kind(parts: list[str]) -> Known | None:
    """Return the kind of a browser's file of passwords or sessions; None if it is none."""
    inside = parts[-1] in _IN_BROWSERS and not _HOMES_OF_BROWSERS.isdisjoint(parts[:-1])
    return (_BROWSER, "deny") if inside else None


def is_environment_file(name: str) -> bool:
    """Return whether a file is an environment file by its name: `.env.local`, `prod.env`."""
    if name.startswith(".env."):
        return not name.endswith(_SOURCES)
    stem = name.removesuffix(".env")
    if stem in ("", name) or name in _OBJECTS:
        return False
    return not stem.endswith(_SHOWN_STEMS) and re.fullmatch(r"[\w.-]+", stem) is not None


def kind_by_name(name: str) -> str:
    """Return the kind of a file by the pattern of its name; empty if it is no secret."""
    if is_environment_file(name):
        return ENVIRONMENT
    if name.endswith(_STATES) or (name.endswith(".json") and _account(name)):
        return LOGIN
    end = name.rpartition(".")[2] if "." in name else ""
    what = ENDS.get(end, "")
    return "" if end in _SOFT and _shown(name, end) else what


def _account(name: str) -> bool:
    return name.startswith(_ACCOUNTS) or "credential" in name or "firebase-adminsdk" in name


def _shown(name: str, end: str) -> bool:
    """Return whether a file is a certificate or a public key, unless its name says key."""
    if _PUBLIC_KEY.search(name):
        return True
    return end == "pem" and "key" not in name and _CERTIFICATE.search(name) is not None


def is_key_by_ending(name: str) -> bool:
    """Return whether a file is a key by its name's ending, in any folder."""
    return name.rpartition(".")[2] not in _SOFT


def is_test_file(parts: list[str]) -> bool:
    """Return whether a file is in a folder of tests."""
    return not _TRIED.isdisjoint(parts[:-1])


LONGEST = 4096
"""Characters of a path; no system opens a longer one."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret file: its path as spelled, its kind, and the severity of reading it."""

    path: str
    description: str
    severity: Severity

    @property
    def quoted_path(self) -> str:
        """Its path as a part of a sentence."""
        return quoted_word(self.path)

    @property
    def phrase(self) -> str:
        """Its path and its kind, for a reason."""
        return f"{self.quoted_path}, {self.description}"


_PROCESS = lazy_compile(r"/proc/[^/]+(?:/task/[^/]+)?/environ$")
_HOME = lazy_compile(r"^(?:~(?=/|$)|\$\{?HOME\}?)")
_HERE = lazy_compile(r"^(?:~\+(?=/|$)|\$\{?PWD\}?|\$\(pwd\)|`pwd`)")
_DEFAULT = lazy_compile(r"\$\{\w+:?[-=]([^{}$]*)\}")
_VARIABLE = lazy_compile(r"\$(\w+)|\$\{(\w+)\}")
_BEYOND = lazy_compile(r"\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$\w+")
_GLOB = lazy_compile(r"[*?]|\[[^\]/]{0,64}\]")
_SAMPLES = names(
    ".env .env.local .env.production .netrc .npmrc .pgpass .git-credentials .bash_history"
    " .zsh_history id_rsa id_ed25519 .ssh .gnupg .vault-token .pypirc shadow"
)
_INNER = sorted(names("credentials config.json config hosts.yml credentials.toml"))
_ALL = sorted(_SAMPLES | frozenset(_INNER))


def secret_at(path: str, place: CallContext) -> Secret | None:
    """Return the secret at a path; None if it is none. Case makes no difference."""
    if not path or "\n" in path:
        return None
    whole = absolute(path, place).lower()
    if len(whole) > LONGEST:
        return None
    name = whole.rpartition("/")[2]
    if any(_is(glob, whole, name) for glob in place.not_secret_globs):
        return None
    if any(_is(glob, whole, name) for glob in place.secret_globs):
        return Secret(path, "a secret file by your settings", "ask")
    kind = _kind(whole, name, place)
    return Secret(path, *kind) if kind else None


def secret_folder(path: str, place: CallContext) -> Secret | None:
    """Return the secret of a folder that contains secrets beside other files; None if none."""
    whole = absolute(path, place)
    if whole == place.home and place.project != whole:
        return Secret(path, HOME, "ask")
    near = whole.lower().split("/")
    held = HOLDERS & {near[-1], "/".join(near[-2:])} and not _ours(whole.lower(), place)
    return Secret(path, "a folder that contains credentials", "deny") if held else None


def absolute(path: str, place: CallContext) -> str:
    """Return an absolute path without dots; links are not followed."""
    if path == "~" or path.startswith("~/"):
        path = f"{place.home or '/~'}{path[1:]}"
    elif path.startswith("~"):
        path = f"/home/{path[1:]}"
    normal = posixpath.normpath(posixpath.join(place.cwd or "/?", path))
    return normal[1:] if normal.startswith("//") else normal


def named_secret(item: Item, place: CallContext) -> Secret | None:
    """Return the secret that an argument names, or may name by a glob or a variable."""
    if not item.unknown:
        return secret_at(item.text, place)
    return possible_secret(item.text, place)


def contained_secret(item: Item, place: CallContext) -> Secret | None:
    """Return the secret that an argument names, or the folder with secrets that it names."""
    if match := named_secret(item, place):
        return match
    text = _anchored(item.text) if item.unknown else item.text
    return None if _BEYOND.search(text) or _GLOB.search(text) else secret_folder(text, place)


def possible_secret(text: str, place: CallContext) -> Secret | None:
    """Return the secret that an expanded word may name; `text` is its source."""
    if len(text) > LONGEST:
        return None
    if text.strip("${}") in POINTING and text[:1] == "$":
        return Secret(text, LOGIN, "ask")
    for spelled in _spellings(text, place):
        if match := _globbed(spelled, place):
            return Secret(text, match.description, match.severity)
    return None


def secret_by_glob(glob: str, place: CallContext) -> Secret | None:
    """Return the secret that a glob may find, dot files included; a glob for all names none."""
    if match := possible_secret(glob, place):
        return match
    last = glob.rpartition("/")[2]
    if not last.strip("*?."):
        return None
    likely = (name for name in _ALL if fnmatchcase(name, last))
    match = next(filter(None, (secret_at(name, place) for name in likely)), None)
    return replace(match, path=glob) if match else None


def _spellings(text: str, place: CallContext) -> Iterator[str]:
    plain = _anchored(_DEFAULT.sub(r"\1", text))
    named_in = (name for found in _VARIABLE.findall(plain) for name in found)
    used = next((name for name in named_in if name in place.values), "")
    for value in place.values.get(used, ("",)):
        filled = plain.replace(f"${{{used}}}", value).replace(f"${used}", value) if used else plain
        yield _BEYOND.sub("*", _anchored(filled))


def _anchored(text: str) -> str:
    """Return the text with the home and the working folder in one spelling."""
    return _HERE.sub(".", _HOME.sub("~", text))


def _globbed(path: str, place: CallContext) -> Secret | None:
    """Return the secret that a path with globs may be."""
    if not _GLOB.search(path):
        return secret_at(path, place)
    if match := secret_at(_GLOB.sub("x", path), place):
        return match
    folder, slash, last = path.rpartition("/")
    if not _GLOB.search(last):
        return None
    # A shell's glob matches no dot file unless it begins with a dot, and a bare * means nothing.
    samples = _INNER if last[0] in "*?[" else _ALL
    begin, end = _GLOB.split(last)[0], _GLOB.split(last)[-1]
    likely = (name for name in samples if name.startswith(begin) and name.endswith(end))
    tried = (name for name in likely if fnmatchcase(name, last))
    return next(filter(None, (secret_at(f"{folder}{slash}{name}", place) for name in tried)), None)


def _is(glob: str, whole: str, name: str) -> bool:
    low = glob.lower()
    return fnmatchcase(name, low) or fnmatchcase(whole, low) or fnmatchcase(whole, f"*/{low}")


def _kind(whole: str, name: str, place: CallContext) -> Known | None:
    parts = whole.split("/")
    if name.endswith(PUBLIC) or (parts[-2:-1] == [".ssh"] and name in IN_SSH):
        return None
    if whole.startswith("/proc/") and _PROCESS.search(whole):
        return "the environment of a process", "deny"
    ours = _ours(whole, place)
    if kind := NAMES.get(name):
        return _of_project(name, kind) if ours else kind
    if kind := _placed(parts, ours=ours) or _in_folder(parts):
        return kind
    inner = whole[len(place.project or "") :].split("/") if ours else None
    if kind := browser_kind(parts) or _by_form(name, inner):
        return kind
    plain = next((name.removesuffix(end) for end in COPIES if name.endswith(end)), "")
    return _kind(f"{whole.rpartition('/')[0]}/{plain}", plain, place) if plain else None


def _of_project(name: str, kind: Known) -> Known | None:
    """Return the kind of a secret in a project: a key is more often one of its tests.

    A project's own .npmrc or .yarnrc is usually configuration, and refers to variables.
    """
    if name in _OF_PROJECTS:
        return None
    return (kind[0], "ask") if kind[0] == KEY else kind


def _placed(parts: list[str], *, ours: bool) -> Known | None:
    """Return the kind of a file by its folder and name.

    A folder of a project can have the name of a program: `apps/stripe/config.toml`.
    """
    kind = PLACED.get("/".join(parts[-2:]))
    return (kind[0], "ask") if kind and ours and parts[-2][:1] != "." else kind


def _in_folder(parts: list[str]) -> Known | None:
    if _FOLDER_STARTS.isdisjoint(parts):
        return None
    for part, two in zip(parts, (*parts[1:], ""), strict=True):
        if kind := FOLDERS.get(part) or FOLDERS.get(f"{part}/{two}"):
            return kind
    return None


def _by_form(name: str, inner: list[str] | None) -> Known | None:
    """Return the kind of a file by its name; `inner` are the parts of its path in the project."""
    what = kind_by_name(name)
    if what != KEY:
        return (what, "ask") if what else None
    if inner and is_test_file(inner) and not is_key_by_ending(name):
        return None
    return what, "ask" if inner else "deny"


def in_project(item: Item, place: CallContext) -> bool:
    """Return whether an argument certainly names a file of the project."""
    return not item.unknown and _ours(absolute(item.text, place).lower(), place)


def _ours(whole: str, place: CallContext) -> bool:
    project = (place.project or "").lower()
    return bool(project) and project != place.home.lower() and whole.startswith(f"{project}/")
