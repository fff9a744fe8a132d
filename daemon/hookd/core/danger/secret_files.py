"""Home of which files are secrets: by where they stand and what they are called."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from hookd.core.danger.entry import Place, Weight
from hookd.core.shell.escapes import names
from hookd.core.shell.flags import Item

LONGEST = 4096
"""Characters of a path; no system opens a longer one."""

ENVIRONMENT = "an environment file"


@dataclass(frozen=True, slots=True)
class Secret:
    """A file that holds secrets: as it is spelled, what it is, and how much its reading weighs."""

    path: str
    what: str
    weight: Weight


_PUBLIC = (
    ".pub .example .sample .template .tmpl .tpl .dist .defaults .schema .vault .md .enc .age .sops"
    " .crt .cer .csr"
)
_OPEN = tuple(_PUBLIC.split())

_KEY, _LOGIN, _HISTORY = "a private key", "a file of credentials", "a history of commands"
_BROWSER, _OWN = "a store of passwords or sessions", "hookd's own state"

_NAMES: Mapping[str, tuple[str, Weight]] = {
    **dict.fromkeys(
        names(
            ".netrc _netrc .pgpass .my.cnf .mylogin.cnf .pypirc .git-credentials .vault-token"
            " .dockercfg .s3cfg .boto .terraformrc .htpasswd .npmrc"
        ),
        (_LOGIN, "deny"),
    ),
    **dict.fromkeys(
        names("id_rsa id_dsa id_ecdsa id_ed25519 id_xmss id_ecdsa_sk id_ed25519_sk"),
        (_KEY, "deny"),
    ),
    **dict.fromkeys(
        names(
            ".bash_history .zsh_history .sh_history .ash_history .ksh_history .histfile"
            " fish_history .python_history .node_repl_history .psql_history .mysql_history"
            " .sqlite_history .rediscli_history .irb_history .pry_history .dbshell"
            " .mongorc_history .lesshst .viminfo .php_history .rhistory"
        ),
        (_HISTORY, "ask"),
    ),
    **dict.fromkeys(names(".env .envrc .dev.vars local.settings.json"), (ENVIRONMENT, "ask")),
    **dict.fromkeys(
        names(
            "secrets.yml secrets.yaml secrets.json secrets.toml secrets.env secret.yml secret.yaml"
            " .secrets master.key service-account.json serviceaccount.json"
            " application_default_credentials.json"
        ),
        (_LOGIN, "ask"),
    ),
    **dict.fromkeys(
        names("login.keychain login.keychain-db key4.db logins.json"), (_BROWSER, "deny")
    ),
    **dict.fromkeys(names("hookd.db hookd.db-wal hookd.sock"), (_OWN, "ask")),
}
"""By name, wherever the file stands."""

_PLACED: Mapping[str, tuple[str, Weight]] = {
    **dict.fromkeys(
        names(
            "etc/shadow etc/shadow- etc/gshadow etc/gshadow- etc/master.passwd etc/sudoers"
            " .aws/credentials .kube/config .docker/config.json gh/hosts.yml glab-cli/config.yml"
            " .gem/credentials .cargo/credentials .cargo/credentials.toml .claude/.credentials.json"
            " .config/doctl .config/hub .terraform.d/credentials.tfrc.json .databricks/token"
            " .snowsql/config .config/op .m2/settings.xml .gradle/gradle.properties"
            " .codex/auth.json .composer/auth.json kubernetes/admin.conf .huggingface/token"
            " huggingface/token .fly/config.yml .netlify/config.json .wrangler/config"
        ),
        (_LOGIN, "deny"),
    ),
}
"""By name and the folder it stands in."""

_FOLDERS: Mapping[str, tuple[str, Weight]] = {
    **dict.fromkeys(names(".ssh .gnupg .password-store"), (_KEY, "deny")),
    **dict.fromkeys(
        names(
            "ssl/private .aws/sso .aws/cli .config/gcloud .azure keychains run/secrets"
            " .local/share/keyrings"
        ),
        (_LOGIN, "deny"),
    ),
}
"""Folders of which nearly every file is a secret."""

_IN_SSH = names("known_hosts known_hosts.old config config.d authorized_keys rc allowed_signers")
_BROWSERS = re.compile(
    r"/(?:google-chrome|chrome|chromium|brave-browser|microsoft-edge|firefox|\.mozilla)/"
    r"(?:.{0,400}/)?(?:login data|cookies|cookies\.sqlite|web data|local state)$"
)
_PROCESS = re.compile(r"/proc/[^/]+(?:/task/[^/]+)?/environ$")
_ENDS: Mapping[str, str] = {
    **dict.fromkeys(names("p12 pfx jks keystore kdbx ppk pkcs12 bks"), _KEY),
    **dict.fromkeys(names("key pem p8"), _KEY),
    **dict.fromkeys(names("tfvars tfstate"), _LOGIN),
}
_FIRM = names("p12 pfx jks keystore kdbx ppk pkcs12 bks")
_CERTIFICATE = re.compile(
    r"(?:^|[._-])(?:ca|cacert|certs?|certificate|chain|fullchain|pub|public|root|crt)(?:[._-]|\d|$)"
)
_NAMED = re.compile(
    r"(?:service[-_]?account[\w.-]*|[\w.-]*credentials?[\w.-]*|client[-_]secret[\w.-]*)\.json"
)
_STATES = (".tfstate.backup", ".auto.tfvars", ".tfvars.json")
_SOURCES = (".ts", ".js", ".py", ".go", ".rs", ".rb", ".java", ".php", ".sh", ".tsx", ".mjs")

_HOME = re.compile(r"^(?:~(?=/|$)|\$\{?HOME\}?)")
_HERE = re.compile(r"^(?:~\+(?=/|$)|\$\{?PWD\}?|\$\(pwd\)|`pwd`)")
_DEFAULT = re.compile(r"\$\{\w+:?[-=]([^{}$]*)\}")
_VARIABLE = re.compile(r"\$(\w+)|\$\{(\w+)\}")
_BEYOND = re.compile(r"\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$\w+")
_GLOB = re.compile(r"[*?]|\[[^\]/]*\]")
_SAMPLES = names(
    ".env .env.local .env.production .netrc .npmrc .pgpass .git-credentials .bash_history"
    " .zsh_history id_rsa id_ed25519 .ssh .gnupg .vault-token .pypirc shadow"
)
_INNER = sorted(names("credentials config.json config hosts.yml credentials.toml"))
_ALL = sorted(_SAMPLES | frozenset(_INNER))


def secret(path: str, place: Place) -> Secret | None:
    """Tell what kind of secret the file at a path is, if it is one. Case makes no difference."""
    if not path or len(path) > LONGEST or "\n" in path:
        return None
    whole = absolute(path, place).lower()
    name = whole.rpartition("/")[2]
    if any(_is(glob, whole, name) for glob in place.less):
        return None
    if any(_is(glob, whole, name) for glob in place.more):
        return Secret(path, "a file that the settings hold to be secret", "ask")
    found = _kind(whole, name, place)
    return Secret(path, *found) if found else None


def absolute(path: str, place: Place) -> str:
    """Return where a path leads from the place, without its dots; links are not followed."""
    if path == "~" or path.startswith("~/"):
        path = f"{place.home or '/~'}{path[1:]}"
    elif path.startswith("~"):
        path = f"/home/{path[1:]}"
    normal = posixpath.normpath(posixpath.join(place.cwd or "/?", path))
    return normal[1:] if normal.startswith("//") else normal


def named(item: Item, place: Place) -> Secret | None:
    """Tell which secret a word of a command names, or may name by a glob or a variable."""
    if not item.unknown:
        return secret(item.text, place)
    return may_name(item.text, place)


def may_name(text: str, place: Place) -> Secret | None:
    """Tell which secret a word that the shell expands may name; `text` is its source."""
    if len(text) > LONGEST:
        return None
    for spelled in _spellings(text, place):
        if found := _globbed(spelled, place):
            return Secret(text, found.what, found.weight)
    return None


def _spellings(text: str, place: Place) -> Iterator[str]:
    plain = _anchored(_DEFAULT.sub(r"\1", text))
    named_in = (name for found in _VARIABLE.findall(plain) for name in found)
    used = next((name for name in named_in if name in place.values), "")
    for value in place.values.get(used, ("",)):
        known = plain.replace(f"${{{used}}}", value).replace(f"${used}", value) if used else plain
        yield _BEYOND.sub("*", _anchored(known))


def _anchored(text: str) -> str:
    """Return the text with the home and the folder at hand in one spelling."""
    return _HERE.sub(".", _HOME.sub("~", text))


def _globbed(path: str, place: Place) -> Secret | None:
    """Tell which secret a path with globs in it may be."""
    if not _GLOB.search(path):
        return secret(path, place)
    if found := secret(_GLOB.sub("x", path), place):
        return found
    folder, slash, last = path.rpartition("/")
    if not _GLOB.search(last):
        return None
    # A shell's glob matches no dot file unless it begins with a dot, and a bare * means nothing.
    samples = _INNER if last[0] in "*?[" else _ALL
    begin, end = _GLOB.split(last)[0], _GLOB.split(last)[-1]
    likely = (name for name in samples if name.startswith(begin) and name.endswith(end))
    tried = (name for name in likely if fnmatchcase(name, last))
    return next(filter(None, (secret(f"{folder}{slash}{name}", place) for name in tried)), None)


def _is(glob: str, whole: str, name: str) -> bool:
    low = glob.lower()
    return fnmatchcase(name, low) or fnmatchcase(whole, low) or fnmatchcase(whole, f"*/{low}")


def _kind(whole: str, name: str, place: Place) -> tuple[str, Weight] | None:
    parts = whole.split("/")
    near = "/".join(parts[-2:])
    if name.endswith(_OPEN) or (parts[-2:-1] == [".ssh"] and name in _IN_SSH):
        return None
    if _PROCESS.search(whole) and whole.startswith("/proc/"):
        return "the environment of a process", "deny"
    if found := _NAMES.get(name):
        return _of_project(name, found) if _ours(whole, place) else found
    if (found := _PLACED.get(near)) or (found := _in_folder(parts)):
        return found
    return (_BROWSER, "deny") if _BROWSERS.search(whole) else _by_form(whole, name, place)


def _of_project(name: str, found: tuple[str, Weight]) -> tuple[str, Weight] | None:
    """Return what a secret weighs in a project: a key is one of its tests, more often than not.

    A project's own .npmrc is configuration, as a rule, and refers to variables.
    """
    if name == ".npmrc":
        return None
    return (found[0], "ask") if found[0] == _KEY else found


def _in_folder(parts: list[str]) -> tuple[str, Weight] | None:
    for one, two in zip(parts, (*parts[1:], ""), strict=True):
        if found := _FOLDERS.get(one) or _FOLDERS.get(f"{one}/{two}"):
            return found
    near = "/".join(parts[-3:])
    return _PLACED.get(near)


def _by_form(whole: str, name: str, place: Place) -> tuple[str, Weight] | None:
    if name.startswith(".env.") and not name.endswith(_SOURCES):
        return ENVIRONMENT, "ask"
    if _NAMED.fullmatch(name):
        return _LOGIN, "ask"
    end = name.rpartition(".")[2]
    if "." in name and (what := _ENDS.get(end)):
        if what == _KEY and end not in _FIRM and _CERTIFICATE.search(name):
            return None
        return what, "deny" if what == _KEY and not _ours(whole, place) else "ask"
    return (_LOGIN, "ask") if name.endswith(_STATES) else None


def _ours(whole: str, place: Place) -> bool:
    project = (place.project or "").lower()
    return bool(project) and project != place.home.lower() and whole.startswith(f"{project}/")
