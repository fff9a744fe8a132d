"""Schema migrations, ORMs, database servers: tools that drop or empty a database.

A framework's development database is asked about: it may be another one. In ORM code (`rails runner
'User.delete_all'`), only the deletion of all rows of a table is a risk.
"""

import re
from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.interpreters import with_launchers
from hookd.risk.inline.sql import harms
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import (
    DRY_RUN_FLAGS,
    Row,
    begins,
    call_risk,
    has_exact_flag,
    joined_rule,
    rule_of,
    table_of,
)

_EVERY = lazy_compile(
    r"(?<![\w.)])[A-Z]\w*+(?:::\w++)*+(?:\.(?:unscoped|all)\b)?\.(?:delete_all|destroy_all)\b"
    r"|\.objects\.(?:all\(\)\.)?(?:delete|_raw_delete)\("
    r"|::(?:truncate|query\(\)->(?:delete|forceDelete|truncate))\("
    r"|DB::table\([^()]*\)->(?:delete|truncate)\(|::all\(\)->each->(?:delete|forceDelete)\b"
)
_VERBS = "shell|shell_plus|runner|r|console|c|tinker|artisan"
_INSTEAD = "Count the rows first."


def orm_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield that code for a framework's shell deletes every row of a table."""
    texts = (*call.command.stdin, *call.command.words[1:])
    if begins(call.items, _VERBS) and any(map(_EVERY.search, texts)):
        yield call_risk(call, "database", "ask", "deletes every row of a table", _INSTEAD)


_RESET = "drops or empties the database of the project"
_WHICH = "The project's settings name the database."
_FIRST = "The user can run it, or name a database whose data may be lost."
_BACK = "reverts all migrations, with the tables that they created"
_KEYS = "deletes all keys below a prefix"


def _tool(*rows: Row, calm: tuple[str, ...] = DRY_RUN_FLAGS) -> RiskRule:
    return rule_of("database", *rows, calm=calm)


def _reset(*words: str, flags: str = "", unless: str = "") -> RiskRule:
    return _tool(*(Row(each, "ask", _RESET, _WHICH, flags, unless) for each in words))


_PRISMA = _tool(
    Row("migrate reset", "ask", _RESET, _WHICH),
    Row("db push", "ask", _RESET, _WHICH, flags="--force-reset --accept-data-loss"),
)
_DJANGO = _tool(
    Row("flush|reset_db|reset_schema|drop_test_database", "ask", _RESET, _WHICH),
    Row("migrate * zero", "ask", _BACK, _WHICH),
)


def _dbshell(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of the statements for the database's own client through Django."""
    if call.starts("dbshell"):
        words = (
            one for text in (*call.command.stdin, *call.command.words[2:]) for one in harms(text)
        )
        for harm in dict.fromkeys(words):
            yield call_risk(call, "database", harm.weight, harm.why, _FIRST)


_FLASK = _tool(Row("db downgrade base", "ask", _BACK, _WHICH), Row("db drop*", "ask", _RESET))
_SUPABASE = _tool(
    Row("db reset", "deny", "drops the linked database", _FIRST, flags="--linked --db-url"),
    Row("db reset", "ask", _RESET, _WHICH),
    Row("stop", "ask", _RESET, flags="--no-backup"),
)
# Symfony's console takes every unambiguous abbreviation.
_SYMFONY = _tool(
    Row("d*:d*:d*|d*:s*:d*", "ask", _RESET, _WHICH, flags="-f --force --full-database"),
    Row("d*:f*:l*|hautelook:fixtures:load", "ask", _RESET, _WHICH, unless="--append"),
)
_WORDPRESS = _tool(
    Row("db reset|drop|clean", "deny", "drops the tables of the site", _FIRST),
    Row("site empty|delete", "deny", "deletes the content of the site", _FIRST),
)
_RAILS = lazy_compile(
    r"(?:\w+:)*db:(?:mongoid:)?(?:drop|reset|purge|truncate_all|schema:load|structure:load"
    r"|migrate:reset|seed:replant|test:purge)(?:[:\[].*)?"
)


def _rails(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of the tasks; of several, one is enough."""
    tasks = [item.text for item in call.items]
    if not has_exact_flag(call, ("-n", "-T", "-P", *DRY_RUN_FLAGS)) and any(
        map(_RAILS.fullmatch, tasks)
    ):
        live = "RAILS_ENV=production" in tasks or "RACK_ENV=production" in tasks
        why = "drops or empties the production database" if live else _RESET
        yield call_risk(call, "database", "deny" if live else "ask", why, _WHICH)


_TRIAL = lazy_compile(r"(?i)(?:.*[_-])?(?:test|tests|testing|tmp|temp)(?:[_-].*|\d*)")
"""The name of a database that tests create, and recreate."""


def _database(call: CommandCall) -> Iterator[Risk]:
    named_so = call.items[-1:] and _TRIAL.fullmatch(call.items[-1].text)
    if call.program == "dropdb" and named_so and not call.command.holes:
        return
    if not has_exact_flag(call, ("--help", "--version", "-V", "-?")):
        yield call_risk(call, "database", "deny", "drops a database", _FIRST)


def _pg_restore(call: CommandCall) -> Iterator[Risk]:
    """Yield that a restoration drops first; `-Fc` names a format, and cleans nothing."""
    shorts = (re.split(r"(?<=[dFfIjLnNPtTUhpS])", flag[1:])[0] for flag, _ in call.words.flags)
    long = [flag for flag, _ in call.words.flags if len(flag) > 3 and "--clean".startswith(flag)]
    if long or any("c" in letters and letters[:1] != "-" for letters in shorts):
        yield call_risk(call, "database", "ask", "drops what it restores before", _WHICH)


_GOLANG = _tool(
    Row("drop", "ask", _RESET, _WHICH),
    Row("down", "ask", _BACK, _WHICH, flags="-all --all"),
)
_FRESH = "migrate:fr*|migrate:ref*|migrate:res*|db:w*"
_ARTISAN = _reset(_FRESH, f"artisan|art {_FRESH}")

_FRAMEWORKS: Mapping[str, RiskRule] = {
    **table_of("rails rake", joined_rule(_rails, orm_risks)),
    **table_of("manage.py django-admin django", joined_rule(_DJANGO, orm_risks, _dbshell)),
    "prisma": _PRISMA,
    **table_of(
        "alembic",
        _tool(Row("downgrade base", "ask", _BACK, _WHICH), calm=("--sql", *DRY_RUN_FLAGS)),
    ),
    "flask": _FLASK,
    **table_of("sequelize sequelize-cli", _reset("db:drop", "db:migrate:undo:all")),
    "knex": _reset("migrate:rollback", flags="--all"),
    **table_of("typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm", _reset("schema:drop")),
    "mikro-orm": _reset("schema:drop|schema:fresh|migration:fresh"),
    "drizzle-kit": _reset("push", flags="--force"),
    **table_of("artisan sail", joined_rule(_ARTISAN, orm_risks)),
    **table_of("console symfony", _SYMFONY),
    "spark": _reset("migrate:refresh|migrate:rollback"),
    "phinx": _reset("rollback", flags="--target=0 -t0"),
    "yii": _reset("migrate/fresh", "migrate/down all"),
    "mix": _reset("ecto.drop|ecto.reset", "ash.reset"),
    "diesel": _reset("database|db reset|drop"),
    "sqlx": _reset("database|db drop|reset"),
    "sea-orm-cli": _reset("migrate fresh|refresh|reset"),
    "goose": _reset("** reset", "** down-to 0"),
    "migrate": _GOLANG,
    "dbmate": _reset("drop"),
    "flyway": _reset("** clean"),
    "liquibase": _reset("drop-all|dropall|dropAll"),
    "atlas": _reset("schema clean"),
    "dotnet": _reset("ef database drop", "ef database update 0"),
    "dotnet-ef": _reset("database drop", "database update 0"),
    "supabase": _SUPABASE,
    "wp": _WORDPRESS,
    "drush": _reset("sql:drop|sql-drop|site:install|site-install|si"),
    "bench": _reset("drop-site|reinstall", "** drop-site|reinstall"),
    "meteor": _reset("reset"),
}

_STOPS = "stops a database that others may need"


def _hadoop(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletions in Hadoop's file system; its subcommands look like flags."""
    words = set(call.command.words[1:])
    if "-format" in words or (words & {"-rm", "-rmr"} and words & {"-r", "-R", "-rmr"}):
        yield call_risk(call, "database", "deny", "deletes data of a cluster", _FIRST)
    elif words & {"-rm", "-expunge"}:
        yield call_risk(call, "database", "ask", "deletes files of a cluster", _WHICH)


_SERVERS: Mapping[str, RiskRule] = {
    **table_of("dropdb pg_dropcluster", _database),
    "dropuser": _tool(Row("*", "ask", "drops a role")),
    "pg_restore": _pg_restore,
    "pg_resetwal": _tool(
        Row("", "ask", "resets the log that a crash is repaired from"), calm=("-n", *DRY_RUN_FLAGS)
    ),
    **table_of("mysqladmin mariadb-admin", _tool(Row("drop", "deny", "drops a database", _FIRST))),
    **table_of(
        "mysqlimport mariadb-import", _tool(Row("", "ask", "empties tables", "", "--delete"))
    ),
    "mongorestore": _tool(Row("", "ask", "drops what it restores before", _WHICH, "--drop")),
    **table_of("hdfs hadoop", _hadoop),
    "airflow": _tool(
        Row("db reset|clean", "ask", _RESET, _WHICH), Row("dags delete", "ask", _RESET)
    ),
    "dvc": _tool(Row("gc|destroy", "ask", "deletes versions of data", flags="-f --force")),
    "dolt": _tool(Row("reset", "ask", "discards changes of a database", flags="--hard")),
    "kamal": _tool(
        Row("remove", "deny", "deletes an application with its data", _FIRST),
        Row("app|accessory remove", "ask", "deletes an application on its servers"),
    ),
    "dokku": _tool(Row("*:destroy", "deny", "deletes an application, or its data", _FIRST)),
    "ddev": _tool(Row("delete|clean", "ask", _RESET, _WHICH)),
    "lando": _tool(Row("destroy", "ask", _RESET, _WHICH)),
    "pg_ctl": _tool(Row("stop", "ask", _STOPS)),
    **table_of("hf huggingface-cli", _tool(Row("repo delete", "deny", "deletes a repository"))),
    "etcdctl": _tool(Row("del", "ask", _KEYS, flags="--prefix --from-key")),
    "consul": _tool(Row("kv delete", "ask", _KEYS, flags="-recurse --recurse")),
    "vault": _tool(
        Row("kv|secrets|auth|lease|namespace|token delete|destroy|disable|revoke", "ask", _KEYS),
        Row("kv metadata delete", "ask", _KEYS),
        Row("delete", "ask", _KEYS),
    ),
    "couchbase-cli": _tool(Row("bucket-delete|bucket-flush", "deny", "empties a bucket", _FIRST)),
    **table_of(
        "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh",
        _tool(Row("", "ask", "deletes messages of a queue", flags="--delete")),
    ),
    **table_of(
        "rabbitmqctl rabbitmqadmin",
        _tool(Row("reset|force_reset|delete*|purge*", "ask", "deletes messages of a queue")),
    ),
    "nats": _tool(Row("stream|kv|object|s|str rm|delete|del|purge", "ask", "deletes a stream")),
    "influx": _tool(Row("delete", "ask", "deletes points"), Row("* delete", "ask", "deletes it")),
}

RULES: Mapping[str, RiskRule] = {**with_launchers(_FRAMEWORKS), **_SERVERS}
