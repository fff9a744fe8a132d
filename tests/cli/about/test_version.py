"""`hookd version`: versions, and the shim that hooks start."""

import json
import platform

from hookd import __version__
from hookd.store.database import schema_version
from support.home import Home


def test_the_versions_are_those_of_what_runs(home: Home) -> None:
    facts = json.loads(home.hookd("version", "--json").stdout)
    assert facts["version"] == __version__
    assert facts["python"] == platform.python_version()
    assert facts["schema"] == schema_version()
    assert facts["shim"] == {}
    lines = home.hookd("version").stdout.splitlines()
    assert lines[0] == f"hookd {__version__}"
    assert lines[-1].split(maxsplit=1) == ["shim", "none; hookd install registers one"]


def test_the_shim_is_that_of_each_scope(home: Home) -> None:
    home.hookd("install", "--shim", "bash")
    assert json.loads(home.hookd("version", "--json").stdout)["shim"] == {"user": "bash"}
    assert "user: bash" in home.hookd("version").stdout
