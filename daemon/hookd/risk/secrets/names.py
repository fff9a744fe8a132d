"""Home of the tables of which files are secrets: by name, by folder, by how their names end."""

import re
from collections.abc import Mapping

from hookd.risk.model import Severity
from hookd.shell.quoting import names

Known = tuple[str, Severity]
"""What a file is, and how much its reading weighs."""

ENVIRONMENT, KEY, LOGIN = "an environment file", "a private key", "a file of credentials"
HOME = "the home, and all secrets in it"
_HISTORY, _BROWSER = "a history of commands", "a store of passwords or sessions"
_OWN = "hookd's own state"

PUBLIC = tuple(
    names(
        ".pub .example .sample .template .tmpl .tpl .dist .defaults .schema .vault .md .enc .age"
        " .sops .crt .cer .csr"
    )
)
"""How names end of what is made to be seen, or to be read by nobody without a key."""

COPIES = ("~", ".bak", ".old", ".orig", ".save", ".backup")
"""What editors and people put behind the name of a copy."""

NAMES: Mapping[str, Known] = {
    **dict.fromkeys(
        names(
            ".netrc _netrc .pgpass .my.cnf .mylogin.cnf .pypirc .git-credentials .vault-token"
            " .dockercfg .s3cfg .boto .terraformrc .htpasswd .npmrc rclone.conf"
        ),
        (LOGIN, "deny"),
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
            " .mongorc_history .lesshst .viminfo .php_history .rhistory"
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
"""By name, wherever the file stands."""

PLACED: Mapping[str, Known] = dict.fromkeys(
    names(
        "etc/shadow etc/shadow- etc/gshadow etc/gshadow- etc/master.passwd etc/sudoers"
        " .aws/credentials .kube/config .docker/config.json gh/hosts.yml glab-cli/config.yml"
        " .gem/credentials .cargo/credentials .cargo/credentials.toml .claude/.credentials.json"
        " .config/hub .terraform.d/credentials.tfrc.json .databricks/token"
        " .snowsql/config .m2/settings.xml .gradle/gradle.properties git/credentials"
        " .codex/auth.json .composer/auth.json kubernetes/admin.conf .huggingface/token"
        " huggingface/token .fly/config.yml .netlify/config.json .wrangler/config"
    ),
    (LOGIN, "deny"),
)
"""By name and the folder it stands in."""

FOLDERS: Mapping[str, Known] = {
    **dict.fromkeys(names(".ssh .gnupg .password-store"), (KEY, "deny")),
    **dict.fromkeys(
        names(
            "ssl/private .aws/sso .aws/cli .config/gcloud .config/op .config/doctl .azure"
            " keychains run/secrets share/keyrings"
        ),
        (LOGIN, "deny"),
    ),
}
"""Folders of which nearly every file is a secret: by the last part of their paths, or two."""

HOLDERS = names(".aws .kube .docker config/gh")
"""Folders that hold a secret beside much else: what goes through all of one reads it."""

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
_PUBLIC_KEY = re.compile(r"(?:^|[._-])pub(?:lic)?(?:[._-]|key|$)")
_CERTIFICATE = re.compile(
    r"(?:^|[._-])(?:ca|cacert|certs?|certificate|chain|fullchain|root|crt)(?:[._-]|\d|$)"
)
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
"""Variables that hold the path of a file of credentials."""


def of_browser(parts: list[str]) -> Known | None:
    """Tell whether a path is where a browser keeps passwords or sessions."""
    inside = parts[-1] in _IN_BROWSERS and not _HOMES_OF_BROWSERS.isdisjoint(parts[:-1])
    return (_BROWSER, "deny") if inside else None


def environment(name: str) -> bool:
    """Whether a file is an environment file by its name: `.env.local`, `prod.env`."""
    if name.startswith(".env."):
        return not name.endswith(_SOURCES)
    stem = name.removesuffix(".env")
    if stem in ("", name) or name in _OBJECTS:
        return False
    return not stem.endswith(_SHOWN_STEMS) and re.fullmatch(r"[\w.-]+", stem) is not None


def of_form(name: str) -> str:
    """Tell what a file is by the form of its name; empty if it is no secret."""
    if environment(name):
        return ENVIRONMENT
    if name.endswith(_STATES) or (name.endswith(".json") and _account(name)):
        return LOGIN
    end = name.rpartition(".")[2] if "." in name else ""
    what = ENDS.get(end, "")
    return "" if end in _SOFT and _shown(name, end) else what


def _account(name: str) -> bool:
    return name.startswith(_ACCOUNTS) or "credential" in name or "firebase-adminsdk" in name


def _shown(name: str, end: str) -> bool:
    """Whether a file is a certificate or a public key: one that is called a key is no other."""
    if _PUBLIC_KEY.search(name):
        return True
    return end == "pem" and "key" not in name and _CERTIFICATE.search(name) is not None


def firm(name: str) -> bool:
    """Whether a file is a key by its name's end, wherever it stands."""
    return name.rpartition(".")[2] not in _SOFT


def tried(parts: list[str]) -> bool:
    """Whether a file stands among those that tests are made with."""
    return not _TRIED.isdisjoint(parts[:-1])
