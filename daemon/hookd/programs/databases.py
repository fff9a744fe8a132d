"""Databases: clients, servers and queues: psql, mysql, redis-cli, etcdctl, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Check, Program, Rule, Table

_FIRST = "The user can run it, or name a database whose data may be lost."
_WHICH = "The project's settings name the database."
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
    Program("psql", statements="-c --command"),
    Program(
        "usql cockroach ysqlsh vsql pgcli mycli clickhouse hive beeline spark-sql snow"
        " snowsql impala-shell trino presto sqlplus isql tsql crash mclient litecli duckdb"
    ),
    Program("mysql mariadb cqlsh", statements="-e --execute"),
    Program("clickhouse-client", statements="-q --query"),
    Program("dolt", tables=(_DOLT_DATABASE,)),
    Program("sqlcmd", statements="-q -Q"),
    Program("influx", tables=(_INFLUX_DATABASE,)),
    Program("sqlite", "may-run"),
    Program("sqlite3", "shows may-run"),
    Program(
        "mongo mongosh",
        checks=(
            Check("mongo.drop", "database", "drops or changes whole databases or collections"),
        ),
        statements="--eval",
    ),
    Program(
        "redis-cli valkey-cli keydb-cli iredis",
        checks=(
            Check(
                "redis.delete", "database", "deletes keys, or changes how the database is stored"
            ),
        ),
    ),
    Program(
        "cypher-shell", checks=(Check("cypher.delete", "database", "deletes all nodes of a graph"),)
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
