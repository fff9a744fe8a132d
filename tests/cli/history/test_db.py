"""`hookd db check` reads the whole file without a daemon, and reports damage by its exit code."""

import json
import socket

from hookd.store.database import open_database
from support.home import Home


def test_a_complete_check_reports_a_sound_and_a_damaged_database(home: Home) -> None:
    missing = home.hookd("db", "check", check=False)
    assert (missing.returncode, "There is no database" in missing.stderr) == (1, True)
    open_database(home.database).close()
    assert home.hookd("db", "check").stdout == "The database is intact.\n"
    home.database.write_bytes(b"no database" + home.database.read_bytes()[11:])
    damaged = home.hookd("db", "check", check=False)
    assert damaged.returncode == 1
    assert damaged.stdout.startswith("The database is damaged:\n  the file cannot be read:")
    assert "  next: hookd stop, then mv " in damaged.stdout
    told = json.loads(home.hookd("db", "check", "--json", check=False).stdout)
    assert (told["ok"], len(told["problems"])) == (False, 1)


def test_a_file_that_cannot_be_opened_is_not_called_damaged(home: Home) -> None:
    with socket.socket(socket.AF_UNIX) as place:
        place.bind(str(home.database))
    done = home.hookd("db", "check", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{home.database} was not checked: unable to open database file." in done.stderr
    assert not home.database.with_name("hookd.checked").exists()
