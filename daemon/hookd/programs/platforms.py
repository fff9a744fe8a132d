"""Platforms that run applications: heroku, fly, vercel, wrangler, supabase, ..."""

from hookd.programs.model import Check, Host, Program, Rule, Table

_DEPLOYS = "deploys to production"
_TRY = "If the program has `--dry-run`, it shows what would be published."
_GONE = "destroys resources with everything in them"
_CONFIGURED = "prints variables of the deployment with their values"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_TOKEN = "prints a token"  # noqa: S105
_SECRET = "deletes a key or a secret"  # noqa: S105
_LIST = "The list command of the same program shows what would be deleted."
_OBJECTS = "deletes objects of a store"
_STORED = "prints the value of a stored secret"
_FIRST = "The user can run it, or name a database whose data may be lost."
_RESET = "drops or empties the database of the project"
_WHICH = "The project's settings name the database: make a backup of it first."

_HEROKU_PUBLISHES = Table(
    "publishes",
    (
        Rule("heroku.container-release", "container:release", "ask", _DEPLOYS, _TRY),
        Rule("heroku.releases-rollback", "releases:rollback", "ask", _DEPLOYS, _TRY),
        Rule("heroku.rollback", "rollback", "ask", _DEPLOYS, _TRY),
        Rule("heroku.pipelines-promote", "pipelines:promote", "ask", _DEPLOYS, _TRY),
    ),
)
_HEROKU_CLOUD = Table(
    "cloud",
    (
        Rule(
            "heroku.apps-destroy",
            "apps:destroy|apps:delete|destroy|pg:reset|addons:destroy",
            "deny",
            _GONE,
        ),
        Rule(
            "heroku.pipelines-destroy",
            "pipelines:destroy|domains:clear|domains:remove|config:unset",
            "ask",
            "deletes a setting",
        ),
        Rule(
            "heroku.pg-copy",
            "pg:copy|pg:push|pg:backups:restore",
            "ask",
            "overwrites a database",
            kind="database",
        ),
        Rule("heroku.scale-to-zero", "ps:scale *=0", "ask", "stops every copy of a program"),
    ),
)
_HEROKU_SECRETS = Table(
    "secrets",
    (
        Rule("heroku.config", "config", "ask", _CONFIGURED, _IN_PLACE),
        Rule("heroku.config-get", "config:get", "ask", _CONFIGURED, _IN_PLACE),
        Rule("heroku.auth-token", "auth:token", "ask", _TOKEN, _IN_PLACE),
    ),
)
_FLY_PUBLISHES = Table(
    "publishes",
    # A plain `fly deploy` is how the folder's own app is tried: fly has no other environment.
    (Rule("fly.deploy", "deploy", "ask", _DEPLOYS, _TRY, "-a --app --strategy"),),
)
_FLY_CLOUD = Table(
    "cloud",
    (
        Rule(
            "fly.apps-destroy",
            "apps|postgres|pg|mpg|redis|volumes|volume|vol destroy|delete",
            "deny",
            _GONE,
        ),
        Rule("fly.destroy", "destroy", "deny", _GONE),
        Rule(
            "fly.machine-destroy",
            "machine|machines|m destroy|remove|rm",
            "deny",
            "destroys a machine",
        ),
        Rule("fly.scale-to-zero", "scale count 0", "ask", "stops every copy of a program"),
        Rule("fly.secrets-unset", "secrets unset", "ask", _SECRET),
    ),
)
_FLY_SECRETS = Table(
    "secrets",
    (
        Rule("fly.auth-token", "auth token", "ask", _TOKEN, _IN_PLACE),
        Rule("fly.tokens-create", "tokens create *", "ask", _TOKEN, _IN_PLACE),
    ),
)
_VERCEL_CLOUD = Table(
    "cloud",
    (
        Rule("vercel.remove", "remove|rm", "deny", "deletes deployments"),
        Rule("vercel.project-rm", "project|projects rm|remove", "deny", _GONE),
        Rule(
            "vercel.env-rm",
            "env|domains|dns|alias|secrets|certs rm|remove",
            "ask",
            "deletes a setting",
        ),
    ),
)
_VERCEL_PUBLISHES = Table(
    "publishes",
    (
        Rule("vercel.promote", "promote|rollback", "ask", _DEPLOYS),
        Rule("vercel.redeploy", "redeploy", "ask", _DEPLOYS),
    ),
)
_NETLIFY_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "netlify.deploy-prod",
            "deploy",
            "ask",
            _DEPLOYS,
            _TRY,
            flags="-p --prod --prod-if-unlocked",
        ),
    ),
)
_NETLIFY_CLOUD = Table(
    "cloud", (Rule("netlify.sites-delete", "sites:delete", "deny", _GONE, _LIST),)
)
_NETLIFY_SECRETS = Table(
    "secrets",
    (
        Rule("netlify.env-get", "env:get", "ask", _CONFIGURED, _IN_PLACE),
        Rule("netlify.env-list", "env:list", "ask", _CONFIGURED, _IN_PLACE),
    ),
)
_WRANGLER_PUBLISHES = Table(
    "publishes",
    (
        Rule("wrangler.deploy", "deploy", "ask", _DEPLOYS, _TRY),
        Rule("wrangler.publish", "publish", "ask", _DEPLOYS, _TRY),
        Rule("wrangler.pages-deploy", "pages deploy", "ask", _DEPLOYS, _TRY),
        Rule("wrangler.pages-publish", "pages publish", "ask", _DEPLOYS, _TRY),
    ),
)
_WRANGLER_CLOUD = Table(
    "cloud",
    (
        Rule("wrangler.secret-delete", "secret delete", "ask", _SECRET),
        Rule("wrangler.kv-key-delete", "kv|kv:key|r2|queues ** key|object delete", "ask", _OBJECTS),
        Rule("wrangler.kv-bulk-delete", "kv:key|kv:bulk delete", "ask", _OBJECTS),
        Rule("wrangler.delete", "delete", "deny", _GONE),
        Rule("wrangler.resource-delete", "** delete", "deny", _GONE),
    ),
)
_FIREBASE_PUBLISHES = Table(
    "publishes",
    (
        Rule("firebase.deploy", "deploy", "ask", _DEPLOYS, _TRY),
        Rule("firebase.hosting-clone", "hosting:clone", "ask", _DEPLOYS, _TRY),
        Rule(
            "firebase.appdistribution-distribute",
            "appdistribution:distribute",
            "ask",
            _DEPLOYS,
            _TRY,
        ),
    ),
)
_FIREBASE_CLOUD = Table(
    "cloud",
    (
        Rule(
            "firebase.firestore-delete",
            "firestore:delete|database:remove|projects:delete",
            "deny",
            _GONE,
        ),
        Rule(
            "firebase.functions-delete",
            "functions:delete|hosting:disable|hosting:channel:delete|apps:delete",
            "ask",
            _GONE,
        ),
    ),
)
_FIREBASE_SECRETS = Table(
    "secrets",
    (
        Rule(
            "firebase.functions-secrets-access",
            "functions:secrets:access",
            "ask",
            _STORED,
            _IN_PLACE,
        ),
        Rule("firebase.functions-config-get", "functions:config:get", "ask", _STORED, _IN_PLACE),
    ),
)
_SUPABASE_CLOUD = Table(
    "cloud",
    (
        Rule("supabase.projects-delete", "projects delete", "deny", _GONE),
        Rule("supabase.branches-delete", "branches|functions delete", "ask", _GONE),
        Rule("supabase.secrets-unset", "secrets unset", "ask", _SECRET),
    ),
)
_SUPABASE_DATABASE = Table(
    "database",
    (
        Rule(
            "supabase.db-reset-linked",
            "db reset",
            "deny",
            "drops the linked database",
            _FIRST,
            flags="--linked --db-url",
        ),
        Rule("supabase.db-reset", "db reset", "ask", _RESET, _WHICH),
        Rule("supabase.stop-no-backup", "stop", "ask", _RESET, flags="--no-backup"),
    ),
)
_RAILWAY_PUBLISHES = Table(
    "publishes",
    (
        Rule("railway.up", "up", "ask", _DEPLOYS, _TRY),
        Rule("railway.redeploy", "redeploy", "ask", _DEPLOYS, _TRY),
    ),
)
_RAILWAY_CLOUD = Table(
    "cloud",
    (
        Rule("railway.down", "down", "deny", _GONE, _LIST),
        Rule("railway.delete", "delete", "deny", _GONE, _LIST),
        Rule("railway.environment-delete", "environment delete", "deny", _GONE, _LIST),
        Rule("railway.volume-delete", "volume delete", "deny", _GONE, _LIST),
    ),
)
_RAILWAY_SECRETS = Table(
    "secrets", (Rule("railway.variables", "variables", "ask", _CONFIGURED, _IN_PLACE),)
)
_CF_CLOUD = Table("cloud", (Rule("cf.delete", "delete|delete-*|d|ds", "deny", _GONE, _LIST),))
_KAMAL_PUBLISHES = Table(
    "publishes",
    (
        Rule("kamal.deploy", "deploy", "ask", _DEPLOYS, _TRY),
        Rule("kamal.redeploy", "redeploy", "ask", _DEPLOYS, _TRY),
        Rule("kamal.rollback", "rollback", "ask", _DEPLOYS, _TRY),
    ),
)
_KAMAL_DATABASE = Table(
    "database",
    (
        Rule("kamal.remove", "remove", "deny", "deletes an application with its data", _FIRST),
        Rule(
            "kamal.app-remove",
            "app|accessory remove",
            "ask",
            "deletes an application on its servers",
        ),
    ),
)
_DOKKU_DATABASE = Table(
    "database",
    (Rule("dokku.destroy", "*:destroy", "deny", "deletes an application, or its data", _FIRST),),
)
_DDEV_DATABASE = Table("database", (Rule("ddev.delete", "delete|clean", "ask", _RESET, _WHICH),))
_LANDO_DATABASE = Table("database", (Rule("lando.destroy", "destroy", "ask", _RESET, _WHICH),))
_METEOR_DATABASE = Table("database", (Rule("meteor.reset", "reset", "ask", _RESET, _WHICH),))
_DVC_DATABASE = Table(
    "database",
    (Rule("dvc.gc-force", "gc|destroy", "ask", "deletes versions of data", flags="-f --force"),),
)
_WP_DATABASE = Table(
    "database",
    (
        Rule("wp.db-reset", "db reset|drop|clean", "deny", "drops the tables of the site", _FIRST),
        Rule(
            "wp.site-empty", "site empty|delete", "deny", "deletes the content of the site", _FIRST
        ),
    ),
)
_BENCH_DATABASE = Table(
    "database",
    (
        Rule("bench.drop-site", "drop-site|reinstall", "ask", _RESET, _WHICH),
        Rule("bench.site-drop-site", "** drop-site|reinstall", "ask", _RESET, _WHICH),
    ),
)

PROGRAMS = (
    Program(
        "heroku",
        "may-run new-machine service",
        (_HEROKU_PUBLISHES, _HEROKU_CLOUD, _HEROKU_SECRETS),
        hosts=(
            Host(verb="run", valued="-a --app -s --size -e --env -r --remote --type"),
            Host(verb="run:detached", valued="-a --app -s --size -e --env -r --remote --type"),
        ),
        values="-a -s -r",
    ),
    Program(
        "fly flyctl",
        "may-run remote service",
        (_FLY_PUBLISHES, _FLY_CLOUD, _FLY_SECRETS),
        hosts=(
            Host(
                verb="ssh console",
                valued=(
                    "-a --app -s --select --address -u --user --machine -g --process-group -o --org"
                ),
                text="-C --command",
            ),
        ),
        values="-a -c",
    ),
    Program(
        "vercel vc",
        "service",
        tables=(_VERCEL_CLOUD, _VERCEL_PUBLISHES),
        checks=(Check("vercel.deploy", "publishes", "deploys to production"),),
        values="-t -S",
    ),
    Program("netlify", "service", tables=(_NETLIFY_PUBLISHES, _NETLIFY_CLOUD, _NETLIFY_SECRETS)),
    Program("ntl", "service", tables=(_NETLIFY_PUBLISHES, _NETLIFY_CLOUD)),
    Program(
        "wrangler",
        "service runs-statements",
        tables=(_WRANGLER_PUBLISHES, _WRANGLER_CLOUD),
        scripts="--file",
        uploads=("r2 object put",),
    ),
    Program(
        "firebase", "service", tables=(_FIREBASE_PUBLISHES, _FIREBASE_CLOUD, _FIREBASE_SECRETS)
    ),
    Program("supabase", "service", tables=(_SUPABASE_CLOUD, _SUPABASE_DATABASE)),
    Program(
        "railway",
        "service",
        tables=(_RAILWAY_PUBLISHES, _RAILWAY_CLOUD, _RAILWAY_SECRETS),
        hosts=(Host(verb="run", valued="-s --service -e --environment -p --project", away=False),),
    ),
    Program("cf", "may-run service", (_CF_CLOUD,)),
    Program(
        "kamal",
        "may-run other-machine",
        (_KAMAL_PUBLISHES, _KAMAL_DATABASE),
        hosts=(
            Host(verb="app exec", valued="-d --destination -h --hosts -r --roles -c --config-file"),
        ),
    ),
    Program(
        "dokku",
        "may-run new-machine",
        (_DOKKU_DATABASE,),
        hosts=(Host(verb="run", operands=1),),
    ),
    Program(
        "ddev",
        "other-machine",
        (_DDEV_DATABASE,),
        hosts=(Host(verb="exec", valued="-s --service -d --dir"),),
    ),
    Program(
        "lando",
        "other-machine",
        (_LANDO_DATABASE,),
        hosts=(Host(verb="ssh", valued="-s --service -u --user", text="-c --command"),),
    ),
    Program("meteor", tables=(_METEOR_DATABASE,)),
    Program("dvc", tables=(_DVC_DATABASE,)),
    Program("wp", "service", tables=(_WP_DATABASE,)),
    Program("bench", tables=(_BENCH_DATABASE,)),
)
