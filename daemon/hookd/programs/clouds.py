"""Clouds and hosted databases: gcloud, az, doctl, hcloud, neon, ..."""

from hookd.programs.model import Program, Rule, Table

_DEPLOYS = "deploys to production"
_TRY = "If the program has `--dry-run`, it shows what would be published."
_OBJECTS = "deletes objects of a store"
_LIST = "The list command of the same program shows what would be deleted."
_GONE = "destroys resources with everything in them"
_STOPS = "stops a service that users need"
_WHO = "changes permissions"
_STORED = "prints the value of a stored secret"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_TOKEN = "prints a token"  # noqa: S105

_GCLOUD_PUBLISHES = Table(
    "publishes",
    (
        Rule("gcloud.app-deploy", "** app|run|functions deploy", "ask", _DEPLOYS, _TRY),
        Rule("gcloud.builds-submit", "** builds submit", "ask", _DEPLOYS, _TRY),
    ),
)
_GCLOUD_CLOUD = Table(
    "cloud",
    (
        Rule(
            "gcloud.config-configurations-delete",
            "** config configurations delete",
            "ask",
            "deletes a configuration",
        ),
        Rule(
            "gcloud.storage-rm-recursive",
            "** storage rm",
            "deny",
            _OBJECTS,
            _LIST,
            flags="-r -R --recursive",
        ),
        Rule("gcloud.storage-rm", "** storage rm", "ask", _OBJECTS, _LIST),
        Rule(
            "gcloud.storage-rsync-delete",
            "** storage rsync",
            "ask",
            _OBJECTS,
            flags="--delete-unmatched-destination-objects",
        ),
        Rule(
            "gcloud.images-delete",
            "** images|tags|versions|revisions|tasks|jobs|messages delete",
            "ask",
            _GONE,
            _LIST,
        ),
        Rule("gcloud.delete", "** delete|destroy|terminate|purge", "deny", _GONE, _LIST),
        Rule("gcloud.bulk-delete", "** bulk-delete", "deny", _GONE, _LIST),
        Rule("gcloud.instances-stop", "** instances|versions stop", "ask", _STOPS, _LIST),
        Rule("gcloud.resize-to-zero", "** resize", "ask", _STOPS, flags="--num-nodes=0 --size=0"),
        Rule("gcloud.services-disable", "** services disable", "ask", _STOPS, _LIST),
        Rule(
            "gcloud.sql-instances-restore",
            "sql instances|backups restore*",
            "ask",
            "overwrites a database",
            kind="database",
        ),
        Rule(
            "gcloud.iam-policy",
            "** remove-iam-policy-binding|set-iam-policy|add-iam-policy-binding",
            "ask",
            _WHO,
        ),
    ),
)
_GCLOUD_SECRETS = Table(
    "secrets",
    (
        Rule(
            "gcloud.secrets-versions-access", "secrets versions access", "ask", _STORED, _IN_PLACE
        ),
        Rule("gcloud.kms-decrypt", "kms decrypt", "ask", _STORED, _IN_PLACE),
        Rule("gcloud.auth-print-access-token", "auth print-access-token", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "gcloud.auth-print-identity-token",
            "auth print-identity-token",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
        Rule(
            "gcloud.auth-application-default-print-access-token",
            "auth application-default print-access-token",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
        Rule(
            "gcloud.iam-service-accounts-keys-create",
            "iam service-accounts keys create",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
    ),
)
_GSUTIL_CLOUD = Table(
    "cloud",
    (
        Rule("gsutil.rm-r", "rm", "deny", _OBJECTS, "`gsutil ls` shows which.", flags="-r -R -a"),
        Rule("gsutil.rm", "rm", "ask", _OBJECTS, "`gsutil ls` shows which."),
        Rule("gsutil.rb", "rb", "deny", "deletes a bucket"),
        Rule(
            "gsutil.rsync-d", "rsync", "ask", _OBJECTS, "`-n` shows which.", flags="-d", unless="-n"
        ),
    ),
)
_BQ_CLOUD = Table(
    "cloud",
    (
        Rule(
            "bq.rm-recursive",
            "rm",
            "deny",
            "deletes tables",
            _LIST,
            flags="-r -f --recursive --force",
        ),
        Rule("bq.rm", "rm", "ask", "deletes a table", _LIST),
    ),
)
_AZ_CLOUD = Table(
    "cloud",
    (
        Rule(
            "az.deployment-create-mode-complete",
            "** deployment ** create",
            "ask",
            _GONE,
            "`what-if` shows it.",
            flags="--mode=complete --mode=Complete",
        ),
        Rule("az.delete", "** delete|destroy|terminate|purge|delete-batch", "deny", _GONE, _LIST),
        Rule("az.deallocate", "** deallocate", "ask", _STOPS, _LIST),
        Rule("az.role-assignment-create", "role assignment create", "ask", _WHO),
        Rule("az.remove", "** remove", "ask", "deletes a part of a resource", _LIST),
    ),
)
_AZ_SECRETS = Table(
    "secrets",
    (
        Rule("az.keyvault-secret-show", "keyvault secret show", "ask", _STORED, _IN_PLACE),
        Rule("az.keyvault-secret-download", "keyvault secret download", "ask", _STORED, _IN_PLACE),
        Rule("az.keyvault-key-download", "keyvault key download", "ask", _STORED, _IN_PLACE),
        Rule("az.account-get-access-token", "account get-access-token", "ask", _TOKEN, _IN_PLACE),
        Rule("az.storage-account-keys-list", "storage account keys list", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "az.storage-account-show-connection-string",
            "storage account show-connection-string",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
        Rule("az.acr-credential-show", "acr credential show", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "az.acr-login-expose-token",
            "acr login",
            "ask",
            _TOKEN,
            _IN_PLACE,
            flags="--expose-token",
        ),
        Rule("az.ad-sp-create-for-rbac", "ad sp create-for-rbac", "ask", _TOKEN, _IN_PLACE),
        Rule("az.cosmosdb-keys-list", "cosmosdb keys list", "ask", _TOKEN, _IN_PLACE),
        Rule("az.redis-list-keys", "redis list-keys", "ask", _TOKEN, _IN_PLACE),
        Rule("az.functionapp-keys-list", "functionapp keys list", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "az.webapp-config-appsettings-list",
            "webapp config appsettings list",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
    ),
)
_DOCTL_CLOUD = Table(
    "cloud",
    (
        Rule(
            "doctl.delete",
            "** delete|destroy|terminate|purge|del|remove|rm|rebuild",
            "deny",
            _GONE,
            _LIST,
        ),
    ),
)
_LINODE_CLI_CLOUD = Table(
    "cloud",
    (
        Rule(
            "linode-cli.delete",
            "** delete|destroy|terminate|purge|rm|rebuild|remove",
            "deny",
            _GONE,
            _LIST,
        ),
    ),
)
_SCW_CLOUD = Table(
    "cloud",
    (Rule("scw.delete", "** delete|destroy|terminate|purge|*-delete", "deny", _GONE, _LIST),),
)
_NEONCTL_CLOUD = Table(
    "cloud", (Rule("neonctl.delete", "** delete|destroy|terminate|purge", "deny", _GONE, _LIST),)
)
_ATLAS_CLOUD = Table(
    "cloud", (Rule("atlas.delete", "** delete|destroy|terminate|purge", "deny", _GONE, _LIST),)
)
_ATLAS_DATABASE = Table(
    "database",
    (
        Rule(
            "atlas.schema-clean",
            "schema clean",
            "ask",
            "drops or empties the database of the project",
            "The project's settings name the database: make a backup of it first.",
        ),
        Rule(
            "atlas.migrate-down",
            "migrate down",
            "ask",
            "reverts migrations, with the tables and columns that they created",
            "`atlas migrate status` shows what would be reverted.",
        ),
        Rule(
            "atlas.schema-apply",
            "schema apply",
            "ask",
            "changes the schema without a question",
            "`--dry-run` prints the statements only.",
            flags="--auto-approve",
        ),
    ),
)
_ALIYUN_CLOUD = Table("cloud", (Rule("aliyun.delete", "* Delete*|Release*", "deny", _GONE, _LIST),))

PROGRAMS = (
    Program(
        "gcloud",
        "may-run",
        (_GCLOUD_PUBLISHES, _GCLOUD_CLOUD, _GCLOUD_SECRETS),
        uploads=("storage cp", "storage mv", "compute scp"),
    ),
    Program("gsutil", tables=(_GSUTIL_CLOUD,), uploads=("cp", "mv", "rsync")),
    Program("bq", tables=(_BQ_CLOUD,)),
    Program(
        "az",
        "may-run",
        (_AZ_CLOUD, _AZ_SECRETS),
        uploads=("storage blob upload", "storage file upload"),
        values="-n -g -l",
    ),
    Program("doctl vultr-cli civo", tables=(_DOCTL_CLOUD,)),
    Program("linode-cli hcloud", tables=(_LINODE_CLI_CLOUD,)),
    Program("scw oci openstack ovhcloud upctl exo ibmcloud", tables=(_SCW_CLOUD,)),
    Program("neonctl neon pscale turso mongocli confluent", tables=(_NEONCTL_CLOUD,)),
    Program("atlas", tables=(_ATLAS_CLOUD, _ATLAS_DATABASE)),
    Program("aliyun", tables=(_ALIYUN_CLOUD,)),
)
