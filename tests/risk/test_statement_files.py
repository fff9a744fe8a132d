"""Files of statements: which ones a text gives to a database's client, and what they say."""

from dataclasses import replace

from hookd.risk.analyze import assess_text
from hookd.risk.statement_files import statement_files, with_written_statements
from hookd.shell.commands import read
from support.parametrize import parametrize_all
from support.risks import SHOP, said

HERE = str(SHOP.project)


@parametrize_all(
    ("text", "expected"),
    [
        ("psql -f drop.sql", [f"{HERE}/drop.sql"]),
        ("psql --file=db/drop.sql shop", [f"{HERE}/db/drop.sql"]),
        ("psql -fdrop.sql", [f"{HERE}/drop.sql"]),
        ("psql < drop.sql", [f"{HERE}/drop.sql"]),
        ("mysql shop < /srv/x.sql", ["/srv/x.sql"]),
        ("cd db && psql < drop.sql", [f"{HERE}/db/drop.sql"]),
        ("cat a.sql b.sql | psql", [f"{HERE}/a.sql", f"{HERE}/b.sql"]),
        ("sqlite3 app.db < a.sql", [f"{HERE}/a.sql"]),
        ("sqlite3 app.db '.read a.sql'", [f"{HERE}/a.sql"]),
        ("psql -c '\\i a.sql'", [f"{HERE}/a.sql"]),
        ("mysql -e 'source a.sql'", [f"{HERE}/a.sql"]),
        ("mongosh shop drop.js", [f"{HERE}/drop.js"]),
        ("sqlcmd -S x -i a.sql", [f"{HERE}/a.sql"]),
        ("redis-cli < a.txt", [f"{HERE}/a.txt"]),
        ("psql -c 'select 1' < a.sql", []),
        ("sort < a.sql", []),
        ("cat a.sql", []),
        ("psql shop", []),
        ('psql -f "$F"', []),
        ("echo 'select 1' > a.sql && psql -f a.sql", []),
        ("psql -f 1.sql -f 2.sql -f 3.sql -f 4.sql -f 5.sql", [f"{HERE}/{n}.sql" for n in "1234"]),
    ],
)
def test_the_files_that_a_client_reads(text: str, expected: list[str]) -> None:
    assert list(statement_files(read(text), SHOP)) == expected


@parametrize_all(
    ("text", "expected"),
    [
        ("echo 'DROP TABLE users' > a.sql && psql -f a.sql", "deny database"),
        ("echo 'DROP TABLE users' > a.sql; psql < a.sql", "deny database"),
        ("echo 'DROP TABLE users;' > a.sql; sqlite3 app.db < a.sql", "ask database"),
        ("echo 'DROP TABLE users;' > a.sql; sqlite3 /tmp/app.db < a.sql", ""),
        ("echo 'drop table x' | tee a.sql; mysql shop < a.sql", "deny database"),
        ("cat > a.sql <<'E'\nTRUNCATE users;\nE\npsql shop -f a.sql", "deny database"),
        ("echo 'DROP TABLE x' > a.sql; cat a.sql | psql", "deny database"),
        ("echo 'db.dropDatabase()' > a.js; mongosh a.js", "deny database"),
        ("echo FLUSHALL > a.txt; redis-cli < a.txt", "deny database"),
        ("echo 'select 1' > a.sql && psql -f a.sql", ""),
        ("python manage.py sqlflush | psql", "deny database"),
        ("python manage.py sqlflush", ""),
        ("mysqldump dev | mysql -h prod shop", "ask database"),
        ("pg_dump --clean dev | psql prod", "ask database"),
        ("pg_dump dev | psql prod", ""),
        ("mysqldump --skip-add-drop-table dev | mysql prod", ""),
        ("mysqldump dev | gzip | wc -c", ""),
        ("python manage.py sqlmigrate app 1 | psql", ""),
        ("echo 'DROP TABLE users' > a.sql", ""),
        ("echo 'DROP TABLE users' > a.sql; psql -f b.sql", ""),
        ("echo 'DROP TABLE users' > a.sql; grep TABLE < a.sql", ""),
    ],
)
def test_a_file_that_the_text_writes_is_judged_like_its_statements(
    text: str, expected: str
) -> None:
    assert said(text) == expected


@parametrize_all(
    ("command", "content", "expected"),
    [
        ("psql -f a.sql", "DROP TABLE users;", ["ask database"]),
        ("psql < a.sql", "SELECT 1;\nTRUNCATE users;", ["ask database"]),
        ("psql < a.sql", "CREATE TABLE users (id int);", []),
        ("psql -c 'select 1' < a.sql", "DROP TABLE users;", []),
        ("sqlite3 app.db < a.sql", "DELETE FROM users;", ["ask database"]),
        ("sqlite3 /tmp/app.db < a.sql", "DELETE FROM users;", []),
        ("sqlite3 :memory: < a.sql", None, []),
        ("psql -f a.sql", None, ["ask unreadable"]),
        ("psql -c 'drop table x'", "DROP TABLE users;", ["deny database"]),
        ("mongosh a.js", "db.dropDatabase()", ["ask database"]),
    ],
)
def test_a_file_on_the_disk_is_asked_about_at_most(
    command: str, content: str | None, expected: list[str]
) -> None:
    place = replace(SHOP, statements=((f"{HERE}/a.sql", content),))
    assert [f"{risk.severity} {risk.kind}" for risk in assess_text(command, place)] == expected


def test_a_text_without_a_client_is_left_as_it_is() -> None:
    for text in ("echo x > a.sql", "psql -f a.sql", "ls"):
        shell = read(text)
        assert with_written_statements(shell) is shell
