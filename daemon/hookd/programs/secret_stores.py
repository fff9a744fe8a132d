"""Stores of keys and passwords: gpg, openssl, pass, op, vault, doppler, ..."""

from hookd.programs.model import SIMULATION_FLAGS, Check, Host, Program, Rule, Table

_STORED = "prints the value of a stored secret"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_KEY = "permanently deletes a key or a password"
_COPY = "Export a copy of it first."
_VERSIONS = "deletes a stored secret with all its versions"
_TOKEN = "prints a token"  # noqa: S105

_OP_SECRETS = Table(
    "secrets",
    (
        Rule("op.read", "read", "ask", _STORED, _IN_PLACE),
        Rule("op.item-get", "item get", "ask", _STORED, _IN_PLACE),
        Rule("op.document-get", "document get", "ask", _STORED, _IN_PLACE),
        Rule("op.inject", "inject", "ask", _STORED, _IN_PLACE),
    ),
)
_BW_SECRETS = Table(
    "secrets",
    (
        Rule("bw.get-password", "get password", "ask", _STORED, _IN_PLACE),
        Rule("bw.get-item", "get item", "ask", _STORED, _IN_PLACE),
        Rule("bw.get-notes", "get notes", "ask", _STORED, _IN_PLACE),
        Rule("bw.get-totp", "get totp", "ask", _STORED, _IN_PLACE),
        Rule("bw.export", "export", "ask", _STORED, _IN_PLACE),
        Rule("bw.list-items", "list items", "ask", _STORED, _IN_PLACE),
    ),
)
_LPASS_SECRETS = Table(
    "secrets",
    (
        Rule("lpass.show", "show", "ask", _STORED, _IN_PLACE),
        Rule("lpass.export", "export", "ask", _STORED, _IN_PLACE),
    ),
)
_RBW_SECRETS = Table("secrets", (Rule("rbw.get", "get", "ask", _STORED, _IN_PLACE),))
_KEYRING_SECRETS = Table("secrets", (Rule("keyring.get", "get", "ask", _STORED, _IN_PLACE),))
_SECRET_TOOL_DELETES = Table(
    "deletes",
    (Rule("secret-tool.clear", "clear", "ask", _KEY, _COPY),),
    harmless=SIMULATION_FLAGS,
)
_SECRET_TOOL_SECRETS = Table(
    "secrets",
    (
        Rule("secret-tool.lookup", "lookup", "ask", _STORED, _IN_PLACE),
        Rule("secret-tool.search", "search", "ask", _STORED, _IN_PLACE),
    ),
)
_SECURITY_DELETES = Table(
    "deletes",
    (
        Rule(
            "security.delete-keychain",
            (
                "delete-keychain|delete-generic-password|delete-internet-password|delete-certificate|delete-identity"
            ),
            "ask",
            _KEY,
            _COPY,
        ),
    ),
)
_SECURITY_SECRETS = Table(
    "secrets",
    (
        Rule(
            "security.find-generic-password-w",
            "find-generic-password",
            "ask",
            _STORED,
            _IN_PLACE,
            flags="-w -g",
        ),
        Rule(
            "security.find-internet-password-w",
            "find-internet-password",
            "ask",
            _STORED,
            _IN_PLACE,
            flags="-w -g",
        ),
        Rule("security.dump-keychain-d", "dump-keychain", "ask", _STORED, _IN_PLACE, flags="-d"),
        Rule("security.export", "export", "ask", _STORED, _IN_PLACE),
    ),
)
_KWALLET_QUERY_SECRETS = Table(
    "secrets",
    (
        Rule(
            "kwallet-query.read-password",
            "**",
            "ask",
            _STORED,
            _IN_PLACE,
            flags="-r --read-password",
        ),
    ),
)
_CHAMBER_SECRETS = Table(
    "secrets",
    (
        Rule("chamber.read", "read", "ask", _STORED, _IN_PLACE),
        Rule("chamber.export", "export", "ask", _STORED, _IN_PLACE),
        Rule("chamber.env", "env", "ask", _STORED, _IN_PLACE),
    ),
)
_SOPS_SECRETS = Table(
    "secrets",
    (
        Rule("sops.decrypt", "decrypt", "ask", _STORED, _IN_PLACE),
        Rule("sops.decrypt-by-flag", "**", "ask", _STORED, _IN_PLACE, flags="-d --decrypt"),
        Rule("sops.exec-env", "exec-env", "ask", _STORED, _IN_PLACE),
    ),
)
_VAULT_DATABASE = Table(
    "database",
    (
        Rule(
            "vault.kv-delete",
            "kv|secrets|auth|lease|namespace|token delete|destroy|disable|revoke",
            "ask",
            "deletes or revokes stored secrets",
            _COPY,
        ),
        Rule("vault.kv-metadata-delete", "kv metadata delete", "ask", _VERSIONS, _COPY),
        Rule("vault.delete", "delete", "ask", "deletes a stored secret", _COPY),
    ),
)
_VAULT_SECRETS = Table(
    "secrets",
    (
        Rule("vault.kv-get", "kv get", "ask", _STORED, _IN_PLACE),
        Rule("vault.read", "read", "ask", _STORED, _IN_PLACE),
        Rule("vault.unwrap", "unwrap", "ask", _STORED, _IN_PLACE),
        Rule("vault.print-token", "print token", "ask", _TOKEN, _IN_PLACE),
        Rule("vault.token-create", "token create", "ask", _TOKEN, _IN_PLACE),
        Rule("vault.token-lookup", "token lookup", "ask", _TOKEN, _IN_PLACE),
    ),
)
_DOPPLER_SECRETS = Table(
    "secrets",
    (
        Rule("doppler.secrets-get", "secrets get", "ask", _STORED, _IN_PLACE),
        Rule("doppler.secrets-download", "secrets download", "ask", _STORED, _IN_PLACE),
        Rule("doppler.configure-get-token", "configure get token", "ask", _STORED, _IN_PLACE),
    ),
)
_INFISICAL_SECRETS = Table(
    "secrets",
    (
        Rule("infisical.secrets", "secrets", "ask", _STORED, _IN_PLACE),
        Rule("infisical.export", "export", "ask", _STORED, _IN_PLACE),
        Rule("infisical.secrets-get", "secrets get", "ask", _STORED, _IN_PLACE),
    ),
)
_ANSIBLE_VAULT_SECRETS = Table(
    "secrets",
    (
        Rule("ansible-vault.view", "view", "ask", _STORED, _IN_PLACE),
        Rule("ansible-vault.decrypt", "decrypt", "ask", _STORED, _IN_PLACE),
    ),
)
_GPG_CHECKS = (
    Check("gpg.delete-key", "deletes", "deletes a secret key permanently"),
    Check("gpg.export-secret", "secrets", "exports secret keys"),
)
_PASS_CHECKS = (Check("pass.show", "secrets", "prints a stored password"),)

PROGRAMS = (
    Program("gpg gpg2", checks=_GPG_CHECKS, saves="-o --output"),
    Program("gpg-agent", "keeps-input"),
    Program("openssl", "decodes sends single-dash", saves="-out -keyout"),
    Program("age", "shows"),
    Program(
        (
            "age-keygen env-cmd keychain wg mkcert keytool jarsigner apksigner codesign"
            " htpasswd permit allow deny"
        ),
        "prints-nothing",
    ),
    Program("pass", "is-subcommand", checks=_PASS_CHECKS),
    Program("gopass", checks=_PASS_CHECKS),
    Program("op", "wraps passes-words is-subcommand service", (_OP_SECRETS,)),
    Program("bw", "service", tables=(_BW_SECRETS,)),
    Program("lpass", "service", tables=(_LPASS_SECRETS,)),
    Program("rbw", "service", (_RBW_SECRETS,)),
    Program("keyring", tables=(_KEYRING_SECRETS,)),
    Program("certbot", "prints-nothing service"),
    Program("secret-tool", tables=(_SECRET_TOOL_DELETES, _SECRET_TOOL_SECRETS)),
    Program("security", tables=(_SECURITY_DELETES, _SECURITY_SECRETS)),
    Program("kwallet-query", tables=(_KWALLET_QUERY_SECRETS,)),
    Program(
        "chamber",
        "service",
        tables=(_CHAMBER_SECRETS,),
        hosts=(Host(verb="exec", valued="-b --backend -r --retries", operands=1, away=False),),
    ),
    Program("sops", tables=(_SOPS_SECRETS,)),
    Program("vault", "service", tables=(_VAULT_DATABASE, _VAULT_SECRETS)),
    Program("doppler", "wraps passes-words service", (_DOPPLER_SECRETS,)),
    Program(
        "infisical",
        "service",
        tables=(_INFISICAL_SECRETS,),
        hosts=(
            Host(
                verb="run",
                valued="--env --path --projectId --token --tags",
                text="-c --command",
                away=False,
            ),
        ),
    ),
    Program(
        "dotenvx",
        "prints-nothing",
        hosts=(Host(verb="run", valued="-f --env-file -e --env -fv --env-vault-file", away=False),),
    ),
    Program("dotenv direnv", "prints-nothing wraps passes-words"),
    Program("ansible-vault", tables=(_ANSIBLE_VAULT_SECRETS,)),
)
