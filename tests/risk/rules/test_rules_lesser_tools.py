"""Rules for less common tools: deletion and permissions, against reads."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    ("npm owner add mallory react", "ask publishes"),
    ("pnpm owner rm me shop", "ask publishes"),
    ("npm access set status=public shop", "ask publishes"),
    ("cargo owner --add mallory", "ask publishes"),
    ("gh api -X PUT repos/o/r/branches/main/protection --input x", "ask history"),
    ("gh api -X PUT repos/o/r/collaborators/mallory", "ask history"),
    ("gh api --method POST repos/o/r/keys -f key=x", "ask history"),
    ("gh api -X PATCH repos/o/r -F private=false", "ask history"),
    ("gh api -X PATCH repos/o/r -F archived=true", "ask history"),
    ("gh api -X DELETE repos/o/r/branches/main/protection", "ask history"),
    ("yadm reset --hard", "ask history"),
    ("mongosh --eval 'db.adminCommand({dropDatabase:1})'", "deny database"),
    ("mongosh --eval 'db.runCommand({drop: \"users\"})'", "deny database"),
    ('mongosh --eval \'db["users"]["drop"]()\'', "deny database"),
    (
        "redis-cli EVAL \"return redis.call('del', unpack(redis.call('keys','*')))\" 0",
        "ask database",
    ),
    ("hdfs dfs -rm -r /data", "deny database"),
    ("hadoop fs -rm -r -skipTrash /data", "deny database"),
    ("hdfs namenode -format", "deny database"),
    ("airflow db reset -y", "ask database"),
    ("dvc gc -w -f", "ask database"),
    ("dolt reset --hard", "ask database"),
    ("kamal remove", "deny database"),
    ("dokku apps:destroy x --force", "deny database"),
    ("dokku postgres:destroy x", "deny database"),
    ("ddev delete -O", "ask database"),
    ("lando destroy -y", "ask database"),
    ("pg_ctl stop -m immediate", "ask database"),
    ("hf repo delete x", "deny database"),
]
PASSED = [
    "npm owner ls react",
    "cargo owner --list",
    "gh api repos/o/r/branches/main/protection",
    "gh api repos/o/r/collaborators",
    "gh api -X POST repos/o/r/issues/1/comments -f body=hi",
    "gh api -X PATCH repos/o/r/issues/1 -f state=closed",
    "yadm status",
    "mongosh --eval 'db.runCommand({ping:1})'",
    "mongosh --eval 'db.adminCommand({listDatabases:1})'",
    "redis-cli EVAL \"return redis.call('get', KEYS[1])\" 1 x",
    "hdfs dfs -ls /data",
    "airflow dags list",
    "dvc pull",
    "dolt status",
    "kamal deploy --help",
    "dokku apps:list",
    "ddev start",
    "pg_ctl status",
    "hf download x",
]


@parametrize_all("text, expected", HELD)
def test_deletion_and_permissions_are_denied_or_asked_about(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all("text", PASSED)
def test_reads_pass(text: str) -> None:
    assert said(text) == ""
