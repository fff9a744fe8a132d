"""Frameworks and schema migrations: rails, django, prisma, alembic, flyway, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Check, Program, Rule, Table

_STORED = "prints the value of a stored secret"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_RESET = "drops or empties the database of the project"
_WHICH = "The project's settings name the database: make a backup of it first."
_BACK = "reverts all migrations, with the tables that they created"
_STEP = "reverts migrations, with the tables and columns that they created"
_STATUS = "The status command of the same program shows what would be reverted; a backup keeps it."

_RAILS_SECRETS = Table(
    "secrets",
    (
        Rule("rails.credentials-show", "credentials:show", "ask", _STORED, _IN_PLACE),
        Rule("rails.credentials-edit", "credentials:edit", "ask", _STORED, _IN_PLACE),
        Rule("rails.secrets-show", "secrets:show", "ask", _STORED, _IN_PLACE),
    ),
)
_MANAGE_PY_DATABASE = Table(
    "database",
    (
        Rule(
            "django.flush", "flush|reset_db|reset_schema|drop_test_database", "ask", _RESET, _WHICH
        ),
        Rule("django.migrate-zero", "migrate * zero", "ask", _BACK, _WHICH),
    ),
)
_PRISMA_CHECKS = (
    Check("prisma.answered", "database", "changes the database, and a pipe answers its question"),
)
_PRISMA_DATABASE = Table(
    "database",
    (
        Rule("prisma.migrate-reset", "migrate reset", "ask", _RESET, _WHICH),
        Rule(
            "prisma.db-push-force-reset",
            "db push",
            "ask",
            _RESET,
            _WHICH,
            flags="--force-reset --accept-data-loss",
        ),
        Rule(
            "prisma.migrate-dev",
            "migrate dev",
            "ask",
            "resets the database of the project if its tables have changed",
            "`prisma migrate status` shows whether they have, `--create-only` changes nothing.",
            unless="--create-only -n --name",
        ),
    ),
)
_ALEMBIC_DATABASE = Table(
    "database",
    (
        Rule("alembic.downgrade-base", "downgrade base", "ask", _BACK, _WHICH),
        Rule("alembic.downgrade", "downgrade", "ask", _STEP, "`--sql` prints the statements only."),
    ),
    harmless=("--sql", *DRY_RUN_FLAGS),
)
_FLASK_DATABASE = Table(
    "database",
    (
        Rule("flask.db-downgrade-base", "db downgrade base", "ask", _BACK, _WHICH),
        Rule("flask.db-downgrade", "db downgrade", "ask", _STEP, _STATUS, unless="--sql"),
        Rule("flask.db-drop", "db drop*", "ask", _RESET),
    ),
)
_SEQUELIZE_DATABASE = Table(
    "database",
    (
        Rule("sequelize.db-drop", "db:drop", "ask", _RESET, _WHICH),
        Rule("sequelize.db-migrate-undo-all", "db:migrate:undo:all", "ask", _RESET, _WHICH),
        Rule("sequelize.db-migrate-undo", "db:migrate:undo", "ask", _STEP, _STATUS),
        Rule(
            "sequelize.db-seed-undo",
            "db:seed:undo|db:seed:undo:all",
            "ask",
            "deletes the rows of seeds",
            _WHICH,
        ),
    ),
)
_KNEX_DATABASE = Table(
    "database",
    (
        Rule("knex.migrate-rollback-all", "migrate:rollback", "ask", _RESET, _WHICH, flags="--all"),
        Rule("knex.migrate-rollback", "migrate:rollback|migrate:down", "ask", _STEP, _STATUS),
    ),
)
_TYPEORM_DATABASE = Table(
    "database",
    (
        Rule("typeorm.schema-drop", "schema:drop", "ask", _RESET, _WHICH),
        Rule("typeorm.migration-revert", "migration:revert", "ask", _STEP, _STATUS),
    ),
)
_MIKRO_ORM_DATABASE = Table(
    "database",
    (
        Rule(
            "mikro-orm.schema-drop",
            "schema:drop|schema:fresh|migration:fresh",
            "ask",
            _RESET,
            _WHICH,
        ),
        Rule("mikro-orm.migration-down", "migration:down", "ask", _STEP, _STATUS),
    ),
)
_DRIZZLE_KIT_DATABASE = Table(
    "database",
    (
        Rule("drizzle-kit.push-force", "push", "ask", _RESET, _WHICH, flags="--force"),
        Rule(
            "drizzle-kit.drop",
            "drop",
            "ask",
            "deletes the files of a migration",
            "`drizzle-kit check` shows the state of the migrations.",
        ),
    ),
)
_ARTISAN_DATABASE = Table(
    "database",
    (
        Rule(
            "artisan.migrate-fresh",
            "migrate:fr*|migrate:ref*|migrate:res*|db:w*",
            "ask",
            _RESET,
            _WHICH,
        ),
        Rule(
            "artisan.php-migrate-fresh",
            "artisan|art migrate:fr*|migrate:ref*|migrate:res*|db:w*",
            "ask",
            _RESET,
            _WHICH,
        ),
        Rule("artisan.migrate-rollback", "migrate:ro*", "ask", _STEP, _STATUS, unless="--pretend"),
        Rule(
            "artisan.php-migrate-rollback",
            "artisan|art migrate:ro*",
            "ask",
            _STEP,
            _STATUS,
            unless="--pretend",
        ),
    ),
)
# Symfony's console takes every unambiguous abbreviation.
_CONSOLE_DATABASE = Table(
    "database",
    (
        Rule(
            "console.d-d-d-force",
            "d*:d*:d*|d*:s*:d*",
            "ask",
            _RESET,
            _WHICH,
            flags="-f --force --full-database",
        ),
        Rule(
            "console.d-f-l",
            "d*:f*:l*|hautelook:fixtures:load",
            "ask",
            _RESET,
            _WHICH,
            unless="--append",
        ),
    ),
)
_PHINX_DATABASE = Table(
    "database",
    (
        Rule("phinx.rollback-all", "rollback", "ask", _RESET, _WHICH, flags="--target=0 -t0"),
        Rule("phinx.rollback", "rollback", "ask", _STEP, _STATUS, unless="-x"),
    ),
)
_YII_DATABASE = Table(
    "database",
    (
        Rule("yii.migrate-fresh", "migrate/fresh", "ask", _RESET, _WHICH),
        Rule("yii.migrate-down-all", "migrate/down all", "ask", _RESET, _WHICH),
        Rule("yii.migrate-down", "migrate/down|migrate/redo", "ask", _STEP, _STATUS),
    ),
)
_SPARK_DATABASE = Table(
    "database",
    (Rule("spark.migrate-refresh", "migrate:refresh|migrate:rollback", "ask", _RESET, _WHICH),),
)
_DIESEL_DATABASE = Table(
    "database",
    (
        Rule("diesel.database-reset", "database|db reset|drop", "ask", _RESET, _WHICH),
        Rule("diesel.migration-revert", "migration revert|redo", "ask", _STEP, _STATUS),
    ),
)
_SQLX_DATABASE = Table(
    "database",
    (
        Rule("sqlx.database-drop", "database|db drop|reset", "ask", _RESET, _WHICH),
        Rule("sqlx.migrate-revert", "migrate|mig revert", "ask", _STEP, _STATUS),
    ),
)
_SEA_ORM_CLI_DATABASE = Table(
    "database",
    (
        Rule("sea-orm-cli.migrate-fresh", "migrate fresh|refresh|reset", "ask", _RESET, _WHICH),
        Rule("sea-orm-cli.migrate-down", "migrate down", "ask", _STEP, _STATUS),
    ),
)
_GOOSE_DATABASE = Table(
    "database",
    (
        Rule("goose.reset", "** reset", "ask", _RESET, _WHICH),
        Rule("goose.down-to-0", "** down-to 0", "ask", _RESET, _WHICH),
        Rule("goose.down", "** down|down-to|redo", "ask", _STEP, _STATUS),
    ),
)
_MIGRATE_DATABASE = Table(
    "database",
    (
        Rule("migrate.drop", "drop", "ask", _RESET, _WHICH),
        Rule("migrate.down-all", "down", "ask", _BACK, _WHICH, flags="-all --all"),
        Rule("migrate.down", "down", "ask", _STEP, _STATUS),
    ),
)
_DBMATE_DATABASE = Table(
    "database",
    (
        Rule("dbmate.drop", "drop", "ask", _RESET, _WHICH),
        Rule("dbmate.rollback", "rollback|down", "ask", _STEP, _STATUS),
    ),
)
_FLYWAY_DATABASE = Table(
    "database",
    (
        Rule("flyway.clean", "** clean", "ask", _RESET, _WHICH),
        Rule("flyway.undo", "** undo", "ask", _STEP, _STATUS),
    ),
)
_LIQUIBASE_DATABASE = Table(
    "database",
    (
        Rule("liquibase.drop-all", "drop-all|dropall|dropAll", "ask", _RESET, _WHICH),
        Rule(
            "liquibase.rollback",
            "rollback|rollback-count|rollback-to-date|rollback-one-*|rollbackCount|rollbackToDate",
            "ask",
            _STEP,
            "`rollback-sql` prints the statements only.",
        ),
    ),
)
_DOTNET_EF_DATABASE = Table(
    "database",
    (
        Rule("dotnet-ef.database-drop", "database drop", "ask", _RESET, _WHICH),
        Rule("dotnet-ef.database-revert", "database update 0", "ask", _RESET, _WHICH),
    ),
)
_DRUSH_DATABASE = Table(
    "database",
    (
        Rule(
            "drush.sql-drop",
            "sql:drop|sql-drop|site:install|site-install|si",
            "ask",
            _RESET,
            _WHICH,
        ),
    ),
)
_HASURA_DATABASE = Table(
    "database",
    (
        Rule(
            "hasura.migrate-down",
            "migrate apply",
            "ask",
            _STEP,
            "`hasura migrate status` shows what would be reverted.",
            flags="--down --type=down",
        ),
        Rule("hasura.metadata-clear", "metadata clear", "ask", "deletes all metadata"),
    ),
)

PROGRAMS = (
    Program("hasura", tables=(_HASURA_DATABASE,)),
    Program("rails", "may-run", (_RAILS_SECRETS,)),
    Program("manage.py django-admin django", tables=(_MANAGE_PY_DATABASE,)),
    Program(
        "prisma",
        "runs-statements",
        (_PRISMA_DATABASE,),
        checks=_PRISMA_CHECKS,
        scripts="--file",
    ),
    Program("alembic", tables=(_ALEMBIC_DATABASE,)),
    Program("flask", tables=(_FLASK_DATABASE,)),
    Program("sequelize sequelize-cli", tables=(_SEQUELIZE_DATABASE,)),
    Program("knex", tables=(_KNEX_DATABASE,)),
    Program("typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm", tables=(_TYPEORM_DATABASE,)),
    Program("mikro-orm", tables=(_MIKRO_ORM_DATABASE,)),
    Program("drizzle-kit", tables=(_DRIZZLE_KIT_DATABASE,)),
    Program("artisan", tables=(_ARTISAN_DATABASE,)),
    Program("sail", "may-run", (_ARTISAN_DATABASE,)),
    Program("console symfony", tables=(_CONSOLE_DATABASE,)),
    Program("phinx", tables=(_PHINX_DATABASE,)),
    Program("yii", tables=(_YII_DATABASE,)),
    Program("spark", tables=(_SPARK_DATABASE,)),
    Program("diesel", tables=(_DIESEL_DATABASE,)),
    Program("sqlx", tables=(_SQLX_DATABASE,)),
    Program("sea-orm-cli", tables=(_SEA_ORM_CLI_DATABASE,)),
    Program("goose", "takes-text", (_GOOSE_DATABASE,)),
    Program("migrate", tables=(_MIGRATE_DATABASE,)),
    Program("dbmate", tables=(_DBMATE_DATABASE,)),
    Program("flyway", tables=(_FLYWAY_DATABASE,)),
    Program("liquibase", tables=(_LIQUIBASE_DATABASE,)),
    Program("dotnet-ef", tables=(_DOTNET_EF_DATABASE,)),
    Program("drush", tables=(_DRUSH_DATABASE,)),
)
