"""Databases: SQL statements and commands (Redis, MongoDB, ...) that delete data.

The statements in arguments and input are read, and so is a file of statements that the same text
writes, or that is in the project.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import flags_of
from hookd.risk.inline.sql import Dialect, Harm, harms
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.path_areas import area
from hookd.risk.quoting import quoted_word
from hookd.risk.statement_files import CLIENTS, files_of, reads_input
from hookd.risk.subcommands import begins, call_risk, has_exact_flag, table_of
from hookd.shell.quoting import names

_BACKUP = "Run a backup, or a SELECT of these rows, first."
_FIRST = "The user can run it, or name a database whose data may be lost."

_TEXTS = flags_of(lambda program: program.statements)
"""By client: the flags that a statement follows."""


def _sql(dialect: Dialect) -> RiskRule:
    """Return the rule of a client whose arguments and input are statements."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        unique = dict.fromkeys(harm for text in _texts(call) for harm in harms(text, dialect))
        for harm in unique:
            hint = _FIRST if harm.weight == "deny" else _BACKUP
            yield call_risk(call, "sql.destroy", harm.weight, harm.why, hint)
        yield from _unknown(call)

    return rule


def _reading(rule: RiskRule) -> RiskRule:
    """Return the rule of a client that judges the files of statements on the disk as well.

    They are asked about at most: the files of a project drop tables to create them again.
    """

    def both(call: CommandCall) -> Iterator[Risk]:
        own = tuple(rule(call))
        yield from own
        if not call.context.statements or not (any(files_of(call)) or reads_input(call)):
            return
        known = {risk.reason for risk in own}
        for path, text in call.context.statements:
            name = quoted_word(posixpath.basename(path))
            if text is not None:
                fed = replace(call, command=replace(call.command, stdin=(text,)))
                for risk in rule(fed):
                    if risk.reason not in known:
                        why = f"runs {name}, which {risk.reason}"
                        yield replace(risk, severity="ask", reason=why)
            elif not _throwaway(call):
                why = f"runs the statements of {name}, which cannot be read"
                yield call_risk(call, "sql.unknown", "ask", why, "Read the file first.")

    return both


def _texts(call: CommandCall) -> Iterator[str]:
    """Yield every possible statement: every word, what is joined to a flag, and the input."""
    yield from call.command.stdin
    for word in call.command.words[1:]:
        yield word
        if word[:1] == "-" and re.search(r"\s", word):
            # The value of `--name=`, or of the last of some letters.
            starts = (2, 3, 4, 5) if word[1] != "-" else (word.find("=") + 1,)
            yield from (word[start:] for start in starts)


def _unknown(call: CommandCall) -> Iterator[Risk]:
    """Yield that the statements are unknown, if none of them begins in the text."""
    for item in call.values(*_TEXTS.get(call.program, ())):
        if item.hole is not None and not item.hole.head:
            why = "runs statements that are not known from the text"
            instead = "Write the statements in the command."
            yield replace(call_risk(call, "sql.unknown", "ask", why, instead), certain=False)
            return


def _file(dialect: Dialect) -> RiskRule:
    """Return the rule of a client whose database is a file on this machine."""
    by_server = _sql(dialect)

    def rule(call: CommandCall) -> Iterator[Risk]:
        if not _throwaway(call):
            for risk in by_server(call):
                yield replace(risk, severity="ask")

    return rule


_FILES = names("sqlite sqlite3 litecli duckdb")
"""Clients whose database is a file on this machine."""


def _throwaway(call: CommandCall) -> bool:
    """Return whether the database is a file in scratch space, or in memory."""
    files = [item for item in call.items if not re.search(r"\s", item.text)][:1]
    return call.program in _FILES and any(
        item.text == ":memory:" or area(item, call.context) == "scratch" for item in files
    )


_MONGO_ALL = lazy_compile(
    r"\.\s*(?:dropDatabase|drop|deleteMany|remove|updateMany)\s*\(\s*(\)|\{\s*\}|\{)?"
)

_MONGO_COMMAND = lazy_compile(
    r"(?:runCommand|adminCommand)\s*\(\s*\{\s*['\"]?(?:dropDatabase|drop|dropAllUsers\w*)\b"
    r"|\[\s*['\"](?:dropDatabase|drop)['\"]\s*\]\s*\("
)


def _mongo(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of statements of MongoDB's shell, which are JavaScript."""
    calls = {
        re.sub(r"\s", "", match[0]) for text in _texts(call) for match in _MONGO_ALL.finditer(text)
    }
    if any(name.startswith((".dropDatabase", ".drop(")) for name in calls) or any(
        _MONGO_COMMAND.search(text) for text in _texts(call)
    ):
        yield call_risk(call, "mongo.drop", "deny", "drops a database or a collection", _FIRST)
    elif any(name.endswith(("{}", "()")) for name in calls):
        yield call_risk(call, "mongo.drop", "ask", "changes all documents of a collection", _BACKUP)
    yield from _unknown(call)


_BY_API = _sql("")


def _aws(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of statements that are sent to a database by its cloud's client."""
    if any(item.text in ("rds-data", "redshift-data", "athena") for item in call.items[:6]):
        yield from _BY_API(call)


_REDIS_ALL = frozenset({"flushall", "flushdb"})
_REDIS_ASK = frozenset({"swapdb", "shutdown", "replicaof", "slaveof", "restore"})


def _redis(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of Redis commands: in the words, and in each line of the input."""
    if has_exact_flag(call, ("--help", "--version")):
        return
    lines = [line.lower().split() for text in call.command.stdin for line in text.splitlines()]
    if call.words.has("--eval") or begins(call.items, "[eE][vV][aA][lL]*"):
        lines.append(["eval", *re.findall(r"\w+", call.text.lower())])
    # Values of flags are among the words, so the command may begin at each of them.
    optional = 0
    while optional < len(call.items) and call.items[optional].optional:
        optional += 1
    words = [item.text.lower() for item in call.items]
    lines += [words[at:] for at in range(min(optional + 1, len(words), 16))]
    through = "xargs" in call.command.wrappers
    unique = dict.fromkeys(_redis_line(line, through=through) for line in lines if line)
    for harm in unique:
        if harm is not None:
            yield call_risk(call, "redis.delete", harm.weight, harm.why, _FIRST)


def _redis_line(words: list[str], *, through: bool) -> Harm | None:
    first, second = (*words, "")[:2]
    if first in _REDIS_ALL or (first.startswith("eval") and _REDIS_ALL & set(words)):
        return Harm("deny", "deletes all keys")
    if first.startswith("eval") and {"del", "unlink"} & set(words) and "keys" in words:
        return Harm("ask", "deletes all keys of a pattern")
    if first in ("del", "unlink") and through:
        return Harm("ask", "deletes all keys that another program lists")
    if first in _REDIS_ASK or (first == "config" and second in ("set", "rewrite")):
        return Harm("ask", "changes how the database is stored")
    if (first, second) in (("cluster", "reset"), ("xgroup", "destroy"), ("acl", "deluser")):
        return Harm("ask", "deletes a part of the data")
    return None


_CYPHER = lazy_compile(
    r"\b(?:detach\s+delete|drop\s+(?:database|constraint)|delete)\b", re.IGNORECASE
)


def _cypher(call: CommandCall) -> Iterator[Risk]:
    chosen = re.compile(r"\bwhere\b|\{", re.IGNORECASE)
    if any(_CYPHER.search(text) and not chosen.search(text) for text in _texts(call)):
        yield call_risk(call, "cypher.delete", "ask", "deletes all nodes of a graph", _BACKUP)


_POSTGRES = "psql usql cockroach ysqlsh vsql pgcli neon neonctl heroku"
_MYSQL = (
    "mysql mariadb mycli clickhouse clickhouse-client bq hive beeline spark-sql snow snowsql"
    " impala-shell pscale dolt"
)
_OTHERS = "sqlcmd cqlsh trino presto turso wrangler influx sqlplus isql tsql crash prisma mclient"

_TABLES: Mapping[str, RiskRule] = {
    **table_of(_POSTGRES, _sql("postgres")),
    **table_of(_MYSQL, _sql("mysql")),
    **table_of(_OTHERS, _sql("")),
    **table_of("sqlite sqlite3 litecli", _file("")),
    "duckdb": _file("postgres"),
    **table_of("mongo mongosh", _mongo),
    **table_of("redis-cli valkey-cli keydb-cli iredis", _redis),
    "cypher-shell": _cypher,
    "aws": _aws,
}
RULES: Mapping[str, RiskRule] = {
    **{name: _reading(rule) if name in CLIENTS else rule for name, rule in _TABLES.items()},
}
