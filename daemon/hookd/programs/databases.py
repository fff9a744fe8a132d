"""Databases: clients, servers and queues: psql, mysql, redis-cli, etcdctl, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Check, Program, Rule, Table

_FIRST = "The user can run it, or name a database whose data may be lost."
_WHICH = "The project's settings name the database: make a backup of it first."
_RESET = "drops or empties the database of the project"
_KEYS = "deletes all keys below a prefix"

_DOLT_DATABASE = Table(
    "database",
    (Rule("dolt.reset-hard", "reset", "ask", "discards changes of a database", flags="--hard"),),
)
_INFLUX_DATABASE = Table(
    "database",
    (
        Rule("influx.delete", "delete", "ask", "deletes points"),
        Rule("influx.resource-delete", "* delete", "ask", "deletes it"),
    ),
)
_DROPUSER_DATABASE = Table("database", (Rule("dropuser.drop", "*", "ask", "drops a role"),))
_PG_RESETWAL_DATABASE = Table(
    "database",
    (Rule("pg_resetwal.reset", "", "ask", "resets the log that a crash is repaired from"),),
    harmless=("-n", *DRY_RUN_FLAGS),
)
_MYSQLADMIN_DATABASE = Table(
    "database", (Rule("mysqladmin.drop", "drop", "deny", "drops a database", _FIRST),)
)
_MYSQLIMPORT_DATABASE = Table(
    "database", (Rule("mysqlimport.delete", "", "ask", "empties tables", flags="--delete"),)
)
_MONGORESTORE_DATABASE = Table(
    "database",
    (
        Rule(
            "mongorestore.drop", "", "ask", "drops what it restores before", _WHICH, flags="--drop"
        ),
    ),
)
_AIRFLOW_DATABASE = Table(
    "database",
    (
        Rule("airflow.db-reset", "db reset|clean", "ask", _RESET, _WHICH),
        Rule("airflow.dags-delete", "dags delete", "ask", _RESET),
    ),
)
_PG_CTL_DATABASE = Table(
    "database", (Rule("pg_ctl.stop", "stop", "ask", "stops a database that others may need"),)
)
_ETCDCTL_DATABASE = Table(
    "database", (Rule("etcdctl.del-prefix", "del", "ask", _KEYS, flags="--prefix --from-key"),)
)
_CONSUL_DATABASE = Table(
    "database",
    (Rule("consul.kv-delete-recurse", "kv delete", "ask", _KEYS, flags="-recurse --recurse"),),
)
_COUCHBASE_CLI_DATABASE = Table(
    "database",
    (
        Rule(
            "couchbase-cli.bucket-delete",
            "bucket-delete|bucket-flush",
            "deny",
            "empties a bucket",
            _FIRST,
        ),
    ),
)
_KAFKA_TOPICS_DATABASE = Table(
    "database",
    (Rule("kafka-topics.delete", "", "ask", "deletes messages of a queue", flags="--delete"),),
)
_RABBITMQCTL_DATABASE = Table(
    "database",
    (
        Rule(
            "rabbitmqctl.reset",
            "reset|force_reset|delete*|purge*",
            "ask",
            "deletes messages of a queue",
        ),
    ),
)
_NATS_DATABASE = Table(
    "database",
    (
        Rule(
            "nats.stream-rm",
            "stream|kv|object|s|str rm|delete|del|purge",
            "ask",
            "deletes a stream",
        ),
    ),
)

PROGRAMS = (
    Program("psql", "runs-statements", statements="-c --command", scripts="-f --file"),
    Program("usql cockroach ysqlsh vsql", "runs-statements", scripts="-f --file"),
    Program("pgcli mycli litecli snow crash mclient"),
    Program("hive beeline spark-sql", "runs-statements", statements="-e", scripts="-f"),
    Program("snowsql", "runs-statements", statements="-q --query", scripts="-f --filename"),
    Program("impala-shell", "runs-statements", statements="-q --query", scripts="-f --query_file"),
    Program("trino presto", "runs-statements", statements="--execute", scripts="-f --file"),
    Program("sqlplus isql tsql", "runs-statements"),
    Program("duckdb", "may-run runs-statements", statements="-c -s", scripts="-f -init"),
    Program("mysql mariadb", "runs-statements", statements="-e --execute"),
    Program("cqlsh", "runs-statements", statements="-e --execute", scripts="-f --file"),
    Program(
        "clickhouse clickhouse-client",
        "runs-statements",
        statements="-q --query",
        scripts="--queries-file",
    ),
    Program("dolt", tables=(_DOLT_DATABASE,)),
    Program("sqlcmd", "runs-statements", statements="-q -Q", scripts="-i --input-file"),
    Program("influx", tables=(_INFLUX_DATABASE,)),
    Program("sqlite", "may-run runs-statements", scripts="-init"),
    Program("sqlite3", "shows may-run runs-statements", scripts="-init"),
    Program(
        "mongo mongosh",
        "runs-statements",
        checks=(
            Check("mongo.drop", "database", "drops or changes whole databases or collections"),
        ),
        statements="--eval",
        scripts="-f --file",
    ),
    Program(
        "redis-cli valkey-cli keydb-cli iredis",
        "runs-statements",
        checks=(
            Check(
                "redis.delete", "database", "deletes keys, or changes how the database is stored"
            ),
        ),
    ),
    Program(
        "cypher-shell",
        "runs-statements",
        checks=(Check("cypher.delete", "database", "deletes all nodes of a graph"),),
        scripts="-f --file",
    ),
    Program(
        "dropdb pg_dropcluster", checks=(Check("dropdb.drop", "database", "drops a database"),)
    ),
    Program("dropuser", tables=(_DROPUSER_DATABASE,)),
    Program(
        "pg_restore",
        checks=(Check("pg_restore.clean", "database", "drops what it restores before"),),
    ),
    Program("pg_resetwal", tables=(_PG_RESETWAL_DATABASE,)),
    Program("mysqladmin mariadb-admin", tables=(_MYSQLADMIN_DATABASE,)),
    Program("mysqlimport mariadb-import", tables=(_MYSQLIMPORT_DATABASE,)),
    Program("mongorestore", tables=(_MONGORESTORE_DATABASE,)),
    Program(
        "hdfs hadoop", checks=(Check("hadoop.delete", "database", "deletes data of a cluster"),)
    ),
    Program("airflow", tables=(_AIRFLOW_DATABASE,)),
    Program("pg_ctl", tables=(_PG_CTL_DATABASE,)),
    Program("etcdctl", tables=(_ETCDCTL_DATABASE,)),
    Program("consul", tables=(_CONSUL_DATABASE,)),
    Program("couchbase-cli", tables=(_COUCHBASE_CLI_DATABASE,)),
    Program(
        "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh",
        tables=(_KAFKA_TOPICS_DATABASE,),
    ),
    Program("rabbitmqctl rabbitmqadmin", tables=(_RABBITMQCTL_DATABASE,)),
    Program("nats", tables=(_NATS_DATABASE,)),
)
