"""Schema migrations, ORMs, database servers: tools that drop or empty a database.

A framework's development database is asked about: it may be another one. In ORM code (`rails runner
'User.delete_all'`), only the deletion of all rows of a table is a risk.
"""

import re
from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import DRY_RUN_FLAGS
from hookd.risk.inline.sql import harms
from hookd.risk.launchers import with_launchers
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import (
    begins,
    call_risk,
    has_exact_flag,
    joined_rule,
    rules_of,
    table_of,
)

_EVERY = lazy_compile(
    r"(?<![\w.)])[A-Z]\w*+(?>(?:::\w++)*)(?:\.(?:unscoped|all)\b)?\.(?:delete_all|destroy_all)\b"
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
        yield call_risk(call, "orm.delete-all", "ask", "deletes every row of a table", _INSTEAD)


_TABLES = rules_of("database")
_RESET = "drops or empties the database of the project"
_STEP = "reverts migrations, with the tables and columns that they created"
_WHICH = "The project's settings name the database: make a backup of it first."
_FIRST = "The user can run it, or name a database whose data may be lost."


def _dbshell(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of the statements for the database's own client through Django."""
    if call.starts("dbshell"):
        words = (
            one for text in (*call.command.stdin, *call.command.words[2:]) for one in harms(text)
        )
        for harm in dict.fromkeys(words):
            yield call_risk(call, "sql.destroy", harm.weight, harm.why, _FIRST)


_RAILS = lazy_compile(
    r"(?:\w+:)*db:(?:mongoid:)?(?:drop|reset|purge|truncate_all|schema:load|structure:load"
    r"|migrate:reset|seed:replant|test:purge)(?:[:\[].*)?"
)


_RAILS_BACK = lazy_compile(r"(?:\w+:)*db:(?:rollback|migrate:(?:down|redo))(?:[:\[].*)?")


def _rails(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of the tasks; of several, one is enough."""
    tasks = [item.text for item in call.items]
    if has_exact_flag(call, ("-n", "-T", "-P", *DRY_RUN_FLAGS)) or "RAILS_ENV=test" in tasks:
        return
    if any(map(_RAILS.fullmatch, tasks)):
        live = "RAILS_ENV=production" in tasks or "RACK_ENV=production" in tasks
        why = "drops or empties the production database" if live else _RESET
        yield call_risk(call, "orm.reset", "deny" if live else "ask", why, _WHICH)
    elif any(map(_RAILS_BACK.fullmatch, tasks)) or "VERSION=0" in tasks:
        yield call_risk(call, "orm.revert", "ask", _STEP, "`db:migrate:status` shows the last one.")


_STATEMENT = lazy_compile(
    r"(?i)\b(?:execute\w*|exec_\w+|query!?|unprepared|statement)\s*+[(\s][\s(]*+"
    r"(?:\"((?>(?:[^\"\\]|\\.)*))\"|'((?>(?:[^'\\]|\\.)*))')"
)
"""A statement in the code of a program: the first text that a call such as `execute` takes."""


def _elixir(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of statements in the code after `-e` or `--eval`: `mix run -e`."""
    codes = (item.text for item in call.values("-e", "--eval", "--rpc-eval"))
    texts = (match[1] or match[2] for code in codes for match in _STATEMENT.finditer(code))
    for harm in dict.fromkeys(harm for text in texts for harm in harms(text)):
        yield call_risk(call, "sql.destroy", harm.weight, harm.why, _FIRST)


def _answered(call: CommandCall) -> Iterator[Risk]:
    """Yield that a pipe answers the question whether data may be lost: `yes | prisma db push`."""
    piped = call.command.piped_input or call.command.stdin
    if piped and begins(call.items, "db|migrate push|dev|reset"):
        why = "changes the database, and a pipe answers its question"
        yield call_risk(call, "prisma.answered", "ask", why, "Run it without the pipe.")
    else:
        yield from _TABLES["prisma"](call)


_TRIAL = lazy_compile(r"(?i)(?:.*[_-])?(?:test|tests|testing|tmp|temp)(?:[_-].*|\d*)")
"""The name of a database that tests create, and recreate."""


def _database(call: CommandCall) -> Iterator[Risk]:
    named_so = call.items[-1:] and _TRIAL.fullmatch(call.items[-1].text)
    if call.program == "dropdb" and named_so and not call.command.holes:
        return
    if not has_exact_flag(call, ("--help", "--version", "-V", "-?")):
        yield call_risk(call, "dropdb.drop", "deny", "drops a database", _FIRST)


def _pg_restore(call: CommandCall) -> Iterator[Risk]:
    """Yield that a restoration drops first; `-Fc` names a format, and cleans nothing."""
    shorts = (re.split(r"(?<=[dFfIjLnNPtTUhpS])", flag[1:])[0] for flag, _ in call.words.flags)
    long = [flag for flag, _ in call.words.flags if len(flag) > 3 and "--clean".startswith(flag)]
    if long or any("c" in letters and letters[:1] != "-" for letters in shorts):
        yield call_risk(call, "pg_restore.clean", "ask", "drops what it restores before", _WHICH)


def _hadoop(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletions in Hadoop's file system; its subcommands look like flags."""
    words = set(call.command.words[1:])
    if "-format" in words or (words & {"-rm", "-rmr"} and words & {"-r", "-R", "-rmr"}):
        yield call_risk(call, "hadoop.delete", "deny", "deletes data of a cluster", _FIRST)
    elif words & {"-rm", "-expunge"}:
        yield call_risk(call, "hadoop.delete", "ask", "deletes files of a cluster", _WHICH)


RULES: Mapping[str, RiskRule] = with_launchers(
    {
        **_TABLES,
        **table_of("rails rake", joined_rule(_rails, orm_risks)),
        **table_of(
            "manage.py django-admin django",
            joined_rule(_TABLES["django"], orm_risks, _dbshell),
        ),
        **table_of("artisan sail", joined_rule(_TABLES["artisan"], orm_risks)),
        "prisma": _answered,
        "mix": joined_rule(_TABLES["mix"], _elixir),
        **table_of("elixir iex", _elixir),
        **table_of("dropdb pg_dropcluster", _database),
        "pg_restore": _pg_restore,
        **table_of("hdfs hadoop", _hadoop),
    }
)
