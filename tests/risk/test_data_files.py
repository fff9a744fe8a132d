"""Data files are known by name: databases and settings, but not those of tests or samples."""

from hookd.risk.data_files import is_backup, is_data_file, is_source_file
from support.parametrize import parametrize_all
from support.risks import judged

DATA = [
    *("app.db", "db.sqlite3", "dev.sqlite", "prod.DB", "data.sqlite3-wal", "store.duckdb", "x.rdb"),
    *(".env", ".env.local", ".env.production", "prod.env", ".envrc", ".env*", "*.db", "*.sqlite3"),
    *(
        "release.keystore",
        "upload.jks",
        "terraform.tfstate",
        "terraform.tfstate.backup",
    ),
    *("latest.db", "contest.sqlite", "template.db", "attempt.db"),
]
BACKUPS = [
    *("db-backup-2024.tar.gz", "dump.sql.zst", "users.sql.gz", "backups.zip", "a.dump"),
    "backup.sql",
]
NO_DATA = [
    *BACKUPS,
    *("test.db", "app_test.db", "test_orders.sqlite3", "tmp.db", "cache.sqlite", "app-cache.db"),
    *(".env.example", ".env.sample", ".env.test", ".env.ci", "example.env", "env", "venv", "db"),
    *(
        "app.py",
        "notes.txt",
        "app.db.bak",
        "out.csv",
        "backup.py",
        "schema.sql",
        "environment.yml",
        "Thumbs.db.log",
        "x.o",
    ),
]
NO_BACKUPS = ["app.db", "backup.py", "test-backup.sql", "a.sql", "backup", "backup.md"]
SOURCE = ["app.py", "src.TSX", "index.html", "package.json", "README.md", "q.sql", "main.tf"]
NO_SOURCE = ["out.txt", "run.log", "__init__.py", "app", ".py", "x.o", "shot.png"]


@parametrize_all(("name", "expected"), [(n, True) for n in DATA] + [(n, False) for n in NO_DATA])
def test_a_data_file_is_told_by_its_name(name: str, expected: bool) -> None:
    assert is_data_file(name) == expected


@parametrize_all(
    ("name", "expected"), [(n, True) for n in SOURCE] + [(n, False) for n in NO_SOURCE]
)
def test_a_file_that_people_write_is_told_by_its_name(name: str, expected: bool) -> None:
    assert is_source_file(name) == expected


@parametrize_all(
    ("name", "expected"), [(n, True) for n in BACKUPS] + [(n, False) for n in NO_BACKUPS]
)
def test_a_backup_is_told_by_its_name(name: str, expected: bool) -> None:
    assert is_backup(name) == expected


@parametrize_all(
    ("text", "expected"),
    [
        ("rm -rf ./site\nmkdir ./site", ""),
        ("rm -rf docs/output && mkdir -p docs/output", ""),
        ("./gen > ${OUT}/a.sam; ls; rm -f ${OUT}/a.sam", ""),
        ("rm -rf ./site", "ask deletes"),
        ("rm -rf src; mkdir src", "ask deletes"),
        ("rm -rf site src; mkdir site", "ask deletes"),
        ("mkdir site; rm -rf site", "ask deletes"),
        ("rm -rf site; mkdir site2", "ask deletes"),
        ("rm -rf ~/site; mkdir ~/site", "deny deletes"),
        ("./gen > $OUT/a; rm -rf $OUT/a", "ask deletes"),
    ],
)
def test_outputs_that_the_text_makes_itself_may_be_emptied(text: str, expected: str) -> None:
    assert judged(text) == expected
